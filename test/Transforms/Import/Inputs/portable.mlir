"builtin.module"() <{sym_name = "portable"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["data"=2, "model"=4]>, sym_name = "mesh"}> : () -> ()
  "sdy.mesh"() <{mesh = #sdy.mesh<["x"=2, "y"=2], device_ids=[0, 2, 1, 3]>, sym_name = "turned"}> : () -> ()
  "sdy.mesh"() <{mesh = #sdy.mesh<[]>, sym_name = "empty_mesh"}> : () -> ()
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"data"}p1, {?}]>, tf.aliasing_output = 2 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{"model":(1)2, ?}, {}], replicated={"data"}>, tf.aliasing_output = 1 : i32}, {}, {}, {}, {}, {}], function_type = (tensor<8x16xf32>, tensor<16x8xf32>, tensor<3x3x4x16xf32>, tensor<1x8x8x4xf32>, tensor<4xcomplex<f64>>, tensor<3x3xi1>, tensor<?x4xi32, #stablehlo.bounds<8, ?>>) -> (tensor<8x8xf32>, tensor<16x8xf32>, tensor<8x16xf32>), res_attrs = [{jax.result_info = "result[0]", sdy.sharding = #sdy.sharding<@mesh, [{}, {}], unreduced={"model"}>}, {jax.result_info = "result[1]"}, {}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg5: tensor<8x16xf32>, %arg6: tensor<16x8xf32>, %arg7: tensor<3x3x4x16xf32>, %arg8: tensor<1x8x8x4xf32>, %arg9: tensor<4xcomplex<f64>>, %arg10: tensor<3x3xi1>, %arg11: tensor<?x4xi32, #stablehlo.bounds<8, ?>>):
    %4 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %5 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
    %6 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %7 = "stablehlo.constant"() <{value = dense<[[0], [3]]> : tensor<2x1xi32>}> : () -> tensor<2x1xi32>
    %8 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %9 = "stablehlo.dot_general"(%arg5, %arg6) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision DEFAULT>]}> : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
    %10 = "stablehlo.exponential"(%9) <{result_accuracy = #stablehlo.result_accuracy<atol = 1.000000e-05, ulps = 10, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %11 = "sdy.sharding_constraint"(%10) <{sharding = #sdy.sharding<@mesh, [{"data", ?}, {"model"}]>}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %12 = "stablehlo.compare"(%11, %9) <{compare_type = #stablehlo<comparison_type TOTALORDER>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xi1>
    %13 = "func.call"(%12, %11, %8) <{callee = @pick}> : (tensor<8x8xi1>, tensor<8x8xf32>, tensor<f32>) -> tensor<8x8xf32>
    %14 = "sdy.manual_computation"(%arg6) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"model"}, {}]>]>, manual_axes = #sdy<manual_axes{"data", "model"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"model"}, {}]>]>}> ({
    ^bb0(%arg18: tensor<4x8xf32>):
      %22 = "stablehlo.all_reduce"(%arg18) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg19: tensor<f32>, %arg20: tensor<f32>):
        %24 = "stablehlo.add"(%arg19, %arg20) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%24) : (tensor<f32>) -> ()
      }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
      %23 = "func.call"(%22) <{callee = @twice}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
      "sdy.return"(%23) : (tensor<4x8xf32>) -> ()
    }) : (tensor<16x8xf32>) -> tensor<16x8xf32>
    %15 = "stablehlo.gather"(%arg5, %7) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = true, slice_sizes = array<i64: 1, 16>}> : (tensor<8x16xf32>, tensor<2x1xi32>) -> tensor<2x16xf32>
    %16 = "stablehlo.scatter"(%arg5, %7, %15) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
    ^bb0(%arg16: tensor<f32>, %arg17: tensor<f32>):
      %21 = "stablehlo.add"(%arg16, %arg17) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%21) : (tensor<f32>) -> ()
    }) : (tensor<8x16xf32>, tensor<2x1xi32>, tensor<2x16xf32>) -> tensor<8x16xf32>
    %17:2 = "stablehlo.while"(%6, %16) ({
    ^bb0(%arg14: tensor<i32>, %arg15: tensor<8x16xf32>):
      %20 = "stablehlo.compare"(%arg14, %5) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%20) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg12: tensor<i32>, %arg13: tensor<8x16xf32>):
      %19 = "stablehlo.add"(%arg12, %4) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%19, %arg13) : (tensor<i32>, tensor<8x16xf32>) -> ()
    }) : (tensor<i32>, tensor<8x16xf32>) -> (tensor<i32>, tensor<8x16xf32>)
    %18 = "stablehlo.composite"(%8) <{composite_attributes = {n = 1 : i32}, decomposition = @square, name = "own.square", version = 2 : i32}> : (tensor<f32>) -> tensor<f32>
    "func.return"(%13, %14, %17#1) : (tensor<8x8xf32>, tensor<16x8xf32>, tensor<8x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<8x8xi1>, tensor<8x8xf32>, tensor<f32>) -> tensor<8x8xf32>, sym_name = "pick", sym_visibility = "private"}> ({
  ^bb0(%arg2: tensor<8x8xi1>, %arg3: tensor<8x8xf32>, %arg4: tensor<f32>):
    %2 = "stablehlo.broadcast_in_dim"(%arg4) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x8xf32>
    %3 = "stablehlo.select"(%arg2, %arg3, %2) : (tensor<8x8xi1>, tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    "func.return"(%3) : (tensor<8x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<4x8xf32>) -> tensor<4x8xf32>, sym_name = "twice", sym_visibility = "private"}> ({
  ^bb0(%arg1: tensor<4x8xf32>):
    %1 = "stablehlo.add"(%arg1, %arg1) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    "func.return"(%1) : (tensor<4x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<f32>) -> tensor<f32>, sym_name = "square", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<f32>):
    %0 = "stablehlo.multiply"(%arg0, %arg0) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "func.return"(%0) : (tensor<f32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 8 : i32} : () -> ()
