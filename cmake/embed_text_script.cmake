file(READ ${INPUT} TEXT)
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT [=[
#pragma once
#include <string_view>
namespace imago::wgsl {
inline constexpr std::string_view @NAME@ = R"wgsl(@TEXT@)wgsl";
}
]=])
