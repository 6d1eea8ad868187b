//===- Passes.td - the phase codegen for x86 ---------------*- tablegen -*-===//
#ifndef TESSERA_CODEGEN_CPU_PASSES
#define TESSERA_CODEGEN_CPU_PASSES

include "mlir/Pass/PassBase.td"

def LowerToRt : Pass<"tessera-lower-to-rt", "::mlir::ModuleOp"> {
  let summary = "turns the scheduled program into launches and collective calls on memory";
  let description = [{
    Every distinct kernel (equal bodies count once, wherever they stand) becomes functions of loops and vectors in one of a few
    nested modules, planned and blocked as `include/tessera/Codegen/Kernels/KernelPlan.h` and `docs/rationale/cpu-codegen.md` say. `@main`
    becomes `@tessera_main` in the nested module `@program`: `rt` operations on addresses in the arena, the arguments and the
    results; what remains of `@main` is its declaration with names and shardings, for the manifest. The program of pipeline rank 0
    becomes `@tessera_main_0`, and so on; the functions that these call become private functions of `@program`.

    **Requires** what the phase `schedule` ensures: kernels and collectives with `spmd.buffers`.
    **Ensures** no tensor is left outside of the declarations of `@main` and of the pipeline ranks' programs.

    ```mlir
    %1 = spmd.kernel(%0) {spmd.buffers = [#spmd.buffer<result, 0>]} : (tensor<64xf32>) -> tensor<64xf32> { ... }
    // becomes
    %a = rt.entry %arguments[0] : !llvm.ptr -> !llvm.ptr
    %r = rt.entry %results[0] : !llvm.ptr -> !llvm.ptr
    rt.launch %context @kernels_0::@exp_0(%a, %r) extent = 1 grain = 1 name = "exp.0" : !llvm.ptr (!llvm.ptr, !llvm.ptr)
    ```
  }];
  let options = [
    Option<"cpu", "cpu", "std::string", "\"native\"", "the processor to generate code for">,
    Option<"modules", "modules", "unsigned", "0", "modules to spread the kernels over; 0 for one per thread">
  ];
  let dependentDialects = ["::tessera::rt::RtDialect", "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect", "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
  let statistics = [
    Statistic<"numKernels", "kernels", "kernels in the program">,
    Statistic<"numDistinct", "distinct", "distinct kernels, which are compiled">
  ];
}

#endif
