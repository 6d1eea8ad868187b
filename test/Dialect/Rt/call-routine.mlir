// Calls of library routines are printed as they are read.
// RUN: tessera-opt %s | tessera-opt | FileCheck %s

// CHECK-LABEL: llvm.func @call(
llvm.func @call(%context: !llvm.ptr, %a: !llvm.ptr, %b: !llvm.ptr) {
  // CHECK: rt.call_routine %{{.*}} "lapack_spotrf_ffi"(%[[A:.*]], %[[A]], %{{.*}}) with {uplo = 76 : ui8} of [tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<4xi32>] inputs = 1 name = "library_call.3" : !llvm.ptr(!llvm.ptr, !llvm.ptr, !llvm.ptr)
  rt.call_routine %context "lapack_spotrf_ffi"(%a, %a, %b) with {uplo = 76 : ui8}
      of [tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<4xi32>] inputs = 1 name = "library_call.3" : !llvm.ptr (!llvm.ptr, !llvm.ptr, !llvm.ptr)
  llvm.return
}
