"""The runtime's C interface (`tessera/runtime.h`) in this process: programs that are loaded, and jobs whose ranks stay alive between calls.

Calls leave Python's lock, so that other threads run meanwhile; one job does one call at a time. A process that was forked has no ranks: its
first call starts a job of its own. Nothing is closed at exit, when ranks may be computing for a thread that is still there.
"""

import ctypes
import functools
import os
import threading
import weakref

from .errors import TesseraError
from .interruptions import INTERRUPTED, Interruptions
from .tools import find_library


class _Tensor(ctypes.Structure):
    _fields_ = [
        ("name", ctypes.c_char_p),
        ("dtype", ctypes.c_int32),
        ("rank", ctypes.c_int32),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("bytes", ctypes.c_int64),
        ("donation", ctypes.c_int32),
        ("sharding", ctypes.c_char_p),
    ]


class _JobOptions(ctypes.Structure):
    _fields_ = [
        ("size", ctypes.c_size_t),
        ("backend", ctypes.c_char_p),
        ("ranks", ctypes.c_int32),
        ("threads", ctypes.c_int32),
        ("timeout", ctypes.c_double),
        ("record_events", ctypes.c_int32),
        ("guards", ctypes.c_int32),
        ("machine", ctypes.c_void_p),
        ("allocate_on_demand", ctypes.c_int32),
        ("reserved", ctypes.c_int32),
        ("interrupted", INTERRUPTED),
        ("interrupted_data", ctypes.c_void_p),
    ]


class _Call(ctypes.Structure):
    _fields_ = [
        ("size", ctypes.c_size_t),
        ("arguments", ctypes.c_void_p),
        ("argument_shards", ctypes.c_void_p),
        ("results", ctypes.c_void_p),
        ("result_shards", ctypes.c_void_p),
        ("host_callbacks", ctypes.c_void_p),
    ]


@functools.cache
def _library():
    """The runtime, once it is needed."""
    library = ctypes.CDLL(find_library("libtessera_runtime.so"))
    if not hasattr(library, "tessera_job_enter"):
        raise TesseraError("the runtime", 1, f"{library._name}: expected a runtime with tessera_job_enter, got an older one")
    library.tessera_error_message.restype = ctypes.c_char_p
    library.tessera_program_manifest.restype = ctypes.c_char_p
    library.tessera_program_entry.restype, library.tessera_program_entry_name.restype = ctypes.c_void_p, ctypes.c_char_p
    for name in ("entry", "entry_name"):
        getattr(library, f"tessera_program_{name}").argtypes = [ctypes.c_void_p, ctypes.c_int32]
    for name in ("manifest", "destroy", "entry_count"):
        getattr(library, f"tessera_program_{name}").argtypes = [ctypes.c_void_p]
    library.tessera_program_load.argtypes = [ctypes.c_char_p, ctypes.POINTER(ctypes.c_void_p)]
    library.tessera_job_create.argtypes = [ctypes.c_void_p, ctypes.POINTER(_JobOptions), ctypes.POINTER(ctypes.c_void_p)]
    library.tessera_job_enter.argtypes = [ctypes.c_void_p, ctypes.c_int32]
    for name in ("set_argument", "get_argument"):
        getattr(library, f"tessera_job_{name}").argtypes = [ctypes.c_void_p, ctypes.c_int32, ctypes.c_void_p]
    library.tessera_job_call.argtypes = [ctypes.c_void_p, ctypes.POINTER(_Call)]
    library.tessera_job_destroy.argtypes = [ctypes.c_void_p]
    library.tessera_xla_calls_create.argtypes = [ctypes.c_void_p, ctypes.POINTER(_JobOptions), ctypes.POINTER(ctypes.c_void_p)]
    library.tessera_xla_state_type.restype = ctypes.c_void_p
    library.tessera_xla_state_type.argtypes = [ctypes.c_int32]
    library.tessera_xla_calls_destroy.argtypes = [ctypes.c_void_p]
    library.tessera_xla_calls_destroy.restype = library.tessera_program_destroy.restype = library.tessera_job_destroy.restype = None
    return library


def _check(status):
    if status:
        raise TesseraError("the runtime", status, _library().tessera_error_message().decode())


class LoadedProgram:
    """A compiled file whose code is in this process.

    entries  the name of each entry point with the text of its manifest, JSON.
    """

    def __init__(self, path):
        library, handle = _library(), ctypes.c_void_p()
        _check(library.tessera_program_load(os.fsencode(path), ctypes.byref(handle)))
        self.handle, self.path = handle, path
        weakref.finalize(self, library.tessera_program_destroy, handle).atexit = False
        self.entries = []
        for index in range(library.tessera_program_entry_count(handle)):
            text = library.tessera_program_manifest(library.tessera_program_entry(handle, index))
            self.entries.append((library.tessera_program_entry_name(handle, index).decode(), text.decode()))


class Job:
    """The ranks of a program, which start with the first call and live as long as this object."""

    def __init__(self, program, backend, threads=0, timeout=0.0):
        self.program, self.backend, self.threads, self.timeout = program, backend, threads, timeout
        self.process, self.handle, self.lock = os.getpid(), None, threading.Lock()
        self.close, self.interruption, self._losses = None, None, 0

    def _leave_fork(self):
        """A process that was forked has none of the ranks."""
        if self.process != os.getpid():
            self.process, self.handle, self.lock, self._losses = os.getpid(), None, threading.Lock(), self._losses + 1
            if self.close:
                self.close.detach()

    @property
    def losses(self):
        """How often the ranks were lost, with all that they had."""
        self._leave_fork()
        return self._losses

    def set_argument(self, entry, index, address):
        """Copies the array at that address to the ranks, as `tessera_job_set_argument` of that entry point."""
        self._move("set_argument", entry, index, address)

    def get_argument(self, entry, index, address):
        """As `tessera_job_get_argument`."""
        self._move("get_argument", entry, index, address)

    def _move(self, function, entry, index, address):
        self._leave_fork()
        with self.lock:
            if self.handle is None:
                self._start()
            _check(_library().tessera_job_enter(self.handle, entry))
            _check(getattr(_library(), f"tessera_job_{function}")(self.handle, index, address))

    def call(self, arguments, argument_shards, results, result_shards, host_callbacks=None, entry=0):
        """One step of an entry point on memory of the caller's, as `tessera_job_call`: addresses of arrays of pointers, or None for those that are
        not there, and of who answers for functions of Python.

        Raises TesseraError if a rank fails, and what a signal's handler raises; the next call starts new ranks then.
        """
        self._leave_fork()
        call = _Call(ctypes.sizeof(_Call), arguments, argument_shards, results, result_shards, host_callbacks)
        with self.lock, Interruptions() as interruption:
            self.interruption = interruption
            try:
                self._call(call, entry)
            finally:
                self.interruption = None

    def _call(self, call, entry):
        if self.handle is None:
            self._start()
        library = _library()
        if entry or len(self.program.entries) > 1:
            _check(library.tessera_job_enter(self.handle, entry))
        status = library.tessera_job_call(self.handle, ctypes.byref(call))
        if not status:
            return
        error = TesseraError("the runtime", status, library.tessera_error_message().decode())
        if status != 1:
            self.handle, self._losses = None, self._losses + 1
            self.close()
        raise error

    def _start(self):
        library, handle = _library(), ctypes.c_void_p()
        reference = weakref.ref(self)

        # Called by the thread that waits; on the main thread Python then runs the handlers of signals.
        def interrupted(_):
            job = reference()
            return job is not None and job.interruption is not None and job.interruption.happened()

        callback = INTERRUPTED(interrupted)
        options = _JobOptions(size=ctypes.sizeof(_JobOptions), backend=self.backend.encode(), threads=self.threads, timeout=self.timeout)
        options.allocate_on_demand, options.interrupted = 1, callback
        _check(library.tessera_job_create(self.program.handle, ctypes.byref(options), ctypes.byref(handle)))
        self.handle = handle
        # The program is kept until the job is gone, and so is the callback.
        self.close = weakref.finalize(self, _destroy, handle, os.getpid(), self.program, callback)
        self.close.atexit = False


def register_xla_target(name):
    """Makes `tessera_xla_call` what compiled code of XLA calls by `name` on the CPU."""
    import jax

    library = _library()
    kind, about = (jax.ffi.pycapsule(library.tessera_xla_state_type(part)) for part in (0, 1))
    jax.ffi.register_ffi_type("tessera_xla_calls", {"type_id": kind, "type_info": about})
    handler = jax.ffi.pycapsule(library.tessera_xla_call)
    jax.ffi.register_ffi_target(name, {"instantiate": handler, "execute": handler})


class XlaCalls:
    """What compiled code of XLA calls a program by: `address`, as long as this object lives.

    Compiled code of XLA keeps what it calls, and the ranks.

    job  says which program, and how its ranks run; the calls have a job of their own.
    """

    def __init__(self, job):
        library, program, handle = _library(), ctypes.c_void_p(), ctypes.c_void_p()
        options = _JobOptions(size=ctypes.sizeof(_JobOptions), backend=job.backend.encode(), threads=job.threads, timeout=job.timeout)
        options.allocate_on_demand = 1
        _check(library.tessera_program_load(os.fsencode(job.program.path), ctypes.byref(program)))
        _check(library.tessera_xla_calls_create(program, ctypes.byref(options), ctypes.byref(handle)))
        self.address = handle.value
        weakref.finalize(self, _destroy_calls, handle, os.getpid()).atexit = False


def _destroy_calls(handle, process):
    """As `_destroy`."""
    if process == os.getpid():
        _library().tessera_xla_calls_destroy(handle)


def _destroy(handle, process, program, callback):
    """Ends a job in the process that started it; one that was forked has none of its threads, for which it would wait for ever."""
    if process == os.getpid():
        _library().tessera_job_destroy(handle)
