#include "develop/crs_import.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>
#include <optional>

#include "base/field_access.h"
#include "develop/auto_adjust.h"
#include "develop/crs_table.h"

namespace imago::develop {
namespace {

std::optional<double> number_of(std::string_view text) {
  while (!text.empty() && (text.front() == '+' || text.front() == ' ')) text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

bool is_true(const std::string& text) { return text == "True" || text == "true" || text == "1"; }

// In fractions of a picture.
struct Place {
  double x, y;
};

// One member of Settings by its name "tool.field".
struct Target {
  const Field* field = nullptr;  // null: there is none
  void* object = nullptr;
  const Tool* tool = nullptr;
};

Target target_of(std::string_view setting, Settings& settings) {
  const std::size_t dot = setting.find('.');
  for (const Tool& tool : tools) {
    if (tool.name != setting.substr(0, dot)) continue;
    return {find_field(tool.fields, setting.substr(dot + 1)), reinterpret_cast<char*>(&settings) + tool.offset, &tool};
  }
  return {};
}

class Import {
 public:
  Import(const io::CrsData& crs, Settings& settings) : crs_(crs), settings_(settings) {}

  CrsReport run() {
    if (is_true(text("AlreadyApplied"))) {
      report_.dropped.emplace_back("everything: crs:AlreadyApplied, the picture was saved with these settings in it");
      return std::move(report_);
    }
    const std::optional<double> version = number("ProcessVersion");
    if (version && *version < 6.7) {
      report_.dropped.push_back(
          fmt::format("tone of process version {}: exposure, recovery, fill light and so on of before 2012",
                      text("ProcessVersion")));
    }
    white_balance();
    numbers();
    black_and_white();
    curve("ToneCurvePV2012", settings_.curve.rgb);
    curve("ToneCurvePV2012Red", settings_.curve.red);
    curve("ToneCurvePV2012Green", settings_.curve.green);
    curve("ToneCurvePV2012Blue", settings_.curve.blue);
    vignette_style();
    crop();
    the_rest();
    return std::move(report_);
  }

 private:
  std::string text(const std::string& name) const {
    const auto found = crs_.values.find(name);
    return found == crs_.values.end() ? "" : found->second;
  }

  std::optional<double> number(const std::string& name) const { return number_of(text(name)); }

  void set(std::string_view crs, const std::string& value, std::string_view setting, double wanted) {
    const Target target = target_of(setting, settings_);
    if (target.field == nullptr) {
      const bool idle = wanted == 0;
      if (!idle) report_.dropped.push_back(fmt::format("{} {}", crs, value));
      if (idle) ++report_.at_default;
      return;
    }
    const double kept = std::clamp(wanted, target.field->min, target.field->max);
    set_field_number(*target.field, target.object, kept, setting);
    const Settings defaults;
    const auto* unset = reinterpret_cast<const char*>(&defaults) + target.tool->offset;
    if (kept != wanted) {
      report_.approximated.push_back(
          fmt::format("{} {} -> {} = {:g} (the end of its range)", crs, value, setting, kept));
    } else if (field_equal(*target.field, target.object, unset)) {
      ++report_.at_default;
    } else {
      report_.mapped.push_back(fmt::format("{} {} -> {} = {:g}", crs, value, setting, kept));
    }
  }

  void numbers() {
    for (const CrsNumber& entry : crs_numbers) {
      const std::string value = text(std::string(entry.crs));
      if (value.empty()) continue;
      if (const std::optional<double> wanted = number_of(value)) {
        set(entry.crs, value, entry.setting, *wanted);
      } else {
        report_.dropped.push_back(fmt::format("{} '{}': no number", entry.crs, value.substr(0, 40)));
      }
    }
  }

  void white_balance() {
    const std::string name = text("WhiteBalance");
    if (name == "As Shot") {
      settings_.white_balance = {};
      ++report_.at_default;
      return;
    }
    const std::optional<double> temperature = number("Temperature");
    if (temperature && *temperature > 0) {
      set("Temperature", text("Temperature"), "white_balance.temperature_k", *temperature);
      if (const std::optional<double> tint = number("Tint")) set("Tint", text("Tint"), "white_balance.tint", *tint);
      return;
    }
    std::string lower = name;
    std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; });
    for (const WhiteBalancePreset& preset : white_balance_presets) {
      if (preset.name != lower) continue;
      settings_.white_balance = preset.settings;
      report_.mapped.push_back(
          fmt::format("WhiteBalance {} -> white_balance.temperature_k = {:g}, white_balance.tint = {:g}", name,
                      preset.settings.temperature_k, preset.settings.tint));
      return;
    }
    if (name == "Auto") report_.dropped.emplace_back("WhiteBalance Auto");
    for (const char* shift : {"IncrementalTemperature", "IncrementalTint"}) {
      if (number(shift).value_or(0) != 0)
        report_.dropped.push_back(fmt::format("{} {}: relative to a finished picture's white", shift, text(shift)));
    }
  }

  void black_and_white() {
    const std::string convert = text("ConvertToGrayscale"), treatment = text("Treatment");
    const bool look = crs_.look_is_gray;
    if (convert.empty() && treatment.empty() && !look) return;
    const bool gray = is_true(convert) || treatment == "Black & White" || look;
    settings_.black_white.enabled = gray ? 1 : 0;
    if (!gray) {
      ++report_.at_default;
    } else if (look && !is_true(convert)) {
      report_.approximated.push_back(
          fmt::format("Look {} -> black_white.enabled = true (without its mix)", crs_.look_name));
    } else {
      report_.mapped.emplace_back("ConvertToGrayscale True -> black_white.enabled = true");
    }
  }

  void curve(const std::string& name, std::vector<CurvePoint>& into) {
    const auto found = crs_.lists.find(name);
    if (found == crs_.lists.end()) return;
    std::vector<CurvePoint> points;
    for (const std::string& item : found->second) {
      const std::size_t comma = item.find(',');
      const std::optional<double> x = number_of(std::string_view(item).substr(0, comma));
      const std::optional<double> y =
          comma == std::string::npos ? std::nullopt : number_of(std::string_view(item).substr(comma + 1));
      if (!x || !y) {
        report_.dropped.push_back(fmt::format("{}: '{}' is no point", name, item.substr(0, 40)));
        return;
      }
      const auto unit_of = [](double v) { return static_cast<float>(std::clamp(v / 255, 0.0, 1.0)); };
      points.push_back({unit_of(*x), unit_of(*y)});
    }
    const bool straight = std::all_of(points.begin(), points.end(), [](const CurvePoint& p) { return p.x == p.y; });
    if (straight) points.clear();
    if (points.size() > curve_point_list.capacity) {
      report_.dropped.push_back(
          fmt::format("{}: {} points, {} are the most", name, points.size(), curve_point_list.capacity));
      return;
    }
    into = std::move(points);
    if (into.empty()) {
      ++report_.at_default;
    } else {
      report_.mapped.push_back(fmt::format("{} -> {} points of a curve", name, into.size()));
    }
  }

  void vignette_style() {
    const std::optional<double> style = number("PostCropVignetteStyle");
    if (!style) return;
    if (*style >= 1 && *style <= 3) {
      settings_.vignette.style = static_cast<std::int32_t>(*style) - 1;
      if (settings_.vignette.amount != 0) {
        report_.mapped.push_back(fmt::format("PostCropVignetteStyle {:g} -> vignette.style = {}", *style,
                                             vignette_styles[settings_.vignette.style]));
      }
    }
  }

  void crop();
  void the_rest();

  const io::CrsData& crs_;
  Settings& settings_;
  CrsReport report_;
};

// Camera Raw: the corners (left, top) and (right, bottom) of a rectangle that is turned clockwise by the angle, in
// fractions of the picture as stored. Here: fractions of the upright frame, after turning the picture the other way.
void Import::crop() {
  const std::string has = text("HasCrop");
  const auto left = number("CropLeft"), top = number("CropTop"), right = number("CropRight"),
             bottom = number("CropBottom");
  if (has == "False" || !left || !top || !right || !bottom) return;
  const double angle = number("CropAngle").value_or(0);
  const bool whole = *left == 0 && *top == 0 && *right == 1 && *bottom == 1;
  if (whole && angle == 0) {
    ++report_.at_default;
    return;
  }
  if (std::abs(angle) > 45 || !(*left < *right) || !(*top < *bottom)) {
    report_.dropped.push_back(fmt::format("crop {} {} {} {} by {} degrees: not a rectangle", text("CropLeft"),
                                          text("CropTop"), text("CropRight"), text("CropBottom"), text("CropAngle")));
    return;
  }
  if (angle != 0 && (crs_.width == 0 || crs_.height == 0)) {
    report_.dropped.push_back(
        fmt::format("crop turned by {:g} degrees: the file does not say how large the picture is", angle));
    return;
  }
  const double width = crs_.width > 0 ? crs_.width : 1, height = crs_.height > 0 ? crs_.height : 1;
  const double turn = angle * std::numbers::pi / 180;
  const auto straight = [&](double x, double y) {
    const double dx = (x - 0.5) * width, dy = (y - 0.5) * height;
    return Place{(dx * std::cos(turn) + dy * std::sin(turn)) / width + 0.5,
                 (-dx * std::sin(turn) + dy * std::cos(turn)) / height + 0.5};
  };
  // Of the picture as stored to the upright one, in fractions.
  const auto upright = [&](Place p) -> Place {
    switch (crs_.orientation) {
      case 2: return {1 - p.x, p.y};
      case 3: return {1 - p.x, 1 - p.y};
      case 4: return {p.x, 1 - p.y};
      case 5: return {p.y, p.x};
      case 6: return {1 - p.y, p.x};
      case 7: return {1 - p.y, 1 - p.x};
      case 8: return {p.y, 1 - p.x};
      default: return p;
    }
  };
  const Place a = upright(straight(*left, *top)), b = upright(straight(*right, *bottom));
  const auto unit_of = [](double v) { return static_cast<float>(std::clamp(v, 0.0, 1.0)); };
  Geometry& g = settings_.geometry;
  g.crop_left = unit_of(std::min(a.x, b.x));
  g.crop_right = unit_of(std::max(a.x, b.x));
  g.crop_top = unit_of(std::min(a.y, b.y));
  g.crop_bottom = unit_of(std::max(a.y, b.y));
  const bool mirrored =
      crs_.orientation == 2 || crs_.orientation == 4 || crs_.orientation == 5 || crs_.orientation == 7;
  g.straighten_deg = static_cast<float>(mirrored ? angle : -angle);
  const std::string what =
      fmt::format("crop -> geometry.crop_left = {:.4f}, crop_top = {:.4f}, crop_right = {:.4f}, crop_bottom = {:.4f}",
                  g.crop_left, g.crop_top, g.crop_right, g.crop_bottom);
  if (angle == 0) {
    report_.mapped.push_back(what);
  } else {
    report_.approximated.push_back(fmt::format("{}, straighten_deg = {:g}", what, g.straighten_deg));
  }
}

// What is set and has no place here.
void Import::the_rest() {
  const auto known = [&](std::string_view name) {
    return std::any_of(std::begin(crs_numbers), std::end(crs_numbers),
                       [&](const CrsNumber& entry) { return entry.crs == name; }) ||
           std::find(std::begin(crs_silent), std::end(crs_silent), name) != std::end(crs_silent);
  };
  for (const auto& [name, value] : crs_.values) {
    if (known(name) || name.starts_with("Supports") || name.starts_with("Upright")) continue;
    const bool idle = value == "False" || value.empty() || number_of(value) == 0.0;
    if (name == "PerspectiveScale" && number_of(value) == 100.0) continue;  // percent
    if (name == "CameraProfile" && (value == "Embedded" || value.starts_with("Adobe"))) continue;
    if (!idle) report_.dropped.push_back(fmt::format("{} {}", name, value.substr(0, 60)));
  }
  for (const auto& [name, items] : crs_.lists) {
    if (!known(name) && !items.empty()) report_.dropped.push_back(fmt::format("{} ({} items)", name, items.size()));
  }
  for (const std::string& name : crs_.structures) {
    if (name == "Look") {
      if (!crs_.look_name.empty() && !crs_.look_is_gray)
        report_.dropped.push_back(fmt::format("Look {}", crs_.look_name));
    } else {
      report_.dropped.push_back(name);
    }
  }
}

}  // namespace

CrsReport import_crs(const io::CrsData& crs, Settings& settings) { return Import(crs, settings).run(); }

}  // namespace imago::develop
