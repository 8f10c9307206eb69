#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <fstream>
#include <utility>

#include "base/hash.h"
#include "base/parallel.h"
#include "base/path_text.h"
#include "nn/half.h"
#include "nn/ort.h"
#include "nn/providers.h"

namespace imago::nn {
namespace {

namespace fs = std::filesystem;

template <typename Handle>
class Owned {
 public:
  using Release = void(ORT_API_CALL*)(Handle*);
  Owned() = default;
  Owned(Handle* handle, Release release) : handle_(handle), release_(release) {}
  Owned(Owned&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)), release_(other.release_) {}
  Owned& operator=(Owned&& other) noexcept {
    std::swap(handle_, other.handle_);
    std::swap(release_, other.release_);
    return *this;
  }
  ~Owned() {
    if (handle_ != nullptr) release_(handle_);
  }
  Handle* get() const { return handle_; }

 private:
  Handle* handle_ = nullptr;
  Release release_ = nullptr;
};

std::vector<std::byte> read_model(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) throw Error(ErrorKind::model, utf8(path) + ": there is no such model file");
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  std::vector<std::byte> bytes(file ? static_cast<std::size_t>(file.tellg()) : 0);
  file.seekg(0);
  file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  if (!file) throw Error(ErrorKind::model, utf8(path) + ": cannot be read");
  if (bytes.empty()) throw Error(ErrorKind::model, utf8(path) + ": the model file is empty");
  return bytes;
}

Element element_of(ONNXTensorElementDataType type) {
  switch (type) {
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT: return Element::f32;
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT16: return Element::f16;
    default: return Element::other;
  }
}

std::size_t count_of(const std::vector<std::int64_t>& shape) {
  std::size_t count = 1;
  for (const std::int64_t n : shape) count *= static_cast<std::size_t>(std::max<std::int64_t>(n, 0));
  return count;
}

}  // namespace

Tensor tensor_of(std::vector<std::int64_t> shape, std::vector<float> values) {
  const auto owner = std::make_shared<const std::vector<float>>(std::move(values));
  return {std::move(shape), *owner, owner};
}

struct Session::State {
  const Library* library = nullptr;
  fs::path path;
  std::string name;  // of the model, for messages
  Owned<OrtSession> session;
  Owned<OrtMemoryInfo> memory;
  std::vector<Port> inputs;
  std::vector<Port> outputs;
  Device device = Device::cpu;
  SessionOptions asked;
  std::vector<std::string> notes;

  const OrtApi& api() const { return *library->api; }
  void make(std::span<const std::byte> model, Device wanted, const SessionOptions& options);
  void make_with_fallback(std::span<const std::byte> model, const SessionOptions& options);
  std::vector<Port> ports(bool of_inputs) const;
  Port port(std::size_t index, bool of_input) const;
  Tensor tensor_from(std::shared_ptr<OrtValue> value, const Port& port) const;
  std::vector<Tensor> run(std::span<const Tensor> inputs) const;
};

// Throws Error{model}.
void Session::State::make(std::span<const std::byte> model, Device wanted, const SessionOptions& options) {
  OrtSessionOptions* raw = nullptr;
  check(api(), api().CreateSessionOptions(&raw), name);
  const Owned<OrtSessionOptions> made(raw, api().ReleaseSessionOptions);
  check(api(), api().SetSessionGraphOptimizationLevel(raw, ORT_ENABLE_ALL), name);
  const int threads = options.threads > 0 ? options.threads : thread_count();
  check(api(), api().SetIntraOpNumThreads(raw, threads), name);
  if (wanted == Device::directml) {
    check(api(), api().DisableMemPattern(raw), name);
    check(api(), api().SetSessionExecutionMode(raw, ORT_SEQUENTIAL), name);
  }
  if (wanted != Device::cpu) {
    fs::path folder;
    if (!options.cache_folder.empty()) {
      const std::uint64_t hash = Hash64().add(model).value();
      folder = options.cache_folder / fmt::format("{:016x}", hash);
      std::error_code error;
      fs::create_directories(folder, error);
      if (error) {
        notes.push_back(fmt::format("{}: {}: compiled models are not kept", utf8(folder), error.message()));
        folder.clear();
      }
    }
    if (const std::string problem = append_provider(*library, raw, wanted, folder); !problem.empty()) {
      throw Error(ErrorKind::model, problem);
    }
    if (const std::string line = slow_start(wanted, folder); !line.empty()) notes.push_back(line);
  }
  OrtSession* session_handle = nullptr;
  check(api(), api().CreateSession(library->env, path.c_str(), raw, &session_handle), name);
  session = Owned<OrtSession>(session_handle, api().ReleaseSession);
  device = wanted;
}

void Session::State::make_with_fallback(std::span<const std::byte> model, const SessionOptions& options) {
  std::vector<Device> devices;
  if (options.device == Device::automatic) {
    devices = automatic_devices(*library);
  } else if (options.device != Device::cpu) {
    devices = {options.device};
  }
  for (const Device wanted : devices) {
    try {
      return make(model, wanted, options);
    } catch (const Error& error) {
      const std::string line = fmt::format("{} cannot be used: {}", name_of(wanted), error.what());
      if (options.strict && options.device != Device::automatic) throw Error(ErrorKind::model, line);
      notes.push_back(line + ": running on the CPU");
    }
  }
  try {
    make(model, Device::cpu, options);
  } catch (const Error& error) {  // the notes would be lost with the session
    if (notes.empty()) throw;
    throw Error(ErrorKind::model, fmt::format("{} ({})", error.what(), fmt::join(notes, "; ")));
  }
}

Port Session::State::port(std::size_t index, bool of_input) const {
  OrtAllocator* allocator = nullptr;
  check(api(), api().GetAllocatorWithDefaultOptions(&allocator), name);
  char* text = nullptr;
  check(api(),
        of_input ? api().SessionGetInputName(session.get(), index, allocator, &text)
                 : api().SessionGetOutputName(session.get(), index, allocator, &text),
        name);
  Port port;
  port.name = text;
  take_message(api(), api().AllocatorFree(allocator, text));
  OrtTypeInfo* info = nullptr;
  check(api(),
        of_input ? api().SessionGetInputTypeInfo(session.get(), index, &info)
                 : api().SessionGetOutputTypeInfo(session.get(), index, &info),
        name);
  const Owned<OrtTypeInfo> owned(info, api().ReleaseTypeInfo);
  const OrtTensorTypeAndShapeInfo* shape = nullptr;
  check(api(), api().CastTypeInfoToTensorInfo(info, &shape), name);
  if (shape == nullptr) {  // a sequence or a map
    port.element = Element::other;
    return port;
  }
  ONNXTensorElementDataType type = ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED;
  check(api(), api().GetTensorElementType(shape, &type), name);
  port.element = element_of(type);
  std::size_t rank = 0;
  check(api(), api().GetDimensionsCount(shape, &rank), name);
  port.shape.resize(rank);
  check(api(), api().GetDimensions(shape, port.shape.data(), rank), name);
  return port;
}

std::vector<Port> Session::State::ports(bool of_inputs) const {
  std::size_t count = 0;
  check(api(),
        of_inputs ? api().SessionGetInputCount(session.get(), &count)
                  : api().SessionGetOutputCount(session.get(), &count),
        name);
  std::vector<Port> out;
  for (std::size_t i = 0; i < count; ++i) out.push_back(port(i, of_inputs));
  return out;
}

Session::Session(const fs::path& model, const SessionOptions& options) : state_(std::make_unique<State>()) {
  State& state = *state_;
  state.path = model;
  state.name = utf8(model);
  state.asked = options;
  const std::vector<std::byte> bytes = read_model(model);
  state.library = &load_library(options.device, state.notes);
  state.make_with_fallback(bytes, options);
  state.inputs = state.ports(true);
  state.outputs = state.ports(false);
  OrtMemoryInfo* memory = nullptr;
  check(state.api(), state.api().CreateCpuMemoryInfo(OrtArenaAllocator, OrtMemTypeDefault, &memory), state.name);
  state.memory = Owned<OrtMemoryInfo>(memory, state.api().ReleaseMemoryInfo);
}

Session::~Session() = default;

const std::vector<Port>& Session::inputs() const { return state_->inputs; }
const std::vector<Port>& Session::outputs() const { return state_->outputs; }
const RuntimeInfo& Session::runtime() const { return state_->library->info; }
Device Session::device() const { return state_->device; }
const std::vector<std::string>& Session::notes() const { return state_->notes; }

std::string Session::metadata(const std::string& key) const {
  const OrtApi& api = state_->api();
  OrtModelMetadata* made = nullptr;
  if (!take_message(api, api.SessionGetModelMetadata(state_->session.get(), &made)).empty()) return "";
  const Owned<OrtModelMetadata> metadata(made, api.ReleaseModelMetadata);
  OrtAllocator* allocator = nullptr;
  if (!take_message(api, api.GetAllocatorWithDefaultOptions(&allocator)).empty()) return "";
  char* text = nullptr;
  if (!take_message(api, api.ModelMetadataLookupCustomMetadataMap(made, allocator, key.c_str(), &text)).empty()) {
    return "";
  }
  if (text == nullptr) return "";
  std::string value = text;
  take_message(api, api.AllocatorFree(allocator, text));
  return value;
}

Tensor Session::State::tensor_from(std::shared_ptr<OrtValue> value, const Port& port) const {
  OrtTensorTypeAndShapeInfo* made = nullptr;
  check(api(), api().GetTensorTypeAndShape(value.get(), &made), name);
  const Owned<OrtTensorTypeAndShapeInfo> info(made, api().ReleaseTensorTypeAndShapeInfo);
  std::size_t rank = 0;
  check(api(), api().GetDimensionsCount(made, &rank), name);
  std::vector<std::int64_t> shape(rank);
  check(api(), api().GetDimensions(made, shape.data(), rank), name);
  void* data = nullptr;
  check(api(), api().GetTensorMutableData(value.get(), &data), name);
  const std::size_t count = count_of(shape);
  if (port.element == Element::f16) {
    const std::span half(static_cast<const std::uint16_t*>(data), count);
    std::vector<float> values(count);
    std::transform(half.begin(), half.end(), values.begin(), float_from_half);
    return tensor_of(std::move(shape), std::move(values));
  }
  return {std::move(shape), {static_cast<const float*>(data), count}, std::move(value)};
}

std::vector<Tensor> Session::State::run(std::span<const Tensor> tensors) const {
  std::vector<std::vector<std::uint16_t>> halves(tensors.size());
  std::vector<Owned<OrtValue>> owned;
  std::vector<const OrtValue*> values;
  std::vector<const char*> input_names;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const Tensor& tensor = tensors[i];
    const bool half = inputs[i].element == Element::f16;
    // The API takes the data as writable and does not write it.
    void* data = const_cast<float*>(tensor.values.data());
    if (half) {
      halves[i].resize(tensor.values.size());
      std::transform(tensor.values.begin(), tensor.values.end(), halves[i].begin(), half_from_float);
      data = halves[i].data();
    }
    OrtValue* value = nullptr;
    check(api(),
          api().CreateTensorWithDataAsOrtValue(
              memory.get(), data, tensor.values.size() * (half ? 2 : 4), tensor.shape.data(), tensor.shape.size(),
              half ? ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT16 : ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT, &value),
          name);
    owned.emplace_back(value, api().ReleaseValue);
    values.push_back(value);
    input_names.push_back(inputs[i].name.c_str());
  }
  std::vector<std::size_t> places;
  std::vector<const char*> output_names;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i].element == Element::other) continue;
    places.push_back(i);
    output_names.push_back(outputs[i].name.c_str());
  }
  std::vector<OrtValue*> results(places.size(), nullptr);
  check(api(),
        api().Run(session.get(), nullptr, input_names.data(), values.data(), values.size(), output_names.data(),
                  output_names.size(), results.data()),
        name);
  std::vector<std::shared_ptr<OrtValue>> kept;
  for (OrtValue* value : results) kept.emplace_back(value, api().ReleaseValue);
  std::vector<Tensor> out(outputs.size());
  for (std::size_t i = 0; i < places.size(); ++i) out[places[i]] = tensor_from(kept[i], outputs[places[i]]);
  return out;
}

std::vector<Tensor> Session::run(std::span<const Tensor> inputs) {
  State& state = *state_;
  if (inputs.size() != state.inputs.size()) throw Error(ErrorKind::model, state.name + ": wrong number of inputs");
  try {
    return state.run(inputs);
  } catch (const Error& error) {
    const bool may_fall_back = state.device != Device::cpu && !state.asked.strict;
    if (!may_fall_back) throw;
    state.notes.push_back(
        fmt::format("{} failed in a run: {}: running on the CPU", name_of(state.device), error.what()));
  }
  state.make({}, Device::cpu, state.asked);
  return state.run(inputs);
}

}  // namespace imago::nn
