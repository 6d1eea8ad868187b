// RUN: tessera-opt --tessera-import-phase %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --inputs=%S/switch.inputs.safetensors --expect=%S/switch.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/switch.inputs.safetensors --expect=%S/switch.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=data=1,model=1 --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/switch.inputs.safetensors --expect=%S/switch.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/switch.inputs.safetensors --expect=%S/switch.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=data=2,model=2 --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/switch.inputs.safetensors --expect=%S/switch.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/switch.inputs.safetensors --expect=%S/switch.expected.safetensors --tolerance=1e-5
"builtin.module"() <{sym_name = "jit_switch"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<i32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<i32> loc("index"), %arg1: tensor<4xf32> loc("x")):
    %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc(#loc2)
    %1 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32> loc(#loc2)
    %2 = "stablehlo.clamp"(%0, %arg0, %1) : (tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<i32> loc(#loc4)
    %3 = "stablehlo.case"(%2) ({
      %14 = "stablehlo.sine"(%arg1) : (tensor<4xf32>) -> tensor<4xf32> loc(#loc5)
      "stablehlo.return"(%14) : (tensor<4xf32>) -> () loc(#loc6)
    }, {
      %11 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc6)
      %12 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32> loc(#loc8)
      %13 = "stablehlo.multiply"(%arg1, %12) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> loc(#loc8)
      "stablehlo.return"(%13) : (tensor<4xf32>) -> () loc(#loc6)
    }, {
      %10 = "stablehlo.negate"(%arg1) : (tensor<4xf32>) -> tensor<4xf32> loc(#loc10)
      "stablehlo.return"(%10) : (tensor<4xf32>) -> () loc(#loc6)
    }) : (tensor<i32>) -> tensor<4xf32> loc(#loc6)
    %4 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc(#loc2)
    %5 = "stablehlo.compare"(%arg0, %4) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1> loc(#loc12)
    %6 = "stablehlo.convert"(%5) : (tensor<i1>) -> tensor<i32> loc(#loc14)
    %7 = "stablehlo.case"(%6) ({
      %9 = "stablehlo.cosine"(%arg1) : (tensor<4xf32>) -> tensor<4xf32> loc(#loc15)
      "stablehlo.return"(%9) : (tensor<4xf32>) -> () loc(#loc16)
    }, {
      %8 = "stablehlo.exponential"(%arg1) : (tensor<4xf32>) -> tensor<4xf32> loc(#loc17)
      "stablehlo.return"(%8) : (tensor<4xf32>) -> () loc(#loc16)
    }) : (tensor<i32>) -> tensor<4xf32> loc(#loc16)
    "func.return"(%3, %7) : (tensor<4xf32>, tensor<4xf32>) -> () loc(#loc2)
  }) : () -> () loc(unknown)
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> () loc(unknown)
#loc1 = loc("test/Integration/JAX/programs.py":424:11)
#loc2 = loc("jit(switch)"(#loc1))
#loc3 = loc("test/Integration/JAX/programs.py":205:11)
#loc4 = loc("jit(switch)/clamp"(#loc3))
#loc5 = loc("jit(switch)/cond/branch_0_fun/sin"(#loc3))
#loc6 = loc("jit(switch)/cond"(#loc3))
#loc7 = loc("test/Integration/JAX/programs.py":205:49)
#loc8 = loc("jit(switch)/cond/branch_1_fun/mul"(#loc7))
#loc9 = loc("test/Integration/JAX/programs.py":205:68)
#loc10 = loc("jit(switch)/cond/branch_2_fun/neg"(#loc9))
#loc11 = loc("test/Integration/JAX/programs.py":205:86)
#loc12 = loc("jit(switch)/gt"(#loc11))
#loc13 = loc("test/Integration/JAX/programs.py":205:77)
#loc14 = loc("jit(switch)/convert_element_type"(#loc13))
#loc15 = loc("jit(switch)/cond/branch_0_fun/cos"(#loc13))
#loc16 = loc("jit(switch)/cond"(#loc13))
#loc17 = loc("jit(switch)/cond/branch_1_fun/exp"(#loc13))
