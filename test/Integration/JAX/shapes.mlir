// RUN: tessera-opt --tessera-import-phase %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --inputs=%S/shapes.inputs.safetensors --expect=%S/shapes.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/shapes.inputs.safetensors --expect=%S/shapes.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=data=1,model=1 --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/shapes.inputs.safetensors --expect=%S/shapes.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/shapes.inputs.safetensors --expect=%S/shapes.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=data=2,model=2 --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/shapes.inputs.safetensors --expect=%S/shapes.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/shapes.inputs.safetensors --expect=%S/shapes.expected.safetensors --tolerance=1e-5
"builtin.module"() <{sym_name = "jit_shapes"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> (tensor<2x3x4xf32>, tensor<2x9x4xf32>, tensor<3x4xf32>, tensor<2x3xi32>, tensor<3x4x11xf32>, tensor<4x6xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x3x2x4xf32>, tensor<2x2x2xf32>, tensor<2x3xf32>, tensor<4x2x3xf32>), res_attrs = [{jax.result_info = "result['broadcast']"}, {jax.result_info = "result['concatenate']"}, {jax.result_info = "result['eye']"}, {jax.result_info = "result['iota']"}, {jax.result_info = "result['pad']"}, {jax.result_info = "result['reshape']"}, {jax.result_info = "result['reverse']"}, {jax.result_info = "result['roll']"}, {jax.result_info = "result['stack']"}, {jax.result_info = "result['strided']"}, {jax.result_info = "result['table']"}, {jax.result_info = "result['transpose']"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg1: tensor<2x3x4xf32> loc("x"), %arg2: tensor<2x3x4xf32> loc("y")):
    %3 = "stablehlo.constant"() <{value = dense<"0x000000000000803F0000004000004040000080400000A0400000C0400000E0400000004100001041000020410000304100004041000050410000604100007041000080410000884100009041000098410000A0410000A8410000B0410000B8410000C0410000C8410000D0410000D8410000E0410000E8410000F0410000F84100000042000004420000084200000C4200001042000014420000184200001C4200002042000024420000284200002C4200003042000034420000384200003C4200004042000044420000484200004C4200005042000054420000584200005C4200006042000064420000684200006C4200007042000074420000784200007C42000080420000824200008442000086420000884200008A4200008C4200008E42000090420000924200009442000096420000984200009A4200009C4200009E420000A0420000A2420000A4420000A6420000A8420000AA420000AC420000AE420000B0420000B2420000B4420000B6420000B8420000BA420000BC420000BE420000C0420000C2420000C4420000C6420000C8420000CA420000CC420000CE420000D0420000D2420000D4420000D6420000D8420000DA420000DC420000DE420000E0420000E2420000E4420000E6420000E8420000EA420000EC420000EE42"> : tensor<2x60xf32>}> : () -> tensor<2x60xf32> loc(#loc2)
    %4 = "stablehlo.transpose"(%arg1) <{permutation = array<i64: 2, 0, 1>}> : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32> loc(#loc4)
    %5 = "stablehlo.reshape"(%arg1) : (tensor<2x3x4xf32>) -> tensor<4x6xf32> loc(#loc6)
    %6 = "stablehlo.concatenate"(%arg1, %arg2, %arg1) <{dimension = 1 : i64}> : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x9x4xf32> loc(#loc8)
    %7 = "stablehlo.constant"() <{value = dense<9.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc2)
    %8 = "stablehlo.pad"(%arg1, %7) <{edge_padding_high = array<i64: 0, 2, 1>, edge_padding_low = array<i64: 1, -1, 0>, interior_padding = array<i64: 0, 0, 2>}> : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<3x4x11xf32> loc(#loc10)
    %9 = "stablehlo.slice"(%arg1) <{limit_indices = array<i64: 2, 3, 4>, start_indices = array<i64: 0, 0, 1>, strides = array<i64: 1, 2, 2>}> : (tensor<2x3x4xf32>) -> tensor<2x2x2xf32> loc(#loc12)
    %10 = "stablehlo.reverse"(%arg1) <{dimensions = array<i64: 1>}> : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32> loc(#loc14)
    %11 = "stablehlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = array<i64: 0, 1, 3>}> : (tensor<2x3x4xf32>) -> tensor<2x3x1x4xf32> loc(#loc16)
    %12 = "stablehlo.broadcast_in_dim"(%arg2) <{broadcast_dimensions = array<i64: 0, 1, 3>}> : (tensor<2x3x4xf32>) -> tensor<2x3x1x4xf32> loc(#loc16)
    %13 = "stablehlo.concatenate"(%11, %12) <{dimension = 2 : i64}> : (tensor<2x3x1x4xf32>, tensor<2x3x1x4xf32>) -> tensor<2x3x2x4xf32> loc(#loc16)
    %14 = "stablehlo.slice"(%arg1) <{limit_indices = array<i64: 2, 1, 4>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<2x3x4xf32>) -> tensor<2x1x4xf32> loc(#loc18)
    %15 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x1x4xf32>) -> tensor<2x3x4xf32> loc(#loc20)
    %16 = "stablehlo.add"(%15, %arg2) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32> loc(#loc21)
    %17 = "func.call"(%arg1) <{callee = @_roll_static}> : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32> loc(#loc23)
    %18 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<2x3xi32> loc(#loc25)
    %19 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<3x4xi32> loc(#loc27)
    %20 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<3x4xi32> loc(#loc27)
    %21 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc(#loc2)
    %22 = "stablehlo.broadcast_in_dim"(%21) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<3x4xi32> loc(#loc28)
    %23 = "stablehlo.add"(%19, %22) : (tensor<3x4xi32>, tensor<3x4xi32>) -> tensor<3x4xi32> loc(#loc28)
    %24 = "stablehlo.compare"(%23, %20) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<3x4xi32>, tensor<3x4xi32>) -> tensor<3x4xi1> loc(#loc29)
    %25 = "stablehlo.convert"(%24) : (tensor<3x4xi1>) -> tensor<3x4xf32> loc(#loc30)
    %26 = "stablehlo.slice"(%3) <{limit_indices = array<i64: 2, 60>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 20>}> : (tensor<2x60xf32>) -> tensor<2x3xf32> loc(#loc32)
    "func.return"(%16, %6, %25, %18, %8, %5, %10, %17, %13, %9, %26, %4) : (tensor<2x3x4xf32>, tensor<2x9x4xf32>, tensor<3x4xf32>, tensor<2x3xi32>, tensor<3x4x11xf32>, tensor<4x6xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x3x2x4xf32>, tensor<2x2x2xf32>, tensor<2x3xf32>, tensor<4x2x3xf32>) -> () loc(#loc2)
  }) : () -> () loc(unknown)
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>, res_attrs = [{}], sym_name = "_roll_static", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2x3x4xf32> loc(unknown)):
    %0 = "stablehlo.slice"(%arg0) <{limit_indices = array<i64: 2, 3, 4>, start_indices = array<i64: 0, 0, 3>, strides = array<i64: 1, 1, 1>}> : (tensor<2x3x4xf32>) -> tensor<2x3x1xf32> loc("slice")
    %1 = "stablehlo.slice"(%arg0) <{limit_indices = array<i64: 2, 3, 3>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<2x3x4xf32>) -> tensor<2x3x3xf32> loc("slice")
    %2 = "stablehlo.concatenate"(%0, %1) <{dimension = 2 : i64}> : (tensor<2x3x1xf32>, tensor<2x3x3xf32>) -> tensor<2x3x4xf32> loc("concatenate")
    "func.return"(%2) : (tensor<2x3x4xf32>) -> () loc(unknown)
  }) : () -> () loc(#loc33)
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> () loc(unknown)
#loc1 = loc("test/Integration/JAX/programs.py":424:11)
#loc2 = loc("jit(shapes)"(#loc1))
#loc3 = loc("test/Integration/JAX/programs.py":363:21)
#loc4 = loc("jit(shapes)/transpose"(#loc3))
#loc5 = loc("test/Integration/JAX/programs.py":364:19)
#loc6 = loc("jit(shapes)/reshape"(#loc5))
#loc7 = loc("test/Integration/JAX/programs.py":365:23)
#loc8 = loc("jit(shapes)/concatenate"(#loc7))
#loc9 = loc("test/Integration/JAX/programs.py":366:15)
#loc10 = loc("jit(shapes)/pad"(#loc9))
#loc11 = loc("test/Integration/JAX/programs.py":367:19)
#loc12 = loc("jit(shapes)/slice"(#loc11))
#loc13 = loc("test/Integration/JAX/programs.py":368:19)
#loc14 = loc("jit(shapes)/rev"(#loc13))
#loc15 = loc("test/Integration/JAX/programs.py":369:17)
#loc16 = loc("jit(shapes)/stack"(#loc15))
#loc17 = loc("test/Integration/JAX/programs.py":370:38)
#loc18 = loc("jit(shapes)/slice"(#loc17))
#loc19 = loc("test/Integration/JAX/programs.py":370:21)
#loc20 = loc("jit(shapes)/broadcast_in_dim"(#loc19))
#loc21 = loc("jit(shapes)/add"(#loc19))
#loc22 = loc("test/Integration/JAX/programs.py":371:16)
#loc23 = loc("jit(shapes)/jit(_roll_static)"(#loc22))
#loc24 = loc("test/Integration/JAX/programs.py":372:16)
#loc25 = loc("jit(shapes)/iota"(#loc24))
#loc26 = loc("test/Integration/JAX/programs.py":373:15)
#loc27 = loc("jit(shapes)/iota"(#loc26))
#loc28 = loc("jit(shapes)/add"(#loc26))
#loc29 = loc("jit(shapes)/eq"(#loc26))
#loc30 = loc("jit(shapes)/convert_element_type"(#loc26))
#loc31 = loc("test/Integration/JAX/programs.py":374:17)
#loc32 = loc("jit(shapes)/slice"(#loc31))
#loc33 = loc("jit:"(#loc22))
