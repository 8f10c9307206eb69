// The one exception of this project. Thrown at the edges (files, flags, devices), never from pixel loops.
#pragma once

#include <stdexcept>
#include <string>

namespace imago {

enum class ErrorKind {
  input,     // a file that cannot be read or is not supported
  usage,     // a wrong flag or value
  io,        // an output that cannot be written
  gpu,       // the GPU is missing, refused work or was lost
  model,     // an ONNX model or its runtime
  memory,    // out of memory, or a time limit
  internal,  // a fault of this program
};

// what() is one line: what, where, what to do.
class Error : public std::runtime_error {
 public:
  Error(ErrorKind error_kind, const std::string& message) : std::runtime_error(message), kind(error_kind) {}
  ErrorKind kind;
};

// Thrown out of a job whose CancelToken was set; apps turn it into exit code 130.
class Cancelled : public std::exception {
 public:
  const char* what() const noexcept override { return "cancelled"; }
};

}  // namespace imago
