"""Models of github.com/jax-ml/bonsai, in sizes that a test of two cores computes."""

import dataclasses
import importlib
import logging

import jax
import jax.numpy as jnp
from flax import nnx

from case import Case, cross_entropy, normal, tokens, training

SOURCES = ["bonsai"]
logging.disable(logging.WARNING)


def modeling(name):
    return importlib.import_module(f"bonsai.models.{name}.modeling")


def parted(model):
    """(state of a model of nnx, function of state that gives the model)."""
    graph, state = nnx.split(model)
    return state, lambda state: nnx.merge(graph, state)


def classifying(model, size=32, classes=1000, batch=4, call=lambda model, x: model(x), **options):
    """A training step of a model of images."""
    parameters, merge = _trained(model)
    images = {"image": normal(1, batch, size, size, 3), "label": tokens(2, batch, below=classes)}
    return training(lambda p, b: cross_entropy(call(merge(p), b["image"]), b["label"]), parameters, images, **options)


def _trained(model):
    """As `parted`, for the parameters alone; statistics of normalization are constants of the step."""
    graph, parameters, rest = nnx.split(model, nnx.Param, ...)
    return parameters, lambda p: nnx.merge(graph, p, rest)


def qwen3():
    m = modeling("qwen3")
    config = m.ModelConfig(2, 512, 64, 128, 4, 16, 2, 10000, 8.0, 1e4, 1e-6, True)
    state, merge = parted(m.Qwen3(config, rngs=nnx.Rngs(0)))
    caches, with_caches = parted(nnx.List(m.init_cache(config, 4, 12, 4, jnp.float32)))

    def step(p, batch):
        logits, cache = m.forward(merge(p["model"]), list(with_caches(p["cache"])), batch["tokens"], 0)
        return logits, [nnx.state(c) for c in cache]

    return Case(step, ({"model": state, "cache": caches}, {"tokens": tokens(0, 4, 12, below=512)}))


def gemma3():
    m = modeling("gemma3")
    vision = m.VisionConfig(0.0, 32, 56, 64, 1e-6, 4, 3, 2, 14, False)
    modes = [m.AttentionMode.SLIDE, m.AttentionMode.FULL]
    text = m.TextConfig(False, 0.0, 16, 64, 128, modes, 64, 4, 2, 2, 1e-6, 8.0, 1e6, 1.0, 1e4, 8, 512, jnp.float32)
    config = m.ModelConfig(vision, text, 4, "float32", None)
    state, merge = parted(m.Gemma3Model(config, rngs=nnx.Rngs(0)))
    caches, with_caches = parted(nnx.List(m.init_cache(config, 4, 16, 0, jnp.float32)))

    def step(p, batch):
        segments = jnp.ones_like(batch["tokens"])
        out, cache = m.forward(merge(p["model"]), list(with_caches(p["cache"])), batch["tokens"], batch["image"], segments, batch["kind"])
        return out, [nnx.state(c) for c in cache]

    kinds = jnp.zeros((4, 16), bool).at[:, 2:6].set(True)
    return Case(step, ({"model": state, "cache": caches}, {"tokens": tokens(0, 4, 16, below=512), "image": normal(1, 4, 56, 56, 3), "kind": kinds}))


def mamba2():
    m = modeling("mamba2")
    parameters, merge = _trained(m.Mamba2ForCausalLM(m.ModelConfig.tiny(), rngs=nnx.Rngs(0)))
    ids = tokens(0, 4, 64, below=1000)
    return training(lambda p, b: merge(p)(b["tokens"], labels=b["tokens"])["loss"], parameters, {"tokens": ids})


def umt5():
    m = modeling("umt5")
    config = m.ModelConfig(vocab_size=512, d_model=64, d_kv=16, d_ff=128, num_layers=2, num_heads=4)
    model = m.UMT5Model(config, rngs=nnx.Rngs(0))
    model.eval()
    parameters, merge = _trained(model)

    def loss(p, b):
        model = merge(p)
        out = model(input_ids=b["source"], attention_mask=b["mask"], decoder_input_ids=b["target"])
        return cross_entropy(model.lm_head(out), b["target"])

    batch = {"source": tokens(0, 4, 12, below=512), "mask": jnp.ones((4, 12), jnp.int32).at[0, 8:].set(0), "target": tokens(1, 4, 8, below=512)}
    return training(loss, parameters, batch)


def vit():
    m = modeling("vit")
    config = m.ModelConfig((32, 32), (8, 8), 3, 64, 0.0, 0.0, 4, 128, 1e-12, 2, 1000)
    return classifying(m.ViTClassificationModel(config, rngs=nnx.Rngs(0)), call=lambda model, x: model(x, rngs=None))


def dinov3():
    m = modeling("dinov3")
    config = m.ModelConfig(patch_size=(8, 8), hidden_size=64, intermediate_size=128, num_hidden_layers=2, num_attention_heads=4, image_size=32)
    parameters, merge = _trained(m.Dinov3ViTModel(config, rngs=nnx.Rngs(0)))
    return Case(lambda p, b: m.forward(merge(p), b["image"]), (parameters, {"image": normal(0, 4, 3, 32, 32)}))


def vjepa2():
    m = modeling("vjepa2")
    config = m.ModelConfig.standard_test()
    parameters, merge = _trained(m.VJEPA2ForVideoClassification(config, rngs=nnx.Rngs(0)))
    return Case(lambda p, b: m.forward(merge(p), b["video"]), (parameters, {"video": normal(0, 4, 4, 64, 64, 3)}))


def convnext():
    m = modeling("convnext")
    config = m.ModelConfig((1, 1, 2, 1), (16, 32, 64, 128), 0.0, 1000)
    return classifying(m.ConvNeXt(config, rngs=nnx.Rngs(0)), call=lambda model, x: model(x, rngs=None, train=True))


def resnet():
    m = modeling("resnet")
    return classifying(m.ResNet(m.ModelConfig([1, 1, 1, 1], 1000), rngs=nnx.Rngs(0)), size=64, tolerance=1e-3)


def densenet():
    m = modeling("densenet121")
    return classifying(m.DenseNet(m.ModelConfig(1000, [2, 2, 2, 2], 16), rngs=nnx.Rngs(0)), size=64, tolerance=1e-3)


def efficientnet():
    m = modeling("efficientnet")
    config = dataclasses.replace(m.ModelConfig.b0(), depth_coefficient=0.3, width_coefficient=0.5, dropout_rate=0.0)
    model = m.EfficientNet(config, rngs=nnx.Rngs(0))
    model.eval()
    return classifying(model, size=64, call=lambda model, x: model(x, training=False))


def vgg():
    m = modeling("vgg19")
    return classifying(m.VGG(m.ModelConfig(1000, [1, 1, 1, 1, 1], [8, 16, 32, 32, 32, 64]), rngs=nnx.Rngs(0)), size=224, batch=2)


def unet():
    m = modeling("unet")
    parameters, merge = _trained(m.UNet(m.ModelConfig(features=(8, 16, 32, 64, 128)), rngs=nnx.Rngs(0)))
    batch = {"image": normal(0, 4, 32, 32, 1), "label": tokens(1, 4, 32, 32, below=2)}
    return training(lambda p, b: cross_entropy(merge(p)(b["image"]), b["label"]), parameters, batch, tolerance=1e-3)


def vae():
    m = modeling("vae")
    parameters, merge = _trained(m.VAE(m.ModelConfig((16, 16, 32, 32), 4, 8), rngs=nnx.Rngs(0)))
    return training(lambda p, b: jnp.mean((merge(p)(b["image"]) - b["image"]) ** 2), parameters, {"image": normal(0, 4, 32, 32, 3)})


def whisper():
    m = modeling("whisper")
    config = dataclasses.replace(m.ModelConfig.whisper_tiny(), d_model=64, decoder_attention_heads=4, encoder_attention_heads=4, decoder_ffn_dim=128,
                                 encoder_ffn_dim=128, decoder_layers=2, encoder_layers=2, vocab_size=512, num_mel_bins=16, max_source_positions=32)
    parameters, merge = _trained(m.Whisper(config, rngs=nnx.Rngs(0)))

    def loss(p, b):
        model = merge(p)
        mask = jnp.tril(jnp.ones((1, 1, 12, 12), bool))
        return cross_entropy(model.decoder(b["tokens"], mask, model.encoder(b["sound"]), None, False) @ p["decoder"]["embed_tokens"]["embedding"][...].T, b["tokens"])

    return training(loss, parameters, {"sound": normal(0, 4, 64, 16), "tokens": tokens(1, 4, 12, below=512)})


CASES = [qwen3, gemma3, mamba2, umt5, vit, dinov3, vjepa2, convnext, resnet, densenet, efficientnet, vgg, unet, vae, whisper]
