// Every check of per-device code, with what it says.
// RUN: tessera-opt %s -split-input-file -verify-diagnostics

// The mesh exists.
tessera.mesh @mesh = <["data"=2, "model"=4]>

func.func @f(%a: tensor<8x16xf32>) {
  // expected-error @below {{unknown mesh @grid}}
  %0 = tessera.manual_computation(%a) over <@grid, ["model"]>
      in [#tessera.sharding<@mesh, [{?}, {"model", ?}]>] out [#tessera.sharding<@mesh, [{?}, {"model", ?}]>] : (tensor<8x16xf32>) -> tensor<8x16xf32> {
  ^bb0(%x: tensor<8x4xf32>):
    tessera.yield %x : tensor<8x4xf32>
  }
  return
}

// -----

// Manual axes exist.
tessera.mesh @mesh = <["data"=2, "model"=4]>

func.func @f(%a: tensor<8x16xf32>) {
  // expected-error @below {{unknown axis "x"}}
  %0 = tessera.manual_computation(%a) over <@mesh, ["x"]>
      in [#tessera.sharding<@mesh, [{?}, {"model", ?}]>] out [#tessera.sharding<@mesh, [{?}, {"model", ?}]>] : (tensor<8x16xf32>) -> tensor<8x16xf32> {
  ^bb0(%x: tensor<8x4xf32>):
    tessera.yield %x : tensor<8x4xf32>
  }
  return
}

// -----

// Manual axes are whole.
tessera.mesh @mesh = <["data"=2, "model"=4]>

func.func @f(%a: tensor<8x16xf32>) {
  // expected-error @below {{expected whole manual axes, got "model":(1)2}}
  %0 = tessera.manual_computation(%a) over <@mesh, ["model":(1)2]>
      in [#tessera.sharding<@mesh, [{?}, {"model", ?}]>] out [#tessera.sharding<@mesh, [{?}, {"model", ?}]>] : (tensor<8x16xf32>) -> tensor<8x16xf32> {
  ^bb0(%x: tensor<8x4xf32>):
    tessera.yield %x : tensor<8x4xf32>
  }
  return
}

// -----

// A manual axis is named once.
tessera.mesh @mesh = <["data"=2, "model"=4]>

func.func @f(%a: tensor<8x16xf32>) {
  // expected-error @below {{manual axis "model" appears twice}}
  %0 = tessera.manual_computation(%a) over <@mesh, ["model", "model"]>
      in [#tessera.sharding<@mesh, [{?}, {"model", ?}]>] out [#tessera.sharding<@mesh, [{?}, {"model", ?}]>] : (tensor<8x16xf32>) -> tensor<8x16xf32> {
  ^bb0(%x: tensor<8x4xf32>):
    tessera.yield %x : tensor<8x4xf32>
  }
  return
}

// -----

// Every operand has a sharding.
tessera.mesh @mesh = <["data"=2, "model"=4]>

func.func @f(%a: tensor<8x16xf32>) {
  // expected-error @below {{expected 1 shardings, one per operand, got 2}}
  %0 = tessera.manual_computation(%a) over <@mesh, ["model"]>
      in [#tessera.sharding<@mesh, [{}, {"model"}]>, #tessera.sharding<@mesh, [{}, {"model"}]>] out [#tessera.sharding<@mesh, [{?}, {"model", ?}]>] : (tensor<8x16xf32>) -> tensor<8x16xf32> {
  ^bb0(%x: tensor<8x4xf32>):
    tessera.yield %x : tensor<8x4xf32>
  }
  return
}

// -----

// Every result has a sharding.
tessera.mesh @mesh = <["data"=2, "model"=4]>

func.func @f(%a: tensor<8x16xf32>) {
  // expected-error @below {{expected 1 shardings, one per result, got 0}}
  %0 = tessera.manual_computation(%a) over <@mesh, ["model"]>
      in [#tessera.sharding<@mesh, [{?}, {"model", ?}]>] out [] : (tensor<8x16xf32>) -> tensor<8x16xf32> {
  ^bb0(%x: tensor<8x4xf32>):
    tessera.yield %x : tensor<8x4xf32>
  }
  return
}

// -----

// What enters is sharded on the mesh of the manual axes.
tessera.mesh @mesh = <["data"=2, "model"=4]>
tessera.mesh @grid = <["data"=2, "model"=4]>

func.func @f(%a: tensor<8x16xf32>) {
  // expected-error @below {{expected operand 0 to be sharded on mesh @mesh, got @grid}}
  %0 = tessera.manual_computation(%a) over <@mesh, ["model"]>
      in [#tessera.sharding<@grid, [{}, {"model"}]>] out [#tessera.sharding<@mesh, [{?}, {"model", ?}]>] : (tensor<8x16xf32>) -> tensor<8x16xf32> {
  ^bb0(%x: tensor<8x4xf32>):
    tessera.yield %x : tensor<8x4xf32>
  }
  return
}

// -----

// A sharding has the rank of what it says something of.
tessera.mesh @mesh = <["data"=2, "model"=4]>

func.func @f(%a: tensor<8x16xf32>) {
  // expected-error @below {{expected 2 dimension shardings, got 1}}
  %0 = tessera.manual_computation(%a) over <@mesh, ["model"]>
      in [#tessera.sharding<@mesh, [{}]>] out [#tessera.sharding<@mesh, [{?}, {"model", ?}]>] : (tensor<8x16xf32>) -> tensor<8x16xf32> {
  ^bb0(%x: tensor<8x4xf32>):
    tessera.yield %x : tensor<8x4xf32>
  }
  return
}

// -----

// Manual axes are split off first.
tessera.mesh @mesh = <["data"=2, "model"=4]>

func.func @f(%a: tensor<8x16xf32>) {
  // expected-error @below {{operand 0: expected manual axes before the others in dimension 1, got "model" behind "data"}}
  %0 = tessera.manual_computation(%a) over <@mesh, ["model"]>
      in [#tessera.sharding<@mesh, [{}, {"data", "model"}]>] out [#tessera.sharding<@mesh, [{?}, {"model", ?}]>] : (tensor<8x16xf32>) -> tensor<8x16xf32> {
  ^bb0(%x: tensor<8x4xf32>):
    tessera.yield %x : tensor<8x4xf32>
  }
  return
}

// -----

// Manual axes divide.
tessera.mesh @mesh = <["data"=2, "model"=4]>

func.func @f(%a: tensor<8x18xf32>) {
  // expected-error @below {{operand 0: expected dimension 1 to divide into 4 parts over the manual axes, got size 18}}
  %0 = tessera.manual_computation(%a) over <@mesh, ["model"]>
      in [#tessera.sharding<@mesh, [{?}, {"model", ?}]>] out [#tessera.sharding<@mesh, [{?}, {"model", ?}]>] : (tensor<8x18xf32>) -> tensor<8x16xf32> {
  ^bb0(%x: tensor<8x4xf32>):
    tessera.yield %x : tensor<8x4xf32>
  }
  return
}

// -----

// What enters has the type of a part.
tessera.mesh @mesh = <["data"=2, "model"=4]>

func.func @f(%a: tensor<8x16xf32>) {
  // expected-error @below {{expected type 'tensor<8x4xf32>' for region argument 0, the part of 'tensor<8x16xf32>', got 'tensor<8x8xf32>'}}
  %0 = tessera.manual_computation(%a) over <@mesh, ["model"]>
      in [#tessera.sharding<@mesh, [{?}, {"model", ?}]>] out [#tessera.sharding<@mesh, [{?}, {"model", ?}]>] : (tensor<8x16xf32>) -> tensor<8x16xf32> {
  ^bb0(%x: tensor<8x8xf32>):
    tessera.yield %x : tensor<8x8xf32>
  }
  return
}

// -----

// What leaves has the type of a part.
tessera.mesh @mesh = <["data"=2, "model"=4]>

func.func @f(%a: tensor<8x16xf32>) {
  // expected-error @below {{expected type 'tensor<8x8xf32>' for yielded value 0, the part of 'tensor<8x32xf32>', got 'tensor<8x4xf32>'}}
  %0 = tessera.manual_computation(%a) over <@mesh, ["model"]>
      in [#tessera.sharding<@mesh, [{?}, {"model", ?}]>] out [#tessera.sharding<@mesh, [{?}, {"model", ?}]>] : (tensor<8x16xf32>) -> tensor<8x32xf32> {
  ^bb0(%x: tensor<8x4xf32>):
    tessera.yield %x : tensor<8x4xf32>
  }
  return
}

// -----

// What enters keeps its rank.
tessera.mesh @mesh = <["data"=2, "model"=4]>

func.func @f(%a: tensor<8x16xf32>) {
  // expected-error @below {{along control flow edge from parent to Region #0: successor operand type #0 'tensor<8x16xf32>' should match successor input type #0 'tensor<8xf32>'}}
  // expected-note @below {{region branch point}}
  %0 = tessera.manual_computation(%a) over <@mesh, ["model"]>
      in [#tessera.sharding<@mesh, [{?}, {"model", ?}]>] out [#tessera.sharding<@mesh, [{?}, {"model", ?}]>] : (tensor<8x16xf32>) -> tensor<8x16xf32> {
  ^bb0(%x: tensor<8xf32>):
    %a0 = arith.constant dense<0.0> : tensor<8x4xf32>
    tessera.yield %a0 : tensor<8x4xf32>
  }
  return
}

// -----

// The axes of nested regions are different.
tessera.mesh @mesh = <["data"=2, "model"=4]>

func.func @f(%a: tensor<8x16xf32>) {
  %0 = tessera.manual_computation(%a) over <@mesh, ["model"]>
      in [#tessera.sharding<@mesh, [{?}, {"model", ?}]>] out [#tessera.sharding<@mesh, [{?}, {"model", ?}]>] : (tensor<8x16xf32>) -> tensor<8x16xf32> {
  ^bb0(%x: tensor<8x4xf32>):
    // expected-error @below {{expected manual axes that are free outside, got "model"}}
    %1 = tessera.manual_computation(%x) over <@mesh, ["model"]>
        in [#tessera.sharding<@mesh, [{}, {}]>] out [#tessera.sharding<@mesh, [{}, {}]>] : (tensor<8x4xf32>) -> tensor<8x4xf32> {
    ^bb0(%y: tensor<8x4xf32>):
      tessera.yield %y : tensor<8x4xf32>
    }
    tessera.yield %x : tensor<8x4xf32>
  }
  return
}

// -----

// A nested region asks for nothing on the axes of the outer one.
tessera.mesh @mesh = <["data"=2, "model"=4]>

func.func @f(%a: tensor<8x16xf32>) {
  %0 = tessera.manual_computation(%a) over <@mesh, ["model"]>
      in [#tessera.sharding<@mesh, [{?}, {"model", ?}]>] out [#tessera.sharding<@mesh, [{?}, {"model", ?}]>] : (tensor<8x16xf32>) -> tensor<8x16xf32> {
  ^bb0(%x: tensor<8x4xf32>):
    // expected-error @below {{expected axes that are free here, got "model", which is manual}}
    %1 = tessera.manual_computation(%x) over <@mesh, ["data"]>
        in [#tessera.sharding<@mesh, [{"model"}, {}]>] out [#tessera.sharding<@mesh, [{}, {}]>] : (tensor<8x4xf32>) -> tensor<8x4xf32> {
    ^bb0(%y: tensor<8x4xf32>):
      tessera.yield %y : tensor<8x4xf32>
    }
    tessera.yield %x : tensor<8x4xf32>
  }
  return
}

// -----

// Inside, manual axes are not there.
tessera.mesh @mesh = <["data"=2, "model"=4]>

func.func @f(%a: tensor<8x16xf32>) {
  %0 = tessera.manual_computation(%a) over <@mesh, ["model"]>
      in [#tessera.sharding<@mesh, [{?}, {"model", ?}]>] out [#tessera.sharding<@mesh, [{?}, {"model", ?}]>] : (tensor<8x16xf32>) -> tensor<8x16xf32> {
  ^bb0(%x: tensor<8x4xf32>):
    // expected-error @below {{expected axes that are free here, got "model", which is manual}}
    %1 = tessera.constrain %x to <@mesh, [{}, {"model"}]> : tensor<8x4xf32>
    tessera.yield %x : tensor<8x4xf32>
  }
  return
}

// -----

// Inside, no value is split over manual axes.
tessera.mesh @mesh = <["data"=2, "model"=4]>

func.func @f(%a: tensor<8x16xf32>) {
  %0 = tessera.manual_computation(%a) over <@mesh, ["model"]>
      in [#tessera.sharding<@mesh, [{?}, {"model", ?}]>] out [#tessera.sharding<@mesh, [{?}, {"model", ?}]>] : (tensor<8x16xf32>) -> tensor<8x16xf32> {
  ^bb0(%x: tensor<8x4xf32>):
    // expected-error @below {{expected axes that are free here, got "model", which is manual}}
    %1 = arith.addf %x, %x {tessera.sharding = #tessera.sharding<@mesh, [{}, {"model"}]>} : tensor<8x4xf32>
    tessera.yield %x : tensor<8x4xf32>
  }
  return
}

// -----

// A region uses nothing from outside.
tessera.mesh @mesh = <["data"=2, "model"=4]>

func.func @f(%a: tensor<8x16xf32>) {
  // expected-note @below {{required by region isolation constraints}}
  %0 = tessera.manual_computation(%a) over <@mesh, ["model"]>
      in [#tessera.sharding<@mesh, [{?}, {"model", ?}]>] out [#tessera.sharding<@mesh, [{?}, {"model", ?}]>] : (tensor<8x16xf32>) -> tensor<8x16xf32> {
  ^bb0(%x: tensor<8x4xf32>):
    // expected-error @below {{using value defined outside the region}}
    %1 = arith.addf %a, %a : tensor<8x16xf32>
    tessera.yield %x : tensor<8x4xf32>
  }
  return
}

// -----

// A result's sharding is split over the manual axes as was asked for.
tessera.mesh @mesh = <["data"=2, "model"=4]>

func.func @f(%a: tensor<8x16xf32>) {
  // expected-error @below {{expected result 0 to be split over the manual axes as asked for, got #tessera.sharding<@mesh, [{"model"}, {}]>}}
  %0 = tessera.manual_computation(%a) over <@mesh, ["model"]>
      in [#tessera.sharding<@mesh, [{?}, {"model", ?}]>] out [#tessera.sharding<@mesh, [{?}, {"model", ?}]>]
      {tessera.sharding = #tessera.sharding<@mesh, [{"model"}, {}]>} : (tensor<8x16xf32>) -> tensor<8x16xf32> {
  ^bb0(%x: tensor<8x4xf32>):
    tessera.yield %x : tensor<8x4xf32>
  }
  return
}

// -----

// The minor part of an axis is not all of it either.
tessera.mesh @mesh = <["data"=2, "model"=4]>

func.func @f(%a: tensor<8x16xf32>) {
  // expected-error @below {{expected whole manual axes, got "model":(2)2}}
  %0 = tessera.manual_computation(%a) over <@mesh, ["data", "model":(2)2]>
      in [#tessera.sharding<@mesh, [{?}, {"model", ?}]>] out [#tessera.sharding<@mesh, [{?}, {"model", ?}]>] : (tensor<8x16xf32>) -> tensor<8x16xf32> {
  ^bb0(%x: tensor<8x4xf32>):
    tessera.yield %x : tensor<8x4xf32>
  }
  return
}

// -----

// A list that names one twice names it twice wherever.
tessera.mesh @mesh = <["data"=2, "model"=4]>

func.func @f(%a: tensor<8x16xf32>) {
  // expected-error @below {{manual axis "data" appears twice}}
  %0 = tessera.manual_computation(%a) over <@mesh, ["data", "model", "data"]>
      in [#tessera.sharding<@mesh, [{?}, {"model", ?}]>] out [#tessera.sharding<@mesh, [{?}, {"model", ?}]>] : (tensor<8x16xf32>) -> tensor<8x16xf32> {
  ^bb0(%x: tensor<8x4xf32>):
    tessera.yield %x : tensor<8x4xf32>
  }
  return
}

// -----

// What leaves is sharded on the mesh of the manual axes.
tessera.mesh @mesh = <["data"=2, "model"=4]>
tessera.mesh @grid = <["data"=2, "model"=4]>

func.func @f(%a: tensor<8x16xf32>) {
  // expected-error @below {{expected result 0 to be sharded on mesh @mesh, got @grid}}
  %0 = tessera.manual_computation(%a) over <@mesh, ["model"]>
      in [#tessera.sharding<@mesh, [{?}, {"model", ?}]>] out [#tessera.sharding<@grid, [{}, {"model"}]>] : (tensor<8x16xf32>) -> tensor<8x16xf32> {
  ^bb0(%x: tensor<8x4xf32>):
    tessera.yield %x : tensor<8x4xf32>
  }
  return
}

// -----

// A result that a sharding keeps whole is not split either.
tessera.mesh @mesh = <["data"=2, "model"=4]>

func.func @f(%a: tensor<8x16xf32>) {
  // expected-error @below {{expected result 0 to be split over the manual axes as asked for, got #tessera.sharding<@mesh, [{}, {}]>}}
  %0 = tessera.manual_computation(%a) over <@mesh, ["model"]>
      in [#tessera.sharding<@mesh, [{?}, {"model", ?}]>] out [#tessera.sharding<@mesh, [{?}, {"model", ?}]>]
      {tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>} : (tensor<8x16xf32>) -> tensor<8x16xf32> {
  ^bb0(%x: tensor<8x4xf32>):
    tessera.yield %x : tensor<8x4xf32>
  }
  return
}

// -----

// Nor does a region within two others take an axis of the outermost.
tessera.mesh @mesh = <["data"=2, "model"=4, "x"=1]>

func.func @f(%a: tensor<8x16xf32>) {
  %0 = tessera.manual_computation(%a) over <@mesh, ["data"]>
      in [#tessera.sharding<@mesh, [{}, {}]>] out [#tessera.sharding<@mesh, [{}, {}]>] : (tensor<8x16xf32>) -> tensor<8x16xf32> {
  ^bb0(%x: tensor<8x16xf32>):
    %1 = tessera.manual_computation(%x) over <@mesh, ["model"]>
        in [#tessera.sharding<@mesh, [{}, {}]>] out [#tessera.sharding<@mesh, [{}, {}]>] : (tensor<8x16xf32>) -> tensor<8x16xf32> {
    ^bb0(%y: tensor<8x16xf32>):
      // expected-error @below {{expected manual axes that are free outside, got "data"}}
      %2 = tessera.manual_computation(%y) over <@mesh, ["x", "data"]>
          in [#tessera.sharding<@mesh, [{}, {}]>] out [#tessera.sharding<@mesh, [{}, {}]>] : (tensor<8x16xf32>) -> tensor<8x16xf32> {
      ^bb0(%z: tensor<8x16xf32>):
        tessera.yield %z : tensor<8x16xf32>
      }
      tessera.yield %2 : tensor<8x16xf32>
    }
    tessera.yield %1 : tensor<8x16xf32>
  }
  return
}

// -----

// A region gives as many values as it has results.
tessera.mesh @mesh = <["data"=2, "model"=4]>

func.func @f(%a: tensor<8x16xf32>) {
  // expected-error @below {{along control flow edge from Operation tessera.yield to parent: region branch point has 2 operands, but region successor needs 1 inputs}}
  %0 = tessera.manual_computation(%a) over <@mesh, ["model"]>
      in [#tessera.sharding<@mesh, [{}, {}]>] out [#tessera.sharding<@mesh, [{}, {}]>] : (tensor<8x16xf32>) -> tensor<8x16xf32> {
  ^bb0(%x: tensor<8x16xf32>):
    // expected-note @below {{region branch point}}
    tessera.yield %x, %x : tensor<8x16xf32>, tensor<8x16xf32>
  }
  return
}
