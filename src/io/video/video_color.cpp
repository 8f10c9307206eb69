#include "io/video/video_color.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/parallel.h"
#include "base/simd.h"

namespace imago::io {
namespace {

// R' = y * luma + cr * red_cr, …: coefficients on codes, offsets taken out, results in 0 … 1.
struct Conversion {
  float luma = 1, luma_zero = 0, chroma_zero = 0;
  float red_cr = 0, green_cb = 0, green_cr = 0, blue_cb = 0;
};

Conversion conversion_of(const VideoColor& color) {
  const double kr = color.matrix == VideoMatrix::bt709 ? 0.2126 : color.matrix == VideoMatrix::bt2020 ? 0.2627 : 0.299;
  const double kb = color.matrix == VideoMatrix::bt709 ? 0.0722 : color.matrix == VideoMatrix::bt2020 ? 0.0593 : 0.114;
  const double kg = 1 - kr - kb;
  const double unit = std::exp2(color.bits - 8);
  const double most = std::exp2(color.bits) - 1;
  const double luma_range = color.full_range ? most : 219 * unit;
  const double chroma_range = color.full_range ? most : 224 * unit;
  const auto as_float = [](double value) { return static_cast<float>(value); };
  return {as_float(1 / luma_range),
          as_float(color.full_range ? 0 : 16 * unit),
          as_float(128 * unit),
          as_float(2 * (1 - kr) / chroma_range),
          as_float(-2 * kb * (1 - kb) / kg / chroma_range),
          as_float(-2 * kr * (1 - kr) / kg / chroma_range),
          as_float(2 * (1 - kb) / chroma_range)};
}

template <typename Sample>
IMAGO_SIMD_CLONES void read_dense(const std::uint8_t* from, int count, float* out) {
  const auto* samples = reinterpret_cast<const Sample*>(from);
  for (int i = 0; i < count; ++i) out[i] = static_cast<float>(samples[i]);
}
void read_dense_u8(const std::uint8_t* from, int count, float* out) { read_dense<std::uint8_t>(from, count, out); }

void read_row(const VideoPlane& plane, int y, int count, float* out) {
  const std::uint8_t* row = plane.data + y * plane.stride;
  if (plane.bytes == 1 && plane.step == 1) {
    read_dense_u8(row, count, out);
  } else if (plane.bytes == 1) {
    for (int i = 0; i < count; ++i) out[i] = static_cast<float>(row[static_cast<std::ptrdiff_t>(i) * plane.step]);
  } else {
    for (int i = 0; i < count; ++i) {
      const std::uint8_t* at = row + static_cast<std::ptrdiff_t>(i) * plane.step;
      out[i] = static_cast<float>((at[0] | (at[1] << 8)) >> plane.shift);
    }
  }
}

int halved(int size, int halvings) { return (size + (1 << halvings) - 1) >> halvings; }

// One chroma plane at a luma row, as wide as luma. Bilinear between the samples' places.
class ChromaRow {
 public:
  ChromaRow(const VideoPlanes& planes, std::size_t index)
      : planes_(planes),
        plane_(planes.plane[index]),
        width_(halved(planes.width, planes.x_halvings)),
        height_(halved(planes.height, planes.y_halvings)),
        above_(static_cast<std::size_t>(width_) + 1),
        below_(above_.size()) {}

  void read(int y, float* out) {
    const int step = 1 << planes_.y_halvings;
    const float at = (static_cast<float>(y) + 0.5f) / static_cast<float>(step) - 0.5f;
    const int row = static_cast<int>(std::floor(at));
    const float share = at - static_cast<float>(row);
    read_row(plane_, std::clamp(row, 0, height_ - 1), width_, above_.data());
    read_row(plane_, std::clamp(row + 1, 0, height_ - 1), width_, below_.data());
    for (int i = 0; i < width_; ++i) {
      const auto k = static_cast<std::size_t>(i);
      above_[k] = above_[k] + (below_[k] - above_[k]) * share;
    }
    above_[static_cast<std::size_t>(width_)] = above_[static_cast<std::size_t>(width_ - 1)];
    spread(out);
  }

 private:
  void spread(float* out) const {
    const int step = 1 << planes_.x_halvings;
    if (step == 1) {
      std::copy_n(above_.data(), planes_.width, out);
    } else if (step == 2 && !planes_.color.centred_chroma) {
      for (int i = 0; 2 * i < planes_.width; ++i) {
        out[2 * i] = above_[static_cast<std::size_t>(i)];
        if (2 * i + 1 < planes_.width) {
          out[2 * i + 1] = 0.5f * (above_[static_cast<std::size_t>(i)] + above_[static_cast<std::size_t>(i) + 1]);
        }
      }
    } else {
      const float offset = planes_.color.centred_chroma ? 0.5f / static_cast<float>(step) - 0.5f : 0.0f;
      for (int x = 0; x < planes_.width; ++x) {
        const float at = std::max(0.0f, static_cast<float>(x) / static_cast<float>(step) + offset);
        const auto i = std::min(static_cast<std::size_t>(at), above_.size() - 2);
        out[x] = above_[i] + (above_[i + 1] - above_[i]) * (at - static_cast<float>(i));
      }
    }
  }

  const VideoPlanes& planes_;
  VideoPlane plane_;
  int width_, height_;
  std::vector<float> above_, below_;
};

IMAGO_SIMD_CLONES void sdr_row(const Conversion& c, const float* y, const float* cb, const float* cr, int count,
                               std::uint8_t* out) {
  const auto byte = [](float v) {
    const float scaled = v * 255.0f + 0.5f;
    const float bounded = scaled < 0.0f ? 0.0f : scaled;
    return static_cast<std::uint32_t>(static_cast<int>(bounded > 255.0f ? 255.0f : bounded));
  };
  auto* words = reinterpret_cast<std::uint32_t*>(out);
  for (int i = 0; i < count; ++i) {
    const float l = (y[i] - c.luma_zero) * c.luma;
    const float b = cb[i] - c.chroma_zero;
    const float r = cr[i] - c.chroma_zero;
    words[i] = byte(l + r * c.red_cr) | (byte(l + b * c.green_cb + r * c.green_cr) << 8) |
               (byte(l + b * c.blue_cb) << 16) | 0xff000000u;
  }
}

// --- HDR ---------------------------------------------------------------------------------------------------------

constexpr double reference_white = 203, peak = 1000;  // cd/m²

double light_of_pq(double code) {  // SMPTE ST 2084
  const double p = std::pow(std::clamp(code, 0.0, 1.0), 32 / 2523.0);
  return 10000 * std::pow(std::max(p - 3424 / 4096.0, 0.0) / (2413 / 128.0 - 2392 / 128.0 * p), 16384 / 2610.0);
}

double scene_of_hlg(double code) {  // ARIB STD-B67, 0 … 1
  constexpr double a = 0.17883277, b = 1 - 4 * a;
  const double c = 0.5 - a * std::log(4 * a);
  const double v = std::clamp(code, 0.0, 1.0);
  return v <= 0.5 ? v * v / 3 : (std::exp((v - c) / a) + b) / 12;
}

// Kept up to the knee, then a hyperbola that meets it with slope 1 and reaches 1 at the peak.
double toned(double light) {
  constexpr double knee = 0.6, end = peak / reference_white;
  if (light <= knee) return light;
  const double x = std::min(light, end) - knee, span = end - knee, room = 1 - knee;
  // room * x (1 + k) / (x + k room …): solved for slope 1 at 0 and value `room` at `span`.
  const double k = room * span / (span - room);
  return knee + k * x / (x + k);
}

struct HdrTables {
  static constexpr int light_steps = 4096, tone_steps = 8192;
  std::vector<float> light;        // of a code 0 … 1, in reference whites (HLG: scene light, before its system gamma)
  std::vector<float> gain;         // toned(m) / m over sqrt(m / 5)
  std::vector<std::uint8_t> srgb;  // over sqrt(linear)
  std::vector<float> system_gamma;  // HLG: luminance^0.2 over sqrt
  bool hlg = false;

  explicit HdrTables(VideoTransfer transfer) : hlg(transfer == VideoTransfer::hlg) {
    for (int i = 0; i <= light_steps; ++i) {
      const double code = static_cast<double>(i) / light_steps;
      light.push_back(static_cast<float>(hlg ? scene_of_hlg(code) : light_of_pq(code) / reference_white));
    }
    for (int i = 0; i <= tone_steps; ++i) {
      const double root = static_cast<double>(i) / tone_steps;
      const double m = root * root * 5;
      gain.push_back(static_cast<float>(m > 0 ? toned(m) / m : 1));
      const double linear = root * root;
      const double code = linear <= 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1 / 2.4) - 0.055;
      srgb.push_back(static_cast<std::uint8_t>(std::lround(255 * code)));
      system_gamma.push_back(static_cast<float>(std::pow(linear, 0.2) * peak / reference_white));
    }
  }

  static std::size_t at(float root) {
    const float bounded = root > 1.0f ? 1.0f : root < 0.0f ? 0.0f : root;
    return static_cast<std::size_t>(bounded * tone_steps + 0.5f);
  }
  float light_of(float code) const {
    const float bounded = code > 1.0f ? 1.0f : code < 0.0f ? 0.0f : code;
    return light[static_cast<std::size_t>(bounded * light_steps + 0.5f)];
  }
  std::uint8_t encoded(float linear) const { return srgb[at(std::sqrt(linear > 0.0f ? linear : 0.0f))]; }
};

void hdr_row(const Conversion& c, const HdrTables& tables, const float* y, const float* cb, const float* cr, int count,
             std::uint8_t* out) {
  for (int i = 0; i < count; ++i, out += 4) {
    const float l = (y[i] - c.luma_zero) * c.luma;
    const float b = cb[i] - c.chroma_zero, r = cr[i] - c.chroma_zero;
    float red = tables.light_of(l + r * c.red_cr);
    float green = tables.light_of(l + b * c.green_cb + r * c.green_cr);
    float blue = tables.light_of(l + b * c.blue_cb);
    if (tables.hlg) {
      const float luminance = 0.2627f * red + 0.6780f * green + 0.0593f * blue;
      const float gamma = tables.system_gamma[HdrTables::at(std::sqrt(luminance))];
      red *= gamma;
      green *= gamma;
      blue *= gamma;
    }
    const float most = std::max(red, std::max(green, blue));
    const float gain = tables.gain[HdrTables::at(std::sqrt(most * 0.2f))] * (most > 5.0f ? 5.0f / most : 1.0f);
    red *= gain;
    green *= gain;
    blue *= gain;
    // Rec.2020 to Rec.709, ITU-R BT.2407.
    out[0] = tables.encoded(1.6604910f * red - 0.5876411f * green - 0.0728499f * blue);
    out[1] = tables.encoded(-0.1245505f * red + 1.1328999f * green - 0.0083494f * blue);
    out[2] = tables.encoded(-0.0181508f * red - 0.1005789f * green + 1.1187297f * blue);
    out[3] = 255;
  }
}

template <typename Picture>
Picture turned_picture(Picture picture, int degrees) {
  if (degrees == 0) return picture;
  constexpr int channels = Picture::channels;
  const bool swaps = degrees != 180;
  Picture out(swaps ? picture.height : picture.width, swaps ? picture.width : picture.height);
  parallel_for(out.height, 16, [&](RowRange rows) {
    for (int y = rows.begin; y < rows.end; ++y) {
      for (int x = 0; x < out.width; ++x) {
        const int from_x = degrees == 90 ? y : degrees == 180 ? picture.width - 1 - x : picture.width - 1 - y;
        const int from_y = degrees == 90 ? picture.height - 1 - x : degrees == 180 ? picture.height - 1 - y : x;
        std::copy_n(picture.at(from_x, from_y), channels, out.at(x, y));
      }
    }
  });
  return out;
}

}  // namespace

std::string name_of(VideoMatrix matrix) {
  switch (matrix) {
    case VideoMatrix::bt601: return "BT.601";
    case VideoMatrix::bt709: return "BT.709";
    case VideoMatrix::bt2020: return "BT.2020";
    case VideoMatrix::rgb: return "RGB";
  }
  return "";
}

std::string name_of(VideoTransfer transfer) {
  switch (transfer) {
    case VideoTransfer::sdr: return "SDR";
    case VideoTransfer::pq: return "PQ";
    case VideoTransfer::hlg: return "HLG";
  }
  return "";
}

Rgba8 rgba_from_planes(const VideoPlanes& planes) {
  Rgba8 out(planes.width, planes.height);
  const Conversion conversion = conversion_of(planes.color);
  const bool hdr = planes.color.transfer != VideoTransfer::sdr;
  const HdrTables* tables = nullptr;
  if (hdr) {
    static const HdrTables pq(VideoTransfer::pq), hlg(VideoTransfer::hlg);
    tables = planes.color.transfer == VideoTransfer::pq ? &pq : &hlg;
  }
  parallel_for(planes.height, 16, [&](RowRange rows) {
    const auto width = static_cast<std::size_t>(planes.width);
    std::vector<float> y_row(width), cb_row(width, conversion.chroma_zero), cr_row(cb_row);
    ChromaRow cb(planes, 1), cr(planes, 2);
    for (int y = rows.begin; y < rows.end; ++y) {
      read_row(planes.plane[0], y, planes.width, y_row.data());
      if (!planes.gray) {
        cb.read(y, cb_row.data());
        cr.read(y, cr_row.data());
      }
      if (hdr) {
        hdr_row(conversion, *tables, y_row.data(), cb_row.data(), cr_row.data(), planes.width, out.row(y));
      } else {
        sdr_row(conversion, y_row.data(), cb_row.data(), cr_row.data(), planes.width, out.row(y));
      }
    }
  });
  return out;
}

Plane8 reduced_luma(const VideoPlanes& planes, int factor) {
  Plane8 out(std::max(1, planes.width / factor), std::max(1, planes.height / factor));
  const VideoPlane& luma = planes.plane[0];
  const int to_eight = planes.color.bits - 8;
  parallel_for(out.height, 4, [&](RowRange rows) {
    std::vector<std::uint32_t> sums(static_cast<std::size_t>(out.width));
    std::vector<float> row(static_cast<std::size_t>(planes.width));
    const auto count = static_cast<std::uint32_t>(factor * factor);
    for (int y = rows.begin; y < rows.end; ++y) {
      std::fill(sums.begin(), sums.end(), 0u);
      for (int j = 0; j < factor; ++j) {
        read_row(luma, std::min(y * factor + j, planes.height - 1), planes.width, row.data());
        for (int x = 0; x < out.width; ++x) {
          for (int i = 0; i < factor; ++i) {
            const auto at = static_cast<std::size_t>(std::min(x * factor + i, planes.width - 1));
            sums[static_cast<std::size_t>(x)] += static_cast<std::uint32_t>(row[at]);
          }
        }
      }
      for (int x = 0; x < out.width; ++x) {
        out.row(y)[x] = static_cast<std::uint8_t>(
            std::min(255u, (sums[static_cast<std::size_t>(x)] + count / 2) / count >> to_eight));
      }
    }
  });
  return out;
}

Rgba8 turned(Rgba8 picture, int degrees) { return turned_picture(std::move(picture), degrees); }
Plane8 turned(Plane8 picture, int degrees) { return turned_picture(std::move(picture), degrees); }

}  // namespace imago::io
