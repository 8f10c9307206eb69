#include "gpu/schedule.h"

#include <algorithm>

#include "gpu/bands.h"

namespace imago::gpu {
namespace {

std::string check_pass(const PassList& list, const Pass& pass) {
  const auto valid = [&](int index) { return index >= 0 && index < static_cast<int>(list.buffers.size()); };
  if (pass.kernel == nullptr) return "a pass has no kernel";
  const Kernel& kernel = *pass.kernel;
  const std::string name = "pass " + std::string(kernel.name) + ": ";
  if (pass.inputs.size() != kernel.inputs.size()) {
    return name + std::to_string(pass.inputs.size()) + " inputs for a kernel that binds " +
           std::to_string(kernel.inputs.size());
  }
  if (pass.tables.size() != kernel.tables.size()) {
    return name + std::to_string(pass.tables.size()) + " tables for a kernel that binds " +
           std::to_string(kernel.tables.size());
  }
  if (kernel.workgroup_size < 1) return name + "no workgroup size";
  if (!valid(pass.output)) return name + "no output buffer";
  for (const PassInput& input : pass.inputs) {
    if (!valid(input.buffer)) return name + "no input buffer";
    if (input.buffer == pass.output) return name + "reads and writes the same buffer";
  }
  return {};
}

}  // namespace

std::string check_list(const PassList& list, std::span<const Readback> wanted) {
  const auto valid = [&](int index) { return index >= 0 && index < static_cast<int>(list.buffers.size()); };
  for (const PassBuffer& buffer : list.buffers) {
    if (buffer.width < 1 || buffer.height < 1 || buffer.channels < 1) return "a buffer is empty";
  }
  for (const PassUpload& upload : list.uploads) {
    if (!valid(upload.buffer)) return "an upload has no buffer";
    if (upload.bytes.size() != buffer_bytes(list.buffers[static_cast<std::size_t>(upload.buffer)])) {
      return "an upload has " + std::to_string(upload.bytes.size()) + " bytes, its buffer " +
             std::to_string(buffer_bytes(list.buffers[static_cast<std::size_t>(upload.buffer)]));
    }
  }
  for (const Pass& pass : list.passes) {
    if (std::string problem = check_pass(list, pass); !problem.empty()) return problem;
  }
  for (const Readback& readback : wanted) {
    if (!valid(readback.buffer)) return "a readback has no buffer";
    if (readback.destination.size() != buffer_bytes(list.buffers[static_cast<std::size_t>(readback.buffer)])) {
      return "a readback has room for " + std::to_string(readback.destination.size()) + " bytes, its buffer has " +
             std::to_string(buffer_bytes(list.buffers[static_cast<std::size_t>(readback.buffer)]));
    }
  }
  return {};
}

Schedule schedule(const PassList& list, std::span<const Readback> wanted, const std::vector<bool>& found) {
  const std::size_t buffers = list.buffers.size();
  const int end = static_cast<int>(list.passes.size());
  Schedule out;
  out.runs.assign(list.passes.size(), false);
  out.live.assign(buffers, false);
  out.last_use.assign(buffers, -1);
  std::vector<bool> needed(buffers, false);  // by what has been visited so far, which runs later
  const auto need = [&](int buffer, int pass) {
    const auto i = static_cast<std::size_t>(buffer);
    needed[i] = true;
    out.live[i] = true;
    out.last_use[i] = std::max(out.last_use[i], pass);
  };
  for (const Readback& readback : wanted) need(readback.buffer, end);
  for (int p = end - 1; p >= 0; --p) {
    const Pass& pass = list.passes[static_cast<std::size_t>(p)];
    const auto output = static_cast<std::size_t>(pass.output);
    if (!needed[output] || found[output]) continue;
    out.runs[static_cast<std::size_t>(p)] = true;
    out.last_use[output] = std::max(out.last_use[output], p);
    if (!pass.keep_output) needed[output] = false;  // what was in it before is overwritten
    for (const PassInput& input : pass.inputs) need(input.buffer, p);
  }
  return out;
}

std::vector<bool> cacheable(const PassList& list) {
  std::vector<int> makers(list.buffers.size(), 0);
  for (const PassUpload& upload : list.uploads) ++makers[static_cast<std::size_t>(upload.buffer)];
  for (const Pass& pass : list.passes) {
    if (!pass.keep_output) ++makers[static_cast<std::size_t>(pass.output)];
  }
  std::vector<bool> out(list.buffers.size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = list.buffers[i].key != 0 && makers[i] == 1;
  return out;
}

}  // namespace imago::gpu
