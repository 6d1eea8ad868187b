"""Training steps that need their whole batch at once, cut into stages all the same; made by `programs.py` as its own are."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from programs import integers, normal, program

STAGES = ("--stages=2 --check-phases", "--stages=4 --schedule=zb-h1", "--stages=2 --mesh=data=2")


def layers(*sizes):
    return [{"w": normal(m, n) / m**0.5, "b": np.zeros(n, np.float32)} for m, n in zip(sizes, sizes[1:])]


def network(p, x):
    for number, layer in enumerate(p):
        x = x @ layer["w"] + layer["b"]
        x = jnp.tanh(x) if number + 1 < len(p) else x
    return x


def zeros(tree):
    return jax.tree.map(np.zeros_like, tree)


def adam(p, m, v, t, g):
    """A step of Adam behind a clipped norm."""
    norm = jnp.sqrt(sum(jnp.sum(x * x) for x in jax.tree.leaves(g)))
    g = jax.tree.map(lambda x: x / jnp.maximum(1, norm), g)
    m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, m, g)
    v = jax.tree.map(lambda v, g: 0.99 * v + 0.01 * g * g, v, g)
    t = t + 1
    update = lambda p, m, v: p - 0.01 * (m / (1 - 0.9**t)) / (jnp.sqrt(v / (1 - 0.99**t)) + 1e-4)
    return jax.tree.map(update, p, m, v), m, v, t


TOWERS = {"image": layers(8, 16, 16, 6), "text": layers(5, 16, 16, 6), "scale": np.float32(0.5)}


@program(TOWERS, zeros(TOWERS), zeros(TOWERS), np.float32(0), normal(8, 8), normal(8, 5), donate_argnums=(0, 1, 2, 3), gpus=(), stages=STAGES, tolerance="2e-4")
def contrastive_loss(p, m, v, t, x, y):
    """Each row is compared with all others, in both directions."""

    def loss(p):
        unit = lambda x: x / jnp.linalg.norm(x, axis=-1, keepdims=True)
        likeness = unit(network(p["image"], x)) @ unit(network(p["text"], y)).T * jnp.exp(p["scale"])
        of = lambda axis: jnp.mean(jnp.diag(jax.nn.log_softmax(likeness, axis)))
        return -(of(0) + of(1)) / 2

    value, g = jax.value_and_grad(loss)(p)
    return *adam(p, m, v, t, g), value


GRAPH = {
    "in": layers(4, 12),
    "edges": [layers(24, 12, 12) for _ in range(2)],
    "nodes": [layers(24, 12, 12) for _ in range(2)],
    "out": layers(12, 2),
}


@program(
    GRAPH, zeros(GRAPH), zeros(GRAPH), np.float32(0), normal(10, 4), integers(0, 10, 24), integers(0, 10, 24), normal(10, 2),
    donate_argnums=(0, 1, 2, 3), gpus=(), stages=STAGES, tolerance="2e-4",
)  # fmt: skip
def graph_network(p, m, v, t, nodes, senders, receivers, y):
    """Nodes send to others along edges."""

    def loss(p):
        h = network(p["in"], nodes)
        for edges, node in zip(p["edges"], p["nodes"]):
            messages = network(edges, jnp.concatenate([h[senders], h[receivers]], 1))
            sums = jnp.zeros_like(h).at[receivers].add(messages)
            h = h + network(node, jnp.concatenate([h, sums], 1))
        return jnp.mean((network(p["out"], h) - y) ** 2)

    value, g = jax.value_and_grad(loss)(p)
    return *adam(p, m, v, t, g), value


POLICY = {"actions": layers(6, 12, 12, 3), "value": layers(6, 12, 1)}


@program(
    POLICY, zeros(POLICY), zeros(POLICY), np.float32(0), np.array([0, 7], np.uint32), normal(8, 4, 6), integers(0, 3, 8, 4), normal(8, 4),
    donate_argnums=(0, 1, 2, 3, 4), gpus=(), stages=STAGES, tolerance="2e-4",
)  # fmt: skip
def policy_optimization(p, m, v, t, key, seen, taken, rewards):
    """Two epochs of permuted minibatches: a step of many steps."""
    values = network(p["value"], seen)[..., 0]
    difference = lambda c, x: (0.9 * c + x, 0.9 * c + x)
    _, gains = lax.scan(difference, jnp.zeros(4), rewards - values, reverse=True)
    gains = (gains - gains.mean()) / (gains.std() + 1e-6)
    chosen = lambda p, x, a: jnp.take_along_axis(jax.nn.log_softmax(network(p["actions"], x)), a[:, None], 1)[:, 0]
    rows = [x.reshape(32, *x.shape[2:]) for x in (seen, taken, gains, gains + values)]
    old = chosen(p, rows[0], rows[1])

    def minibatch(state, rows):
        x, a, gain, goal, old = rows

        def loss(p):
            ratio = jnp.exp(chosen(p, x, a) - old)
            surplus = jnp.minimum(ratio * gain, jnp.clip(ratio, 0.8, 1.2) * gain)
            return jnp.mean((network(p["value"], x)[:, 0] - goal) ** 2) - jnp.mean(surplus)

        value, g = jax.value_and_grad(loss)(state[0])
        return adam(*state, g), value

    def epoch(state, key):
        order = jax.random.permutation(key, 32)
        return lax.scan(minibatch, state, [x[order].reshape(4, 8, *x.shape[1:]) for x in rows + [old]])

    key, own = jax.random.split(key)
    (p, m, v, t), losses = lax.scan(epoch, (p, m, v, t), jax.random.split(own, 2))
    return p, m, v, t, key, jnp.mean(losses)


LINES = layers(5, 10, 10, 2)
MEMORY = [np.zeros((3, *x.shape), np.float32) for x in jax.tree.leaves(LINES)]


@program(LINES, MEMORY, MEMORY, normal(12, 5), normal(12, 2), donate_argnums=(0, 1, 2), gpus=(), stages=STAGES, tolerance="1e-3")
def quasi_newton(p, steps, changes, x, y):
    """L-BFGS: products of all parameters with what is remembered, and a line search that computes the loss until it is low enough."""
    tree = jax.tree.structure(p)
    loss = lambda q: jnp.mean((network(jax.tree.unflatten(tree, q), x) - y) ** 2)
    dot = lambda a, b: sum(jnp.sum(a * b) for a, b in zip(a, b))
    plus = lambda a, s, b: [a + s * b for a, b in zip(a, b)]
    p = jax.tree.leaves(p)
    value, g = jax.value_and_grad(loss)(p)
    direction, factors = g, []
    for k in range(3):
        s, c = [x[k] for x in steps], [x[k] for x in changes]
        inverse = 1 / jnp.maximum(dot(s, c), 1e-6)
        factors.append((inverse * dot(s, direction), inverse))
        direction = plus(direction, -factors[-1][0], c)
    for k in (2, 1, 0):
        s, c = [x[k] for x in steps], [x[k] for x in changes]
        direction = plus(direction, factors[k][0] - factors[k][1] * dot(c, direction), s)
    slope = dot(g, direction)
    tooHigh = lambda rate: (loss(plus(p, -rate, direction)) > value - 1e-4 * rate * slope) & (rate > 1e-3)
    rate = lax.while_loop(tooHigh, lambda rate: rate / 2, jnp.float32(2))
    new = plus(p, -rate, direction)
    changed = plus(jax.grad(loss)(new), -1, g)
    push = lambda memory, values: [jnp.concatenate([v[None], m[:2]]) for m, v in zip(memory, values)]
    return jax.tree.unflatten(tree, new), push(steps, plus(new, -1, p)), push(changes, changed), value


NOISY = {"in": layers(6, 12, 8), "out": layers(4, 12, 6)}


@program(
    NOISY, np.array([0, 7], np.uint32), normal(8, 6),
    donate_argnums=0, gpus=(), stages=("--stages=2 --check-phases", "--stages=2 --microbatches=2 --check-phases", "--stages=2 --microbatches=4"), tolerance="2e-4",
)  # fmt: skip
def raw_random_key(p, key, x):
    """A key of two numbers is no batch of two rows; noise of the batch's size is made before microbatches, which take their parts of it."""

    def loss(p):
        mean, width = jnp.split(network(p["in"], x), 2, 1)
        code = mean + jnp.exp(width / 2) * jax.random.normal(key, mean.shape)
        return jnp.mean((network(p["out"], code) - x) ** 2) + 0.1 * jnp.mean(mean**2 + jnp.exp(width) - width)

    value, g = jax.value_and_grad(loss)(p)
    return jax.tree.map(lambda p, g: p - 0.1 * g, p, g), value
