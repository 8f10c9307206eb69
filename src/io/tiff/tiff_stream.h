// libtiff without its global state: per-file error handlers that keep the first message, reads from memory, writes to
// a sink. Private to src/io/tiff.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <string>

#include <tiffio.h>

#include "io/byte_sink.h"

namespace imago::io {

struct TiffCloser {
  void operator()(TIFF* tiff) const { TIFFClose(tiff); }
};
using TiffHandle = std::unique_ptr<TIFF, TiffCloser>;

// Must stay where it is while the handle lives.
struct TiffStream {
  std::span<const std::byte> memory;  // reading
  ByteSink* sink = nullptr;           // writing
  std::uint64_t position = 0;
  std::string message;        // the first error
  std::exception_ptr thrown;  // what the sink threw

  TiffHandle open_read(std::span<const std::byte> bytes);
  TiffHandle open_write(ByteSink& out, bool big);

 private:
  TiffHandle open(const char* mode);
};

}  // namespace imago::io
