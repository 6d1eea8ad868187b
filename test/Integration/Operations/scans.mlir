// RUN: tessera-opt --tessera-import-phase %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --inputs=%S/scans.inputs.safetensors --expect=%S/scans.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/scans.inputs.safetensors --expect=%S/scans.expected.safetensors --tolerance=1e-5
// RUN: tessera-fuzz %s --annotate --seed=1 --count=6 --tolerance=1e-5,1e-6
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<8x6xf32>, tensor<6x8xf32>, tensor<6xf32>) -> (tensor<8x6xf32>, tensor<6xf32>, tensor<6x8xf32>, tensor<6xf32>), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<8x6xf32>, %arg1: tensor<6x8xf32>, %arg2: tensor<6xf32>):
    %0:2 = "chlo.scan"(%arg0, %arg2) <{dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg5: tensor<6xf32>, %arg6: tensor<6xf32>):
      %5 = "stablehlo.sine"(%arg5) : (tensor<6xf32>) -> tensor<6xf32>
      %6 = "stablehlo.add"(%5, %arg6) : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
      %7 = "stablehlo.multiply"(%6, %arg5) : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
      "stablehlo.return"(%7, %6) : (tensor<6xf32>, tensor<6xf32>) -> ()
    }) : (tensor<8x6xf32>, tensor<6xf32>) -> (tensor<8x6xf32>, tensor<6xf32>)
    %1:2 = "chlo.scan"(%arg1, %arg2) <{dimension = 1 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg3: tensor<6xf32>, %arg4: tensor<6xf32>):
      %2 = "stablehlo.sine"(%arg3) : (tensor<6xf32>) -> tensor<6xf32>
      %3 = "stablehlo.add"(%2, %arg4) : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
      %4 = "stablehlo.multiply"(%3, %arg3) : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
      "stablehlo.return"(%4, %3) : (tensor<6xf32>, tensor<6xf32>) -> ()
    }) : (tensor<6x8xf32>, tensor<6xf32>) -> (tensor<6x8xf32>, tensor<6xf32>)
    "func.return"(%0#0, %0#1, %1#0, %1#1) : (tensor<8x6xf32>, tensor<6xf32>, tensor<6x8xf32>, tensor<6xf32>) -> ()
  }) : () -> ()
}) : () -> ()
