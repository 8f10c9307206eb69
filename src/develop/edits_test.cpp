// Sidecars through the whole program, and files that exports must not leave.
#include "develop/edits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "base/field_access.h"
#include "develop/export_file.h"
#include "develop/settings/settings_json.h"
#include "io/sidecar/sidecar.h"
#include "pictures/scene_photo.h"

namespace imago::develop {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class EditsOfAPhoto : public testing::Test {
 protected:
  void write(const fs::path& path, std::string_view text) { std::ofstream(path, std::ios::binary) << text; }
  std::string text_of(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  // A sidecar of ours with foreign properties beside them.
  void write_sidecar(int version, std::string_view settings) {
    write(io::sidecar_path(photo), std::string(R"(<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
      xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
      xmlns:imago=")") + namespace_of_ours() +
                                       R"(" xmlns:darktable="http://darktable.sf.net/" xmlns:strange="http://strange/"
      darktable:auto_presets_applied="1" strange:thing="kept" imago:processVersion=")" +
                                       std::to_string(version) + R"("><imago:settings>)" + std::string(settings) +
                                       "</imago:settings></rdf:Description></rdf:RDF></x:xmpmeta>");
  }
  // As the program writes it.
  std::string namespace_of_ours() {
    const fs::path other = folder.path / "other.dng";
    Settings settings;
    settings.exposure.ev = 1;
    write_edits(other, settings);
    const std::string text = text_of(io::sidecar_path(other));
    fs::remove(io::sidecar_path(other));
    const std::size_t begin = text.find("xmlns:imago=\"") + 13;
    return text.substr(begin, text.find('"', begin) - begin);
  }

  io::TemporaryFolder folder;
  fs::path photo = folder.path / "ä 写 photo.dng";
};

TEST_F(EditsOfAPhoto, AreDefaultsWithoutASidecar) {
  const Edits edits = read_edits(photo);
  EXPECT_FALSE(edits.found);
  EXPECT_TRUE(equal(edits.settings, Settings{}));
  EXPECT_THAT(edits.warnings, IsEmpty());
}

TEST_F(EditsOfAPhoto, ComeBackAsTheyWereWritten) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Settings settings;
    for (const Tool& tool : tools) {
      random_fields(tool.fields, reinterpret_cast<char*>(&settings) + tool.offset, seed * 16 + tool.offset);
    }
    write_edits(photo, settings);
    const Edits edits = read_edits(photo);
    EXPECT_TRUE(edits.found || equal(settings, Settings{}));
    EXPECT_TRUE(equal(edits.settings, settings)) << "seed " << seed << '\n' << text_of(io::sidecar_path(photo));
    EXPECT_THAT(edits.warnings, IsEmpty());
  }
}

TEST_F(EditsOfAPhoto, LeaveAloneWhatOthersWrote) {
  write_sidecar(1, R"({"exposure": {"ev": 1, "later_field": 7}, "later_tool": {"x": [1, 2]}})");
  Edits edits = read_edits(photo);
  EXPECT_FLOAT_EQ(edits.settings.exposure.ev, 1);
  ASSERT_EQ(edits.warnings.size(), 2u);
  EXPECT_THAT(edits.warnings[0], HasSubstr("exposure.later_field"));
  EXPECT_THAT(edits.warnings[1], HasSubstr("later_tool"));
  edits.settings.exposure.ev = 2;
  write_edits(photo, edits.settings);
  EXPECT_FLOAT_EQ(read_edits(photo).settings.exposure.ev, 2);
  const std::string text = text_of(io::sidecar_path(photo));
  EXPECT_THAT(text, HasSubstr("later_field"));
  EXPECT_THAT(text, HasSubstr("later_tool"));
  EXPECT_THAT(text, HasSubstr("darktable:auto_presets_applied"));
  EXPECT_THAT(text, HasSubstr("http://strange/"));
  EXPECT_THAT(text, HasSubstr("kept"));
}

TEST_F(EditsOfAPhoto, OfALaterProcessVersionAreRefusedAndNotOverwritten) {
  write_sidecar(process_version + 1, R"({"exposure": {"ev": 1}})");
  const std::string before = text_of(io::sidecar_path(photo));
  const auto expect_refused = [](const auto& act) {
    try {
      act();
      FAIL() << "a later version was taken";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind, ErrorKind::input);
      EXPECT_THAT(error.what(), HasSubstr("process version 2"));
      EXPECT_THAT(error.what(), HasSubstr("photo.dng.xmp"));
    }
  };
  expect_refused([&] { read_edits(photo); });
  expect_refused([&] { write_edits(photo, {}); });
  EXPECT_EQ(text_of(io::sidecar_path(photo)), before);
}

TEST_F(EditsOfAPhoto, InABrokenSidecarAreKeptAsideAndNamed) {
  write(io::sidecar_path(photo), "<x:xmpmeta><rdf:RDF half");
  const Edits edits = read_edits(photo);
  EXPECT_FALSE(edits.found);
  ASSERT_EQ(edits.warnings.size(), 1u);
  EXPECT_THAT(edits.warnings[0], HasSubstr("photo.dng.xmp.broken-1"));
  fs::path aside = io::sidecar_path(photo);
  aside += ".broken-1";
  EXPECT_EQ(text_of(aside), "<x:xmpmeta><rdf:RDF half");
  EXPECT_FALSE(fs::exists(io::sidecar_path(photo)));
}

TEST_F(EditsOfAPhoto, ThatAreNoJsonOrOutOfRangeSayWhere) {
  for (const char* settings :
       {"{half", "[1]", R"({"exposure": {"ev": 99}})", R"({"exposure": 3})", R"({"curve": {"rgb": "no list"}})"}) {
    write_sidecar(1, settings);
    try {
      read_edits(photo);
      FAIL() << settings << " was taken";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind, ErrorKind::input);
      EXPECT_THAT(error.what(), HasSubstr("photo.dng.xmp"));
    }
  }
}

// --- Exports ---------------------------------------------------------------------------------------------------------

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename().string());
  return names;
}

TEST(ExportFile, LeavesNoFileWhenCancelled) {
  const io::TemporaryFolder in, out;
  const fs::path raw = write_scene(in.path / "scene.dng", {});
  const CancelToken cancel;
  cancel.cancel();
  EXPECT_THROW(export_file(raw, out.path / "picture.jpg", {}, cancel), Cancelled);
  EXPECT_THAT(names_in(out.path), IsEmpty());
}

TEST(ExportFile, LeavesNoFileForABrokenPhoto) {
  const io::TemporaryFolder in, out;
  const fs::path raw = write_scene(in.path / "scene.dng", {});
  fs::resize_file(raw, fs::file_size(raw) / 2);
  try {
    export_file(raw, out.path / "picture.jpg", {});
    FAIL() << "half a raw was developed";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind, ErrorKind::input);
    EXPECT_THAT(error.what(), HasSubstr("scene.dng"));
  }
  EXPECT_THAT(names_in(out.path), IsEmpty());
}

TEST(ExportFile, KeepsTheOldFileWhenTheNewOneFails) {
  const io::TemporaryFolder in, out;
  const fs::path raw = write_scene(in.path / "scene.dng", {});
  std::ofstream(out.path / "picture.jpg") << "old";
  fs::resize_file(raw, fs::file_size(raw) / 2);
  EXPECT_THROW(export_file(raw, out.path / "picture.jpg", {}), Error);
  EXPECT_EQ(fs::file_size(out.path / "picture.jpg"), 3u);
  EXPECT_THAT(names_in(out.path), ElementsAre("picture.jpg"));
}

TEST(ExportFile, WritesThePictureThatWasAskedFor) {
  const io::TemporaryFolder in, out;
  const fs::path raw = write_scene(in.path / "scene.dng", {.orientation = 6});
  ExportOptions options;
  options.render.long_edge_px = 72;
  options.format = io::FileFormat::tiff;
  options.samples = io::SampleType::u16;
  options.backend = Backend::cpu;
  const Exported exported = export_file(raw, out.path / "picture.tif", options);
  EXPECT_EQ(exported.developed.width, 72);
  EXPECT_EQ(exported.developed.height, 48);
  EXPECT_THAT(names_in(out.path), ElementsAre("picture.tif"));
}

}  // namespace
}  // namespace imago::develop
