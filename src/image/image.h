// Pixel containers. Rows are contiguous, channels interleaved, row 0 on top: the layout of the GPU's array<f32>.
// A pixel's centre lies at +0.5. Colour state is said by whoever hands an image over, in the name or the header.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace imago {

// A fixed-size array that is not zero-filled: a 24 MP image costs no memset.
template <typename T>
class PixelBuffer {
 public:
  PixelBuffer() = default;
  explicit PixelBuffer(std::size_t count) : data_(new T[count]), count_(count) {}
  PixelBuffer(PixelBuffer&& other) noexcept : data_(std::move(other.data_)), count_(std::exchange(other.count_, 0)) {}
  PixelBuffer& operator=(PixelBuffer&& other) noexcept {
    data_ = std::move(other.data_);
    count_ = std::exchange(other.count_, 0);
    return *this;
  }
  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  std::size_t size() const { return count_; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  T* begin() { return data(); }
  T* end() { return data() + count_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + count_; }

 private:
  std::unique_ptr<T[]> data_;
  std::size_t count_ = 0;
};

template <typename T, int channel_count>
struct Image {
  static constexpr int channels = channel_count;
  using Sample = T;

  int width = 0;
  int height = 0;
  PixelBuffer<T> pixels;  // width * height * channels

  Image() = default;
  Image(int image_width, int image_height)
      : width(image_width),
        height(image_height),
        pixels(static_cast<std::size_t>(image_width) * static_cast<std::size_t>(image_height) * channel_count) {}

  bool empty() const { return pixels.size() == 0; }
  std::size_t row_samples() const { return static_cast<std::size_t>(width) * channel_count; }
  T* row(int y) { return pixels.data() + static_cast<std::size_t>(y) * row_samples(); }
  const T* row(int y) const { return pixels.data() + static_cast<std::size_t>(y) * row_samples(); }
  T* at(int x, int y) { return row(y) + static_cast<std::size_t>(x) * channel_count; }
  const T* at(int x, int y) const { return row(y) + static_cast<std::size_t>(x) * channel_count; }
};

using Rgb32f = Image<float, 3>;
using Plane = Image<float, 1>;
using Rgb8 = Image<std::uint8_t, 3>;
using Rgba8 = Image<std::uint8_t, 4>;  // also the packed u32-per-pixel form of the GPU
using Rgb16 = Image<std::uint16_t, 3>;
using Plane8 = Image<std::uint8_t, 1>;
using Plane16 = Image<std::uint16_t, 1>;

}  // namespace imago
