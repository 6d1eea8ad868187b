//===- HostCallback.h - Calls of functions of a host language ------------===//
#ifndef TESSERA_RUNTIME_CORE_HOSTCALLBACK_H
#define TESSERA_RUNTIME_CORE_HOSTCALLBACK_H

#include "tessera/Support/CallFrame.h"

namespace tessera::runtime {

/// The routine `kHostCallback`, what JAX calls on the CPU for pure_callback,
/// io_callback and debug.print: hands `frame` to who runs the program, the
/// TesseraHostCallbacks that its context points to; an error where it is null.
TesseraRoutineError *callHost(TesseraCallFrame *frame);

} // namespace tessera::runtime

#endif // TESSERA_RUNTIME_CORE_HOSTCALLBACK_H
