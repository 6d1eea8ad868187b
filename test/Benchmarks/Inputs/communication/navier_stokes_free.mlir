"builtin.module"() <{sym_name = "jit_step"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["x"=8]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "x", size = 8 : i64}]}} : () -> ()
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}], function_type = (tensor<248x248xf32>) -> tensor<248x248xf32>, res_attrs = [{jax.result_info = "result", sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg10: tensor<248x248xf32>):
    %25 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<248xf32>
    %26 = "stablehlo.constant"() <{value = dense<1.240000e+02> : tensor<f32>}> : () -> tensor<f32>
    %27 = "stablehlo.broadcast_in_dim"(%26) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<248xf32>
    %28 = "stablehlo.add"(%25, %27) : (tensor<248xf32>, tensor<248xf32>) -> tensor<248xf32>
    %29 = "stablehlo.constant"() <{value = dense<248> : tensor<i32>}> : () -> tensor<i32>
    %30 = "func.call"(%28, %29) <{callee = @remainder}> : (tensor<248xf32>, tensor<i32>) -> tensor<248xf32>
    %31 = "stablehlo.constant"() <{value = dense<1.240000e+02> : tensor<f32>}> : () -> tensor<f32>
    %32 = "stablehlo.broadcast_in_dim"(%31) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<248xf32>
    %33 = "stablehlo.subtract"(%30, %32) : (tensor<248xf32>, tensor<248xf32>) -> tensor<248xf32>
    %34 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %35 = "stablehlo.broadcast_in_dim"(%34) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<248xf32>
    %36 = "stablehlo.divide"(%33, %35) : (tensor<248xf32>, tensor<248xf32>) -> tensor<248xf32>
    %37 = "stablehlo.broadcast_in_dim"(%36) <{broadcast_dimensions = array<i64: 0>}> : (tensor<248xf32>) -> tensor<248x1xf32>
    %38 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<125xf32>
    %39 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %40 = "stablehlo.broadcast_in_dim"(%39) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<125xf32>
    %41 = "stablehlo.divide"(%38, %40) : (tensor<125xf32>, tensor<125xf32>) -> tensor<125xf32>
    %42 = "stablehlo.broadcast_in_dim"(%41) <{broadcast_dimensions = array<i64: 1>}> : (tensor<125xf32>) -> tensor<1x125xf32>
    %43 = "stablehlo.multiply"(%37, %37) : (tensor<248x1xf32>, tensor<248x1xf32>) -> tensor<248x1xf32>
    %44 = "stablehlo.multiply"(%42, %42) : (tensor<1x125xf32>, tensor<1x125xf32>) -> tensor<1x125xf32>
    %45 = "stablehlo.broadcast_in_dim"(%43) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<248x1xf32>) -> tensor<248x125xf32>
    %46 = "stablehlo.broadcast_in_dim"(%44) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x125xf32>) -> tensor<248x125xf32>
    %47 = "stablehlo.add"(%45, %46) : (tensor<248x125xf32>, tensor<248x125xf32>) -> tensor<248x125xf32>
    %48 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %49 = "stablehlo.broadcast_in_dim"(%48) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<248x125xf32>
    %50 = "stablehlo.compare"(%47, %49) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<248x125xf32>, tensor<248x125xf32>) -> tensor<248x125xi1>
    %51 = "stablehlo.multiply"(%37, %37) : (tensor<248x1xf32>, tensor<248x1xf32>) -> tensor<248x1xf32>
    %52 = "stablehlo.multiply"(%42, %42) : (tensor<1x125xf32>, tensor<1x125xf32>) -> tensor<1x125xf32>
    %53 = "stablehlo.broadcast_in_dim"(%51) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<248x1xf32>) -> tensor<248x125xf32>
    %54 = "stablehlo.broadcast_in_dim"(%52) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x125xf32>) -> tensor<248x125xf32>
    %55 = "stablehlo.add"(%53, %54) : (tensor<248x125xf32>, tensor<248x125xf32>) -> tensor<248x125xf32>
    %56 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %57 = "func.call"(%50, %56, %55) <{callee = @_where}> : (tensor<248x125xi1>, tensor<f32>, tensor<248x125xf32>) -> tensor<248x125xf32>
    %58 = "func.call"(%arg10) <{callee = @fft}> : (tensor<248x248xf32>) -> tensor<248x125xcomplex<f32>>
    %59 = "stablehlo.convert"(%57) : (tensor<248x125xf32>) -> tensor<248x125xcomplex<f32>>
    %60 = "stablehlo.divide"(%58, %59) : (tensor<248x125xcomplex<f32>>, tensor<248x125xcomplex<f32>>) -> tensor<248x125xcomplex<f32>>
    %61 = "stablehlo.convert"(%42) : (tensor<1x125xf32>) -> tensor<1x125xcomplex<f32>>
    %62 = "stablehlo.constant"() <{value = dense<(0.000000e+00,1.000000e+00)> : tensor<complex<f32>>}> : () -> tensor<complex<f32>>
    %63 = "stablehlo.broadcast_in_dim"(%62) <{broadcast_dimensions = array<i64>}> : (tensor<complex<f32>>) -> tensor<1x125xcomplex<f32>>
    %64 = "stablehlo.multiply"(%63, %61) : (tensor<1x125xcomplex<f32>>, tensor<1x125xcomplex<f32>>) -> tensor<1x125xcomplex<f32>>
    %65 = "stablehlo.broadcast_in_dim"(%64) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x125xcomplex<f32>>) -> tensor<248x125xcomplex<f32>>
    %66 = "stablehlo.multiply"(%65, %60) : (tensor<248x125xcomplex<f32>>, tensor<248x125xcomplex<f32>>) -> tensor<248x125xcomplex<f32>>
    %67 = "func.call"(%66) <{callee = @fft_0}> : (tensor<248x125xcomplex<f32>>) -> tensor<248x248xf32>
    %68 = "stablehlo.convert"(%37) : (tensor<248x1xf32>) -> tensor<248x1xcomplex<f32>>
    %69 = "stablehlo.constant"() <{value = dense<(0.000000e+00,1.000000e+00)> : tensor<complex<f32>>}> : () -> tensor<complex<f32>>
    %70 = "stablehlo.broadcast_in_dim"(%69) <{broadcast_dimensions = array<i64>}> : (tensor<complex<f32>>) -> tensor<248x1xcomplex<f32>>
    %71 = "stablehlo.multiply"(%70, %68) : (tensor<248x1xcomplex<f32>>, tensor<248x1xcomplex<f32>>) -> tensor<248x1xcomplex<f32>>
    %72 = "stablehlo.broadcast_in_dim"(%71) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<248x1xcomplex<f32>>) -> tensor<248x125xcomplex<f32>>
    %73 = "stablehlo.multiply"(%72, %58) : (tensor<248x125xcomplex<f32>>, tensor<248x125xcomplex<f32>>) -> tensor<248x125xcomplex<f32>>
    %74 = "func.call"(%73) <{callee = @fft_0}> : (tensor<248x125xcomplex<f32>>) -> tensor<248x248xf32>
    %75 = "stablehlo.multiply"(%67, %74) : (tensor<248x248xf32>, tensor<248x248xf32>) -> tensor<248x248xf32>
    %76 = "stablehlo.convert"(%37) : (tensor<248x1xf32>) -> tensor<248x1xcomplex<f32>>
    %77 = "stablehlo.constant"() <{value = dense<(0.000000e+00,1.000000e+00)> : tensor<complex<f32>>}> : () -> tensor<complex<f32>>
    %78 = "stablehlo.broadcast_in_dim"(%77) <{broadcast_dimensions = array<i64>}> : (tensor<complex<f32>>) -> tensor<248x1xcomplex<f32>>
    %79 = "stablehlo.multiply"(%78, %76) : (tensor<248x1xcomplex<f32>>, tensor<248x1xcomplex<f32>>) -> tensor<248x1xcomplex<f32>>
    %80 = "stablehlo.broadcast_in_dim"(%79) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<248x1xcomplex<f32>>) -> tensor<248x125xcomplex<f32>>
    %81 = "stablehlo.multiply"(%80, %60) : (tensor<248x125xcomplex<f32>>, tensor<248x125xcomplex<f32>>) -> tensor<248x125xcomplex<f32>>
    %82 = "func.call"(%81) <{callee = @fft_0}> : (tensor<248x125xcomplex<f32>>) -> tensor<248x248xf32>
    %83 = "stablehlo.convert"(%42) : (tensor<1x125xf32>) -> tensor<1x125xcomplex<f32>>
    %84 = "stablehlo.constant"() <{value = dense<(0.000000e+00,1.000000e+00)> : tensor<complex<f32>>}> : () -> tensor<complex<f32>>
    %85 = "stablehlo.broadcast_in_dim"(%84) <{broadcast_dimensions = array<i64>}> : (tensor<complex<f32>>) -> tensor<1x125xcomplex<f32>>
    %86 = "stablehlo.multiply"(%85, %83) : (tensor<1x125xcomplex<f32>>, tensor<1x125xcomplex<f32>>) -> tensor<1x125xcomplex<f32>>
    %87 = "stablehlo.broadcast_in_dim"(%86) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x125xcomplex<f32>>) -> tensor<248x125xcomplex<f32>>
    %88 = "stablehlo.multiply"(%87, %58) : (tensor<248x125xcomplex<f32>>, tensor<248x125xcomplex<f32>>) -> tensor<248x125xcomplex<f32>>
    %89 = "func.call"(%88) <{callee = @fft_0}> : (tensor<248x125xcomplex<f32>>) -> tensor<248x248xf32>
    %90 = "stablehlo.multiply"(%82, %89) : (tensor<248x248xf32>, tensor<248x248xf32>) -> tensor<248x248xf32>
    %91 = "stablehlo.subtract"(%75, %90) : (tensor<248x248xf32>, tensor<248x248xf32>) -> tensor<248x248xf32>
    %92 = "stablehlo.abs"(%37) : (tensor<248x1xf32>) -> tensor<248x1xf32>
    %93 = "stablehlo.constant"() <{value = dense<82.6666641> : tensor<f32>}> : () -> tensor<f32>
    %94 = "stablehlo.broadcast_in_dim"(%93) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<248x1xf32>
    %95 = "stablehlo.compare"(%92, %94) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<248x1xf32>, tensor<248x1xf32>) -> tensor<248x1xi1>
    %96 = "stablehlo.constant"() <{value = dense<82.6666641> : tensor<f32>}> : () -> tensor<f32>
    %97 = "stablehlo.broadcast_in_dim"(%96) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x125xf32>
    %98 = "stablehlo.compare"(%42, %97) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<1x125xf32>, tensor<1x125xf32>) -> tensor<1x125xi1>
    %99 = "stablehlo.broadcast_in_dim"(%95) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<248x1xi1>) -> tensor<248x125xi1>
    %100 = "stablehlo.broadcast_in_dim"(%98) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x125xi1>) -> tensor<248x125xi1>
    %101 = "stablehlo.and"(%99, %100) : (tensor<248x125xi1>, tensor<248x125xi1>) -> tensor<248x125xi1>
    %102 = "func.call"(%91) <{callee = @fft}> : (tensor<248x248xf32>) -> tensor<248x125xcomplex<f32>>
    %103 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %104 = "func.call"(%101, %102, %103) <{callee = @_where_1}> : (tensor<248x125xi1>, tensor<248x125xcomplex<f32>>, tensor<i32>) -> tensor<248x125xcomplex<f32>>
    %105 = "stablehlo.constant"() <{value = dense<(1.000000e-03,0.000000e+00)> : tensor<complex<f32>>}> : () -> tensor<complex<f32>>
    %106 = "stablehlo.broadcast_in_dim"(%105) <{broadcast_dimensions = array<i64>}> : (tensor<complex<f32>>) -> tensor<248x125xcomplex<f32>>
    %107 = "stablehlo.multiply"(%106, %104) : (tensor<248x125xcomplex<f32>>, tensor<248x125xcomplex<f32>>) -> tensor<248x125xcomplex<f32>>
    %108 = "stablehlo.subtract"(%58, %107) : (tensor<248x125xcomplex<f32>>, tensor<248x125xcomplex<f32>>) -> tensor<248x125xcomplex<f32>>
    %109 = "stablehlo.constant"() <{value = dense<9.99999974E-6> : tensor<f32>}> : () -> tensor<f32>
    %110 = "stablehlo.broadcast_in_dim"(%109) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<248x125xf32>
    %111 = "stablehlo.multiply"(%110, %57) : (tensor<248x125xf32>, tensor<248x125xf32>) -> tensor<248x125xf32>
    %112 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %113 = "stablehlo.broadcast_in_dim"(%112) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<248x125xf32>
    %114 = "stablehlo.add"(%113, %111) : (tensor<248x125xf32>, tensor<248x125xf32>) -> tensor<248x125xf32>
    %115 = "stablehlo.convert"(%114) : (tensor<248x125xf32>) -> tensor<248x125xcomplex<f32>>
    %116 = "stablehlo.divide"(%108, %115) : (tensor<248x125xcomplex<f32>>, tensor<248x125xcomplex<f32>>) -> tensor<248x125xcomplex<f32>>
    %117 = "func.call"(%116) <{callee = @fft_0}> : (tensor<248x125xcomplex<f32>>) -> tensor<248x248xf32>
    "func.return"(%117) : (tensor<248x248xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<248xf32>, tensor<i32>) -> tensor<248xf32>, res_attrs = [{}], sym_name = "remainder", sym_visibility = "private"}> ({
  ^bb0(%arg8: tensor<248xf32>, %arg9: tensor<i32>):
    %8 = "stablehlo.convert"(%arg9) : (tensor<i32>) -> tensor<f32>
    %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<248xf32>
    %10 = "stablehlo.remainder"(%arg8, %9) : (tensor<248xf32>, tensor<248xf32>) -> tensor<248xf32>
    %11 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %12 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<248xf32>
    %13 = "stablehlo.compare"(%10, %12) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<248xf32>, tensor<248xf32>) -> tensor<248xi1>
    %14 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %15 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<248xf32>
    %16 = "stablehlo.compare"(%10, %15) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<248xf32>, tensor<248xf32>) -> tensor<248xi1>
    %17 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %18 = "stablehlo.compare"(%8, %17) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %19 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<248xi1>
    %20 = "stablehlo.compare"(%16, %19) <{compare_type = #stablehlo<comparison_type UNSIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<248xi1>, tensor<248xi1>) -> tensor<248xi1>
    %21 = "stablehlo.and"(%20, %13) : (tensor<248xi1>, tensor<248xi1>) -> tensor<248xi1>
    %22 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<248xf32>
    %23 = "stablehlo.add"(%10, %22) : (tensor<248xf32>, tensor<248xf32>) -> tensor<248xf32>
    %24 = "stablehlo.select"(%21, %23, %10) : (tensor<248xi1>, tensor<248xf32>, tensor<248xf32>) -> tensor<248xf32>
    "func.return"(%24) : (tensor<248xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<248x125xi1>, tensor<f32>, tensor<248x125xf32>) -> tensor<248x125xf32>, res_attrs = [{}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg5: tensor<248x125xi1>, %arg6: tensor<f32>, %arg7: tensor<248x125xf32>):
    %5 = "stablehlo.convert"(%arg6) : (tensor<f32>) -> tensor<f32>
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<248x125xf32>
    %7 = "stablehlo.select"(%arg5, %6, %arg7) : (tensor<248x125xi1>, tensor<248x125xf32>, tensor<248x125xf32>) -> tensor<248x125xf32>
    "func.return"(%7) : (tensor<248x125xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<248x248xf32>) -> tensor<248x125xcomplex<f32>>, res_attrs = [{}], sym_name = "fft", sym_visibility = "private"}> ({
  ^bb0(%arg4: tensor<248x248xf32>):
    %4 = "stablehlo.fft"(%arg4) <{fft_length = array<i64: 248, 248>, fft_type = #stablehlo<fft_type RFFT>}> : (tensor<248x248xf32>) -> tensor<248x125xcomplex<f32>>
    "func.return"(%4) : (tensor<248x125xcomplex<f32>>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<248x125xcomplex<f32>>) -> tensor<248x248xf32>, res_attrs = [{}], sym_name = "fft_0", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<248x125xcomplex<f32>>):
    %3 = "stablehlo.fft"(%arg3) <{fft_length = array<i64: 248, 248>, fft_type = #stablehlo<fft_type IRFFT>}> : (tensor<248x125xcomplex<f32>>) -> tensor<248x248xf32>
    "func.return"(%3) : (tensor<248x248xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<248x125xi1>, tensor<248x125xcomplex<f32>>, tensor<i32>) -> tensor<248x125xcomplex<f32>>, res_attrs = [{}], sym_name = "_where_1", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<248x125xi1>, %arg1: tensor<248x125xcomplex<f32>>, %arg2: tensor<i32>):
    %0 = "stablehlo.convert"(%arg2) : (tensor<i32>) -> tensor<complex<f32>>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<complex<f32>>) -> tensor<248x125xcomplex<f32>>
    %2 = "stablehlo.select"(%arg0, %arg1, %1) : (tensor<248x125xi1>, tensor<248x125xcomplex<f32>>, tensor<248x125xcomplex<f32>>) -> tensor<248x125xcomplex<f32>>
    "func.return"(%2) : (tensor<248x125xcomplex<f32>>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
