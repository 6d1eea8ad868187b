"""The table of operations: the name of an operation of PyTorch, and the function of JAX that does the same.

An entry is found by its name with the overload, `max.dim`, else without, `max`, which serves all overloads that have no entry of their own. Functions take
arrays of JAX and numbers in the order and by the names of PyTorch's schema; types are names of theirs (`float32`). What says where or how memory lies (`device`,
`layout`, `memory_format`, ...) never arrives. Those of `random=True` take a `key`.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Entry:
    function: object
    random: bool = False


TABLE = {}


def operation(*names, random=False):
    """A decorator that enters a function under these names."""

    def enter(function):
        for name in names:
            if name in TABLE:
                raise ValueError(f"'{name}' is in the table already")
            TABLE[name] = Entry(function, random)
        return function

    return enter


def find(name):
    """The entry for an operation, as `add.Tensor`; None if there is none."""
    return TABLE.get(name) or TABLE.get(name.partition(".")[0])
