// The face sampler: coordinates of a row in f32 (vectorised), then integer arithmetic per pixel. The AVX2 form and the
// plain form give the same bits; face.wgsl is the third twin.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "base/parallel.h"
#include "base/simd.h"
#include "pano/equirect_coordinates.h"
#include "pano/panorama.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace imago::pano {
namespace {

// Sample position in panorama pixels (first pixel's centre at 0.5) of the pixels of a face row.
IMAGO_SIMD_CLONES void row_coordinates(const FacesPlan& plan, const FacePlan& face, int j, float* x, float* y) {
  const float half = static_cast<float>(face.size) * 0.5f;
  const float v = static_cast<float>(j) + 0.5f - half;
  const float width = static_cast<float>(plan.panorama_width);
  const float height = static_cast<float>(plan.panorama_height);
  const float row_x = face.row[0] * v + face.centre[0];
  const float row_y = face.row[1] * v + face.centre[1];
  const float row_z = face.row[2] * v + face.centre[2];
  const float column_x = face.column[0];
  const float column_y = face.column[1];
  const float column_z = face.column[2];
  const int size = face.size;
  for (int i = 0; i < size; ++i) {
    const float u = static_cast<float>(i) + 0.5f - half;
    const float dx = column_x * u + row_x;
    const float dy = column_y * u + row_y;
    const float dz = column_z * u + row_z;
    const float flat = std::sqrt(dx * dx + dz * dz);
    x[i] = (turns_atan2(dx, dz) + 0.5f) * width;
    y[i] = (turns_atan2(dy, flat) * 2.0f + 0.5f) * height;
  }
}

// Sample positions in 1/256 pixels of a part: floor is the pixel, the rest the phase.
struct Position {
  int x, y;
};

inline Position position_in_part(const LevelPart& part, float x, float y) {
  const float x_scale = 256.0f / static_cast<float>(1 << part.x_halvings);
  const float y_scale = 256.0f / static_cast<float>(1 << part.y_halvings);
  return {static_cast<int>(std::floor(x * x_scale - 127.5f)), static_cast<int>(std::floor(y * y_scale - 127.5f))};
}

struct BlockKernels {
  const std::int16_t* x;  // rows of tap_count weights, one a phase
  const std::int16_t* y;
};

// One pixel. Horizontal sums are kept in two halves (taps 0 1 4 5 and 2 3 6 7), each cut to 1/64 of a level, as the
// vector form has them; the final rounding makes up for what the cuts lose on average.
inline constexpr int final_rounding = (1 << 19) + weight_one;

template <int x_taps, int y_taps>
std::uint32_t sample_plain(const std::uint32_t* pixels, std::ptrdiff_t stride, const std::int16_t* wx,
                           const std::int16_t* wy) {
  constexpr int first_x = (tap_count - x_taps) / 2;
  constexpr int first_y = (tap_count - y_taps) / 2;
  std::uint32_t out = 0xff000000u;
  for (int channel = 0; channel < 3; ++channel) {
    int sum = final_rounding;
    for (int ty = first_y; ty < first_y + y_taps; ++ty) {
      const std::uint32_t* row = pixels + (ty - 3) * stride - 3;
      int halves[2] = {0, 0};
      for (int tx = first_x; tx < first_x + x_taps; ++tx) {
        halves[((tx - first_x) >> 1) & 1] += static_cast<int>((row[tx] >> (8 * channel)) & 255u) * wx[tx];
      }
      sum += wy[ty] * ((halves[0] >> 8) + (halves[1] >> 8));
    }
    out |= static_cast<std::uint32_t>(std::clamp(sum >> 20, 0, 255)) << (8 * channel);
  }
  return out;
}

struct RowWork {
  const FacesPlan* plan;
  const FacePlan* face;
  const PanoramaLevels* levels;
  const float* x;
  const float* y;
  std::uint32_t* out;
};

template <int x_taps, int y_taps>
void sample_run_plain(const RowWork& work, int begin, int end, std::size_t part, BlockKernels kernels) {
  const LevelPart& level = work.plan->parts[part];
  const PartView view = work.levels->views[part];
  const std::uint32_t* pixels = work.levels->pixels_of(part);
  for (int i = begin; i < end; ++i) {
    const Position at = position_in_part(level, work.x[i], work.y[i]);
    const std::uint32_t* pixel =
        pixels + (view.origin + static_cast<std::ptrdiff_t>(at.y >> 8) * view.stride + (at.x >> 8));
    work.out[i] = sample_plain<x_taps, y_taps>(pixel, view.stride, kernels.x + (at.x & 255) * tap_count,
                                               kernels.y + (at.y & 255) * tap_count);
  }
}

#if defined(__x86_64__)
// Pairs of neighbouring pixels, channel by channel, widened to 16 bits: the layout that pmaddwd wants.
__attribute__((target("avx2"))) inline __m256i paired_channels(const std::uint32_t* four_pixels) {
  const __m128i order = _mm_setr_epi8(0, 4, 1, 5, 2, 6, 3, 7, 8, 12, 9, 13, 10, 14, 11, 15);
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(four_pixels));
  return _mm256_cvtepu8_epi16(_mm_shuffle_epi8(bytes, order));
}

__attribute__((target("avx2"))) inline __m256i spread_weights(const std::int16_t* four_weights) {
  const __m256i lanes = _mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1);
  const __m128i four = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(four_weights));
  return _mm256_permutevar8x32_epi32(_mm256_castsi128_si256(four), lanes);
}

template <int x_taps, int y_taps>
__attribute__((target("avx2"))) inline std::uint32_t sample_avx2(const std::uint32_t* pixels, std::ptrdiff_t stride,
                                                                 const std::int16_t* wx, const std::int16_t* wy) {
  constexpr int first_x = (tap_count - x_taps) / 2;
  constexpr int first_y = (tap_count - y_taps) / 2;
  const __m256i weights0 = spread_weights(wx + first_x);
  const __m256i weights1 = x_taps == 8 ? spread_weights(wx + 4) : _mm256_setzero_si256();
  const std::uint32_t* row = pixels + (first_y - 3) * stride + (first_x - 3);
  __m256i sum = _mm256_setzero_si256();
#pragma GCC unroll 4
  for (int pair = 0; pair < y_taps / 2; ++pair) {
    __m256i a = _mm256_madd_epi16(paired_channels(row), weights0);
    if constexpr (x_taps == 8) a = _mm256_add_epi32(a, _mm256_madd_epi16(paired_channels(row + 4), weights1));
    row += stride;
    __m256i b = _mm256_madd_epi16(paired_channels(row), weights0);
    if constexpr (x_taps == 8) b = _mm256_add_epi32(b, _mm256_madd_epi16(paired_channels(row + 4), weights1));
    row += stride;
    const __m256i rows = _mm256_blend_epi16(_mm256_srli_epi32(a, 8), _mm256_slli_epi32(b, 8), 0xAA);
    std::int32_t two_weights;
    __builtin_memcpy(&two_weights, wy + first_y + 2 * pair, 4);
    sum = _mm256_add_epi32(sum, _mm256_madd_epi16(rows, _mm256_set1_epi32(two_weights)));
  }
  __m128i total = _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
  total = _mm_srai_epi32(_mm_add_epi32(total, _mm_set1_epi32(final_rounding)), 20);
  total = _mm_packs_epi32(total, total);
  total = _mm_packus_epi16(total, total);
  return static_cast<std::uint32_t>(_mm_cvtsi128_si32(total)) | 0xff000000u;
}

template <int x_taps, int y_taps>
__attribute__((target("avx2"))) void sample_run_avx2(const RowWork& work, int begin, int end, std::size_t part,
                                                     BlockKernels kernels) {
  const LevelPart& level = work.plan->parts[part];
  const PartView view = work.levels->views[part];
  const std::uint32_t* pixels = work.levels->pixels_of(part);
  alignas(32) std::array<int, block_size> xs;
  alignas(32) std::array<int, block_size> ys;
  for (int i = begin; i < end; ++i) {
    const Position at = position_in_part(level, work.x[i], work.y[i]);
    xs[static_cast<std::size_t>(i - begin)] = at.x;
    ys[static_cast<std::size_t>(i - begin)] = at.y;
  }
  for (int i = begin; i < end; ++i) {
    const int x = xs[static_cast<std::size_t>(i - begin)];
    const int y = ys[static_cast<std::size_t>(i - begin)];
    const std::uint32_t* pixel = pixels + (view.origin + static_cast<std::ptrdiff_t>(y >> 8) * view.stride + (x >> 8));
    work.out[i] = sample_avx2<x_taps, y_taps>(pixel, view.stride, kernels.x + (x & 255) * tap_count,
                                              kernels.y + (y & 255) * tap_count);
  }
}
#endif

using SampleRun = void (*)(const RowWork&, int, int, std::size_t, BlockKernels);

// Indexed by (eight taps in x) + 2 * (eight taps in y).
using SampleRuns = std::array<SampleRun, 4>;
constexpr SampleRuns plain_runs = {sample_run_plain<4, 4>, sample_run_plain<8, 4>, sample_run_plain<4, 8>,
                                   sample_run_plain<8, 8>};

const SampleRuns& fastest_runs() {
#if defined(__x86_64__)
  static constexpr SampleRuns avx2_runs = {sample_run_avx2<4, 4>, sample_run_avx2<8, 4>, sample_run_avx2<4, 8>,
                                           sample_run_avx2<8, 8>};
  static const bool has_avx2 = __builtin_cpu_supports("avx2") != 0;
  if (has_avx2) return avx2_runs;
#endif
  return plain_runs;
}

void sample_row(const RowWork& work, int j, const SampleRuns& runs) {
  const FacePlan& face = *work.face;
  const KernelTable& table = work.plan->kernels;
  const Block* blocks = &face.blocks[static_cast<std::size_t>((j / block_size) * face.blocks_per_row)];
  for (int bx = 0; bx < face.blocks_per_row; ++bx) {
    const Block block = blocks[bx];
    const std::size_t row_of_scale = static_cast<std::size_t>(phase_count) * tap_count;
    const BlockKernels kernels{table.weights.data() + block.scale_x * row_of_scale,
                               table.weights.data() + block.scale_y * row_of_scale};
    const std::size_t run =
        (table.has_eight_taps[block.scale_x] ? 1u : 0u) + (table.has_eight_taps[block.scale_y] ? 2u : 0u);
    runs[run](work, bx * block_size, std::min((bx + 1) * block_size, face.size), block.part, kernels);
  }
}

void sample_rows(const FacesPlan& plan, const FacePlan& face, const PanoramaLevels& levels, Rgba8& out,
                 const SampleRuns& runs) {
  parallel_for(face.size, block_size, [&](RowRange rows) {
    std::vector<float> x(static_cast<std::size_t>(face.size));
    std::vector<float> y(x.size());
    for (int j = rows.begin; j < rows.end; ++j) {
      row_coordinates(plan, face, j, x.data(), y.data());
      const RowWork work{&plan, &face, &levels, x.data(), y.data(), reinterpret_cast<std::uint32_t*>(out.row(j))};
      sample_row(work, j, runs);
    }
  });
}

}  // namespace

void sample_face(const FacesPlan& plan, const FacePlan& face, const PanoramaLevels& levels, Rgba8& out) {
  sample_rows(plan, face, levels, out, fastest_runs());
}

void sample_face_plain(const FacesPlan& plan, const FacePlan& face, const PanoramaLevels& levels, Rgba8& out) {
  sample_rows(plan, face, levels, out, plain_runs);
}

}  // namespace imago::pano
