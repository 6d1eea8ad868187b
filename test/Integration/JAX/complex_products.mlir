// RUN: tessera-opt --tessera-import-phase %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --inputs=%S/complex_products.inputs.safetensors --expect=%S/complex_products.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/complex_products.inputs.safetensors --expect=%S/complex_products.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=data=2,model=2 --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/complex_products.inputs.safetensors --expect=%S/complex_products.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/complex_products.inputs.safetensors --expect=%S/complex_products.expected.safetensors --tolerance=1e-5
"builtin.module"() <{sym_name = "jit_complex_products"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["data"=2, "model"=4]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}} : () -> () loc(unknown)
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}, {}, {}], function_type = (tensor<6x8xcomplex<f32>>, tensor<3x8xcomplex<f32>>, tensor<3xi32>) -> (tensor<6x8xcomplex<f32>>, tensor<6x8xcomplex<f32>>, tensor<6x8xcomplex<f32>>), res_attrs = [{jax.result_info = "result['running']"}, {jax.result_info = "result['scattered']"}, {jax.result_info = "result['sums']"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg8: tensor<6x8xcomplex<f32>> loc("z"), %arg9: tensor<3x8xcomplex<f32>> loc("w"), %arg10: tensor<3xi32> loc("places")):
    %9 = "func.call"(%arg8) <{callee = @cumprod}> : (tensor<6x8xcomplex<f32>>) -> tensor<6x8xcomplex<f32>> loc(#loc2)
    %10 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc(#loc4)
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<3xi32> loc(#loc6)
    %12 = "stablehlo.compare"(%arg10, %11) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1> loc(#loc6)
    %13 = "stablehlo.constant"() <{value = dense<6> : tensor<i32>}> : () -> tensor<i32> loc(#loc4)
    %14 = "stablehlo.broadcast_in_dim"(%13) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<3xi32> loc(#loc7)
    %15 = "stablehlo.add"(%arg10, %14) : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32> loc(#loc7)
    %16 = "stablehlo.select"(%12, %15, %arg10) : (tensor<3xi1>, tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32> loc(#loc8)
    %17 = "stablehlo.broadcast_in_dim"(%16) <{broadcast_dimensions = array<i64: 0>}> : (tensor<3xi32>) -> tensor<3x1xi32> loc(#loc9)
    %18 = "stablehlo.scatter"(%arg8, %17, %arg9) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg11: tensor<complex<f32>> loc("scatter-mul:"), %arg12: tensor<complex<f32>> loc("scatter-mul:")):
      %20 = "stablehlo.multiply"(%arg11, %arg12) : (tensor<complex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>> loc(#loc10)
      "stablehlo.return"(%20) : (tensor<complex<f32>>) -> () loc(#loc11)
    }) : (tensor<6x8xcomplex<f32>>, tensor<3x1xi32>, tensor<3x8xcomplex<f32>>) -> tensor<6x8xcomplex<f32>> loc(#loc11)
    %19 = "func.call"(%arg8) <{callee = @cumsum}> : (tensor<6x8xcomplex<f32>>) -> tensor<6x8xcomplex<f32>> loc(#loc13)
    "func.return"(%9, %18, %19) : (tensor<6x8xcomplex<f32>>, tensor<6x8xcomplex<f32>>, tensor<6x8xcomplex<f32>>) -> () loc(#loc4)
  }) : () -> () loc(unknown)
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<6x8xcomplex<f32>>) -> tensor<6x8xcomplex<f32>>, res_attrs = [{}], sym_name = "cumprod", sym_visibility = "private"}> ({
  ^bb0(%arg7: tensor<6x8xcomplex<f32>> loc(unknown)):
    %8 = "func.call"(%arg7) <{callee = @cumprod_0}> : (tensor<6x8xcomplex<f32>>) -> tensor<6x8xcomplex<f32>> loc(unknown)
    "func.return"(%8) : (tensor<6x8xcomplex<f32>>) -> () loc(unknown)
  }) : () -> () loc(#loc14)
  "func.func"() <{function_type = (tensor<6x8xcomplex<f32>>) -> tensor<6x8xcomplex<f32>>, sym_name = "cumprod_0", sym_visibility = "private"}> ({
  ^bb0(%arg4: tensor<6x8xcomplex<f32>> loc(unknown)):
    %5 = "stablehlo.constant"() <{value = dense<(1.000000e+00,0.000000e+00)> : tensor<complex<f32>>}> : () -> tensor<complex<f32>> loc("cumprod:")
    %6 = "stablehlo.reduce_window"(%arg4, %5) <{base_dilations = array<i64: 1, 1>, padding = dense<[[5, 0], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 6, 1>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg5: tensor<complex<f32>> loc("reduce_window:"), %arg6: tensor<complex<f32>> loc("reduce_window:")):
      %7 = "stablehlo.multiply"(%arg5, %arg6) : (tensor<complex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>> loc("mul")
      "stablehlo.return"(%7) : (tensor<complex<f32>>) -> () loc("reduce_window")
    }) : (tensor<6x8xcomplex<f32>>, tensor<complex<f32>>) -> tensor<6x8xcomplex<f32>> loc("reduce_window")
    "func.return"(%6) : (tensor<6x8xcomplex<f32>>) -> () loc(unknown)
  }) : () -> () loc(unknown)
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<6x8xcomplex<f32>>) -> tensor<6x8xcomplex<f32>>, res_attrs = [{}], sym_name = "cumsum", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<6x8xcomplex<f32>> loc(unknown)):
    %4 = "func.call"(%arg3) <{callee = @cumsum_1}> : (tensor<6x8xcomplex<f32>>) -> tensor<6x8xcomplex<f32>> loc(unknown)
    "func.return"(%4) : (tensor<6x8xcomplex<f32>>) -> () loc(unknown)
  }) : () -> () loc(#loc15)
  "func.func"() <{function_type = (tensor<6x8xcomplex<f32>>) -> tensor<6x8xcomplex<f32>>, sym_name = "cumsum_1", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<6x8xcomplex<f32>> loc(unknown)):
    %0 = "stablehlo.constant"() <{value = dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>}> : () -> tensor<complex<f32>> loc("reduce_window_sum")
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<complex<f32>>) -> tensor<complex<f32>> loc("reduce_window_sum")
    %2 = "stablehlo.reduce_window"(%arg0, %1) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [7, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 8>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<complex<f32>> loc("reduce_window_sum:"), %arg2: tensor<complex<f32>> loc("reduce_window_sum:")):
      %3 = "stablehlo.add"(%arg1, %arg2) : (tensor<complex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>> loc("reduce_window_sum")
      "stablehlo.return"(%3) : (tensor<complex<f32>>) -> () loc("reduce_window_sum")
    }) : (tensor<6x8xcomplex<f32>>, tensor<complex<f32>>) -> tensor<6x8xcomplex<f32>> loc("reduce_window_sum")
    "func.return"(%2) : (tensor<6x8xcomplex<f32>>) -> () loc(unknown)
  }) : () -> () loc(unknown)
}) {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} : () -> () loc(unknown)
#loc1 = loc("test/Integration/JAX/complexes.py":77:23)
#loc2 = loc("jit(complex_products)/jit(cumprod)"(#loc1))
#loc3 = loc("test/Integration/JAX/programs.py":988:11)
#loc4 = loc("jit(complex_products)"(#loc3))
#loc5 = loc("test/Integration/JAX/complexes.py":77:55)
#loc6 = loc("jit(complex_products)/lt"(#loc5))
#loc7 = loc("jit(complex_products)/add"(#loc5))
#loc8 = loc("jit(complex_products)/select_n"(#loc5))
#loc9 = loc("jit(complex_products)/broadcast_in_dim"(#loc5))
#loc10 = loc("jit(complex_products)/mul"(#loc5))
#loc11 = loc("jit(complex_products)/scatter-mul"(#loc5))
#loc12 = loc("test/Integration/JAX/complexes.py":77:84)
#loc13 = loc("jit(complex_products)/jit(cumsum)"(#loc12))
#loc14 = loc("jit:"(#loc1))
#loc15 = loc("jit:"(#loc12))
