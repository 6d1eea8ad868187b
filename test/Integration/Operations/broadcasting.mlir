// RUN: tessera-opt --tessera-import-phase %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --inputs=%S/broadcasting.inputs.safetensors --expect=%S/broadcasting.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/broadcasting.inputs.safetensors --expect=%S/broadcasting.expected.safetensors --tolerance=1e-5
// RUN: tessera-fuzz %s --annotate --seed=1 --count=6 --tolerance=1e-5,1e-6
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3x4xf32>, tensor<4xf32>, tensor<3x1xf32>, tensor<3x4xi32>, tensor<i32>, tensor<4xi1>) -> (tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xi32>, tensor<3x4xi32>, tensor<3x4xi32>, tensor<3x4xi32>, tensor<3x4xi32>, tensor<3x4xi32>, tensor<3x4xi1>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<2xi32>), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3x4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<3x1xf32>, %arg3: tensor<3x4xi32>, %arg4: tensor<i32>, %arg5: tensor<4xi1>):
    %0 = "chlo.broadcast_add"(%arg0, %arg1) : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3x4xf32>
    %1 = "chlo.broadcast_subtract"(%arg0, %arg1) : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3x4xf32>
    %2 = "chlo.broadcast_multiply"(%arg0, %arg1) : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3x4xf32>
    %3 = "chlo.broadcast_divide"(%arg0, %arg1) : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3x4xf32>
    %4 = "chlo.broadcast_maximum"(%arg0, %arg1) : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3x4xf32>
    %5 = "chlo.broadcast_minimum"(%arg0, %arg1) : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3x4xf32>
    %6 = "chlo.broadcast_remainder"(%arg0, %arg1) : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3x4xf32>
    %7 = "chlo.broadcast_atan2"(%arg0, %arg1) : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3x4xf32>
    %8 = "chlo.broadcast_next_after"(%arg0, %arg1) : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3x4xf32>
    %9 = "chlo.broadcast_power"(%arg2, %arg1) : (tensor<3x1xf32>, tensor<4xf32>) -> tensor<3x4xf32>
    %10 = "chlo.broadcast_add"(%arg1, %arg0) <{broadcast_dimensions = array<i64: 1>}> : (tensor<4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
    %11 = "chlo.broadcast_and"(%arg3, %arg4) : (tensor<3x4xi32>, tensor<i32>) -> tensor<3x4xi32>
    %12 = "chlo.broadcast_or"(%arg3, %arg4) : (tensor<3x4xi32>, tensor<i32>) -> tensor<3x4xi32>
    %13 = "chlo.broadcast_xor"(%arg3, %arg4) : (tensor<3x4xi32>, tensor<i32>) -> tensor<3x4xi32>
    %14 = "chlo.broadcast_shift_left"(%arg3, %arg4) : (tensor<3x4xi32>, tensor<i32>) -> tensor<3x4xi32>
    %15 = "chlo.broadcast_shift_right_logical"(%arg3, %arg4) : (tensor<3x4xi32>, tensor<i32>) -> tensor<3x4xi32>
    %16 = "chlo.broadcast_shift_right_arithmetic"(%arg3, %arg4) : (tensor<3x4xi32>, tensor<i32>) -> tensor<3x4xi32>
    %17 = "chlo.broadcast_compare"(%arg1, %arg0) <{comparison_direction = #chlo<comparison_direction LT>}> : (tensor<4xf32>, tensor<3x4xf32>) -> tensor<3x4xi1>
    %18 = "chlo.broadcast_select"(%arg5, %arg0, %arg1) : (tensor<4xi1>, tensor<3x4xf32>, tensor<4xf32>) -> tensor<3x4xf32>
    %19 = "chlo.broadcast_zeta"(%arg2, %arg1) : (tensor<3x1xf32>, tensor<4xf32>) -> tensor<3x4xf32>
    %20 = "chlo.constant_like"(%arg0) <{value = 3.500000e+00 : f32}> : (tensor<3x4xf32>) -> tensor<3x4xf32>
    %21 = "chlo.constant"() <{value = dense<[1, 2]> : tensor<2xi32>}> : () -> tensor<2xi32>
    "func.return"(%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21) : (tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xi32>, tensor<3x4xi32>, tensor<3x4xi32>, tensor<3x4xi32>, tensor<3x4xi32>, tensor<3x4xi32>, tensor<3x4xi1>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<2xi32>) -> ()
  }) : () -> ()
}) : () -> ()
