// Each function of floats computes its values, in the type's precision, with the special cases that arith and math fix.
// RUN: tessera-interpret %s | FileCheck %s

func.func @main() -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>,
    tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<4xi1>, tensor<4xi1>,
    tensor<4xf32>, tensor<4xf32>, tensor<2xbf16>, tensor<2xf16>, tensor<2xf64>, tensor<3xf32>, tensor<3xf32>, tensor<2xf32>, tensor<f32>) {
  %a = arith.constant dense<[7.0, -2.0, 0.5]> : tensor<3xf32>
  %b = arith.constant dense<[2.0, 4.0, -0.25]> : tensor<3xf32>
  // CHECK: result0: f32[3] = [9, 2, 0.25]
  %add = arith.addf %a, %b : tensor<3xf32>
  // CHECK: result1: f32[3] = [5, -6, 0.75]
  %sub = arith.subf %a, %b : tensor<3xf32>
  // CHECK: result2: f32[3] = [14, -8, -0.125]
  %mul = arith.mulf %a, %b : tensor<3xf32>
  // CHECK: result3: f32[3] = [3.5, -0.5, -2]
  %div = arith.divf %a, %b : tensor<3xf32>
  // CHECK: result4: f32[3] = [1, -2, 0]
  %rem = arith.remf %a, %b : tensor<3xf32>
  // CHECK: result5: f32[3] = [-7, 2, -0.5]
  %neg = arith.negf %a : tensor<3xf32>

  // A NaN wins over numbers, 0 is above -0; maxnumf prefers numbers.
  %c = arith.constant dense<[1.0, 0x7FC00000, -0.0, 2.0]> : tensor<4xf32>
  %d = arith.constant dense<[0x7FC00000, 3.0, 0.0, 5.0]> : tensor<4xf32>
  // CHECK: result6: f32[4] = [nan, nan, 0, 5]
  %max = arith.maximumf %c, %d : tensor<4xf32>
  // CHECK: result7: f32[4] = [nan, nan, -0, 2]
  %min = arith.minimumf %c, %d : tensor<4xf32>
  // CHECK: result8: f32[4] = [1, 3, 0, 5]
  %maxnum = arith.maxnumf %c, %d : tensor<4xf32>

  // CHECK: result9: i1[3] = [true, false, true]
  %ogt = arith.cmpf ogt, %a, %b : tensor<3xf32>
  // CHECK: result10: i1[3] = [false, true, false]
  %olt = arith.cmpf olt, %a, %b : tensor<3xf32>
  // CHECK: result11: i1[3] = [true, true, true]
  %one = arith.cmpf one, %a, %b : tensor<3xf32>
  // CHECK: result12: i1[4] = [true, true, true, false]
  %ueq = arith.cmpf ueq, %c, %d : tensor<4xf32>
  // CHECK: result13: i1[4] = [true, true, false, true]
  %une = arith.cmpf une, %c, %d : tensor<4xf32>

  // round goes away from zero in the middle, roundeven to the even neighbour.
  %e = arith.constant dense<[0.5, 1.5, -2.5, 2.4]> : tensor<4xf32>
  // CHECK: result14: f32[4] = [1, 2, -3, 2]
  %round = math.round %e : tensor<4xf32>
  // CHECK: result15: f32[4] = [0, 2, -2, 2]
  %roundeven = math.roundeven %e : tensor<4xf32>

  // Halves are rounded after each operation: 256 + 1 is 256 in bf16 (8 bits), 2048 + 1 is 2048 in f16 (11 bits).
  %g = arith.constant dense<[256.0, 1.5]> : tensor<2xbf16>
  %h = arith.constant dense<1.0> : tensor<2xbf16>
  // CHECK: result16: bf16[2] = [256, 2.5]
  %bf = arith.addf %g, %h : tensor<2xbf16>
  %i = arith.constant dense<[2048.0, 1.5]> : tensor<2xf16>
  %j = arith.constant dense<1.0> : tensor<2xf16>
  // CHECK: result17: f16[2] = [2048, 2.5]
  %hf = arith.addf %i, %j : tensor<2xf16>
  %k = arith.constant dense<[1.0e-20, 3.0]> : tensor<2xf64>
  %l = arith.constant dense<1.0> : tensor<2xf64>
  // CHECK: result18: f64[2] = [1e-20, 1.3862943611198906]
  %log = math.log1p %k : tensor<2xf64>

  %m = arith.constant dense<[4.0, 0.25, 1.0]> : tensor<3xf32>
  // CHECK: result19: f32[3] = [0.5, 2, 1]
  %rsqrt = math.rsqrt %m : tensor<3xf32>
  // CHECK: result20: f32[3] = [16384, 16, 1]
  %power = math.powf %m, %a : tensor<3xf32>
  %n = arith.constant dense<[3.0, 2.0]> : tensor<2xf32>
  %o = arith.constant dense<[2, -2]> : tensor<2xi32>
  // CHECK: result21: f32[2] = [9, 0.25]
  %powi = math.fpowi %n, %o : tensor<2xf32>, tensor<2xi32>
  %zero = arith.constant dense<0.0> : tensor<f32>
  // CHECK: result22: f32[] = 1
  %cosine = math.cos %zero : tensor<f32>
  return %add, %sub, %mul, %div, %rem, %neg, %max, %min, %maxnum, %ogt, %olt, %one, %ueq, %une, %round, %roundeven, %bf, %hf,
    %log, %rsqrt, %power, %powi, %cosine : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>,
    tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<4xi1>, tensor<4xi1>,
    tensor<4xf32>, tensor<4xf32>, tensor<2xbf16>, tensor<2xf16>, tensor<2xf64>, tensor<3xf32>, tensor<3xf32>, tensor<2xf32>, tensor<f32>
}
