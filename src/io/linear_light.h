// Pictures whose signal is that of an HDR display. Private to src/io.
#pragma once

#include "image/image.h"
#include "io/cicp.h"

namespace imago::io {

// Linear light of full-range 16-bit PQ or HLG samples; 1 is the white of paper.
Rgb32f linear_picture(const Rgb16& signal, CicpColor::Light light);

}  // namespace imago::io
