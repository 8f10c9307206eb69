// imago-demo-scene RAW.dng PANO.jpg: photographs the analytic scene, as input for the demo and for trying things out.
#include <CLI/CLI.hpp>

#include <cstdio>
#include <string>

#include "base/atomic_file.h"
#include "base/error.h"
#include "geometry/cube_face.h"
#include "io/picture_writer.h"
#include "scene/pano.h"
#include "scene/raw.h"

namespace imago::scene {
namespace {

struct Size {
  int width, height;
};

Size size_from(const std::string& text) {
  int width = 0, height = 0;
  char rest = 0;
  if (std::sscanf(text.c_str(), "%dx%d%c", &width, &height, &rest) != 2 || width < 32 || height < 32 || width > 40000 ||
      height > 40000) {
    throw Error(ErrorKind::usage, "size '" + text + "' is not WIDTHxHEIGHT with sides of 32..40000");
  }
  return {width, height};
}

struct Options {
  std::string raw, panorama;
  std::string raw_size = "6000x4000", panorama_size = "4096x2048", phase = "RGGB";
  double iso = 100, exposure = 0.8;
  int orientation = 1, samples = 1;
  std::string position = "0,0,0";
  double turn_deg = 0;
  bool linear = false;
};

void write_raw(const Options& options) {
  const Size size = size_from(options.raw_size);
  RawRequest request;
  request.camera = front_camera(size.width, size.height);
  request.camera.sampling.samples_per_side = options.samples;
  request.iso = options.iso;
  request.exposure = options.exposure;
  request.cfa = cfa_from_name(options.phase);
  request.linear = options.linear;
  request.orientation = options.orientation;
  const SceneRaw raw = photograph_raw(request);
  write_file_atomically(options.raw, std::span<const std::byte>(io::write_dng(raw.dng)));
}

void write_panorama(const Options& options) {
  const Size size = size_from(options.panorama_size);
  PanoramaView view;
  view.width = size.width;
  view.height = size.height;
  view.sampling.samples_per_side = options.samples;
  Vector& at = view.pose.position;
  char rest = 0;
  if (std::sscanf(options.position.c_str(), "%lf,%lf,%lf%c", &at.x, &at.y, &at.z, &rest) != 3) {
    throw Error(ErrorKind::usage, "--at " + options.position + " is not X,Y,Z");
  }
  view.pose.world_from_camera = geometry::pano_from_view({options.turn_deg, 0});
  const Rgb8 encoded = encoded_srgb(panorama(view), static_cast<float>(options.exposure));
  io::PictureOptions picture;
  picture.format = io::format_of_extension(options.panorama).value_or(io::FileFormat::jpeg);
  picture.quality = 95;
  const auto writer = io::open_picture(options.panorama, encoded.width, encoded.height, picture);
  io::write_samples<std::uint8_t>(*writer, {encoded.pixels.data(), encoded.pixels.size()});
  writer->finish();
}

int run(int argc, char** argv) {
  Options options;
  CLI::App app{"Photographs Imago's analytic test scene: a raw (DNG), a panorama (JPEG, PNG or TIFF), or both."};
  app.add_option("raw,--raw", options.raw, "DNG to write");
  app.add_option("panorama,--pano", options.panorama, "Equirect panorama to write");
  app.add_option("--size", options.raw_size, "Pixels of the raw")->capture_default_str();
  app.add_option("--pano-size", options.panorama_size, "Pixels of the panorama")->capture_default_str();
  app.add_option("--iso", options.iso, "Noise of the raw; 0 for none")
      ->check(CLI::Range(0, 409600))
      ->capture_default_str();
  app.add_option("--exposure", options.exposure, "Factor on the scene's light")
      ->check(CLI::Range(0.001, 1000.0))
      ->capture_default_str();
  app.add_option("--phase", options.phase, "Colour filter: RGGB, GRBG, GBRG, BGGR")->capture_default_str();
  app.add_option("--orientation", options.orientation, "EXIF orientation of the raw")
      ->check(CLI::Range(1, 8))
      ->capture_default_str();
  app.add_option("--samples", options.samples, "Rays a pixel, squared")
      ->check(CLI::Range(1, 16))
      ->capture_default_str();
  app.add_option("--at", options.position, "Where the panorama's camera stands: x right, y down, z ahead, in metres")
      ->capture_default_str();
  app.add_option("--turn", options.turn_deg, "How far the panorama's camera is turned to the right, in degrees");
  app.add_flag("--linear", options.linear, "Write a linear DNG, three samples a pixel");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  if (options.raw.empty() && options.panorama.empty()) {
    std::fprintf(stderr, "nothing to do: name a DNG, a panorama or both (--help)\n");
    return 2;
  }
  try {
    if (!options.raw.empty()) write_raw(options);
    if (!options.panorama.empty()) write_panorama(options);
  } catch (const Error& error) {
    std::fprintf(stderr, "imago-demo-scene: %s\n", error.what());
    return error.kind == ErrorKind::usage ? 2 : 4;
  }
  return 0;
}

}  // namespace
}  // namespace imago::scene

int main(int argc, char** argv) { return imago::scene::run(argc, argv); }
