"builtin.module"() <{sym_name = "jit_step"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["x"=8]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "x", size = 8 : i64}]}} : () -> ()
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}], function_type = (tensor<248x248xf32>) -> tensor<248x248xf32>, res_attrs = [{jax.result_info = "result", sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg11: tensor<248x248xf32>):
    %26 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<248xf32>
    %27 = "stablehlo.constant"() <{value = dense<1.240000e+02> : tensor<f32>}> : () -> tensor<f32>
    %28 = "stablehlo.broadcast_in_dim"(%27) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<248xf32>
    %29 = "stablehlo.add"(%26, %28) : (tensor<248xf32>, tensor<248xf32>) -> tensor<248xf32>
    %30 = "stablehlo.constant"() <{value = dense<248> : tensor<i32>}> : () -> tensor<i32>
    %31 = "func.call"(%29, %30) <{callee = @remainder}> : (tensor<248xf32>, tensor<i32>) -> tensor<248xf32>
    %32 = "stablehlo.constant"() <{value = dense<1.240000e+02> : tensor<f32>}> : () -> tensor<f32>
    %33 = "stablehlo.broadcast_in_dim"(%32) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<248xf32>
    %34 = "stablehlo.subtract"(%31, %33) : (tensor<248xf32>, tensor<248xf32>) -> tensor<248xf32>
    %35 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %36 = "stablehlo.broadcast_in_dim"(%35) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<248xf32>
    %37 = "stablehlo.divide"(%34, %36) : (tensor<248xf32>, tensor<248xf32>) -> tensor<248xf32>
    %38 = "stablehlo.broadcast_in_dim"(%37) <{broadcast_dimensions = array<i64: 0>}> : (tensor<248xf32>) -> tensor<248x1xf32>
    %39 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<125xf32>
    %40 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %41 = "stablehlo.broadcast_in_dim"(%40) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<125xf32>
    %42 = "stablehlo.divide"(%39, %41) : (tensor<125xf32>, tensor<125xf32>) -> tensor<125xf32>
    %43 = "stablehlo.broadcast_in_dim"(%42) <{broadcast_dimensions = array<i64: 1>}> : (tensor<125xf32>) -> tensor<1x125xf32>
    %44 = "stablehlo.multiply"(%38, %38) : (tensor<248x1xf32>, tensor<248x1xf32>) -> tensor<248x1xf32>
    %45 = "stablehlo.multiply"(%43, %43) : (tensor<1x125xf32>, tensor<1x125xf32>) -> tensor<1x125xf32>
    %46 = "stablehlo.broadcast_in_dim"(%44) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<248x1xf32>) -> tensor<248x125xf32>
    %47 = "stablehlo.broadcast_in_dim"(%45) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x125xf32>) -> tensor<248x125xf32>
    %48 = "stablehlo.add"(%46, %47) : (tensor<248x125xf32>, tensor<248x125xf32>) -> tensor<248x125xf32>
    %49 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %50 = "stablehlo.broadcast_in_dim"(%49) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<248x125xf32>
    %51 = "stablehlo.compare"(%48, %50) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<248x125xf32>, tensor<248x125xf32>) -> tensor<248x125xi1>
    %52 = "stablehlo.multiply"(%38, %38) : (tensor<248x1xf32>, tensor<248x1xf32>) -> tensor<248x1xf32>
    %53 = "stablehlo.multiply"(%43, %43) : (tensor<1x125xf32>, tensor<1x125xf32>) -> tensor<1x125xf32>
    %54 = "stablehlo.broadcast_in_dim"(%52) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<248x1xf32>) -> tensor<248x125xf32>
    %55 = "stablehlo.broadcast_in_dim"(%53) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x125xf32>) -> tensor<248x125xf32>
    %56 = "stablehlo.add"(%54, %55) : (tensor<248x125xf32>, tensor<248x125xf32>) -> tensor<248x125xf32>
    %57 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %58 = "func.call"(%51, %57, %56) <{callee = @_where}> : (tensor<248x125xi1>, tensor<f32>, tensor<248x125xf32>) -> tensor<248x125xf32>
    %59 = "func.call"(%arg11) <{callee = @fft}> : (tensor<248x248xf32>) -> tensor<248x125xcomplex<f32>>
    %60 = "sdy.sharding_constraint"(%59) <{sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}> : (tensor<248x125xcomplex<f32>>) -> tensor<248x125xcomplex<f32>>
    %61 = "stablehlo.convert"(%58) : (tensor<248x125xf32>) -> tensor<248x125xcomplex<f32>>
    %62 = "stablehlo.divide"(%60, %61) : (tensor<248x125xcomplex<f32>>, tensor<248x125xcomplex<f32>>) -> tensor<248x125xcomplex<f32>>
    %63 = "stablehlo.convert"(%43) : (tensor<1x125xf32>) -> tensor<1x125xcomplex<f32>>
    %64 = "stablehlo.constant"() <{value = dense<(0.000000e+00,1.000000e+00)> : tensor<complex<f32>>}> : () -> tensor<complex<f32>>
    %65 = "stablehlo.broadcast_in_dim"(%64) <{broadcast_dimensions = array<i64>}> : (tensor<complex<f32>>) -> tensor<1x125xcomplex<f32>>
    %66 = "stablehlo.multiply"(%65, %63) : (tensor<1x125xcomplex<f32>>, tensor<1x125xcomplex<f32>>) -> tensor<1x125xcomplex<f32>>
    %67 = "stablehlo.broadcast_in_dim"(%66) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x125xcomplex<f32>>) -> tensor<248x125xcomplex<f32>>
    %68 = "stablehlo.multiply"(%67, %62) : (tensor<248x125xcomplex<f32>>, tensor<248x125xcomplex<f32>>) -> tensor<248x125xcomplex<f32>>
    %69 = "sdy.sharding_constraint"(%68) <{sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}> : (tensor<248x125xcomplex<f32>>) -> tensor<248x125xcomplex<f32>>
    %70 = "func.call"(%69) <{callee = @fft_0}> : (tensor<248x125xcomplex<f32>>) -> tensor<248x248xf32>
    %71 = "sdy.sharding_constraint"(%70) <{sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}> : (tensor<248x248xf32>) -> tensor<248x248xf32>
    %72 = "stablehlo.convert"(%38) : (tensor<248x1xf32>) -> tensor<248x1xcomplex<f32>>
    %73 = "stablehlo.constant"() <{value = dense<(0.000000e+00,1.000000e+00)> : tensor<complex<f32>>}> : () -> tensor<complex<f32>>
    %74 = "stablehlo.broadcast_in_dim"(%73) <{broadcast_dimensions = array<i64>}> : (tensor<complex<f32>>) -> tensor<248x1xcomplex<f32>>
    %75 = "stablehlo.multiply"(%74, %72) : (tensor<248x1xcomplex<f32>>, tensor<248x1xcomplex<f32>>) -> tensor<248x1xcomplex<f32>>
    %76 = "stablehlo.broadcast_in_dim"(%75) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<248x1xcomplex<f32>>) -> tensor<248x125xcomplex<f32>>
    %77 = "stablehlo.multiply"(%76, %60) : (tensor<248x125xcomplex<f32>>, tensor<248x125xcomplex<f32>>) -> tensor<248x125xcomplex<f32>>
    %78 = "sdy.sharding_constraint"(%77) <{sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}> : (tensor<248x125xcomplex<f32>>) -> tensor<248x125xcomplex<f32>>
    %79 = "func.call"(%78) <{callee = @fft_0}> : (tensor<248x125xcomplex<f32>>) -> tensor<248x248xf32>
    %80 = "sdy.sharding_constraint"(%79) <{sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}> : (tensor<248x248xf32>) -> tensor<248x248xf32>
    %81 = "stablehlo.multiply"(%71, %80) : (tensor<248x248xf32>, tensor<248x248xf32>) -> tensor<248x248xf32>
    %82 = "stablehlo.convert"(%38) : (tensor<248x1xf32>) -> tensor<248x1xcomplex<f32>>
    %83 = "stablehlo.constant"() <{value = dense<(0.000000e+00,1.000000e+00)> : tensor<complex<f32>>}> : () -> tensor<complex<f32>>
    %84 = "stablehlo.broadcast_in_dim"(%83) <{broadcast_dimensions = array<i64>}> : (tensor<complex<f32>>) -> tensor<248x1xcomplex<f32>>
    %85 = "stablehlo.multiply"(%84, %82) : (tensor<248x1xcomplex<f32>>, tensor<248x1xcomplex<f32>>) -> tensor<248x1xcomplex<f32>>
    %86 = "stablehlo.broadcast_in_dim"(%85) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<248x1xcomplex<f32>>) -> tensor<248x125xcomplex<f32>>
    %87 = "stablehlo.multiply"(%86, %62) : (tensor<248x125xcomplex<f32>>, tensor<248x125xcomplex<f32>>) -> tensor<248x125xcomplex<f32>>
    %88 = "sdy.sharding_constraint"(%87) <{sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}> : (tensor<248x125xcomplex<f32>>) -> tensor<248x125xcomplex<f32>>
    %89 = "func.call"(%88) <{callee = @fft_0}> : (tensor<248x125xcomplex<f32>>) -> tensor<248x248xf32>
    %90 = "sdy.sharding_constraint"(%89) <{sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}> : (tensor<248x248xf32>) -> tensor<248x248xf32>
    %91 = "stablehlo.convert"(%43) : (tensor<1x125xf32>) -> tensor<1x125xcomplex<f32>>
    %92 = "stablehlo.constant"() <{value = dense<(0.000000e+00,1.000000e+00)> : tensor<complex<f32>>}> : () -> tensor<complex<f32>>
    %93 = "stablehlo.broadcast_in_dim"(%92) <{broadcast_dimensions = array<i64>}> : (tensor<complex<f32>>) -> tensor<1x125xcomplex<f32>>
    %94 = "stablehlo.multiply"(%93, %91) : (tensor<1x125xcomplex<f32>>, tensor<1x125xcomplex<f32>>) -> tensor<1x125xcomplex<f32>>
    %95 = "stablehlo.broadcast_in_dim"(%94) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x125xcomplex<f32>>) -> tensor<248x125xcomplex<f32>>
    %96 = "stablehlo.multiply"(%95, %60) : (tensor<248x125xcomplex<f32>>, tensor<248x125xcomplex<f32>>) -> tensor<248x125xcomplex<f32>>
    %97 = "sdy.sharding_constraint"(%96) <{sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}> : (tensor<248x125xcomplex<f32>>) -> tensor<248x125xcomplex<f32>>
    %98 = "func.call"(%97) <{callee = @fft_0}> : (tensor<248x125xcomplex<f32>>) -> tensor<248x248xf32>
    %99 = "sdy.sharding_constraint"(%98) <{sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}> : (tensor<248x248xf32>) -> tensor<248x248xf32>
    %100 = "stablehlo.multiply"(%90, %99) : (tensor<248x248xf32>, tensor<248x248xf32>) -> tensor<248x248xf32>
    %101 = "stablehlo.subtract"(%81, %100) : (tensor<248x248xf32>, tensor<248x248xf32>) -> tensor<248x248xf32>
    %102 = "stablehlo.abs"(%38) : (tensor<248x1xf32>) -> tensor<248x1xf32>
    %103 = "stablehlo.constant"() <{value = dense<82.6666641> : tensor<f32>}> : () -> tensor<f32>
    %104 = "stablehlo.broadcast_in_dim"(%103) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<248x1xf32>
    %105 = "stablehlo.compare"(%102, %104) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<248x1xf32>, tensor<248x1xf32>) -> tensor<248x1xi1>
    %106 = "stablehlo.constant"() <{value = dense<82.6666641> : tensor<f32>}> : () -> tensor<f32>
    %107 = "stablehlo.broadcast_in_dim"(%106) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x125xf32>
    %108 = "stablehlo.compare"(%43, %107) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<1x125xf32>, tensor<1x125xf32>) -> tensor<1x125xi1>
    %109 = "stablehlo.broadcast_in_dim"(%105) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<248x1xi1>) -> tensor<248x125xi1>
    %110 = "stablehlo.broadcast_in_dim"(%108) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x125xi1>) -> tensor<248x125xi1>
    %111 = "stablehlo.and"(%109, %110) : (tensor<248x125xi1>, tensor<248x125xi1>) -> tensor<248x125xi1>
    %112 = "func.call"(%101) <{callee = @fft_1}> : (tensor<248x248xf32>) -> tensor<248x125xcomplex<f32>>
    %113 = "sdy.sharding_constraint"(%112) <{sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}> : (tensor<248x125xcomplex<f32>>) -> tensor<248x125xcomplex<f32>>
    %114 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %115 = "func.call"(%111, %113, %114) <{callee = @_where_2}> : (tensor<248x125xi1>, tensor<248x125xcomplex<f32>>, tensor<i32>) -> tensor<248x125xcomplex<f32>>
    %116 = "stablehlo.constant"() <{value = dense<(1.000000e-03,0.000000e+00)> : tensor<complex<f32>>}> : () -> tensor<complex<f32>>
    %117 = "stablehlo.broadcast_in_dim"(%116) <{broadcast_dimensions = array<i64>}> : (tensor<complex<f32>>) -> tensor<248x125xcomplex<f32>>
    %118 = "stablehlo.multiply"(%117, %115) : (tensor<248x125xcomplex<f32>>, tensor<248x125xcomplex<f32>>) -> tensor<248x125xcomplex<f32>>
    %119 = "stablehlo.subtract"(%60, %118) : (tensor<248x125xcomplex<f32>>, tensor<248x125xcomplex<f32>>) -> tensor<248x125xcomplex<f32>>
    %120 = "stablehlo.constant"() <{value = dense<9.99999974E-6> : tensor<f32>}> : () -> tensor<f32>
    %121 = "stablehlo.broadcast_in_dim"(%120) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<248x125xf32>
    %122 = "stablehlo.multiply"(%121, %58) : (tensor<248x125xf32>, tensor<248x125xf32>) -> tensor<248x125xf32>
    %123 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %124 = "stablehlo.broadcast_in_dim"(%123) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<248x125xf32>
    %125 = "stablehlo.add"(%124, %122) : (tensor<248x125xf32>, tensor<248x125xf32>) -> tensor<248x125xf32>
    %126 = "stablehlo.convert"(%125) : (tensor<248x125xf32>) -> tensor<248x125xcomplex<f32>>
    %127 = "stablehlo.divide"(%119, %126) : (tensor<248x125xcomplex<f32>>, tensor<248x125xcomplex<f32>>) -> tensor<248x125xcomplex<f32>>
    %128 = "sdy.sharding_constraint"(%127) <{sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}> : (tensor<248x125xcomplex<f32>>) -> tensor<248x125xcomplex<f32>>
    %129 = "func.call"(%128) <{callee = @fft_0}> : (tensor<248x125xcomplex<f32>>) -> tensor<248x248xf32>
    %130 = "sdy.sharding_constraint"(%129) <{sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}> : (tensor<248x248xf32>) -> tensor<248x248xf32>
    "func.return"(%130) : (tensor<248x248xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<248xf32>, tensor<i32>) -> tensor<248xf32>, res_attrs = [{}], sym_name = "remainder", sym_visibility = "private"}> ({
  ^bb0(%arg9: tensor<248xf32>, %arg10: tensor<i32>):
    %9 = "stablehlo.convert"(%arg10) : (tensor<i32>) -> tensor<f32>
    %10 = "stablehlo.broadcast_in_dim"(%9) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<248xf32>
    %11 = "stablehlo.remainder"(%arg9, %10) : (tensor<248xf32>, tensor<248xf32>) -> tensor<248xf32>
    %12 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %13 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<248xf32>
    %14 = "stablehlo.compare"(%11, %13) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<248xf32>, tensor<248xf32>) -> tensor<248xi1>
    %15 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %16 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<248xf32>
    %17 = "stablehlo.compare"(%11, %16) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<248xf32>, tensor<248xf32>) -> tensor<248xi1>
    %18 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %19 = "stablehlo.compare"(%9, %18) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %20 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<248xi1>
    %21 = "stablehlo.compare"(%17, %20) <{compare_type = #stablehlo<comparison_type UNSIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<248xi1>, tensor<248xi1>) -> tensor<248xi1>
    %22 = "stablehlo.and"(%21, %14) : (tensor<248xi1>, tensor<248xi1>) -> tensor<248xi1>
    %23 = "stablehlo.broadcast_in_dim"(%9) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<248xf32>
    %24 = "stablehlo.add"(%11, %23) : (tensor<248xf32>, tensor<248xf32>) -> tensor<248xf32>
    %25 = "stablehlo.select"(%22, %24, %11) : (tensor<248xi1>, tensor<248xf32>, tensor<248xf32>) -> tensor<248xf32>
    "func.return"(%25) : (tensor<248xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<248x125xi1>, tensor<f32>, tensor<248x125xf32>) -> tensor<248x125xf32>, res_attrs = [{}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg6: tensor<248x125xi1>, %arg7: tensor<f32>, %arg8: tensor<248x125xf32>):
    %6 = "stablehlo.convert"(%arg7) : (tensor<f32>) -> tensor<f32>
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<248x125xf32>
    %8 = "stablehlo.select"(%arg6, %7, %arg8) : (tensor<248x125xi1>, tensor<248x125xf32>, tensor<248x125xf32>) -> tensor<248x125xf32>
    "func.return"(%8) : (tensor<248x125xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<248x248xf32>) -> tensor<248x125xcomplex<f32>>, res_attrs = [{}], sym_name = "fft", sym_visibility = "private"}> ({
  ^bb0(%arg5: tensor<248x248xf32>):
    %5 = "stablehlo.fft"(%arg5) <{fft_length = array<i64: 248, 248>, fft_type = #stablehlo<fft_type RFFT>}> : (tensor<248x248xf32>) -> tensor<248x125xcomplex<f32>>
    "func.return"(%5) : (tensor<248x125xcomplex<f32>>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<248x125xcomplex<f32>>) -> tensor<248x248xf32>, res_attrs = [{}], sym_name = "fft_0", sym_visibility = "private"}> ({
  ^bb0(%arg4: tensor<248x125xcomplex<f32>>):
    %4 = "stablehlo.fft"(%arg4) <{fft_length = array<i64: 248, 248>, fft_type = #stablehlo<fft_type IRFFT>}> : (tensor<248x125xcomplex<f32>>) -> tensor<248x248xf32>
    "func.return"(%4) : (tensor<248x248xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<248x248xf32>) -> tensor<248x125xcomplex<f32>>, res_attrs = [{}], sym_name = "fft_1", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<248x248xf32>):
    %3 = "stablehlo.fft"(%arg3) <{fft_length = array<i64: 248, 248>, fft_type = #stablehlo<fft_type RFFT>}> : (tensor<248x248xf32>) -> tensor<248x125xcomplex<f32>>
    "func.return"(%3) : (tensor<248x125xcomplex<f32>>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<248x125xi1>, tensor<248x125xcomplex<f32>>, tensor<i32>) -> tensor<248x125xcomplex<f32>>, res_attrs = [{}], sym_name = "_where_2", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<248x125xi1>, %arg1: tensor<248x125xcomplex<f32>>, %arg2: tensor<i32>):
    %0 = "stablehlo.convert"(%arg2) : (tensor<i32>) -> tensor<complex<f32>>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<complex<f32>>) -> tensor<248x125xcomplex<f32>>
    %2 = "stablehlo.select"(%arg0, %arg1, %1) : (tensor<248x125xi1>, tensor<248x125xcomplex<f32>>, tensor<248x125xcomplex<f32>>) -> tensor<248x125xcomplex<f32>>
    "func.return"(%2) : (tensor<248x125xcomplex<f32>>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
