#include <fmt/format.h>

#include <algorithm>

#include "base/path_text.h"
#include "commands.h"
#include "develop/settings/settings_json.h"
#include "io/byte_source.h"
#include "render_batch.h"
#include "render_jobs.h"

namespace imago {
namespace {

void set_sample_type(RenderCommand& command) {
  develop::ExportOptions& options = command.options;
  const io::FileFormat format = options.format;
  const int bits = command.bits != 0 ? command.bits : format == io::FileFormat::dng ? 16 : 8;
  const auto refuse = [&](const char* why) { throw Error(ErrorKind::usage, fmt::format("--bits {}: {}", bits, why)); };
  options.bits = bits;
  switch (bits) {
    case 8: options.samples = io::SampleType::u8; break;
    case 10:
    case 12:
      if (format != io::FileFormat::avif) refuse("use --format avif, or other bits");
      options.samples = io::SampleType::u16;
      return;
    case 16: options.samples = io::SampleType::u16; break;
    case 32: options.samples = io::SampleType::f32; break;
    default: refuse("there are 8, 10, 12, 16 and 32");
  }
  if (bits == 16 && format == io::FileFormat::avif) refuse("use 8, 10 or 12 with avif");
  if (!io::holds(format, options.samples)) {
    refuse(bits == 8 ? "a dng holds 16" : bits == 16 ? "use --format png, tif, jxl or dng" : "use --format tif or jxl");
  }
}

// The named space, or the profile that the file holds: read once, for every photo.
void set_space(RenderCommand& command) {
  develop::ExportOptions& options = command.options;
  options.black_point_compensation = !command.no_black_point;
  const auto name = std::ranges::find(develop::output_spaces, command.space);
  if (name != std::end(develop::output_spaces)) {
    options.render.format.space =
        static_cast<develop::OutputSpace>(std::distance(std::begin(develop::output_spaces), name));
    return;
  }
  const std::filesystem::path file = path_from_utf8(command.space);
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored)) {
    throw Error(ErrorKind::usage,
                fmt::format("--space {}: neither srgb, p3, adobe_rgb, prophoto or rec2020, nor the file of a profile",
                            command.space));
  }
  constexpr std::uint64_t largest_profile = std::uint64_t{64} << 20;
  options.profile = io::read_file(file, largest_profile);
  options.profile_name = utf8(file.filename());
  // A wrong one is the caller's mistake, not the first photo's.
  const color::OutputProfile probe(options.profile, options.intent, options.black_point_compensation,
                                   options.profile_name);
}

}  // namespace

int run_render_command(RenderCommand& command, const cli::CommonOptions& common) {
  command.options.backend = common.backend;
  settle_format(command);
  set_sample_type(command);
  set_space(command);
  if (command.options.lossless && !io::has_lossless(command.options.format)) {
    throw Error(ErrorKind::usage, "--lossless: use --format webp, avif or jxl (png and tif lose nothing anyway)");
  }
  if (!io::can_write(command.options.format)) {
    throw Error(ErrorKind::usage, "--format: this program was built without the library for it");
  }
  develop::Settings probe;  // a wrong --set is the caller's mistake, too
  for (const std::string& assignment : command.assignments) develop::set_setting(probe, assignment);
  const std::vector<RenderJob> jobs = render_jobs(command);
  cli::require_gpu(common.backend);
  if (jobs.empty()) return cli::exit_ok;  // all skipped
  return render_batch(command, jobs, common.json);
}

}  // namespace imago
