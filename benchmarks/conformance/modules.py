"""StableHLO that JAX does not write by itself, as text; XLA on the CPU runs it for the expected values."""

import numpy as np

from cases import EXACT, ROUNDED, SUMS, Case, random

BODY = """
    ^bb0(%a: tensor<{t}>, %b: tensor<{t}>):
      {body}
      stablehlo.return %r : tensor<{t}>
"""


def module(signature, body):
    return f"func.func public @main({signature} {{\n{body}\n}}\n"


def scatter(update, t, extra=""):
    return module(
        f"%x: tensor<4x6x{t}>, %i: tensor<3x1xi32>, %u: tensor<3x6x{t}>) -> tensor<4x6x{t}>",
        f"""  %0 = "stablehlo.scatter"(%x, %i, %u) <{{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>{extra}}}> ({{
    ^bb0(%a: tensor<{t}>, %b: tensor<{t}>):
{update}
      stablehlo.return %r : tensor<{t}>
    }}) : (tensor<4x6x{t}>, tensor<3x1xi32>, tensor<3x6x{t}>) -> tensor<4x6x{t}>
  return %0 : tensor<4x6x{t}>""",
    )


SCATTER_BODIES = {
    "subtract": "%r = stablehlo.subtract %a, %b : tensor<{t}>",
    "add_twice": "%c = stablehlo.add %b, %b : tensor<{t}>\n %r = stablehlo.add %a, %c : tensor<{t}>",
    "decay": "%h = stablehlo.constant dense<2> : tensor<{t}>\n %c = stablehlo.multiply %a, %h : tensor<{t}>\n %r = stablehlo.add %c, %b : tensor<{t}>",
    "first": "%r = stablehlo.add %a, %a : tensor<{t}>",
    "divide": "%r = stablehlo.divide %a, %b : tensor<{t}>",
}


def scatters():
    indices = np.array([[2], [2], [77]], np.int32)
    for name, body in SCATTER_BODIES.items():
        for t, numpy_name in (("f32", "float32"), ("i32", "int32")):
            text = body.format(t=t)
            if t == "f32":
                text = text.replace("dense<2>", "dense<2.0>")
            u = random(numpy_name, (3, 6), 1)
            u = np.where(u == 0, 1, u).astype(u.dtype)
            yield Case(f"module.scatter_{name}.{t}", None, [random(numpy_name, (4, 6)), indices, u], SUMS, scatter(text, t))
    unique = np.array([[2], [0], [77]], np.int32)
    for name in ("subtract", "decay"):
        yield Case(f"module.scatter_{name}_unique.f32", None, [random("float32", (4, 6)), unique, random("float32", (3, 6), 1)], SUMS, scatter(SCATTER_BODIES[name].format(t="f32").replace("dense<2>", "dense<2.0>"), "f32", ", unique_indices = true"))
    yield Case(
        "module.scatter_variadic",
        None,
        [random("float32", (4, 6)), random("int32", (4, 6)), indices, random("float32", (3, 6), 1), random("int32", (3, 6), 1)],
        SUMS,
        module(
            "%x: tensor<4x6xf32>, %y: tensor<4x6xi32>, %i: tensor<3x1xi32>, %u: tensor<3x6xf32>, %v: tensor<3x6xi32>) -> (tensor<4x6xf32>, tensor<4x6xi32>)",
            """  %0:2 = "stablehlo.scatter"(%x, %y, %i, %u, %v) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<i32>, %c: tensor<f32>, %d: tensor<i32>):
      %p = stablehlo.add %a, %c : tensor<f32>
      %q = stablehlo.maximum %b, %d : tensor<i32>
      stablehlo.return %p, %q : tensor<f32>, tensor<i32>
    }) : (tensor<4x6xf32>, tensor<4x6xi32>, tensor<3x1xi32>, tensor<3x6xf32>, tensor<3x6xi32>) -> (tensor<4x6xf32>, tensor<4x6xi32>)
  return %0#0, %0#1 : tensor<4x6xf32>, tensor<4x6xi32>""",
        ),
    )
    yield Case(
        "module.scatter_variadic_mixed",
        None,
        [random("float32", (4, 6)), random("float32", (4, 6), 3), indices, random("float32", (3, 6), 1), random("float32", (3, 6), 2)],
        SUMS,
        module(
            "%x: tensor<4x6xf32>, %y: tensor<4x6xf32>, %i: tensor<3x1xi32>, %u: tensor<3x6xf32>, %v: tensor<3x6xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>)",
            """  %0:2 = "stablehlo.scatter"(%x, %y, %i, %u, %v) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
      %m = stablehlo.compare GE, %a, %c : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %p = stablehlo.select %m, %a, %c : tensor<i1>, tensor<f32>
      %q = stablehlo.select %m, %b, %d : tensor<i1>, tensor<f32>
      stablehlo.return %p, %q : tensor<f32>, tensor<f32>
    }) : (tensor<4x6xf32>, tensor<4x6xf32>, tensor<3x1xi32>, tensor<3x6xf32>, tensor<3x6xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>)
  return %0#0, %0#1 : tensor<4x6xf32>, tensor<4x6xf32>""",
        ),
    )


def windows():
    x, y = random("float32", (4, 6)), random("float32", (4, 6), 1)
    attributes = "window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 1, 2>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[1, 0], [0, 1]]> : tensor<2x2xi64>"
    for name, body in {
        "sum_from_2": "%r = stablehlo.add %a, %b : tensor<f32>",
        "max_from_2": "%r = stablehlo.maximum %a, %b : tensor<f32>",
        "mul_from_2": "%r = stablehlo.multiply %a, %b : tensor<f32>",
        "general": "%c = stablehlo.multiply %a, %b : tensor<f32>\n %r = stablehlo.add %c, %b : tensor<f32>",
    }.items():
        if name == "general":
            continue  # Not associative: no order is specified.
        yield Case(
            f"module.reduce_window_{name}",
            None,
            [x],
            SUMS,
            module(
                "%x: tensor<4x6xf32>) -> tensor<4x3xf32>",
                f"""  %i = stablehlo.constant dense<2.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %i) <{{{attributes}}}> ({{
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      {body}
      stablehlo.return %r : tensor<f32>
    }}) : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>""",
            ),
        )
    yield Case(
        "module.reduce_window_variadic",
        None,
        [x, y],
        SUMS,
        module(
            "%x: tensor<4x6xf32>, %y: tensor<4x6xf32>) -> (tensor<4x3xf32>, tensor<4x3xf32>)",
            f"""  %i = stablehlo.constant dense<0.0> : tensor<f32>
  %j = stablehlo.constant dense<2.0> : tensor<f32>
  %0:2 = "stablehlo.reduce_window"(%x, %y, %i, %j) <{{{attributes}}}> ({{
    ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
      %p = stablehlo.add %a, %c : tensor<f32>
      %q = stablehlo.maximum %b, %d : tensor<f32>
      stablehlo.return %p, %q : tensor<f32>, tensor<f32>
    }}) : (tensor<4x6xf32>, tensor<4x6xf32>, tensor<f32>, tensor<f32>) -> (tensor<4x3xf32>, tensor<4x3xf32>)
  return %0#0, %0#1 : tensor<4x3xf32>, tensor<4x3xf32>""",
        ),
    )
    for name, select, combine, start in [("from_2", "GE", "add", "2.0"), ("max", "GE", "maximum", "0.0"), ("least", "LE", "add", "0.0"), ("product", "GE", "multiply", "1.0"), ("greater", "GT", "add", "0.0")]:
        yield Case(
            f"module.select_and_scatter_{name}",
            None,
            [x, random("float32", (2, 3), 2)],
            SUMS,
            module(
                "%x: tensor<4x6xf32>, %s: tensor<2x3xf32>) -> tensor<4x6xf32>",
                f"""  %i = stablehlo.constant dense<{start}> : tensor<f32>
  %0 = "stablehlo.select_and_scatter"(%x, %s, %i) <{{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}}> ({{
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.compare {select}, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    }}, {{
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %r = stablehlo.{combine} %a, %b : tensor<f32>
      stablehlo.return %r : tensor<f32>
    }}) : (tensor<4x6xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>""",
            ),
        )


def others():
    yield Case("module.replica_id", None, [], EXACT, module(") -> tensor<ui32>", "  %0 = stablehlo.replica_id : tensor<ui32>\n  return %0 : tensor<ui32>"))
    yield Case(
        "module.get_dimension_size",
        None,
        [random("float32", (4, 6))],
        EXACT,
        module("%x: tensor<4x6xf32>) -> tensor<i32>", "  %0 = stablehlo.get_dimension_size %x, dim = 1 : (tensor<4x6xf32>) -> tensor<i32>\n  return %0 : tensor<i32>"),
    )
    yield Case(
        "module.set_dimension_size",
        None,
        [random("float32", (4, 6))],
        EXACT,
        module(
            "%x: tensor<4x6xf32>) -> tensor<4x6xf32>",
            "  %s = stablehlo.constant dense<6> : tensor<i32>\n  %0 = stablehlo.set_dimension_size %x, %s, dim = 1 : (tensor<4x6xf32>, tensor<i32>) -> tensor<4x6xf32>\n  return %0 : tensor<4x6xf32>",
        ),
    )
    for t, numpy_name in [("i32", "int32"), ("ui8", "uint8"), ("i8", "int8"), ("i64", "int64")]:
        a = random(numpy_name, (12,))
        b = np.arange(12).astype(a.dtype) - (3 if numpy_name[0] == "i" else 0)
        yield Case(f"module.power.{t}", None, [a, b.astype(a.dtype)], EXACT, module(f"%a: tensor<12x{t}>, %b: tensor<12x{t}>) -> tensor<12x{t}>", f"  %0 = stablehlo.power %a, %b : tensor<12x{t}>\n  return %0 : tensor<12x{t}>"))
    for t, low, high in [("f32", "1.0", "3.0"), ("i32", "-5", "5"), ("f64", "0.0", "1.0"), ("bf16", "0.0", "1.0")]:
        # Nothing determines the numbers: only whether they lie between is compared.
        yield Case(
            f"module.rng_uniform.{t}",
            None,
            [],
            EXACT,
            module(
                ") -> tensor<i1>",
                f"""  %a = stablehlo.constant dense<{low}> : tensor<{t}>
  %b = stablehlo.constant dense<{high}> : tensor<{t}>
  %s = stablehlo.constant dense<[8, 16]> : tensor<2xi64>
  %0 = stablehlo.rng %a, %b, %s, distribution = UNIFORM : (tensor<{t}>, tensor<{t}>, tensor<2xi64>) -> tensor<8x16x{t}>
  %l = stablehlo.broadcast_in_dim %a, dims = [] : (tensor<{t}>) -> tensor<8x16x{t}>
  %h = stablehlo.broadcast_in_dim %b, dims = [] : (tensor<{t}>) -> tensor<8x16x{t}>
  %1 = stablehlo.compare GE, %0, %l : (tensor<8x16x{t}>, tensor<8x16x{t}>) -> tensor<8x16xi1>
  %2 = stablehlo.compare LE, %0, %h : (tensor<8x16x{t}>, tensor<8x16x{t}>) -> tensor<8x16xi1>
  %3 = stablehlo.and %1, %2 : tensor<8x16xi1>
  %4 = stablehlo.constant dense<true> : tensor<i1>
  %5 = stablehlo.reduce(%3 init: %4) applies stablehlo.and across dimensions = [0, 1] : (tensor<8x16xi1>, tensor<i1>) -> tensor<i1>
  return %5 : tensor<i1>""",
            ),
        )
    yield Case(
        "module.rng_normal.f32",
        None,
        [],
        EXACT,
        module(
            ") -> tensor<i1>",
            """  %a = stablehlo.constant dense<10.0> : tensor<f32>
  %b = stablehlo.constant dense<1.0> : tensor<f32>
  %s = stablehlo.constant dense<[64, 64]> : tensor<2xi64>
  %0 = stablehlo.rng %a, %b, %s, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<64x64xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %1 = stablehlo.reduce(%0 init: %z) applies stablehlo.add across dimensions = [0, 1] : (tensor<64x64xf32>, tensor<f32>) -> tensor<f32>
  %n = stablehlo.constant dense<4096.0> : tensor<f32>
  %m = stablehlo.divide %1, %n : tensor<f32>
  %d = stablehlo.subtract %m, %a : tensor<f32>
  %e = stablehlo.abs %d : tensor<f32>
  %l = stablehlo.constant dense<0.1> : tensor<f32>
  %c = stablehlo.compare LT, %e, %l : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %c : tensor<i1>""",
        ),
    )


def cases():
    for family in (scatters, windows, others):
        yield from family()
