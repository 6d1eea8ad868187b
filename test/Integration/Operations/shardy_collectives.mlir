// RUN: tessera-opt --tessera-import-phase %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --inputs=%S/shardy_collectives.inputs.safetensors --expect=%S/shardy_collectives.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/shardy_collectives.inputs.safetensors --expect=%S/shardy_collectives.expected.safetensors --tolerance=1e-5
"builtin.module"() ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["x"=2, "y"=2]>, sym_name = "mesh"}> : () -> ()
  "sdy.mesh"() <{mesh = #sdy.mesh<[], device_ids=[3]>, sym_name = "one"}> : () -> ()
  "func.func"() <{function_type = (tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<8x8xf32>):
    %0 = "sdy.reshard"(%arg0) <{sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %1 = "sdy.all_gather"(%0) <{gathering_axes = #sdy<list_of_axis_ref_lists[{"x"}, {}]>, out_sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %2 = "stablehlo.sine"(%1) : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %3 = "sdy.sharding_constraint"(%2) <{sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %4 = "sdy.all_slice"(%3) <{out_sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>, slicing_axes = #sdy<list_of_axis_ref_lists[{"x"}, {}]>}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %5 = "sdy.collective_permute"(%4) <{out_sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %6 = "sdy.all_to_all"(%5) <{out_sharding = #sdy.sharding<@mesh, [{}, {"x", "y"}]>, params = #sdy<all_to_all_param_list[{"y"}: 0->1]>}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %7 = "sdy.reshard"(%6) <{sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %8 = "stablehlo.dot_general"(%7, %7) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"x"}>]>} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %9 = "sdy.reduce_scatter"(%8) <{out_sharding = #sdy.sharding<@mesh, [{"x"}, {}]>, reduce_scatter_axes = #sdy<list_of_axis_ref_lists[{"x"}, {}]>}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %10 = "sdy.all_reduce"(%8) <{out_sharding = #sdy.sharding<@mesh, [{}, {}]>, reduction_axes = #sdy<axis_ref_list{"x"}>}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %11 = "sdy.constant"() <{value = dense<2.000000e+00> : tensor<8x8xf32>}> : () -> tensor<8x8xf32>
    %12 = "stablehlo.add"(%10, %11) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [i, j])->([i, j]) {i=8, j=8}>} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %13 = "sdy.sharded_to_unreduced"(%9) <{axes = #sdy<list_of_axis_ref_lists[{"x"}, {}]>, out_sharding = #sdy.sharding<@mesh, [{}, {}], unreduced={"x"}>}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %14 = "sdy.all_reduce"(%13) <{out_sharding = #sdy.sharding<@mesh, [{}, {}]>, reduction_axes = #sdy<axis_ref_list{"x"}>}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %15 = "sdy.sharding_constraint"(%14) <{sharding = #sdy.sharding<@one, []>}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
    "func.return"(%12, %15) : (tensor<8x8xf32>, tensor<8x8xf32>) -> ()
  }) : () -> ()
}) : () -> ()
