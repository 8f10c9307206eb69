// What happens to finished rows between the renderer and the encoder: output sharpening, a profile of the user's, and
// rounding to the file's samples. With neither of the first two the renderer rounds by itself and rows pass straight
// through. On the CPU for both backends.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "color/output_profile.h"
#include "develop/render.h"
#include "develop/stages/output_sharpen/output_sharpen.h"
#include "io/picture_writer.h"

namespace imago::develop {

class OutputRows {
 public:
  // `profile` null: the rendered space is the file's. Keeps references to writer and profile.
  OutputRows(io::PictureWriter& writer, int width, int height, io::SampleType samples, const DitherParams& dither,
             const OutputSharpenPlan& sharpen, const color::OutputProfile* profile);

  // What to render: the file's samples, or floats when there is more to do.
  io::SampleType rendered() const;
  void take(RowRange rows, std::span<const std::byte> samples);

 private:
  void write(RowRange rows, const float* rgb);

  io::PictureWriter& writer_;
  int width_;
  io::SampleType samples_;
  DitherParams dither_;
  const color::OutputProfile* profile_;
  std::optional<OutputSharpen> sharpen_;
  std::vector<std::byte> encoded_;
};

}  // namespace imago::develop
