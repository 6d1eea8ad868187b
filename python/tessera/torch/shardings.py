"""Which tensors are split how: rules by state-dict name. Plans (docs/plans.md) are for the compiler.

A rule is a pair of a pattern and the mesh axes of each dimension, as `("layers.*.mlp.up.weight", ("model", None))`. In a pattern `*` is one component of a name or a part of it, `**` any number
of components; it may leave out the beginning of a name. The first rule that matches wins; the state of the optimizer is split as its parameter is. Inputs have rules by their names, too.
"""

import os
import re
import warnings


class Rules:
    """Ordered rules; what none matches is left to the compiler."""

    def __init__(self, rules):
        pairs = rules.items() if isinstance(rules, dict) else rules
        self.rules = [(pattern, _compiled(pattern), tuple(axes)) for pattern, axes in pairs]
        self.used = set()

    def axes(self, name):
        """The mesh axes of the dimensions of a tensor; None if no rule matches."""
        for pattern, expression, axes in self.rules:
            if expression.fullmatch(name):
                self.used.add(pattern)
                return axes
        return None

    def warn_of_unused(self):
        for pattern, _, _ in self.rules:
            if pattern not in self.used:
                warnings.warn(f"no tensor matches '{pattern}' of the plan", stacklevel=4)


def _compiled(pattern):
    pieces = re.split(r"(\*\*|\*)", pattern)
    middle = "".join({"**": ".*", "*": r"[^.]*"}.get(piece) or re.escape(piece) for piece in pieces)
    return re.compile(rf"(?:.*\.)?{middle}")


def is_for_compiler(plan):
    """Whether a plan is one that the compiler reads: a file, or a dictionary of what stands in one."""
    return isinstance(plan, (str, os.PathLike)) or (isinstance(plan, dict) and "rules" in plan)


def mesh_of(mesh):
    """A mesh of JAX for what `mesh` says, of JAX's devices if there are enough; None for one device."""
    if mesh is None or hasattr(mesh, "axis_names"):
        return mesh
    import jax
    import numpy as np
    from jax.sharding import AbstractMesh, AxisType, Mesh

    sizes = dict(mesh) if not isinstance(mesh, str) else {axis: int(size) for axis, size in (part.split("=") for part in mesh.split(","))}
    count, names = int(np.prod(list(sizes.values()))), tuple(sizes)
    types = (AxisType.Auto,) * len(names)
    _show_devices(count)
    devices = jax.devices("cpu")
    if len(devices) < count:
        return AbstractMesh(tuple(sizes.values()), names, axis_types=types)
    return Mesh(np.array(devices[:count]).reshape(tuple(sizes.values())), names, axis_types=types)


def _show_devices(count):
    """Lets JAX see as many devices of the CPU, if it has not been used yet and nobody has said how many there are."""
    import jax

    if "xla_force_host_platform_device_count" in os.environ.get("XLA_FLAGS", "") or jax.config.jax_num_cpu_devices > 0:
        return
    try:
        jax.config.update("jax_num_cpu_devices", count)
    except RuntimeError:  # It has been used.
        pass


def shardings_of(rules, mesh, names):
    """For each of `names`, a tree of strings, its sharding, or None."""
    import jax
    from jax.sharding import NamedSharding, PartitionSpec

    def of(name):
        axes = rules.axes(name) if rules else None
        return None if axes is None else NamedSharding(mesh, PartitionSpec(*axes))

    return jax.tree.map(of, names)
