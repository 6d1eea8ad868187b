// RUN: tessera-opt --tessera-import-phase %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --inputs=%S/threefry_bits.inputs.safetensors --expect=%S/threefry_bits.expected.safetensors --tolerance=0
// RUN: tesserac %s --check-phases -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/threefry_bits.inputs.safetensors --expect=%S/threefry_bits.expected.safetensors --tolerance=0
// RUN: tesserac %s --mesh=data=4,model=2 --check-phases -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/threefry_bits.inputs.safetensors --expect=%S/threefry_bits.expected.safetensors --tolerance=0
// RUN: tesserac %s --mesh=data=1,model=1 --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/threefry_bits.inputs.safetensors --expect=%S/threefry_bits.expected.safetensors --tolerance=0
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/threefry_bits.inputs.safetensors --expect=%S/threefry_bits.expected.safetensors --tolerance=0
// RUN: tesserac %s --mesh=data=2,model=2 --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/threefry_bits.inputs.safetensors --expect=%S/threefry_bits.expected.safetensors --tolerance=0
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/threefry_bits.inputs.safetensors --expect=%S/threefry_bits.expected.safetensors --tolerance=0
"builtin.module"() <{sym_name = "jit_threefry_bits"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["data"=2, "model"=4]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}} : () -> () loc(unknown)
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<4xui32>) -> (tensor<4xui32>, tensor<8x16xui32>, tensor<4xui32>, tensor<ui32>, tensor<4xui32>, tensor<1xui32>, tensor<4xui32>, tensor<7xui32>, tensor<4xui32>, tensor<3x5xui32>, tensor<4xui32>, tensor<3x4x5xui32>, tensor<4xui32>, tensor<5x3xui32>, tensor<4xui32>, tensor<5x6xui8>, tensor<4xui32>, tensor<3x3xui16>), res_attrs = [{jax.result_info = "result[0]", sdy.sharding = #sdy.sharding<@mesh, [{}]>}, {jax.result_info = "result[1]", sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}, {jax.result_info = "result[2][0][0]"}, {jax.result_info = "result[2][0][1]"}, {jax.result_info = "result[2][1][0]"}, {jax.result_info = "result[2][1][1]"}, {jax.result_info = "result[2][2][0]"}, {jax.result_info = "result[2][2][1]"}, {jax.result_info = "result[2][3][0]"}, {jax.result_info = "result[2][3][1]"}, {jax.result_info = "result[2][4][0]"}, {jax.result_info = "result[2][4][1]"}, {jax.result_info = "result[2][5][0]"}, {jax.result_info = "result[2][5][1]"}, {jax.result_info = "result[2][6][0]"}, {jax.result_info = "result[2][6][1]"}, {jax.result_info = "result[2][7][0]"}, {jax.result_info = "result[2][7][1]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<4xui32> loc("key")):
    %0 = "stablehlo.reshape"(%arg0) : (tensor<4xui32>) -> tensor<2x2xui32> loc(#loc2)
    %1 = "stablehlo.bitcast_convert"(%0) : (tensor<2x2xui32>) -> tensor<2xui64> loc(#loc2)
    %2:2 = "stablehlo.rng_bit_generator"(%1) <{rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<8x16xui32>) loc(#loc2)
    %3 = "stablehlo.bitcast_convert"(%2#0) : (tensor<2xui64>) -> tensor<2x2xui32> loc(#loc2)
    %4 = "stablehlo.reshape"(%3) : (tensor<2x2xui32>) -> tensor<4xui32> loc(#loc2)
    %5 = "stablehlo.reshape"(%arg0) : (tensor<4xui32>) -> tensor<2x2xui32> loc(#loc2)
    %6 = "stablehlo.bitcast_convert"(%5) : (tensor<2x2xui32>) -> tensor<2xui64> loc(#loc2)
    %7:2 = "stablehlo.rng_bit_generator"(%6) <{rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<ui32>) loc(#loc2)
    %8 = "stablehlo.bitcast_convert"(%7#0) : (tensor<2xui64>) -> tensor<2x2xui32> loc(#loc2)
    %9 = "stablehlo.reshape"(%8) : (tensor<2x2xui32>) -> tensor<4xui32> loc(#loc2)
    %10 = "stablehlo.reshape"(%arg0) : (tensor<4xui32>) -> tensor<2x2xui32> loc(#loc2)
    %11 = "stablehlo.bitcast_convert"(%10) : (tensor<2x2xui32>) -> tensor<2xui64> loc(#loc2)
    %12:2 = "stablehlo.rng_bit_generator"(%11) <{rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<1xui32>) loc(#loc2)
    %13 = "stablehlo.bitcast_convert"(%12#0) : (tensor<2xui64>) -> tensor<2x2xui32> loc(#loc2)
    %14 = "stablehlo.reshape"(%13) : (tensor<2x2xui32>) -> tensor<4xui32> loc(#loc2)
    %15 = "stablehlo.reshape"(%arg0) : (tensor<4xui32>) -> tensor<2x2xui32> loc(#loc2)
    %16 = "stablehlo.bitcast_convert"(%15) : (tensor<2x2xui32>) -> tensor<2xui64> loc(#loc2)
    %17:2 = "stablehlo.rng_bit_generator"(%16) <{rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<7xui32>) loc(#loc2)
    %18 = "stablehlo.bitcast_convert"(%17#0) : (tensor<2xui64>) -> tensor<2x2xui32> loc(#loc2)
    %19 = "stablehlo.reshape"(%18) : (tensor<2x2xui32>) -> tensor<4xui32> loc(#loc2)
    %20 = "stablehlo.reshape"(%arg0) : (tensor<4xui32>) -> tensor<2x2xui32> loc(#loc2)
    %21 = "stablehlo.bitcast_convert"(%20) : (tensor<2x2xui32>) -> tensor<2xui64> loc(#loc2)
    %22:2 = "stablehlo.rng_bit_generator"(%21) <{rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5xui32>) loc(#loc2)
    %23 = "stablehlo.bitcast_convert"(%22#0) : (tensor<2xui64>) -> tensor<2x2xui32> loc(#loc2)
    %24 = "stablehlo.reshape"(%23) : (tensor<2x2xui32>) -> tensor<4xui32> loc(#loc2)
    %25 = "stablehlo.reshape"(%arg0) : (tensor<4xui32>) -> tensor<2x2xui32> loc(#loc2)
    %26 = "stablehlo.bitcast_convert"(%25) : (tensor<2x2xui32>) -> tensor<2xui64> loc(#loc2)
    %27:2 = "stablehlo.rng_bit_generator"(%26) <{rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x4x5xui32>) loc(#loc2)
    %28 = "stablehlo.bitcast_convert"(%27#0) : (tensor<2xui64>) -> tensor<2x2xui32> loc(#loc2)
    %29 = "stablehlo.reshape"(%28) : (tensor<2x2xui32>) -> tensor<4xui32> loc(#loc2)
    %30 = "stablehlo.reshape"(%arg0) : (tensor<4xui32>) -> tensor<2x2xui32> loc(#loc2)
    %31 = "stablehlo.bitcast_convert"(%30) : (tensor<2x2xui32>) -> tensor<2xui64> loc(#loc2)
    %32:2 = "stablehlo.rng_bit_generator"(%31) <{rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5x3xui32>) loc(#loc2)
    %33 = "stablehlo.bitcast_convert"(%32#0) : (tensor<2xui64>) -> tensor<2x2xui32> loc(#loc2)
    %34 = "stablehlo.reshape"(%33) : (tensor<2x2xui32>) -> tensor<4xui32> loc(#loc2)
    %35 = "stablehlo.reshape"(%arg0) : (tensor<4xui32>) -> tensor<2x2xui32> loc(#loc2)
    %36 = "stablehlo.bitcast_convert"(%35) : (tensor<2x2xui32>) -> tensor<2xui64> loc(#loc2)
    %37:2 = "stablehlo.rng_bit_generator"(%36) <{rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5x6xui8>) loc(#loc2)
    %38 = "stablehlo.bitcast_convert"(%37#0) : (tensor<2xui64>) -> tensor<2x2xui32> loc(#loc2)
    %39 = "stablehlo.reshape"(%38) : (tensor<2x2xui32>) -> tensor<4xui32> loc(#loc2)
    %40 = "stablehlo.reshape"(%arg0) : (tensor<4xui32>) -> tensor<2x2xui32> loc(#loc2)
    %41 = "stablehlo.bitcast_convert"(%40) : (tensor<2x2xui32>) -> tensor<2xui64> loc(#loc2)
    %42:2 = "stablehlo.rng_bit_generator"(%41) <{rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x3xui16>) loc(#loc2)
    %43 = "stablehlo.bitcast_convert"(%42#0) : (tensor<2xui64>) -> tensor<2x2xui32> loc(#loc2)
    %44 = "stablehlo.reshape"(%43) : (tensor<2x2xui32>) -> tensor<4xui32> loc(#loc2)
    "func.return"(%4, %2#1, %9, %7#1, %14, %12#1, %19, %17#1, %24, %22#1, %29, %27#1, %34, %32#1, %39, %37#1, %44, %42#1) : (tensor<4xui32>, tensor<8x16xui32>, tensor<4xui32>, tensor<ui32>, tensor<4xui32>, tensor<1xui32>, tensor<4xui32>, tensor<7xui32>, tensor<4xui32>, tensor<3x5xui32>, tensor<4xui32>, tensor<3x4x5xui32>, tensor<4xui32>, tensor<5x3xui32>, tensor<4xui32>, tensor<5x6xui8>, tensor<4xui32>, tensor<3x3xui16>) -> () loc(#loc4)
  }) : () -> () loc(unknown)
}) {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} : () -> () loc(unknown)
#loc1 = loc("test/Integration/JAX/others.py":47:43)
#loc2 = loc("jit(threefry_bits)/rng_bit_generator"(#loc1))
#loc3 = loc("test/Integration/JAX/programs.py":954:11)
#loc4 = loc("jit(threefry_bits)"(#loc3))
