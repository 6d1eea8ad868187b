// RUN: tessera-opt --tessera-import-phase %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --inputs=%S/recurrent.inputs.safetensors --expect=%S/recurrent.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/recurrent.inputs.safetensors --expect=%S/recurrent.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=data=1,model=1 --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/recurrent.inputs.safetensors --expect=%S/recurrent.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/recurrent.inputs.safetensors --expect=%S/recurrent.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=data=2,model=2 --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/recurrent.inputs.safetensors --expect=%S/recurrent.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/recurrent.inputs.safetensors --expect=%S/recurrent.expected.safetensors --tolerance=1e-5
"builtin.module"() <{sym_name = "jit_recurrent"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<3x5xf32>, tensor<5x5xf32>) -> (tensor<5xf32>, tensor<3x5xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg8: tensor<3x5xf32> loc("x"), %arg9: tensor<5x5xf32> loc("w")):
    %9 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc2)
    %10 = "stablehlo.broadcast_in_dim"(%9) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<5xf32> loc(#loc4)
    %11 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc6)
    %12 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x5xf32> loc(#loc7)
    %13 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc(#loc8)
    %14:5 = "stablehlo.while"(%arg8, %arg9, %13, %10, %12) ({
    ^bb0(%arg15: tensor<3x5xf32> loc("while:"), %arg16: tensor<5x5xf32> loc("while:"), %arg17: tensor<i32> loc("while:"), %arg18: tensor<5xf32> loc("while:"), %arg19: tensor<3x5xf32> loc("while:")):
      %20 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32> loc(#loc9)
      %21 = "stablehlo.compare"(%arg17, %20) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1> loc(#loc10)
      "stablehlo.return"(%21) : (tensor<i1>) -> () loc(#loc9)
    }, {
    ^bb0(%arg10: tensor<3x5xf32> loc("while:"), %arg11: tensor<5x5xf32> loc("while:"), %arg12: tensor<i32> loc("while:"), %arg13: tensor<5xf32> loc("while:"), %arg14: tensor<3x5xf32> loc("while:")):
      %15 = "func.call"(%arg10, %arg12) <{callee = @dynamic_index_in_dim}> : (tensor<3x5xf32>, tensor<i32>) -> tensor<5xf32> loc(#loc11)
      %16:2 = "func.call"(%arg11, %arg13, %15) <{callee = @closed_call}> : (tensor<5x5xf32>, tensor<5xf32>, tensor<5xf32>) -> (tensor<5xf32>, tensor<5xf32>) loc(#loc12)
      %17 = "func.call"(%arg14, %16#1, %arg12) <{callee = @dynamic_update_index_in_dim}> : (tensor<3x5xf32>, tensor<5xf32>, tensor<i32>) -> tensor<3x5xf32> loc(#loc13)
      %18 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32> loc(#loc9)
      %19 = "stablehlo.add"(%arg12, %18) : (tensor<i32>, tensor<i32>) -> tensor<i32> loc(#loc14)
      "stablehlo.return"(%arg10, %arg11, %19, %16#0, %17) : (tensor<3x5xf32>, tensor<5x5xf32>, tensor<i32>, tensor<5xf32>, tensor<3x5xf32>) -> () loc(#loc9)
    }) : (tensor<3x5xf32>, tensor<5x5xf32>, tensor<i32>, tensor<5xf32>, tensor<3x5xf32>) -> (tensor<3x5xf32>, tensor<5x5xf32>, tensor<i32>, tensor<5xf32>, tensor<3x5xf32>) loc(#loc9)
    "func.return"(%14#3, %14#4) : (tensor<5xf32>, tensor<3x5xf32>) -> () loc(#loc2)
  }) : () -> () loc(unknown)
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<3x5xf32>, tensor<i32>) -> tensor<5xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim", sym_visibility = "private"}> ({
  ^bb0(%arg6: tensor<3x5xf32> loc(unknown), %arg7: tensor<i32> loc(unknown)):
    %6 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc(unknown)
    %7 = "stablehlo.dynamic_slice"(%arg6, %arg7, %6) <{slice_sizes = array<i64: 1, 5>}> : (tensor<3x5xf32>, tensor<i32>, tensor<i32>) -> tensor<1x5xf32> loc(#loc15)
    %8 = "stablehlo.reshape"(%7) : (tensor<1x5xf32>) -> tensor<5xf32> loc(#loc16)
    "func.return"(%8) : (tensor<5xf32>) -> () loc(unknown)
  }) : () -> () loc(#loc17)
  "func.func"() <{function_type = (tensor<5x5xf32>, tensor<5xf32>, tensor<5xf32>) -> (tensor<5xf32>, tensor<5xf32>), res_attrs = [{}, {}], sym_name = "closed_call", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<5x5xf32> loc(unknown), %arg4: tensor<5xf32> loc(unknown), %arg5: tensor<5xf32> loc(unknown)):
    %3 = "stablehlo.dot_general"(%arg4, %arg3) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<5xf32>, tensor<5x5xf32>) -> tensor<5xf32> loc(#loc19)
    %4 = "stablehlo.add"(%3, %arg5) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32> loc(#loc20)
    %5 = "stablehlo.tanh"(%4) : (tensor<5xf32>) -> tensor<5xf32> loc(#loc22)
    "func.return"(%5, %arg4) : (tensor<5xf32>, tensor<5xf32>) -> () loc(unknown)
  }) : () -> () loc(#loc23)
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<3x5xf32>, tensor<5xf32>, tensor<i32>) -> tensor<3x5xf32>, res_attrs = [{}], sym_name = "dynamic_update_index_in_dim", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<3x5xf32> loc(unknown), %arg1: tensor<5xf32> loc(unknown), %arg2: tensor<i32> loc(unknown)):
    %0 = "stablehlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = array<i64: 1>}> : (tensor<5xf32>) -> tensor<1x5xf32> loc(#loc24)
    %1 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc(unknown)
    %2 = "stablehlo.dynamic_update_slice"(%arg0, %0, %arg2, %1) : (tensor<3x5xf32>, tensor<1x5xf32>, tensor<i32>, tensor<i32>) -> tensor<3x5xf32> loc(#loc25)
    "func.return"(%2) : (tensor<3x5xf32>) -> () loc(unknown)
  }) : () -> () loc(#loc17)
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> () loc(unknown)
#loc1 = loc("test/Integration/JAX/programs.py":424:11)
#loc2 = loc("jit(recurrent)"(#loc1))
#loc3 = loc("test/Integration/JAX/programs.py":182:63)
#loc4 = loc("jit(recurrent)/broadcast_in_dim"(#loc3))
#loc5 = loc("test/Integration/JAX/programs.py":182:11)
#loc6 = loc("jit(recurrent)/empty2"(#loc5))
#loc7 = loc("jit(recurrent)/broadcast_in_dim"(#loc5))
#loc8 = loc("jit(recurrent)/scan"(#loc5))
#loc9 = loc("jit(recurrent)/while"(#loc5))
#loc10 = loc("jit(recurrent)/while/cond/lt"(#loc5))
#loc11 = loc("jit(recurrent)/while/body/jit(dynamic_index_in_dim)"(#loc5))
#loc12 = loc("jit(recurrent)/while/body/closed_call"(#loc5))
#loc13 = loc("jit(recurrent)/while/body/jit(dynamic_update_index_in_dim)"(#loc5))
#loc14 = loc("jit(recurrent)/while/body/add"(#loc5))
#loc15 = loc("dynamic_slice"(#loc5))
#loc16 = loc("squeeze"(#loc5))
#loc17 = loc("jit:"(#loc5))
#loc18 = loc("test/Integration/JAX/programs.py":182:45)
#loc19 = loc("dot_general"(#loc18))
#loc20 = loc("add"(#loc18))
#loc21 = loc("test/Integration/JAX/programs.py":182:36)
#loc22 = loc("tanh"(#loc21))
#loc23 = loc("closed_call:"(#loc5))
#loc24 = loc("broadcast_in_dim"(#loc5))
#loc25 = loc("dynamic_update_slice"(#loc5))
