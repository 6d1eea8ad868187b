"""Operations of StableHLO, CHLO and Shardy that JAX seldom or never writes, with what XLA computes on CPUs.

    python test/Integration/Operations/programs.py [NAME…]     makes NAME.mlir, NAME.inputs.safetensors, NAME.expected.safetensors
    python test/Integration/Operations/programs.py --lines …   only writes the lines that lit runs anew

The files are checked in, so that the tests need no Python. A program is a function in pretty form, which is written in generic
form; it is interpreted on its inputs, compiled and run, and tried under shardings that are drawn.
"""

import pathlib
import re
import sys

import jax

jax.config.update("jax_enable_x64", True)

import numpy as np
from jax._src.interpreters import mlir
from jax._src.lib import xla_client
from jaxlib.mlir import ir
from safetensors.numpy import save_file

FOLDER = pathlib.Path(__file__).resolve().parent
RANDOM = np.random.default_rng(0)
PROGRAMS = {}
ELEMENTS = {"f64": np.float64, "f32": np.float32, "f16": np.float16, "i1": np.bool_, "i64": np.int64, "i32": np.int32, "i8": np.int8, "ui64": np.uint64, "ui32": np.uint32, "ui8": np.uint8}


def program(name, text, inputs=(), tolerance="1e-5", meshes="", judged="", reference=None, draws=6):
    """Registers a program.

    text       the function: the first line `(ARGUMENTS) -> (RESULTS)`, then its body.
    inputs     arrays by the argument's number, where others than small normal numbers and integers are wanted.
    meshes     what stands before the function.
    judged     the text for XLA, where it does not know the one for the compiler.
    reference  computes the results of what XLA cannot run on CPUs.
    draws      how many shardings are drawn.
    """
    PROGRAMS[name] = (text, dict(inputs), tolerance, meshes, judged or text, reference, draws)


def drawn(type):
    *shape, element = type.split("x")
    shape, element = [int(size) for size in shape], ELEMENTS[element]
    if element == np.bool_:
        return RANDOM.integers(0, 2, shape).astype(element)
    if np.issubdtype(element, np.integer):
        return RANDOM.integers(-9 if np.issubdtype(element, np.signedinteger) else 0, 9, shape).astype(element)
    return RANDOM.normal(size=shape).astype(element)


def lines(name):
    _, _, tolerance, _, _, _, draws = PROGRAMS[name]
    files = f"--inputs=%S/{name}.inputs.safetensors --expect=%S/{name}.expected.safetensors --tolerance={tolerance}"
    text = f"// RUN: tessera-opt --tessera-import-phase %s -o %t.mlir\n// RUN: tessera-interpret %t.mlir {files}\n"
    text += f"// RUN: tesserac %s -o %t.tsx\n// RUN: tessera-run %t.tsx {files}\n"
    if draws:
        text += f"// RUN: tessera-fuzz %s --annotate --seed=1 --count={draws} --tolerance={tolerance},1e-6\n"
    return text


def module(text, meshes, context):
    signature, body = text.strip().split("\n", 1)
    with context:
        return ir.Module.parse(f"{meshes}\nfunc.func @main{signature} {{\n{body}\n}}")


def compute(text, inputs):
    """What XLA makes of the program."""
    client = jax.devices("cpu")[0].client
    devices = xla_client.DeviceList(tuple(client.local_devices()[:1]))
    run = client.compile_and_load(text.encode(), devices, xla_client.CompileOptions())
    return run.execute([jax.device_put(x) for x in inputs])


def write(name):
    text, given, _, meshes, judged, reference, _ = PROGRAMS[name]
    context = mlir.make_ir_context()
    parsed = module(text, meshes, context)
    (FOLDER / f"{name}.mlir").write_text(lines(name) + parsed.operation.get_asm(print_generic_op_form=True))
    types = re.findall(r"%\w+: tensor<(\w+)>", text.split("->")[0])
    inputs = [np.asarray(given[i] if i in given else drawn(type)) for i, type in enumerate(types)]
    results = reference(*inputs) if reference else compute(str(module(judged, "", context)), inputs)
    save_file({f"arg{i}": np.asarray(x, order="C") for i, x in enumerate(inputs)}, FOLDER / f"{name}.inputs.safetensors")
    save_file({f"result{i}": np.asarray(x, order="C") for i, x in enumerate(results)}, FOLDER / f"{name}.expected.safetensors")


def write_lines(name):
    path = FOLDER / f"{name}.mlir"
    path.write_text(lines(name) + "".join(line for line in path.read_text().splitlines(True) if not line.startswith("// RUN:")))


def returned(body, results):
    """A body with its results, pairs of values and types, at the end."""
    return body + "return " + ", ".join(value for value, _ in results) + " : " + ", ".join(f"tensor<{type}>" for _, type in results)


def signature(arguments, results):
    return "(" + ", ".join(f"%{name}: tensor<{type}>" for name, type in arguments) + ") -> (" + ", ".join(f"tensor<{type}>" for _, type in results) + ")\n"


# ---- operations on tensors of several shapes --------------------------------------------------------------------------


def broadcasting():
    body, results = "", []

    def add(line, type):
        nonlocal body
        results.append((f"%r{len(results)}", type))
        body += f"{results[-1][0]} = {line}\n"

    for name in "add", "subtract", "multiply", "divide", "maximum", "minimum", "remainder", "atan2", "next_after":
        add(f'"chlo.broadcast_{name}"(%x, %row) : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3x4xf32>', "3x4xf32")
    add('"chlo.broadcast_power"(%positive, %row) : (tensor<3x1xf32>, tensor<4xf32>) -> tensor<3x4xf32>', "3x4xf32")
    add('"chlo.broadcast_add"(%row, %x) <{broadcast_dimensions = array<i64: 1>}> : (tensor<4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>', "3x4xf32")
    for name in "and", "or", "xor", "shift_left", "shift_right_logical", "shift_right_arithmetic":
        add(f'"chlo.broadcast_{name}"(%n, %scalar) : (tensor<3x4xi32>, tensor<i32>) -> tensor<3x4xi32>', "3x4xi32")
    add("chlo.broadcast_compare %row, %x {comparison_direction = #chlo<comparison_direction LT>} : (tensor<4xf32>, tensor<3x4xf32>) -> tensor<3x4xi1>", "3x4xi1")
    add('"chlo.broadcast_select"(%which, %x, %row) : (tensor<4xi1>, tensor<3x4xf32>, tensor<4xf32>) -> tensor<3x4xf32>', "3x4xf32")
    add('"chlo.broadcast_zeta"(%positive, %row) : (tensor<3x1xf32>, tensor<4xf32>) -> tensor<3x4xf32>', "3x4xf32")
    add('"chlo.constant_like"(%x) <{value = 3.5 : f32}> : (tensor<3x4xf32>) -> tensor<3x4xf32>', "3x4xf32")
    add('"chlo.constant"() <{value = dense<[1, 2]> : tensor<2xi32>}> : () -> tensor<2xi32>', "2xi32")
    arguments = [("x", "3x4xf32"), ("row", "4xf32"), ("positive", "3x1xf32"), ("n", "3x4xi32"), ("scalar", "i32"), ("which", "4xi1")]
    inputs = {1: np.array([0.5, 1.5, 2.25, 7], "f"), 2: np.array([[1.5], [2], [9]], "f"), 4: np.array(3, "i")}
    program("broadcasting", signature(arguments, results) + returned(body, results), inputs)


broadcasting()

program(
    "sums_of_products",
    """(%a: tensor<4x6xf32>, %b: tensor<6x5xf32>, %c: tensor<2x4x6xf32>, %d: tensor<6x2x5xf32>, %n: tensor<4x6xi32>) -> (tensor<4x5xf32>, tensor<5x2x4xf32>, tensor<6xf32>, tensor<6x4xf32>, tensor<4x4xi32>, tensor<2x5xf32>)
%0 = "stablehlo.einsum"(%a, %b) {einsum_config = "ab,bc->ac"} : (tensor<4x6xf32>, tensor<6x5xf32>) -> tensor<4x5xf32>
%1 = "stablehlo.einsum"(%c, %d) {einsum_config = "abc,cad->dab"} : (tensor<2x4x6xf32>, tensor<6x2x5xf32>) -> tensor<5x2x4xf32>
%2 = "stablehlo.unary_einsum"(%a) {einsum_config = "ab->b"} : (tensor<4x6xf32>) -> tensor<6xf32>
%3 = "stablehlo.unary_einsum"(%a) {einsum_config = "ab->ba"} : (tensor<4x6xf32>) -> tensor<6x4xf32>
%4 = "stablehlo.einsum"(%n, %n) {einsum_config = "ab,cb->ac"} : (tensor<4x6xi32>, tensor<4x6xi32>) -> tensor<4x4xi32>
%5 = "stablehlo.einsum"(%c, %d) {einsum_config = "abc,cad->ad"} : (tensor<2x4x6xf32>, tensor<6x2x5xf32>) -> tensor<2x5xf32>
return %0, %1, %2, %3, %4, %5 : tensor<4x5xf32>, tensor<5x2x4xf32>, tensor<6xf32>, tensor<6x4xf32>, tensor<4x4xi32>, tensor<2x5xf32>""",
    judged="""(%a: tensor<4x6xf32>, %b: tensor<6x5xf32>, %c: tensor<2x4x6xf32>, %d: tensor<6x2x5xf32>, %n: tensor<4x6xi32>) -> (tensor<4x5xf32>, tensor<5x2x4xf32>, tensor<6xf32>, tensor<6x4xf32>, tensor<4x4xi32>, tensor<2x5xf32>)
%z = stablehlo.constant dense<0.0> : tensor<f32>
%0 = stablehlo.dot %a, %b : (tensor<4x6xf32>, tensor<6x5xf32>) -> tensor<4x5xf32>
%p = stablehlo.dot_general %c, %d, batching_dims = [0] x [1], contracting_dims = [2] x [0] : (tensor<2x4x6xf32>, tensor<6x2x5xf32>) -> tensor<2x4x5xf32>
%1 = stablehlo.transpose %p, dims = [2, 0, 1] : (tensor<2x4x5xf32>) -> tensor<5x2x4xf32>
%2 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [0] : (tensor<4x6xf32>, tensor<f32>) -> tensor<6xf32>
%3 = stablehlo.transpose %a, dims = [1, 0] : (tensor<4x6xf32>) -> tensor<6x4xf32>
%4 = stablehlo.dot_general %n, %n, contracting_dims = [1] x [1] : (tensor<4x6xi32>, tensor<4x6xi32>) -> tensor<4x4xi32>
%5 = stablehlo.reduce(%p init: %z) applies stablehlo.add across dimensions = [1] : (tensor<2x4x5xf32>, tensor<f32>) -> tensor<2x5xf32>
return %0, %1, %2, %3, %4, %5 : tensor<4x5xf32>, tensor<5x2x4xf32>, tensor<6xf32>, tensor<6x4xf32>, tensor<4x4xi32>, tensor<2x5xf32>""",
)

def products_of_integers():
    """Integers and truth values, with other types of results, as JAX's `preferred_element_type` asks for."""
    arguments, results, body = [], [], ""
    numbers = "dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {}"
    for i, (element, made) in enumerate([("i8", "f16"), ("i8", "bf16"), ("i8", "f32"), ("i8", "i16"), ("ui8", "f32"), ("i32", "f64"), ("i1", "i1"), ("i1", "f32"), ("i1", "i32")]):
        arguments += [(f"x{i}", f"1x2x4x5x{element}"), (f"k{i}", f"3x2x2x2x{element}"), (f"a{i}", f"4x6x{element}"), (f"b{i}", f"6x3x{element}")]
        body += f"%c{i} = stablehlo.convolution(%x{i}, %k{i}) {numbers} {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}} : (tensor<1x2x4x5x{element}>, tensor<3x2x2x2x{element}>) -> tensor<1x3x3x4x{made}>\n"
        body += f"%d{i} = stablehlo.dot_general %a{i}, %b{i}, contracting_dims = [1] x [0] : (tensor<4x6x{element}>, tensor<6x3x{element}>) -> tensor<4x3x{made}>\n"
        results += [(f"%c{i}", f"1x3x3x4x{made}"), (f"%d{i}", f"4x3x{made}")]
    program("products_of_integers", signature(arguments, results) + returned(body, results), draws=3)


products_of_integers()

# ---- operations that are several others -------------------------------------------------------------------------------


def batch_normalization():
    x, s = "4x6x2", "6"
    arguments, results, body = [], [], ""
    for e in "f32", "f64":
        arguments += [(f"x{e}", f"{x}x{e}"), (f"g{e}", f"{x}x{e}"), *((f"{n}{e}", f"{s}x{e}") for n in "somv")]
        big, small = f"tensor<{x}x{e}>", f"tensor<{s}x{e}>"
        attributes = "{epsilon = 1.0e-3 : f32, feature_index = 1 : i64}"
        body += f"%p{e} = stablehlo.abs %v{e} : {small}\n"
        body += f'%i{e} = "stablehlo.batch_norm_inference"(%x{e}, %s{e}, %o{e}, %m{e}, %p{e}) {attributes} : ({big}, {small}, {small}, {small}, {small}) -> {big}\n'
        body += f'%t{e}:3 = "stablehlo.batch_norm_training"(%x{e}, %s{e}, %o{e}) {attributes} : ({big}, {small}, {small}) -> ({big}, {small}, {small})\n'
        body += f'%d{e}:3 = "stablehlo.batch_norm_grad"(%x{e}, %s{e}, %m{e}, %p{e}, %g{e}) {attributes} : ({big}, {small}, {small}, {small}, {big}) -> ({big}, {small}, {small})\n'
        results += [(f"%i{e}", f"{x}x{e}")]
        for n in "td":
            results += [(f"%{n}{e}#0", f"{x}x{e}"), (f"%{n}{e}#1", f"{s}x{e}"), (f"%{n}{e}#2", f"{s}x{e}")]
    program("batch_normalization", signature(arguments, results) + returned(body, results), tolerance="1e-5")


batch_normalization()

program(
    "selections_and_maps",
    """(%x: tensor<8x6xf32>, %b: tensor<2x8x6xf32>, %i: tensor<2x4xi32>, %y: tensor<8x6xf32>) -> (tensor<2x4x6xf32>, tensor<2x4x6xf32>, tensor<2x8x4x6xf32>, tensor<8x6xf32>, tensor<ui32>, tensor<8x6xf32>, tensor<8x6xf32>)
%0 = "stablehlo.torch_index_select"(%x, %i) {dim = 0 : i64, batch_dims = 0 : i64} : (tensor<8x6xf32>, tensor<2x4xi32>) -> tensor<2x4x6xf32>
%1 = "stablehlo.torch_index_select"(%b, %i) {dim = 1 : i64, batch_dims = 1 : i64} : (tensor<2x8x6xf32>, tensor<2x4xi32>) -> tensor<2x4x6xf32>
%row = stablehlo.slice %i [0:1, 0:4] : (tensor<2x4xi32>) -> tensor<1x4xi32>
%flat = stablehlo.reshape %row : (tensor<1x4xi32>) -> tensor<4xi32>
%both = stablehlo.concatenate %flat, %flat, dim = 0 : (tensor<4xi32>, tensor<4xi32>) -> tensor<8xi32>
%pairs = stablehlo.reshape %both : (tensor<8xi32>) -> tensor<2x4xi32>
%last = "stablehlo.torch_index_select"(%b, %flat) {dim = 2 : i64, batch_dims = 0 : i64} : (tensor<2x8x6xf32>, tensor<4xi32>) -> tensor<2x8x4xf32>
%2 = stablehlo.broadcast_in_dim %last, dims = [0, 1, 2] : (tensor<2x8x4xf32>) -> tensor<2x8x4x6xf32>
%3 = "stablehlo.map"(%x, %y) ({
^bb0(%l: tensor<f32>, %r: tensor<f32>):
  %p = stablehlo.multiply %l, %r : tensor<f32>
  %two = stablehlo.constant dense<2.0> : tensor<f32>
  %s = stablehlo.add %p, %two : tensor<f32>
  stablehlo.return %s : tensor<f32>
}) {dimensions = array<i64: 0, 1>} : (tensor<8x6xf32>, tensor<8x6xf32>) -> tensor<8x6xf32>
%4 = stablehlo.replica_id : tensor<ui32>
%5 = "stablehlo.cross-replica-sum"(%x) {replica_groups = dense<[[0]]> : tensor<1x1xi64>} : (tensor<8x6xf32>) -> tensor<8x6xf32>
%6 = stablehlo.custom_call @LayoutConstraint(%y) {operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tensor<8x6xf32>) -> tensor<8x6xf32>
return %0, %1, %2, %3, %4, %5, %6 : tensor<2x4x6xf32>, tensor<2x4x6xf32>, tensor<2x8x4x6xf32>, tensor<8x6xf32>, tensor<ui32>, tensor<8x6xf32>, tensor<8x6xf32>""",
    {2: RANDOM.integers(0, 6, (2, 4)).astype("i")},
)


def high_products():
    arguments, results, body, inputs = [], [], "", {}
    for element in "i8", "ui8", "i32", "ui32", "i64", "ui64":
        arguments += [(f"a{element}", f"16x{element}"), (f"b{element}", f"16x{element}")]
        limits = np.iinfo(ELEMENTS[element])
        for _ in range(2):
            values = RANDOM.integers(limits.min, limits.max, 16, dtype=ELEMENTS[element], endpoint=True)
            values[:4] = RANDOM.permutation(np.array([limits.min, limits.max, limits.max, 1], ELEMENTS[element]))
            inputs[len(inputs)] = values
        body += f'%h{element} = "chlo.mulhi"(%a{element}, %b{element}) : (tensor<16x{element}>, tensor<16x{element}>) -> tensor<16x{element}>\n'
        results.append((f"%h{element}", f"16x{element}"))
    program("high_products", signature(arguments, results) + returned(body, results), inputs, tolerance="0")


high_products()

def products_of_groups(a, b, c, sizes, d, e):
    """Rows behind the last group are multiplied by nothing."""
    ends = np.cumsum(sizes)
    rows = [(np.arange(12) >= end - size) & (np.arange(12) < end) for end, size in zip(ends, sizes)]
    return (
        sum((a * row[:, None]) @ b[i] for i, row in enumerate(rows)),
        np.stack([(a * row[:, None]).T @ c for row in rows]),
        np.einsum("mk,gkn->gmn", a, b),
        sum(np.einsum("bmk,bkn->bmn", d * row[:, None], e[i]) for i, row in enumerate(rows)),
        np.stack([np.einsum("bmk,bml->bkl", d * row[:, None], d) for row in rows]),
    )


GROUPS = "precision_config = [#chlo<precision DEFAULT>, #chlo<precision DEFAULT>]"
program(
    "ragged_products",
    f"""(%a: tensor<12x6xf32>, %b: tensor<4x6x8xf32>, %c: tensor<12x8xf32>, %g: tensor<4xi64>, %d: tensor<2x12x6xf32>, %e: tensor<4x2x6x8xf32>) -> (tensor<12x8xf32>, tensor<4x6x8xf32>, tensor<4x12x8xf32>, tensor<2x12x8xf32>, tensor<4x2x6x6xf32>)
%0 = "chlo.ragged_dot"(%a, %b, %g) <{{{GROUPS}, ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}}> : (tensor<12x6xf32>, tensor<4x6x8xf32>, tensor<4xi64>) -> tensor<12x8xf32>
%1 = "chlo.ragged_dot"(%a, %c, %g) <{{{GROUPS}, ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [0], rhs_group_dimensions = []>}}> : (tensor<12x6xf32>, tensor<12x8xf32>, tensor<4xi64>) -> tensor<4x6x8xf32>
%r = stablehlo.broadcast_in_dim %a, dims = [1, 2] : (tensor<12x6xf32>) -> tensor<4x12x6xf32>
%2 = "chlo.ragged_dot"(%r, %b, %g) <{{{GROUPS}, ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = []>}}> : (tensor<4x12x6xf32>, tensor<4x6x8xf32>, tensor<4xi64>) -> tensor<4x12x8xf32>
%3 = "chlo.ragged_dot"(%d, %e, %g) <{{{GROUPS}, ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>}}> : (tensor<2x12x6xf32>, tensor<4x2x6x8xf32>, tensor<4xi64>) -> tensor<2x12x8xf32>
%4 = "chlo.ragged_dot"(%d, %d, %g) <{{{GROUPS}, ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [1], rhs_group_dimensions = []>}}> : (tensor<2x12x6xf32>, tensor<2x12x6xf32>, tensor<4xi64>) -> tensor<4x2x6x6xf32>
return %0, %1, %2, %3, %4 : tensor<12x8xf32>, tensor<4x6x8xf32>, tensor<4x12x8xf32>, tensor<2x12x8xf32>, tensor<4x2x6x6xf32>""",
    {3: np.array([4, 0, 5, 2])},
    reference=products_of_groups,
)

SCAN = """{{
^bb0(%x{n}: tensor<6xf32>, %c{n}: tensor<6xf32>):
  %q{n} = stablehlo.sine %x{n} : tensor<6xf32>
  %s{n} = stablehlo.add %q{n}, %c{n} : tensor<6xf32>
  %t{n} = stablehlo.multiply %s{n}, %x{n} : tensor<6xf32>
  stablehlo.return %t{n}, %s{n} : tensor<6xf32>, tensor<6xf32>
}}"""
program(
    "scans",
    f"""(%a: tensor<8x6xf32>, %b: tensor<6x8xf32>, %i: tensor<6xf32>) -> (tensor<8x6xf32>, tensor<6xf32>, tensor<6x8xf32>, tensor<6xf32>)
%0, %1 = chlo.scan(%a) inits (%i) dimension=0 {SCAN.format(n=0)} : (tensor<8x6xf32>, tensor<6xf32>) -> (tensor<8x6xf32>, tensor<6xf32>)
%2, %3 = chlo.scan(%b) inits (%i) dimension=1 {SCAN.format(n=1)} : (tensor<6x8xf32>, tensor<6xf32>) -> (tensor<6x8xf32>, tensor<6xf32>)
return %0, %1, %2, %3 : tensor<8x6xf32>, tensor<6xf32>, tensor<6x8xf32>, tensor<6xf32>""",
)

# ---- shapes that are operands -----------------------------------------------------------------------------------------

program(
    "known_shapes",
    """(%a: tensor<8x6xf32>, %z: tensor<f32>, %i: tensor<2x4xi32>, %at: tensor<2xi32>, %image: tensor<1x8x8x3xf32>, %k: tensor<3x3x3x2xf32>) -> (tensor<12x4xf32>, tensor<3x6x8xf32>, tensor<3x6xf32>, tensor<12x9xf32>, tensor<2x4x6xf32>, tensor<3x2xf32>, tensor<3x2xf32>, tensor<1x9x8x2xf32>, tensor<i32>, tensor<8x6xf32>)
%eight = stablehlo.get_dimension_size %a, dim = 0 : (tensor<8x6xf32>) -> tensor<i32>
%four = stablehlo.constant dense<4> : tensor<1xi32>
%twelve = stablehlo.constant dense<12> : tensor<1xi32>
%shape = stablehlo.concatenate %twelve, %four, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
%0 = stablehlo.dynamic_reshape %a, %shape : (tensor<8x6xf32>, tensor<2xi32>) -> tensor<12x4xf32>
%s1 = stablehlo.constant dense<[3, 6, 8]> : tensor<3xi64>
%1 = stablehlo.dynamic_broadcast_in_dim %a, %s1, dims = [2, 1] : (tensor<8x6xf32>, tensor<3xi64>) -> tensor<3x6x8xf32>
%s2 = stablehlo.constant dense<[3, 6]> : tensor<2xi32>
%2 = stablehlo.dynamic_iota %s2, dim = 1 : (tensor<2xi32>) -> tensor<3x6xf32>
%low = stablehlo.constant dense<[-1, 1]> : tensor<2xi32>
%sum = stablehlo.add %low, %four_and_one : tensor<2xi32>
%inner = stablehlo.constant dense<[0, 0]> : tensor<2xi32>
%3 = stablehlo.dynamic_pad %a, %z, %low, %sum, %inner : (tensor<8x6xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<12x9xf32>
%sizes = stablehlo.constant dense<[1, 6]> : tensor<2xi32>
%4 = "stablehlo.dynamic_gather"(%a, %i, %sizes) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false} : (tensor<8x6xf32>, tensor<2x4xi32>, tensor<2xi32>) -> tensor<2x4x6xf32>
%from = stablehlo.constant dense<[1, 0]> : tensor<2xi32>
%to = stablehlo.constant dense<[7, 4]> : tensor<2xi32>
%step = stablehlo.constant dense<[2, 2]> : tensor<2xi32>
%5 = stablehlo.real_dynamic_slice %a, %from, %to, %step : (tensor<8x6xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<3x2xf32>
%size = stablehlo.constant dense<[3, 2]> : tensor<2xi32>
%one = stablehlo.constant dense<1> : tensor<2xi32>
%end = stablehlo.add %at, %size : tensor<2xi32>
%6 = stablehlo.real_dynamic_slice %a, %at, %end, %one : (tensor<8x6xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<3x2xf32>
%p = stablehlo.constant dense<[[1, 2], [1, 1]]> : tensor<2x2xi32>
%7 = "stablehlo.dynamic_conv"(%image, %k, %p) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x8x8x3xf32>, tensor<3x3x3x2xf32>, tensor<2x2xi32>) -> tensor<1x9x8x2xf32>
%8 = stablehlo.set_dimension_size %a, %eight, dim = 0 : (tensor<8x6xf32>, tensor<i32>) -> tensor<8x6xf32>
return %0, %1, %2, %3, %4, %5, %6, %7, %eight, %8 : tensor<12x4xf32>, tensor<3x6x8xf32>, tensor<3x6xf32>, tensor<12x9xf32>, tensor<2x4x6xf32>, tensor<3x2xf32>, tensor<3x2xf32>, tensor<1x9x8x2xf32>, tensor<i32>, tensor<8x6xf32>""".replace(
        "%sum = ", "%four_and_one = stablehlo.constant dense<[6, 1]> : tensor<2xi32>\n%sum = "
    ),
    {2: RANDOM.integers(0, 8, (2, 4)).astype("i"), 3: np.array([2, 1], "i")},
    judged="""(%a: tensor<8x6xf32>, %z: tensor<f32>, %i: tensor<2x4xi32>, %at: tensor<2xi32>, %image: tensor<1x8x8x3xf32>, %k: tensor<3x3x3x2xf32>) -> (tensor<12x4xf32>, tensor<3x6x8xf32>, tensor<3x6xf32>, tensor<12x9xf32>, tensor<2x4x6xf32>, tensor<3x2xf32>, tensor<3x2xf32>, tensor<1x9x8x2xf32>, tensor<i32>, tensor<8x6xf32>)
%0 = stablehlo.reshape %a : (tensor<8x6xf32>) -> tensor<12x4xf32>
%1 = stablehlo.broadcast_in_dim %a, dims = [2, 1] : (tensor<8x6xf32>) -> tensor<3x6x8xf32>
%2 = stablehlo.iota dim = 1 : tensor<3x6xf32>
%3 = stablehlo.pad %a, %z, low = [-1, 1], high = [5, 2], interior = [0, 0] : (tensor<8x6xf32>, tensor<f32>) -> tensor<12x9xf32>
%4 = "stablehlo.gather"(%a, %i) {slice_sizes = array<i64: 1, 6>, dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false} : (tensor<8x6xf32>, tensor<2x4xi32>) -> tensor<2x4x6xf32>
%5 = stablehlo.slice %a [1:7:2, 0:4:2] : (tensor<8x6xf32>) -> tensor<3x2xf32>
%6 = stablehlo.slice %a [2:5, 1:3] : (tensor<8x6xf32>) -> tensor<3x2xf32>
%7 = "stablehlo.convolution"(%image, %k) {padding = dense<[[1, 2], [1, 1]]> : tensor<2x2xi64>, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x8x8x3xf32>, tensor<3x3x3x2xf32>) -> tensor<1x9x8x2xf32>
%eight = stablehlo.constant dense<8> : tensor<i32>
return %0, %1, %2, %3, %4, %5, %6, %7, %eight, %a : tensor<12x4xf32>, tensor<3x6x8xf32>, tensor<3x6xf32>, tensor<12x9xf32>, tensor<2x4x6xf32>, tensor<3x2xf32>, tensor<3x2xf32>, tensor<1x9x8x2xf32>, tensor<i32>, tensor<8x6xf32>""",
)

# ---- windows ----------------------------------------------------------------------------------------------------------

SUM = "^bb0(%l{n}: tensor<{t}>, %r{n}: tensor<{t}>):\n  %s{n} = stablehlo.{op} %l{n}, %r{n} : tensor<{t}>\n  stablehlo.return %s{n} : tensor<{t}>\n"
WINDOW = "{window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 1, 2>, padding = dense<[[1, 0], [0, 2]]> : tensor<2x2xi64>}"


def initial_values():
    arguments = [("x", "4x7xf32"), ("n", "4x7xui8"), ("init", "f32"), ("least", "ui8"), ("line", "9xf32"), ("source", "2x4xf32"), ("m", "4x7xi32")]
    results, body = [], ""
    for op in "add", "multiply", "maximum", "minimum":
        i = len(results)
        body += f'%w{i} = "stablehlo.reduce_window"(%x, %init) ({{\n{SUM.format(n=i, t="f32", op=op)}}}) {WINDOW} : (tensor<4x7xf32>, tensor<f32>) -> tensor<4x4xf32>\n'
        results.append((f"%w{i}", "4x4xf32"))
    for op in "maximum", "minimum", "add":
        i = len(results)
        body += f'%w{i} = "stablehlo.reduce_window"(%n, %least) ({{\n{SUM.format(n=i, t="ui8", op=op)}}}) {WINDOW} : (tensor<4x7xui8>, tensor<ui8>) -> tensor<4x4xui8>\n'
        results.append((f"%w{i}", "4x4xui8"))
    body += f'%line_sum = "stablehlo.reduce_window"(%line, %init) ({{\n{SUM.format(n="c", t="f32", op="add")}}}) {{window_dimensions = array<i64: 9>, padding = dense<[[8, 0]]> : tensor<1x2xi64>}} : (tensor<9xf32>, tensor<f32>) -> tensor<9xf32>\n'
    results.append(("%line_sum", "9xf32"))
    body += f"""%least_f = stablehlo.constant dense<0xFF800000> : tensor<f32>
%least_i = stablehlo.constant dense<0> : tensor<i32>
%both:2 = "stablehlo.reduce_window"(%x, %m, %least_f, %least_i) ({{
^bb0(%x0: tensor<f32>, %n0: tensor<i32>, %x1: tensor<f32>, %n1: tensor<i32>):
  %ge = stablehlo.compare GE, %x0, %x1 : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %xs = stablehlo.select %ge, %x0, %x1 : tensor<i1>, tensor<f32>
  %ns = stablehlo.select %ge, %n0, %n1 : tensor<i1>, tensor<i32>
  stablehlo.return %xs, %ns : tensor<f32>, tensor<i32>
}}) {WINDOW} : (tensor<4x7xf32>, tensor<4x7xi32>, tensor<f32>, tensor<i32>) -> (tensor<4x4xf32>, tensor<4x4xi32>)
"""
    results += [("%both#0", "4x4xf32"), ("%both#1", "4x4xi32")]
    for op in "add", "maximum", "multiply":
        body += f"""%g{op} = "stablehlo.select_and_scatter"(%x, %source, %init) ({{
^bb0(%x0: tensor<f32>, %x1: tensor<f32>):
  %a0 = stablehlo.abs %x0 : tensor<f32>
  %a1 = stablehlo.abs %x1 : tensor<f32>
  %ge = stablehlo.compare GE, %a0, %a1 : (tensor<f32>, tensor<f32>) -> tensor<i1>
  stablehlo.return %ge : tensor<i1>
}}, {{
{SUM.format(n="g", t="f32", op=op)}}}) {{window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 2>, padding = dense<[[0, 0], [1, 1]]> : tensor<2x2xi64>}} : (tensor<4x7xf32>, tensor<2x4xf32>, tensor<f32>) -> tensor<4x7xf32>
"""
        results.append((f"%g{op}", "4x7xf32"))
    inputs = {2: np.array(0.75, "f"), 3: np.array(3, "u1")}
    program("initial_values", signature(arguments, results) + returned(body, results), inputs)


initial_values()


def windows_in_order():
    """Bodies that neither commute nor are associative, from initial values that are not neutral: they count once, and what lies beyond the elements does not."""
    arguments = [("x", "4x7xf32"), ("y", "4x7xf32"), ("init", "f32"), ("other", "f32"), ("line", "21xf32")]
    results, body = [], ""
    difference = SUM.format(n="d", t="f32", op="subtract")
    twice = """^bb0(%l: tensor<f32>, %r: tensor<f32>):
  %s = stablehlo.add %l, %r : tensor<f32>
  %t = stablehlo.add %s, %r : tensor<f32>
  %u = stablehlo.subtract %t, %r : tensor<f32>
  stablehlo.return %u : tensor<f32>
"""
    both = """^bb0(%p: tensor<f32>, %q: tensor<f32>, %r: tensor<f32>, %s: tensor<f32>):
  %pr = stablehlo.subtract %p, %r : tensor<f32>
  %ps = stablehlo.multiply %p, %s : tensor<f32>
  %qs = stablehlo.add %q, %ps : tensor<f32>
  stablehlo.return %pr, %qs : tensor<f32>, tensor<f32>
"""

    def add(operands, region, attributes, type):
        nonlocal body
        i, count = len(results), len(operands.split(",")) // 2
        types = ", ".join(f"tensor<{dict(arguments)[name.strip(' %')]}>" for name in operands.split(","))
        made = ", ".join([f"tensor<{type}>"] * count)
        body += f'%w{i}:{count} = "stablehlo.reduce_window"({operands}) ({{\n{region}}}) {{{attributes}}} : ({types}) -> ({made})\n'
        results.extend((f"%w{i}#{n}", type) for n in range(count))

    for operands, region in ("%x, %init", difference), ("%x, %y, %init, %other", both):
        add(operands, region, WINDOW[1:-1], "4x4xf32")
        add(operands, region, "window_dimensions = array<i64: 2, 3>", "3x5xf32")
        add(operands, region, "window_dimensions = array<i64: 2, 3>, base_dilations = array<i64: 2, 3>, window_dilations = array<i64: 1, 2>, padding = dense<[[2, 0], [-1, 1]]> : tensor<2x2xi64>", "8x15xf32")
    # Windows of more than a few elements, of bodies that are associative.
    add("%x, %init", twice, "window_dimensions = array<i64: 4, 5>, padding = dense<[[2, 1], [2, 2]]> : tensor<2x2xi64>", "4x7xf32")
    add("%line, %init", twice, "window_dimensions = array<i64: 18>, window_strides = array<i64: 2>, padding = dense<[[5, 3]]> : tensor<1x2xi64>", "6xf32")
    add("%line, %init", twice, "window_dimensions = array<i64: 21>", "1xf32")
    inputs = {2: np.array(0.75, "f"), 3: np.array(-2, "f")}
    program("windows_in_order", signature(arguments, results) + returned(body, results), inputs, draws=4)


windows_in_order()

# ---- scatters with bodies of any kind ---------------------------------------------------------------------------------

ROWS = "{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>"


def scatters_with_bodies():
    arguments = [("x", "4x6xf32"), ("y", "4x6xi32"), ("i", "4x1xi32"), ("once", "2x1xi32"), ("u", "4x6xf32"), ("v", "4x6xi32"), ("few", "2x6xf32"), ("z", "3x4x5xf32"), ("k", "3x2x2x1xi32"), ("w", "3x2x2x2xf32")]
    results, body = [], ""
    decay = "%h{n} = stablehlo.constant dense<0.5> : tensor<f32>\n%m{n} = stablehlo.multiply %x{n}, %h{n} : tensor<f32>\n%s{n} = stablehlo.add %m{n}, %y{n} : tensor<f32>\nstablehlo.return %s{n} : tensor<f32>"
    for n, indices, updates, count, unique in (0, "%i", "%u", 4, ""), (1, "%once", "%few", 2, ", unique_indices = true"):
        body += f"""%r{n} = "stablehlo.scatter"(%x, {indices}, {updates}) ({{
^bb0(%x{n}: tensor<f32>, %y{n}: tensor<f32>):
{decay.format(n=n)}
}}) {ROWS}{unique}}} : (tensor<4x6xf32>, tensor<{count}x1xi32>, tensor<{count}x6xf32>) -> tensor<4x6xf32>
"""
        results.append((f"%r{n}", "4x6xf32"))
    body += f"""%both:2 = "stablehlo.scatter"(%x, %y, %i, %u, %v) ({{
^bb0(%a: tensor<f32>, %b: tensor<i32>, %c: tensor<f32>, %d: tensor<i32>):
  %ge = stablehlo.compare GE, %a, %c : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %xs = stablehlo.select %ge, %a, %c : tensor<i1>, tensor<f32>
  %ns = stablehlo.select %ge, %b, %d : tensor<i1>, tensor<i32>
  stablehlo.return %xs, %ns : tensor<f32>, tensor<i32>
}}) {ROWS}}} : (tensor<4x6xf32>, tensor<4x6xi32>, tensor<4x1xi32>, tensor<4x6xf32>, tensor<4x6xi32>) -> (tensor<4x6xf32>, tensor<4x6xi32>)
%batched = "stablehlo.scatter"(%z, %k, %w) ({{
^bb0(%x9: tensor<f32>, %y9: tensor<f32>):
{decay.format(n=9)}
}}) {{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [3], input_batching_dims = [0], inserted_window_dims = [1], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [2], index_vector_dim = 3>}} : (tensor<3x4x5xf32>, tensor<3x2x2x1xi32>, tensor<3x2x2x2xf32>) -> tensor<3x4x5xf32>
"""
    results += [("%both#0", "4x6xf32"), ("%both#1", "4x6xi32"), ("%batched", "3x4x5xf32")]
    inputs = {2: np.array([[2], [2], [77], [-1]], "i4"), 3: np.array([[3], [0]], "i4"), 8: np.array([[0], [0], [2], [9]] * 3, "i4").reshape(3, 2, 2, 1)}
    program("scatters_with_bodies", signature(arguments, results) + returned(body, results), inputs)


scatters_with_bodies()

# ---- functions of numbers ---------------------------------------------------------------------------------------------

ENDS = np.array([0, -0.0, 1, -1, np.inf, -np.inf, np.nan, 8, -8.5, 30, -700, 1e-30, 0.5, 2.5, 3, -0.25])


def series():
    arguments, results, body, inputs = [], [], "", {}
    for e in "f32", "f64":
        t = f"tensor<16x{e}>"
        for name, values in ("x", ENDS), ("u", np.clip(np.nan_to_num(ENDS / 8), -1, 1)), ("s", np.abs(np.nan_to_num(ENDS, posinf=4, neginf=1)) % 40 + 1), ("q", np.linspace(0.25, 20, 16)), ("n", np.arange(16) % 6):
            inputs[len(inputs)] = values.astype(ELEMENTS[e])
            arguments.append((name + e, f"16x{e}"))
        for i, line in enumerate((f'"chlo.bessel_i1e"(%x{e}) : ({t}) -> {t}', f'"chlo.erf_inv"(%u{e}) : ({t}) -> {t}', f'"chlo.zeta"(%s{e}, %q{e}) : ({t}, {t}) -> {t}', f'"chlo.polygamma"(%n{e}, %q{e}) : ({t}, {t}) -> {t}')):
            body += f"%r{i}{e} = {line}\n"
            results.append((f"%r{i}{e}", f"16x{e}"))
    program("functions_by_series", signature(arguments, results) + returned(body, results), inputs, draws=2)


series()

# ---- tuples, tokens, calls of other names -----------------------------------------------------------------------------

program(
    "tuples_and_tokens",
    """(%a: tensor<4x6xf32>, %n: tensor<i32>) -> (tensor<4x6xf32>, tensor<i32>)
%t = stablehlo.create_token : !stablehlo.token
%u = stablehlo.after_all %t, %t : !stablehlo.token
%pair = stablehlo.tuple %a, %n : tuple<tensor<4x6xf32>, tensor<i32>>
%whole = stablehlo.tuple %pair, %u : tuple<tuple<tensor<4x6xf32>, tensor<i32>>, !stablehlo.token>
%again = stablehlo.get_tuple_element %whole[0] : (tuple<tuple<tensor<4x6xf32>, tensor<i32>>, !stablehlo.token>) -> tuple<tensor<4x6xf32>, tensor<i32>>
%x = stablehlo.get_tuple_element %again[0] : (tuple<tensor<4x6xf32>, tensor<i32>>) -> tensor<4x6xf32>
%m = stablehlo.get_tuple_element %again[1] : (tuple<tensor<4x6xf32>, tensor<i32>>) -> tensor<i32>
%y, %v = stablehlo.optimization_barrier %x, %u : tensor<4x6xf32>, !stablehlo.token
%0, %1, %2 = stablehlo.while(%z = %y, %k = %m, %w = %v) : tensor<4x6xf32>, tensor<i32>, !stablehlo.token
cond {
  %limit = stablehlo.constant dense<20> : tensor<i32>
  %goes = stablehlo.compare LT, %k, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.return %goes : tensor<i1>
} do {
  %three = stablehlo.constant dense<3> : tensor<i32>
  %next = stablehlo.add %k, %three : tensor<i32>
  %q = stablehlo.cosine %z : tensor<4x6xf32>
  %after = stablehlo.after_all %w : !stablehlo.token
  stablehlo.return %q, %next, %after : tensor<4x6xf32>, tensor<i32>, !stablehlo.token
}
return %0, %1 : tensor<4x6xf32>, tensor<i32>""",
)

program(
    "calls_of_operations",
    """(%x: tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<4x3xf32>, tensor<4x3xi32>, tensor<4x6xf32>)
%0 = stablehlo.custom_call @mhlo.erf(%x) {mhlo.attributes = {}, mhlo.version = 1 : i64} : (tensor<4x6xf32>) -> tensor<4x6xf32>
%1:2 = stablehlo.custom_call @mhlo.topk(%x) {mhlo.attributes = {k = 3 : i64, largest = true}, mhlo.version = 1 : i64} : (tensor<4x6xf32>) -> (tensor<4x3xf32>, tensor<4x3xi32>)
%2 = stablehlo.custom_call @annotate_device_placement(%x) {has_side_effect = true, mhlo.frontend_attributes = {_xla_buffer_placement = "pinned_host"}} : (tensor<4x6xf32>) -> tensor<4x6xf32>
return %0, %1#0, %1#1, %2 : tensor<4x6xf32>, tensor<4x3xf32>, tensor<4x3xi32>, tensor<4x6xf32>""",
    judged="""(%x: tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<4x3xf32>, tensor<4x3xi32>, tensor<4x6xf32>)
%0 = chlo.erf %x : tensor<4x6xf32> -> tensor<4x6xf32>
%1, %2 = chlo.top_k(%x, k = 3) : tensor<4x6xf32> -> (tensor<4x3xf32>, tensor<4x3xi32>)
return %0, %1, %2, %x : tensor<4x6xf32>, tensor<4x3xf32>, tensor<4x3xi32>, tensor<4x6xf32>""",
)

# ---- Shardy -----------------------------------------------------------------------------------------------------------

T = "tensor<8x8xf32>"
program(
    "shardy_collectives",
    f"""(%a: {T}) -> ({T}, {T})
%0 = sdy.reshard %a <@mesh, [{{"x"}}, {{"y"}}]> : {T}
%1 = sdy.all_gather [{{"x"}}, {{}}] %0 out_sharding=<@mesh, [{{}}, {{"y"}}]> : {T}
%2 = stablehlo.sine %1 : {T}
%s = sdy.sharding_constraint %2 <@mesh, [{{}}, {{"y"}}]> : {T}
%3 = sdy.all_slice [{{"x"}}, {{}}] %s out_sharding=<@mesh, [{{"x"}}, {{"y"}}]> : {T}
%4 = sdy.collective_permute %3 out_sharding=<@mesh, [{{"y"}}, {{"x"}}]> : {T}
%5 = sdy.all_to_all [{{"y"}}: 0->1] %4 out_sharding=<@mesh, [{{}}, {{"x", "y"}}]> : {T}
%6 = sdy.reshard %5 <@mesh, [{{}}, {{"x"}}]> : {T}
%7 = stablehlo.dot_general %6, %6, contracting_dims = [1] x [0] {{sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{{}}, {{}}], unreduced={{"x"}}>]>}} : ({T}, {T}) -> {T}
%8 = sdy.reduce_scatter [{{"x"}}, {{}}] %7 out_sharding=<@mesh, [{{"x"}}, {{}}]> : {T}
%9 = sdy.all_reduce {{"x"}} %7 out_sharding=<@mesh, [{{}}, {{}}]> : {T}
%c = sdy.constant dense<2.0> : {T}
%10 = stablehlo.add %9, %c {{sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [i, j])->([i, j]) {{i=8, j=8}}>}} : {T}
%11 = sdy.sharded_to_unreduced [{{"x"}}, {{}}] %8 out_sharding=<@mesh, [{{}}, {{}}], unreduced={{"x"}}> : {T}
%12 = sdy.all_reduce {{"x"}} %11 out_sharding=<@mesh, [{{}}, {{}}]> : {T}
%13 = sdy.sharding_constraint %12 <@one, []> : {T}
return %10, %13 : {T}, {T}""",
    meshes='sdy.mesh @mesh = <["x"=2, "y"=2]>\nsdy.mesh @one = <[], device_ids=[3]>',
    judged=f"""(%a: {T}) -> ({T}, {T})
%0 = stablehlo.sine %a : {T}
%1 = stablehlo.dot %0, %0 : ({T}, {T}) -> {T}
%c = stablehlo.constant dense<2.0> : {T}
%2 = stablehlo.add %1, %c : {T}
return %2, %1 : {T}, {T}""",
    draws=0,
)

# ---- random words -----------------------------------------------------------------------------------------------------

# The third word is the upper half of the counter, into which the second one carries.
program(
    "random_words",
    """(%s: tensor<3xui64>) -> (tensor<3xui64>, tensor<10xui32>, tensor<3xui64>, tensor<3x8xui64>, tensor<3xui64>, tensor<5xui8>)
%0, %1 = stablehlo.rng_bit_generator %s, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<10xui32>)
%2, %3 = stablehlo.rng_bit_generator %0, algorithm = DEFAULT : (tensor<3xui64>) -> (tensor<3xui64>, tensor<3x8xui64>)
%4, %5 = stablehlo.rng_bit_generator %2, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<5xui8>)
return %0, %1, %2, %3, %4, %5 : tensor<3xui64>, tensor<10xui32>, tensor<3xui64>, tensor<3x8xui64>, tensor<3xui64>, tensor<5xui8>""",
    {0: np.array([7 << 40, 2**64 - 5, 2**64 - 1], "u8")},
    tolerance="0",
)

# ---- matrices of short floats -----------------------------------------------------------------------------------------


def half_matrices():
    text = "(%a: tensor<3x4x4xf16>, %b: tensor<3x4x2xf16>) -> (tensor<3x4x4xf16>, tensor<3x4x2xf16>)\n"
    solve = "left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>"
    direct = f"""%0 = "stablehlo.cholesky"(%a) {{lower = true}} : (tensor<3x4x4xf16>) -> tensor<3x4x4xf16>
%1 = "stablehlo.triangular_solve"(%a, %b) {{{solve}}} : (tensor<3x4x4xf16>, tensor<3x4x2xf16>) -> tensor<3x4x2xf16>
"""
    single = f"""%x = stablehlo.convert %a : (tensor<3x4x4xf16>) -> tensor<3x4x4xf32>
%y = stablehlo.convert %b : (tensor<3x4x2xf16>) -> tensor<3x4x2xf32>
%c = "stablehlo.cholesky"(%x) {{lower = true}} : (tensor<3x4x4xf32>) -> tensor<3x4x4xf32>
%i = stablehlo.iota dim = 1 : tensor<3x4x4xi32>
%j = stablehlo.iota dim = 2 : tensor<3x4x4xi32>
%l = stablehlo.compare GE, %i, %j : (tensor<3x4x4xi32>, tensor<3x4x4xi32>) -> tensor<3x4x4xi1>
%z = stablehlo.constant dense<0.0> : tensor<3x4x4xf32>
%f = stablehlo.select %l, %c, %z : tensor<3x4x4xi1>, tensor<3x4x4xf32>
%0 = stablehlo.convert %f : (tensor<3x4x4xf32>) -> tensor<3x4x4xf16>
%s = "stablehlo.triangular_solve"(%x, %y) {{{solve}}} : (tensor<3x4x4xf32>, tensor<3x4x2xf32>) -> tensor<3x4x2xf32>
%1 = stablehlo.convert %s : (tensor<3x4x2xf32>) -> tensor<3x4x2xf16>
"""
    end = "return %0, %1 : tensor<3x4x4xf16>, tensor<3x4x2xf16>"
    matrices = RANDOM.normal(size=(3, 4, 4))
    matrices = matrices @ matrices.swapaxes(1, 2) + 4 * np.eye(4)
    program("half_matrices", text + direct + end, {0: matrices.astype("f2")}, tolerance="1e-3", judged=text + single + end, draws=0)


half_matrices()

# ---- what XLA does not have of the specification ----------------------------------------------------------------------


def orders():
    """Complex numbers in order, their angles and bits, and truth values as bits."""

    def reference(a, b, c, d, e):
        x, y = a + 1j * b, c + 1j * d
        first = (a > c) | ((a == c) & (b > d))
        larger, smaller = np.where(first, x, y), np.where((a < c) | ((a == c) & (b < d)), x, y)
        angle = -1j * np.log((y + 1j * x) / np.sqrt(x * x + y * y))
        words = x.view(np.float32).reshape(-1, 2, 2)
        bits = (e.astype(np.int64) << np.arange(32)).sum(-1).astype(np.uint32).view(np.int32)
        return [larger.real, larger.imag, smaller.real, smaller.imag, angle.real, angle.imag, words[..., 0], words[..., 1], a, b, bits, e]

    parts = "tensor<64xf64>"
    z, words = "tensor<64xcomplex<f64>>", "tensor<64x2xcomplex<f32>>"
    body = "".join(f"%{z_} = stablehlo.complex %{re}, %{im} : {z}\n" for z_, re, im in (("x", "a", "b"), ("y", "c", "d")))
    results = []
    for op in "maximum", "minimum", "atan2":
        body += f"%{op} = stablehlo.{op} %x, %y : {z}\n"
        for part in "real", "imag":
            body += f"%{op}_{part} = stablehlo.{part} %{op} : ({z}) -> {parts}\n"
            results.append((f"%{op}_{part}", "64xf64"))
    body += f"%w = stablehlo.bitcast_convert %x : ({z}) -> {words}\n%v = stablehlo.bitcast_convert %w : ({words}) -> {z}\n"
    for name, value, type, result in ("w", "w", words, "64x2xf32"), ("v", "v", z, "64xf64"):
        for part in "real", "imag":
            body += f"%{name}_{part} = stablehlo.{part} %{value} : ({type}) -> tensor<{result}>\n"
            results.append((f"%{name}_{part}", result))
    body += "%bits = stablehlo.bitcast_convert %e : (tensor<3x32xi1>) -> tensor<3xi32>\n%truths = stablehlo.bitcast_convert %bits : (tensor<3xi32>) -> tensor<3x32xi1>\n"
    results += [("%bits", "3xi32"), ("%truths", "3x32xi1")]
    arguments = [(name, "64xf64") for name in "abcd"] + [("e", "3x32xi1")]
    few = np.tile([1.0, 2.0, -1.0, 1.0], 16)
    program("orders_and_bits", signature(arguments, results) + returned(body, results), {0: few, 2: np.roll(few, 1)}, "1e-12", reference=reference, draws=2)


orders()

# ---- long windows of several operands ---------------------------------------------------------------------------------


def long_windows():
    product = """^bb0(%p: tensor<f64>, %q: tensor<f64>, %r: tensor<f64>, %s: tensor<f64>):
  %pr = stablehlo.multiply %p, %r : tensor<f64>
  %qs = stablehlo.multiply %q, %s : tensor<f64>
  %ps = stablehlo.multiply %p, %s : tensor<f64>
  %qr = stablehlo.multiply %q, %r : tensor<f64>
  %re = stablehlo.subtract %pr, %qs : tensor<f64>
  %im = stablehlo.add %ps, %qr : tensor<f64>
  stablehlo.return %re, %im : tensor<f64>, tensor<f64>
"""
    first = """^bb0(%p: tensor<f64>, %q: tensor<i32>, %r: tensor<f64>, %s: tensor<i32>):
  %ge = stablehlo.compare GE, %p, %r : (tensor<f64>, tensor<f64>) -> tensor<i1>
  %v = stablehlo.select %ge, %p, %r : tensor<i1>, tensor<f64>
  %n = stablehlo.select %ge, %q, %s : tensor<i1>, tensor<i32>
  stablehlo.return %v, %n : tensor<f64>, tensor<i32>
"""
    body = """%one = stablehlo.constant dense<1.0> : tensor<f64>
%zero = stablehlo.constant dense<0.0> : tensor<f64>
%low = stablehlo.constant dense<-1.0e9> : tensor<f64>
%none = stablehlo.constant dense<-1> : tensor<i32>
%places = stablehlo.iota dim = 1 : tensor<2x60xi32>
"""
    results = []

    def add(name, operands, inits, block, attributes, types, shape):
        nonlocal body
        size = "x".join(map(str, shape))
        inputs = ", ".join(f"tensor<{of}>" for of, _ in types) + ", " + ", ".join(f"tensor<{e}>" for _, e in types)
        outputs = ", ".join(f"tensor<{size}x{e}>" for _, e in types)
        body += f'%{name}:2 = "stablehlo.reduce_window"({operands}, {inits}) ({{\n{block}}}) {{{attributes}}} : ({inputs}) -> ({outputs})\n'
        results.extend((f"%{name}#{i}", f"{size}x{e}") for i, (_, e) in enumerate(types))

    reals = [("2x60xf64", "f64")] * 2
    add("products", "%x, %y", "%one, %zero", product, "window_dimensions = array<i64: 1, 37>, window_strides = array<i64: 1, 2>, padding = dense<[[0, 0], [36, 3]]> : tensor<2x2xi64>", reals, (2, 32))
    add("largest", "%x, %places", "%low, %none", first, "window_dimensions = array<i64: 1, 20>, window_dilations = array<i64: 1, 2>, padding = dense<[[0, 0], [5, 0]]> : tensor<2x2xi64>", [reals[0], ("2x60xi32", "i32")], (2, 27))
    add("running", "%u, %w", "%one, %zero", product, "window_dimensions = array<i64: 1500>, padding = dense<[[1499, 0]]> : tensor<1x2xi64>", [("1500xf64", "f64")] * 2, (1500,))
    angles = np.random.default_rng(7).normal(size=1500) / 9
    arguments = [("x", "2x60xf64"), ("y", "2x60xf64"), ("u", "1500xf64"), ("w", "1500xf64")]
    program("long_windows", signature(arguments, results) + returned(body, results), {2: np.cos(angles), 3: np.sin(angles)}, "1e-9", draws=4)


long_windows()


if __name__ == "__main__":
    only_lines = sys.argv[1:2] == ["--lines"]
    for name in sys.argv[1 + only_lines :] or PROGRAMS:
        (write_lines if only_lines else write)(name)
