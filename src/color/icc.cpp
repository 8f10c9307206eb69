#include "color/icc.h"

#include <lcms2.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace imago::color {
namespace {

// Each use has a context of its own: Little CMS keeps its error handler there, and threads share nothing.
using Context = std::unique_ptr<std::remove_pointer_t<cmsContext>, decltype(&cmsDeleteContext)>;
using Profile = std::unique_ptr<void, decltype(&cmsCloseProfile)>;
using Curve = std::unique_ptr<cmsToneCurve, decltype(&cmsFreeToneCurve)>;
using Transform = std::unique_ptr<void, decltype(&cmsDeleteTransform)>;

Context make_context() {
  Context context(cmsCreateContext(nullptr, nullptr), cmsDeleteContext);
  if (!context) throw Error(ErrorKind::internal, "Little CMS cannot start");
  return context;
}

// Parametric curve type 4 of ICC.1: y = (a x + b)^g for x >= d, c x below.
Curve decoding_curve(cmsContext context, Transfer transfer) {
  constexpr double rec709_alpha = 1.09929682680944;
  constexpr double rec709_foot = 0.018053968510807 * 4.5;
  const auto footed = [&](double gamma, double a, double b, double c, double d) {
    const double values[5] = {gamma, a, b, c, d};
    return Curve(cmsBuildParametricToneCurve(context, 4, values), cmsFreeToneCurve);
  };
  switch (transfer) {
    case Transfer::srgb: return footed(2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045);
    case Transfer::rec709:
      return footed(1 / 0.45, 1 / rec709_alpha, (rec709_alpha - 1) / rec709_alpha, 1 / 4.5, rec709_foot);
    case Transfer::prophoto: return footed(1.8, 1, 0, 1.0 / 16, 16.0 / 512);
    case Transfer::adobe_rgb: return Curve(cmsBuildGamma(context, 563.0 / 256), cmsFreeToneCurve);
    case Transfer::linear: break;
  }
  return Curve(cmsBuildGamma(context, 1.0), cmsFreeToneCurve);
}

Profile rgb_profile(cmsContext context, const Primaries& primaries, Transfer transfer) {
  const cmsCIExyY white{primaries.white.x, primaries.white.y, 1};
  const cmsCIExyYTRIPLE points{{primaries.red.x, primaries.red.y, 1},
                               {primaries.green.x, primaries.green.y, 1},
                               {primaries.blue.x, primaries.blue.y, 1}};
  const Curve curve = decoding_curve(context, transfer);
  cmsToneCurve* curves[3] = {curve.get(), curve.get(), curve.get()};
  return Profile(cmsCreateRGBProfileTHR(context, &white, &points, curves), cmsCloseProfile);
}

bool write_text(cmsContext context, cmsHPROFILE profile, cmsTagSignature tag, const std::string& text) {
  cmsMLU* multilingual = cmsMLUalloc(context, 1);
  const bool written = multilingual != nullptr && cmsMLUsetASCII(multilingual, "en", "US", text.c_str()) != 0 &&
                       cmsWriteTag(profile, tag, multilingual) != 0;
  cmsMLUfree(multilingual);
  return written;
}

std::string read_description(cmsHPROFILE profile) {
  char text[256] = {};
  cmsGetProfileInfoASCII(profile, cmsInfoDescription, "en", "US", text, sizeof(text));
  return text;
}

// Decoding of one channel: exact at every 8- and 16-bit code, interpolated for floats.
struct ChannelCurve {
  std::vector<float> from_8;   // 256
  std::vector<float> from_16;  // 65536
  template <typename Decode>
  void fill(Decode decode) {
    from_8.resize(256);
    from_16.resize(65536);
    for (std::size_t i = 0; i < 256; ++i) from_8[i] = static_cast<float>(decode(static_cast<double>(i) / 255));
    for (std::size_t i = 0; i < 65536; ++i) from_16[i] = static_cast<float>(decode(static_cast<double>(i) / 65535));
  }
  // Beyond 0 … 1 the curve's last piece goes on straight.
  float at(float encoded) const {
    const float place = encoded * 65535.0f;
    const float within = std::clamp(place, 0.0f, 65534.0f);
    const std::size_t below = static_cast<std::size_t>(within);
    return from_16[below] + (from_16[below + 1] - from_16[below]) * (place - static_cast<float>(below));
  }
};

float finite_or_zero(float value) { return std::isfinite(value) ? value : 0.0f; }

}  // namespace

std::vector<std::byte> icc_profile(const Primaries& primaries, Transfer transfer, const std::string& description) {
  const Context context = make_context();
  const Profile profile = rgb_profile(context.get(), primaries, transfer);
  cmsUInt32Number size = 0;
  std::vector<std::byte> bytes;
  const bool made = profile != nullptr &&
                    write_text(context.get(), profile.get(), cmsSigProfileDescriptionTag, description) &&
                    write_text(context.get(), profile.get(), cmsSigCopyrightTag, "No copyright, use freely") &&
                    cmsSaveProfileToMem(profile.get(), nullptr, &size) != 0;
  if (made) bytes.resize(size);
  if (!made || cmsSaveProfileToMem(profile.get(), bytes.data(), &size) == 0 || size < 128) {
    throw Error(ErrorKind::internal, "Little CMS cannot write the profile " + description);
  }
  // The time of making (bytes 24 … 35 of the header) would differ on every run: 2026-01-01.
  constexpr unsigned char date[12] = {0x07, 0xea, 0, 1, 0, 1};
  std::transform(std::begin(date), std::end(date), bytes.begin() + 24, [](unsigned char c) { return std::byte{c}; });
  return bytes;
}

struct WorkingFromPicture::State {
  std::string description = "sRGB";
  std::string warning;
  std::array<ChannelCurve, 3> curves;
  std::array<float, 9> working_from_linear{};
  bool floats_are_linear = false;

  // For profiles made of tables; then the above is unused.
  Context context{nullptr, cmsDeleteContext};
  Transform transform{nullptr, cmsDeleteTransform};  // float RGB to XYZ D50; safe to share: it has no cache
  std::array<float, 9> working_from_xyz_d50{};

  void use_srgb() {
    for (ChannelCurve& curve : curves) curve.fill([](double v) { return decode(Transfer::srgb, v); });
    working_from_linear = to_float(rgb_from_rgb(rec2020_primaries, srgb_primaries));
  }
  bool read_profile(std::span<const std::byte> icc);
  bool read_matrix(cmsHPROFILE profile);
  bool read_gray(cmsHPROFILE profile);
  bool read_tables(cmsHPROFILE profile);

  template <typename Sample, typename Decode>
  void convert_matrix(const Sample* rgb, float* working, std::size_t count, Decode decode_sample) const {
    const std::array<float, 9>& m = working_from_linear;
    for (std::size_t i = 0; i < count; ++i, rgb += 3, working += 3) {
      const float r = decode_sample(curves[0], rgb[0]);
      const float g = decode_sample(curves[1], rgb[1]);
      const float b = decode_sample(curves[2], rgb[2]);
      working[0] = m[0] * r + m[1] * g + m[2] * b;
      working[1] = m[3] * r + m[4] * g + m[5] * b;
      working[2] = m[6] * r + m[7] * g + m[8] * b;
    }
  }

  template <typename Sample>
  void convert_tables(const Sample* rgb, float* working, std::size_t count, float scale) const {
    constexpr std::size_t block = 1024;
    std::array<float, block * 3> in;
    std::array<float, block * 3> xyz;
    const std::array<float, 9>& m = working_from_xyz_d50;
    for (std::size_t first = 0; first < count; first += block) {
      const std::size_t pixels = std::min(block, count - first);
      for (std::size_t i = 0; i < pixels * 3; ++i) {
        in[i] = finite_or_zero(static_cast<float>(rgb[first * 3 + i])) * scale;
      }
      cmsDoTransform(transform.get(), in.data(), xyz.data(), static_cast<cmsUInt32Number>(pixels));
      float* out = working + first * 3;
      for (std::size_t i = 0; i < pixels; ++i) {
        const float* v = &xyz[i * 3];
        for (std::size_t c = 0; c < 3; ++c) {
          out[i * 3 + c] = finite_or_zero(m[c * 3] * v[0] + m[c * 3 + 1] * v[1] + m[c * 3 + 2] * v[2]);
        }
      }
    }
  }
};

namespace {

Matrix3 working_from_pcs() { return working_from_xyz * adapt(bradford, xyz_from_xy(d65), icc_d50); }

void fill_from(ChannelCurve& channel, const cmsToneCurve* curve) {
  // Evaluated in floats: 16-bit evaluation would round the darkest values.
  channel.fill([&](double v) { return static_cast<double>(cmsEvalToneCurveFloat(curve, static_cast<float>(v))); });
}

const cmsToneCurve* read_curve(cmsHPROFILE profile, cmsTagSignature tag) {
  return static_cast<const cmsToneCurve*>(cmsReadTag(profile, tag));
}

}  // namespace

bool WorkingFromPicture::State::read_matrix(cmsHPROFILE profile) {
  constexpr cmsTagSignature colorants[] = {cmsSigRedColorantTag, cmsSigGreenColorantTag, cmsSigBlueColorantTag};
  constexpr cmsTagSignature tags[] = {cmsSigRedTRCTag, cmsSigGreenTRCTag, cmsSigBlueTRCTag};
  Matrix3 pcs_from_linear;
  for (int c = 0; c < 3; ++c) {
    const auto* xyz = static_cast<const cmsCIEXYZ*>(cmsReadTag(profile, colorants[c]));
    const cmsToneCurve* curve = read_curve(profile, tags[c]);
    if (xyz == nullptr || curve == nullptr) return false;
    pcs_from_linear(0, c) = xyz->X;
    pcs_from_linear(1, c) = xyz->Y;
    pcs_from_linear(2, c) = xyz->Z;
    fill_from(curves[static_cast<std::size_t>(c)], curve);
  }
  if (!is_invertible(pcs_from_linear)) return false;
  // Media-relative: the profile's own white, which rounding and sloppy makers leave beside D50, becomes white. Only
  // when it is near: a profile with another white point in its colorants means it.
  const Vector3 white = pcs_from_linear * Vector3{1, 1, 1};
  Matrix3 exact = pcs_from_linear;
  if (std::abs(white[0] - icc_d50[0]) + std::abs(white[1] - icc_d50[1]) + std::abs(white[2] - icc_d50[2]) < 0.01) {
    exact = diagonal({icc_d50[0] / white[0], icc_d50[1] / white[1], icc_d50[2] / white[2]}) * pcs_from_linear;
  }
  working_from_linear = to_float(working_from_pcs() * exact);
  return true;
}

bool WorkingFromPicture::State::read_gray(cmsHPROFILE profile) {
  const cmsToneCurve* curve = read_curve(profile, cmsSigGrayTRCTag);
  if (curve == nullptr) return false;
  for (ChannelCurve& channel : curves) fill_from(channel, curve);
  working_from_linear = to_float(Matrix3{});
  return true;
}

bool WorkingFromPicture::State::read_tables(cmsHPROFILE profile) {
  const Profile xyz(cmsCreateXYZProfileTHR(context.get()), cmsCloseProfile);
  // XYZ floats of Little CMS are as they are: Y = 1 for white.
  transform.reset(cmsCreateTransformTHR(context.get(), profile, TYPE_RGB_FLT, xyz.get(), TYPE_XYZ_FLT,
                                        INTENT_RELATIVE_COLORIMETRIC, cmsFLAGS_NOCACHE | cmsFLAGS_NOOPTIMIZE));
  working_from_xyz_d50 = to_float(working_from_pcs());
  return transform != nullptr;
}

// False, with `warning` set, for a profile that cannot be used.
bool WorkingFromPicture::State::read_profile(std::span<const std::byte> icc) {
  context = make_context();
  const Profile profile(cmsOpenProfileFromMemTHR(context.get(), icc.data(), static_cast<cmsUInt32Number>(icc.size())),
                        cmsCloseProfile);
  if (profile == nullptr) {
    warning = "the embedded color profile is damaged: taken for sRGB";
    return false;
  }
  description = read_description(profile.get());
  const cmsColorSpaceSignature space = cmsGetColorSpace(profile.get());
  bool usable = false;
  if (space == cmsSigGrayData) {
    usable = read_gray(profile.get());
  } else if (space == cmsSigRgbData) {
    const bool has_tables = cmsIsTag(profile.get(), cmsSigAToB0Tag) || cmsIsTag(profile.get(), cmsSigDToB0Tag) ||
                            cmsIsTag(profile.get(), cmsSigAToB1Tag) || cmsIsTag(profile.get(), cmsSigDToB1Tag);
    usable = has_tables ? read_tables(profile.get()) : read_matrix(profile.get());
  }
  if (!usable) {
    warning = "the embedded color profile \"" + description + "\" is not one for RGB pictures: taken for sRGB";
    transform.reset();
  }
  return usable;
}

WorkingFromPicture::WorkingFromPicture(std::span<const std::byte> icc) : state_(std::make_unique<State>()) {
  if (!icc.empty() && state_->read_profile(icc)) return;
  state_->use_srgb();
  state_->description = "sRGB";
  state_->floats_are_linear = true;
}

WorkingFromPicture::~WorkingFromPicture() = default;
WorkingFromPicture::WorkingFromPicture(WorkingFromPicture&&) noexcept = default;
WorkingFromPicture& WorkingFromPicture::operator=(WorkingFromPicture&&) noexcept = default;

void WorkingFromPicture::convert(const std::uint8_t* rgb, float* working, std::size_t count) const {
  if (state_->transform) return state_->convert_tables(rgb, working, count, 1.0f / 255);
  state_->convert_matrix(rgb, working, count,
                         [](const ChannelCurve& curve, std::uint8_t v) { return curve.from_8[v]; });
}

void WorkingFromPicture::convert(const std::uint16_t* rgb, float* working, std::size_t count) const {
  if (state_->transform) return state_->convert_tables(rgb, working, count, 1.0f / 65535);
  state_->convert_matrix(rgb, working, count,
                         [](const ChannelCurve& curve, std::uint16_t v) { return curve.from_16[v]; });
}

void WorkingFromPicture::convert(const float* rgb, float* working, std::size_t count) const {
  if (state_->transform) return state_->convert_tables(rgb, working, count, 1.0f);
  if (state_->floats_are_linear) {
    state_->convert_matrix(rgb, working, count, [](const ChannelCurve&, float v) { return finite_or_zero(v); });
  } else {
    state_->convert_matrix(rgb, working, count,
                           [](const ChannelCurve& curve, float v) { return curve.at(finite_or_zero(v)); });
  }
}

const std::string& WorkingFromPicture::description() const { return state_->description; }
const std::string& WorkingFromPicture::warning() const { return state_->warning; }

}  // namespace imago::color
