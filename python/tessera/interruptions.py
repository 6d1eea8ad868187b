"""Signals that come while a library of C computes on the main thread."""

import ctypes
import threading
from _signal import NSIG, getsignal, signal  # Those of `signal` make names of numbers, which takes as long as the rest of a call.

INTERRUPTED = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p)
_SIGNALS = range(1, NSIG)


class Interruptions:
    """While a library computes on the main thread, keeps what handlers of signals raise, so that it can stop before that goes on. On other
    threads it does nothing.

    error  what a handler has raised.
    """

    # All handlers as they were at the last call, and by signal those that are functions: they seldom change.
    known, callables = [], {}

    def __init__(self):
        self.error, self.handlers = None, {}

    def __enter__(self):
        if threading.get_ident() != threading.main_thread().ident:
            return self
        handlers = list(map(getsignal, _SIGNALS))
        if handlers != Interruptions.known:
            Interruptions.known, Interruptions.callables = handlers, {number: each for number, each in enumerate(handlers, 1) if callable(each)}
        self.handlers, self.handle = Interruptions.callables, self._handle
        for number in self.handlers:
            signal(number, self.handle)
        return self

    def happened(self, _=None):
        """Whether the library is to stop. Called by the thread that waits; on the main thread Python then runs the handlers of signals."""
        return self.error is not None

    def _handle(self, number, frame):
        try:
            self.handlers[number](number, frame)
        except BaseException as error:
            self.error = error

    def __exit__(self, kind, error, trace):
        for number, handler in self.handlers.items():
            if getsignal(number) is self.handle:  # Else a handler has put another in place.
                signal(number, handler)
        if self.error is not None:
            raise self.error from None
