// RUN: tessera-opt %s --tessera-convert-stablehlo --split-input-file | FileCheck %s

// Numbers take the floating-point operations of arith and math.
// CHECK-LABEL: func.func @numbers(
// CHECK-SAME: %[[A:.*]]: tensor<4xf32>, %[[B:.*]]: tensor<4xf32>)
func.func @numbers(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  // CHECK-NEXT: arith.addf %[[A]], %[[B]] : tensor<4xf32>
  %0 = "stablehlo.add"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // CHECK-NEXT: arith.subf %[[A]], %[[B]]
  %1 = "stablehlo.subtract"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // CHECK-NEXT: arith.mulf
  %2 = "stablehlo.multiply"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // CHECK-NEXT: arith.divf
  %3 = "stablehlo.divide"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // CHECK-NEXT: arith.remf
  %4 = "stablehlo.remainder"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // CHECK-NEXT: arith.maximumf
  %5 = "stablehlo.maximum"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // CHECK-NEXT: arith.minimumf
  %6 = "stablehlo.minimum"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // CHECK-NEXT: math.powf
  %7 = "stablehlo.power"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // CHECK-NEXT: math.atan2
  %8 = "stablehlo.atan2"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // CHECK-NEXT: math.absf
  %9 = "stablehlo.abs"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK-NEXT: arith.negf
  %10 = "stablehlo.negate"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK-NEXT: math.cbrt
  %11 = "stablehlo.cbrt"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK-NEXT: math.ceil
  %12 = "stablehlo.ceil"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK-NEXT: math.cos
  %13 = "stablehlo.cosine"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK-NEXT: math.exp %
  %14 = "stablehlo.exponential"(%a) <{result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<DEFAULT>>}> : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK-NEXT: math.expm1
  %15 = "stablehlo.exponential_minus_one"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK-NEXT: math.floor
  %16 = "stablehlo.floor"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK-NEXT: math.log %
  %17 = "stablehlo.log"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK-NEXT: math.log1p
  %18 = "stablehlo.log_plus_one"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK-NEXT: math.round %
  %19 = "stablehlo.round_nearest_afz"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK-NEXT: math.roundeven
  %20 = "stablehlo.round_nearest_even"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK-NEXT: math.rsqrt
  %21 = "stablehlo.rsqrt"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK-NEXT: math.sin
  %22 = "stablehlo.sine"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK-NEXT: math.sqrt
  %23 = "stablehlo.sqrt"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK-NEXT: math.tan %
  %24 = "stablehlo.tan"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK-NEXT: math.tanh
  %25 = "stablehlo.tanh"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK-NEXT: math.erf %
  %26 = "chlo.erf"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK-NEXT: math.erfc
  %27 = "chlo.erfc"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK-NEXT: arith.mulf %[[A]], %[[A]]
  %28 = "chlo.square"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK-NEXT: return
  "func.return"() : () -> ()
}

// -----

// Sign keeps zeros and NaN, logistic is 1 / (1 + exp(-x)), is_finite compares with infinity.
// CHECK-LABEL: func.func @composed(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>)
func.func @composed(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xi1>) {
  // CHECK: %[[ZERO:.*]] = arith.constant dense<0.000000e+00>
  // CHECK: %[[KEEP:.*]] = arith.cmpf ueq, %[[X]], %[[ZERO]]
  // CHECK: %[[UNIT:.*]] = math.copysign %{{.*}}, %[[X]]
  // CHECK: %[[SIGN:.*]] = arith.select %[[KEEP]], %[[X]], %[[UNIT]]
  %0 = "stablehlo.sign"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: %[[ONE:.*]] = arith.constant dense<1.000000e+00>
  // CHECK: %[[MINUS:.*]] = arith.negf %[[X]]
  // CHECK: %[[EXP:.*]] = math.exp %[[MINUS]]
  // CHECK: %[[SUM:.*]] = arith.addf %[[EXP]], %[[ONE]]
  // CHECK: %[[LOGISTIC:.*]] = arith.divf %[[ONE]], %[[SUM]]
  %1 = "stablehlo.logistic"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: %[[INFINITY:.*]] = arith.constant dense<0x7F800000>
  // CHECK: %[[ABS:.*]] = math.absf %[[X]]
  // CHECK: %[[FINITE:.*]] = arith.cmpf olt, %[[ABS]], %[[INFINITY]]
  %2 = "stablehlo.is_finite"(%x) : (tensor<4xf32>) -> tensor<4xi1>
  // CHECK: return %[[SIGN]], %[[LOGISTIC]], %[[FINITE]]
  "func.return"(%0, %1, %2) : (tensor<4xf32>, tensor<4xf32>, tensor<4xi1>) -> ()
}

// -----

// The type says whether integers are signed; what it was before the import counts.
// CHECK-LABEL: func.func @signedness(
// CHECK-SAME: %[[I:.*]]: tensor<4xi32>, %[[U:.*]]: tensor<4xi32>)
func.func @signedness(%i: tensor<4xi32>, %u: tensor<4xui32>) {
  // CHECK: arith.maxsi %[[I]], %[[I]]
  %0 = "stablehlo.maximum"(%i, %i) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  // CHECK: arith.maxui %[[U]], %[[U]]
  %1 = "stablehlo.maximum"(%u, %u) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
  // CHECK: arith.minsi %[[I]], %[[I]]
  %2 = "stablehlo.minimum"(%i, %i) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  // CHECK: arith.minui %[[U]], %[[U]]
  %3 = "stablehlo.minimum"(%u, %u) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
  // CHECK: math.absi %[[I]]
  %4 = "stablehlo.abs"(%i) : (tensor<4xi32>) -> tensor<4xi32>
  // CHECK: math.ipowi %[[I]], %[[I]]
  %5 = "stablehlo.power"(%i, %i) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  // The sign of a signed integer is between -1 and 1, that of an unsigned one at most 1.
  // CHECK: %[[LOW:.*]] = arith.minsi %[[I]]
  // CHECK: arith.maxsi %[[LOW]]
  %6 = "stablehlo.sign"(%i) : (tensor<4xi32>) -> tensor<4xi32>
  // CHECK: arith.minui %[[U]]
  %7 = "stablehlo.sign"(%u) : (tensor<4xui32>) -> tensor<4xui32>
  // CHECK: math.ctpop %[[U]]
  %8 = "stablehlo.popcnt"(%u) : (tensor<4xui32>) -> tensor<4xui32>
  // CHECK: math.ctlz %[[U]]
  %9 = "stablehlo.count_leading_zeros"(%u) : (tensor<4xui32>) -> tensor<4xui32>
  "func.return"() : () -> ()
}

// -----

// Of truth values, addition and maximum are "or", multiplication and minimum "and".
// CHECK-LABEL: func.func @truth_values(
// CHECK-SAME: %[[A:.*]]: tensor<4xi1>, %[[B:.*]]: tensor<4xi1>)
func.func @truth_values(%a: tensor<4xi1>, %b: tensor<4xi1>) {
  // CHECK-NEXT: arith.ori %[[A]], %[[B]]
  %0 = "stablehlo.add"(%a, %b) : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  // CHECK-NEXT: arith.andi %[[A]], %[[B]]
  %1 = "stablehlo.multiply"(%a, %b) : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  // CHECK-NEXT: arith.ori %[[A]], %[[B]]
  %2 = "stablehlo.maximum"(%a, %b) : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  // CHECK-NEXT: arith.andi %[[A]], %[[B]]
  %3 = "stablehlo.minimum"(%a, %b) : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  // CHECK-NEXT: arith.xori %[[A]], %[[B]]
  %4 = "stablehlo.xor"(%a, %b) : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  // CHECK-NEXT: %[[TRUE:.*]] = arith.constant dense<true>
  // CHECK-NEXT: arith.xori %[[A]], %[[TRUE]]
  %5 = "stablehlo.not"(%a) : (tensor<4xi1>) -> tensor<4xi1>
  "func.return"() : () -> ()
}

// -----

// A division that could trap divides by one instead, and takes XLA's results: -1 and the dividend by zero.
// CHECK-LABEL: func.func @division(
// CHECK-SAME: %[[A:.*]]: tensor<4xi32>, %[[B:.*]]: tensor<4xi32>, %[[U:.*]]: tensor<4xi32>)
func.func @division(%a: tensor<4xi32>, %b: tensor<4xi32>, %u: tensor<4xui32>) -> (tensor<4xi32>, tensor<4xui32>) {
  // CHECK: %[[ZERO:.*]] = arith.constant dense<0>
  // CHECK: %[[ISZERO:.*]] = arith.cmpi eq, %[[B]], %[[ZERO]]
  // CHECK: %[[LEAST:.*]] = arith.constant dense<-2147483648>
  // CHECK: %[[MINUSONE:.*]] = arith.constant dense<-1>
  // CHECK-DAG: %[[ISLEAST:.*]] = arith.cmpi eq, %[[A]], %[[LEAST]]
  // CHECK-DAG: %[[ISMINUSONE:.*]] = arith.cmpi eq, %[[B]], %[[MINUSONE]]
  // CHECK: %[[OVERFLOWS:.*]] = arith.andi %{{.*}}, %{{.*}}
  // CHECK: %[[UNSAFE:.*]] = arith.ori %[[ISZERO]], %[[OVERFLOWS]]
  // CHECK: %[[SAFE:.*]] = arith.select %[[UNSAFE]], %{{.*}}, %[[B]]
  // CHECK: %[[QUOTIENT:.*]] = arith.divsi %[[A]], %[[SAFE]]
  // CHECK: %[[ALLONES:.*]] = arith.constant dense<-1>
  // CHECK: %[[DIVIDED:.*]] = arith.select %[[ISZERO]], %[[ALLONES]], %[[QUOTIENT]]
  %0 = "stablehlo.divide"(%a, %b) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  // CHECK: %[[UZERO:.*]] = arith.cmpi eq, %[[U]]
  // CHECK: %[[USAFE:.*]] = arith.select %[[UZERO]], %{{.*}}, %[[U]]
  // CHECK: %[[UREST:.*]] = arith.remui %[[U]], %[[USAFE]]
  // CHECK: %[[REST:.*]] = arith.select %[[UZERO]], %[[U]], %[[UREST]]
  %1 = "stablehlo.remainder"(%u, %u) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
  // CHECK: return %[[DIVIDED]], %[[REST]]
  "func.return"(%0, %1) : (tensor<4xi32>, tensor<4xui32>) -> ()
}

// -----

// A constant divisor other than 0 and -1 needs no care, nor does a constant shift by less than the width.
// CHECK-LABEL: func.func @constant_operands(
// CHECK-SAME: %[[A:.*]]: tensor<4xi32>)
func.func @constant_operands(%a: tensor<4xi32>) {
  %three = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
  // CHECK: %[[C:.*]] = tessera.broadcast
  %c = "stablehlo.broadcast_in_dim"(%three) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4xi32>
  // CHECK-NEXT: arith.remsi %[[A]], %[[C]]
  %0 = "stablehlo.remainder"(%a, %c) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  // CHECK-NEXT: arith.shli %[[A]], %[[C]]
  %1 = "stablehlo.shift_left"(%a, %c) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  // CHECK-NEXT: arith.shrui %[[A]], %[[C]]
  %2 = "stablehlo.shift_right_logical"(%a, %c) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  // CHECK-NEXT: arith.shrsi %[[A]], %[[C]]
  %3 = "stablehlo.shift_right_arithmetic"(%a, %c) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  // CHECK-NEXT: return
  "func.return"() : () -> ()
}

// -----

// Shifts by the width or more give 0, or the sign.
// CHECK-LABEL: func.func @shifts(
// CHECK-SAME: %[[A:.*]]: tensor<4xi32>, %[[B:.*]]: tensor<4xi32>)
func.func @shifts(%a: tensor<4xi32>, %b: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
  // CHECK: %[[SHIFTED:.*]] = arith.shli %[[A]], %[[B]]
  // CHECK: %[[WIDTH:.*]] = arith.constant dense<32>
  // CHECK: %[[INSIDE:.*]] = arith.cmpi ult, %[[B]], %[[WIDTH]]
  // CHECK: %[[ZERO:.*]] = arith.constant dense<0>
  // CHECK: %[[LEFT:.*]] = arith.select %[[INSIDE]], %[[SHIFTED]], %[[ZERO]]
  %0 = "stablehlo.shift_left"(%a, %b) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  // CHECK: %[[MOST:.*]] = arith.constant dense<31>
  // CHECK: %[[BY:.*]] = arith.minui %[[B]], %[[MOST]]
  // CHECK: %[[RIGHT:.*]] = arith.shrsi %[[A]], %[[BY]]
  %1 = "stablehlo.shift_right_arithmetic"(%a, %b) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  // CHECK: return %[[LEFT]], %[[RIGHT]]
  "func.return"(%0, %1) : (tensor<4xi32>, tensor<4xi32>) -> ()
}

// -----

// A scalar condition and scalar bounds are repeated.
// CHECK-LABEL: func.func @select_and_clamp(
// CHECK-SAME: %[[P:.*]]: tensor<i1>, %[[A:.*]]: tensor<4xf32>, %[[B:.*]]: tensor<4xf32>, %[[LOW:.*]]: tensor<f32>, %[[HIGH:.*]]: tensor<f32>)
func.func @select_and_clamp(%p: tensor<i1>, %a: tensor<4xf32>, %b: tensor<4xf32>, %low: tensor<f32>, %high: tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>) {
  // CHECK: %[[PS:.*]] = tessera.broadcast %[[P]] dims = [] : tensor<i1> -> tensor<4xi1>
  // CHECK: %[[SELECT:.*]] = arith.select %[[PS]], %[[A]], %[[B]]
  %0 = "stablehlo.select"(%p, %a, %b) : (tensor<i1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // CHECK: %[[LOWS:.*]] = tessera.broadcast %[[LOW]]
  // CHECK: %[[HIGHS:.*]] = tessera.broadcast %[[HIGH]]
  // CHECK: %[[AT_LEAST:.*]] = arith.maximumf %[[LOWS]], %[[A]]
  // CHECK: %[[CLAMP:.*]] = arith.minimumf %[[AT_LEAST]], %[[HIGHS]]
  %1 = "stablehlo.clamp"(%low, %a, %high) : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  // CHECK: return %[[SELECT]], %[[CLAMP]]
  "func.return"(%0, %1) : (tensor<4xf32>, tensor<4xf32>) -> ()
}
