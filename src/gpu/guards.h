// Known words before and after the data of every buffer of a run (RunOptions::guard_words): a kernel that writes
// outside its buffer changes them, one that reads outside gets NaN. Bindings are widened over them, because a device
// ignores what happens outside a binding. Between the bands of one buffer there are none: there the neighbouring rows
// lie.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/bands.h"
#include "gpu/readback.h"
#include "gpu/recorder.h"

namespace imago::gpu {

constexpr std::uint32_t guard_word = 0x7fe5'a5a5;  // as f32 a quiet NaN

// Off, every function does nothing and offsets are 0. Executor thread only.
class Guards {
 public:
  Guards(const Device& device, bool on) : device_(device), on_(on) {}

  bool on() const { return on_; }
  std::uint64_t data_offset(const PassBuffer& buffer) const { return on_ ? guard_bytes(buffer) : 0; }
  std::uint64_t storage_bytes(const PassBuffer& buffer) const { return buffer_bytes(buffer) + 2 * data_offset(buffer); }

  // `writes`: the output of each dispatched pass, slice by slice. Before anything is recorded.
  void begin(const std::vector<PassBuffer>& buffers, const std::vector<PassBuffer>& writes, Buffers& storage,
             FaultState& faults);
  void surround(Recorder& recorder, const DeviceBuffer& storage, const PassBuffer& buffer);
  void look(Recorder& recorder, const DeviceBuffer& storage, const PassBuffer& buffer, std::string_view kernel);
  void finish(Recorder& recorder, Buffers& storage, FaultState& faults, std::vector<PendingCopy>& copies);
  std::string damage() const;  // after the readback: "" or "kernel K wrote outside buffer B"

 private:
  struct Look {
    std::string kernel;
    std::string buffer;
    std::size_t first_word = 0;
    std::size_t words = 0;
  };

  const Device& device_;
  bool on_ = false;
  BufferRef pattern_;  // guard words to copy from
  BufferRef seen_;     // the guards as each pass left them, one after another
  std::size_t seen_words_ = 0;
  std::vector<Look> looks_;
  std::vector<std::uint32_t> words_;
};

}  // namespace imago::gpu
