// Provenance is printed as it is read, as the metadata of locations.
// RUN: tessera-opt %s -mlir-print-debuginfo | tessera-opt -mlir-print-debuginfo | FileCheck %s

tessera.mesh @mesh = <["model"=4]>

// CHECK-DAG: #[[PLACE:place[0-9]*]] = #tessera.place<"argument 'w'" at #loc{{[0-9]+}}>
// CHECK-DAG: #[[DOT:place[0-9]*]] = #tessera.place<"tessera.dot_general" at #loc{{[0-9]+}}>
// CHECK-DAG: #[[ORIGIN:origin[0-9]*]] = #tessera.origin<"model" of "producer" from #[[PLACE]] as #tessera.sharding<@mesh, [{"model"}]> via [#[[DOT]]] skipping 3>
// CHECK-DAG: #[[WHY:why[0-9]*]] = #tessera.provenance<"pending sum" from #tessera.sharding<@mesh, [{}], unreduced={"model"}> to #tessera.sharding<@mesh, [{}]> producer #[[DOT]] because "it is so" origins [#[[ORIGIN]]]>
// CHECK-DAG: #[[BARE:why[0-9]*]] = #tessera.provenance<"result" from #tessera.sharding<@mesh, [{"model"}]> to #tessera.sharding<@mesh, [{}]> consumer #[[PLACE]] origins []>
// CHECK-DAG: loc(fused<#[[WHY]]>[#loc{{[0-9]+}}])
// CHECK-DAG: loc(fused<#[[BARE]]>[#loc{{[0-9]+}}])
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = tessera.reshard %a to <@mesh, [{}]> : tensor<8xf32> loc(fused<#tessera.provenance<"pending sum" from #tessera.sharding<@mesh, [{}], unreduced={"model"}> to #tessera.sharding<@mesh, [{}]>
    producer #tessera.place<"tessera.dot_general" at loc("gpt.py":12:4)> because "it is so"
    origins [#tessera.origin<"model" of "producer" from #tessera.place<"argument 'w'" at loc("gpt.py":3:1)> as #tessera.sharding<@mesh, [{"model"}]> via [#tessera.place<"tessera.dot_general" at loc("gpt.py":12:4)>] skipping 3>]>>["gpt.py":12:4])
  %1 = tessera.reshard %0 to <@mesh, [{}]> : tensor<8xf32> loc(fused<#tessera.provenance<"result" from #tessera.sharding<@mesh, [{"model"}]> to #tessera.sharding<@mesh, [{}]>
    consumer #tessera.place<"argument 'w'" at loc("gpt.py":3:1)> origins []>>["gpt.py":14:4])
  return %1 : tensor<8xf32>
}
