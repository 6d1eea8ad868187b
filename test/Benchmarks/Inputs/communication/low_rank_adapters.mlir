"builtin.module"() <{sym_name = "jit_step"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["data"=2, "model"=4]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}} : () -> ()
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}], function_type = (tensor<512x16xf32>, tensor<2048x16xf32>, tensor<16x2048xf32>, tensor<16x512xf32>, tensor<2048x512xf32>, tensor<512x2048xf32>, tensor<2048x512xf32>, tensor<2048x512xf32>) -> (tensor<512x16xf32>, tensor<2048x16xf32>, tensor<16x2048xf32>, tensor<16x512xf32>, tensor<f32>), res_attrs = [{jax.result_info = "result[0]['a1']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, {jax.result_info = "result[0]['a2']", sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}, {jax.result_info = "result[0]['b1']", sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, {jax.result_info = "result[0]['b2']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, {jax.result_info = "result[1]", sdy.sharding = #sdy.sharding<@mesh, []>}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<512x16xf32>, %arg1: tensor<2048x16xf32>, %arg2: tensor<16x2048xf32>, %arg3: tensor<16x512xf32>, %arg4: tensor<2048x512xf32>, %arg5: tensor<512x2048xf32>, %arg6: tensor<2048x512xf32>, %arg7: tensor<2048x512xf32>):
    %0 = "stablehlo.dot_general"(%arg6, %arg5) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2048x512xf32>, tensor<512x2048xf32>) -> tensor<2048x2048xf32>
    %1 = "stablehlo.dot_general"(%arg6, %arg0) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2048x512xf32>, tensor<512x16xf32>) -> tensor<2048x16xf32>
    %2 = "stablehlo.dot_general"(%1, %arg2) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2048x16xf32>, tensor<16x2048xf32>) -> tensor<2048x2048xf32>
    %3 = "stablehlo.add"(%0, %2) : (tensor<2048x2048xf32>, tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
    %4 = "stablehlo.multiply"(%3, %3) : (tensor<2048x2048xf32>, tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
    %5 = "stablehlo.multiply"(%4, %3) : (tensor<2048x2048xf32>, tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
    %6 = "stablehlo.multiply"(%3, %3) : (tensor<2048x2048xf32>, tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
    %7 = "stablehlo.constant"() <{value = dense<3.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %8 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2048x2048xf32>
    %9 = "stablehlo.multiply"(%8, %6) : (tensor<2048x2048xf32>, tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
    %10 = "stablehlo.constant"() <{value = dense<4.471500e-02> : tensor<f32>}> : () -> tensor<f32>
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2048x2048xf32>
    %12 = "stablehlo.multiply"(%11, %5) : (tensor<2048x2048xf32>, tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
    %13 = "stablehlo.add"(%3, %12) : (tensor<2048x2048xf32>, tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
    %14 = "stablehlo.constant"() <{value = dense<0.797884583> : tensor<f32>}> : () -> tensor<f32>
    %15 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2048x2048xf32>
    %16 = "stablehlo.multiply"(%15, %13) : (tensor<2048x2048xf32>, tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
    %17 = "stablehlo.tanh"(%16) : (tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
    %18 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %19 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2048x2048xf32>
    %20 = "stablehlo.subtract"(%19, %17) : (tensor<2048x2048xf32>, tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
    %21 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %22 = "stablehlo.broadcast_in_dim"(%21) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2048x2048xf32>
    %23 = "stablehlo.add"(%22, %17) : (tensor<2048x2048xf32>, tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
    %24 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %25 = "stablehlo.broadcast_in_dim"(%24) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2048x2048xf32>
    %26 = "stablehlo.multiply"(%25, %23) : (tensor<2048x2048xf32>, tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
    %27 = "stablehlo.multiply"(%3, %26) : (tensor<2048x2048xf32>, tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
    %28 = "stablehlo.dot_general"(%27, %arg4) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2048x2048xf32>, tensor<2048x512xf32>) -> tensor<2048x512xf32>
    %29 = "stablehlo.dot_general"(%27, %arg1) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2048x2048xf32>, tensor<2048x16xf32>) -> tensor<2048x16xf32>
    %30 = "stablehlo.dot_general"(%29, %arg3) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2048x16xf32>, tensor<16x512xf32>) -> tensor<2048x512xf32>
    %31 = "stablehlo.add"(%28, %30) : (tensor<2048x512xf32>, tensor<2048x512xf32>) -> tensor<2048x512xf32>
    %32 = "stablehlo.subtract"(%31, %arg7) : (tensor<2048x512xf32>, tensor<2048x512xf32>) -> tensor<2048x512xf32>
    %33 = "chlo.square"(%32) : (tensor<2048x512xf32>) -> tensor<2048x512xf32>
    %34 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %35 = "stablehlo.broadcast_in_dim"(%34) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2048x512xf32>
    %36 = "stablehlo.multiply"(%35, %32) : (tensor<2048x512xf32>, tensor<2048x512xf32>) -> tensor<2048x512xf32>
    %37 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %38 = "stablehlo.reduce"(%33, %37) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg8: tensor<f32>, %arg9: tensor<f32>):
      %92 = "stablehlo.add"(%arg8, %arg9) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%92) : (tensor<f32>) -> ()
    }) : (tensor<2048x512xf32>, tensor<f32>) -> tensor<f32>
    %39 = "stablehlo.constant"() <{value = dense<0x49800000> : tensor<f32>}> : () -> tensor<f32>
    %40 = "stablehlo.divide"(%38, %39) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %41 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %42 = "stablehlo.constant"() <{value = dense<0x49800000> : tensor<f32>}> : () -> tensor<f32>
    %43 = "stablehlo.divide"(%41, %42) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %44 = "stablehlo.broadcast_in_dim"(%43) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2048x512xf32>
    %45 = "stablehlo.multiply"(%44, %36) : (tensor<2048x512xf32>, tensor<2048x512xf32>) -> tensor<2048x512xf32>
    %46 = "stablehlo.dot_general"(%45, %29) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2048x512xf32>, tensor<2048x16xf32>) -> tensor<512x16xf32>
    %47 = "stablehlo.transpose"(%46) <{permutation = array<i64: 1, 0>}> : (tensor<512x16xf32>) -> tensor<16x512xf32>
    %48 = "stablehlo.dot_general"(%45, %arg3) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2048x512xf32>, tensor<16x512xf32>) -> tensor<2048x16xf32>
    %49 = "stablehlo.dot_general"(%48, %27) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2048x16xf32>, tensor<2048x2048xf32>) -> tensor<16x2048xf32>
    %50 = "stablehlo.transpose"(%49) <{permutation = array<i64: 1, 0>}> : (tensor<16x2048xf32>) -> tensor<2048x16xf32>
    %51 = "stablehlo.dot_general"(%48, %arg1) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2048x16xf32>, tensor<2048x16xf32>) -> tensor<2048x2048xf32>
    %52 = "stablehlo.dot_general"(%45, %arg4) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2048x512xf32>, tensor<2048x512xf32>) -> tensor<2048x2048xf32>
    %53 = "stablehlo.add"(%51, %52) : (tensor<2048x2048xf32>, tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
    %54 = "stablehlo.multiply"(%3, %53) : (tensor<2048x2048xf32>, tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
    %55 = "stablehlo.multiply"(%53, %26) : (tensor<2048x2048xf32>, tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
    %56 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %57 = "stablehlo.broadcast_in_dim"(%56) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2048x2048xf32>
    %58 = "stablehlo.multiply"(%57, %54) : (tensor<2048x2048xf32>, tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
    %59 = "stablehlo.multiply"(%58, %20) : (tensor<2048x2048xf32>, tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
    %60 = "stablehlo.multiply"(%59, %17) : (tensor<2048x2048xf32>, tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
    %61 = "stablehlo.add"(%59, %60) : (tensor<2048x2048xf32>, tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
    %62 = "stablehlo.constant"() <{value = dense<0.797884583> : tensor<f32>}> : () -> tensor<f32>
    %63 = "stablehlo.broadcast_in_dim"(%62) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2048x2048xf32>
    %64 = "stablehlo.multiply"(%63, %61) : (tensor<2048x2048xf32>, tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
    %65 = "stablehlo.add"(%55, %64) : (tensor<2048x2048xf32>, tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
    %66 = "stablehlo.constant"() <{value = dense<4.471500e-02> : tensor<f32>}> : () -> tensor<f32>
    %67 = "stablehlo.broadcast_in_dim"(%66) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2048x2048xf32>
    %68 = "stablehlo.multiply"(%67, %64) : (tensor<2048x2048xf32>, tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
    %69 = "stablehlo.multiply"(%68, %9) : (tensor<2048x2048xf32>, tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
    %70 = "stablehlo.add"(%65, %69) : (tensor<2048x2048xf32>, tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
    %71 = "stablehlo.dot_general"(%70, %1) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2048x2048xf32>, tensor<2048x16xf32>) -> tensor<2048x16xf32>
    %72 = "stablehlo.transpose"(%71) <{permutation = array<i64: 1, 0>}> : (tensor<2048x16xf32>) -> tensor<16x2048xf32>
    %73 = "stablehlo.dot_general"(%70, %arg2) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2048x2048xf32>, tensor<16x2048xf32>) -> tensor<2048x16xf32>
    %74 = "stablehlo.dot_general"(%73, %arg6) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2048x16xf32>, tensor<2048x512xf32>) -> tensor<16x512xf32>
    %75 = "stablehlo.transpose"(%74) <{permutation = array<i64: 1, 0>}> : (tensor<16x512xf32>) -> tensor<512x16xf32>
    %76 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %77 = "stablehlo.broadcast_in_dim"(%76) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<512x16xf32>
    %78 = "stablehlo.multiply"(%77, %75) : (tensor<512x16xf32>, tensor<512x16xf32>) -> tensor<512x16xf32>
    %79 = "stablehlo.subtract"(%arg0, %78) : (tensor<512x16xf32>, tensor<512x16xf32>) -> tensor<512x16xf32>
    %80 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %81 = "stablehlo.broadcast_in_dim"(%80) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2048x16xf32>
    %82 = "stablehlo.multiply"(%81, %50) : (tensor<2048x16xf32>, tensor<2048x16xf32>) -> tensor<2048x16xf32>
    %83 = "stablehlo.subtract"(%arg1, %82) : (tensor<2048x16xf32>, tensor<2048x16xf32>) -> tensor<2048x16xf32>
    %84 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %85 = "stablehlo.broadcast_in_dim"(%84) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x2048xf32>
    %86 = "stablehlo.multiply"(%85, %72) : (tensor<16x2048xf32>, tensor<16x2048xf32>) -> tensor<16x2048xf32>
    %87 = "stablehlo.subtract"(%arg2, %86) : (tensor<16x2048xf32>, tensor<16x2048xf32>) -> tensor<16x2048xf32>
    %88 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %89 = "stablehlo.broadcast_in_dim"(%88) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x512xf32>
    %90 = "stablehlo.multiply"(%89, %47) : (tensor<16x512xf32>, tensor<16x512xf32>) -> tensor<16x512xf32>
    %91 = "stablehlo.subtract"(%arg3, %90) : (tensor<16x512xf32>, tensor<16x512xf32>) -> tensor<16x512xf32>
    "func.return"(%79, %83, %87, %91, %40) : (tensor<512x16xf32>, tensor<2048x16xf32>, tensor<16x2048xf32>, tensor<16x512xf32>, tensor<f32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
