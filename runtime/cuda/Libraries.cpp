//===- Libraries.cpp ------------------------------------------------------===//

#include "Libraries.h"

#include "../gpu/Device.h"

#include <cstdlib>
#include <dlfcn.h>

using namespace tessera;
using namespace tessera::cuda;

static Fallible<void *> loadLibrary(const char *file, const char *what) {
  if (void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL))
    return library;
  return Failure{std::string("back end 'cuda' needs ") + what + ": " +
                 dlerror()};
}

/// Looks up one function; notes the first that is missing.
template <typename Function>
static void look(void *library, const char *symbol, Function *&function,
                 std::string &missing) {
  function = reinterpret_cast<Function *>(dlsym(library, symbol));
  if (!function && missing.empty())
    missing = symbol;
}

static Fallible<gpu::CudaDriver> lookUpDriver() {
  Fallible<void *> library = loadLibrary("libcuda.so.1", "the NVIDIA driver");
  if (!library)
    return library.failure();
  gpu::CudaDriver table;
  std::string missing;
#define TESSERA_LOOK(field, symbol, ...)                                       \
  look(*library, #symbol, table.field, missing);
  TESSERA_CUDA_FUNCTIONS(TESSERA_LOOK)
#undef TESSERA_LOOK
  if (!missing.empty())
    return Failure{"libcuda.so.1 has no function " + missing +
                   ": expected a driver for CUDA 12.0 or newer"};
  // Streams that share one of the device's queues, of which there are 8 unless
  // the driver is told otherwise, wait for each other: messages of two ranks,
  // each on a stream of its own, could so wait for one another for ever.
  setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", /*overwrite=*/0);
  if (gpu::CudaResult result = table.init(0))
    return Failure{"the NVIDIA driver cannot be initialised: " +
                   gpu::describe(table, result)};
  return table;
}

Fallible<const gpu::CudaDriver *> cuda::loadDriver() {
  static const Fallible<gpu::CudaDriver> table = lookUpDriver();
  if (!table)
    return table.failure();
  return &*table;
}

static Fallible<gpu::Nccl> lookUpNccl() {
  Fallible<void *> library =
      loadLibrary("libnccl.so.2", "NCCL for what ranks do together");
  if (!library)
    return library.failure();
  gpu::Nccl table;
  std::string missing;
#define TESSERA_LOOK(field, symbol, ...)                                       \
  look(*library, #symbol, table.field, missing);
  TESSERA_NCCL_FUNCTIONS(TESSERA_LOOK)
#undef TESSERA_LOOK
  if (!missing.empty())
    return Failure{"libnccl.so.2 has no function " + missing +
                   ": expected NCCL 2.13 or newer"};
  return table;
}

Fallible<const gpu::Nccl *> cuda::loadNccl() {
  static const Fallible<gpu::Nccl> table = lookUpNccl();
  if (!table)
    return table.failure();
  return &*table;
}

static Fallible<gpu::CublasLt> lookUpCublasLt() {
  const char *what = "cuBLASLt, which this program's tuning records chose";
  Fallible<void *> library = loadLibrary("libcublasLt.so.13", what);
  if (!library)
    if (Fallible<void *> older = loadLibrary("libcublasLt.so.12", what); older)
      library = older;
  if (!library)
    return library.failure();
  gpu::CublasLt table;
  std::string missing;
#define TESSERA_LOOK(field, symbol, ...)                                       \
  look(*library, #symbol, table.field, missing);
  TESSERA_CUBLASLT_FUNCTIONS(TESSERA_LOOK)
#undef TESSERA_LOOK
  if (!missing.empty())
    return Failure{"libcublasLt.so has no function " + missing +
                   ": expected that of CUDA 12.0 or newer"};
  return table;
}

Fallible<const gpu::CublasLt *> cuda::loadCublasLt() {
  static const Fallible<gpu::CublasLt> table = lookUpCublasLt();
  if (!table)
    return table.failure();
  return &*table;
}

static Fallible<gpu::Cufft> lookUpCufft() {
  const char *what = "cuFFT, for Fourier transforms on the device";
  Fallible<void *> library = loadLibrary("libcufft.so.12", what);
  if (!library)
    if (Fallible<void *> older = loadLibrary("libcufft.so.11", what); older)
      library = older;
  if (!library)
    return library.failure();
  gpu::Cufft table;
  std::string missing;
#define TESSERA_LOOK(field, symbol, ...)                                       \
  look(*library, #symbol, table.field, missing);
  TESSERA_CUFFT_FUNCTIONS(TESSERA_LOOK)
#undef TESSERA_LOOK
  if (!missing.empty())
    return Failure{"libcufft.so has no function " + missing +
                   ": expected that of CUDA 12.0 or newer"};
  return table;
}

Fallible<const gpu::Cufft *> cuda::loadCufft() {
  static const Fallible<gpu::Cufft> table = lookUpCufft();
  if (!table)
    return table.failure();
  return &*table;
}
