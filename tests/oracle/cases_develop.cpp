#include <fmt/format.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <optional>
#include <utility>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/field_access.h"
#include "develop/render.h"
#include "develop/stages/test_picture.h"
#include "io/dng/dng_writer.h"
#include "oracle/case.h"
#include "oracle/finish_work.h"
#include "scene/raw.h"

namespace imago::oracle {
namespace {

using namespace develop;

constexpr int scene_width = 360;
constexpr int scene_height = 240;

// The analytic scene through a noisy sensor, a DNG, LibRaw and the demosaic.
Photo raw_photo() {
  scene::RawRequest request;
  request.camera = scene::front_camera(scene_width, scene_height);
  request.iso = 800;
  const scene::SceneRaw raw = scene::photograph_raw(request);
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / fmt::format("imago-oracle-{}.dng", getpid());
  write_file_atomically(path, std::span<const std::byte>(io::write_dng(raw.dng)));
  Photo photo = open_photo(path, {});
  std::filesystem::remove(path);
  return photo;
}

// The same place as a finished picture.
Photo finished_photo() {
  Photo photo;
  photo.source = scene::photograph(scene::front_camera(scene_width, scene_height));
  for (float& value : photo.source.pixels) value = value / (1 + value);
  photo.is_raw = false;
  photo.key = 2;
  return photo;
}

// 24 megapixels: dispatches of more groups than one axis takes, buffers beyond small devices' bindings.
Photo large_photo() {
  Photo photo;
  photo.source = scene_picture(6000, 4000, 1);
  photo.key = 3;
  return photo;
}

enum class Source { raw, finished, large };

Photo& photo_of(Source source) {
  static std::optional<Photo> photos[3];
  std::optional<Photo>& photo = photos[static_cast<std::size_t>(source)];
  if (!photo) {
    photo = source == Source::raw ? raw_photo() : source == Source::finished ? finished_photo() : large_photo();
  }
  return *photo;
}

struct DevelopCase {
  std::string name;
  RenderRequest request = {};
  int orientation = 1;
  Source source = Source::raw;
  io::SampleType samples = io::SampleType::u8;
  std::uint64_t binding_bytes = 0;
};

std::size_t size_of(io::SampleType samples) {
  return samples == io::SampleType::u8 ? 1 : samples == io::SampleType::u16 ? 2 : 4;
}

// Collects what a sink gets.
RowSink collect(io::SampleType type, std::vector<float>& out) {
  return [type, &out](RowRange, std::span<const std::byte> bytes) {
    for (std::size_t at = 0; at < bytes.size(); at += size_of(type)) {
      std::uint16_t word = 0;
      float value = 0;
      switch (type) {
        case io::SampleType::u8: value = std::to_integer<std::uint8_t>(bytes[at]); break;
        case io::SampleType::u16:
          std::memcpy(&word, &bytes[at], 2);
          value = word;
          break;
        case io::SampleType::f32: std::memcpy(&value, &bytes[at], 4); break;
      }
      out.push_back(value);
    }
  };
}

Work develop_work(const DevelopCase& test) {
  Work work;
  Photo& photo = photo_of(test.source);
  photo.orientation = test.orientation;
  const Plan& plan = keep(work, develop::plan(photo, test.request));
  RenderPasses passes = render_passes(plan, photo, test.samples);
  work.list = std::move(passes.list);
  work.outputs = {passes.output};
  work.form = test.samples == io::SampleType::u8    ? Form::rgba8
              : test.samples == io::SampleType::u16 ? Form::u16
                                                    : Form::f32x4;
  work.binding_bytes = test.binding_bytes;
  work.cpu = [&plan, &photo, samples = test.samples] {
    std::vector<float> out;
    StageCache stages;  // keeps the photo's source
    render_cpu(plan, photo, samples, &stages, collect(samples, out), {});
    return out;
  };
  work.product = [&plan, &photo, samples = test.samples](gpu::RunResult& run) {
    std::vector<float> out;
    render_gpu(plan, photo, samples, false, collect(samples, out), &run);
    return out;
  };
  return work;
}

Settings with(void (*change)(Settings&)) {
  Settings settings;
  change(settings);
  return settings;
}

Settings heavy() {
  return with([](Settings& s) {
    s.geometry = {.crop_left = 0.07f, .crop_top = 0.1f, .crop_right = 0.95f, .straighten_deg = -1.7f};
    s.exposure.ev = 0.6f;
    s.tone = {.highlights = -80, .shadows = 60};
    s.curve.rgb = {{0, 0.02f}, {0.25f, 0.2f}, {0.75f, 0.82f}, {1, 1}};
    s.curve.red = {{0, 0}, {0.5f, 0.52f}, {1, 1}};
    for (const float end : {0.9f, 0.1f}) {
      Mask mask;
      mask.end_y = end;
      mask.exposure_ev = end > 0.5f ? -1.2f : 0.8f;
      s.masks.list.push_back(mask);
    }
  });
}

void add_tools(std::vector<DevelopCase>& out) {
  out.push_back({"defaults", {}});
  out.push_back({"heavy", {.settings = heavy()}});
  out.push_back({"exposure=5", {.settings = with([](Settings& s) { s.exposure.ev = 5; })}});
  out.push_back({"exposure=-5", {.settings = with([](Settings& s) { s.exposure.ev = -5; })}});
  out.push_back({"tone=100", {.settings = with([](Settings& s) { s.tone = {.highlights = 100, .shadows = 100}; })}});
  out.push_back({"tone=-100", {.settings = with([](Settings& s) { s.tone = {.highlights = -100, .shadows = -100}; })}});
  out.push_back({"look=linear", {.settings = with([](Settings& s) { s.look.display = 1; })}});
  out.push_back({"curve", {.settings = with([](Settings& s) { s.curve.rgb = {{0, 0.1f}, {0.4f, 0.3f}, {1, 0.9f}}; })}});
  out.push_back({"straighten=44", {.settings = with([](Settings& s) { s.geometry.straighten_deg = 44; })}});
  out.push_back({"masks", {.settings = with([](Settings& s) {
                             for (int i = 0; i < 5; ++i) {
                               Mask mask;
                               mask.start_x = 0.2f * static_cast<float>(i);
                               mask.exposure_ev = static_cast<float>(i) - 2;
                               mask.invert = static_cast<std::uint32_t>(i % 2);
                               s.masks.list.push_back(mask);
                             }
                           })}});
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    DevelopCase test{fmt::format("random={}", seed), {}, static_cast<int>(seed)};
    for (const Tool& tool : tools) {
      random_fields(tool.fields, reinterpret_cast<char*>(&test.request.settings) + tool.offset,
                    seed * 77 + tool.offset);
    }
    test.request.settings.noise = {};  // the CPU's alone
    test.request.settings.sharpen = {};
    test.request.settings.spots = {};
    for (Mask& mask : test.request.settings.masks.list) mask.kind = mask.combine = 0;
    test.request.settings.presence = {};
    out.push_back(std::move(test));
  }
}

std::vector<DevelopCase> whole_pictures() {
  std::vector<DevelopCase> out;
  add_tools(out);
  for (int orientation = 1; orientation <= 8; ++orientation) {
    out.push_back({fmt::format("orientation={}", orientation), {}, orientation});
    const Settings cropped = with([](Settings& s) { s.geometry = {.crop_left = 0.11f, .crop_bottom = 0.83f}; });
    out.push_back({fmt::format("orientation={}/crop", orientation), {.settings = cropped}, orientation});
    out.push_back({fmt::format("orientation={}/heavy/size=101", orientation),
                   {.settings = heavy(), .long_edge_px = 101},
                   orientation});
  }
  for (const int size : {1, 7, 64, 200, 255, 359}) {
    out.push_back({fmt::format("heavy/size={}", size), {.settings = heavy(), .long_edge_px = size}});
  }
  out.push_back({"heavy/size=120/draft", {.settings = heavy(), .long_edge_px = 120, .is_draft = true}});
  out.push_back({"heavy/draft", {.settings = heavy(), .is_draft = true}});
  for (std::size_t space = 0; space < std::size(output_spaces); ++space) {
    for (const auto& [name, samples] :
         {std::pair{"u8", io::SampleType::u8}, {"u16", io::SampleType::u16}, {"f32", io::SampleType::f32}}) {
      out.push_back({fmt::format("heavy/space={}/{}", output_spaces[space], name),
                     {.settings = heavy(), .format = {.space = static_cast<OutputSpace>(space)}},
                     1,
                     Source::raw,
                     samples});
    }
  }
  out.push_back({"display-referred", {}, 6, Source::finished});
  out.push_back({"display-referred/heavy", {.settings = heavy()}, 3, Source::finished});
  out.push_back({"display-referred/heavy/u16", {.settings = heavy()}, 3, Source::finished, io::SampleType::u16});
  // Far below what any device has: every stage is cut, with and without a quarter turn.
  out.push_back({"heavy/banded", {.settings = heavy()}, 1, Source::raw, io::SampleType::u8, 256 * 1024});
  out.push_back({"heavy/size=200/banded",
                 {.settings = heavy(), .long_edge_px = 200},
                 6,
                 Source::raw,
                 io::SampleType::f32,
                 512 * 1024});
  out.push_back({"orientation=5/banded", {}, 5, Source::raw, io::SampleType::u8, 128 * 1024});
  return out;
}

std::vector<DevelopCase> large_pictures() {
  RenderRequest turned{.settings = heavy()};
  turned.settings.geometry.quarter_turns = 1;
  return {{"large/heavy", {.settings = heavy()}, 1, Source::large},
          {"large/heavy/turn", turned, 1, Source::large},
          {"large/heavy/size=2560/f32",
           {.settings = heavy(), .long_edge_px = 2560},
           8,
           Source::large,
           io::SampleType::f32}};
}

// Stages before finish differ by roundings too. Where gamut and tone branch, a few pixels in a million take the other
// branch, by far less than an 8-bit step.
Tolerance whole_tolerance(io::SampleType samples) {
  switch (samples) {
    case io::SampleType::u8: return codes_8bit;
    case io::SampleType::u16: return {131, 4, 1e-5, 0.02, 0.01, "roundings of all stages; a few branch near an edge"};
    case io::SampleType::f32: break;
  }
  return {2e-3, 5e-5, 1e-5, 1e-6, 5e-7, "roundings of all stages; a few branch near an edge"};
}

std::vector<Case> cases_of(const std::vector<DevelopCase>& tests) {
  std::vector<Case> cases;
  for (const DevelopCase& test : tests) {
    const FinishPlan plan = plan_finish(test.request.settings, test.request.format, test.source != Source::finished);
    cases.push_back({"develop/" + test.name, covered_by(test.request.settings, plan), whole_tolerance(test.samples),
                     [test] { return develop_work(test); }});
    cases.back().covers.emplace_back("develop");
  }
  return cases;
}

}  // namespace

std::vector<Case> develop_cases() { return cases_of(whole_pictures()); }

std::vector<Case> large_cases() { return cases_of(large_pictures()); }

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (auto* part : {geom_cases, resize_cases, planes_cases, masks_cases, finish_cases, pano_cases, develop_cases}) {
    for (Case& test : part()) cases.push_back(std::move(test));
  }
  return cases;
}

}  // namespace imago::oracle
