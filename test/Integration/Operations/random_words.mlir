// RUN: tessera-opt --tessera-import-phase %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --inputs=%S/random_words.inputs.safetensors --expect=%S/random_words.expected.safetensors --tolerance=0
// RUN: tesserac %s -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/random_words.inputs.safetensors --expect=%S/random_words.expected.safetensors --tolerance=0
// RUN: tessera-fuzz %s --annotate --seed=1 --count=6 --tolerance=0,1e-6
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3xui64>) -> (tensor<3xui64>, tensor<10xui32>, tensor<3xui64>, tensor<3x8xui64>, tensor<3xui64>, tensor<5xui8>), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3xui64>):
    %0:2 = "stablehlo.rng_bit_generator"(%arg0) <{rng_algorithm = #stablehlo<rng_algorithm PHILOX>}> : (tensor<3xui64>) -> (tensor<3xui64>, tensor<10xui32>)
    %1:2 = "stablehlo.rng_bit_generator"(%0#0) <{rng_algorithm = #stablehlo<rng_algorithm DEFAULT>}> : (tensor<3xui64>) -> (tensor<3xui64>, tensor<3x8xui64>)
    %2:2 = "stablehlo.rng_bit_generator"(%1#0) <{rng_algorithm = #stablehlo<rng_algorithm PHILOX>}> : (tensor<3xui64>) -> (tensor<3xui64>, tensor<5xui8>)
    "func.return"(%0#0, %0#1, %1#0, %1#1, %2#0, %2#1) : (tensor<3xui64>, tensor<10xui32>, tensor<3xui64>, tensor<3x8xui64>, tensor<3xui64>, tensor<5xui8>) -> ()
  }) : () -> ()
}) : () -> ()
