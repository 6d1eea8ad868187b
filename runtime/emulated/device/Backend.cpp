//===- Backend.cpp - The `emulated` back end's entry ----------------------===//

#include "device/EmulatedCublasLt.h"
#include "device/EmulatedCufft.h"
#include "device/EmulatedDevice.h"
#include "device/EmulatedHost.h"
#include "device/EmulatedNccl.h"

#include "../gpu/World.h"

using namespace tessera;
using namespace tessera::emulated;

static Fallible<std::unique_ptr<gpu::World>>
openWorld(TesseraWorldOptions options) {
  // Deadlocks are found without it, and an interpreter takes its time.
  if (options.timeout == 0)
    options.timeout = -1;
  if (Fallible<int> capability = emulatedCapability(); !capability)
    return capability.failure();
  auto host = std::make_unique<EmulatedHost>(options);
  if (host->hasFailed())
    return Failure{host->error()};
  auto cublasLt = [] { return Fallible(&emulatedCublasLt()); };
  auto cufft = [] { return Fallible(&emulatedCufft()); };
  return gpu::World::open(options,
                          {emulatedDriver(), emulatedNccl(), cublasLt, cufft},
                          std::move(host));
}

extern "C" TESSERA_EXPORT const TesseraBackend *tessera_backend(void) {
  static const TesseraBackend backend =
      gpu::World::makeBackend<openWorld>("emulated");
  return &backend;
}
