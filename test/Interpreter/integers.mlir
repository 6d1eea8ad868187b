// Integers wrap around, are signed or not as the operation says, and an i1 of 1 is -1 when signed.
// RUN: tessera-interpret %s | FileCheck %s

func.func @main() -> (tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>,
    tensor<2xi32> {tessera.unsigned}, tensor<2xi32>, tensor<2xi1>, tensor<2xi1>, tensor<2xi1>, tensor<2xi1>,
    tensor<3xi32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>, tensor<2xi64>) {
  %a = arith.constant dense<[100, -128, 7]> : tensor<3xi8>
  %b = arith.constant dense<[100, -1, 3]> : tensor<3xi8>
  // CHECK: result0: i8[3] = [-56, 127, 10]
  %add = arith.addi %a, %b : tensor<3xi8>
  // CHECK: result1: i8[3] = [0, -127, 4]
  %sub = arith.subi %a, %b : tensor<3xi8>
  // CHECK: result2: i8[3] = [16, -128, 21]
  %mul = arith.muli %a, %b : tensor<3xi8>

  %c = arith.constant dense<[-7, 7, 9]> : tensor<3xi32>
  %d = arith.constant dense<[2, -2, 4]> : tensor<3xi32>
  // CHECK: result3: i32[3] = [-3, -3, 2]
  %div = arith.divsi %c, %d : tensor<3xi32>
  // CHECK: result4: i32[3] = [-1, 1, 1]
  %rem = arith.remsi %c, %d : tensor<3xi32>
  // CHECK: result5: i32[3] = [-4, -4, 2]
  %floor = arith.floordivsi %c, %d : tensor<3xi32>
  // CHECK: result6: i32[3] = [-3, -3, 3]
  %ceil = arith.ceildivsi %c, %d : tensor<3xi32>

  %e = arith.constant dense<[-1, 6]> : tensor<2xi32>
  %f = arith.constant dense<[2, 4]> : tensor<2xi32>
  // CHECK: result7: u32[2] = [2147483647, 1]
  %udiv = arith.divui %e, %f : tensor<2xi32>
  // CHECK: result8: i32[2] = [-1, 6]
  %umax = arith.maxui %e, %f : tensor<2xi32>
  // CHECK: result9: i1[2] = [true, false]
  %slt = arith.cmpi slt, %e, %f : tensor<2xi32>
  // CHECK: result10: i1[2] = [false, false]
  %ult = arith.cmpi ult, %e, %f : tensor<2xi32>
  %g = arith.constant dense<[true, false]> : tensor<2xi1>
  %h = arith.constant dense<[true, true]> : tensor<2xi1>
  // CHECK: result11: i1[2] = [false, true]
  %xor = arith.addi %g, %h : tensor<2xi1>
  // CHECK: result12: i1[2] = [false, true]
  %sgt = arith.cmpi sgt, %g, %h : tensor<2xi1>

  // An overlarge shift is poison; here it gives 0, or the sign.
  %i = arith.constant dense<[-8, 3, 1]> : tensor<3xi32>
  %j = arith.constant dense<[1, 31, 32]> : tensor<3xi32>
  // CHECK: result13: i32[3] = [-16, -2147483648, 0]
  %shl = arith.shli %i, %j : tensor<3xi32>
  // CHECK: result14: i32[3] = [2147483644, 0, 0]
  %shru = arith.shrui %i, %j : tensor<3xi32>
  // CHECK: result15: i32[3] = [-4, 0, 0]
  %shrs = arith.shrsi %i, %j : tensor<3xi32>
  // CHECK: result16: i32[3] = [29, 2, 1]
  %ones = math.ctpop %i : tensor<3xi32>
  // CHECK: result17: i32[3] = [0, 30, 31]
  %leading = math.ctlz %i : tensor<3xi32>
  // CHECK: result18: i32[3] = [8, 3, 1]
  %abs = math.absi %i : tensor<3xi32>
  %k = arith.constant dense<[-3, 2]> : tensor<2xi64>
  %l = arith.constant dense<[3, 40]> : tensor<2xi64>
  // CHECK: result19: i64[2] = [-27, 1099511627776]
  %power = math.ipowi %k, %l : tensor<2xi64>
  return %add, %sub, %mul, %div, %rem, %floor, %ceil, %udiv, %umax, %slt, %ult, %xor, %sgt, %shl, %shru, %shrs, %ones, %leading,
    %abs, %power : tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>,
    tensor<2xi32>, tensor<2xi32>, tensor<2xi1>, tensor<2xi1>, tensor<2xi1>, tensor<2xi1>,
    tensor<3xi32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>, tensor<2xi64>
}
