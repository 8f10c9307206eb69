#include "develop/output_rows.h"

#include <algorithm>
#include <array>

#include "base/parallel.h"

namespace imago::develop {
namespace {

// Rounds as finish does.
void round_row(const DitherParams& dither_params, std::uint32_t y, const float* rgb, std::size_t width,
               std::uint8_t* out) {
  for (std::size_t x = 0; x < width; ++x) {
    const float u = dither(dither_params, static_cast<std::uint32_t>(x), y);
    for (std::size_t c = 0; c < 3; ++c) out[3 * x + c] = static_cast<std::uint8_t>(quantise(rgb[3 * x + c], 255.0f, u));
  }
}
void round_row(const DitherParams&, std::uint32_t, const float* rgb, std::size_t width, std::uint16_t* out) {
  for (std::size_t i = 0; i < 3 * width; ++i) out[i] = u16_from_encoded(rgb[i]);
}
void round_row(const DitherParams&, std::uint32_t, const float* rgb, std::size_t width, float* out) {
  std::copy_n(rgb, 3 * width, out);
}

}  // namespace

OutputRows::OutputRows(io::PictureWriter& writer, int width, int height, io::SampleType samples,
                       const DitherParams& dither, const OutputSharpenPlan& sharpen,
                       const color::OutputProfile* profile)
    : writer_(writer), width_(width), samples_(samples), dither_(dither), profile_(profile) {
  if (sharpen.amount > 0) {
    sharpen_.emplace(sharpen, width, height, [this](RowRange rows, const float* rgb) { write(rows, rgb); });
  }
}

io::SampleType OutputRows::rendered() const { return sharpen_ || profile_ != nullptr ? io::SampleType::f32 : samples_; }

void OutputRows::take(RowRange rows, std::span<const std::byte> samples) {
  if (rendered() == samples_ && !sharpen_ && profile_ == nullptr) return writer_.write_rows(samples);
  const auto* rgb = reinterpret_cast<const float*>(samples.data());
  sharpen_ ? sharpen_->take(rows, rgb) : write(rows, rgb);
}

void OutputRows::write(RowRange rows, const float* rgb) {
  const auto width = static_cast<std::size_t>(width_);
  const std::size_t row_bytes = 3 * width * io::sample_bytes(samples_);
  encoded_.resize(static_cast<std::size_t>(rows.count()) * row_bytes);
  parallel_for(rows.count(), 4, [&](RowRange part) {
    std::vector<float> device(profile_ == nullptr ? 0 : 3 * width);
    for (int r = part.begin; r < part.end; ++r) {
      const float* row = rgb + static_cast<std::size_t>(r) * 3 * width;
      if (profile_ != nullptr) {
        profile_->convert(row, device.data(), width);
        row = device.data();
      }
      std::byte* out = encoded_.data() + static_cast<std::size_t>(r) * row_bytes;
      const auto y = static_cast<std::uint32_t>(rows.begin + r);
      switch (samples_) {
        case io::SampleType::u8: round_row(dither_, y, row, width, reinterpret_cast<std::uint8_t*>(out)); break;
        case io::SampleType::u16: round_row(dither_, y, row, width, reinterpret_cast<std::uint16_t*>(out)); break;
        case io::SampleType::f32: round_row(dither_, y, row, width, reinterpret_cast<float*>(out)); break;
      }
    }
  });
  writer_.write_rows(encoded_);
}

}  // namespace imago::develop
