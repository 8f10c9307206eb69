// How a camera's rays become an image: `samples` × `samples` rays a pixel, rows in parallel. Equal bits for any number
// of threads.
#pragma once

#include <algorithm>

#include "base/parallel.h"
#include "image/image.h"
#include "scene/scene.h"

namespace imago::scene {

struct Sampling {
  int samples_per_side = 1;
  double softness = 1;  // pixels over which edges ramp; 4 and more make pictures that any good filter resamples exactly
};

// ray_at(x, y, spread in pixels): the ray through a continuous position of the picture.
template <typename RayAt>
Rgb pixel_light(int x, int y, const Sampling& sampling, const RayAt& ray_at) {
  const int n = sampling.samples_per_side;
  const double spread = sampling.softness / n;
  Rgb sum;
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) sum = sum + radiance(ray_at(x + (i + 0.5) / n, y + (j + 0.5) / n, spread));
  }
  return sum * (1.0f / static_cast<float>(n * n));
}

template <typename RayAt>
Rgb32f render(int width, int height, const Sampling& sampling, const RayAt& ray_at) {
  Rgb32f image(width, height);
  parallel_for(height, 8, [&](RowRange rows) {
    for (int y = rows.begin; y < rows.end; ++y) {
      float* out = image.row(y);
      for (int x = 0; x < width; ++x, out += 3) {
        const Rgb light = pixel_light(x, y, sampling, ray_at);
        out[0] = light.r;
        out[1] = light.g;
        out[2] = light.b;
      }
    }
  });
  return image;
}

}  // namespace imago::scene
