"builtin.module"() <{sym_name = "jit_step"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["data"=2, "seq"=4]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "seq", size = 4 : i64}]}} : () -> ()
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"seq"}, {}, {}]>, tf.aliasing_output = 0 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"seq"}, {}, {}]>, tf.aliasing_output = 1 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, []>}], function_type = (tensor<256x8x32xf32>, tensor<8x32x256xf32>, tensor<256x8x32xf32>, tensor<256x8x32xf32>, tensor<4x512x8x32xf32>, tensor<4x512x8x32xf32>, tensor<4x32x256xf32>, tensor<i32>) -> (tensor<4x512x8x32xf32>, tensor<4x512x8x32xf32>, tensor<4x32x256xf32>), res_attrs = [{jax.result_info = "result[0]", sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"seq"}, {}, {}]>}, {jax.result_info = "result[1]", sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"seq"}, {}, {}]>}, {jax.result_info = "result[2]", sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}]>}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg3: tensor<256x8x32xf32>, %arg4: tensor<8x32x256xf32>, %arg5: tensor<256x8x32xf32>, %arg6: tensor<256x8x32xf32>, %arg7: tensor<4x512x8x32xf32>, %arg8: tensor<4x512x8x32xf32>, %arg9: tensor<4x32x256xf32>, %arg10: tensor<i32>):
    %4 = "stablehlo.dot_general"(%arg9, %arg5) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x32x256xf32>, tensor<256x8x32xf32>) -> tensor<4x32x8x32xf32>
    %5 = "stablehlo.dot_general"(%arg9, %arg3) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x32x256xf32>, tensor<256x8x32xf32>) -> tensor<4x32x8x32xf32>
    %6 = "stablehlo.dot_general"(%arg9, %arg6) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x32x256xf32>, tensor<256x8x32xf32>) -> tensor<4x32x8x32xf32>
    %7 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %8 = "stablehlo.compare"(%arg10, %7) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %9 = "stablehlo.constant"() <{value = dense<512> : tensor<i32>}> : () -> tensor<i32>
    %10 = "stablehlo.add"(%arg10, %9) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %11 = "stablehlo.select"(%8, %10, %arg10) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %12 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %13 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %14 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %15 = "stablehlo.dynamic_update_slice"(%arg7, %5, %12, %11, %13, %14) : (tensor<4x512x8x32xf32>, tensor<4x32x8x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x512x8x32xf32>
    %16 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %17 = "stablehlo.compare"(%arg10, %16) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %18 = "stablehlo.constant"() <{value = dense<512> : tensor<i32>}> : () -> tensor<i32>
    %19 = "stablehlo.add"(%arg10, %18) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %20 = "stablehlo.select"(%17, %19, %arg10) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %21 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %22 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %23 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %24 = "stablehlo.dynamic_update_slice"(%arg8, %6, %21, %20, %22, %23) : (tensor<4x512x8x32xf32>, tensor<4x32x8x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x512x8x32xf32>
    %25 = "stablehlo.dot_general"(%4, %15) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x32x8x32xf32>, tensor<4x512x8x32xf32>) -> tensor<4x8x32x512xf32>
    %26 = "stablehlo.constant"() <{value = dense<0.176776692> : tensor<f32>}> : () -> tensor<f32>
    %27 = "stablehlo.broadcast_in_dim"(%26) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x8x32x512xf32>
    %28 = "stablehlo.multiply"(%25, %27) : (tensor<4x8x32x512xf32>, tensor<4x8x32x512xf32>) -> tensor<4x8x32x512xf32>
    %29 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<512xi32>
    %30 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<32xi32>
    %31 = "stablehlo.broadcast_in_dim"(%30) <{broadcast_dimensions = array<i64: 0>}> : (tensor<32xi32>) -> tensor<32x1xi32>
    %32 = "stablehlo.broadcast_in_dim"(%arg10) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32x1xi32>
    %33 = "stablehlo.add"(%32, %31) : (tensor<32x1xi32>, tensor<32x1xi32>) -> tensor<32x1xi32>
    %34 = "stablehlo.broadcast_in_dim"(%29) <{broadcast_dimensions = array<i64: 1>}> : (tensor<512xi32>) -> tensor<1x512xi32>
    %35 = "stablehlo.broadcast_in_dim"(%34) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x512xi32>) -> tensor<32x512xi32>
    %36 = "stablehlo.broadcast_in_dim"(%33) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<32x1xi32>) -> tensor<32x512xi32>
    %37 = "stablehlo.compare"(%35, %36) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<32x512xi32>, tensor<32x512xi32>) -> tensor<32x512xi1>
    %38 = "stablehlo.constant"() <{value = dense<-1.000000e+30> : tensor<f32>}> : () -> tensor<f32>
    %39 = "func.call"(%37, %28, %38) <{callee = @_where}> : (tensor<32x512xi1>, tensor<4x8x32x512xf32>, tensor<f32>) -> tensor<4x8x32x512xf32>
    %40 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %41 = "stablehlo.reduce"(%39, %40) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %57 = "stablehlo.maximum"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%57) : (tensor<f32>) -> ()
    }) : (tensor<4x8x32x512xf32>, tensor<f32>) -> tensor<4x8x32xf32>
    %42 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %43 = "stablehlo.broadcast_in_dim"(%42) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x8x32xf32>
    %44 = "stablehlo.maximum"(%43, %41) : (tensor<4x8x32xf32>, tensor<4x8x32xf32>) -> tensor<4x8x32xf32>
    %45 = "stablehlo.broadcast_in_dim"(%44) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<4x8x32xf32>) -> tensor<4x8x32x1xf32>
    %46 = "stablehlo.broadcast_in_dim"(%45) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<4x8x32x1xf32>) -> tensor<4x8x32x512xf32>
    %47 = "stablehlo.subtract"(%39, %46) : (tensor<4x8x32x512xf32>, tensor<4x8x32x512xf32>) -> tensor<4x8x32x512xf32>
    %48 = "stablehlo.exponential"(%47) : (tensor<4x8x32x512xf32>) -> tensor<4x8x32x512xf32>
    %49 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %50 = "stablehlo.reduce"(%48, %49) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %56 = "stablehlo.add"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%56) : (tensor<f32>) -> ()
    }) : (tensor<4x8x32x512xf32>, tensor<f32>) -> tensor<4x8x32xf32>
    %51 = "stablehlo.broadcast_in_dim"(%50) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<4x8x32xf32>) -> tensor<4x8x32x1xf32>
    %52 = "stablehlo.broadcast_in_dim"(%51) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<4x8x32x1xf32>) -> tensor<4x8x32x512xf32>
    %53 = "stablehlo.divide"(%48, %52) : (tensor<4x8x32x512xf32>, tensor<4x8x32x512xf32>) -> tensor<4x8x32x512xf32>
    %54 = "stablehlo.dot_general"(%24, %53) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x512x8x32xf32>, tensor<4x8x32x512xf32>) -> tensor<4x8x32x32xf32>
    %55 = "stablehlo.dot_general"(%54, %arg4) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1, 2], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x8x32x32xf32>, tensor<8x32x256xf32>) -> tensor<4x32x256xf32>
    "func.return"(%15, %24, %55) : (tensor<4x512x8x32xf32>, tensor<4x512x8x32xf32>, tensor<4x32x256xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<32x512xi1>, tensor<4x8x32x512xf32>, tensor<f32>) -> tensor<4x8x32x512xf32>, res_attrs = [{}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<32x512xi1>, %arg1: tensor<4x8x32x512xf32>, %arg2: tensor<f32>):
    %0 = "stablehlo.convert"(%arg2) : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = array<i64: 2, 3>}> : (tensor<32x512xi1>) -> tensor<4x8x32x512xi1>
    %2 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x8x32x512xf32>
    %3 = "stablehlo.select"(%1, %arg1, %2) : (tensor<4x8x32x512xi1>, tensor<4x8x32x512xf32>, tensor<4x8x32x512xf32>) -> tensor<4x8x32x512xf32>
    "func.return"(%3) : (tensor<4x8x32x512xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
