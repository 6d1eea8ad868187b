//===- Executor.h - One device that runs a program ------------------------===//

#ifndef TESSERA_INTERPRETER_EXECUTOR_H
#define TESSERA_INTERPRETER_EXECUTOR_H

#include "tessera/Interpreter/Boundary.h"
#include "tessera/Interpreter/Interpreter.h"

#include "llvm/ADT/MapVector.h"

namespace tessera {

class MemoryPlan;
class PlannedMemory;
class Rendezvous;
struct CollectiveCall;

/// The value of an SSA value: scalars are tensors of rank 0. Never changed once
/// made, so that devices and values may share one.
using TensorRef = std::shared_ptr<const HostTensor>;

/// Why a program could not go on; emitted at most once per run.
struct RunError {
  mlir::Location location;
  std::string message;
  std::vector<std::pair<mlir::Location, std::string>> notes;

  /// Emits the diagnostic.
  void emit() const;
};

/// For every operation the values that nobody needs after it. Computed once,
/// then read by all devices.
class LastUses {
public:
  explicit LastUses(mlir::Operation *root);
  llvm::ArrayRef<mlir::Value> after(mlir::Operation *op) const {
    auto it = values.find(op);
    return it == values.end() ? llvm::ArrayRef<mlir::Value>() : it->second;
  }

private:
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::Value>> values;
};

/// Runs the operations of one device in order, and keeps the values that are
/// still needed. Which function computes an operation is looked up in the
/// operation table by the operation's name.
class Executor {
public:
  /// `rendezvous` is where devices meet for collectives; null for a program on
  /// whole tensors. `plan`, unless null, says where values lie.
  Executor(const LastUses &lastUses, Rendezvous *rendezvous = nullptr,
           int64_t device = 0, const MemoryPlan *plan = nullptr);
  Executor(Executor &&);
  ~Executor();

  /// Runs a function of one block on its own values; `site` is the operation
  /// that calls it, if one does.
  mlir::LogicalResult call(mlir::func::FuncOp function,
                           llvm::ArrayRef<TensorRef> arguments,
                           llvm::SmallVectorImpl<TensorRef> &results,
                           mlir::func::CallOp site = {});

  /// Runs a region of one block; `results` are what its terminator takes. The
  /// region may use values from around it.
  mlir::LogicalResult run(mlir::Region &region,
                          llvm::ArrayRef<TensorRef> arguments,
                          llvm::SmallVectorImpl<TensorRef> &results);

  /// Ends the run with an error at `op`, unless one is recorded already.
  mlir::LogicalResult fail(mlir::Operation *op, const llvm::Twine &message);

  /// The error that ended the run; nothing after a failure means that another
  /// device is to blame.
  const std::optional<RunError> &error() const { return firstError; }

  /// Ends the run with an error that has been found elsewhere.
  mlir::LogicalResult fail(const RunError &error) {
    if (!firstError)
      firstError = error;
    return mlir::failure();
  }

  const LastUses &getLastUses() const { return lastUses; }
  Rendezvous *getRendezvous() const { return rendezvous; }
  int64_t getDevice() const { return device; }
  /// Records that this device has sent `bytes` in `op`, with `groupSize`
  /// devices taking part.
  void count(mlir::Operation *op, int64_t groupSize, int64_t bytes);
  /// What this device has sent so far.
  std::vector<CollectiveCount> takeCounts();

private:
  mlir::LogicalResult step(mlir::Operation *op);
  /// Starts and finishes a collective.
  mlir::LogicalResult meet(mlir::Operation *collective,
                           llvm::SmallVectorImpl<TensorRef> &results);
  /// Leaves the operand of `collective` at the rendezvous, and counts it; null
  /// after an error.
  std::shared_ptr<CollectiveCall> start(mlir::Operation *collective);
  mlir::LogicalResult finish(std::shared_ptr<CollectiveCall> call,
                             llvm::SmallVectorImpl<TensorRef> &results);
  mlir::LogicalResult startCopy(spmd::StartOp start);
  mlir::LogicalResult finishCopy(spmd::WaitOp wait);
  mlir::LogicalResult compute(mlir::Operation *op,
                              llvm::SmallVectorImpl<TensorRef> &results);
  /// `value` is `tensor` from `op` on.
  mlir::LogicalResult bind(mlir::Value value, TensorRef tensor,
                           mlir::Operation *op);
  /// The values that `op` reads; failure if one is not in its memory any more.
  mlir::LogicalResult get(mlir::ValueRange values, mlir::Operation *op,
                          llvm::SmallVectorImpl<TensorRef> &tensors);
  /// `call` in its own memory, if it is planned.
  mlir::LogicalResult callInMemory(mlir::func::FuncOp function,
                                   llvm::ArrayRef<TensorRef> arguments,
                                   llvm::SmallVectorImpl<TensorRef> &results,
                                   mlir::func::CallOp site);

  const LastUses &lastUses;
  Rendezvous *rendezvous;
  int64_t device;
  const MemoryPlan *plan;
  /// Of the function that runs; null if it is not planned.
  std::unique_ptr<PlannedMemory> memory;
  llvm::DenseMap<mlir::Value, TensorRef> values;
  /// What futures stand for.
  llvm::DenseMap<mlir::Value, std::shared_ptr<CollectiveCall>> futures;
  /// What copies to the host and back that have been started give.
  llvm::DenseMap<mlir::Value, TensorRef> copies;
  unsigned callDepth = 0;
  std::optional<RunError> firstError;
  llvm::MapVector<mlir::Operation *, CollectiveCount> counts;
};

/// One operation about to be computed: what its function in the operation table
/// gets, and where it puts the results.
struct Invocation {
  mlir::Operation *op;
  llvm::ArrayRef<TensorRef> operands;
  llvm::SmallVectorImpl<TensorRef> &results;
  Executor &executor;

  const HostTensor &operand(unsigned i) const { return *operands[i]; }
  /// The only element of integer operand `i`.
  int64_t scalar(unsigned i) const;

  /// Zeros of the type of result `i`.
  HostTensor makeResult(unsigned i = 0) const;
  /// Adds the next result.
  mlir::LogicalResult give(HostTensor tensor) {
    results.push_back(std::make_shared<const HostTensor>(std::move(tensor)));
    return mlir::success();
  }
  mlir::LogicalResult give(TensorRef tensor) {
    results.push_back(std::move(tensor));
    return mlir::success();
  }
  mlir::LogicalResult fail(const llvm::Twine &message) const {
    return executor.fail(op, message);
  }
};

/// The shape of a tensor type; none for a scalar type.
Shape shapeOf(mlir::Type type);

} // namespace tessera

#endif // TESSERA_INTERPRETER_EXECUTOR_H
