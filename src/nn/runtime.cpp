#include "nn/runtime.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <mutex>

#include "base/environment.h"
#include "base/path_text.h"
#include "nn/ort.h"
#include "nn/providers.h"

namespace imago::nn {
namespace {

namespace fs = std::filesystem;

constexpr std::array device_names = {"auto",     "cpu",    "rocm",   "cuda",    "tensorrt",
                                     "openvino", "webgpu", "coreml", "directml"};
constexpr int oldest_api = 17;  // 1.17: everything that is called for a CPU session

// The program's own file, whose folder may hold the library.
fs::path program_folder() {
  std::error_code ignored;
  return fs::read_symlink("/proc/self/exe", ignored).parent_path();
}

struct Attempt {
  std::unique_ptr<Library> library;
  std::string problem;
};

std::string loader_message() {
  const char* text = dlerror();
  return text != nullptr ? text : "cannot be loaded";
}

// The newest version that both know. Asking for too new a one prints a line, so the library's own version is asked
// first.
int shared_api(const std::string& version) {
  int minor = 0;
  const std::size_t dot = version.find('.');
  if (dot != std::string::npos) minor = std::atoi(version.c_str() + dot + 1);
  return std::min(minor, ORT_API_VERSION);
}

fs::path path_of(void* symbol, const fs::path& asked) {
  Dl_info info = {};
  if (dladdr(symbol, &info) != 0 && info.dli_fname != nullptr) return info.dli_fname;
  return asked;
}

Attempt open_library(const fs::path& path) {
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return {nullptr, loader_message()};
  using GetApiBase = const OrtApiBase* (*)();
  void* const symbol = dlsym(handle, "OrtGetApiBase");
  if (symbol == nullptr) return {nullptr, utf8(path) + " is not ONNX Runtime"};
  const OrtApiBase* base = reinterpret_cast<GetApiBase>(symbol)();
  auto library = std::make_unique<Library>();
  library->info.path = path_of(symbol, path);
  library->info.version = base->GetVersionString();
  library->info.api = shared_api(library->info.version);
  if (library->info.api >= oldest_api) library->api = base->GetApi(static_cast<std::uint32_t>(library->info.api));
  if (library->api == nullptr) {
    return {nullptr, fmt::format("ONNX Runtime {} at {} is too old: 1.{} or newer is needed", library->info.version,
                                 utf8(library->info.path), oldest_api)};
  }
  const OrtApi& api = *library->api;
  if (std::string problem = take_message(api, api.CreateEnv(ORT_LOGGING_LEVEL_ERROR, "imago", &library->env));
      !problem.empty()) {
    return {nullptr, utf8(path) + ": " + problem};
  }
  take_message(api, api.DisableTelemetryEvents(library->env));  // nobody asked for them
  char** names = nullptr;
  int count = 0;
  if (take_message(api, api.GetAvailableProviders(&names, &count)).empty()) {
    library->info.providers.assign(names, names + count);
    take_message(api, api.ReleaseAvailableProviders(names, count));
  }
  return {std::move(library), ""};
}

// Libraries that were opened in this process; their handles are never given back.
Attempt& opened(const fs::path& path) {
  static std::map<fs::path, Attempt> attempts;
  const auto found = attempts.find(path);
  if (found != attempts.end()) return found->second;
  return attempts.emplace(path, open_library(path)).first->second;
}

}  // namespace

std::optional<Device> device_from_name(const std::string& name) {
  const auto found = std::find(device_names.begin(), device_names.end(), name);
  if (found == device_names.end()) return std::nullopt;
  return static_cast<Device>(found - device_names.begin());
}

const char* name_of(Device device) { return device_names[static_cast<std::size_t>(device)]; }

std::string take_message(const OrtApi& api, OrtStatus* status) {
  if (status == nullptr) return "";
  std::string message = api.GetErrorMessage(status);
  api.ReleaseStatus(status);
  std::replace(message.begin(), message.end(), '\n', ' ');
  // In front of this stands where in its own sources the library noticed.
  const std::size_t mark = message.find("[ONNXRuntimeError] : ");
  if (mark != std::string::npos) message.erase(0, mark);
  while (!message.empty() && message.back() == ' ') message.pop_back();
  return message.empty() ? "unknown error" : message;
}

void check(const OrtApi& api, OrtStatus* status, const std::string& what) {
  if (std::string message = take_message(api, status); !message.empty()) {
    throw Error(ErrorKind::model, what + ": " + message);
  }
}

std::vector<fs::path> library_candidates() {
  std::vector<fs::path> out;
  if (const auto path = read_env("ORT_DYLIB_PATH")) out.push_back(path_from_utf8(*path));
#if defined(__APPLE__)
  out.emplace_back("libonnxruntime.dylib");
#else
  out.emplace_back("libonnxruntime.so");
  out.emplace_back("libonnxruntime.so.1");
#endif
  const fs::path folder = program_folder();
  if (folder.empty()) return out;
  out.push_back(folder / "libonnxruntime.so.1");
  out.push_back(placed_library_folder() / "libonnxruntime.so.1");
  return out;
}

fs::path placed_library_folder() {
  const fs::path folder = program_folder();  // build/<preset>/bin
  if (folder.empty()) return {};
  return folder.parent_path().parent_path().parent_path() / "deps/onnxruntime/lib";
}

const Library& load_library(Device device, std::vector<std::string>& notes) {
  static std::mutex mutex;
  const std::scoped_lock lock(mutex);
  const Library* any = nullptr;
  std::string tried;
  std::vector<fs::path> passed;
  const bool is_asked_for = read_env("ORT_DYLIB_PATH").has_value();
  for (const fs::path& path : library_candidates()) {
    Attempt& attempt = opened(path);
    if (attempt.library == nullptr) {
      if (is_asked_for && tried.empty() && any == nullptr) {
        throw Error(ErrorKind::model, "ORT_DYLIB_PATH names no ONNX Runtime that can be used: " + attempt.problem);
      }
      tried += (tried.empty() ? "" : "; ") + attempt.problem;
      continue;
    }
    if (may_have(*attempt.library, device)) return *attempt.library;
    if (std::find(passed.begin(), passed.end(), attempt.library->info.path) != passed.end()) continue;
    passed.push_back(attempt.library->info.path);  // found under two names it is told once
    notes.push_back(fmt::format("ONNX Runtime {} at {} has no provider for {}", attempt.library->info.version,
                                utf8(attempt.library->info.path), name_of(device)));
    if (any == nullptr) any = attempt.library.get();
  }
  if (any != nullptr) return *any;
  throw Error(ErrorKind::model,
              "ONNX Runtime is needed for masks: ./dev setup places it, or set ORT_DYLIB_PATH to a "
              "libonnxruntime (" +
                  tried + ")");
}

const RuntimeInfo& load_runtime(Device device, std::vector<std::string>& notes) {
  return load_library(device, notes).info;
}

}  // namespace imago::nn
