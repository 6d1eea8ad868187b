//===- Operation.h - What a device is asked for ---------------------------===//

#ifndef TESSERA_RUNTIME_GPU_OPERATION_H
#define TESSERA_RUNTIME_GPU_OPERATION_H

#include "../processes/RankHost.h"

namespace tessera::gpu {

using processes::clockNow;
using processes::RankHost;
namespace note = processes::note;

/// What an operation that the device executes stands for in the model; `kind`
/// is as in TesseraEvent, `group` the ranks that take part in a collective, and
/// the rest says which of them or which message it is, as there.
struct Operation {
  const char *kind = "";
  const TesseraSite *site = nullptr;
  const TesseraGroup *group = nullptr;
  int32_t peer = -1;
  int64_t tag = 0, number = 0;
};

/// What the calling thread asks the device for at present. The driver has no
/// place for it, but an emulation of the driver can look here, and name it in
/// messages.
inline thread_local Operation currentOperation;

} // namespace tessera::gpu

#endif // TESSERA_RUNTIME_GPU_OPERATION_H
