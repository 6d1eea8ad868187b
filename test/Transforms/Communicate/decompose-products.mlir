// RUN: tessera-opt --tessera-decompose-products=always %s -split-input-file | FileCheck %s

// A shard's block of the product is computed as the shard comes. It lies where the place of the device that the shard is from says.
// CHECK-LABEL: @gathered_rows
// CHECK-SAME: %[[X:.*]]: tensor<4x8xf32>, %[[W:.*]]: tensor<8x6xf32>
// CHECK: %[[THEIRS:.*]] = spmd.permute %[[X]] to [1, 0] over <@mesh, ["model"]>
// CHECK: %[[NONE:.*]] = arith.constant dense<0.000000e+00> : tensor<8x6xf32>
// CHECK: %[[OWN_BLOCK:.*]] = tessera.dot_general %[[X]], %[[W]] {{.*}} -> tensor<4x6xf32>
// CHECK: %[[OWN:.*]] = spmd.axis_index
// CHECK: %[[OWN_ROW:.*]] = arith.muli %[[OWN]], {{.*}}
// CHECK: %[[HALF:.*]] = tessera.dynamic_update_slice %[[NONE]], %[[OWN_BLOCK]][%[[OWN_ROW]], {{.*}}]
// CHECK: %[[BLOCK:.*]] = tessera.dot_general %[[THEIRS]], %[[W]] {{.*}} -> tensor<4x6xf32>
// CHECK: %[[ONE:.*]] = arith.constant dense<1>
// CHECK: %[[NEXT:.*]] = arith.addi {{.*}}, %[[ONE]]
// CHECK: %[[TWO:.*]] = arith.constant dense<2>
// CHECK: %[[PLACE:.*]] = arith.remsi %[[NEXT]], %[[TWO]]
// CHECK: %[[ROW:.*]] = arith.muli %[[PLACE]], {{.*}}
// CHECK: %[[WHOLE:.*]] = tessera.dynamic_update_slice %[[HALF]], %[[BLOCK]][%[[ROW]], {{.*}}]
// CHECK: return %[[WHOLE]]
tessera.mesh @mesh = <["model"=2]>
func.func @gathered_rows(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %0 = spmd.all_gather %x dim = 0 over <@mesh, ["model"]> : tensor<4x8xf32> -> tensor<8x8xf32>
  %1 = tessera.dot_general %0, %w batching = [] x [] contracting = [1] x [0] : (tensor<8x8xf32>, tensor<8x6xf32>) -> tensor<8x6xf32>
  return %1 : tensor<8x6xf32>
}

// -----

// All products share the shards, the next of both neighbours first. A product that sums over the gathered dimension reads the tensor put together, as in the order of the devices.
// CHECK-LABEL: @several_readers
// CHECK-SAME: %[[X:.*]]: tensor<8x4xf32>, %[[A:.*]]: tensor<8x6xf32>, %[[B:.*]]: tensor<5x8xf32>, %[[C:.*]]: tensor<12x8xf32>
// CHECK: %[[LEFT:.*]] = spmd.permute %[[X]] to [1, 2, 0]
// CHECK: %[[RIGHT:.*]] = spmd.permute %[[X]] to [2, 0, 1]
// CHECK-NOT: spmd.permute
// CHECK: tessera.dot_general %[[X]], %[[A]] {{.*}} -> tensor<4x6xf32>
// CHECK: tessera.dot_general %[[B]], %[[X]] {{.*}} -> tensor<5x4xf32>
// CHECK: tessera.dot_general %[[LEFT]], %[[A]]
// CHECK: tessera.dot_general %[[B]], %[[LEFT]]
// CHECK: tessera.dot_general %[[RIGHT]], %[[A]]
// CHECK: tessera.dot_general %[[B]], %[[RIGHT]]
// CHECK: %[[FIRST:.*]] = tessera.dynamic_update_slice {{.*}}, %[[X]]
// CHECK: %[[SECOND:.*]] = tessera.dynamic_update_slice %[[FIRST]], %[[LEFT]]
// CHECK: %[[WHOLE:.*]] = tessera.dynamic_update_slice %[[SECOND]], %[[RIGHT]]
// CHECK: tessera.dot_general %[[WHOLE]], %[[C]] {{.*}} -> tensor<8x8xf32>
tessera.mesh @mesh = <["model"=3]>
func.func @several_readers(%x: tensor<8x4xf32>, %a: tensor<8x6xf32>, %b: tensor<5x8xf32>, %c: tensor<12x8xf32>)
    -> (tensor<12x6xf32>, tensor<5x12xf32>, tensor<8x8xf32>) {
  %0 = spmd.all_gather %x dim = 1 over <@mesh, ["model"]> : tensor<8x4xf32> -> tensor<8x12xf32>
  %1 = tessera.dot_general %0, %a batching = [] x [] contracting = [0] x [0] : (tensor<8x12xf32>, tensor<8x6xf32>) -> tensor<12x6xf32>
  %2 = tessera.dot_general %b, %0 batching = [] x [] contracting = [1] x [0] : (tensor<5x8xf32>, tensor<8x12xf32>) -> tensor<5x12xf32>
  %3 = tessera.dot_general %0, %c batching = [] x [] contracting = [1] x [0] : (tensor<8x12xf32>, tensor<12x8xf32>) -> tensor<8x8xf32>
  return %1, %2, %3 : tensor<12x6xf32>, tensor<5x12xf32>, tensor<8x8xf32>
}

// -----

// Where the gathered dimension is a batch, each shard meets its part of the other operand.
// CHECK-LABEL: @gathered_batch
// CHECK-SAME: %[[X:.*]]: tensor<2x6x8xf32>, %[[W:.*]]: tensor<4x8x5xf32>
// CHECK: %[[THEIRS:.*]] = spmd.permute %[[X]]
// CHECK: %[[OWN_PART:.*]] = tessera.dynamic_slice %[[W]][{{.*}}] {{.*}} -> tensor<2x8x5xf32>
// CHECK: tessera.dot_general %[[X]], %[[OWN_PART]]
// CHECK: %[[THEIR_PART:.*]] = tessera.dynamic_slice %[[W]]
// CHECK: tessera.dot_general %[[THEIRS]], %[[THEIR_PART]]
tessera.mesh @mesh = <["model"=2]>
func.func @gathered_batch(%x: tensor<2x6x8xf32>, %w: tensor<4x8x5xf32>) -> tensor<4x6x5xf32> {
  %0 = spmd.all_gather %x dim = 0 over <@mesh, ["model"]> : tensor<2x6x8xf32> -> tensor<4x6x8xf32>
  %1 = tessera.dot_general %0, %w batching = [0] x [0] contracting = [2] x [1] : (tensor<4x6x8xf32>, tensor<4x8x5xf32>) -> tensor<4x6x5xf32>
  return %1 : tensor<4x6x5xf32>
}

// -----

// No product could begin before all is there.
// CHECK-LABEL: @contracted
// CHECK: spmd.all_gather
// CHECK-NOT: spmd.permute
tessera.mesh @mesh = <["model"=2]>
func.func @contracted(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %0 = spmd.all_gather %x dim = 0 over <@mesh, ["model"]> : tensor<4x8xf32> -> tensor<8x8xf32>
  %1 = tessera.dot_general %0, %w batching = [] x [] contracting = [0] x [0] : (tensor<8x8xf32>, tensor<8x6xf32>) -> tensor<8x6xf32>
  return %1 : tensor<8x6xf32>
}

// -----

// The own block is last, and adds what the others have sent.
// CHECK-LABEL: @scattered_rows
// CHECK-SAME: %[[X:.*]]: tensor<6x8xf32>, %[[W:.*]]: tensor<8x5xf32>
// CHECK: %[[ROWS1:.*]] = tessera.dynamic_slice %[[X]][{{.*}}] {{.*}} -> tensor<2x8xf32>
// CHECK: %[[BLOCK1:.*]] = tessera.dot_general %[[ROWS1]], %[[W]]
// CHECK: %[[FROM1:.*]] = spmd.permute %[[BLOCK1]] to [1, 2, 0]
// CHECK: %[[BLOCK2:.*]] = tessera.dot_general
// CHECK: %[[FROM2:.*]] = spmd.permute %[[BLOCK2]] to [2, 0, 1]
// CHECK: %[[OWN:.*]] = tessera.dot_general
// CHECK: %[[TWO:.*]] = arith.addf %[[OWN]], %[[FROM1]]
// CHECK: %[[ALL:.*]] = arith.addf %[[TWO]], %[[FROM2]]
// CHECK: return %[[ALL]]
tessera.mesh @mesh = <["model"=3]>
func.func @scattered_rows(%x: tensor<6x8xf32>, %w: tensor<8x5xf32>) -> tensor<2x5xf32> {
  %0 = tessera.dot_general %x, %w batching = [] x [] contracting = [1] x [0] : (tensor<6x8xf32>, tensor<8x5xf32>) -> tensor<6x5xf32>
  %1 = spmd.reduce_scatter sum %0 dim = 0 over <@mesh, ["model"]> : tensor<6x5xf32> -> tensor<2x5xf32>
  return %1 : tensor<2x5xf32>
}

// -----

// Of a batch both operands are cut. What has 16 bits is added in 32.
// CHECK-LABEL: @scattered_batch
// CHECK-SAME: %[[X:.*]]: tensor<4x6x8xbf16>, %[[W:.*]]: tensor<4x8x5xbf16>
// CHECK: tessera.dynamic_slice %[[X]][{{.*}}] {{.*}} -> tensor<2x6x8xbf16>
// CHECK: tessera.dynamic_slice %[[W]][{{.*}}] {{.*}} -> tensor<2x8x5xbf16>
// CHECK: %[[RECEIVED:.*]] = spmd.permute {{.*}} : tensor<2x6x5xbf16>
// CHECK: %[[WIDE:.*]] = arith.extf %[[RECEIVED]] : tensor<2x6x5xbf16> to tensor<2x6x5xf32>
// CHECK: %[[SUM:.*]] = arith.addf {{.*}}, %[[WIDE]] : tensor<2x6x5xf32>
// CHECK: arith.truncf %[[SUM]] : tensor<2x6x5xf32> to tensor<2x6x5xbf16>
tessera.mesh @mesh = <["model"=2]>
func.func @scattered_batch(%x: tensor<4x6x8xbf16>, %w: tensor<4x8x5xbf16>) -> tensor<2x6x5xbf16> {
  %0 = tessera.dot_general %x, %w batching = [0] x [0] contracting = [2] x [1] : (tensor<4x6x8xbf16>, tensor<4x8x5xbf16>) -> tensor<4x6x5xbf16>
  %1 = spmd.reduce_scatter sum %0 dim = 0 over <@mesh, ["model"]> : tensor<4x6x5xbf16> -> tensor<2x6x5xbf16>
  return %1 : tensor<2x6x5xbf16>
}

// -----

// Pieces need not be equal.
// CHECK-LABEL: @reduced
// CHECK-SAME: %[[X:.*]]: tensor<1x7x8xf32>
// CHECK: %[[ROWS1:.*]] = tessera.slice %[[X]] [0, 0, 0] to [1, 3, 8]
// CHECK: %[[PIECE1:.*]] = tessera.dot_general %[[ROWS1]], {{.*}} -> tensor<1x3x5xf32>
// CHECK: %[[SUM1:.*]] = spmd.all_reduce max %[[PIECE1]]
// CHECK: %[[ROWS2:.*]] = tessera.slice %[[X]] [0, 3, 0] to [1, 7, 8]
// CHECK: %[[PIECE2:.*]] = tessera.dot_general %[[ROWS2]], {{.*}} -> tensor<1x4x5xf32>
// CHECK: %[[SUM2:.*]] = spmd.all_reduce max %[[PIECE2]]
// CHECK: tessera.concatenate %[[SUM1]], %[[SUM2]] dim = 1
tessera.mesh @mesh = <["model"=4]>
func.func @reduced(%x: tensor<1x7x8xf32>, %w: tensor<8x5xf32>) -> tensor<1x7x5xf32> {
  %0 = tessera.dot_general %x, %w batching = [] x [] contracting = [2] x [0] : (tensor<1x7x8xf32>, tensor<8x5xf32>) -> tensor<1x7x5xf32>
  %1 = spmd.all_reduce max %0 over <@mesh, ["model"]> : tensor<1x7x5xf32>
  return %1 : tensor<1x7x5xf32>
}

// -----

// A product that something else reads is made at once.
// CHECK-LABEL: @read_twice
// CHECK: spmd.all_reduce {{.*}} : tensor<6x5xf32>
tessera.mesh @mesh = <["model"=4]>
func.func @read_twice(%x: tensor<6x8xf32>, %w: tensor<8x5xf32>) -> (tensor<6x5xf32>, tensor<6x5xf32>) {
  %0 = tessera.dot_general %x, %w batching = [] x [] contracting = [1] x [0] : (tensor<6x8xf32>, tensor<8x5xf32>) -> tensor<6x5xf32>
  %1 = spmd.all_reduce sum %0 over <@mesh, ["model"]> : tensor<6x5xf32>
  return %0, %1 : tensor<6x5xf32>, tensor<6x5xf32>
}

// -----

// What is gathered is both operands of the second product, which reads it put together; a slice that nobody reads stays.
// CHECK-LABEL: @both_operands
// CHECK: tessera.dynamic_update_slice {{.*}}tensor<4x8xf32>
// CHECK: %[[WHOLE:.*]] = tessera.dynamic_update_slice {{.*}}tensor<4x8xf32>
// CHECK: tessera.dot_general {{.*}} -> tensor<4x6xf32>
// CHECK: %[[SEVEN:.*]] = tessera.slice %[[WHOLE]]
// CHECK: tessera.dot_general %[[WHOLE]], %[[SEVEN]] {{.*}} -> tensor<8x7xf32>
tessera.mesh @mesh = <["model"=2]>
func.func @both_operands(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>) -> (tensor<8x6xf32>, tensor<8x7xf32>) {
  %0 = spmd.all_gather %x dim = 0 over <@mesh, ["model"]> : tensor<4x8xf32> -> tensor<8x8xf32>
  %unread = tessera.slice %0 [0, 0] to [7, 8] by [1, 1] : tensor<8x8xf32> -> tensor<7x8xf32>
  %1 = tessera.dot_general %0, %w batching = [] x [] contracting = [1] x [0] : (tensor<8x8xf32>, tensor<8x6xf32>) -> tensor<8x6xf32>
  %2 = tessera.slice %0 [0, 0] to [7, 8] by [1, 1] : tensor<8x8xf32> -> tensor<7x8xf32>
  %3 = tessera.dot_general %0, %2 batching = [] x [] contracting = [1] x [1] : (tensor<8x8xf32>, tensor<7x8xf32>) -> tensor<8x7xf32>
  return %1, %3 : tensor<8x6xf32>, tensor<8x7xf32>
}
