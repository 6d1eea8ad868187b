//===- HostCallback.cpp - Calls of functions of a host language -----------===//

#include "HostCallback.h"

#include "tessera/runtime.h"

using namespace tessera;

TesseraRoutineError *tessera::runtime::callHost(TesseraCallFrame *frame) {
  const auto *host = static_cast<const TesseraHostCallbacks *>(frame->context);
  if (host)
    return static_cast<TesseraRoutineError *>(host->call(host->data, frame));
  TesseraRoutineErrorArguments arguments = {
      sizeof arguments, nullptr,
      "expected a Python process, whose function is called (tessera.jit, "
      "tessera.compile)",
      /*code=*/13};
  return frame->api->create_error(&arguments);
}
