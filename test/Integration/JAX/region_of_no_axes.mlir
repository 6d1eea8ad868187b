// RUN: tessera-opt --tessera-import-phase %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --inputs=%S/region_of_no_axes.inputs.safetensors --expect=%S/region_of_no_axes.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/region_of_no_axes.inputs.safetensors --expect=%S/region_of_no_axes.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/region_of_no_axes.inputs.safetensors --expect=%S/region_of_no_axes.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/region_of_no_axes.inputs.safetensors --expect=%S/region_of_no_axes.expected.safetensors --tolerance=1e-5
"builtin.module"() <{sym_name = "jit_region_of_no_axes"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["data"=1, "model"=2]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "data", size = 1 : i64}, {name = "model", size = 2 : i64}]}} : () -> () loc(unknown)
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<8x8xf32> loc("x"), %arg1: tensor<8x8xf32> loc("w")):
    %0 = "sdy.manual_computation"(%arg0, %arg1) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{}, {}]>, <@mesh, [{}, {}]>]>, manual_axes = #sdy<manual_axes{"data", "model"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>}> ({
    ^bb0(%arg2: tensor<8x8xf32> loc("shard_map:"), %arg3: tensor<8x8xf32> loc("shard_map:")):
      %1 = "stablehlo.dot_general"(%arg2, %arg3) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32> loc(#loc2)
      %2 = "stablehlo.tanh"(%1) : (tensor<8x8xf32>) -> tensor<8x8xf32> loc(#loc4)
      "sdy.return"(%2) : (tensor<8x8xf32>) -> () loc("shard_map:")
    }) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32> loc(#loc6)
    "func.return"(%0) : (tensor<8x8xf32>) -> () loc(#loc8)
  }) : () -> () loc(unknown)
}) {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} : () -> () loc(unknown)
#loc1 = loc("test/Integration/JAX/regions.py":135:33)
#loc2 = loc("dot_general"(#loc1))
#loc3 = loc("test/Integration/JAX/regions.py":135:24)
#loc4 = loc("tanh"(#loc3))
#loc5 = loc("test/Integration/JAX/regions.py":136:11)
#loc6 = loc("jit(region_of_no_axes)/shard_map"(#loc5))
#loc7 = loc("test/Integration/JAX/programs.py":955:11)
#loc8 = loc("jit(region_of_no_axes)"(#loc7))
