//===- GridFunction.h - A function that a grid of thread blocks runs ------===//
#ifndef TESSERA_CODEGEN_NVPTX_CORE_GRIDFUNCTION_H
#define TESSERA_CODEGEN_NVPTX_CORE_GRIDFUNCTION_H

#include "Core/GpuOptions.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "tessera/Codegen/Kernels/NestLowering.h"
#include "tessera/Codegen/NVPTX/GpuTarget.h"
#include "tessera/Dialect/Rt/Rt.h"
#include <array>

namespace tessera::nvptx {

/// The code of one kernel for one architecture, while it is being emitted: the
/// steps so far, and the buffers that they may use. Buffers have the numbers
/// that a launch gives them: the kernel's operands, its results that overwrite
/// no operand, and the temporaries.
struct KernelVariant {
  const GpuTarget &target;
  const GpuOptions &options;
  /// The nested module for the code, `@sm_80`.
  mlir::ModuleOp module;
  /// What the names of functions begin with.
  std::string name;
  spmd::KernelOp kernel;
  /// The operand whose memory each result overwrites, or -1.
  llvm::ArrayRef<int64_t> aliases;
  const codegen::KernelPlan &plan;
  /// Bytes of each temporary, those of the plan first.
  llvm::SmallVector<int64_t> temporaries;
  /// Grids and library steps, as `rt.variant` has them.
  llvm::SmallVector<mlir::Attribute> steps;

  /// A further temporary, shared by all steps: its number.
  unsigned addTemporary(int64_t bytes) {
    temporaries.push_back(bytes);
    return temporaries.size() - 1;
  }
  /// The buffers before the temporaries.
  unsigned firstTemporary() const {
    return kernel->getNumOperands() + llvm::count(aliases, int64_t(-1));
  }
};

/// One loop nest of a kernel, to be lowered for one architecture.
struct GpuNest {
  KernelVariant &variant;
  const codegen::LoopNest &loops;
  /// Its number among the loop nests of the plan.
  unsigned number;
};

/// One step of a kernel, under construction: a function with one pointer
/// parameter per buffer that it uses, and the code builder in its body.
///
///   GridFunction grid(nest, /*threads=*/128);
///   CodeBuilder &b = grid.b;
///   ElementEmitter e(b, /*lanes=*/4);
///   grid.lowering.bindMemory(e);
///   Value i = b.add(b.mul(grid.block(), 128), grid.thread());
///   b.guard(less(i, n), [&] { ... });
///   grid.finish({blocks, 1, 1});
///
/// A function that is not finished is erased with this object. Note that
/// CodeBuilder moves pure operations, loads included, out of loops and `when`
/// as far as their operands allow: what must not happen outside of a condition
/// stands in `b.guard`; what reads memory that the same function writes is
/// loaded with `written`.
class GridFunction {
public:
  /// `threads` per block, a multiple of a warp. Parameters: every buffer that
  /// the kernel has by now (unused ones are dropped in the end), 64-byte
  /// aligned.
  GridFunction(const GpuNest &nest, int64_t threads);
  ~GridFunction();
  GridFunction(const GridFunction &) = delete;

  codegen::CodeBuilder b;
  /// With operands, results and temporaries bound to the parameters.
  codegen::NestLowering lowering;

  int64_t threads() const { return threadCount; }
  /// The thread's number in its block, and the block's number along dimension
  /// 0 (x), 1 or 2 of the grid; `i64`, at the start of the function.
  mlir::Value thread();
  mlir::Value block(unsigned dim = 0);
  /// The thread's number in its warp, and the warp's in the block; `i64`.
  mlir::Value lane() { return b.rem(thread(), b.index(kWarp)); }
  mlir::Value warp() { return b.div(thread(), b.index(kWarp)); }
  /// The thread's number in the grid, which must be one-dimensional.
  mlir::Value globalThread() {
    return b.add(b.mul(block(), threadCount), thread());
  }

  /// The address of temporary `number`, a parameter.
  mlir::Value temporary(unsigned number);
  /// The address of a tensor map (a parameter) of `buffer`, the address of an
  /// operand, result or temporary. Copies round an `element` of tf32. `sizes`
  /// and `box` in elements, the innermost dimension first; `strides` in bytes,
  /// of all dimensions but the innermost; `swizzle` 0, 32, 64 or 128 bytes.
  mlir::Value tensorMap(mlir::Value buffer, mlir::Type element,
                        llvm::ArrayRef<int64_t> sizes,
                        llvm::ArrayRef<int64_t> strides,
                        llvm::ArrayRef<int64_t> box, int32_t swizzle);

  /// Shared memory of the block (`!llvm.ptr<3>`), declared by the function: at
  /// most GpuTarget::staticSharedBytes in all.
  mlir::Value sharedArray(mlir::Type element, int64_t elements,
                          int64_t alignment = 16);
  /// Shared memory that the launch asks for; the parts lie one behind the
  /// other. For more than static memory may be. Alignment up to 1024.
  mlir::Value dynamicShared(int64_t bytes, int64_t alignment = 16);

  /// Waits for all threads of the block. All must come here.
  void barrier();
  /// The value of the lane whose number is this one's xor `mask`; integers and
  /// floats of 8 to 64 bits. All lanes of the warp must take part.
  mlir::Value shuffleXor(mlir::Value value, int64_t mask);
  /// `value` combined over `width` neighbouring lanes (a power of 2, at most a
  /// warp); every lane gets the result.
  mlir::Value acrossLanes(codegen::Accumulator &accumulator, mlir::Value value,
                          int64_t width = kWarp);
  /// `value` combined over all threads of the block; every thread gets the
  /// result. Has barriers.
  mlir::Value acrossBlock(codegen::Accumulator &accumulator, mlir::Value value);

  /// Ends the function and appends it to the steps of the variant. A grid
  /// without blocks is no step.
  void finish(std::array<int64_t, 3> grid);
  /// Emits `body` for one number of [0, count) per thread, and ends the
  /// function.
  void finishPerThread(int64_t count,
                       llvm::function_ref<void(mlir::Value)> body);

private:
  void eraseUnusedParameters(llvm::SmallVectorImpl<int32_t> &used);

  KernelVariant &variant;
  mlir::LLVM::LLVMFuncOp function;
  mlir::Block *entry;
  int64_t threadCount;
  bool isFinished = false;
  /// The launch's number of each parameter that is a buffer.
  llvm::SmallVector<int32_t> buffers;
  llvm::SmallVector<rt::TensorMapAttr> maps;
  mlir::Value threadIndex;
  std::array<mlir::Value, 3> blockIndex;
  /// The operations that read the block's number, for their ranges.
  std::array<mlir::Operation *, 3> blockRegister = {};
  int64_t staticBytes = 0, dynamicBytes = 0;
};

} // namespace tessera::nvptx

#endif // TESSERA_CODEGEN_NVPTX_CORE_GRIDFUNCTION_H
