#include "io/sidecar/crs.h"

#include <set>

#include "base/error.h"
#include "io/byte_source.h"
#include "io/metadata/exiv2_guard.h"

namespace imago::io {
namespace {

constexpr std::uint64_t most_bytes = std::uint64_t{32} << 20;

int whole_number(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  return end != text.c_str() && value >= 0 && value < 1e6 ? static_cast<int>(value) : 0;
}

std::vector<std::string> items_of(const Exiv2::Xmpdatum& datum) {
  std::vector<std::string> items;
  const auto count = datum.count();  // long or size_t, by version
  for (auto i = count - count; i < count; ++i) items.push_back(datum.toString(i));
  return items;
}

bool is_list(const Exiv2::Xmpdatum& datum) {
  return datum.typeId() == Exiv2::xmpSeq || datum.typeId() == Exiv2::xmpBag || datum.typeId() == Exiv2::xmpAlt;
}

void take_nested(const Exiv2::Xmpdatum& datum, const std::string& path, CrsData& out) {
  if (!path.starts_with("Look/")) return;
  const std::string text = datum.toString();
  if (path == "Look/crs:Name") out.look_name = text;
  const bool gray = path.ends_with("crs:ConvertToGrayscale") && (text == "True" || text == "true");
  if (gray || (path.ends_with("crs:Treatment") && text == "Black & White")) out.look_is_gray = true;
}

void take(const Exiv2::Xmpdatum& datum, CrsData& out, std::set<std::string>& structures) {
  const std::string key = datum.key();
  if (key == "Xmp.tiff.Orientation") out.orientation = whole_number(datum.toString());
  if (key == "Xmp.tiff.ImageWidth" || (key == "Xmp.exif.PixelXDimension" && out.width == 0))
    out.width = whole_number(datum.toString());
  if (key == "Xmp.tiff.ImageLength" || (key == "Xmp.exif.PixelYDimension" && out.height == 0))
    out.height = whole_number(datum.toString());
  constexpr std::string_view prefix = "Xmp.crs.";
  if (!key.starts_with(prefix)) return;
  const std::string name = key.substr(prefix.size());
  const std::size_t inner = name.find_first_of("/[");
  if (inner != std::string::npos) {
    structures.insert(name.substr(0, inner));
    return take_nested(datum, name, out);
  }
  if (is_list(datum)) {
    const std::vector<std::string> items = items_of(datum);
    if (name == "Name") {
      if (!items.empty()) out.name = items.front();
    } else {
      out.lists[name] = items;
    }
  } else if (name == "Name") {
    out.name = datum.toString();
  } else if (datum.typeId() == Exiv2::langAlt) {
    return;
  } else {
    out.values[name] = datum.toString();
  }
}

}  // namespace

CrsData read_crs(const std::filesystem::path& path) {
  const std::vector<std::byte> bytes = read_file(path, most_bytes);
  const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const std::string name = name_of(path);
  if (text.find("rdf:RDF") == std::string::npos) throw Error(ErrorKind::input, name + ": is not XMP");
  return with_exiv2(name, "is not valid XMP", [&] {
    Exiv2::XmpData xmp;
    if (Exiv2::XmpParser::decode(xmp, text) != 0) throw Error(ErrorKind::input, name + ": is not valid XMP");
    CrsData out;
    std::set<std::string> structures;
    for (const Exiv2::Xmpdatum& datum : xmp) take(datum, out, structures);
    // A structure is seen once as a whole, too, without a value.
    for (const std::string& structure : structures) {
      out.values.erase(structure);
      out.lists.erase(structure);
    }
    out.structures.assign(structures.begin(), structures.end());
    if (out.orientation < 1 || out.orientation > 8) out.orientation = 1;
    return out;
  });
}

}  // namespace imago::io
