// RUN: tessera-opt --tessera-import-phase %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --inputs=%S/approximate_maxima.inputs.safetensors --expect=%S/approximate_maxima.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --check-phases -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/approximate_maxima.inputs.safetensors --expect=%S/approximate_maxima.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=data=1,model=1 --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/approximate_maxima.inputs.safetensors --expect=%S/approximate_maxima.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/approximate_maxima.inputs.safetensors --expect=%S/approximate_maxima.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=data=2,model=2 --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/approximate_maxima.inputs.safetensors --expect=%S/approximate_maxima.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/approximate_maxima.inputs.safetensors --expect=%S/approximate_maxima.expected.safetensors --tolerance=1e-5
"builtin.module"() <{sym_name = "jit_approximate_maxima"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["data"=2, "model"=4]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}} : () -> () loc(unknown)
  "func.func"() <{function_type = (tensor<f32>, tensor<f32>, tensor<i32>, tensor<i32>) -> tensor<i1>, sym_name = "top_k_gt_f32_comparator_0"}> ({
  ^bb0(%arg9: tensor<f32> loc("approx_top_k:"), %arg10: tensor<f32> loc("approx_top_k:"), %arg11: tensor<i32> loc("approx_top_k:"), %arg12: tensor<i32> loc("approx_top_k:")):
    %16 = "stablehlo.compare"(%arg9, %arg10) <{comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1> loc("approx_top_k:")
    "stablehlo.return"(%16) : (tensor<i1>) -> () loc("approx_top_k:")
  }) : () -> () loc("approx_top_k:")
  "func.func"() <{function_type = (tensor<f32>, tensor<f32>, tensor<i32>, tensor<i32>) -> tensor<i1>, sym_name = "top_k_lt_f32_comparator"}> ({
  ^bb0(%arg5: tensor<f32> loc("approx_top_k:"), %arg6: tensor<f32> loc("approx_top_k:"), %arg7: tensor<i32> loc("approx_top_k:"), %arg8: tensor<i32> loc("approx_top_k:")):
    %15 = "stablehlo.compare"(%arg5, %arg6) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1> loc("approx_top_k:")
    "stablehlo.return"(%15) : (tensor<i1>) -> () loc("approx_top_k:")
  }) : () -> () loc("approx_top_k:")
  "func.func"() <{function_type = (tensor<f32>, tensor<f32>, tensor<i32>, tensor<i32>) -> tensor<i1>, sym_name = "top_k_gt_f32_comparator"}> ({
  ^bb0(%arg1: tensor<f32> loc("approx_top_k:"), %arg2: tensor<f32> loc("approx_top_k:"), %arg3: tensor<i32> loc("approx_top_k:"), %arg4: tensor<i32> loc("approx_top_k:")):
    %14 = "stablehlo.compare"(%arg1, %arg2) <{comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1> loc("approx_top_k:")
    "stablehlo.return"(%14) : (tensor<i1>) -> () loc("approx_top_k:")
  }) : () -> () loc("approx_top_k:")
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}], function_type = (tensor<8x40xf32>) -> (tensor<8x5xf32>, tensor<8x5xi32>, tensor<3x40xf32>, tensor<3x40xi32>, tensor<2xf32>, tensor<2xi32>), res_attrs = [{jax.result_info = "result[0][0]"}, {jax.result_info = "result[0][1]"}, {jax.result_info = "result[1][0]"}, {jax.result_info = "result[1][1]"}, {jax.result_info = "result[2][0]"}, {jax.result_info = "result[2][1]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<8x40xf32> loc("x")):
    %0 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<8x40xi32> loc(#loc2)
    %1 = "stablehlo.constant"() <{value = dense<-1> : tensor<i32>}> : () -> tensor<i32> loc(#loc2)
    %2 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32> loc(#loc2)
    %3:2 = "stablehlo.custom_call"(%arg0, %0, %2, %1) <{api_version = 1 : i32, backend_config = "", call_target_name = "ApproxTopK", called_computations = [@top_k_gt_f32_comparator], has_side_effect = false}> {mhlo.backend_config = {aggregate_to_topk = true, is_fallback = true, recall_target = 0.949999988 : f32, reduction_dim = 1 : i64, reduction_input_size_override = -1 : i64, top_k = 5 : i64}} : (tensor<8x40xf32>, tensor<8x40xi32>, tensor<f32>, tensor<i32>) -> (tensor<8x5xf32>, tensor<8x5xi32>) loc(#loc2)
    %4 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<8x40xi32> loc(#loc4)
    %5 = "stablehlo.constant"() <{value = dense<-1> : tensor<i32>}> : () -> tensor<i32> loc(#loc4)
    %6 = "stablehlo.constant"() <{value = dense<0x7F800000> : tensor<f32>}> : () -> tensor<f32> loc(#loc4)
    %7:2 = "stablehlo.custom_call"(%arg0, %4, %6, %5) <{api_version = 1 : i32, backend_config = "", call_target_name = "ApproxTopK", called_computations = [@top_k_lt_f32_comparator], has_side_effect = false}> {mhlo.backend_config = {aggregate_to_topk = true, is_fallback = true, recall_target = 0.949999988 : f32, reduction_dim = 0 : i64, reduction_input_size_override = -1 : i64, top_k = 3 : i64}} : (tensor<8x40xf32>, tensor<8x40xi32>, tensor<f32>, tensor<i32>) -> (tensor<3x40xf32>, tensor<3x40xi32>) loc(#loc4)
    %8 = "stablehlo.slice"(%arg0) <{limit_indices = array<i64: 1, 40>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<8x40xf32>) -> tensor<1x40xf32> loc(#loc6)
    %9 = "stablehlo.reshape"(%8) : (tensor<1x40xf32>) -> tensor<40xf32> loc(#loc7)
    %10 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<40xi32> loc(#loc9)
    %11 = "stablehlo.constant"() <{value = dense<-1> : tensor<i32>}> : () -> tensor<i32> loc(#loc9)
    %12 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32> loc(#loc9)
    %13:2 = "stablehlo.custom_call"(%9, %10, %12, %11) <{api_version = 1 : i32, backend_config = "", call_target_name = "ApproxTopK", called_computations = [@top_k_gt_f32_comparator_0], has_side_effect = false}> {mhlo.backend_config = {aggregate_to_topk = true, is_fallback = true, recall_target = 5.000000e-01 : f32, reduction_dim = 0 : i64, reduction_input_size_override = -1 : i64, top_k = 2 : i64}} : (tensor<40xf32>, tensor<40xi32>, tensor<f32>, tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>) loc(#loc9)
    "func.return"(%3#0, %3#1, %7#0, %7#1, %13#0, %13#1) : (tensor<8x5xf32>, tensor<8x5xi32>, tensor<3x40xf32>, tensor<3x40xi32>, tensor<2xf32>, tensor<2xi32>) -> () loc(#loc11)
  }) : () -> () loc(unknown)
}) {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} : () -> () loc(unknown)
#loc1 = loc("test/Integration/JAX/others.py":62:11)
#loc2 = loc("jit(approximate_maxima)/approx_top_k"(#loc1))
#loc3 = loc("test/Integration/JAX/others.py":62:35)
#loc4 = loc("jit(approximate_maxima)/approx_top_k"(#loc3))
#loc5 = loc("test/Integration/JAX/others.py":62:99)
#loc6 = loc("jit(approximate_maxima)/slice"(#loc5))
#loc7 = loc("jit(approximate_maxima)/squeeze"(#loc5))
#loc8 = loc("test/Integration/JAX/others.py":62:82)
#loc9 = loc("jit(approximate_maxima)/approx_top_k"(#loc8))
#loc10 = loc("test/Integration/JAX/programs.py":902:11)
#loc11 = loc("jit(approximate_maxima)"(#loc10))
