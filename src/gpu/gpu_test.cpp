#include "gpu/gpu.h"

#include <gtest/gtest.h>

#include <atomic>
#include <bit>
#include <cstdlib>
#include <thread>

namespace imago::gpu {
namespace {

std::vector<std::string>& log_lines() {
  static std::vector<std::string> lines;
  return lines;
}
int driver_entries = 0;
int driver_exits = 0;

class Gpu : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    set_log([](LogLevel, const std::string& line) { log_lines().push_back(line); });
    set_driver_entry_hook([](bool entering) { ++(entering ? driver_entries : driver_exits); });
  }
  void SetUp() override {
    if (available()) return;
    const char* required = std::getenv("GPU_REQUIRED");
    if (required != nullptr && std::string(required) == "1") FAIL() << unavailable_reason();
    GTEST_SKIP() << "SKIPPED: " << unavailable_reason();
  }
  void TearDown() override {
    reset_failures();
    set_enabled(true);
  }
};

Kernel kernel(std::string_view name, std::string_view body, std::vector<std::string_view> inputs = {}) {
  Kernel out;
  out.name = name;
  out.sources = {
      "@compute @workgroup_size(256) fn main(@builtin(global_invocation_id) id: vec3<u32>) {\n"
      "let at = band_pixel(id); if (at.z == 0u) { return; }\n",
      body, "}\n"};
  out.inputs = std::move(inputs);
  out.output = "result";
  out.params_wgsl = "gain: f32, offset: f32,";
  return out;
}

const Kernel& coordinates() {
  static const Kernel made =
      kernel("coordinates",
             "result[output_index(at.x, at.y)] = params.gain * f32(at.x) + 1000.0 * f32(at.y) + params.offset;");
  return made;
}

// Value minus the one two rows below, clamped at the edge: rows outside the band have to be there.
const Kernel& below() {
  static const Kernel made = kernel("below",
                                    "let y = min(at.y + 2u, band.input0.height - 1u);\n"
                                    "result[output_index(at.x, at.y)] = params.gain * source[input0_index(at.x, at.y)]"
                                    " - source[input0_index(at.x, y)];",
                                    {"source"});
  return made;
}

// Turned by half a turn: an output row reads an input row far away.
const Kernel& half_turn() {
  static const Kernel made =
      kernel("half_turn",
             "let y = band.input0.height - 1u - at.y;\n"
             "if (y < band.input0.own_first || y >= band.input0.own_end) { return; }\n"
             "result[output_index(at.x, at.y)] = source[input0_index(band.width - 1u - at.x, y)];",
             {"source"});
  return made;
}

const Kernel& adds() {
  static const Kernel made = kernel("adds", "result[output_index(at.x, at.y)] += params.offset;");
  return made;
}

const Kernel& opaque() {
  static const Kernel made = kernel(
      "opaque", "if (at.x >= u32(params.gain)) { return; }\nresult[output_index(at.x, at.y)] = 0xff000000u | at.x;");
  return made;
}

std::vector<std::uint32_t> params(float gain, float offset) {
  return {std::bit_cast<std::uint32_t>(gain), std::bit_cast<std::uint32_t>(offset)};
}

PassBuffer plane(int width, int height, std::string_view name, StageKey key = 0) {
  return {.width = width, .height = height, .key = key, .name = name};
}

// Coordinates in buffer 0; `second`, when given, from them into buffer 1.
PassList two_passes(int width, int height, const Kernel& second, InputReach reach, StageKey key = 0) {
  PassList list;
  list.add_buffer(plane(width, height, "first", key));
  list.add_buffer(plane(width, height, "second"));
  list.passes.push_back({.kernel = &coordinates(), .params = params(2, 0.5F), .output = 0});
  list.passes.push_back(
      {.kernel = &second, .inputs = {{.buffer = 0, .reach = reach}}, .params = params(3, 0), .output = 1});
  return list;
}

struct Floats {
  RunResult run;
  std::vector<float> values;
};

Floats run_for(const PassList& list, int buffer, const RunOptions& options = {}) {
  const PassBuffer& shape = list.buffers[static_cast<std::size_t>(buffer)];
  Floats out;
  out.values.resize(static_cast<std::size_t>(shape.width * shape.height * shape.channels), -1);
  const Readback wanted{.buffer = buffer, .destination = std::as_writable_bytes(std::span(out.values))};
  out.run = run(list, {&wanted, 1}, options);
  return out;
}

std::string reason(const RunResult& result) { return result.fallback ? result.fallback->reason : ""; }

float coordinate(int x, int y) { return 2.0F * static_cast<float>(x) + 1000.0F * static_cast<float>(y) + 0.5F; }

std::vector<float> expected_below(int width, int height) {
  std::vector<float> out;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) out.push_back(3 * coordinate(x, y) - coordinate(x, std::min(y + 2, height - 1)));
  }
  return out;
}

TEST_F(Gpu, SaysWhatItUses) {
  const AdapterInfo info = *adapter();
  EXPECT_NE(std::find(log_lines().begin(), log_lines().end(),
                      "[gpu] using " + info.name + " (" + info.type + ") via " + info.backend),
            log_lines().end());
  EXPECT_EQ(unavailable_reason(), "");
  EXPECT_TRUE(ready());
  EXPECT_GE(limits().storage_binding_bytes, std::uint64_t{128} << 20);
}

TEST_F(Gpu, WritesEveryPixelOfOddSizes) {
  for (const auto& [width, height] : {std::pair{1, 1}, {1, 7}, {17, 13}, {257, 3}, {300, 200}}) {
    PassList list;
    list.add_buffer(plane(width, height, "out"));
    list.passes.push_back({.kernel = &coordinates(), .params = params(2, 0.5F), .output = 0});
    const Floats result = run_for(list, 0);
    ASSERT_EQ(reason(result.run), "");
    EXPECT_EQ(result.run.dispatches, 1);
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        ASSERT_EQ(result.values[static_cast<std::size_t>(y * width + x)], coordinate(x, y));
      }
    }
  }
}

TEST_F(Gpu, BandsOfRowsWithTheirReachGiveTheSamePicture) {
  const PassList list = two_passes(101, 333, below(), {.reach = 2});
  const std::vector<float> expected = expected_below(101, 333);
  for (const std::uint64_t binding : {0U, 50'000U, 10'000U}) {
    for (const std::uint64_t submission : {0U, 5'000U}) {
      const Floats result = run_for(list, 1, {.binding_bytes_limit = binding, .submission_invocations = submission});
      ASSERT_EQ(reason(result.run), "");
      EXPECT_EQ(result.values, expected) << binding << " " << submission;
      EXPECT_GT(result.run.dispatches, binding != 0 ? 4 : 1);
      EXPECT_GT(result.run.submissions, submission != 0 ? 10 : 0);
    }
  }
}

TEST_F(Gpu, GatheredBandsGiveTheSamePicture) {
  const PassList list = two_passes(101, 333, half_turn(), {.kind = InputReach::Kind::gather, .reach = 1});
  const Floats whole = run_for(list, 1);
  const Floats banded = run_for(list, 1, {.binding_bytes_limit = 20'000});
  ASSERT_EQ(reason(banded.run), "");
  EXPECT_GT(banded.run.dispatches, 50);
  EXPECT_EQ(whole.values[0], coordinate(100, 332));
  EXPECT_EQ(banded.values, whole.values);
}

TEST_F(Gpu, OnlyAPassThatKeepsItsOutputAddsToIt) {
  PassList list;
  list.add_buffer(plane(300, 5, "sum"));
  for (int i = 0; i < 3; ++i) {
    list.passes.push_back({.kernel = &adds(), .params = params(0, 2), .output = 0, .keep_output = i > 0});
  }
  EXPECT_EQ(run_for(list, 0).values, std::vector<float>(1500, 6));
  // Buffers come from the pool with old content: the first pass has to start from zero every time.
  EXPECT_EQ(run_for(list, 0).values, std::vector<float>(1500, 6));
}

TEST_F(Gpu, AKeyedBufferIsMadeOnceAndPassesNobodyNeedsDoNotRun) {
  clear_cache();
  const PassList list = two_passes(64, 64, below(), {.reach = 2}, 4711);
  const Floats fresh = run_for(list, 1);
  const Floats cached = run_for(list, 1);
  EXPECT_EQ(fresh.run.dispatches, 2);
  EXPECT_EQ(cached.run.dispatches, 1);
  EXPECT_EQ(cached.values, fresh.values);
  EXPECT_GT(memory_use().cached_bytes, 0U);
  EXPECT_EQ(run_for(list, 1, {.use_cache = false}).run.dispatches, 2);
  clear_cache();
  EXPECT_EQ(memory_use().cached_bytes, 0U);
  EXPECT_EQ(run_for(list, 1).run.dispatches, 2);
  EXPECT_EQ(run_for(list, 0, {.use_cache = false}).run.dispatches, 1) << "the second pass is not needed";
}

TEST_F(Gpu, ABrokenKernelFailsItsRunWithItsNameAndNothingElse) {
  const Kernel broken = kernel("broken", "result[0] = no_such_thing;");
  PassList list;
  list.add_buffer(plane(8, 8, "out"));
  list.passes.push_back({.kernel = &broken, .params = params(0, 0), .output = 0});
  const RunResult result = run_for(list, 0).run;
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.fallback->kind, Fallback::Kind::failed);
  EXPECT_TRUE(result.fallback->reason.starts_with("kernel broken: ")) << result.fallback->reason;
  EXPECT_NE(result.fallback->reason.find("no_such_thing"), std::string::npos) << result.fallback->reason;
  EXPECT_TRUE(available());
  EXPECT_EQ(reason(run_for(two_passes(8, 8, below(), {.reach = 2}), 1).run), "");
  EXPECT_EQ(driver_entries, driver_exits) << "a crash sentinel is left behind";
  EXPECT_GE(driver_entries, 3);  // device, and each kernel built
}

TEST_F(Gpu, ABufferOverTheDevicesLimitIsKeptInSlicesAndGivesTheSamePicture) {
  clear_cache();
  const PassList list = two_passes(101, 333, below(), {.reach = 2}, 815);
  const std::vector<float> expected = expected_below(101, 333);
  for (const bool guards : {false, true}) {
    const RunOptions options{
        .binding_bytes_limit = 30'000, .buffer_bytes_limit = 40'000, .guard_words = guards};  // 4 slices of 99 rows
    const Floats result = run_for(list, 1, options);
    ASSERT_EQ(reason(result.run), "");
    EXPECT_EQ(result.values, expected);
    EXPECT_GE(result.run.dispatches, 8);
    if (guards) continue;
    const Floats cached = run_for(list, 1, options);
    EXPECT_EQ(cached.values, expected);
    EXPECT_LT(cached.run.dispatches, result.run.dispatches) << "the slices were not found again";
    EXPECT_EQ(run_for(list, 1).values, expected) << "a slice was taken for the whole";
  }
  const PassList gather = two_passes(101, 333, half_turn(), {.kind = InputReach::Kind::gather, .reach = 1});
  const Floats sliced = run_for(gather, 1, {.binding_bytes_limit = 20'000, .buffer_bytes_limit = 50'000});
  ASSERT_EQ(reason(sliced.run), "");
  EXPECT_EQ(sliced.values, run_for(gather, 1).values);
}

TEST_F(Gpu, AnUploadIsReadBackFromItsSlices) {
  std::vector<float> values(101 * 333);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  PassList list;
  list.add_buffer(plane(101, 333, "upload"));
  list.uploads.push_back({0, std::as_bytes(std::span(values))});
  const Floats result = run_for(list, 0, {.buffer_bytes_limit = 40'000});
  ASSERT_EQ(reason(result.run), "");
  EXPECT_EQ(result.values, values);
}

TEST_F(Gpu, ARowOverTheDevicesLimitIsNotTried) {
  const RunResult result = run_for(two_passes(101, 333, below(), {.reach = 2}), 1, {.buffer_bytes_limit = 2'000}).run;
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.fallback->kind, Fallback::Kind::not_tried);
  EXPECT_EQ(result.fallback->reason, "one row with its reach is over the device's buffer limit of 0 MiB");
  EXPECT_EQ(redone_on_cpu(*result.fallback), result.fallback->reason) << "there is a GPU: the user asks why";
  EXPECT_EQ(last_fallback(), result.fallback->reason);
}

TEST_F(Gpu, AFloatImageProvesItselfAsWell) {
  static const Kernel rgba = kernel("rgba",
                                    "let i = 4u * output_index(at.x, at.y);\n"
                                    "result[i] = params.gain; result[i + 3u] = 1.0;");
  PassList list;
  list.add_buffer({.width = 100, .height = 70, .channels = 4, .name = "floats"});
  list.passes.push_back({.kernel = &rgba, .params = params(0.25F, 0), .output = 0});
  std::vector<float> pixels(28000);
  const Readback wanted{
      .buffer = 0, .destination = std::as_writable_bytes(std::span(pixels)), .written = Written::alpha_one};
  EXPECT_EQ(reason(run(list, {&wanted, 1})), "");
  EXPECT_FALSE(entirely_black(wanted.destination, Written::alpha_one));
  inject_fault(Fault::black, 1);
  EXPECT_EQ(reason(run(list, {&wanted, 1})), "");
  EXPECT_TRUE(entirely_black(wanted.destination, Written::alpha_one));
  inject_fault(Fault::incomplete, 1);
  EXPECT_EQ(reason(run(list, {&wanted, 1})),
            "100×70: the GPU returned an incomplete image (3500 of 7000 pixels unwritten); the GPU is not used again");
}

TEST_F(Gpu, AListThatDoesNotFitItsKernelsIsRefused) {
  PassList list = two_passes(8, 8, below(), {});
  list.passes[1].inputs.clear();
  EXPECT_EQ(reason(run_for(list, 1).run), "internal: pass below: 0 inputs for a kernel that binds 1");
  list = two_passes(8, 8, below(), {});
  list.passes[1].output = 0;
  EXPECT_EQ(reason(run_for(list, 1).run), "internal: pass below: reads and writes the same buffer");
}

TEST_F(Gpu, AnIncompleteImageIsToldAndEndsGpuUse) {
  PassList list;
  list.add_buffer({.width = 100, .height = 70, .element = Element::u32, .name = "rgba"});
  list.passes.push_back({.kernel = &opaque(), .params = params(100, 0), .output = 0});
  std::vector<std::uint32_t> pixels(7000);
  const Readback wanted{
      .buffer = 0, .destination = std::as_writable_bytes(std::span(pixels)), .written = Written::alpha_255};
  EXPECT_EQ(reason(run(list, {&wanted, 1})), "");
  inject_fault(Fault::incomplete, 1);
  EXPECT_EQ(reason(run(list, {&wanted, 1})),
            "100×70: the GPU returned an incomplete image (3500 of 7000 pixels unwritten); the GPU is not used again");
  EXPECT_FALSE(available());
  EXPECT_EQ(unavailable_reason(),
            "stopped after a GPU failure: 100×70: the GPU returned an incomplete image (3500 of "
            "7000 pixels unwritten); the GPU is not used again");
  const RunResult next = run(list, {&wanted, 1});
  EXPECT_EQ(next.fallback->kind, Fallback::Kind::not_tried);
  std::thread([] { EXPECT_TRUE(available()) << "the fault reached another thread"; }).join();
}

struct FaultCase {
  Fault fault;
  bool fatal;
};

TEST_F(Gpu, EveryFaultAtEveryCallFailsItsRunUntilNoneIsLeft) {
  const PassList list = two_passes(101, 333, below(), {.reach = 2});
  const std::vector<float> expected = expected_below(101, 333);
  const RunOptions options{.binding_bytes_limit = 50'000, .submission_invocations = 20'000};
  for (const FaultCase test : {FaultCase{Fault::buffer, false},
                               {Fault::out_of_memory, false},
                               {Fault::pipeline, false},
                               {Fault::submit, true},
                               {Fault::lost, true},
                               {Fault::map, true},
                               {Fault::timeout, true}}) {
    int fired = 0;
    for (int n = 1; n < 100; ++n) {
      SCOPED_TRACE("fault " + std::to_string(static_cast<int>(test.fault)) + " at call " + std::to_string(n));
      inject_fault(test.fault, n);
      const Floats result = run_for(list, 1, options);
      if (fault_pending()) {
        EXPECT_EQ(result.values, expected);
        break;
      }
      ++fired;
      ASSERT_FALSE(result.run.ok());
      EXPECT_NE(reason(result.run).find("injected"), std::string::npos) << reason(result.run);
      EXPECT_EQ(available(), !test.fatal);
      reset_failures();
      EXPECT_EQ(run_for(list, 1, options).values, expected) << "the next run is not clean";
    }
    EXPECT_GE(fired, 1);
    EXPECT_LT(fired, 50);
    reset_failures();
  }
}

TEST_F(Gpu, RunsOfManyThreadsDoNotMix) {
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([t, &wrong] {
      const int width = 50 + t;
      const PassList list = two_passes(width, 64, below(), {.reach = 2}, static_cast<StageKey>(t + 1));
      for (int i = 0; i < 10; ++i) {
        if (run_for(list, 1).values != expected_below(width, 64)) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_TRUE(wait_idle(std::chrono::milliseconds(0)));
}

TEST_F(Gpu, IsNotUsedWhileTheUserHasItTurnedOff) {
  set_enabled(false);
  EXPECT_FALSE(available());
  const RunResult result = run_for(two_passes(8, 8, below(), {.reach = 2}), 1).run;
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.fallback->kind, Fallback::Kind::not_tried);
  EXPECT_EQ(result.fallback->reason, "turned off in the settings");
  set_enabled(true);
  EXPECT_TRUE(available());
}

TEST_F(Gpu, GuardWordsChangeNoPicture) {
  const PassList list = two_passes(101, 333, below(), {.reach = 2});
  for (const std::uint64_t binding : {0U, 50'000U}) {
    const Floats result = run_for(list, 1, {.binding_bytes_limit = binding, .guard_words = true});
    ASSERT_EQ(reason(result.run), "");
    EXPECT_EQ(result.values, expected_below(101, 333));
  }
  const PassList gather = two_passes(101, 333, half_turn(), {.kind = InputReach::Kind::gather});
  EXPECT_EQ(run_for(gather, 1, {.binding_bytes_limit = 20'000, .guard_words = true}).values, run_for(gather, 1).values);
}

TEST_F(Gpu, GuardWordsTellWhichKernelWroteOutsideWhichBuffer) {
  for (const char* index : {"output_index(at.x, at.y) + 1u", "output_index(at.x, at.y) - 1u",
                            "output_index(at.x, at.y + 1u)", "output_index(at.x, at.y) - band.width"}) {
    const std::string body = std::string("result[") + index + "] = 1.0;";
    const Kernel stray = kernel("stray", body);
    PassList list;
    list.add_buffer(plane(33, 7, "victim"));
    list.passes.push_back({.kernel = &stray, .params = params(0, 0), .output = 0});
    EXPECT_EQ(reason(run_for(list, 0, {.guard_words = true}).run), "kernel stray wrote outside buffer victim") << index;
  }
  EXPECT_TRUE(available());
}

TEST_F(Gpu, AReadOutsideABufferGivesNanWithGuardWords) {
  const Kernel stray =
      kernel("stray_read", "result[output_index(at.x, at.y)] = source[input0_index(at.x + 1u, at.y)];", {"source"});
  const Floats result = run_for(two_passes(33, 7, stray, {}), 1, {.guard_words = true});
  ASSERT_EQ(reason(result.run), "");
  EXPECT_EQ(result.values[0], coordinate(1, 0));
  EXPECT_EQ(std::bit_cast<std::uint32_t>(result.values.back()) & 0x7fc0'0000U, 0x7fc0'0000U);
}

TEST(EntirelyBlack, IsSaidOfLargeImagesWhoseColoursAreAllZero) {
  std::vector<std::uint32_t> pixels(4096, 0xff000000U);
  EXPECT_TRUE(entirely_black(std::as_bytes(std::span(pixels))));
  EXPECT_FALSE(entirely_black(std::as_bytes(std::span(pixels).first(4095))));
  pixels.back() = 0xff010000U;
  EXPECT_FALSE(entirely_black(std::as_bytes(std::span(pixels))));
}

// Last: there is no way back.
TEST_F(Gpu, ZzIsNotUsedWhileTheProgramQuits) {
  begin_shutdown();
  EXPECT_FALSE(available());
  EXPECT_EQ(reason(run_for(two_passes(8, 8, below(), {.reach = 2}), 1).run), "the program is quitting");
  EXPECT_TRUE(wait_idle(std::chrono::seconds(2)));
}

}  // namespace
}  // namespace imago::gpu
