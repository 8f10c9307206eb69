#include "io/metadata/exiv2_guard.h"

#include <mutex>

namespace imago::io {
namespace {

std::recursive_mutex xmp_mutex;

void lock_xmp(void* mutex, bool lock) {
  auto* xmp = static_cast<std::recursive_mutex*>(mutex);
  if (lock) {
    xmp->lock();
  } else {
    xmp->unlock();
  }
}

}  // namespace

void prepare_exiv2() {
  static std::once_flag once;
  std::call_once(once, [] {
    Exiv2::LogMsg::setLevel(Exiv2::LogMsg::mute);
    Exiv2::XmpParser::initialize(&lock_xmp, &xmp_mutex);
#if defined(EXV_ENABLE_BMFF) && !EXIV2_TEST_VERSION(0, 28, 0)  // later ones always read it
    Exiv2::enableBMFF(true);                                   // CR3
#endif
    Exiv2::XmpProperties::registerNs(imago_namespace, "imago");
  });
}

std::unique_lock<std::recursive_mutex> exclusive_xmp() {
  prepare_exiv2();
  return std::unique_lock(xmp_mutex);
}

}  // namespace imago::io
