#include "gpu/prelude.h"

namespace imago::gpu {
namespace {

std::string_view element_name(Element element) { return element == Element::f32 ? "f32" : "u32"; }

void add_binding(std::string& text, int& binding, std::string_view access, std::string_view name, Element element) {
  text += "@group(0) @binding(" + std::to_string(binding++) + ") var<storage, ";
  text += access;
  text += "> ";
  text += name;
  text += ": array<";
  text += element_name(element);
  text += ">;\n";
}

void add_band(std::string& text, std::size_t input_count) {
  text +=
      "struct InputRows { first_row: u32, row_count: u32, own_first: u32, own_end: u32,\n"
      "                   width: u32, height: u32, pixel_offset: u32, channels: u32 }\n"
      "struct Band { first_row: u32, row_count: u32, width: u32, invocation_row: u32,\n"
      "              height: u32, pixel_offset: u32, channels: u32, reserved: u32,\n";
  for (std::size_t i = 0; i < input_count; ++i) text += "              input" + std::to_string(i) + ": InputRows,\n";
  text += "}\n";
}

void add_functions(std::string& text, std::size_t input_count) {
  text +=
      "fn band_pixel(id: vec3<u32>) -> vec3<u32> {\n"
      "  let index = id.y * band.invocation_row + id.x;\n"
      "  let row = index / band.width;\n"
      "  return vec3<u32>(index - row * band.width, band.first_row + row, select(0u, 1u, row < band.row_count));\n"
      "}\n"
      "fn output_index(x: u32, y: u32) -> u32 {\n"
      "  return (y - band.first_row) * band.width + x + band.pixel_offset;\n"
      "}\n";
  for (std::size_t i = 0; i < input_count; ++i) {
    const std::string n = std::to_string(i);
    const std::string rows = "band.input" + n;
    text += "fn input" + n + "_index(x: u32, y: u32) -> u32 {\n  return (y - " + rows + ".first_row) * " + rows +
            ".width + x + " + rows + ".pixel_offset;\n}\n";
  }
}

std::uint32_t word(int value) { return static_cast<std::uint32_t>(value); }

}  // namespace

PassShape shape_of(const Pass& pass, const std::vector<PassBuffer>& buffers) {
  PassShape out;
  for (const PassInput& input : pass.inputs) {
    out.inputs.push_back(buffers[static_cast<std::size_t>(input.buffer)].element);
  }
  for (const PassTable& table : pass.tables) out.tables.push_back(table.element);
  out.output = buffers[static_cast<std::size_t>(pass.output)].element;
  return out;
}

std::string compose_wgsl(const Kernel& kernel, const PassShape& shape) {
  std::string text;
  add_band(text, kernel.inputs.size());
  text += "struct Params { ";
  text += kernel.params_wgsl.empty() ? "unused: u32" : kernel.params_wgsl;
  text += " }\n@group(0) @binding(0) var<uniform> band: Band;\n@group(0) @binding(1) var<uniform> params: Params;\n";
  int binding = 2;
  for (std::size_t i = 0; i < kernel.inputs.size(); ++i) {
    add_binding(text, binding, "read", kernel.inputs[i], shape.inputs[i]);
  }
  for (std::size_t i = 0; i < kernel.tables.size(); ++i) {
    add_binding(text, binding, "read", kernel.tables[i], shape.tables[i]);
  }
  add_binding(text, binding, "read_write", kernel.output, shape.output);
  add_functions(text, kernel.inputs.size());
  for (const std::string_view piece : kernel.sources) {
    text += piece;
    text += '\n';
  }
  return text;
}

std::vector<std::uint32_t> band_words(const DispatchBand& band, const Pass& pass,
                                      const std::vector<PassBuffer>& buffers, std::uint32_t invocation_row) {
  const PassBuffer& output = buffers[static_cast<std::size_t>(pass.output)];
  std::vector<std::uint32_t> words = {
      word(band.rows.begin), word(band.rows.count()),  word(output.width),    invocation_row,
      word(output.height),   band.output.pixel_offset, word(output.channels), 0};
  for (std::size_t i = 0; i < band.inputs.size(); ++i) {
    const BoundRows& rows = band.inputs[i];
    const PassBuffer& input = buffers[static_cast<std::size_t>(pass.inputs[i].buffer)];
    words.insert(words.end(), {word(rows.first_row), word(rows.row_count), word(rows.own_first), word(rows.own_end),
                               word(input.width), word(input.height), rows.pixel_offset, word(input.channels)});
  }
  return words;
}

}  // namespace imago::gpu
