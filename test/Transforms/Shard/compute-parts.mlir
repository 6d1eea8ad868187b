// RUN: tessera-opt --tessera-propagate-shardings --tessera-compute-parts --split-input-file %s | FileCheck %s

tessera.mesh @mesh = <["x"=4]>

// Columns of one matrix that stands for three, whose borders lie within what a device has: each part is a product of its own columns, with its part of
// the bias.
// CHECK-LABEL: func.func @columns_are_taken_apart(
func.func @columns_are_taken_apart(
    %x: tensor<64x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>},
    %w: tensor<8x24xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"}]>},
    %b: tensor<24xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>})
    -> (tensor<64x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"}]>}, tensor<64x16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"}]>}) {
  // CHECK-DAG: %[[W0:.*]] = tessera.slice %arg1 [0, 0] to [8, 8] by [1, 1] {{.*}}[{}, {"x"}]
  // CHECK-DAG: %[[B0:.*]] = tessera.slice %arg2 [0] to [8]
  // CHECK-DAG: %[[W1:.*]] = tessera.slice %arg1 [0, 8] to [8, 24]
  // CHECK-DAG: %[[B1:.*]] = tessera.slice %arg2 [8] to [24]
  // CHECK-DAG: %[[P0:.*]] = tessera.dot_general %arg0, %[[W0]]
  // CHECK-DAG: %[[P1:.*]] = tessera.dot_general %arg0, %[[W1]]
  // CHECK-DAG: %[[R0:.*]] = tessera.broadcast %[[B0]]
  // CHECK-DAG: %[[R1:.*]] = tessera.broadcast %[[B1]]
  // CHECK-DAG: %[[S0:.*]] = arith.addf %[[P0]], %[[R0]] {{.*}}tensor<64x8xf32>
  // CHECK-DAG: %[[S1:.*]] = arith.addf %[[P1]], %[[R1]] {{.*}}tensor<64x16xf32>
  // CHECK-NOT: tensor<64x24xf32>
  // CHECK: return %[[S0]], %[[S1]]
  %0 = tessera.dot_general %x, %w batching = [] x [] contracting = [1] x [0] : (tensor<64x8xf32>, tensor<8x24xf32>) -> tensor<64x24xf32>
  %1 = tessera.broadcast %b dims = [1] : tensor<24xf32> -> tensor<64x24xf32>
  %2 = arith.addf %0, %1 : tensor<64x24xf32>
  %3 = tessera.slice %2 [0, 0] to [64, 8] by [1, 1] : tensor<64x24xf32> -> tensor<64x8xf32>
  %4 = tessera.slice %2 [0, 8] to [64, 24] by [1, 1] : tensor<64x24xf32> -> tensor<64x16xf32>
  return %3, %4 : tensor<64x8xf32>, tensor<64x16xf32>
}

// -----

tessera.mesh @mesh = <["x"=4]>

// Few rows: moving them is cheaper than moving the matrix.
// CHECK-LABEL: func.func @few_rows_move(
func.func @few_rows_move(
    %x: tensor<2x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>},
    %w: tensor<8x24xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"}]>})
    -> (tensor<2x12xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"}]>}, tensor<2x12xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"}]>}) {
  // CHECK: tessera.dot_general %arg0, %arg1
  // CHECK-COUNT-2: tessera.slice
  %0 = tessera.dot_general %x, %w batching = [] x [] contracting = [1] x [0] : (tensor<2x8xf32>, tensor<8x24xf32>) -> tensor<2x24xf32>
  %1 = tessera.slice %0 [0, 0] to [2, 12] by [1, 1] : tensor<2x24xf32> -> tensor<2x12xf32>
  %2 = tessera.slice %0 [0, 12] to [2, 24] by [1, 1] : tensor<2x24xf32> -> tensor<2x12xf32>
  return %1, %2 : tensor<2x12xf32>, tensor<2x12xf32>
}

// -----

tessera.mesh @mesh = <["x"=4]>

// The backward pass: gradients of the parts, each in shards, are not put together. The gradient of the matrix is, and that of the input is a sum.
// CHECK-LABEL: func.func @gradients_are_put_together(
func.func @gradients_are_put_together(
    %x: tensor<64x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>},
    %w: tensor<8x24xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"}]>},
    %q: tensor<64x12xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"}]>},
    %k: tensor<64x12xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"}]>})
    -> (tensor<8x24xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"}]>}, tensor<64x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>}) {
  // CHECK-DAG: %[[GQ:.*]] = tessera.dot_general %arg0, %arg2 {{.*}} -> tensor<8x12xf32>
  // CHECK-DAG: %[[GK:.*]] = tessera.dot_general %arg0, %arg3 {{.*}} -> tensor<8x12xf32>
  // CHECK-DAG: %[[GW:.*]] = tessera.concatenate %[[GQ]], %[[GK]] dim = 1
  // CHECK-DAG: %[[WQ:.*]] = tessera.slice %arg1 [0, 0] to [8, 12]
  // CHECK-DAG: %[[WK:.*]] = tessera.slice %arg1 [0, 12] to [8, 24]
  // CHECK-DAG: %[[XQ:.*]] = tessera.dot_general %arg2, %[[WQ]]
  // CHECK-DAG: %[[XK:.*]] = tessera.dot_general %arg3, %[[WK]]
  // CHECK-DAG: %[[GX:.*]] = arith.addf %[[XQ]], %[[XK]]
  // CHECK-NOT: tensor<64x24xf32>
  // CHECK: return %[[GW]], %[[GX]]
  %0 = tessera.concatenate %q, %k dim = 1 : (tensor<64x12xf32>, tensor<64x12xf32>) -> tensor<64x24xf32>
  %1 = tessera.dot_general %x, %0 batching = [] x [] contracting = [0] x [0] : (tensor<64x8xf32>, tensor<64x24xf32>) -> tensor<8x24xf32>
  %2 = tessera.dot_general %0, %w batching = [] x [] contracting = [1] x [1] : (tensor<64x24xf32>, tensor<8x24xf32>) -> tensor<64x8xf32>
  return %1, %2 : tensor<8x24xf32>, tensor<64x8xf32>
}

// -----

tessera.mesh @mesh = <["x"=4]>

// The same where the gradients of slices are padded and added.
// CHECK-LABEL: func.func @gradients_are_padded(
func.func @gradients_are_padded(
    %x: tensor<64x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>},
    %q: tensor<64x12xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"}]>},
    %k: tensor<64x4xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"}]>},
    %v: tensor<64x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"}]>})
    -> (tensor<8x24xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"}]>}) {
  // CHECK-NOT: tessera.pad
  // CHECK-DAG: %[[GQ:.*]] = tessera.dot_general %arg0, %arg1
  // CHECK-DAG: %[[GK:.*]] = tessera.dot_general %arg0, %arg2
  // CHECK-DAG: %[[GV:.*]] = tessera.dot_general %arg0, %arg3
  // CHECK: %[[GW:.*]] = tessera.concatenate %[[GQ]], %[[GK]], %[[GV]] dim = 1
  // CHECK-NEXT: return %[[GW]]
  %zero = arith.constant dense<0.0> : tensor<f32>
  %0 = tessera.pad %q with %zero low = [0, 0] high = [0, 12] interior = [0, 0] : (tensor<64x12xf32>, tensor<f32>) -> tensor<64x24xf32>
  %1 = tessera.pad %k with %zero low = [0, 12] high = [0, 8] interior = [0, 0] : (tensor<64x4xf32>, tensor<f32>) -> tensor<64x24xf32>
  %2 = tessera.pad %v with %zero low = [0, 16] high = [0, 0] interior = [0, 0] : (tensor<64x8xf32>, tensor<f32>) -> tensor<64x24xf32>
  %3 = arith.addf %2, %1 : tensor<64x24xf32>
  %4 = arith.addf %3, %0 : tensor<64x24xf32>
  %5 = tessera.dot_general %x, %4 batching = [] x [] contracting = [0] x [0] : (tensor<64x8xf32>, tensor<64x24xf32>) -> tensor<8x24xf32>
  return %5 : tensor<8x24xf32>
}

// -----

tessera.mesh @mesh = <["x"=4]>

// What is whole along the dimension is taken apart where it is, and so is what is used in other ways or by slices that overlap.
// CHECK-LABEL: func.func @elsewhere_as_before(
func.func @elsewhere_as_before(
    %x: tensor<64x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>},
    %y: tensor<64x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>},
    %v: tensor<8x24xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>},
    %w: tensor<8x24xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"}]>})
    -> (tensor<64x12xf32>, tensor<64x12xf32>, tensor<64x16xf32>, tensor<64x16xf32>) {
  // CHECK: %[[ROWS:.*]] = tessera.dot_general %arg0, %arg2
  // CHECK: tessera.slice %[[ROWS]] [0, 0] to [64, 12]
  // CHECK: tessera.slice %[[ROWS]] [0, 12] to [64, 24]
  %0 = tessera.dot_general %x, %v batching = [] x [] contracting = [1] x [0] : (tensor<64x8xf32>, tensor<8x24xf32>) -> tensor<64x24xf32>
  %1 = tessera.slice %0 [0, 0] to [64, 12] by [1, 1] : tensor<64x24xf32> -> tensor<64x12xf32>
  %2 = tessera.slice %0 [0, 12] to [64, 24] by [1, 1] : tensor<64x24xf32> -> tensor<64x12xf32>
  // CHECK: %[[COLUMNS:.*]] = tessera.dot_general %arg1, %arg3
  // CHECK: tessera.slice %[[COLUMNS]] [0, 0] to [64, 16]
  // CHECK: tessera.slice %[[COLUMNS]] [0, 8] to [64, 24]
  %3 = tessera.dot_general %y, %w batching = [] x [] contracting = [1] x [0] : (tensor<64x8xf32>, tensor<8x24xf32>) -> tensor<64x24xf32>
  %4 = tessera.slice %3 [0, 0] to [64, 16] by [1, 1] : tensor<64x24xf32> -> tensor<64x16xf32>
  %5 = tessera.slice %3 [0, 8] to [64, 24] by [1, 1] : tensor<64x24xf32> -> tensor<64x16xf32>
  return %1, %2, %4, %5 : tensor<64x12xf32>, tensor<64x12xf32>, tensor<64x16xf32>, tensor<64x16xf32>
}
