//===- BlockTimeline.h - when collectives could run -----------------------===//
#ifndef TESSERA_TRANSFORMS_COMMUNICATE_BLOCKTIMELINE_H
#define TESSERA_TRANSFORMS_COMMUNICATE_BLOCKTIMELINE_H

#include "tessera/Dialect/Spmd/Combined.h"
#include "tessera/Dialect/Spmd/WorkCosts.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tessera::communicate {

/// Calls `visit` with every value that `op`, or an operation in its regions,
/// reads.
void forEachOperand(mlir::Operation *op,
                    llvm::function_ref<void(mlir::Value)> visit);

/// What one operation of a block communicates, by the clock of the block, in
/// seconds: each collective is a call of its own, the operations run in the
/// order of the text, and calls beside them, one after another.
struct Transfer {
  mlir::Operation *op;
  /// What the call costs before its bytes move, and how long these take.
  double latency = 0, seconds = 0;
  /// When the operand is there; when the call begins and ends.
  double ready = 0, begin = 0, end = 0;
  /// When the result is first read, and how long that reader waited for it.
  double need = 0, stall = 0;
  /// Until when it may begin without making anything later.
  double latest = 0;
};

/// The estimate of when everything in a block happens. Linear in its size.
///
/// What disappears in the kernels of those that read it waits for no
/// collective, but they do.
class BlockTimeline {
public:
  /// `callSeconds` is what a call costs beside its messages; `secondsOf` what
  /// an operation that is no collective takes. `costs` knows the links, and
  /// outlives this. Where `isCounted` is given and says no, a call takes
  /// nothing.
  BlockTimeline(mlir::Block &block, spmd::DeviceSeconds &costs,
                double callSeconds,
                llvm::function_ref<double(mlir::Operation *)> secondsOf,
                llvm::function_ref<bool(mlir::Operation *)> isCounted = {});

  /// In the order of the text: the collectives of the block, those that are one
  /// call as one, and operations that have collectives in their regions or in
  /// what they call.
  llvm::ArrayRef<Transfer> transfers() const { return list; }
  /// The links of the groups along `axes`.
  const GroupLinks &linksOf(AxesAttr axes) { return costs.linksOf(axes); }
  /// When the block ends.
  double end() const { return clock; }

private:
  /// When a value is there, and the transfer that it waits for last.
  struct Source {
    double end = 0;
    std::optional<size_t> transfer;
  };

  void execute(mlir::Operation *op, double seconds);
  /// Of `op`, the collectives `parts`.
  void transfer(mlir::Operation *op,
                llvm::ArrayRef<spmd::CollectiveOpInterface> parts);
  Source latestOperand(mlir::Operation *op) const;
  void read(mlir::Operation *op, double time);
  void findLatest();

  spmd::DeviceSeconds &costs;
  double callSeconds;
  llvm::SmallVector<Transfer, 0> list;
  /// Until when the operations, and the calls, so far take.
  double clock = 0, link = 0;
  /// Of what an operation makes.
  llvm::DenseMap<mlir::Operation *, Source> sources;
  /// The transfer of a collective.
  llvm::DenseMap<mlir::Operation *, size_t> makers;
  /// Operations that wait for nothing and that nobody who waits has read yet.
  llvm::SmallPtrSet<mlir::Operation *, 8> unread;
};

} // namespace tessera::communicate

#endif // TESSERA_TRANSFORMS_COMMUNICATE_BLOCKTIMELINE_H
