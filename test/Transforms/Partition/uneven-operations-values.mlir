// Every kind of operation on dimensions that do not divide gives the same values as on one device: padding is not a number in this interpreter, and reaches no result.
// RUN: tessera-interpret %s --random=1 --outputs=%t.expected.safetensors
// RUN: tessera-opt --tessera-shard-phase --tessera-partition-phase %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --random=1 --expect=%t.expected.safetensors --tolerance=1e-5
// RUN: sed 's/"x"=4, "y"=2/"x"=3, "y"=5/' %s | tessera-opt --tessera-shard-phase --tessera-partition-phase -o %t3x5.mlir
// RUN: tessera-interpret %t3x5.mlir --random=1 --expect=%t.expected.safetensors --tolerance=1e-5

tessera.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%a: tensor<10x7xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {"y"}]>},
                %small: tensor<2x7xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>},
                %one: tensor<1x7xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>},
                %table: tensor<9x7xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>},
                %noise: tensor<5xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"y"}]>})
    -> (tensor<7xf32>, tensor<10xf32>, tensor<10x7xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"y", "x"}, {}]>},
        tensor<7x10xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>}, tensor<2x7xf32>, tensor<1x7xf32>,
        tensor<70xf32>, tensor<5x7xf32>, tensor<9x7xf32>, tensor<3x10xi32>, tensor<10x7xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"y"}, {}]>},
        tensor<1x7xf32>, tensor<9x7xf32>) {
  // Reductions with several neutral elements.
  %max = tessera.reduce max %a dims = [0] : tensor<10x7xf32> -> tensor<7xf32>
  %product = tessera.reduce product %a dims = [1] : tensor<10x7xf32> -> tensor<10xf32>
  // Other blocks, another dimension.
  %exp = math.exp %a : tensor<10x7xf32>
  %transposed = tessera.transpose %exp permutation = [1, 0] : tensor<10x7xf32> -> tensor<7x10xf32>
  // Fewer elements than devices.
  %doubled = arith.addf %small, %small : tensor<2x7xf32>
  %single = arith.addf %one, %one : tensor<1x7xf32>
  // A dimension that cannot be padded.
  %flat = tessera.reshape %exp : tensor<10x7xf32> -> tensor<70xf32>
  // Places from -10 to 30: some lie outside the table, some in its padding.
  %scale = arith.constant dense<20.0> : tensor<5xf32>
  %offset = arith.constant dense<10.0> : tensor<5xf32>
  %scaled = arith.mulf %noise, %scale : tensor<5xf32>
  %shifted = arith.addf %scaled, %offset : tensor<5xf32>
  %places = arith.fptosi %shifted : tensor<5xf32> to tensor<5xi32>
  %ids = tessera.reshape %places : tensor<5xi32> -> tensor<5x1xi32>
  %rows = tessera.gather %table at %ids offset = [1] collapsed = [0] batching = [] x [] map = [0] vector = 1 sizes = [1, 7]
      : (tensor<9x7xf32>, tensor<5x1xi32>) -> tensor<5x7xf32>
  %zero = arith.constant dense<0.0> : tensor<9x7xf32>
  %updated = tessera.scatter sum %zero, %rows at %ids window = [1] inserted = [0] batching = [] x [] map = [0] vector = 1
      : (tensor<9x7xf32>, tensor<5x1xi32>, tensor<5x7xf32>) -> tensor<9x7xf32>
  // Counting.
  %count = tessera.iota dim = 1 : tensor<3x10xi32>
  %counted = tessera.constrain %count to <@mesh, [{}, {"x"}]> : tensor<3x10xi32>
  // Boxes at computed places, the last of which lies behind the end.
  %c20 = arith.constant dense<20> : tensor<i32>
  %c0 = arith.constant dense<0> : tensor<i32>
  %last = tessera.dynamic_slice %table[%c20, %c0] : (tensor<9x7xf32>, tensor<i32>, tensor<i32>) -> tensor<1x7xf32>
  %replaced = tessera.dynamic_update_slice %table, %doubled[%c20, %c0] : (tensor<9x7xf32>, tensor<2x7xf32>, tensor<i32>, tensor<i32>) -> tensor<9x7xf32>
  return %max, %product, %exp, %transposed, %doubled, %single, %flat, %rows, %updated, %counted, %exp, %last, %replaced
      : tensor<7xf32>, tensor<10xf32>, tensor<10x7xf32>, tensor<7x10xf32>, tensor<2x7xf32>, tensor<1x7xf32>, tensor<70xf32>, tensor<5x7xf32>,
        tensor<9x7xf32>, tensor<3x10xi32>, tensor<10x7xf32>, tensor<1x7xf32>, tensor<9x7xf32>
}
