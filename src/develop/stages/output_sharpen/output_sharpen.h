// output_sharpen: the last sharpening, for what the picture will be looked at on: a screen, or paper, where ink
// spreads.
//
//   d = Y - blur(Y)            Y luma of encoded RGB, blur a Gaussian of sigma_px
//   d' = d d^2 / (d^2 + t^2)   what is smaller than the threshold t (noise) stays
//   Y' = clamp(Y + amount d', least of 3 x 3 - overshoot, most of 3 x 3 + overshoot)
//   rgb' = clamp(rgb + (Y' - Y), 0, 1)
//
// The same change for all channels: no colour fringes. Edges are repeated. In, out: encoded RGB 0 … 1 of the output's
// space, after everything else. Runs on the CPU for both backends, on rows as they leave finish; how the rows arrive
// changes nothing.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "base/rect.h"

namespace imago::develop {

enum class SharpenFor : std::uint8_t { none, screen, glossy, matte };
enum class SharpenAmount : std::uint8_t { low, standard, high };

struct OutputSharpenPlan {
  float amount = 0;  // 0: off
  float threshold = 0;
  float overshoot = 0;
  std::vector<float> kernel;  // one side and the middle: kernel[0] is the centre's weight
  int reach() const { return kernel.empty() ? 0 : static_cast<int>(kernel.size()) - 1; }
};

// pixels_per_inch counts for paper: ink spreads by a length, about 1/300 inch.
OutputSharpenPlan plan_output_sharpen(SharpenFor medium, SharpenAmount amount, double pixels_per_inch);

// Rows in, from the top, sharpened rows out, from the top.
class OutputSharpen {
 public:
  using Emit = std::function<void(RowRange rows, const float* rgb)>;
  OutputSharpen(const OutputSharpenPlan& plan, int width, int height, Emit emit);
  void take(RowRange rows, const float* rgb);  // after the picture's last row all is emitted

 private:
  void run(RowRange rows);
  const float* row(int y) const;

  OutputSharpenPlan plan_;
  int width_, height_;
  Emit emit_;
  std::vector<float> kept_;  // rows [first_, received_)
  int first_ = 0, received_ = 0, emitted_ = 0;
};

}  // namespace imago::develop
