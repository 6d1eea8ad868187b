"""A U-Net that finds the noise in a picture: blocks of two convolutions, told the time, at two resolutions, with attention at the lower one."""

import jax
import jax.numpy as jnp

CHANNELS, GROUPS, TIME = (16, 32), 8, 32


def convolved(x, w, stride=1):
    return jax.lax.conv_general_dilated(x, w, (stride, stride), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))


def normed(x):
    """Each group of channels of a picture to mean zero and variance one."""
    groups = x.reshape(*x.shape[:3], GROUPS, -1)
    mean = groups.mean((1, 2, 4), keepdims=True)
    variance = ((groups - mean) ** 2).mean((1, 2, 4), keepdims=True)
    return ((groups - mean) * jax.lax.rsqrt(variance + 1e-5)).reshape(x.shape)


def initialize(seed=0):
    keys = iter(jax.random.split(jax.random.key(seed), 64))
    weight = lambda *shape: jax.random.normal(next(keys), shape) * jnp.prod(jnp.array(shape[:-1])) ** -0.5

    def block(before, after):
        return {"first": weight(3, 3, before, after), "time": weight(TIME, after), "second": weight(3, 3, after, after) * 0.1, "skip": weight(before, after)}

    low, high = CHANNELS
    return {
        "enter": weight(3, 3, 1, low), "time": weight(TIME, TIME),
        "down": [block(low, low), block(low, high)],
        "attention": {name: weight(high, high) for name in ("q", "k", "v", "out")},
        "up": [block(high + low, low)],
        "leave": weight(3, 3, low, 1) * 0.1,
    }


def block(p, x, time):
    h = convolved(jax.nn.silu(normed(x)), p["first"]) + (time @ p["time"])[:, None, None]
    return x @ p["skip"] + convolved(jax.nn.silu(normed(h)), p["second"])


def attention(p, x):
    flat = normed(x).reshape(x.shape[0], -1, x.shape[-1])
    q, k, v = (flat @ p[name] for name in ("q", "k", "v"))
    shares = jax.nn.softmax(jnp.einsum("bsc,btc->bst", q, k) * x.shape[-1] ** -0.5)
    return x + (shares @ v @ p["out"]).reshape(x.shape)


def larger(x):
    """Twice as high and wide."""
    return jnp.repeat(jnp.repeat(x, 2, 1), 2, 2)


def unet(p, x, time):
    """The noise in pictures (batch, height, width, 1) at times (batch) from 0 to 1."""
    angles = time[:, None] * 1000.0 ** jnp.linspace(0, 1, TIME // 2)
    time = jax.nn.silu(jnp.concatenate([jnp.sin(angles), jnp.cos(angles)], -1) @ p["time"])
    x = convolved(x, p["enter"])
    kept = []
    for number, layer in enumerate(p["down"]):
        x = block(layer, x, time)
        if number + 1 < len(p["down"]):
            kept.append(x)
            x = jax.lax.reduce_window(x, 0.0, jax.lax.add, (1, 2, 2, 1), (1, 2, 2, 1), "VALID") / 4
    x = attention(p["attention"], x)
    for layer, other in zip(p["up"], reversed(kept)):
        x = block(layer, jnp.concatenate([larger(x), other], -1), time)
    return convolved(jax.nn.silu(normed(x)), p["leave"])
