// Everything about a render that is decided once, for the CPU and the GPU alike.
#pragma once

#include <memory>

#include "color/lut.h"
#include "develop/photo.h"
#include "develop/settings/settings.h"
#include "develop/stages/dehaze/dehaze.h"
#include "develop/stages/detail/detail.h"
#include "develop/stages/finish/finish.h"
#include "develop/stages/geom/geom.h"
#include "develop/stages/masks/masks.h"
#include "develop/stages/noise/noise.h"
#include "develop/stages/planes/planes.h"
#include "develop/stages/resize/resize.h"
#include "develop/stages/spots/spots.h"

namespace imago::develop {

// Bounds of the output's size; 0 bounds nothing, the strictest counts. With `enlarge` a picture that is smaller grows
// up to the strictest.
struct SizeBounds {
  int width_px = 0;
  int height_px = 0;
  double megapixels = 0;
  double percent = 0;
  bool enlarge = false;
};

struct RenderRequest {
  Settings settings;
  int long_edge_px = 0;  // 0: full size; enlarges only with bounds.enlarge
  OutputFormat format;
  std::shared_ptr<const color::Lut> lut;  // of settings.lut.file; null: the tool is off. See load_lut
  bool is_draft = false;                  // bilinear filters: for interaction
  SizeBounds bounds = {};
};

struct Plan {
  GeomPlan geom;
  ResizePlan resize;
  SpotsPlan spots;
  NoisePlan noise;
  DehazePlan dehaze;
  DetailPlan detail;
  PlanesPlan planes;  // used when needs_base()
  MasksPlan masks;    // used when finish.needs_masks()
  FinishPlan finish;
  int width = 0;  // of the output
  int height = 0;
  // What a cached buffer holds: the source, the framed picture at the output's size, the same without spots, noise and
  // haze, its base layer, the same with its detail, its masks.
  StageKey source_key = 0, geom_key = 0, scene_key = 0, clean_key = 0, base_key = 0, detail_key = 0, masks_key = 0;

  bool needs_base() const { return finish.needs_base() || detail.needs_base(); }
  bool has_detail() const { return !detail.is_identity(); }
  bool is_clean() const { return clean_key == scene_key; }  // there is nothing to clean
};

// Throws Error{usage} for an enlargement beyond 1000 MP.
Plan plan(const Photo& photo, const RenderRequest& request);

}  // namespace imago::develop
