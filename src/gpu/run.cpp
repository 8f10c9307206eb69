#include "gpu/run.h"

#include <algorithm>
#include <chrono>
#include <cstring>

#include "gpu/abort_guard.h"
#include "gpu/bands.h"
#include "gpu/guards.h"
#include "gpu/prelude.h"
#include "gpu/readback.h"
#include "gpu/recorder.h"
#include "gpu/schedule.h"
#include "gpu/timing.h"

namespace imago::gpu {
namespace {

// A submission stays short enough for a slow integrated GPU to be preempted (watchdogs: Windows 2 s, i915).
constexpr std::uint64_t flush_invocations = 16'000'000;
// Passes are gathered into one submission until it is worth one.
constexpr std::uint64_t group_invocations = flush_invocations / 4;
constexpr std::uint64_t upload_chunk = std::uint64_t{64} << 20;

std::string mebibytes(std::uint64_t bytes) { return std::to_string((bytes + (1 << 20) - 1) >> 20) + " MiB"; }

[[noreturn]] void not_tried(std::string reason) {
  throw Failure{.reason = std::move(reason), .kind = Fallback::Kind::not_tried};
}

struct PlannedPass {
  std::size_t index = 0;
  PassBands bands;
  const Pipeline* pipeline = nullptr;
  std::vector<BufferRef> tables;
  std::uint64_t params_offset = 0;
  std::vector<std::uint64_t> band_offsets;
};

class Run {
 public:
  Run(const RunContext& context, const PassList& list, std::span<const Readback> wanted, const RunOptions& options,
      RunResult& result)
      : context_(context),
        list_(list),
        wanted_(wanted),
        options_(options),
        result_(result),
        recorder_(context.device, context.faults),
        timing_(context.device, options.time_passes || context.profile),
        guards_(context.device, options.guard_words) {}

  void execute() {
    if (const std::string problem = check_list(list_, wanted_); !problem.empty()) {
      throw Failure{.reason = "internal: " + problem};
    }
    find_cached();
    plan_passes();
    upload_uniforms();
    timing_.begin(planned_dispatches());
    guards_.begin(list_.buffers, written(), context_.buffers, context_.faults);
    for (const PlannedPass& planned : planned_) record(planned);
    read_results();
    if (std::string damage = guards_.damage(); !damage.empty()) throw Failure{.reason = std::move(damage)};
    check_complete();
    keep_cached();
    result_.passes = timing_.passes();
  }

 private:
  const PassBuffer& shape(int buffer) const { return list_.buffers[static_cast<std::size_t>(buffer)]; }
  std::uint64_t bytes_of(int buffer) const { return buffer_bytes(shape(buffer)); }
  CacheKey cache_key(std::size_t i) const {
    const PassBuffer& b = list_.buffers[i];
    return {.key = b.key, .width = b.width, .height = b.height, .channels = b.channels, .element = b.element};
  }
  std::uint64_t flush_limit() const {
    return options_.submission_invocations != 0 ? options_.submission_invocations : flush_invocations;
  }

  void find_cached() {
    storage_.resize(list_.buffers.size());
    found_.assign(list_.buffers.size(), false);
    const bool use_cache = options_.use_cache && !guards_.on();
    cacheable_ = use_cache ? cacheable(list_) : std::vector<bool>(list_.buffers.size(), false);
    for (std::size_t i = 0; i < storage_.size(); ++i) {
      if (!cacheable_[i]) continue;
      storage_[i] = context_.buffers.find(cache_key(i));
      found_[i] = storage_[i] != nullptr;
    }
    schedule_ = schedule(list_, wanted_, found_);
    for (std::size_t i = 0; i < storage_.size(); ++i) {
      if (!schedule_.live[i]) storage_[i] = nullptr;
      if (cacheable_[i] && schedule_.live[i]) schedule_.last_use[i] = static_cast<int>(list_.passes.size());
    }
  }

  void plan_passes() {
    const DeviceLimits& limits = context_.device.limits;
    for (std::size_t i = 0; i < list_.buffers.size(); ++i) {
      const std::uint64_t bytes = guards_.storage_bytes(list_.buffers[i]);
      if (schedule_.live[i] && bytes > limits.buffer_bytes) {
        not_tried(mebibytes(bytes) + " buffer over the device limit of " + mebibytes(limits.buffer_bytes));
      }
    }
    BandLimits band_limits{.binding_bytes = limits.storage_binding_bytes,
                           .offset_alignment = limits.storage_offset_alignment,
                           .invocations = flush_limit()};
    if (guards_.on()) {  // their part of a binding
      std::uint64_t most = 0;
      for (const PassBuffer& buffer : list_.buffers) most = std::max(most, 2 * guard_bytes(buffer));
      band_limits.binding_bytes -= std::min(most, band_limits.binding_bytes);
    }
    if (options_.binding_bytes_limit != 0) {
      band_limits.binding_bytes = std::min(band_limits.binding_bytes, options_.binding_bytes_limit);
    }
    for (std::size_t i = 0; i < list_.passes.size(); ++i) {
      if (schedule_.runs[i]) plan_pass(i, band_limits);
    }
  }

  void plan_pass(std::size_t index, const BandLimits& limits) {
    const Pass& pass = list_.passes[index];
    const std::string name(pass.kernel->name);
    const std::size_t bound = pass.inputs.size() + pass.tables.size() + 1;
    if (bound > context_.device.limits.storage_buffers) {
      not_tried("kernel " + name + ": " + std::to_string(bound) + " buffers over the device limit of " +
                std::to_string(context_.device.limits.storage_buffers));
    }
    PlannedPass planned{.index = index, .bands = plan_bands(pass, list_.buffers, limits)};
    if (!planned.bands.error.empty()) not_tried("kernel " + name + ": " + planned.bands.error);
    if (guards_.on()) include_guards_in(pass, planned.bands);
    planned.pipeline = &context_.pipelines.get(*pass.kernel, shape_of(pass, list_.buffers), context_.faults,
                                               context_.driver_entry_hook);
    for (const PassTable& table : pass.tables) {
      planned.tables.push_back(context_.buffers.table(table.words, context_.faults));
    }
    planned_.push_back(std::move(planned));
  }

  void include_guards_in(const Pass& pass, PassBands& bands) const {
    for (DispatchBand& band : bands.bands) {
      include_guards(band.output, shape(pass.output));
      for (std::size_t i = 0; i < band.inputs.size(); ++i) {
        include_guards(band.inputs[i], shape(pass.inputs[i].buffer));
      }
    }
  }

  std::vector<int> written() const {
    std::vector<int> out;
    for (const PlannedPass& planned : planned_) out.push_back(list_.passes[planned.index].output);
    return out;
  }

  std::size_t planned_dispatches() const {
    std::size_t count = 0;
    for (const PlannedPass& planned : planned_) count += planned.bands.bands.size();
    return count;
  }

  Groups groups(const Pass& pass, const DispatchBand& band) const {
    const std::uint64_t pixels =
        static_cast<std::uint64_t>(band.rows.count()) * static_cast<std::uint64_t>(shape(pass.output).width);
    return fold_groups(pixels, static_cast<std::uint32_t>(pass.kernel->workgroup_size),
                       context_.device.limits.groups_per_dimension);
  }

  // Every uniform of the run in one buffer: the params of each pass, the band of each dispatch.
  void upload_uniforms() {
    if (planned_.empty()) return;
    std::vector<std::byte> bytes;
    const auto add = [&](const std::vector<std::uint32_t>& words) {
      const std::size_t align = context_.device.limits.uniform_offset_alignment;
      const std::size_t offset = (bytes.size() + align - 1) / align * align;
      bytes.resize(offset + uniform_bytes(words.size()));
      if (!words.empty()) std::memcpy(bytes.data() + offset, words.data(), words.size() * 4);
      return offset;
    };
    for (PlannedPass& planned : planned_) {
      const Pass& pass = list_.passes[planned.index];
      planned.params_offset = add(pass.params);
      for (const DispatchBand& band : planned.bands.bands) {
        const std::uint32_t row = groups(pass, band).x * static_cast<std::uint32_t>(pass.kernel->workgroup_size);
        planned.band_offsets.push_back(add(band_words(band, pass, list_.buffers, row)));
      }
    }
    uniforms_ = context_.buffers.take(bytes.size(), BufferUse::uniform, context_.faults);
    wgpuQueueWriteBuffer(context_.device.queue, uniforms_->handle.get(), 0, bytes.data(), bytes.size());
  }

  static std::size_t uniform_bytes(std::size_t words) { return std::max<std::size_t>((words * 4 + 15) / 16 * 16, 16); }

  void make_storage(int buffer) {
    const auto i = static_cast<std::size_t>(buffer);
    if (storage_[i] != nullptr) return;
    storage_[i] = context_.buffers.take(guards_.storage_bytes(shape(buffer)), BufferUse::storage, context_.faults);
    guards_.surround(recorder_, *storage_[i], shape(buffer));
    occupied_ += storage_[i]->bytes;
    result_.peak_buffer_bytes = std::max(result_.peak_buffer_bytes, occupied_);
  }

  void upload(int buffer) {
    const auto i = static_cast<std::size_t>(buffer);
    const auto found = std::find_if(list_.uploads.begin(), list_.uploads.end(),
                                    [&](const PassUpload& upload) { return upload.buffer == buffer; });
    if (storage_[i] != nullptr || found == list_.uploads.end()) return;
    make_storage(buffer);
    // Queue writes go before the next submission: recorded commands that use the same memory must go first.
    submit();
    entering("upload");
    ErrorScopes scopes(context_.device);
    const std::uint64_t data_at = guards_.data_offset(shape(buffer));
    for (std::uint64_t at = 0; at < found->bytes.size(); at += upload_chunk) {
      const std::uint64_t count = std::min<std::uint64_t>(upload_chunk, found->bytes.size() - at);
      wgpuQueueWriteBuffer(context_.device.queue, storage_[i]->handle.get(), data_at + at, found->bytes.data() + at,
                           count);
    }
    if (const std::optional<ScopeError> error = scopes.pop()) throw Failure{.reason = "upload: " + error->message};
    ++result_.uploads;
    result_.uploaded_bytes += found->bytes.size();
  }

  void record(const PlannedPass& planned) {
    const Pass& pass = list_.passes[planned.index];
    for (const PassInput& input : pass.inputs) upload(input.buffer);
    upload(pass.output);
    const bool fresh = storage_[static_cast<std::size_t>(pass.output)] == nullptr;
    make_storage(pass.output);
    if (fresh || !pass.keep_output) {
      recorder_.clear(output(pass), guards_.data_offset(shape(pass.output)), bytes_of(pass.output));
    }
    bool open = false;
    for (std::size_t b = 0; b < planned.bands.bands.size(); ++b) {
      const DispatchBand& band = planned.bands.bands[b];
      const std::uint64_t pixels =
          static_cast<std::uint64_t>(band.rows.count()) * static_cast<std::uint64_t>(shape(pass.output).width);
      if (invocations_ != 0 && invocations_ + pixels > flush_limit()) {
        submit();
        open = false;
      }
      if (!open) {
        recorder_.begin_pass(planned.pipeline->pipeline.get(), timing_.next(planned.index));
        open = true;
      }
      dispatch(planned, b);
      invocations_ += pixels;
    }
    recorder_.end_pass();
    guards_.look(recorder_, output(pass), shape(pass.output), pass.kernel->name);
    timing_.describe(planned.index, std::string(pass.kernel->name), pass_bytes(pass));
    if (invocations_ >= std::min(group_invocations, flush_limit())) submit();
    release_after(static_cast<int>(planned.index), pass);
  }

  const DeviceBuffer& output(const Pass& pass) const { return *storage_[static_cast<std::size_t>(pass.output)]; }

  std::uint64_t pass_bytes(const Pass& pass) const {
    std::uint64_t bytes = bytes_of(pass.output);
    for (const PassInput& input : pass.inputs) bytes += bytes_of(input.buffer);
    return bytes;
  }

  void dispatch(const PlannedPass& planned, std::size_t index) {
    const Pass& pass = list_.passes[planned.index];
    const DispatchBand& band = planned.bands.bands[index];
    std::vector<WGPUBindGroupEntry> entries;
    const auto bind = [&](const DeviceBuffer& buffer, std::uint64_t offset, std::uint64_t size) {
      WGPUBindGroupEntry entry = {};
      entry.binding = static_cast<std::uint32_t>(entries.size());
      entry.buffer = buffer.handle.get();
      entry.offset = offset;
      entry.size = size;
      entries.push_back(entry);
    };
    bind(*uniforms_, planned.band_offsets[index], uniform_bytes(8 + 8 * pass.inputs.size()));
    bind(*uniforms_, planned.params_offset, uniform_bytes(pass.params.size()));
    for (std::size_t i = 0; i < pass.inputs.size(); ++i) {
      const BufferRef& input = storage_[static_cast<std::size_t>(pass.inputs[i].buffer)];
      bind(*input, band.inputs[i].offset_bytes, band.inputs[i].size_bytes);
    }
    for (std::size_t i = 0; i < planned.tables.size(); ++i) {
      bind(*planned.tables[i], 0, std::max<std::uint64_t>(pass.tables[i].words.size() * 4, 4));
    }
    bind(output(pass), band.output.offset_bytes, band.output.size_bytes);
    WGPUBindGroupDescriptor descriptor = {};
    descriptor.layout = planned.pipeline->layout.get();
    descriptor.entryCount = entries.size();
    descriptor.entries = entries.data();
    const BindGroupHandle group(wgpuDeviceCreateBindGroup(context_.device.device, &descriptor));
    const Groups count = groups(pass, band);
    recorder_.dispatch(group.get(), count.x, count.y);
    ++result_.dispatches;
  }

  void release_after(int index, const Pass& pass) {
    const auto release = [&](int buffer) {
      const auto i = static_cast<std::size_t>(buffer);
      if (schedule_.last_use[i] != index || storage_[i] == nullptr) return;
      occupied_ -= storage_[i]->bytes;
      context_.buffers.give_back(std::move(storage_[i]));
      storage_[i] = nullptr;
    };
    for (const PassInput& input : pass.inputs) release(input.buffer);
    release(pass.output);
  }

  void submit() {
    recorder_.submit();
    result_.submissions = recorder_.submissions();
    invocations_ = 0;
  }

  void read_results() {
    std::vector<PendingCopy> copies;
    for (const Readback& readback : wanted_) {
      const auto i = static_cast<std::size_t>(readback.buffer);
      upload(readback.buffer);
      if (storage_[i] == nullptr) throw Failure{.reason = "internal: a wanted buffer is written by nothing"};
      BufferRef staging = context_.buffers.take(readback.destination.size(), BufferUse::readback, context_.faults);
      recorder_.copy(*storage_[i], guards_.data_offset(shape(readback.buffer)), *staging, 0,
                     readback.destination.size());
      copies.push_back({.staging = std::move(staging), .destination = readback.destination});
    }
    timing_.finish(recorder_, context_.buffers, context_.faults, copies);
    guards_.finish(recorder_, context_.buffers, context_.faults, copies);
    submit();
    if (!copies.empty()) read_back(context_.device, copies, options_.readback_limit, context_.faults);
    for (PendingCopy& copy : copies) context_.buffers.give_back(std::move(copy.staging));
    if (uniforms_ != nullptr) context_.buffers.give_back(std::move(uniforms_));
  }

  void check_complete() {
    for (const Readback& readback : wanted_) {
      if (!readback.expect_alpha) continue;
      const std::span<std::byte> bytes = readback.destination;
      const bool incomplete = context_.faults.fires(Fault::incomplete);
      if (incomplete)
        std::fill(bytes.begin() + static_cast<std::ptrdiff_t>(bytes.size() / 8 * 4), bytes.end(), std::byte{0});
      if (context_.faults.fires(Fault::black)) {
        for (std::size_t p = 0; p < bytes.size(); ++p) {
          if (p % 4 != 3) bytes[p] = std::byte{0};
        }
      }
      std::size_t unwritten = 0;
      for (std::size_t p = 3; p < bytes.size(); p += 4) {
        if (bytes[p] != std::byte{255}) ++unwritten;
      }
      if (unwritten == 0) continue;
      const PassBuffer& buffer = shape(readback.buffer);
      fail_for_good(std::to_string(buffer.width) + "×" + std::to_string(buffer.height) +
                        ": the GPU returned an incomplete image (" + std::to_string(unwritten) + " of " +
                        std::to_string(bytes.size() / 4) + " pixels unwritten); the GPU is not used again",
                    incomplete);
    }
  }

  void keep_cached() {
    for (std::size_t i = 0; i < storage_.size(); ++i) {
      if (storage_[i] == nullptr) continue;
      if (cacheable_[i])
        context_.buffers.keep(cache_key(i), std::move(storage_[i]));
      else
        context_.buffers.give_back(std::move(storage_[i]));
      storage_[i] = nullptr;
    }
  }

  const RunContext& context_;
  const PassList& list_;
  std::span<const Readback> wanted_;
  const RunOptions& options_;
  RunResult& result_;
  Recorder recorder_;
  Timing timing_;
  Guards guards_;
  std::vector<BufferRef> storage_;
  std::vector<bool> found_;
  std::vector<bool> cacheable_;
  Schedule schedule_;
  std::vector<PlannedPass> planned_;
  BufferRef uniforms_;
  std::uint64_t invocations_ = 0;  // recorded since the last submission
  std::uint64_t occupied_ = 0;
};

}  // namespace

void run_on_device(const RunContext& context, const PassList& list, std::span<const Readback> wanted,
                   const RunOptions& options, RunResult& result) {
  Run(context, list, wanted, options, result).execute();
}

}  // namespace imago::gpu
