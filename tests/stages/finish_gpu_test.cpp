// finish on the GPU against the CPU: 8-bit codes by the gates of design.md 5, f32 outputs within 1e-5, for every tool
// and output space, odd sizes, small bindings, windows, masks. Prints a line a case.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>

#include "develop/stages/finish/finish.h"
#include "gpu/gpu.h"
#include "stages/finish_pictures.h"

namespace imago::develop {
namespace {

class FinishOnGpu : public testing::Test {
 protected:
  void SetUp() override {
    if (gpu::available()) return;
    const char* required = std::getenv("GPU_REQUIRED");
    if (required != nullptr && std::string(required) == "1") FAIL() << gpu::unavailable_reason();
    GTEST_SKIP() << "SKIPPED: " << gpu::unavailable_reason();
  }
};

struct Case {
  std::string name;
  Settings settings;
  OutputFormat format;
  ViewParams view = view_of(501, 333);
};

using Pictures = FinishPictures;

struct Difference {
  double mean = 0, signed_mean = 0, largest = 0;
  double beyond_one = 0;  // share of samples
};

Difference compare(std::span<const float> gpu, std::span<const float> cpu) {
  Difference d;
  for (std::size_t i = 0; i < cpu.size(); ++i) {
    const double difference = static_cast<double>(gpu[i]) - static_cast<double>(cpu[i]);
    d.mean += std::abs(difference);
    d.signed_mean += difference;
    d.largest = std::abs(difference) <= d.largest ? d.largest : std::abs(difference);  // NaN counts
    if (std::abs(difference) > 1) d.beyond_one += 1;
  }
  const auto count = static_cast<double>(cpu.size());
  return {d.mean / count, d.signed_mean / count, d.largest, d.beyond_one / count};
}

// RGB of the GPU's four-channel output.
std::vector<float> render_gpu(const FinishPlan& plan, const Pictures& pictures, FinishOutput output,
                              std::uint64_t binding_bytes = 0) {
  const int width = pictures.scene.width, height = pictures.scene.height;
  PassList list;
  const auto upload = [&](const auto& samples, int channels, Element element) {
    const int buffer =
        list.add_buffer({.width = width, .height = height, .channels = channels, .element = element, .name = "upload"});
    list.uploads.push_back({buffer, std::as_bytes(std::span(samples.data(), samples.size()))});
    return buffer;
  };
  const int image = upload(pictures.scene.pixels, 3, Element::f32);
  const int base = plan.needs_base() ? upload(pictures.base.pixels, 1, Element::f32) : -1;
  const int masks = plan.needs_masks() ? upload(pictures.masks, 2, Element::u32) : -1;
  const int finished = add_finish(plan, list, image, base, masks, output);
  const bool packed = output == FinishOutput::rgba8;
  const std::size_t count = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  std::vector<std::uint32_t> words(count * (packed ? 1 : 4));
  const gpu::Readback wanted{.buffer = finished,
                             .destination = std::as_writable_bytes(std::span(words)),
                             .written = packed ? gpu::Written::alpha_255 : gpu::Written::alpha_one};
  const gpu::RunResult result =
      gpu::run(list, {&wanted, 1}, {.use_cache = false, .binding_bytes_limit = binding_bytes});
  if (!result.ok()) ADD_FAILURE() << result.fallback->reason;
  EXPECT_GE(result.dispatches, 1);
  std::vector<float> out(count * 3);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t c = 0; c < 3; ++c) {
      out[3 * i + c] =
          packed ? static_cast<float>((words[i] >> (8 * c)) & 0xffu) : std::bit_cast<float>(words[4 * i + c]);
    }
  }
  return out;
}

template <typename Sample>
std::vector<float> render_cpu(const FinishPlan& plan, const Pictures& pictures) {
  std::vector<Sample> out(pictures.scene.pixels.size());
  const FinishInputs inputs{&pictures.scene, &pictures.base, pictures.masks.data(), 2};
  finish_rows(plan, inputs, {0, pictures.scene.height}, out.data());
  return {out.begin(), out.end()};
}

void expect_same(const Case& test, const Pictures& pictures, std::uint64_t binding_bytes = 0) {
  const FinishPlan plan = plan_finish(test.settings, test.format, true, test.view);
  const Difference codes =
      compare(render_gpu(plan, pictures, FinishOutput::rgba8, binding_bytes), render_cpu<std::uint8_t>(plan, pictures));
  const Difference floats =
      compare(render_gpu(plan, pictures, FinishOutput::f32x4, binding_bytes), render_cpu<float>(plan, pictures));
  std::printf("  %-26s 8 bit: max %.0f mean %.5f signed %+.5f   f32: max %.1e mean %.1e\n", test.name.c_str(),
              codes.largest, codes.mean, codes.signed_mean, floats.largest, floats.mean);
  EXPECT_LE(codes.largest, 3) << test.name;
  EXPECT_LE(codes.beyond_one, 1e-5) << test.name;
  EXPECT_LE(codes.mean, 0.002) << test.name;
  EXPECT_LE(std::abs(codes.signed_mean), 0.001) << test.name;
  EXPECT_LE(floats.largest, 1e-4) << test.name;  // polynomials re-associated, steepest at black
  EXPECT_LE(floats.mean, 1e-6) << test.name;
}

Settings with(void (*change)(Settings&)) {
  Settings settings;
  change(settings);
  return settings;
}

Mask mask_of(float exposure_ev, float amount) {
  Mask mask;
  mask.exposure_ev = exposure_ev;
  mask.amount = amount;
  return mask;
}

const Settings defaults;
const Settings brighter = with([](Settings& s) { s.exposure.ev = 1.3f; });
const Settings darkest = with([](Settings& s) { s.exposure.ev = -5; });
const Settings recovered = with([](Settings& s) { s.tone = {.highlights = -100, .shadows = 100}; });
const Settings harsher = with([](Settings& s) { s.tone = {.highlights = 100, .shadows = -100}; });
const Settings tungsten = with([](Settings& s) { s.white_balance = {.temperature_k = 2850, .tint = -20}; });
const Settings contrasty = with([](Settings& s) { s.tone = {.contrast = 100, .whites = 100, .blacks = -100}; });
const Settings flat = with([](Settings& s) { s.tone = {.contrast = -100, .whites = -100, .blacks = 100}; });
const Settings vivid = with([](Settings& s) { s.saturation = {.vibrance = 100, .saturation = 40}; });
const Settings muted = with([](Settings& s) { s.saturation = {.vibrance = -60, .saturation = -20}; });
const Settings bands = with([](Settings& s) {
  s.hsl = {.hue_red = 100, .hue_green = -100, .saturation_blue = 100, .luminance_orange = 60, .luminance_blue = -100};
});
const Settings grey = with([](Settings& s) { s.black_white = {.enabled = 1, .red = 100, .green = 40, .blue = -100}; });
const Settings graded = with([](Settings& s) {
  s.grading = {.shadows_hue_deg = 230,
               .shadows_saturation = 60,
               .midtones_luminance = 40,
               .highlights_hue_deg = 50,
               .highlights_saturation = 40,
               .global_luminance = -20,
               .blending = 80,
               .balance = -30};
});
const Settings calibrated = with([](Settings& s) {
  s.calibration = {.shadow_tint = 60, .red_hue = 60, .green_saturation = -70, .blue_hue = -100, .blue_saturation = 50};
});
const Settings refined = with([](Settings& s) {
  s.curve = {.rgb = {{0, 0.02f}, {0.25f, 0.2f}, {0.75f, 0.82f}, {1, 1}}, .red = {{0, 0.05f}, {1, 0.95f}}};
  s.curve.darks = -40;
  s.curve.lights = 50;
  s.curve.refine_saturation = 30;
});
const Settings dark_corners =
    with([](Settings& s) { s.vignette = {.amount = -70, .roundness = -40, .highlights = 50}; });
const Settings faded_corners = with([](Settings& s) { s.vignette = {.style = 1, .amount = 60, .roundness = 60}; });
const Settings painted_corners = with([](Settings& s) { s.vignette = {.style = 2, .amount = -80, .feather = 20}; });
const Settings grainy = with([](Settings& s) { s.grain = {.amount = 100, .size = 40, .roughness = 80}; });
const Settings curved = with([](Settings& s) {
  s.curve.rgb = {{0, 0.02f}, {0.25f, 0.2f}, {0.75f, 0.82f}, {1, 1}};
  s.curve.blue = {{0, 0.1f}, {1, 0.9f}};
});
const Settings linear = with([](Settings& s) { s.look.display = 1; });
const Settings masked = with([](Settings& s) {
  for (int i = 0; i < 7; ++i) s.masks.list.push_back(mask_of(0.4f * static_cast<float>(i - 2), 100));
});
const Settings everything = with([](Settings& s) {
  s.white_balance.temperature_k = 4200;
  s.exposure.ev = -0.7f;
  s.tone = {.contrast = 30, .highlights = -60, .shadows = 40, .whites = 25, .blacks = -15};
  s.saturation = {.vibrance = 40, .saturation = 15};
  s.hsl = {.hue_green = -20, .saturation_blue = 30, .luminance_orange = 15};
  s.calibration = {.shadow_tint = 20, .red_hue = 20, .green_saturation = 15, .blue_hue = -30};
  s.grading = {.shadows_hue_deg = 230, .shadows_saturation = 20, .highlights_hue_deg = 50, .highlights_saturation = 15};
  s.curve.rgb = {{0, 0}, {0.3f, 0.35f}, {1, 0.95f}};
  s.curve.lights = 20;
  s.curve.refine_saturation = 60;
  s.vignette = {.amount = -30, .roundness = 20};
  s.grain.amount = 25;
  s.masks.list = {mask_of(1.5f, 80), mask_of(-2, 150)};
});

TEST_F(FinishOnGpu, EveryToolGivesTheCpusPicture) {
  const Pictures pictures = finish_pictures(501, 333);
  for (const Case& test : {Case{"default", defaults, {}},
                           Case{"exposure +1.3", brighter, {}},
                           Case{"exposure -5", darkest, {}},
                           Case{"white balance", tungsten, {}},
                           Case{"highlights, shadows", recovered, {}},
                           Case{"highlights, shadows back", harsher, {}},
                           Case{"contrast", contrasty, {}},
                           Case{"contrast back", flat, {}},
                           Case{"saturation", vivid, {}},
                           Case{"saturation back", muted, {}},
                           Case{"hsl", bands, {}},
                           Case{"black and white", grey, {}},
                           Case{"grading", graded, {}},
                           Case{"calibration", calibrated, {}},
                           Case{"refined curves", refined, {}},
                           Case{"vignette", dark_corners, {}},
                           Case{"vignette colours", faded_corners, {}},
                           Case{"vignette paint", painted_corners, {}},
                           Case{"grain", grainy, {}},
                           Case{"curves", curved, {}},
                           Case{"display linear", linear, {}},
                           Case{"seven masks", masked, {}},
                           Case{"everything", everything, {}},
                           Case{"no dither", defaults, {.dither = false}, {}},
                           Case{"window", everything, {.dither_seed = 9}, view_of(5000, 71000, 4001, 70000)}}) {
    expect_same(test, pictures);
  }
}

TEST_F(FinishOnGpu, EveryOutputSpaceGivesTheCpusPicture) {
  const Pictures pictures = finish_pictures(257, 190);
  for (std::size_t space = 0; space < std::size(output_spaces); ++space) {
    const OutputFormat format{.space = static_cast<OutputSpace>(space)};
    expect_same({std::string(output_spaces[space]), everything, format, {}}, pictures);
  }
  expect_same({"linear light", everything, {.linear_light = true}, {}}, pictures);
}

TEST_F(FinishOnGpu, OddSizesAndSmallBindingsChangeNothing) {
  for (const auto& [width, height] : {std::pair{1, 1}, {1, 7}, {17, 13}, {255, 3}, {257, 5}}) {
    expect_same({std::to_string(width) + " x " + std::to_string(height), everything, {}},
                finish_pictures(width, height));
  }
  expect_same({"bindings of 256 KiB", everything, {}}, finish_pictures(501, 333), 256 * 1024);
}

}  // namespace
}  // namespace imago::develop
