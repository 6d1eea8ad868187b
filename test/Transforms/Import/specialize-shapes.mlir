// RUN: tessera-opt --tessera-specialize-shapes='shapes=x=6x4' --split-input-file %s | FileCheck %s

// Sizes are those of the operands, or computed from them.
// CHECK-LABEL: func.func @main(%arg0: tensor<6x4xf32>{{.*}}) -> tensor<24xf32>
func.func @main(%x: tensor<?x4xf32> loc("x")) -> tensor<?xf32> {
  %four = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
  %0 = "stablehlo.get_dimension_size"(%x) <{dimension = 0 : i64}> : (tensor<?x4xf32>) -> tensor<i32>
  %1 = "stablehlo.multiply"(%0, %four) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  // CHECK: %[[SIZE:.*]] = "stablehlo.constant"() <{value = dense<24> : tensor<1xi32>}>
  %2 = "stablehlo.reshape"(%1) : (tensor<i32>) -> tensor<1xi32>
  // CHECK: "stablehlo.dynamic_reshape"(%arg0, %[[SIZE]]) : (tensor<6x4xf32>, tensor<1xi32>) -> tensor<24xf32>
  %3 = "stablehlo.dynamic_reshape"(%x, %2) : (tensor<?x4xf32>, tensor<1xi32>) -> tensor<?xf32>
  return %3 : tensor<?xf32>
}

// -----

// Functions are copied for shapes and for the sizes that are handed to them; what they compute of sizes is known behind the call.
// CHECK-LABEL: func.func @main(%arg0: tensor<6x4xf32>{{.*}}) -> tensor<3x4xf32>
func.func @main(%x: tensor<?x4xf32> loc("x")) -> tensor<?x4xf32> {
  %two = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
  %0 = "stablehlo.get_dimension_size"(%x) <{dimension = 0 : i64}> : (tensor<?x4xf32>) -> tensor<i32>
  %1 = func.call @half(%0, %two) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  // CHECK: call @take_1(%{{.*}}, %arg0) : (tensor<i32>, tensor<6x4xf32>) -> tensor<3x4xf32>
  %2 = func.call @take(%1, %x) : (tensor<i32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  return %2 : tensor<?x4xf32>
}
// CHECK-NOT: tensor<?
func.func private @half(%n: tensor<i32>, %two: tensor<i32>) -> tensor<i32> {
  %zero = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %0 = "stablehlo.divide"(%n, %two) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %1 = "stablehlo.compare"(%n, %zero) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %2 = "stablehlo.select"(%1, %zero, %0) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
  return %2 : tensor<i32>
}
func.func private @take(%n: tensor<i32>, %x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %start = "stablehlo.constant"() <{value = dense<0> : tensor<2xi32>}> : () -> tensor<2xi32>
  %step = "stablehlo.constant"() <{value = dense<1> : tensor<2xi32>}> : () -> tensor<2xi32>
  %four = "stablehlo.constant"() <{value = dense<4> : tensor<1xi32>}> : () -> tensor<1xi32>
  %0 = "stablehlo.reshape"(%n) : (tensor<i32>) -> tensor<1xi32>
  %1 = "stablehlo.concatenate"(%0, %four) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %2 = "stablehlo.real_dynamic_slice"(%x, %start, %1, %step) : (tensor<?x4xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x4xf32>
  return %2 : tensor<?x4xf32>
}

// -----

// Every kind of operation whose result has another shape than its operands.
// CHECK-LABEL: func.func @main(
func.func @main(%x: tensor<?x4xf32> loc("x")) {
  %zero = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %i = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
  // CHECK: "stablehlo.dot_general"{{.*}} -> tensor<6x6xf32>
  %0 = "stablehlo.dot_general"(%x, %x) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>}> : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x?xf32>
  // CHECK: "stablehlo.transpose"{{.*}} -> tensor<4x6xf32>
  %1 = "stablehlo.transpose"(%x) <{permutation = array<i64: 1, 0>}> : (tensor<?x4xf32>) -> tensor<4x?xf32>
  // CHECK: "stablehlo.concatenate"{{.*}} -> tensor<4x12xf32>
  %2 = "stablehlo.concatenate"(%1, %1) <{dimension = 1 : i64}> : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  // CHECK: "stablehlo.pad"{{.*}} -> tensor<4x24xf32>
  %3 = "stablehlo.pad"(%2, %zero) <{edge_padding_low = array<i64: 0, 2>, edge_padding_high = array<i64: 0, -1>, interior_padding = array<i64: 0, 1>}> : (tensor<4x?xf32>, tensor<f32>) -> tensor<4x?xf32>
  // CHECK: "stablehlo.reduce"
  // CHECK: (tensor<4x24xf32>, tensor<f32>) -> tensor<24xf32>
  %4 = "stablehlo.reduce"(%3, %zero) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<4x?xf32>, tensor<f32>) -> tensor<?xf32>
  // CHECK: "stablehlo.reduce_window"
  // CHECK: (tensor<24xf32>, tensor<f32>) -> tensor<12xf32>
  %5 = "stablehlo.reduce_window"(%4, %zero) <{window_dimensions = array<i64: 3>, window_strides = array<i64: 2>, padding = dense<[[1, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  // CHECK: "chlo.top_k"{{.*}} -> (tensor<2xf32>, tensor<2xi32>)
  %6:2 = "chlo.top_k"(%5) <{k = 2 : i64}> : (tensor<?xf32>) -> (tensor<?xf32>, tensor<?xi32>)
  // CHECK: "stablehlo.gather"{{.*}} -> tensor<2x4xf32>
  %7 = "stablehlo.gather"(%x, %6#1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<?x4xf32>, tensor<?xi32>) -> tensor<?x4xf32>
  // CHECK: "stablehlo.convolution"{{.*}} -> tensor<6x5x2xf32>
  %8 = "stablehlo.constant"() <{value = dense<1.0> : tensor<2x1x2xf32>}> : () -> tensor<2x1x2xf32>
  %9 = "stablehlo.reshape"(%x) : (tensor<?x4xf32>) -> tensor<6x4x1xf32>
  %10 = "stablehlo.convolution"(%9, %8) <{batch_group_count = 1 : i64, feature_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, padding = dense<1> : tensor<1x2xi64>}> : (tensor<6x4x1xf32>, tensor<2x1x2xf32>) -> tensor<?x?x2xf32>
  return
}

// -----

// Rows are chosen, transformed, and multiplied by group.
// CHECK-LABEL: func.func @main(%arg0: tensor<6x4xf32>{{.*}}) -> (tensor<2x3x4xf32>, tensor<6x3xcomplex<f32>>, tensor<6x4xf32>, tensor<6x5xf32>, tensor<3x4x4xf32>)
func.func @main(%x: tensor<?x4xf32> loc("x"), %i: tensor<2x3xi32>, %w: tensor<3x4x5xf32>, %sizes: tensor<3xi32>) -> (tensor<?x?x4xf32>, tensor<?x3xcomplex<f32>>, tensor<?x4xf32>, tensor<?x5xf32>, tensor<3x4x4xf32>) {
  // CHECK: "stablehlo.torch_index_select"{{.*}} -> tensor<2x3x4xf32>
  %0 = "stablehlo.torch_index_select"(%x, %i) <{dim = 0 : i64, batch_dims = 0 : i64}> : (tensor<?x4xf32>, tensor<2x3xi32>) -> tensor<?x?x4xf32>
  // CHECK: "stablehlo.fft"{{.*}} -> tensor<6x3xcomplex<f32>>
  %1 = "stablehlo.fft"(%x) <{fft_length = array<i64: 4>, fft_type = #stablehlo<fft_type RFFT>}> : (tensor<?x4xf32>) -> tensor<?x3xcomplex<f32>>
  // CHECK: "stablehlo.fft"{{.*}} -> tensor<6x4xf32>
  %2 = "stablehlo.fft"(%1) <{fft_length = array<i64: 4>, fft_type = #stablehlo<fft_type IRFFT>}> : (tensor<?x3xcomplex<f32>>) -> tensor<?x4xf32>
  // CHECK: "chlo.ragged_dot"{{.*}} -> tensor<6x5xf32>
  %3 = "chlo.ragged_dot"(%x, %w, %sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<?x4xf32>, tensor<3x4x5xf32>, tensor<3xi32>) -> tensor<?x5xf32>
  // CHECK: "chlo.ragged_dot"{{.*}} -> tensor<3x4x4xf32>
  %4 = "chlo.ragged_dot"(%x, %x, %sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [0], rhs_group_dimensions = []>}> : (tensor<?x4xf32>, tensor<?x4xf32>, tensor<3xi32>) -> tensor<3x4x4xf32>
  return %0, %1, %2, %3, %4 : tensor<?x?x4xf32>, tensor<?x3xcomplex<f32>>, tensor<?x4xf32>, tensor<?x5xf32>, tensor<3x4x4xf32>
}
