#include "scene/objects.h"

#include <cmath>

#include "scene/band_limited.h"
#include "scene/boards.h"
#include "scene/landscape.h"

namespace imago::scene {
namespace {

// Smallest sensible enclosing ball: around the mean of the centres.
Group enclosed(std::vector<Ball> balls, std::vector<Trunk> trunks) {
  Vector centre{};
  for (const Ball& ball : balls) centre = centre + ball.centre * (1.0 / static_cast<double>(balls.size()));
  double radius = 0;
  for (const Ball& ball : balls) radius = std::max(radius, geometry::length(ball.centre - centre) + ball.radius);
  for (const Trunk& trunk : trunks) {
    const Vector foot{trunk.x, ground_y, trunk.z};
    radius = std::max(radius, geometry::length(foot - centre) + trunk.radius);
  }
  return {centre, radius, std::move(balls), std::move(trunks)};
}

Group tree(double x, double z, double height, std::uint32_t seed) {
  const double crown = height * 0.3;
  const auto random = [seed](std::uint32_t i) { return static_cast<double>(unit_from_hash(hash(i, 3, seed))) - 0.5; };
  std::vector<Ball> balls;
  constexpr int lobes = 7;
  for (std::uint32_t i = 0; i < lobes; ++i) {
    const double up = static_cast<double>(i) / (lobes - 1);
    const double reach = crown * (1.15 - 0.75 * up);
    const Vector centre{x + 1.5 * reach * random(i * 3), ground_y - height * (0.42 + 0.42 * up),
                        z + 1.5 * reach * random(i * 3 + 1)};
    const float shade = static_cast<float>(0.85 + 0.4 * random(i * 3 + 2));
    const Rgb color =
        mix(from_rec709(0.07f, 0.17f, 0.025f), from_rec709(0.17f, 0.19f, 0.03f), unit_from_hash(hash(9, 1, seed)));
    balls.push_back({centre, crown * (0.85 - 0.25 * up), Surface::leaves, color * shade});
  }
  return enclosed(std::move(balls), {{x, z, 0.05 * height / 3, ground_y - height * 0.6}});
}

Group balls_on_the_ground() {
  const auto standing = [](double x, double z, double radius, Surface surface, Rgb color) {
    return Ball{{x, ground_y - radius, z}, radius, surface, color};
  };
  return enclosed({standing(-0.95, 3.75, 0.36, Surface::chrome, gray(0.92f)),
                   standing(0.92, 3.6, 0.25, Surface::glossy_red, from_rec709(0.50f, 0.018f, 0.012f)),
                   standing(1.42, 3.95, 0.19, Surface::matte_blue, from_rec709(0.03f, 0.11f, 0.42f)),
                   standing(0.28, 3.05, 0.14, Surface::striped, gray(0.8f)),
                   standing(-0.42, 3.15, 0.10, Surface::glossy_red, from_rec709(0.62f, 0.36f, 0.01f)),
                   standing(-1.55, 3.25, 0.16, Surface::lamp, from_rec709(5.0f, 3.9f, 2.3f))},
                  {});
}

std::vector<Group> make_groups() {
  std::vector<Group> all;
  all.push_back(balls_on_the_ground());
  struct Place {
    double x, z, height;
  };
  constexpr Place places[] = {{-6.6, 9.4, 4.9},   {5.9, 10.2, 4.4},  {-3.4, 16.5, 5.6}, {9.6, 14.0, 6.2},
                              {12.5, 3.5, 5.2},   {11.0, -6.5, 4.6}, {3.4, -12.5, 5.4}, {-7.5, -11.0, 5.8},
                              {-12.0, -2.0, 5.0}, {-11.5, 5.5, 5.6}, {2.3, 21.0, 6.0}};
  std::uint32_t seed = 900;
  for (const Place& place : places) all.push_back(tree(place.x, place.z, place.height, seed++));
  return all;
}

std::array<Ball, lamp_count> make_lamps() {
  constexpr std::array<Rgb, 5> colors = {from_rec709(16.0f, 9.0f, 3.6f), Rgb{9.0f, 0.4f, 0.2f},
                                         from_rec709(14.0f, 11.0f, 7.0f), Rgb{0.5f, 5.0f, 0.6f}, Rgb{0.3f, 0.9f, 8.0f}};
  std::array<Ball, lamp_count> balls{};
  for (std::size_t i = 0; i < balls.size(); ++i) {
    const double x = static_cast<double>(i) * lamp_pitch - lamps_half_length;
    balls[i] = {{x, wire_height(x) + 0.07, wire_z}, 0.055, Surface::lamp, colors[i % colors.size()]};
  }
  return balls;
}

}  // namespace

const std::array<Ball, lamp_count>& lamps() {
  static const std::array<Ball, lamp_count> all = make_lamps();
  return all;
}

const std::vector<Group>& groups() {
  static const std::vector<Group> all = make_groups();
  return all;
}

Rgb sign_color(double x, double z, float width) {
  const float name = axis_label_coverage("UP -Y", x, z + 0.45, 0.75, width);
  const auto as_distance = [](double v) { return static_cast<float>(sign_half_size - 0.2 - std::abs(v)); };
  const float inside = coverage(as_distance(x), width) * coverage(as_distance(z), width);
  return mix(from_rec709(0.55f, 0.10f, 0.03f), mix(gray(0.85f), gray(0.03f), name), inside);
}

}  // namespace imago::scene
