// RUN: tessera-opt --tessera-compose-moves --split-input-file %s | FileCheck %s

tessera.mesh @mesh = <["x"=4]>

// Slices of a padded field are shifts of the field: no tensor of 18 elements remains.
// CHECK-LABEL: func.func @stencil(
// CHECK-SAME: %[[A:.*]]: tensor<16xf32>
// CHECK-NOT: tensor<18xf32>
func.func @stencil(%a: tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) {
  // CHECK-DAG: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<f32>
  %zero = arith.constant dense<0.0> : tensor<f32>
  %padded = tessera.pad %a with %zero low = [1] high = [1] interior = [0] : (tensor<16xf32>, tensor<f32>) -> tensor<18xf32>
  // CHECK-DAG: %[[LEFT:.*]] = tessera.pad %[[A]] with %[[ZERO]] low = [1] high = [-1] interior = [0]
  %left = tessera.slice %padded [0] to [16] by [1] : tensor<18xf32> -> tensor<16xf32>
  %middle = tessera.slice %padded [1] to [17] by [1] : tensor<18xf32> -> tensor<16xf32>
  // CHECK-DAG: %[[RIGHT:.*]] = tessera.pad %[[A]] with %[[ZERO]] low = [-1] high = [1] interior = [0]
  %right = tessera.slice %padded [2] to [18] by [1] : tensor<18xf32> -> tensor<16xf32>
  // CHECK: return %[[LEFT]], %[[A]], %[[RIGHT]]
  return %left, %middle, %right : tensor<16xf32>, tensor<16xf32>, tensor<16xf32>
}

// -----

tessera.mesh @mesh = <["x"=4]>

// The gradient of a stencil: what is cropped is a sum of padded tensors.
// CHECK-LABEL: func.func @cropped_sum(
// CHECK-NOT: tensor<18xf32>
func.func @cropped_sum(%a: tensor<16xf32>, %b: tensor<16xf32>) -> tensor<16xf32> {
  %zero = arith.constant dense<0.0> : tensor<f32>
  %0 = tessera.pad %a with %zero low = [0] high = [2] interior = [0] : (tensor<16xf32>, tensor<f32>) -> tensor<18xf32>
  %1 = tessera.pad %b with %zero low = [2] high = [0] interior = [0] : (tensor<16xf32>, tensor<f32>) -> tensor<18xf32>
  // CHECK: %[[A:.*]] = tessera.pad %arg0 with %{{.*}} low = [-1] high = [1] interior = [0]
  // CHECK: %[[B:.*]] = tessera.pad %arg1 with %{{.*}} low = [1] high = [-1] interior = [0]
  // CHECK: %[[SUM:.*]] = arith.addf %[[A]], %[[B]] : tensor<16xf32>
  // CHECK: return %[[SUM]]
  %2 = arith.addf %0, %1 : tensor<18xf32>
  // A crop is written as a pad when it comes from a gradient.
  %3 = tessera.pad %2 with %zero low = [-1] high = [-1] interior = [0] : (tensor<18xf32>, tensor<f32>) -> tensor<16xf32>
  return %3 : tensor<16xf32>
}

// -----

tessera.mesh @mesh = <["x"=4]>

// A field with its other end on either side: its windows are rotations, or the field itself.
// CHECK-LABEL: func.func @torus(
// CHECK-SAME: %[[A:.*]]: tensor<16xf32>
func.func @torus(%a: tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>) {
  // CHECK-NOT: tessera.concatenate
  %end = tessera.slice %a [15] to [16] by [1] : tensor<16xf32> -> tensor<1xf32>
  %beginning = tessera.slice %a [0] to [1] by [1] : tensor<16xf32> -> tensor<1xf32>
  %0 = tessera.concatenate %end, %a, %beginning dim = 0 : (tensor<1xf32>, tensor<16xf32>, tensor<1xf32>) -> tensor<18xf32>
  // CHECK: %[[ROTATED:.*]] = arith.select
  %left = tessera.slice %0 [0] to [16] by [1] : tensor<18xf32> -> tensor<16xf32>
  %middle = tessera.slice %0 [1] to [17] by [1] : tensor<18xf32> -> tensor<16xf32>
  // CHECK: return %[[ROTATED]], %[[A]]
  return %left, %middle : tensor<16xf32>, tensor<16xf32>
}

// -----

tessera.mesh @mesh = <["x"=4]>

// The end, then the beginning: both pieces move by one, round the ends or not.
// CHECK-LABEL: func.func @rotation(
// CHECK-SAME: %[[A:.*]]: tensor<16x4xf32>
func.func @rotation(%a: tensor<16x4xf32>) -> tensor<16x4xf32> {
  %0 = tessera.slice %a [15, 0] to [16, 4] by [1, 1] : tensor<16x4xf32> -> tensor<1x4xf32>
  %1 = tessera.slice %a [0, 0] to [15, 4] by [1, 1] : tensor<16x4xf32> -> tensor<15x4xf32>
  // CHECK: %[[BEGINNING:.*]] = tessera.pad %[[A]] with %{{.*}} low = [1, 0] high = [-1, 0]
  // CHECK: %[[PLACES:.*]] = tessera.iota dim = 0 : tensor<16x4xi32>
  // CHECK: %[[FIRST:.*]] = arith.cmpi slt, %[[PLACES]], %{{.*}} : tensor<16x4xi32>
  // CHECK: %[[END:.*]] = tessera.pad %[[A]] with %{{.*}} low = [-15, 0] high = [15, 0]
  // CHECK: arith.select %[[FIRST]], %[[END]], %[[BEGINNING]]
  %2 = tessera.concatenate %0, %1 dim = 0 : (tensor<1x4xf32>, tensor<15x4xf32>) -> tensor<16x4xf32>
  return %2 : tensor<16x4xf32>
}

// -----

tessera.mesh @mesh = <["x"=4]>

// A field whose edges are repeated: windows of it are the field where the edge is repeated, and shifts of it by one elsewhere.
// CHECK-LABEL: func.func @edges(
// CHECK-SAME: %[[A:.*]]: tensor<16xf32>
// CHECK-NOT: tensor<18xf32>
func.func @edges(%a: tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) {
  %first = tessera.slice %a [0] to [1] by [1] : tensor<16xf32> -> tensor<1xf32>
  %last = tessera.slice %a [15] to [16] by [1] : tensor<16xf32> -> tensor<1xf32>
  %padded = tessera.concatenate %first, %a, %last dim = 0 : (tensor<1xf32>, tensor<16xf32>, tensor<1xf32>) -> tensor<18xf32>
  // CHECK: %[[DOWN:.*]] = tessera.pad %[[A]] with %{{.*}} low = [1] high = [-1]
  // CHECK: %[[LEFT:.*]] = arith.select %{{.*}}, %[[A]], %[[DOWN]]
  %left = tessera.slice %padded [0] to [16] by [1] : tensor<18xf32> -> tensor<16xf32>
  %middle = tessera.slice %padded [1] to [17] by [1] : tensor<18xf32> -> tensor<16xf32>
  // CHECK: %[[UP:.*]] = tessera.pad %[[A]] with %{{.*}} low = [-1] high = [1]
  // CHECK: %[[RIGHT:.*]] = arith.select %{{.*}}, %[[UP]], %[[A]]
  %right = tessera.slice %padded [2] to [18] by [1] : tensor<18xf32> -> tensor<16xf32>
  // CHECK: return %[[LEFT]], %[[A]], %[[RIGHT]]
  return %left, %middle, %right : tensor<16xf32>, tensor<16xf32>, tensor<16xf32>
}

// -----

tessera.mesh @mesh = <["x"=4]>

// A strided window moves first, and then takes one of every two.
// CHECK-LABEL: func.func @strided(
func.func @strided(%a: tensor<16xf32>) -> (tensor<8xf32>, tensor<16xf32>) {
  %zero = arith.constant dense<0.0> : tensor<f32>
  %padded = tessera.pad %a with %zero low = [1] high = [1] interior = [0] : (tensor<16xf32>, tensor<f32>) -> tensor<18xf32>
  // CHECK: %[[MOVED:.*]] = tessera.pad %arg0 with %{{.*}} low = [-1] high = [1] interior = [0]
  // CHECK: %[[TAKEN:.*]] = tessera.slice %[[MOVED]] [0] to [16] by [2] : tensor<16xf32> -> tensor<8xf32>
  %0 = tessera.slice %padded [2] to [18] by [2] : tensor<18xf32> -> tensor<8xf32>
  // CHECK: %[[SPREAD:.*]] = tessera.pad %[[TAKEN]] with %{{.*}} low = [0] high = [1] interior = [1] : (tensor<8xf32>, tensor<f32>) -> tensor<16xf32>
  // CHECK: tessera.pad %[[SPREAD]] with %{{.*}} low = [2] high = [-2] interior = [0]
  %1 = tessera.pad %0 with %zero low = [2] high = [-1] interior = [1] : (tensor<8xf32>, tensor<f32>) -> tensor<16xf32>
  return %0, %1 : tensor<8xf32>, tensor<16xf32>
}

// -----

tessera.mesh @mesh = <["x"=4]>

// An update of all but the borders, as `u.at[1:-1].set(v)`.
// CHECK-LABEL: func.func @interior(
func.func @interior(%a: tensor<16xf32>) -> tensor<16xf32> {
  %0 = tessera.slice %a [2] to [16] by [1] : tensor<16xf32> -> tensor<14xf32>
  %one = arith.constant dense<1> : tensor<i32>
  %place = tessera.broadcast %one dims = [] : tensor<i32> -> tensor<1xi32>
  // CHECK: %[[INSIDE:.*]] = arith.andi
  // CHECK: %[[MOVED:.*]] = tessera.pad %{{.*}} with %{{.*}} low = [1] high = [1] interior = [0] : (tensor<14xf32>, tensor<f32>) -> tensor<16xf32>
  // CHECK: arith.select %[[INSIDE]], %[[MOVED]], %arg0
  %1 = tessera.scatter %a, %0 at %place window = [0] inserted = [] batching = [] x [] map = [0] vector = 0
      : (tensor<16xf32>, tensor<1xi32>, tensor<14xf32>) -> tensor<16xf32>
  return %1 : tensor<16xf32>
}

// -----

tessera.mesh @mesh = <["x"=4]>

// What has been removed does not come back.
// CHECK-LABEL: func.func @cut_off(
func.func @cut_off(%a: tensor<16xf32>) -> tensor<16xf32> {
  %zero = arith.constant dense<0.0> : tensor<f32>
  // CHECK: %[[CUT:.*]] = tessera.slice %arg0 [1] to [16] by [1]
  %0 = tessera.slice %a [1] to [16] by [1] : tensor<16xf32> -> tensor<15xf32>
  // CHECK: tessera.pad %[[CUT]] with %{{.*}} low = [1] high = [0] interior = [0]
  %1 = tessera.pad %0 with %zero low = [1] high = [0] interior = [0] : (tensor<15xf32>, tensor<f32>) -> tensor<16xf32>
  return %1 : tensor<16xf32>
}

// -----

tessera.mesh @mesh = <["x"=4]>

// A tensor and its transpose are padded once, before the transpose.
// CHECK-LABEL: func.func @pad_before_transposing(
func.func @pad_before_transposing(%a: tensor<16x3xf32>) -> tensor<3x17xf32> {
  %zero = arith.constant dense<0.0> : tensor<f32>
  // CHECK: %[[PADDED:.*]] = tessera.pad %arg0 with %{{.*}} low = [1, 0] high = [0, 0] interior = [0, 0]
  // CHECK-NEXT: tessera.transpose %[[PADDED]] permutation = [1, 0] : tensor<17x3xf32> -> tensor<3x17xf32>
  %0 = tessera.transpose %a permutation = [1, 0] : tensor<16x3xf32> -> tensor<3x16xf32>
  %1 = tessera.pad %0 with %zero low = [0, 1] high = [0, 0] interior = [0, 0] : (tensor<3x16xf32>, tensor<f32>) -> tensor<3x17xf32>
  return %1 : tensor<3x17xf32>
}
