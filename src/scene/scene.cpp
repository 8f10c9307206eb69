#include "scene/scene.h"

#include <algorithm>
#include <cmath>

#include "scene/band_limited.h"
#include "scene/boards.h"
#include "scene/landscape.h"
#include "scene/objects.h"

namespace imago::scene {
namespace {

using geometry::dot;
using geometry::normalized;

float as_float(double value) { return static_cast<float>(value); }

struct Hit {
  double distance;
  float covered;
  enum class Kind : std::uint8_t { board, ball, trunk, sign, wire } kind;
  const void* thing;
};

// What a ray meets, nearest first once sorted. A full list drops the rest: more than enough for this scene.
struct Hits {
  std::array<Hit, 40> list;
  int count = 0;

  void add(double distance, float covered, Hit::Kind kind, const void* thing) {
    if (covered <= 0 || count == static_cast<int>(list.size())) return;
    int at = count++;
    for (; at > 0 && list[static_cast<std::size_t>(at - 1)].distance > distance; --at) {
      list[static_cast<std::size_t>(at)] = list[static_cast<std::size_t>(at - 1)];
    }
    list[static_cast<std::size_t>(at)] = {distance, covered, kind, thing};
  }
};

// Extent of a round pixel on a plane that the ray meets under `cosine`, along a unit vector of the plane on which the
// ray's direction has the component `along`: the pixel's circle is stretched by 1 / cosine along the ray.
float extent_on_plane(double pixel, double cosine, double along) {
  const double c2 = std::max(cosine * cosine, 1e-4);
  const double sine2 = std::max(1.0 - cosine * cosine, 1e-12);
  return as_float(pixel * std::sqrt(1.0 + along * along / sine2 * (1.0 / c2 - 1.0)));
}

struct BoardHit {
  double distance;
  BoardPoint at;
};

bool meet_board(const Board& board, const Ray& ray, BoardHit& hit) {
  const double facing = dot(ray.direction, board.forward);
  if (std::abs(facing) < 1e-3) return false;
  hit.distance = dot(board.centre - ray.origin, board.forward) / facing;
  if (hit.distance < 1e-3) return false;
  const Vector offset = ray.origin + ray.direction * hit.distance - board.centre;
  hit.at.u = dot(offset, board.right) + board.width_m / 2;
  hit.at.v = offset.y + board.height_m / 2;
  if (std::abs(hit.at.u - board.width_m / 2) > board.width_m) return false;
  const double pixel = ray.extent_at(hit.distance);
  hit.at.width_u = extent_on_plane(pixel, facing, dot(ray.direction, board.right));
  hit.at.width_v = extent_on_plane(pixel, facing, ray.direction.y);
  return true;
}

double ground_v(const Board& board) { return ground_y - board.middle_y + board.height_m / 2; }

// Where a ray passes a ball: the near surface, or for a near miss the limb.
struct BallHit {
  double distance;
  float covered;
  Vector normal;
};

bool meet_ball(const Vector& centre, double radius, const Ray& ray, BallHit& hit) {
  const Vector to_centre = centre - ray.origin;
  const double along = dot(to_centre, ray.direction);
  const double miss2 = dot(to_centre, to_centre) - along * along;
  const double pixel = ray.extent_at(std::max(along, 0.0));
  const double reach = radius + pixel;
  if (along <= 0 || miss2 > reach * reach) return false;
  hit.covered = coverage(as_float(radius - std::sqrt(std::max(miss2, 0.0))), as_float(pixel));
  hit.distance = along - std::sqrt(std::max(radius * radius - miss2, 0.0));
  if (hit.distance < 1e-3) return false;
  hit.normal = (ray.origin + ray.direction * hit.distance - centre) * (1.0 / radius);
  return true;
}

bool meet_trunk(const Trunk& trunk, const Ray& ray, BallHit& hit) {
  const double dx = ray.direction.x, dz = ray.direction.z;
  const double flat2 = dx * dx + dz * dz;
  if (flat2 < 1e-9) return false;
  const double ox = trunk.x - ray.origin.x, oz = trunk.z - ray.origin.z;
  const double along = (ox * dx + oz * dz) / flat2;
  const double miss = std::abs(ox * dz - oz * dx) / std::sqrt(flat2);
  const double pixel = ray.extent_at(std::max(along, 0.0));
  if (along <= 0 || miss > trunk.radius + pixel) return false;
  hit.distance = along - std::sqrt(std::max(trunk.radius * trunk.radius - miss * miss, 0.0) / flat2);
  const double y = ray.origin.y + ray.direction.y * hit.distance;
  hit.covered = coverage(as_float(trunk.radius - miss), as_float(pixel)) *
                coverage(as_float(y - trunk.top_y), as_float(pixel)) *
                coverage(as_float(ground_y - y), as_float(pixel));
  hit.normal =
      normalized(Vector{(ray.origin.x + dx * hit.distance - trunk.x), 0, (ray.origin.z + dz * hit.distance - trunk.z)});
  return hit.covered > 0;
}

// Leaves: coverage of a crown's surface and brightness of the leaf there, band-limited.
struct Leaf {
  float covered, light;
};

Leaf leaf_at(const Vector& point, double pixel, double facing) {
  const double k = 11;
  const float width = as_float(pixel * k);
  const float share = visible(1.0f, width), share2 = visible(2.3f, width), share3 = visible(5.1f, width);
  float bumps = 0;
  if (share > 0) bumps = share * (noise(point.x * k, point.y * k, point.z * k, 601) - 0.5f);
  if (share2 > 0) bumps += 0.8f * share2 * (noise(point.x * k * 2.3, point.y * k * 2.3, point.z * k * 2.3, 607) - 0.5f);
  if (share3 > 0) bumps += 0.5f * share3 * (noise(point.x * k * 5.1, point.y * k * 5.1, point.z * k * 5.1, 613) - 0.5f);
  const double lobe = 3.0;
  const float wide = noise(point.x * lobe, point.y * lobe, point.z * lobe, 617) - 0.5f;
  const float depth = as_float(std::max(facing, 0.0));  // 0 at the limb, where the crown thins out
  const float softness = 0.16f + 0.5f * (1.0f - share2);
  const float covered = smooth(-softness, softness, bumps * 0.9f + wide * 0.5f + 1.5f * depth - 0.62f);
  return {covered, std::max(0.12f, 1.0f + 1.1f * bumps + 0.5f * wide)};
}

void collect_group(const Group& group, const Ray& ray, Hits& hits) {
  BallHit outer;
  const Vector away = group.centre - ray.origin;
  const bool inside = dot(away, away) < group.radius * group.radius;
  if (!inside && !meet_ball(group.centre, group.radius, ray, outer)) return;
  for (const Ball& ball : group.balls) {
    BallHit hit;
    if (!meet_ball(ball.centre, ball.radius, ray, hit)) continue;
    if (ball.surface == Surface::leaves) {
      const Vector point = ball.centre + hit.normal * ball.radius;
      hit.covered *= leaf_at(point, ray.extent_at(hit.distance), -dot(hit.normal, ray.direction)).covered;
    }
    hits.add(hit.distance, hit.covered, Hit::Kind::ball, &ball);
  }
  for (const Trunk& trunk : group.trunks) {
    BallHit hit;
    if (meet_trunk(trunk, ray, hit)) hits.add(hit.distance, hit.covered, Hit::Kind::trunk, &trunk);
  }
}

struct SignHit {
  double distance, x, z;
  float covered, width;
};

bool meet_sign(const Ray& ray, SignHit& hit) {
  if (ray.direction.y > -0.02) return false;
  hit.distance = (sign_y - ray.origin.y) / ray.direction.y;
  hit.x = ray.origin.x + ray.direction.x * hit.distance;
  hit.z = ray.origin.z + ray.direction.z * hit.distance;
  hit.width = as_float(ray.extent_at(hit.distance) / std::max(-ray.direction.y, 0.1));
  hit.covered = coverage(as_float(sign_half_size - std::abs(hit.x)), hit.width) *
                coverage(as_float(sign_half_size - std::abs(hit.z)), hit.width);
  return hit.covered > 0;
}

// The wire and its lamps. Their plane is met more or less squarely from the paved place; rays along it see none.
void meet_wire(const Ray& ray, Hits& hits) {
  if (std::abs(ray.direction.z) < 0.15) return;
  const double distance = (wire_z - ray.origin.z) / ray.direction.z;
  const double x = ray.origin.x + ray.direction.x * distance;
  if (distance < 1e-3 || std::abs(x) > wire_half_length) return;
  const double y = ray.origin.y + ray.direction.y * distance;
  const double below = y - wire_height(x);
  const double pixel = ray.extent_at(distance);
  if (std::abs(below) > 0.6 + pixel) return;
  hits.add(distance, line_coverage(as_float(std::abs(below)), 0.008f, as_float(pixel)), Hit::Kind::wire, nullptr);
  const double reach = (0.6 + pixel) / lamp_pitch, middle = (x + lamps_half_length) / lamp_pitch;
  const int first = std::max(0, static_cast<int>(middle - reach));
  const int last = std::min(lamp_count - 1, static_cast<int>(middle + reach));
  for (int i = first; i <= last; ++i) {
    const Ball& lamp = lamps()[static_cast<std::size_t>(i)];
    BallHit hit;
    if (meet_ball(lamp.centre, lamp.radius, ray, hit)) hits.add(hit.distance, hit.covered, Hit::Kind::ball, &lamp);
  }
}

Hits collect(const Ray& ray) {
  Hits hits;
  meet_wire(ray, hits);
  for (const Board& board : boards()) {
    BoardHit hit;
    if (!meet_board(board, ray, hit)) continue;
    hits.add(hit.distance, board_coverage(board, hit.at, ground_v(board)), Hit::Kind::board, &board);
  }
  for (const Group& group : groups()) collect_group(group, ray, hits);
  SignHit sign;
  if (meet_sign(ray, sign)) hits.add(sign.distance, sign.covered, Hit::Kind::sign, nullptr);
  return hits;
}

// Share of the sun that reaches a point. The sun is taken wider than it is, which softens shadows with distance.
float sunlight(const Vector& point, double pixel) {
  constexpr double sun_spread = 0.016;
  const Ray ray{point, sun_direction, sun_spread, pixel};
  const Hits hits = collect(ray);
  float light = 1;
  for (int i = 0; i < hits.count; ++i) {
    const Hit& hit = hits.list[static_cast<std::size_t>(i)];
    light *= 1.0f - hit.covered;
  }
  return light;
}

// Sky hidden by the balls that rest on the ground near a point of it.
float open_sky_share(double x, double z) {
  float open = 1;
  for (const Ball& ball : groups().front().balls) {
    const double dx = x - ball.centre.x, dz = z - ball.centre.z;
    const double d2 = (dx * dx + dz * dz) / (ball.radius * ball.radius);
    if (d2 < 16) open *= 1.0f - 0.85f / as_float((1 + d2) * std::sqrt(1 + d2));
  }
  return open;
}

Rgb shaded(Rgb albedo, const Vector& normal, float sun_share, float sky_share) {
  const float sun = std::max(0.0f, as_float(dot(normal, sun_direction))) * sun_share;
  const float up = as_float(0.5 - 0.5 * normal.y);
  const Rgb ambient = mix(from_rec709(0.16f, 0.14f, 0.11f), sky_light, up) * sky_share;
  return albedo * (sun_light * (1.25f * sun) + ambient);
}

Rgb ground_color(const Ray& ray, double distance, bool with_shadows) {
  const double x = ray.origin.x + ray.direction.x * distance, z = ray.origin.z + ray.direction.z * distance;
  const double pixel = ray.extent_at(distance);
  const float width_x = extent_on_plane(pixel, ray.direction.y, ray.direction.x);
  const float width_z = extent_on_plane(pixel, ray.direction.y, ray.direction.z);
  const Rgb albedo = ground_albedo(x, z, width_x, width_z);
  const bool near = distance < 60;
  const Vector point{x, ground_y - 1e-3, z};
  const float sun = with_shadows && near ? sunlight(point, static_cast<double>(std::max(width_x, width_z))) : 1.0f;
  const float open = near ? open_sky_share(x, z) : 1.0f;
  const float air = clear_air(distance);
  return mix(haze, shaded(albedo, {0, -1, 0}, sun, open), air);
}

// Ground and sky.
Rgb backdrop(const Ray& ray, bool with_shadows) {
  const float covered = coverage(as_float(ray.direction.y), as_float(ray.spread_rad));
  Rgb color;
  if (covered < 1) color = sky(ray.direction, ray.spread_rad);
  if (covered > 0) {
    const double distance = (ground_y - ray.origin.y) / std::max(ray.direction.y, 1e-7);
    const Rgb ground = distance < 3000 ? ground_color(ray, std::max(distance, 0.0), with_shadows) : haze;
    color = mix(color, ground, covered);
  }
  return color;
}

Rgb trace(const Ray& ray, int reflections);

// What a mirror shows: the pixel's cone widens by the curvature of the ball.
Ray reflected(const Ray& ray, const BallHit& hit, const Ball& ball) {
  const double facing = dot(ray.direction, hit.normal);
  const Vector direction = normalized(ray.direction - hit.normal * (2 * facing));
  const double bend = 2 * hit.distance / ball.radius / std::max(-facing, 0.15);
  return {ball.centre + hit.normal * ball.radius, direction, std::min(0.5, ray.spread_rad * (1 + bend)),
          ray.extent_at(hit.distance)};
}

Rgb glossy(const Ray& ray, const BallHit& hit, const Ball& ball, Rgb albedo) {
  const Ray mirror = reflected(ray, hit, ball);
  const float grazing = 1.0f - std::clamp(as_float(-dot(ray.direction, hit.normal)), 0.0f, 1.0f);
  const float g2 = grazing * grazing;
  const float fresnel = 0.04f + 0.7f * g2 * g2 * grazing;
  const Ray wide{mirror.origin, mirror.direction, mirror.spread_rad + 0.01, mirror.width_m};
  return shaded(albedo, hit.normal, 1, 1) * (1 - fresnel) + backdrop(wide, false) * fresnel;
}

Rgb ball_color(const Ray& ray, const Ball& ball, int reflections) {
  BallHit hit;
  if (!meet_ball(ball.centre, ball.radius, ray, hit)) return {};
  const double pixel = ray.extent_at(hit.distance);
  const float low = 0.55f + 0.45f * as_float(0.5 - 0.5 * hit.normal.y);  // the ground beneath darkens
  switch (ball.surface) {
    case Surface::chrome:
      if (reflections <= 0) return ball.color * 0.5f;
      return trace(reflected(ray, hit, ball), reflections - 1) * ball.color;
    case Surface::glossy_red: return glossy(ray, hit, ball, ball.color) * low;
    case Surface::matte_blue: return shaded(ball.color, hit.normal, 1, 1) * low;
    case Surface::striped: {
      const double phase = (hit.normal.x * 0.6 + hit.normal.y * 0.8) * 3;
      const float wave = filtered_cos(phase, as_float(pixel / ball.radius * 3));
      return glossy(ray, hit, ball, mix(from_rec709(0.03f, 0.20f, 0.18f), ball.color, 0.5f + 0.5f * wave)) * low;
    }
    case Surface::lamp: return ball.color;
    case Surface::leaves: {
      const Vector point = ball.centre + hit.normal * ball.radius;
      const Leaf leaf = leaf_at(point, pixel, -dot(hit.normal, ray.direction));
      const float hidden = 0.35f + 0.65f * as_float(0.5 - 0.5 * hit.normal.y);
      const Rgb light = shaded(ball.color, hit.normal, 0.75f, 1) + shaded(ball.color, {0, -1, 0}, 0.25f, 0.4f);
      return mix(haze, light * (leaf.light * hidden), clear_air(hit.distance));
    }
    case Surface::bark: break;
  }
  return ball.color;
}

Rgb trunk_color(const Ray& ray, const Trunk& trunk) {
  BallHit hit;
  if (!meet_trunk(trunk, ray, hit)) return {};
  const double y = ray.origin.y + ray.direction.y * hit.distance;
  const float width = as_float(ray.extent_at(hit.distance));
  const float bark = octaves((hit.normal.x + hit.normal.z) * 5, y * 2.2, width * 12, 4, 701);
  return shaded(from_rec709(0.13f, 0.085f, 0.05f) * (1.0f + bark), hit.normal, 0.7f, 0.8f);
}

Rgb hit_color(const Ray& ray, const Hit& hit, int reflections) {
  switch (hit.kind) {
    case Hit::Kind::board: {
      const Board& board = *static_cast<const Board*>(hit.thing);
      BoardHit place;
      if (!meet_board(board, ray, place)) return {};
      return dot(ray.direction, board.forward) > 0 ? board_color(board, place.at) : from_rec709(0.20f, 0.12f, 0.06f);
    }
    case Hit::Kind::ball: return ball_color(ray, *static_cast<const Ball*>(hit.thing), reflections);
    case Hit::Kind::wire: return gray(0.03f);
    case Hit::Kind::trunk: return trunk_color(ray, *static_cast<const Trunk*>(hit.thing));
    case Hit::Kind::sign: {
      SignHit place;
      return meet_sign(ray, place) ? sign_color(place.x, place.z, place.width) : Rgb{};
    }
  }
  return {};
}

Rgb trace(const Ray& ray, int reflections) {
  const Hits hits = collect(ray);
  Rgb color;
  float open = 1;
  // The ground hides what lies behind it: everything here stands on it, so that it is the last layer.
  for (int i = 0; i < hits.count && open > 1e-3f; ++i) {
    const Hit& hit = hits.list[static_cast<std::size_t>(i)];
    color = color + hit_color(ray, hit, reflections) * (open * hit.covered);
    open *= 1.0f - hit.covered;
  }
  if (open > 1e-3f) color = color + backdrop(ray, true) * open;
  return color;
}

}  // namespace

Rgb radiance(const Ray& ray) { return trace(ray, 1); }

}  // namespace imago::scene
