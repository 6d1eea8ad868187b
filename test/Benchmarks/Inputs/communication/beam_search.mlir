"builtin.module"() <{sym_name = "jit_step"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["data"=2, "model"=4]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}} : () -> ()
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}]>}], function_type = (tensor<256x4096xf32>, tensor<16x4x256xf32>, tensor<16x4xf32>, tensor<16x4x32xi32>) -> (tensor<16x4xf32>, tensor<16x4x33xi32>), res_attrs = [{jax.result_info = "result[0]", sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, {jax.result_info = "result[1]", sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}]>}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg19: tensor<256x4096xf32>, %arg20: tensor<16x4x256xf32>, %arg21: tensor<16x4xf32>, %arg22: tensor<16x4x32xi32>):
    %80 = "stablehlo.broadcast_in_dim"(%arg21) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x4xf32>) -> tensor<16x4x1xf32>
    %81 = "stablehlo.dot_general"(%arg20, %arg19) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x4x256xf32>, tensor<256x4096xf32>) -> tensor<16x4x4096xf32>
    %82 = "func.call"(%81) <{callee = @log_softmax}> : (tensor<16x4x4096xf32>) -> tensor<16x4x4096xf32>
    %83 = "stablehlo.broadcast_in_dim"(%80) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<16x4x1xf32>) -> tensor<16x4x4096xf32>
    %84 = "stablehlo.add"(%83, %82) : (tensor<16x4x4096xf32>, tensor<16x4x4096xf32>) -> tensor<16x4x4096xf32>
    %85 = "stablehlo.reshape"(%84) : (tensor<16x4x4096xf32>) -> tensor<16x16384xf32>
    %86:2 = "chlo.top_k"(%85) <{k = 4 : i64}> : (tensor<16x16384xf32>) -> (tensor<16x4xf32>, tensor<16x4xi32>)
    %87 = "stablehlo.constant"() <{value = dense<4096> : tensor<i32>}> : () -> tensor<i32>
    %88 = "func.call"(%86#1, %87) <{callee = @floor_divide}> : (tensor<16x4xi32>, tensor<i32>) -> tensor<16x4xi32>
    %89 = "stablehlo.broadcast_in_dim"(%88) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x4xi32>) -> tensor<16x4x1xi32>
    %90 = "func.call"(%arg22, %89) <{callee = @take_along_axis}> : (tensor<16x4x32xi32>, tensor<16x4x1xi32>) -> tensor<16x4x32xi32>
    %91 = "stablehlo.constant"() <{value = dense<4096> : tensor<i32>}> : () -> tensor<i32>
    %92 = "func.call"(%86#1, %91) <{callee = @remainder}> : (tensor<16x4xi32>, tensor<i32>) -> tensor<16x4xi32>
    %93 = "stablehlo.broadcast_in_dim"(%92) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x4xi32>) -> tensor<16x4x1xi32>
    %94 = "stablehlo.concatenate"(%90, %93) <{dimension = 2 : i64}> : (tensor<16x4x32xi32>, tensor<16x4x1xi32>) -> tensor<16x4x33xi32>
    "func.return"(%86#0, %94) : (tensor<16x4xf32>, tensor<16x4x33xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<16x4x4096xf32>) -> tensor<16x4x4096xf32>, res_attrs = [{}], sym_name = "log_softmax", sym_visibility = "private"}> ({
  ^bb0(%arg14: tensor<16x4x4096xf32>):
    %63 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %64 = "stablehlo.reduce"(%arg14, %63) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %79 = "stablehlo.maximum"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%79) : (tensor<f32>) -> ()
    }) : (tensor<16x4x4096xf32>, tensor<f32>) -> tensor<16x4xf32>
    %65 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %66 = "stablehlo.broadcast_in_dim"(%65) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x4xf32>
    %67 = "stablehlo.maximum"(%66, %64) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %68 = "stablehlo.broadcast_in_dim"(%67) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x4xf32>) -> tensor<16x4x1xf32>
    %69 = "stablehlo.broadcast_in_dim"(%68) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<16x4x1xf32>) -> tensor<16x4x4096xf32>
    %70 = "stablehlo.subtract"(%arg14, %69) : (tensor<16x4x4096xf32>, tensor<16x4x4096xf32>) -> tensor<16x4x4096xf32>
    %71 = "stablehlo.exponential"(%70) : (tensor<16x4x4096xf32>) -> tensor<16x4x4096xf32>
    %72 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %73 = "stablehlo.reduce"(%71, %72) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg15: tensor<f32>, %arg16: tensor<f32>):
      %78 = "stablehlo.add"(%arg15, %arg16) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%78) : (tensor<f32>) -> ()
    }) : (tensor<16x4x4096xf32>, tensor<f32>) -> tensor<16x4xf32>
    %74 = "stablehlo.broadcast_in_dim"(%73) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x4xf32>) -> tensor<16x4x1xf32>
    %75 = "stablehlo.log"(%74) : (tensor<16x4x1xf32>) -> tensor<16x4x1xf32>
    %76 = "stablehlo.broadcast_in_dim"(%75) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<16x4x1xf32>) -> tensor<16x4x4096xf32>
    %77 = "stablehlo.subtract"(%70, %76) : (tensor<16x4x4096xf32>, tensor<16x4x4096xf32>) -> tensor<16x4x4096xf32>
    "func.return"(%77) : (tensor<16x4x4096xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<16x4xi32>, tensor<i32>) -> tensor<16x4xi32>, res_attrs = [{}], sym_name = "floor_divide", sym_visibility = "private"}> ({
  ^bb0(%arg12: tensor<16x4xi32>, %arg13: tensor<i32>):
    %46 = "stablehlo.convert"(%arg13) : (tensor<i32>) -> tensor<i32>
    %47 = "stablehlo.broadcast_in_dim"(%46) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<16x4xi32>
    %48 = "stablehlo.divide"(%arg12, %47) : (tensor<16x4xi32>, tensor<16x4xi32>) -> tensor<16x4xi32>
    %49 = "stablehlo.sign"(%arg12) : (tensor<16x4xi32>) -> tensor<16x4xi32>
    %50 = "stablehlo.sign"(%46) : (tensor<i32>) -> tensor<i32>
    %51 = "stablehlo.broadcast_in_dim"(%50) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<16x4xi32>
    %52 = "stablehlo.compare"(%49, %51) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<16x4xi32>, tensor<16x4xi32>) -> tensor<16x4xi1>
    %53 = "stablehlo.broadcast_in_dim"(%46) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<16x4xi32>
    %54 = "stablehlo.remainder"(%arg12, %53) : (tensor<16x4xi32>, tensor<16x4xi32>) -> tensor<16x4xi32>
    %55 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %56 = "stablehlo.broadcast_in_dim"(%55) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<16x4xi32>
    %57 = "stablehlo.compare"(%54, %56) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<16x4xi32>, tensor<16x4xi32>) -> tensor<16x4xi1>
    %58 = "stablehlo.and"(%52, %57) : (tensor<16x4xi1>, tensor<16x4xi1>) -> tensor<16x4xi1>
    %59 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %60 = "stablehlo.broadcast_in_dim"(%59) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<16x4xi32>
    %61 = "stablehlo.subtract"(%48, %60) : (tensor<16x4xi32>, tensor<16x4xi32>) -> tensor<16x4xi32>
    %62 = "func.call"(%58, %61, %48) <{callee = @_where}> : (tensor<16x4xi1>, tensor<16x4xi32>, tensor<16x4xi32>) -> tensor<16x4xi32>
    "func.return"(%62) : (tensor<16x4xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<16x4xi1>, tensor<16x4xi32>, tensor<16x4xi32>) -> tensor<16x4xi32>, res_attrs = [{}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg9: tensor<16x4xi1>, %arg10: tensor<16x4xi32>, %arg11: tensor<16x4xi32>):
    %45 = "stablehlo.select"(%arg9, %arg10, %arg11) : (tensor<16x4xi1>, tensor<16x4xi32>, tensor<16x4xi32>) -> tensor<16x4xi32>
    "func.return"(%45) : (tensor<16x4xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<16x4x32xi32>, tensor<16x4x1xi32>) -> tensor<16x4x32xi32>, res_attrs = [{}], sym_name = "take_along_axis", sym_visibility = "private"}> ({
  ^bb0(%arg5: tensor<16x4x32xi32>, %arg6: tensor<16x4x1xi32>):
    %22 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %23 = "stablehlo.broadcast_in_dim"(%22) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<16x4x1xi32>
    %24 = "stablehlo.compare"(%arg6, %23) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<16x4x1xi32>, tensor<16x4x1xi32>) -> tensor<16x4x1xi1>
    %25 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
    %26 = "stablehlo.broadcast_in_dim"(%25) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<16x4x1xi32>
    %27 = "stablehlo.add"(%arg6, %26) : (tensor<16x4x1xi32>, tensor<16x4x1xi32>) -> tensor<16x4x1xi32>
    %28 = "stablehlo.select"(%24, %27, %arg6) : (tensor<16x4x1xi1>, tensor<16x4x1xi32>, tensor<16x4x1xi32>) -> tensor<16x4x1xi32>
    %29 = "stablehlo.constant"() <{value = dense<3> : tensor<1xi32>}> : () -> tensor<1xi32>
    %30 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %31 = "stablehlo.broadcast_in_dim"(%30) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<16x4x1xi32>
    %32 = "stablehlo.compare"(%28, %31) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<16x4x1xi32>, tensor<16x4x1xi32>) -> tensor<16x4x1xi1>
    %33 = "stablehlo.broadcast_in_dim"(%29) <{broadcast_dimensions = array<i64: 2>}> : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %34 = "stablehlo.broadcast_in_dim"(%33) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x1xi32>) -> tensor<16x4x1xi32>
    %35 = "stablehlo.compare"(%28, %34) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<16x4x1xi32>, tensor<16x4x1xi32>) -> tensor<16x4x1xi1>
    %36 = "stablehlo.and"(%32, %35) : (tensor<16x4x1xi1>, tensor<16x4x1xi1>) -> tensor<16x4x1xi1>
    %37 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %38 = "stablehlo.reduce"(%36, %37) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg7: tensor<i1>, %arg8: tensor<i1>):
      %44 = "stablehlo.and"(%arg7, %arg8) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      "stablehlo.return"(%44) : (tensor<i1>) -> ()
    }) : (tensor<16x4x1xi1>, tensor<i1>) -> tensor<16x4xi1>
    %39 = "stablehlo.gather"(%arg5, %28) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 32>}> : (tensor<16x4x32xi32>, tensor<16x4x1xi32>) -> tensor<16x4x32xi32>
    %40 = "stablehlo.broadcast_in_dim"(%38) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x4xi1>) -> tensor<16x4x32xi1>
    %41 = "stablehlo.constant"() <{value = dense<-2147483648> : tensor<i32>}> : () -> tensor<i32>
    %42 = "stablehlo.broadcast_in_dim"(%41) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<16x4x32xi32>
    %43 = "stablehlo.select"(%40, %39, %42) : (tensor<16x4x32xi1>, tensor<16x4x32xi32>, tensor<16x4x32xi32>) -> tensor<16x4x32xi32>
    "func.return"(%43) : (tensor<16x4x32xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<16x4xi32>, tensor<i32>) -> tensor<16x4xi32>, res_attrs = [{}], sym_name = "remainder", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<16x4xi32>, %arg4: tensor<i32>):
    %1 = "stablehlo.convert"(%arg4) : (tensor<i32>) -> tensor<i32>
    %2 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %3 = "stablehlo.compare"(%1, %2) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %4 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %5 = "func.call"(%3, %4, %1) <{callee = @_where_0}> : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<16x4xi32>
    %7 = "stablehlo.remainder"(%arg3, %6) : (tensor<16x4xi32>, tensor<16x4xi32>) -> tensor<16x4xi32>
    %8 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<16x4xi32>
    %10 = "stablehlo.compare"(%7, %9) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<16x4xi32>, tensor<16x4xi32>) -> tensor<16x4xi1>
    %11 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %12 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<16x4xi32>
    %13 = "stablehlo.compare"(%7, %12) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<16x4xi32>, tensor<16x4xi32>) -> tensor<16x4xi1>
    %14 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %15 = "stablehlo.compare"(%5, %14) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %16 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<16x4xi1>
    %17 = "stablehlo.compare"(%13, %16) <{compare_type = #stablehlo<comparison_type UNSIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<16x4xi1>, tensor<16x4xi1>) -> tensor<16x4xi1>
    %18 = "stablehlo.and"(%17, %10) : (tensor<16x4xi1>, tensor<16x4xi1>) -> tensor<16x4xi1>
    %19 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<16x4xi32>
    %20 = "stablehlo.add"(%7, %19) : (tensor<16x4xi32>, tensor<16x4xi32>) -> tensor<16x4xi32>
    %21 = "stablehlo.select"(%18, %20, %7) : (tensor<16x4xi1>, tensor<16x4xi32>, tensor<16x4xi32>) -> tensor<16x4xi32>
    "func.return"(%21) : (tensor<16x4xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>, res_attrs = [{}], sym_name = "_where_0", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>):
    %0 = "stablehlo.select"(%arg0, %arg1, %arg2) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    "func.return"(%0) : (tensor<i32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
