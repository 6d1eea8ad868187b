//===- ProgramWork.h - What a compiled program does, step by step ---------===//
//
// The compiler writes into the manifest, under `work`, what every function of
// the program does in order, with sizes instead of times, so that the program
// can be played through on any machine:
//
//   [{"name": "rank_0", "rank": 0, "steps": [
//      {"kernel": "dot_general.3", "operations": 4096, "bytes": 3072},
//      {"collective": "all_reduce", "axes": [{"axis": "data"}], "bytes": 1024,
//       "start": 1},
//      {"loop": 12, "steps": […]},
//      {"wait": 1},
//      {"copy": "offload", "bytes": 1024, "start": 2},
//      {"call": "forward_0", "task": "0F3", "live": 8192},
//      {"recv": 1, "tag": 7, "bytes": 1024},
//      {"send": 1, "tag": 7, "bytes": 1024}]}, …]
//
// Everything is of one device. `operations` counts floating-point operations,
// `products` has those of a kernel as `[batch, rows, columns, depth]`,
// `launches`, where it is not 1, the events of one execution in traces,
// `bytes` what a kernel reads and writes, the operand of a collective, or a
// message; `send` and `recv` name the other pipeline rank; `live` is the bytes
// of the arena that hold values during the step. A collective with a `start` is
// only started there, and awaited by the `wait` of the same number in the same
// block; others are awaited at once.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_SIMULATOR_PROGRAMWORK_H
#define TESSERA_SIMULATOR_PROGRAMWORK_H

#include "tessera/Cluster/Cluster.h"
#include "tessera/Support/Fallible.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/JSON.h"

#include <string>
#include <vector>

namespace tessera {

/// One step of a function.
struct WorkStep {
  enum class Kind { Kernel, Collective, Copy, Wait, Loop, Call, Send, Recv };
  Kind kind;
  /// Of a kernel, a collective, a called function or a copy to the host
  /// (`offload`) or back (`reload`).
  std::string name;
  /// Of a call: the task it is, as `0F3`, or nothing.
  std::string task;
  double operations = 0, bytes = 0;
  /// Of a kernel: the products among its operations.
  std::vector<ProductShape> products;
  /// Bytes of the arena in use during the step.
  double live = 0;
  /// Of a collective: which, and the axes along which members of a group
  /// differ.
  CollectiveKind collective = CollectiveKind::AllReduce;
  llvm::SmallVector<AxisRef> axes;
  /// Of a collective or copy that is only started, and of its wait: the number
  /// that they share. Else 0.
  int64_t started = 0;
  /// Of a message: the other pipeline rank, and which message it is.
  int64_t peer = 0, tag = 0;
  /// Of a loop.
  int64_t times = 1;
  std::vector<WorkStep> steps;
};

/// What one device of a rank needs, in bytes.
struct RankMemory {
  /// In all, as the manifest says it.
  double peak = 0;
  /// All but the arena.
  double lasting = 0;
};

struct ProgramWork {
  Mesh mesh;
  /// The machine that the program was compiled for, if one was described.
  std::optional<Cluster> machine;
  llvm::StringMap<std::vector<WorkStep>> functions;
  /// The function of every pipeline rank; one without stages.
  std::vector<std::string> ranks;
  /// Of each rank.
  std::vector<RankMemory> memory;

  /// Reads a manifest. Fails if it is no program's, or one that was compiled
  /// without a record of its work.
  static Fallible<ProgramWork> read(const llvm::json::Object &manifest);
};

} // namespace tessera

#endif // TESSERA_SIMULATOR_PROGRAMWORK_H
