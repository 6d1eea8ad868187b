"""Models and solvers of packages: dm-haiku, Equinox, diffrax, e3nn, distrax, brax."""

import jax
import jax.numpy as jnp
import numpy as np

from case import Case, cross_entropy, normal, tokens, training


def haiku_images(make, size=64, tolerance=1e-3):
    import haiku as hk

    model = hk.transform_with_state(lambda x: make(hk)(x, is_training=True))
    images = normal(0, 4, size, size, 3)
    p, state = jax.jit(model.init)(jax.random.key(0), images)
    loss = lambda p, b: cross_entropy(model.apply(p, state, None, b["image"])[0], b["label"])
    return training(loss, p, {"image": images, "label": tokens(1, 4, below=100)}, tolerance=tolerance)


def haiku_resnet():
    config = {"blocks_per_group": (1, 1, 1, 1), "channels_per_group": (16, 32, 64, 128), "bottleneck": False}
    return haiku_images(lambda hk: hk.nets.ResNet(num_classes=100, **config))


def haiku_mobilenet():
    return haiku_images(lambda hk: hk.nets.MobileNetV1(channels=(16, 32, 32, 64, 64), strides=(1, 2, 1, 2, 1), num_classes=100))


def haiku_vqvae():
    import haiku as hk

    def model(x):
        encoder = hk.nets.MLP([64, 32])
        quantized = hk.nets.VectorQuantizerEMA(32, 64, 0.25, 0.99)(encoder(x), is_training=True)
        return jnp.mean((hk.nets.MLP([64, 32])(quantized["quantize"]) - x) ** 2) + quantized["loss"]

    model, x = hk.transform_with_state(model), normal(0, 16, 32)
    p, state = jax.jit(model.init)(jax.random.key(0), x)
    return training(lambda p, b: model.apply(p, state, None, b["x"])[0], p, {"x": x})


def haiku_lstm():
    import haiku as hk

    model = hk.without_apply_rng(hk.transform(lambda x: hk.Linear(16)(hk.dynamic_unroll(hk.LSTM(32), x, hk.LSTM(32).initial_state(4), time_major=False)[0])))
    x = normal(0, 4, 12, 16)
    return training(lambda p, b: jnp.mean((model.apply(p, b["x"]) - b["x"]) ** 2), jax.jit(model.init)(jax.random.key(0), x), {"x": x})


def equinox_attention():
    import equinox as eqx

    model = eqx.nn.MultiheadAttention(4, 32, key=jax.random.key(0))
    p, rest = eqx.partition(model, eqx.is_array)
    loss = lambda p, b: jnp.mean(jax.vmap(lambda x: eqx.combine(p, rest)(x, x, x))(b["x"]) ** 2)
    return training(loss, p, {"x": normal(0, 8, 12, 32)})


def diffrax_neural_ode():
    import diffrax
    import equinox as eqx

    p, rest = eqx.partition(eqx.nn.MLP(4, 4, 32, 2, jnp.tanh, key=jax.random.key(0)), eqx.is_array)

    def loss(p, b):
        field = diffrax.ODETerm(lambda t, y, _: eqx.combine(p, rest)(y))
        end = lambda y: diffrax.diffeqsolve(field, diffrax.Tsit5(), 0.0, 1.0, 0.1, y, stepsize_controller=diffrax.PIDController(rtol=1e-3, atol=1e-5)).ys[-1]
        return jnp.mean((jax.vmap(end)(b["x"]) - 1) ** 2)

    return training(loss, p, {"x": normal(0, 8, 4)})


def e3nn_convolution():
    import e3nn_jax as e3nn

    points = normal(0, 8, 3)

    def step(p, b):
        harmonics = e3nn.spherical_harmonics("0e + 1o + 2e", b["points"], True)
        product = e3nn.tensor_product(harmonics, e3nn.IrrepsArray("2x0e + 1o", b["features"]))
        return product.array @ p["w"]

    return Case(step, ({"w": normal(1, 45, 16)}, {"points": points, "features": normal(2, 8, 5)}))


def distrax_flow():
    import distrax

    def loss(p, b):
        affine = lambda numbers: distrax.ScalarAffine(numbers[..., :8], log_scale=0.1 * numbers[..., 8:])
        coupling = distrax.MaskedCoupling(jnp.arange(8) % 2 == 0, lambda x: jnp.tanh(x @ p["w"]) @ p["v"], affine)
        flow = distrax.Transformed(distrax.MultivariateNormalDiag(jnp.zeros(8)), coupling)
        return -jnp.mean(flow.log_prob(b["x"]))

    return training(loss, {"w": normal(0, 8, 32) * 0.3, "v": normal(1, 32, 16) * 0.3}, {"x": normal(2, 16, 8)})


def brax_ant():
    import brax.envs

    environment = brax.envs.get_environment("ant", backend="positional")
    state = jax.jit(jax.vmap(environment.reset))(jax.random.split(jax.random.key(0), 4))

    def step(p, b):
        del p
        state = jax.vmap(environment.step)(b["state"], b["action"])
        return state.obs, state.reward

    return Case(step, ({}, {"state": state, "action": np.tanh(normal(0, 4, environment.action_size))}), tolerance=1e-3)


CASES = [haiku_resnet, haiku_mobilenet, haiku_vqvae, haiku_lstm, equinox_attention, diffrax_neural_ode, e3nn_convolution, distrax_flow, brax_ant]
