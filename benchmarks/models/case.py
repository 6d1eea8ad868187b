"""What a case of a public model is, and the steps that cases are made of."""

import dataclasses
from typing import Callable


@dataclasses.dataclass
class Case:
    """A forward pass or a training step of a model, as its authors wrote it.

    step       a function of the parameters, a batch, and nothing else; the batch is a dictionary of arrays whose first dimension is the examples'.
    arguments  (parameters, batch).
    rules      rules of a plan for the second mesh, before `default: fsdp(model, 256B)`.
    tolerance  the largest relative difference from JAX that is good.
    """

    step: Callable
    arguments: tuple
    rules: list = dataclasses.field(default_factory=list)
    tolerance: float = 1e-4


def training(loss, parameters, batch, optimizer=None, **options):
    """A case of one step of optax's momentum, or another optimizer, on `loss` (parameters, batch)."""
    import jax
    import optax

    optimizer = optimizer or optax.chain(optax.clip_by_global_norm(1.0), optax.sgd(0.1, momentum=0.9))
    state = {"params": parameters, "opt": jax.jit(optimizer.init)(parameters)}

    def step(state, batch):
        value, gradients = jax.value_and_grad(loss)(state["params"], batch)
        updates, opt = optimizer.update(gradients, state["opt"], state["params"])
        return {"params": optax.apply_updates(state["params"], updates), "opt": opt}, value

    return Case(step, (state, batch), **options)


def tokens(seed, *shape, below):
    """Random token numbers."""
    import numpy as np

    return np.random.default_rng(seed).integers(1, below, shape, dtype=np.int32)


def normal(seed, *shape):
    """Normal random numbers in single precision."""
    import numpy as np

    return np.random.default_rng(seed).standard_normal(shape, np.float32)


def cross_entropy(logits, labels):
    """The mean cross-entropy of whole-number labels."""
    import optax

    return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()
