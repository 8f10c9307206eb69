// Names of outputs by a template: "{date}_{camera}_{name}_{index:4}".
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace imago {

// {name} {ext} {folder} {index} {index:DIGITS} {date} {time} {year} {month} {day} {camera} {lens} {iso}; "{{" and "}}"
// are braces. A slash makes folders. Facts come from the photo's headers and are read only where they are asked for;
// what is not known is "unknown". Throws Error{usage} for anything else in braces.
std::string output_name(std::string_view name_template, const std::filesystem::path& photo, std::size_t index);

// Throws as output_name would, without a photo.
void check_name_template(std::string_view name_template);

inline constexpr std::string_view name_template_help =
    "Names in an output folder, e.g. {date}_{name}_{index:4}: {name} {ext} {folder} {index} {date} {time} {year} "
    "{month} {day} {camera} {lens} {iso}; a slash makes folders";

}  // namespace imago
