#include "gpu/bands.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

namespace imago::gpu {
namespace {

std::uint64_t pixel_bytes(const PassBuffer& buffer) { return static_cast<std::uint64_t>(buffer.channels) * 4; }

std::uint64_t row_bytes(const PassBuffer& buffer) {
  return static_cast<std::uint64_t>(buffer.width) * pixel_bytes(buffer);
}

// The offset is a multiple of the device's alignment and of a pixel, so that kernels keep counting in pixels.
BoundRows bind(const PassBuffer& buffer, RowRange rows, RowRange own, int slice_begin, std::uint64_t alignment) {
  const std::uint64_t step = std::lcm(pixel_bytes(buffer), alignment);
  const std::uint64_t start = static_cast<std::uint64_t>(rows.begin - slice_begin) * row_bytes(buffer);
  BoundRows out;
  out.first_row = rows.begin;
  out.row_count = rows.count();
  out.own_first = own.begin;
  out.own_end = own.end;
  out.offset_bytes = start / step * step;
  out.size_bytes = static_cast<std::uint64_t>(rows.end - slice_begin) * row_bytes(buffer) - out.offset_bytes;
  out.pixel_offset = static_cast<std::uint32_t>((start - out.offset_bytes) / pixel_bytes(buffer));
  return out;
}

RowRange at_least_one_row(double begin, double end, int height) {
  const double limit = height;
  const int first = static_cast<int>(std::clamp(begin, 0.0, limit - 1));
  const int last = static_cast<int>(std::clamp(end, first + 1.0, limit));
  return {first, last};
}

RowRange rows_needed(const InputReach& reach, RowRange output, int height) {
  const double first = output.begin * reach.scale + reach.offset;
  const double last = (output.end - 1) * reach.scale + reach.offset;
  return at_least_one_row(std::floor(std::min(first, last)) - reach.reach,
                          std::ceil(std::max(first, last)) + reach.reach + 1, height);
}

RowRange with_reach(RowRange own, int reach, int height) {
  return clamp(RowRange{own.begin - reach, own.end + reach}, height);
}

// The largest count in [1, most] that satisfies a monotone predicate; 0 when not even 1 does.
template <typename Predicate>
int largest(int most, Predicate&& fits) {
  if (most < 1 || !fits(1)) return 0;
  if (fits(most)) return most;
  int good = 1, bad = most;
  while (bad - good > 1) {
    const int middle = good + (bad - good) / 2;
    (fits(middle) ? good : bad) = middle;
  }
  return good;
}

class Planner {
 public:
  Planner(const Pass& pass, const std::vector<PassBuffer>& buffers, const BandLimits& limits,
          const std::vector<Slices>& slices)
      : pass_(pass), buffers_(buffers), limits_(limits), slices_(slices) {
    if (!slices_.empty()) return;
    for (const PassBuffer& buffer : buffers_) slices_.push_back({{{0, buffer.height}, {0, buffer.height}}});
  }

  PassBands plan() {
    PassBands out;
    const std::vector<RowRange> gather_bands = plan_gather(out.error);
    if (!out.error.empty()) return out;
    for (std::size_t s = 0; s < slices_of(pass_.output).size(); ++s) {
      const std::vector<RowRange> output_bands = plan_output(s, out.error);
      if (!out.error.empty()) return {.bands = {}, .error = out.error};
      for (const RowRange own : gather_bands) {
        for (const RowRange rows : output_bands) out.bands.push_back(dispatch(rows, s, own));
      }
    }
    return out;
  }

 private:
  const PassBuffer& buffer(int index) const { return buffers_[static_cast<std::size_t>(index)]; }

  const Slices& slices_of(int index) const { return slices_[static_cast<std::size_t>(index)]; }

  // Nothing when the rows lie in no slice or are over the limit.
  std::optional<BoundRows> bound(int index, RowRange rows, RowRange own) const {
    const Slices& slices = slices_of(index);
    const auto slice = std::find_if(slices.begin(), slices.end(), [&](const Slice& candidate) {
      return candidate.rows.begin <= rows.begin && candidate.rows.end >= rows.end;
    });
    if (slice == slices.end()) return std::nullopt;
    BoundRows out = bind(buffer(index), rows, own, slice->rows.begin, limits_.offset_alignment);
    out.slice = static_cast<int>(slice - slices.begin());
    if (out.size_bytes > limits_.binding_bytes) return std::nullopt;
    return out;
  }

  BoundRows bound_output(RowRange rows, std::size_t slice) const {
    BoundRows out =
        bind(buffer(pass_.output), rows, rows, slices_of(pass_.output)[slice].rows.begin, limits_.offset_alignment);
    out.slice = static_cast<int>(slice);
    return out;
  }

  std::optional<BoundRows> bound_rows(const PassInput& input, RowRange output) const {
    const RowRange rows = rows_needed(input.reach, output, buffer(input.buffer).height);
    return bound(input.buffer, rows, rows);
  }

  std::optional<BoundRows> bound_gather(const PassInput& input, RowRange own) const {
    const int height = buffer(input.buffer).height;
    if (own.count() == 0) own = {0, height};  // not banded: every input is bound whole
    return bound(input.buffer, with_reach(own, input.reach.reach, height), own);
  }

  // Bands of gathered input rows; one empty range when the inputs fit whole.
  std::vector<RowRange> plan_gather(std::string& error) const {
    int height = -1;
    bool whole = true;
    bool same_height = true;
    for (const PassInput& input : pass_.inputs) {
      if (input.reach.kind != InputReach::Kind::gather) continue;
      const int own_height = buffer(input.buffer).height;
      whole = whole && bound_gather(input, {});
      same_height = same_height && (height < 0 || height == own_height);
      height = own_height;
    }
    if (whole) return {RowRange{}};
    if (!same_height) {
      error = "gathered inputs of different heights exceed the device's binding limit";
      return {};
    }
    return cut({0, height}, error, [&](RowRange own) {
      return std::all_of(pass_.inputs.begin(), pass_.inputs.end(), [&](const PassInput& input) {
        return input.reach.kind != InputReach::Kind::gather || bound_gather(input, own);
      });
    });
  }

  std::vector<RowRange> plan_output(std::size_t slice, std::string& error) const {
    const PassBuffer& output = buffer(pass_.output);
    return cut(slices_of(pass_.output)[slice].rows, error, [&](RowRange rows) {
      const std::uint64_t invocations =
          static_cast<std::uint64_t>(rows.count()) * static_cast<std::uint64_t>(output.width);
      if (rows.count() > 1 && invocations > limits_.invocations) return false;
      if (bound_output(rows, slice).size_bytes > limits_.binding_bytes) return false;
      return std::all_of(pass_.inputs.begin(), pass_.inputs.end(), [&](const PassInput& input) {
        return input.reach.kind == InputReach::Kind::gather || bound_rows(input, rows);
      });
    });
  }

  template <typename Fits>
  std::vector<RowRange> cut(RowRange all, std::string& error, Fits&& range_fits) const {
    std::vector<RowRange> out;
    for (int begin = all.begin; begin < all.end;) {
      const int count = largest(all.end - begin, [&](int n) { return range_fits(RowRange{begin, begin + n}); });
      if (count == 0) {
        error = "one row with its reach is over the device's binding limit of " +
                std::to_string(limits_.binding_bytes >> 20) + " MiB";
        return {};
      }
      out.push_back({begin, begin + count});
      begin += count;
    }
    return out;
  }

  DispatchBand dispatch(RowRange rows, std::size_t slice, RowRange own) const {
    DispatchBand out;
    out.rows = rows;
    out.output = bound_output(rows, slice);
    for (const PassInput& input : pass_.inputs) {
      const bool gathers = input.reach.kind == InputReach::Kind::gather;
      out.inputs.push_back((gathers ? bound_gather(input, own) : bound_rows(input, rows)).value());
    }
    return out;
  }

  const Pass& pass_;
  const std::vector<PassBuffer>& buffers_;
  const BandLimits& limits_;
  std::vector<Slices> slices_;
};

}  // namespace

PassBands plan_bands(const Pass& pass, const std::vector<PassBuffer>& buffers, const BandLimits& limits,
                     const std::vector<Slices>& slices) {
  return Planner(pass, buffers, limits, slices).plan();
}

std::uint64_t guard_bytes(const PassBuffer& buffer) {
  return (static_cast<std::uint64_t>(buffer.width) + 64) * pixel_bytes(buffer);
}

// The data lies one guard later and the binding starts one guard before it: the binding's offset stays what it was.
void include_guards(BoundRows& rows, const PassBuffer& buffer) {
  rows.size_bytes += 2 * guard_bytes(buffer);
  rows.pixel_offset += static_cast<std::uint32_t>(guard_bytes(buffer) / pixel_bytes(buffer));
}

Groups fold_groups(std::uint64_t invocations, std::uint32_t workgroup_size, std::uint32_t groups_per_dimension) {
  const std::uint64_t groups = std::max<std::uint64_t>((invocations + workgroup_size - 1) / workgroup_size, 1);
  const std::uint64_t rows = (groups + groups_per_dimension - 1) / groups_per_dimension;
  const std::uint64_t columns = (groups + rows - 1) / rows;
  return {static_cast<std::uint32_t>(columns), static_cast<std::uint32_t>(rows)};
}

}  // namespace imago::gpu
