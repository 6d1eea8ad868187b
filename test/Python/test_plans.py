import contextlib
import io
import pathlib
import re
import tempfile
import unittest

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import PartitionSpec as P

import tessera
from tessera.compiler import run_compiler
from tessera.plans import from_maxtext, from_regex, from_transformers, plan_text, write_plan

MESH = {"data": 2, "model": 4}


def numbers(*shape):
    return np.random.default_rng(sum(shape)).standard_normal(shape, np.float32) / 4


def collectives(fn, args, plan):
    """The kinds of the collectives of the partitioned program."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "plan.yaml"
        write_plan(plan, path)
        text = run_compiler([f"--plan={path}", "--compile-to=partition"], tessera.export(fn, *args)).decode()
    return re.findall(r" = spmd\.(all_\w+|reduce_scatter|permute)\b", text)


class Text(unittest.TestCase):
    def test_quotes(self):
        rule = {"match": r"/layers\/\d+\/'w'/", "spec": [None, ["data", "model"], "?"]}
        self.assertEqual(plan_text({"rules": [rule]}), "rules:\n  - {'match': '/layers\\/\\d+\\/''w''/', 'spec': ['-', ['data', 'model'], '?']}\n")
        self.assertEqual(plan_text({"mesh": MESH, "tolerance": 0.1}), "mesh: {'data': 2, 'model': 4}\ntolerance: 0.1\n")

    def test_refuses(self):
        with self.assertRaisesRegex(ValueError, "expected mesh, axes, .* in a plan, got 'rule'"):
            plan_text({"rule": []})
        with self.assertRaisesRegex(ValueError, "expected a text of one line in a plan"):
            plan_text({"default": "a\nb"})


class Compiled(unittest.TestCase):
    def same(self, fn, args, plan, tolerance=1e-5):
        expected = jax.jit(fn)(*args)
        got = tessera.compile(fn, plan=plan)(*args)
        jax.tree.map(lambda a, b: np.testing.assert_allclose(a, b, rtol=tolerance, atol=tolerance), got, expected)

    def test_weights_of_both_orders_are_split_alike(self):
        plan = {"mesh": MESH, "rules": [{"match": "up*", "style": "colwise(model)"}, {"match": "down", "style": "rowwise(model)"}, {"match": "x", "spec": ["data"]}]}
        args = {"up": numbers(16, 32), "down": numbers(32, 16)}, numbers(8, 16)
        turned = {name: value.T.copy() for name, value in args[0].items()}, args[1]
        jax_like = lambda p, x: jnp.tanh(x @ p["up"]) @ p["down"]
        torch_like = lambda p, x: jnp.tanh(x @ p["up"].T) @ p["down"].T
        self.same(jax_like, args, plan)
        self.same(torch_like, turned, plan)
        for fn, arguments in ((jax_like, args), (torch_like, turned)):
            self.assertEqual(collectives(fn, arguments, plan), ["all_reduce"])

    def test_jit(self):
        plan = {"mesh": {"model": 4}, "rules": [{"match": "w", "style": "colwise(model)"}]}
        step = tessera.jit(lambda p, x: x @ p["w"], plan=plan)
        p, x = {"w": numbers(16, 32)}, numbers(8, 16)
        with contextlib.redirect_stderr(io.StringIO()) as printed:
            np.testing.assert_allclose(step(p, x), x @ p["w"], rtol=1e-5, atol=1e-5)
        self.assertRegex(printed.getvalue(), r"p\['w'\] +16x32 +\[-, model\] +line 3: colwise\(model\)")

    def test_mixture_of_experts(self):
        def layer(p, x):
            choice = jax.nn.one_hot(jnp.argmax(x @ p["router"], -1), 4)
            rows = jnp.einsum("te,td->etd", choice, x)
            hidden = jax.nn.relu(jnp.einsum("etd,edf->etf", rows, p["experts"]["up"]) + p["experts"]["bias"][:, None])
            return jnp.einsum("te,etd->td", choice, jnp.einsum("etf,efd->etd", hidden, p["experts"]["down"]))

        p = {"router": numbers(16, 4), "experts": {"up": numbers(4, 16, 32), "down": numbers(4, 32, 16), "bias": numbers(4, 32)}}
        plan = {"mesh": MESH, "rules": [{"match": "experts/**", "style": "experts(model)"}, {"match": "x", "spec": ["data"]}]}
        self.same(layer, (p, numbers(8, 16)), plan)
        self.assertEqual(collectives(layer, (p, numbers(8, 16)), plan), ["all_reduce"])

    def test_a_step_with_its_state(self):
        def step(p, opt, x):
            loss, gradients = jax.value_and_grad(lambda p: jnp.mean((jnp.tanh(x @ p["up"] + p["b"]) @ p["down"]) ** 2))(p)
            m = jax.tree.map(lambda m, g: 0.9 * m + g, opt["m"], gradients)
            return jax.tree.map(lambda p, m: p - 0.1 * m, p, m), {"m": m}, loss

        p = {"up": numbers(16, 32), "b": numbers(32), "down": numbers(32, 16)}
        plan = {"mesh": MESH, "rules": [{"match": "/p/{up,b}", "style": "colwise(model)", "fsdp": "data"}, {"match": "/p/down", "style": "rowwise(model)"}]}
        args = p, {"m": jax.tree.map(np.ones_like, p)}, numbers(8, 16)
        donated = jax.jit(step, donate_argnums=(0, 1))
        self.same(step, args, plan)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "plan.yaml"
            write_plan(plan, path)
            text = run_compiler([f"--plan={path}", "--compile-to=import"], tessera.export(donated, *args)).decode()
        for name in ("p['up']", "opt['m']['up']"):
            self.assertRegex(text, f"\"{name}\"".replace("[", r"\[").replace("]", r"\]") + r', tessera.sharding = #tessera.sharding<@mesh, \[\{"data"\}, \{"model"\}\]>')

    def test_a_step_of_a_llama(self):
        """Grouped heads, gated layers, sharded parameters: sums over `model` behind each half of a layer, parameters gathered over `data`."""
        width, heads, groups = 32, 8, 4

        def normed(x, scale):
            return x * jax.lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-5) * scale

        def layer(x, p):
            with jax.named_scope("attention"):
                n = normed(x, p["norm1"])
                q, k, v = (jnp.reshape(n @ p[name], (*x.shape[:2], groups, -1, width // heads)) for name in ("wq", "wk", "wv"))
                scores = jax.nn.softmax(jnp.einsum("bsgnd,btgod->bgnst", q, k), -1)
                x = x + jnp.einsum("bgnst,btgod->bsgnd", scores, v).reshape(x.shape) @ p["wo"]
            with jax.named_scope("mlp"):
                n = normed(x, p["norm2"])
                return x + (jax.nn.silu(n @ p["gate"]) * (n @ p["up"])) @ p["down"]

        def loss(p, tokens):
            x = p["embed"][tokens[:, :-1]]
            for number, parameters in enumerate(p["layers"]):
                with jax.named_scope(f"layers.{number}"):
                    x = layer(x, parameters)
            return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(x @ p["head"], -1), tokens[:, 1:, None], -1))

        def step(p, m, tokens):
            value, gradients = jax.value_and_grad(loss)(p, tokens)
            m = jax.tree.map(lambda m, g: 0.9 * m + g, m, gradients)
            return jax.tree.map(lambda p, m: p - 0.1 * m, p, m), m, value

        kv = width // heads * groups
        shapes = {"norm1": (width,), "norm2": (width,), "wq": (width, width), "wk": (width, kv), "wv": (width, kv), "wo": (width, width)}
        shapes |= {"gate": (width, 64), "up": (width, 64), "down": (64, width)}
        p = {"embed": numbers(64, width), "head": numbers(width, 64), "layers": [{name: numbers(*shape) for name, shape in shapes.items()} for _ in range(2)]}
        plan = {
            "mesh": MESH,
            "rules": [
                {"match": "layers/*/{wq,wk,wv,gate,up}", "style": "colwise(model)", "fsdp": "data"},
                {"match": "layers/*/{wo,down}", "style": "rowwise(model)", "fsdp": "data"},
                {"match": "embed", "style": "vocab(model)"},
                {"match": "head", "style": "colwise(model)"},
                {"match": "tokens", "spec": ["data"]},
            ],
            "activations": [{"scope": "layers/*/mlp", "spec": ["data"]}],
            "default": "replicate",
        }
        tokens = np.arange(4 * 9, dtype=np.int32).reshape(4, 9) * 7 % 64
        self.same(step, (p, jax.tree.map(np.zeros_like, p), tokens), plan, 1e-4)
        forward = collectives(loss, (p, tokens), {**plan, "rules": [{key: value for key, value in rule.items() if key != "fsdp"} for rule in plan["rules"]]})
        # Two halves of two layers, the look-up, two sums of the softmax, and the loss.
        self.assertEqual(forward, ["all_reduce"] * len(forward))
        self.assertLessEqual(len(forward), 9)

    def test_says_what_is_wrong(self):
        with self.assertRaisesRegex(tessera.TesseraError, r"yaml:2:\d+: error: unknown style 'columns'"):
            tessera.compile(lambda w: w + 1, plan={"rules": [{"match": "w", "style": "columns(model)"}]})(numbers(4, 4))


class Readers(unittest.TestCase):
    def test_transformers(self):
        # As of a mixture of experts with a packed gate.
        tp_plan = {
            "embed_tokens": "embedding_rowwise",
            "layers.*.self_attn.q_proj": "colwise",
            "layers.*.self_attn.o_proj": "rowwise",
            "layers.*.self_attn.q_norm": "replicated_with_grad_allreduce",
            "layers.*.mlp.experts": "moe_tp_experts",
            "layers.*.mlp.experts.gate_up_proj": "packed_colwise",
            "layers.*.mlp.experts.down_proj": "rowwise",
            "lm_head": "colwise_gather_output",
        }
        plan = from_transformers(tp_plan, axis="tp", mesh={"tp": 4})
        rules = {rule["match"]: rule["style"] for rule in plan["rules"]}
        self.assertEqual(rules["layers.*.self_attn.q_proj.**"], "colwise(tp)")
        self.assertEqual(rules["layers.*.mlp.experts.gate_up_proj.**"], "packed(2) colwise(tp)")
        self.assertEqual(rules["embed_tokens.**"], "vocab(tp)")
        self.assertNotIn("layers.*.mlp.experts.**", rules)
        with self.assertRaisesRegex(ValueError, "expected a known style .*, got 'diagonal' for 'x'"):
            from_transformers({"x": "diagonal"})
        # A parameter's entry holds before its module's.
        plan = from_transformers({"experts": "ep_dispatch_experts", "experts.router": "replicate"}, experts="ep")
        self.assertEqual([rule["style"] for rule in plan["rules"]], ["replicate", "experts(ep)"])

    def test_a_layer_of_transformers(self):
        tp_plan = {"layers.*.q_proj": "colwise", "layers.*.o_proj": "rowwise", "layers.*.gate_up_proj": "packed_colwise", "layers.*.down_proj": "rowwise"}
        names = {"q_proj.weight": (32, 16), "q_proj.bias": (32,), "o_proj.weight": (16, 32), "o_proj.bias": (16,), "gate_up_proj.weight": (64, 16), "down_proj.weight": (16, 32)}
        p = {f"layers.0.{name}": numbers(*shape) for name, shape in names.items()}

        def layer(p, x):
            linear = lambda x, name: x @ p[f"layers.0.{name}.weight"].T + p.get(f"layers.0.{name}.bias", 0)
            x = x + linear(jnp.tanh(linear(x, "q_proj")), "o_proj")
            gate, up = jnp.split(linear(x, "gate_up_proj"), 2, -1)
            return linear(jax.nn.silu(gate) * up, "down_proj")

        plan = from_transformers(tp_plan, mesh={"model": 4})
        np.testing.assert_allclose(tessera.compile(layer, plan=plan)(p, numbers(8, 16)), jax.jit(layer)(p, numbers(8, 16)), rtol=1e-4, atol=1e-5)
        self.assertEqual(collectives(layer, (p, numbers(8, 16)), plan).count("all_reduce"), 2)

    def test_maxtext(self):
        rules = [("activation_batch", ["data", "fsdp"]), ("embed", ["fsdp", "sequence"]), ("embed", "fsdp"), ("mlp", ["model", "autoregressive"]), ("heads", ["model"]), ("norm", None)]
        boxes = {"wi": {"kernel": P("embed", "mlp")}, "wo": {"kernel": ("mlp", "embed")}, "scale": ("norm",), "kv": P("unknown", "heads")}
        plan = from_maxtext(rules, {"params": boxes}, mesh={"data": 2, "fsdp": 2, "model": 2}, data_axes={"x": ("activation_batch", None)}, tolerance=0.02)
        self.assertEqual(plan["axes"]["embed"], [["fsdp"], ["fsdp"]])
        self.assertEqual(plan["axes"]["norm"], [[]])
        self.assertEqual(plan["rules"][0], {"match": "params/wi/kernel", "spec": ["embed", "mlp"]})
        self.assertEqual(plan["rules"][3]["spec"], [None, "heads"])
        self.assertEqual(plan["rules"][4], {"match": "x", "role": "batch", "spec": ["activation_batch", None]})
        with self.assertRaisesRegex(ValueError, "expected names of dimensions for 'params/w', got 3"):
            from_maxtext(rules, {"params": {"w": 3}})

        def model(params, x):
            return (x * params["scale"]) @ params["wi"]["kernel"] @ params["wo"]["kernel"] + x @ params["kv"]

        params = {"wi": {"kernel": numbers(16, 32)}, "wo": {"kernel": numbers(32, 16)}, "scale": numbers(16), "kv": numbers(16, 16)}
        del plan["rules"][4]  # Nothing is donated: x is no batch.
        got = tessera.compile(model, plan=plan)(params, numbers(8, 16))
        np.testing.assert_allclose(got, jax.jit(model)(params, numbers(8, 16)), rtol=1e-4, atol=1e-4)

    def test_easylm(self):
        rules = (
            ("transformer/wte/embedding", P("mp", "fsdp")),
            (r"attention/(wq|wk|wv)/kernel", P("fsdp", "mp")),
            (r"feed_forward/w\d/kernel", P(("fsdp", "mp"), None)),
            (".*", P(None)),
        )
        plan = from_regex(rules, mesh={"fsdp": 2, "mp": 2})
        self.assertEqual(plan["rules"][2], {"match": r"/feed_forward/w\d/kernel/", "spec": [["fsdp", "mp"], None]})
        self.assertEqual(plan["default"], "error")
        self.assertEqual(from_regex([("w", P("sp", ("mp", "sp")))], mesh={"mp": 2})["rules"][0]["spec"], [None, "mp"])
        with self.assertRaisesRegex(ValueError, "expected a regular expression, got 3"):
            from_regex([(3, P())])
        params = {"transformer": {"wte": {"embedding": numbers(32, 16)}, "attention": {"wq": {"kernel": numbers(16, 16)}}, "feed_forward": {"w1": {"kernel": numbers(16, 16)}}, "scale": numbers(16)}}

        def model(params, tokens):
            t = params["transformer"]
            x = t["wte"]["embedding"][tokens] * t["scale"]
            return jnp.tanh(x @ t["attention"]["wq"]["kernel"]) @ t["feed_forward"]["w1"]["kernel"]

        tokens = np.arange(8, dtype=np.int32)
        got = tessera.compile(model, plan=plan)(params, tokens)
        np.testing.assert_allclose(got, jax.jit(model)(params, tokens), rtol=1e-4, atol=1e-5)


if __name__ == "__main__":
    unittest.main()
