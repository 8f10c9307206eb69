#include "io/image_file.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "io/byte_source.h"
#include "io/tiff_tags.h"

namespace imago::io {
namespace {

bool starts_with(const std::vector<std::byte>& head, std::size_t at, std::string_view magic) {
  if (head.size() < at + magic.size()) return false;
  return std::equal(
      magic.begin(), magic.end(), head.begin() + static_cast<std::ptrdiff_t>(at),
      [](char a, std::byte b) { return static_cast<unsigned char>(a) == std::to_integer<unsigned char>(b); });
}

std::string lower_extension(const std::filesystem::path& path) {
  std::string extension = path.extension().string();
  for (char& c : extension) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return extension;
}

bool has_raw_extension(const std::filesystem::path& path) {
  constexpr std::array<std::string_view, 43> known{
      ".3fr", ".ari", ".arq", ".arw", ".bay", ".cap", ".cr2", ".cr3", ".crm", ".crw", ".dcr",
      ".dcs", ".dng", ".drf", ".eip", ".erf", ".fff", ".gpr", ".iiq", ".k25", ".kdc", ".mdc",
      ".mef", ".mos", ".mrw", ".nef", ".nrw", ".orf", ".ori", ".pef", ".ptx", ".pxn", ".r3d",
      ".raf", ".raw", ".rw2", ".rwl", ".rwz", ".sr2", ".srf", ".srw", ".sti", ".x3f"};
  return std::ranges::find(known, lower_extension(path)) != known.end();
}

// A TIFF structure is a raw when it has a DNG version, a colour filter array, a maker's magic word or a raw's name.
InputKind kind_of_tiff(const std::filesystem::path& path, const std::vector<std::byte>& head) {
  if (starts_with(head, 8, "CR\2") || starts_with(head, 2, "RO") || starts_with(head, 2, "RS") ||
      starts_with(head, 0, std::string_view("IIU\0", 4))) {
    return InputKind::raw;
  }
  ByteSource source(path);
  const auto tags = TiffTags::parse(source);
  if (!tags) return has_raw_extension(path) ? InputKind::raw : InputKind::unknown;
  constexpr std::uint16_t dng_version = 50706, photometric = 262;
  for (const TiffIfd& ifd : tags->ifds()) {
    if (tags->has(ifd, dng_version)) return InputKind::raw;
    const std::uint32_t space = tags->integer(ifd, photometric).value_or(0);
    if (space == 32803 || space == 34892) return InputKind::raw;
  }
  return has_raw_extension(path) ? InputKind::raw : InputKind::tiff;
}

InputKind kind_of_brand(const std::filesystem::path& path, const std::vector<std::byte>& head) {
  if (starts_with(head, 8, "crx ")) return InputKind::raw;  // Canon CR3
  if (starts_with(head, 8, "avif") || starts_with(head, 8, "avis")) return InputKind::avif;
  if (starts_with(head, 8, "jxl ")) return InputKind::jxl;
  constexpr std::array<std::string_view, 4> still{"heic", "heix", "mif1", "msf1"};
  if (std::ranges::any_of(still, [&](std::string_view brand) { return starts_with(head, 8, brand); })) {
    // "mif1" stands for any codec: the compatible brands tell.
    for (std::size_t at = 16; at + 4 <= std::min<std::size_t>(head.size(), 64); at += 4) {
      if (starts_with(head, at, "avif")) return InputKind::avif;
    }
    return InputKind::heif;
  }
  return has_raw_extension(path) ? InputKind::raw : InputKind::video;
}

}  // namespace

std::string_view name_of(InputKind kind) {
  switch (kind) {
    case InputKind::raw: return "raw";
    case InputKind::jpeg: return "jpeg";
    case InputKind::png: return "png";
    case InputKind::tiff: return "tiff";
    case InputKind::webp: return "webp";
    case InputKind::jxl: return "jxl";
    case InputKind::avif: return "avif";
    case InputKind::heif: return "heif";
    case InputKind::xmp: return "xmp";
    case InputKind::video: return "video";
    case InputKind::unknown: break;
  }
  return "unknown";
}

bool is_picture(InputKind kind) {
  switch (kind) {
    case InputKind::jpeg:
    case InputKind::png:
    case InputKind::tiff:
    case InputKind::webp:
    case InputKind::jxl:
    case InputKind::avif:
    case InputKind::heif: return true;
    case InputKind::raw:
    case InputKind::xmp:
    case InputKind::video:
    case InputKind::unknown: break;
  }
  return false;
}

InputKind sniff(const std::filesystem::path& path) {
  ByteSource source(path);
  const std::vector<std::byte> head = source.head(0, 512);
  using std::string_view_literals::operator""sv;
  // A JPEG under a raw's name goes to the raw reader, which says what it is.
  if (starts_with(head, 0, "\xff\xd8\xff")) return has_raw_extension(path) ? InputKind::raw : InputKind::jpeg;
  if (starts_with(head, 0, "\x89PNG\r\n\x1a\n")) return InputKind::png;
  if (starts_with(head, 0, "RIFF") && starts_with(head, 8, "WEBP")) return InputKind::webp;
  if (starts_with(head, 0, "\xff\x0a") || starts_with(head, 0, "\0\0\0\x0cJXL "sv)) return InputKind::jxl;
  if (starts_with(head, 0, "FUJIFILMCCD-RAW") || starts_with(head, 0, "FOVb") || starts_with(head, 0, "\0MRM"sv) ||
      starts_with(head, 6, "HEAPCCDR")) {
    return InputKind::raw;
  }
  if (starts_with(head, 4, "ftyp")) return kind_of_brand(path, head);
  if (starts_with(head, 0, "II") || starts_with(head, 0, "MM")) return kind_of_tiff(path, head);
  if (starts_with(head, 0, "\x1a\x45\xdf\xa3") || (starts_with(head, 0, "RIFF") && starts_with(head, 8, "AVI "))) {
    return InputKind::video;
  }
  const std::string text(reinterpret_cast<const char*>(head.data()), head.size());
  if (text.find("<x:xmpmeta") != std::string::npos || text.find("<?xpacket") != std::string::npos)
    return InputKind::xmp;
  return has_raw_extension(path) ? InputKind::raw : InputKind::unknown;
}

}  // namespace imago::io
