// ONNX Runtime, loaded at run time: the only code that includes its header is runtime.cpp and session.cpp.
//
// The C API alone is used, with the newest version that library and header share; a function that the version lacks is
// not called. Nothing here throws anything but Error{model}.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace imago::nn {

// Where a network runs. `rocm` is AMD's MIGraphX.
enum class Device : std::uint8_t {
  automatic,
  cpu,
  rocm,
  cuda,
  tensorrt,
  openvino,
  webgpu,
  coreml,
  directml,
};
// "rocm" …; nothing for other texts.
std::optional<Device> device_from_name(const std::string& name);
const char* name_of(Device device);

// The library's files in the order in which they are tried: ORT_DYLIB_PATH, the system's names, those beside the
// program and in deps/ of the project.
std::vector<std::filesystem::path> library_candidates();

struct RuntimeInfo {
  std::filesystem::path path;
  std::string version;                 // "1.32.0"
  int api = 0;                         // negotiated
  std::vector<std::string> providers;  // built into the library; being listed does not make one usable
};

// The loaded library: the first candidate that works and has a provider for `device` (a library without it is named
// and passed over while another one may have it). Loaded once in a process for each file; never unloaded. Throws
// Error{model} with one line that names what was tried, also when ORT_DYLIB_PATH is set and cannot be loaded: what was
// asked for is not replaced in silence. `notes`: what was passed over and why, for the user.
const RuntimeInfo& load_runtime(Device device, std::vector<std::string>& notes);

// --- Sessions -------------------------------------------------------------------------------------------------------

// Numbers that something else holds: `owner`, or for what goes into a run whoever calls it.
struct Tensor {
  std::vector<std::int64_t> shape;
  std::span<const float> values;
  std::shared_ptr<const void> owner;
};
Tensor tensor_of(std::vector<std::int64_t> shape, std::vector<float> values);  // owns them

enum class Element : std::uint8_t { f32, f16, other };

struct Port {
  std::string name;
  Element element = Element::f32;
  std::vector<std::int64_t> shape;  // -1: any
};

struct SessionOptions {
  Device device = Device::automatic;
  bool strict = false;  // a device that cannot be had is an error; else the CPU goes on and `notes` say why
  std::filesystem::path cache_folder;  // where compiled models are kept (MIGraphX, TensorRT, OpenVINO, CoreML)
  int threads = 0;                     // of the CPU; 0: as many as cores
};

class Session {
 public:
  // Reads the file. Throws Error{model}: unreadable, not a model, no library, or strict and not on the device.
  Session(const std::filesystem::path& model, const SessionOptions& options);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  const std::vector<Port>& inputs() const;
  const std::vector<Port>& outputs() const;
  std::string metadata(const std::string& key) const;  // "" when the model has none
  const RuntimeInfo& runtime() const;
  Device device() const;                          // what really runs
  const std::vector<std::string>& notes() const;  // fallbacks and slow first runs, one line each

  // One tensor an input, in order; gives a tensor an output, empty for those that are neither f32 nor f16. f16 ports
  // are converted. A device that fails in a run is given up: the CPU does the run and all later ones, and notes() say
  // so; unless it was asked for strictly. Throws Error{model}. One call at a time, and none of device() and notes()
  // beside.
  std::vector<Tensor> run(std::span<const Tensor> inputs);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace imago::nn
