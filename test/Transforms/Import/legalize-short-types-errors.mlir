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

// -----

// The next number of a short type is none of a wider one.
func.func @main(%x: tensor<3xf8E5M2>) -> tensor<3xf8E5M2> {
  // expected-error @+1 {{unsupported type 'tensor<3xf8E5M2>' of 'chlo.next_after'}}
  %0 = "chlo.next_after"(%x, %x) : (tensor<3xf8E5M2>, tensor<3xf8E5M2>) -> tensor<3xf8E5M2>
  "func.return"(%0) : (tensor<3xf8E5M2>) -> ()
}

// -----

func.func @main(%x: tensor<f4E2M1FN>) -> tensor<f4E2M1FN> {
  // expected-error @+1 {{unsupported type 'tensor<f4E2M1FN>' of 'chlo.next_after'}}
  %0 = "chlo.next_after"(%x, %x) : (tensor<f4E2M1FN>, tensor<f4E2M1FN>) -> tensor<f4E2M1FN>
  "func.return"(%0) : (tensor<f4E2M1FN>) -> ()
}

// -----

// Eight bits are no row of six.
func.func @main(%x: tensor<3xf6E2M3FN>) -> tensor<3xf32> {
  // expected-error @+1 {{unsupported shapes of 'stablehlo.bitcast_convert', from 'tensor<3xf6E2M3FN>' to 'tensor<3x1xui8>'}}
  %0 = "stablehlo.bitcast_convert"(%x) : (tensor<3xf6E2M3FN>) -> tensor<3x1xui8>
  %1 = "stablehlo.convert"(%0) : (tensor<3x1xui8>) -> tensor<3xf32>
  "func.return"(%1) : (tensor<3xf32>) -> ()
}

// -----

// A routine knows the type of what it is handed.
module {
  func.func @main(%x: tensor<3xf8E5M2>) -> tensor<3xf8E5M2> {
    // expected-error @+1 {{unsupported type 'tensor<3xf8E5M2>' of 'stablehlo.custom_call'}}
    %0 = "stablehlo.custom_call"(%x) <{api_version = 4 : i32, backend_config = {}, call_target_name = "lapack_spotrf_ffi"}> : (tensor<3xf8E5M2>) -> tensor<3xf8E5M2>
    "func.return"(%0) : (tensor<3xf8E5M2>) -> ()
  }
}

// -----

module {
  func.func @main(%x: tensor<3xf32>) -> tensor<3xi4> {
    // expected-error @+1 {{unsupported type 'tensor<3xi4>' of 'stablehlo.custom_call'}}
    %0 = "stablehlo.custom_call"(%x) <{api_version = 4 : i32, backend_config = {}, call_target_name = "lapack_spotrf_ffi"}> : (tensor<3xf32>) -> tensor<3xi4>
    "func.return"(%0) : (tensor<3xi4>) -> ()
  }
}
