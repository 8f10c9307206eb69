#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "io/byte_source.h"
#include "io/metadata/adobe_maker_note.h"
#include "io/metadata/exiv2_guard.h"
#include "io/metadata/metadata.h"

namespace imago::io {
namespace {

// Tags of the first directory that say how the raw's (or the source file's) pixels are stored.
bool describes_container(std::uint16_t tag) {
  constexpr std::array<std::uint16_t, 42> known{254, 255, 256, 257, 258,   259,   262,   266,   273,  274, 277,
                                                278, 279, 284, 292, 293,   301,   317,   318,   319,  320, 322,
                                                323, 324, 325, 330, 338,   339,   347,   512,   513,  514, 529,
                                                530, 531, 532, 700, 33421, 33422, 33723, 34377, 34675};
  const bool dng = tag >= 50706 && tag <= 52600;
  const bool pointer = tag == 34665 || tag == 34853;
  return dng || pointer || tag == 37398 || tag == 50341 || std::ranges::find(known, tag) != known.end();
}

// TIFF/EP writers (DNG among them) put exposure facts into the first directory; readers of JPEG look in Photo.
bool belongs_into_photo(std::uint16_t tag) {
  constexpr std::array<std::uint16_t, 22> known{33434, 33437, 34850, 34855, 36867, 37377, 37378, 37379,
                                                37380, 37381, 37382, 37383, 37384, 37385, 37386, 37396,
                                                41486, 41487, 41488, 41493, 41495, 37520};
  return std::ranges::find(known, tag) != known.end();
}

bool is_copyright(const Exiv2::Exifdatum& datum) {
  const std::string key = datum.key();
  return key == "Exif.Image.Copyright" || key == "Exif.Image.Artist";
}

bool is_kept(const Exiv2::Exifdatum& datum) {
  const std::string group = datum.groupName();
  if (group == "GPSInfo") return true;
  if (group == "Image") return !describes_container(datum.tag());
  if (group == "Photo") {
    constexpr std::array<std::uint16_t, 5> dropped{41730, 40965, 37121, 37122,
                                                   40961};  // CFAPattern, interoperability …
    return std::ranges::find(dropped, datum.tag()) == dropped.end();
  }
  if (group == "Thumbnail" || group == "MpfInfo" || group == "Iop" || group.starts_with("SubImage") ||
      group.starts_with("SubThumb") || group.starts_with("Image") || group.starts_with("PanasonicRaw")) {
    return false;
  }
  return group.find("Preview") == std::string::npos;  // the rest are maker notes
}

bool is_maker_note(const Exiv2::Exifdatum& datum) {
  const std::string group = datum.groupName();
  return (group != "Image" && group != "Photo" && group != "GPSInfo") || datum.key() == "Exif.Photo.MakerNote";
}

void erase_if(Exiv2::ExifData& exif, const auto& unwanted) {
  for (auto at = exif.begin(); at != exif.end();) at = unwanted(*at) ? exif.erase(at) : std::next(at);
}

Exiv2::ExifData selected_exif(const Exiv2::ExifData& source, MetadataPolicy policy) {
  Exiv2::ExifData exif;
  if (policy == MetadataPolicy::none) return exif;
  for (const Exiv2::Exifdatum& datum : source) {
    if (policy == MetadataPolicy::copyright_only ? !is_copyright(datum) : !is_kept(datum)) continue;
    if (policy == MetadataPolicy::all_but_gps && datum.groupName() == "GPSInfo") continue;
    const bool first_directory = datum.groupName() == "Image";
    if (first_directory && belongs_into_photo(datum.tag())) {
      const Exiv2::ExifKey key(datum.tag(), "Photo");
      if (source.findKey(key) == source.end()) exif.add(key, &datum.value());
      continue;
    }
    exif.add(datum);
  }
  return exif;
}

std::vector<std::byte> encoded(Exiv2::ExifData& exif) {
  if (exif.empty()) return {};
  Exiv2::Blob blob;
  Exiv2::ExifParser::encode(blob, Exiv2::littleEndian, exif);
  const auto* first = reinterpret_cast<const std::byte*>(blob.data());
  return {first, first + blob.size()};
}

std::vector<std::byte> encoded_to_fit(Exiv2::ExifData exif, std::size_t most_bytes,
                                      std::vector<std::string>& warnings) {
  try {
    std::vector<std::byte> blob = encoded(exif);
    if (blob.size() <= most_bytes) return blob;
    warnings.emplace_back("the maker note is too large for the output and was left out");
  } catch (const std::exception&) {
    warnings.emplace_back("the maker note could not be written and was left out");
  }
  erase_if(exif, is_maker_note);
  std::vector<std::byte> blob = encoded(exif);
  if (blob.size() <= most_bytes) return blob;
  erase_if(exif, [](const Exiv2::Exifdatum& datum) { return datum.size() > 4096; });
  return encoded(exif);
}

// Descriptive XMP only: what restates EXIF, or tells how a raw was edited, would be wrong in the output.
bool is_kept(const Exiv2::Xmpdatum& datum, MetadataPolicy policy) {
  const std::string group = datum.groupName();
  if (policy == MetadataPolicy::copyright_only) {
    const std::string key = datum.key();
    return key == "Xmp.dc.rights" || key == "Xmp.dc.creator" || group == "xmpRights" || group == "plus";
  }
  constexpr std::array<std::string_view, 11> dropped{"crs",       "tiff",  "exif",  "exifEX", "aux", "imago",
                                                     "darktable", "xmpMM", "GPano", "xmpDM",  "crd"};
  if (std::ranges::find(dropped, group) != dropped.end()) return false;
  return policy == MetadataPolicy::all || datum.key().find("GPS") == std::string::npos;
}

bool is_kept(const Exiv2::Iptcdatum& datum, MetadataPolicy policy) {
  if (policy == MetadataPolicy::none) return false;
  const std::string name = datum.tagName();
  if (policy == MetadataPolicy::copyright_only) return name == "Byline" || name == "Copyright" || name == "Credit";
  return true;
}

// What the camera wrote, as Adobe's converter has kept it.
void add_adobe_maker_note(const Exiv2::ExifData& source, Exiv2::ExifData& exif) {
  if (source.findKey(Exiv2::ExifKey("Exif.Photo.MakerNote")) != source.end()) return;
  const auto found = source.findKey(Exiv2::ExifKey("Exif.Image.DNGPrivateData"));
  if (found == source.end() || found->size() < 16 || found->size() > (64 << 20)) return;
  std::vector<std::byte> data(static_cast<std::size_t>(found->size()));
  found->copy(reinterpret_cast<Exiv2::byte*>(data.data()), Exiv2::bigEndian);
  const auto note = adobe_maker_note(data);
  if (!note) return;
  const auto text = [&](const char* key) {
    const auto at = source.findKey(Exiv2::ExifKey(key));
    return at == source.end() ? std::string() : at->toString();
  };
  const std::vector<std::byte> tiff = tiff_around(*note, text("Exif.Image.Make"), text("Exif.Image.Model"));
  Exiv2::ExifData decoded;
  Exiv2::ExifParser::decode(decoded, reinterpret_cast<const Exiv2::byte*>(tiff.data()),
                            static_cast<std::uint32_t>(tiff.size()));
  erase_if(exif, is_maker_note);  // what Exiv2 takes the private data's first bytes for
  for (const Exiv2::Exifdatum& datum : decoded) {
    if (is_maker_note(datum) && is_kept(datum)) exif.add(datum);
  }
}

struct Selected {
  Exiv2::ExifData exif;
  Exiv2::XmpData xmp;
  Exiv2::IptcData iptc;
};

// A sidecar's word counts more than the photo's.
void replace_xmp(const Exiv2::XmpData& source, MetadataPolicy policy, Exiv2::XmpData& xmp) {
  for (const Exiv2::Xmpdatum& datum : source) {
    if (!is_kept(datum, policy)) continue;
    const auto old = xmp.findKey(Exiv2::XmpKey(datum.key()));
    if (old != xmp.end()) xmp.erase(old);
    xmp.add(datum);
  }
}

void take_source(const std::filesystem::path& path, MetadataPolicy policy, Selected& selected) {
  with_exiv2(name_of(path), "metadata cannot be read", [&] {
    const auto image = Exiv2::ImageFactory::open(path.string());
    image->readMetadata();
    selected.exif = selected_exif(image->exifData(), policy);
    if (policy != MetadataPolicy::copyright_only) add_adobe_maker_note(image->exifData(), selected.exif);
    for (const Exiv2::Iptcdatum& datum : image->iptcData()) {
      if (is_kept(datum, policy)) selected.iptc.add(datum);
    }
    if (!selected.iptc.empty()) Exiv2::copyIptcToXmp(selected.iptc, selected.xmp);
    replace_xmp(image->xmpData(), policy, selected.xmp);
  });
}

void take_sidecar(const std::filesystem::path& path, MetadataPolicy policy, Selected& selected) {
  std::error_code ignored;
  if (path.empty() || !std::filesystem::is_regular_file(path, ignored)) return;
  with_exiv2(name_of(path), "metadata cannot be read", [&] {
    const auto image = Exiv2::ImageFactory::open(path.string());
    image->readMetadata();
    replace_xmp(image->xmpData(), policy, selected.xmp);
  });
}

void add_wishes(const MetadataWishes& wishes, Selected& selected) {
  const auto say = [&](const std::string& text, const char* exif, const char* xmp, const char* iptc) {
    if (text.empty()) return;
    selected.exif[exif] = text;
    const auto old = selected.xmp.findKey(Exiv2::XmpKey(xmp));
    if (old != selected.xmp.end()) selected.xmp.erase(old);
    selected.xmp[xmp] = text;
    if (!selected.iptc.empty()) selected.iptc[iptc] = text;
  };
  const auto lock = exclusive_xmp();
  say(wishes.artist, "Exif.Image.Artist", "Xmp.dc.creator", "Iptc.Application2.Byline");
  say(wishes.copyright, "Exif.Image.Copyright", "Xmp.dc.rights", "Iptc.Application2.Copyright");
}

std::vector<std::byte> packet(const Exiv2::XmpData& xmp, std::size_t most_bytes) {
  if (xmp.empty()) return {};
  std::string text;
  const auto lock = exclusive_xmp();
  if (Exiv2::XmpParser::encode(text, xmp, Exiv2::XmpParser::useCompactFormat | Exiv2::XmpParser::omitAllFormatting,
                               0) != 0)
    return {};
  if (text.size() > most_bytes) return {};
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

}  // namespace

OutputMetadata metadata_for_output(const std::filesystem::path& source, int width, int height, MetadataPolicy policy,
                                   bool srgb, const MetadataWishes& wishes) {
  OutputMetadata out;
  Selected selected;
  prepare_exiv2();
  const auto attempt = [&](const char* what, const auto& step) {
    try {
      step();
    } catch (const std::exception& error) {
      out.warnings.emplace_back(std::string(what) + error.what());
    }
  };
  if (policy != MetadataPolicy::none) {
    attempt("", [&] { take_source(source, policy, selected); });
    attempt("", [&] { take_sidecar(wishes.sidecar, policy, selected); });
  }
  attempt("metadata could not be written: ", [&] {
    add_wishes(wishes, selected);
    Exiv2::ExifData& exif = selected.exif;
    exif["Exif.Image.Orientation"] = std::uint16_t{1};
    exif["Exif.Image.Software"] = "Imago";
    exif["Exif.Photo.PixelXDimension"] = static_cast<std::uint32_t>(width);
    exif["Exif.Photo.PixelYDimension"] = static_cast<std::uint32_t>(height);
    exif["Exif.Photo.ColorSpace"] = static_cast<std::uint16_t>(srgb ? 1 : 0xffff);
    out.exif = encoded_to_fit(std::move(exif), wishes.most_blob_bytes, out.warnings);
  });
  attempt("XMP could not be written: ", [&] { out.xmp = packet(selected.xmp, wishes.most_blob_bytes); });
  attempt("IPTC could not be written: ", [&] {
    if (selected.iptc.empty()) return;
    out.iptc = bytes_of(Exiv2::IptcParser::encode(selected.iptc));
  });
  return out;
}

}  // namespace imago::io
