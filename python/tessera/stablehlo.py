"""StableHLO modules: read in any of their forms, complete, print in the generic form that `tesserac` reads.

The StableHLO and Shardy dialects are those of `jaxlib`. It is imported where it is needed, here as in the rest of this
package: compiled programs run without JAX.
"""

import io
import math
import re

from .compiler import run_compiler
from .locations import shorten

_BYTECODE_MAGIC = b"ML\xefR"
_HOST_CALLBACK = "xla_ffi_python_cpu_callback"


# What only StableHLO's own dialects can change in a module: functions of Python that it calls, and what JAX shall be shown of it.
_CHANGED = (_HOST_CALLBACK.encode(), b"sharding_constraint", b"!stablehlo.token")
_LOCATION = re.compile(r' loc\((?:#loc\d*|unknown|"(?:[^"\\]|\\.)*")\)')
_ALIAS = re.compile(r"^#loc\d* = .*\n", re.MULTILINE)
_MODULE_NAME = re.compile(r'"builtin\.module"\(\) <\{[^\n]*?sym_name = "([^"\n]*)"')


def read(data):
    """The portable bytecode `data` as text that `tesserac` reads, as it does itself; None if something in it must be changed in StableHLO's dialects."""
    if not data.startswith(_BYTECODE_MAGIC) or any(part in data for part in _CHANGED[:2]):
        return None
    text = run_compiler(["--compile-to=read"], data).decode()
    return None if _CHANGED[2].decode() in text else text


def without_locations(text):
    """What `read` gives, equal for modules that compute the same and come from different lines."""
    return _LOCATION.sub("", _ALIAS.sub("", text))


def name_in(text):
    """What the module is called that `read` gave."""
    found = _MODULE_NAME.match(text[text.index('"builtin.module"') :])
    return found[1] if found else "main"


def make_context():
    """An MLIR context with the dialects of `jaxlib`."""
    from jax.interpreters import mlir

    context = mlir.make_ir_context()
    context.allow_unregistered_dialects = True
    return context


def _main(ir, module):
    for operation in module.body.operations:
        if operation.operation.name == "func.func" and ir.StringAttr(operation.attributes["sym_name"]).value == "main":
            return operation
    raise ValueError("expected a function 'main' in the module")


def _dictionaries(ir, function, attribute, count):
    """The per-argument or per-result attributes of `function` as a list of Python dictionaries."""
    if attribute not in function.attributes:
        return [{} for _ in range(count)]
    return [{named.name: named.attr for named in ir.DictAttr(entry)} for entry in ir.ArrayAttr(function.attributes[attribute])]


def _set_dictionaries(ir, function, attribute, dictionaries):
    function.attributes[attribute] = ir.ArrayAttr.get([ir.DictAttr.get(entry) for entry in dictionaries])


def resolve_donations(module):
    """Gives every donated argument of `main` the result that may reuse its memory.

    JAX leaves the choice open (`jax.buffer_donor`) when results have no sharding. The rule is JAX's own for one device:
    in order, each result takes the first donated argument of its type that is still free (`tf.aliasing_output`).
    """
    from jaxlib.mlir import ir

    with module.context:
        main = _main(ir, module)
        type = ir.FunctionType(ir.TypeAttr(main.attributes["function_type"]).value)
        arguments = _dictionaries(ir, main, "arg_attrs", len(type.inputs))
        taken = {ir.IntegerAttr(a["tf.aliasing_output"]).value for a in arguments if "tf.aliasing_output" in a}
        free = {}
        for argument, attributes in zip(type.inputs, arguments):
            if "jax.buffer_donor" in attributes:
                free.setdefault(str(argument), []).append(attributes)
        for index, result in enumerate(type.results):
            if index not in taken and free.get(str(result)):
                attributes = free[str(result)].pop(0)
                del attributes["jax.buffer_donor"]
                attributes["tf.aliasing_output"] = ir.IntegerAttr.get(ir.IntegerType.get_signless(32), index)
        _set_dictionaries(ir, main, "arg_attrs", arguments)


def name_arguments(module, names):
    """Sets the names of `main`'s arguments, which are their locations; `names` has one string per argument."""
    from jaxlib.mlir import ir

    with module.context:
        arguments = _main(ir, module).regions[0].blocks[0].arguments
        if len(names) != len(arguments):
            raise ValueError(f"expected {len(arguments)} argument names, got {len(names)}")
        for argument, name in zip(arguments, names):
            argument.set_location(ir.Location.name(name))


def name_results(module, names):
    """Sets the names of `main`'s results (`jax.result_info`); `names` has one string per result."""
    from jaxlib.mlir import ir

    with module.context:
        main = _main(ir, module)
        type = ir.FunctionType(ir.TypeAttr(main.attributes["function_type"]).value)
        if len(names) != len(type.results):
            raise ValueError(f"expected {len(type.results)} result names, got {len(names)}")
        results = _dictionaries(ir, main, "res_attrs", len(names))
        for attributes, name in zip(results, names):
            attributes["jax.result_info"] = ir.StringAttr.get(name)
        _set_dictionaries(ir, main, "res_attrs", results)


def calls_host(module):
    """Whether functions of Python are called."""
    return f'"{_HOST_CALLBACK}"' in print_anonymous(module)


_CONSTRAINT = "sdy.sharding_constraint"


def print_unconstrained(module):
    """`module`, which loses its constraints of shardings, as text that JAX can show as a module of XLA; None where it has none."""
    from jaxlib.mlir import ir

    constraints = []

    def collect(operation):
        if operation.name == _CONSTRAINT:
            constraints.append(operation)
        return ir.WalkResult.ADVANCE

    with module.context:
        module.operation.walk(collect)
        for constraint in constraints:
            constraint.results[0].replace_all_uses_with(constraint.operands[0])
            constraint.erase()
    return print_anonymous(module) if constraints else None


def token_places(module):
    """The places of tokens among the arguments, and among the results, of `main`."""
    from jaxlib.mlir import ir

    with module.context:
        type = ir.FunctionType(ir.TypeAttr(_main(ir, module).attributes["function_type"]).value)
        return tuple([place for place, part in enumerate(parts) if str(part) == "!stablehlo.token"] for parts in (type.inputs, type.results))


def allow_host_callbacks(module):
    """Says that functions of Python may be called, wherever their operands are."""
    from jaxlib.mlir import ir

    def simplify(operation):
        if operation.name == "stablehlo.custom_call" and ir.StringAttr(operation.attributes["call_target_name"]).value == _HOST_CALLBACK:
            # Of tokens, too, which are no arrays; and on one device.
            for name in ("operand_layouts", "result_layouts", "sdy.sharding", "mhlo.sharding"):
                if name in operation.attributes:
                    del operation.attributes[name]
        return ir.WalkResult.ADVANCE

    with module.context:
        module.operation.walk(simplify)
        module.operation.attributes["jax.host_callbacks"] = ir.UnitAttr.get()


def parse(data, context=None):
    """The module in `data` (bytes): MLIR text in either form, MLIR bytecode, StableHLO's portable bytecode, or what
    `jax.export.Exported.serialize` writes. Raises ValueError when it is none of these."""
    from jaxlib.mlir import ir

    context = context or make_context()
    try:
        if data.startswith(_BYTECODE_MAGIC):
            return _parse_bytecode(ir, context, data)
        if b"\0" in data[:1024]:
            from jax import export

            return _parse_bytecode(ir, context, export.deserialize(bytearray(data)).mlir_module_serialized)
        return ir.Module.parse(data.decode("utf-8"), context)
    except Exception as error:  # jaxlib raises several classes of its own.
        raise ValueError(f"expected StableHLO text, MLIR bytecode or a jax.export file: {error}") from None


def _parse_bytecode(ir, context, data):
    from jaxlib.mlir.dialects import stablehlo

    try:
        return stablehlo.deserialize_portable_artifact(context, data)
    except Exception:
        return ir.Module.parse(data, context)


def copy(module):
    """A copy of `module` in the same context."""
    buffer = io.BytesIO()
    module.operation.write_bytecode(buffer)
    return type(module).parse(buffer.getvalue(), module.context)


_BOOLEANS = re.compile(r'dense<"0x([0-9A-F]+)"> : tensor<((?:\d+x)+)i1>')


def pack_booleans(text):
    """`text` with large constants of `i1` as `tesserac` reads them, eight elements in a byte, the first in its lowest bit.

    The MLIR in newer versions of JAX prints a byte for each. What is packed already stays as it is.
    """

    def pack(match):
        data = bytes.fromhex(match[1])
        if len(data) != math.prod(int(size) for size in match[2].split("x")[:-1]):
            return match[0]
        bits = [sum(bit << place for place, bit in enumerate(data[start : start + 8])) for start in range(0, len(data), 8)]
        return f'dense<"0x{bytes(bits).hex().upper()}"> : tensor<{match[2]}i1>'

    return _BOOLEANS.sub(pack, text)


def print_generic(module, **places):
    """`module` in MLIR's generic form, with short locations; `places` as for `locations.shorten`."""
    text = module.operation.get_asm(print_generic_op_form=True, enable_debug_info=True)
    return shorten(pack_booleans(text), **places)


def print_anonymous(module):
    """`module` without locations: equal for modules that compute the same and come from different lines."""
    return module.operation.get_asm(print_generic_op_form=True, enable_debug_info=False)


def module_name(module):
    """What `module` is called."""
    from jaxlib.mlir import ir

    return ir.StringAttr(module.operation.attributes["sym_name"]).value if "sym_name" in module.operation.attributes else "main"


def normalize(data, **places):
    """What `parse` reads, as text that `tesserac` reads; `places` as for `locations.shorten`."""
    module = parse(data)
    resolve_donations(module)
    return print_generic(module, **places)
