#include "nn/segmentation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "nn/half.h"

namespace imago::nn {
namespace {

using testing::HasSubstr;

TEST(Half, EveryCodeComesBack) {
  for (std::uint32_t code = 0; code < 65536; ++code) {
    const auto half = static_cast<std::uint16_t>(code);
    const float value = float_from_half(half);
    if (std::isnan(value)) {
      EXPECT_TRUE(std::isnan(float_from_half(half_from_float(value))));
    } else {
      ASSERT_EQ(half_from_float(value), half) << code;
    }
  }
}

TEST(Half, RoundsToNearestEvenAndOverflowsToInfinity) {
  EXPECT_EQ(float_from_half(half_from_float(1.0F + 0x1p-11F)), 1.0F);
  EXPECT_EQ(float_from_half(half_from_float(1.0F + 0x1p-10F + 0x1p-11F)), 1.0F + 0x1p-9F);
  EXPECT_EQ(float_from_half(half_from_float(65519.0F)), 65504.0F);
  EXPECT_TRUE(std::isinf(float_from_half(half_from_float(65520.0F))));
  EXPECT_EQ(float_from_half(half_from_float(0x1p-25F)), 0.0F);
  EXPECT_EQ(float_from_half(half_from_float(-0x1.8p-24F)), -0x1p-23F);
}

TEST(Names, ArePythonsOrJsons) {
  const auto python = names_from_text(R"({0: 'person', 1: "driver's seat", 12: 'stop\'n go'})");
  EXPECT_EQ(python, (std::map<int, std::string>{{0, "person"}, {1, "driver's seat"}, {12, "stop'n go"}}));
  for (const char* broken : {"", "{", "person", "{0: ", "{0: 'person", "[1, 2]"}) {
    EXPECT_TRUE(names_from_text(broken).empty()) << broken;
  }
  EXPECT_EQ(coco_names().size(), 80U);
  EXPECT_EQ(coco_names().at(67), "cell phone");
  EXPECT_EQ(coco_names().at(79), "toothbrush");
}

Port port(const char* name, std::vector<std::int64_t> shape) { return {name, Element::f32, std::move(shape)}; }

SegmentationModel recognised(const std::vector<std::int64_t>& input, const std::vector<Port>& outputs,
                             const std::map<std::string, std::string>& metadata = {}) {
  return recognise({port("images", input)}, outputs, metadata);
}

TEST(Recognise, KnowsTheLayoutsByTheirShapes) {
  const std::vector<std::int64_t> fixed = {1, 3, 640, 640};
  const Port masks = port("output1", {1, 32, 160, 160});
  EXPECT_EQ(recognised(fixed, {port("output0", {1, 116, 8400}), masks}).kind, SegmentationKind::classic);
  EXPECT_EQ(recognised(fixed, {port("output0", {1, 116, 8400}), masks}).classes, 80);
  EXPECT_EQ(recognised(fixed, {port("output0", {1, 8400, 116}), masks}).kind, SegmentationKind::transposed);
  EXPECT_EQ(recognised(fixed, {port("output0", {1, 300, 38}), masks}).kind, SegmentationKind::end_to_end);
  EXPECT_EQ(recognised(fixed, {port("output0", {1, 300, 38}), masks}).names.at(0), "person");
  // Two classes: 4 + 2 + 32 fields, as many as finished detections have.
  EXPECT_EQ(recognised(fixed, {port("output0", {1, 8400, 38}), masks}).kind, SegmentationKind::transposed);
  EXPECT_EQ(recognised(fixed, {port("output0", {1, 38, 8400}), masks}).kind, SegmentationKind::classic);
  const SegmentationModel dynamic =
      recognised({-1, 3, -1, -1}, {port("output0", {-1, 116, -1}), port("output1", {-1, 32, -1, -1})});
  EXPECT_EQ(dynamic.kind, SegmentationKind::classic);
  EXPECT_EQ(dynamic.input_width, 0);
  EXPECT_EQ(dynamic.batch, 0);
  const std::vector<Port> detr = {port("dets", {1, 200, 4}), port("labels", {1, 200, 91}),
                                  port("4245", {1, 200, 108, 108})};
  const SegmentationModel rf_detr = recognised({1, 3, 432, 432}, detr);
  EXPECT_EQ(rf_detr.kind, SegmentationKind::rf_detr);
  EXPECT_EQ(rf_detr.prototypes_output, 2);
  EXPECT_EQ(rf_detr.classes, 91);
}

void expect_refused(const std::vector<Port>& outputs, const std::map<std::string, std::string>& metadata,
                    const char* words) {
  try {
    recognised({1, 3, 640, 640}, outputs, metadata);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind, ErrorKind::model);
    EXPECT_THAT(error.what(), HasSubstr("not a segmentation model"));
    EXPECT_THAT(error.what(), HasSubstr(words));
  }
}

TEST(Recognise, RefusesWhatSegmentsNothing) {
  expect_refused({port("output0", {1, 84, 8400})}, {{"task", "detect"}}, "its task is 'detect'");
  expect_refused({port("output0", {1, 84, 8400})}, {}, "output0 [1×84×8400]");
  expect_refused({port("output0", {1, 84, 8400}), port("output1", {1, 32, 160, 160})}, {{"names", "{0: 'a'}"}},
                 "no shape that is known");
  EXPECT_THROW(recognise({port("a", {1, 80})}, {}, {}), Error);
}

TEST(Letterboxes, AreUltralyticss) {
  const Letterbox bus = letterbox_for(810, 1080, 640, 640, false);
  EXPECT_EQ(bus.content_width, 480);
  EXPECT_EQ(bus.content_height, 640);
  EXPECT_EQ(bus.left, 80);
  EXPECT_EQ(bus.top, 0);
  const Letterbox odd = letterbox_for(1279, 721, 640, 640, false);
  EXPECT_EQ(odd.content_height, 361);  // 360.78
  EXPECT_EQ(odd.top, 139);             // 139.5 - 0.1
  const Letterbox square = letterbox_for(1920, 1920, 1280, 1280, false);
  EXPECT_EQ(square.left, 0);
  EXPECT_EQ(square.content_width, 1280);
}

TEST(Letterboxes, OfOpenSizesArePaddedToTheNextMultipleOf32) {
  const Letterbox bus = least_letterbox_for(810, 1080, 640);
  EXPECT_EQ(bus.width, 480);
  EXPECT_EQ(bus.height, 640);
  EXPECT_EQ(bus.left, 0);
  const Letterbox odd = least_letterbox_for(1279, 721, 640);
  EXPECT_EQ(odd.width, 640);
  EXPECT_EQ(odd.height, 384);  // 361 and (640 - 361) mod 32
  EXPECT_EQ(odd.top, 11);      // 11.5 - 0.1
  const Letterbox thin = least_letterbox_for(5000, 1, 640);
  EXPECT_EQ(thin.content_height, 1);
  EXPECT_EQ(thin.height, 32);
}

TEST(Letterboxes, HoldThePictureBetweenGrey) {
  Rgba8 picture(4, 2);
  for (std::size_t i = 0; i < picture.pixels.size(); ++i)
    picture.pixels[i] = static_cast<std::uint8_t>(i % 4 == 0 ? 255 : 51);
  const Letterbox box = letterbox_for(4, 2, 8, 8, false);
  std::vector<float> values(3 * 64);
  fill_input(picture, box, false, values.data());
  for (int y = 0; y < 8; ++y) {
    const bool inside = y >= 2 && y < 6;
    for (int x = 0; x < 8; ++x) {
      EXPECT_NEAR(values[static_cast<std::size_t>(8 * y + x)], inside ? 1.0 : 114.0 / 255, 1e-6);
      EXPECT_NEAR(values[static_cast<std::size_t>(64 + 8 * y + x)], inside ? 0.2 : 114.0 / 255, 1e-6);
    }
  }
}

// Anchors as columns: x, y, w, h, two classes, one coefficient.
std::vector<Tensor> two_classes(const std::vector<std::array<float, 7>>& anchors) {
  std::vector<float> values;
  for (std::size_t f = 0; f < 7; ++f) {
    for (const auto& anchor : anchors) values.push_back(anchor[f]);
  }
  return {tensor_of({1, 7, static_cast<std::int64_t>(anchors.size())}, values)};
}

TEST(Detections, ThresholdClassesAndOverlapsDecide) {
  SegmentationModel model;
  model.classes = 2;
  model.coefficients = 1;
  const std::vector<Tensor> outputs = two_classes({
      {50, 50, 20, 20, 0.9F, 0.1F, 1},   // kept
      {51, 50, 20, 20, 0.8F, 0.1F, 2},   // the same thing again
      {51, 50, 20, 20, 0.1F, 0.7F, 3},   // another class at the same place
      {80, 80, 20, 20, 0.25F, 0.1F, 4},  // at the threshold: out
      {20, 20, 20, 20, 0.3F, 0.6F, 5},   // its best class is the second
  });
  const Letterbox box{100, 100, 100, 100, 0, 0};
  const std::vector<Detection> all = detections_of(model, outputs, 0, box, {});
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].coefficients[0], 1);
  EXPECT_EQ(all[1].coefficients[0], 3);
  EXPECT_EQ(all[2].class_id, 1);
  DetectionOptions persons;
  persons.classes = {0};
  const std::vector<Detection> found = detections_of(model, outputs, 0, box, persons);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].left, 40);
  EXPECT_EQ(found[0].bottom, 60);
  DetectionOptions loose;
  loose.iou = 0.95F;
  EXPECT_EQ(detections_of(model, outputs, 0, box, loose).size(), 4U);
}

TEST(Detections, OfOtherShapesThanPromisedAreRefused) {
  SegmentationModel model;
  model.classes = 2;
  model.coefficients = 1;
  const Tensor found = tensor_of({1, 7, 2}, std::vector<float>(14, 0.0F));
  const Tensor masks = tensor_of({1, 1, 4, 4}, std::vector<float>(16, 0.0F));
  EXPECT_NO_THROW(check_outputs(model, {found, masks}, 1));
  EXPECT_THROW(check_outputs(model, {found, masks}, 2), Error);  // one picture of two
  EXPECT_THROW(check_outputs(model, {found}, 1), Error);
  EXPECT_THROW(check_outputs(model, {tensor_of({1, 6, 2}, std::vector<float>(12)), masks}, 1), Error);
  EXPECT_THROW(check_outputs(model, {found, tensor_of({1, 2, 4, 4}, std::vector<float>(32))}, 1), Error);
  EXPECT_THROW(check_outputs(model, {found, tensor_of({1, 1, 0, 4}, {})}, 1), Error);
  model.kind = SegmentationKind::end_to_end;
  EXPECT_NO_THROW(check_outputs(model, {tensor_of({1, 2, 7}, std::vector<float>(14)), masks}, 1));
  EXPECT_THROW(check_outputs(model, {tensor_of({1, 2, 6}, std::vector<float>(12)), masks}, 1), Error);
}

TEST(Detections, WhoseNumbersAreNotFiniteAreNone) {
  SegmentationModel model;
  model.classes = 2;
  model.coefficients = 1;
  const float nan = std::nanf("");
  const float infinite = HUGE_VALF;
  const std::vector<Tensor> outputs =
      two_classes({{nan, 50, 20, 20, 0.9F, 0, 1}, {50, infinite, 20, 20, 0.9F, 0, 1}, {50, 50, 20, 20, nan, nan, 1}});
  EXPECT_TRUE(detections_of(model, outputs, 0, {100, 100, 100, 100, 0, 0}, {}).empty());
}

TEST(UnionMask, IsThePrototypeStretchedAndCutByTheBox) {
  SegmentationModel model;
  model.coefficients = 1;
  std::vector<float> prototype(16, -1.0F);
  for (std::size_t y = 0; y < 4; ++y) prototype[4 * y + 2] = prototype[4 * y + 3] = 1.0F;  // right half
  const std::vector<Tensor> outputs = {tensor_of({1, 1, 1}, {0}), tensor_of({1, 1, 4, 4}, prototype)};
  const Letterbox box = letterbox_for(32, 32, 16, 16, false);
  const Detection detection{0, 4, 12, 16, 0.9F, 0, {1.0F}, -1};
  const Plane8 mask = union_mask(model, outputs, 0, box, {detection}, 32, 32);
  for (int y = 0; y < 32; ++y) {
    for (int x = 0; x < 32; ++x) {
      EXPECT_EQ(mask.row(y)[x], x >= 16 && x < 24 && y >= 8 ? 255 : 0) << x << ", " << y;
    }
  }
}

}  // namespace
}  // namespace imago::nn
