#!/usr/bin/env python3
"""Writes docs/operations.md: what element types operations take, and what is sent for them when an operand is split or pending.

Usage: refresh-operations.py BUILD FOLDER. What is sent is what `tesserac` of BUILD makes of a program with nothing but the operation.
"""
import collections
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

build, folder = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
# `k` is longer than the others, so that a sum over it has fewer elements than what is summed.
WHOLE, LONG = 16, 64

# ---- the operations -----------------------------------------------------------------------------------------------------------
# A size is a letter, or an expression of letters: every letter stands for a dimension that may be split.


class Operation:
    """`name` of `operands` (sizes and element type), with `attributes` and the bodies `regions`, gives `results`."""

    def __init__(self, name, operands, results, attributes="", regions="", note=""):
        self.name, self.operands, self.results = name, operands.split(", "), results.split(", ")
        self.attributes, self.regions, self.note = attributes, regions, note

    def dimensions(self):
        """(operand, dimension, letter) of all dimensions that may be split."""
        for number, operand in enumerate(self.operands):
            for dimension, size in enumerate(operand.split()[:-1]):
                if size.isalpha():
                    yield number, dimension, size

    def module(self, split=None, pending=None, uneven=None):
        """A program of it where an operand is split in a dimension, or pending, and the dimension of a letter does not divide."""
        sizes = {letter: (LONG if letter == "k" else WHOLE) - (letter == uneven) for letter in "bijkn"}

        def values(text):
            return re.sub(r"<<(.*?)>>", lambda match: str(eval(match[1], {}, sizes)), text)

        def type_of(text):
            *shape, element = text.split()
            return "tensor<" + "".join(values(f"<<{size}>>") + "x" for size in shape) + element + ">"

        def argument(number, text):
            axes = ["{}"] * (len(text.split()) - 1)
            if split and split[0] == number:
                axes[split[1]] = '{"x"}'
            unreduced = ', unreduced={"x"}' if pending == number else ""
            return f"%v{number}: {type_of(text)} {{sdy.sharding = #sdy.sharding<@mesh, [{', '.join(axes)}]{unreduced}>}}"

        operands, results = [type_of(o) for o in self.operands], [type_of(r) for r in self.results]
        uses = ", ".join(f"%v{i}" for i in range(len(operands)))
        returned = ", ".join(f"%r#{i}" for i in range(len(results)))
        return (
            '"builtin.module"() ({\n"sdy.mesh"() <{mesh = #sdy.mesh<["x"=2]>, sym_name = "mesh"}> : () -> ()\n'
            f"func.func @main({', '.join(map(argument, range(len(operands)), self.operands))}) -> ({', '.join(results)}) {{\n"
            f'%r:{len(results)} = "{self.name}"({uses}) {values(self.attributes and f"<{{{self.attributes}}}>")} {self.regions}'
            f" : ({', '.join(operands)}) -> ({', '.join(results)})\n"
            f'"func.return"({returned}) : ({", ".join(results)}) -> ()\n}}\n}}) : () -> ()\n'
        )


def body(operation, element="f32", result=None, attributes=""):
    """A body of two elements."""
    result = result or element
    return (
        f"({{\n^bb0(%a: tensor<{element}>, %b: tensor<{element}>):\n"
        f'%c = "stablehlo.{operation}"(%a, %b) {attributes} : (tensor<{element}>, tensor<{element}>) -> tensor<{result}>\n'
        f'"stablehlo.return"(%c) : (tensor<{result}>) -> ()\n}})'
    )


LESS = body("compare", result="i1", attributes="<{comparison_direction = #stablehlo<comparison_direction LT>}>")
GREATER = LESS.replace("LT", "GE")
ROWS = "offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1"
PLACES = "update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1"
GENERAL = """({
^bb0(%a: tensor<f32>, %b: tensor<f32>):
%c = "stablehlo.power"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
"stablehlo.return"(%c) : (tensor<f32>) -> ()
})"""


def array(*values):
    return f"array<i64: {', '.join(map(str, values))}>"


OPERATIONS = [
    Operation("stablehlo.negate", "i j f32", "i j f32", note="linear, of one operand"),
    Operation("stablehlo.exponential", "i j f32", "i j f32", note="every other element-wise operation"),
    Operation("stablehlo.add", "i j f32, i j f32", "i j f32"),
    Operation("stablehlo.multiply", "i j f32, i j f32", "i j f32"),
    Operation("stablehlo.maximum", "i j f32, i j f32", "i j f32"),
    Operation("stablehlo.convert", "i j f32", "i j bf16"),
    Operation("stablehlo.reshape", "i j f32", "i*j f32"),
    Operation("stablehlo.transpose", "i j f32", "j i f32", f"permutation = {array(1, 0)}"),
    Operation("stablehlo.broadcast_in_dim", "i f32", "i 16 f32", f"broadcast_dimensions = {array(0)}"),
    Operation("stablehlo.reverse", "i j f32", "i j f32", f"dimensions = {array(1)}"),
    Operation("stablehlo.concatenate", "i j f32, i k f32", "i j+k f32", "dimension = 1 : i64"),
    Operation("stablehlo.slice", "i j f32", "i j-3 f32", f"start_indices = {array(0, 1)}, limit_indices = array<i64: <<i>>, <<j-2>>>, strides = {array(1, 1)}"),
    Operation("stablehlo.pad", "i j f32, f32", "i j+3 f32", f"edge_padding_low = {array(0, 1)}, edge_padding_high = {array(0, 2)}, interior_padding = {array(0, 0)}"),
    Operation("stablehlo.dynamic_slice", "i j f32, i32, i32", "i 4 f32", "slice_sizes = array<i64: <<i>>, 4>"),
    Operation("stablehlo.dynamic_update_slice", "i j f32, i 4 f32, i32, i32", "i j f32"),
    Operation("stablehlo.gather", "i j f32, k 1 i32", "k j f32", f"dimension_numbers = #stablehlo.gather<{ROWS}>, slice_sizes = array<i64: 1, <<j>>>"),
    Operation("stablehlo.scatter", "i j f32, k 1 i32, k j f32", "i j f32", f"scatter_dimension_numbers = #stablehlo.scatter<{PLACES}>", body("add"), "a sum"),
    Operation("stablehlo.scatter", "i j f32, k 1 i32, k j f32", "i j f32", f"scatter_dimension_numbers = #stablehlo.scatter<{PLACES}>", GENERAL, "any body"),
    Operation("stablehlo.reduce", "i j f32, f32", "i f32", f"dimensions = {array(1)}", body("add"), "a sum"),
    Operation("stablehlo.reduce", "i j f32, f32", "i f32", f"dimensions = {array(1)}", body("maximum"), "a maximum"),
    Operation("stablehlo.reduce", "i j f32, f32", "i f32", f"dimensions = {array(1)}", GENERAL, "any body"),
    Operation("stablehlo.reduce_window", "i j f32, f32", "i j-2 f32", f"window_dimensions = {array(1, 3)}", body("add"), "a sum"),
    Operation("stablehlo.reduce_window", "i j f32, f32", "i j f32", "window_dimensions = array<i64: 1, <<j>>>, padding = dense<[[0, 0], [<<j-1>>, 0]]> : tensor<2x2xi64>", body("add"), "a running sum"),
    Operation("stablehlo.select_and_scatter", "i j f32, i j//2 f32, f32", "i j f32", f"window_dimensions = {array(1, 2)}, window_strides = {array(1, 2)}", f"{GREATER[:-1]}, {body('add')[1:]}"),
    Operation("stablehlo.sort", "i j f32", "i j f32", "dimension = 1 : i64, is_stable = true", LESS),
    Operation("chlo.top_k", "i j f32", "i 4 f32, i 4 i32", "k = 4 : i64"),
    Operation("stablehlo.dot_general", "i k f32, k j f32", "i j f32", "dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>"),
    Operation("stablehlo.dot_general", "b i k f32, b k j f32", "b i j f32", "dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>", note="of batches"),
    Operation(
        "stablehlo.convolution",
        "b n i f32, 3 i k f32",
        "b n-2 k f32",
        "batch_group_count = 1 : i64, feature_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>",
    ),
    Operation("stablehlo.fft", "i j f32", "i j//2+1 complex<f32>", "fft_length = array<i64: <<j>>>, fft_type = #stablehlo<fft_type RFFT>", note="of one dimension"),
    Operation("stablehlo.fft", "i j f32", "i j//2+1 complex<f32>", "fft_length = array<i64: <<i>>, <<j>>>, fft_type = #stablehlo<fft_type RFFT>", note="of two dimensions"),
    Operation("stablehlo.cholesky", "b i i f32", "b i i f32", "lower = true"),
]

# ---- what is sent -------------------------------------------------------------------------------------------------------------

SENT = {
    "all_reduce": "all-reduce",
    "reduce_scatter": "reduce-scatter",
    "all_gather": "**all-gather**",
    "all_to_all": "all-to-all",
    "permute": "permute",
    "broadcast": "broadcast",
    "send": "send",
}


def sent(text):
    """The collectives of the partitioned program."""
    run = subprocess.run([build / "bin" / "tesserac", "-", "--compile-to=partition", "-o", "-"], input=text, capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"{text}\n{run.stderr}")
    counts = collections.Counter(name for name in re.findall(r"spmd\.(\w+)", run.stdout) if name in SENT)
    return ", ".join(SENT[name] + (f" ({count})" if count > 1 else "") for name, count in sorted(counts.items())) or "nothing"


def rows(pool):
    """The futures of the table: (operation, operand, dimension or None, [what is sent where it divides, and where not])."""
    for operation in OPERATIONS:
        for number, dimension, letter in operation.dimensions():
            cells = [pool.submit(sent, operation.module(split=(number, dimension), uneven=uneven)) for uneven in (None, letter)]
            yield operation, number, dimension, cells
        for number, operand in enumerate(operation.operands):
            if operand.endswith("f32") and len(operand.split()) > 1:
                yield operation, number, None, [pool.submit(sent, operation.module(pending=number))]


HEAD = """<!-- Generated by scripts/generate-docs.sh: do not edit. -->
# What each operation takes, and what is sent for it

## Element types

Every operation takes the element types that StableHLO says it does, on all targets: CPUs, GPUs, and the interpreter. What is not an element type of later phases is made of ones that are, at import:

| element types | in later phases |
|---|---|
| `i1`, `i8` to `i64`, `ui8` to `ui64` | integers without signs |
| `f16`, `bf16`, `f32`, `f64` | the same |
| `complex<f32>`, `complex<f64>` | pairs of real numbers ([page](rationale/complex.md)) |
| `f8`, `f6`, `f4` in all formats, `i2`, `i4`, `ui2`, `ui4` | bytes ([page](rationale/short-types.md)) |

`benchmarks/conformance` compares operations x element types x edge values with JAX. What is refused stands on [a page of its own](unsupported.md).

## What is sent

On a mesh of two devices, for an operation alone in a program: one operand is split in one dimension, which divides or (one element less) does not; or it is a pending sum. Dimensions are of 16, those of sums of products of 64. The other operands are whole on every device, and so are a program's results that do
not divide. All of this is by the bytes that it takes: **all-gather** marks where gathering an operand, or a result, was the least.

| operation | operand | split, divides | split, does not divide | pending |
|---|---|---|---|---|
"""

# Of rows with an all-gather, why nothing else was less.
REASONS = """
## Why something is gathered

- `stablehlo.reshape`: parts of the minor one of two dimensions that become one are no range of it, nor are parts of 8 and 7 rows halves of it. No sharding of the result is asked for, so that it is whole on every device. Where one is (`lax.with_sharding_constraint`), it is an exchange.
- `stablehlo.gather`, operand 0: 64 rows of a table of 16 are read. Each device could give those that it has, and zeros, but their sum is larger than the table. From a table of more rows than are read it is that sum: an all-reduce.
- `stablehlo.scatter`, a sum, operand 1: indices are gathered, an integer for each row of updates, which every device has.
- `stablehlo.scatter`, any body: updates that meet in an element are combined one after the other, in a loop that reads what it wrote. Rows of the table that are split would be summed over the devices in each iteration.
- `stablehlo.convolution`: the sum over features that are split is pending, and with 64 features larger than the operand with 16. Where results have fewer features than operands, it is an all-reduce.
"""


def main():
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        table = list(rows(pool))
    text = HEAD
    for operation, number, dimension, cells in table:
        name = f"`{operation.name}`" + (f", {operation.note}" if operation.note else "")
        found = [cell.result() for cell in cells]
        operand = f"{number}" if dimension is None else f"{number}, dimension {dimension}"
        text += f"| {name} | {operand} | " + (" | ".join(found) + " | |\n" if dimension is not None else f"| | {found[0]} |\n")
    (folder / "operations.md").write_text(text + REASONS)


if __name__ == "__main__":
    main()
