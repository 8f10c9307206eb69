#include "io/raw/preview.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "base/error.h"
#include "io/byte_source.h"
#include "io/picture_reader.h"
#include "io/picture_writer.h"
#include "io/raw/libraw_file.h"

namespace imago::io {
namespace {

// Where the stored pixel of an upright one lies.
struct Turn {
  bool swaps = false, from_right = false, from_bottom = false;
};

Turn turn_of(int orientation) {
  switch (orientation) {
    case 2: return {false, true, false};
    case 3: return {false, true, true};
    case 4: return {false, false, true};
    case 5: return {true, false, false};
    case 6: return {true, false, true};
    case 7: return {true, true, true};
    case 8: return {true, true, false};
    default: return {};
  }
}

Rgb8 turned(const Rgb8& stored, int orientation) {
  const Turn turn = turn_of(orientation);
  Rgb8 upright(turn.swaps ? stored.height : stored.width, turn.swaps ? stored.width : stored.height);
  for (int y = 0; y < upright.height; ++y) {
    for (int x = 0; x < upright.width; ++x) {
      const int column = turn.swaps ? y : x, row = turn.swaps ? x : y;
      std::memcpy(upright.at(x, y),
                  stored.at(turn.from_right ? stored.width - 1 - column : column,
                            turn.from_bottom ? stored.height - 1 - row : row),
                  3);
    }
  }
  return upright;
}

// Takes what LibRaw has unpacked, if it is something to show.
std::optional<EmbeddedPreview> take(const libraw_thumbnail_t& thumbnail, const std::string& name) {
  if (thumbnail.thumb == nullptr || thumbnail.tlength == 0) return std::nullopt;
  EmbeddedPreview preview;
  if (thumbnail.tformat == LIBRAW_THUMBNAIL_JPEG) {
    const auto* first = reinterpret_cast<const std::byte*>(thumbnail.thumb);
    preview.jpeg.assign(first, first + thumbnail.tlength);
    try {
      const PictureInfo info = probe_picture(preview.jpeg, name);
      preview.width = info.width;
      preview.height = info.height;
      preview.orientation = info.orientation;
    } catch (const Error&) {
      return std::nullopt;
    }
    return preview;
  }
  const std::size_t bytes = std::size_t{thumbnail.twidth} * thumbnail.theight * 3;
  if (thumbnail.tformat != LIBRAW_THUMBNAIL_BITMAP || bytes == 0 || thumbnail.tlength < bytes ||
      thumbnail.tcolors != 3) {
    return std::nullopt;
  }
  preview.width = thumbnail.twidth;
  preview.height = thumbnail.theight;
  preview.pixels = Rgb8(preview.width, preview.height);
  std::memcpy(preview.pixels.pixels.data(), thumbnail.thumb, bytes);
  return preview;
}

}  // namespace

std::optional<EmbeddedPreview> unpack_preview(LibRawFile& file) {
  // Of a DNG LibRaw keeps the orientation of its first directory, which is that of the raw.
  const int orientation = orientation_of_flip(file.data().sizes.flip);
#if LIBRAW_VERSION < LIBRAW_MAKE_VERSION(0, 22, 0)
  std::vector<int> order{-1};
#else
  const libraw_thumbnail_list_t& list = file.data().thumbs_list;
  std::vector<int> order(static_cast<std::size_t>(std::clamp(list.thumbcount, 0, LIBRAW_THUMBNAIL_MAXCOUNT)));
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::greater{}, [&](int i) {
    const libraw_thumbnail_item_t& item = list.thumblist[i];
    return std::pair{unsigned{item.twidth} * item.theight, item.tlength};
  });
#endif
  // A width of 0 means that only the data tells: all are looked at, the largest is kept.
  std::optional<EmbeddedPreview> best;
  for (const int index : order) {
    if (!file.unpack_thumbnail(index)) continue;
    std::optional<EmbeddedPreview> preview = take(file.data().thumbnail, file.name());
    if (!preview || (best && preview->width * preview->height <= best->width * best->height)) continue;
    if (preview->orientation == 1) preview->orientation = orientation;
    best = std::move(preview);
#if LIBRAW_VERSION >= LIBRAW_MAKE_VERSION(0, 22, 0)
    if (list.thumblist[index].twidth > 0) break;
#endif
  }
  return best;
}

std::optional<EmbeddedPreview> read_preview(const std::filesystem::path& path) {
  LibRawFile file(ByteSource(path), name_of(path), RawPurpose::preview);
  return unpack_preview(file);
}

std::optional<EmbeddedPreview> read_preview(std::span<const std::byte> bytes, const std::string& name) {
  LibRawFile file(ByteSource(bytes), name, RawPurpose::preview);
  return unpack_preview(file);
}

std::vector<std::byte> upright_jpeg(const EmbeddedPreview& preview, const std::string& name, int quality) {
  if (!preview.jpeg.empty() && preview.orientation == 1) return preview.jpeg;
  PictureOptions options;
  options.quality = quality;
  Rgb8 decoded;
  if (!preview.jpeg.empty()) {
    Picture picture = read_picture(preview.jpeg, name);
    decoded = std::move(picture.rgb8);
    options.icc = std::move(picture.info.icc);
  }
  const Rgb8 upright = turned(preview.jpeg.empty() ? preview.pixels : decoded, preview.orientation);
  std::vector<std::byte> out;
  const std::unique_ptr<PictureWriter> writer = open_picture(out, upright.width, upright.height, options);
  write_samples<std::uint8_t>(*writer, {upright.pixels.data(), upright.pixels.size()});
  writer->finish();
  return out;
}

}  // namespace imago::io
