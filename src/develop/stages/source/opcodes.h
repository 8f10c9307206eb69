// Corrections that a DNG asks for on light: OpcodeList2 on the mosaic before its highlights are judged, OpcodeList3 on
// the picture of three colours (DNG specification 1.7.1, chapter 7). Bad pixels are done before, on codes; warps are
// the geometry's.
//
// Samples are white-balanced; the opcodes speak of light before that, and it is given to them. On a mosaic, a sample
// that was clipped stays at its clip level, and one that a gain lifts there counts as clipped, so that a lens shading
// map casts no colour on burnt corners. Samples below black keep their sign. Samples that are not finite become 0.
#pragma once

#include <span>
#include <vector>

#include "develop/stages/source/source.h"
#include "io/raw/dng_opcodes.h"

namespace imago::develop {

// `mosaic` covers plan.window.
void apply_mosaic_opcodes(std::span<const io::DngOpcode> opcodes, const SourcePlan& plan, Plane& mosaic);

// `picture` covers `area`, in pixels of the sensor; camera colours, white-balanced.
void apply_picture_opcodes(std::span<const io::DngOpcode> opcodes, const SourcePlan& plan, Rect area, Rgb32f& picture);

// True for what the two functions above act on.
bool changes_light(const io::DngOpcode& opcode);

// True for those that move pixels: the geometry's.
bool is_warp(const io::DngOpcode& opcode);

}  // namespace imago::develop
