// RUN: tessera-opt --tessera-import-phase %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --inputs=%S/known_shapes.inputs.safetensors --expect=%S/known_shapes.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/known_shapes.inputs.safetensors --expect=%S/known_shapes.expected.safetensors --tolerance=1e-5
// RUN: tessera-fuzz %s --annotate --seed=1 --count=6 --tolerance=1e-5,1e-6
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<8x6xf32>, tensor<f32>, tensor<2x4xi32>, tensor<2xi32>, tensor<1x8x8x3xf32>, tensor<3x3x3x2xf32>) -> (tensor<12x4xf32>, tensor<3x6x8xf32>, tensor<3x6xf32>, tensor<12x9xf32>, tensor<2x4x6xf32>, tensor<3x2xf32>, tensor<3x2xf32>, tensor<1x9x8x2xf32>, tensor<i32>, tensor<8x6xf32>), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<8x6xf32>, %arg1: tensor<f32>, %arg2: tensor<2x4xi32>, %arg3: tensor<2xi32>, %arg4: tensor<1x8x8x3xf32>, %arg5: tensor<3x3x3x2xf32>):
    %0 = "stablehlo.get_dimension_size"(%arg0) <{dimension = 0 : i64}> : (tensor<8x6xf32>) -> tensor<i32>
    %1 = "stablehlo.constant"() <{value = dense<4> : tensor<1xi32>}> : () -> tensor<1xi32>
    %2 = "stablehlo.constant"() <{value = dense<12> : tensor<1xi32>}> : () -> tensor<1xi32>
    %3 = "stablehlo.concatenate"(%2, %1) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %4 = "stablehlo.dynamic_reshape"(%arg0, %3) : (tensor<8x6xf32>, tensor<2xi32>) -> tensor<12x4xf32>
    %5 = "stablehlo.constant"() <{value = dense<[3, 6, 8]> : tensor<3xi64>}> : () -> tensor<3xi64>
    %6 = "stablehlo.dynamic_broadcast_in_dim"(%arg0, %5) <{broadcast_dimensions = array<i64: 2, 1>}> : (tensor<8x6xf32>, tensor<3xi64>) -> tensor<3x6x8xf32>
    %7 = "stablehlo.constant"() <{value = dense<[3, 6]> : tensor<2xi32>}> : () -> tensor<2xi32>
    %8 = "stablehlo.dynamic_iota"(%7) <{iota_dimension = 1 : i64}> : (tensor<2xi32>) -> tensor<3x6xf32>
    %9 = "stablehlo.constant"() <{value = dense<[-1, 1]> : tensor<2xi32>}> : () -> tensor<2xi32>
    %10 = "stablehlo.constant"() <{value = dense<[6, 1]> : tensor<2xi32>}> : () -> tensor<2xi32>
    %11 = "stablehlo.add"(%9, %10) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    %12 = "stablehlo.constant"() <{value = dense<0> : tensor<2xi32>}> : () -> tensor<2xi32>
    %13 = "stablehlo.dynamic_pad"(%arg0, %arg1, %9, %11, %12) : (tensor<8x6xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<12x9xf32>
    %14 = "stablehlo.constant"() <{value = dense<[1, 6]> : tensor<2xi32>}> : () -> tensor<2xi32>
    %15 = "stablehlo.dynamic_gather"(%arg0, %arg2, %14) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false}> : (tensor<8x6xf32>, tensor<2x4xi32>, tensor<2xi32>) -> tensor<2x4x6xf32>
    %16 = "stablehlo.constant"() <{value = dense<[1, 0]> : tensor<2xi32>}> : () -> tensor<2xi32>
    %17 = "stablehlo.constant"() <{value = dense<[7, 4]> : tensor<2xi32>}> : () -> tensor<2xi32>
    %18 = "stablehlo.constant"() <{value = dense<2> : tensor<2xi32>}> : () -> tensor<2xi32>
    %19 = "stablehlo.real_dynamic_slice"(%arg0, %16, %17, %18) : (tensor<8x6xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<3x2xf32>
    %20 = "stablehlo.constant"() <{value = dense<[3, 2]> : tensor<2xi32>}> : () -> tensor<2xi32>
    %21 = "stablehlo.constant"() <{value = dense<1> : tensor<2xi32>}> : () -> tensor<2xi32>
    %22 = "stablehlo.add"(%arg3, %20) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    %23 = "stablehlo.real_dynamic_slice"(%arg0, %arg3, %22, %21) : (tensor<8x6xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<3x2xf32>
    %24 = "stablehlo.constant"() <{value = dense<[[1, 2], [1, 1]]> : tensor<2x2xi32>}> : () -> tensor<2x2xi32>
    %25 = "stablehlo.dynamic_conv"(%arg4, %arg5, %24) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x3xf32>, tensor<3x3x3x2xf32>, tensor<2x2xi32>) -> tensor<1x9x8x2xf32>
    %26 = "stablehlo.set_dimension_size"(%arg0, %0) <{dimension = 0 : i64}> : (tensor<8x6xf32>, tensor<i32>) -> tensor<8x6xf32>
    "func.return"(%4, %6, %8, %13, %15, %19, %23, %25, %0, %26) : (tensor<12x4xf32>, tensor<3x6x8xf32>, tensor<3x6xf32>, tensor<12x9xf32>, tensor<2x4x6xf32>, tensor<3x2xf32>, tensor<3x2xf32>, tensor<1x9x8x2xf32>, tensor<i32>, tensor<8x6xf32>) -> ()
  }) : () -> ()
}) : () -> ()
