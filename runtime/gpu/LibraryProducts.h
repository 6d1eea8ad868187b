//===- LibraryProducts.h - Matrix products by cuBLASLt --------------------===//

#ifndef TESSERA_RUNTIME_GPU_LIBRARYPRODUCTS_H
#define TESSERA_RUNTIME_GPU_LIBRARYPRODUCTS_H

#include "CublasLt.h"
#include "tessera/runtime.h"

#include <map>
#include <memory>

namespace tessera::gpu {

/// The library steps of a program on one device. The library is loaded with the
/// first of them; what it needs to know of a step is prepared when that is
/// first asked for and kept, so that the step can be recorded in a graph from
/// then on.
class LibraryProducts {
public:
  explicit LibraryProducts(CublasLtLoader load);
  ~LibraryProducts();
  LibraryProducts(const LibraryProducts &) = delete;

  /// Asks the stream for the product; `buffers` are the launch's. The device
  /// must be current.
  Fallible<void> run(const TesseraLibraryStep &step, void *const *buffers,
                     CudaStream stream);

private:
  class Plan;

  /// Loads the library and makes the handle, the first time.
  Fallible<void> open();
  Fallible<Plan *> find(const TesseraLibraryStep &step, void *const *buffers);

  CublasLtLoader load;
  const CublasLt *library = nullptr;
  BlasHandle handle = nullptr;
  std::map<const TesseraLibraryStep *, std::unique_ptr<Plan>> plans;
};

} // namespace tessera::gpu

#endif // TESSERA_RUNTIME_GPU_LIBRARYPRODUCTS_H
