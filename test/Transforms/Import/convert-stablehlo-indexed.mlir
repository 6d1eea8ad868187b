// RUN: tessera-opt %s --tessera-convert-stablehlo --split-input-file | FileCheck %s

// Unsigned indices are widened, so that they can be read as signed ones.
// CHECK-LABEL: func.func @boxes(
// CHECK-SAME: %[[X:.*]]: tensor<8x4xf32>, %[[I:.*]]: tensor<i32>, %[[U:.*]]: tensor<i8>, %[[W:.*]]: tensor<i64>)
func.func @boxes(%x: tensor<8x4xf32>, %i: tensor<i32>, %u: tensor<ui8>, %w: tensor<ui64>) {
  // CHECK-NEXT: %[[UI:.*]] = arith.extui %[[U]] : tensor<i8> to tensor<i64>
  // CHECK-NEXT: %[[BOX:.*]] = tessera.dynamic_slice %[[X]][%[[I]], %[[UI]]] : (tensor<8x4xf32>, tensor<i32>, tensor<i64>) -> tensor<2x4xf32>
  %0 = "stablehlo.dynamic_slice"(%x, %i, %u) <{slice_sizes = array<i64: 2, 4>}> : (tensor<8x4xf32>, tensor<i32>, tensor<ui8>) -> tensor<2x4xf32>
  // CHECK-NEXT: %[[MOST:.*]] = arith.constant dense<9223372036854775807> : tensor<i64>
  // CHECK-NEXT: %[[WI:.*]] = arith.minui %[[W]], %[[MOST]]
  // CHECK-NEXT: tessera.dynamic_update_slice %[[X]], %[[BOX]][%[[WI]], %[[I]]]
  %1 = "stablehlo.dynamic_update_slice"(%x, %0, %w, %i) : (tensor<8x4xf32>, tensor<2x4xf32>, tensor<ui64>, tensor<i32>) -> tensor<8x4xf32>
  "func.return"() : () -> ()
}

// -----

// CHECK-LABEL: func.func @gathers(
func.func @gathers(%table: tensor<10x4xf32>, %ids: tensor<2x3x1xi32>, %rows: tensor<8x10xf32>, %columns: tensor<8x1x1xi32>) {
  // CHECK: tessera.gather %{{.*}} at %{{.*}} offset = [2] collapsed = [0] batching = [] x [] map = [0] vector = 2 sizes = [1, 4]
  %0 = "stablehlo.gather"(%table, %ids) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4>}> : (tensor<10x4xf32>, tensor<2x3x1xi32>) -> tensor<2x3x4xf32>
  // CHECK: tessera.gather %{{.*}} at %{{.*}} offset = [] collapsed = [1] batching = [0] x [0] map = [1] vector = 2 sizes = [1, 1]
  %1 = "stablehlo.gather"(%rows, %columns) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<8x10xf32>, tensor<8x1x1xi32>) -> tensor<8x1xf32>
  "func.return"() : () -> ()
}

// -----

// The body says what a scatter does with an element and its update.
// CHECK-LABEL: func.func @scatters(
// CHECK-SAME: %[[X:.*]]: tensor<10x4xf32>, %[[IDS:.*]]: tensor<3x1xi32>, %[[ROWS:.*]]: tensor<3x4xf32>)
func.func @scatters(%x: tensor<10x4xf32>, %ids: tensor<3x1xi32>, %rows: tensor<3x4xf32>) {
  // CHECK-NEXT: tessera.scatter sum %[[X]], %[[ROWS]] at %[[IDS]] window = [1] inserted = [0] batching = [] x [] map = [0] vector = 1 :
  %0 = "stablehlo.scatter"(%x, %ids, %rows) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<10x4xf32>, tensor<3x1xi32>, tensor<3x4xf32>) -> tensor<10x4xf32>
  // CHECK-NEXT: tessera.scatter %[[X]], %[[ROWS]] at %[[IDS]] {{.*}} vector = 1 unique
  %1 = "stablehlo.scatter"(%x, %ids, %rows) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    "stablehlo.return"(%b) : (tensor<f32>) -> ()
  }) : (tensor<10x4xf32>, tensor<3x1xi32>, tensor<3x4xf32>) -> tensor<10x4xf32>
  // JAX constrains even the elements, in a manual region that leaves axes to the compiler.
  // CHECK-NEXT: tessera.scatter sum %[[X]], %[[ROWS]] at %[[IDS]]
  %constrained = "stablehlo.scatter"(%x, %ids, %rows) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %ca = "sdy.sharding_constraint"(%a) <{sharding = #sdy.sharding<@mesh, []>}> : (tensor<f32>) -> tensor<f32>
    %cb = "sdy.sharding_constraint"(%b) <{sharding = #sdy.sharding<@mesh, []>}> : (tensor<f32>) -> tensor<f32>
    %s = "stablehlo.add"(%ca, %cb) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %cs = "sdy.sharding_constraint"(%s) <{sharding = #sdy.sharding<@mesh, []>}> : (tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%cs) : (tensor<f32>) -> ()
  }) : (tensor<10x4xf32>, tensor<3x1xi32>, tensor<3x4xf32>) -> tensor<10x4xf32>
  // What is subtracted is added with the other sign.
  // CHECK-NEXT: %[[MINUS:.*]] = arith.negf %[[ROWS]]
  // CHECK-NEXT: tessera.scatter sum %[[X]], %[[MINUS]] at %[[IDS]]
  %2 = "stablehlo.scatter"(%x, %ids, %rows) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = "stablehlo.subtract"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<10x4xf32>, tensor<3x1xi32>, tensor<3x4xf32>) -> tensor<10x4xf32>
  "func.return"() : () -> ()
}

// -----

// Without an update nothing changes.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:.*]]: tensor<4x6xf32>, %[[Y:.*]]: tensor<4x6xf32>,
// CHECK-NEXT: return %[[X]], %[[Y]]
func.func @main(%x: tensor<4x6xf32>, %y: tensor<4x6xf32>, %i: tensor<0x1xi32>, %u: tensor<0x6xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>) {
  %0:2 = "stablehlo.scatter"(%x, %y, %i, %u, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
    %1 = "stablehlo.multiply"(%a, %d) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%1, %c) : (tensor<f32>, tensor<f32>) -> ()
  }) : (tensor<4x6xf32>, tensor<4x6xf32>, tensor<0x1xi32>, tensor<0x6xf32>, tensor<0x6xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>)
  "func.return"(%0#0, %0#1) : (tensor<4x6xf32>, tensor<4x6xf32>) -> ()
}

// -----

// A body takes a constant from outside with it.
// CHECK-LABEL: func.func @scaled(
// CHECK: scf.for
// CHECK: %[[OLD:.*]] = tessera.gather
// CHECK: %[[TWO:.*]] = arith.constant dense<2.000000e+00> : tensor<f32>
// CHECK: %[[TWOS:.*]] = tessera.broadcast %[[TWO]]
// CHECK: %[[SCALED:.*]] = arith.mulf %{{.*}}, %[[TWOS]]
// CHECK: %[[NEW:.*]] = arith.addf %[[OLD]], %[[SCALED]]
// CHECK: tessera.scatter %{{.*}}, %[[NEW]] at
func.func @scaled(%x: tensor<4xf32>, %i: tensor<2x1xi32>, %u: tensor<2xf32>) -> tensor<4xf32> {
  %two = "stablehlo.constant"() <{value = dense<2.0> : tensor<f32>}> : () -> tensor<f32>
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = "stablehlo.multiply"(%b, %two) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %2 = "stablehlo.add"(%a, %1) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%2) : (tensor<f32>) -> ()
  }) : (tensor<4xf32>, tensor<2x1xi32>, tensor<2xf32>) -> tensor<4xf32>
  "func.return"(%0) : (tensor<4xf32>) -> ()
}
