"""Compiled models, called in this process on NumPy arrays."""

import json
import os
import pathlib
import shutil
import weakref

import numpy as np

from .buffers import ResultBuffers, dtype_of
from .entry_points import EntryPoint, Residents
from .errors import TesseraError
from .names import nearest
from .runtime import Job, LoadedProgram


class Program:
    """A compiled model, `model.tsx`. All ranks run in this process; they start with the first call and live as long as this object.

    arguments, results  their descriptions from the manifest, each a dictionary with `name`, `dtype` and `shape`.
    manifest            all that the file says about itself.
    entries             the names of its entry points: ("main",) where there is only one. Of a program with several, all else here describes the
                        first, and `entry` calls them.
    """

    def __init__(self, path, temporary=None, backend=None, threads=0, timeout=0.0):
        """Opens a compiled file.

        temporary  a folder to be removed with this object.
        backend    as for `compile`.
        threads    that compute for each rank; by default the machine's cores are divided.
        timeout    seconds that a rank waits for others before a call fails; 60 by default, for ever if negative.
        """
        if temporary:
            weakref.finalize(self, _remove, temporary, os.getpid())
        self.path = pathlib.Path(path)
        loaded = LoadedProgram(self.path)
        self.entries = tuple(name for name, _ in loaded.entries)
        # Arguments without a name are those of one entry point only.
        owners = [f"{name}." for name in self.entries] if len(self.entries) > 1 else [""]
        manifests = [_read_manifest(text, owner) for owner, (_, text) in zip(owners, loaded.entries)]
        self.manifest = manifests[0]
        self.arguments, self.results = self.manifest["arguments"], self.manifest["results"]
        self.backend = backend or ("cuda" if self.manifest["target"] == "cuda" else "local")
        self.job = Job(loaded, self.backend, threads, timeout)
        self._entry_points = [EntryPoint(name, manifest, number) for number, (name, manifest) in enumerate(zip(self.entries, manifests))]
        # What stays has ranks of its own: a call on arrays leaves nothing defined in the memory of its ranks.
        self._residents = Residents(Job(loaded, self.backend, threads, timeout), self._entry_points, self.path)
        for entry_point in self._entry_points:
            entry_point.join(self._residents)
        self._buffers = ResultBuffers([(tuple(result["shape"]), dtype_of(result["dtype"])) for result in self.results])

    @property
    def ranks(self):
        """How many ranks run the program: the devices of its mesh, times its pipeline ranks."""
        return len(self.manifest["programs"]) * int(np.prod([axis["size"] for axis in self.manifest["mesh"]], dtype=np.int64))

    def entry(self, name):
        """The entry point of that name, an `EntryPoint`. What it leaves with the ranks, the others find there."""
        if name not in self.entries:
            raise TesseraError("the program", 1, f"{self.path}: no entry point '{name}', there are {', '.join(self.entries)}{nearest(name, self.entries)}")
        return self._entry_points[self.entries.index(name)]

    def put(self, tensors):
        """Copies arrays, by the names of arguments, to the ranks, where they stay for all calls of entry points (`entry`)."""
        self._residents.put(tensors)

    def get(self, name):
        """A copy of what the ranks have as the argument of that name, as a NumPy array."""
        return self._residents.get(name)

    def work(self):
        """What one call takes on the rank that computes most: `flops`, `bytes accessed` by its kernels and `bytes communicated`."""
        work = self.manifest["work"]
        functions = {function["name"]: function["steps"] for function in work}
        totals = [_total(function["steps"], functions) for function in work if "rank" in function]
        return max(totals, key=lambda total: total["flops"])

    def run(self, tensors):
        """Runs one step. Takes a dictionary of global arrays by argument name, returns one by result name."""
        names = [argument["name"] for argument in self.arguments]
        for name in names:
            if name not in tensors:
                raise TesseraError("the program", 1, f"{self.path}: no tensor for argument '{name}'{nearest(name, tensors)}")
        for name in tensors:
            if name not in names:
                raise TesseraError("the program", 1, f"{self.path}: no argument '{name}'{nearest(name, names)}")
        outputs = self(*(tensors[name] for name in names))
        return {result["name"]: array for result, array in zip(self.results, outputs)}

    def __call__(self, *arrays):
        """Runs one step on arrays in the order of `arguments`; returns a list of new ones in the order of `results`."""
        if len(self.entries) > 1:
            raise TesseraError("the program", 1, f"{self.path}: call one of the entry points {', '.join(self.entries)}, by entry(NAME)")
        if len(arrays) != len(self.arguments):
            raise TypeError(f"expected {len(self.arguments)} arrays, got {len(arrays)}")
        arrays = [self._entry_points[0].take(index, array) for index, array in enumerate(arrays)]
        results, addresses = self._buffers.allocate()
        arguments = np.array([array.__array_interface__["data"][0] for array in arrays], np.uintp)
        targets = np.array(addresses, np.uintp)
        self.job.call(arguments.ctypes.data, None, targets.ctypes.data, None)
        return results


def _read_manifest(text, owner):
    """A manifest as the outside world sees it: every argument and result has a name, which begins with `owner` for arguments that have none."""
    manifest = json.loads(text)
    for word, tensors in ((f"{owner}arg", manifest["arguments"]), ("result", manifest["results"])):
        for index, tensor in enumerate(tensors):
            tensor.setdefault("name", f"{word}{index}")
            _describe_outside(tensor)
    return manifest


def _total(steps, functions):
    """The sums over the steps of a rank's work, with those of loops as often as they run, and of the functions that are called."""
    total = {"flops": 0.0, "bytes accessed": 0.0, "bytes communicated": 0.0}
    for step in steps:
        if "kernel" in step:
            total["flops"] += step.get("operations", 0)
            total["bytes accessed"] += step.get("bytes", 0)
        elif "collective" in step or "send" in step:
            total["bytes communicated"] += step.get("bytes", 0)
        elif "loop" in step or "call" in step:
            inner = _total(step["steps"] if "loop" in step else functions[step["call"]], functions)
            for name, value in inner.items():
                total[name] += value * step.get("loop", 1)
    return total


def _remove(folder, process):
    """Removes a folder in the process that made it; one that was forked leaves it to that."""
    if process == os.getpid():
        shutil.rmtree(folder, ignore_errors=True)


def _describe_outside(tensor):
    """Gives the description of a `tensor` the type it has for the outside world: complex numbers, which have their parts in the last
    dimension, and short types, of which a byte holds an element. What lies in memory is the same."""
    tensor["dtype"] = tensor.get("short_type", tensor["dtype"])
    if tensor.get("complex"):
        tensor["dtype"] = {"f32": "c64", "f64": "c128"}[tensor["dtype"]]
        for key in "shape", "local_shape", "sharding":
            del tensor[key][-1]
