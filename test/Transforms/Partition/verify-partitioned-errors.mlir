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

// -----

tessera.mesh @mesh = <["x"=4]>
// expected-error @below {{expected a global type and a sharding for result 0}}
func.func @unsharded_result(%a: tensor<8xf32> {tessera.global_type = tensor<8xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}]>}) -> (tensor<8xf32> {tessera.global_type = tensor<8xf32>}) {
  return %a : tensor<8xf32>
}

// -----

tessera.mesh @mesh = <["x"=4]>
// expected-error @below {{sharding of argument 0: expected 2 dimension shardings, got 1}}
func.func @rank_of_type(%a: tensor<8xf32> {tessera.global_type = tensor<8x2xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}]>}) {
  return
}

// -----

tessera.mesh @mesh = <["x"=4]>
// expected-error @below {{expected a tensor type for tessera.global_type}}
func.func @rank_of_type(%a: tensor<8xf32> {tessera.global_type = f32, tessera.sharding = #tessera.sharding<@mesh, [{}]>}) {
  return
}

// -----

tessera.mesh @mesh = <["x"=4]>
func.func @sharding_of_a_loop(%n: index) {
  // expected-error @below {{expected 0 shardings, one per result, got 1}}
  scf.for %i = %n to %n step %n {
  } {tessera.sharding = #tessera.sharding<@mesh, []>}
  return
}

// -----

// The ranks are numbered in the order in which they stand.
tessera.mesh @mesh = <["x"=4]>
func.func private @main()
func.func @rank_0() attributes {pipe.rank = 0 : i64} {
  return
}
// expected-error @below {{expected pipeline rank 1, got 2}}
func.func @rank_2() attributes {pipe.rank = 2 : i64} {
  return
}

// -----

// What @main computes, all ranks compute together.
tessera.mesh @mesh = <["x"=4]>
func.func @main() {
  return
}
// expected-error @below {{expected a declaration of @main, the boundary of all pipeline ranks}}
func.func @rank_0() attributes {pipe.rank = 0 : i64} {
  return
}

// -----

tessera.mesh @mesh = <["x"=4]>
func.func private @main(tensor<8xf32> {tessera.global_type = tensor<8xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}]>}, tensor<8xf32> {tessera.global_type = tensor<8xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}]>})
// expected-error @below {{expected in pipe.argument of argument 1 the number of one of @main's after 1}}
func.func @rank_0(%a: tensor<8xf32> {pipe.argument = 1 : i64, tessera.global_type = tensor<8xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}]>}, %b: tensor<8xf32> {pipe.argument = 0 : i64, tessera.global_type = tensor<8xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}]>}) attributes {pipe.rank = 0 : i64} {
  return
}

// -----

tessera.mesh @mesh = <["x"=4]>
func.func private @main(tensor<8xf32> {tessera.global_type = tensor<8xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}]>})
// expected-error @below {{expected type 'tensor<8xf32>' for argument 0, which is number 0 of @main, got 'tensor<8xf64>'}}
func.func @rank_0(%a: tensor<8xf64> {pipe.argument = 0 : i64, tessera.global_type = tensor<8xf64>, tessera.sharding = #tessera.sharding<@mesh, [{}]>}) attributes {pipe.rank = 0 : i64} {
  return
}

// -----

tessera.mesh @mesh = <["x"=4]>
func.func private @main() -> (tensor<2xf32> {tessera.global_type = tensor<8xf32>, tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>})
// expected-error @below {{expected result 0 to have the sharding of number 0 of @main}}
func.func @rank_0() -> (tensor<2xf32> {pipe.result = 0 : i64, tessera.global_type = tensor<2xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}]>}) attributes {pipe.rank = 0 : i64} {
  %0 = arith.constant dense<0.0> : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

tessera.mesh @mesh = <["x"=4]>
func.func private @main(tensor<4x2xf32> {tessera.global_type = tensor<4x2xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>})
// expected-error @below {{expected in pipe.first_row of argument 0 rows of number 0 of @main that every device has, got 2 from -1}}
func.func @rank_0(%a: tensor<2x2xf32> {pipe.argument = 0 : i64, pipe.first_row = -1 : i64, tessera.global_type = tensor<2x2xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>}) attributes {pipe.rank = 0 : i64} {
  return
}

// -----

// Rows are all of one dimension.
tessera.mesh @mesh = <["x"=4]>
func.func private @main(tensor<4x2xf32> {tessera.global_type = tensor<4x2xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>})
// expected-error @below {{expected rows of number 0 of @main along dimension 0 in argument 1, got some along 1}}
func.func @rank_0(%a: tensor<2x2xf32> {pipe.argument = 0 : i64, pipe.first_row = 0 : i64, tessera.global_type = tensor<2x2xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>}, %b: tensor<4x1xf32> {pipe.argument = 0 : i64, pipe.first_row = 0 : i64, tessera.global_type = tensor<4x1xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>}) attributes {pipe.rank = 0 : i64} {
  return
}

// -----

tessera.mesh @mesh = <["x"=4]>
func.func private @main() -> (tensor<4x2xf32> {tessera.global_type = tensor<4x2xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>})
func.func @rank_0() -> (tensor<4x1xf32> {pipe.result = 0 : i64, pipe.first_row = 0 : i64, tessera.global_type = tensor<4x1xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>}) attributes {pipe.rank = 0 : i64} {
  %0 = arith.constant dense<0.0> : tensor<4x1xf32>
  return %0 : tensor<4x1xf32>
}
// expected-error @below {{expected rows of number 0 of @main along dimension 1 in result 0, got some along 0}}
func.func @rank_1() -> (tensor<1x2xf32> {pipe.result = 0 : i64, pipe.first_row = 3 : i64, tessera.global_type = tensor<1x2xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>}) attributes {pipe.rank = 1 : i64} {
  %0 = arith.constant dense<0.0> : tensor<1x2xf32>
  return %0 : tensor<1x2xf32>
}

// -----

tessera.mesh @mesh = <["x"=4]>
func.func private @main() -> (tensor<4x2xf32> {tessera.global_type = tensor<4x2xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>})
// expected-error @below {{expected rows of number 0 of @main from 4 on in result 1, got 0}}
func.func @rank_0() -> (tensor<2x2xf32> {pipe.result = 0 : i64, pipe.first_row = 2 : i64, tessera.global_type = tensor<2x2xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>}, tensor<2x2xf32> {pipe.result = 0 : i64, pipe.first_row = 0 : i64, tessera.global_type = tensor<2x2xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>}) attributes {pipe.rank = 0 : i64} {
  %0 = arith.constant dense<0.0> : tensor<2x2xf32>
  return %0, %0 : tensor<2x2xf32>, tensor<2x2xf32>
}

// -----

// Messages of a tag arrive in their order: the second is not what is expected.
tessera.mesh @mesh = <["x"=4]>
func.func private @main()
func.func @rank_0() attributes {pipe.rank = 0 : i64} {
  %0 = arith.constant dense<0.0> : tensor<f32>
  %1 = arith.constant dense<0.0> : tensor<f64>
  spmd.send %0 to 1 tag 7 : tensor<f32>
  // expected-note @below {{it is sent here}}
  spmd.send %1 to 1 tag 7 : tensor<f64>
  return
}
func.func @rank_1() attributes {pipe.rank = 1 : i64} {
  %0 = spmd.recv from 0 tag 7 : tensor<f32>
  // expected-error @below {{expected to receive 'tensor<f32>', got 'tensor<f64>'}}
  %1 = spmd.recv from 0 tag 7 : tensor<f32>
  return
}

// -----

// One more than is received.
tessera.mesh @mesh = <["x"=4]>
func.func private @main()
func.func @rank_0() attributes {pipe.rank = 0 : i64} {
  %0 = spmd.recv from 1 tag 2 : tensor<f32>
  return
}
func.func @rank_1() attributes {pipe.rank = 1 : i64} {
  %0 = arith.constant dense<0.0> : tensor<f32>
  spmd.send %0 to 0 tag 2 : tensor<f32>
  // expected-error @below {{sends what pipeline rank 0 never receives}}
  spmd.send %0 to 0 tag 2 : tensor<f32>
  return
}

// -----

tessera.mesh @mesh = <["x"=4]>
func.func private @main()
func.func @rank_0() attributes {pipe.rank = 0 : i64} {
  %0 = arith.constant dense<0.0> : tensor<f32>
  // expected-error @below {{expected another pipeline rank from 0 to 0, got 0}}
  spmd.send %0 to 0 tag 0 : tensor<f32>
  return
}

// -----

// A task does not call another one.
tessera.mesh @mesh = <["x"=4]>
func.func private @main()
func.func @rank_0() attributes {pipe.rank = 0 : i64} {
  call @forward_0() : () -> ()
  return
}
func.func private @forward_0() {
  // expected-error @below {{expected in the program of a pipeline rank only}}
  call @forward_1() : () -> ()
  return
}
func.func private @forward_1() {
  return
}

// -----

tessera.mesh @mesh = <["x"=4]>
func.func private @main()
func.func @rank_0() attributes {pipe.rank = 0 : i64} {
  // expected-error @below {{expected only calls, messages and operations without effects in the program of a pipeline rank}}
  pipe.fragment forward stage 0 {
    pipe.yield
  }
  return
}

// -----

// An argument is given away to the result that @main's was given to; the second one was kept.
tessera.mesh @mesh = <["x"=4]>
func.func private @main(tensor<f32> {tessera.global_type = tensor<f32>, tessera.sharding = #tessera.sharding<@mesh, []>}, tensor<f32> {tessera.global_type = tensor<f32>, tessera.sharding = #tessera.sharding<@mesh, []>}) -> (tensor<f32> {tessera.global_type = tensor<f32>, tessera.sharding = #tessera.sharding<@mesh, []>})
func.func @rank_0(%a: tensor<f32> {pipe.argument = 0 : i64, tessera.donated = 0 : i32, tessera.global_type = tensor<f32>, tessera.sharding = #tessera.sharding<@mesh, []>}, %b: tensor<f32> {pipe.argument = 1 : i64, tessera.global_type = tensor<f32>, tessera.sharding = #tessera.sharding<@mesh, []>}) -> (tensor<f32> {pipe.result = 0 : i64, tessera.global_type = tensor<f32>, tessera.sharding = #tessera.sharding<@mesh, []>}) attributes {pipe.rank = 0 : i64} {
  // expected-error @below {{expected to give away operand 0, got argument 1, which was not given away to @rank_0}}
  %0 = call @forward_0(%b, %a) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func private @forward_0(%a: tensor<f32> {tessera.donated = 0 : i32}, %b: tensor<f32>) -> tensor<f32> {
  return %a : tensor<f32>
}

// -----

// Nor twice to one call.
tessera.mesh @mesh = <["x"=4]>
func.func private @main()
func.func @rank_0() attributes {pipe.rank = 0 : i64} {
  %0 = call @once_0() : () -> tensor<f32>
  // expected-error @+2 {{gives away operand 0, which is needed afterwards}}
  // expected-note @below {{it is needed here}}
  %1 = call @forward_0(%0, %0) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return
}
func.func private @once_0() -> tensor<f32> {
  %0 = arith.constant dense<0.0> : tensor<f32>
  return %0 : tensor<f32>
}
func.func private @forward_0(%a: tensor<f32> {tessera.donated = 0 : i32}, %b: tensor<f32>) -> tensor<f32> {
  return %a : tensor<f32>
}

// -----

// A rank that runs nothing has a program without operations.
tessera.mesh @mesh = <["x"=4]>
func.func private @main()
// expected-error @below {{expected the program of pipeline rank 0, got a declaration}}
func.func private @rank_0() attributes {pipe.rank = 0 : i64}

// -----

tessera.mesh @mesh = <["x"=4]>
func.func private @main()
func.func @rank_0() attributes {pipe.rank = 0 : i64} {
  return
}
// expected-error @below {{expected the program of pipeline rank 1, got a declaration}}
func.func private @rank_1() attributes {pipe.rank = 1 : i64, spmd.arena_size = 0 : i64}

// -----

tessera.mesh @mesh = <["x"=4]>
func.func @sharding_within(%a: tensor<8xf32> {tessera.global_type = tensor<8xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}]>}, %n: index) {
  scf.for %i = %n to %n step %n {
    // expected-error @below {{expected no sharding after the phase 'partition'}}
    %0 = arith.addf %a, %a {tessera.sharding = #tessera.sharding<@mesh, [{}]>} : tensor<8xf32>
  }
  return
}
