// Inside src/nn only: the loaded API and its errors.
#pragma once

#include <onnxruntime_c_api.h>

#include <filesystem>
#include <string>

#include "base/error.h"
#include "nn/runtime.h"

namespace imago::nn {

struct Library {
  RuntimeInfo info;
  const OrtApi* api = nullptr;
  OrtEnv* env = nullptr;
};

// deps/onnxruntime/lib of a checkout, where ./dev setup puts the library and its plugins; empty when unknown.
std::filesystem::path placed_library_folder();

const Library& load_library(Device device, std::vector<std::string>& notes);

// "" or what the status says. Releases it.
std::string take_message(const OrtApi& api, OrtStatus* status);

// Throws Error{model} "what: message".
void check(const OrtApi& api, OrtStatus* status, const std::string& what);

}  // namespace imago::nn
