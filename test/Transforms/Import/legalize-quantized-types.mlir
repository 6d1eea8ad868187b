// A quantized tensor is one of integers from import on.
// RUN: tessera-opt --allow-unregistered-dialect --tessera-legalize-short-types -split-input-file %s | FileCheck %s

// What moves elements moves integers, also over the boundary.
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[X:.*]]: tensor<4xi16>) -> tensor<4xi16>
// CHECK-NEXT: %[[R:.*]] = "stablehlo.reverse"(%[[X]]) <{dimensions = array<i64: 0>}> : (tensor<4xi16>) -> tensor<4xi16>
// CHECK-NEXT: return %[[R]] : tensor<4xi16>
func.func @main(%x: tensor<4x!quant.uniform<i16:f32, 0.5>>) -> tensor<4x!quant.uniform<i16:f32, 0.5>> {
  %0 = "stablehlo.reverse"(%x) <{dimensions = array<i64: 0>}> : (tensor<4x!quant.uniform<i16:f32, 0.5>>) -> tensor<4x!quant.uniform<i16:f32, 0.5>>
  "func.return"(%0) : (tensor<4x!quant.uniform<i16:f32, 0.5>>) -> ()
}

// -----

// The next integer, between the ends of the storage type.
// CHECK-LABEL: func.func @quantize
// CHECK: %[[SCALE:.*]] = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<4xf32>}>
// CHECK: %[[PLACE:.*]] = "stablehlo.divide"(%arg0, %[[SCALE]])
// CHECK: %[[NEAREST:.*]] = "stablehlo.round_nearest_even"(%[[PLACE]])
// CHECK: %[[ZERO:.*]] = "stablehlo.constant"() <{value = dense<-3.000000e+00> : tensor<4xf32>}>
// CHECK: %[[MOVED:.*]] = "stablehlo.add"(%[[NEAREST]], %[[ZERO]])
// CHECK: dense<-1.270000e+02>
// CHECK: "stablehlo.maximum"(%[[MOVED]],
// CHECK: dense<1.270000e+02>
// CHECK: "stablehlo.minimum"
// CHECK: "stablehlo.convert"{{.*}} -> tensor<4xi8>
func.func @quantize(%x: tensor<4xf32>) -> tensor<4x!quant.uniform<i8<-127:127>:f32, 0.5:-3>> {
  %0 = "stablehlo.uniform_quantize"(%x) : (tensor<4xf32>) -> tensor<4x!quant.uniform<i8<-127:127>:f32, 0.5:-3>>
  "func.return"(%0) : (tensor<4x!quant.uniform<i8<-127:127>:f32, 0.5:-3>>) -> ()
}

// -----

// A product of integers, less zero points that are not 0.
// CHECK-LABEL: func.func @product
// CHECK: %[[L:.*]] = "stablehlo.convert"(%arg0) : (tensor<2x3xi8>) -> tensor<2x3xi32>
// CHECK: %[[C:.*]] = "stablehlo.subtract"(%[[L]],
// CHECK: %[[R:.*]] = "stablehlo.convert"(%arg1) : (tensor<3x4xi8>) -> tensor<3x4xi32>
// CHECK: "stablehlo.dot_general"(%[[C]], %[[R]]){{.*}} -> tensor<2x4xi32>
// CHECK: dense<2.500000e-01>
func.func @product(%x: tensor<2x3x!quant.uniform<i8:f32, 0.5:7>>, %w: tensor<3x4x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x4x!quant.uniform<i32:f32, 0.25>> {
  %0 = "stablehlo.dot_general"(%x, %w) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x3x!quant.uniform<i8:f32, 0.5:7>>, tensor<3x4x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x4x!quant.uniform<i32:f32, 0.25>>
  "func.return"(%0) : (tensor<2x4x!quant.uniform<i32:f32, 0.25>>) -> ()
}
