#include "cubemap_command.h"

#include <fmt/format.h>

#include <charconv>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>

#include "base/log.h"
#include "base/path_text.h"
#include "gpu/gpu.h"

namespace imago {
namespace {

template <typename Value>
CLI::Option* add_choice(CLI::App& app, const std::string& flag, Value& value, const std::map<std::string, Value>& names,
                        const std::string& help) {
  std::string text;
  for (const auto& [name, unused] : names) text += (text.empty() ? "" : "|") + name;
  return app.add_option(flag, value, help)
      ->transform(CLI::CheckedTransformer(names, CLI::ignore_case).description(""))
      ->option_text(text);
}

int face_size_from_text(const std::string& text) {
  if (text == "auto") return 0;
  if (text == "native") return -1;
  int size = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
  if (error != std::errc() || end != text.data() + text.size() || size < 1) {
    throw Error(ErrorKind::usage, "--face-size " + text + ": give auto, native or a number of pixels");
  }
  return size;
}

void print_frame(const pano::FrameReport& frame, bool as_json) {
  if (as_json) {
    nlohmann::json line = {{"input", utf8(frame.input)}, {"backend", frame.backend == Backend::gpu ? "gpu" : "cpu"}};
    if (frame.error.empty()) {
      line["faceSize"] = frame.face_size;
      line["ms"] = {{"decode", frame.decode_ms}, {"sample", frame.sample_ms}, {"encode", frame.encode_ms}};
      for (const auto& output : frame.outputs) line["outputs"].push_back(utf8(output));
    } else {
      line["error"] = frame.error;
    }
    if (!frame.gpu_fallback.empty()) line["gpuFallback"] = frame.gpu_fallback;
    std::cout << line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << std::endl;
    return;
  }
  if (!frame.error.empty()) {
    std::cerr << "error: " << frame.error << '\n';
    return;
  }
  log_info("{}: {} faces of {} px on the {} (decode {:.0f}, sample {:.0f}, encode {:.0f} ms)", utf8(frame.input),
           frame.outputs.size(), frame.face_size, frame.backend == Backend::gpu ? "GPU" : "CPU", frame.decode_ms,
           frame.sample_ms, frame.encode_ms);
  if (!frame.gpu_fallback.empty()) log_warn("{}: redone on the CPU: {}", utf8(frame.input), frame.gpu_fallback);
}

}  // namespace

CLI::App* add_cubemap_command(CLI::App& app, CubemapCommand& command, cli::CommonOptions& common) {
  CLI::App* cubemap = app.add_subcommand("cubemap", "Cut equirectangular panoramas into the faces of a camera rig");
  pano::CubemapOptions& options = command.options;
  cubemap->add_option("--input-dir", command.input_dir, "Folder of 2:1 panoramas (.jpg, .png)")
      ->required()
      ->option_text("DIR");
  cubemap->add_option("--output-dir", command.output_dir, "Faces go to DIR/<face>/<frame>.jpg, e.g. 03_cubemap/images")
      ->required()
      ->option_text("DIR");
  cubemap->add_option("--layout", command.layout, "Which views are cut: cube6 (front right back left up down)")
      ->option_text("cube6")
      ->capture_default_str();
  cubemap->add_option("--fov", options.fov_deg, "Field of view of a face in degrees; 96 lets neighbours overlap")
      ->option_text("DEG")
      ->check(CLI::Range(10.0, 170.0).description(""))
      ->capture_default_str();
  cubemap
      ->add_option("--face-size", command.face_size,
                   "Pixels of a face's edge; auto: the density of a quarter of the width at 90 degrees, native: the "
                   "panorama's own density in the middle of a face")
      ->option_text("auto|native|N")
      ->capture_default_str();
  std::map<std::string, pano::Filter> filters;
  for (std::size_t i = 0; i < pano::filter_names.size(); ++i) {
    filters.emplace(pano::filter_names[i], static_cast<pano::Filter>(i));
  }
  add_choice(*cubemap, "--filter", options.filter, filters,
             "aniso follows each pixel's footprint and does not alias, lanczos is the sharpest")
      ->default_str("aniso");
  add_choice<pano::FaceFormat>(*cubemap, "--format", options.format,
                               {{"jpg", pano::FaceFormat::jpg}, {"png", pano::FaceFormat::png}},
                               "File format of the faces")
      ->default_str("jpg");
  cubemap->add_option("--quality", options.quality, "JPEG quality")
      ->option_text("1..100")
      ->check(CLI::Range(1, 100).description(""))
      ->capture_default_str();
  cli::add_backend_option(*cubemap, common);
  cli::add_common_options(*cubemap, common);
  return cubemap;
}

int run_cubemap_command(CubemapCommand& command, const cli::CommonOptions& common) {
  pano::CubemapOptions& options = command.options;
  options.input_dir = path_from_utf8(command.input_dir);
  options.output_dir = path_from_utf8(command.output_dir);
  options.backend = common.backend;
  options.face_size = face_size_from_text(command.face_size);
  const auto layout = geometry::rig_layout_from_name(command.layout);
  if (!layout) throw Error(ErrorKind::usage, "--layout " + command.layout + ": there is cube6");
  options.layout = *layout;
  cli::require_gpu(common.backend);

  std::size_t failed = 0;
  ErrorKind failure = ErrorKind::input;
  const auto frames = pano::cubemap(
      options,
      [&](const pano::FrameReport& frame) {
        print_frame(frame, common.json);
        if (frame.error.empty()) return;
        ++failed;
        failure = frame.error_kind;
      },
      cli::interruption());
  if (!common.json) {
    log_info("{} of {} panoramas cut into {}", frames.size() - failed, frames.size(), utf8(options.output_dir));
  }
  if (failed == 0) return cli::exit_ok;
  return failed == frames.size() ? cli::exit_code_of(failure) : cli::exit_some_failed;
}

}  // namespace imago
