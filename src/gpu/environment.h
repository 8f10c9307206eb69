// Environment variables that choose the GPU, parsed once at launch. Pure functions of a map, so that tests need no
// setenv.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace imago::gpu {

using Environment = std::map<std::string, std::string, std::less<>>;

enum Backends : std::uint8_t { backend_none = 0, backend_vulkan = 1, backend_metal = 2, backend_dx12 = 4 };
enum class PowerPreference : std::uint8_t { high, low, none };
enum class ShaderCompiler : std::uint8_t { fxc, dxc, automatic };  // DX12 only

struct Choice {
  std::uint8_t backends = backend_none;  // mask of Backends
  std::string off_reason;                // not empty: the GPU is not used
  PowerPreference power = PowerPreference::high;
  std::uint64_t binding_bytes = 0;  // 0: the adapter's own limits
  std::uint64_t buffer_bytes = 0;
  bool software = false;  // software adapters are welcome
  bool profile = false;
  ShaderCompiler dx12_compiler = ShaderCompiler::fxc;
  std::vector<std::string> warnings;
};

// `built` is the mask of backends that this platform has, `automatic` the ones used when nothing is set.
Choice parse_environment(const Environment& environment, std::uint8_t built, std::uint8_t automatic);

std::uint8_t platform_backends();   // what wgpu can use here
std::uint8_t automatic_backends();  // the one to use unasked: a broken driver of another would crash the process
Environment process_environment();  // the variables above, as they are set now

// What choosing needs to know of an adapter.
struct Candidate {
  std::string name;
  std::string type;  // as in AdapterInfo
};

struct AdapterChoice {
  std::optional<std::size_t> index;
  std::vector<std::string> skipped;  // log lines for software adapters
  std::string reason;                // when there is no index
};

// `requested` is the adapter that the API proposed (if any); `all` every adapter, best first. Prefers the requested
// one; with PowerPreference::high a discrete one of `all` wins over a requested one that is not discrete.
AdapterChoice choose_adapter(const std::optional<Candidate>& requested, const std::vector<Candidate>& all,
                             const Choice& choice);

}  // namespace imago::gpu
