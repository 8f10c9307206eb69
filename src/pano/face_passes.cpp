#include "pano/face_passes.h"

#include <bit>

#include "pano/equirect_coordinates.wgsl.h"
#include "pano/face.wgsl.h"

namespace imago::pano {
namespace {

const Kernel& face_kernel() {
  static const Kernel kernel{
      .name = "face",
      .sources = {wgsl::equirect_coordinates, wgsl::face},
      .inputs = {"panorama", "coarse"},
      .tables = {"weights", "blocks", "parts"},
      .output = "faces",
      .params_wgsl =
          "size: u32, blocks_per_row: u32, eight_taps: u32, width: f32, height: f32,\n"
          "column_x: f32, column_y: f32, column_z: f32, row_x: f32, row_y: f32, row_z: f32,\n"
          "centre_x: f32, centre_y: f32, centre_z: f32,",
  };
  return kernel;
}

std::uint32_t word(float value) { return std::bit_cast<std::uint32_t>(value); }
std::uint32_t word(int value) { return std::bit_cast<std::uint32_t>(value); }

std::vector<std::uint32_t> params_of(const FacesPlan& plan, const FacePlan& face) {
  std::uint32_t eight_taps = 0;
  for (std::size_t step = 0; step < plan.kernels.has_eight_taps.size(); ++step) {
    if (plan.kernels.has_eight_taps[step]) eight_taps |= 1u << step;
  }
  std::vector<std::uint32_t> words = {word(face.size), word(face.blocks_per_row), eight_taps,
                                      word(static_cast<float>(plan.panorama_width)),
                                      word(static_cast<float>(plan.panorama_height))};
  for (const auto& axis : {face.column, face.row, face.centre}) {
    for (float value : axis) words.push_back(word(value));
  }
  return words;
}

PassTable weights_table(const KernelTable& kernels) {
  PassTable table{{}, Element::u32};
  table.words.reserve(kernels.weights.size());
  for (std::int16_t weight : kernels.weights) table.words.push_back(word(static_cast<int>(weight)));
  return table;
}

PassTable blocks_table(const FacePlan& face) {
  PassTable table{{}, Element::u32};
  table.words.reserve(face.blocks.size());
  for (const Block& block : face.blocks) {
    table.words.push_back(block.scale_x | (static_cast<std::uint32_t>(block.scale_y) << 8) |
                          (static_cast<std::uint32_t>(block.part) << 16));
  }
  return table;
}

PassTable parts_table(const FacesPlan& plan, const PanoramaLevels& levels) {
  PassTable table{{}, Element::u32};
  for (std::size_t i = 0; i < plan.parts.size(); ++i) {
    table.words.push_back(word(256.0f / static_cast<float>(1 << plan.parts[i].x_halvings)));
    table.words.push_back(word(256.0f / static_cast<float>(1 << plan.parts[i].y_halvings)));
    table.words.push_back(word(static_cast<int>(levels.views[i].origin)));
    table.words.push_back(word(static_cast<int>(levels.views[i].stride)));
  }
  return table;
}

}  // namespace

std::vector<int> add_faces(const FacesPlan& plan, const PanoramaLevels& levels, PassList& list) {
  const Rgba8& padded = levels.panorama->pixels;
  const int panorama = list.add_buffer({padded.width, padded.height, 1, Element::u32, 0, "panorama"});
  list.uploads.push_back({panorama, std::as_bytes(std::span(padded.pixels.data(), padded.pixels.size()))});
  static constexpr std::uint32_t no_coarse_level = 0;
  const std::span<const std::uint32_t> words =
      levels.coarse.empty() ? std::span(&no_coarse_level, 1) : std::span(levels.coarse);
  const int coarse = list.add_buffer({static_cast<int>(words.size()), 1, 1, Element::u32, 0, "coarse"});
  list.uploads.push_back({coarse, std::as_bytes(words)});

  const PassTable weights = weights_table(plan.kernels);
  const PassTable parts = parts_table(plan, levels);
  std::vector<int> outputs;
  for (const FacePlan& face : plan.faces) {
    const int output = list.add_buffer({face.size, face.size, 1, Element::u32, 0, "face"});
    list.passes.push_back({.kernel = &face_kernel(),
                           .inputs = {{panorama, {InputReach::Kind::gather, 1, 0, level_padding}},
                                      {coarse, {InputReach::Kind::rows, 0, 0, 1}}},
                           .tables = {weights, blocks_table(face), parts},
                           .params = params_of(plan, face),
                           .output = output});
    outputs.push_back(output);
  }
  return outputs;
}

}  // namespace imago::pano
