// RUN: tessera-opt --tessera-pad-dimensions --split-input-file --verify-diagnostics %s

// A tensor of 20 elements over 2 x 4 devices has blocks of 3; the parts of 10 that the region works on have none that end at 10.
tessera.mesh @mesh = <["x"=2, "y"=4]>
func.func @uneven_parts(%a: tensor<20xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x", "y"}]>})
    -> (tensor<20xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x", "y"}]>}) {
  // expected-error @below {{not supported yet: expected a dimension that is split by hand to divide into equal parts, got 'tensor<20xf32>' split in 8 along dimension 0}}
  %0 = tessera.manual_computation(%a) over <@mesh, ["x"]>
      in [#tessera.sharding<@mesh, [{"x", ?}]>] out [#tessera.sharding<@mesh, [{"x", ?}]>]
      {tessera.sharding = #tessera.sharding<@mesh, [{"x", "y"}]>} : (tensor<20xf32>) -> tensor<20xf32> {
  ^bb0(%b: tensor<10xf32>):
    %1 = math.exp %b {tessera.sharding = #tessera.sharding<@mesh, [{"y"}]>} : tensor<10xf32>
    tessera.yield %1 : tensor<10xf32>
  }
  return %0 : tensor<20xf32>
}

// -----

tessera.mesh @mesh = <["x"=4]>
func.func @unsharded(%a: tensor<10xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>}) {
  // expected-error @below {{expected a sharding for every tensor, got none for result 0}}
  %0 = math.tanh %a : tensor<10xf32>
  return
}

// -----

// What leaves a region in parts of 5, of which devices would have 2, 2 and 1.
tessera.mesh @mesh = <["x"=2, "y"=3]>
func.func @uneven_results(%a: tensor<5xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}]>})
    -> (tensor<10xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x", "y"}]>}) {
  // expected-error @below {{not supported yet: expected a dimension that is split by hand to divide into equal parts, got 'tensor<5xf32>' split in 3 along dimension 0}}
  %0 = tessera.manual_computation(%a) over <@mesh, ["x"]>
      in [#tessera.sharding<@mesh, [{?}]>] out [#tessera.sharding<@mesh, [{"x", ?}]>]
      {tessera.sharding = #tessera.sharding<@mesh, [{"x", "y"}]>} : (tensor<5xf32>) -> tensor<10xf32> {
  ^bb0(%b: tensor<5xf32>):
    %1 = tessera.reshard %b to <@mesh, [{"y"}]> {tessera.sharding = #tessera.sharding<@mesh, [{"y"}]>} : tensor<5xf32>
    tessera.yield %1 : tensor<5xf32>
  }
  return %0 : tensor<10xf32>
}
