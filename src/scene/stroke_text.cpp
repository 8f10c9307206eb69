#include "scene/stroke_text.h"

#include <array>
#include <cmath>
#include <cstddef>

#include "scene/band_limited.h"

namespace imago::scene {
namespace {

struct Segment {
  float x0, y0, x1, y1;
};

struct Glyph {
  std::array<Segment, 16> segments{};
  int count = 0;
};

// Polylines of grid points "xy", strokes parted by a bar.
constexpr std::string_view strokes_of(char letter) {
  switch (letter) {
    case 'A': return "062046|1434";
    case 'B': return "000636454433033342413000";
    case 'C': return "4130100105163645";
    case 'D': return "00062644422000";
    case 'E': return "40000646|0333";
    case 'F': return "400006|0333";
    case 'G': return "41301001051636454323";
    case 'H': return "0006|4046|0343";
    case 'I': return "1030|2026|1636";
    case 'J': return "4045361605";
    case 'K': return "0006|400346";
    case 'L': return "000646";
    case 'M': return "0600234046";
    case 'N': return "06004640";
    case 'O': return "103041453616050110";
    case 'P': return "06003041423303";
    case 'Q': return "103041453616050110|3446";
    case 'R': return "06003041423303|2346";
    case 'S': return "413010010213334445361605";
    case 'T': return "0040|2026";
    case 'U': return "000516364540";
    case 'V': return "002640";
    case 'W': return "0016233640";
    case 'X': return "0046|4006";
    case 'Y': return "002340|2326";
    case 'Z': return "00400646";
    case '0': return "103041453616050110|1432";
    case '1': return "112026|1636";
    case '2': return "01103041420646";
    case '3': return "01103041423313|334445361605";
    case '4': return "36300444";
    case '5': return "400003334445361605";
    case '6': return "40100105163645443303";
    case '7': return "004016";
    case '8': return "103041423313020110|1304051636454433";
    case '9': return "06364541301001021343";
    case '+': return "2125|0343";
    case '-': return "1333";
    case '.': return "2626";
    case '/': return "0640";
    default: return "";
  }
}

constexpr Glyph glyph_of(char letter) {
  Glyph glyph;
  int points = 0;
  float last_x = 0, last_y = 0;
  const std::string_view text = strokes_of(letter);
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == '|' || text[i] == ' ') {
      points = text[i] == '|' ? 0 : points;
      ++i;
      continue;
    }
    const auto x = static_cast<float>(text[i] - '0'), y = static_cast<float>(text[i + 1] - '0');
    if (points > 0) glyph.segments[static_cast<std::size_t>(glyph.count++)] = {last_x, last_y, x, y};
    last_x = x;
    last_y = y;
    ++points;
    i += 2;
  }
  return glyph;
}

constexpr std::array<Glyph, 128> make_font() {
  std::array<Glyph, 128> glyphs{};
  for (std::size_t i = 0; i < glyphs.size(); ++i) glyphs[i] = glyph_of(static_cast<char>(i));
  return glyphs;
}

constexpr std::array<Glyph, 128> font = make_font();

float squared_distance(const Segment& s, float x, float y) {
  const float dx = s.x1 - s.x0, dy = s.y1 - s.y0;
  const float along = (x - s.x0) * dx + (y - s.y0) * dy;
  const float t = std::clamp(along / (dx * dx + dy * dy + 1e-12f), 0.0f, 1.0f);
  const float ex = x - s.x0 - t * dx, ey = y - s.y0 - t * dy;
  return ex * ex + ey * ey;
}

constexpr float half_stroke = 0.42f;

float glyph_coverage(char letter, float x, float y, float width) {
  const Glyph& glyph = font[static_cast<std::size_t>(letter) % font.size()];
  if (glyph.count == 0) return 0;
  float nearest = 1e9f;
  for (int i = 0; i < glyph.count; ++i) {
    nearest = std::min(nearest, squared_distance(glyph.segments[static_cast<std::size_t>(i)], x, y));
  }
  return line_coverage(std::sqrt(nearest), half_stroke, width);
}

}  // namespace

float text_coverage(std::string_view text, float x, float y, float pixel_width) {
  constexpr float mean_ink = 0.28f;
  constexpr float advance = 6.0f;
  const float gx = x * 6.0f, gy = y * 6.0f, width = pixel_width * 6.0f;
  const auto count = static_cast<int>(text.size());
  if (gy < -1.0f - width || gy > 7.0f + width || gx < -1.0f - width ||
      gx > advance * static_cast<float>(count) + width) {
    return 0;
  }
  const float sharp = visible(0.5f, width);
  float ink = 0;
  if (sharp > 0) {
    // A wide pixel between two letters sees both.
    const float place = (gx + 1.0f) / advance;
    const int own = static_cast<int>(std::floor(place));
    const int other = place - static_cast<float>(own) < 0.5f ? own - 1 : own + 1;
    for (int i : {own, other}) {
      if (i < 0 || i >= count || (i == other && width < 0.5f)) continue;
      ink += glyph_coverage(text[static_cast<std::size_t>(i)], gx - advance * static_cast<float>(i), gy, width);
    }
  }
  const float block = coverage(gy + half_stroke, width) * coverage(6.0f + half_stroke - gy, width) *
                      coverage(gx + half_stroke, width) *
                      coverage(advance * static_cast<float>(count) - gx - 1.0f, width);
  return sharp * std::min(ink, 1.0f) + (1.0f - sharp) * mean_ink * block;
}

}  // namespace imago::scene
