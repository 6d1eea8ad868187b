// RUN: tessera-opt --tessera-import-phase %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --inputs=%S/long_windows.inputs.safetensors --expect=%S/long_windows.expected.safetensors --tolerance=1e-9
// RUN: tesserac %s -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/long_windows.inputs.safetensors --expect=%S/long_windows.expected.safetensors --tolerance=1e-9
// RUN: tessera-fuzz %s --annotate --seed=1 --count=4 --tolerance=1e-9,1e-6
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x60xf64>, tensor<2x60xf64>, tensor<1500xf64>, tensor<1500xf64>) -> (tensor<2x32xf64>, tensor<2x32xf64>, tensor<2x27xf64>, tensor<2x27xi32>, tensor<1500xf64>, tensor<1500xf64>), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x60xf64>, %arg1: tensor<2x60xf64>, %arg2: tensor<1500xf64>, %arg3: tensor<1500xf64>):
    %0 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f64>}> : () -> tensor<f64>
    %1 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f64>}> : () -> tensor<f64>
    %2 = "stablehlo.constant"() <{value = dense<-1.000000e+09> : tensor<f64>}> : () -> tensor<f64>
    %3 = "stablehlo.constant"() <{value = dense<-1> : tensor<i32>}> : () -> tensor<i32>
    %4 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<2x60xi32>
    %5:2 = "stablehlo.reduce_window"(%arg0, %arg1, %0, %1) <{padding = dense<[[0, 0], [36, 3]]> : tensor<2x2xi64>, window_dimensions = array<i64: 1, 37>, window_strides = array<i64: 1, 2>}> ({
    ^bb0(%arg12: tensor<f64>, %arg13: tensor<f64>, %arg14: tensor<f64>, %arg15: tensor<f64>):
      %17 = "stablehlo.multiply"(%arg12, %arg14) : (tensor<f64>, tensor<f64>) -> tensor<f64>
      %18 = "stablehlo.multiply"(%arg13, %arg15) : (tensor<f64>, tensor<f64>) -> tensor<f64>
      %19 = "stablehlo.multiply"(%arg12, %arg15) : (tensor<f64>, tensor<f64>) -> tensor<f64>
      %20 = "stablehlo.multiply"(%arg13, %arg14) : (tensor<f64>, tensor<f64>) -> tensor<f64>
      %21 = "stablehlo.subtract"(%17, %18) : (tensor<f64>, tensor<f64>) -> tensor<f64>
      %22 = "stablehlo.add"(%19, %20) : (tensor<f64>, tensor<f64>) -> tensor<f64>
      "stablehlo.return"(%21, %22) : (tensor<f64>, tensor<f64>) -> ()
    }) : (tensor<2x60xf64>, tensor<2x60xf64>, tensor<f64>, tensor<f64>) -> (tensor<2x32xf64>, tensor<2x32xf64>)
    %6:2 = "stablehlo.reduce_window"(%arg0, %4, %2, %3) <{padding = dense<[[0, 0], [5, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 2>, window_dimensions = array<i64: 1, 20>}> ({
    ^bb0(%arg8: tensor<f64>, %arg9: tensor<i32>, %arg10: tensor<f64>, %arg11: tensor<i32>):
      %14 = "stablehlo.compare"(%arg8, %arg10) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %15 = "stablehlo.select"(%14, %arg8, %arg10) : (tensor<i1>, tensor<f64>, tensor<f64>) -> tensor<f64>
      %16 = "stablehlo.select"(%14, %arg9, %arg11) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%15, %16) : (tensor<f64>, tensor<i32>) -> ()
    }) : (tensor<2x60xf64>, tensor<2x60xi32>, tensor<f64>, tensor<i32>) -> (tensor<2x27xf64>, tensor<2x27xi32>)
    %7:2 = "stablehlo.reduce_window"(%arg2, %arg3, %0, %1) <{padding = dense<[[1499, 0]]> : tensor<1x2xi64>, window_dimensions = array<i64: 1500>}> ({
    ^bb0(%arg4: tensor<f64>, %arg5: tensor<f64>, %arg6: tensor<f64>, %arg7: tensor<f64>):
      %8 = "stablehlo.multiply"(%arg4, %arg6) : (tensor<f64>, tensor<f64>) -> tensor<f64>
      %9 = "stablehlo.multiply"(%arg5, %arg7) : (tensor<f64>, tensor<f64>) -> tensor<f64>
      %10 = "stablehlo.multiply"(%arg4, %arg7) : (tensor<f64>, tensor<f64>) -> tensor<f64>
      %11 = "stablehlo.multiply"(%arg5, %arg6) : (tensor<f64>, tensor<f64>) -> tensor<f64>
      %12 = "stablehlo.subtract"(%8, %9) : (tensor<f64>, tensor<f64>) -> tensor<f64>
      %13 = "stablehlo.add"(%10, %11) : (tensor<f64>, tensor<f64>) -> tensor<f64>
      "stablehlo.return"(%12, %13) : (tensor<f64>, tensor<f64>) -> ()
    }) : (tensor<1500xf64>, tensor<1500xf64>, tensor<f64>, tensor<f64>) -> (tensor<1500xf64>, tensor<1500xf64>)
    "func.return"(%5#0, %5#1, %6#0, %6#1, %7#0, %7#1) : (tensor<2x32xf64>, tensor<2x32xf64>, tensor<2x27xf64>, tensor<2x27xi32>, tensor<1500xf64>, tensor<1500xf64>) -> ()
  }) : () -> ()
}) : () -> ()
