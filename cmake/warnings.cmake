# Own code links imago_warnings; third-party headers come in as SYSTEM. -Werror is a preset's matter, not a packager's.
option(IMAGO_WERROR "Treat warnings as errors" OFF)
add_library(imago_warnings INTERFACE)
target_compile_options(imago_warnings INTERFACE
  -ffp-contract=off # every variant of a loop gives the same bits
  -fno-math-errno -fno-trapping-math # sqrt and selects vectorise; no value changes
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wold-style-cast -Wnon-virtual-dtor
  -Woverloaded-virtual -Wdouble-promotion -Wformat=2 -Wimplicit-fallthrough
  -Wno-missing-field-initializers # designated initialisers leave members at their defaults on purpose
  $<$<CXX_COMPILER_ID:GNU>:-Wduplicated-cond -Wlogical-op -Wuseless-cast>
  $<$<BOOL:${IMAGO_WERROR}>:-Werror>)
