"""Modules of PyTorch run and train as eager PyTorch does, on one device and on a mesh."""

import contextlib
import copy
import io
import os
import pathlib
import re
import sys
import tempfile
import unittest
import warnings

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=4"

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint

import tessera.torch
from tessera.__main__ import main
from tessera.errors import LocatedError

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import torch_models as models

HERE = pathlib.Path(__file__).name


class Noisy(nn.Module):
    def forward(self, x):
        return F.dropout(x, 0.25, self.training)


class Mixed(nn.Module):
    """Parts without derivatives, computed again, and in another type."""

    def __init__(self):
        super().__init__()
        self.first, self.second, self.third = nn.Linear(6, 8), nn.Linear(8, 8), nn.Linear(8, 4)
        self.register_buffer("calls", torch.zeros((), dtype=torch.int64))

    def forward(self, x):
        self.calls += 1
        with torch.no_grad():
            scale = self.first(x).mean()
        y = checkpoint(lambda z: torch.tanh(self.second(z)), self.first(x), use_reentrant=False)
        with torch.autocast("cpu", torch.bfloat16):
            y = self.third(y)
        return y.float() * scale


class Recurrent(nn.Module):
    """An LSTM, which the table has not: PyTorch takes it apart."""

    def __init__(self):
        super().__init__()
        self.lstm, self.head = nn.LSTM(6, 8, batch_first=True), nn.Linear(8, 4)

    def forward(self, x):
        return self.head(self.lstm(x)[0][:, -1])


class Tiny(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(6, 4)

    def forward(self, x, scale=1.0, *, offset=None):
        y = self.inner(x) * scale
        return {"y": y if offset is None else y + offset, "rows": x.shape[0]}


def square_loss(model, x):
    return (model(x) ** 2).mean()


def random_batch(*shape):
    return {"x": torch.randn(*shape)}


class Training(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(0)

    def losses(self, model, loss, batch, optimizer):
        """Of ten steps of eager PyTorch."""
        losses, optimizer = [], optimizer(model.parameters())
        for _ in range(10):
            value = loss(model, **batch)
            optimizer.zero_grad()
            value.backward()
            optimizer.step()
            losses.append(value.item())
        return losses

    def check(self, model, loss, batch, optimizer=lambda parameters: torch.optim.AdamW(parameters, lr=0.01), tolerance=1e-5, **options):
        eager = copy.deepcopy(model)
        step = tessera.torch.compile(model, batch, loss=loss, optimizer=optimizer(model.parameters()), **options)
        losses = [step(**batch).item() for _ in range(10)]
        for got, expected in zip(losses, self.losses(eager, loss, batch, optimizer)):
            self.assertLess(abs(got - expected), tolerance)
        self.assertLess(losses[-1], losses[0])
        return step, eager

    def batch_of(self, batches):
        return {name: batch[0] for name, batch in batches.items()}

    def test_ten_losses_are_those_of_eager_pytorch(self):
        for make, loss, batches in (
            (models.GPT, models.token_loss, models.token_batches()),
            (models.ViT, models.class_loss, models.image_batches()),
            (models.ConvNet, models.class_loss, models.image_batches()),
        ):
            with self.subTest(make.__name__):
                self.check(make(), loss, self.batch_of(batches))

    def test_the_same_on_a_mesh(self):
        for make, loss, batches, plan in (
            (models.GPT, models.token_loss, models.token_batches(), models.GPT_PLAN),
            (models.Llama, models.token_loss, models.token_batches(), models.LLAMA_PLAN),
        ):
            with self.subTest(make.__name__):
                step, _ = self.check(make(), loss, self.batch_of(batches), mesh=models.MESH, plan=plan)
                name = next(name for name in step.state[0] if re.search("qkv|q.weight", name))
                for array in (step.state[0][name], step.state[1]["exp_avg"][name]):
                    self.assertEqual(tuple(array.sharding.spec), ("model", None))

    def test_optimizers(self):
        for optimizer in (
            lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.9, dampening=0.1, weight_decay=0.01),
            lambda p: torch.optim.SGD(p, lr=0.1),
            lambda p: torch.optim.Adam(p, lr=0.01, amsgrad=True, weight_decay=0.1, betas=(0.8, 0.95)),
            lambda p: torch.optim.AdamW([{"params": list(p)[:2], "lr": 0.1, "weight_decay": 0.0}], lr=0.01),
        ):
            self.check(Tiny(), lambda model, x: (model(x)["y"] ** 2).mean(), random_batch(3, 6), optimizer)

    def test_parts_without_derivatives_computed_again_and_in_other_types(self):
        step, eager = self.check(Mixed(), square_loss, random_batch(5, 6), lambda p: torch.optim.SGD(p, lr=0.1), tolerance=2e-3)
        self.assertEqual(step.state_dict()["calls"], 10)
        self.assertEqual(step.state_dict()["calls"].dtype, torch.int64)

    def test_what_the_table_has_not_is_decomposed(self):
        self.check(Recurrent(), square_loss, random_batch(2, 3, 6))

    def test_parameters_without_gradients_do_not_decay(self):
        class Partial(nn.Module):
            def __init__(self):
                super().__init__()
                self.fixed, self.cut, self.unused, self.head = (nn.Linear(4, 4) for _ in range(4))

            def forward(self, x):
                with torch.no_grad():
                    y = self.fixed(x)
                return self.head(y + self.cut(x).detach())

        torch.manual_seed(0)
        module, x = Partial(), torch.randn(8, 4)
        eager = copy.deepcopy(module)
        ours, theirs = (torch.optim.AdamW(each.parameters(), lr=0.1, weight_decay=0.5) for each in (module, eager))
        step = tessera.torch.compile(module, (x,), loss=lambda model, x: model(x).square().mean(), optimizer=ours)
        for _ in range(3):
            step(x)
            theirs.zero_grad()
            eager(x).square().mean().backward()
            theirs.step()
        step.sync()
        for got, expected in zip(module.parameters(), eager.parameters()):
            torch.testing.assert_close(got, expected, rtol=1e-4, atol=1e-5)

    def test_sgd_goes_on_with_its_momenta(self):
        torch.manual_seed(0)
        module, x = nn.Linear(4, 3), torch.randn(8, 4)
        eager = copy.deepcopy(module)
        ours, theirs = (torch.optim.SGD(each.parameters(), lr=0.1, momentum=0.9, dampening=0.5) for each in (module, eager))
        for _ in range(2):
            step = tessera.torch.compile(module, (x,), loss=lambda model, x: model(x).square().mean(), optimizer=ours)
            for _ in range(2):
                step(x)
                theirs.zero_grad()
                eager(x).square().mean().backward()
                theirs.step()
            step.sync()
        torch.testing.assert_close(module.weight, eager.weight, rtol=1e-4, atol=1e-5)

    def test_what_is_no_tensor_is_that_of_the_example(self):
        class Power(nn.Module):
            def forward(self, x, exponent):
                return x**exponent

        cube = tessera.torch.compile(Power(), (torch.ones(2), 3))
        torch.testing.assert_close(cube(torch.full((2,), 2.0), 3), torch.full((2,), 8.0))
        with self.assertRaisesRegex(ValueError, "expected 3 as in the example, got 2"):
            cube(torch.ones(2), 2)

    def test_a_model_that_changes_what_is_trained_is_refused(self):
        class Clamped(nn.Linear):
            def forward(self, x):
                with torch.no_grad():
                    self.weight.clamp_(-0.1, 0.1)
                return super().forward(x)

        with self.assertRaisesRegex(ValueError, "leaves parameters that are trained as they are, got one that changes 'weight'"):
            tessera.torch.compile(Clamped(4, 3), (torch.ones(2, 4),), loss=lambda model, x: model(x).sum())

    def test_gradients_are_clipped_and_rates_are_scheduled(self):
        model, batch = models.MLP(), random_batch(4, 12)
        eager, optimizer = copy.deepcopy(model), torch.optim.SGD(model.parameters(), lr=0.5)
        other = torch.optim.SGD(eager.parameters(), lr=0.5)
        schedules = [torch.optim.lr_scheduler.StepLR(each, 2, 0.5) for each in (optimizer, other)]
        step = tessera.torch.compile(model, batch, loss=square_loss, optimizer=optimizer, clip_grad_norm=0.1)
        with warnings.catch_warnings(action="error", category=UserWarning):  # Schedulers look for a step before theirs.
            for _ in range(6):
                value = square_loss(eager, **batch)
                other.zero_grad()
                value.backward()
                nn.utils.clip_grad_norm_(eager.parameters(), 0.1)
                other.step()
                self.assertAlmostEqual(step(**batch).item(), value.item(), delta=1e-6)
                for schedule in schedules:
                    schedule.step()

    def test_what_is_trained_comes_back(self):
        model = models.GPT()
        batch = self.batch_of(models.token_batches())
        optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
        step = tessera.torch.compile(model, batch, loss=models.token_loss, optimizer=optimizer)
        before = copy.deepcopy(model.state_dict())
        for _ in range(3):
            step(**batch)
        self.assertTrue(all(torch.equal(tensor, before[name]) for name, tensor in model.state_dict().items()))
        trained = step.state_dict()
        self.assertEqual(list(trained), list(before))
        self.assertTrue(torch.equal(trained["head.weight"], trained["wte.weight"]))
        self.assertFalse(torch.equal(trained["wte.weight"], before["wte.weight"]))
        step.sync()
        self.assertTrue(all(torch.equal(tensor, trained[name]) for name, tensor in model.state_dict().items()))
        # Eager PyTorch goes on from there, and a new step from what that has done.
        value = models.token_loss(model, **batch)
        value.backward()
        optimizer.step()
        self.assertAlmostEqual(step(**batch).item(), value.item(), delta=1e-5)
        again = tessera.torch.compile(model, batch, loss=models.token_loss, optimizer=optimizer)
        self.assertEqual(again.step, 4)
        self.assertAlmostEqual(step(**batch).item(), again(**batch).item(), delta=1e-5)

    def test_dropout_has_another_key_in_every_step(self):
        noisy = tessera.torch.compile(Noisy().train(), torch.ones(100, 100), seed=1)
        one, other = noisy(torch.ones(100, 100)), noisy(torch.ones(100, 100))
        self.assertFalse(torch.equal(one, other))
        for result in (one, other):
            self.assertEqual(sorted(set(result.flatten().tolist())), [0, torch.tensor(1 / 0.75).item()])
            self.assertAlmostEqual((result == 0).float().mean().item(), 0.25, delta=0.02)
        still = tessera.torch.compile(Noisy().eval(), torch.ones(3))
        self.assertTrue(torch.equal(still(torch.ones(3)), torch.ones(3)))
        model, batch = models.GPT(dropout=0.3), self.batch_of(models.token_batches())
        step = tessera.torch.compile(model, batch, loss=models.token_loss, optimizer=torch.optim.SGD(model.parameters(), lr=0.0), seed=1)
        self.assertNotEqual(step(**batch).item(), step(**batch).item())

    def test_a_loss_by_itself_gives_gradients(self):
        model, x, y = models.ConvNet(), torch.randn(2, 3, 8, 8), torch.tensor([1, 2])
        eager, criterion = copy.deepcopy(model), nn.CrossEntropyLoss(label_smoothing=0.1)
        loss = tessera.torch.compile(model, (x, y), loss=criterion)
        for _ in range(2):  # Gradients add up.
            expected = criterion(eager(x), y)
            expected.backward()
            self.assertAlmostEqual(loss(x, y).item(), expected.item(), delta=1e-5)
        for one, other in zip(model.parameters(), eager.parameters()):
            torch.testing.assert_close(one.grad, other.grad, atol=1e-5, rtol=1e-4)
        for one, other in zip(model.buffers(), eager.buffers()):
            torch.testing.assert_close(one, other)


class Calls(unittest.TestCase):
    def test_results_have_the_form_of_the_modules(self):
        model, x = Tiny(), torch.randn(3, 6)
        fast = tessera.torch.compile(model, (x,))
        self.assertEqual(fast(x)["rows"], 3)
        torch.testing.assert_close(fast(x)["y"], model(x)["y"])
        with torch.no_grad():
            model.inner.bias += 1
        torch.testing.assert_close(fast(x)["y"], model(x)["y"])
        named = tessera.torch.compile(model, {"x": x, "offset": torch.ones(4), "scale": 2.0})
        torch.testing.assert_close(named(scale=2.0, offset=torch.ones(4), x=x)["y"], model(x, 2.0, offset=torch.ones(4))["y"])
        with self.assertRaisesRegex(TypeError, "expected inputs like the example's"):
            fast(x, x)
        with self.assertRaisesRegex(TypeError, r"'x': expected float32\[3x6\], got float32\[2x6\]"):
            fast(x[:2])

    def test_types_stay_those_of_pytorch(self):
        class Types(nn.Module):
            def forward(self, x, i):
                return x.bfloat16() * torch.tensor(0.5), i + 1, i > 2, x.double()

        x, i = torch.randn(3), torch.arange(3)
        for got, expected in zip(tessera.torch.compile(Types(), (x, i))(x, i), Types()(x, i), strict=True):
            torch.testing.assert_close(got, expected)


class Errors(unittest.TestCase):
    def raises(self, text, *args, **options):
        with self.assertRaisesRegex(ValueError, text) as caught:
            tessera.torch.compile(*args, **options)
        return caught.exception

    def test_an_unknown_operation_is_one_line(self):
        class Unknown(nn.Module):
            def __init__(self):
                super().__init__()
                self.inner = nn.Identity()

            def forward(self, x):
                return torch.linalg.matrix_exp(x)

        error = self.raises(rf"{HERE}:\d+: error: operation 'linalg_matrix_exp' is not in the table$", Unknown(), torch.eye(2))
        self.assertIsInstance(error, LocatedError)
        line = int(re.search(r":(\d+):", str(error))[1])
        self.assertIn("matrix_exp", pathlib.Path(__file__).read_text().splitlines()[line - 1])

    def test_what_an_operation_cannot_is_one_line(self):
        class Chosen(nn.Module):
            def forward(self, x):
                return torch.scatter_reduce(x, 0, torch.zeros(2, dtype=torch.int64), x, "mean")

        self.raises(rf"{HERE}:\d+: error: operation 'scatter_reduce.two' is not supported so: scatter_reduce with 'mean'", Chosen(), torch.ones(2))

    def test_what_pytorch_cannot_export_is_one_line(self):
        class Branching(nn.Module):
            def forward(self, x):
                return x if x.sum() > 0 else -x

        error = self.raises(rf"{HERE}:\d+: error: PyTorch cannot export the module: ", Branching(), torch.ones(2))
        self.assertNotIn("\n", str(error))

    def test_requests_that_cannot_be(self):
        model, x = Tiny(), torch.ones(2, 6)
        loss = lambda model, x: model(x)["y"].sum()  # noqa: E731
        self.raises("expected an optimizer of SGD, Adam, AdamW, got RMSprop", model, (x,), loss=loss, optimizer=torch.optim.RMSprop(model.parameters()))
        self.raises("expected a loss=, or a module whose result has one, got dict", model, (x,), optimizer=torch.optim.SGD(model.parameters()))
        self.raises(r"expected a loss that is one number, got one of shape \[2, 4\]", model, (x,), loss=lambda model, x: model(x)["y"])
        self.raises("expected a mesh for the plan", model, (x,), plan={"x": ("data",)})
        with self.assertWarnsRegex(UserWarning, "no tensor matches 'nothing' of the plan"):
            tessera.torch.compile(model, (x,), mesh={"data": 2}, plan={"x": ("data",), "nothing": (None,)})


class Export(unittest.TestCase):
    def export(self, *arguments):
        errors = io.StringIO()
        with contextlib.redirect_stderr(errors):
            return main(["export", *arguments]), errors.getvalue()

    def test_names_scopes_and_lines(self):
        model = models.GPT(layers=1, dropout=0.1)
        batch = {name: value[0] for name, value in models.token_batches().items()}
        options = {"loss": models.token_loss, "optimizer": torch.optim.Adam(model.parameters()), "mesh": models.MESH, "plan": models.GPT_PLAN}
        text = tessera.torch.export(model, batch, root=pathlib.Path(__file__).parent, **options)
        for name in ("layers.0.mlp.0.weight", "exp_avg_sq.layers.0.mlp.0.weight", "wte.weight", "step", "lr", "seed", "tokens", "targets"):
            self.assertRegex(text, rf'%arg\d+: tensor<[^ ]+> loc\("{re.escape(name)}"\)')
        self.assertNotIn('loc("head.weight")', text)
        self.assertIn('jax.result_info = "layers.0.mlp.0.weight"', text)
        line = next(number for number, line in enumerate((pathlib.Path(models.__file__)).read_text().splitlines(), 1) if "self.mlp(self.norm2" in line)
        self.assertRegex(text, rf'"torch_models.py":{line}:')
        self.assertIn('jvp(layers.0.mlp.0)/dot_general', text)

    def test_command_line(self):
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            pathlib.Path("small_model.py").write_text(
                "import torch\n"
                "def example():\n"
                "    return torch.nn.Linear(2, 3), (torch.ones(4, 2),)\n"
                "def wrong():\n"
                "    return torch.nn.Linear(2, 3)\n"
                "class Unknown(torch.nn.Module):\n"
                "    def forward(self, x):\n"
                "        return torch.linalg.matrix_exp(x)\n"
                "def unknown():\n"
                "    return Unknown(), (torch.eye(2),)\n"
            )
            self.assertEqual(self.export("--torch", "small_model:example", "-o", "m.mlir", "--state=m.safetensors"), (0, ""))
            self.assertEqual(sorted(tessera.load("m.safetensors")), ["bias", "weight"])
            program = tessera.compile("m.mlir")
            result = program.run({**tessera.load("m.safetensors"), "input": torch.ones(4, 2).numpy()})
            self.assertEqual([(name, array.shape) for name, array in result.items()], [("output", (4, 3))])
            self.assertEqual(self.export("--torch", "small_model:wrong"), (1, "error: expected 'small_model:wrong' to return (module, example inputs) or (module, example inputs, options)\n"))
            status, errors = self.export("--torch", "small_model:unknown")
            self.assertRegex(errors, r"^\S*small_model.py:8: error: operation 'linalg_matrix_exp' is not in the table\n$")
            self.assertEqual(self.export("small_model:example", "--state=x"), (1, "error: expected --torch with --state\n"))


if __name__ == "__main__":
    unittest.main()
