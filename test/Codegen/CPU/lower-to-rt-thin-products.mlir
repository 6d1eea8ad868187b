// Products with a thin side do not copy the wide one: vectors go along the dimension in which it is contiguous, and every element is loaded once.
// RUN: tessera-opt %s --tessera-lower-to-rt="cpu=x86-64-v3 modules=1" | FileCheck %s --check-prefixes=CHECK,V3
// RUN: tessera-opt %s --tessera-lower-to-rt="cpu=x86-64-v4 modules=1" | FileCheck %s --check-prefixes=CHECK,V4

// A matrix times a vector: four rows at a time along the contracted dimension, then the lanes are added up.
// CHECK-LABEL: func.func @dot_general_0_body(
// CHECK-NOT: call
// V3: scf.for {{.*}} iter_args({{.*}}) -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>)
// V3-COUNT-5: llvm.load {{.*}} -> vector<8xf32>
// V3-NOT: llvm.load
// V3: scf.yield
// V4: scf.for {{.*}} iter_args({{.*}}) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
// CHECK: vector.shuffle

// A vector times a matrix: 64 columns (128 with AVX-512) at a time along the matrix's rows, without adding up lanes.
// CHECK-LABEL: func.func @dot_general_1_body(
// CHECK-NOT: call
// CHECK-NOT: vector.shuffle
// CHECK: scf.for {{.*}} iter_args(
// V3-COUNT-8: math.fma {{.*}} : vector<8xf32>
// V4-COUNT-8: math.fma {{.*}} : vector<16xf32>
// CHECK-NOT: math.fma
// CHECK: scf.yield

// More than a few rows are worth panels.
// CHECK-LABEL: func.func @dot_general_2_body(
// CHECK: call @tessera_block_rows(
// CHECK: module @entries
func.func @main(%a: tensor<512x512xf32>, %x: tensor<512xf32>, %m: tensor<64x512xf32>)
    -> (tensor<512xf32>, tensor<512xf32>, tensor<64x512xf32>) attributes {spmd.arena_size = 0 : i64} {
  %0 = spmd.kernel(%a, %x) {spmd.buffers = [#spmd.buffer<result, 0>]} : (tensor<512x512xf32>, tensor<512xf32>) -> tensor<512xf32> {
  ^bb0(%w: tensor<512x512xf32>, %v: tensor<512xf32>):
    %d = tessera.dot_general %w, %v batching = [] x [] contracting = [1] x [0] : (tensor<512x512xf32>, tensor<512xf32>) -> tensor<512xf32>
    spmd.yield %d : tensor<512xf32>
  }
  %1 = spmd.kernel(%a, %x) {spmd.buffers = [#spmd.buffer<result, 1>]} : (tensor<512x512xf32>, tensor<512xf32>) -> tensor<512xf32> {
  ^bb0(%w: tensor<512x512xf32>, %v: tensor<512xf32>):
    %d = tessera.dot_general %v, %w batching = [] x [] contracting = [0] x [0] : (tensor<512xf32>, tensor<512x512xf32>) -> tensor<512xf32>
    spmd.yield %d : tensor<512xf32>
  }
  %2 = spmd.kernel(%a, %m) {spmd.buffers = [#spmd.buffer<result, 2>]} : (tensor<512x512xf32>, tensor<64x512xf32>) -> tensor<64x512xf32> {
  ^bb0(%w: tensor<512x512xf32>, %v: tensor<64x512xf32>):
    %d = tessera.dot_general %v, %w batching = [] x [] contracting = [1] x [0] : (tensor<64x512xf32>, tensor<512x512xf32>) -> tensor<64x512xf32>
    spmd.yield %d : tensor<64x512xf32>
  }
  return %0, %1, %2 : tensor<512xf32>, tensor<512xf32>, tensor<64x512xf32>
}
