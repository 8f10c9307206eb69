#include "pano/masks/mask_time.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>

#include "base/hash.h"
#include "base/path_text.h"
#include "pano/masks/mask_files.h"
#include "pano/masks/mask_shapes.h"

namespace imago::pano {
namespace {

namespace fs = std::filesystem;

struct Named {
  std::string face;
  fs::path picture;
};

fs::path base_of(const MasksOptions& options, const Named& named) {
  return mask_path(base_dir_of(options.output_dir), named.face, named.picture);
}

// How often each pixel of a face is masked.
struct Votes {
  int width = 0, height = 0;
  std::vector<std::uint32_t> counts;
  std::uint32_t frames = 0;
};

std::map<std::string, Votes> count_votes(const MasksOptions& options, const std::vector<StageItem>& frames,
                                         const CancelToken& cancel) {
  std::map<std::string, Votes> votes;
  for (const StageItem& frame : frames) {
    cancel.throw_if_cancelled();
    for (const fs::path& picture : frame.inputs) {
      const std::string face = face_of(options.input_dir, picture);
      const Plane8 mask = read_ignored(base_of(options, {face, picture}));
      Votes& of_face = votes[face];
      if (of_face.frames == 0) {
        of_face.width = mask.width;
        of_face.height = mask.height;
        of_face.counts.assign(mask.pixels.size(), 0);
      }
      if (mask.width != of_face.width || mask.height != of_face.height) continue;  // frames of mixed sizes
      for (std::size_t i = 0; i < mask.pixels.size(); ++i) of_face.counts[i] += mask.pixels[i] != 0 ? 1U : 0U;
      ++of_face.frames;
    }
  }
  return votes;
}

void add_votes(Plane8& mask, const Votes& votes, double share) {
  if (votes.width != mask.width || votes.height != mask.height) return;
  const double least = share * votes.frames;
  for (std::size_t i = 0; i < mask.pixels.size(); ++i) {
    if (votes.counts[i] > least) mask.pixels[i] = 255;
  }
}

std::optional<Plane8> neighbour(const MasksOptions& options, const std::vector<StageItem>& frames, std::size_t frame,
                                const std::string& face) {
  for (const fs::path& picture : frames[frame].inputs) {
    if (face_of(options.input_dir, picture) == face) return read_ignored(base_of(options, {face, picture}));
  }
  return std::nullopt;
}

// What the frames before and after both have.
void add_neighbours(Plane8& mask, const MasksOptions& options, const std::vector<StageItem>& frames, std::size_t frame,
                    const std::string& face) {
  if (frame == 0 || frame + 1 >= frames.size()) return;
  const auto before = neighbour(options, frames, frame - 1, face);
  const auto after = neighbour(options, frames, frame + 1, face);
  if (!before || !after || before->pixels.size() != mask.pixels.size() || after->pixels.size() != mask.pixels.size()) {
    return;
  }
  for (std::size_t i = 0; i < mask.pixels.size(); ++i) {
    if (before->pixels[i] != 0 && after->pixels[i] != 0) mask.pixels[i] = 255;
  }
}

}  // namespace

StageSummary masks_over_time(const MasksOptions& options, const std::vector<StageItem>& frames,
                             const StageListener& listener, const CancelToken& cancel) {
  std::map<std::string, Votes> votes;
  if (options.vote_share > 0) votes = count_votes(options, frames, cancel);
  // Every frame's mask depends on the whole clip: one changed base makes all anew, which costs little. So a hash of
  // them all is a parameter.
  std::vector<StageItem> items;
  Hash64 bases;
  std::set<std::string> faces;
  for (const StageItem& frame : frames) {
    StageItem item{frame.name, {}};
    for (const fs::path& picture : frame.inputs) {
      const std::string face = face_of(options.input_dir, picture);
      faces.insert(face);
      item.inputs.push_back(base_of(options, {face, picture}));
      bases.add(face).add(content_hash(item.inputs.back()));
    }
    items.push_back(std::move(item));
  }
  make_mask_folders(options.output_dir, faces);
  StageRun run({mask_stage_folder(options.output_dir),
                "masks over time",
                mask_manifest_name(options.output_dir),
                options.rerun == Rerun::resume ? Rerun::update : options.rerun,
                {}},
               {{"vote", options.vote_share}, {"temporal", options.temporal}, {"bases", hash_text(bases.value())}},
               items, listener);
  for (const StageItem& item : run.pending()) {
    cancel.throw_if_cancelled();
    const auto at = std::find_if(frames.begin(), frames.end(), [&](const StageItem& f) { return f.name == item.name; });
    const auto index = static_cast<std::size_t>(at - frames.begin());
    ItemResult result;
    double covered = 0;
    for (const fs::path& picture : at->inputs) {
      const std::string face = face_of(options.input_dir, picture);
      Plane8 mask = read_ignored(base_of(options, {face, picture}));
      if (options.vote_share > 0) add_votes(mask, votes.at(face), options.vote_share);
      if (options.temporal > 0) add_neighbours(mask, options, frames, index, face);
      covered += coverage_of(mask) / static_cast<double>(at->inputs.size());
      to_file_convention(mask);
      result.outputs.push_back(mask_path(options.output_dir, face, picture));
      write_mask(result.outputs.back(), mask);
    }
    result.details = {{"coverage", covered}};
    run.done(item, result);
  }
  return run.finish();
}

}  // namespace imago::pano
