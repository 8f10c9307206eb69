#include <map>

#include "base/path_text.h"
#include "commands.h"
#include "render_names.h"

namespace imago {
namespace {

// One of some words, each a value.
template <typename Value>
CLI::Option* add_choice(CLI::App& app, const char* name, Value& value, const char* help, const char* words,
                        const std::map<std::string, std::type_identity_t<Value>>& choices) {
  return app.add_option(name, value, help)
      ->transform(CLI::CheckedTransformer(choices, CLI::ignore_case).description(""))
      ->option_text(words);
}

template <typename Value>
CLI::Option* add_number(CLI::App& app, const char* name, Value& value, const char* help, const char* text, double least,
                        double most) {
  return app.add_option(name, value, help)->option_text(text)->check(CLI::Range(least, most).description(""));
}

void add_inputs(CLI::App& render, RenderCommand& command) {
  render.add_option("IN", command.inputs, "Photos; - reads a list of them from standard input")
      ->required()
      ->option_text("IN...");
  render.add_option("-o,--output", command.output, "A file (its name gives the format), or a folder")
      ->required()
      ->option_text("OUT|DIR");
  render.add_flag("--recursive", command.recursive,
                  "Folders among IN stand for the photos in them and below; the output has the same folders");
  render.add_option("--name", command.name_template, std::string(name_template_help))->option_text("TEMPLATE");
}

void add_size(CLI::App& render, develop::ExportOptions& options) {
  develop::SizeBounds& bounds = options.render.bounds;
  add_number(render, "--size", options.render.long_edge_px, "Long edge in pixels (default: full size)", "N", 1, 65500);
  add_number(render, "--width", bounds.width_px, "Width in pixels at most", "N", 1, 65500);
  add_number(render, "--height", bounds.height_px, "Height in pixels at most", "N", 1, 65500);
  add_number(render, "--megapixels", bounds.megapixels, "Millions of pixels at most", "N", 1e-4, 1000);
  add_number(render, "--percent", bounds.percent, "Percent of the full width and height", "N", 0.01, 10000);
  render.add_flag("--upscale", bounds.enlarge, "Enlarge a picture that is smaller than what these ask for");
}

void add_format(CLI::App& render, RenderCommand& command) {
  develop::ExportOptions& options = command.options;
  render.add_option("--format", command.format, "File format (default: by the output's name, else jpg)")
      ->option_text("jpg|png|tif|webp|avif|jxl|dng");
  render
      .add_option(
          "--bits", command.bits,
          "Bits of a sample: 8, 10 and 12 (avif), 16 (png, tif, jxl, dng), 32 (tif, jxl: floats); default 8, dng 16")
      ->option_text("8|10|12|16|32");
  add_number(render, "--quality", options.quality, "Quality of jpg, webp, avif and jxl", "1..100", 1, 100)
      ->capture_default_str();
  render.add_flag("--lossless", options.lossless, "webp, avif, jxl: keep every bit");
  add_choice(
      render, "--chroma", options.sampling, "Colour detail of jpg and avif: auto (444 from quality 90 up)",
      "auto|444|420",
      {{"auto", io::ChromaSampling::automatic}, {"444", io::ChromaSampling::full}, {"420", io::ChromaSampling::half}});
  render.add_flag("--progressive", options.progressive, "jpg that shows coarse first: smaller, slower");
  add_number(render, "--compression", options.compression, "Effort of png and tif, 0 for none", "0..9", 0, 9)
      ->capture_default_str();
  add_number(render, "--ppi", options.pixels_per_inch, "Pixels per inch on paper", "N", 1, 65535)
      ->capture_default_str();
}

void add_color(CLI::App& render, RenderCommand& command) {
  develop::ExportOptions& options = command.options;
  render
      .add_option("--space", command.space,
                  "Colour space of the output, or the file of an RGB profile; pictures always carry it")
      ->option_text("srgb|p3|adobe_rgb|prophoto|rec2020|FILE.icc")
      ->capture_default_str();
  add_choice(render, "--intent", options.intent,
             "Rendering intent of a FILE.icc (the named spaces have one, whose gamut keeps hues)",
             "perceptual|relative|saturation|absolute",
             {{"perceptual", color::RenderingIntent::perceptual},
              {"relative", color::RenderingIntent::relative},
              {"saturation", color::RenderingIntent::saturation},
              {"absolute", color::RenderingIntent::absolute}})
      ->default_str("relative");
  render.add_flag("--no-black-point", command.no_black_point, "FILE.icc without black point compensation");
}

void add_sharpening(CLI::App& render, develop::ExportOptions& options) {
  add_choice(render, "--sharpen-for", options.sharpen_for,
             "Last sharpening for what the picture is looked at on; paper goes by --ppi", "none|screen|glossy|matte",
             {{"none", develop::SharpenFor::none},
              {"screen", develop::SharpenFor::screen},
              {"print", develop::SharpenFor::glossy},
              {"glossy", develop::SharpenFor::glossy},
              {"matte", develop::SharpenFor::matte}});
  add_choice(render, "--sharpen-amount", options.sharpen_amount, "How much of it", "low|standard|high",
             {{"low", develop::SharpenAmount::low},
              {"standard", develop::SharpenAmount::standard},
              {"high", develop::SharpenAmount::high}});
}

void add_metadata(CLI::App& render, develop::ExportOptions& options) {
  add_choice(render, "--metadata", options.metadata, "What of EXIF, maker notes, GPS, IPTC and XMP to keep",
             "all|no-gps|copyright|none",
             {{"all", io::MetadataPolicy::all},
              {"no-gps", io::MetadataPolicy::all_but_gps},
              {"copyright", io::MetadataPolicy::copyright_only},
              {"none", io::MetadataPolicy::none}});
  render.add_option("--artist", options.wishes.artist, "Artist to write into the metadata")->option_text("TEXT");
  render.add_option("--copyright", options.wishes.copyright, "Copyright to write into the metadata")
      ->option_text("TEXT");
}

void add_looks(CLI::App& render, RenderCommand& command) {
  render
      .add_option("--preset", command.presets,
                  "A preset on top of the sidecar's settings: a file or a name; repeatable")
      ->allow_extra_args(false)
      ->option_text("FILE|NAME");
  render.add_option("--xmp", command.xmp, "Settings of Lightroom or Camera Raw on top of the sidecar's")
      ->option_text("FILE");
  render.add_option("--lut", command.lut, "A look: a .cube file or a HaldCLUT picture (see lut.space, lut.amount)")
      ->option_text("FILE");
  render
      .add_option("--show-range", command.options.render.format.show_point_color,
                  "Show which colours sample N of point_color takes; all else is grey")
      ->option_text("N")
      ->check(CLI::Range(0, 7).description(""));
}

void add_edits(CLI::App& render, RenderCommand& command) {
  render
      .add_option("--set", command.assignments,
                  "A setting on top of the sidecar's, e.g. exposure.ev=0.7; repeatable (see: imago-cli settings)")
      ->allow_extra_args(false)  // what follows may be an input
      ->option_text("TOOL.FIELD=VALUE");
  add_looks(render, command);
  develop::OpenOptions& open = command.options.open;
  render
      .add_option_function<std::string>(
          "--camera-profile", [&open](const std::string& file) { open.camera_profile = path_from_utf8(file); },
          "A DCP or ICC file for raws in place of their own profile; ICC: for pictures without one, too")
      ->option_text("FILE.dcp|FILE.icc");
  render.add_option("--frame", open.raw.frame, "Which exposure of a raw that holds several (see: imago-cli info)")
      ->option_text("N")
      ->check(CLI::Range(0, 255).description(""))
      ->capture_default_str();
  render.add_flag("--allow-damaged", open.raw.allow_damaged,
                  "Render what a truncated raw still holds, and say what is missing");
  render.add_flag("--no-sidecar", command.no_sidecar, "Leave the edits in sidecars aside");
}

void add_batch(CLI::App& render, RenderCommand& command) {
  static const std::map<std::string, Conflict> conflicts = {{"unique", Conflict::unique},
                                                            {"overwrite", Conflict::overwrite},
                                                            {"skip", Conflict::skip},
                                                            {"error", Conflict::error}};
  render
      .add_option("--conflict", command.conflict,
                  "When the output exists: unique (a_1.jpg), overwrite, skip or error (default: overwrite a file that "
                  "-o names, unique in a folder)")
      ->transform(CLI::CheckedTransformer(conflicts, CLI::ignore_case).description(""))
      ->option_text("unique|overwrite|skip|error");
  add_number(render, "--jobs", command.jobs, "Files at a time (default: what cores and IMAGO_MEMORY_MB allow)", "N", 1,
             256);
  add_number(render, "--timeout", command.timeout_s, "Give a file up after so many seconds", "SECONDS", 0.001, 1e6);
}

}  // namespace

CLI::App* add_render_command(CLI::App& app, RenderCommand& command, cli::CommonOptions& common) {
  CLI::App* render = app.add_subcommand("render", "Develop photos into picture files");
  add_inputs(*render, command);
  add_size(*render, command.options);
  add_format(*render, command);
  add_color(*render, command);
  add_sharpening(*render, command.options);
  add_metadata(*render, command.options);
  add_edits(*render, command);
  add_batch(*render, command);
  cli::add_backend_option(*render, common);
  cli::add_common_options(*render, common);
  return render;
}

}  // namespace imago
