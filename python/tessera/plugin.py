"""The plugin by which unchanged JAX programs run on Tessera: `JAX_PLATFORMS=tessera TESSERA_DEVICES=8 python train.py`.

The plugin itself is `libtessera_pjrt.so`. It asks this module to compile: the compiler reads the modules that it gets, but for those that
must be changed before, for which JAX's dialects are in this process.
"""

import collections
import copy
import ctypes
import dataclasses
import functools
import hashlib
import json
import os
import re
import threading
import types

from . import stablehlo
from .compiling import Compiler
from .errors import TesseraError
from .host_callbacks import HostCallbacks
from .tools import find_library

PLATFORM = "tessera"
# Codes of errors.
_CANCELLED, _INVALID, _UNIMPLEMENTED, _INTERNAL = 1, 3, 12, 13
# Functions of Python that modules call by their number here.
_HOST_FUNCTIONS = []
_MODULES_OF_A_CONTEXT = 64
# A program of fewer operations runs on one thread for each rank.
_SMALL_WORK = 1e6

_COMPILE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p)
_BEGIN = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_int64, ctypes.c_int32)
_END = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class _Functions(ctypes.Structure):
    """`TesseraPjrtCompiler`."""

    _fields_ = [("compile", _COMPILE), ("begin", _BEGIN), ("end", _END)]


def initialize():
    """Registers the platform `tessera` with JAX, if its platforms are asked for by name: who has this package installed need not want them."""
    import jax
    from jax._src import xla_bridge

    if PLATFORM not in (jax.config.jax_platforms or "").split(","):
        return
    options = {"devices": _number("TESSERA_DEVICES", 1), "threads": _number("TESSERA_THREADS", 0)}
    _share_lowerings(xla_bridge)
    _share_callbacks()
    path = find_library("libtessera_pjrt.so")
    library = ctypes.CDLL(path)
    library.tessera_pjrt_answer.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t]
    library.tessera_pjrt_answer.restype = None
    library.tessera_pjrt_set_compiler(ctypes.byref(_functions(library)))
    xla_bridge.register_plugin(PLATFORM, library_path=path, options=options)


def _number(variable, default):
    text = os.environ.get(variable, str(default))
    if not text.isdigit():
        raise ValueError(f"{variable}: expected a number, got '{text}'")
    return int(text)


def _share_lowerings(xla_bridge):
    """What JAX lowers in a way of its own for CPUs is lowered so for Tessera, whose runtime has those routines, but for what only XLA takes apart."""
    from jax._src.interpreters import mlir
    from jax._src.lax import ann

    # The platform is not known yet, so that `register_lowering` would refuse it.
    own = {ann.approx_top_k_p: mlir.LoweringRuleEntry(mlir.lower_fun(_exact_top_k, multiple_results=True), inline=True)}
    mlir._platform_specific_lowerings[PLATFORM] = collections.ChainMap(own, mlir._platform_specific_lowerings["cpu"])
    mlir._platforms_with_donation.append(PLATFORM)
    # Known, so that JAX does not say that little may work.
    xla_bridge._nonexperimental_plugins.add(PLATFORM)


def _exact_top_k(operand, *, reduction_dimension, is_max_k, **options):
    """`jax.lax.approx_max_k` and `approx_min_k` with a recall of 1: as many numbers as they promise, the best first."""
    import jax
    from jax._src.lax import ann

    dimension = reduction_dimension % operand.ndim
    promised = ann._approx_top_k_abstract_eval(jax.typeof(operand), reduction_dimension=dimension, is_max_k=is_max_k, **options)[0]
    places = jax.lax.broadcasted_iota("int32", operand.shape, dimension)
    keys = -operand if is_max_k else operand
    _, numbers, places = jax.lax.sort((keys, operand, places), dimension=dimension, num_keys=1)
    return [jax.lax.slice_in_dim(x, 0, promised.shape[dimension], axis=dimension) for x in (numbers, places)]


def _share_callbacks():
    """Calls of Python are lowered as for the CPU, but that their functions are kept here: JAX hands its own only to platforms that it knows."""
    from jax._src import callback

    emit_for_known = callback.emit_python_callback

    @functools.wraps(emit_for_known)
    def emit(ctx, *args, **kwargs):
        if tuple(ctx.module_context.platforms) != (PLATFORM,):
            return emit_for_known(ctx, *args, **kwargs)
        context = copy.copy(ctx.module_context)
        context.platforms, context.host_callbacks = ("cpu",), _HOST_FUNCTIONS
        context.backend = types.SimpleNamespace(platform="cpu")  # Asked for its name only.
        return emit_for_known(dataclasses.replace(ctx, module_context=context), *args, **kwargs)

    callback.emit_python_callback = emit


@functools.cache
def _functions(library):
    """For the plugin, which keeps a copy; the functions live as long as the process."""

    def compile(module, size, options, option_size, answer):
        text = json.dumps(_answer(ctypes.string_at(module, size), ctypes.string_at(options, option_size))).encode()
        library.tessera_pjrt_answer(answer, text, len(text))

    running = {}

    def begin(_, ranks):
        host = HostCallbacks(_HOST_FUNCTIONS, ranks)
        running[host.address] = host
        return host.address

    def end(address):
        running.pop(address).close()

    return _Functions(_COMPILE(compile), _BEGIN(begin), _END(end))


def _answer(module, options):
    """What the plugin is told about a module."""
    try:
        return _programs().answer(module, options)
    except TesseraError as error:
        return {"error": str(error), "code": _UNIMPLEMENTED if error.status == 1 else _INTERNAL}
    except KeyboardInterrupt:
        return {"error": "interrupted", "code": _CANCELLED}
    except (ValueError, TypeError, NotImplementedError) as error:
        return {"error": str(error), "code": _INVALID}
    except BaseException as error:
        return {"error": f"{type(error).__name__}: {error}", "code": _INTERNAL}


@functools.cache
def _programs():
    return _Programs()


class _Programs:
    """Compiled modules of this process, by their text without locations: the same operation is compiled once, wherever it stands."""

    def __init__(self):
        self.known, self.lock, self.contexts = {}, threading.Lock(), []

    def answer(self, data, options):
        """What the plugin is told of a module."""
        from jaxlib.xla_client import CompileOptions

        options = CompileOptions.ParseFromString(options)
        if options.num_replicas != 1:
            raise NotImplementedError(f"expected one replica, got {options.num_replicas}")
        text = stablehlo.read(data)
        if text is None:
            return self._answer_changed(data, options)
        program = self._program(text, stablehlo.without_locations(text), options)
        return _described(program, options, stablehlo.name_in(text))

    def _answer_changed(self, data, options):
        """The same of a module that must be changed before it is compiled, or shown. Contexts of MLIR are used again, for to make one takes longer than
        to read a small module; they keep all constants, so that they are replaced now and then."""
        with self.lock:
            context, left = self.contexts.pop() if self.contexts else (None, 0)
        context = context or stablehlo.make_context()
        try:
            return self._answer_parsed(stablehlo.parse(data, context), options)
        finally:
            if left != 1:
                with self.lock:
                    self.contexts.append((context, (left or _MODULES_OF_A_CONTEXT) - 1))

    def _answer_parsed(self, module, options):
        stablehlo.resolve_donations(module)
        calls_python = stablehlo.calls_host(module)
        if calls_python:
            stablehlo.allow_host_callbacks(module)
        arguments, results = stablehlo.token_places(module)
        program = self._program(lambda: stablehlo.print_generic(module), stablehlo.print_anonymous(module), options)
        return _described(program, options, stablehlo.module_name(module)) | {
            "functions": int(calls_python),
            "shown": stablehlo.print_unconstrained(module),
            "argument_tokens": arguments,
            "result_tokens": results,
        }

    def _program(self, text, identity, options):
        """The program of a module whose text, or what prints it, is `text`."""
        flags = _flags(options.env_option_overrides)
        key = hashlib.sha256("\0".join([identity, *flags]).encode()).digest()
        with self.lock:
            program = self.known.get(key)
        if program is None:
            program = Compiler(flags=flags).compile_text(text if isinstance(text, str) else text(), identity)
            with self.lock:
                program = self.known.setdefault(key, program)
        return program


def _described(program, options, name):
    work = program.work()
    small = work["flops"] + work["bytes accessed"] < _SMALL_WORK
    return {
        "path": str(program.path),
        "name": name,
        "devices": _device_ids(options),
        "costs": work,
        "functions": 0,
        "shown": None,
        "argument_tokens": [],
        "result_tokens": [],
        "threads": 1 if small else 0,
    }


def _flags(overrides):
    """The compiler options of a jitted function, as flags of `tesserac`, behind those for all."""
    flags = os.environ.get("TESSERA_FLAGS", "").split()
    for name, value in overrides:
        flags.append(f"--{name.replace('_', '-')}" + ("" if value is True else f"={value}"))
    return flags


def _device_ids(options):
    """The devices in the order of the ranks."""
    if options.device_assignment is None:
        return list(range(options.num_partitions))
    return [int(number) for number in re.findall(r"Computation\d+\{(\d+)\}", str(options.device_assignment))]
