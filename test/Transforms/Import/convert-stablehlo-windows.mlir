// RUN: tessera-opt %s --tessera-convert-stablehlo --split-input-file | FileCheck %s

// Three places of the kernel: the input as it is, and shifted by one to either side.
// CHECK-LABEL: func.func @padded(
// CHECK-SAME: %[[X:.*]]: tensor<2x8x3xf32>, %[[W:.*]]: tensor<3x3x4xf32>)
// CHECK: %[[X0:.*]] = tessera.pad %[[X]] with %{{.*}} low = [0, 1, 0] high = [0, -1, 0]
// CHECK: %[[S0:.*]] = tessera.slice %[[W]] [0, 0, 0] to [1, 3, 4]
// CHECK: %[[W0:.*]] = tessera.reshape %[[S0]]
// CHECK: %[[D0:.*]] = tessera.dot_general %[[X0]], %[[W0]] batching = [] x [] contracting = [2] x [0]
// CHECK: %[[S1:.*]] = tessera.slice %[[W]] [1, 0, 0] to [2, 3, 4]
// CHECK: %[[W1:.*]] = tessera.reshape %[[S1]]
// CHECK: %[[D1:.*]] = tessera.dot_general %[[X]], %[[W1]]
// CHECK: %[[SUM:.*]] = arith.addf %[[D0]], %[[D1]]
// CHECK: %[[X2:.*]] = tessera.pad %[[X]] with %{{.*}} low = [0, -1, 0] high = [0, 1, 0]
// CHECK: %[[S2:.*]] = tessera.slice %[[W]] [2, 0, 0] to [3, 3, 4]
// CHECK: %[[W2:.*]] = tessera.reshape %[[S2]]
// CHECK: %[[D2:.*]] = tessera.dot_general %[[X2]], %[[W2]]
// CHECK: %[[R:.*]] = arith.addf %[[SUM]], %[[D2]]
// CHECK: return %[[R]]
func.func @padded(%x: tensor<2x8x3xf32>, %w: tensor<3x3x4xf32>) -> tensor<2x8x4xf32> {
  %0 = "stablehlo.convolution"(%x, %w) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, padding = dense<1> : tensor<1x2xi64>}> : (tensor<2x8x3xf32>, tensor<3x3x4xf32>) -> tensor<2x8x4xf32>
  "func.return"(%0) : (tensor<2x8x4xf32>) -> ()
}

// -----

// A window of many places is two loops, from the place that begins where the input does to the left and to the right. Each moves its operand on
// by a constant, so that a split one stays split.
// CHECK-LABEL: func.func @long_window(
// CHECK-SAME: %[[X:.*]]: tensor<2x90x3xf32>, %[[W:.*]]: tensor<61x3x4xf32>)
// CHECK: %[[CENTER:.*]] = tessera.dot_general %[[X]],
// CHECK: scf.for %{{.*}} iter_args(%{{.*}} = %[[CENTER]], %[[LEFT:.*]] = %[[X]])
// CHECK: tessera.dynamic_slice %{{.*}} -> tensor<15x3x4xf32>
// CHECK-COUNT-15: tessera.dot_general
// CHECK: %[[FURTHER:.*]] = tessera.pad %[[LEFT]] with %{{.*}} low = [0, 15, 0] high = [0, -15, 0]
// CHECK: scf.yield %{{.*}}, %[[FURTHER]]
// CHECK: scf.for
// CHECK-COUNT-15: tessera.dot_general
// CHECK: tessera.pad %{{.*}} with %{{.*}} low = [0, -15, 0] high = [0, 15, 0]
// CHECK-NOT: tessera.dot_general
// CHECK: return
func.func @long_window(%x: tensor<2x90x3xf32>, %w: tensor<61x3x4xf32>) -> tensor<2x90x4xf32> {
  %0 = "stablehlo.convolution"(%x, %w) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, padding = dense<30> : tensor<1x2xi64>}> : (tensor<2x90x3xf32>, tensor<61x3x4xf32>) -> tensor<2x90x4xf32>
  "func.return"(%0) : (tensor<2x90x4xf32>) -> ()
}

// -----

// The gradient of the kernel of the padded case: batch and space are contracted, one product for each element of the kernel.
// CHECK-LABEL: func.func @kernel_gradient(
// CHECK-SAME: %[[X:.*]]: tensor<2x8x3xf32>, %[[G:.*]]: tensor<2x8x4xf32>)
// CHECK: %[[XT:.*]] = tessera.transpose %[[X]] permutation = [2, 1, 0]
// CHECK: %[[GT:.*]] = tessera.transpose %[[G]] permutation = [1, 0, 2]
// CHECK: %[[X0:.*]] = tessera.pad %[[XT]] with %{{.*}} low = [0, 1, 0] high = [0, -1, 0]
// CHECK: %[[D0:.*]] = tessera.dot_general %[[X0]], %[[GT]] batching = [] x [] contracting = [1, 2] x [0, 1]
// CHECK: %[[R0:.*]] = tessera.reshape %[[D0]]
// CHECK: %[[D1:.*]] = tessera.dot_general %[[XT]], %[[GT]]
// CHECK: %[[R1:.*]] = tessera.reshape %[[D1]]
// CHECK: %[[X2:.*]] = tessera.pad %[[XT]] with %{{.*}} low = [0, -1, 0] high = [0, 1, 0]
// CHECK: %[[D2:.*]] = tessera.dot_general %[[X2]], %[[GT]]
// CHECK: %[[R2:.*]] = tessera.reshape %[[D2]]
// CHECK: %[[ALL:.*]] = tessera.concatenate %[[R0]], %[[R1]], %[[R2]] dim = 1
// CHECK: %[[R:.*]] = tessera.transpose %[[ALL]] permutation = [1, 0, 2]
// CHECK: return %[[R]]
func.func @kernel_gradient(%x: tensor<2x8x3xf32>, %g: tensor<2x8x4xf32>) -> tensor<3x3x4xf32> {
  %0 = "stablehlo.convolution"(%x, %g) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[f, 0, b]x[i, 0, o]->[0, b, f]>, feature_group_count = 1 : i64, padding = dense<1> : tensor<1x2xi64>}> : (tensor<2x8x3xf32>, tensor<2x8x4xf32>) -> tensor<3x3x4xf32>
  "func.return"(%0) : (tensor<3x3x4xf32>) -> ()
}

// -----

// Patches are one product.
// CHECK-LABEL: func.func @patches(
// CHECK-SAME: %[[X:.*]]: tensor<2x9x3xf32>, %[[W:.*]]: tensor<4x3x5xf32>)
// CHECK: %[[WHOLE:.*]] = tessera.slice %[[X]] [0, 0, 0] to [2, 8, 3]
// CHECK: %[[SPLIT:.*]] = tessera.reshape %[[WHOLE]] : tensor<2x8x3xf32> -> tensor<2x2x4x3xf32>
// CHECK: %[[T:.*]] = tessera.transpose %[[SPLIT]] permutation = [0, 1, 3, 2]
// CHECK: %[[D:.*]] = tessera.dot_general %[[T]], %[[W]] batching = [] x [] contracting = [3, 2] x [0, 1]
// CHECK: return %[[D]]
func.func @patches(%x: tensor<2x9x3xf32>, %w: tensor<4x3x5xf32>) -> tensor<2x2x5xf32> {
  %0 = "stablehlo.convolution"(%x, %w) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, window_strides = array<i64: 4>}> : (tensor<2x9x3xf32>, tensor<4x3x5xf32>) -> tensor<2x2x5xf32>
  "func.return"(%0) : (tensor<2x2x5xf32>) -> ()
}

// -----

// So is the gradient of their input.
// CHECK-LABEL: func.func @patches_gradient(
// CHECK-SAME: %[[G:.*]]: tensor<2x2x5xf32>, %[[W:.*]]: tensor<4x3x5xf32>)
// CHECK: %[[WT:.*]] = tessera.transpose %[[W]] permutation = [0, 2, 1]
// CHECK: %[[REVERSED:.*]] = tessera.reverse %[[WT]] dims = [0]
// CHECK: %[[D:.*]] = tessera.dot_general %[[G]], %[[REVERSED]] batching = [] x [] contracting = [2] x [1] : (tensor<2x2x5xf32>, tensor<4x5x3xf32>) -> tensor<2x2x4x3xf32>
// CHECK: %[[ALL:.*]] = tessera.reshape %[[D]] : tensor<2x2x4x3xf32> -> tensor<2x8x3xf32>
// CHECK: %[[R:.*]] = tessera.pad %[[ALL]] with %{{.*}} low = [0, 0, 0] high = [0, 1, 0]
// CHECK: return %[[R]]
func.func @patches_gradient(%g: tensor<2x2x5xf32>, %w: tensor<4x3x5xf32>) -> tensor<2x9x3xf32> {
  %0 = "stablehlo.convolution"(%g, %w) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, o, i]->[b, 0, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 4>, padding = dense<[[3, 4]]> : tensor<1x2xi64>}> : (tensor<2x2x5xf32>, tensor<4x3x5xf32>) -> tensor<2x9x3xf32>
  "func.return"(%0) : (tensor<2x9x3xf32>) -> ()
}

// -----

// The gradient of a strided convolution's input: even and odd places see different elements of the kernel, none is multiplied by zeros.
// CHECK-LABEL: func.func @phases(
// CHECK-SAME: %[[G:.*]]: tensor<2x4x5xf32>, %[[W:.*]]: tensor<3x3x5xf32>)
// CHECK: %[[SHIFTED:.*]] = tessera.pad %[[G]] with %{{.*}} low = [0, 1, 0] high = [0, -1, 0]
// CHECK: %[[D0:.*]] = tessera.dot_general %[[SHIFTED]],
// CHECK: %[[D2:.*]] = tessera.dot_general %[[G]],
// CHECK: %[[EVEN:.*]] = arith.addf %[[D0]], %[[D2]]
// CHECK: %[[ODD:.*]] = tessera.dot_general %[[G]],
// CHECK: %[[E:.*]] = tessera.reshape %[[EVEN]] : tensor<2x4x3xf32> -> tensor<2x4x1x3xf32>
// CHECK: %[[O:.*]] = tessera.reshape %[[ODD]] : tensor<2x4x3xf32> -> tensor<2x4x1x3xf32>
// CHECK: %[[ALL:.*]] = tessera.concatenate %[[E]], %[[O]] dim = 2
// CHECK: %[[R:.*]] = tessera.reshape %[[ALL]] : tensor<2x4x2x3xf32> -> tensor<2x8x3xf32>
// CHECK: return %[[R]]
func.func @phases(%g: tensor<2x4x5xf32>, %w: tensor<3x3x5xf32>) -> tensor<2x8x3xf32> {
  %0 = "stablehlo.convolution"(%g, %w) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, o, i]->[b, 0, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 2>, padding = dense<[[2, 1]]> : tensor<1x2xi64>}> : (tensor<2x4x5xf32>, tensor<3x3x5xf32>) -> tensor<2x8x3xf32>
  "func.return"(%0) : (tensor<2x8x3xf32>) -> ()
}

// -----

// Groups of one feature are multiplied element by element.
// CHECK-LABEL: func.func @depthwise(
// CHECK-NOT: tessera.dot_general
// CHECK-COUNT-2: arith.mulf %{{.*}}, %{{.*}} : tensor<4x2x7x1xf32>
// CHECK: %[[SUM:.*]] = arith.addf %{{.*}}, %{{.*}} : tensor<4x2x7x1xf32>
// CHECK: %[[T:.*]] = tessera.transpose %[[SUM]] permutation = [1, 2, 0, 3]
// CHECK: %[[R:.*]] = tessera.reshape %[[T]] : tensor<2x7x4x1xf32> -> tensor<2x7x4xf32>
// CHECK: return %[[R]]
func.func @depthwise(%x: tensor<2x8x4xf32>, %w: tensor<2x1x4xf32>) -> tensor<2x7x4xf32> {
  %0 = "stablehlo.convolution"(%x, %w) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 4 : i64}> : (tensor<2x8x4xf32>, tensor<2x1x4xf32>) -> tensor<2x7x4xf32>
  "func.return"(%0) : (tensor<2x7x4xf32>) -> ()
}

// -----

// The gradient of a maximum of two: which of them was it?
// CHECK-LABEL: func.func @maximum_gradient(
// CHECK-SAME: %[[X:.*]]: tensor<6xf32>, %[[Y:.*]]: tensor<3xf32>)
// CHECK: %[[SPLIT:.*]] = tessera.reshape %[[X]] : tensor<6xf32> -> tensor<3x2xf32>
// CHECK: %[[S0:.*]] = tessera.slice %[[SPLIT]] [0, 0] to [3, 1]
// CHECK: %[[X0:.*]] = tessera.reshape %[[S0]] : tensor<3x1xf32> -> tensor<3xf32>
// CHECK: %[[ZERO:.*]] = arith.constant dense<0> : tensor<3xi32>
// CHECK: %[[S1:.*]] = tessera.slice {{.*}} [0, 1] to [3, 2]
// CHECK: %[[X1:.*]] = tessera.reshape %[[S1]] : tensor<3x1xf32> -> tensor<3xf32>
// CHECK: %[[C:.*]] = arith.cmpf oge, %[[X0]], %[[X1]]
// CHECK: %[[ONE:.*]] = arith.constant dense<1> : tensor<3xi32>
// CHECK: %[[PLACE:.*]] = arith.select %[[C]], %[[ZERO]], %[[ONE]]
// CHECK: %[[IS0:.*]] = arith.cmpi eq, %[[PLACE]],
// CHECK: %[[Y0:.*]] = arith.select %[[IS0]], %[[Y]],
// CHECK: tessera.pad {{.*}} low = [0, 0] high = [0, 1] {{.*}} -> tensor<3x2xf32>
// CHECK: %[[IS1:.*]] = arith.cmpi eq, %[[PLACE]],
// CHECK: %[[Y1:.*]] = arith.select %[[IS1]], %[[Y]],
// CHECK: tessera.pad {{.*}} low = [0, 1] high = [0, 0] {{.*}} -> tensor<3x2xf32>
// CHECK: %[[R:.*]] = arith.addf
// CHECK: return %[[R]]
func.func @maximum_gradient(%x: tensor<6xf32>, %y: tensor<3xf32>) -> tensor<6xf32> {
  %zero = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %0 = "stablehlo.select_and_scatter"(%x, %y, %zero) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%1) : (tensor<i1>) -> ()
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%1) : (tensor<f32>) -> ()
  }) : (tensor<6xf32>, tensor<3xf32>, tensor<f32>) -> tensor<6xf32>
  "func.return"(%0) : (tensor<6xf32>) -> ()
}

// -----

// A cumulative sum: within blocks of 16, whose sums are summed up and move on by one block; only these cross a split dimension.
// CHECK-LABEL: func.func @cumulative_sum(
// CHECK-SAME: %[[X:.*]]: tensor<64xf32>
// CHECK: %[[BLOCKS:.*]] = tessera.reshape %[[X]] : tensor<64xf32> -> tensor<4x16xf32>
// CHECK-COUNT-4: arith.addf {{.*}} : tensor<4x16xf32>
// CHECK: %[[LAST:.*]] = tessera.slice %{{.*}} [0, 15] to [4, 16] by [1, 1] : tensor<4x16xf32> -> tensor<4x1xf32>
// CHECK: tessera.reshape %[[LAST]] : tensor<4x1xf32> -> tensor<4xf32>
// CHECK-COUNT-2: arith.addf {{.*}} : tensor<4xf32>
// CHECK: %[[BEFORE:.*]] = tessera.pad %{{.*}} with %{{.*}} low = [1] high = [-1] interior = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
// CHECK: %[[ALL:.*]] = tessera.broadcast %[[BEFORE]] dims = [0] : tensor<4xf32> -> tensor<4x16xf32>
// CHECK: %[[SUM:.*]] = arith.addf %{{.*}}, %[[ALL]] : tensor<4x16xf32>
// CHECK: tessera.reshape %[[SUM]] : tensor<4x16xf32> -> tensor<64xf32>
func.func @cumulative_sum(%x: tensor<64xf32>) -> tensor<64xf32> {
  %zero = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %zero) <{base_dilations = array<i64: 1>, padding = dense<[[63, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 64>, window_strides = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%1) : (tensor<f32>) -> ()
  }) : (tensor<64xf32>, tensor<f32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// -----

// The gradient of sums over windows of 2 that lie 3 apart: every element is in two windows of the padded and dilated tensor, and
// every third window holds none. The first window begins one element later.
// CHECK-LABEL: func.func @spread(
// CHECK-SAME: %[[G:.*]]: tensor<4xf32>
// CHECK: %[[TWICE:.*]] = tessera.broadcast %[[G]] dims = [0] : tensor<4xf32> -> tensor<4x2xf32>
// CHECK: %[[GAPS:.*]] = tessera.pad %[[TWICE]] with %{{.*}} low = [0, 0] high = [0, 1] interior = [0, 0] : (tensor<4x2xf32>, tensor<f32>) -> tensor<4x3xf32>
// CHECK: %[[ROW:.*]] = tessera.reshape %[[GAPS]] : tensor<4x3xf32> -> tensor<12xf32>
// CHECK: %[[FROM_SECOND:.*]] = tessera.slice %[[ROW]] [1] to [12] by [1] : tensor<12xf32> -> tensor<11xf32>
// CHECK: return %[[FROM_SECOND]]
func.func @spread(%g: tensor<4xf32>) -> tensor<11xf32> {
  %zero = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %0 = "stablehlo.pad"(%g, %zero) <{edge_padding_low = array<i64: 0>, edge_padding_high = array<i64: 2>, interior_padding = array<i64: 2>}> : (tensor<4xf32>, tensor<f32>) -> tensor<12xf32>
  %1 = "stablehlo.reduce_window"(%0, %zero) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %2 = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%2) : (tensor<f32>) -> ()
  }) : (tensor<12xf32>, tensor<f32>) -> tensor<11xf32>
  return %1 : tensor<11xf32>
}

// -----

// The elements of a small window are folded from the initial values on, in row-major order.
// CHECK-LABEL: func.func @row_major(
// CHECK-SAME: %[[X:.*]]: tensor<2x2xf32>, %[[Y:.*]]: tensor<2x2xf32>
// CHECK: %[[ONE:.*]] = tessera.broadcast
// CHECK: %[[ROW0:.*]] = tessera.slice %[[X]] [0, 0] to [1, 2] by [1, 1]
// CHECK: %[[X00:.*]] = tessera.slice %[[ROW0]] [0, 0] to [1, 1] by [1, 1]
// CHECK: %[[P0:.*]] = arith.mulf %[[ONE]], %[[X00]]
// CHECK: %[[X01:.*]] = tessera.slice %[[ROW0]] [0, 1] to [1, 2] by [1, 1]
// CHECK: %[[P1:.*]] = arith.mulf %[[P0]], %[[X01]]
// CHECK: %[[ROW1:.*]] = tessera.slice %[[X]] [1, 0] to [2, 2] by [1, 1]
// CHECK: %[[X10:.*]] = tessera.slice %[[ROW1]] [0, 0] to [1, 1] by [1, 1]
// CHECK: %[[P2:.*]] = arith.mulf %[[P1]], %[[X10]]
// CHECK: %[[X11:.*]] = tessera.slice %[[ROW1]] [0, 1] to [1, 2] by [1, 1]
// CHECK: %[[P3:.*]] = arith.mulf %[[P2]], %[[X11]]
// CHECK: return %[[P3]], %{{.*}} : tensor<1x1xf32>, tensor<1x1xf32>
func.func @row_major(%x: tensor<2x2xf32>, %y: tensor<2x2xf32>) -> (tensor<1x1xf32>, tensor<1x1xf32>) {
  %one = "stablehlo.constant"() <{value = dense<1.0> : tensor<f32>}> : () -> tensor<f32>
  %zero = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %0:2 = "stablehlo.reduce_window"(%x, %y, %one, %zero) <{window_dimensions = array<i64: 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
    %1 = "stablehlo.multiply"(%a, %c) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %2 = "stablehlo.multiply"(%b, %c) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %3 = "stablehlo.add"(%2, %d) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%1, %3) : (tensor<f32>, tensor<f32>) -> ()
  }) : (tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>, tensor<f32>) -> (tensor<1x1xf32>, tensor<1x1xf32>)
  return %0#0, %0#1 : tensor<1x1xf32>, tensor<1x1xf32>
}

// -----

// CHECK-LABEL: func.func @one_row_major(
// CHECK-SAME: %[[X:.*]]: tensor<2x2xf32>, %[[I:.*]]: tensor<f32>
// CHECK: %[[INIT:.*]] = tessera.broadcast %[[I]]
// CHECK: %[[ROW0:.*]] = tessera.slice %[[X]] [0, 0] to [1, 2] by [1, 1]
// CHECK: %[[X00:.*]] = tessera.slice %[[ROW0]] [0, 0] to [1, 1] by [1, 1]
// CHECK: %[[SINE:.*]] = math.sin %[[INIT]]
// CHECK: %[[S0:.*]] = arith.addf %[[SINE]], %[[X00]]
// CHECK: math.sin %[[S0]]
// CHECK: return %{{.*}} : tensor<1x1xf32>
func.func @one_row_major(%x: tensor<2x2xf32>, %i: tensor<f32>) -> tensor<1x1xf32> {
  %0 = "stablehlo.reduce_window"(%x, %i) <{window_dimensions = array<i64: 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = "stablehlo.sine"(%a) : (tensor<f32>) -> tensor<f32>
    %2 = "stablehlo.add"(%1, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%2) : (tensor<f32>) -> ()
  }) : (tensor<2x2xf32>, tensor<f32>) -> tensor<1x1xf32>
  return %0 : tensor<1x1xf32>
}
