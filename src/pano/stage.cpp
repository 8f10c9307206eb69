#include "pano/stage.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <mutex>
#include <set>

#include "base/atomic_file.h"
#include "base/hash.h"
#include "base/path_text.h"
#include "imago_version.h"
#include "io/byte_source.h"
#include "pano/journal.h"
#include "pano/manifest.h"

namespace imago::pano {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using Clock = std::chrono::steady_clock;

std::string text_of(const json& value) { return value.dump(-1, ' ', false, json::error_handler_t::replace); }

std::string shard_suffix(const Shard& shard) {
  return shard.count == 1 ? "" : fmt::format(".{}of{}", shard.index, shard.count);
}

fs::path manifest_path(const fs::path& folder, const std::string& name, const Shard& shard) {
  return folder / path_from_utf8(name + shard_suffix(shard) + ".json");
}

// "fov 96 -> 90, format jpg -> png"
std::string differences(const json& before, const json& now) {
  std::string text;
  std::set<std::string> keys;
  for (const auto& [key, value] : before.items()) keys.insert(key);
  for (const auto& [key, value] : now.items()) keys.insert(key);
  for (const std::string& key : keys) {
    const json a = before.value(key, json()), b = now.value(key, json());
    if (a != b) text += fmt::format("{}{} {} -> {}", text.empty() ? "" : ", ", key, text_of(a), text_of(b));
  }
  return text;
}

void refuse_other(const StageOptions& options, const json& before, const json& now) {
  if (options.rerun != Rerun::resume || before == now) return;
  throw Error(ErrorKind::usage,
              fmt::format("{}: made with other parameters ({}): --update makes anew what they change, --force all",
                          utf8(options.folder), differences(before, now)));
}

// `known`: hashes of this run, as the frames of a clip all come from one file.
std::string input_hash(const StageItem& item, std::map<fs::path, std::uint64_t>& known) {
  Hash64 hash;
  for (const fs::path& input : item.inputs) {
    const auto found = known.find(input);
    const std::uint64_t content = found != known.end() ? found->second : content_hash(input);
    known[input] = content;
    hash.add(utf8(input.filename())).add(content);
  }
  return hash_text(hash.value());
}

bool outputs_are_there(const json& record, const fs::path& folder) {
  for (const json& output : record.value("outputs", json::array())) {
    std::error_code error;
    const auto size = fs::file_size(folder / path_from_utf8(output.value("file", "")), error);
    if (error || size != output.value("bytes", std::uint64_t{0})) return false;
  }
  return true;
}

json described(const fs::path& output, const fs::path& folder) {
  std::error_code error;
  const auto bytes = fs::file_size(output, error);
  if (error) throw Error(ErrorKind::io, fmt::format("{}: {}", utf8(output), error.message()));
  const std::string name = utf8(output.lexically_relative(folder).generic_u8string());
  return {{"file", name}, {"bytes", bytes}, {"hash", hash_text(content_hash(output))}};
}

}  // namespace

std::uint64_t content_hash(const fs::path& path) {
  constexpr std::uint64_t piece = std::uint64_t{1} << 20;
  io::ByteSource source(path);
  const std::uint64_t size = source.size();
  Hash64 hash;
  hash.add(size);
  const auto add = [&](std::uint64_t offset, std::uint64_t count) {
    const std::vector<std::byte> bytes = source.head(offset, count);
    if (bytes.size() != count) throw Error(ErrorKind::input, fmt::format("{}: cannot be read", utf8(path)));
    hash.add(std::span(bytes));
  };
  if (size <= 4 * piece) {
    for (std::uint64_t at = 0; at < size; at += piece) add(at, std::min(piece, size - at));
  } else {
    for (const std::uint64_t at : {std::uint64_t{0}, size / 2, size - piece}) add(at, piece);
  }
  return hash.value();
}

std::string hash_text(std::uint64_t hash) { return fmt::format("{:016x}", hash); }

fs::path stage_folder_of(const fs::path& images_dir) {
  const fs::path folder = images_dir.lexically_normal();
  fs::path named = folder.has_filename() ? folder : folder.parent_path();
  if (named.filename() != "images") return named;
  return named.has_parent_path() ? named.parent_path() : fs::path(".");
}

Shard shard_from_text(std::string_view text) {
  Shard shard;
  const char* end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, shard.index);
  if (first.ec == std::errc() && first.ptr != end && *first.ptr == '/') {
    const auto second = std::from_chars(first.ptr + 1, end, shard.count);
    if (second.ec == std::errc() && second.ptr == end && shard.count >= 1 && shard.count <= 100000 &&
        shard.index >= 1 && shard.index <= shard.count) {
      return shard;
    }
  }
  throw Error(ErrorKind::usage, fmt::format("--shard {}: give I/N with I from 1 to N, for example 2/3", text));
}

void refuse_other_parameters(const StageOptions& options, const json& parameters) {
  for (const fs::path& manifest : manifest_paths(options.folder, options.manifest_name)) {
    const json former = read_json_object(manifest);
    if (!former.value("items", json::object()).empty()) {
      refuse_other(options, former.value("parameters", json()), parameters);
    }
  }
}

struct StageRun::State {
  StageOptions options;
  StageListener listener;
  json parameters;
  std::string parameter_hash;
  json records = json::object();  // item name -> record
  std::vector<StageItem> pending;
  std::map<std::string, std::string> input_hashes;
  std::map<fs::path, std::uint64_t> content_hashes;
  std::set<std::string> mine;  // names of all items of this shard
  std::optional<Journal> journal;
  std::mutex mutex;
  Clock::time_point start = Clock::now();
  int total = 0, done_count = 0, failed_count = 0;
  ErrorKind last_failure = ErrorKind::internal;

  fs::path path() const { return manifest_path(options.folder, options.manifest_name, options.shard); }

  json manifest(bool complete) const {
    return {{"stage", options.stage},
            {"tool", std::string("pipeline_360 ") + version},
            {"shard", fmt::format("{}/{}", options.shard.index, options.shard.count)},
            {"complete", complete},
            {"parameters", parameters},
            {"items", records}};
  }
  void write_manifest(bool complete) const {
    write_file_atomically(path(), manifest(complete).dump(1, ' ', false, json::error_handler_t::replace) + "\n");
  }

  void read_former();
  void choose(std::vector<StageItem> items);
  bool is_done(const StageItem& item);
  void record(const StageItem& item, json record);
  StageEvent event(StageEvent::Kind kind) const;
  int remove_stale();
  void remove_shard_manifests() const;
  void remove_litter() const;
};

void StageRun::State::read_former() {
  std::error_code error;
  fs::create_directories(options.folder, error);
  if (error) throw Error(ErrorKind::io, fmt::format("cannot make {}: {}", utf8(options.folder), error.message()));
  fs::path journal_path = path();
  journal_path.replace_extension(".journal");
  journal.emplace(journal_path);
  // Other shards' items count as done too; the own manifest comes last and has the last word.
  std::vector<fs::path> manifests = manifest_paths(options.folder, options.manifest_name);
  std::erase(manifests, path());
  if (fs::exists(path(), error)) manifests.push_back(path());
  for (const fs::path& manifest : manifests) {
    const json former = read_json_object(manifest);
    const json items = former.value("items", json::object());
    if (items.empty()) continue;
    refuse_other(options, former.value("parameters", json()), parameters);
    for (const auto& [name, record] : items.items()) {
      const bool older = record.value("parameters", "") != parameter_hash && records.contains(name) &&
                         records[name].value("parameters", "") == parameter_hash;
      if (!older) records[name] = record;
    }
  }
  for (const json& line : journal->lines()) {
    if (line.contains("item") && line.contains("record")) records[line["item"].get<std::string>()] = line["record"];
  }
}

bool StageRun::State::is_done(const StageItem& item) {
  std::string& hash = input_hashes[item.name];
  try {
    hash = input_hash(item, content_hashes);
  } catch (const Error&) {
    hash = "unreadable";  // the stage itself says why
    return false;
  }
  if (options.rerun == Rerun::force || !records.contains(item.name)) return false;
  const json& record = records[item.name];
  return !record.contains("error") && record.value("input", "") == hash &&
         record.value("parameters", "") == parameter_hash && outputs_are_there(record, options.folder);
}

void StageRun::State::choose(std::vector<StageItem> items) {
  std::sort(items.begin(), items.end(), [](const StageItem& a, const StageItem& b) { return a.name < b.name; });
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (static_cast<int>(i % static_cast<std::size_t>(options.shard.count)) != options.shard.index - 1) continue;
    mine.insert(items[i].name);
    ++total;
    if (!is_done(items[i])) pending.push_back(std::move(items[i]));
  }
  if (options.shard.count == 1) return;
  for (auto it = records.begin(); it != records.end();)
    it = mine.contains(it.key()) ? std::next(it) : records.erase(it);
}

StageEvent StageRun::State::event(StageEvent::Kind kind) const {
  StageEvent event;
  event.kind = kind;
  event.stage = options.stage;
  event.total = total;
  event.pending = static_cast<int>(pending.size());
  event.done = done_count;
  event.failed = failed_count;
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  if (done_count > 0 && seconds > 0) {
    event.per_second = done_count / seconds;
    event.seconds_left = (event.pending - done_count) / event.per_second;
  }
  return event;
}

void StageRun::State::record(const StageItem& item, json record) {
  record["input"] = input_hashes[item.name];
  record["parameters"] = parameter_hash;
  journal->append({{"item", item.name}, {"record", record}});
  records[item.name] = std::move(record);
}

// An output that another item still makes stays.
int StageRun::State::remove_stale() {
  std::set<std::string> wanted;
  std::vector<std::string> gone;
  for (const auto& [name, record] : records.items()) {
    if (!mine.contains(name)) gone.push_back(name);
    for (const json& output : record.value("outputs", json::array())) {
      if (mine.contains(name)) wanted.insert(output.value("file", ""));
    }
  }
  int removed = 0;
  for (const std::string& name : gone) {
    for (const json& output : records[name].value("outputs", json::array())) {
      const std::string file = output.value("file", "");
      std::error_code error;
      if (!file.empty() && !wanted.contains(file) && fs::remove(options.folder / path_from_utf8(file), error))
        ++removed;
    }
    records.erase(name);
  }
  return removed;
}

// Their items stand in the whole run's manifest now.
void StageRun::State::remove_shard_manifests() const {
  for (const fs::path& manifest : manifest_paths(options.folder, options.manifest_name)) {
    std::error_code ignored;
    if (manifest != path()) fs::remove(manifest, ignored);
  }
}

// Temporary files of killed runs. Their names hold the process that made them; one that still runs keeps its own.
void StageRun::State::remove_litter() const {
  std::set<fs::path> folders = {options.folder};
  for (const auto& [name, record] : records.items()) {
    for (const json& output : record.value("outputs", json::array())) {
      folders.insert((options.folder / path_from_utf8(output.value("file", ""))).parent_path());
    }
  }
  for (const fs::path& folder : folders) {
    std::error_code error;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
      const std::string name = utf8(it->path().filename());
      if (!name.starts_with(".imago-") || !name.ends_with(".tmp")) continue;
      const std::size_t at = name.find_first_of("0123456789");
      const int process = at == std::string::npos ? 0 : std::atoi(name.c_str() + at);
      std::error_code ignored;
      if (process > 0 && ::kill(process, 0) != 0 && errno == ESRCH) fs::remove(it->path(), ignored);
    }
  }
}

StageRun::StageRun(StageOptions options, json parameters, std::vector<StageItem> items, StageListener listener)
    : state_(std::make_unique<State>()) {
  state_->options = std::move(options);
  state_->listener = std::move(listener);
  state_->parameters = std::move(parameters);
  state_->parameter_hash = hash_text(Hash64().add(text_of(state_->parameters)).value());
  state_->read_former();
  state_->choose(std::move(items));
  state_->write_manifest(false);
  state_->journal->clear();
  if (state_->listener) state_->listener(state_->event(StageEvent::Kind::start));
}

StageRun::~StageRun() = default;

const std::vector<StageItem>& StageRun::pending() const { return state_->pending; }

void StageRun::done(const StageItem& item, const ItemResult& result) {
  json record = {{"outputs", json::array()}};
  for (const fs::path& output : result.outputs) record["outputs"].push_back(described(output, state_->options.folder));
  if (!result.details.empty()) record["details"] = result.details;
  const std::lock_guard lock(state_->mutex);
  state_->record(item, std::move(record));
  ++state_->done_count;
  if (!state_->listener) return;
  StageEvent event = state_->event(StageEvent::Kind::item);
  event.item = item.name;
  event.result = &result;
  state_->listener(event);
}

void StageRun::failed(const StageItem& item, const Error& error) {
  const std::lock_guard lock(state_->mutex);
  state_->record(item, {{"error", error.what()}});
  ++state_->done_count;
  ++state_->failed_count;
  state_->last_failure = error.kind;
  if (!state_->listener) return;
  StageEvent event = state_->event(StageEvent::Kind::item);
  event.item = item.name;
  event.error = error.what();
  event.error_kind = error.kind;
  state_->listener(event);
}

StageSummary StageRun::finish() {
  const std::lock_guard lock(state_->mutex);
  StageSummary summary;
  const bool whole = state_->options.shard.count == 1;
  if (whole) summary.removed = state_->remove_stale();
  state_->write_manifest(true);
  if (whole) {
    state_->remove_shard_manifests();
    state_->remove_litter();
  }
  state_->journal->remove();
  summary.total = state_->total;
  summary.done = state_->done_count - state_->failed_count;
  summary.failed = state_->failed_count;
  summary.kept = state_->total - static_cast<int>(state_->pending.size());
  summary.last_failure = state_->last_failure;
  if (state_->listener) {
    StageEvent event = state_->event(StageEvent::Kind::end);
    event.removed = summary.removed;
    state_->listener(event);
  }
  return summary;
}

}  // namespace imago::pano
