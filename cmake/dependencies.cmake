# System libraries come through pkg-config; prebuilt ones from deps/ (./dev setup puts them there).
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()

set(IMAGO_DEPS ${CMAKE_SOURCE_DIR}/deps CACHE PATH "Folder of the prebuilt libraries")

find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
foreach(module libjpeg libpng libtiff-4 lcms2 exiv2 libavformat libavcodec libavutil libswscale)
  pkg_check_modules(${module} REQUIRED IMPORTED_TARGET ${module})
endforeach()
# Formats that are built in where their library is there: if(TARGET PkgConfig::libjxl) …
foreach(module libjxl libjxl_threads libavif libwebp libheif libwebpdemux libwebpmux)
  pkg_check_modules(${module} QUIET IMPORTED_TARGET ${module})
endforeach()
if(IMAGO_TESTS)
  find_package(GTest REQUIRED)
endif()

# LibRaw: the system's if new enough, else the one in deps/, else the system's older one with a warning.
pkg_check_modules(libraw_system QUIET IMPORTED_TARGET libraw_r)
add_library(imago_libraw INTERFACE)
if(libraw_system_FOUND AND libraw_system_VERSION VERSION_GREATER_EQUAL 0.22)
  target_link_libraries(imago_libraw INTERFACE PkgConfig::libraw_system)
elseif(EXISTS ${IMAGO_DEPS}/libraw/include/libraw/libraw.h)
  target_include_directories(imago_libraw SYSTEM INTERFACE ${IMAGO_DEPS}/libraw/include)
  target_link_libraries(imago_libraw INTERFACE ${IMAGO_DEPS}/libraw/lib/libraw_r.so.25)
elseif(libraw_system_FOUND)
  message(WARNING "LibRaw ${libraw_system_VERSION} is older than 0.22: newer cameras will not open")
  target_link_libraries(imago_libraw INTERFACE PkgConfig::libraw_system)
else()
  message(FATAL_ERROR "LibRaw not found: run ./dev setup")
endif()

if(IMAGO_GPU)
  if(NOT EXISTS ${IMAGO_DEPS}/wgpu/include/webgpu/webgpu.h)
    message(FATAL_ERROR "wgpu-native not found in ${IMAGO_DEPS}: run ./dev setup, or configure with -DIMAGO_GPU=OFF")
  endif()
  add_library(imago_wgpu_native SHARED IMPORTED GLOBAL)
  set_target_properties(imago_wgpu_native PROPERTIES
    IMPORTED_LOCATION ${IMAGO_DEPS}/wgpu/lib/libwgpu_native.so
    IMPORTED_NO_SONAME TRUE
    INTERFACE_INCLUDE_DIRECTORIES ${IMAGO_DEPS}/wgpu/include)
endif()

# ONNX Runtime is loaded at run time; only its C header is built against.
if(PIPELINE_360_MASKS)
  if(NOT EXISTS ${IMAGO_DEPS}/onnxruntime-header/include/onnxruntime_c_api.h)
    message(FATAL_ERROR "onnxruntime_c_api.h not found in ${IMAGO_DEPS}: run ./dev setup, or configure with "
                        "-DPIPELINE_360_MASKS=OFF")
  endif()
  add_library(imago_onnxruntime_header INTERFACE)
  target_include_directories(imago_onnxruntime_header SYSTEM INTERFACE ${IMAGO_DEPS}/onnxruntime-header/include)
endif()
