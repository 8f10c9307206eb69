// Resampling alone: an equirect picture to six 1920 px faces at 90 degrees, the fastest of seven runs a filter.
//   faces_bench PANORAMA [TRUTH_FOLDER]   the folder holds {front,right,…}.png for the PSNR column
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <numbers>

#include "geometry/cube_face.h"
#include "io/picture_reader.h"
#include "pano/pano.h"

namespace {

using namespace imago;
using namespace imago::pano;

double fastest_ms(const std::function<void()>& work) {
  double best = 1e9;
  for (int run = 0; run < 7; ++run) {
    const auto start = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    best = std::min(best, took.count());
  }
  return best;
}

double psnr_against(const std::filesystem::path& truth, const std::vector<Rgba8>& faces) {
  double sum = 0;
  for (std::size_t i = 0; i < faces.size(); ++i) {
    const std::string name = std::string(geometry::cube_face_names[i]) + ".png";
    const Rgba8 expected = io::read_rgba8(truth / name);
    double error = 0;
    for (std::size_t k = 0; k < expected.pixels.size(); ++k) {
      const double difference = static_cast<double>(faces[i].pixels[k]) - static_cast<double>(expected.pixels[k]);
      error += difference * difference;
    }
    error /= static_cast<double>(expected.pixels.size()) * 3 / 4;  // alpha is equal
    sum += 10 * std::log10(255 * 255 / error);
  }
  return sum / static_cast<double>(faces.size());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fputs("usage: faces_bench PANORAMA [TRUTH_FOLDER]\n", stderr);
    return 2;
  }
  const PaddedPanorama panorama = read_panorama(argv[1]);
  std::vector<std::array<double, 9>> rotations;
  for (geometry::CubeFace face : geometry::cube_faces) rotations.push_back(geometry::pano_from_face(face));
  std::puts("| filter | plan ms | levels ms | faces ms | PSNR dB |\n|---|---|---|---|---|");
  for (std::size_t f = 0; f < filter_names.size(); ++f) {
    FacesPlan plan;
    const double plan_ms = fastest_ms([&] {
      plan = plan_faces(panorama.width, panorama.height, rotations, std::numbers::pi / 2, 1920, static_cast<Filter>(f));
    });
    PanoramaLevels levels;
    const double levels_ms = fastest_ms([&] { levels = build_levels(plan, panorama); });
    std::vector<Rgba8> faces;
    for (const FacePlan& face : plan.faces) faces.emplace_back(face.size, face.size);
    const double faces_ms = fastest_ms([&] {
      for (std::size_t i = 0; i < faces.size(); ++i) sample_face(plan, plan.faces[i], levels, faces[i]);
    });
    std::printf("| %s | %.0f | %.0f | %.0f |", filter_names[f].data(), plan_ms, levels_ms, faces_ms);
    argc > 2 ? std::printf(" %.2f |\n", psnr_against(argv[2], faces)) : std::printf(" |\n");
  }
}
