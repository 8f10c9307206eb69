#include "pano/stage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/atomic_file.h"

namespace imago::pano {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class Stage : public testing::Test {
 protected:
  void SetUp() override {
    root_ = fs::temp_directory_path() / ("imago-stage-" + std::to_string(::getpid()));
    fs::create_directories(root_ / "in");
    for (const char* name : {"a", "b", "c"}) write_input(name, std::string("content of ") + name);
  }
  void TearDown() override { fs::remove_all(root_); }

  void write_input(const std::string& name, const std::string& text) {
    write_file_atomically(root_ / "in" / name, text);
    if (std::ranges::find(names_, name) == names_.end()) names_.push_back(name);
  }
  std::vector<StageItem> items() const {
    std::vector<StageItem> items;
    for (const std::string& name : names_) items.push_back({name, {root_ / "in" / name}});
    return items;
  }
  StageOptions options(Rerun rerun = Rerun::resume, Shard shard = {}) const {
    return {root_ / "out", "test", "stage", rerun, shard};
  }
  std::vector<std::string> pending(const StageRun& run) const {
    std::vector<std::string> names;
    for (const StageItem& item : run.pending()) names.push_back(item.name);
    return names;
  }
  void make(StageRun& run, const StageItem& item) {
    const fs::path out = root_ / "out" / (item.name + ".txt");
    write_file_atomically(out, "made of " + item.name);
    run.done(item, {{out}, {{"backend", "cpu"}}, {}});
  }
  StageSummary run_all(const json& parameters = {{"fov", 96}}, Rerun rerun = Rerun::resume, Shard shard = {}) {
    StageRun run(options(rerun, shard), parameters, items(), {});
    for (const StageItem& item : run.pending()) make(run, item);
    return run.finish();
  }
  std::string manifest() const {
    std::ifstream file(root_ / "out/stage.json");
    return {std::istreambuf_iterator<char>(file), {}};
  }

  fs::path root_;
  std::vector<std::string> names_;
};

TEST_F(Stage, WhatIsThereIsNotDoneAgain) {
  EXPECT_EQ(run_all().done, 3);
  const StageSummary second = run_all();
  EXPECT_EQ(second.done, 0);
  EXPECT_EQ(second.kept, 3);
}

TEST_F(Stage, MissingOutputsFailuresAndChangedInputsAreDoneAgain) {
  run_all();
  fs::remove(root_ / "out/a.txt");
  write_input("b", "something else");
  {
    StageRun run(options(), {{"fov", 96}}, items(), {});
    EXPECT_THAT(pending(run), ElementsAre("a", "b"));
    make(run, run.pending()[0]);
    run.failed(run.pending()[1], Error(ErrorKind::input, "b: broken"));
    EXPECT_EQ(run.finish().failed, 1);
  }
  EXPECT_THAT(manifest(), HasSubstr("b: broken"));
  StageRun run(options(), {{"fov", 96}}, items(), {});
  EXPECT_THAT(pending(run), ElementsAre("b"));
}

TEST_F(Stage, OtherParametersNeedUpdateOrForce) {
  run_all();
  try {
    run_all({{"fov", 90}, {"quality", 95}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind, ErrorKind::usage);
    EXPECT_THAT(error.what(), HasSubstr("fov 96 -> 90, quality null -> 95"));
  }
  EXPECT_EQ(run_all({{"fov", 90}}, Rerun::update).done, 3);
  EXPECT_EQ(run_all({{"fov", 90}}, Rerun::update).done, 0);
  EXPECT_EQ(run_all({{"fov", 90}}, Rerun::force).done, 3);
}

TEST_F(Stage, AnUpdateThatWasInterruptedGoesOnWithTheRest) {
  run_all();
  {
    StageRun run(options(Rerun::update), {{"fov", 90}}, items(), {});
    make(run, run.pending()[0]);
  }
  StageRun run(options(), {{"fov", 90}}, items(), {});
  EXPECT_THAT(pending(run), ElementsAre("b", "c"));
}

TEST_F(Stage, AKilledRunGoesOnWhereItWasEvenWithATornJournal) {
  run_all();
  const std::string whole = manifest();
  fs::remove_all(root_ / "out");
  {
    StageRun run(options(), {{"fov", 96}}, items(), {});
    make(run, run.pending()[0]);
  }
  std::ofstream(root_ / "out/stage.journal", std::ios::app) << R"({"item":"b","rec)";
  {
    StageRun run(options(), {{"fov", 96}}, items(), {});
    EXPECT_THAT(pending(run), ElementsAre("b", "c"));
    for (const StageItem& item : run.pending()) make(run, item);
    run.finish();
  }
  EXPECT_EQ(manifest(), whole);
  EXPECT_FALSE(fs::exists(root_ / "out/stage.journal"));
}

TEST_F(Stage, OutputsOfInputsThatAreGoneAreRemoved) {
  run_all();
  names_ = {"a", "c"};
  const StageSummary summary = run_all();
  EXPECT_EQ(summary.removed, 1);
  EXPECT_FALSE(fs::exists(root_ / "out/b.txt"));
  EXPECT_TRUE(fs::exists(root_ / "out/a.txt"));
}

TEST_F(Stage, ShardsTogetherDoEverythingOnceAndTheWholeRunTakesThemOver) {
  run_all();
  const std::string whole = manifest();
  fs::remove_all(root_ / "out");
  EXPECT_EQ(run_all({{"fov", 96}}, Rerun::resume, {1, 2}).done, 2);
  EXPECT_EQ(run_all({{"fov", 96}}, Rerun::resume, {2, 2}).done, 1);
  EXPECT_EQ(read_manifests(root_ / "out").size(), 2u);
  EXPECT_EQ(run_all().done, 0);
  EXPECT_EQ(manifest(), whole);
  EXPECT_EQ(read_manifests(root_ / "out").size(), 1u);
}

TEST_F(Stage, TwoRunsAtOnceAreRefused) {
  const StageRun first(options(), {{"fov", 96}}, items(), {});
  EXPECT_THROW(StageRun(options(), {{"fov", 96}}, items(), {}), Error);
  EXPECT_NO_THROW(StageRun(options(Rerun::resume, {1, 2}), {{"fov", 96}}, items(), {}));
}

TEST_F(Stage, DamageIsFound) {
  run_all();
  EXPECT_THAT(damaged_outputs(read_manifests(root_ / "out").front(), root_ / "out"), IsEmpty());
  write_file_atomically(root_ / "out/a.txt", "made of x");
  fs::remove(root_ / "out/c.txt");
  EXPECT_THAT(damaged_outputs(read_manifests(root_ / "out").front(), root_ / "out"),
              ElementsAre(HasSubstr("a.txt: changed"), HasSubstr("c.txt: missing")));
}

TEST_F(Stage, ABrokenManifestIsNamed) {
  run_all();
  write_file_atomically(root_ / "out/stage.json", "{\"items\": [");
  EXPECT_THROW(run_all(), Error);
  EXPECT_THROW(read_manifests(root_ / "out"), Error);
}

TEST(ShardText, IsIOfN) {
  EXPECT_EQ(shard_from_text("2/3"), (Shard{2, 3}));
  for (const char* text : {"", "0/3", "4/3", "1/0", "1", "a/b", "1/2x", "1/", "-1/2"}) {
    EXPECT_THROW(shard_from_text(text), Error) << text;
  }
}

}  // namespace
}  // namespace imago::pano
