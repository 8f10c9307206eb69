#include <fmt/format.h>

#include <tuple>
#include <utility>

#include "base/field_access.h"
#include "develop/stages/finish/finish_tools.h"
#include "oracle/case.h"
#include "oracle/fields.h"
#include "oracle/finish_work.h"
#include "oracle/pictures.h"
#include "stages/finish_pictures.h"

namespace imago::oracle {

using namespace develop;

std::vector<std::string> covered_by(const Settings& settings, const FinishPlan& plan) {
  std::vector<std::string> names = {"finish"};
  const Settings defaults;
  for (const Tool& tool : tools) {
    const auto* own = reinterpret_cast<const char*>(&settings) + tool.offset;
    const auto* unset = reinterpret_cast<const char*>(&defaults) + tool.offset;
    if (!fields_equal(tool.fields, own, unset)) names.emplace_back(tool.name);
  }
  const auto add_enabled = [&](const auto& tool) {
    if ((plan.params.*tool.params).enabled != 0) names.emplace_back(tool.name);
  };
  std::apply([&](const auto&... tool) { (add_enabled(tool), ...); }, finish_tools);
  if (plan.params.dither.enabled != 0) names.emplace_back("dither");
  return names;
}

Tolerance finish_tolerance(io::SampleType samples, bool has_curve) {
  switch (samples) {
    case io::SampleType::u8: return codes_8bit;
    // A driver that fuses products takes another side now and then where a tool has an edge (the hue of a nearly grey
    // pixel, the sector of a table): 4e-4 of the samples on an NVIDIA H200, none on lavapipe.
    case io::SampleType::u16: return {64, 4, 5e-4, 0.04, 0.02, "finish.h: 5e-5 of white, times the slope of a curve"};
    case io::SampleType::f32: break;
  }
  if (has_curve)
    return {1e-2, 2e-4, 4e-4, 2e-6, 5e-7, "finish.h, times the slope of a curve (ten and more in random ones)"};
  return {2e-3, 5e-5, 5e-4, 4e-7, 1e-7, "finish.h: drivers fuse and divide their own way, steepest at black"};
}

namespace {

constexpr std::string_view sample_names[] = {"u8", "u16", "f32"};

struct FinishCase {
  std::string name;
  Settings settings;
  OutputFormat format = {};
  bool is_scene = true;
  ViewParams view = view_of(257, 120);
  ProfileLook look = {};
  const color::Lut* lut = nullptr;
};

template <typename Sample>
std::vector<float> finish_on_cpu(const FinishPlan& plan, const FinishPictures& pictures) {
  std::vector<Sample> out(pictures.scene.pixels.size());
  const FinishInputs inputs{&pictures.scene, &pictures.base, pictures.masks.data(), 2};
  finish_rows(plan, inputs, {0, pictures.scene.height}, out.data());
  return {out.begin(), out.end()};
}

Work finish_work(const FinishPlan& finish_plan, io::SampleType samples, Size size, std::uint64_t binding) {
  Work work;
  const FinishPictures& pictures = keep(work, finish_pictures(size.width, size.height));
  const FinishPlan& plan = keep(work, finish_plan);
  const auto add = [&](const auto& values, int channels, Element element) {
    return upload(work.list, size.width, size.height, channels, element, values);
  };
  const int image = add(pictures.scene.pixels, 3, Element::f32);
  const int base = plan.needs_base() ? add(pictures.base.pixels, 1, Element::f32) : -1;
  const int masks = plan.needs_masks() ? add(pictures.masks, 2, Element::u32) : -1;
  work.outputs = {add_finish(plan, work.list, image, base, masks,
                             samples == io::SampleType::u8 ? FinishOutput::rgba8 : FinishOutput::f32x4)};
  work.binding_bytes = binding;
  switch (samples) {
    case io::SampleType::u8:
      work.form = Form::rgba8;
      work.cpu = [&] { return finish_on_cpu<std::uint8_t>(plan, pictures); };
      break;
    case io::SampleType::u16:
      work.form = Form::u16;
      work.cpu = [&] { return finish_on_cpu<std::uint16_t>(plan, pictures); };
      break;
    case io::SampleType::f32:
      work.form = Form::f32x4;
      work.cpu = [&] { return finish_on_cpu<float>(plan, pictures); };
      break;
  }
  return work;
}

Settings everything() {
  Settings s;
  s.white_balance.temperature_k = 4200;
  s.exposure.ev = -0.7f;
  s.tone = {.contrast = 30, .highlights = -60, .shadows = 40, .whites = 25, .blacks = -15};
  s.saturation = {.vibrance = 40, .saturation = 15};
  s.hsl = {.hue_green = -20, .saturation_blue = 30, .luminance_orange = 15};
  s.point_color.list = {{.hue_shift = 40, .variance = -20}, {.hue_deg = 250, .saturation_shift = 30}};
  s.calibration = {.shadow_tint = 20, .red_hue = 20, .green_saturation = 15, .blue_hue = -30};
  s.grading = {.shadows_hue_deg = 230, .shadows_saturation = 20, .highlights_hue_deg = 50, .highlights_saturation = 15};
  s.curve.rgb = {{0, 0}, {0.3f, 0.35f}, {1, 0.95f}};
  s.curve.blue = {{0, 0.1f}, {1, 0.9f}};
  s.curve.lights = 20;
  s.curve.refine_saturation = 60;
  s.vignette = {.amount = -30, .roundness = 20};
  s.grain.amount = 25;
  for (int i = 0; i < 7; ++i) {
    Mask mask;
    mask.exposure_ev = 0.4f * static_cast<float>(i - 2);
    s.masks.list.push_back(mask);
  }
  return s;
}

// Each field of each tool at its ends, random ones, and the fields of one mask.
std::vector<FinishCase> field_cases() {
  std::vector<FinishCase> out;
  const auto add_tool = [&](std::string_view tool, auto Settings::*member, std::span<const Field> fields, int random) {
    using Params = std::remove_reference_t<decltype(std::declval<Settings>().*member)>;
    for (auto& [name, params] : field_variants<Params>(fields, random)) {
      FinishCase test{fmt::format("field/{}.{}", tool, name), {}};
      test.settings.*member = std::move(params);
      out.push_back(std::move(test));
    }
  };
  add_tool("white_balance", &Settings::white_balance, white_balance_fields, 3);
  add_tool("exposure", &Settings::exposure, exposure_fields, 3);
  add_tool("tone", &Settings::tone, tone_fields, 4);
  add_tool("look", &Settings::look, look_fields, 0);
  add_tool("saturation", &Settings::saturation, saturation_fields, 3);
  add_tool("hsl", &Settings::hsl, hsl_fields, 3);
  add_tool("point_color", &Settings::point_color, point_color_fields, 5);
  add_tool("calibration", &Settings::calibration, calibration_fields, 3);
  add_tool("grading", &Settings::grading, grading_fields, 3);
  add_tool("point_color", &Settings::point_color, point_color_fields, 3);
  add_tool("curve", &Settings::curve, curve_fields, 8);
  add_tool("masks", &Settings::masks, masks_fields, 4);
  // What does nothing alone, with what switches it on.
  const auto add_with = [&](std::string_view tool, auto Settings::*member, std::span<const Field> fields, auto&& on) {
    using Params = std::remove_reference_t<decltype(std::declval<Settings>().*member)>;
    for (auto& [name, params] : field_variants<Params>(fields, 3)) {
      FinishCase test{fmt::format("field/{}.{}", tool, name), {}};
      test.settings.*member = std::move(params);
      on(test.settings.*member);
      out.push_back(std::move(test));
    }
  };
  add_with("black_white", &Settings::black_white, black_white_fields, [](BlackWhite& s) { s.enabled = 1; });
  add_with("vignette", &Settings::vignette, vignette_fields, [](Vignette& s) { s.amount += s.amount == 0 ? -60 : 0; });
  add_with("vignette brighter", &Settings::vignette, vignette_fields, [](Vignette& s) { s.amount = 80; });
  add_with("grain", &Settings::grain, grain_fields, [](Grain& s) { s.amount += s.amount == 0 ? 60 : 0; });
  for (auto& [name, mask] : field_variants<Mask>(mask_fields, 0)) {
    FinishCase test{"field/masks.list." + name, {}};
    test.settings.masks.list = {mask};
    if (mask.exposure_ev == 0) test.settings.masks.list[0].exposure_ev = 1.5f;
    out.push_back(std::move(test));
  }
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    FinishCase test{fmt::format("random={}", seed), {}};
    for (const Tool& tool : tools) {
      random_fields(tool.fields, reinterpret_cast<char*>(&test.settings) + tool.offset, seed * 100 + tool.offset);
    }
    out.push_back(std::move(test));
  }
  return out;
}

// A warm look with a bend, as a cube or as curves.
const color::Lut& warm_cube() {
  static const color::Lut lut = [] {
    color::Lut table;
    table.cube_size = 9;
    for (int i = 0; i < 729; ++i) {
      const int red = i % 9, green = i / 9 % 9, blue = i / 81;
      const float r = static_cast<float>(red) / 8, g = static_cast<float>(green) / 8, b = static_cast<float>(blue) / 8;
      table.cube.insert(table.cube.end(),
                        {0.9f * r + 0.1f * r * r + 0.02f, g * (0.8f + 0.2f * b), 0.7f * b + 0.1f * r});
    }
    return table;
  }();
  return lut;
}

const color::Lut& curves_and_cube() {
  static const color::Lut lut = [] {
    color::Lut table = warm_cube();
    table.curve_size = 17;
    for (int i = 0; i < 17; ++i) {
      const float x = static_cast<float>(i) / 16;
      table.curves.insert(table.curves.end(), {x * x, x, 0.5f * x + 0.5f * x * x});
    }
    table.curve_min = {-0.1f, 0, 0};
    table.cube_max = {1.2f, 1, 1};
    return table;
  }();
  return lut;
}

std::vector<FinishCase> lut_cases() {
  std::vector<FinishCase> out;
  for (std::size_t space = 0; space < std::size(lut_spaces); ++space) {
    FinishCase test{fmt::format("field/lut.space={}", lut_spaces[space]), {}};
    test.settings.lut.space = static_cast<std::int32_t>(space);
    test.settings.lut.amount = 80;
    test.lut = space % 2 == 0 ? &warm_cube() : &curves_and_cube();
    out.push_back(std::move(test));
  }
  FinishCase all{"lut with everything", everything()};
  all.lut = &curves_and_cube();
  out.push_back(std::move(all));
  FinishCase overlay{"point colour range", everything(), {.show_point_color = 1}};
  out.push_back(std::move(overlay));
  return out;
}

// A camera profile that moves every hue a little its own way, in light's or in encoded steps, and its tone curve.
ProfileLook profile_look(bool srgb_value, int values) {
  ProfileLook look{{12, 4, values, srgb_value, {}}, {}};
  for (int i = 0; i < 12 * 4 * values; ++i) {
    const int hue = i / 4 % 12, saturation = i % 4, value = i / 48;
    look.table.entries.push_back({static_cast<float>(saturation * (hue % 5 - 2) * 4),
                                  1 + 0.1f * static_cast<float>(saturation * (hue % 3 - 1)),
                                  1 + 0.05f * static_cast<float>((hue % 4 - 1) * saturation + value)});
  }
  look.tone_curve = {{0, 0}, {0.02f, 0.01f}, {0.18f, 0.36f}, {0.5f, 0.8f}, {1, 1}};
  return look;
}

std::vector<FinishCase> profile_cases() {
  std::vector<FinishCase> out;
  out.push_back({"profile=light", {}, {}, true, {}, profile_look(false, 1)});
  out.push_back({"profile=encoded", {}, {}, true, {}, profile_look(true, 5)});
  out.push_back({"profile=everything", everything(), {}, true, {}, profile_look(true, 5)});
  ProfileLook table_only = profile_look(false, 3);
  table_only.tone_curve.clear();
  out.push_back({"profile=table", {}, {}, true, {}, table_only});
  return out;
}

std::vector<FinishCase> format_cases() {
  std::vector<FinishCase> out;
  for (std::size_t space = 0; space < std::size(output_spaces); ++space) {
    const OutputFormat format{.space = static_cast<OutputSpace>(space)};
    out.push_back({fmt::format("space={}", output_spaces[space]), everything(), format});
  }
  out.push_back({"linear-light", everything(), {.linear_light = true}});
  out.push_back({"no-dither", everything(), {.dither = false}});
  out.push_back({"dither-seed=9", everything(), {.dither_seed = 9}});
  out.push_back({"display-referred", everything(), {}, false});
  out.push_back({"window", everything(), {.dither_seed = 9}, true, view_of(5000, 71000, 4001, 70000)});
  return out;
}

}  // namespace

std::vector<Case> finish_cases() {
  std::vector<Case> cases;
  const auto add = [&](const FinishCase& test, io::SampleType samples, Size size, std::uint64_t binding = 0) {
    const FinishPlan plan =
        plan_finish(test.settings, test.format, test.is_scene, test.view, {}, test.look, 1, test.lut);
    cases.push_back({fmt::format("finish/{}/{}x{}/{}{}", test.name, size.width, size.height,
                                 sample_names[static_cast<std::size_t>(samples)], binding != 0 ? "/banded" : ""),
                     covered_by(test.settings, plan), finish_tolerance(samples, plan.params.curve.enabled != 0),
                     [=] { return finish_work(plan, samples, size, binding); }});
  };
  const FinishCase defaults{"defaults", {}};
  const FinishCase all{"everything", everything()};
  constexpr io::SampleType sample_types[] = {io::SampleType::u8, io::SampleType::u16, io::SampleType::f32};
  for (const io::SampleType samples : sample_types) {
    for (const Size size : small_sizes) {
      add(defaults, samples, size);
      add(all, samples, size);
    }
    add(all, samples, {501, 333}, 256 * 1024);
    for (const FinishCase& test : format_cases()) add(test, samples, {257, 120});
  }
  std::vector<FinishCase> fields = field_cases();
  for (FinishCase& test : lut_cases()) fields.push_back(std::move(test));
  for (const FinishCase& test : profile_cases()) {
    for (const io::SampleType samples : sample_types) add(test, samples, {255, 120});
  }
  for (const FinishCase& test : fields) {
    add(test, io::SampleType::u8, {255, 120});
    add(test, io::SampleType::f32, {255, 120});
  }
  return cases;
}

}  // namespace imago::oracle
