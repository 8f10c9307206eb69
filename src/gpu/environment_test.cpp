#include "gpu/environment.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace imago::gpu {
namespace {

constexpr std::uint8_t windows = backend_dx12 | backend_vulkan;
constexpr std::uint64_t mebibyte = 1024 * 1024;

Choice parse_on_windows(const Environment& environment) {
  return parse_environment(environment, windows, backend_dx12);
}

struct BackendCase {
  Environment environment;
  int backends;
  std::string off_reason;
  std::vector<std::string> warnings;
};

// On a machine with DX12 and Vulkan that takes DX12 unasked.
const std::vector<BackendCase>& backend_cases() {
  static const std::string gl_warning = "IMAGO_GPU_BACKEND: backend \"gl\" is not in this build, ignored";
  static const std::vector<BackendCase> cases = {
      {{}, backend_dx12, "", {}},
      {{{"IMAGO_GPU_BACKEND", ""}}, backend_dx12, "", {}},
      {{{"IMAGO_GPU_BACKEND", "auto"}}, backend_dx12, "", {}},
      {{{"IMAGO_GPU_BACKEND", "dx12"}}, backend_dx12, "", {}},
      {{{"IMAGO_GPU_BACKEND", "vulkan"}}, backend_vulkan, "", {}},
      {{{"IMAGO_GPU_BACKEND", " Vulkan , DX12 "}}, windows, "", {}},
      {{{"IMAGO_GPU_BACKEND", "auto,vulkan"}}, windows, "", {}},
      {{{"IMAGO_GPU_BACKEND", "off"}}, backend_none, "disabled by IMAGO_GPU_BACKEND=off", {}},
      {{{"IMAGO_GPU_BACKEND", "vulkan,off"}}, backend_none, "disabled by IMAGO_GPU_BACKEND=off", {}},
      {{{"IMAGO_GPU_BACKEND", "gl,vulkan"}}, backend_vulkan, "", {gl_warning}},
      {{{"IMAGO_GPU_BACKEND", "gl"}},
       backend_none,
       "IMAGO_GPU_BACKEND=gl names no backend of this build",
       {gl_warning}},
      {{{"IMAGO_GPU_BACKEND", "metal"}},
       backend_none,
       "IMAGO_GPU_BACKEND=metal names no backend of this build",
       {"IMAGO_GPU_BACKEND: backend \"metal\" is not in this build, ignored"}},
      {{{"IMAGO_GPU_BACKEND", "vulcan,dx12"}},
       backend_dx12,
       "",
       {"IMAGO_GPU_BACKEND: unknown backend \"vulcan\" ignored (use dx12, vulkan, metal, auto or off)"}},
      {{{"IMAGO_GPU_BACKEND", ","}}, backend_none, "IMAGO_GPU_BACKEND=, names no backend of this build", {}},
      {{{"WGPU_BACKEND", "vulkan"}}, backend_vulkan, "", {}},
      {{{"WGPU_BACKEND", "vk,d3d12"}}, windows, "", {}},
      {{{"WGPU_BACKEND", "off"}}, backend_none, "disabled by WGPU_BACKEND=off", {}},
      {{{"WGPU_BACKEND", "opengl"}},
       backend_none,
       "WGPU_BACKEND=opengl names no backend of this build",
       {"WGPU_BACKEND: backend \"opengl\" is not in this build, ignored"}},
      {{{"IMAGO_GPU_BACKEND", "dx12"}, {"WGPU_BACKEND", "vulkan"}}, backend_dx12, "", {}},
      {{{"IMAGO_GPU_BACKEND", ""}, {"WGPU_BACKEND", "vulkan"}}, backend_vulkan, "", {}},
      {{{"IMAGO_GPU", "0"}}, backend_none, "disabled by IMAGO_GPU=0", {}},
      {{{"IMAGO_GPU", "0"}, {"IMAGO_GPU_BACKEND", "vulkan"}}, backend_none, "disabled by IMAGO_GPU=0", {}},
      {{{"IMAGO_GPU", "1"}}, backend_dx12, "", {}},
      {{{"IMAGO_GPU", ""}}, backend_dx12, "", {}},
  };
  return cases;
}

std::string shown(const Environment& environment) {
  std::string out;
  for (const auto& [name, value] : environment) out.append(name).append("=\"").append(value).append("\" ");
  return out;
}

TEST(GpuEnvironment, BackendsAreThoseNamedAndBuilt) {
  for (const BackendCase& test : backend_cases()) {
    SCOPED_TRACE(shown(test.environment));
    const Choice choice = parse_on_windows(test.environment);
    EXPECT_EQ(choice.backends, test.backends);
    EXPECT_EQ(choice.off_reason, test.off_reason);
    EXPECT_EQ(choice.warnings, test.warnings);
  }
}

TEST(GpuEnvironment, AnEmptySetOfBackendsAlwaysHasAReasonSoThatNoInstanceIsMade) {
  for (const BackendCase& test : backend_cases()) {
    const Choice choice = parse_on_windows(test.environment);
    EXPECT_EQ(choice.backends == backend_none, !choice.off_reason.empty()) << shown(test.environment);
    EXPECT_EQ(choice.backends & ~windows, 0) << shown(test.environment);
  }
}

TEST(GpuEnvironment, PowerPreferenceIsHighUnlessNamedAndWarnsOfOtherValues) {
  struct Case {
    const char* value;
    PowerPreference power;
    std::vector<std::string> warnings;
  };
  const Case cases[] = {{"", PowerPreference::high, {}},
                        {"high", PowerPreference::high, {}},
                        {" LOW ", PowerPreference::low, {}},
                        {"none", PowerPreference::none, {}},
                        {"fast", PowerPreference::high, {"WGPU_POWER_PREF: \"fast\" ignored (use high, low or none)"}}};
  for (const Case& test : cases) {
    SCOPED_TRACE(test.value);
    const Choice choice = parse_on_windows({{"WGPU_POWER_PREF", test.value}});
    EXPECT_EQ(choice.power, test.power);
    EXPECT_EQ(choice.warnings, test.warnings);
  }
}

TEST(GpuEnvironment, LimitsAreBindingsOfSoManyMebibytesAndBuffersOfTwiceThat) {
  struct Case {
    const char* value;
    std::uint64_t binding_mebibytes;
    bool warns;
  };
  const Case cases[] = {{"", 0, false},
                        {"webgpu", 128, false},
                        {"downlevel", 128, false},
                        {"1", 1, false},
                        {" 64 ", 64, false},
                        {"0", 0, true},
                        {"-1", 0, true},
                        {"64M", 0, true},
                        {"1e3", 0, true},
                        {"small", 0, true},
                        {"99999999999999999999", 0, true}};
  for (const Case& test : cases) {
    SCOPED_TRACE(test.value);
    const Choice choice = parse_on_windows({{"IMAGO_GPU_LIMITS", test.value}});
    EXPECT_EQ(choice.binding_bytes, test.binding_mebibytes * mebibyte);
    EXPECT_EQ(choice.buffer_bytes, 2 * test.binding_mebibytes * mebibyte);
    EXPECT_EQ(!choice.warnings.empty(), test.warns);
  }
}

TEST(GpuEnvironment, SoftwareAdaptersAreWelcomeOnlyWithOne) {
  for (const auto& [value, software] : {std::pair{"", false}, {"0", false}, {"1", true}, {" 1 ", true}}) {
    EXPECT_EQ(parse_on_windows({{"IMAGO_GPU_SOFTWARE", value}}).software, software) << value;
  }
}

TEST(GpuEnvironment, ProfileIsOnWithOne) {
  for (const auto& [value, profile] : {std::pair{"", false}, {"0", false}, {"1", true}}) {
    EXPECT_EQ(parse_on_windows({{"IMAGO_PROFILE", value}}).profile, profile) << value;
  }
}

TEST(GpuEnvironment, Dx12ShadersAreCompiledByFxcUnlessNamed) {
  for (const auto& [value, compiler, warnings] : {std::tuple{"", ShaderCompiler::fxc, 0U},
                                                  {"fxc", ShaderCompiler::fxc, 0U},
                                                  {"dxc", ShaderCompiler::dxc, 0U},
                                                  {"auto", ShaderCompiler::automatic, 0U},
                                                  {"gcc", ShaderCompiler::fxc, 1U}}) {
    const Choice choice = parse_on_windows({{"WGPU_DX12_COMPILER", value}});
    EXPECT_EQ(choice.dx12_compiler, compiler) << value;
    EXPECT_EQ(choice.warnings.size(), warnings) << value;
  }
}

TEST(GpuEnvironment, EveryVariableIsReadFromTheProcess) {
  for (const char* name : {"IMAGO_GPU_BACKEND", "WGPU_BACKEND", "IMAGO_GPU", "WGPU_POWER_PREF", "IMAGO_GPU_LIMITS",
                           "IMAGO_GPU_SOFTWARE", "IMAGO_PROFILE", "WGPU_DX12_COMPILER"}) {
    const char* before = std::getenv(name);
    const std::string kept = before == nullptr ? "" : before;
    setenv(name, "a value", 1);
    EXPECT_EQ(process_environment()[name], "a value") << name;
    if (before == nullptr)
      unsetenv(name);
    else
      setenv(name, kept.c_str(), 1);
  }
}

const Candidate discrete{.name = "GeForce", .type = "DiscreteGpu"};
const Candidate integrated{.name = "UHD", .type = "IntegratedGpu"};
const Candidate software{.name = "llvmpipe (LLVM 15.0.6, 256 bits)", .type = "Cpu"};

struct AdapterCase {
  std::optional<Candidate> requested;
  std::vector<Candidate> all;
  PowerPreference power;
  bool software;
  std::optional<std::size_t> index;
};

TEST(GpuAdapter, TheOneThatFitsTheUsersWishesIsChosen) {
  using enum PowerPreference;
  const AdapterCase cases[] = {
      {discrete, {integrated, discrete}, high, false, 1},
      {integrated, {integrated, discrete}, high, false, 1},  // the API's proposal is not discrete: look further
      {std::nullopt, {integrated, discrete}, high, false, 1},
      {integrated, {integrated, discrete}, low, false, 0},
      {integrated, {discrete, integrated}, none, false, 1},
      {integrated, {integrated, software}, high, false, 0},
      {software, {software, integrated}, high, false, 1},
      {software, {software, integrated}, high, true, 0},
      {software, {software, discrete}, high, true, 1},
      {software, {software}, high, true, 0},
      {std::nullopt, {software}, high, true, 0},
      {software, {software}, high, false, std::nullopt},
      {std::nullopt, {}, high, true, std::nullopt},
  };
  for (std::size_t i = 0; i < std::size(cases); ++i) {
    SCOPED_TRACE("case " + std::to_string(i));
    Choice choice;
    choice.power = cases[i].power;
    choice.software = cases[i].software;
    const AdapterChoice chosen = choose_adapter(cases[i].requested, cases[i].all, choice);
    EXPECT_EQ(chosen.index, cases[i].index);
    EXPECT_EQ(chosen.reason.empty(), chosen.index.has_value());
  }
}

TEST(GpuAdapter, ASkippedSoftwareAdapterSaysWhatToDo) {
  const AdapterChoice chosen = choose_adapter(software, {software}, Choice{});
  ASSERT_EQ(chosen.skipped.size(), 1U);
  EXPECT_EQ(chosen.skipped[0],
            "[gpu] skipped llvmpipe (LLVM 15.0.6, 256 bits) (Cpu): it renders in software, slower than the CPU path; "
            "install the GPU's driver, or set IMAGO_GPU_SOFTWARE=1 to use it all the same");
  EXPECT_EQ(chosen.reason,
            "software adapter (llvmpipe (LLVM 15.0.6, 256 bits)) skipped: install the GPU's driver, or set "
            "IMAGO_GPU_SOFTWARE=1 to use it all the same");
  EXPECT_EQ(choose_adapter({}, {}, Choice{}).reason, "no GPU adapter found: install the GPU's driver");
}

}  // namespace
}  // namespace imago::gpu
