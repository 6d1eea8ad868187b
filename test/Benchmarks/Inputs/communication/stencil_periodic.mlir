"builtin.module"() <{sym_name = "jit_heat"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["x"=2, "y"=4]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "x", size = 2 : i64}, {name = "y", size = 4 : i64}]}} : () -> ()
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}], function_type = (tensor<512x512xf32>) -> tensor<512x512xf32>, res_attrs = [{jax.result_info = "result", sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg5: tensor<512x512xf32>):
    %27 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %28:2 = "stablehlo.while"(%27, %arg5) ({
    ^bb0(%arg8: tensor<i32>, %arg9: tensor<512x512xf32>):
      %32 = "stablehlo.constant"() <{value = dense<8> : tensor<i32>}> : () -> tensor<i32>
      %33 = "stablehlo.compare"(%arg8, %32) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%33) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg6: tensor<i32>, %arg7: tensor<512x512xf32>):
      %29 = "func.call"(%arg7) <{callee = @closed_call}> : (tensor<512x512xf32>) -> tensor<512x512xf32>
      %30 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %31 = "stablehlo.add"(%arg6, %30) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%31, %29) : (tensor<i32>, tensor<512x512xf32>) -> ()
    }) : (tensor<i32>, tensor<512x512xf32>) -> (tensor<i32>, tensor<512x512xf32>)
    "func.return"(%28#1) : (tensor<512x512xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<512x512xf32>) -> tensor<512x512xf32>, res_attrs = [{}], sym_name = "closed_call", sym_visibility = "private"}> ({
  ^bb0(%arg4: tensor<512x512xf32>):
    %12 = "func.call"(%arg4) <{callee = @_roll_static}> : (tensor<512x512xf32>) -> tensor<512x512xf32>
    %13 = "func.call"(%arg4) <{callee = @_roll_static_0}> : (tensor<512x512xf32>) -> tensor<512x512xf32>
    %14 = "stablehlo.add"(%12, %13) : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
    %15 = "func.call"(%arg4) <{callee = @_roll_static_1}> : (tensor<512x512xf32>) -> tensor<512x512xf32>
    %16 = "stablehlo.add"(%14, %15) : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
    %17 = "func.call"(%arg4) <{callee = @_roll_static_2}> : (tensor<512x512xf32>) -> tensor<512x512xf32>
    %18 = "stablehlo.add"(%16, %17) : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
    %19 = "stablehlo.constant"() <{value = dense<4.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %20 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<512x512xf32>
    %21 = "stablehlo.multiply"(%20, %arg4) : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
    %22 = "stablehlo.subtract"(%18, %21) : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
    %23 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %24 = "stablehlo.broadcast_in_dim"(%23) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<512x512xf32>
    %25 = "stablehlo.multiply"(%24, %22) : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
    %26 = "stablehlo.add"(%arg4, %25) : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
    "func.return"(%26) : (tensor<512x512xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<512x512xf32>) -> tensor<512x512xf32>, res_attrs = [{}], sym_name = "_roll_static", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<512x512xf32>):
    %9 = "stablehlo.slice"(%arg3) <{limit_indices = array<i64: 512, 512>, start_indices = array<i64: 511, 0>, strides = array<i64: 1, 1>}> : (tensor<512x512xf32>) -> tensor<1x512xf32>
    %10 = "stablehlo.slice"(%arg3) <{limit_indices = array<i64: 511, 512>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<512x512xf32>) -> tensor<511x512xf32>
    %11 = "stablehlo.concatenate"(%9, %10) <{dimension = 0 : i64}> : (tensor<1x512xf32>, tensor<511x512xf32>) -> tensor<512x512xf32>
    "func.return"(%11) : (tensor<512x512xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<512x512xf32>) -> tensor<512x512xf32>, res_attrs = [{}], sym_name = "_roll_static_0", sym_visibility = "private"}> ({
  ^bb0(%arg2: tensor<512x512xf32>):
    %6 = "stablehlo.slice"(%arg2) <{limit_indices = array<i64: 512, 512>, start_indices = array<i64: 1, 0>, strides = array<i64: 1, 1>}> : (tensor<512x512xf32>) -> tensor<511x512xf32>
    %7 = "stablehlo.slice"(%arg2) <{limit_indices = array<i64: 1, 512>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<512x512xf32>) -> tensor<1x512xf32>
    %8 = "stablehlo.concatenate"(%6, %7) <{dimension = 0 : i64}> : (tensor<511x512xf32>, tensor<1x512xf32>) -> tensor<512x512xf32>
    "func.return"(%8) : (tensor<512x512xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<512x512xf32>) -> tensor<512x512xf32>, res_attrs = [{}], sym_name = "_roll_static_1", sym_visibility = "private"}> ({
  ^bb0(%arg1: tensor<512x512xf32>):
    %3 = "stablehlo.slice"(%arg1) <{limit_indices = array<i64: 512, 512>, start_indices = array<i64: 0, 511>, strides = array<i64: 1, 1>}> : (tensor<512x512xf32>) -> tensor<512x1xf32>
    %4 = "stablehlo.slice"(%arg1) <{limit_indices = array<i64: 512, 511>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<512x512xf32>) -> tensor<512x511xf32>
    %5 = "stablehlo.concatenate"(%3, %4) <{dimension = 1 : i64}> : (tensor<512x1xf32>, tensor<512x511xf32>) -> tensor<512x512xf32>
    "func.return"(%5) : (tensor<512x512xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<512x512xf32>) -> tensor<512x512xf32>, res_attrs = [{}], sym_name = "_roll_static_2", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<512x512xf32>):
    %0 = "stablehlo.slice"(%arg0) <{limit_indices = array<i64: 512, 512>, start_indices = array<i64: 0, 1>, strides = array<i64: 1, 1>}> : (tensor<512x512xf32>) -> tensor<512x511xf32>
    %1 = "stablehlo.slice"(%arg0) <{limit_indices = array<i64: 512, 1>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<512x512xf32>) -> tensor<512x1xf32>
    %2 = "stablehlo.concatenate"(%0, %1) <{dimension = 1 : i64}> : (tensor<512x511xf32>, tensor<512x1xf32>) -> tensor<512x512xf32>
    "func.return"(%2) : (tensor<512x512xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
