#include "gpu/environment.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>

namespace imago::gpu {
namespace {

std::string lower_trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0) text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) text.remove_suffix(1);
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

std::string value_of(const Environment& environment, std::string_view name) {
  const auto found = environment.find(name);
  return found == environment.end() ? std::string() : lower_trimmed(found->second);
}

std::optional<std::uint8_t> backend_named(std::string_view name) {
  if (name == "vulkan" || name == "vk") return backend_vulkan;
  if (name == "metal" || name == "mtl") return backend_metal;
  if (name == "dx12" || name == "d3d12") return backend_dx12;
  if (name == "gl" || name == "opengl" || name == "gles") return backend_none;
  return std::nullopt;
}

void parse_backends(Choice& choice, std::string_view variable, const std::string& value, std::uint8_t built,
                    std::uint8_t automatic) {
  std::size_t at = 0;
  while (at <= value.size()) {
    const std::size_t comma = std::min(value.find(',', at), value.size());
    const std::string name = lower_trimmed(std::string_view(value).substr(at, comma - at));
    at = comma + 1;
    if (name.empty()) continue;
    if (name == "off") {
      choice.off_reason = "disabled by " + std::string(variable) + "=off";
      continue;
    }
    if (name == "auto") {
      choice.backends |= automatic;
      continue;
    }
    const std::optional<std::uint8_t> backend = backend_named(name);
    if (!backend) {
      choice.warnings.push_back(std::string(variable) + ": unknown backend \"" + name +
                                "\" ignored (use dx12, vulkan, metal, auto or off)");
    } else if ((*backend & built) == 0) {
      choice.warnings.push_back(std::string(variable) + ": backend \"" + name + "\" is not in this build, ignored");
    } else {
      choice.backends |= *backend;
    }
  }
  if (choice.backends == backend_none && choice.off_reason.empty()) {
    choice.off_reason = std::string(variable) + "=" + value + " names no backend of this build";
  }
}

void parse_limits(Choice& choice, const std::string& value) {
  if (value.empty()) return;
  constexpr std::uint64_t mebibyte = 1024 * 1024;
  std::uint64_t binding = 0;
  if (value == "webgpu" || value == "downlevel") {
    binding = 128;
  } else {
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), binding);
    if (error != std::errc() || end != value.data() + value.size() || binding == 0 || binding > 1024 * 1024) {
      choice.warnings.push_back("IMAGO_GPU_LIMITS: \"" + value +
                                "\" ignored (use webgpu, downlevel or a number of MiB)");
      return;
    }
  }
  choice.binding_bytes = binding * mebibyte;
  choice.buffer_bytes = 2 * binding * mebibyte;
}

void parse_power(Choice& choice, const std::string& value) {
  if (value == "low")
    choice.power = PowerPreference::low;
  else if (value == "none")
    choice.power = PowerPreference::none;
  else if (!value.empty() && value != "high") {
    choice.warnings.push_back("WGPU_POWER_PREF: \"" + value + "\" ignored (use high, low or none)");
  }
}

void parse_compiler(Choice& choice, const std::string& value) {
  if (value == "dxc")
    choice.dx12_compiler = ShaderCompiler::dxc;
  else if (value == "auto")
    choice.dx12_compiler = ShaderCompiler::automatic;
  else if (!value.empty() && value != "fxc") {
    choice.warnings.push_back("WGPU_DX12_COMPILER: \"" + value + "\" ignored (use fxc, dxc or auto)");
  }
}

std::string skipped_line(const Candidate& adapter) {
  return "[gpu] skipped " + adapter.name + " (" + adapter.type +
         "): it renders in software, slower than the CPU path; install the GPU's driver, or set IMAGO_GPU_SOFTWARE=1 "
         "to use it all the same";
}

}  // namespace

Choice parse_environment(const Environment& environment, std::uint8_t built, std::uint8_t automatic) {
  Choice choice;
  const std::string own = value_of(environment, "IMAGO_GPU_BACKEND");
  const std::string general = value_of(environment, "WGPU_BACKEND");
  if (!own.empty())
    parse_backends(choice, "IMAGO_GPU_BACKEND", own, built, automatic);
  else if (!general.empty())
    parse_backends(choice, "WGPU_BACKEND", general, built, automatic);
  else
    choice.backends = automatic & built;
  if (value_of(environment, "IMAGO_GPU") == "0") choice.off_reason = "disabled by IMAGO_GPU=0";
  if (!choice.off_reason.empty()) choice.backends = backend_none;
  parse_limits(choice, value_of(environment, "IMAGO_GPU_LIMITS"));
  parse_power(choice, value_of(environment, "WGPU_POWER_PREF"));
  parse_compiler(choice, value_of(environment, "WGPU_DX12_COMPILER"));
  choice.software = value_of(environment, "IMAGO_GPU_SOFTWARE") == "1";
  choice.profile = value_of(environment, "IMAGO_PROFILE") == "1";
  return choice;
}

std::uint8_t platform_backends() {
#if defined(_WIN32)
  return backend_dx12 | backend_vulkan;
#elif defined(__APPLE__)
  return backend_metal;
#else
  return backend_vulkan;
#endif
}

std::uint8_t automatic_backends() {
#if defined(_WIN32)
  return backend_dx12;
#else
  return platform_backends();
#endif
}

Environment process_environment() {
  Environment out;
  for (const char* name : {"IMAGO_GPU_BACKEND", "WGPU_BACKEND", "IMAGO_GPU", "WGPU_POWER_PREF", "IMAGO_GPU_LIMITS",
                           "IMAGO_GPU_SOFTWARE", "IMAGO_PROFILE", "WGPU_DX12_COMPILER"}) {
    if (const char* value = std::getenv(name)) out.emplace(name, value);
  }
  return out;
}

AdapterChoice choose_adapter(const std::optional<Candidate>& requested, const std::vector<Candidate>& all,
                             const Choice& choice) {
  AdapterChoice out;
  const auto first = [&](auto&& wanted) -> std::optional<std::size_t> {
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (wanted(all[i])) return i;
    }
    return std::nullopt;
  };
  const auto allowed = [&](const Candidate& c) { return c.type != "Cpu" || choice.software; };
  for (const Candidate& candidate : all) {
    if (!allowed(candidate)) out.skipped.push_back(skipped_line(candidate));
  }
  if (choice.power == PowerPreference::high) {
    if (!requested || requested->type != "DiscreteGpu") {
      out.index = first([](const Candidate& c) { return c.type == "DiscreteGpu"; });
    }
  }
  if (!out.index && requested && allowed(*requested)) {
    out.index = first([&](const Candidate& c) { return c.name == requested->name && c.type == requested->type; });
  }
  if (!out.index) out.index = first([](const Candidate& c) { return c.type != "Cpu"; });
  if (!out.index && choice.software) out.index = first([](const Candidate& c) { return c.type == "Cpu"; });
  if (out.index) return out;
  if (all.empty()) {
    out.reason = "no GPU adapter found: install the GPU's driver";
  } else {
    out.reason = "software adapter (" + all.front().name +
                 ") skipped: install the GPU's driver, or set IMAGO_GPU_SOFTWARE=1 to use it all the same";
  }
  return out;
}

}  // namespace imago::gpu
