#include "develop/stages/finish/finish.h"

#include <algorithm>

#include "base/simd.h"
#include "develop/stages/finish/finish_chunk.h"

namespace imago::develop {
namespace {

constexpr float most_local_stops = 20.0f;  // overlapping masks can ask for more than floats hold

// The last pixel is repeated up to the chunk's end: loops have one length, and no pixel is read from nowhere.
IMAGO_SIMD_CLONES void load_colours(const float* rgb, int count, Chunk& chunk) {
  if (count == chunk_pixels) {
    for (int i = 0; i < chunk_pixels; ++i) {
      chunk.colours.red[i] = finite(rgb[3 * i]);
      chunk.colours.green[i] = finite(rgb[3 * i + 1]);
      chunk.colours.blue[i] = finite(rgb[3 * i + 2]);
    }
    return;
  }
  for (int i = 0; i < chunk_pixels; ++i) {
    const float* pixel = rgb + 3 * std::min(i, count - 1);
    chunk.colours.red[i] = finite(pixel[0]);
    chunk.colours.green[i] = finite(pixel[1]);
    chunk.colours.blue[i] = finite(pixel[2]);
  }
}

void load_base(const float* base, int count, Chunk& chunk) {
  for (int i = 0; i < chunk_pixels; ++i) chunk.base_log2[i] = base[std::min(i, count - 1)];
}

// Sum of mask * ev, mask by mask in their order.
IMAGO_SIMD_CLONES void load_masks(const MaskTermsParams& terms, const std::uint32_t* words, int words_per_pixel,
                                  int count, Chunk& chunk) {
  std::fill_n(chunk.local_ev, chunk_pixels, 0.0f);
  for (std::uint32_t mask = 0; mask < terms.count; ++mask) {
    const std::uint32_t shift = 8 * (mask % 4);
    const std::uint32_t* word = words + mask / 4;
    for (int i = 0; i < count; ++i) {
      const std::uint32_t value = (word[static_cast<std::ptrdiff_t>(i) * words_per_pixel] >> shift) & 0xffu;
      chunk.local_ev[i] += static_cast<float>(value) * terms.ev[mask];
    }
  }
  for (float& ev : chunk.local_ev) ev = smaller(larger(ev, -most_local_stops), most_local_stops);
}

IMAGO_SIMD_CLONES void store(const DitherParams& dither_params, const Chunk& chunk, int count, std::uint8_t* out) {
  for (int i = 0; i < count; ++i) {
    const float u = dither(dither_params, chunk.x + static_cast<std::uint32_t>(i), chunk.y);
    out[3 * i] = static_cast<std::uint8_t>(quantise(chunk.colours.red[i], 255.0f, u));
    out[3 * i + 1] = static_cast<std::uint8_t>(quantise(chunk.colours.green[i], 255.0f, u));
    out[3 * i + 2] = static_cast<std::uint8_t>(quantise(chunk.colours.blue[i], 255.0f, u));
  }
}

IMAGO_SIMD_CLONES void store(const DitherParams&, const Chunk& chunk, int count, std::uint16_t* out) {
  for (int i = 0; i < count; ++i) {
    out[3 * i] = u16_from_encoded(chunk.colours.red[i]);
    out[3 * i + 1] = u16_from_encoded(chunk.colours.green[i]);
    out[3 * i + 2] = u16_from_encoded(chunk.colours.blue[i]);
  }
}

IMAGO_SIMD_CLONES void store(const DitherParams&, const Chunk& chunk, int count, float* out) {
  for (int i = 0; i < count; ++i) {
    out[3 * i] = chunk.colours.red[i];
    out[3 * i + 1] = chunk.colours.green[i];
    out[3 * i + 2] = chunk.colours.blue[i];
  }
}

template <typename Sample>
void finish_all(const FinishPlan& plan, const FinishInputs& inputs, RowRange rows, Sample* out) {
  const int width = inputs.image->width;
  const FinishParams& params = plan.params;
  Chunk chunk = {};
  std::copy_n(params.view.vig_view, 4, chunk.vig_view);
  chunk.curve_table = plan.curve_table.data();
  chunk.lut_table = plan.lut_table.data();
  for (int y = rows.begin; y < rows.end; ++y) {
    chunk.y = params.view.origin_y + static_cast<std::uint32_t>(y);
    for (int x = 0; x < width; x += chunk_pixels) {
      const int count = std::min(chunk_pixels, width - x);
      chunk.x = params.view.origin_x + static_cast<std::uint32_t>(x);
      load_colours(inputs.image->at(x, y), count, chunk);
      if (plan.needs_base()) load_base(inputs.base->at(x, y), count, chunk);
      if (plan.needs_masks()) {
        const std::ptrdiff_t pixel = static_cast<std::ptrdiff_t>(y - rows.begin) * width + x;
        load_masks(params.mask_terms, inputs.mask_words + pixel * inputs.words_per_pixel, inputs.words_per_pixel, count,
                   chunk);
      }
      run_tools(params, chunk);
      store(params.dither, chunk, count, out);
      out += 3 * count;
    }
  }
}

}  // namespace

void finish_rows(const FinishPlan& plan, const FinishInputs& inputs, RowRange rows, std::uint8_t* out) {
  finish_all(plan, inputs, rows, out);
}

void finish_rows(const FinishPlan& plan, const FinishInputs& inputs, RowRange rows, std::uint16_t* out) {
  finish_all(plan, inputs, rows, out);
}

void finish_rows(const FinishPlan& plan, const FinishInputs& inputs, RowRange rows, float* out) {
  finish_all(plan, inputs, rows, out);
}

}  // namespace imago::develop
