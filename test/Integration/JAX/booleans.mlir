// RUN: tessera-opt --tessera-import-phase %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --inputs=%S/booleans.inputs.safetensors --expect=%S/booleans.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --check-phases -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/booleans.inputs.safetensors --expect=%S/booleans.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=data=1,model=1 --check-phases -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/booleans.inputs.safetensors --expect=%S/booleans.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=data=1,model=1 --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/booleans.inputs.safetensors --expect=%S/booleans.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/booleans.inputs.safetensors --expect=%S/booleans.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=data=2,model=2 --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/booleans.inputs.safetensors --expect=%S/booleans.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/booleans.inputs.safetensors --expect=%S/booleans.expected.safetensors --tolerance=1e-5
"builtin.module"() <{sym_name = "jit_booleans"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["data"=2, "model"=4]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}} : () -> () loc(unknown)
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}, {}], function_type = (tensor<8x8xi1>, tensor<8x8xi1>, tensor<3x8x4xi1>) -> (tensor<i1>, tensor<8xi1>, tensor<3x4x4xi1>, tensor<8xi32>, tensor<8x8xi1>, tensor<8x8xi1>), res_attrs = [{jax.result_info = "result['all']"}, {jax.result_info = "result['any']"}, {jax.result_info = "result['batched']"}, {jax.result_info = "result['parity']"}, {jax.result_info = "result['product']"}, {jax.result_info = "result['reached']"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg7: tensor<8x8xi1> loc("a"), %arg8: tensor<8x8xi1> loc("b"), %arg9: tensor<3x8x4xi1> loc("c")):
    %24 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc(#loc2)
    %25:3 = "stablehlo.while"(%arg7, %24, %arg8) ({
    ^bb0(%arg19: tensor<8x8xi1> loc("while:"), %arg20: tensor<i32> loc("while:"), %arg21: tensor<8x8xi1> loc("while:")):
      %45 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32> loc(#loc3)
      %46 = "stablehlo.compare"(%arg20, %45) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1> loc(#loc4)
      "stablehlo.return"(%46) : (tensor<i1>) -> () loc(#loc3)
    }, {
    ^bb0(%arg16: tensor<8x8xi1> loc("while:"), %arg17: tensor<i32> loc("while:"), %arg18: tensor<8x8xi1> loc("while:")):
      %42 = "func.call"(%arg16, %arg18) <{callee = @closed_call}> : (tensor<8x8xi1>, tensor<8x8xi1>) -> tensor<8x8xi1> loc(#loc5)
      %43 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32> loc(#loc3)
      %44 = "stablehlo.add"(%arg17, %43) : (tensor<i32>, tensor<i32>) -> tensor<i32> loc(#loc6)
      "stablehlo.return"(%arg16, %44, %42) : (tensor<8x8xi1>, tensor<i32>, tensor<8x8xi1>) -> () loc(#loc3)
    }) : (tensor<8x8xi1>, tensor<i32>, tensor<8x8xi1>) -> (tensor<8x8xi1>, tensor<i32>, tensor<8x8xi1>) loc(#loc3)
    %26 = "stablehlo.dot_general"(%arg7, %arg8) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x8xi1>, tensor<8x8xi1>) -> tensor<8x8xi1> loc(#loc8)
    %27 = "stablehlo.dot_general"(%arg9, %arg9) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<3x8x4xi1>, tensor<3x8x4xi1>) -> tensor<3x4x4xi1> loc(#loc10)
    %28 = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1> loc(#loc12)
    %29 = "stablehlo.reduce"(%arg7, %28) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg14: tensor<i1> loc("reduce_or:"), %arg15: tensor<i1> loc("reduce_or:")):
      %41 = "stablehlo.or"(%arg14, %arg15) : (tensor<i1>, tensor<i1>) -> tensor<i1> loc(#loc12)
      "stablehlo.return"(%41) : (tensor<i1>) -> () loc(#loc12)
    }) : (tensor<8x8xi1>, tensor<i1>) -> tensor<8xi1> loc(#loc12)
    %30 = "stablehlo.or"(%arg7, %arg8) : (tensor<8x8xi1>, tensor<8x8xi1>) -> tensor<8x8xi1> loc(#loc14)
    %31 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1> loc(#loc16)
    %32 = "stablehlo.reduce"(%30, %31) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg12: tensor<i1> loc("reduce_and:"), %arg13: tensor<i1> loc("reduce_and:")):
      %40 = "stablehlo.and"(%arg12, %arg13) : (tensor<i1>, tensor<i1>) -> tensor<i1> loc(#loc16)
      "stablehlo.return"(%40) : (tensor<i1>) -> () loc(#loc16)
    }) : (tensor<8x8xi1>, tensor<i1>) -> tensor<i1> loc(#loc16)
    %33 = "stablehlo.xor"(%arg7, %arg8) : (tensor<8x8xi1>, tensor<8x8xi1>) -> tensor<8x8xi1> loc(#loc18)
    %34 = "stablehlo.convert"(%33) : (tensor<8x8xi1>) -> tensor<8x8xi32> loc(#loc20)
    %35 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc(#loc21)
    %36 = "stablehlo.reduce"(%34, %35) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg10: tensor<i32> loc("reduce_sum:"), %arg11: tensor<i32> loc("reduce_sum:")):
      %39 = "stablehlo.add"(%arg10, %arg11) : (tensor<i32>, tensor<i32>) -> tensor<i32> loc(#loc21)
      "stablehlo.return"(%39) : (tensor<i32>) -> () loc(#loc21)
    }) : (tensor<8x8xi32>, tensor<i32>) -> tensor<8xi32> loc(#loc21)
    %37 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32> loc(#loc23)
    %38 = "func.call"(%36, %37) <{callee = @remainder}> : (tensor<8xi32>, tensor<i32>) -> tensor<8xi32> loc(#loc24)
    "func.return"(%32, %29, %27, %38, %26, %25#2) : (tensor<i1>, tensor<8xi1>, tensor<3x4x4xi1>, tensor<8xi32>, tensor<8x8xi1>, tensor<8x8xi1>) -> () loc(#loc23)
  }) : () -> () loc(unknown)
  "func.func"() <{function_type = (tensor<8x8xi1>, tensor<8x8xi1>) -> tensor<8x8xi1>, res_attrs = [{}], sym_name = "closed_call", sym_visibility = "private"}> ({
  ^bb0(%arg5: tensor<8x8xi1> loc(unknown), %arg6: tensor<8x8xi1> loc(unknown)):
    %22 = "stablehlo.dot_general"(%arg6, %arg5) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x8xi1>, tensor<8x8xi1>) -> tensor<8x8xi1> loc(#loc26)
    %23 = "stablehlo.or"(%arg6, %22) : (tensor<8x8xi1>, tensor<8x8xi1>) -> tensor<8x8xi1> loc(#loc28)
    "func.return"(%23) : (tensor<8x8xi1>) -> () loc(unknown)
  }) : () -> () loc(#loc29)
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<8xi32>, tensor<i32>) -> tensor<8xi32>, res_attrs = [{}], sym_name = "remainder", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<8xi32> loc(unknown), %arg4: tensor<i32> loc(unknown)):
    %1 = "stablehlo.convert"(%arg4) : (tensor<i32>) -> tensor<i32> loc("convert_element_type")
    %2 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc(unknown)
    %3 = "stablehlo.compare"(%1, %2) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<i32>, tensor<i32>) -> tensor<i1> loc("eq")
    %4 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32> loc(unknown)
    %5 = "func.call"(%3, %4, %1) <{callee = @_where}> : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32> loc("jit(_where)")
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<8xi32> loc("rem")
    %7 = "stablehlo.remainder"(%arg3, %6) : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi32> loc("rem")
    %8 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc(unknown)
    %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<8xi32> loc("ne")
    %10 = "stablehlo.compare"(%7, %9) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1> loc("ne")
    %11 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc(unknown)
    %12 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<8xi32> loc("lt")
    %13 = "stablehlo.compare"(%7, %12) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1> loc("lt")
    %14 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc(unknown)
    %15 = "stablehlo.compare"(%5, %14) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1> loc("lt")
    %16 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<8xi1> loc("ne")
    %17 = "stablehlo.compare"(%13, %16) <{compare_type = #stablehlo<comparison_type UNSIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<8xi1>, tensor<8xi1>) -> tensor<8xi1> loc("ne")
    %18 = "stablehlo.and"(%17, %10) : (tensor<8xi1>, tensor<8xi1>) -> tensor<8xi1> loc("and")
    %19 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<8xi32> loc("add")
    %20 = "stablehlo.add"(%7, %19) : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi32> loc("add")
    %21 = "stablehlo.select"(%18, %20, %7) : (tensor<8xi1>, tensor<8xi32>, tensor<8xi32>) -> tensor<8xi32> loc("select_n")
    "func.return"(%21) : (tensor<8xi32>) -> () loc(unknown)
  }) : () -> () loc(#loc30)
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>, res_attrs = [{}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<i1> loc(unknown), %arg1: tensor<i32> loc(unknown), %arg2: tensor<i32> loc(unknown)):
    %0 = "stablehlo.select"(%arg0, %arg1, %arg2) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32> loc("select_n")
    "func.return"(%0) : (tensor<i32>) -> () loc(unknown)
  }) : () -> () loc("jit:")
}) {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} : () -> () loc(unknown)
#loc1 = loc("test/Integration/JAX/others.py":82:14)
#loc2 = loc("jit(booleans)/scan"(#loc1))
#loc3 = loc("jit(booleans)/while"(#loc1))
#loc4 = loc("jit(booleans)/while/cond/lt"(#loc1))
#loc5 = loc("jit(booleans)/while/body/closed_call"(#loc1))
#loc6 = loc("jit(booleans)/while/body/add"(#loc1))
#loc7 = loc("test/Integration/JAX/others.py":83:23)
#loc8 = loc("jit(booleans)/dot_general"(#loc7))
#loc9 = loc("test/Integration/JAX/others.py":83:41)
#loc10 = loc("jit(booleans)/nij,nik->njk/dot_general"(#loc9))
#loc11 = loc("test/Integration/JAX/others.py":83:102)
#loc12 = loc("jit(booleans)/reduce_or"(#loc11))
#loc13 = loc("test/Integration/JAX/others.py":83:132)
#loc14 = loc("jit(booleans)/or"(#loc13))
#loc15 = loc("test/Integration/JAX/others.py":83:124)
#loc16 = loc("jit(booleans)/reduce_and"(#loc15))
#loc17 = loc("test/Integration/JAX/others.py":83:151)
#loc18 = loc("jit(booleans)/xor"(#loc17))
#loc19 = loc("test/Integration/JAX/others.py":83:150)
#loc20 = loc("jit(booleans)/convert_element_type"(#loc19))
#loc21 = loc("jit(booleans)/reduce_sum"(#loc19))
#loc22 = loc("test/Integration/JAX/programs.py":954:11)
#loc23 = loc("jit(booleans)"(#loc22))
#loc24 = loc("jit(booleans)/jit(remainder)"(#loc19))
#loc25 = loc("test/Integration/JAX/others.py":82:52)
#loc26 = loc("dot_general"(#loc25))
#loc27 = loc("test/Integration/JAX/others.py":82:47)
#loc28 = loc("or"(#loc27))
#loc29 = loc("closed_call:"(#loc1))
#loc30 = loc("jit:"(#loc19))
