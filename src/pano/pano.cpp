#include "pano/pano.h"

#include <fmt/format.h>

#include "base/path_text.h"
#include "gpu/gpu.h"
#include "io/image_file.h"
#include "io/picture_reader.h"
#include "pano/face_passes.h"

namespace imago::pano {
namespace {

std::vector<Rgba8> empty_faces(const FacesPlan& plan) {
  std::vector<Rgba8> faces;
  for (const FacePlan& face : plan.faces) faces.emplace_back(face.size, face.size);
  return faces;
}

// The faces, or the reason why there are none. A black face is no failure: caves and lens caps are black.
std::optional<gpu::Fallback> sample_on_gpu(const FacesPlan& plan, const PanoramaLevels& levels,
                                           std::vector<Rgba8>& faces) {
  PassList list;
  const std::vector<int> outputs = add_faces(plan, levels, list);
  std::vector<gpu::Readback> wanted;
  for (std::size_t i = 0; i < faces.size(); ++i) {
    wanted.push_back({outputs[i], std::as_writable_bytes(std::span(faces[i].pixels.data(), faces[i].pixels.size())),
                      gpu::Written::alpha_255});
  }
  return gpu::run(list, wanted).fallback;
}

void sample_on_cpu(const FacesPlan& plan, const PanoramaLevels& levels, std::vector<Rgba8>& faces) {
  for (std::size_t i = 0; i < faces.size(); ++i) sample_face(plan, plan.faces[i], levels, faces[i]);
}

}  // namespace

void read_panorama_size(const std::filesystem::path& path) {
  const io::InputKind kind = io::sniff(path);
  if (kind != io::InputKind::jpeg && kind != io::InputKind::png && kind != io::InputKind::tiff) {
    throw Error(ErrorKind::input, fmt::format("{}: a panorama must be a JPEG, PNG or TIFF", utf8(path)));
  }
  const io::PictureInfo info = io::probe_picture(path);
  if (info.width == info.height) {
    throw Error(
        ErrorKind::input,
        fmt::format("{}: {}x{} is not 2:1; this looks like top-bottom stereo (two panoramas): cut out one eye first",
                    utf8(path), info.width, info.height));
  }
  if (info.width != 2 * info.height) {
    throw Error(ErrorKind::input, fmt::format("{}: {}x{} is not 2:1: a full equirectangular panorama is needed",
                                              utf8(path), info.width, info.height));
  }
}

PaddedPanorama read_panorama(const std::filesystem::path& path) {
  read_panorama_size(path);
  const Rgba8 picture = io::read_rgba8(path);
  PaddedPanorama panorama(picture.width, picture.height);
  for (int y = 0; y < picture.height; ++y) {
    std::copy_n(picture.row(y), picture.row_samples(), panorama.row(y));
  }
  surround(panorama);
  return panorama;
}

FacesRender render_faces(const FacesPlan& plan, const PaddedPanorama& panorama, Backend backend) {
  const PanoramaLevels levels = build_levels(plan, panorama);
  FacesRender render{empty_faces(plan), Backend::gpu, ""};
  if (backend != Backend::cpu) {
    const std::optional<gpu::Fallback> fallback = sample_on_gpu(plan, levels, render.faces);
    if (!fallback) return render;
    if (backend == Backend::gpu) throw Error(ErrorKind::gpu, fallback->reason);
    render.gpu_fallback = gpu::redone_on_cpu(*fallback);
  }
  render.backend = Backend::cpu;
  sample_on_cpu(plan, levels, render.faces);
  return render;
}

}  // namespace imago::pano
