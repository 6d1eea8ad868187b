func.func @main(%x: tensor<64xbf16>, %y: tensor<64xbf16>) -> (tensor<64xbf16>, tensor<64xbf16>, tensor<64xi32>, tensor<64xf64>) {
  %0 = arith.cmpf olt, %x, %y : tensor<64xbf16>
  %1 = arith.select %0, %x, %y : tensor<64xi1>, tensor<64xbf16>
  %2 = arith.negf %1 : tensor<64xbf16>
  %3 = math.absf %y : tensor<64xbf16>
  %4 = math.floor %3 : tensor<64xbf16>
  %5 = arith.fptosi %x : tensor<64xbf16> to tensor<64xi32>
  %6 = arith.extf %4 : tensor<64xbf16> to tensor<64xf64>
  return %2, %4, %5, %6 : tensor<64xbf16>, tensor<64xbf16>, tensor<64xi32>, tensor<64xf64>
}
