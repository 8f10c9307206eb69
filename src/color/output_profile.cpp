#include "color/output_profile.h"

#include <lcms2.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/error.h"
#include "color/icc.h"

namespace imago::color {

struct OutputProfile::State {
  std::unique_ptr<std::remove_pointer_t<cmsContext>, decltype(&cmsDeleteContext)> context{nullptr, cmsDeleteContext};
  std::unique_ptr<void, decltype(&cmsDeleteTransform)> transform{nullptr, cmsDeleteTransform};
  std::string description;
};

namespace {

using Profile = std::unique_ptr<void, decltype(&cmsCloseProfile)>;

Profile open(cmsContext context, std::span<const std::byte> bytes) {
  return {cmsOpenProfileFromMemTHR(context, bytes.data(), static_cast<cmsUInt32Number>(bytes.size())), cmsCloseProfile};
}

const char* name_of(cmsColorSpaceSignature space) {
  switch (space) {
    case cmsSigGrayData: return "gray";
    case cmsSigCmykData: return "CMYK";
    case cmsSigLabData: return "Lab";
    case cmsSigXYZData: return "XYZ";
    default: return "other than RGB";
  }
}

}  // namespace

OutputProfile::OutputProfile(std::span<const std::byte> icc, RenderingIntent intent, bool black_point_compensation,
                             const std::string& name)
    : state_(std::make_unique<State>()) {
  const auto refuse = [&](const std::string& why) { throw Error(ErrorKind::usage, name + ": " + why); };
  state_->context.reset(cmsCreateContext(nullptr, nullptr));
  if (!state_->context) throw Error(ErrorKind::internal, "Little CMS cannot start");
  const Profile to = open(state_->context.get(), icc);
  if (!to) refuse("not an ICC profile");
  const cmsColorSpaceSignature space = cmsGetColorSpace(to.get());
  if (space != cmsSigRgbData) refuse(std::string("a profile of ") + name_of(space) + ": pictures are written in RGB");
  const cmsProfileClassSignature kind = cmsGetDeviceClass(to.get());
  if (kind == cmsSigLinkClass || kind == cmsSigAbstractClass || kind == cmsSigNamedColorClass) {
    refuse("not the profile of a device or a colour space");
  }
  const std::vector<std::byte> source = icc_profile(rec2020_primaries, Transfer::rec709, "Rec. 2020");
  const Profile from = open(state_->context.get(), source);
  cmsUInt32Number flags = cmsFLAGS_NOCACHE | cmsFLAGS_NOOPTIMIZE;
  if (black_point_compensation) flags |= cmsFLAGS_BLACKPOINTCOMPENSATION;
  state_->transform.reset(cmsCreateTransformTHR(state_->context.get(), from.get(), TYPE_RGB_FLT, to.get(), TYPE_RGB_FLT,
                                                static_cast<cmsUInt32Number>(intent), flags));
  if (!state_->transform) refuse("pictures cannot be brought into this profile: it only says what its device saw");
  char text[256] = {};
  cmsGetProfileInfoASCII(to.get(), cmsInfoDescription, "en", "US", text, sizeof(text));
  state_->description = text;
}

OutputProfile::~OutputProfile() = default;
OutputProfile::OutputProfile(OutputProfile&&) noexcept = default;
OutputProfile& OutputProfile::operator=(OutputProfile&&) noexcept = default;

void OutputProfile::convert(const float* rec2020, float* device, std::size_t count) const {
  cmsDoTransform(state_->transform.get(), rec2020, device, static_cast<cmsUInt32Number>(count));
  for (std::size_t i = 0; i < count * 3; ++i)
    device[i] = std::isfinite(device[i]) ? std::clamp(device[i], 0.0f, 1.0f) : 0.0f;
}

const std::string& OutputProfile::description() const { return state_->description; }

}  // namespace imago::color
