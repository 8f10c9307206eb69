// A device that really goes away between recording and submitting. A program of its own: its GPU is gone afterwards.
#include "faults/develop_fixture.h"

namespace imago::develop {
namespace {

class DeviceLost : public NeedsGpu {};

TEST_F(DeviceLost, CostsTheGpuAndNotThePictureOrTheProcess) {
  const Render cpu = render(Backend::cpu);
  ASSERT_EQ(render(Backend::automatic).developed.backend, Backend::gpu);

  gpu::inject_fault(gpu::Fault::destroyed, 1);
  const Render lost = render(Backend::automatic);
  EXPECT_FALSE(gpu::fault_pending()) << "the fault did not fire";
  EXPECT_EQ(lost.developed.backend, Backend::cpu);
  EXPECT_NE(lost.developed.gpu_fallback, "");
  EXPECT_EQ(lost.pixels, cpu.pixels);
  std::printf("the render said: %s\n", lost.developed.gpu_fallback.c_str());

  // For good, and for every thread.
  gpu::reset_failures();
  EXPECT_FALSE(gpu::available());
  EXPECT_NE(gpu::unavailable_reason(), "");
  const Render next = render(Backend::automatic);
  EXPECT_EQ(next.developed.backend, Backend::cpu);
  EXPECT_EQ(next.pixels, cpu.pixels);
  EXPECT_EQ(next.developed.gpu_fallback, gpu::unavailable_reason()) << "later renders say so too";
  try {
    render(Backend::gpu);
    FAIL() << "a picture came";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind, ErrorKind::gpu);
    EXPECT_NE(std::string(error.what()).find(gpu::unavailable_reason()), std::string::npos) << error.what();
    std::printf("the next one says: %s\n", error.what());
  }
}

}  // namespace
}  // namespace imago::develop
