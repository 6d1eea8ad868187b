"""Models of github.com/google-research/big_vision."""

import importlib.machinery
import sys
import types
import unittest.mock

import jax
import jax.numpy as jnp

from case import cross_entropy, normal, tokens, training

# They read checkpoints by TensorFlow, which nothing here calls.
for name in ("tensorflow", "tensorflow.io", "tensorflow.io.gfile"):
    module = sys.modules.setdefault(name, types.ModuleType(name))
    module.__spec__ = importlib.machinery.ModuleSpec(name, None)
    module.__getattr__ = lambda name: unittest.mock.MagicMock()


def classifying(name, size=32, **config):
    model = importlib.import_module(f"big_vision.models.{name}").Model(num_classes=100, **config)
    images = normal(0, 8, size, size, 3)
    p = jax.jit(lambda: model.init(jax.random.key(0), images))()["params"]
    return training(lambda p, b: cross_entropy(model.apply({"params": p}, b["image"])[0], b["label"]), p, {"image": images, "label": tokens(1, 8, below=100)})


def vit():
    return classifying("vit", patch_size=(8, 8), width=64, depth=2, mlp_dim=128, num_heads=4, pool_type="map", scan=True)


def mlp_mixer():
    return classifying("mlp_mixer", patch_size=(8, 8), num_blocks=2, hidden_dim=64, tokens_mlp_dim=32, channels_mlp_dim=128)


def bit():
    return classifying("bit", width=1, depth=(1, 1, 1, 1))


def siglip():
    from big_vision.models.proj.image_text import two_towers

    text = {"width": 64, "depth": 2, "mlp_dim": 128, "num_heads": 4, "vocab_size": 512}
    image = {"patch_size": (8, 8), "width": 64, "depth": 2, "mlp_dim": 128, "num_heads": 4, "pool_type": "map"}
    model = two_towers.Model(image=image, text=text, out_dim=64, temperature_init=10.0, bias_init=-10.0)
    batch = {"image": normal(0, 8, 32, 32, 3), "text": tokens(1, 8, 12, below=512)}
    p = jax.jit(lambda: model.init(jax.random.key(0), batch["image"], batch["text"]))()["params"]

    def loss(p, b):
        image, text, out = model.apply({"params": p}, b["image"], b["text"])
        logits = image @ text.T * out["t"] + out["b"]
        return -jnp.mean(jnp.sum(jax.nn.log_sigmoid((2 * jnp.eye(len(logits)) - 1) * logits), -1))

    return training(loss, p, batch)


CASES = [vit, mlp_mixer, bit, siglip]
