// RUN: tessera-opt %s --tessera-convert-stablehlo --split-input-file | FileCheck %s

// Comparisons with NaN are false, but "not equal" is true; integers compare as their type says.
// CHECK-LABEL: func.func @comparisons(
// CHECK-SAME: %[[F:.*]]: tensor<4xf32>, %[[I:.*]]: tensor<4xi32>, %[[U:.*]]: tensor<4xi32>, %[[B:.*]]: tensor<4xi1>)
func.func @comparisons(%f: tensor<4xf32>, %i: tensor<4xi32>, %u: tensor<4xui32>, %b: tensor<4xi1>) {
  // CHECK-NEXT: arith.cmpf oeq, %[[F]], %[[F]]
  %0 = "stablehlo.compare"(%f, %f) <{comparison_direction = #stablehlo<comparison_direction EQ>, compare_type = #stablehlo<comparison_type FLOAT>}> : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  // CHECK-NEXT: arith.cmpf une, %[[F]], %[[F]]
  %1 = "stablehlo.compare"(%f, %f) <{comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  // CHECK-NEXT: arith.cmpf oge
  %2 = "stablehlo.compare"(%f, %f) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  // CHECK-NEXT: arith.cmpi slt, %[[I]], %[[I]]
  %3 = "stablehlo.compare"(%i, %i) <{comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type SIGNED>}> : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  // CHECK-NEXT: arith.cmpi ult, %[[U]], %[[U]]
  %4 = "stablehlo.compare"(%u, %u) <{comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type UNSIGNED>}> : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xi1>
  // CHECK-NEXT: arith.cmpi ugt, %[[B]], %[[B]]
  %5 = "stablehlo.compare"(%b, %b) <{comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  "func.return"() : () -> ()
}

// -----

// The total order of IEEE 754 is that of the bits as signed integers, with those of the magnitude inverted below zero.
// CHECK-LABEL: func.func @total_order(
// CHECK-SAME: %[[F:.*]]: tensor<4xf32>)
// CHECK: %[[BITS:.*]] = arith.bitcast %[[F]] : tensor<4xf32> to tensor<4xi32>
// CHECK: %[[SIGN:.*]] = arith.shrsi %[[BITS]]
// CHECK: %[[MASK:.*]] = arith.andi %[[SIGN]]
// CHECK: %[[KEY:.*]] = arith.xori %[[BITS]], %[[MASK]]
// CHECK: arith.cmpi slt, %[[KEY]]
func.func @total_order(%f: tensor<4xf32>) -> tensor<4xi1> {
  %0 = "stablehlo.compare"(%f, %f) <{comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type TOTALORDER>}> : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  "func.return"(%0) : (tensor<4xi1>) -> ()
}

// -----

// CHECK-LABEL: func.func @between_numbers(
func.func @between_numbers(%f: tensor<4xf32>, %h: tensor<4xf16>) {
  // CHECK-NEXT: arith.truncf %{{.*}} : tensor<4xf32> to tensor<4xbf16>
  %0 = "stablehlo.convert"(%f) : (tensor<4xf32>) -> tensor<4xbf16>
  // CHECK-NEXT: arith.extf %{{.*}} : tensor<4xf32> to tensor<4xf64>
  %1 = "stablehlo.convert"(%f) : (tensor<4xf32>) -> tensor<4xf64>
  // CHECK-NEXT: %[[WIDE:.*]] = arith.extf %{{.*}} : tensor<4xf16> to tensor<4xf32>
  // CHECK-NEXT: arith.truncf %[[WIDE]] : tensor<4xf32> to tensor<4xbf16>
  %2 = "stablehlo.convert"(%h) : (tensor<4xf16>) -> tensor<4xbf16>
  // CHECK-NEXT: %[[ROUNDED:.*]] = arith.truncf %{{.*}} : tensor<4xf32> to tensor<4xbf16>
  // CHECK-NEXT: arith.extf %[[ROUNDED]] : tensor<4xbf16> to tensor<4xf32>
  %3 = "stablehlo.reduce_precision"(%f) <{exponent_bits = 8 : i32, mantissa_bits = 7 : i32}> : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK-NEXT: return
  "func.return"() : () -> ()
}

// -----

// CHECK-LABEL: func.func @integers(
func.func @integers(%i: tensor<4xi32>, %u: tensor<4xui32>, %b: tensor<4xi1>) {
  // CHECK-NEXT: arith.extsi %{{.*}} : tensor<4xi32> to tensor<4xi64>
  %0 = "stablehlo.convert"(%i) : (tensor<4xi32>) -> tensor<4xui64>
  // CHECK-NEXT: arith.extui %{{.*}} : tensor<4xi32> to tensor<4xi64>
  %1 = "stablehlo.convert"(%u) : (tensor<4xui32>) -> tensor<4xi64>
  // CHECK-NEXT: arith.trunci %{{.*}} : tensor<4xi32> to tensor<4xi8>
  %2 = "stablehlo.convert"(%i) : (tensor<4xi32>) -> tensor<4xui8>
  // CHECK-NEXT: arith.sitofp
  %3 = "stablehlo.convert"(%i) : (tensor<4xi32>) -> tensor<4xf32>
  // CHECK-NEXT: arith.uitofp
  %4 = "stablehlo.convert"(%u) : (tensor<4xui32>) -> tensor<4xf32>
  // CHECK-NEXT: arith.uitofp
  %5 = "stablehlo.convert"(%b) : (tensor<4xi1>) -> tensor<4xf32>
  // CHECK-NEXT: arith.extui
  %6 = "stablehlo.convert"(%b) : (tensor<4xi1>) -> tensor<4xi32>
  // CHECK-NEXT: %[[ZERO:.*]] = arith.constant dense<0>
  // CHECK-NEXT: arith.cmpi ne, %{{.*}}, %[[ZERO]]
  %7 = "stablehlo.convert"(%i) : (tensor<4xi32>) -> tensor<4xi1>
  // One signedness for the other is nothing.
  // CHECK-NEXT: return
  %8 = "stablehlo.convert"(%i) : (tensor<4xi32>) -> tensor<4xui32>
  %9 = "stablehlo.bitcast_convert"(%u) : (tensor<4xui32>) -> tensor<4xi32>
  "func.return"() : () -> ()
}

// -----

// What does not fit becomes the nearest integer that does, NaN becomes zero.
// CHECK-LABEL: func.func @saturation(
// CHECK-SAME: %[[F:.*]]: tensor<4xf32>)
func.func @saturation(%f: tensor<4xf32>) -> (tensor<4xi32>, tensor<4xui8>) {
  // CHECK: %[[S0:.*]] = arith.fptosi %[[F]] : tensor<4xf32> to tensor<4xi32>
  // CHECK: %[[END:.*]] = arith.constant dense<2.14748365E+9>
  // CHECK: %[[ABOVE:.*]] = arith.cmpf oge, %[[F]], %[[END]]
  // CHECK: %[[MOST:.*]] = arith.constant dense<2147483647>
  // CHECK: %[[S1:.*]] = arith.select %[[ABOVE]], %[[MOST]], %[[S0]]
  // CHECK: %[[BELOW:.*]] = arith.cmpf olt, %[[F]]
  // CHECK: %[[LEAST:.*]] = arith.constant dense<-2147483648>
  // CHECK: %[[S2:.*]] = arith.select %[[BELOW]], %[[LEAST]], %[[S1]]
  // CHECK: %[[NAN:.*]] = arith.cmpf uno, %[[F]], %[[F]]
  // CHECK: %[[S3:.*]] = arith.select %[[NAN]], %{{.*}}, %[[S2]]
  %0 = "stablehlo.convert"(%f) : (tensor<4xf32>) -> tensor<4xi32>
  // CHECK: %[[U0:.*]] = arith.fptoui %[[F]] : tensor<4xf32> to tensor<4xi8>
  // CHECK: %[[UABOVE:.*]] = arith.cmpf oge, %[[F]]
  // CHECK: %[[U1:.*]] = arith.select %[[UABOVE]], %{{.*}}, %[[U0]]
  // CHECK: %[[UBELOW:.*]] = arith.cmpf ule, %[[F]]
  // CHECK: %[[U2:.*]] = arith.select %[[UBELOW]], %{{.*}}, %[[U1]]
  %1 = "stablehlo.convert"(%f) : (tensor<4xf32>) -> tensor<4xui8>
  // CHECK: return %[[S3]], %[[U2]]
  "func.return"(%0, %1) : (tensor<4xi32>, tensor<4xui8>) -> ()
}
