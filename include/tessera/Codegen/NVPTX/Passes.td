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

    **Requires** what the phase `schedule` ensures: kernels and collectives with `spmd.buffers`.
    **Ensures** no tensor is left outside of the declarations of `@main` and of the pipeline ranks' programs; `rt.gpu` on the module.

    ```mlir
    %1 = spmd.kernel(%0) {spmd.buffers = [#spmd.buffer<result, 0>]} : (tensor<256xf32>) -> tensor<256xf32> { ... }
    // becomes
    module @kernels_0 {
      module @sm_80 {
        llvm.func @exp_0(%arg0: !llvm.ptr, %arg1: !llvm.ptr) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128, 1, 1>} { ... }
      }
      rt.grid_kernel @exp_0 [#rt.variant<80 steps = [<"exp_0" grid = [2, 1, 1] block = 128 shared = 0 buffers = [0, 1]>]>]
    }
    // and, in @program,
    rt.launch_grid %context @kernels_0::@exp_0(%a, %r) name = "exp.0" : !llvm.ptr (!llvm.ptr, !llvm.ptr)
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
  let statistics = [
    Statistic<"numKernels", "kernels", "kernels in the program">,
    Statistic<"numDistinct", "distinct", "distinct kernels, which are compiled">
  ];
}

def ConvertToNvvm : Pass<"tessera-convert-to-nvvm", "::mlir::ModuleOp"> {
  let summary = "converts the code of GPU kernels to the LLVM and NVVM dialects";
  let description = [{
    Mathematical functions become polynomials, and approximate instructions where these are accurate to the last bits; there are no calls of device
    libraries. Every operation gets a line of the model's source, if it is known, so that the PTX has line tables. The modules are converted in parallel.

    **Requires** what `tessera-lower-to-gpu` ensures.
    **Ensures** the modules of architectures hold nothing but the LLVM and NVVM dialects.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect", "::mlir::cf::ControlFlowDialect", "::mlir::arith::ArithDialect",
    "::mlir::math::MathDialect", "::mlir::vector::VectorDialect"];
}

#endif
