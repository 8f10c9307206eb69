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
#include "gpu/slices.h"
#include "gpu/timing.h"

namespace imago::gpu {
namespace {

// A submission stays short enough for a slow integrated GPU to be preempted (watchdogs: Windows 2 s, i915).
constexpr std::uint64_t flush_invocations = 16'000'000;
// Passes are gathered into one submission until it is worth one.
constexpr std::uint64_t group_invocations = flush_invocations / 4;
constexpr std::uint64_t upload_chunk = std::uint64_t{64} << 20;

[[noreturn]] void not_tried(std::string reason) {
  throw Failure{.reason = std::move(reason), .kind = Fallback::Kind::not_tried};
}

// Leaves alpha, the last quarter of a pixel.
void blacken(std::span<std::byte> bytes, std::size_t pixel) {
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i % pixel < pixel / 4 * 3) bytes[i] = std::byte{0};
  }
}

std::size_t count_unwritten(std::span<const std::byte> bytes, Written written) {
  const std::size_t pixel = written == Written::alpha_255 ? 4 : 16;
  const float one = 1;
  std::size_t count = 0;
  for (std::size_t at = 0; at + pixel <= bytes.size(); at += pixel) {
    const bool is_written = written == Written::alpha_255 ? bytes[at + 3] == std::byte{255}
                                                          : std::memcmp(bytes.data() + at + 12, &one, 4) == 0;
    if (!is_written) ++count;
  }
  return count;
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
    plan_storage();
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
  const Slices& slices(int buffer) const { return slices_.of_buffer[static_cast<std::size_t>(buffer)]; }
  std::uint64_t bytes_of(int buffer) const { return buffer_bytes(shape(buffer)); }
  CacheKey cache_key(std::size_t i, const Slice& slice) const {
    const PassBuffer& b = list_.buffers[i];
    return {.key = b.key,
            .width = b.width,
            .first_row = slice.rows.begin,
            .height = slice.rows.count(),
            .channels = b.channels,
            .element = b.element};
  }
  std::uint64_t flush_limit() const {
    return options_.submission_invocations != 0 ? options_.submission_invocations : flush_invocations;
  }

  // A device that takes no buffer as large as one of the list's keeps it in slices.
  void plan_storage() {
    std::uint64_t largest = context_.device.limits.buffer_bytes;
    if (guards_.on()) largest -= std::min(most_guard_bytes(), largest);
    if (options_.buffer_bytes_limit != 0) largest = std::min(largest, options_.buffer_bytes_limit);
    slices_ = plan_slices(list_, largest);
    if (!slices_.error.empty()) not_tried(slices_.error);
  }

  std::uint64_t most_guard_bytes() const {
    std::uint64_t most = 0;
    for (const PassBuffer& buffer : list_.buffers) most = std::max(most, 2 * guard_bytes(buffer));
    return most;
  }

  void find_cached() {
    storage_.resize(list_.buffers.size());
    found_.assign(list_.buffers.size(), false);
    const bool use_cache = options_.use_cache && !guards_.on();
    cacheable_ = use_cache ? cacheable(list_) : std::vector<bool>(list_.buffers.size(), false);
    for (std::size_t i = 0; i < storage_.size(); ++i) {
      if (!cacheable_[i]) continue;
      for (const Slice& slice : slices_.of_buffer[i]) {
        storage_[i].push_back(context_.buffers.find(cache_key(i, slice)));
      }
      found_[i] = std::find(storage_[i].begin(), storage_[i].end(), nullptr) == storage_[i].end();
      if (!found_[i]) storage_[i].clear();
    }
    schedule_ = schedule(list_, wanted_, found_);
    for (std::size_t i = 0; i < storage_.size(); ++i) {
      if (!schedule_.live[i]) storage_[i].clear();
      if (cacheable_[i] && schedule_.live[i]) schedule_.last_use[i] = static_cast<int>(list_.passes.size());
    }
  }

  void plan_passes() {
    const DeviceLimits& limits = context_.device.limits;
    BandLimits band_limits{.binding_bytes = limits.storage_binding_bytes,
                           .offset_alignment = limits.storage_offset_alignment,
                           .invocations = flush_limit()};
    if (guards_.on()) {  // their part of a binding
      band_limits.binding_bytes -= std::min(most_guard_bytes(), band_limits.binding_bytes);
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
    PlannedPass planned{.index = index, .bands = plan_bands(pass, list_.buffers, limits, slices_.of_buffer)};
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

  std::vector<PassBuffer> written() const {
    std::vector<PassBuffer> out;
    for (const PlannedPass& planned : planned_) {
      const int output = list_.passes[planned.index].output;
      for (const Slice& slice : slices(output)) out.push_back(sliced(shape(output), slice));
    }
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

  std::vector<BufferRef>& storage(int buffer) { return storage_[static_cast<std::size_t>(buffer)]; }

  void make_storage(int buffer) {
    if (!storage(buffer).empty()) return;
    for (const Slice& slice : slices(buffer)) {
      const PassBuffer rows = sliced(shape(buffer), slice);
      storage(buffer).push_back(
          context_.buffers.take(guards_.storage_bytes(rows), BufferUse::storage, context_.faults));
      guards_.surround(recorder_, *storage(buffer).back(), rows);
      occupied_ += storage(buffer).back()->bytes;
    }
    result_.peak_buffer_bytes = std::max(result_.peak_buffer_bytes, occupied_);
  }

  void upload(int buffer) {
    const auto found = std::find_if(list_.uploads.begin(), list_.uploads.end(),
                                    [&](const PassUpload& upload) { return upload.buffer == buffer; });
    if (!storage(buffer).empty() || found == list_.uploads.end()) return;
    make_storage(buffer);
    // Queue writes go before the next submission: recorded commands that use the same memory must go first.
    submit();
    entering("upload");
    ErrorScopes scopes(context_.device);
    for (std::size_t s = 0; s < slices(buffer).size(); ++s) {
      write(*storage(buffer)[s], guards_.data_offset(shape(buffer)),
            rows_of(found->bytes, buffer, slices(buffer)[s].rows));
    }
    if (const std::optional<ScopeError> error = scopes.pop()) throw Failure{.reason = "upload: " + error->message};
    ++result_.uploads;
    result_.uploaded_bytes += found->bytes.size();
  }

  void write(const DeviceBuffer& to, std::uint64_t offset, std::span<const std::byte> bytes) const {
    for (std::uint64_t at = 0; at < bytes.size(); at += upload_chunk) {
      const std::uint64_t count = std::min<std::uint64_t>(upload_chunk, bytes.size() - at);
      wgpuQueueWriteBuffer(context_.device.queue, to.handle.get(), offset + at, bytes.data() + at, count);
    }
  }

  std::uint64_t row_bytes(int buffer) const {
    return bytes_of(buffer) / static_cast<std::uint64_t>(shape(buffer).height);
  }

  template <typename Byte>
  std::span<Byte> rows_of(std::span<Byte> bytes, int buffer, RowRange rows) const {
    return bytes.subspan(static_cast<std::size_t>(rows.begin) * row_bytes(buffer),
                         static_cast<std::size_t>(rows.count()) * row_bytes(buffer));
  }

  void record(const PlannedPass& planned) {
    const Pass& pass = list_.passes[planned.index];
    for (const PassInput& input : pass.inputs) upload(input.buffer);
    upload(pass.output);
    const bool fresh = storage(pass.output).empty();
    make_storage(pass.output);
    if (fresh || !pass.keep_output) clear(pass.output);
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
    for (std::size_t s = 0; s < slices(pass.output).size(); ++s) {
      guards_.look(recorder_, *storage(pass.output)[s], sliced(shape(pass.output), slices(pass.output)[s]),
                   pass.kernel->name);
    }
    timing_.describe(planned.index, std::string(pass.kernel->name), pass_bytes(pass));
    if (invocations_ >= std::min(group_invocations, flush_limit())) submit();
    release_after(static_cast<int>(planned.index), pass);
  }

  void clear(int buffer) {
    for (std::size_t s = 0; s < slices(buffer).size(); ++s) {
      recorder_.clear(*storage(buffer)[s], guards_.data_offset(shape(buffer)),
                      buffer_bytes(sliced(shape(buffer), slices(buffer)[s])));
    }
  }

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
    const auto bind_rows = [&](int buffer, const BoundRows& rows) {
      bind(*storage(buffer)[static_cast<std::size_t>(rows.slice)], rows.offset_bytes, rows.size_bytes);
    };
    for (std::size_t i = 0; i < pass.inputs.size(); ++i) bind_rows(pass.inputs[i].buffer, band.inputs[i]);
    for (std::size_t i = 0; i < planned.tables.size(); ++i) {
      bind(*planned.tables[i], 0, std::max<std::uint64_t>(pass.tables[i].words.size() * 4, 4));
    }
    bind_rows(pass.output, band.output);
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
      if (schedule_.last_use[static_cast<std::size_t>(buffer)] != index) return;
      for (BufferRef& slice : storage(buffer)) {
        occupied_ -= slice->bytes;
        context_.buffers.give_back(std::move(slice));
      }
      storage(buffer).clear();
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
      upload(readback.buffer);
      if (storage(readback.buffer).empty()) throw Failure{.reason = "internal: a wanted buffer is written by nothing"};
      for (std::size_t s = 0; s < slices(readback.buffer).size(); ++s) copy_back(readback, s, copies);
    }
    timing_.finish(recorder_, context_.buffers, context_.faults, copies);
    guards_.finish(recorder_, context_.buffers, context_.faults, copies);
    submit();
    if (!copies.empty()) read_back(context_.device, copies, options_.readback_limit, context_.faults);
    for (PendingCopy& copy : copies) context_.buffers.give_back(std::move(copy.staging));
    if (uniforms_ != nullptr) context_.buffers.give_back(std::move(uniforms_));
  }

  // The slice's own rows.
  void copy_back(const Readback& readback, std::size_t s, std::vector<PendingCopy>& copies) {
    const Slice& slice = slices(readback.buffer)[s];
    const std::span<std::byte> rows = rows_of(readback.destination, readback.buffer, slice.own);
    const std::uint64_t before =
        static_cast<std::uint64_t>(slice.own.begin - slice.rows.begin) * row_bytes(readback.buffer);
    BufferRef staging = context_.buffers.take(rows.size(), BufferUse::readback, context_.faults);
    recorder_.copy(*storage(readback.buffer)[s], guards_.data_offset(shape(readback.buffer)) + before, *staging, 0,
                   rows.size());
    copies.push_back({.staging = std::move(staging), .destination = rows});
  }

  void check_complete() {
    for (const Readback& readback : wanted_) {
      if (readback.written == Written::unchecked) continue;
      const std::size_t pixel = readback.written == Written::alpha_255 ? 4 : 16;
      const std::span<std::byte> bytes = readback.destination;
      const bool incomplete = context_.faults.fires(Fault::incomplete);
      if (incomplete) {
        const std::size_t from = bytes.size() / pixel / 2 * pixel;
        std::fill(bytes.begin() + static_cast<std::ptrdiff_t>(from), bytes.end(), std::byte{0});
      }
      if (context_.faults.fires(Fault::black)) blacken(bytes, pixel);
      const std::size_t unwritten = count_unwritten(bytes, readback.written);
      if (unwritten == 0) continue;
      const PassBuffer& buffer = shape(readback.buffer);
      fail_for_good(std::to_string(buffer.width) + "×" + std::to_string(buffer.height) +
                        ": the GPU returned an incomplete image (" + std::to_string(unwritten) + " of " +
                        std::to_string(bytes.size() / pixel) + " pixels unwritten); the GPU is not used again",
                    incomplete);
    }
  }

  void keep_cached() {
    for (std::size_t i = 0; i < storage_.size(); ++i) {
      for (std::size_t s = 0; s < storage_[i].size(); ++s) {
        if (cacheable_[i]) {
          context_.buffers.keep(cache_key(i, slices_.of_buffer[i][s]), std::move(storage_[i][s]));
        } else {
          context_.buffers.give_back(std::move(storage_[i][s]));
        }
      }
      storage_[i].clear();
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
  ListSlices slices_;
  std::vector<std::vector<BufferRef>> storage_;  // of each buffer, slice by slice; none before it is needed
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
