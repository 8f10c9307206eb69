#include <fmt/format.h>

#include <iostream>
#include <nlohmann/json.hpp>

#include "base/path_text.h"
#include "commands.h"
#include "io/image_file.h"
#include "io/metadata/metadata.h"
#include "io/picture_reader.h"
#include "io/raw/read_raw.h"

namespace imago {
namespace {

using nlohmann::json;

void add_facts(json& facts, const io::RawInfo& info) {
  const auto text = [&](const char* name, const std::string& value) {
    if (!value.empty()) facts[name] = value;
  };
  const auto number = [&](const char* name, double value) {
    if (value > 0) facts[name] = value;
  };
  text("make", info.make);
  text("model", info.model);
  text("lens", info.lens);
  text("time", info.time);
  number("iso", info.iso);
  number("shutterSeconds", info.shutter_s);
  number("aperture", info.aperture_f);
  number("focalLengthMm", info.focal_length_mm);
  if (info.gps) {
    facts["gps"] = {{"latitude", info.gps->latitude_degrees}, {"longitude", info.gps->longitude_degrees}};
    if (info.gps->altitude_m) facts["gps"]["altitude"] = *info.gps->altitude_m;
  }
}

const char* name_of(io::RawLayout layout) {
  switch (layout) {
    case io::RawLayout::bayer: return "bayer";
    case io::RawLayout::xtrans: return "xtrans";
    case io::RawLayout::monochrome: return "monochrome";
    case io::RawLayout::linear: return "linear";
  }
  return "";
}

json facts_of(const std::filesystem::path& path) {
  const io::InputKind kind = io::sniff(path);
  json facts = {{"input", utf8(path)}, {"kind", io::name_of(kind)}};
  if (kind == io::InputKind::raw) {
    const io::RawInfo info = io::probe_info(path);
    facts["layout"] = name_of(info.layout);
    facts["width"] = info.width;
    facts["height"] = info.height;
    facts["orientation"] = info.orientation;
    if (info.frames > 1) facts["frames"] = info.frames;
    add_facts(facts, info);
  } else if (io::is_picture(kind)) {
    const io::PictureInfo info = io::probe_picture(path);
    facts["width"] = info.width;
    facts["height"] = info.height;
    facts["bits"] = info.bits;
    facts["orientation"] = info.orientation;
    facts["hasProfile"] = !info.icc.empty();
    add_facts(facts, io::read_photo_info(path));
  } else {
    throw Error(ErrorKind::input, utf8(path) + ": neither a raw file nor a picture that can be read");
  }
  return facts;
}

void print_text(const json& facts) {
  std::cout << facts["input"].get<std::string>() << '\n';
  for (const auto& [name, value] : facts.items()) {
    if (name == "input") continue;
    std::cout << fmt::format("  {:<16} {}\n", name, value.is_string() ? value.get<std::string>() : value.dump());
  }
}

}  // namespace

CLI::App* add_info_command(CLI::App& app, InfoCommand& command, cli::CommonOptions& common) {
  CLI::App* info = app.add_subcommand("info", "Show what photos say about themselves (headers only)");
  info->add_option("IN", command.inputs, "Photos")->required()->option_text("IN...");
  cli::add_common_options(*info, common);
  return info;
}

int run_info_command(const InfoCommand& command, const cli::CommonOptions& common) {
  std::size_t failed = 0;
  for (const std::string& input : command.inputs) {
    try {
      const json facts = facts_of(path_from_utf8(input));
      if (common.json) {
        std::cout << facts.dump(-1, ' ', false, json::error_handler_t::replace) << std::endl;
      } else {
        print_text(facts);
      }
    } catch (const Error& error) {
      ++failed;
      if (common.json) {
        std::cout << json{{"input", input}, {"error", error.what()}}.dump(-1, ' ', false,
                                                                          json::error_handler_t::replace)
                  << std::endl;
      } else {
        std::cerr << "error: " << error.what() << std::endl;
      }
    }
  }
  if (failed == 0) return cli::exit_ok;
  return failed == command.inputs.size() ? cli::exit_input : cli::exit_some_failed;
}

}  // namespace imago
