// RUN: tessera-opt --tessera-import-phase %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --inputs=%S/tuples_and_tokens.inputs.safetensors --expect=%S/tuples_and_tokens.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/tuples_and_tokens.inputs.safetensors --expect=%S/tuples_and_tokens.expected.safetensors --tolerance=1e-5
// RUN: tessera-fuzz %s --annotate --seed=1 --count=6 --tolerance=1e-5,1e-6
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4x6xf32>, tensor<i32>) -> (tensor<4x6xf32>, tensor<i32>), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4x6xf32>, %arg1: tensor<i32>):
    %0 = "stablehlo.create_token"() : () -> !stablehlo.token
    %1 = "stablehlo.after_all"(%0, %0) : (!stablehlo.token, !stablehlo.token) -> !stablehlo.token
    %2 = "stablehlo.tuple"(%arg0, %arg1) : (tensor<4x6xf32>, tensor<i32>) -> tuple<tensor<4x6xf32>, tensor<i32>>
    %3 = "stablehlo.tuple"(%2, %1) : (tuple<tensor<4x6xf32>, tensor<i32>>, !stablehlo.token) -> tuple<tuple<tensor<4x6xf32>, tensor<i32>>, !stablehlo.token>
    %4 = "stablehlo.get_tuple_element"(%3) <{index = 0 : i32}> : (tuple<tuple<tensor<4x6xf32>, tensor<i32>>, !stablehlo.token>) -> tuple<tensor<4x6xf32>, tensor<i32>>
    %5 = "stablehlo.get_tuple_element"(%4) <{index = 0 : i32}> : (tuple<tensor<4x6xf32>, tensor<i32>>) -> tensor<4x6xf32>
    %6 = "stablehlo.get_tuple_element"(%4) <{index = 1 : i32}> : (tuple<tensor<4x6xf32>, tensor<i32>>) -> tensor<i32>
    %7:2 = "stablehlo.optimization_barrier"(%5, %1) : (tensor<4x6xf32>, !stablehlo.token) -> (tensor<4x6xf32>, !stablehlo.token)
    %8:3 = "stablehlo.while"(%7#0, %6, %7#1) ({
    ^bb0(%arg5: tensor<4x6xf32>, %arg6: tensor<i32>, %arg7: !stablehlo.token):
      %13 = "stablehlo.constant"() <{value = dense<20> : tensor<i32>}> : () -> tensor<i32>
      %14 = "stablehlo.compare"(%arg6, %13) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%14) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg2: tensor<4x6xf32>, %arg3: tensor<i32>, %arg4: !stablehlo.token):
      %9 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
      %10 = "stablehlo.add"(%arg3, %9) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %11 = "stablehlo.cosine"(%arg2) : (tensor<4x6xf32>) -> tensor<4x6xf32>
      %12 = "stablehlo.after_all"(%arg4) : (!stablehlo.token) -> !stablehlo.token
      "stablehlo.return"(%11, %10, %12) : (tensor<4x6xf32>, tensor<i32>, !stablehlo.token) -> ()
    }) : (tensor<4x6xf32>, tensor<i32>, !stablehlo.token) -> (tensor<4x6xf32>, tensor<i32>, !stablehlo.token)
    "func.return"(%8#0, %8#1) : (tensor<4x6xf32>, tensor<i32>) -> ()
  }) : () -> ()
}) : () -> ()
