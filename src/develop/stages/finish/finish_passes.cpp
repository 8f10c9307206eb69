#include <bit>

#include "base/math.wgsl.h"
#include "develop/stages/finish/finish.wgsl.h"
#include "develop/stages/finish/finish_f32x4.wgsl.h"
#include "develop/stages/finish/finish_rgba8.wgsl.h"
#include "develop/stages/finish/finish_tools.h"
#include "develop/tools/bands/bands.wgsl.h"
#include "develop/tools/dither/dither.wgsl.h"
#include "develop/tools/encode/transfer.wgsl.h"
#include "develop/tools/look_table/prophoto.wgsl.h"
#include "develop/tools/pixel.wgsl.h"
#include "develop/tools/vignette/vignette_shape.wgsl.h"

namespace imago::develop {
namespace {

// Calls visit(name, member of FinishParams, its table) for every struct that the kernel reads, in uniform order.
template <typename Visit>
void for_each_params(Visit&& visit) {
  visit(std::string_view("view"), &FinishParams::view, std::span<const Param>(view_params));
  visit(std::string_view("mask_terms"), &FinishParams::mask_terms, std::span<const Param>(mask_terms_params));
  std::apply([&](const auto&... tool) { (visit(tool.name, tool.params, tool.param_table), ...); }, finish_tools);
  visit(std::string_view("dither"), &FinishParams::dither, std::span<const Param>(dither_params));
}

std::string params_structs() {
  std::string text;
  for_each_params([&](std::string_view name, auto, std::span<const Param> table) { text += wgsl_struct(name, table); });
  return text;
}

std::string params_members() {
  std::string text;
  for_each_params([&](std::string_view name, auto, std::span<const Param>) {
    text += "@align(16) " + std::string(name) + ": " + wgsl_type(name) + ", ";
  });
  return text;
}

// The list as WGSL: one line a tool.
std::string run_tools_text() {
  std::string text = "fn run_tools(input: vec3<f32>, at: Pixel) -> vec3<f32> {\n  var v = input;\n";
  std::apply(
      [&](const auto&... tool) {
        ((text += "  if (params." + std::string(tool.name) + ".enabled != 0u) { v = " + std::string(tool.name) +
                  "(params." + std::string(tool.name) + ", v, at); }\n"),
         ...);
      },
      finish_tools);
  return text + "  return v;\n}\n";
}

Kernel make_kernel(std::string_view name, std::string_view entry) {
  static const std::string structs = params_structs();
  static const std::string members = params_members();
  static const std::string run_tools = run_tools_text();
  Kernel kernel{.name = name,
                .sources = {structs, wgsl::math, wgsl::pixel, wgsl::transfer, wgsl::prophoto, wgsl::bands, wgsl::dither,
                            wgsl::vignette_shape},
                .inputs = {"image", "base", "mask_words"},
                .tables = {"curve_table", "lut_table"},
                .output = "output",
                .params_wgsl = members};
  std::apply([&](const auto&... tool) { (kernel.sources.push_back(tool.wgsl), ...); }, finish_tools);
  kernel.sources.insert(kernel.sources.end(), {run_tools, wgsl::finish, entry});
  return kernel;
}

const Kernel& kernel_for(FinishOutput output) {
  static const Kernel rgba8 = make_kernel("finish_rgba8", wgsl::finish_rgba8);
  static const Kernel f32x4 = make_kernel("finish_f32x4", wgsl::finish_f32x4);
  return output == FinishOutput::rgba8 ? rgba8 : f32x4;
}

// One word in place of an empty table: there is nothing to bind else.
PassTable table_of(const std::vector<float>& values) {
  PassTable table;
  table.words.reserve(values.size() + 1);
  for (const float value : values) table.words.push_back(std::bit_cast<std::uint32_t>(value));
  if (table.words.empty()) table.words.push_back(0);
  return table;
}

// Bound in place of a base or masks that the plan does not need; never read.
PassInput add_stand_in(PassList& list, Element element) {
  static constexpr std::uint32_t nothing[1] = {0};
  const int buffer = list.add_buffer({.width = 1, .height = 1, .element = element, .name = "not needed"});
  list.uploads.push_back({buffer, std::as_bytes(std::span(nothing))});
  return {buffer, {.scale = 0}};
}

}  // namespace

int add_finish(const FinishPlan& plan, PassList& list, int image_buffer, int base_buffer, int mask_buffer,
               FinishOutput output) {
  const PassBuffer image = list.buffers[static_cast<std::size_t>(image_buffer)];  // a copy: the list grows
  const bool packed = output == FinishOutput::rgba8;
  const int out = list.add_buffer({.width = image.width,
                                   .height = image.height,
                                   .channels = packed ? 1 : 4,
                                   .element = packed ? Element::u32 : Element::f32,
                                   .name = "finished"});
  std::vector<std::uint32_t> words;
  for_each_params([&](std::string_view, auto member, std::span<const Param> params) {
    append_words(&(plan.params.*member), params, words);
  });
  const PassInput base = plan.needs_base() ? PassInput{base_buffer, {}} : add_stand_in(list, Element::f32);
  const PassInput masks = plan.needs_masks() ? PassInput{mask_buffer, {}} : add_stand_in(list, Element::u32);
  list.passes.push_back({.kernel = &kernel_for(output),
                         .inputs = {{image_buffer, {}}, base, masks},
                         .tables = {table_of(plan.curve_table), table_of(plan.lut_table)},
                         .params = std::move(words),
                         .output = out});
  return out;
}

}  // namespace imago::develop
