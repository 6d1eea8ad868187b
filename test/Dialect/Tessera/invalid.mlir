// Every check of the verifiers, with what it says.
// RUN: tessera-opt %s -split-input-file -verify-diagnostics

// An axis must have a name of its own.
// expected-error @below {{twice}}
tessera.mesh @mesh = <["data"=2, "data"=4]>

// -----

// Device numbers are a permutation.
// expected-error @below {{expected the device ids to be a permutation of 0 to 1, got 0 twice}}
tessera.mesh @mesh = <["data"=2], device_ids=[0, 0]>

// -----

// A machine has links for each axis.
// expected-error @below {{expected links for 2 axes, got 1}}
tessera.mesh @mesh = <["data"=2, "model"=4]> on <links = [[1.0e-06, 5.0e+10]], compute = 1.0e+12, memory_bandwidth = 1.0e+11, memory = 64000000000>

// -----

// Data moves at some speed.
// expected-error @below {{expected a positive bandwidth}}
tessera.mesh @mesh = <["data"=2]> on <links = [[1.0e-06, 0.0]], compute = 1.0e+12, memory_bandwidth = 1.0e+11, memory = 64000000000>

// -----

// A sharding names axes that exist.
tessera.mesh @mesh = <["data"=2, "model"=4]>

// expected-error @below {{unknown axis "z"}}
func.func @f(%a: tensor<8x16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"z"}, {}]>}) {
  return
}

// -----

// No axis splits a tensor twice.
tessera.mesh @mesh = <["data"=2, "model"=4]>

// expected-error @below {{twice}}
func.func @f(%a: tensor<8x16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {"data"}]>}) {
  return
}

// -----

// An order of devices is one of the mesh's.
tessera.mesh @mesh = <["data"=2, "model"=4]>

// expected-error @below {{tessera.device_order: expected 8 device ids, got 2}}
func.func @f(%a: tensor<8xf32> {tessera.device_order = array<i64: 1, 0>, tessera.sharding = #tessera.sharding<@mesh, [{"data"}]>}) {
  return
}

// -----

tessera.mesh @mesh = <["data"=2]>

// expected-error @below {{tessera.device_order: expected a device for each position of the mesh, got none}}
func.func @f(%a: tensor<8xf32> {tessera.device_order = array<i64>, tessera.sharding = #tessera.sharding<@mesh, [{"data"}]>}) {
  return
}

// -----

// expected-error @below {{expected an array of i64 for tessera.device_order}}
func.func @f() -> (tensor<8xf32> {tessera.device_order = [1, 0]}) {
  %0 = arith.constant dense<0.0> : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// A sharding has the tensor's rank.
tessera.mesh @mesh = <["data"=2, "model"=4]>

// expected-error @below {{sharding of argument 0: expected 2 dimension shardings, got 1}}
func.func @f(%a: tensor<8x16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"data"}]>}) {
  return
}

// -----

// The result at fault is named.
tessera.mesh @mesh = <["data"=2, "model"=4]>

// expected-error @below {{sharding of result 'y': unknown axis "rows", the mesh has "data", "model"}}
func.func @f(%a: tensor<8xf32>) -> (tensor<8xf32> {tessera.name = "y", tessera.sharding = #tessera.sharding<@mesh, [{"rows"}]>}) {
  return %a : tensor<8xf32>
}

// -----

// A sub-axis divides its axis.
tessera.mesh @mesh = <["data"=2, "model"=4]>

// expected-error @below {{"model":(3)2}}
func.func @f(%a: tensor<8x16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"model":(3)2}, {}]>}) {
  return
}

// -----

// A sharding names a mesh that exists.
// expected-error @below {{unknown mesh @mesh}}
func.func @f(%a: tensor<8x16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>}) {
  return
}

// -----

// The batch is a dimension of the argument.
// expected-error @below {{expected a dimension of argument 0 for tessera.batch, got 2 : i64}}
func.func @f(%a: tensor<8x16xf32> {tessera.batch = 2 : i64}) -> tensor<8x16xf32> {
  return %a : tensor<8x16xf32>
}

// -----

// A donated argument names a result.
// expected-error @below {{expected the number of a result for tessera.donated of argument 0}}
func.func @f(%a: tensor<8x16xf32> {tessera.donated = 3 : i32}) -> tensor<8x16xf32> {
  return %a : tensor<8x16xf32>
}

// -----

// Attributes of the dialect are known by name.
// expected-error @below {{unknown attribute 'tessera.shardign'}}
func.func @f(%a: tensor<8x16xf32> {tessera.shardign = 1}) {
  return
}

// -----

// A priority stands behind a dimension's axes.
tessera.mesh @mesh = <["data"=2, "model"=4]>

// expected-error @below {{expected a priority}}
func.func @f(%a: tensor<8x16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"data"}q1, {}]>}) {
  return
}

// -----

// Bits of floating-point numbers are not reduced.
tessera.mesh @mesh = <["x"=2]>
// expected-error @below {{expected integers for unreduced=or{...}, got 'f32'}}
func.func @bits(%a: tensor<4xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}], unreduced=or{"x"}>}) {
  return
}

// -----

// Only replicated and unreduced axes stand behind the dimensions.
tessera.mesh @mesh = <["data"=2, "model"=4]>

// expected-error @below {{expected 'replicated' or 'unreduced', got 'shared'}}
func.func @f(%a: tensor<8x16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {}], shared={"data"}>}) {
  return
}

// -----

// Every result has its sharding.
tessera.mesh @mesh = <["data"=2, "model"=4]>

func.func @f(%a: tensor<8x16xf32>) {
  // expected-error @below {{expected 1 shardings, one per result}}
  %0 = arith.addf %a, %a {tessera.sharding = []} : tensor<8x16xf32>
  return
}

// -----

// A value's sharding has its rank.
tessera.mesh @mesh = <["data"=2, "model"=4]>

func.func @f(%a: tensor<8x16xf32>) {
  // expected-error @below {{expected 2 dimension shardings, got 0}}
  %0 = arith.addf %a, %a {tessera.sharding = #tessera.sharding<@mesh, []>} : tensor<8x16xf32>
  return
}

// -----

// A constraint's sharding has the value's rank.
tessera.mesh @mesh = <["data"=2, "model"=4]>

func.func @f(%a: tensor<8x16xf32>) {
  // expected-error @below {{expected 2 dimension shardings, got 3}}
  %0 = tessera.constrain %a to <@mesh, [{}, {}, {}]> : tensor<8x16xf32>
  return
}

// -----

// Contracting dimensions have one size.
func.func @f(%a: tensor<4x8x16xf32>, %b: tensor<4x16x32xf32>) {
  // expected-error @below {{contracting dimensions differ in size: dimension 1 of lhs has 8, dimension 1 of rhs has 16}}
  %0 = tessera.dot_general %a, %b batching = [0] x [0] contracting = [1] x [1] : (tensor<4x8x16xf32>, tensor<4x16x32xf32>) -> tensor<4x16x32xf32>
  return
}

// -----

// Batching dimensions go in pairs.
func.func @f(%a: tensor<4x8x16xf32>, %b: tensor<4x16x32xf32>) {
  // expected-error @below {{expected as many batching dimensions of rhs as of lhs (1), got 0}}
  %0 = tessera.dot_general %a, %b batching = [0] x [] contracting = [2] x [1] : (tensor<4x8x16xf32>, tensor<4x16x32xf32>) -> tensor<4x8x4x32xf32>
  return
}

// -----

// A dimension of a product plays one part.
func.func @f(%a: tensor<4x8x16xf32>, %b: tensor<4x16x32xf32>) {
  // expected-error @below {{lhs dimension 2 appears twice}}
  %0 = tessera.dot_general %a, %b batching = [2] x [0] contracting = [2] x [1] : (tensor<4x8x16xf32>, tensor<4x16x32xf32>) -> tensor<4x8x32xf32>
  return
}

// -----

// A product's dimensions exist.
func.func @f(%a: tensor<4x8x16xf32>, %b: tensor<4x16x32xf32>) {
  // expected-error @below {{rhs dimension 3 is out of range: expected 0 to 2}}
  %0 = tessera.dot_general %a, %b batching = [0] x [0] contracting = [2] x [3] : (tensor<4x8x16xf32>, tensor<4x16x32xf32>) -> tensor<4x8x32xf32>
  return
}

// -----

// A product's result has the batching and free dimensions.
func.func @f(%a: tensor<4x8x16xf32>, %b: tensor<4x16x32xf32>) {
  // expected-error @below {{expected result type 'tensor<4x8x32xf32>', got 'tensor<8x4x32xf32>'}}
  %0 = tessera.dot_general %a, %b batching = [0] x [0] contracting = [2] x [1] : (tensor<4x8x16xf32>, tensor<4x16x32xf32>) -> tensor<8x4x32xf32>
  return
}

// -----

// A monoid is known by name.
func.func @f(%a: tensor<8x16xf32>) {
  // expected-error @below {{expected a reduction (sum, product, min, max, and, or, xor), got 'mean'}}
  %0 = tessera.reduce mean %a dims = [1] : tensor<8x16xf32> -> tensor<8xf32>
  return
}

// -----

// Reduced dimensions vanish.
func.func @f(%a: tensor<8x16xf32>) {
  // expected-error @below {{expected result type 'tensor<16xf32>', got 'tensor<8xf32>'}}
  %0 = tessera.reduce sum %a dims = [0] : tensor<8x16xf32> -> tensor<8xf32>
  return
}

// -----

// Bits are combined in integers only.
func.func @f(%a: tensor<8x16xf32>) {
  // expected-error @below {{expected integers for xor, got 'f32'}}
  %0 = tessera.reduce xor %a dims = [0] : tensor<8x16xf32> -> tensor<16xf32>
  return
}

// -----

// A reduction by region has two scalars per operand.
func.func @f(%a: tensor<8x16xf32>, %i: tensor<f32>) {
  // expected-error @below {{expected 2 region arguments, got 1}}
  %0 = tessera.variadic_reduce %a inits %i dims = [1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<8xf32> {
  ^bb0(%x: tensor<f32>):
    tessera.yield %x : tensor<f32>
  }
  return
}

// -----

// An order is a decision.
func.func @f(%a: tensor<8x16xf32>) {
  // expected-error @below {{expected a region that yields one 'tensor<i1>'}}
  %0 = tessera.sort %a dim = 1 : (tensor<8x16xf32>) -> tensor<8x16xf32> {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    tessera.yield %x : tensor<f32>
  }
  return
}

// -----

// Two elements of each operand are compared.
func.func @f(%a: tensor<8x16xf32>, %b: tensor<8x16xi32>) {
  // expected-error @below {{expected region arguments of type 'tensor<i32>', got 'tensor<f32>'}}
  %0:2 = tessera.sort %a, %b dim = 1 : (tensor<8x16xf32>, tensor<8x16xi32>) -> (tensor<8x16xf32>, tensor<8x16xi32>) {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<f32>, %w: tensor<f32>):
    %s = arith.cmpf olt, %x, %y : tensor<f32>
    tessera.yield %s : tensor<i1>
  }
  return
}

// -----

// The results are no longer than the operands.
func.func @f(%a: tensor<8x16xf32>) {
  // expected-error @below {{expected result type 'tensor<8x16xf32>', got 'tensor<8x17xf32>'}}
  %0 = tessera.sort %a dim = 1 : (tensor<8x16xf32>) -> tensor<8x17xf32> {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = arith.cmpf olt, %x, %y : tensor<f32>
    tessera.yield %s : tensor<i1>
  }
  return
}

// -----

// The sorted dimension exists.
func.func @f(%a: tensor<8x16xf32>) {
  // expected-error @below {{sorted dimension 2 is out of range: expected 0 to 1}}
  %0 = tessera.sort %a dim = 2 : (tensor<8x16xf32>) -> tensor<8x16xf32> {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = arith.cmpf olt, %x, %y : tensor<f32>
    tessera.yield %s : tensor<i1>
  }
  return
}

// -----

// Operands are sorted together.
func.func @f(%a: tensor<8x16xf32>, %b: tensor<16xf32>) {
  // expected-error @below {{expected operands of one shape, got 'tensor<8x16xf32>' and 'tensor<16xf32>'}}
  %0:2 = tessera.sort %a, %b dim = 0 : (tensor<8x16xf32>, tensor<16xf32>) -> (tensor<8x16xf32>, tensor<16xf32>) {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<f32>, %w: tensor<f32>):
    %s = arith.cmpf olt, %x, %y : tensor<f32>
    tessera.yield %s : tensor<i1>
  }
  return
}

// -----

// A broadcast names a result dimension per operand dimension.
func.func @f(%a: tensor<8x16xf32>) {
  // expected-error @below {{expected 2 dimensions in dims, got 1}}
  %0 = tessera.broadcast %a dims = [0] : tensor<8x16xf32> -> tensor<8x16x2xf32>
  return
}

// -----

// A broadcast keeps or repeats sizes.
func.func @f(%a: tensor<8x16xf32>) {
  // expected-error @below {{expected operand dimension 1 of size 1 or 2 (result dimension 2), got 16}}
  %0 = tessera.broadcast %a dims = [0, 2] : tensor<8x16xf32> -> tensor<8x16x2xf32>
  return
}

// -----

// A broadcast keeps the element type.
func.func @f(%a: tensor<8x16xf32>) {
  // expected-error @below {{expected element type 'f32', got 'f64'}}
  %0 = tessera.broadcast %a dims = [0, 1] : tensor<8x16xf32> -> tensor<8x16xf64>
  return
}

// -----

// A permutation names every dimension once.
func.func @f(%a: tensor<8x16xf32>) {
  // expected-error @below {{permutation dimension 1 appears twice}}
  %0 = tessera.transpose %a permutation = [1, 1] : tensor<8x16xf32> -> tensor<16x16xf32>
  return
}

// -----

// A transpose permutes sizes.
func.func @f(%a: tensor<8x16xf32>) {
  // expected-error @below {{expected result type 'tensor<16x8xf32>', got 'tensor<8x16xf32>'}}
  %0 = tessera.transpose %a permutation = [1, 0] : tensor<8x16xf32> -> tensor<8x16xf32>
  return
}

// -----

// A reshape keeps the number of elements.
func.func @f(%a: tensor<8x16xf32>) {
  // expected-error @below {{expected 128 elements in the result, got 64}}
  %0 = tessera.reshape %a : tensor<8x16xf32> -> tensor<64xf32>
  return
}

// -----

// A reshape keeps the element type.
func.func @f(%a: tensor<8x16xf32>) {
  // expected-error @below {{expected element type 'f32', got 'i32'}}
  %0 = tessera.reshape %a : tensor<8x16xf32> -> tensor<128xi32>
  return
}

// -----

// A slice lies inside.
func.func @f(%a: tensor<8x16xf32>) {
  // expected-error @below {{expected 0 <= start <= limit <= 16 in dimension 1, got start 0 and limit 17}}
  %0 = tessera.slice %a [0, 0] to [8, 17] by [1, 1] : tensor<8x16xf32> -> tensor<8x17xf32>
  return
}

// -----

// A slice goes forward.
func.func @f(%a: tensor<8x16xf32>) {
  // expected-error @below {{expected a positive stride in dimension 0, got 0}}
  %0 = tessera.slice %a [0, 0] to [8, 16] by [0, 1] : tensor<8x16xf32> -> tensor<8x16xf32>
  return
}

// -----

// A slice has a start per dimension.
func.func @f(%a: tensor<8x16xf32>) {
  // expected-error @below {{expected 2 starts, got 1}}
  %0 = tessera.slice %a [0] to [8, 16] by [1, 1] : tensor<8x16xf32> -> tensor<8x16xf32>
  return
}

// -----

// A computed slice has an index per dimension.
func.func @f(%a: tensor<8x16xf32>, %i: tensor<i32>) {
  // expected-error @below {{expected 2 indices, got 1}}
  %0 = tessera.dynamic_slice %a[%i] : (tensor<8x16xf32>, tensor<i32>) -> tensor<8x16xf32>
  return
}

// -----

// A box is no larger than the whole.
func.func @f(%a: tensor<8x16xf32>, %i: tensor<i32>) {
  // expected-error @below {{expected a box of at most 8 elements in dimension 0, got 9}}
  %0 = tessera.dynamic_slice %a[%i, %i] : (tensor<8x16xf32>, tensor<i32>, tensor<i32>) -> tensor<9x16xf32>
  return
}

// -----

// A box has the rank of the whole.
func.func @f(%a: tensor<8x16xf32>, %i: tensor<i32>) {
  // expected-error @below {{expected a box of rank 2 and element type 'f32', got 'tensor<8xf32>'}}
  %0 = tessera.dynamic_slice %a[%i, %i] : (tensor<8x16xf32>, tensor<i32>, tensor<i32>) -> tensor<8xf32>
  return
}

// -----

// An update keeps the type of the whole.
func.func @f(%a: tensor<8x16xf32>, %i: tensor<i32>) {
  // expected-error @below {{expected result type 'tensor<8x16xf32>', got 'tensor<8x8xf32>'}}
  %0 = tessera.dynamic_update_slice %a, %a[%i, %i] : (tensor<8x16xf32>, tensor<8x16xf32>, tensor<i32>, tensor<i32>) -> tensor<8x8xf32>
  return
}

// -----

// Padding is counted in every dimension.
func.func @f(%a: tensor<8x16xf32>, %v: tensor<f32>, %w: tensor<i32>) {
  // expected-error @below {{expected result type 'tensor<9x16xf32>', got 'tensor<8x16xf32>'}}
  %0 = tessera.pad %a with %v low = [1, 0] high = [0, 0] interior = [0, 0] : (tensor<8x16xf32>, tensor<f32>) -> tensor<8x16xf32>
  return
}

// -----

// Padding has the operand's element type.
func.func @f(%a: tensor<8x16xf32>, %v: tensor<f32>, %w: tensor<i32>) {
  // expected-error @below {{expected a scalar of 'f32' as padding value, got 'tensor<i32>'}}
  %0 = tessera.pad %a with %w low = [0, 0] high = [0, 0] interior = [0, 0] : (tensor<8x16xf32>, tensor<i32>) -> tensor<8x16xf32>
  return
}

// -----

// Nothing can be taken from between elements.
func.func @f(%a: tensor<8x16xf32>, %v: tensor<f32>, %w: tensor<i32>) {
  // expected-error @below {{expected interior padding of at least 0 in dimension 1, got -1}}
  %0 = tessera.pad %a with %v low = [0, 0] high = [0, 0] interior = [0, -1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<8x16xf32>
  return
}

// -----

// No more can be taken away than there is.
func.func @f(%a: tensor<8x16xf32>, %v: tensor<f32>, %w: tensor<i32>) {
  // expected-error @below {{padding leaves -1 elements in dimension 0, expected at least 0}}
  %0 = tessera.pad %a with %v low = [-9, 0] high = [0, 0] interior = [0, 0] : (tensor<8x16xf32>, tensor<f32>) -> tensor<8x16xf32>
  return
}

// -----

// Concatenated tensors agree elsewhere.
func.func @f(%a: tensor<8x16xf32>, %b: tensor<8x8xf32>) {
  // expected-error @below {{expected operands that differ only in dimension 0, got 'tensor<8x16xf32>' and 'tensor<8x8xf32>'}}
  %0 = tessera.concatenate %a, %b dim = 0 : (tensor<8x16xf32>, tensor<8x8xf32>) -> tensor<8x16xf32>
  return
}

// -----

// Tensors are concatenated along a dimension they have.
func.func @f(%a: tensor<8x16xf32>) {
  // expected-error @below {{dimension 2 is out of range: expected 0 to 1}}
  %0 = tessera.concatenate %a dim = 2 : (tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

// -----

// Reversed dimensions exist.
func.func @f(%a: tensor<8x16xf32>) {
  // expected-error @below {{reversed dimension 2 is out of range: expected 0 to 1}}
  %0 = tessera.reverse %a dims = [2] : tensor<8x16xf32>
  return
}

// -----

// Counting goes along a dimension that exists.
func.func @f(%a: tensor<8x16xf32>) {
  // expected-error @below {{dimension 2 is out of range: expected 0 to 1}}
  %0 = tessera.iota dim = 2 : tensor<8x16xi32>
  return
}

// -----

// A barrier changes no types.
func.func @f(%a: tensor<8x16xf32>) {
  // expected-error @below {{expected results of the operands' types}}
  %0 = tessera.optimization_barrier %a : (tensor<8x16xf32>) -> tensor<8xf32>
  return
}

// -----

// A gathered slice fits.
func.func @f(%t: tensor<32x8xf32>, %i: tensor<4x6x1xi32>, %r: tensor<4x6x8xf32>) {
  // expected-error @below {{expected a slice size of at most 8 in dimension 1, got 9}}
  %0 = tessera.gather %t at %i offset = [2] collapsed = [0] batching = [] x [] map = [0] vector = 2 sizes = [1, 9] : (tensor<32x8xf32>, tensor<4x6x1xi32>) -> tensor<4x6x8xf32>
  return
}

// -----

// A dropped dimension of a slice has size 1.
func.func @f(%t: tensor<32x8xf32>, %i: tensor<4x6x1xi32>, %r: tensor<4x6x8xf32>) {
  // expected-error @below {{expected slice size 1 in collapsed or batching dimension 0, got 2}}
  %0 = tessera.gather %t at %i offset = [2] collapsed = [0] batching = [] x [] map = [0] vector = 2 sizes = [2, 8] : (tensor<32x8xf32>, tensor<4x6x1xi32>) -> tensor<4x6x8xf32>
  return
}

// -----

// There is a slice size per dimension.
func.func @f(%t: tensor<32x8xf32>, %i: tensor<4x6x1xi32>, %r: tensor<4x6x8xf32>) {
  // expected-error @below {{expected 2 slice sizes, got 1}}
  %0 = tessera.gather %t at %i offset = [2] collapsed = [0] batching = [] x [] map = [0] vector = 2 sizes = [1] : (tensor<32x8xf32>, tensor<4x6x1xi32>) -> tensor<4x6x8xf32>
  return
}

// -----

// Every component of an index places a dimension.
func.func @f(%t: tensor<32x8xf32>, %i: tensor<4x6x1xi32>, %r: tensor<4x6x8xf32>) {
  // expected-error @below {{expected 1 mapped dimensions, one per component of an index vector, got 2}}
  %0 = tessera.gather %t at %i offset = [2] collapsed = [0] batching = [] x [] map = [0, 1] vector = 2 sizes = [1, 8] : (tensor<32x8xf32>, tensor<4x6x1xi32>) -> tensor<4x6x8xf32>
  return
}

// -----

// The window's dimensions are those that are not dropped.
func.func @f(%t: tensor<32x8xf32>, %i: tensor<4x6x1xi32>, %r: tensor<4x6x8xf32>) {
  // expected-error @below {{expected 1 window dimensions, got 2}}
  %0 = tessera.gather %t at %i offset = [1, 2] collapsed = [0] batching = [] x [] map = [0] vector = 2 sizes = [1, 8] : (tensor<32x8xf32>, tensor<4x6x1xi32>) -> tensor<4x6x8xf32>
  return
}

// -----

// A gather's result has the batch dimensions of the indices.
func.func @f(%t: tensor<32x8xf32>, %i: tensor<4x6x1xi32>, %r: tensor<4x6x8xf32>) {
  // expected-error @below {{expected the batch dimensions of 'tensor<4x6x1xi32>' in 'tensor<4x5x8xf32>'}}
  %0 = tessera.gather %t at %i offset = [2] collapsed = [0] batching = [] x [] map = [0] vector = 2 sizes = [1, 8] : (tensor<32x8xf32>, tensor<4x6x1xi32>) -> tensor<4x5x8xf32>
  return
}

// -----

// A gather's result has the slice's sizes.
func.func @f(%t: tensor<32x8xf32>, %i: tensor<4x6x1xi32>, %r: tensor<4x6x8xf32>) {
  // expected-error @below {{expected size 8 in result dimension 2, got 7}}
  %0 = tessera.gather %t at %i offset = [2] collapsed = [0] batching = [] x [] map = [0] vector = 2 sizes = [1, 8] : (tensor<32x8xf32>, tensor<4x6x1xi32>) -> tensor<4x6x7xf32>
  return
}

// -----

// Index vectors lie along a dimension of the indices.
func.func @f(%t: tensor<32x8xf32>, %i: tensor<4x6x1xi32>, %r: tensor<4x6x8xf32>) {
  // expected-error @below {{index vector dimension 4 is out of range: expected 0 to 3}}
  %0 = tessera.gather %t at %i offset = [2] collapsed = [0] batching = [] x [] map = [0] vector = 4 sizes = [1, 8] : (tensor<32x8xf32>, tensor<4x6x1xi32>) -> tensor<4x6x8xf32>
  return
}

// -----

// A scatter keeps the type of the whole.
func.func @f(%t: tensor<32x8xf32>, %i: tensor<4x6x1xi32>, %r: tensor<4x6x8xf32>) {
  // expected-error @below {{expected result type 'tensor<32x8xf32>', got 'tensor<32x9xf32>'}}
  %0 = tessera.scatter sum %t, %r at %i window = [2] inserted = [0] batching = [] x [] map = [0] vector = 2 : (tensor<32x8xf32>, tensor<4x6x1xi32>, tensor<4x6x8xf32>) -> tensor<32x9xf32>
  return
}

// -----

// Groups are numbered from 0.
func.func @f(%a: tensor<8x16xf32>) {
  // expected-error @below {{expected a group of at least 0, got -1}}
  tessera.sharding_group %a in -1 : tensor<8x16xf32>
  return
}

// -----

// A barrier lets shardings pass in a direction that exists.
func.func @f(%a: tensor<8x16xf32>) {
  // expected-error @below {{expected string or keyword containing one of the following enum values for attribute 'direction' [none, forward, backward]}}
  %0 = tessera.propagation_barrier %a allows both : tensor<8x16xf32>
  return
}

// -----

// Keys have the features of queries.
func.func @f(%q: tensor<2x4x5x8xf32>, %k: tensor<2x2x7x9xf32>, %v: tensor<2x2x7x6xf32>) {
  // expected-error @below {{expected key of shape 2x2x7x8, got 'tensor<2x2x7x9xf32>'}}
  %0:3 = tessera.attention %q, %k, %v scale = 1.0 : (tensor<2x4x5x8xf32>, tensor<2x2x7x9xf32>, tensor<2x2x7x6xf32>) -> (tensor<2x4x5x6xf32>, tensor<2x4x5xf32>, tensor<2x4x5xf32>)
  return
}

// -----

// There are as many values as keys.
func.func @f(%q: tensor<2x4x5x8xf32>, %k: tensor<2x2x7x8xf32>, %v: tensor<2x2x8x6xf32>) {
  // expected-error @below {{expected value of shape 2x2x7x6, got 'tensor<2x2x8x6xf32>'}}
  %0:3 = tessera.attention %q, %k, %v scale = 1.0 : (tensor<2x4x5x8xf32>, tensor<2x2x7x8xf32>, tensor<2x2x8x6xf32>) -> (tensor<2x4x5x6xf32>, tensor<2x4x5xf32>, tensor<2x4x5xf32>)
  return
}

// -----

// Query heads share key heads evenly.
func.func @f(%q: tensor<2x4x5x8xf32>, %k: tensor<2x3x7x8xf32>, %v: tensor<2x3x7x6xf32>) {
  // expected-error @below {{expected a multiple of the 3 key heads as query heads, got 4}}
  %0:3 = tessera.attention %q, %k, %v scale = 1.0 : (tensor<2x4x5x8xf32>, tensor<2x3x7x8xf32>, tensor<2x3x7x6xf32>) -> (tensor<2x4x5x6xf32>, tensor<2x4x5xf32>, tensor<2x4x5xf32>)
  return
}

// -----

// The output has the features of values.
func.func @f(%q: tensor<2x4x5x8xf32>, %k: tensor<2x2x7x8xf32>, %v: tensor<2x2x7x6xf32>) {
  // expected-error @below {{expected output of shape 2x4x5x6, got 'tensor<2x4x5x8xf32>'}}
  %0:3 = tessera.attention %q, %k, %v scale = 1.0 : (tensor<2x4x5x8xf32>, tensor<2x2x7x8xf32>, tensor<2x2x7x6xf32>) -> (tensor<2x4x5x8xf32>, tensor<2x4x5xf32>, tensor<2x4x5xf32>)
  return
}

// -----

// A row of scores has a key.
func.func @f(%q: tensor<2x4x5x8xf32>, %k: tensor<2x2x0x8xf32>, %v: tensor<2x2x0x6xf32>) {
  // expected-error @below {{expected at least one feature and one key}}
  %0:3 = tessera.attention %q, %k, %v scale = 1.0 : (tensor<2x4x5x8xf32>, tensor<2x2x0x8xf32>, tensor<2x2x0x6xf32>) -> (tensor<2x4x5x6xf32>, tensor<2x4x5xf32>, tensor<2x4x5xf32>)
  return
}

// -----

// A bias is repeated along dimensions of size 1.
func.func @f(%q: tensor<2x4x5x8xf32>, %k: tensor<2x2x7x8xf32>, %v: tensor<2x2x7x6xf32>, %b: tensor<1x2x5x7xf32>) {
  // expected-error @below {{expected bias dimension 1 of size 1 or 4, got 2}}
  %0:3 = tessera.attention %q, %k, %v bias %b scale = 1.0 : (tensor<2x4x5x8xf32>, tensor<2x2x7x8xf32>, tensor<2x2x7x6xf32>, tensor<1x2x5x7xf32>) -> (tensor<2x4x5x6xf32>, tensor<2x4x5xf32>, tensor<2x4x5xf32>)
  return
}

// -----

// A mask is for the scores.
func.func @f(%q: tensor<2x4x5x8xf32>, %k: tensor<2x2x7x8xf32>, %v: tensor<2x2x7x6xf32>, %m: tensor<1x1x5x8xi1>) {
  // expected-error @below {{expected mask dimension 3 of size 1 or 7, got 8}}
  %0:3 = tessera.attention %q, %k, %v mask %m scale = 1.0 : (tensor<2x4x5x8xf32>, tensor<2x2x7x8xf32>, tensor<2x2x7x6xf32>, tensor<1x1x5x8xi1>) -> (tensor<2x4x5x6xf32>, tensor<2x4x5xf32>, tensor<2x4x5xf32>)
  return
}

// -----

// There is one sum per row.
func.func @f(%q: tensor<2x4x5x8xf32>, %k: tensor<2x2x7x8xf32>, %v: tensor<2x2x7x6xf32>) {
  // expected-error @below {{expected sum of type 'tensor<2x4x5xf32>', got 'tensor<2x4x7xf32>'}}
  %0:3 = tessera.attention %q, %k, %v scale = 1.0 : (tensor<2x4x5x8xf32>, tensor<2x2x7x8xf32>, tensor<2x2x7x6xf32>) -> (tensor<2x4x5x6xf32>, tensor<2x4x5xf32>, tensor<2x4x7xf32>)
  return
}

// -----

// Rows of f64 are f64.
func.func @f(%q: tensor<2x4x5x8xf64>, %k: tensor<2x2x7x8xf32>, %v: tensor<2x2x7x6xf32>) {
  // expected-error @below {{expected maximum of type 'tensor<2x4x5xf64>', got 'tensor<2x4x5xf32>'}}
  %0:3 = tessera.attention %q, %k, %v scale = 1.0 : (tensor<2x4x5x8xf64>, tensor<2x2x7x8xf32>, tensor<2x2x7x6xf32>) -> (tensor<2x4x5x6xf32>, tensor<2x4x5xf32>, tensor<2x4x5xf32>)
  return
}

// -----

// The gradient of the output is as large as the output.
func.func @f(%q: tensor<2x4x5x8xf32>, %k: tensor<2x2x7x8xf32>, %v: tensor<2x2x7x6xf32>, %o: tensor<2x4x5x6xf32>, %r: tensor<2x4x5xf32>, %d: tensor<2x4x5x7xf32>) {
  // expected-error @below {{expected output gradient of shape 2x4x5x6, got 'tensor<2x4x5x7xf32>'}}
  %0:3 = tessera.attention_gradient %q, %k, %v output %o maximum %r sum %r gradient %d scale = 1.0 : (tensor<2x4x5x8xf32>, tensor<2x2x7x8xf32>, tensor<2x2x7x6xf32>, tensor<2x4x5x6xf32>, tensor<2x4x5xf32>, tensor<2x4x5xf32>, tensor<2x4x5x7xf32>) -> (tensor<2x4x5x8xf32>, tensor<2x2x7x8xf32>, tensor<2x2x7x6xf32>)
  return
}

// -----

// The gradient of the value is as large as the value.
func.func @f(%q: tensor<2x4x5x8xf32>, %k: tensor<2x2x7x8xf32>, %v: tensor<2x2x7x6xf32>, %o: tensor<2x4x5x6xf32>, %r: tensor<2x4x5xf32>, %d: tensor<2x4x5x6xf32>) {
  // expected-error @below {{expected value gradient of shape 2x2x7x6, got 'tensor<2x4x7x6xf32>'}}
  %0:3 = tessera.attention_gradient %q, %k, %v output %o maximum %r sum %r gradient %d scale = 1.0 : (tensor<2x4x5x8xf32>, tensor<2x2x7x8xf32>, tensor<2x2x7x6xf32>, tensor<2x4x5x6xf32>, tensor<2x4x5xf32>, tensor<2x4x5xf32>, tensor<2x4x5x6xf32>) -> (tensor<2x4x5x8xf32>, tensor<2x2x7x8xf32>, tensor<2x4x7x6xf32>)
  return
}

// -----

// Dropout multiplies what it keeps.
func.func @f(%q: tensor<2x4x5x8xf32>, %k: tensor<2x2x7x8xf32>, %v: tensor<2x2x7x6xf32>, %keep: tensor<2x4x5x7xi1>) {
  // expected-error @below {{expected both of keep and keep_scale, or neither}}
  %0:3 = tessera.attention %q, %k, %v keep %keep scale = 1.0 : (tensor<2x4x5x8xf32>, tensor<2x2x7x8xf32>, tensor<2x2x7x6xf32>, tensor<2x4x5x7xi1>) -> (tensor<2x4x5x6xf32>, tensor<2x4x5xf32>, tensor<2x4x5xf32>)
  return
}

// -----

// What dropout keeps, it keeps of scores.
func.func @f(%q: tensor<2x4x5x8xf32>, %k: tensor<2x2x7x8xf32>, %v: tensor<2x2x7x6xf32>, %keep: tensor<2x4x7x7xi1>) {
  // expected-error @below {{expected keep dimension 2 of size 1 or 5, got 7}}
  %0:3 = tessera.attention %q, %k, %v keep %keep scale = 1.0 keep_scale = 2.0 : (tensor<2x4x5x8xf32>, tensor<2x2x7x8xf32>, tensor<2x2x7x6xf32>, tensor<2x4x7x7xi1>) -> (tensor<2x4x5x6xf32>, tensor<2x4x5xf32>, tensor<2x4x5xf32>)
  return
}

// -----

// Scores are capped above zero.
func.func @f(%q: tensor<2x4x5x8xf32>, %k: tensor<2x2x7x8xf32>, %v: tensor<2x2x7x6xf32>) {
  // expected-error @below {{expected a positive softcap, got 0}}
  %0:3 = tessera.attention %q, %k, %v scale = 1.0 softcap = 0.0 : (tensor<2x4x5x8xf32>, tensor<2x2x7x8xf32>, tensor<2x2x7x6xf32>) -> (tensor<2x4x5x6xf32>, tensor<2x4x5xf32>, tensor<2x4x5xf32>)
  return
}

// -----

// The gradient of the bias is one of scores.
func.func @f(%q: tensor<2x4x5x8xf32>, %k: tensor<2x2x7x8xf32>, %v: tensor<2x2x7x6xf32>, %o: tensor<2x4x5x6xf32>, %r: tensor<2x4x5xf32>, %b: tensor<1x4x5x7xf32>) {
  // expected-error @below {{expected bias gradient dimension 1 of size 1 or 4, got 2}}
  %0:4 = tessera.attention_gradient %q, %k, %v output %o maximum %r sum %r gradient %o bias %b scale = 1.0 : (tensor<2x4x5x8xf32>, tensor<2x2x7x8xf32>, tensor<2x2x7x6xf32>, tensor<2x4x5x6xf32>, tensor<2x4x5xf32>, tensor<2x4x5xf32>, tensor<2x4x5x6xf32>, tensor<1x4x5x7xf32>) -> (tensor<2x4x5x8xf32>, tensor<2x2x7x8xf32>, tensor<2x2x7x6xf32>, tensor<1x2x5x7xf32>)
  return
}

// -----

// Behind a dimension's axes stands a priority.
tessera.mesh @mesh = <["data"=2]>

// expected-error @below {{expected a priority (p0, p1, ...) behind the dimension's axes}}
func.func @f(%a: tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"data"}q1]>}) {
  return
}

// -----

// What is pending is a reduction.
tessera.mesh @mesh = <["data"=2]>

// expected-error @below {{expected a reduction (sum, min, max, ...), got 'average'}}
func.func @f(%a: tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}], unreduced=average{"data"}>}) {
  return
}

// -----

// Only tensors are sharded.
tessera.mesh @mesh = <["data"=2]>

// expected-error @below {{sharding of argument 0: expected a tensor under a sharding, got 'f32'}}
func.func @f(%a: f32 {tessera.sharding = #tessera.sharding<@mesh, []>}) {
  return
}

// -----

// expected-error @below {{expected a #tessera.sharding for tessera.sharding}}
func.func @f(%a: tensor<8xf32> {tessera.sharding = "data"}) {
  return
}

// -----

// expected-error @below {{expected a string for tessera.name}}
func.func @f(%a: tensor<8xf32> {tessera.name = 1 : i64}) {
  return
}

// -----

// expected-error @below {{expected a unit attribute for tessera.unsigned}}
func.func @f(%a: tensor<8xi32> {tessera.unsigned = true}) {
  return
}

// -----

// expected-error @below {{expected a tensor type for tessera.global_type}}
func.func @f() -> (tensor<4xf32> {tessera.global_type = f32}) {
  %0 = arith.constant dense<0.0> : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Operations of several results have a list, in which a result may have none.
tessera.mesh @mesh = <["data"=2]>

func.func @f(%a: tensor<8xf32>) {
  // expected-error @below {{expected a #tessera.sharding or 'unit' per result, got 1}}
  %0:2 = tessera.optimization_barrier %a, %a {tessera.sharding = [unit, 1]} : (tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  return
}

// -----

func.func @f() {
  // expected-error @below {{expected at least one input}}
  "tessera.variadic_reduce"() <{dims = array<i64: 0>}> ({
    tessera.yield
  }) : () -> ()
  return
}

// -----

// The region of a reduction works on elements of the inputs' types.
func.func @f(%a: tensor<8x16xf32>, %i: tensor<i32>) {
  // expected-error @below {{expected an init and a region argument of type 'tensor<f32>', got 'tensor<i32>' and 'tensor<f32>'}}
  %0 = tessera.variadic_reduce %a inits %i dims = [1] : (tensor<8x16xf32>, tensor<i32>) -> tensor<8xf32> {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    tessera.yield %x : tensor<f32>
  }
  return
}

// -----

func.func @f() {
  // expected-error @below {{expected at least one input}}
  "tessera.sort"() <{dim = 0 : i64}> ({
    tessera.yield
  }) : () -> ()
  return
}

// -----

func.func @f() {
  // expected-error @below {{expected at least one operand}}
  %0 = "tessera.concatenate"() <{dim = 0 : i64}> : () -> tensor<0xf32>
  return
}

// -----

// A priority has a number.
tessera.mesh @mesh = <["data"=2]>

// expected-error @below {{expected a priority (p0, p1, ...) behind the dimension's axes}}
func.func @f(%a: tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"data"}p]>}) {
  return
}

// -----

// Axes have one role behind the dimensions, in operations as in arguments.
tessera.mesh @mesh = <["data"=2, "model"=4]>

func.func @f(%a: tensor<8xf32>) {
  // expected-error @below {{custom op 'tessera.constrain' expected 'replicated' or 'unreduced', got 'reduced'}}
  %0 = tessera.constrain %a to <@mesh, [{}], reduced={"data"}> : tensor<8xf32>
  return
}

// -----

// Monoids have one name: 'sum', not 'add'.
tessera.mesh @mesh = <["data"=2]>

func.func @f(%a: tensor<8xf32>) {
  // expected-error @below {{custom op 'tessera.constrain' expected a reduction (sum, min, max, ...), got 'add'}}
  %0 = tessera.constrain %a to <@mesh, [{}], unreduced=add{"data"}> : tensor<8xf32>
  return
}

// -----

tessera.mesh @mesh = <["data"=2]>

func.func @f(%a: tensor<8xf32>) {
  // expected-error @below {{expected a reduction (sum, product, min, max, and, or, xor), got 'add'}}
  %0 = "spmd.all_reduce"(%a) <{axes = #tessera.axes<@mesh, ["data"]>, kind = #tessera.reduction<add>}> : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

// Numbers of devices have one type.
// expected-error @below {{expected an array of i64 for tessera.device_order}}
func.func @f(%a: tensor<8xf32> {tessera.device_order = array<i32: 1, 0>}) {
  return
}

// -----

// What results have is an attribute of their own.
// expected-error @below {{expected a #tessera.sharding for tessera.sharding}}
func.func @f() -> (tensor<8xf32> {tessera.sharding = [{}]}) {
  %0 = arith.constant dense<0.0> : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// expected-error @below {{expected a string for tessera.name}}
func.func @f() -> (tensor<8xf32> {tessera.name = @loss}) {
  %0 = arith.constant dense<0.0> : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// A mark says nothing but that it is there.
// expected-error @below {{expected a unit attribute for tessera.propagated}}
func.func @f() -> (tensor<8xi32> {tessera.propagated = "yes"}) {
  %0 = arith.constant dense<0> : tensor<8xi32>
  return %0 : tensor<8xi32>
}

// -----

// expected-error @below {{expected a tensor type for tessera.global_type}}
func.func @f(%a: tensor<4xf32> {tessera.global_type = "tensor<8xf32>"}) {
  return
}

// -----

// Operations have no names in the dialect.
func.func @f(%a: tensor<8xf32>) {
  // expected-error @below {{unknown attribute 'tessera.name' of the dialect tessera}}
  %0 = math.exp %a {tessera.name = "y"} : tensor<8xf32>
  return
}

// -----

// Results are not given away.
// expected-error @below {{unknown attribute 'tessera.donated' of the dialect tessera}}
func.func @f(%a: tensor<8xf32>) -> (tensor<8xf32> {tessera.donated = 0 : i32}) {
  return %a : tensor<8xf32>
}

// -----

// What is given away goes to a result that there is.
// expected-error @below {{expected the number of a result for tessera.donated of argument 0, got -1 : i32}}
func.func @f(%a: tensor<8x16xf32> {tessera.donated = -1 : i32}) -> tensor<8x16xf32> {
  return %a : tensor<8x16xf32>
}

// -----

// A scalar has no rows.
// expected-error @below {{expected a dimension of argument 0 for tessera.batch, got 0 : i64}}
func.func @f(%a: tensor<f32> {tessera.batch = 0 : i64}) {
  return
}

// -----

// One sharding does not speak for several results.
tessera.mesh @mesh = <["data"=2]>

func.func @f(%a: tensor<8xf32>) {
  // expected-error @below {{expected 2 shardings, one per result, got 1}}
  %0:2 = tessera.optimization_barrier %a, %a {tessera.sharding = #tessera.sharding<@mesh, [{"data"}]>} : (tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  return
}

// -----

// An attribute of one result is of a sharding, too.
func.func @f() {
  // expected-error @below {{expected a #tessera.sharding or 'unit' per result, got "data"}}
  %0 = arith.constant {tessera.sharding = ["data"]} dense<0.0> : tensor<8xf32>
  return
}

// -----

// The smallest number is no group's.
func.func @f(%a: tensor<8x16xf32>) {
  // expected-error @below {{expected a group of at least 0, got -9223372036854775808}}
  tessera.sharding_group %a in 0x8000000000000000 : tensor<8x16xf32>
  return
}

// -----

// Contracting dimensions go in pairs.
func.func @f(%a: tensor<8x16xf32>, %b: tensor<16x8xf32>) {
  // expected-error @below {{expected as many contracting dimensions of rhs as of lhs (1), got 2}}
  %0 = tessera.dot_general %a, %b batching = [] x [] contracting = [1] x [0, 1] : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8xf32>
  return
}

// -----

// Batching dimensions have one size.
func.func @f(%a: tensor<4x8x16xf32>, %b: tensor<3x16x32xf32>) {
  // expected-error @below {{batching dimensions differ in size: dimension 0 of lhs has 4, dimension 0 of rhs has 3}}
  %0 = tessera.dot_general %a, %b batching = [0] x [0] contracting = [2] x [1] : (tensor<4x8x16xf32>, tensor<3x16x32xf32>) -> tensor<4x8x32xf32>
  return
}

// -----

// Operands are reduced together.
func.func @f(%a: tensor<8x16xf32>, %b: tensor<8x15xf32>, %i: tensor<f32>) {
  // expected-error @below {{expected operands of one shape, got 'tensor<8x16xf32>' and 'tensor<8x15xf32>'}}
  %0:2 = tessera.variadic_reduce %a, %b inits %i, %i dims = [1] : (tensor<8x16xf32>, tensor<8x15xf32>, tensor<f32>, tensor<f32>) -> (tensor<8xf32>, tensor<8xf32>) {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<f32>, %w: tensor<f32>):
    tessera.yield %x, %y : tensor<f32>, tensor<f32>
  }
  return
}

// -----

// The region's arguments are elements, like the inits.
func.func @f(%a: tensor<8x16xf32>, %i: tensor<f32>) {
  // expected-error @below {{expected an init and a region argument of type 'tensor<f32>', got 'tensor<f32>' and 'tensor<f64>'}}
  %0 = tessera.variadic_reduce %a inits %i dims = [1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<8xf32> {
  ^bb0(%x: tensor<f64>, %y: tensor<f64>):
    tessera.yield %x : tensor<f64>
  }
  return
}

// -----

// One decision, not one for each operand.
func.func @f(%a: tensor<8x16xf32>) {
  // expected-error @below {{expected a region that yields one 'tensor<i1>'}}
  %0 = tessera.sort %a dim = 1 : (tensor<8x16xf32>) -> tensor<8x16xf32> {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = arith.cmpf olt, %x, %y : tensor<f32>
    tessera.yield %s, %s : tensor<i1>, tensor<i1>
  }
  return
}

// -----

// They are compared as scalars.
func.func @f(%a: tensor<8x16xf32>) {
  // expected-error @below {{expected region arguments of type 'tensor<f32>', got 'tensor<1xf32>'}}
  %0 = tessera.sort %a dim = 1 : (tensor<8x16xf32>) -> tensor<8x16xf32> {
  ^bb0(%x: tensor<1xf32>, %y: tensor<1xf32>):
    %s = arith.constant dense<true> : tensor<i1>
    tessera.yield %s : tensor<i1>
  }
  return
}

// -----

// A dimension is repeated from one element.
func.func @f(%a: tensor<3xf32>) {
  // expected-error @below {{expected operand dimension 0 of size 1 or 4 (result dimension 1), got 3}}
  %0 = tessera.broadcast %a dims = [1] : tensor<3xf32> -> tensor<3x4xf32>
  return
}

// -----

// A slice starts before it ends.
func.func @f(%a: tensor<8xf32>) {
  // expected-error @below {{expected 0 <= start <= limit <= 8 in dimension 0, got start 5 and limit 4}}
  %0 = tessera.slice %a [5] to [4] by [1] : tensor<8xf32> -> tensor<0xf32>
  return
}

// -----

func.func @f(%a: tensor<8x16xf32>) {
  // expected-error @below {{expected a positive stride in dimension 1, got -1}}
  %0 = tessera.slice %a [0, 0] to [8, 16] by [1, -1] : tensor<8x16xf32> -> tensor<8x15xf32>
  return
}

// -----

// An update has the elements of what it updates.
func.func @f(%a: tensor<8x16xf32>, %b: tensor<8x16xf64>, %i: tensor<i32>) {
  // expected-error @below {{expected a box of rank 2 and element type 'f32', got 'tensor<8x16xf64>'}}
  %0 = tessera.dynamic_update_slice %a, %b[%i, %i] : (tensor<8x16xf32>, tensor<8x16xf64>, tensor<i32>, tensor<i32>) -> tensor<8x16xf32>
  return
}

// -----

// An update is no larger than the whole.
func.func @f(%a: tensor<8x16xf32>, %b: tensor<8x17xf32>, %i: tensor<i32>) {
  // expected-error @below {{expected a box of at most 16 elements in dimension 1, got 17}}
  %0 = tessera.dynamic_update_slice %a, %b[%i, %i] : (tensor<8x16xf32>, tensor<8x17xf32>, tensor<i32>, tensor<i32>) -> tensor<8x16xf32>
  return
}

// -----

// A padding value is one value.
func.func @f(%a: tensor<8x16xf32>, %v: tensor<1xf32>) {
  // expected-error @below {{expected a scalar of 'f32' as padding value, got 'tensor<1xf32>'}}
  %0 = tessera.pad %a with %v low = [0, 0] high = [0, 0] interior = [0, 0] : (tensor<8x16xf32>, tensor<1xf32>) -> tensor<8x16xf32>
  return
}

// -----

func.func @f(%a: tensor<8x16xf32>, %v: tensor<f32>) {
  // expected-error @below {{expected interior padding of at least 0 in dimension 0, got -2}}
  %0 = tessera.pad %a with %v low = [0, 0] high = [0, 0] interior = [-2, 1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<8x31xf32>
  return
}

// -----

// Nothing has no type of elements either.
func.func @f() {
  // expected-error @below {{expected at least one operand}}
  %0 = "tessera.concatenate"() <{dim = 1 : i64}> : () -> tensor<4x0xi32>
  return
}

// -----

// Concatenated tensors have one type of elements.
func.func @f(%a: tensor<8x16xf32>, %b: tensor<8x16xf64>) {
  // expected-error @below {{expected operands that differ only in dimension 1, got 'tensor<8x16xf32>' and 'tensor<8x16xf64>'}}
  %0 = tessera.concatenate %a, %b dim = 1 : (tensor<8x16xf32>, tensor<8x16xf64>) -> tensor<8x32xf32>
  return
}

// -----

// A barrier gives what it takes.
func.func @f(%a: tensor<8x16xf32>) {
  // expected-error @below {{expected results of the operands' types}}
  %0:2 = tessera.optimization_barrier %a : (tensor<8x16xf32>) -> (tensor<8x16xf32>, tensor<8x16xf32>)
  return
}

// -----

// A slice has a size.
func.func @f(%t: tensor<32x8xf32>, %i: tensor<4x6x1xi32>) {
  // expected-error @below {{expected a slice size of at most 8 in dimension 1, got -8}}
  %0 = tessera.gather %t at %i offset = [2] collapsed = [0] batching = [] x [] map = [0] vector = 2 sizes = [1, -8] : (tensor<32x8xf32>, tensor<4x6x1xi32>) -> tensor<4x6x8xf32>
  return
}

// -----

// Nor has a batch several elements in each of its slices.
func.func @f(%t: tensor<4x32x8xf32>, %i: tensor<4x6x1xi32>) {
  // expected-error @below {{expected slice size 1 in collapsed or batching dimension 0, got 4}}
  %0 = tessera.gather %t at %i offset = [2] collapsed = [1] batching = [0] x [0] map = [1] vector = 2 sizes = [4, 1, 8] : (tensor<4x32x8xf32>, tensor<4x6x1xi32>) -> tensor<4x6x8xf32>
  return
}

// -----

// A dimension that the operand has not has no slice size.
func.func @f(%t: tensor<32x8xf32>, %i: tensor<4x6x1xi32>) {
  // expected-error @below {{expected 2 slice sizes, got 3}}
  %0 = tessera.gather %t at %i offset = [2] collapsed = [0] batching = [] x [] map = [0] vector = 2 sizes = [1, 8, 1] : (tensor<32x8xf32>, tensor<4x6x1xi32>) -> tensor<4x6x8xf32>
  return
}

// -----

// Indices without a dimension for their components have one.
func.func @f(%t: tensor<32x8xf32>, %i: tensor<4x6xi32>, %r: tensor<4x6xf32>) {
  // expected-error @below {{expected 1 mapped dimensions, one per component of an index vector, got 2}}
  %0 = tessera.scatter sum %t, %r at %i window = [] inserted = [0, 1] batching = [] x [] map = [0, 1] vector = 2 : (tensor<32x8xf32>, tensor<4x6xi32>, tensor<4x6xf32>) -> tensor<32x8xf32>
  return
}

// -----

// Each batching dimension of the operand is one of the indices.
func.func @f(%t: tensor<4x32x8xf32>, %i: tensor<4x6x1xi32>) {
  // expected-error @below {{expected as many batching dimensions of the indices as of the operand (1), got 0}}
  %0 = tessera.gather %t at %i offset = [2] collapsed = [1] batching = [0] x [] map = [1] vector = 2 sizes = [1, 1, 8] : (tensor<4x32x8xf32>, tensor<4x6x1xi32>) -> tensor<4x6x8xf32>
  return
}

// -----

func.func @f(%t: tensor<32x8xf32>, %i: tensor<4x6x1xi32>, %r: tensor<4x6x8xf32>) {
  // expected-error @below {{expected as many batching dimensions of the indices as of the operand (0), got 2}}
  %0 = tessera.scatter sum %t, %r at %i window = [2] inserted = [0] batching = [] x [0, 1] map = [0] vector = 2 : (tensor<32x8xf32>, tensor<4x6x1xi32>, tensor<4x6x8xf32>) -> tensor<32x8xf32>
  return
}

// -----

// What is not inserted is in the windows.
func.func @f(%t: tensor<32x8xf32>, %i: tensor<4x6x1xi32>, %r: tensor<4x6x8xf32>) {
  // expected-error @below {{expected 2 window dimensions, got 1}}
  %0 = tessera.scatter sum %t, %r at %i window = [2] inserted = [] batching = [] x [] map = [0] vector = 2 : (tensor<32x8xf32>, tensor<4x6x1xi32>, tensor<4x6x8xf32>) -> tensor<32x8xf32>
  return
}

// -----

// Updates have the batch dimensions of the indices.
func.func @f(%t: tensor<32x8xf32>, %i: tensor<4x6x1xi32>, %r: tensor<4x8xf32>) {
  // expected-error @below {{expected the batch dimensions of 'tensor<4x6x1xi32>' in 'tensor<4x8xf32>'}}
  %0 = tessera.scatter sum %t, %r at %i window = [1] inserted = [0] batching = [] x [] map = [0] vector = 2 : (tensor<32x8xf32>, tensor<4x6x1xi32>, tensor<4x8xf32>) -> tensor<32x8xf32>
  return
}

// -----

// Sizes stand in the order of the window dimensions.
func.func @f(%t: tensor<32x8xf32>, %i: tensor<4x1xi32>) {
  // expected-error @below {{expected size 4 in result dimension 0, got 8}}
  %0 = tessera.gather %t at %i offset = [0] collapsed = [0] batching = [] x [] map = [0] vector = 1 sizes = [1, 4] : (tensor<32x8xf32>, tensor<4x1xi32>) -> tensor<8x4xf32>
  return
}

// -----

// Nor can no heads be shared.
func.func @f(%q: tensor<2x4x5x8xf32>, %k: tensor<2x0x7x8xf32>, %v: tensor<2x0x7x6xf32>) {
  // expected-error @below {{expected a multiple of the 0 key heads as query heads, got 4}}
  %0:3 = tessera.attention %q, %k, %v scale = 1.0 : (tensor<2x4x5x8xf32>, tensor<2x0x7x8xf32>, tensor<2x0x7x6xf32>) -> (tensor<2x4x5x6xf32>, tensor<2x4x5xf32>, tensor<2x4x5xf32>)
  return
}

// -----

// A score is a sum over features.
func.func @f(%q: tensor<2x4x5x0xf32>, %k: tensor<2x2x7x0xf32>, %v: tensor<2x2x7x6xf32>) {
  // expected-error @below {{expected at least one feature and one key}}
  %0:3 = tessera.attention %q, %k, %v scale = 1.0 : (tensor<2x4x5x0xf32>, tensor<2x2x7x0xf32>, tensor<2x2x7x6xf32>) -> (tensor<2x4x5x6xf32>, tensor<2x4x5xf32>, tensor<2x4x5xf32>)
  return
}

// -----

// A scale is one of what is kept.
func.func @f(%q: tensor<2x4x5x8xf32>, %k: tensor<2x2x7x8xf32>, %v: tensor<2x2x7x6xf32>) {
  // expected-error @below {{expected both of keep and keep_scale, or neither}}
  %0:3 = tessera.attention %q, %k, %v scale = 1.0 keep_scale = 2.0 : (tensor<2x4x5x8xf32>, tensor<2x2x7x8xf32>, tensor<2x2x7x6xf32>) -> (tensor<2x4x5x6xf32>, tensor<2x4x5xf32>, tensor<2x4x5xf32>)
  return
}

// -----

// No number is no cap.
func.func @f(%q: tensor<2x4x5x8xf32>, %k: tensor<2x2x7x8xf32>, %v: tensor<2x2x7x6xf32>) {
  // expected-error @below {{expected a positive softcap, got nan}}
  %0:3 = tessera.attention %q, %k, %v scale = 1.0 softcap = 0x7FF8000000000000 : (tensor<2x4x5x8xf32>, tensor<2x2x7x8xf32>, tensor<2x2x7x6xf32>) -> (tensor<2x4x5x6xf32>, tensor<2x4x5xf32>, tensor<2x4x5xf32>)
  return
}
