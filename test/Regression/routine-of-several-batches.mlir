// A layout of four dimensions was read from memory that was freed: a call of a routine over several batches crashed the compiler.
// A batch of two dimensions has the factors of the same matrices in a batch of one.
// RUN: tesserac %s -o %t.tsx
// RUN: tessera-run %t.tsx --random=1 --outputs=%t.safetensors
// RUN: tesserac %s --compile-to=import -o %t.mlir
// RUN: tessera-interpret %t.mlir --random=1 --expect=%t.safetensors --tolerance=1e-6
// RUN: tessera-interpret %t.mlir --random=1 | FileCheck %s
// CHECK: true

func.func @main(%a: tensor<2x3x7x4xf32>) -> tensor<i1> {
  %several:3 = "stablehlo.custom_call"(%a) <{api_version = 1 : i32, backend_config = "", call_target_name = "lapack_sgetrf_ffi", called_computations = [], has_side_effect = false, operand_layouts = [dense<[2, 3, 1, 0]> : tensor<4xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[2, 3, 1, 0]> : tensor<4xindex>, dense<[2, 1, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>]}>
      {mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "2"}} : (tensor<2x3x7x4xf32>) -> (tensor<2x3x7x4xf32>, tensor<2x3x4xi32>, tensor<2x3xi32>)
  %b = "stablehlo.reshape"(%a) : (tensor<2x3x7x4xf32>) -> tensor<6x7x4xf32>
  %one:3 = "stablehlo.custom_call"(%b) <{api_version = 1 : i32, backend_config = "", call_target_name = "lapack_sgetrf_ffi", called_computations = [], has_side_effect = false, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<0> : tensor<1xindex>]}>
      {mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}} : (tensor<6x7x4xf32>) -> (tensor<6x7x4xf32>, tensor<6x4xi32>, tensor<6xi32>)
  %c = "stablehlo.reshape"(%one#0) : (tensor<6x7x4xf32>) -> tensor<2x3x7x4xf32>
  %equal = "stablehlo.compare"(%several#0, %c) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<2x3x7x4xf32>, tensor<2x3x7x4xf32>) -> tensor<2x3x7x4xi1>
  %true = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
  %all = "stablehlo.reduce"(%equal, %true) <{dimensions = array<i64: 0, 1, 2, 3>}> ({
  ^bb0(%x: tensor<i1>, %y: tensor<i1>):
    %z = "stablehlo.and"(%x, %y) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    "stablehlo.return"(%z) : (tensor<i1>) -> ()
  }) : (tensor<2x3x7x4xi1>, tensor<i1>) -> tensor<i1>
  return %all : tensor<i1>
}
