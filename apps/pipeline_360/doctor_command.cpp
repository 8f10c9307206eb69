#include "doctor_command.h"

#include <fmt/format.h>

#include <iostream>
#include <vector>

#include "base/memory.h"
#include "base/parallel.h"
#include "gpu/gpu.h"
#include "io/video/video_library.h"
#include "pano/sfm.h"

namespace imago {
namespace {

struct Finding {
  std::string what, found, meaning;
};

Finding gpu_finding() {
  if (!gpu::available()) {
    return {"GPU", "none: " + gpu::unavailable_reason(), "faces are cut on the CPU, the same to within one 8-bit step"};
  }
  const gpu::AdapterInfo adapter = gpu::adapter().value_or(gpu::AdapterInfo{});
  return {"GPU", fmt::format("{} ({}) via {}", adapter.name, adapter.type, adapter.backend),
          adapter.type == "Cpu" ? "a software adapter: --backend cpu is faster" : "faces are cut on it"};
}

Finding colmap_finding(const std::string& named) {
  const auto tool = pano::find_colmap(named);
  if (!tool)
    return {"COLMAP", "none of 3.12 or later", "sfm writes scripts to run elsewhere; frames, faces and masks work"};
  return {"COLMAP", fmt::format("{} {} ({})", tool->is_python ? "pycolmap" : "COLMAP", tool->version, tool->program),
          "sfm drives it"};
}

std::vector<Finding> findings(const DoctorCommand& command) {
  std::vector<Finding> all;
  all.push_back({"CPU", fmt::format("{} threads", thread_count()), "decoding, encoding, and what the GPU does not do"});
  all.push_back({"memory",
                 fmt::format("{} MiB, of which {} MiB are used at most at once for pictures",
                             memory::physical_bytes() >> 20, memory::budget() >> 20),
                 "IMAGO_MEMORY_MB changes it"});
  all.push_back(gpu_finding());
  const io::VideoLibrary video = io::video_library();
  all.push_back({"FFmpeg", "libavcodec " + video.version,
                 video.missing_decoders.empty() ? "H.264, HEVC, VP9 and AV1 can be read"
                                                : "cannot read " + video.missing_decoders});
  all.push_back(colmap_finding(command.colmap));
  return all;
}

}  // namespace

CLI::App* add_doctor_command(CLI::App& app, DoctorCommand& command, cli::CommonOptions& common) {
  CLI::App* doctor = app.add_subcommand("doctor", "What this machine has for the pipeline, and what that means");
  doctor->add_option("--colmap", command.colmap, "COLMAP program or Python to look at")->option_text("PROGRAM");
  cli::add_common_options(*doctor, common);
  return doctor;
}

int run_doctor_command(const DoctorCommand& command, const cli::CommonOptions& common) {
  for (const Finding& finding : findings(command)) {
    if (common.json) {
      print_json({{"what", finding.what}, {"found", finding.found}, {"meaning", finding.meaning}});
    } else {
      std::cout << fmt::format("{:<13} {}\n{:<13} {}\n", finding.what, finding.found, "", finding.meaning);
    }
  }
  return cli::exit_ok;
}

}  // namespace imago
