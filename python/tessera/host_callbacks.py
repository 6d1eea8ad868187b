"""Functions of Python that programs call while they run: `jax.pure_callback`, `io_callback`, `jax.debug.print`.

Ranks call them by call frames of XLA's foreign function interface (`call_frame.h`). Every rank that has the operands asks, and one answer
serves all: of a call with an effect, which the compiler has numbered and never repeats, until every rank has it, so that it happens once on
however many devices; of a pure one, for ranks with equal operands.
"""

import ctypes
import functools
import inspect
import math
import threading

import numpy as np

from .buffers import dtype_of

_DTYPES = {1: "i1", 2: "i8", 3: "i16", 4: "i32", 5: "i64", 6: "u8", 7: "u16", 8: "u32", 9: "u64", 10: "f16", 11: "f32", 12: "f64", 15: "c64", 16: "bf16", 18: "c128"}
_EFFECT = b"tessera.effect"


class _Buffer(ctypes.Structure):
    _fields_ = [
        ("struct_size", ctypes.c_size_t),
        ("extension", ctypes.c_void_p),
        ("dtype", ctypes.c_int32),
        ("data", ctypes.c_void_p),
        ("rank", ctypes.c_int64),
        ("dims", ctypes.POINTER(ctypes.c_int64)),
    ]

    def array(self):
        """The memory as an array, which is there as long as the call."""
        shape, dtype = tuple(self.dims[: self.rank]), _dtype(self.dtype)
        size = math.prod(shape) * dtype.itemsize
        memory = (ctypes.c_char * size).from_address(self.data) if size else b""
        return np.frombuffer(memory, dtype, math.prod(shape)).reshape(shape)


class _Buffers(ctypes.Structure):
    _fields_ = [
        ("struct_size", ctypes.c_size_t),
        ("extension", ctypes.c_void_p),
        ("size", ctypes.c_int64),
        ("kinds", ctypes.c_void_p),
        ("buffers", ctypes.POINTER(ctypes.POINTER(_Buffer))),
    ]

    def arrays(self):
        return [self.buffers[index].contents.array() for index in range(self.size)]


class _Text(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("size", ctypes.c_size_t)]


class _Scalar(ctypes.Structure):
    _fields_ = [("dtype", ctypes.c_int32), ("value", ctypes.POINTER(ctypes.c_uint64))]


class _Parameters(ctypes.Structure):
    _fields_ = [
        ("struct_size", ctypes.c_size_t),
        ("extension", ctypes.c_void_p),
        ("size", ctypes.c_int64),
        ("kinds", ctypes.c_void_p),
        ("names", ctypes.POINTER(ctypes.POINTER(_Text))),
        ("values", ctypes.POINTER(ctypes.POINTER(_Scalar))),
    ]

    def numbers(self):
        """By name; those of these calls are all numbers."""
        names = [ctypes.string_at(text.contents.data, text.contents.size) for text in self.names[: self.size]]
        return {name: self.values[index].contents.value[0] for index, name in enumerate(names)}


class _ErrorArguments(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("extension", ctypes.c_void_p), ("message", ctypes.c_char_p), ("code", ctypes.c_int32)]


class _Api(ctypes.Structure):
    _fields_ = [
        ("struct_size", ctypes.c_size_t),
        ("extension", ctypes.c_void_p),
        ("version", ctypes.c_size_t * 3),
        ("internal", ctypes.c_void_p),
        ("create_error", ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.POINTER(_ErrorArguments))),
    ]


class _Frame(ctypes.Structure):
    _fields_ = [
        ("struct_size", ctypes.c_size_t),
        ("extension", ctypes.c_void_p),
        ("api", ctypes.POINTER(_Api)),
        ("context", ctypes.c_void_p),
        ("stage", ctypes.c_int32),
        ("operands", _Buffers),
        ("results", _Buffers),
        ("parameters", _Parameters),
    ]


_CALL = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.POINTER(_Frame))


class _Callbacks(ctypes.Structure):
    """`TesseraHostCallbacks`."""

    _fields_ = [("call", _CALL), ("data", ctypes.c_void_p)]


@functools.cache
def _dtype(number):
    return dtype_of(_DTYPES[number])


class _Answer:
    """What a call gives, or will give: `results`, or the `error` that it has raised.

    left  how many ranks have not taken it yet.
    """

    def __init__(self, left):
        self.ready, self.left, self.results, self.error = threading.Event(), left, None, None


class HostCallbacks:
    """Answers for the functions of a program in one step.

    functions  those of JAX's lowering, which programs call by their number.
    ranks      how many ranks there are.
    error      what a function has raised.
    finished   the effects before this one are done on all ranks.
    """

    def __init__(self, functions, ranks):
        self.functions, self.ranks, self.error = functions, ranks, None
        self.lock, self.answers, self.finished = threading.Lock(), {}, 0
        self.callbacks = _Callbacks(_CALL(self._call), None)

    @property
    def address(self):
        """For the runtime; lives as long as this object."""
        return ctypes.addressof(self.callbacks)

    def close(self):
        """Ends the step. Answers are forgotten now, and not when Python finds the circle that this object is part of."""
        self.answers.clear()
        self.callbacks = None

    def _call(self, _, frame):
        """Called by the threads of ranks."""
        frame = frame.contents
        try:
            self._answer(frame)
            return None
        except BaseException as error:
            self.error = self.error or error
            arguments = _ErrorArguments(ctypes.sizeof(_ErrorArguments), None, _describe(error), 13)
            return frame.api.contents.create_error(ctypes.byref(arguments))

    def _answer(self, frame):
        """Writes the results of a call."""
        parameters, operands, results = frame.parameters.numbers(), frame.operands.arrays(), frame.results.arrays()
        function, order = parameters[b"index"], None
        if _EFFECT in parameters:
            order = int(operands.pop())
            results.pop()[...] = order + 1
            key = function, order
        else:
            key = function, *(operand.tobytes() for operand in operands)
        with self.lock:
            if order is not None and order < self.finished:
                raise RuntimeError(f"expected effect {self.finished} or a later one, got {order} again")
            answer, is_first = self.answers.get(key), False
            if answer is None:
                answer, is_first = self.answers.setdefault(key, _Answer(self.ranks)), True
            answer.left -= 1
            if answer.left == 0:
                del self.answers[key]
                if order is not None:
                    self.finished = order + 1
        if is_first:
            try:
                answer.results = self._run(self.functions[function], operands)
            except BaseException as error:
                answer.error = error
            answer.ready.set()
        answer.ready.wait()
        if answer.error is not None:
            raise answer.error
        for memory, value in zip(results, answer.results):
            memory[...] = value

    def _run(self, function, operands):
        """What the function gives. Operands and results are copied, since it may keep them, and change its results in a later call while ranks
        take those of this one; a function that is ordered for JAX takes and gives a token."""
        operands = [operand.copy() for operand in operands]
        results = function(np.zeros(0, np.bool_), *operands)[1:] if _takes_token(function) else function(*operands)
        return [np.array(result) for result in results]


def _describe(error):
    """The first line of what an error says, as bytes."""
    try:
        text = f"{type(error).__name__}: {error}"
    except Exception:  # It cannot say it.
        text = type(error).__name__
    return text.partition("\n")[0].encode(errors="replace")


def _takes_token(function):
    return inspect.getfullargspec(function).args == ["token"]
