"builtin.module"() <{sym_name = "portable"}> ({
  "func.func"() <{function_type = (tensor<8x16xf32>, tensor<16x8xf32>) -> (tensor<8x8xf32>, tensor<8x1xi64>), sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<8x16xf32>, %arg1: tensor<16x8xf32>):
    %0 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.dot_general"(%arg0, %arg1) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
    %2 = "stablehlo.tanh"(%1) : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %3 = "stablehlo.slice"(%2) <{limit_indices = array<i64: 8, 8>, start_indices = array<i64: 0, 1>, strides = array<i64: 1, 2>}> : (tensor<8x8xf32>) -> tensor<8x4xf32>
    %4 = "stablehlo.pad"(%3, %0) <{edge_padding_high = array<i64: 0, 4>, edge_padding_low = array<i64: 0, 0>, interior_padding = array<i64: 0, 0>}> : (tensor<8x4xf32>, tensor<f32>) -> tensor<8x8xf32>
    %5 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<8x1xi64>
    "func.return"(%4, %5) : (tensor<8x8xf32>, tensor<8x1xi64>) -> ()
  }) : () -> ()
}) : () -> ()
