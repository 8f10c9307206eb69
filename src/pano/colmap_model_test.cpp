#include "pano/colmap_model.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "base/atomic_file.h"
#include "base/error.h"
#include "io/byte_source.h"
#include "pano/dataset.h"
#include "pano/sfm.h"

namespace imago::pano {
namespace {

namespace fs = std::filesystem;

// Two frames of two faces that see three points.
ColmapModel small_model() {
  ColmapModel model;
  const FaceRig rig{geometry::cube6(), 0, 90, 100, ".jpg"};
  model.points = {
      {7, {0.1, 0.2, 5}, {1, 2, 3}, 0.5, {}}, {9, {4, -0.3, 0.2}, {4, 5, 6}, 0.25, {}}, {11, {-0.5, 0, 6}, {}, 0, {}}};
  model.rigs = {{1, {{0, 1, false, {}}, {0, 2, true, {geometry::cam_from_rig(rig.layout, 1), {}}}}}};
  for (std::uint32_t camera = 1; camera <= 2; ++camera)
    model.cameras.push_back({camera, 1, 100, 100, {50, 50, 50, 50}});
  for (std::uint32_t frame = 1; frame <= 2; ++frame) {
    const RigidPose rig_from_world{{1, 0, 0, 0}, {0.1 * frame, 0, -0.05}};
    model.frames.push_back({frame, 1, rig_from_world, {}});
    for (std::uint32_t camera = 1; camera <= 2; ++camera) {
      const auto rotation = geometry::cam_from_rig_rotation(rig.layout, camera - 1);
      ColmapImage image{2 * frame + camera,
                        {geometry::quaternion_from(rotation), rotation * rig_from_world.translation},
                        camera,
                        (camera == 1 ? "front/" : "right/") + std::to_string(frame) + " ä.jpg",
                        {}};
      for (ColmapPoint& point : model.points) {
        const auto at = projected(model.cameras[camera - 1], image.cam_from_world, point.at);
        if (!at || at->x < 0 || at->x > 100) continue;
        point.track.emplace_back(image.id, static_cast<std::uint32_t>(image.points.size()));
        image.points.push_back({at->x, at->y, static_cast<std::int64_t>(point.id)});
      }
      model.frames.back().images.push_back({0, camera, image.id});
      image.points.push_back({1.5, 2.5, -1});
      model.images.push_back(std::move(image));
    }
  }
  return model;
}

class ColmapFiles : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }
  fs::path folder_ = fs::temp_directory_path() / ("imago-colmap-" + std::to_string(::getpid()));
};

void expect_same(const ColmapModel& a, const ColmapModel& b) {
  ASSERT_EQ(a.images.size(), b.images.size());
  for (std::size_t i = 0; i < a.images.size(); ++i) {
    EXPECT_EQ(a.images[i].name, b.images[i].name);
    EXPECT_EQ(a.images[i].cam_from_world.rotation.x, b.images[i].cam_from_world.rotation.x);
    EXPECT_EQ(a.images[i].cam_from_world.translation, b.images[i].cam_from_world.translation);
    ASSERT_EQ(a.images[i].points.size(), b.images[i].points.size());
    EXPECT_EQ(a.images[i].points.back().x, b.images[i].points.back().x);
    EXPECT_EQ(a.images[i].points.back().point, -1);
  }
  ASSERT_EQ(a.points.size(), b.points.size());
  EXPECT_EQ(a.points[1].at, b.points[1].at);
  EXPECT_EQ(a.points[1].color, b.points[1].color);
  EXPECT_EQ(a.points[1].track, b.points[1].track);
  ASSERT_EQ(a.cameras.size(), b.cameras.size());
  EXPECT_EQ(a.cameras[1].params, b.cameras[1].params);
  ASSERT_EQ(a.rigs.size(), b.rigs.size());
  EXPECT_EQ(a.rigs[0].sensors[1].sensor_from_rig.rotation.y, b.rigs[0].sensors[1].sensor_from_rig.rotation.y);
  ASSERT_EQ(a.frames.size(), b.frames.size());
  EXPECT_EQ(a.frames[1].images[1].image, b.frames[1].images[1].image);
}

TEST_F(ColmapFiles, AreReadAsTheyWereWritten) {
  const ColmapModel model = small_model();
  write_colmap_text(model, folder_);
  expect_same(model, read_colmap(folder_));
  write_colmap_binary(model, folder_);
  expect_same(model, read_colmap(folder_));
  EXPECT_LT(mean_reprojection_error(model), 1e-12);
}

TEST_F(ColmapFiles, TruncatedAnywhereAreRefusedNotRead) {
  write_colmap_binary(small_model(), folder_);
  for (const char* name : {"images.bin", "points3D.bin", "cameras.bin", "rigs.bin", "frames.bin"}) {
    const std::vector<std::byte> whole = io::read_file(folder_ / name);
    for (std::size_t size = 0; size < whole.size(); size += 1 + whole.size() / 97) {
      write_file_atomically(folder_ / name, std::span(whole).first(size));
      EXPECT_THROW(read_colmap(folder_), Error) << name << " " << size;
    }
    write_file_atomically(folder_ / name, std::span(whole));
  }
  std::vector<std::byte> huge = io::read_file(folder_ / "images.bin");
  std::fill_n(huge.begin(), 8, std::byte{0x7f});  // a count of 9e18
  write_file_atomically(folder_ / "images.bin", std::span<const std::byte>(huge));
  EXPECT_THROW(read_colmap(folder_), Error);
}

TEST(TransformsJson, ProjectsThePointsWhereColmapDoes) {
  const ColmapModel model = small_model();
  const FaceRig rig{geometry::cube6(), 0, 90, 100, ".jpg"};
  const nlohmann::json transforms = transforms_json(model, rig, true);
  EXPECT_EQ(transforms["frames"][0]["file_path"], "images/front/1 ä.jpg");
  EXPECT_EQ(transforms["frames"][0]["mask_path"], "masks/front/1 ä.jpg.png");
  for (std::size_t i = 0; i < model.images.size(); ++i) {
    const auto& m = transforms["frames"][i]["transform_matrix"];
    for (const ColmapPoint& point : model.points) {
      const auto wanted =
          projected(model.cameras[model.images[i].camera - 1], model.images[i].cam_from_world, point.at);
      const std::array<double, 3> world = {point.at.x, point.at.z, -point.at.y};
      std::array<double, 3> in_camera{};
      for (std::size_t k = 0; k < 3; ++k) {
        for (std::size_t r = 0; r < 3; ++r) in_camera[k] += m[r][k].get<double>() * (world[r] - m[r][3].get<double>());
      }
      ASSERT_EQ(wanted.has_value(), in_camera[2] < 0);  // OpenGL looks along -z
      if (!wanted) continue;
      EXPECT_NEAR(50 + 50 * in_camera[0] / -in_camera[2], wanted->x, 1e-9);
      EXPECT_NEAR(50 - 50 * in_camera[1] / -in_camera[2], wanted->y, 1e-9);
    }
  }
}

TEST(OwnershipMasks, GiveEveryDirectionToOneFace) {
  const FaceRig rig{geometry::cube6(), 0, 96, 60, ".jpg"};
  const std::vector<Plane8> masks = ownership_masks(rig);
  ASSERT_EQ(masks.size(), 6u);
  // At 96 degrees a face owns its middle 90: 60 * tan(45) / tan(48) = 54 pixels, 3 of each side are its neighbours'.
  for (const Plane8& mask : masks) {
    for (int y = 0; y < 60; ++y) {
      for (int x = 0; x < 60; ++x) {
        const bool inside = x >= 3 && x < 57 && y >= 3 && y < 57;
        EXPECT_EQ(mask.row(y)[x], inside ? 255 : 0) << x << " " << y;
      }
    }
  }
}

}  // namespace
}  // namespace imago::pano
