//===- Backend.cpp - The `cuda` back end's entry --------------------------===//

#include "../processes/ProcessHost.h"
#include "Libraries.h"

#include "../gpu/World.h"

#include <cstdlib>

using namespace tessera;
using namespace tessera::cuda;
using processes::findProcessRank, processes::ProcessHost,
    processes::ProcessRank;

static Fallible<std::unique_ptr<gpu::World>>
openWorld(TesseraWorldOptions options) {
  if (options.timeout == 0)
    options.timeout = 60;
  Fallible<ProcessRank> process =
      findProcessRank([](const char *name) { return std::getenv(name); });
  if (!process)
    return process.failure();
  if (process->size != options.ranks)
    return Failure{
        "expected " + std::to_string(options.ranks) +
        (options.ranks == 1 ? " process" : " processes, one for each rank") +
        ", got " + std::to_string(process->size) +
        "; start them with torchrun, srun or mpirun"};
  Fallible<const gpu::CudaDriver *> driver = loadDriver();
  if (!driver)
    return driver.failure();
  static const gpu::Nccl noNccl;
  Fallible<const gpu::Nccl *> nccl = &noNccl;
  if (options.ranks > 1 || gpu::Communicators::includeGroupsOfOne())
    nccl = loadNccl();
  if (!nccl)
    return nccl.failure();
  int devices = 0;
  (*driver)->deviceCount(&devices);
  auto host = ProcessHost::open(*process, options, devices);
  if (!host)
    return host.failure();
  return gpu::World::open(options, {**driver, **nccl, loadCublasLt, loadCufft},
                          *std::move(host));
}

extern "C" TESSERA_EXPORT const TesseraBackend *tessera_backend(void) {
  static const TesseraBackend backend =
      gpu::World::makeBackend<openWorld>("cuda");
  return &backend;
}
