#include "pano/rig_files.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "base/atomic_file.h"
#include "base/error.h"

namespace imago::pano {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

FaceRig small_rig() { return {geometry::cube6(), 0, 90, 640, ".jpg"}; }

TEST(RigConfig, HasWhatColmapReads) {
  const json rigs = rig_config(small_rig());
  ASSERT_EQ(rigs.size(), 1u);
  const json& cameras = rigs[0]["cameras"];
  ASSERT_EQ(cameras.size(), 6u);
  EXPECT_EQ(cameras[0]["image_prefix"], "front/");
  EXPECT_EQ(cameras[0]["ref_sensor"], true);
  EXPECT_FALSE(cameras[0].contains("cam_from_rig_rotation"));  // COLMAP refuses a reference with a pose
  for (std::size_t i = 1; i < 6; ++i) {
    EXPECT_FALSE(cameras[i].contains("ref_sensor"));
    EXPECT_EQ(cameras[i]["cam_from_rig_rotation"].size(), 4u);
    EXPECT_EQ(cameras[i]["cam_from_rig_translation"], json({0, 0, 0}));  // without it COLMAP ignores the rotation
  }
  EXPECT_NEAR(cameras[2]["camera_params"][0].get<double>(), 320, 1e-10);
  EXPECT_EQ(cameras[2]["camera_params"][2], 320.0);
}

class LayoutFile : public testing::Test {
 protected:
  void TearDown() override { fs::remove(path_); }
  geometry::RigLayout read(const std::string& text) const {
    write_file_atomically(path_, text);
    return read_layout_file(path_);
  }
  fs::path path_ = fs::temp_directory_path() / ("imago-layout-" + std::to_string(::getpid()) + ".json");
};

TEST_F(LayoutFile, GivesCamerasOfOnesOwn) {
  const auto layout =
      read(R"({"name": "two", "fov": 80, "cameras": [{"name": "a"}, {"name": "b", "yaw": 90, "roll": 90}]})");
  EXPECT_EQ(layout.name, "two");
  EXPECT_EQ(layout.default_fov_deg, 80);
  ASSERT_EQ(layout.cameras.size(), 2u);
  EXPECT_EQ(layout.cameras[0].cam_from_pano, geometry::identity3<double>());
  // Looks along +x; the camera turned clockwise sees the ground (+y) on its right.
  const auto& m = layout.cameras[1].cam_from_pano;
  EXPECT_NEAR(m[6], 1, 1e-15);
  EXPECT_NEAR(m[1], 1, 1e-15);
}

TEST_F(LayoutFile, NamesWhatIsWrong) {
  for (const char* text :
       {"[]", "{}", R"({"cameras": [1]})", R"({"cameras": [{"name": ""}]})", R"({"cameras": [{"name": "../x"}]})",
        R"({"cameras": [{"name": "a"}, {"name": "a"}]})", R"({"cameras": [{"name": "a", "yaw": "left"}]})",
        R"({"cameras": [{"name": "a", "yaw": 1e999}]})", R"({"cameras": {"name": 3}})"}) {
    EXPECT_THROW(read(text), Error) << text;
  }
}

TEST(WithFaces, KeepsTheLayoutsOrderAndRefusesUnknownNames) {
  const auto two = with_faces(geometry::cube6(), "left,front");
  ASSERT_EQ(two.cameras.size(), 2u);
  EXPECT_EQ(two.cameras[0].name, "front");
  EXPECT_THROW(with_faces(geometry::cube6(), "front,top"), Error);
  EXPECT_THROW(with_faces(geometry::cube6(), ","), Error);
}

TEST(CubemapDescription, IsReadBackAsItWasWritten) {
  const fs::path folder = fs::temp_directory_path() / ("imago-description-" + std::to_string(::getpid()));
  fs::create_directories(folder);
  FaceRig rig{geometry::turned(geometry::colmap12(), 12.5), 12.5, 90, 480, ".png"};
  write_file_atomically(folder / "cubemap.json", cubemap_description(rig, {"0001", "0002"}).dump());
  const CubemapDescription read = read_cubemap_description(folder);
  fs::remove_all(folder);
  EXPECT_EQ(read.rig.size, 480);
  EXPECT_EQ(read.rig.extension, ".png");
  EXPECT_EQ(read.frames.size(), 2u);
  for (std::size_t i = 0; i < 12; ++i) {
    EXPECT_EQ(read.rig.layout.cameras[i].cam_from_pano, rig.layout.cameras[i].cam_from_pano);
  }
  EXPECT_THROW(read_cubemap_description(folder), Error);
}

}  // namespace
}  // namespace imago::pano
