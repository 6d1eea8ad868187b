"""Training steps of transformers under the usual ways to parallelize them."""

import dataclasses
import math
import pathlib
import sys

import jax
from jax.sharding import PartitionSpec as P

from case import case, constraints, on
from transformer import Config, arguments, named, train_step

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent.parent / "examples" / "gpt"))

import model  # noqa: E402: the example's

TENSOR_PARALLEL = {
    "wq": P(None, "model", None),
    "wk": P(None, "model", None),
    "wv": P(None, "model", None),
    "wo": P("model", None, None),
    "gate": P(None, "model"),
    "up": P(None, "model"),
    "down": P("model", None),
}
FULLY_SHARDED = {
    "embed": P("data", None),
    "ln1": P("data"),
    "wq": P("data", None, None),
    "wk": P("data", None, None),
    "wv": P("data", None, None),
    "wo": P(None, None, "data"),
    "ln2": P("data"),
    "gate": P("data", None),
    "up": P("data", None),
    "down": P(None, "data"),
    "lnf": P("data"),
    "head": P("data", None),
}
TWO_DIMENSIONAL = {
    "embed": P("data", None),
    "wq": P("data", "model", None),
    "wk": P("data", "model", None),
    "wv": P("data", "model", None),
    "wo": P("model", None, "data"),
    "gate": P("data", "model"),
    "up": P("data", "model"),
    "down": P("model", "data"),
    "head": P("data", None),
}


def training(mesh, c, parameters, moments=None, tokens=P("data"), annotate=None, microbatches=1):
    """The jitted training step and its arguments; `parameters` and `moments` are trees of specs, alike if not given."""
    arrays = arguments(c, microbatches)
    state = {moment: moments or parameters for moment in arrays[1]}
    spec = tokens if microbatches == 1 else P(None, *tokens)
    inputs = on(mesh, (parameters, state, spec, spec))
    step = train_step(c, annotate or (lambda x, name: x), microbatches)
    # Parameters and moments come back as they went in; what is left open in the arguments is left open in the results.
    return jax.jit(step, in_shardings=inputs, out_shardings=(*inputs[:2], None), donate_argnums=(0, 1)), arrays


def sizes(c, *names):
    """Elements of all layers' parameters of these names."""
    layer = c.layer_shapes()
    return c.layers * sum(math.prod(layer[name]) for name in names if name in layer)


SPLIT = ("wq", "wk", "wv", "wo", "gate", "up", "down")


def tensor_parallel_plan(plan, c, data, model, times=1, passes=1):
    """Megatron: per layer and pass two sums of the activations over `model` (behind attention and MLP forward, of the input
    gradients of q/k/v and of gate/up backward); at the end one sum of the gradients over `data`."""
    plan.all_reduce("activations", model, c.batch // times // data, c.sequence, c.width, times=4 * c.layers * times)
    whole = sizes(c, "ln1", "ln2") + c.width + c.vocabulary * c.width * (1 if c.tied else 2)
    plan.all_reduce("gradients", data, sizes(c, *SPLIT) // model + whole)
    plan.all_reduce("loss", data)


@case(data=2, model=4)
def tensor_parallel(mesh, plan):
    """Heads and MLP columns on `model`, the batch on `data`."""
    c = Config()
    tensor_parallel_plan(plan, c, 2, 4)
    return training(mesh, c, named(TENSOR_PARALLEL, c, None))


@case(data=2, model=4)
def tensor_parallel_gqa(mesh, plan):
    """Grouped queries (8 heads, 4 of keys and values) and a gated MLP: five matrices whose input gradients are to be
    added before they are reduced."""
    c = Config(kv_heads=4, gated=True, optimizer="momentum")
    tensor_parallel_plan(plan, c, 2, 4)
    return training(mesh, c, named(TENSOR_PARALLEL, c, None))


def sequence_parallel_plan(plan, c):
    """Megatron's sequence parallelism on data=2, model=4."""
    activations = c.batch // 2, c.sequence, c.width
    plan.all_gather("inputs of attention and MLP; gradients of their outputs", 4, *activations, times=4 * c.layers)
    plan.reduce_scatter("outputs of attention and MLP; gradients of their inputs", 4, *activations, times=4 * c.layers)
    plan.all_reduce("gradients of split weights", 2, sizes(c, *SPLIT) // 4)
    plan.all_reduce("other gradients", 8, sizes(c, "ln1", "ln2") + c.width + 2 * c.vocabulary * c.width)
    plan.all_reduce("loss", 8)


@case(data=2, model=4)
def sequence_parallel(mesh, plan):
    """Megatron's sequence parallelism by one annotation, that of the residual stream: gather before the split products,
    reduce-scatter behind them. Gains, table and head see only their part of the sequence: summed over all devices."""
    c = Config()
    sequence_parallel_plan(plan, c)
    annotate = constraints(mesh, residual=P("data", "model", None))
    return training(mesh, c, named(TENSOR_PARALLEL, c, None), annotate=annotate)


@case(data=2, model=4)
def sequence_parallel_wide(mesh, plan):
    """The same where the weights are larger than a device group's activations, so that moving weights does not pay."""
    c = Config(layers=1, width=512, heads=16, kv_heads=16, hidden=2048, batch=4, vocabulary=128)
    sequence_parallel_plan(plan, c)
    annotate = constraints(mesh, residual=P("data", "model", None))
    return training(mesh, c, named(TENSOR_PARALLEL, c, None), annotate=annotate)


@case(data=8)
def data_parallel(mesh, plan):
    """Replicated parameters: one sum of every gradient."""
    c = Config()
    tensor_parallel_plan(plan, c, 8, 1)
    return training(mesh, c, named({}, c, P()))


def parameters_of(c):
    return sizes(c, "ln1", "ln2", *SPLIT) + c.width + 2 * c.vocabulary * c.width


@case(data=8)
def fsdp(mesh, plan):
    """Parameters and moments split on `data` (ZeRO-3): every parameter gathered once, for both passes; every gradient
    reduce-scattered."""
    c = Config()
    plan.all_gather("parameters", 8, parameters_of(c))
    plan.reduce_scatter("gradients", 8, parameters_of(c))
    plan.all_reduce("loss", 8)
    return training(mesh, c, named(FULLY_SHARDED, c, None))


@case(data=8)
def fsdp_columns(mesh, plan):
    """The same with other dimensions split, so that the specs of a layer look like those of tensor parallelism."""
    c = Config()
    plan.all_gather("parameters", 8, parameters_of(c))
    plan.reduce_scatter("gradients", 8, parameters_of(c))
    plan.all_reduce("loss", 8)
    specs = {
        "embed": P(None, "data"),
        "wq": P(None, None, "data"),
        "wk": P(None, None, "data"),
        "wv": P(None, None, "data"),
        "wo": P("data", None, None),
        "up": P(None, "data"),
        "down": P("data", None),
        "head": P(None, "data"),
    }
    return training(mesh, c, named(specs, c, P("data")))


@case(data=8)
def zero1(mesh, plan):
    """Only the moments are split: gradients reduce-scattered, the update computed in shards, new parameters gathered."""
    c = Config()
    plan.reduce_scatter("gradients", 8, parameters_of(c))
    plan.all_gather("new parameters", 8, parameters_of(c))
    plan.all_reduce("loss", 8)
    return training(mesh, c, named({}, c, P()), named(FULLY_SHARDED, c, None))


@case(data=8)
def zero1_clipped(mesh, plan):
    """With gradients scaled by their common norm: the norm of the parts, and one sum of a number."""
    c = Config(clip=True)
    plan.reduce_scatter("gradients", 8, parameters_of(c))
    plan.all_reduce("squared norm", 8)
    plan.all_gather("new parameters", 8, parameters_of(c))
    plan.all_reduce("loss", 8)
    return training(mesh, c, named({}, c, P()), named(FULLY_SHARDED, c, None))


@case(data=2, model=4)
def zero1_tensor_parallel(mesh, plan):
    """Tensor parallelism whose moments are split over `data` as well: of all gradients a part each, parameters gathered."""
    c = Config()
    plan.all_reduce("activations", 4, c.batch // 2, c.sequence, c.width, times=4 * c.layers)
    plan.reduce_scatter("gradients", 2, sizes(c, *SPLIT) // 4 + parameters_of(c) - sizes(c, *SPLIT))
    plan.all_gather("new parameters", 2, sizes(c, *SPLIT) // 4 + parameters_of(c) - sizes(c, *SPLIT))
    plan.all_reduce("loss", 2)
    moments = {
        "wq": P("data", "model", None),
        "wk": P("data", "model", None),
        "wv": P("data", "model", None),
        "wo": P("model", None, "data"),
        "up": P("data", "model"),
        "down": P("model", "data"),
    }
    return training(mesh, c, named(TENSOR_PARALLEL, c, P()), named(moments, c, P("data")))


@case(data=2, fsdp=2, model=2)
def three_dimensional(mesh, plan):
    """Weights on (fsdp, model), the batch on (data, fsdp), logits split by vocabulary: weights gathered over `fsdp`, their
    gradients reduce-scattered over it and only then summed over `data`; activations as with tensor parallelism."""
    c = Config()
    specs = {
        "embed": P(None, "fsdp"),
        "ln1": P(None),
        "wq": P("fsdp", "model", None),
        "wk": P("fsdp", "model", None),
        "wv": P("fsdp", "model", None),
        "wo": P("model", None, "fsdp"),
        "ln2": P(None),
        "up": P("fsdp", "model"),
        "down": P("model", "fsdp"),
        "lnf": P(None),
        "head": P("fsdp", "model"),
    }
    split, table = sizes(c, *SPLIT) + c.width * c.vocabulary, c.vocabulary * c.width
    plan.all_gather("parameters", 2, split // 2 + table)
    plan.reduce_scatter("gradients over fsdp", 2, split // 2 + table)
    plan.all_reduce("gradients over data", 2, split // 4 + table // 2)
    plan.all_reduce("gradients of gains", 4, sizes(c, "ln1", "ln2") + c.width)
    plan.all_reduce("activations, input gradient of the head", 2, c.batch // 4, c.sequence, c.width, times=4 * c.layers + 1)
    plan.all_reduce("maximum, sum, target of the softmax", 2, c.batch // 4, c.sequence, times=3)
    plan.all_reduce("loss", 4)
    return training(mesh, c, named(specs, c, None), tokens=P(("data", "fsdp")))


@case(data=4, model=2)
def two_dimensional(mesh, plan):
    """Weights on both axes, the batch on `data`, the usual layout of large models: FSDP over `data` of what tensor
    parallelism leaves."""
    c = Config(gated=True, optimizer="momentum")
    split, tables = sizes(c, *SPLIT), 2 * c.vocabulary * c.width
    plan.all_gather("parameters", 4, split // 2 + tables)
    plan.reduce_scatter("gradients", 4, split // 2 + tables)
    plan.all_reduce("gradients of gains", 4, sizes(c, "ln1", "ln2") + c.width)
    plan.all_reduce("activations", 2, c.batch // 4, c.sequence, c.width, times=4 * c.layers)
    plan.all_reduce("loss", 4)
    annotate = constraints(mesh, residual=P("data", None, None))
    return training(mesh, c, named(TWO_DIMENSIONAL, c, P()), annotate=annotate)


@case(data=2, model=4)
def scan_tensor_parallel(mesh, plan):
    """The layers in a loop; per iteration what the unrolled program does."""
    c = Config(layers=4, scan=True)
    tensor_parallel_plan(plan, c, 2, 4)
    return training(mesh, c, named(TENSOR_PARALLEL, c, None))


@case(data=2, model=4)
def scan_recomputed(mesh, plan):
    """A loop whose body is recomputed in the backward pass (`jax.checkpoint`): once more the sum behind attention; the one
    behind the MLP is not needed again."""
    c = Config(layers=4, scan=True, recompute=True)
    tensor_parallel_plan(plan, c, 2, 4)
    plan.all_reduce("attention again", 4, c.batch // 2, c.sequence, c.width, times=c.layers)
    return training(mesh, c, named(TENSOR_PARALLEL, c, None))


def scan_fsdp_plan(plan, c):
    layers, rest = sizes(c, "ln1", "ln2", *SPLIT), c.width + 2 * c.vocabulary * c.width
    plan.all_gather("parameters of layers, both passes", 8, layers // c.layers, times=2 * c.layers)
    plan.all_gather("other parameters", 8, rest)
    plan.reduce_scatter("gradients", 8, layers + rest)
    plan.all_reduce("loss", 8)


@case(data=8)
def scan_fsdp(mesh, plan):
    """The layers in a loop, parameters split: gathered in each pass, since keeping all layers whole between the passes would
    defeat the purpose."""
    c = Config(layers=4, scan=True)
    scan_fsdp_plan(plan, c)
    return training(mesh, c, named(FULLY_SHARDED, c, None))


@case(data=8)
def scan_fsdp_constrained(mesh, plan):
    """The same with the batch of the residual stream constrained to `data`, which XLA needs to be told."""
    c = Config(layers=4, scan=True)
    scan_fsdp_plan(plan, c)
    return training(mesh, c, named(FULLY_SHARDED, c, None), annotate=constraints(mesh, residual=P("data", None, None)))


@case(data=2, model=4)
def accumulated(mesh, plan):
    """Four microbatches in a loop: activations in each, gradients once."""
    c = dataclasses.replace(Config(), batch=32)
    tensor_parallel_plan(plan, c, 2, 4, times=4)
    return training(mesh, c, named(TENSOR_PARALLEL, c, None), microbatches=4)


@case(data=2, model=4, limit=2048)
def vocabulary_parallel(mesh, plan):
    """Table and head split by vocabulary: a masked lookup and one sum of it over `model`; of the loss only the maximum, the
    sum and the target's score per token cross devices, in the backward pass the input gradient of the head."""
    c = Config(vocabulary=2048)
    tables = 2 * c.vocabulary * c.width
    tensor_parallel_plan(plan, dataclasses.replace(c, vocabulary=0), 2, 4)
    plan.all_reduce("lookup, input gradient of the head", 4, c.batch // 2, c.sequence, c.width, times=2)
    plan.all_reduce("maximum, sum, target of the softmax", 4, c.batch // 2, c.sequence, times=3)
    plan.all_reduce("gradients of table and head", 2, tables // 4)
    specs = TENSOR_PARALLEL | {"embed": P("model", None), "head": P(None, "model")}
    return training(mesh, c, named(specs, c, None))


@case(data=2, model=4, limit=2048)
def tied_table(mesh, plan):
    """As before with one table for both ends: its two gradients are added before they are summed over `data`."""
    c = Config(vocabulary=2048, tied=True)
    tensor_parallel_plan(plan, dataclasses.replace(c, vocabulary=0), 2, 4)
    plan.all_reduce("lookup, input gradient of the logits", 4, c.batch // 2, c.sequence, c.width, times=2)
    plan.all_reduce("maximum, sum, target of the softmax", 4, c.batch // 2, c.sequence, times=3)
    plan.all_reduce("gradient of the table", 2, c.vocabulary * c.width // 4)
    return training(mesh, c, named(TENSOR_PARALLEL | {"embed": P("model", None)}, c, None))


def replicated_weights_plan(plan, c, heads, columns):
    """Weights that everybody has whole, used in `model` parts: gradients summed over `data` in parts, then gathered over
    `model`: the gradient, not the parameter and both moments. `heads` and `columns` are as padded to a multiple of 4."""
    activations = (4 if heads else 0) + (4 if columns else 0)
    plan.all_reduce("activations", 4, c.batch // 2, c.sequence, c.width, times=activations // 2 * c.layers)
    split = c.layers * (4 * c.width * heads * c.head + 2 * c.width * columns)
    plan.all_reduce("gradients in parts", 2, split // 4)
    plan.all_gather("summed gradients", 4, split)
    whole = sizes(c, "ln1", "ln2") + c.width + 2 * c.vocabulary * c.width
    whole += 0 if heads else sizes(c, "wq", "wk", "wv", "wo")
    whole += 0 if columns else sizes(c, "up", "down")
    plan.all_reduce("other gradients", 2, whole)
    plan.all_reduce("loss", 2)


@case(data=2, model=4)
def constrained_activations(mesh, plan):
    """Only the heads and the hidden layer are constrained, weights and moments are replicated arguments and results."""
    c = Config()
    replicated_weights_plan(plan, c, c.heads, c.hidden)
    heads = P("data", None, "model", None)
    annotate = constraints(mesh, heads=heads, kv=heads, hidden=P("data", None, "model"))
    return training(mesh, c, named({}, c, P()), annotate=annotate)


@case(data=2, model=4)
def uneven_heads(mesh, plan):
    """Ten heads on four devices (3, 3, 3, 1), which JAX allows in constraints only."""
    c = Config(width=320, heads=10, kv_heads=10)
    replicated_weights_plan(plan, c, 12, 0)
    heads = P("data", None, "model", None)
    return training(mesh, c, named({}, c, P()), annotate=constraints(mesh, heads=heads, kv=heads))


@case(data=2, model=4)
def uneven_columns(mesh, plan):
    """A hidden layer of 410 columns on four devices (103, 103, 103, 101)."""
    c = Config(hidden=410)
    replicated_weights_plan(plan, c, 0, 412)
    return training(mesh, c, named({}, c, P()), annotate=constraints(mesh, hidden=P("data", None, "model")))


@case(data=2, seq=4)
def long_context(mesh, plan):
    """The sequence split, queries stay, keys and values (a quarter of the heads) are gathered; their gradients are
    reduce-scattered."""
    c = Config(kv_heads=2, sequence=512, batch=4)
    keys = c.batch // 2, c.sequence, c.kv_heads, c.head
    plan.all_gather("keys and values", 4, *keys, times=2 * c.layers)
    plan.reduce_scatter("gradients of keys and values", 4, *keys, times=2 * c.layers)
    plan.all_reduce("gradients", 8, parameters_of(c))
    plan.all_reduce("loss", 8)
    annotate = constraints(mesh, residual=P("data", "seq", None), kv=P("data", None, None, None))
    return training(mesh, c, named({}, c, P()), tokens=P("data", "seq"), annotate=annotate)


@case(seq=8)
def ulysses(mesh, plan):
    """The sequence split outside of attention, heads inside: queries, keys, values and the result are exchanged, and their
    gradients."""
    c = Config(sequence=512, batch=4)
    plan.all_to_all("queries, keys, values, results and their gradients", 8, c.batch, c.sequence // 8, c.width, times=8 * c.layers)
    plan.all_reduce("gradients", 8, parameters_of(c))
    plan.all_reduce("loss", 8)
    heads, sequence = P(None, None, "seq", None), P(None, "seq", None, None)
    annotate = constraints(mesh, residual=P(None, "seq", None), heads=heads, kv=heads, mixed=sequence)
    return training(mesh, c, named({}, c, P()), tokens=P(None, "seq"), annotate=annotate)


@case(data=8)
def accumulated_fsdp(mesh, plan):
    """Four microbatches in a loop, parameters split: gathered once before it, gradients reduce-scattered once behind it."""
    c = dataclasses.replace(Config(), batch=32)
    plan.all_gather("parameters", 8, parameters_of(c))
    plan.reduce_scatter("gradients", 8, parameters_of(c))
    plan.all_reduce("loss", 8)
    return training(mesh, c, named(FULLY_SHARDED, c, None), microbatches=4)


@case(data=2, model=4, limit=256)
def gpt(mesh, plan):
    """The repository's example: biases, layer norms, one matrix for queries, keys and values."""
    c = model.Config(layers=2)
    d, f = c.width, c.mlp_width
    plan.all_reduce("activations", 4, c.batch // 2, c.sequence, d, times=4 * c.layers)
    split, whole = 4 * d * d + 3 * d + 2 * d * f + f, 4 * d + 2 * d
    plan.all_reduce("gradients", 2, c.layers * (split // 4 + whole) + 2 * c.vocabulary * d + c.sequence * d + 2 * d)
    plan.all_reduce("loss", 2)
    inputs = model.shardings(c, mesh)
    return jax.jit(model.step, in_shardings=inputs, donate_argnums=(0, 1)), model.arguments(c)
