# imago_library(NAME SOURCES a.cpp … [LINKS imago_x …] [PRIVATE_LINKS lib …])
# One static library per folder; headers are included from the root of src/ ("base/error.h").
function(imago_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINKS;PRIVATE_LINKS" ${ARGN})
  add_library(imago_${name} STATIC ${ARG_SOURCES})
  target_include_directories(imago_${name} PUBLIC ${CMAKE_SOURCE_DIR}/src)
  target_link_libraries(imago_${name} PUBLIC ${ARG_LINKS} PRIVATE imago_warnings ${ARG_PRIVATE_LINKS})
endfunction()

# imago_test(NAME SOURCES a_test.cpp … [LINKS imago_x …]): one GoogleTest program, one ctest entry.
function(imago_test name)
  if(NOT IMAGO_TESTS)
    return()
  endif()
  cmake_parse_arguments(ARG "" "" "SOURCES;LINKS" ${ARGN})
  add_executable(${name}_test ${ARG_SOURCES})
  target_include_directories(${name}_test PRIVATE ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR}/tests)
  target_link_libraries(${name}_test PRIVATE ${ARG_LINKS} imago_warnings GTest::gtest_main GTest::gmock)
  add_test(NAME ${name} COMMAND ${name}_test WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
endfunction()

# imago_fuzz(NAME SOURCES x_fuzz.cpp … [LINKS imago_x …]): program fuzz_NAME around LLVMFuzzerTestOneInput, made by the
# preset "fuzz" only (libFuzzer needs clang).
option(IMAGO_FUZZ "Build the libFuzzer targets" OFF)
function(imago_fuzz name)
  if(NOT IMAGO_FUZZ)
    return()
  endif()
  cmake_parse_arguments(ARG "" "" "SOURCES;LINKS" ${ARGN})
  add_executable(fuzz_${name} ${ARG_SOURCES})
  target_link_libraries(fuzz_${name} PRIVATE ${ARG_LINKS} imago_warnings)
  target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
endfunction()
