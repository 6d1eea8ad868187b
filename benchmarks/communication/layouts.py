"""Transformers on combinations of axes that are less usual: more devices than heads of keys, three kinds of axes, parameters on
several, tables in blocks, recomputation by policy, gradients accumulated in shards."""

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P

from architectures import descent
from case import case, constraints, on, sds
from training import FULLY_SHARDED, SPLIT, TENSOR_PARALLEL, TWO_DIMENSIONAL, parameters_of, replicated_weights_plan, sizes, training
from transformer import OPTIMIZERS, Config, arguments, block, cross_entropy, keep, logits, loss, named, rms_norm


@case(model=8)
def more_devices_than_key_heads(mesh, plan):
    """Eight heads of queries on eight devices, four heads of keys and values, whose weights everybody has: two devices share a head,
    sum its gradient between them, and all gather the four."""
    c = Config(kv_heads=4, batch=4)
    plan.all_reduce("activations", 8, c.batch, c.sequence, c.width, times=4 * c.layers)
    plan.all_reduce("gradient of one head of keys or values", 2, c.width, c.head, times=2 * c.layers)
    plan.all_gather("gradients of all heads of keys and values", 4, c.width, c.kv_heads, c.head, times=2 * c.layers)
    return training(mesh, c, named(TENSOR_PARALLEL | {"wk": P(), "wv": P()}, c, P()), tokens=P())


@case(data=2, seq=2, model=2)
def data_sequence_model(mesh, plan):
    """Three kinds of axes: the batch, positions, and heads and columns. Sums over `model` of a part of the positions, keys and values of half
    of the heads gathered over `seq`, gradients summed over the other two axes."""
    c = Config(kv_heads=4, batch=8, sequence=256)
    keys = c.batch // 2, c.sequence, c.kv_heads // 2, c.head
    plan.all_reduce("activations", 2, c.batch // 2, c.sequence // 2, c.width, times=4 * c.layers)
    plan.all_gather("keys and values", 2, *keys, times=2 * c.layers)
    plan.reduce_scatter("gradients of keys and values", 2, *keys, times=2 * c.layers)
    split = sizes(c, *SPLIT)
    plan.all_reduce("gradients", 4, parameters_of(c) - split + split // 2)
    plan.all_reduce("loss", 4)
    annotate = constraints(mesh, residual=P("data", "seq", None), kv=P("data", None, "model", None))
    return training(mesh, c, named(TENSOR_PARALLEL, c, None), tokens=P("data", "seq"), annotate=annotate)


@case(x=2, y=4)
def fsdp_in_blocks(mesh, plan):
    """Every matrix split along both of its dimensions, the batch over both axes: parameters gathered once, gradients reduce-scattered."""
    c = Config()
    specs = {
        "embed": P("x", "y"),
        "wq": P("x", "y", None),
        "wk": P("x", "y", None),
        "wv": P("x", "y", None),
        "wo": P("y", None, "x"),
        "up": P("x", "y"),
        "down": P("y", "x"),
        "head": P("x", "y"),
    }
    gains = sizes(c, "ln1", "ln2") + c.width
    plan.all_gather("parameters", 8, parameters_of(c) - gains)
    plan.reduce_scatter("gradients", 8, parameters_of(c) - gains)
    plan.all_reduce("gradients of gains", 8, gains)
    plan.all_reduce("loss", 8)
    both = P(("x", "y"))
    return training(mesh, c, named(specs, c, P()), tokens=both, annotate=constraints(mesh, residual=both))


@case(fsdp=2, model=4)
def sequence_parallel_by_policy(mesh, plan):
    """Sequence parallelism in a loop over layers whose body keeps products only (`dots_with_no_batch_dims_saveable`), weights on
    `fsdp` too: the normed input of attention and MLP is gathered once more in the backward pass."""
    c = Config(layers=3, batch=4, width=512, heads=16, kv_heads=16, hidden=2048, vocabulary=128, scan=True, optimizer="momentum")
    split, activations = sizes(c, *SPLIT), (c.batch // 2, c.sequence, c.width)
    plan.all_gather("inputs of attention and MLP, again, and gradients of their outputs", 4, *activations, times=6 * c.layers)
    plan.reduce_scatter("outputs of attention and MLP; gradients of their inputs", 4, *activations, times=4 * c.layers)
    plan.all_gather("weights, both passes", 2, split // c.layers // 4, times=2 * c.layers)
    plan.reduce_scatter("gradients of weights", 2, split // 4)
    plan.all_reduce("other gradients", 8, parameters_of(c) - split)
    plan.all_reduce("loss", 8)
    specs = {
        "wq": P("fsdp", "model", None),
        "wk": P("fsdp", "model", None),
        "wv": P("fsdp", "model", None),
        "wo": P("model", None, "fsdp"),
        "up": P("fsdp", "model"),
        "down": P("model", "fsdp"),
    }
    annotate = constraints(mesh, residual=P("fsdp", "model", None))
    one = jax.checkpoint(block, static_argnums=(2,), policy=jax.checkpoint_policies.dots_with_no_batch_dims_saveable)

    def error(p, tokens, targets):
        x = annotate(p["embed"][tokens], "residual")
        x, _ = lax.scan(lambda x, layer: (one(x, layer, annotate), None), x, p["layers"])
        return cross_entropy(rms_norm(x, p["lnf"]) @ p["head"], targets)

    tokens = sds(c.batch, c.sequence, dtype="int32")
    return descent(mesh, error, c.shapes(), named(specs, c, P()), (tokens, tokens), (P("fsdp"), P("fsdp")))


@case(data=8)
def zero2_accumulated(mesh, plan):
    """ZeRO-2: moments and, by constraint, the gradients that four microbatches add up are split, parameters whole. What is added up is
    reduce-scattered once, behind the loop, as it is without the constraint; new parameters are gathered."""
    c = Config(batch=32)
    plan.reduce_scatter("gradients", 8, parameters_of(c))
    plan.all_gather("new parameters", 8, parameters_of(c))
    plan.all_reduce("loss", 8)
    shards = on(mesh, named(FULLY_SHARDED, c, None))
    split = lambda tree: jax.tree.map(jax.lax.with_sharding_constraint, tree, shards)
    p, opt, tokens, _ = arguments(c, 4)

    def step(p, opt, tokens, targets):
        def accumulate(total, batch):
            value, gradients = jax.value_and_grad(loss)(p, *batch)
            return (total[0] + value / 4, split(jax.tree.map(lambda t, g: t + g / 4, total[1], gradients))), None

        zero = jnp.zeros(()), split(jax.tree.map(jnp.zeros_like, p))
        (value, gradients), _ = lax.scan(accumulate, zero, (tokens, targets))
        return *OPTIMIZERS[c.optimizer][0](p, gradients, opt), value

    state = named(FULLY_SHARDED, c, None)
    inputs = on(mesh, (named({}, c, P()), {moment: state for moment in opt}, P(None, "data"), P(None, "data")))
    step = jax.jit(step, in_shardings=inputs, out_shardings=(*inputs[:2], None), donate_argnums=(0, 1))
    return step, (p, opt, tokens, tokens)


@case(data=4, model=2, limit=2048)
def tables_in_blocks(mesh, plan):
    """Weights on both axes and so are the tables, by words on `model` and by width on `data`: gathered over `data` only; lookup and loss as with
    a vocabulary that is split."""
    c = Config(vocabulary=2048, gated=True, optimizer="momentum")
    specs = TWO_DIMENSIONAL | {"embed": P("model", "data"), "head": P("data", "model")}
    split, tables = sizes(c, *SPLIT), 2 * c.vocabulary * c.width
    plan.all_gather("parameters", 4, (split + tables) // 2)
    plan.reduce_scatter("gradients", 4, (split + tables) // 2)
    plan.all_reduce("gradients of gains", 4, sizes(c, "ln1", "ln2") + c.width)
    plan.all_reduce("activations, lookup, input gradient of the head", 2, c.batch // 4, c.sequence, c.width, times=4 * c.layers + 2)
    plan.all_reduce("maximum, sum, target of the softmax", 2, c.batch // 4, c.sequence, times=3)
    plan.all_reduce("loss", 4)
    annotate = constraints(mesh, residual=P("data", None, None), logits=P("data", None, "model"))
    return training(mesh, c, named(specs, c, P()), annotate=annotate)


@case(data=2, model=4, limit=2048)
def capped_scores(mesh, plan):
    """A Gemma: one split table for both ends, the input scaled, scores capped, and the loss with a term for the size of the softmax's sum
    (z-loss), which costs nothing more."""
    c = Config(vocabulary=2048, tied=True, gated=True)
    activations, split = (c.batch // 2, c.sequence, c.width), sizes(c, *SPLIT)
    plan.all_reduce("activations, lookup, input gradient of the scores", 4, *activations, times=4 * c.layers + 2)
    plan.all_reduce("maximum, sum, target of the softmax", 4, *activations[:2], times=3)
    plan.all_reduce("gradients", 2, (split + c.vocabulary * c.width) // 4 + sizes(c, "ln1", "ln2") + c.width)
    plan.all_reduce("loss", 2)

    def error(p, tokens, targets):
        scaled = p | {"embed": p["embed"] * c.width**0.5}
        scores = 30 * jnp.tanh(logits(scaled, tokens, keep) / 30)
        size = jax.nn.logsumexp(scores, axis=-1)
        target = jnp.take_along_axis(scores, targets[..., None], axis=-1)[..., 0]
        return jnp.mean(size - target + 1e-4 * size**2)

    specs = named(TENSOR_PARALLEL | {"embed": P("model", None)}, c, P())
    tokens = sds(c.batch, c.sequence, dtype="int32")
    return descent(mesh, error, c.shapes(), specs, (tokens, tokens), (P("data"), P("data")))


@case(data=2, model=4)
def uneven_heads_in_a_loop(mesh, plan):
    """Seven heads and 602 columns on four devices, constrained within a loop over the layers; weights are whole: gradients summed in
    parts, then gathered, behind the loop."""
    c = Config(layers=3, width=224, heads=7, kv_heads=7, hidden=602, scan=True, optimizer="momentum")
    replicated_weights_plan(plan, c, 8, 604)
    heads = P("data", None, "model", None)
    annotate = constraints(mesh, heads=heads, kv=heads, hidden=P("data", None, "model"))
    return training(mesh, c, named({}, c, P()), annotate=annotate)


@case(data=2, seq=4)
def positions_and_parameters(mesh, plan):
    """Long context with parameters split over both axes: gathered once; keys and values (a quarter of the heads) over `seq`."""
    c = Config(kv_heads=2, sequence=512, batch=4)
    keys = c.batch // 2, c.sequence, c.kv_heads, c.head
    plan.all_gather("parameters", 8, parameters_of(c))
    plan.reduce_scatter("gradients", 8, parameters_of(c))
    plan.all_gather("keys and values", 4, *keys, times=2 * c.layers)
    plan.reduce_scatter("gradients of keys and values", 4, *keys, times=2 * c.layers)
    plan.all_reduce("loss", 8)
    both = lambda spec: P(*(("data", "seq") if axis else None for axis in spec))
    specs = {name: both(spec) for name, spec in FULLY_SHARDED.items()}
    annotate = constraints(mesh, residual=P("data", "seq", None), kv=P("data", None, None, None))
    return training(mesh, c, named(specs, c, None), tokens=P("data", "seq"), annotate=annotate)


@case(data=2, fsdp=2, model=2)
def accumulated_on_three_axes(mesh, plan):
    """Two microbatches, each a recomputed loop over three layers, weights on (fsdp, model), the batch on (data, fsdp): weights gathered
    in both passes of each microbatch, gradients reduce-scattered and summed once."""
    c = Config(layers=3, batch=32, gated=True, scan=True, recompute=True, optimizer="momentum")
    specs = {
        "embed": P(None, "fsdp"),
        "wq": P("fsdp", "model", None),
        "wk": P("fsdp", "model", None),
        "wv": P("fsdp", "model", None),
        "wo": P("model", None, "fsdp"),
        "gate": P("fsdp", "model"),
        "up": P("fsdp", "model"),
        "down": P("model", "fsdp"),
        "head": P("fsdp", None),
    }
    split, tables, times = sizes(c, *SPLIT), 2 * c.vocabulary * c.width, 2
    plan.all_gather("weights, both passes", 2, split // 2 // c.layers, times=2 * c.layers * times)
    plan.all_gather("tables", 2, tables)
    plan.reduce_scatter("gradients over fsdp", 2, split // 2 + tables)
    plan.all_reduce("gradients over data", 2, split // 4 + tables // 2)
    plan.all_reduce("gradients of gains", 4, sizes(c, "ln1", "ln2") + c.width)
    activations = c.batch // times // 4, c.sequence, c.width
    plan.all_reduce("activations, and attention again", 2, *activations, times=5 * c.layers * times)
    plan.all_reduce("loss", 4)
    annotate = constraints(mesh, residual=P(("data", "fsdp"), None, None))
    return training(mesh, c, named(specs, c, P()), tokens=P(("data", "fsdp")), annotate=annotate, microbatches=times)
