"""Marks in a model: where stages of a pipeline end."""

import functools


def stage_end(x):
    """Returns `x`, an array or a tree of arrays, with which a stage of the model ends.

    What needs the result belongs to the next stage. A mark on the forward pass of the model: derivatives pass without
    one, and `jax.jit`, `jax.grad`, `jax.vmap` and `jax.lax.scan` keep it. `tesserac --stages` cuts the model here. Run by
    JAX itself, the function does nothing.
    """
    import jax

    return jax.tree.map(_primitive().bind, x)


@functools.cache
def _primitive():
    """The primitive behind `stage_end`. Made when first needed: the package is of use without JAX."""
    from jax.extend.core import Primitive
    from jax.interpreters import ad, batching, mlir

    primitive = Primitive("stage_end")
    primitive.def_impl(lambda x: x)
    primitive.def_abstract_eval(lambda x: x)

    def differentiate(primals, tangents):
        return primitive.bind(*primals), tangents[0]

    def batch(operands, dims):
        return primitive.bind(*operands), dims[0]

    ad.primitive_jvps[primitive] = differentiate
    batching.primitive_batchers[primitive] = batch
    mlir.register_lowering(primitive, lambda context, x: [x])
    return primitive


@functools.cache
def export_parameters():
    """What JAX needs to be told so that a lowered model keeps its marks, as calls of a function that does not exist.

    Part of what JAX remembers a lowered model by, so that one that has been run can still be exported.
    """
    from jax._src.interpreters.mlir import LoweringParameters
    from jaxlib.mlir import ir
    from jaxlib.mlir.dialects import stablehlo

    def lower(context, x):
        return stablehlo.CustomCallOp([x.type], [x], call_target_name=ir.StringAttr.get("tessera.stage_end")).results

    from .embedding import lower_inline, primitive

    return LoweringParameters(override_lowering_rules=((_primitive(), lower), (primitive(), lower_inline)))
