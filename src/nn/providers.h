// Inside src/nn only: execution providers by device, and what each wants to be told.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "nn/ort.h"

namespace imago::nn {

// Whether a session on `device` may be tried with this library. Says nothing about hardware.
bool may_have(const Library& library, Device device);

// What `automatic` tries, best first; the CPU is not among them.
std::vector<Device> automatic_devices(const Library& library);

// Adds the device's provider to the options of a session to come. "" or why it cannot be had: any refusal of the
// library's means "not available", its codes differ by version. Sets the environment that the provider reads when the
// session is made or first run. `model_folder`: this model's place in the cache, made before; may be empty.
std::string append_provider(const Library& library, OrtSessionOptions* options, Device device,
                            const std::filesystem::path& model_folder);

// A line about a first run that takes minutes, or "".
std::string slow_start(Device device, const std::filesystem::path& model_folder);

}  // namespace imago::nn
