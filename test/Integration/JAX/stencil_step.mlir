// RUN: tessera-opt --tessera-import-phase %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --inputs=%S/stencil_step.inputs.safetensors --expect=%S/stencil_step.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --check-phases -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/stencil_step.inputs.safetensors --expect=%S/stencil_step.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=data=1 --check-phases -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/stencil_step.inputs.safetensors --expect=%S/stencil_step.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=data=1,model=1 --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/stencil_step.inputs.safetensors --expect=%S/stencil_step.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/stencil_step.inputs.safetensors --expect=%S/stencil_step.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=data=2,model=2 --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/stencil_step.inputs.safetensors --expect=%S/stencil_step.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/stencil_step.inputs.safetensors --expect=%S/stencil_step.expected.safetensors --tolerance=1e-5
"builtin.module"() <{sym_name = "jit_stencil_step"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["data"=2, "model"=4]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}} : () -> () loc(unknown)
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}], function_type = (tensor<2x8x8xf32>, tensor<8x8xf32>) -> tensor<2x8x8xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg7: tensor<2x8x8xf32> loc("u"), %arg8: tensor<8x8xf32> loc("source")):
    %35 = "func.call"(%arg7) <{callee = @_roll_static}> : (tensor<2x8x8xf32>) -> tensor<2x8x8xf32> loc(#loc2)
    %36 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc4)
    %37 = "stablehlo.broadcast_in_dim"(%36) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x8xf32> loc(#loc6)
    %38 = "stablehlo.add"(%37, %35) : (tensor<2x8x8xf32>, tensor<2x8x8xf32>) -> tensor<2x8x8xf32> loc(#loc6)
    %39 = "func.call"(%arg7) <{callee = @_roll_static_0}> : (tensor<2x8x8xf32>) -> tensor<2x8x8xf32> loc(#loc2)
    %40 = "stablehlo.add"(%38, %39) : (tensor<2x8x8xf32>, tensor<2x8x8xf32>) -> tensor<2x8x8xf32> loc(#loc6)
    %41 = "func.call"(%arg7) <{callee = @_roll_static_1}> : (tensor<2x8x8xf32>) -> tensor<2x8x8xf32> loc(#loc2)
    %42 = "stablehlo.add"(%40, %41) : (tensor<2x8x8xf32>, tensor<2x8x8xf32>) -> tensor<2x8x8xf32> loc(#loc6)
    %43 = "func.call"(%arg7) <{callee = @_roll_static_2}> : (tensor<2x8x8xf32>) -> tensor<2x8x8xf32> loc(#loc2)
    %44 = "stablehlo.add"(%42, %43) : (tensor<2x8x8xf32>, tensor<2x8x8xf32>) -> tensor<2x8x8xf32> loc(#loc6)
    %45 = "stablehlo.constant"() <{value = dense<4.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc4)
    %46 = "stablehlo.broadcast_in_dim"(%45) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x8xf32> loc(#loc8)
    %47 = "stablehlo.multiply"(%46, %arg7) : (tensor<2x8x8xf32>, tensor<2x8x8xf32>) -> tensor<2x8x8xf32> loc(#loc8)
    %48 = "stablehlo.subtract"(%44, %47) : (tensor<2x8x8xf32>, tensor<2x8x8xf32>) -> tensor<2x8x8xf32> loc(#loc9)
    %49 = "stablehlo.slice"(%arg7) <{limit_indices = array<i64: 2, 7, 7>, start_indices = array<i64: 0, 1, 1>, strides = array<i64: 1, 1, 1>}> : (tensor<2x8x8xf32>) -> tensor<2x6x6xf32> loc(#loc11)
    %50 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc(#loc4)
    %51 = "func.call"(%49, %50) <{callee = @_pad}> : (tensor<2x6x6xf32>, tensor<i32>) -> tensor<2x8x8xf32> loc(#loc13)
    %52 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32> loc(#loc4)
    %53 = "stablehlo.broadcast_in_dim"(%52) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x8xf32> loc(#loc15)
    %54 = "stablehlo.multiply"(%53, %51) : (tensor<2x8x8xf32>, tensor<2x8x8xf32>) -> tensor<2x8x8xf32> loc(#loc15)
    %55 = "func.call"(%arg7) <{callee = @_pad_3}> : (tensor<2x8x8xf32>) -> tensor<2x10x8xf32> loc(#loc17)
    %56 = "stablehlo.slice"(%55) <{limit_indices = array<i64: 2, 10, 8>, start_indices = array<i64: 0, 2, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<2x10x8xf32>) -> tensor<2x8x8xf32> loc(#loc18)
    %57 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32> loc(#loc4)
    %58 = "stablehlo.broadcast_in_dim"(%57) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x8xf32> loc(#loc20)
    %59 = "stablehlo.multiply"(%58, %56) : (tensor<2x8x8xf32>, tensor<2x8x8xf32>) -> tensor<2x8x8xf32> loc(#loc20)
    %60 = "stablehlo.add"(%54, %59) : (tensor<2x8x8xf32>, tensor<2x8x8xf32>) -> tensor<2x8x8xf32> loc(#loc21)
    %61 = "stablehlo.broadcast_in_dim"(%arg8) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<8x8xf32>) -> tensor<1x8x8xf32> loc(#loc23)
    %62 = "stablehlo.broadcast_in_dim"(%61) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x8x8xf32>) -> tensor<2x8x8xf32> loc(#loc24)
    %63 = "stablehlo.add"(%48, %62) : (tensor<2x8x8xf32>, tensor<2x8x8xf32>) -> tensor<2x8x8xf32> loc(#loc24)
    %64 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32> loc(#loc4)
    %65 = "stablehlo.broadcast_in_dim"(%64) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x8xf32> loc(#loc26)
    %66 = "stablehlo.multiply"(%65, %63) : (tensor<2x8x8xf32>, tensor<2x8x8xf32>) -> tensor<2x8x8xf32> loc(#loc26)
    %67 = "stablehlo.add"(%60, %66) : (tensor<2x8x8xf32>, tensor<2x8x8xf32>) -> tensor<2x8x8xf32> loc(#loc28)
    "func.return"(%67) : (tensor<2x8x8xf32>) -> () loc(#loc4)
  }) : () -> () loc(unknown)
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x8x8xf32>) -> tensor<2x8x8xf32>, res_attrs = [{}], sym_name = "_roll_static", sym_visibility = "private"}> ({
  ^bb0(%arg6: tensor<2x8x8xf32> loc(unknown)):
    %32 = "stablehlo.slice"(%arg6) <{limit_indices = array<i64: 2, 8, 8>, start_indices = array<i64: 0, 1, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<2x8x8xf32>) -> tensor<2x7x8xf32> loc("slice")
    %33 = "stablehlo.slice"(%arg6) <{limit_indices = array<i64: 2, 1, 8>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<2x8x8xf32>) -> tensor<2x1x8xf32> loc("slice")
    %34 = "stablehlo.concatenate"(%32, %33) <{dimension = 1 : i64}> : (tensor<2x7x8xf32>, tensor<2x1x8xf32>) -> tensor<2x8x8xf32> loc("concatenate")
    "func.return"(%34) : (tensor<2x8x8xf32>) -> () loc(unknown)
  }) : () -> () loc(#loc29)
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x8x8xf32>) -> tensor<2x8x8xf32>, res_attrs = [{}], sym_name = "_roll_static_0", sym_visibility = "private"}> ({
  ^bb0(%arg5: tensor<2x8x8xf32> loc(unknown)):
    %29 = "stablehlo.slice"(%arg5) <{limit_indices = array<i64: 2, 8, 8>, start_indices = array<i64: 0, 0, 1>, strides = array<i64: 1, 1, 1>}> : (tensor<2x8x8xf32>) -> tensor<2x8x7xf32> loc("slice")
    %30 = "stablehlo.slice"(%arg5) <{limit_indices = array<i64: 2, 8, 1>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<2x8x8xf32>) -> tensor<2x8x1xf32> loc("slice")
    %31 = "stablehlo.concatenate"(%29, %30) <{dimension = 2 : i64}> : (tensor<2x8x7xf32>, tensor<2x8x1xf32>) -> tensor<2x8x8xf32> loc("concatenate")
    "func.return"(%31) : (tensor<2x8x8xf32>) -> () loc(unknown)
  }) : () -> () loc(#loc29)
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x8x8xf32>) -> tensor<2x8x8xf32>, res_attrs = [{}], sym_name = "_roll_static_1", sym_visibility = "private"}> ({
  ^bb0(%arg4: tensor<2x8x8xf32> loc(unknown)):
    %26 = "stablehlo.slice"(%arg4) <{limit_indices = array<i64: 2, 8, 8>, start_indices = array<i64: 0, 7, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<2x8x8xf32>) -> tensor<2x1x8xf32> loc("slice")
    %27 = "stablehlo.slice"(%arg4) <{limit_indices = array<i64: 2, 7, 8>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<2x8x8xf32>) -> tensor<2x7x8xf32> loc("slice")
    %28 = "stablehlo.concatenate"(%26, %27) <{dimension = 1 : i64}> : (tensor<2x1x8xf32>, tensor<2x7x8xf32>) -> tensor<2x8x8xf32> loc("concatenate")
    "func.return"(%28) : (tensor<2x8x8xf32>) -> () loc(unknown)
  }) : () -> () loc(#loc29)
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x8x8xf32>) -> tensor<2x8x8xf32>, res_attrs = [{}], sym_name = "_roll_static_2", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<2x8x8xf32> loc(unknown)):
    %23 = "stablehlo.slice"(%arg3) <{limit_indices = array<i64: 2, 8, 8>, start_indices = array<i64: 0, 0, 7>, strides = array<i64: 1, 1, 1>}> : (tensor<2x8x8xf32>) -> tensor<2x8x1xf32> loc("slice")
    %24 = "stablehlo.slice"(%arg3) <{limit_indices = array<i64: 2, 8, 7>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<2x8x8xf32>) -> tensor<2x8x7xf32> loc("slice")
    %25 = "stablehlo.concatenate"(%23, %24) <{dimension = 2 : i64}> : (tensor<2x8x1xf32>, tensor<2x8x7xf32>) -> tensor<2x8x8xf32> loc("concatenate")
    "func.return"(%25) : (tensor<2x8x8xf32>) -> () loc(unknown)
  }) : () -> () loc(#loc29)
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2x6x6xf32>, tensor<i32>) -> tensor<2x8x8xf32>, res_attrs = [{}], sym_name = "_pad", sym_visibility = "private"}> ({
  ^bb0(%arg1: tensor<2x6x6xf32> loc(unknown), %arg2: tensor<i32> loc(unknown)):
    %21 = "stablehlo.convert"(%arg2) : (tensor<i32>) -> tensor<f32> loc("convert_element_type")
    %22 = "stablehlo.pad"(%arg1, %21) <{edge_padding_high = array<i64: 0, 1, 1>, edge_padding_low = array<i64: 0, 1, 1>, interior_padding = array<i64: 0, 0, 0>}> : (tensor<2x6x6xf32>, tensor<f32>) -> tensor<2x8x8xf32> loc("pad")
    "func.return"(%22) : (tensor<2x8x8xf32>) -> () loc(unknown)
  }) : () -> () loc(#loc30)
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x8x8xf32>) -> tensor<2x10x8xf32>, res_attrs = [{}], sym_name = "_pad_3", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2x8x8xf32> loc(unknown)):
    %0 = "stablehlo.slice"(%arg0) <{limit_indices = array<i64: 1, 8, 8>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<2x8x8xf32>) -> tensor<1x8x8xf32> loc("slice")
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64: 0, 2, 3>}> : (tensor<1x8x8xf32>) -> tensor<1x0x8x8xf32> loc("broadcast_in_dim")
    %2 = "stablehlo.reshape"(%1) : (tensor<1x0x8x8xf32>) -> tensor<0x8x8xf32> loc("reshape")
    %3 = "stablehlo.slice"(%arg0) <{limit_indices = array<i64: 2, 8, 8>, start_indices = array<i64: 1, 0, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<2x8x8xf32>) -> tensor<1x8x8xf32> loc("slice")
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64: 0, 2, 3>}> : (tensor<1x8x8xf32>) -> tensor<1x0x8x8xf32> loc("broadcast_in_dim")
    %5 = "stablehlo.reshape"(%4) : (tensor<1x0x8x8xf32>) -> tensor<0x8x8xf32> loc("reshape")
    %6 = "stablehlo.concatenate"(%2, %arg0, %5) <{dimension = 0 : i64}> : (tensor<0x8x8xf32>, tensor<2x8x8xf32>, tensor<0x8x8xf32>) -> tensor<2x8x8xf32> loc("concatenate")
    %7 = "stablehlo.slice"(%6) <{limit_indices = array<i64: 2, 1, 8>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<2x8x8xf32>) -> tensor<2x1x8xf32> loc("slice")
    %8 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64: 0, 1, 3>}> : (tensor<2x1x8xf32>) -> tensor<2x1x1x8xf32> loc("broadcast_in_dim")
    %9 = "stablehlo.reshape"(%8) : (tensor<2x1x1x8xf32>) -> tensor<2x1x8xf32> loc("reshape")
    %10 = "stablehlo.slice"(%6) <{limit_indices = array<i64: 2, 8, 8>, start_indices = array<i64: 0, 7, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<2x8x8xf32>) -> tensor<2x1x8xf32> loc("slice")
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64: 0, 1, 3>}> : (tensor<2x1x8xf32>) -> tensor<2x1x1x8xf32> loc("broadcast_in_dim")
    %12 = "stablehlo.reshape"(%11) : (tensor<2x1x1x8xf32>) -> tensor<2x1x8xf32> loc("reshape")
    %13 = "stablehlo.concatenate"(%9, %6, %12) <{dimension = 1 : i64}> : (tensor<2x1x8xf32>, tensor<2x8x8xf32>, tensor<2x1x8xf32>) -> tensor<2x10x8xf32> loc("concatenate")
    %14 = "stablehlo.slice"(%13) <{limit_indices = array<i64: 2, 10, 1>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<2x10x8xf32>) -> tensor<2x10x1xf32> loc("slice")
    %15 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x10x1xf32>) -> tensor<2x10x1x0xf32> loc("broadcast_in_dim")
    %16 = "stablehlo.reshape"(%15) : (tensor<2x10x1x0xf32>) -> tensor<2x10x0xf32> loc("reshape")
    %17 = "stablehlo.slice"(%13) <{limit_indices = array<i64: 2, 10, 8>, start_indices = array<i64: 0, 0, 7>, strides = array<i64: 1, 1, 1>}> : (tensor<2x10x8xf32>) -> tensor<2x10x1xf32> loc("slice")
    %18 = "stablehlo.broadcast_in_dim"(%17) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x10x1xf32>) -> tensor<2x10x1x0xf32> loc("broadcast_in_dim")
    %19 = "stablehlo.reshape"(%18) : (tensor<2x10x1x0xf32>) -> tensor<2x10x0xf32> loc("reshape")
    %20 = "stablehlo.concatenate"(%16, %13, %19) <{dimension = 2 : i64}> : (tensor<2x10x0xf32>, tensor<2x10x8xf32>, tensor<2x10x0xf32>) -> tensor<2x10x8xf32> loc("concatenate")
    "func.return"(%20) : (tensor<2x10x8xf32>) -> () loc(unknown)
  }) : () -> () loc(#loc31)
}) {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} : () -> () loc(unknown)
#loc1 = loc("test/Integration/JAX/models.py":95:18)
#loc2 = loc("jit(stencil_step)/jit(_roll_static)"(#loc1))
#loc3 = loc("test/Integration/JAX/programs.py":585:11)
#loc4 = loc("jit(stencil_step)"(#loc3))
#loc5 = loc("test/Integration/JAX/models.py":95:14)
#loc6 = loc("jit(stencil_step)/add"(#loc5))
#loc7 = loc("test/Integration/JAX/models.py":95:86)
#loc8 = loc("jit(stencil_step)/mul"(#loc7))
#loc9 = loc("jit(stencil_step)/sub"(#loc5))
#loc10 = loc("test/Integration/JAX/models.py":96:20)
#loc11 = loc("jit(stencil_step)/slice"(#loc10))
#loc12 = loc("test/Integration/JAX/models.py":96:12)
#loc13 = loc("jit(stencil_step)/jit(_pad)"(#loc12))
#loc14 = loc("test/Integration/JAX/models.py":97:13)
#loc15 = loc("jit(stencil_step)/mul"(#loc14))
#loc16 = loc("test/Integration/JAX/models.py":97:33)
#loc17 = loc("jit(stencil_step)/jit(_pad)"(#loc16))
#loc18 = loc("jit(stencil_step)/slice"(#loc16))
#loc19 = loc("test/Integration/JAX/models.py":97:27)
#loc20 = loc("jit(stencil_step)/mul"(#loc19))
#loc21 = loc("jit(stencil_step)/add"(#loc14))
#loc22 = loc("test/Integration/JAX/models.py":98:27)
#loc23 = loc("jit(stencil_step)/broadcast_in_dim"(#loc22))
#loc24 = loc("jit(stencil_step)/add"(#loc22))
#loc25 = loc("test/Integration/JAX/models.py":98:20)
#loc26 = loc("jit(stencil_step)/mul"(#loc25))
#loc27 = loc("test/Integration/JAX/models.py":98:11)
#loc28 = loc("jit(stencil_step)/add"(#loc27))
#loc29 = loc("jit:"(#loc1))
#loc30 = loc("jit:"(#loc12))
#loc31 = loc("jit:"(#loc16))
