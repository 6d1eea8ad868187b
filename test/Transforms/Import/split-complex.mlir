// Complex tensors become pairs of real ones, from import on.
// RUN: tessera-opt --tessera-split-complex -split-input-file %s | FileCheck %s

// At the boundary a complex tensor stays one, with its parts in a last dimension that is not split.
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[Z:.*]]: tensor<4x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>, tessera.complex})
// CHECK-SAME: -> (tensor<4x2xf32> {jax.result_info = "w", tessera.complex})
// CHECK: %[[RE0:.*]] = "stablehlo.slice"(%[[Z]]) <{limit_indices = array<i64: 4, 1>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}>
// CHECK-NEXT: %[[RE:.*]] = "stablehlo.reshape"(%[[RE0]]) : (tensor<4x1xf32>) -> tensor<4xf32>
// CHECK-NEXT: %[[IM0:.*]] = "stablehlo.slice"(%[[Z]]) <{limit_indices = array<i64: 4, 2>, start_indices = array<i64: 0, 1>, strides = array<i64: 1, 1>}>
// CHECK-NEXT: %[[IM:.*]] = "stablehlo.reshape"(%[[IM0]])
// CHECK-NEXT: %[[NRE:.*]] = "stablehlo.negate"(%[[RE]]) : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: %[[NIM:.*]] = "stablehlo.negate"(%[[IM]])
// CHECK-NEXT: %[[A:.*]] = "stablehlo.reshape"(%[[NRE]]) : (tensor<4xf32>) -> tensor<4x1xf32>
// CHECK-NEXT: %[[B:.*]] = "stablehlo.reshape"(%[[NIM]])
// CHECK-NEXT: %[[W:.*]] = "stablehlo.concatenate"(%[[A]], %[[B]]) <{dimension = 1 : i64}>
// CHECK-NEXT: return %[[W]] : tensor<4x2xf32>
func.func @main(%z: tensor<4xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<4xcomplex<f32>> {jax.result_info = "w"}) {
  %0 = "stablehlo.negate"(%z) : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  "func.return"(%0) : (tensor<4xcomplex<f32>>) -> ()
}

// -----

// A sharding with its mesh inside, of a tensor without dimensions.
// CHECK: func.func @main(%{{.*}}: tensor<2xf64> {sdy.sharding = #sdy.sharding<mesh<["x"=2]>, [{}], replicated={"x"}>, tessera.complex})
func.func @main(%z: tensor<complex<f64>> {sdy.sharding = #sdy.sharding<mesh<["x"=2]>, [], replicated={"x"}>}) -> tensor<f64> {
  %0 = "stablehlo.imag"(%z) : (tensor<complex<f64>>) -> tensor<f64>
  "func.return"(%0) : (tensor<f64>) -> ()
}

// -----

// Private functions take and give both parts, each with the sharding of the whole; so do operations.
// CHECK-LABEL: func.func private @callee
// CHECK-SAME: (%[[A:.*]]: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %[[B:.*]]: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %[[C:.*]]: tensor<i1>) -> (tensor<4xf32>, tensor<4xf32>)
// CHECK-NEXT: %[[R:.*]]:2 = "stablehlo.if"(%[[C]])
// CHECK-NEXT: "stablehlo.return"(%[[A]], %[[B]]) : (tensor<4xf32>, tensor<4xf32>) -> ()
// CHECK: {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>, <@mesh, [{"x"}]>]>} : (tensor<i1>) -> (tensor<4xf32>, tensor<4xf32>)
// CHECK-NEXT: return %[[R]]#0, %[[R]]#1
func.func private @callee(%z: tensor<4xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %c: tensor<i1>) -> tensor<4xcomplex<f32>> {
  %0 = "stablehlo.if"(%c) ({
    "stablehlo.return"(%z) : (tensor<4xcomplex<f32>>) -> ()
  }, {
    %1 = "stablehlo.negate"(%z) : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
    "stablehlo.return"(%1) : (tensor<4xcomplex<f32>>) -> ()
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<i1>) -> tensor<4xcomplex<f32>>
  "func.return"(%0) : (tensor<4xcomplex<f32>>) -> ()
}

// -----

// A sum is two sums; a product of complex numbers is one reduction that carries both parts.
// CHECK-LABEL: func.func private @reductions
// CHECK: "stablehlo.reduce"(%[[RE:[^,]*]], %[[IRE:[^,)]*]])
// CHECK-NEXT: ^bb0(%[[L:.*]]: tensor<f32>, %[[R:.*]]: tensor<f32>):
// CHECK-NEXT: %[[S:.*]] = "stablehlo.add"(%[[L]], %[[R]])
// CHECK-NEXT: "stablehlo.return"(%[[S]])
// CHECK: "stablehlo.reduce"(%[[IM:[^,]*]], %[[IIM:[^,)]*]])
// CHECK: "stablehlo.add"
// CHECK: "stablehlo.reduce"(%[[RE]], %[[IM]], %[[IRE]], %[[IIM]])
// CHECK-NEXT: ^bb0(%[[LR:.*]]: tensor<f32>, %[[LI:.*]]: tensor<f32>, %[[RR:.*]]: tensor<f32>, %[[RI:.*]]: tensor<f32>):
// CHECK-NEXT: "stablehlo.multiply"(%[[LR]], %[[RR]])
// CHECK-NEXT: "stablehlo.multiply"(%[[LI]], %[[RI]])
func.func private @reductions(%z: tensor<4xcomplex<f32>>, %i: tensor<complex<f32>>) -> tensor<complex<f32>> {
  %0 = "stablehlo.reduce"(%z, %i) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<complex<f32>>, %b: tensor<complex<f32>>):
    %2 = "stablehlo.add"(%a, %b) : (tensor<complex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>>
    "stablehlo.return"(%2) : (tensor<complex<f32>>) -> ()
  }) : (tensor<4xcomplex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>>
  %1 = "stablehlo.reduce"(%z, %i) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<complex<f32>>, %b: tensor<complex<f32>>):
    %2 = "stablehlo.multiply"(%a, %b) : (tensor<complex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>>
    "stablehlo.return"(%2) : (tensor<complex<f32>>) -> ()
  }) : (tensor<4xcomplex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>>
  %2 = "stablehlo.add"(%0, %1) : (tensor<complex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>>
  "func.return"(%2) : (tensor<complex<f32>>) -> ()
}

// -----

// What has no row keeps complex operands, and is refused by its own name.
// CHECK-LABEL: func.func private @unknown
// CHECK-SAME: (%[[RE:.*]]: tensor<4xf32>, %[[IM:.*]]: tensor<4xf32>)
// CHECK-NEXT: %[[Z:.*]] = "stablehlo.complex"(%[[RE]], %[[IM]])
// CHECK-NEXT: %[[W:.*]] = "stablehlo.mystery"(%[[Z]]) : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
// CHECK-NEXT: %[[WRE:.*]] = "stablehlo.real"(%[[W]])
// CHECK-NEXT: %[[WIM:.*]] = "stablehlo.imag"(%[[W]])
// CHECK-NEXT: return %[[WRE]], %[[WIM]]
func.func private @unknown(%z: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %0 = "stablehlo.mystery"(%z) : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  "func.return"(%0) : (tensor<4xcomplex<f32>>) -> ()
}

// -----

// A product of real numbers, or of complex numbers with real ones, may be asked for as complex numbers.
// CHECK-LABEL: func.func private @real_products
// CHECK-SAME: (%[[X:.*]]: tensor<4xf32>, %[[RE:.*]]: tensor<4xf32>, %[[IM:.*]]: tensor<4xf32>)
// CHECK-NEXT: %[[XX:.*]] = "stablehlo.dot"(%[[X]], %[[X]]) : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
// CHECK-NEXT: %[[ZERO:.*]] = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}>
// CHECK-NEXT: %[[XRE:.*]] = "stablehlo.dot"(%[[X]], %[[RE]])
// CHECK-NEXT: %[[XIM:.*]] = "stablehlo.dot"(%[[X]], %[[IM]])
// CHECK-NEXT: %[[REX:.*]] = "stablehlo.dot"(%[[RE]], %[[X]])
// CHECK-NEXT: %[[IMX:.*]] = "stablehlo.dot"(%[[IM]], %[[X]])
// CHECK-NEXT: return %[[XX]], %[[ZERO]], %[[XRE]], %[[XIM]], %[[REX]], %[[IMX]]
func.func private @real_products(%x: tensor<4xf32>, %z: tensor<4xcomplex<f32>>) -> (tensor<complex<f32>>, tensor<complex<f32>>, tensor<complex<f32>>) {
  %0 = "stablehlo.dot"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<complex<f32>>
  %1 = "stablehlo.dot"(%x, %z) : (tensor<4xf32>, tensor<4xcomplex<f32>>) -> tensor<complex<f32>>
  %2 = "stablehlo.dot"(%z, %x) : (tensor<4xcomplex<f32>>, tensor<4xf32>) -> tensor<complex<f32>>
  "func.return"(%0, %1, %2) : (tensor<complex<f32>>, tensor<complex<f32>>, tensor<complex<f32>>) -> ()
}
