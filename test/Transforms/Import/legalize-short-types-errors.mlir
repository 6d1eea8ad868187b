// RUN: tessera-opt --tessera-legalize-short-types --split-input-file --verify-diagnostics %s

// Bits are as many after as before, in a last dimension of parts.

func.func @main(%x: tensor<3xi4>) -> tensor<3xi8> {
  // expected-error @+1 {{unsupported shapes of 'stablehlo.bitcast_convert', from 'tensor<3xi4>' to 'tensor<3xi8>'}}
  %0 = "stablehlo.bitcast_convert"(%x) : (tensor<3xi4>) -> tensor<3xi8>
  "func.return"(%0) : (tensor<3xi8>) -> ()
}

// -----

func.func @main(%x: tensor<3x2xi2>) -> tensor<3xf4E2M1FN> {
  // expected-error @+1 {{unsupported shapes of 'stablehlo.bitcast_convert', from 'tensor<3x2xi2>' to 'tensor<3xf4E2M1FN>'}}
  %0 = "stablehlo.bitcast_convert"(%x) : (tensor<3x2xi2>) -> tensor<3xf4E2M1FN>
  "func.return"(%0) : (tensor<3xf4E2M1FN>) -> ()
}
