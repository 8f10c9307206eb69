// What the GPU runs, as plain data. Stages describe their passes here without knowing the device; src/gpu executes a
// PassList (band by band where a buffer exceeds the device's binding limit).
//
// A kernel sees this prelude, written by the recorder from the pass:
//
//   struct Band { first_row: u32, row_count: u32, width: u32, invocation_row: u32 }  // rows of the output
//   struct InputRows { first_row: u32, row_count: u32, own_first: u32, own_end: u32 }
//   @group(0) @binding(0) var<uniform> band: …     band, and InputRows of each input as `band.input0` …
//   @group(0) @binding(1) var<uniform> params: Params;                (Params: WGSL text of the pass)
//   @group(0) @binding(2…) var<storage, read> NAME: array<f32 | u32>   inputs, in the order of the kernel's list
//   @group(0) @binding(…)  var<storage, read> NAME: array<f32 | u32>   tables, whole
//   @group(0) @binding(…)  var<storage, read_write> NAME: array<f32 | u32>   the output rows of this band
//   fn band_pixel(id: vec3<u32>) -> vec3<u32>   // (x, y in the whole image, 1 when inside the band else 0)
//   fn output_index(x: u32, y: u32) -> u32      // pixel index into the bound output rows
//   fn inputN_index(x: u32, y: u32) -> u32      // pixel index into the bound rows of input N (y in the whole image)
//
// and is written as
//
//   @compute @workgroup_size(256) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
//     let at = band_pixel(id);
//     if (at.z == 0u) { return; }
//     …
//   }
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/rect.h"

namespace imago {

// Identifies what a buffer holds across renders: source, parameters, process version. 0 = not cached.
using StageKey = std::uint64_t;

enum class Element : std::uint8_t { f32, u32 };

// One compute kernel: its text (function library first, the entry point last) and the names of what it binds.
struct Kernel {
  std::string_view name;                  // as in profiles and error messages: "resize_rows"
  std::vector<std::string_view> sources;  // WGSL pieces, concatenated in order after the prelude
  std::vector<std::string_view> inputs;   // variable names
  std::vector<std::string_view> tables;
  std::string_view output;       // variable name
  std::string_view params_wgsl;  // body of `struct Params`: "gain: f32, offset: f32,"
  std::string_view entry_point = "main";
  int workgroup_size = 256;
};

// Which rows of an input a band of output rows needs.
struct InputReach {
  enum class Kind : std::uint8_t {
    rows,    // output row y needs input rows floor(y * scale + offset) - reach … ceil(y * scale + offset) + reach
    gather,  // any rows: the pass runs once per band of *input* rows; a kernel writes only the pixels whose owning
             // input row lies in [own_first, own_end); `reach` more rows are bound on both sides
  };
  Kind kind = Kind::rows;
  double scale = 1;
  double offset = 0;
  int reach = 0;
};

struct PassBuffer {
  int width = 0;
  int height = 0;
  int channels = 1;
  Element element = Element::f32;
  StageKey key = 0;  // when set, the buffer may be kept and found again by a later render
  std::string_view name;
};

struct PassInput {
  int buffer = -1;
  InputReach reach;
};

struct PassTable {
  std::vector<std::uint32_t> words;  // bit patterns; f32 tables through std::bit_cast
  Element element = Element::f32;
};

// Runs its kernel once for every pixel of `output` (channels are the kernel's business).
struct Pass {
  const Kernel* kernel = nullptr;
  std::vector<PassInput> inputs;
  std::vector<PassTable> tables;
  std::vector<std::uint32_t> params;  // words of struct Params, scalars or arrays of vec4 only
  int output = -1;
  bool keep_output = false;  // the output is not cleared: this pass adds to what an earlier pass wrote
};

struct PassUpload {
  int buffer = -1;
  std::span<const std::byte> bytes;  // must outlive the run
};

// A render's worth of passes, in order. The executor drops passes whose output nobody needs or that is cached.
struct PassList {
  std::vector<PassBuffer> buffers;
  std::vector<PassUpload> uploads;
  std::vector<Pass> passes;

  int add_buffer(PassBuffer buffer) {
    buffers.push_back(buffer);
    return static_cast<int>(buffers.size()) - 1;
  }
};

}  // namespace imago
