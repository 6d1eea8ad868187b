//===- LevelCalls.h - a collective inside of nodes and across them --------===//
//
// On a grid of `outer` x `inner` devices, of which inner ones share a node:
//
//   all_reduce      reduce_scatter inner, all_reduce outer, all_gather inner;
//                   or, of few bytes, all_reduce inner, all_reduce outer
//                   or, of fewer, all_gather of both, reduced by each device
//                   (one-shot all-reduce)
//   all_gather      all_gather outer, all_gather inner
//   reduce_scatter  reduce_scatter inner, reduce_scatter outer
//   all_to_all      all_to_all inner, all_to_all outer
//
// So every device sends over the network what concerns its own place in the
// node, and waits for rounds of messages among nodes instead of devices.
//
// The chunks of a group lie along one dimension; it becomes two, one for each
// side of the grid, in the order of the group, and each collective works on
// one of them. So what is gathered or exchanged lies where it lay, without
// copies between.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_TRANSFORMS_COMMUNICATE_HIERARCHY_LEVELCALLS_H
#define TESSERA_TRANSFORMS_COMMUNICATE_HIERARCHY_LEVELCALLS_H

#include "Hierarchy/GroupSplit.h"
#include "tessera/Dialect/Spmd/Combined.h"

namespace tessera::communicate {

/// One of the calls that a collective, or several in one call, become.
struct LevelCall {
  CollectiveKind kind;
  AxesAttr axes;
  int64_t devices;
  /// The operands of a device.
  int64_t bytes;
};

/// The calls that those of one kind and group, which are one call, may become.
/// Combined collectives stay combined.
class LevelCalls {
public:
  /// What may be done with `call`, a collective or a `spmd.combined`, the
  /// devices of whose group are a grid: nothing, one form or two.
  static llvm::SmallVector<LevelCalls, 2>
  formsOf(mlir::Operation *call, const GroupSplit &split, const Mesh &mesh);

  /// Of `call`, an all-reduce over `devices` devices, the form in which each
  /// device gets all operands and reduces them itself, in the order of the
  /// group: half as many rounds of messages, and more bytes.
  static LevelCalls gathered(mlir::Operation *call, int64_t devices);

  llvm::ArrayRef<LevelCall> calls() const { return list; }
  /// The bytes that are copied to fill up operands, and back, or read to reduce
  /// them.
  int64_t copiedBytes() const { return copied; }
  /// `reduce_scatter of 8, all_reduce of 4, all_gather of 8`.
  std::string describe() const;
  /// Builds the calls in the place of the one they are made of, and erases it.
  llvm::SmallVector<mlir::Operation *, 3> apply();

private:
  /// How one of the collectives goes through the calls.
  struct Part {
    spmd::CollectiveOpInterface collective;
    /// What its operand is seen as, and with how many elements, in one
    /// dimension, it is filled up before.
    llvm::SmallVector<int64_t> shape;
    int64_t filled = 0;
    /// Of each call, along which dimension it works; which one it splits, and
    /// along which it joins.
    struct Dims {
      int64_t split, join;
    };
    llvm::SmallVector<Dims, 3> dims;
    /// Whether what the last call gives is reduced along its first dimension.
    bool isReducedHere = false;
  };

  explicit LevelCalls(mlir::Operation *call) : call(call) {}
  LevelCalls(mlir::Operation *call, const GroupSplit &split, const Mesh &mesh)
      : call(call), split(split), inner(totalSize(split.inner, mesh)),
        outer(totalSize(split.outer, mesh)) {}
  void add(CollectiveKind kind, bool isInner, int64_t bytes);
  Part flatPart(spmd::CollectiveOpInterface op, bool isScattered);
  Part chunkedPart(spmd::CollectiveOpInterface op) const;
  mlir::Value before(mlir::OpBuilder &builder, const Part &part) const;
  mlir::Value behind(mlir::OpBuilder &builder, const Part &part,
                     mlir::Value value) const;

  mlir::Operation *call;
  GroupSplit split;
  int64_t inner = 1, outer = 1, copied = 0;
  llvm::SmallVector<LevelCall, 3> list;
  llvm::SmallVector<Part, 1> parts;
};

} // namespace tessera::communicate

#endif // TESSERA_TRANSFORMS_COMMUNICATE_HIERARCHY_LEVELCALLS_H
