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

    <!-- example: lower-to-rt.mlir @main -> @tessera_main run --tessera-lower-to-rt=cpu=x86-64-v3 -->
    ```mlir
    func.func @main(%a: tensor<1024xf32> {tessera.global_type = tensor<1024xf32>, tessera.sharding = #tessera.sharding<@mesh, [{} ]>})
        -> (tensor<1024xf32> {tessera.global_type = tensor<1024xf32>, tessera.sharding = #tessera.sharding<@mesh, [{} ]>}) attributes {spmd.arena_size = 8192 : i64} {
      %0 = spmd.kernel(%a) {spmd.buffers = [#spmd.buffer<arena, 4096>]} : (tensor<1024xf32>) -> tensor<1024xf32> {
      ^bb0(%x: tensor<1024xf32>):
        %s = arith.addf %x, %x : tensor<1024xf32>
        spmd.yield %s : tensor<1024xf32>
      }
      %1 = spmd.kernel(%0) {spmd.buffers = [#spmd.buffer<arena, 0>]} : (tensor<1024xf32>) -> tensor<1024xf32> {
      ^bb0(%x: tensor<1024xf32>):
        %s = arith.addf %x, %x : tensor<1024xf32>
        spmd.yield %s : tensor<1024xf32>
      }
      %2 = spmd.all_reduce sum %1 over <@mesh, ["x"]> {spmd.buffers = [#spmd.buffer<result, 0>]} : tensor<1024xf32>
      return %2 : tensor<1024xf32>
    }
    ```
    becomes
    ```mlir
    func.func @tessera_main(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: !llvm.ptr, %arg3: !llvm.ptr) -> i32 {
      %0 = rt.entry %arg1[0] : !llvm.ptr -> !llvm.ptr
      %1 = rt.offset %arg3 + 4096 : !llvm.ptr -> !llvm.ptr
      rt.launch %arg0 @entries::@addf_0(%0, %1) extent = 1 grain = 1 name = "addf.0" : !llvm.ptr(!llvm.ptr, !llvm.ptr)
      %2 = rt.offset %arg3 + 4096 : !llvm.ptr -> !llvm.ptr
      %3 = rt.offset %arg3 + 0 : !llvm.ptr -> !llvm.ptr
      rt.launch %arg0 @entries::@addf_0(%2, %3) extent = 1 grain = 1 name = "addf.1" : !llvm.ptr(!llvm.ptr, !llvm.ptr)
      %4 = rt.offset %arg3 + 0 : !llvm.ptr -> !llvm.ptr
      %5 = rt.entry %arg2[0] : !llvm.ptr -> !llvm.ptr
      rt.all_reduce %arg0 %4 to %5 communicator = 0 count = 1024 of f32 by <sum> : !llvm.ptr, !llvm.ptr, !llvm.ptr
      %c0_i32 = arith.constant 0 : i32
      return %c0_i32 : i32
    }
    ```
  }];
  let options = [
    Option<"cpu", "cpu", "std::string", "\"native\"", "the processor to generate code for">,
    Option<"modules", "modules", "unsigned", "0", "modules to spread the kernels over; 0 for one per thread">
  ];
  let dependentDialects = ["::tessera::rt::RtDialect", "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect", "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
}

#endif
