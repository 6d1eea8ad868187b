"""Model files of PyTorch's modules, and the tensors that they begin with."""

import jax
import numpy as np
import torch

from ..exporting import lower_text, lowered, trace
from ..files import write_text
from ..tensor_files import write_tensors
from .modules import Model, jitted
from .shardings import is_for_compiler


def export(module, example_inputs, path, state, loss, optimizer, plan, mesh, clip_grad_norm, seed, root):
    """See `tessera.torch.export`."""
    if plan is not None and is_for_compiler(plan):
        raise ValueError("expected rules by names, got a plan, which is for tesserac --plan")
    model = Model(module, example_inputs, loss, optimizer, clip_grad_norm)
    arguments = model.arguments(torch.initial_seed() if seed is None else seed, model.leaves(*model.example))
    function = model.function
    traced = trace(jitted(function, plan, mesh), arguments)
    names = jax.tree.leaves(function.arguments)
    text = lower_text(lowered(traced), jax.tree.leaves(function.results), root, argument_names=names)
    if path is not None:
        write_text(path, text)
    if state is not None:
        count = len(names) - len(model.captured.graph.inputs)
        values = [np.asarray(value) for value in jax.tree.leaves(arguments)[:count]]
        # As wide as JAX's modes allow, as in the program.
        values = [value.astype(jax.dtypes.canonicalize_dtype(value.dtype), copy=False) for value in values]
        write_tensors(dict(zip(names, values)), state)
    return text
