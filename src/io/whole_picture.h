// What the writers of formats share whose encoders want the whole picture at once. Private to src/io.
#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include "base/error.h"
#include "image/image.h"
#include "io/picture_writer.h"

namespace imago::io {

class WholePictureWriter : public PictureWriter {
 public:
  WholePictureWriter(std::unique_ptr<ByteSink> sink, int width, int height, PictureOptions options)
      : sink_(std::move(sink)),
        width_(width),
        height_(height),
        options_(std::move(options)),
        row_bytes_(static_cast<std::size_t>(width) * static_cast<std::size_t>(options_.channels) *
                   sample_bytes(options_.samples)),
        rows_(row_bytes_ * static_cast<std::size_t>(height)) {}

  void write_rows(std::span<const std::byte> rows) override {
    if (rows.size() % row_bytes_ != 0 || rows.size() > rows_.size() - filled_) {
      throw Error(ErrorKind::internal, "write_rows takes whole rows, no more than the picture has");
    }
    std::memcpy(rows_.data() + filled_, rows.data(), rows.size());
    filled_ += rows.size();
  }

  void finish() override {
    if (filled_ != rows_.size()) throw Error(ErrorKind::internal, "the picture is not complete");
    encode(*sink_);
    sink_->commit();
  }

 protected:
  virtual void encode(ByteSink& sink) = 0;

  int width() const { return width_; }
  int height() const { return height_; }
  std::size_t row_bytes() const { return row_bytes_; }
  const PictureOptions& options() const { return options_; }
  PixelBuffer<std::byte>& rows() { return rows_; }  // encode may let go of it once it is read

 private:
  std::unique_ptr<ByteSink> sink_;
  int width_, height_;
  PictureOptions options_;
  std::size_t row_bytes_;
  PixelBuffer<std::byte> rows_;
  std::size_t filled_ = 0;
};

}  // namespace imago::io
