//===- Trace.h - A timeline for Perfetto and Chrome -----------------------===//
//
// The Trace Event Format. Slices of one track must nest, so what goes on beside
// other things has tracks of its own: each rank is a process with the tracks
//
//   program          tasks, and in them what the rank waited for or started
//   kernels          what it computed
//   communication    collectives and messages; a second track, a third, ... for
//                    those that go on at the same time
//
// and a counter of the memory in use. Arrows lead from the rank that came last
// to a collective to all others, and from a message's sender to its receiver.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TOOLS_TESSERA_RUN_TRACE_H
#define TESSERA_TOOLS_TESSERA_RUN_TRACE_H

#include "KernelWork.h"
#include "Timeline.h"
#include "tessera/Support/Fallible.h"

#include <string>

namespace tessera::run {

/// Writes `timeline`; `devices` is how many ranks each pipeline rank has. The
/// failure begins with the path.
Fallible<void> writeTrace(const std::string &path, const Timeline &timeline,
                          const WorkTable &work, int32_t devices);

} // namespace tessera::run

#endif // TESSERA_TOOLS_TESSERA_RUN_TRACE_H
