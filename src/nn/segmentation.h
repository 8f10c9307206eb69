// Instance segmentation by networks of the YOLO family (Ultralytics' exports of YOLOv8, YOLO11, YOLO26 in all their
// layouts) and RF-DETR: pictures in, a mask of what was found out.
//
// A network is recognised by the shapes of what it takes and gives, helped by its metadata. Letterbox, thresholds, NMS
// and the assembly of masks from prototypes are Ultralytics' (its native resolution form, "retina_masks"), so that the
// same file gives the same masks.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "image/image.h"
#include "nn/runtime.h"

namespace imago::nn {

enum class SegmentationKind : std::uint8_t {
  classic,     // [batch, 4 + classes + coefficients, anchors], NMS to be done
  transposed,  // [batch, anchors, 4 + classes + coefficients]
  end_to_end,  // [batch, detections, 6 + coefficients]: x1 y1 x2 y2 score class …, NMS done
  rf_detr,     // boxes, logits of sparse COCO classes and one mask a query
};

struct SegmentationModel {
  SegmentationKind kind = SegmentationKind::classic;
  int input_width = 0;  // 0: any multiple of 32
  int input_height = 0;
  int batch = 1;  // 0: any
  int classes = 0;
  int coefficients = 0;
  int detections_output = 0;  // indices of the outputs
  int prototypes_output = 1;
  int logits_output = -1;            // RF-DETR's classes
  std::map<int, std::string> names;  // by class; may be empty
};

// From what a network takes and gives. `metadata` holds task, names, imgsz, end2end as far as the file has them. Throws
// Error{model} for everything else, saying what to export: "not a segmentation model …".
SegmentationModel recognise(const std::vector<Port>& inputs, const std::vector<Port>& outputs,
                            const std::map<std::string, std::string>& metadata);

// Python's {0: 'person', 1: "driver's seat"} and JSON's {"0": "person"}; empty for what is neither.
std::map<int, std::string> names_from_text(const std::string& text);

// The 80 classes of COCO as YOLO counts them; what a model without names is taken to know when it has 80 classes.
const std::map<int, std::string>& coco_names();

// --- One picture ----------------------------------------------------------------------------------------------------

// Where a picture lies in the network's input.
struct Letterbox {
  int width = 0;  // of the network's input
  int height = 0;
  int content_width = 0;  // of the resized picture
  int content_height = 0;
  int left = 0;
  int top = 0;
};
// Fitted and centred as Ultralytics does; RF-DETR stretches.
Letterbox letterbox_for(int picture_width, int picture_height, int input_width, int input_height, bool stretch);
// For a network that takes any size: the longer side is `size`, the shorter padded to the next multiple of 32.
Letterbox least_letterbox_for(int picture_width, int picture_height, int size);

// Planar RGB, 0 … 1 (RF-DETR: ImageNet's mean and deviation), padding 114/255, bilinear with pixel centres at +0.5.
// `out` holds 3 * height * width floats.
void fill_input(const Rgba8& picture, const Letterbox& box, bool imagenet, float* out);

struct Detection {
  float left = 0, top = 0, right = 0, bottom = 0;  // in pixels of the network's input
  float score = 0;
  int class_id = 0;
  std::vector<float> coefficients;  // of the prototypes; RF-DETR: none
  int query = -1;                   // RF-DETR: whose mask it is
};

struct DetectionOptions {
  float confidence = 0.25f;
  float iou = 0.7f;
  std::vector<int> classes;  // empty: all
  int most = 300;
};

// Throws Error{model} unless a run gave `count` pictures' numbers of the shapes that detections_of and union_mask read:
// files may promise one shape and give another.
void check_outputs(const SegmentationModel& model, const std::vector<Tensor>& outputs, int count);

// Of picture `index` of a batch, best first, after NMS where the network has not done it. Finds whose numbers are not
// finite are none.
std::vector<Detection> detections_of(const SegmentationModel& model, const std::vector<Tensor>& outputs, int index,
                                     const Letterbox& box, const DetectionOptions& options);

// The union of the detections' masks at the picture's size: 255 where one of them is.
Plane8 union_mask(const SegmentationModel& model, const std::vector<Tensor>& outputs, int index, const Letterbox& box,
                  const std::vector<Detection>& detections, int picture_width, int picture_height);

}  // namespace imago::nn
