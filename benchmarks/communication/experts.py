"""Mixture of experts, dispatched by products with masks (GShard), and a table looked up across three axes."""

import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P

from case import case, constraints, on, sds
from transformer import attention, cross_entropy, momentum, rms_norm

LAYERS, WIDTH, HEADS, HIDDEN, EXPERTS, CAPACITY, BATCH, SEQUENCE, VOCABULARY = 2, 256, 8, 512, 8, 32, 16, 128, 512


def shapes():
    layer = {
        "ln1": (WIDTH,),
        **{name: (WIDTH, HEADS, WIDTH // HEADS) for name in ("wq", "wk", "wv")},
        "wo": (HEADS, WIDTH // HEADS, WIDTH),
        "ln2": (WIDTH,),
        "router": (WIDTH, EXPERTS),
        "up": (EXPERTS, WIDTH, HIDDEN),
        "down": (EXPERTS, HIDDEN, WIDTH),
    }
    return {"embed": (VOCABULARY, WIDTH), "layers": [layer] * LAYERS, "lnf": (WIDTH,), "head": (WIDTH, VOCABULARY)}


def mixture(x, layer, annotate):
    """Each token to its best expert, as long as that has room: CAPACITY tokens of each sequence."""
    gates = jax.nn.softmax(x @ layer["router"], axis=-1)
    expert = jnp.argmax(gates, axis=-1)
    chosen = jax.nn.one_hot(expert, EXPERTS)
    place = jnp.cumsum(chosen, axis=1) * chosen - 1
    dispatch = jax.nn.one_hot(place.astype(jnp.int32), CAPACITY) * chosen[..., None]
    combine = dispatch * jnp.sum(gates * chosen, axis=-1)[..., None, None]
    inputs = annotate(jnp.einsum("bsec,bsd->ebcd", dispatch, x), "experts")
    hidden = jax.nn.gelu(jnp.einsum("ebcd,edf->ebcf", inputs, layer["up"]), approximate=True)
    outputs = annotate(jnp.einsum("ebcf,efd->ebcd", hidden, layer["down"]), "experts")
    return annotate(jnp.einsum("bsec,ebcd->bsd", combine, outputs), "residual")


def step_of(annotate):
    def loss(p, tokens, targets):
        x = annotate(p["embed"][tokens], "residual")
        for layer in p["layers"]:
            x = annotate(x + attention(rms_norm(x, layer["ln1"]), layer, annotate), "residual")
            x = x + mixture(rms_norm(x, layer["ln2"]), layer, annotate)
        return cross_entropy(rms_norm(x, p["lnf"]) @ p["head"], targets)

    def step(p, opt, tokens, targets):
        value, gradients = jax.value_and_grad(loss)(p, tokens, targets)
        return *momentum(p, gradients, opt), value

    return step


def mixture_of_experts(mesh, batch, expert_axes, annotate):
    """The jitted step: `batch` and `expert_axes` are the axes of the batch and of the experts."""
    is_shape = lambda s: isinstance(s, tuple)
    p = jax.tree.map(lambda s: sds(*s), shapes(), is_leaf=is_shape)
    spec = lambda path, _: P(expert_axes) if path[-1].key in ("up", "down") else P()
    specs = jax.tree_util.tree_map_with_path(spec, shapes(), is_leaf=is_shape)
    inputs = on(mesh, (specs, {"m": specs}, P(batch), P(batch)))
    tokens = sds(BATCH, SEQUENCE, dtype="int32")
    step = jax.jit(step_of(annotate), in_shardings=inputs, out_shardings=(*inputs[:2], None), donate_argnums=(0, 1))
    return step, (p, {"m": p}, tokens, tokens)


def mixture_plan(plan, data, experts):
    """Tokens to the experts and back by one exchange each, forward and backward. Of the gradients those of the experts are
    summed over `data`, the others over all devices."""
    n = data * experts
    slots = EXPERTS, BATCH // n, CAPACITY, WIDTH
    plan.all_to_all("tokens to experts and back, both passes", experts, *slots, times=4 * LAYERS)
    everywhere = LAYERS * (2 * WIDTH + 4 * WIDTH * WIDTH + WIDTH * EXPERTS) + WIDTH + 2 * VOCABULARY * WIDTH
    plan.all_reduce("gradients outside of the experts", n, everywhere)
    plan.all_reduce("gradients of the experts", data, LAYERS * 2 * EXPERTS * WIDTH * HIDDEN // experts)
    plan.all_reduce("loss", n)


@case(data=8)
def experts(mesh, plan):
    """Batch and experts on the same axis."""
    mixture_plan(plan, 1, 8)
    annotate = constraints(mesh, experts=P("data"), residual=P("data"))
    return mixture_of_experts(mesh, "data", "data", annotate)


@case(data=2, expert=4)
def experts_and_data(mesh, plan):
    """Experts on an axis of their own, the batch on both."""
    mixture_plan(plan, 2, 4)
    annotate = constraints(mesh, experts=P("expert", "data"), residual=P(("data", "expert")))
    return mixture_of_experts(mesh, ("data", "expert"), "expert", annotate)


@case(data=2, fsdp=2, model=2, limit=4096)
def lookup(mesh, plan):
    """A table on (model, fsdp), tokens on (data, fsdp). Every device looks its columns up for the tokens of its `data`
    group (masked by its rows), sums over `model`, and exchanges columns for tokens over `fsdp`; backward the same exchange, and
    the table's gradient is summed over `data` only."""
    rows, width, batch, sequence = 4096, 256, 16, 128
    plan.all_gather("tokens", 2, batch // 2, sequence)
    plan.all_reduce("columns looked up", 2, batch // 2, sequence, width // 2)
    plan.all_to_all("columns for tokens, both passes", 2, batch // 2, sequence, width // 2, times=2)
    plan.all_reduce("gradient of the table", 2, rows // 2, width // 2)
    plan.all_reduce("gradient of the product", 4, width, width)
    plan.all_reduce("loss", 4)

    annotate = constraints(mesh, residual=P(("data", "fsdp"), None, None))

    def loss(p, tokens):
        x = annotate(p["table"][tokens], "residual")
        return jnp.mean(jnp.square(jnp.tanh(x @ p["w"])))

    def step(p, tokens):
        value, gradients = jax.value_and_grad(loss)(p, tokens)
        return jax.tree.map(lambda p, g: p - 100.0 * g, p, gradients), value

    specs = on(mesh, ({"table": P("model", "fsdp"), "w": P()}, P(("data", "fsdp"))))
    arguments = {"table": sds(rows, width), "w": sds(width, width)}, sds(batch, sequence, dtype="int32")
    return jax.jit(step, in_shardings=specs, out_shardings=(specs[0], None), donate_argnums=(0,)), arguments
