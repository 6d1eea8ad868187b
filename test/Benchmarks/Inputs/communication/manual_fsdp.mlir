"builtin.module"() <{sym_name = "jit_step"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["data"=8]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "data", size = 8 : i64}]}} : () -> ()
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}], function_type = (tensor<1024x256xf32>, tensor<256x1024xf32>, tensor<4096x256xf32>) -> (tensor<1024x256xf32>, tensor<256x1024xf32>, tensor<f32>), res_attrs = [{jax.result_info = "result[0]['down']", sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, {jax.result_info = "result[0]['up']", sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, {jax.result_info = "result[1]", sdy.sharding = #sdy.sharding<@mesh, []>}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<1024x256xf32>, %arg1: tensor<256x1024xf32>, %arg2: tensor<4096x256xf32>):
    %0:13 = "sdy.manual_computation"(%arg2, %arg1, %arg0) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}]>, <@mesh, [{"data"}, {}]>, <@mesh, [{"data"}, {}]>]>, manual_axes = #sdy<manual_axes{"data"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}]>, <@mesh, [{"data"}]>, <@mesh, [{"data"}]>, <@mesh, [{"data"}, {}]>, <@mesh, [{"data"}, {}]>, <@mesh, [{"data"}]>, <@mesh, [{"data"}, {}]>, <@mesh, [{"data"}, {}]>, <@mesh, [{"data"}, {}]>, <@mesh, [{"data"}, {}]>, <@mesh, [{"data"}, {}]>, <@mesh, [{}]>, <@mesh, []>]>}> ({
    ^bb0(%arg21: tensor<512x256xf32>, %arg22: tensor<32x1024xf32>, %arg23: tensor<128x256xf32>):
      %41 = "stablehlo.all_gather"(%arg22) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> : (tensor<32x1024xf32>) -> tensor<256x1024xf32>
      %42 = "stablehlo.all_gather"(%arg23) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> : (tensor<128x256xf32>) -> tensor<1024x256xf32>
      %43 = "stablehlo.dot_general"(%arg21, %41) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<512x256xf32>, tensor<256x1024xf32>) -> tensor<512x1024xf32>
      %44 = "stablehlo.multiply"(%43, %43) : (tensor<512x1024xf32>, tensor<512x1024xf32>) -> tensor<512x1024xf32>
      %45 = "stablehlo.multiply"(%44, %43) : (tensor<512x1024xf32>, tensor<512x1024xf32>) -> tensor<512x1024xf32>
      %46 = "stablehlo.multiply"(%43, %43) : (tensor<512x1024xf32>, tensor<512x1024xf32>) -> tensor<512x1024xf32>
      %47 = "stablehlo.constant"() <{value = dense<3.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %48 = "stablehlo.broadcast_in_dim"(%47) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<512x1024xf32>
      %49 = "stablehlo.multiply"(%48, %46) : (tensor<512x1024xf32>, tensor<512x1024xf32>) -> tensor<512x1024xf32>
      %50 = "stablehlo.constant"() <{value = dense<4.471500e-02> : tensor<f32>}> : () -> tensor<f32>
      %51 = "stablehlo.broadcast_in_dim"(%50) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<512x1024xf32>
      %52 = "stablehlo.multiply"(%51, %45) : (tensor<512x1024xf32>, tensor<512x1024xf32>) -> tensor<512x1024xf32>
      %53 = "stablehlo.add"(%43, %52) : (tensor<512x1024xf32>, tensor<512x1024xf32>) -> tensor<512x1024xf32>
      %54 = "stablehlo.constant"() <{value = dense<0.797884583> : tensor<f32>}> : () -> tensor<f32>
      %55 = "stablehlo.broadcast_in_dim"(%54) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<512x1024xf32>
      %56 = "stablehlo.multiply"(%55, %53) : (tensor<512x1024xf32>, tensor<512x1024xf32>) -> tensor<512x1024xf32>
      %57 = "stablehlo.tanh"(%56) : (tensor<512x1024xf32>) -> tensor<512x1024xf32>
      %58 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %59 = "stablehlo.broadcast_in_dim"(%58) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<512x1024xf32>
      %60 = "stablehlo.subtract"(%59, %57) : (tensor<512x1024xf32>, tensor<512x1024xf32>) -> tensor<512x1024xf32>
      %61 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %62 = "stablehlo.broadcast_in_dim"(%61) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<512x1024xf32>
      %63 = "stablehlo.add"(%62, %57) : (tensor<512x1024xf32>, tensor<512x1024xf32>) -> tensor<512x1024xf32>
      %64 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
      %65 = "stablehlo.broadcast_in_dim"(%64) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<512x1024xf32>
      %66 = "stablehlo.multiply"(%65, %63) : (tensor<512x1024xf32>, tensor<512x1024xf32>) -> tensor<512x1024xf32>
      %67 = "stablehlo.multiply"(%43, %66) : (tensor<512x1024xf32>, tensor<512x1024xf32>) -> tensor<512x1024xf32>
      %68 = "stablehlo.dot_general"(%67, %42) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<512x1024xf32>, tensor<1024x256xf32>) -> tensor<512x256xf32>
      %69 = "stablehlo.subtract"(%68, %arg21) : (tensor<512x256xf32>, tensor<512x256xf32>) -> tensor<512x256xf32>
      %70 = "chlo.square"(%69) : (tensor<512x256xf32>) -> tensor<512x256xf32>
      %71 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %72 = "stablehlo.broadcast_in_dim"(%71) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<512x256xf32>
      %73 = "stablehlo.multiply"(%72, %69) : (tensor<512x256xf32>, tensor<512x256xf32>) -> tensor<512x256xf32>
      %74 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %75 = "stablehlo.reduce"(%70, %74) <{dimensions = array<i64: 0, 1>}> ({
      ^bb0(%arg26: tensor<f32>, %arg27: tensor<f32>):
        %85 = "stablehlo.add"(%arg26, %arg27) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%85) : (tensor<f32>) -> ()
      }) : (tensor<512x256xf32>, tensor<f32>) -> tensor<f32>
      %76 = "stablehlo.all_reduce"(%75) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> ({
      ^bb0(%arg24: tensor<f32>, %arg25: tensor<f32>):
        %84 = "stablehlo.add"(%arg24, %arg25) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%84) : (tensor<f32>) -> ()
      }) : (tensor<f32>) -> tensor<f32>
      %77 = "stablehlo.constant"() <{value = dense<0x49800000> : tensor<f32>}> : () -> tensor<f32>
      %78 = "stablehlo.divide"(%76, %77) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %79 = "stablehlo.broadcast_in_dim"(%50) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
      %80 = "stablehlo.broadcast_in_dim"(%54) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
      %81 = "stablehlo.broadcast_in_dim"(%64) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
      %82 = "stablehlo.constant"() <{value = dense<0x49800000> : tensor<f32>}> : () -> tensor<f32>
      %83 = "stablehlo.broadcast_in_dim"(%82) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
      "sdy.return"(%49, %79, %80, %57, %60, %81, %66, %43, %42, %67, %73, %83, %78) : (tensor<512x1024xf32>, tensor<1xf32>, tensor<1xf32>, tensor<512x1024xf32>, tensor<512x1024xf32>, tensor<1xf32>, tensor<512x1024xf32>, tensor<512x1024xf32>, tensor<1024x256xf32>, tensor<512x1024xf32>, tensor<512x256xf32>, tensor<1xf32>, tensor<f32>) -> ()
    }) : (tensor<4096x256xf32>, tensor<256x1024xf32>, tensor<1024x256xf32>) -> (tensor<4096x1024xf32>, tensor<8xf32>, tensor<8xf32>, tensor<4096x1024xf32>, tensor<4096x1024xf32>, tensor<8xf32>, tensor<4096x1024xf32>, tensor<4096x1024xf32>, tensor<8192x256xf32>, tensor<4096x1024xf32>, tensor<4096x256xf32>, tensor<1xf32>, tensor<f32>)
    %1 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %2:2 = "sdy.manual_computation"(%1, %arg2, %0#0, %0#1, %0#2, %0#3, %0#4, %0#5, %0#6, %0#7, %0#8, %0#9, %0#10, %0#11) <{in_shardings = #sdy.sharding_per_value<[<@mesh, []>, <@mesh, [{"data"}, {}]>, <@mesh, [{"data"}, {}]>, <@mesh, [{"data"}]>, <@mesh, [{"data"}]>, <@mesh, [{"data"}, {}]>, <@mesh, [{"data"}, {}]>, <@mesh, [{"data"}]>, <@mesh, [{"data"}, {}]>, <@mesh, [{"data"}, {}]>, <@mesh, [{"data"}, {}]>, <@mesh, [{"data"}, {}]>, <@mesh, [{"data"}, {}]>, <@mesh, [{}]>]>, manual_axes = #sdy<manual_axes{"data"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}]>, <@mesh, [{"data"}, {}]>]>}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<512x256xf32>, %arg5: tensor<512x1024xf32>, %arg6: tensor<1xf32>, %arg7: tensor<1xf32>, %arg8: tensor<512x1024xf32>, %arg9: tensor<512x1024xf32>, %arg10: tensor<1xf32>, %arg11: tensor<512x1024xf32>, %arg12: tensor<512x1024xf32>, %arg13: tensor<1024x256xf32>, %arg14: tensor<512x1024xf32>, %arg15: tensor<512x256xf32>, %arg16: tensor<1xf32>):
      %11 = "stablehlo.reshape"(%arg6) : (tensor<1xf32>) -> tensor<f32>
      %12 = "stablehlo.reshape"(%arg7) : (tensor<1xf32>) -> tensor<f32>
      %13 = "stablehlo.reshape"(%arg10) : (tensor<1xf32>) -> tensor<f32>
      %14 = "stablehlo.reshape"(%arg16) : (tensor<1xf32>) -> tensor<f32>
      %15 = "stablehlo.divide"(%arg3, %14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %16 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<512x256xf32>
      %17 = "stablehlo.multiply"(%16, %arg15) : (tensor<512x256xf32>, tensor<512x256xf32>) -> tensor<512x256xf32>
      %18 = "stablehlo.dot_general"(%17, %arg14) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<512x256xf32>, tensor<512x1024xf32>) -> tensor<256x1024xf32>
      %19 = "stablehlo.transpose"(%18) <{permutation = array<i64: 1, 0>}> : (tensor<256x1024xf32>) -> tensor<1024x256xf32>
      %20 = "stablehlo.dot_general"(%17, %arg13) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<512x256xf32>, tensor<1024x256xf32>) -> tensor<512x1024xf32>
      %21 = "stablehlo.multiply"(%arg12, %20) : (tensor<512x1024xf32>, tensor<512x1024xf32>) -> tensor<512x1024xf32>
      %22 = "stablehlo.multiply"(%20, %arg11) : (tensor<512x1024xf32>, tensor<512x1024xf32>) -> tensor<512x1024xf32>
      %23 = "stablehlo.broadcast_in_dim"(%13) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<512x1024xf32>
      %24 = "stablehlo.multiply"(%23, %21) : (tensor<512x1024xf32>, tensor<512x1024xf32>) -> tensor<512x1024xf32>
      %25 = "stablehlo.multiply"(%24, %arg9) : (tensor<512x1024xf32>, tensor<512x1024xf32>) -> tensor<512x1024xf32>
      %26 = "stablehlo.multiply"(%25, %arg8) : (tensor<512x1024xf32>, tensor<512x1024xf32>) -> tensor<512x1024xf32>
      %27 = "stablehlo.add"(%25, %26) : (tensor<512x1024xf32>, tensor<512x1024xf32>) -> tensor<512x1024xf32>
      %28 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<512x1024xf32>
      %29 = "stablehlo.multiply"(%28, %27) : (tensor<512x1024xf32>, tensor<512x1024xf32>) -> tensor<512x1024xf32>
      %30 = "stablehlo.add"(%22, %29) : (tensor<512x1024xf32>, tensor<512x1024xf32>) -> tensor<512x1024xf32>
      %31 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<512x1024xf32>
      %32 = "stablehlo.multiply"(%31, %29) : (tensor<512x1024xf32>, tensor<512x1024xf32>) -> tensor<512x1024xf32>
      %33 = "stablehlo.multiply"(%32, %arg5) : (tensor<512x1024xf32>, tensor<512x1024xf32>) -> tensor<512x1024xf32>
      %34 = "stablehlo.add"(%30, %33) : (tensor<512x1024xf32>, tensor<512x1024xf32>) -> tensor<512x1024xf32>
      %35 = "stablehlo.dot_general"(%34, %arg4) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<512x1024xf32>, tensor<512x256xf32>) -> tensor<1024x256xf32>
      %36 = "stablehlo.transpose"(%35) <{permutation = array<i64: 1, 0>}> : (tensor<1024x256xf32>) -> tensor<256x1024xf32>
      %37 = "stablehlo.reduce_scatter"(%19) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
      ^bb0(%arg19: tensor<f32>, %arg20: tensor<f32>):
        %40 = "stablehlo.add"(%arg19, %arg20) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%40) : (tensor<f32>) -> ()
      }) : (tensor<1024x256xf32>) -> tensor<128x256xf32>
      %38 = "stablehlo.reduce_scatter"(%36) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
      ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
        %39 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%39) : (tensor<f32>) -> ()
      }) : (tensor<256x1024xf32>) -> tensor<32x1024xf32>
      "sdy.return"(%38, %37) : (tensor<32x1024xf32>, tensor<128x256xf32>) -> ()
    }) : (tensor<f32>, tensor<4096x256xf32>, tensor<4096x1024xf32>, tensor<8xf32>, tensor<8xf32>, tensor<4096x1024xf32>, tensor<4096x1024xf32>, tensor<8xf32>, tensor<4096x1024xf32>, tensor<4096x1024xf32>, tensor<8192x256xf32>, tensor<4096x1024xf32>, tensor<4096x256xf32>, tensor<1xf32>) -> (tensor<256x1024xf32>, tensor<1024x256xf32>)
    %3 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1024x256xf32>
    %5 = "stablehlo.multiply"(%4, %2#1) : (tensor<1024x256xf32>, tensor<1024x256xf32>) -> tensor<1024x256xf32>
    %6 = "stablehlo.subtract"(%arg0, %5) : (tensor<1024x256xf32>, tensor<1024x256xf32>) -> tensor<1024x256xf32>
    %7 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %8 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x1024xf32>
    %9 = "stablehlo.multiply"(%8, %2#0) : (tensor<256x1024xf32>, tensor<256x1024xf32>) -> tensor<256x1024xf32>
    %10 = "stablehlo.subtract"(%arg1, %9) : (tensor<256x1024xf32>, tensor<256x1024xf32>) -> tensor<256x1024xf32>
    "func.return"(%6, %10, %0#12) : (tensor<1024x256xf32>, tensor<256x1024xf32>, tensor<f32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
