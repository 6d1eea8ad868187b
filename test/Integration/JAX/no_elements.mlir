// RUN: tessera-opt --tessera-import-phase %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --inputs=%S/no_elements.inputs.safetensors --expect=%S/no_elements.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --check-phases -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/no_elements.inputs.safetensors --expect=%S/no_elements.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=data=1,model=1 --check-phases -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/no_elements.inputs.safetensors --expect=%S/no_elements.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=data=1,model=1 --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/no_elements.inputs.safetensors --expect=%S/no_elements.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/no_elements.inputs.safetensors --expect=%S/no_elements.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=data=2,model=2 --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/no_elements.inputs.safetensors --expect=%S/no_elements.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/no_elements.inputs.safetensors --expect=%S/no_elements.expected.safetensors --tolerance=1e-5
"builtin.module"() <{sym_name = "jit_no_elements"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["data"=2, "model"=4]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}} : () -> () loc(unknown)
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {"data"}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"data"}]>}], function_type = (tensor<4x0x3xf32>, tensor<0xf32>) -> (tensor<0xf32>, tensor<4x0x3xf32>, tensor<0xf32>, tensor<3x0x4xf32>, tensor<4x5xf32>, tensor<4x3xf32>, tensor<f32>, tensor<4x3xf32>), res_attrs = [{jax.result_info = "result['argument']"}, {jax.result_info = "result['doubled']"}, {jax.result_info = "result['grown']"}, {jax.result_info = "result['moved']"}, {jax.result_info = "result['product']"}, {jax.result_info = "result['rows']"}, {jax.result_info = "result['sum']"}, {jax.result_info = "result['sums']"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg9: tensor<4x0x3xf32> loc("a"), %arg10: tensor<0xf32> loc("b")):
    %16 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc2)
    %17 = "stablehlo.broadcast_in_dim"(%16) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x3xf32> loc(#loc3)
    %18 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc(#loc4)
    %19:4 = "stablehlo.while"(%arg9, %18, %arg10, %17) ({
    ^bb0(%arg19: tensor<4x0x3xf32> loc("while:"), %arg20: tensor<i32> loc("while:"), %arg21: tensor<0xf32> loc("while:"), %arg22: tensor<4x3xf32> loc("while:")):
      %41 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32> loc(#loc5)
      %42 = "stablehlo.compare"(%arg20, %41) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1> loc(#loc6)
      "stablehlo.return"(%42) : (tensor<i1>) -> () loc(#loc5)
    }, {
    ^bb0(%arg15: tensor<4x0x3xf32> loc("while:"), %arg16: tensor<i32> loc("while:"), %arg17: tensor<0xf32> loc("while:"), %arg18: tensor<4x3xf32> loc("while:")):
      %36 = "func.call"(%arg15, %arg16) <{callee = @dynamic_index_in_dim}> : (tensor<4x0x3xf32>, tensor<i32>) -> tensor<0x3xf32> loc(#loc7)
      %37:2 = "func.call"(%arg17, %36) <{callee = @closed_call}> : (tensor<0xf32>, tensor<0x3xf32>) -> (tensor<0xf32>, tensor<3xf32>) loc(#loc8)
      %38 = "func.call"(%arg18, %37#1, %arg16) <{callee = @dynamic_update_index_in_dim}> : (tensor<4x3xf32>, tensor<3xf32>, tensor<i32>) -> tensor<4x3xf32> loc(#loc9)
      %39 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32> loc(#loc5)
      %40 = "stablehlo.add"(%arg16, %39) : (tensor<i32>, tensor<i32>) -> tensor<i32> loc(#loc10)
      "stablehlo.return"(%arg15, %40, %37#0, %38) : (tensor<4x0x3xf32>, tensor<i32>, tensor<0xf32>, tensor<4x3xf32>) -> () loc(#loc5)
    }) : (tensor<4x0x3xf32>, tensor<i32>, tensor<0xf32>, tensor<4x3xf32>) -> (tensor<4x0x3xf32>, tensor<i32>, tensor<0xf32>, tensor<4x3xf32>) loc(#loc5)
    %20 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc12)
    %21 = "stablehlo.reduce"(%arg9, %20) <{dimensions = array<i64: 0, 1, 2>}> ({
    ^bb0(%arg13: tensor<f32> loc("reduce_sum:"), %arg14: tensor<f32> loc("reduce_sum:")):
      %35 = "stablehlo.add"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc12)
      "stablehlo.return"(%35) : (tensor<f32>) -> () loc(#loc12)
    }) : (tensor<4x0x3xf32>, tensor<f32>) -> tensor<f32> loc(#loc12)
    %22 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc14)
    %23 = "stablehlo.reduce"(%arg9, %22) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg11: tensor<f32> loc("reduce_sum:"), %arg12: tensor<f32> loc("reduce_sum:")):
      %34 = "stablehlo.add"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc14)
      "stablehlo.return"(%34) : (tensor<f32>) -> () loc(#loc14)
    }) : (tensor<4x0x3xf32>, tensor<f32>) -> tensor<4x3xf32> loc(#loc14)
    %24 = "stablehlo.concatenate"(%arg9, %arg9) <{dimension = 1 : i64}> : (tensor<4x0x3xf32>, tensor<4x0x3xf32>) -> tensor<4x0x3xf32> loc(#loc16)
    %25 = "stablehlo.transpose"(%arg9) <{permutation = array<i64: 2, 1, 0>}> : (tensor<4x0x3xf32>) -> tensor<3x0x4xf32> loc(#loc18)
    %26 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc20)
    %27 = "stablehlo.broadcast_in_dim"(%26) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x0x4xf32> loc(#loc21)
    %28 = "stablehlo.add"(%25, %27) : (tensor<3x0x4xf32>, tensor<3x0x4xf32>) -> tensor<3x0x4xf32> loc(#loc21)
    %29 = "stablehlo.slice"(%arg9) <{limit_indices = array<i64: 4, 0, 1>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<4x0x3xf32>) -> tensor<4x0x1xf32> loc(#loc23)
    %30 = "stablehlo.reshape"(%29) : (tensor<4x0x1xf32>) -> tensor<4x0xf32> loc(#loc24)
    %31 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc20)
    %32 = "stablehlo.broadcast_in_dim"(%31) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<0x5xf32> loc(#loc26)
    %33 = "stablehlo.dot_general"(%30, %32) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x0xf32>, tensor<0x5xf32>) -> tensor<4x5xf32> loc(#loc27)
    "func.return"(%arg10, %24, %19#2, %28, %33, %19#3, %21, %23) : (tensor<0xf32>, tensor<4x0x3xf32>, tensor<0xf32>, tensor<3x0x4xf32>, tensor<4x5xf32>, tensor<4x3xf32>, tensor<f32>, tensor<4x3xf32>) -> () loc(#loc20)
  }) : () -> () loc(unknown)
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<4x0x3xf32>, tensor<i32>) -> tensor<0x3xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim", sym_visibility = "private"}> ({
  ^bb0(%arg7: tensor<4x0x3xf32> loc(unknown), %arg8: tensor<i32> loc(unknown)):
    %12 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc(unknown)
    %13 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc(unknown)
    %14 = "stablehlo.dynamic_slice"(%arg7, %arg8, %12, %13) <{slice_sizes = array<i64: 1, 0, 3>}> : (tensor<4x0x3xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x0x3xf32> loc(#loc28)
    %15 = "stablehlo.reshape"(%14) : (tensor<1x0x3xf32>) -> tensor<0x3xf32> loc(#loc29)
    "func.return"(%15) : (tensor<0x3xf32>) -> () loc(unknown)
  }) : () -> () loc(#loc30)
  "func.func"() <{function_type = (tensor<0xf32>, tensor<0x3xf32>) -> (tensor<0xf32>, tensor<3xf32>), res_attrs = [{}, {}], sym_name = "closed_call", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<0xf32> loc(unknown), %arg4: tensor<0x3xf32> loc(unknown)):
    %3 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(unknown)
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<0xf32> loc(#loc32)
    %5 = "stablehlo.multiply"(%arg3, %4) : (tensor<0xf32>, tensor<0xf32>) -> tensor<0xf32> loc(#loc32)
    %6 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc34)
    %7 = "stablehlo.reduce"(%arg4, %6) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg5: tensor<f32> loc("reduce_sum:"), %arg6: tensor<f32> loc("reduce_sum:")):
      %11 = "stablehlo.add"(%arg5, %arg6) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc34)
      "stablehlo.return"(%11) : (tensor<f32>) -> () loc(#loc34)
    }) : (tensor<0x3xf32>, tensor<f32>) -> tensor<3xf32> loc(#loc34)
    %8 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(unknown)
    %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3xf32> loc(#loc35)
    %10 = "stablehlo.add"(%7, %9) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32> loc(#loc35)
    "func.return"(%5, %10) : (tensor<0xf32>, tensor<3xf32>) -> () loc(unknown)
  }) : () -> () loc(#loc36)
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<4x3xf32>, tensor<3xf32>, tensor<i32>) -> tensor<4x3xf32>, res_attrs = [{}], sym_name = "dynamic_update_index_in_dim", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<4x3xf32> loc(unknown), %arg1: tensor<3xf32> loc(unknown), %arg2: tensor<i32> loc(unknown)):
    %0 = "stablehlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = array<i64: 1>}> : (tensor<3xf32>) -> tensor<1x3xf32> loc(#loc37)
    %1 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc(unknown)
    %2 = "stablehlo.dynamic_update_slice"(%arg0, %0, %arg2, %1) : (tensor<4x3xf32>, tensor<1x3xf32>, tensor<i32>, tensor<i32>) -> tensor<4x3xf32> loc(#loc38)
    "func.return"(%2) : (tensor<4x3xf32>) -> () loc(unknown)
  }) : () -> () loc(#loc30)
}) {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} : () -> () loc(unknown)
#loc1 = loc("test/Integration/JAX/others.py":89:18)
#loc2 = loc("jit(no_elements)/empty2"(#loc1))
#loc3 = loc("jit(no_elements)/broadcast_in_dim"(#loc1))
#loc4 = loc("jit(no_elements)/scan"(#loc1))
#loc5 = loc("jit(no_elements)/while"(#loc1))
#loc6 = loc("jit(no_elements)/while/cond/lt"(#loc1))
#loc7 = loc("jit(no_elements)/while/body/jit(dynamic_index_in_dim)"(#loc1))
#loc8 = loc("jit(no_elements)/while/body/closed_call"(#loc1))
#loc9 = loc("jit(no_elements)/while/body/jit(dynamic_update_index_in_dim)"(#loc1))
#loc10 = loc("jit(no_elements)/while/body/add"(#loc1))
#loc11 = loc("test/Integration/JAX/others.py":90:34)
#loc12 = loc("jit(no_elements)/reduce_sum"(#loc11))
#loc13 = loc("test/Integration/JAX/others.py":90:51)
#loc14 = loc("jit(no_elements)/reduce_sum"(#loc13))
#loc15 = loc("test/Integration/JAX/others.py":90:72)
#loc16 = loc("jit(no_elements)/concatenate"(#loc15))
#loc17 = loc("test/Integration/JAX/others.py":90:109)
#loc18 = loc("jit(no_elements)/transpose"(#loc17))
#loc19 = loc("test/Integration/JAX/programs.py":954:11)
#loc20 = loc("jit(no_elements)"(#loc19))
#loc21 = loc("jit(no_elements)/add"(#loc17))
#loc22 = loc("test/Integration/JAX/others.py":90:161)
#loc23 = loc("jit(no_elements)/slice"(#loc22))
#loc24 = loc("jit(no_elements)/squeeze"(#loc22))
#loc25 = loc("test/Integration/JAX/others.py":90:174)
#loc26 = loc("jit(no_elements)/broadcast_in_dim"(#loc25))
#loc27 = loc("jit(no_elements)/dot_general"(#loc22))
#loc28 = loc("dynamic_slice"(#loc1))
#loc29 = loc("squeeze"(#loc1))
#loc30 = loc("jit:"(#loc1))
#loc31 = loc("test/Integration/JAX/others.py":89:41)
#loc32 = loc("mul"(#loc31))
#loc33 = loc("test/Integration/JAX/others.py":89:50)
#loc34 = loc("reduce_sum"(#loc33))
#loc35 = loc("add"(#loc33))
#loc36 = loc("closed_call:"(#loc1))
#loc37 = loc("broadcast_in_dim"(#loc1))
#loc38 = loc("dynamic_update_slice"(#loc1))
