"""From logical axis rules, as MaxText, flax and t5x have them: names of dimensions, and mesh axes to try for each."""


def from_maxtext(logical_axis_rules, logical_axes, mesh=None, data_axes=None, tolerance=None):
    """A plan from logical axis rules.

    logical_axis_rules  pairs (logical name, mesh axis or list of axes); a name that occurs again is tried again, where axes are taken.
    logical_axes        the names of a model's dimensions: a dictionary from parameter paths, which may be patterns, to tuples of logical
                        names; or a tree of such tuples or of `PartitionSpec`s, as `nn.get_partition_spec` returns.
    mesh                sizes of the mesh axes. Axes that it lacks are passed over.
    data_axes           a dictionary of the same kind for batches.
    tolerance           the share of parameters that may stay whole (`sharding_tolerance`).
    """
    axes = {}
    for name, candidate in logical_axis_rules:
        candidate = [] if candidate is None else [candidate] if isinstance(candidate, str) else list(candidate)
        if mesh:
            candidate = [axis for axis in candidate if axis in mesh]
        axes.setdefault(name, []).append(candidate)
    rules = []
    for role, named in (("weight", logical_axes), ("batch", data_axes or {})):
        for path, names in _paths(named):
            rules.append({"match": path, **({"role": role} if role == "batch" else {}), "spec": [_dim(name, axes) for name in names]})
    plan = {"mesh": dict(mesh)} if mesh else {}
    plan |= {"axes": axes, "rules": rules}
    return plan if tolerance is None else {**plan, "tolerance": tolerance}


def _dim(name, axes):
    """A dimension's element of a spec: a logical name without a rule is not split."""
    if isinstance(name, (tuple, list)):
        return [part for part in name if part in axes]
    return name if name in axes else None


def _is_spec(value):
    """Whether a leaf names dimensions: a tuple, or a `PartitionSpec`, which may be none."""
    return value is None or (hasattr(value, "__iter__") and not isinstance(value, str))


def _paths(tree, prefix=""):
    """The (path, names of dimensions) of a tree of specs. Boxes (`nn.Partitioned`, `nn.LogicallyPartitioned`) tell theirs."""
    for key, value in tree.items():
        path = f"{prefix}/{key}" if prefix else str(key)
        if hasattr(value, "names"):
            yield path, value.names
        elif hasattr(value, "items"):
            yield from _paths(value, path)
        elif _is_spec(value):
            if value is not None:
                yield path, tuple(value)
        else:
            raise ValueError(f"expected names of dimensions for '{path}', got {value!r}")
