// Everything about a render that is decided once, for the CPU and the GPU alike.
#pragma once

#include <memory>

#include "color/lut.h"
#include "develop/photo.h"
#include "develop/settings/settings.h"
#include "develop/stages/finish/finish.h"
#include "develop/stages/geom/geom.h"
#include "develop/stages/masks/masks.h"
#include "develop/stages/planes/planes.h"
#include "develop/stages/resize/resize.h"

namespace imago::develop {

struct RenderRequest {
  Settings settings;
  int long_edge_px = 0;  // 0: full size; never enlarges
  OutputFormat format;
  std::shared_ptr<const color::Lut> lut;  // of settings.lut.file; null: the tool is off. See load_lut
  bool is_draft = false;                  // bilinear filters: for interaction
};

struct Plan {
  GeomPlan geom;
  ResizePlan resize;
  PlanesPlan planes;  // used when finish.needs_base()
  MasksPlan masks;    // used when finish.needs_masks()
  FinishPlan finish;
  int width = 0;  // of the output
  int height = 0;
  // What a cached buffer holds: the source, the framed picture at the output's size, its base layer, its masks.
  StageKey source_key = 0, geom_key = 0, scene_key = 0, base_key = 0, masks_key = 0;
};

Plan plan(const Photo& photo, const RenderRequest& request);

}  // namespace imago::develop
