"builtin.module"() <{sym_name = "jit_heat"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["x"=2, "y"=4]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "x", size = 2 : i64}, {name = "y", size = 4 : i64}]}} : () -> ()
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}], function_type = (tensor<512x512xf32>) -> tensor<512x512xf32>, res_attrs = [{jax.result_info = "result", sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg3: tensor<512x512xf32>):
    %19 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %20:2 = "stablehlo.while"(%19, %arg3) ({
    ^bb0(%arg6: tensor<i32>, %arg7: tensor<512x512xf32>):
      %24 = "stablehlo.constant"() <{value = dense<8> : tensor<i32>}> : () -> tensor<i32>
      %25 = "stablehlo.compare"(%arg6, %24) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%25) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg4: tensor<i32>, %arg5: tensor<512x512xf32>):
      %21 = "func.call"(%arg5) <{callee = @closed_call}> : (tensor<512x512xf32>) -> tensor<512x512xf32>
      %22 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %23 = "stablehlo.add"(%arg4, %22) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%23, %21) : (tensor<i32>, tensor<512x512xf32>) -> ()
    }) : (tensor<i32>, tensor<512x512xf32>) -> (tensor<i32>, tensor<512x512xf32>)
    "func.return"(%20#1) : (tensor<512x512xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<512x512xf32>) -> tensor<512x512xf32>, res_attrs = [{}], sym_name = "closed_call", sym_visibility = "private"}> ({
  ^bb0(%arg2: tensor<512x512xf32>):
    %2 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %3 = "func.call"(%arg2, %2) <{callee = @_pad}> : (tensor<512x512xf32>, tensor<i32>) -> tensor<514x514xf32>
    %4 = "stablehlo.slice"(%3) <{limit_indices = array<i64: 512, 513>, start_indices = array<i64: 0, 1>, strides = array<i64: 1, 1>}> : (tensor<514x514xf32>) -> tensor<512x512xf32>
    %5 = "stablehlo.slice"(%3) <{limit_indices = array<i64: 514, 513>, start_indices = array<i64: 2, 1>, strides = array<i64: 1, 1>}> : (tensor<514x514xf32>) -> tensor<512x512xf32>
    %6 = "stablehlo.add"(%4, %5) : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
    %7 = "stablehlo.slice"(%3) <{limit_indices = array<i64: 513, 512>, start_indices = array<i64: 1, 0>, strides = array<i64: 1, 1>}> : (tensor<514x514xf32>) -> tensor<512x512xf32>
    %8 = "stablehlo.add"(%6, %7) : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
    %9 = "stablehlo.slice"(%3) <{limit_indices = array<i64: 513, 514>, start_indices = array<i64: 1, 2>, strides = array<i64: 1, 1>}> : (tensor<514x514xf32>) -> tensor<512x512xf32>
    %10 = "stablehlo.add"(%8, %9) : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
    %11 = "stablehlo.constant"() <{value = dense<4.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %12 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<512x512xf32>
    %13 = "stablehlo.multiply"(%12, %arg2) : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
    %14 = "stablehlo.subtract"(%10, %13) : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
    %15 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %16 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<512x512xf32>
    %17 = "stablehlo.multiply"(%16, %14) : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
    %18 = "stablehlo.add"(%arg2, %17) : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
    "func.return"(%18) : (tensor<512x512xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<512x512xf32>, tensor<i32>) -> tensor<514x514xf32>, res_attrs = [{}], sym_name = "_pad", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<512x512xf32>, %arg1: tensor<i32>):
    %0 = "stablehlo.convert"(%arg1) : (tensor<i32>) -> tensor<f32>
    %1 = "stablehlo.pad"(%arg0, %0) <{edge_padding_high = array<i64: 1, 1>, edge_padding_low = array<i64: 1, 1>, interior_padding = array<i64: 0, 0>}> : (tensor<512x512xf32>, tensor<f32>) -> tensor<514x514xf32>
    "func.return"(%1) : (tensor<514x514xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
