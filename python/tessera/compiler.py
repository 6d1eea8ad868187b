"""The compiler's C interface (`tessera/compiler.h`) in this process. Calls leave Python's lock; several threads may compile at the same time."""

import ctypes
import functools
import os
import sys

from .errors import TesseraError
from .interruptions import INTERRUPTED, Interruptions
from .tools import find_library


class _Request(ctypes.Structure):
    _fields_ = [
        ("size", ctypes.c_size_t),
        ("model", ctypes.c_char_p),
        ("model_bytes", ctypes.c_size_t),
        ("name", ctypes.c_char_p),
        ("flags", ctypes.POINTER(ctypes.c_char_p)),
        ("flag_count", ctypes.c_size_t),
        ("interrupted", INTERRUPTED),
        ("interrupted_data", ctypes.c_void_p),
    ]


def find_compiler():
    """The path of the compiler's library."""
    return find_library("libtessera_compiler.so")


@functools.cache
def _library():
    library = ctypes.CDLL(find_compiler())
    library.tessera_compile.restype = ctypes.c_void_p
    library.tessera_compile.argtypes = [ctypes.POINTER(_Request)]
    library.tessera_compilation_messages.restype = ctypes.c_char_p
    library.tessera_compilation_output.restype = ctypes.c_void_p
    library.tessera_compilation_output.argtypes = [ctypes.c_void_p, ctypes.POINTER(ctypes.c_size_t)]
    for name in ("status", "messages", "destroy"):
        getattr(library, f"tessera_compilation_{name}").argtypes = [ctypes.c_void_p]
    library.tessera_compilation_destroy.restype = None
    return library


def run_compiler(flags, text=None):
    """Compiles a model, whose file is among `flags`, those of `tesserac`, unless `text` is the model itself (bytes of a binary one). Returns what is written, as bytes,
    if no flag `-o` says where. Raises TesseraError with the diagnostic, and what a signal's handler raises."""
    library, flags = _library(), [os.fsencode(str(flag)) for flag in flags]
    model = text.encode() if isinstance(text, str) else text
    request = _Request(ctypes.sizeof(_Request), model, len(model or b""), None, (ctypes.c_char_p * len(flags))(*flags), len(flags))
    done = None
    try:
        with Interruptions() as interruptions:
            request.interrupted = INTERRUPTED(interruptions.happened)
            done = library.tessera_compile(ctypes.byref(request))
        if status := library.tessera_compilation_status(done):
            raise TesseraError("tesserac", status, library.tessera_compilation_messages(done).decode(errors="replace").strip())
        # What a plan has decided, and what it says in vain.
        if any(flag.startswith(b"--plan=") for flag in flags):
            sys.stderr.write(library.tessera_compilation_messages(done).decode(errors="replace"))
        size = ctypes.c_size_t()
        return ctypes.string_at(library.tessera_compilation_output(done, ctypes.byref(size)), size.value)
    finally:
        if done:
            library.tessera_compilation_destroy(done)
