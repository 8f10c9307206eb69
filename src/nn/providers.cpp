#include "nn/providers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "base/environment.h"
#include "base/path_text.h"

namespace imago::nn {
namespace {

namespace fs = std::filesystem;
using Options = std::vector<std::pair<std::string, std::string>>;

// As GetAvailableProviders names it.
const char* provider_name(Device device) {
  switch (device) {
    case Device::rocm: return "MIGraphXExecutionProvider";
    case Device::cuda: return "CUDAExecutionProvider";
    case Device::tensorrt: return "TensorrtExecutionProvider";
    case Device::openvino: return "OpenVINOExecutionProvider";
    case Device::webgpu: return "WebGpuExecutionProvider";
    case Device::coreml: return "CoreMLExecutionProvider";
    case Device::directml: return "DmlExecutionProvider";
    default: return "CPUExecutionProvider";
  }
}

// As the generic append takes it.
const char* short_name(Device device) {
  switch (device) {
    case Device::rocm: return "MIGraphX";
    case Device::openvino: return "OpenVINO";
    case Device::webgpu: return "WebGPU";
    case Device::coreml: return "CoreML";
    case Device::directml: return "DML";
    default: return "";
  }
}

std::string append_generic(const Library& library, OrtSessionOptions* options, Device device, const Options& pairs) {
  std::vector<const char*> keys;
  std::vector<const char*> values;
  for (const auto& [key, value] : pairs) {
    keys.push_back(key.c_str());
    values.push_back(value.c_str());
  }
  return take_message(*library.api, library.api->SessionOptionsAppendExecutionProvider(
                                        options, short_name(device), keys.data(), values.data(), keys.size()));
}

std::string append_cuda(const Library& library, OrtSessionOptions* options) {
  const OrtApi& api = *library.api;
  OrtCUDAProviderOptionsV2* cuda = nullptr;
  if (std::string problem = take_message(api, api.CreateCUDAProviderOptions(&cuda)); !problem.empty()) return problem;
  std::string problem = take_message(api, api.SessionOptionsAppendExecutionProvider_CUDA_V2(options, cuda));
  api.ReleaseCUDAProviderOptions(cuda);
  return problem;
}

std::string append_tensorrt(const Library& library, OrtSessionOptions* options, const fs::path& model_folder) {
  const OrtApi& api = *library.api;
  OrtTensorRTProviderOptionsV2* rt = nullptr;
  if (std::string problem = take_message(api, api.CreateTensorRTProviderOptions(&rt)); !problem.empty()) return problem;
  std::string problem;
  if (!model_folder.empty()) {
    const std::string folder = utf8(model_folder);
    const char* keys[] = {"trt_engine_cache_enable", "trt_engine_cache_path"};
    const char* values[] = {"1", folder.c_str()};
    problem = take_message(api, api.UpdateTensorRTProviderOptions(rt, keys, values, 2));
  }
  if (problem.empty()) problem = take_message(api, api.SessionOptionsAppendExecutionProvider_TensorRT_V2(options, rt));
  api.ReleaseTensorRTProviderOptions(rt);
  return problem;
}

// A provider in a library of its own: where the variable says, beside ONNX Runtime's or where ./dev setup puts it.
fs::path webgpu_plugin(const Library& library) {
  if (const auto path = read_env("ORT_WEBGPU_EP_PATH")) return path_from_utf8(*path);
  std::error_code ignored;
  for (const fs::path& folder : {library.info.path.parent_path(), placed_library_folder()}) {
    fs::path plugin = folder / "libonnxruntime_providers_webgpu.so";
    if (fs::exists(plugin, ignored)) return plugin;
  }
  return {};
}

std::string append_plugin(const Library& library, OrtSessionOptions* options, const fs::path& plugin,
                          const char* provider) {
  const OrtApi& api = *library.api;
  if (library.info.api < 22)
    return "ONNX Runtime " + library.info.version + " knows no plugins: 1.22 or newer is needed";
  static std::vector<fs::path> registered;
  if (std::find(registered.begin(), registered.end(), plugin) == registered.end()) {
    if (std::string problem =
            take_message(api, api.RegisterExecutionProviderLibrary(library.env, "imago_webgpu", plugin.c_str()));
        !problem.empty()) {
      return problem;
    }
    registered.push_back(plugin);
  }
  const OrtEpDevice* const* devices = nullptr;
  std::size_t count = 0;
  if (std::string problem = take_message(api, api.GetEpDevices(library.env, &devices, &count)); !problem.empty()) {
    return problem;
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (std::string(api.EpDevice_EpName(devices[i])) != provider) continue;
    return take_message(
        api, api.SessionOptionsAppendExecutionProvider_V2(options, library.env, devices + i, 1, nullptr, nullptr, 0));
  }
  return "no GPU was found that it can use";
}

void set_when_empty(const char* variable, const std::string& value) {
  if (!read_env(variable)) setenv(variable, value.c_str(), 1);
}

// The option's name changed between versions and some builds only read the environment, so both are set; the
// environment stays set through the first run, which compiles. What the user has set there stays.
std::string append_migraphx(const Library& library, OrtSessionOptions* options, const fs::path& model_folder) {
  if (model_folder.empty()) return append_generic(library, options, Device::rocm, {{"device_id", "0"}});
  const std::string folder = read_env("ORT_MIGRAPHX_MODEL_CACHE_PATH").value_or(utf8(model_folder));
  set_when_empty("ORT_MIGRAPHX_CACHE_PATH", folder);
  set_when_empty("ORT_MIGRAPHX_MODEL_CACHE_PATH", folder);
  std::string problem;
  for (const char* option : {"migraphx_model_cache_dir", "migraphx_cache_dir", ""}) {
    Options pairs = {{"device_id", "0"}};
    if (*option != '\0') pairs.emplace_back(option, folder);
    problem = append_generic(library, options, Device::rocm, pairs);
    if (problem.empty()) break;
  }
  return problem;
}

}  // namespace

bool may_have(const Library& library, Device device) {
  if (device == Device::automatic || device == Device::cpu) return true;
  const auto& built = library.info.providers;
  if (std::find(built.begin(), built.end(), provider_name(device)) != built.end()) return true;
  return device == Device::webgpu && !webgpu_plugin(library).empty();
}

std::vector<Device> automatic_devices(const Library& library) {
  std::vector<Device> out;
  for (const Device device : {Device::tensorrt, Device::cuda, Device::rocm, Device::coreml, Device::directml}) {
    if (may_have(library, device)) out.push_back(device);
  }
  return out;
}

std::string append_provider(const Library& library, OrtSessionOptions* options, Device device,
                            const fs::path& model_folder) {
  if (device == Device::webgpu && (read_env("IMAGO_GPU") == "0" || read_env("IMAGO_GPU_BACKEND") == "off")) {
    return "disabled by " + std::string(read_env("IMAGO_GPU") == "0" ? "IMAGO_GPU=0" : "IMAGO_GPU_BACKEND=off");
  }
  if (!may_have(library, device)) {
    return fmt::format("ONNX Runtime {} at {} has no {}", library.info.version, utf8(library.info.path),
                       provider_name(device));
  }
  const Options cache =
      model_folder.empty()
          ? Options{}
          : Options{{device == Device::coreml ? "ModelCacheDirectory" : "cache_dir", utf8(model_folder)}};
  switch (device) {
    case Device::rocm: return append_migraphx(library, options, model_folder);
    case Device::cuda: return append_cuda(library, options);
    case Device::tensorrt: return append_tensorrt(library, options, model_folder);
    case Device::openvino:
    case Device::coreml: return append_generic(library, options, device, cache);
    case Device::directml: return append_generic(library, options, device, {{"device_id", "0"}});
    case Device::webgpu: {
      const fs::path plugin = webgpu_plugin(library);
      return plugin.empty() ? append_generic(library, options, device, {})
                            : append_plugin(library, options, plugin, provider_name(device));
    }
    case Device::automatic:
    case Device::cpu: break;
  }
  return "";
}

std::string slow_start(Device device, const fs::path& model_folder) {
  if (device != Device::rocm && device != Device::tensorrt) return "";
  std::error_code ignored;
  if (!model_folder.empty() && !fs::is_empty(model_folder, ignored)) return "";
  return fmt::format("the first run on {} compiles the model, which can take minutes; later runs load it from {}",
                     name_of(device), model_folder.empty() ? "nowhere (no cache folder)" : utf8(model_folder));
}

}  // namespace imago::nn
