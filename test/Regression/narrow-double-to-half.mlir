// From f64 to 16 bits is rounded once, and needs no library that has such a conversion.
// RUN: tessera-fuzz %s --execute
// RUN: tessera-fuzz %s --execute --seed=1
func.func @main(%a: tensor<8x8xf64>) -> (tensor<8x8xbf16>, tensor<8x8xf16>, tensor<8x8xbf16>, tensor<8x8xf16>) {
  // From -3 to 3 these become 2049 and 257 and hardly more or less: the middle between two f16, or two bf16.
  %b = arith.constant dense<2046.0000000001> : tensor<8x8xf64>
  %0 = arith.addf %a, %b : tensor<8x8xf64>
  %1 = arith.truncf %0 : tensor<8x8xf64> to tensor<8x8xbf16>
  %2 = arith.truncf %0 : tensor<8x8xf64> to tensor<8x8xf16>
  %c = arith.constant dense<256.9999999999> : tensor<8x8xf64>
  %3 = arith.subf %a, %c : tensor<8x8xf64>
  %4 = arith.truncf %3 : tensor<8x8xf64> to tensor<8x8xbf16>
  %5 = arith.truncf %3 : tensor<8x8xf64> to tensor<8x8xf16>
  return %1, %2, %4, %5 : tensor<8x8xbf16>, tensor<8x8xf16>, tensor<8x8xbf16>, tensor<8x8xf16>
}
