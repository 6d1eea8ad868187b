//===- Passes.td - the phase codegen for GPUs --------------*- tablegen -*-===//
#ifndef TESSERA_CODEGEN_NVPTX_PASSES
#define TESSERA_CODEGEN_NVPTX_PASSES

include "mlir/Pass/PassBase.td"

def LowerToGpu : Pass<"tessera-lower-to-gpu", "::mlir::ModuleOp"> {
  let summary = "turns the scheduled program into grids of thread blocks and collective calls on memory";
  let description = [{
    As `tessera-lower-to-rt`, for NVIDIA GPUs: every distinct kernel becomes an `rt.grid_kernel` in one of a few nested modules, with functions for
    each architecture in modules nested in these. What a thread does is loops and arithmetic; what threads do together is operations of `nvvm`.
    `docs/rationale/gpu-codegen.md` says how.

    **Requires** what the phase `schedule` ensures: kernels and collectives with `spmd.buffers`. **Ensures** every distinct kernel is a `rt.grid_kernel` with a
    variant for each architecture; the module has `rt.gpu`; tensors are left in the declarations of `@main` and of the pipeline ranks' programs alone.

    <!-- example: lower-to-gpu.mlir @main -> @tessera_main run --tessera-lower-to-gpu=arch=80 -->
    ```mlir
    func.func @main(%a: tensor<1024xf32>) -> tensor<1024xf32> attributes {spmd.arena_size = 4096 : i64} {
      %0 = spmd.kernel(%a) {spmd.buffers = [#spmd.buffer<arena, 0>]} : (tensor<1024xf32>) -> tensor<1024xf32> {
      ^bb0(%x: tensor<1024xf32>):
        %s = arith.addf %x, %x : tensor<1024xf32>
        spmd.yield %s : tensor<1024xf32>
      }
      %1 = spmd.kernel(%0) {spmd.buffers = [#spmd.buffer<result, 0>]} : (tensor<1024xf32>) -> tensor<1024xf32> {
      ^bb0(%x: tensor<1024xf32>):
        %s = arith.addf %x, %x : tensor<1024xf32>
        spmd.yield %s : tensor<1024xf32>
      }
      return %1 : tensor<1024xf32>
    }
    ```
    becomes
    ```mlir
    func.func @tessera_main(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: !llvm.ptr, %arg3: !llvm.ptr) -> i32 {
      %0 = rt.entry %arg1[0] : !llvm.ptr -> !llvm.ptr
      %1 = rt.offset %arg3 + 0 : !llvm.ptr -> !llvm.ptr
      rt.launch_grid %arg0 @kernels_0::@addf_0(%0, %1) name = "addf.0" : !llvm.ptr(!llvm.ptr, !llvm.ptr)
      %2 = rt.offset %arg3 + 0 : !llvm.ptr -> !llvm.ptr
      %3 = rt.entry %arg2[0] : !llvm.ptr -> !llvm.ptr
      rt.launch_grid %arg0 @kernels_0::@addf_0(%2, %3) name = "addf.1" : !llvm.ptr(!llvm.ptr, !llvm.ptr)
      %c0_i32 = arith.constant 0 : i32
      return %c0_i32 : i32
    }
    ```
  }];
  let options = [
    ListOption<"architectures", "arch", "int", "the architectures to generate code for: 80, 90">,
    Option<"cpu", "cpu", "std::string", "\"native\"", "the processor of the host program">,
    Option<"tf32", "tf32", "bool", "false", "whether products of f32 may be computed in tf32">,
    Option<"tuning", "tuning", "std::string", "\"\"", "a file of tuning records, asked before those that ship">,
    Option<"modules", "modules", "unsigned", "0", "modules to spread the kernels over; 0 for one per thread">
  ];
  let dependentDialects = ["::tessera::rt::RtDialect", "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect", "::mlir::NVVM::NVVMDialect", "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
}

def ConvertToNvvm : Pass<"tessera-convert-to-nvvm", "::mlir::ModuleOp"> {
  let summary = "converts the code of GPU kernels to the LLVM and NVVM dialects";
  let description = [{
    Mathematical functions become polynomials, and approximate instructions where these are accurate to the last bits; there are no calls of device
    libraries. Every operation gets a line of the model's source, if it is known, so that the PTX has line tables. The modules are converted in parallel.

    **Requires** what `tessera-lower-to-gpu` ensures.
    **Ensures** the modules of architectures hold nothing but the LLVM and NVVM dialects.

    <!-- example: convert-to-nvvm.mlir @exp_0 lines load|math|intr|intrinsic|store -->
    ```mlir
    llvm.func @exp_0(%x: !llvm.ptr) attributes {nvvm.kernel} {
      %0 = llvm.load %x : !llvm.ptr -> f32 loc("model.py":8:1)
      %1 = math.exp %0 : f32 loc(callsite("layers.py":3:1 at "model.py":9:1))
      %2 = math.rsqrt %1 : f32 loc("model.py":10:1)
      %3 = math.tanh %2 : f32 loc("model.py":11:1)
      llvm.store %3, %x : f32, !llvm.ptr loc("model.py":12:1)
      ...
    } loc("model.py":7:1)
    ```
    becomes
    ```mlir
    llvm.func @exp_0(%arg0: !llvm.ptr) attributes {nvvm.kernel} {
      %0 = llvm.load %arg0 : !llvm.ptr -> f32
      ...
      %3 = llvm.intr.floor(%2) : (f32) -> f32
      ...
      %5 = llvm.intr.maxnum(%3, %4) : (f32, f32) -> f32
      ...
      %7 = llvm.intr.minnum(%5, %6) : (f32, f32) -> f32
      ...
      %9 = llvm.intr.fma(%7, %8, %0) : (f32, f32, f32) -> f32
      ...
      %11 = llvm.intr.fma(%7, %10, %9) : (f32, f32, f32) -> f32
      ...
      %14 = llvm.intr.exp2(%13) : (f32) -> f32
      ...
      %22 = llvm.call_intrinsic "llvm.nvvm.rsqrt.approx.ftz.f"(%21) : (f32) -> f32
      %23 = llvm.intr.fabs(%22) : (f32) -> f32
      ...
      %36 = llvm.intr.roundeven(%35) : (f32) -> f32
      ...
      %38 = llvm.intr.fma(%36, %37, %33) : (f32, f32, f32) -> f32
      ...
      %40 = llvm.intr.fma(%36, %39, %38) : (f32, f32, f32) -> f32
      ...
      %43 = llvm.intr.fma(%41, %40, %42) : (f32, f32, f32) -> f32
      ...
      %45 = llvm.intr.fma(%43, %40, %44) : (f32, f32, f32) -> f32
      ...
      %47 = llvm.intr.fma(%45, %40, %46) : (f32, f32, f32) -> f32
      ...
      %49 = llvm.intr.fma(%47, %40, %48) : (f32, f32, f32) -> f32
      ...
      %51 = llvm.intr.fma(%49, %40, %50) : (f32, f32, f32) -> f32
      ...
      %53 = llvm.intr.fma(%51, %40, %52) : (f32, f32, f32) -> f32
      ...
      %55 = llvm.intr.fma(%54, %53, %40) : (f32, f32, f32) -> f32
      ...
      %66 = llvm.intr.fma(%55, %63, %65) : (f32, f32, f32) -> f32
      ...
      %69 = llvm.intr.fabs(%25) : (f32) -> f32
      ...
      %80 = llvm.intr.copysign(%79, %22) : (f32, f32) -> f32
      llvm.store %80, %arg0 : f32, !llvm.ptr
      ...
    }
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect", "::mlir::cf::ControlFlowDialect", "::mlir::arith::ArithDialect",
    "::mlir::math::MathDialect", "::mlir::vector::VectorDialect"];
}

#endif
