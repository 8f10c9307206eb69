// Each fault that can be injected, through the whole of develop(): the picture is the CPU's and the reason is told.
#include "faults/develop_fixture.h"

namespace imago::develop {
namespace {

struct FaultCase {
  gpu::Fault fault;
  const char* name;
  bool is_fatal;  // the GPU is not used again
};

void PrintTo(const FaultCase& test, std::ostream* out) { *out << test.name; }

class EveryFault : public NeedsGpu, public testing::WithParamInterface<FaultCase> {};

INSTANTIATE_TEST_SUITE_P(
    Develop, EveryFault,
    testing::Values(FaultCase{gpu::Fault::buffer, "buffer", false},
                    FaultCase{gpu::Fault::out_of_memory, "out_of_memory", false},
                    FaultCase{gpu::Fault::pipeline, "pipeline", false}, FaultCase{gpu::Fault::black, "black", false},
                    FaultCase{gpu::Fault::submit, "submit", true}, FaultCase{gpu::Fault::map, "map", true},
                    FaultCase{gpu::Fault::lost, "lost", true}, FaultCase{gpu::Fault::timeout, "timeout", true},
                    FaultCase{gpu::Fault::incomplete, "incomplete", true}),
    [](const auto& test) { return std::string(test.param.name); });

TEST_P(EveryFault, GivesTheCpusPictureAndTheReason) {
  const Render cpu = render(Backend::cpu);
  gpu::inject_fault(GetParam().fault, 1);
  const Render failed = render(Backend::automatic);
  EXPECT_FALSE(gpu::fault_pending()) << "the fault did not fire";
  EXPECT_EQ(failed.developed.backend, Backend::cpu);
  EXPECT_NE(failed.developed.gpu_fallback, "");
  EXPECT_EQ(failed.pixels, cpu.pixels);
}

TEST_P(EveryFault, StopsTheGpuOnlyWhenItIsFatal) {
  gpu::inject_fault(GetParam().fault, 1);
  render(Backend::automatic);
  EXPECT_EQ(gpu::available(), !GetParam().is_fatal);
  const Render next = render(Backend::automatic);
  EXPECT_EQ(next.developed.backend, GetParam().is_fatal ? Backend::cpu : Backend::gpu);
  gpu::reset_failures();
  EXPECT_EQ(render(Backend::automatic).developed.backend, Backend::gpu);
}

TEST_P(EveryFault, IsAnErrorWhenOnlyTheGpuMayRender) {
  gpu::inject_fault(GetParam().fault, 1);
  try {
    render(Backend::gpu);
    FAIL() << "a picture came";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind, ErrorKind::gpu);
    EXPECT_NE(std::string(error.what()).find("small.dng"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace imago::develop
