// ISA policy: a hot loop is compiled for the baseline and for x86-64-v3 (AVX2) and chosen at start. Contraction is off
// everywhere (cmake/warnings.cmake), so both give the same bits.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define IMAGO_SIMD_CLONES __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define IMAGO_SIMD_CLONES
#endif
