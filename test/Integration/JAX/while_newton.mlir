// RUN: tessera-opt --tessera-import-phase %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --inputs=%S/while_newton.inputs.safetensors --expect=%S/while_newton.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/while_newton.inputs.safetensors --expect=%S/while_newton.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=data=1,model=1 --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/while_newton.inputs.safetensors --expect=%S/while_newton.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/while_newton.inputs.safetensors --expect=%S/while_newton.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=data=2,model=2 --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/while_newton.inputs.safetensors --expect=%S/while_newton.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/while_newton.inputs.safetensors --expect=%S/while_newton.expected.safetensors --tolerance=1e-5
"builtin.module"() <{sym_name = "jit_while_newton"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<f32>) -> (tensor<f32>, tensor<i32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<f32> loc("x")):
    %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc(#loc2)
    %1:4 = "stablehlo.while"(%arg0, %arg0, %arg0, %0) ({
    ^bb0(%arg5: tensor<f32> loc("while:"), %arg6: tensor<f32> loc("while:"), %arg7: tensor<f32> loc("while:"), %arg8: tensor<i32> loc("while:")):
      %8 = "stablehlo.multiply"(%arg7, %arg7) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc4)
      %9 = "stablehlo.subtract"(%8, %arg5) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc5)
      %10 = "stablehlo.abs"(%9) : (tensor<f32>) -> tensor<f32> loc(#loc7)
      %11 = "stablehlo.constant"() <{value = dense<9.99999974E-5> : tensor<f32>}> : () -> tensor<f32> loc(#loc9)
      %12 = "stablehlo.compare"(%10, %11) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1> loc(#loc10)
      "stablehlo.return"(%12) : (tensor<i1>) -> () loc(#loc9)
    }, {
    ^bb0(%arg1: tensor<f32> loc("while:"), %arg2: tensor<f32> loc("while:"), %arg3: tensor<f32> loc("while:"), %arg4: tensor<i32> loc("while:")):
      %2 = "stablehlo.divide"(%arg2, %arg3) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc12)
      %3 = "stablehlo.add"(%arg3, %2) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc14)
      %4 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32> loc(#loc9)
      %5 = "stablehlo.multiply"(%4, %3) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc16)
      %6 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32> loc(#loc9)
      %7 = "stablehlo.add"(%arg4, %6) : (tensor<i32>, tensor<i32>) -> tensor<i32> loc(#loc18)
      "stablehlo.return"(%arg1, %arg2, %5, %7) : (tensor<f32>, tensor<f32>, tensor<f32>, tensor<i32>) -> () loc(#loc9)
    }) : (tensor<f32>, tensor<f32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<f32>, tensor<f32>, tensor<i32>) loc(#loc9)
    "func.return"(%1#2, %1#3) : (tensor<f32>, tensor<i32>) -> () loc(#loc2)
  }) : () -> () loc(unknown)
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> () loc(unknown)
#loc1 = loc("test/Integration/JAX/programs.py":424:11)
#loc2 = loc("jit(while_newton)"(#loc1))
#loc3 = loc("test/Integration/JAX/programs.py":193:48)
#loc4 = loc("jit(while_newton)/while/cond/mul"(#loc3))
#loc5 = loc("jit(while_newton)/while/cond/sub"(#loc3))
#loc6 = loc("test/Integration/JAX/programs.py":193:40)
#loc7 = loc("jit(while_newton)/while/cond/abs"(#loc6))
#loc8 = loc("test/Integration/JAX/programs.py":193:11)
#loc9 = loc("jit(while_newton)/while"(#loc8))
#loc10 = loc("jit(while_newton)/while/cond/gt"(#loc6))
#loc11 = loc("test/Integration/JAX/programs.py":191:30)
#loc12 = loc("jit(while_newton)/while/body/div"(#loc11))
#loc13 = loc("test/Integration/JAX/programs.py":191:22)
#loc14 = loc("jit(while_newton)/while/body/add"(#loc13))
#loc15 = loc("test/Integration/JAX/programs.py":191:15)
#loc16 = loc("jit(while_newton)/while/body/mul"(#loc15))
#loc17 = loc("test/Integration/JAX/programs.py":191:42)
#loc18 = loc("jit(while_newton)/while/body/add"(#loc17))
