//===- KernelTest.cpp - Compiled kernels against the interpreter ----------===//

#include "CompiledProgram.h"
#include "mlir/Parser/Parser.h"
#include "tessera/Driver/Registration.h"
#include "tessera/Interpreter/Boundary.h"
#include "tessera/Interpreter/Interpreter.h"
#include "gtest/gtest.h"

using namespace tessera;
using namespace tessera::test;

namespace {

struct Kernel {
  const char *name;
  /// Types, separated by semicolons.
  std::string operands, results, body;
  double tolerance = 2e-6;
};

std::ostream &operator<<(std::ostream &os, const Kernel &kernel) {
  return os << kernel.name;
}

class KernelTest
    : public testing::TestWithParam<std::tuple<Kernel, const char *>> {};

TEST_P(KernelTest, AgreesWithTheInterpreter) {
  auto &[kernel, cpu] = GetParam();
  std::string text = programOf(kernel.operands, kernel.results, kernel.body);
  mlir::DialectRegistry registry;
  registerDialects(registry);
  mlir::MLIRContext context(registry);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  ASSERT_TRUE(module) << text;
  auto boundary = Boundary::of(*module);
  ASSERT_TRUE(succeeded(boundary));
  std::vector<HostTensor> inputs = boundary->randomInputs(1);
  auto expected = interpretModule(*module, inputs);
  ASSERT_TRUE(succeeded(expected));

  auto program = CompiledProgram::compile(text, cpu);
  ASSERT_TRUE(program);
  if (!isExecuted(cpu))
    GTEST_SKIP() << "compiled only: this machine does not execute " << cpu;
  expectResults(*program, inputs, expected->results, {kernel.tolerance, 1e-7});
}

std::string softmax(const std::string &rows, const std::string &row) {
  std::string full = "tensor<" + rows + "x" + row + "xf32>",
              part = "tensor<" + rows + "xf32>";
  return "%m = tessera.reduce max %0 dims = [1] : " + full + " -> " + part +
         "\n%mb = tessera.broadcast %m dims = [0] : " + part + " -> " + full +
         "\n%d = arith.subf %0, %mb : " + full +
         "\n%e = math.exp %d : " + full +
         "\n%s = tessera.reduce sum %e dims = [1] : " + full + " -> " + part +
         "\n%sb = tessera.broadcast %s dims = [0] : " + part + " -> " + full +
         "\n%r = arith.divf %e, %sb : " + full +
         "\nspmd.yield %r, %s : " + full + ", " + part;
}

const Kernel kernels[] = {
    {"flat", "tensor<5x7x11xf32>;tensor<5x7x11xf32>", "tensor<5x7x11xf32>",
     R"(%c = arith.constant dense<0.5> : tensor<f32>
        %b = tessera.broadcast %c dims = [] : tensor<f32> -> tensor<5x7x11xf32>
        %x = arith.mulf %0, %b : tensor<5x7x11xf32>
        %y = arith.addf %x, %1 : tensor<5x7x11xf32>
        spmd.yield %y : tensor<5x7x11xf32>)"},
    {"scalar", "tensor<f32>;tensor<f32>", "tensor<f32>",
     R"(%x = arith.addf %0, %1 : tensor<f32>
        spmd.yield %x : tensor<f32>)"},
    {"large", "tensor<100x77xf32>", "tensor<100x77xf32>;tensor<100x77xi1>",
     R"(%c = arith.constant dense<0.0> : tensor<100x77xf32>
        %p = arith.cmpf ogt, %0, %c : tensor<100x77xf32>
        %y = arith.select %p, %0, %c : tensor<100x77xi1>, tensor<100x77xf32>
        spmd.yield %y, %p : tensor<100x77xf32>, tensor<100x77xi1>)"},
    {"functions", "tensor<64xf32>",
     "tensor<64xf32>;tensor<64xf32>;tensor<64xf32>;tensor<64xf32>;tensor<"
     "64xf32>;tensor<64xf32>;tensor<64xf32>",
     R"(%a = math.exp %0 : tensor<64xf32>
        %b = math.tanh %0 : tensor<64xf32>
        %c = math.log %a : tensor<64xf32>
        %d = math.rsqrt %a : tensor<64xf32>
        %e = math.erf %0 : tensor<64xf32>
        %f = math.sin %0 : tensor<64xf32>
        %g = math.powf %a, %0 : tensor<64xf32>
        spmd.yield %a, %b, %c, %d, %e, %f, %g : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>)",
     1e-5},
    {"bias", "tensor<6x4x33xf32>;tensor<4x33xf32>;tensor<6xf32>",
     "tensor<6x4x33xf32>",
     R"(%b = tessera.broadcast %1 dims = [1, 2] : tensor<4x33xf32> -> tensor<6x4x33xf32>
        %c = tessera.broadcast %2 dims = [0] : tensor<6xf32> -> tensor<6x4x33xf32>
        %x = arith.addf %0, %b : tensor<6x4x33xf32>
        %y = arith.mulf %x, %c : tensor<6x4x33xf32>
        spmd.yield %y : tensor<6x4x33xf32>)"},
    {"transpose", "tensor<5x19x21xf32>", "tensor<21x5x19xf32>",
     R"(%t = tessera.transpose %0 permutation = [2, 0, 1] : tensor<5x19x21xf32> -> tensor<21x5x19xf32>
        spmd.yield %t : tensor<21x5x19xf32>)"},
    {"views", "tensor<6x40xf32>",
     "tensor<3x35xf32>;tensor<40x6xf32>;tensor<240xf32>",
     R"(%s = tessera.slice %0 [1, 2] to [6, 37] by [2, 1] : tensor<6x40xf32> -> tensor<3x35xf32>
        %n = arith.negf %s : tensor<3x35xf32>
        %r = tessera.reverse %0 dims = [1] : tensor<6x40xf32>
        %q = tessera.reshape %r : tensor<6x40xf32> -> tensor<40x6xf32>
        %e = arith.addf %q, %q : tensor<40x6xf32>
        %f = tessera.reshape %0 : tensor<6x40xf32> -> tensor<240xf32>
        spmd.yield %n, %e, %f : tensor<3x35xf32>, tensor<40x6xf32>, tensor<240xf32>)"},
    {"pad_and_join", "tensor<4x10xf32>;tensor<4x7xf32>;tensor<f32>",
     "tensor<6x24xf32>;tensor<4x17xf32>",
     R"(%p = tessera.pad %0 with %2 low = [1, -1] high = [1, 7] interior = [0, 1] : (tensor<4x10xf32>, tensor<f32>) -> tensor<6x25xf32>
        %c = tessera.slice %p [0, 0] to [6, 24] by [1, 1] : tensor<6x25xf32> -> tensor<6x24xf32>
        %j = tessera.concatenate %0, %1 dim = 1 : (tensor<4x10xf32>, tensor<4x7xf32>) -> tensor<4x17xf32>
        spmd.yield %c, %j : tensor<6x24xf32>, tensor<4x17xf32>)"},
    {"mask", "tensor<9x20x20xf32>", "tensor<9x20x20xf32>",
     R"(%i = tessera.iota dim = 0 : tensor<20x20xi32>
        %j = tessera.iota dim = 1 : tensor<20x20xi32>
        %p = arith.cmpi sge, %i, %j : tensor<20x20xi32>
        %q = tessera.broadcast %p dims = [1, 2] : tensor<20x20xi1> -> tensor<9x20x20xi1>
        %c = arith.constant dense<-1.0e30> : tensor<9x20x20xf32>
        %x = arith.select %q, %0, %c : tensor<9x20x20xi1>, tensor<9x20x20xf32>
        spmd.yield %x : tensor<9x20x20xf32>)"},
    {"softmax", "tensor<9x64xf32>", "tensor<9x64xf32>;tensor<9xf32>",
     softmax("9", "64")},
    {"ragged_softmax", "tensor<5x37xf32>", "tensor<5x37xf32>;tensor<5xf32>",
     softmax("5", "37")},
    {"short_softmax", "tensor<5x3xf32>", "tensor<5x3xf32>;tensor<5xf32>",
     softmax("5", "3")},
    {"layer_norm", "tensor<4x8x48xf32>;tensor<48xf32>;tensor<48xf32>",
     "tensor<4x8x48xf32>;tensor<4x8x1xf32>;tensor<4x8xf32>",
     R"(%s = tessera.reduce sum %0 dims = [2] : tensor<4x8x48xf32> -> tensor<4x8xf32>
        %s1 = tessera.reshape %s : tensor<4x8xf32> -> tensor<4x8x1xf32>
        %n = arith.constant dense<48.0> : tensor<4x8x1xf32>
        %m = arith.divf %s1, %n : tensor<4x8x1xf32>
        %mb = tessera.broadcast %m dims = [0, 1, 2] : tensor<4x8x1xf32> -> tensor<4x8x48xf32>
        %d = arith.subf %0, %mb : tensor<4x8x48xf32>
        %q = arith.mulf %d, %d : tensor<4x8x48xf32>
        %v = tessera.reduce sum %q dims = [2] : tensor<4x8x48xf32> -> tensor<4x8xf32>
        %r = math.rsqrt %v : tensor<4x8xf32>
        %rb = tessera.broadcast %r dims = [0, 1] : tensor<4x8xf32> -> tensor<4x8x48xf32>
        %x = arith.mulf %d, %rb : tensor<4x8x48xf32>
        %g = tessera.broadcast %1 dims = [2] : tensor<48xf32> -> tensor<4x8x48xf32>
        %b = tessera.broadcast %2 dims = [2] : tensor<48xf32> -> tensor<4x8x48xf32>
        %y = arith.mulf %x, %g : tensor<4x8x48xf32>
        %z = arith.addf %y, %b : tensor<4x8x48xf32>
        spmd.yield %z, %m, %r : tensor<4x8x48xf32>, tensor<4x8x1xf32>, tensor<4x8xf32>)"},
    {"reshaped_rows", "tensor<4x8x48xf32>;tensor<32x48xf32>",
     "tensor<32x48xf32>",
     R"(%s = tessera.reduce sum %0 dims = [2] : tensor<4x8x48xf32> -> tensor<4x8xf32>
        %r = tessera.reshape %s : tensor<4x8xf32> -> tensor<32xf32>
        %b = tessera.broadcast %r dims = [0] : tensor<32xf32> -> tensor<32x48xf32>
        %x = tessera.reshape %0 : tensor<4x8x48xf32> -> tensor<32x48xf32>
        %y = arith.mulf %x, %b : tensor<32x48xf32>
        %z = arith.addf %y, %1 : tensor<32x48xf32>
        spmd.yield %z : tensor<32x48xf32>)"},
    {"total", "tensor<12x37xf32>", "tensor<f32>",
     R"(%q = arith.mulf %0, %0 : tensor<12x37xf32>
        %s = tessera.reduce sum %q dims = [0, 1] : tensor<12x37xf32> -> tensor<f32>
        %r = math.sqrt %s : tensor<f32>
        spmd.yield %r : tensor<f32>)"},
    {"columns", "tensor<6x10x96xf32>;tensor<6x10x96xf32>;tensor<96xf32>",
     "tensor<96xf32>;tensor<96xf32>",
     R"(%q = arith.mulf %0, %1 : tensor<6x10x96xf32>
        %s = tessera.reduce sum %q dims = [0, 1] : tensor<6x10x96xf32> -> tensor<96xf32>
        %t = tessera.reduce sum %1 dims = [0, 1] : tensor<6x10x96xf32> -> tensor<96xf32>
        %u = arith.addf %t, %2 : tensor<96xf32>
        spmd.yield %s, %u : tensor<96xf32>, tensor<96xf32>)"},
    {"ragged_columns", "tensor<6x37xf32>", "tensor<37xf32>",
     R"(%s = tessera.reduce max %0 dims = [0] : tensor<6x37xf32> -> tensor<37xf32>
        spmd.yield %s : tensor<37xf32>)"},
    {"middle_columns", "tensor<3x6x40xf32>", "tensor<3x40xf32>",
     R"(%s = tessera.reduce min %0 dims = [1] : tensor<3x6x40xf32> -> tensor<3x40xf32>
        spmd.yield %s : tensor<3x40xf32>)"},
    {"two_spaces", "tensor<8x32xf32>", "tensor<32xf32>;tensor<8x32xf32>",
     R"(%s = tessera.reduce sum %0 dims = [1] : tensor<8x32xf32> -> tensor<8xf32>
        %b = tessera.broadcast %s dims = [0] : tensor<8xf32> -> tensor<8x32xf32>
        %x = arith.mulf %0, %b : tensor<8x32xf32>
        %c = tessera.reduce sum %x dims = [0] : tensor<8x32xf32> -> tensor<32xf32>
        spmd.yield %c, %x : tensor<32xf32>, tensor<8x32xf32>)"},
    {"linear_gelu",
     "tensor<40x24xf32>;tensor<24x72xf32>;tensor<72xf32>;tensor<40x72xf32>",
     "tensor<40x72xf32>;tensor<40x72xf32>",
     R"(%d = tessera.dot_general %0, %1 batching = [] x [] contracting = [1] x [0] : (tensor<40x24xf32>, tensor<24x72xf32>) -> tensor<40x72xf32>
        %b = tessera.broadcast %2 dims = [1] : tensor<72xf32> -> tensor<40x72xf32>
        %h = arith.addf %d, %b : tensor<40x72xf32>
        %t = math.tanh %h : tensor<40x72xf32>
        %r = arith.addf %t, %3 : tensor<40x72xf32>
        spmd.yield %h, %r : tensor<40x72xf32>, tensor<40x72xf32>)"},
    {"prologue",
     "tensor<40x24xf32>;tensor<24xf32>;tensor<24x72xf32>;tensor<f32>",
     "tensor<40x72xf32>",
     R"(%b = tessera.broadcast %1 dims = [1] : tensor<24xf32> -> tensor<40x24xf32>
        %x = arith.addf %0, %b : tensor<40x24xf32>
        %s = tessera.broadcast %3 dims = [] : tensor<f32> -> tensor<24x72xf32>
        %y = arith.mulf %2, %s : tensor<24x72xf32>
        %e = math.exp %x : tensor<40x24xf32>
        %d = tessera.dot_general %e, %y batching = [] x [] contracting = [1] x [0] : (tensor<40x24xf32>, tensor<24x72xf32>) -> tensor<40x72xf32>
        spmd.yield %d : tensor<40x72xf32>)"},
    // Squares of the right operand are transposed; of the last step only some
    // rows exist, and the last panel is not full.
    {"transposed_operand", "tensor<40x37xf32>;tensor<72x37xf32>",
     "tensor<40x72xf32>",
     R"(%d = tessera.dot_general %0, %1 batching = [] x [] contracting = [1] x [1] : (tensor<40x37xf32>, tensor<72x37xf32>) -> tensor<40x72xf32>
        spmd.yield %d : tensor<40x72xf32>)"},
    {"transposed_deep_operand", "tensor<8x700xf32>;tensor<64x700xf32>",
     "tensor<8x64xf32>",
     R"(%d = tessera.dot_general %0, %1 batching = [] x [] contracting = [1] x [1] : (tensor<8x700xf32>, tensor<64x700xf32>) -> tensor<8x64xf32>
        spmd.yield %d : tensor<8x64xf32>)"},
    {"transposed_result", "tensor<2x9x24xf32>;tensor<24x4x10xf32>",
     "tensor<2x4x9x10xf32>",
     R"(%d = tessera.dot_general %0, %1 batching = [] x [] contracting = [2] x [0] : (tensor<2x9x24xf32>, tensor<24x4x10xf32>) -> tensor<2x9x4x10xf32>
        %t = tessera.transpose %d permutation = [0, 2, 1, 3] : tensor<2x9x4x10xf32> -> tensor<2x4x9x10xf32>
        %n = arith.negf %t : tensor<2x4x9x10xf32>
        spmd.yield %n : tensor<2x4x9x10xf32>)"},
    {"product_then_norm", "tensor<40x24xf32>;tensor<24x72xf32>",
     "tensor<40x72xf32>",
     R"(%d = tessera.dot_general %0, %1 batching = [] x [] contracting = [1] x [0] : (tensor<40x24xf32>, tensor<24x72xf32>) -> tensor<40x72xf32>
        %s = tessera.reduce sum %d dims = [1] : tensor<40x72xf32> -> tensor<40xf32>
        %b = tessera.broadcast %s dims = [0] : tensor<40xf32> -> tensor<40x72xf32>
        %x = arith.subf %d, %b : tensor<40x72xf32>
        spmd.yield %x : tensor<40x72xf32>)",
     1e-5},
    {"half_product", "tensor<40x24xbf16>;tensor<24x72xbf16>",
     "tensor<40x72xbf16>",
     R"(%d = tessera.dot_general %0, %1 batching = [] x [] contracting = [1] x [0] : (tensor<40x24xbf16>, tensor<24x72xbf16>) -> tensor<40x72xbf16>
        spmd.yield %d : tensor<40x72xbf16>)",
     1e-2},
    {"double_product", "tensor<40x24xf64>;tensor<24x72xf64>",
     "tensor<40x72xf64>",
     R"(%d = tessera.dot_general %0, %1 batching = [] x [] contracting = [1] x [0] : (tensor<40x24xf64>, tensor<24x72xf64>) -> tensor<40x72xf64>
        spmd.yield %d : tensor<40x72xf64>)",
     1e-12},
    {"integer_product", "tensor<10x24xi32>;tensor<24x18xi32>",
     "tensor<10x18xi32>",
     R"(%d = tessera.dot_general %0, %1 batching = [] x [] contracting = [1] x [0] : (tensor<10x24xi32>, tensor<24x18xi32>) -> tensor<10x18xi32>
        spmd.yield %d : tensor<10x18xi32>)",
     0},
    {"lookup", "tensor<13x40xf32>;tensor<6x5xi32>", "tensor<6x5x40xf32>",
     R"(%i = tessera.reshape %1 : tensor<6x5xi32> -> tensor<6x5x1xi32>
        %g = tessera.gather %0 at %i offset = [2] collapsed = [0] batching = [] x [] map = [0] vector = 2 sizes = [1, 40] : (tensor<13x40xf32>, tensor<6x5x1xi32>) -> tensor<6x5x40xf32>
        spmd.yield %g : tensor<6x5x40xf32>)"},
    {"scatter_rows", "tensor<13x40xf32>;tensor<6x5x1xi32>;tensor<6x5x40xf32>",
     "tensor<13x40xf32>",
     R"(%n = arith.negf %2 : tensor<6x5x40xf32>
        %s = tessera.scatter sum %0, %n at %1 window = [2] inserted = [0] batching = [] x [] map = [0] vector = 2 : (tensor<13x40xf32>, tensor<6x5x1xi32>, tensor<6x5x40xf32>) -> tensor<13x40xf32>
        spmd.yield %s : tensor<13x40xf32>)",
     1e-5},
    {"slices_at_places",
     "tensor<13x40xf32>;tensor<3x17xf32>;tensor<i32>;tensor<i32>",
     "tensor<13x40xf32>;tensor<4x19xf32>",
     R"(%u = tessera.dynamic_update_slice %0, %1 [%2, %3] : (tensor<13x40xf32>, tensor<3x17xf32>, tensor<i32>, tensor<i32>) -> tensor<13x40xf32>
        %d = tessera.dynamic_slice %0 [%3, %2] : (tensor<13x40xf32>, tensor<i32>, tensor<i32>) -> tensor<4x19xf32>
        spmd.yield %u, %d : tensor<13x40xf32>, tensor<4x19xf32>)"},
    {"updates_by_vectors",
     "tensor<3x13x40xf32>;tensor<3x1x40xf32>;tensor<64xf32>;tensor<16xf32>;"
     "tensor<i32>",
     "tensor<3x13x40xf32>;tensor<64xf32>;tensor<64xf32>",
     R"(%z = arith.constant dense<0> : tensor<i32>
        %e = arith.constant dense<8> : tensor<i32>
        %f = arith.constant dense<5> : tensor<i32>
        %t = arith.constant dense<3> : tensor<i32>
        %m = arith.andi %4, %t : tensor<i32>
        %n = arith.muli %m, %e : tensor<i32>
        %p = arith.addi %n, %e : tensor<i32>
        %q = arith.addi %n, %f : tensor<i32>
        %u = tessera.dynamic_update_slice %0, %1 [%z, %4, %z] : (tensor<3x13x40xf32>, tensor<3x1x40xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x13x40xf32>
        %v = tessera.dynamic_update_slice %2, %3 [%p] : (tensor<64xf32>, tensor<16xf32>, tensor<i32>) -> tensor<64xf32>
        %w = tessera.dynamic_update_slice %2, %3 [%q] : (tensor<64xf32>, tensor<16xf32>, tensor<i32>) -> tensor<64xf32>
        spmd.yield %u, %v, %w : tensor<3x13x40xf32>, tensor<64xf32>, tensor<64xf32>)"},
    {"table", "tensor<2x4xf32>", "tensor<2x4xf32>;tensor<2x4xi1>",
     R"(%t = arith.constant dense<[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]> : tensor<2x4xf32>
        %p = arith.constant dense<[[true, false, false, true], [false, true, true, true]]> : tensor<2x4xi1>
        %x = arith.addf %0, %t : tensor<2x4xf32>
        %y = arith.select %p, %x, %0 : tensor<2x4xi1>, tensor<2x4xf32>
        spmd.yield %y, %p : tensor<2x4xf32>, tensor<2x4xi1>)"},
    {"place_of_maximum", "tensor<6x21xf32>", "tensor<6xf32>;tensor<6xi32>",
     R"(%i = tessera.iota dim = 1 : tensor<6x21xi32>
        %v = arith.constant dense<0xFF800000> : tensor<f32>
        %z = arith.constant dense<0> : tensor<i32>
        %r:2 = tessera.variadic_reduce %0, %i inits %v, %z dims = [1] : (tensor<6x21xf32>, tensor<6x21xi32>, tensor<f32>, tensor<i32>) -> (tensor<6xf32>, tensor<6xi32>) {
        ^bb0(%a: tensor<f32>, %b: tensor<i32>, %c: tensor<f32>, %d: tensor<i32>):
          %p = arith.cmpf oge, %a, %c : tensor<f32>
          %x = arith.select %p, %a, %c : tensor<i1>, tensor<f32>
          %y = arith.select %p, %b, %d : tensor<i1>, tensor<i32>
          tessera.yield %x, %y : tensor<f32>, tensor<i32>
        }
        spmd.yield %r#0, %r#1 : tensor<6xf32>, tensor<6xi32>)"},
    {"sorted_pairs", "tensor<6x45x3xf32>;tensor<6x45x3xi8>",
     "tensor<6x45x3xf32>;tensor<6x45x3xi8>",
     R"(%t = math.sin %0 : tensor<6x45x3xf32>
        %r:2 = tessera.sort %t, %1 dim = 1 : (tensor<6x45x3xf32>, tensor<6x45x3xi8>) -> (tensor<6x45x3xf32>, tensor<6x45x3xi8>) {
        ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i8>, %d: tensor<i8>):
          %p = arith.cmpi slt, %c, %d : tensor<i8>
          %q = arith.cmpi eq, %c, %d : tensor<i8>
          %x = arith.cmpf olt, %a, %b : tensor<f32>
          %y = arith.andi %q, %x : tensor<i1>
          %z = arith.ori %p, %y : tensor<i1>
          tessera.yield %z : tensor<i1>
        }
        spmd.yield %r#0, %r#1 : tensor<6x45x3xf32>, tensor<6x45x3xi8>)"},
    {"largest_and_their_places", "tensor<6x45xf32>",
     "tensor<6x7xf32>;tensor<6x7xi32>",
     R"(%i = tessera.iota dim = 1 : tensor<6x45xi32>
        %r:2 = tessera.sort %0, %i dim = 1 : (tensor<6x45xf32>, tensor<6x45xi32>) -> (tensor<6x7xf32>, tensor<6x7xi32>) {
        ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
          %p = arith.cmpf ogt, %a, %b : tensor<f32>
          tessera.yield %p : tensor<i1>
        }
        spmd.yield %r#0, %r#1 : tensor<6x7xf32>, tensor<6x7xi32>)"},
    {"one_element_sorted", "tensor<6x1xi1>", "tensor<6x1xi1>",
     R"(%r = tessera.sort %0 dim = 1 : (tensor<6x1xi1>) -> tensor<6x1xi1> {
        ^bb0(%a: tensor<i1>, %b: tensor<i1>):
          tessera.yield %a : tensor<i1>
        }
        spmd.yield %r : tensor<6x1xi1>)"},
    {"nothing_to_contract", "tensor<6x0xf32>;tensor<0x5xf32>",
     "tensor<6x5xf32>",
     R"(%d = tessera.dot_general %0, %1 batching = [] x [] contracting = [1] x [0] : (tensor<6x0xf32>, tensor<0x5xf32>) -> tensor<6x5xf32>
        spmd.yield %d : tensor<6x5xf32>)"},
    {"doubles", "tensor<37xf64>", "tensor<37xf64>;tensor<f64>",
     R"(%e = math.exp %0 : tensor<37xf64>
        %s = tessera.reduce sum %e dims = [0] : tensor<37xf64> -> tensor<f64>
        spmd.yield %e, %s : tensor<37xf64>, tensor<f64>)",
     1e-14},
    {"halves", "tensor<37xbf16>;tensor<37xf16>",
     "tensor<37xf32>;tensor<37xbf16>",
     R"(%a = arith.extf %0 : tensor<37xbf16> to tensor<37xf32>
        %b = arith.extf %1 : tensor<37xf16> to tensor<37xf32>
        %s = arith.addf %a, %b : tensor<37xf32>
        %e = math.exp %0 : tensor<37xbf16>
        spmd.yield %s, %e : tensor<37xf32>, tensor<37xbf16>)",
     1e-2},
};

INSTANTIATE_TEST_SUITE_P(Kernels, KernelTest,
                         testing::Combine(testing::ValuesIn(kernels),
                                          testing::Values("native", "x86-64-v3",
                                                          "x86-64-v4", "sm_80",
                                                          "sm_90a")),
                         [](const auto &info) {
                           std::string target = std::get<1>(info.param);
                           return std::string(std::get<0>(info.param).name) +
                                  "_" + target.substr(target.rfind('-') + 1);
                         });

/// Runs `body` with its result in the memory of its first operand.
std::vector<float> runInPlace(const std::string &type, const std::string &body,
                              std::vector<float> values,
                              const std::string &target) {
  auto program = CompiledProgram::compile(
      "func.func @main(%0: " + type + " {tessera.donated = 0 : i32}) -> " +
          type +
          " {\n%r = spmd.kernel(%0) {spmd.buffers = [#spmd.buffer<argument, "
          "0>]} : (" +
          type + ") -> " + type + " {\n^bb0(%x: " + type + "):\n" + body +
          "\n}\nreturn %r : " + type + "\n}",
      target);
  if (!program)
    return {};
  program->run({values.data()}, {values.data()});
  return values;
}

class InPlace : public testing::TestWithParam<const char *> {};

// A transposition cannot be done in place element by element.
TEST_P(InPlace, ReadsAllBeforeItWrites) {
  auto result = runInPlace(
      "tensor<3x3xf32>",
      "%t = tessera.transpose %x permutation = [1, 0] : tensor<3x3xf32> -> "
      "tensor<3x3xf32>\nspmd.yield %t : tensor<3x3xf32>",
      {1, 2, 3, 4, 5, 6, 7, 8, 9}, GetParam());
  EXPECT_EQ(result, (std::vector<float>{1, 4, 7, 2, 5, 8, 3, 6, 9}));
}

// The right operand of a product is read by every block of the result.
TEST_P(InPlace, KeepsOperandsOfAProduct) {
  std::vector<float> values(64 * 64, 0.0f);
  for (int i = 0; i < 64; ++i)
    values[i * 64 + (i + 1) % 64] = 2.0f;
  auto result = runInPlace(
      "tensor<64x64xf32>",
      "%d = tessera.dot_general %x, %x batching = [] x [] contracting = [1] x "
      "[0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>\n"
      "spmd.yield %d : tensor<64x64xf32>",
      values, GetParam());
  ASSERT_EQ(result.size(), values.size());
  for (int i = 0; i < 64; ++i)
    for (int j = 0; j < 64; ++j)
      ASSERT_EQ(result[i * 64 + j], j == (i + 2) % 64 ? 4.0f : 0.0f);
}

// Rows may be overwritten once their reductions are known.
TEST_P(InPlace, NormalisesRows) {
  auto result = runInPlace(
      "tensor<2x2xf32>",
      "%s = tessera.reduce sum %x dims = [1] : tensor<2x2xf32> -> "
      "tensor<2xf32>\n%b = tessera.broadcast %s dims = [0] : tensor<2xf32> -> "
      "tensor<2x2xf32>\n%d = arith.divf %x, %b : tensor<2x2xf32>\n"
      "spmd.yield %d : tensor<2x2xf32>",
      {1, 3, 2, 6}, GetParam());
  EXPECT_EQ(result, (std::vector<float>{0.25, 0.75, 0.25, 0.75}));
}

INSTANTIATE_TEST_SUITE_P(Targets, InPlace,
                         testing::Values("native", "sm_80", "sm_90a"));

TEST(Manifest, NamesArgumentsAndDonation) {
  auto program = CompiledProgram::compile(
      R"(tessera.mesh @mesh = <["x"=2]>
      func.func @main(%a: tensor<4xf32> {tessera.donated = 0 : i32, tessera.name = "p['w']",
          tessera.global_type = tensor<8xf32>, tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>})
          -> (tensor<4xf32> {tessera.name = "r", tessera.global_type = tensor<8xf32>,
          tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>}) {
        return %a : tensor<4xf32>
      })",
      "x86-64-v3");
  ASSERT_TRUE(program);
  const std::string &text = program->manifest();
  for (const char *part :
       {R"("mesh":[{"name":"x","size":2}])", R"("donated":0)",
        R"("name":"p['w']")", R"("shape":[8])", R"("local_shape":[4])",
        R"("sharding":[[{"axis":"x"}]])", R"("name":"x86-64-v3")"})
    EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
}

} // namespace
