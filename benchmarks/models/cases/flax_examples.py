"""The examples of github.com/google/flax; their modules are files that import each other by bare names."""

import contextlib
import importlib
import os
import pathlib
import sys

import jax
import jax.numpy as jnp

from case import Case, cross_entropy, normal, tokens, training


def example(folder, module="models"):
    """A module of an example's folder."""
    path = str(pathlib.Path(os.environ["TESSERA_SOURCES"], "flax_examples", "examples", folder))
    sys.path.insert(0, path)
    with contextlib.ExitStack() as stack:
        stack.callback(sys.path.remove, path)
        return importlib.import_module(module)


def initialized(model, *inputs, **options):
    """The variables of a module of linen."""
    return jax.jit(lambda: model.init({"params": jax.random.key(0), "dropout": jax.random.key(1)}, *inputs, **options))()


def lm1b():
    m = example("lm1b")
    config = m.TransformerConfig(512, 512, emb_dim=64, num_heads=4, num_layers=2, qkv_dim=64, mlp_dim=128, max_len=64)
    model, ids = m.TransformerLM(config), tokens(0, 4, 16, below=512)
    p = initialized(model, ids)["params"]
    loss = lambda p, b: cross_entropy(model.apply({"params": p}, b["tokens"], rngs={"dropout": jax.random.key(2)}), b["tokens"])
    return training(loss, p, {"tokens": ids})


def wmt():
    m = example("wmt")
    config = m.TransformerConfig(512, 512, share_embeddings=True, logits_via_embedding=True, emb_dim=64, num_heads=4, num_layers=2, qkv_dim=64,
                                 mlp_dim=128, max_len=64)
    model, source, target = m.Transformer(config), tokens(0, 4, 16, below=512), tokens(1, 4, 16, below=512)
    p = initialized(model, source, target)["params"]
    loss = lambda p, b: cross_entropy(model.apply({"params": p}, b["in"], b["out"], rngs={"dropout": jax.random.key(2)}), b["out"])
    return training(loss, p, {"in": source, "out": target})


def nlp_seq():
    m = example("nlp_seq")
    config = m.TransformerConfig(512, 32, emb_dim=64, num_heads=4, num_layers=2, qkv_dim=64, mlp_dim=128, max_len=64)
    model, ids = m.Transformer(config), tokens(0, 4, 16, below=512)
    p = initialized(model, inputs=ids, train=False)["params"]
    loss = lambda p, b: cross_entropy(model.apply({"params": p}, inputs=b["tokens"], train=True, rngs={"dropout": jax.random.key(2)}), b["label"])
    return training(loss, p, {"tokens": ids, "label": tokens(1, 4, 16, below=32)})


def gemma():
    sys.modules.setdefault("sentencepiece", type(sys)("sentencepiece"))
    configs, m = example("gemma", "transformer_cfg"), example("gemma", "transformer")
    from flax import nnx

    kinds = [configs.AttentionType.LOCAL_SLIDING, configs.AttentionType.GLOBAL]
    config = configs.TransformerConfig(2, 512, 64, 128, 4, 16, 2, 30.0, True, True, kinds, attn_logits_soft_cap=50.0, sliding_window_size=8)
    graph, p, rest = nnx.split(m.Transformer(config, rngs=nnx.Rngs(0)), nnx.Param, ...)

    def loss(p, b):
        there = b["tokens"] > 0
        places, mask = m.build_positions_from_mask(there), m.make_causal_attn_mask(there)
        logits, _ = nnx.merge(graph, p, rest)(b["tokens"], places, None, mask, rngs=nnx.Rngs(dropout=1))
        return cross_entropy(logits[:, :-1], b["tokens"][:, 1:])

    return training(loss, p, {"tokens": tokens(0, 4, 16, below=512)})


def vae():
    m = example("vae")
    model, x = m.VAE(), jax.nn.sigmoid(normal(0, 8, 784))
    p = initialized(model, x, jax.random.key(0))["params"]

    def loss(p, b):
        logits, mean, variance = model.apply({"params": p}, b["x"], jax.random.key(3))
        likelihood = -jnp.sum(b["x"] * jax.nn.log_sigmoid(logits) + (1 - b["x"]) * jnp.log(-jnp.expm1(jax.nn.log_sigmoid(logits))), -1)
        return jnp.mean(likelihood - 0.5 * jnp.sum(1 + variance - mean**2 - jnp.exp(variance), -1))

    return training(loss, p, {"x": x})


def ppo():
    m = example("ppo")
    model = m.ActorCritic(6)
    screens = tokens(0, 8, 84, 84, 4, below=256)
    p = initialized(model, screens)["params"]

    def loss(p, b):
        logs, values = model.apply({"params": p}, b["screens"])
        ratios = jnp.exp(jax.vmap(lambda row, action: row[action])(logs, b["actions"]) - b["logs"])
        gains = (b["gains"] - b["gains"].mean()) / (b["gains"].std() + 1e-8)
        clipped = -jnp.mean(jnp.minimum(ratios * gains, gains * jax.lax.clamp(0.9, ratios, 1.1)))
        return clipped + 0.5 * jnp.mean((b["returns"] - values[:, 0]) ** 2) + 0.01 * jnp.sum(jnp.exp(logs) * logs, 1).mean()

    batch = {"screens": screens, "actions": tokens(1, 8, below=6), "logs": normal(2, 8) * 0.1 - 1.8, "returns": normal(3, 8), "gains": normal(4, 8)}
    return training(loss, p, batch)


def seq2seq():
    m = example("seq2seq")
    model = m.Seq2seq(teacher_force=False, hidden_size=16, vocab_size=16)
    one_hot = lambda seed, length: jax.nn.one_hot(tokens(seed, 4, length, below=16), 16)
    source, target = one_hot(0, 7), one_hot(1, 5)
    p = jax.jit(lambda: model.init({"params": jax.random.key(0), "lstm": jax.random.key(1)}, source, target))()["params"]

    def loss(p, b):
        logits, _ = model.apply({"params": p}, b["in"], b["out"], rngs={"lstm": jax.random.key(2)})
        return -jnp.mean(jnp.sum(jax.nn.log_softmax(logits) * b["out"][:, 1:], -1))

    return training(loss, p, {"in": source, "out": target})


def sst2():
    m = example("sst2")
    model = m.TextClassifier(embedding_size=32, hidden_size=32, vocab_size=512, output_size=1, dropout_rate=0.2, word_dropout_rate=0.1)
    ids, lengths = tokens(0, 4, 12, below=512), tokens(1, 4, below=12)
    p = initialized(model, ids, lengths, deterministic=True)["params"]

    def loss(p, b):
        logits = model.apply({"params": p}, b["tokens"], b["lengths"], deterministic=False, rngs={"dropout": jax.random.key(2)})
        return jnp.mean(jax.nn.softplus(-logits[:, 0] * b["label"]))

    return training(loss, p, {"tokens": ids, "lengths": lengths, "label": jnp.sign(normal(2, 4))})


def imagenet():
    m = example("imagenet")
    model, images = m.ResNet(stage_sizes=[1, 1, 1], block_cls=m.ResNetBlock, num_classes=100, num_filters=16), normal(0, 8, 32, 32, 3)
    variables = jax.jit(lambda: model.init(jax.random.key(0), images, train=False))()

    def loss(p, b):
        # The model takes means over an axis of this name, as of `pmap`.
        apply = lambda x: model.apply({"params": p, "batch_stats": variables["batch_stats"]}, x, train=True, mutable=["batch_stats"])[0]
        return cross_entropy(jax.vmap(apply, axis_name="batch")(b["image"][:, None])[:, 0], b["label"])

    return training(loss, variables["params"], {"image": images, "label": tokens(1, 8, below=100)}, tolerance=1e-3)


def ogbg():
    import jraph

    m = example("ogbg_molpcba")
    model = m.GraphNet(latent_size=32, num_mlp_layers=2, message_passing_steps=2, output_globals_size=8)
    graph = lambda b: jraph.GraphsTuple(b["nodes"], b["edges"], b["to"], b["from"], b["globals"], b["nodes_of"], b["edges_of"])
    batch = {"nodes": normal(0, 24, 9), "edges": normal(1, 40, 3), "to": tokens(2, 40, below=24), "from": tokens(3, 40, below=24),
             "globals": normal(4, 4, 2), "nodes_of": jnp.full(4, 6), "edges_of": jnp.full(4, 10), "label": normal(5, 4, 8)}
    p = initialized(model, graph(batch))["params"]
    return training(lambda p, b: jnp.mean((model.apply({"params": p}, graph(b)).globals - b["label"]) ** 2), p, batch)


CASES = [lm1b, wmt, nlp_seq, gemma, vae, ppo, seq2seq, sst2, imagenet, ogbg]
