// Conversions round to nearest even once, saturate where arith leaves poison, and extend with or without sign.
// RUN: tessera-interpret %s | FileCheck %s

func.func @main() -> (tensor<3xf16>, tensor<2xbf16>, tensor<2xf64>, tensor<2xf32>, tensor<2xf32>, tensor<4xi32>, tensor<3xi8>,
    tensor<2xi32>, tensor<2xi32>, tensor<2xi8>, tensor<2xi32>, tensor<2xf32>, tensor<2xf32>) {
  // 2049 lies between 2048 and 2050; a little more than the middle must not be rounded to it twice (f64 -> f32 -> f16).
  %a = arith.constant dense<[2049.0, 2049.0000000001, 1.0e6]> : tensor<3xf64>
  // CHECK: result0: f16[3] = [2048, 2050, inf]
  %f16 = arith.truncf %a : tensor<3xf64> to tensor<3xf16>
  %b = arith.constant dense<[1.00390625, 1.01171875]> : tensor<2xf32>
  // CHECK: result1: bf16[2] = [1, 1.015625]
  %bf16 = arith.truncf %b : tensor<2xf32> to tensor<2xbf16>
  // CHECK: result2: f64[2] = [1.00390625, 1.01171875]
  %f64 = arith.extf %b : tensor<2xf32> to tensor<2xf64>
  %c = arith.constant dense<[-1, 3]> : tensor<2xi8>
  // CHECK: result3: f32[2] = [-1, 3]
  %signed = arith.sitofp %c : tensor<2xi8> to tensor<2xf32>
  // CHECK: result4: f32[2] = [255, 3]
  %unsigned = arith.uitofp %c : tensor<2xi8> to tensor<2xf32>
  %d = arith.constant dense<[-2.9, 1.0e20, 0x7FC00000, 2.9]> : tensor<4xf32>
  // CHECK: result5: i32[4] = [-2, 2147483647, 0, 2]
  %toSigned = arith.fptosi %d : tensor<4xf32> to tensor<4xi32>
  %e = arith.constant dense<[200.0, -3.0, 300.0]> : tensor<3xf32>
  // CHECK: result6: i8[3] = [-56, 0, -1]
  %toUnsigned = arith.fptoui %e : tensor<3xf32> to tensor<3xi8>
  // CHECK: result7: i32[2] = [-1, 3]
  %extsi = arith.extsi %c : tensor<2xi8> to tensor<2xi32>
  // CHECK: result8: i32[2] = [255, 3]
  %extui = arith.extui %c : tensor<2xi8> to tensor<2xi32>
  %f = arith.constant dense<[257, -2]> : tensor<2xi32>
  // CHECK: result9: i8[2] = [1, -2]
  %trunci = arith.trunci %f : tensor<2xi32> to tensor<2xi8>
  // CHECK: result10: i32[2] = [1065385984, 1065451520]
  %bits = arith.bitcast %b : tensor<2xf32> to tensor<2xi32>
  %g = arith.constant dense<[true, false]> : tensor<2xi1>
  // CHECK: result11: f32[2] = [1, 0]
  %truth = arith.uitofp %g : tensor<2xi1> to tensor<2xf32>
  // A hex blob of 1.0 and 2.0, little endian.
  // CHECK: result12: f32[2] = [1, 2]
  %blob = arith.constant dense<"0x0000803F00000040"> : tensor<2xf32>
  return %f16, %bf16, %f64, %signed, %unsigned, %toSigned, %toUnsigned, %extsi, %extui, %trunci, %bits, %truth, %blob
    : tensor<3xf16>, tensor<2xbf16>, tensor<2xf64>, tensor<2xf32>, tensor<2xf32>, tensor<4xi32>, tensor<3xi8>,
    tensor<2xi32>, tensor<2xi32>, tensor<2xi8>, tensor<2xi32>, tensor<2xf32>, tensor<2xf32>
}
