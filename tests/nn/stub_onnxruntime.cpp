// A library that looks like ONNX Runtime with MIGraphX built in, as far as making a session goes: it writes down what
// the program told it and what it would read from the environment, and then refuses. No AMD card is needed to see that
// the provider gets its options, its cache folder and its environment.
//
// IMAGO_STUB_REPORT names the file it writes to, one fact a line.
#include <onnxruntime_c_api.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace {

// What a status points to; never freed, a test process is short.
OrtStatus* status(const char* message) { return reinterpret_cast<OrtStatus*>(new std::string(message)); }

void report(const std::string& line) {
  const char* path = std::getenv("IMAGO_STUB_REPORT");
  if (path == nullptr) return;
  std::FILE* file = std::fopen(path, "a");
  std::fprintf(file, "%s\n", line.c_str());
  std::fclose(file);
}

const char* ORT_API_CALL message_of(const OrtStatus* s) noexcept {
  return reinterpret_cast<const std::string*>(s)->c_str();
}
void ORT_API_CALL release_status(OrtStatus*) noexcept {}

OrtStatus* ORT_API_CALL create_env(OrtLoggingLevel, const char*, OrtEnv** out) noexcept {
  *out = reinterpret_cast<OrtEnv*>(new int);
  return nullptr;
}

OrtStatus* ORT_API_CALL no_telemetry(const OrtEnv*) noexcept { return nullptr; }

OrtStatus* ORT_API_CALL providers(char*** out, int* count) noexcept {
  static char migraphx[] = "MIGraphXExecutionProvider";
  static char cpu[] = "CPUExecutionProvider";
  static char* names[] = {migraphx, cpu};
  *out = names;
  *count = 2;
  return nullptr;
}
OrtStatus* ORT_API_CALL release_providers(char**, int) noexcept { return nullptr; }

OrtStatus* ORT_API_CALL create_options(OrtSessionOptions** out) noexcept {
  *out = reinterpret_cast<OrtSessionOptions*>(new int);
  return nullptr;
}
void ORT_API_CALL release_options(OrtSessionOptions*) noexcept {}
OrtStatus* ORT_API_CALL set_level(OrtSessionOptions*, GraphOptimizationLevel) noexcept { return nullptr; }
OrtStatus* ORT_API_CALL set_threads(OrtSessionOptions*, int) noexcept { return nullptr; }

OrtStatus* ORT_API_CALL append(OrtSessionOptions*, const char* name, const char* const* keys, const char* const* values,
                               size_t count) noexcept {
  std::string line = std::string("append ") + name;
  for (size_t i = 0; i < count; ++i) {
    line += std::string(" ") + keys[i] + "=" + values[i];
    // As a build does that has the option under its newer name.
    if (std::getenv("IMAGO_STUB_NEWER") != nullptr && std::string(keys[i]) == "migraphx_model_cache_dir") {
      report("refused " + std::string(keys[i]));
      return status("unknown option");
    }
  }
  report(line);
  return nullptr;
}

OrtStatus* ORT_API_CALL create_session(const OrtEnv*, const ORTCHAR_T*, const OrtSessionOptions*,
                                       OrtSession**) noexcept {
  for (const char* name : {"ORT_MIGRAPHX_CACHE_PATH", "ORT_MIGRAPHX_MODEL_CACHE_PATH"}) {
    const char* value = std::getenv(name);
    const bool exists = value != nullptr && std::filesystem::is_directory(value);
    report(std::string("session ") + name + "=" + (value != nullptr ? value : "") + (exists ? " exists" : " missing"));
  }
  return status("the stub makes no sessions");
}

const OrtApi* ORT_API_CALL get_api(uint32_t) noexcept {
  static OrtApi api = [] {
    OrtApi made = {};
    made.GetErrorMessage = message_of;
    made.ReleaseStatus = release_status;
    made.CreateEnv = create_env;
    made.DisableTelemetryEvents = no_telemetry;
    made.GetAvailableProviders = providers;
    made.ReleaseAvailableProviders = release_providers;
    made.CreateSessionOptions = create_options;
    made.ReleaseSessionOptions = release_options;
    made.SetSessionGraphOptimizationLevel = set_level;
    made.SetIntraOpNumThreads = set_threads;
    made.SessionOptionsAppendExecutionProvider = append;
    made.CreateSession = create_session;
    return made;
  }();
  return &api;
}
const char* ORT_API_CALL version() noexcept { return "1.23.0"; }

}  // namespace

extern "C" __attribute__((visibility("default"))) const OrtApiBase* OrtGetApiBase() {
  static const OrtApiBase base = {get_api, version};
  return &base;
}
