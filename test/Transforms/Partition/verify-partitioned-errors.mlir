// RUN: tessera-opt --tessera-verify-partitioned --split-input-file --verify-diagnostics %s

tessera.mesh @mesh = <["x"=4]>
// expected-error @below {{expected a global type and a sharding for argument 0}}
func.func @boundary(%a: tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}]>}) {
  return
}

// -----

tessera.mesh @mesh = <["x"=4]>
// expected-error @below {{expected type 'tensor<2xf32>' for argument 0, got 'tensor<8xf32>'}}
func.func @local(%a: tensor<8xf32> {tessera.global_type = tensor<8xf32>, tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>}) {
  return
}

// -----

tessera.mesh @mesh = <["x"=4]>
// expected-error @below {{expected type 'tensor<2xf32>' for result 0, got 'tensor<8xf32>'}}
func.func @local_result(%a: tensor<8xf32> {tessera.global_type = tensor<8xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}]>})
    -> (tensor<8xf32> {tessera.global_type = tensor<8xf32>, tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>}) {
  return %a : tensor<8xf32>
}

// -----

tessera.mesh @mesh = <["x"=4]>
func.func @reshard(%a: tensor<8xf32> {tessera.global_type = tensor<8xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}]>}) {
  // expected-error @below {{is left over after the phase 'partition'}}
  %0 = tessera.reshard %a to <@mesh, [{}]> : tensor<8xf32>
  return
}

// -----

tessera.mesh @mesh = <["x"=4]>
func.func @sharding(%a: tensor<8xf32> {tessera.global_type = tensor<8xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}]>}) {
  // expected-error @below {{expected no sharding after the phase 'partition'}}
  %0 = math.tanh %a {tessera.sharding = #tessera.sharding<@mesh, [{}]>} : tensor<8xf32>
  return
}

// -----

// Programs of pipeline ranks: which arguments and results of @main they have.

tessera.mesh @mesh = <["x"=4]>
func.func private @main()
// expected-error @below {{expected pipeline rank 0, got 1}}
func.func @rank_1() attributes {pipe.rank = 1 : i64} {
  return
}

// -----

tessera.mesh @mesh = <["x"=4]>
// expected-error @below {{expected a declaration of @main, the boundary of all pipeline ranks}}
func.func @rank_0() attributes {pipe.rank = 0 : i64} {
  return
}

// -----

tessera.mesh @mesh = <["x"=4]>
func.func private @main(tensor<8xf32> {tessera.global_type = tensor<8xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}]>})
// expected-error @below {{expected in pipe.argument of argument 0 the number of one of @main's after -1}}
func.func @rank_0(%a: tensor<8xf32> {pipe.argument = 1 : i64}) attributes {pipe.rank = 0 : i64} {
  return
}

// -----

tessera.mesh @mesh = <["x"=4]>
func.func private @main() -> (tensor<8xf32> {tessera.global_type = tensor<8xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}]>})
// expected-error @below {{expected type 'tensor<8xf32>' for result 0, which is number 0 of @main, got 'tensor<4xf32>'}}
func.func @rank_0() -> (tensor<4xf32> {pipe.result = 0 : i64}) attributes {pipe.rank = 0 : i64} {
  %0 = arith.constant dense<0.0> : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

tessera.mesh @mesh = <["x"=4]>
func.func private @main(tensor<8xf32> {tessera.global_type = tensor<8xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}]>})
// expected-error @below {{expected argument 0 to have the sharding of number 0 of @main}}
func.func @rank_0(%a: tensor<8xf32> {pipe.argument = 0 : i64, tessera.global_type = tensor<32xf32>, tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>}) attributes {pipe.rank = 0 : i64} {
  return
}

// -----

// Rows.

tessera.mesh @mesh = <["x"=4]>
func.func private @main(tensor<2x2xf32> {tessera.global_type = tensor<8x2xf32>, tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>})
// expected-error @below {{expected in pipe.first_row of argument 0 rows of number 0 of @main that every device has, got 1 from 0}}
func.func @rank_0(%a: tensor<1x2xf32> {pipe.argument = 0 : i64, pipe.first_row = 0 : i64, tessera.global_type = tensor<4x2xf32>, tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>}) attributes {pipe.rank = 0 : i64} {
  return
}

// -----

tessera.mesh @mesh = <["x"=4]>
func.func private @main(tensor<4x2xf32> {tessera.global_type = tensor<4x2xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>})
// expected-error @below {{expected in pipe.first_row of argument 0 rows of number 0 of @main that every device has, got 2 from 3}}
func.func @rank_0(%a: tensor<2x2xf32> {pipe.argument = 0 : i64, pipe.first_row = 3 : i64, tessera.global_type = tensor<2x2xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>}) attributes {pipe.rank = 0 : i64} {
  return
}

// -----

tessera.mesh @mesh = <["x"=4]>
func.func private @main(tensor<4x2xf32> {tessera.global_type = tensor<4x2xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>})
// expected-error @below {{expected rows of number 0 of @main from 2 on in argument 1, got 1}}
func.func @rank_0(%a: tensor<2x2xf32> {pipe.argument = 0 : i64, pipe.first_row = 0 : i64, tessera.global_type = tensor<2x2xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>}, %b: tensor<1x2xf32> {pipe.argument = 0 : i64, pipe.first_row = 1 : i64, tessera.global_type = tensor<1x2xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>}) attributes {pipe.rank = 0 : i64} {
  return
}

// -----

tessera.mesh @mesh = <["x"=4]>
// expected-error @below {{expected result 0 on a pipeline rank, got one of its rows on none}}
func.func private @main() -> (tensor<4x2xf32> {tessera.global_type = tensor<4x2xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>})
func.func @rank_0() -> (tensor<3x2xf32> {pipe.result = 0 : i64, pipe.first_row = 1 : i64, tessera.global_type = tensor<3x2xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>}) attributes {pipe.rank = 0 : i64} {
  %0 = arith.constant dense<0.0> : tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}

// -----

tessera.mesh @mesh = <["x"=4]>
// expected-error @below {{expected argument 0 on a pipeline rank, got it on none}}
func.func private @main(tensor<8xf32> {tessera.global_type = tensor<8xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}]>})
func.func @rank_0() attributes {pipe.rank = 0 : i64} {
  return
}

// -----

// Their messages.

tessera.mesh @mesh = <["x"=4]>
func.func private @main()
func.func @rank_0() attributes {pipe.rank = 0 : i64} {
  // expected-error @below {{waits for a message with tag 0 that pipeline rank 1 never sends}}
  %0 = spmd.recv from 1 tag 0 : tensor<f32>
  return
}
func.func @rank_1() attributes {pipe.rank = 1 : i64} {
  %0 = arith.constant dense<0.0> : tensor<f32>
  spmd.send %0 to 0 tag 1 : tensor<f32>
  // expected-note @below {{pipeline rank 1 ends here}}
  return
}

// -----

tessera.mesh @mesh = <["x"=4]>
func.func private @main()
func.func @rank_0() attributes {pipe.rank = 0 : i64} {
  // expected-error @below {{waits for a message with tag 0 that pipeline rank 1 never sends}}
  %0 = spmd.recv from 1 tag 0 : tensor<f32>
  spmd.send %0 to 1 tag 0 : tensor<f32>
  return
}
func.func @rank_1() attributes {pipe.rank = 1 : i64} {
  // expected-note @below {{pipeline rank 1 waits here}}
  %0 = spmd.recv from 0 tag 0 : tensor<f32>
  spmd.send %0 to 0 tag 0 : tensor<f32>
  return
}

// -----

tessera.mesh @mesh = <["x"=4]>
func.func private @main()
func.func @rank_0() attributes {pipe.rank = 0 : i64} {
  %0 = arith.constant dense<0.0> : tensor<f32>
  // expected-error @below {{sends what pipeline rank 1 never receives}}
  spmd.send %0 to 1 tag 0 : tensor<f32>
  return
}
func.func @rank_1() attributes {pipe.rank = 1 : i64} {
  return
}

// -----

tessera.mesh @mesh = <["x"=4]>
func.func private @main()
func.func @rank_0() attributes {pipe.rank = 0 : i64} {
  %0 = arith.constant dense<0.0> : tensor<f32>
  // expected-note @below {{it is sent here}}
  spmd.send %0 to 1 tag 0 : tensor<f32>
  return
}
func.func @rank_1() attributes {pipe.rank = 1 : i64} {
  // expected-error @below {{expected to receive 'tensor<2xf32>', got 'tensor<f32>'}}
  %0 = spmd.recv from 0 tag 0 : tensor<2xf32>
  return
}

// -----

tessera.mesh @mesh = <["x"=4]>
func.func private @main()
func.func @rank_0() attributes {pipe.rank = 0 : i64} {
  // expected-error @below {{expected another pipeline rank from 0 to 0, got 1}}
  %0 = spmd.recv from 1 tag 0 : tensor<2xf32>
  return
}

// -----

// What stands in them, and in the functions of tasks.

tessera.mesh @mesh = <["x"=4]>
func.func private @main()
func.func @rank_0() attributes {pipe.rank = 0 : i64} {
  %true = arith.constant true
  // expected-error @below {{expected only calls, messages and operations without effects in the program of a pipeline rank}}
  scf.if %true {
    func.call @forward_0() : () -> ()
  }
  return
}
func.func private @forward_0() {
  return
}

// -----

tessera.mesh @mesh = <["x"=4]>
func.func private @main()
func.func @rank_0() attributes {pipe.rank = 0 : i64} {
  call @forward_0() : () -> ()
  return
}
func.func private @forward_0() {
  %0 = arith.constant dense<0.0> : tensor<f32>
  // expected-error @below {{expected in the program of a pipeline rank only}}
  spmd.send %0 to 1 tag 0 : tensor<f32>
  return
}

// -----

tessera.mesh @mesh = <["x"=4]>
func.func private @main()
func.func @rank_0() attributes {pipe.rank = 0 : i64} {
  call @forward_0() : () -> ()
  return
}
func.func private @forward_0() {
  %0 = arith.constant dense<0.0> : tensor<f32>
  // expected-error @below {{is left over after the phase 'partition'}}
  %1 = pipe.transfer %0 from 0 to 1 : tensor<f32>
  return
}

// -----

// What they give away to tasks.

tessera.mesh @mesh = <["x"=4]>
func.func private @main(tensor<f32> {tessera.global_type = tensor<f32>, tessera.sharding = #tessera.sharding<@mesh, []>})
func.func @rank_0(%a: tensor<f32> {pipe.argument = 0 : i64, tessera.global_type = tensor<f32>, tessera.sharding = #tessera.sharding<@mesh, []>}) attributes {pipe.rank = 0 : i64} {
  // expected-error @below {{expected to give away operand 0, got argument 0, which was not given away to @rank_0}}
  %0 = call @forward_0(%a) : (tensor<f32>) -> tensor<f32>
  return
}
func.func private @forward_0(%a: tensor<f32> {tessera.donated = 0 : i32}) -> tensor<f32> {
  return %a : tensor<f32>
}

// -----

tessera.mesh @mesh = <["x"=4]>
func.func private @main()
func.func @rank_0() attributes {pipe.rank = 0 : i64} {
  %0 = call @once_0() : () -> tensor<f32>
  // expected-error @below {{gives away operand 0, which is needed afterwards}}
  %1 = call @forward_0(%0) : (tensor<f32>) -> tensor<f32>
  // expected-note @below {{it is needed here}}
  %2 = call @forward_0(%0) : (tensor<f32>) -> tensor<f32>
  return
}
func.func private @once_0() -> tensor<f32> {
  %0 = arith.constant dense<0.0> : tensor<f32>
  return %0 : tensor<f32>
}
func.func private @forward_0(%a: tensor<f32> {tessera.donated = 0 : i32}) -> tensor<f32> {
  return %a : tensor<f32>
}
