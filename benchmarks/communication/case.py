"""The registry of cases: each a program of a JAX user for a mesh, and the plan that an expert would make for it."""

import dataclasses

import jax
from jax.sharding import NamedSharding, PartitionSpec as P

from plan import Plan

CASES = {}


@dataclasses.dataclass
class Case:
    """A model on a mesh.

    build  from a mesh with the axes of `mesh` (of any sizes) to the jitted function, the shapes of its arguments, and the
           plan for the sizes of `mesh`.
    about  what the case asks of a compiler, and the plan in words: the docstring of `build`.
    limit  integers in the arguments are below this.
    """

    name: str
    mesh: dict
    build: callable
    limit: int

    @property
    def about(self):
        return self.build.__doc__


def case(limit=512, **mesh):
    """Registers a function from (mesh, plan) to (jitted function, shapes of its arguments); it adds to the plan."""

    def register(function):
        def build(jax_mesh):
            plan = Plan()
            jitted, arguments = function(jax_mesh, plan)
            return jitted, arguments, plan

        build.__doc__ = function.__doc__
        CASES[function.__name__] = Case(function.__name__, mesh, build, limit)
        return function

    return register


def on(mesh, specs):
    """The tree of shardings for a tree of specs; None stays: left to the compiler."""
    return jax.tree.map(lambda s: NamedSharding(mesh, s), specs, is_leaf=lambda s: isinstance(s, P))


def constraints(mesh, **specs):
    """annotate(x, name): constrains the activations named here, leaves the others alone."""

    def annotate(x, name):
        return jax.lax.with_sharding_constraint(x, NamedSharding(mesh, specs[name])) if name in specs else x

    return annotate


def sds(*shape, dtype="float32"):
    return jax.ShapeDtypeStruct(shape, dtype)
