"""From ordered pairs of a regular expression and a PartitionSpec, as EasyLM, EasyDeL and scalax have them."""


def from_regex(rules, mesh=None, default="error"):
    """A plan from partition rules.

    rules    pairs (regular expression, PartitionSpec or tuple); an expression is searched for in a parameter's path, with `/` between its
             components, and the first that is found holds.
    mesh     sizes of the mesh axes; axes that it lacks are passed over.
    default  what becomes of parameters without a rule; by default, as in EasyLM, an error.

    An entry of a spec is an axis, a tuple of axes, or None. Parameters that have fewer dimensions than a spec are an error, scalars are whole.
    """
    made = []
    for pattern, spec in rules:
        if not isinstance(pattern, str):
            raise ValueError(f"expected a regular expression, got {pattern!r}")
        made.append({"match": f"/{pattern or '.*'}/", "spec": [_dim(entry, mesh) for entry in spec]})
    plan = {"mesh": dict(mesh)} if mesh else {}
    return {**plan, "rules": made, "default": default}


def _dim(entry, mesh):
    if entry is None:
        return None
    axes = [entry] if isinstance(entry, str) else list(entry)
    axes = [axis for axis in axes if not mesh or axis in mesh]
    return None if not axes else axes[0] if len(axes) == 1 else axes
