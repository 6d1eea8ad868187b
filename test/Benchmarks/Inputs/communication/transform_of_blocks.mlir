"builtin.module"() <{sym_name = "jit_spectrum"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["x"=2, "y"=4]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "x", size = 2 : i64}, {name = "y", size = 4 : i64}]}} : () -> ()
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}], function_type = (tensor<256x256xf32>, tensor<256x256xf32>) -> (tensor<256x256xf32>, tensor<256x256xf32>), res_attrs = [{jax.result_info = "result[0]", sdy.sharding = #sdy.sharding<@mesh, [{}, {"x", "y"}]>}, {jax.result_info = "result[1]", sdy.sharding = #sdy.sharding<@mesh, [{}, {"x", "y"}]>}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg1: tensor<256x256xf32>, %arg2: tensor<256x256xf32>):
    %1 = "stablehlo.convert"(%arg2) : (tensor<256x256xf32>) -> tensor<256x256xcomplex<f32>>
    %2 = "stablehlo.constant"() <{value = dense<(0.000000e+00,1.000000e+00)> : tensor<complex<f32>>}> : () -> tensor<complex<f32>>
    %3 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64>}> : (tensor<complex<f32>>) -> tensor<256x256xcomplex<f32>>
    %4 = "stablehlo.multiply"(%3, %1) : (tensor<256x256xcomplex<f32>>, tensor<256x256xcomplex<f32>>) -> tensor<256x256xcomplex<f32>>
    %5 = "stablehlo.convert"(%arg1) : (tensor<256x256xf32>) -> tensor<256x256xcomplex<f32>>
    %6 = "stablehlo.add"(%5, %4) : (tensor<256x256xcomplex<f32>>, tensor<256x256xcomplex<f32>>) -> tensor<256x256xcomplex<f32>>
    %7 = "func.call"(%6) <{callee = @fft}> : (tensor<256x256xcomplex<f32>>) -> tensor<256x256xcomplex<f32>>
    %8 = "sdy.sharding_constraint"(%7) <{sharding = #sdy.sharding<@mesh, [{}, {"x", "y"}]>}> : (tensor<256x256xcomplex<f32>>) -> tensor<256x256xcomplex<f32>>
    %9 = "stablehlo.real"(%8) : (tensor<256x256xcomplex<f32>>) -> tensor<256x256xf32>
    %10 = "stablehlo.imag"(%8) : (tensor<256x256xcomplex<f32>>) -> tensor<256x256xf32>
    "func.return"(%9, %10) : (tensor<256x256xf32>, tensor<256x256xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<256x256xcomplex<f32>>) -> tensor<256x256xcomplex<f32>>, res_attrs = [{}], sym_name = "fft", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<256x256xcomplex<f32>>):
    %0 = "stablehlo.fft"(%arg0) <{fft_length = array<i64: 256, 256>, fft_type = #stablehlo<fft_type FFT>}> : (tensor<256x256xcomplex<f32>>) -> tensor<256x256xcomplex<f32>>
    "func.return"(%0) : (tensor<256x256xcomplex<f32>>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
