//===- CodeBuilder.h - Emits loops and address arithmetic -----------------===//
//
// Elsewhere: loop-invariant code motion.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_CODEGEN_KERNELS_CODEBUILDER_H
#define TESSERA_CODEGEN_KERNELS_CODEBUILDER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace tessera::codegen {

/// Emits the code of one kernel: loops over `i64`, address arithmetic on
/// `!llvm.ptr`, and pure operations, each placed in the outermost loop that its
/// operands allow, so that what does not change in a loop is never inside it.
class CodeBuilder : public mlir::ImplicitLocOpBuilder {
public:
  using Values = llvm::SmallVector<mlir::Value>;
  using LoopBody =
      llvm::function_ref<Values(mlir::Value iv, mlir::ValueRange carried)>;

  /// Emits at the start of `entry`, the entry block of a function. `lanes` is
  /// how many 32-bit elements the target's vectors have.
  CodeBuilder(mlir::Location loc, mlir::Block *entry, unsigned lanes);

  unsigned lanes() const { return laneCount; }
  mlir::Type pointerType() const { return pointer; }
  /// `type` itself for one lane, else a vector of `lanes` of it.
  static mlir::Type vectorOf(mlir::Type type, unsigned lanes);
  /// The type that elements of `type` are loaded and stored as: booleans are
  /// bytes, short floats their bits.
  mlir::Type storageType(mlir::Type type);
  static int64_t storageBytes(mlir::Type type);

  /// The constant, once at the start of the function.
  mlir::Value index(int64_t value);
  /// A scalar or splat constant of floating-point or integer type.
  mlir::Value splat(mlir::Type type, mlir::TypedAttr scalar);

  /// Integer arithmetic on `i64` (or vectors of it), folded where constant.
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value sub(mlir::Value a, mlir::Value b);
  mlir::Value mul(mlir::Value a, mlir::Value b);
  mlir::Value mul(mlir::Value a, int64_t b) { return mul(a, index(b)); }
  mlir::Value add(mlir::Value a, int64_t b) { return add(a, index(b)); }
  /// Quotient and remainder of non-negative numbers.
  mlir::Value div(mlir::Value a, mlir::Value b);
  mlir::Value rem(mlir::Value a, mlir::Value b);
  mlir::Value min(mlir::Value a, mlir::Value b);
  mlir::Value max(mlir::Value a, mlir::Value b);

  /// Creates an operation without side effects in the outermost loop where its
  /// operands are available, and returns its result.
  mlir::Value pure(mlir::OperationState &state);
  template <typename Op, typename... Args> mlir::Value make(Args &&...args) {
    mlir::OperationState state(getLoc(), Op::getOperationName());
    Op::build(*this, state, std::forward<Args>(args)...);
    return pure(state);
  }
  /// `value` in every lane; a vector is returned as it is.
  mlir::Value broadcast(mlir::Value value, unsigned lanes);

  /// `base` advanced by `offset` elements of `type`, in its address space.
  mlir::Value address(mlir::Value base, mlir::Type type, mlir::Value offset);
  /// A load at the current place, aligned as one element.
  mlir::Value load(mlir::Type type, mlir::Value pointer);
  void store(mlir::Value value, mlir::Value pointer);

  /// A loop over [lower, upper) whose body returns the next carried values.
  /// Returns the last ones. Loops that run exactly once have no loop operation.
  Values loop(mlir::Value lower, mlir::Value upper, int64_t step,
              mlir::ValueRange carried, LoopBody body);
  void loop(mlir::Value lower, mlir::Value upper, int64_t step,
            llvm::function_ref<void(mlir::Value)> body);
  /// Runs `body` if `condition` holds.
  void when(mlir::Value condition, llvm::function_ref<void()> body);
  /// The same, but nothing of `body` moves out of it: what it loads may not
  /// exist where `condition` does not hold.
  void guard(mlir::Value condition, llvm::function_ref<void()> body);

  /// Whether `value` may be used at the current place: its scope is still open.
  bool isAvailable(mlir::Value value) const;

private:
  /// Depth of the scope that defines `value`; 0 is the function.
  size_t levelOf(mlir::Value value) const;
  /// A pure operation of `level` goes to the end of its scope as it is now.
  void setInsertionLevel(size_t level);
  void enter(mlir::Value condition, bool isClosed,
             llvm::function_ref<void()> body);

  unsigned laneCount;
  mlir::Type pointer;
  /// Open scopes, outermost first: the block, and the operation in it that
  /// holds the next scope (null for the innermost).
  struct Scope {
    mlir::Block *block;
    mlir::Operation *inner;
    /// Whether what stands in it stays in it.
    bool isClosed = false;
  };
  llvm::SmallVector<Scope> scopes;
  llvm::DenseMap<int64_t, mlir::Value> constants;
  /// Where constants go: after those that are there already.
  mlir::Operation *lastConstant = nullptr;
};

} // namespace tessera::codegen

#endif // TESSERA_CODEGEN_KERNELS_CODEBUILDER_H
