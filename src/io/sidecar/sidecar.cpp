#include "io/sidecar/sidecar.h"

#include <charconv>
#include <cmath>
#include <system_error>

#include "base/atomic_file.h"
#include "io/byte_source.h"
#include "io/metadata/exiv2_guard.h"

namespace imago::io {
namespace {

constexpr std::uint64_t most_sidecar_bytes = std::uint64_t{32} << 20;

// Empty when the text is no XMP.
std::optional<Exiv2::XmpData> parse(const std::filesystem::path& path) {
  const std::vector<std::byte> bytes = read_file(path, most_sidecar_bytes);
  const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const auto lock = exclusive_xmp();
  Exiv2::XmpData xmp;
  try {
    if (text.find("rdf:RDF") == std::string::npos || Exiv2::XmpParser::decode(xmp, text) != 0) return std::nullopt;
  } catch (const std::exception&) {
    return std::nullopt;
  }
  return xmp;
}

// Gives the broken file another name. `moved` is false when that failed.
struct KeptAside {
  bool moved = false;
  std::string warning;
};
KeptAside keep_aside(const std::filesystem::path& path) {
  const std::string broken = name_of(path) + ": is not valid XMP";
  for (int n = 1; n < 10000; ++n) {
    std::filesystem::path aside = path;
    aside += ".broken-" + std::to_string(n);
    std::error_code error;
    if (std::filesystem::exists(aside, error)) continue;
    std::filesystem::rename(path, aside, error);
    if (error) return {false, broken + " and could not be renamed: " + error.message()};
    return {true, broken + ": kept as " + name_of(aside)};
  }
  return {false, broken + " and too many broken ones lie beside it"};
}

std::string text_of(const Exiv2::XmpData& xmp, const char* key) {
  const auto found = xmp.findKey(Exiv2::XmpKey(key));
  return found == xmp.end() ? std::string() : found->toString();
}

std::optional<int> integer_of(const Exiv2::XmpData& xmp, const char* key) {
  const std::string text = text_of(xmp, key);
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);  // some programs write "3.0"
  if (end == text.c_str() || !(std::abs(value) < 1e9)) return std::nullopt;
  return static_cast<int>(std::lround(value));
}

void erase(Exiv2::XmpData& xmp, const char* key) {
  const auto found = xmp.findKey(Exiv2::XmpKey(key));
  if (found != xmp.end()) xmp.erase(found);
}

void set(Exiv2::XmpData& xmp, const char* key, const std::string& text) {
  erase(xmp, key);
  if (!text.empty()) xmp[key] = text;
}

}  // namespace

std::filesystem::path sidecar_path(const std::filesystem::path& photo) {
  std::filesystem::path path = photo;
  path += ".xmp";
  return path;
}

std::optional<Sidecar> read_sidecar(const std::filesystem::path& photo) {
  const std::filesystem::path path = sidecar_path(photo);
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return std::nullopt;
  Sidecar sidecar;
  const std::optional<Exiv2::XmpData> xmp = parse(path);
  if (!xmp) {
    sidecar.warnings.push_back(keep_aside(path).warning);
    return sidecar;
  }
  with_exiv2(name_of(path), "cannot be read", [&] {
    sidecar.settings = text_of(*xmp, "Xmp.imago.settings");
    sidecar.process_version = integer_of(*xmp, "Xmp.imago.processVersion").value_or(0);
    if (sidecar.settings.empty()) sidecar.process_version = 0;
    sidecar.rating = integer_of(*xmp, "Xmp.xmp.Rating");
    if (sidecar.rating && (*sidecar.rating < -1 || *sidecar.rating > 5)) {
      sidecar.warnings.push_back(name_of(path) + ": xmp:Rating " + std::to_string(*sidecar.rating) +
                                 " is not between -1 and 5: ignored");
      sidecar.rating.reset();
    }
    sidecar.label = text_of(*xmp, "Xmp.xmp.Label");
    const auto subject = xmp->findKey(Exiv2::XmpKey("Xmp.dc.subject"));
    if (subject != xmp->end()) {
      const auto count = subject->count();  // long or size_t, by version
      for (auto i = count - count; i < count; ++i) sidecar.keywords.push_back(subject->toString(i));
    }
    return 0;
  });
  return sidecar;
}

std::vector<std::string> write_sidecar(const std::filesystem::path& photo, const Sidecar& sidecar) {
  const std::filesystem::path path = sidecar_path(photo);
  std::vector<std::string> warnings;
  prepare_exiv2();
  Exiv2::XmpData xmp;
  std::error_code error;
  if (std::filesystem::exists(path, error)) {
    if (auto existing = parse(path)) {
      xmp = std::move(*existing);
    } else {
      const KeptAside aside = keep_aside(path);
      if (!aside.moved) throw Error(ErrorKind::io, aside.warning);
      warnings.push_back(aside.warning);
    }
  }
  std::string packet;
  with_exiv2(name_of(path), "cannot be written", [&] {
    set(xmp, "Xmp.imago.settings", sidecar.settings);
    set(xmp, "Xmp.imago.processVersion", sidecar.settings.empty() ? "" : std::to_string(sidecar.process_version));
    set(xmp, "Xmp.xmp.Rating", sidecar.rating ? std::to_string(*sidecar.rating) : "");
    set(xmp, "Xmp.xmp.Label", sidecar.label);
    erase(xmp, "Xmp.dc.subject");
    for (const std::string& keyword : sidecar.keywords) xmp["Xmp.dc.subject"] = keyword;  // appends to the bag
    constexpr std::uint16_t flags = Exiv2::XmpParser::useCompactFormat | Exiv2::XmpParser::omitPacketWrapper;
    if (Exiv2::XmpParser::encode(packet, xmp, flags) != 0)
      throw Error(ErrorKind::internal, name_of(path) + ": XMP cannot be encoded");
    return 0;
  });
  write_file_atomically(path,
                        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + packet + (packet.ends_with('\n') ? "" : "\n"));
  return warnings;
}

}  // namespace imago::io
