// RUN: tessera-opt --tessera-import-phase %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --inputs=%S/windows_in_order.inputs.safetensors --expect=%S/windows_in_order.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/windows_in_order.inputs.safetensors --expect=%S/windows_in_order.expected.safetensors --tolerance=1e-5
// RUN: tessera-fuzz %s --annotate --seed=1 --count=4 --tolerance=1e-5,1e-6
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4x7xf32>, tensor<4x7xf32>, tensor<f32>, tensor<f32>, tensor<21xf32>) -> (tensor<4x4xf32>, tensor<3x5xf32>, tensor<8x15xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<8x15xf32>, tensor<8x15xf32>, tensor<4x7xf32>, tensor<6xf32>, tensor<1xf32>), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4x7xf32>, %arg1: tensor<4x7xf32>, %arg2: tensor<f32>, %arg3: tensor<f32>, %arg4: tensor<21xf32>):
    %0 = "stablehlo.reduce_window"(%arg0, %arg2) <{padding = dense<[[1, 0], [0, 2]]> : tensor<2x2xi64>, window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 1, 2>}> ({
    ^bb0(%arg27: tensor<f32>, %arg28: tensor<f32>):
      %29 = "stablehlo.subtract"(%arg27, %arg28) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%29) : (tensor<f32>) -> ()
    }) : (tensor<4x7xf32>, tensor<f32>) -> tensor<4x4xf32>
    %1 = "stablehlo.reduce_window"(%arg0, %arg2) <{window_dimensions = array<i64: 2, 3>}> ({
    ^bb0(%arg25: tensor<f32>, %arg26: tensor<f32>):
      %28 = "stablehlo.subtract"(%arg25, %arg26) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%28) : (tensor<f32>) -> ()
    }) : (tensor<4x7xf32>, tensor<f32>) -> tensor<3x5xf32>
    %2 = "stablehlo.reduce_window"(%arg0, %arg2) <{base_dilations = array<i64: 2, 3>, padding = dense<[[2, 0], [-1, 1]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 2>, window_dimensions = array<i64: 2, 3>}> ({
    ^bb0(%arg23: tensor<f32>, %arg24: tensor<f32>):
      %27 = "stablehlo.subtract"(%arg23, %arg24) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%27) : (tensor<f32>) -> ()
    }) : (tensor<4x7xf32>, tensor<f32>) -> tensor<8x15xf32>
    %3:2 = "stablehlo.reduce_window"(%arg0, %arg1, %arg2, %arg3) <{padding = dense<[[1, 0], [0, 2]]> : tensor<2x2xi64>, window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 1, 2>}> ({
    ^bb0(%arg19: tensor<f32>, %arg20: tensor<f32>, %arg21: tensor<f32>, %arg22: tensor<f32>):
      %24 = "stablehlo.subtract"(%arg19, %arg21) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %25 = "stablehlo.multiply"(%arg19, %arg22) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %26 = "stablehlo.add"(%arg20, %25) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%24, %26) : (tensor<f32>, tensor<f32>) -> ()
    }) : (tensor<4x7xf32>, tensor<4x7xf32>, tensor<f32>, tensor<f32>) -> (tensor<4x4xf32>, tensor<4x4xf32>)
    %4:2 = "stablehlo.reduce_window"(%arg0, %arg1, %arg2, %arg3) <{window_dimensions = array<i64: 2, 3>}> ({
    ^bb0(%arg15: tensor<f32>, %arg16: tensor<f32>, %arg17: tensor<f32>, %arg18: tensor<f32>):
      %21 = "stablehlo.subtract"(%arg15, %arg17) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %22 = "stablehlo.multiply"(%arg15, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %23 = "stablehlo.add"(%arg16, %22) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%21, %23) : (tensor<f32>, tensor<f32>) -> ()
    }) : (tensor<4x7xf32>, tensor<4x7xf32>, tensor<f32>, tensor<f32>) -> (tensor<3x5xf32>, tensor<3x5xf32>)
    %5:2 = "stablehlo.reduce_window"(%arg0, %arg1, %arg2, %arg3) <{base_dilations = array<i64: 2, 3>, padding = dense<[[2, 0], [-1, 1]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 2>, window_dimensions = array<i64: 2, 3>}> ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>, %arg13: tensor<f32>, %arg14: tensor<f32>):
      %18 = "stablehlo.subtract"(%arg11, %arg13) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %19 = "stablehlo.multiply"(%arg11, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %20 = "stablehlo.add"(%arg12, %19) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%18, %20) : (tensor<f32>, tensor<f32>) -> ()
    }) : (tensor<4x7xf32>, tensor<4x7xf32>, tensor<f32>, tensor<f32>) -> (tensor<8x15xf32>, tensor<8x15xf32>)
    %6 = "stablehlo.reduce_window"(%arg0, %arg2) <{padding = dense<[[2, 1], [2, 2]]> : tensor<2x2xi64>, window_dimensions = array<i64: 4, 5>}> ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %15 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %16 = "stablehlo.add"(%15, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %17 = "stablehlo.subtract"(%16, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%17) : (tensor<f32>) -> ()
    }) : (tensor<4x7xf32>, tensor<f32>) -> tensor<4x7xf32>
    %7 = "stablehlo.reduce_window"(%arg4, %arg2) <{padding = dense<[[5, 3]]> : tensor<1x2xi64>, window_dimensions = array<i64: 18>, window_strides = array<i64: 2>}> ({
    ^bb0(%arg7: tensor<f32>, %arg8: tensor<f32>):
      %12 = "stablehlo.add"(%arg7, %arg8) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %13 = "stablehlo.add"(%12, %arg8) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %14 = "stablehlo.subtract"(%13, %arg8) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%14) : (tensor<f32>) -> ()
    }) : (tensor<21xf32>, tensor<f32>) -> tensor<6xf32>
    %8 = "stablehlo.reduce_window"(%arg4, %arg2) <{window_dimensions = array<i64: 21>}> ({
    ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
      %9 = "stablehlo.add"(%arg5, %arg6) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %10 = "stablehlo.add"(%9, %arg6) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %11 = "stablehlo.subtract"(%10, %arg6) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%11) : (tensor<f32>) -> ()
    }) : (tensor<21xf32>, tensor<f32>) -> tensor<1xf32>
    "func.return"(%0, %1, %2, %3#0, %3#1, %4#0, %4#1, %5#0, %5#1, %6, %7, %8) : (tensor<4x4xf32>, tensor<3x5xf32>, tensor<8x15xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<8x15xf32>, tensor<8x15xf32>, tensor<4x7xf32>, tensor<6xf32>, tensor<1xf32>) -> ()
  }) : () -> ()
}) : () -> ()
