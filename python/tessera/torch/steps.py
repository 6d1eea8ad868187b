"""What is compiled: a captured model as a function of its tensors, its gradients, and a whole step of training.

Tensors that change from step to step are arguments of their own, which are donated. Every function has names for its arguments and results: those of the state dict, of the optimizer's state
`exp_avg.` and the like before them.
"""

from dataclasses import dataclass

import jax
import jax.numpy as jnp

from .interpreting import Interpreter
from .optimizers import clip_gradients


@dataclass
class Function:
    """A function of JAX and what its arguments and results are called.

    call       of (…, seeds, inputs).
    arguments  a tuple of trees of names, as the arguments are.
    results    likewise.
    donated    numbers of the arguments that are donated.
    """

    call: object
    arguments: tuple
    results: tuple
    donated: tuple


def split_tensors(captured, trained):
    """Names of the tensors that a step changes, besides the trained ones, and of those that it only reads."""
    changed = [name for name in captured.tensors if name in captured.graph.mutations and name not in trained]
    used = set(captured.graph.tensors.values())
    kept = [name for name in captured.tensors if name in used and name not in changed and name not in trained]
    return changed, kept


def _names(names):
    return {name: name for name in names}


def _key(seeds, step=0):
    """The random key of a step; None where nothing is random."""
    return jax.random.fold_in(jax.random.key(seeds[0]), step) if seeds else None


def _seeds(captured):
    return ["seed"] if captured.is_random else []


def _run(captured, tensors, key, inputs):
    graph = captured.graph
    results, changed = Interpreter(graph, key).run(tensors, inputs)
    return results, {name: value.astype(tensors[name].dtype) for name, value in changed.items()}


def forward_function(captured):
    """(changed buffers, other tensors, seeds, inputs) -> (changed buffers, leaves of the result that are tensors)."""
    changed, kept = split_tensors(captured, ())

    def forward(changed, kept, seeds, inputs):
        results, new = _run(captured, {**changed, **kept}, _key(seeds), inputs)
        return {**changed, **new}, [result for result in results if hasattr(result, "dtype")]

    outputs = output_names(captured)
    return Function(forward, (_names(changed), _names(kept), _seeds(captured), list(captured.graph.inputs)), (_names(changed), outputs), (0,))


def output_names(captured):
    """Of the results that are tensors: `output`, or `output.0` …"""
    values = [value for value in captured.graph.outputs if hasattr(value, "name")]
    return ["output"] if len(values) == 1 else [f"output.{number}" for number in range(len(values))]


def _differentiated(captured, changed_names):
    """A function to the loss, the other results and the changed buffers, with its gradient by the trained tensors."""

    def loss_of(trained, others, key, inputs):
        results, new = _run(captured, {**others, **trained}, key, inputs)
        loss = results[0]
        if jnp.shape(loss) != () and jnp.size(loss) != 1:
            raise ValueError(f"expected a loss that is one number, got one of shape {list(jnp.shape(loss))}")
        changed = {name: new.get(name, others[name]) for name in changed_names}
        return jnp.reshape(loss, ()), (results[1:], changed)

    return jax.value_and_grad(loss_of, has_aux=True)


def gradient_function(captured, trained):
    """(trained, changed buffers, other tensors, seeds, inputs) -> (loss, changed buffers, gradients, other results)."""
    changed, kept = split_tensors(captured, trained)
    differentiated = _differentiated(captured, changed)

    def gradients(trained, changed, kept, seeds, inputs):
        (loss, (others, changed)), gradient = differentiated(trained, {**changed, **kept}, _key(seeds), inputs)
        return loss, changed, gradient, [other for other in others if hasattr(other, "dtype")]

    arguments = (_names(trained), _names(changed), _names(kept), _seeds(captured), list(captured.graph.inputs))
    results = ("loss", _names(changed), {name: f"grad.{name}" for name in trained}, output_names(captured)[1:])
    return Function(gradients, arguments, results, (1,))


def training_function(captured, trained, optimizer, clip=None):
    """(trained, optimizer's state, changed buffers, step, other tensors, rates, seeds, inputs) -> (trained, state, buffers, step, loss, other results).

    The step is the number of those before; with the seed it makes the random key.
    """
    changed, kept = split_tensors(captured, trained)
    differentiated = _differentiated(captured, changed)

    def train(trained, state, changed, step, kept, rates, seeds, inputs):
        (loss, (others, changed)), gradient = differentiated(trained, {**changed, **kept}, _key(seeds, step), inputs)
        if clip is not None:
            gradient = clip_gradients(gradient, clip)
        trained, state = optimizer.update(trained, gradient, state, (step + 1).astype(jnp.float32), rates)
        return trained, state, changed, step + 1, loss, [other for other in others if hasattr(other, "dtype")]

    state = {}
    for name in trained:
        for moment in optimizer.moments(optimizer.groups[optimizer.members[name]]):
            state.setdefault(moment, {})[name] = f"{moment}.{name}"
    rates = ["lr"] if len(optimizer.groups) == 1 else [f"lr.{number}" for number in range(len(optimizer.groups))]
    donated = (_names(trained), state, _names(changed), "step")
    arguments = (*donated, _names(kept), rates, _seeds(captured), list(captured.graph.inputs))
    return Function(train, arguments, (*donated, "loss", output_names(captured)[1:]), (0, 1, 2, 3))
