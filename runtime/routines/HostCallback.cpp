//===- HostCallback.cpp - Calls of functions of a host language -----------===//
//
// What JAX calls on the CPU for pure_callback, io_callback and debug.print,
// under JAX's name. The functions are those of who runs the program, which the
// frame's context names.
//
//===----------------------------------------------------------------------===//

#include "Frame.h"
#include "tessera/runtime.h"

using namespace tessera::routines;

TESSERA_ROUTINE(xla_ffi_python_cpu_callback) {
  const auto *host = static_cast<const TesseraHostCallbacks *>(frame->context);
  if (!host)
    return runRoutine(frame, [](const Frame &) {
      throw std::runtime_error("expected a Python process, whose function is "
                               "called (tessera.jit, tessera.compile)");
    });
  return static_cast<TesseraRoutineError *>(host->call(host->data, frame));
}
