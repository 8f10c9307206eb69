// The frame of every stage of a 360 project: what is already there is not done again, a killed run goes on where it
// was, and several processes share the work by frames.
//
// A stage turns items (a frame, a clip) into output files below its folder. Its manifest, <folder>/<name>.json, holds
// the parameters and, for each item, a hash of its inputs, its outputs with size and hash, what ran and what went
// wrong. It holds no times and no names of machines: two runs over the same inputs leave the same bytes. While a run
// lasts, finished items are appended to a journal beside the manifest, which a killed run leaves behind and the next
// one reads.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace imago::pano {

// What becomes of items that a former run has done.
enum class Rerun : std::uint8_t {
  resume,  // missing, failed and changed items; other parameters than before are an error
  update,  // the same, but items made with other parameters are made anew too
  force    // everything
};

// Part `index` (1 … count) of the items: those whose place in the sorted list is index - 1 modulo count. Each shard has
// a manifest of its own, <name>.<index>of<count>.json.
struct Shard {
  int index = 1;
  int count = 1;
  bool operator==(const Shard&) const = default;
};
Shard shard_from_text(std::string_view text);  // "2/3"; throws Error{usage}

struct StageOptions {
  std::filesystem::path folder;
  std::string stage;                    // "cubemap": in events and messages
  std::string manifest_name = "stage";  // stage.json
  Rerun rerun = Rerun::resume;
  Shard shard;
};

struct StageItem {
  std::string name;  // unique in the stage, UTF-8
  std::vector<std::filesystem::path> inputs;
};

struct ItemResult {
  std::vector<std::filesystem::path> outputs;         // below the stage's folder
  nlohmann::json details = nlohmann::json::object();  // goes into the manifest: backend, coverage, …
  std::map<std::string, double> timing_ms;            // into events only
};

// What happens, as it happens. Called from whichever thread did the step, one call at a time.
struct StageEvent {
  enum class Kind : std::uint8_t { start, item, end } kind = Kind::start;
  std::string stage;
  int total = 0;    // items of this shard
  int pending = 0;  // of those, to be done in this run
  int done = 0;     // in this run, failed ones included
  int failed = 0;   // in this run
  int removed = 0;  // outputs of items that are no more
  double per_second = 0;
  double seconds_left = 0;
  std::string item;                    // of an item event
  const ItemResult* result = nullptr;  // null when the item failed
  std::string error;
  ErrorKind error_kind = ErrorKind::internal;
};
using StageListener = std::function<void(const StageEvent&)>;

struct StageSummary {
  int total = 0, done = 0, failed = 0, kept = 0, removed = 0;
  ErrorKind last_failure = ErrorKind::internal;
};

class StageRun {
 public:
  // Reads what former runs left and decides what is pending. Throws Error{usage} when parameters differ from a former
  // run's and `rerun` is resume (the message names the differences), Error{io} when the folder cannot be written or
  // another process is at work on it.
  StageRun(StageOptions options, nlohmann::json parameters, std::vector<StageItem> items, StageListener listener);
  ~StageRun();
  StageRun(const StageRun&) = delete;
  StageRun& operator=(const StageRun&) = delete;

  const std::vector<StageItem>& pending() const;

  // From any thread. `done` throws Error{io} when an output is missing or the journal cannot be written.
  void done(const StageItem& item, const ItemResult& result);
  void failed(const StageItem& item, const Error& error);

  // Writes the manifest and removes outputs of items that are no more (only where every item is this run's: not in a
  // shard). A run that is left without it keeps its journal.
  StageSummary finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Throws what StageRun's constructor would when parameters differ, before work is done for nothing.
void refuse_other_parameters(const StageOptions& options, const nlohmann::json& parameters);

// Where a folder of pictures keeps its manifest and what else belongs to it: its parent when it is called "images",
// else itself.
std::filesystem::path stage_folder_of(const std::filesystem::path& images_dir);

// A hash of a file's size and content (its first and last MiB and its middle where it is longer than 4 MiB). Throws
// Error{input}.
std::uint64_t content_hash(const std::filesystem::path& path);
std::string hash_text(std::uint64_t hash);  // 16 hexadecimal digits

// --- what manifests say, for status and verify ---

struct ManifestItem {
  std::string name;
  std::string error;
  std::vector<std::filesystem::path> outputs;
  std::vector<std::uint64_t> bytes;
  std::vector<std::string> hashes;
  nlohmann::json details;
};

struct Manifest {
  std::filesystem::path path;
  std::string stage;
  Shard shard;
  bool complete = false;  // the run came to its end
  nlohmann::json parameters;
  std::vector<ManifestItem> items;
};

// Those of a folder, of all shards; empty where the stage has not run. Throws Error{input} for a broken one.
std::vector<Manifest> read_manifests(const std::filesystem::path& folder, const std::string& manifest_name = "stage");

// Missing outputs, outputs of another size or content; one line each.
std::vector<std::string> damaged_outputs(const Manifest& manifest, const std::filesystem::path& folder);

}  // namespace imago::pano
