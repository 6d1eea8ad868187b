// RUN: tessera-opt --tessera-import-phase %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --inputs=%S/initial_values.inputs.safetensors --expect=%S/initial_values.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/initial_values.inputs.safetensors --expect=%S/initial_values.expected.safetensors --tolerance=1e-5
// RUN: tessera-fuzz %s --annotate --seed=1 --count=6 --tolerance=1e-5,1e-6
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4x7xf32>, tensor<4x7xui8>, tensor<f32>, tensor<ui8>, tensor<9xf32>, tensor<2x4xf32>, tensor<4x7xi32>) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xui8>, tensor<4x4xui8>, tensor<4x4xui8>, tensor<9xf32>, tensor<4x4xf32>, tensor<4x4xi32>, tensor<4x7xf32>, tensor<4x7xf32>, tensor<4x7xf32>), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4x7xf32>, %arg1: tensor<4x7xui8>, %arg2: tensor<f32>, %arg3: tensor<ui8>, %arg4: tensor<9xf32>, %arg5: tensor<2x4xf32>, %arg6: tensor<4x7xi32>):
    %0 = "stablehlo.reduce_window"(%arg0, %arg2) <{padding = dense<[[1, 0], [0, 2]]> : tensor<2x2xi64>, window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 1, 2>}> ({
    ^bb0(%arg37: tensor<f32>, %arg38: tensor<f32>):
      %36 = "stablehlo.add"(%arg37, %arg38) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%36) : (tensor<f32>) -> ()
    }) : (tensor<4x7xf32>, tensor<f32>) -> tensor<4x4xf32>
    %1 = "stablehlo.reduce_window"(%arg0, %arg2) <{padding = dense<[[1, 0], [0, 2]]> : tensor<2x2xi64>, window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 1, 2>}> ({
    ^bb0(%arg35: tensor<f32>, %arg36: tensor<f32>):
      %35 = "stablehlo.multiply"(%arg35, %arg36) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%35) : (tensor<f32>) -> ()
    }) : (tensor<4x7xf32>, tensor<f32>) -> tensor<4x4xf32>
    %2 = "stablehlo.reduce_window"(%arg0, %arg2) <{padding = dense<[[1, 0], [0, 2]]> : tensor<2x2xi64>, window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 1, 2>}> ({
    ^bb0(%arg33: tensor<f32>, %arg34: tensor<f32>):
      %34 = "stablehlo.maximum"(%arg33, %arg34) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%34) : (tensor<f32>) -> ()
    }) : (tensor<4x7xf32>, tensor<f32>) -> tensor<4x4xf32>
    %3 = "stablehlo.reduce_window"(%arg0, %arg2) <{padding = dense<[[1, 0], [0, 2]]> : tensor<2x2xi64>, window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 1, 2>}> ({
    ^bb0(%arg31: tensor<f32>, %arg32: tensor<f32>):
      %33 = "stablehlo.minimum"(%arg31, %arg32) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%33) : (tensor<f32>) -> ()
    }) : (tensor<4x7xf32>, tensor<f32>) -> tensor<4x4xf32>
    %4 = "stablehlo.reduce_window"(%arg1, %arg3) <{padding = dense<[[1, 0], [0, 2]]> : tensor<2x2xi64>, window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 1, 2>}> ({
    ^bb0(%arg29: tensor<ui8>, %arg30: tensor<ui8>):
      %32 = "stablehlo.maximum"(%arg29, %arg30) : (tensor<ui8>, tensor<ui8>) -> tensor<ui8>
      "stablehlo.return"(%32) : (tensor<ui8>) -> ()
    }) : (tensor<4x7xui8>, tensor<ui8>) -> tensor<4x4xui8>
    %5 = "stablehlo.reduce_window"(%arg1, %arg3) <{padding = dense<[[1, 0], [0, 2]]> : tensor<2x2xi64>, window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 1, 2>}> ({
    ^bb0(%arg27: tensor<ui8>, %arg28: tensor<ui8>):
      %31 = "stablehlo.minimum"(%arg27, %arg28) : (tensor<ui8>, tensor<ui8>) -> tensor<ui8>
      "stablehlo.return"(%31) : (tensor<ui8>) -> ()
    }) : (tensor<4x7xui8>, tensor<ui8>) -> tensor<4x4xui8>
    %6 = "stablehlo.reduce_window"(%arg1, %arg3) <{padding = dense<[[1, 0], [0, 2]]> : tensor<2x2xi64>, window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 1, 2>}> ({
    ^bb0(%arg25: tensor<ui8>, %arg26: tensor<ui8>):
      %30 = "stablehlo.add"(%arg25, %arg26) : (tensor<ui8>, tensor<ui8>) -> tensor<ui8>
      "stablehlo.return"(%30) : (tensor<ui8>) -> ()
    }) : (tensor<4x7xui8>, tensor<ui8>) -> tensor<4x4xui8>
    %7 = "stablehlo.reduce_window"(%arg4, %arg2) <{padding = dense<[[8, 0]]> : tensor<1x2xi64>, window_dimensions = array<i64: 9>}> ({
    ^bb0(%arg23: tensor<f32>, %arg24: tensor<f32>):
      %29 = "stablehlo.add"(%arg23, %arg24) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%29) : (tensor<f32>) -> ()
    }) : (tensor<9xf32>, tensor<f32>) -> tensor<9xf32>
    %8 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %9 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %10:2 = "stablehlo.reduce_window"(%arg0, %arg6, %8, %9) <{padding = dense<[[1, 0], [0, 2]]> : tensor<2x2xi64>, window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 1, 2>}> ({
    ^bb0(%arg19: tensor<f32>, %arg20: tensor<i32>, %arg21: tensor<f32>, %arg22: tensor<i32>):
      %26 = "stablehlo.compare"(%arg19, %arg21) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %27 = "stablehlo.select"(%26, %arg19, %arg21) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %28 = "stablehlo.select"(%26, %arg20, %arg22) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%27, %28) : (tensor<f32>, tensor<i32>) -> ()
    }) : (tensor<4x7xf32>, tensor<4x7xi32>, tensor<f32>, tensor<i32>) -> (tensor<4x4xf32>, tensor<4x4xi32>)
    %11 = "stablehlo.select_and_scatter"(%arg0, %arg5, %arg2) <{padding = dense<[[0, 0], [1, 1]]> : tensor<2x2xi64>, window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 2>}> ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %23 = "stablehlo.abs"(%arg17) : (tensor<f32>) -> tensor<f32>
      %24 = "stablehlo.abs"(%arg18) : (tensor<f32>) -> tensor<f32>
      %25 = "stablehlo.compare"(%23, %24) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      "stablehlo.return"(%25) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg15: tensor<f32>, %arg16: tensor<f32>):
      %22 = "stablehlo.add"(%arg15, %arg16) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%22) : (tensor<f32>) -> ()
    }) : (tensor<4x7xf32>, tensor<2x4xf32>, tensor<f32>) -> tensor<4x7xf32>
    %12 = "stablehlo.select_and_scatter"(%arg0, %arg5, %arg2) <{padding = dense<[[0, 0], [1, 1]]> : tensor<2x2xi64>, window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 2>}> ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %19 = "stablehlo.abs"(%arg13) : (tensor<f32>) -> tensor<f32>
      %20 = "stablehlo.abs"(%arg14) : (tensor<f32>) -> tensor<f32>
      %21 = "stablehlo.compare"(%19, %20) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      "stablehlo.return"(%21) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %18 = "stablehlo.maximum"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%18) : (tensor<f32>) -> ()
    }) : (tensor<4x7xf32>, tensor<2x4xf32>, tensor<f32>) -> tensor<4x7xf32>
    %13 = "stablehlo.select_and_scatter"(%arg0, %arg5, %arg2) <{padding = dense<[[0, 0], [1, 1]]> : tensor<2x2xi64>, window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 2>}> ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %15 = "stablehlo.abs"(%arg9) : (tensor<f32>) -> tensor<f32>
      %16 = "stablehlo.abs"(%arg10) : (tensor<f32>) -> tensor<f32>
      %17 = "stablehlo.compare"(%15, %16) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      "stablehlo.return"(%17) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg7: tensor<f32>, %arg8: tensor<f32>):
      %14 = "stablehlo.multiply"(%arg7, %arg8) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%14) : (tensor<f32>) -> ()
    }) : (tensor<4x7xf32>, tensor<2x4xf32>, tensor<f32>) -> tensor<4x7xf32>
    "func.return"(%0, %1, %2, %3, %4, %5, %6, %7, %10#0, %10#1, %11, %12, %13) : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xui8>, tensor<4x4xui8>, tensor<4x4xui8>, tensor<9xf32>, tensor<4x4xf32>, tensor<4x4xi32>, tensor<4x7xf32>, tensor<4x7xf32>, tensor<4x7xf32>) -> ()
  }) : () -> ()
}) : () -> ()
