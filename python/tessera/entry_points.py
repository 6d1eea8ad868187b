"""Calls of a program's entry points, between which tensors stay with the ranks."""

import os
import threading

import numpy as np

from .buffers import ResultBuffers, dtype_of
from .errors import TesseraError
from .names import nearest


class Residents:
    """The tensors that stay with the ranks of a job, by name: arguments of one name are one tensor, whichever entry point takes them."""

    def __init__(self, job, entry_points, label):
        """job is that of all entry points, in this order; label names the program in messages."""
        self.job, self.entry_points, self.label = job, entry_points, label
        self.places = {}
        for number, entry_point in enumerate(entry_points):
            for index, argument in enumerate(entry_point.arguments):
                self.places.setdefault(argument["name"], (number, index))
        self._known, self._losses = set(), 0
        self._process, self._lock = os.getpid(), threading.RLock()

    def turn(self):
        """The lock under which a thread gives tensors and calls, so that no other's come between. A process that was forked has one of its own."""
        if self._process != os.getpid():
            self._process, self._lock = os.getpid(), threading.RLock()
        return self._lock

    def known(self):
        """The names of those that have a value. Ranks that have failed, or are those of a process that was forked, have lost theirs."""
        if self._losses != self.job.losses:
            self._known, self._losses = set(), self.job.losses
        return self._known

    def put(self, tensors):
        """Copies arrays, by name, to the ranks."""
        with self.turn():
            for name, array in tensors.items():
                number, index = self._find(name)
                array = self.entry_points[number].take(index, array)
                self.job.set_argument(number, index, array.__array_interface__["data"][0])
                self.known().add(name)

    def get(self, name):
        """A copy of the tensor of that name, as a NumPy array."""
        number, index = self._find(name)
        argument = self.entry_points[number].arguments[index]
        array = np.empty(argument["shape"], dtype_of(argument["dtype"]))
        with self.turn():
            self.require(name)
            self.job.get_argument(number, index, array.__array_interface__["data"][0])
        return array

    def require(self, name):
        if name not in self.known():
            raise TesseraError("the program", 1, f"{self.label}: nobody has put a tensor for '{name}', nor made one")

    def _find(self, name):
        if name not in self.places:
            raise TesseraError("the program", 1, f"{self.label}: no argument '{name}'{nearest(name, self.places)}")
        return self.places[name]


class EntryPoint:
    """One entry point of a program.

    name, arguments, results, manifest  as those of a `Program`.
    """

    def __init__(self, name, manifest, number):
        self.name, self.manifest, self.number = name, manifest, number
        self.arguments, self.results = manifest["arguments"], manifest["results"]
        self.residents = None
        self._types = [(tuple(argument["shape"]), dtype_of(argument["dtype"])) for argument in self.arguments]

    def join(self, residents):
        """Makes this one of those that share `residents`."""
        self.residents = residents
        donors = {argument.get("donated"): argument["name"] for argument in self.arguments if argument.get("donated") is not None}
        # What has the name of an argument of its own, but not its memory, is no state: the ranks write it nowhere else.
        others = residents.places.keys() - {argument["name"] for argument in self.arguments}
        # By result, the tensor that it stays as; None for those that are returned.
        self.stays = [donors.get(index, result["name"] if result["name"] in others else None) for index, result in enumerate(self.results)]
        returned = [result for result, name in zip(self.results, self.stays) if name is None]
        self._returned = [result["name"] for result in returned]
        self._buffers = ResultBuffers([(tuple(result["shape"]), dtype_of(result["dtype"])) for result in returned])

    def run(self, tensors=None, **named):
        """One call. Takes arrays by argument name, in a dictionary or as keywords, and puts them with the ranks first, where they stay; what is
        not given is what the ranks have. Results that are the memory of a donated argument, or have the name of an argument, stay with the ranks;
        the others are returned by name."""
        tensors = {**(tensors or {}), **named}
        names = [argument["name"] for argument in self.arguments]
        for name in tensors:
            if name not in names:
                raise TesseraError("the program", 1, f"{self.name}: no argument '{name}'{nearest(name, names)}")
        arrays, addresses = self._buffers.allocate()
        addresses = iter(addresses)
        targets = np.array([next(addresses) if name is None else 0 for name in self.stays], np.uintp)
        with self.residents.turn():
            for index, argument in enumerate(self.arguments):
                name = argument["name"]
                if name in tensors:
                    continue
                if argument.get("initial") == "zero" and name not in self.residents.known():
                    tensors[name] = np.zeros(*self._types[index])
                else:
                    self.residents.require(name)
            self.residents.put(tensors)
            self.residents.job.call(None, None, targets.ctypes.data, None, entry=self.number)
            self.residents.known().update(name for name in self.stays if name is not None)
        return dict(zip(self._returned, arrays))

    def take(self, index, array):
        """`array` in rows, which must be what argument `index` is; a number without a type takes the argument's."""
        shape, dtype = self._types[index]
        taken = np.asarray(array, dtype if isinstance(array, (bool, int, float, complex)) else None, order="C")
        if taken.shape != shape or taken.dtype != dtype:
            name = self.arguments[index]["name"]
            raise TesseraError("the program", 1, f"argument '{name}': expected {describe(shape, dtype)}, got {describe(taken.shape, taken.dtype)}")
        return taken


def describe(shape, dtype):
    """A type in words: `float32[8x6]`."""
    return f"{np.dtype(dtype).name}[{'x'.join(map(str, shape))}]"
