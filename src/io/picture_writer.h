// Encoders that take rows as they are made, so that a picture is never whole in memory because of its file.
//
//   auto writer = open_picture(path, width, height, options);
//   while (…) writer->write_rows(strip);
//   writer->finish();   // without it, nothing appears under `path`
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "io/byte_sink.h"

namespace imago::io {

// dng: a linear raw of scene light, see io/tiff/tiff.h.
enum class FileFormat : std::uint8_t { jpeg, png, tiff, webp, avif, jxl, dng };
enum class SampleType : std::uint8_t { u8, u16, f32 };
enum class ChromaSampling : std::uint8_t { automatic, full, half };  // automatic: full (4:4:4) from quality 90 up

constexpr std::size_t sample_bytes(SampleType type) {
  return type == SampleType::u8 ? 1 : type == SampleType::u16 ? 2 : 4;
}

struct PictureOptions {
  FileFormat format = FileFormat::jpeg;
  SampleType samples = SampleType::u8;  // u16: PNG, TIFF, AVIF, JPEG XL, DNG; f32: TIFF, JPEG XL
  int bits = 8;                         // AVIF: 8, 10 or 12, of u16 samples over 8; elsewhere those of `samples`
  int channels = 3;                     // 1 or 3
  int quality = 92;                     // JPEG, WebP, AVIF, JPEG XL, 1…100
  bool lossless = false;                // WebP, AVIF, JPEG XL: every bit of the samples comes back
  ChromaSampling sampling = ChromaSampling::automatic;  // JPEG, AVIF
  bool progressive = false;                             // JPEG: smaller, slower, needs memory for the whole picture
  int compression = 1;                                  // PNG: zlib level 0…9; TIFF: 0 none, else deflate
  double pixels_per_inch = 300;
  double baseline_exposure_ev = 0;   // DNG: what brings its samples to their light
  std::vector<std::byte> icc = {};   // profile, empty: none
  std::vector<std::byte> exif = {};  // TIFF structure, as metadata_for_output gives it
  std::vector<std::byte> xmp = {};   // packet
  std::vector<std::byte> iptc = {};  // IIM records: JPEG and TIFF
};

class PictureWriter {
 public:
  virtual ~PictureWriter() = default;
  // Any number of whole rows, interleaved, native byte order, of the options' sample type. Throws Error{io}.
  virtual void write_rows(std::span<const std::byte> rows) = 0;
  // All rows are written. Throws Error{io}.
  virtual void finish() = 0;
};

// Throws Error{usage} for a combination that the format cannot hold (JPEG above 65500 pixels, u16 in JPEG …).
std::unique_ptr<PictureWriter> open_picture(const std::filesystem::path& path, int width, int height,
                                            const PictureOptions& options);
std::unique_ptr<PictureWriter> open_picture(std::vector<std::byte>& out, int width, int height,
                                            const PictureOptions& options);

// By file name extension: .jpg .jpeg .png .tif .tiff .webp .avif .jxl .dng, any case.
std::optional<FileFormat> format_of_extension(const std::filesystem::path& path);
std::string_view extension_of(FileFormat format);  // ".jpg"

// False for a format whose library was not there when this was built.
bool can_write(FileFormat format);

// What a format can hold.
bool holds(FileFormat format, SampleType samples);
bool has_lossless(FileFormat format);
bool needs_whole_picture(FileFormat format);  // its writer keeps all rows until finish()

template <typename Sample>
void write_samples(PictureWriter& writer, std::span<const Sample> rows) {
  writer.write_rows(std::as_bytes(rows));
}

}  // namespace imago::io
