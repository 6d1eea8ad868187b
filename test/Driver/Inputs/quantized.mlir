"builtin.module"() <{sym_name = "q"}> ({
  "func.func"() <{function_type = (tensor<4x!quant.uniform<i8:f32:{0:2}, {1.0, 2.0}>>) -> tensor<4xf32>, sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<4x!quant.uniform<i8:f32:{0:2}, {1.0, 2.0}>>):
    %0 = "stablehlo.uniform_dequantize"(%arg0) : (tensor<4x!quant.uniform<i8:f32:{0:2}, {1.0, 2.0}>>) -> tensor<4xf32>
    "func.return"(%0) : (tensor<4xf32>) -> ()
  }) : () -> ()
}) : () -> ()
