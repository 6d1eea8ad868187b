"builtin.module"() <{sym_name = "jit_step"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["data"=2, "fsdp"=2, "model"=2]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "fsdp", size = 2 : i64}, {name = "model", size = 2 : i64}]}} : () -> ()
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {"fsdp"}]>, tf.aliasing_output = 0 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>, tf.aliasing_output = 1 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{"data", "fsdp"}, {}]>}], function_type = (tensor<4096x256xf32>, tensor<256x256xf32>, tensor<16x128xi32>) -> (tensor<4096x256xf32>, tensor<256x256xf32>, tensor<f32>), res_attrs = [{jax.result_info = "result[0]['table']", sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {"fsdp"}]>}, {jax.result_info = "result[0]['w']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, {jax.result_info = "result[1]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<4096x256xf32>, %arg1: tensor<256x256xf32>, %arg2: tensor<16x128xi32>):
    %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<16x128xi32>
    %2 = "stablehlo.compare"(%arg2, %1) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<16x128xi32>, tensor<16x128xi32>) -> tensor<16x128xi1>
    %3 = "stablehlo.constant"() <{value = dense<4096> : tensor<i32>}> : () -> tensor<i32>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<16x128xi32>
    %5 = "stablehlo.add"(%arg2, %4) : (tensor<16x128xi32>, tensor<16x128xi32>) -> tensor<16x128xi32>
    %6 = "stablehlo.select"(%2, %5, %arg2) : (tensor<16x128xi1>, tensor<16x128xi32>, tensor<16x128xi32>) -> tensor<16x128xi32>
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x128xi32>) -> tensor<16x128x1xi32>
    %8 = "stablehlo.gather"(%arg0, %7) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 256>}> : (tensor<4096x256xf32>, tensor<16x128x1xi32>) -> tensor<16x128x256xf32>
    %9 = "sdy.sharding_constraint"(%8) <{sharding = #sdy.sharding<@mesh, [{"data", "fsdp"}, {}, {}]>}> : (tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %10 = "stablehlo.dot_general"(%9, %arg1) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x128x256xf32>, tensor<256x256xf32>) -> tensor<16x128x256xf32>
    %11 = "stablehlo.tanh"(%10) : (tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %12 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %13 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x128x256xf32>
    %14 = "stablehlo.subtract"(%13, %11) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %15 = "chlo.square"(%11) : (tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %16 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %17 = "stablehlo.broadcast_in_dim"(%16) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x128x256xf32>
    %18 = "stablehlo.multiply"(%17, %11) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %19 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %20 = "stablehlo.reduce"(%15, %19) <{dimensions = array<i64: 0, 1, 2>}> ({
    ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
      %47 = "stablehlo.add"(%arg5, %arg6) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%47) : (tensor<f32>) -> ()
    }) : (tensor<16x128x256xf32>, tensor<f32>) -> tensor<f32>
    %21 = "stablehlo.constant"() <{value = dense<5.242880e+05> : tensor<f32>}> : () -> tensor<f32>
    %22 = "stablehlo.divide"(%20, %21) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %23 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %24 = "stablehlo.constant"() <{value = dense<5.242880e+05> : tensor<f32>}> : () -> tensor<f32>
    %25 = "stablehlo.divide"(%23, %24) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %26 = "stablehlo.broadcast_in_dim"(%25) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x128x256xf32>
    %27 = "stablehlo.multiply"(%26, %18) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %28 = "stablehlo.multiply"(%27, %14) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %29 = "stablehlo.multiply"(%28, %11) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %30 = "stablehlo.add"(%28, %29) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %31 = "stablehlo.dot_general"(%30, %9) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<256x256xf32>
    %32 = "stablehlo.transpose"(%31) <{permutation = array<i64: 1, 0>}> : (tensor<256x256xf32>) -> tensor<256x256xf32>
    %33 = "stablehlo.dot_general"(%30, %arg1) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x128x256xf32>, tensor<256x256xf32>) -> tensor<16x128x256xf32>
    %34 = "sdy.sharding_constraint"(%33) <{sharding = #sdy.sharding<@mesh, [{"data", "fsdp"}, {}, {}]>}> : (tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %35 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %36 = "stablehlo.broadcast_in_dim"(%35) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4096x256xf32>
    %37 = "stablehlo.scatter"(%36, %7, %34) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %46 = "stablehlo.add"(%arg3, %arg4) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%46) : (tensor<f32>) -> ()
    }) : (tensor<4096x256xf32>, tensor<16x128x1xi32>, tensor<16x128x256xf32>) -> tensor<4096x256xf32>
    %38 = "stablehlo.constant"() <{value = dense<1.000000e+02> : tensor<f32>}> : () -> tensor<f32>
    %39 = "stablehlo.broadcast_in_dim"(%38) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4096x256xf32>
    %40 = "stablehlo.multiply"(%39, %37) : (tensor<4096x256xf32>, tensor<4096x256xf32>) -> tensor<4096x256xf32>
    %41 = "stablehlo.subtract"(%arg0, %40) : (tensor<4096x256xf32>, tensor<4096x256xf32>) -> tensor<4096x256xf32>
    %42 = "stablehlo.constant"() <{value = dense<1.000000e+02> : tensor<f32>}> : () -> tensor<f32>
    %43 = "stablehlo.broadcast_in_dim"(%42) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x256xf32>
    %44 = "stablehlo.multiply"(%43, %32) : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
    %45 = "stablehlo.subtract"(%arg1, %44) : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
    "func.return"(%41, %45, %22) : (tensor<4096x256xf32>, tensor<256x256xf32>, tensor<f32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
