"builtin.module"() <{sym_name = "jit_f"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<8x16xf32>, tensor<16x4xf32>, tensor<8x16xf32>) -> (tensor<8x4xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<16xf32>, tensor<8x4xf32>, tensor<8x16xi8>, tensor<8x16xi1>), res_attrs = [{jax.name = ""}, {jax.name = ""}, {jax.name = ""}, {jax.name = ""}, {jax.name = ""}, {jax.name = ""}, {jax.name = ""}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg12: tensor<8x16xf32>, %arg13: tensor<16x4xf32>, %arg14: tensor<8x16xf32>):
    %21 = "stablehlo.constant"() <{value = dense<[2.000000e-02, 3.000000e-02, 4.000000e-02, 5.000000e-02]> : tensor<4xf32>}> : () -> tensor<4xf32>
    %22 = "stablehlo.constant"() <{value = dense<[0.000000e+00, 1.000000e+00, 0.000000e+00, -2.000000e+00]> : tensor<4xf32>}> : () -> tensor<4xf32>
    %23 = "stablehlo.constant"() <{value = dense<5.000000e-02> : tensor<f32>}> : () -> tensor<f32>
    %24 = "stablehlo.broadcast_in_dim"(%23) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %25 = "stablehlo.divide"(%arg12, %24) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %26 = "func.call"(%25) <{callee = @round}> : (tensor<8x16xf32>) -> tensor<8x16xf32>
    %27 = "stablehlo.constant"() <{value = dense<-3.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %28 = "stablehlo.broadcast_in_dim"(%27) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %29 = "stablehlo.add"(%26, %28) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %30 = "stablehlo.constant"() <{value = dense<-128> : tensor<i32>}> : () -> tensor<i32>
    %31 = "stablehlo.constant"() <{value = dense<127> : tensor<i32>}> : () -> tensor<i32>
    %32 = "func.call"(%29, %30, %31) <{callee = @clip}> : (tensor<8x16xf32>, tensor<i32>, tensor<i32>) -> tensor<8x16xf32>
    %33 = "stablehlo.broadcast_in_dim"(%21) <{broadcast_dimensions = array<i64: 1>}> : (tensor<4xf32>) -> tensor<1x4xf32>
    %34 = "stablehlo.broadcast_in_dim"(%33) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x4xf32>) -> tensor<16x4xf32>
    %35 = "stablehlo.divide"(%arg13, %34) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %36 = "func.call"(%35) <{callee = @round_0}> : (tensor<16x4xf32>) -> tensor<16x4xf32>
    %37 = "stablehlo.broadcast_in_dim"(%22) <{broadcast_dimensions = array<i64: 1>}> : (tensor<4xf32>) -> tensor<1x4xf32>
    %38 = "stablehlo.broadcast_in_dim"(%37) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x4xf32>) -> tensor<16x4xf32>
    %39 = "stablehlo.add"(%36, %38) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %40 = "stablehlo.constant"() <{value = dense<-127> : tensor<i32>}> : () -> tensor<i32>
    %41 = "stablehlo.constant"() <{value = dense<127> : tensor<i32>}> : () -> tensor<i32>
    %42 = "func.call"(%39, %40, %41) <{callee = @clip_1}> : (tensor<16x4xf32>, tensor<i32>, tensor<i32>) -> tensor<16x4xf32>
    %43 = "stablehlo.constant"() <{value = dense<4.000000e-02> : tensor<f32>}> : () -> tensor<f32>
    %44 = "stablehlo.broadcast_in_dim"(%43) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %45 = "stablehlo.divide"(%arg14, %44) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %46 = "func.call"(%45) <{callee = @round}> : (tensor<8x16xf32>) -> tensor<8x16xf32>
    %47 = "stablehlo.constant"() <{value = dense<7.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %48 = "stablehlo.broadcast_in_dim"(%47) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %49 = "stablehlo.add"(%46, %48) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %50 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %51 = "stablehlo.constant"() <{value = dense<255> : tensor<i32>}> : () -> tensor<i32>
    %52 = "func.call"(%49, %50, %51) <{callee = @clip}> : (tensor<8x16xf32>, tensor<i32>, tensor<i32>) -> tensor<8x16xf32>
    %53 = "stablehlo.constant"() <{value = dense<3.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %54 = "stablehlo.broadcast_in_dim"(%53) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %55 = "stablehlo.add"(%32, %54) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %56 = "stablehlo.constant"() <{value = dense<5.000000e-02> : tensor<f32>}> : () -> tensor<f32>
    %57 = "stablehlo.broadcast_in_dim"(%56) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %58 = "stablehlo.multiply"(%55, %57) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %59 = "stablehlo.broadcast_in_dim"(%22) <{broadcast_dimensions = array<i64: 1>}> : (tensor<4xf32>) -> tensor<1x4xf32>
    %60 = "stablehlo.broadcast_in_dim"(%59) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x4xf32>) -> tensor<16x4xf32>
    %61 = "stablehlo.subtract"(%42, %60) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %62 = "stablehlo.broadcast_in_dim"(%21) <{broadcast_dimensions = array<i64: 1>}> : (tensor<4xf32>) -> tensor<1x4xf32>
    %63 = "stablehlo.broadcast_in_dim"(%62) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x4xf32>) -> tensor<16x4xf32>
    %64 = "stablehlo.multiply"(%61, %63) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %65 = "stablehlo.constant"() <{value = dense<7.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %66 = "stablehlo.broadcast_in_dim"(%65) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %67 = "stablehlo.subtract"(%52, %66) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %68 = "stablehlo.constant"() <{value = dense<4.000000e-02> : tensor<f32>}> : () -> tensor<f32>
    %69 = "stablehlo.broadcast_in_dim"(%68) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %70 = "stablehlo.multiply"(%67, %69) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %71 = "stablehlo.dot_general"(%58, %64) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]}> : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
    %72 = "stablehlo.add"(%58, %70) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %73 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %74 = "stablehlo.broadcast_in_dim"(%73) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %75 = "stablehlo.divide"(%72, %74) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %76 = "func.call"(%75) <{callee = @round}> : (tensor<8x16xf32>) -> tensor<8x16xf32>
    %77 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %78 = "stablehlo.broadcast_in_dim"(%77) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %79 = "stablehlo.add"(%76, %78) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %80 = "stablehlo.constant"() <{value = dense<-128> : tensor<i32>}> : () -> tensor<i32>
    %81 = "stablehlo.constant"() <{value = dense<127> : tensor<i32>}> : () -> tensor<i32>
    %82 = "func.call"(%79, %80, %81) <{callee = @clip}> : (tensor<8x16xf32>, tensor<i32>, tensor<i32>) -> tensor<8x16xf32>
    %83 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %84 = "stablehlo.broadcast_in_dim"(%83) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %85 = "stablehlo.subtract"(%82, %84) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %86 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %87 = "stablehlo.broadcast_in_dim"(%86) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %88 = "stablehlo.multiply"(%85, %87) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %89 = "stablehlo.tanh"(%58) : (tensor<8x16xf32>) -> tensor<8x16xf32>
    %90 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %91 = "stablehlo.broadcast_in_dim"(%90) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %92 = "stablehlo.divide"(%89, %91) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %93 = "func.call"(%92) <{callee = @round}> : (tensor<8x16xf32>) -> tensor<8x16xf32>
    %94 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %95 = "stablehlo.broadcast_in_dim"(%94) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %96 = "stablehlo.add"(%93, %95) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %97 = "stablehlo.constant"() <{value = dense<-128> : tensor<i32>}> : () -> tensor<i32>
    %98 = "stablehlo.constant"() <{value = dense<127> : tensor<i32>}> : () -> tensor<i32>
    %99 = "func.call"(%96, %97, %98) <{callee = @clip}> : (tensor<8x16xf32>, tensor<i32>, tensor<i32>) -> tensor<8x16xf32>
    %100 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %101 = "stablehlo.broadcast_in_dim"(%100) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %102 = "stablehlo.subtract"(%99, %101) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %103 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %104 = "stablehlo.broadcast_in_dim"(%103) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %105 = "stablehlo.multiply"(%102, %104) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %106 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %107 = "stablehlo.reduce"(%58, %106) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg15: tensor<f32>, %arg16: tensor<f32>):
      %128 = "stablehlo.maximum"(%arg15, %arg16) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%128) : (tensor<f32>) -> ()
    }) : (tensor<8x16xf32>, tensor<f32>) -> tensor<16xf32>
    %108 = "stablehlo.constant"() <{value = dense<5.000000e-02> : tensor<f32>}> : () -> tensor<f32>
    %109 = "stablehlo.broadcast_in_dim"(%108) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %110 = "stablehlo.divide"(%107, %109) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %111 = "func.call"(%110) <{callee = @round_2}> : (tensor<16xf32>) -> tensor<16xf32>
    %112 = "stablehlo.constant"() <{value = dense<-3.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %113 = "stablehlo.broadcast_in_dim"(%112) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %114 = "stablehlo.add"(%111, %113) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %115 = "stablehlo.constant"() <{value = dense<-128> : tensor<i32>}> : () -> tensor<i32>
    %116 = "stablehlo.constant"() <{value = dense<127> : tensor<i32>}> : () -> tensor<i32>
    %117 = "func.call"(%114, %115, %116) <{callee = @clip_3}> : (tensor<16xf32>, tensor<i32>, tensor<i32>) -> tensor<16xf32>
    %118 = "stablehlo.constant"() <{value = dense<3.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %119 = "stablehlo.broadcast_in_dim"(%118) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %120 = "stablehlo.add"(%117, %119) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %121 = "stablehlo.constant"() <{value = dense<5.000000e-02> : tensor<f32>}> : () -> tensor<f32>
    %122 = "stablehlo.broadcast_in_dim"(%121) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %123 = "stablehlo.multiply"(%120, %122) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %124 = "stablehlo.dot_general"(%arg12, %64) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]}> : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
    %125 = "stablehlo.transpose"(%105) <{permutation = array<i64: 1, 0>}> : (tensor<8x16xf32>) -> tensor<16x8xf32>
    %126 = "stablehlo.convert"(%32) : (tensor<8x16xf32>) -> tensor<8x16xi8>
    %127 = "stablehlo.compare"(%58, %70) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xi1>
    "func.return"(%71, %88, %125, %123, %124, %126, %127) : (tensor<8x4xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<16xf32>, tensor<8x4xf32>, tensor<8x16xi8>, tensor<8x16xi1>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<8x16xf32>) -> tensor<8x16xf32>, res_attrs = [{}], sym_name = "round", sym_visibility = "private"}> ({
  ^bb0(%arg11: tensor<8x16xf32>):
    %20 = "stablehlo.round_nearest_even"(%arg11) : (tensor<8x16xf32>) -> tensor<8x16xf32>
    "func.return"(%20) : (tensor<8x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<8x16xf32>, tensor<i32>, tensor<i32>) -> tensor<8x16xf32>, res_attrs = [{}], sym_name = "clip", sym_visibility = "private"}> ({
  ^bb0(%arg8: tensor<8x16xf32>, %arg9: tensor<i32>, %arg10: tensor<i32>):
    %14 = "stablehlo.convert"(%arg9) : (tensor<i32>) -> tensor<f32>
    %15 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %16 = "stablehlo.maximum"(%15, %arg8) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %17 = "stablehlo.convert"(%arg10) : (tensor<i32>) -> tensor<f32>
    %18 = "stablehlo.broadcast_in_dim"(%17) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %19 = "stablehlo.minimum"(%18, %16) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    "func.return"(%19) : (tensor<8x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<16x4xf32>) -> tensor<16x4xf32>, res_attrs = [{}], sym_name = "round_0", sym_visibility = "private"}> ({
  ^bb0(%arg7: tensor<16x4xf32>):
    %13 = "stablehlo.round_nearest_even"(%arg7) : (tensor<16x4xf32>) -> tensor<16x4xf32>
    "func.return"(%13) : (tensor<16x4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<16x4xf32>, tensor<i32>, tensor<i32>) -> tensor<16x4xf32>, res_attrs = [{}], sym_name = "clip_1", sym_visibility = "private"}> ({
  ^bb0(%arg4: tensor<16x4xf32>, %arg5: tensor<i32>, %arg6: tensor<i32>):
    %7 = "stablehlo.convert"(%arg5) : (tensor<i32>) -> tensor<f32>
    %8 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x4xf32>
    %9 = "stablehlo.maximum"(%8, %arg4) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %10 = "stablehlo.convert"(%arg6) : (tensor<i32>) -> tensor<f32>
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x4xf32>
    %12 = "stablehlo.minimum"(%11, %9) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    "func.return"(%12) : (tensor<16x4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<16xf32>) -> tensor<16xf32>, res_attrs = [{}], sym_name = "round_2", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<16xf32>):
    %6 = "stablehlo.round_nearest_even"(%arg3) : (tensor<16xf32>) -> tensor<16xf32>
    "func.return"(%6) : (tensor<16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<16xf32>, tensor<i32>, tensor<i32>) -> tensor<16xf32>, res_attrs = [{}], sym_name = "clip_3", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<16xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>):
    %0 = "stablehlo.convert"(%arg1) : (tensor<i32>) -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %2 = "stablehlo.maximum"(%1, %arg0) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %3 = "stablehlo.convert"(%arg2) : (tensor<i32>) -> tensor<f32>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %5 = "stablehlo.minimum"(%4, %2) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    "func.return"(%5) : (tensor<16xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
