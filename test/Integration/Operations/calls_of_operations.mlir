// RUN: tessera-opt --tessera-import-phase %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --inputs=%S/calls_of_operations.inputs.safetensors --expect=%S/calls_of_operations.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/calls_of_operations.inputs.safetensors --expect=%S/calls_of_operations.expected.safetensors --tolerance=1e-5
// RUN: tessera-fuzz %s --annotate --seed=1 --count=6 --tolerance=1e-5,1e-6
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<4x3xf32>, tensor<4x3xi32>, tensor<4x6xf32>), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4x6xf32>):
    %0 = "stablehlo.custom_call"(%arg0) <{call_target_name = "mhlo.erf"}> {mhlo.attributes = {}, mhlo.version = 1 : i64} : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %1:2 = "stablehlo.custom_call"(%arg0) <{call_target_name = "mhlo.topk"}> {mhlo.attributes = {k = 3 : i64, largest = true}, mhlo.version = 1 : i64} : (tensor<4x6xf32>) -> (tensor<4x3xf32>, tensor<4x3xi32>)
    %2 = "stablehlo.custom_call"(%arg0) <{call_target_name = "annotate_device_placement", has_side_effect = true}> {mhlo.frontend_attributes = {_xla_buffer_placement = "pinned_host"}} : (tensor<4x6xf32>) -> tensor<4x6xf32>
    "func.return"(%0, %1#0, %1#1, %2) : (tensor<4x6xf32>, tensor<4x3xf32>, tensor<4x3xi32>, tensor<4x6xf32>) -> ()
  }) : () -> ()
}) : () -> ()
