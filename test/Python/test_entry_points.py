import os
import pathlib
import tempfile
import threading
import unittest

import numpy as np

import tessera
from tessera.tensor_files import read_tensors

TESTS = pathlib.Path(__file__).resolve().parent.parent
GENERATION = TESTS.parent / "examples" / "generation"
RATE = np.float32(0.01)


class EntryPoints(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.program = tessera.compile(TESTS / "Driver" / "Inputs" / "train-evaluate.mlir")
        random = np.random.default_rng(0)
        cls.x, cls.y = random.standard_normal((16, 8), np.float32), random.standard_normal((16, 4), np.float32)

    def test_what_one_trains_another_evaluates(self):
        self.assertEqual(self.program.entries, ("train", "evaluate"))
        train, evaluate = map(self.program.entry, self.program.entries)
        w = np.random.default_rng(1).standard_normal((8, 4), np.float32)
        self.program.put({"w": w, "x": self.x})
        for _ in range(3):
            error = self.x @ w - self.y
            results = train.run(y=self.y)
            self.assertEqual(list(results), ["loss"])  # The parameters stay.
            np.testing.assert_allclose(results["loss"], (error**2).sum(), rtol=1e-5)
            w = w - RATE * (self.x.T @ error)
            np.testing.assert_allclose(self.program.get("w"), w, rtol=1e-4, atol=1e-5)
            np.testing.assert_allclose(evaluate.run({"y": self.y})["loss"], ((self.x @ w - self.y) ** 2).sum(), rtol=1e-5)
        # What a call is given stays, as what is put.
        ones = np.ones((8, 4), np.float32)
        given = evaluate.run(w=ones)["loss"]
        np.testing.assert_allclose(given, ((self.x @ ones - self.y) ** 2).sum(), rtol=1e-5)
        np.testing.assert_array_equal(self.program.get("w"), ones)
        self.program.put({"w": 2 * ones})
        np.testing.assert_allclose(evaluate.run()["loss"], ((2 * self.x @ ones - self.y) ** 2).sum(), rtol=1e-5)

    def test_a_program_of_one_entry_point_keeps_its_state_too(self):
        program = tessera.compile(TESTS / "Integration" / "JAX" / "mlp_step.mlir", mesh="data=2,model=2")
        inputs = read_tensors(TESTS / "Integration" / "JAX" / "mlp_step.inputs.safetensors")
        self.assertEqual(program.entries, ("main",))
        program.put(inputs)
        first = program.entry("main").run()
        expected = program.run(inputs)
        for name, array in first.items():
            np.testing.assert_array_equal(array, expected[name])
        for argument in program.arguments:
            if argument["donated"] is not None:
                np.testing.assert_array_equal(program.get(argument["name"]), expected[program.results[argument["donated"]]["name"]])

    def test_calls_on_arrays_leave_what_stays(self):
        program = tessera.compile(TESTS / "Integration" / "JAX" / "mlp_step.mlir", mesh="data=2,model=2")
        inputs = read_tensors(TESTS / "Integration" / "JAX" / "mlp_step.inputs.safetensors")
        program.put(inputs)
        program.run({name: np.zeros_like(array) for name, array in inputs.items()})
        for name, array in inputs.items():
            np.testing.assert_array_equal(program.get(name), array)

    def test_arguments_without_names_are_shared_by_nobody(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "nameless.mlir"
            file.write_text(
                """
                func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> { %0 = arith.addf %a, %a : tensor<4xf32> return %0 : tensor<4xf32> }
                func.func @g(%a: tensor<4xf32>) -> tensor<4xf32> { %0 = arith.mulf %a, %a : tensor<4xf32> return %0 : tensor<4xf32> }
                """
            )
            program = tessera.compile(file)
        f, g = map(program.entry, program.entries)
        threes = np.full(4, 3, np.float32)
        np.testing.assert_array_equal(g.run({"g.arg0": threes})["result0"], 9 * np.ones(4))
        np.testing.assert_array_equal(f.run({"f.arg0": 2 * threes})["result0"], 12 * np.ones(4))
        np.testing.assert_array_equal(program.get("g.arg0"), threes)

    def test_a_result_named_as_its_own_argument_is_returned(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "same.mlir"
            file.write_text(
                """
                func.func @main(%a: tensor<4xf32> {tessera.name = "a"}) -> (tensor<4xf32> {tessera.name = "a"}) {
                  %0 = arith.addf %a, %a : tensor<4xf32>
                  return %0 : tensor<4xf32>
                }
                """
            )
            program = tessera.compile(file)
        ones = np.ones(4, np.float32)
        np.testing.assert_array_equal(program.entry("main").run(a=ones)["a"], 2 * ones)
        np.testing.assert_array_equal(program.get("a"), ones)

    def test_threads_do_not_come_between_what_is_given_and_the_call(self):
        program = tessera.compile(TESTS / "Driver" / "Inputs" / "train-evaluate.mlir")
        evaluate = program.entry("evaluate")
        program.put({"x": np.ones((16, 8), np.float32), "y": np.zeros((16, 4), np.float32)})
        wrong = []

        def call(factor):
            for _ in range(50):
                loss = evaluate.run(w=np.full((8, 4), factor, np.float32))["loss"]
                if loss != 4096 * factor**2:
                    wrong.append((factor, loss))

        threads = [threading.Thread(target=call, args=(factor,)) for factor in range(1, 5)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def test_tokens_are_those_of_jax(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "generate.tsx"
            model = tessera.compile([GENERATION / f"{name}.mlir" for name in ("init", "prefill", "decode")], output=file)
            self.assertTrue(file.exists())
        model.entry("init").run()
        self.assertEqual(model.entry("prefill").run(read_tensors(GENERATION / "prompt.safetensors")), {})
        for _ in range(31):
            model.entry("decode").run()
        self.assertEqual(model.get("position"), 47)
        np.testing.assert_array_equal(model.get("tokens"), read_tensors(GENERATION / "tokens.safetensors")["tokens"])

    def test_what_is_wrong_is_said(self):
        def fails(message, call):
            with self.assertRaises(tessera.TesseraError) as caught:
                call()
            self.assertIn(message, str(caught.exception))
            self.assertEqual(caught.exception.status, 1)

        program = tessera.compile(TESTS / "Driver" / "Inputs" / "train-evaluate.mlir")
        fails("no entry point 'trains', there are train, evaluate; did you mean 'train'?", lambda: program.entry("trains"))
        fails("call one of the entry points train, evaluate, by entry(NAME)", lambda: program(self.x, self.x, self.y))
        evaluate = program.entry("evaluate")
        fails("nobody has put a tensor for 'w', nor made one", lambda: evaluate.run(x=self.x, y=self.y))
        fails("nobody has put a tensor for 'w', nor made one", lambda: program.get("w"))
        fails("no argument 'v'", lambda: evaluate.run(v=self.x))
        fails("no argument 'v'", lambda: program.put({"v": self.x}))
        fails("no argument 'loss'", lambda: program.get("loss"))
        fails("argument 'w': expected float32[8x4], got float32[16x8]", lambda: program.put({"w": self.x}))
        fails("argument 'w': expected float32[8x4], got float64[8x4]", lambda: evaluate.run(w=np.ones((8, 4)), x=self.x, y=self.y))

    @unittest.skipUnless(hasattr(os, "fork"), "needs fork")
    def test_a_fork_has_none_of_it(self):
        program = tessera.compile(TESTS / "Driver" / "Inputs" / "train-evaluate.mlir")
        w = np.ones((8, 4), np.float32)
        program.put({"w": w})
        child = os.fork()
        if child == 0:
            status = 1
            try:
                try:
                    program.get("w")
                except tessera.TesseraError as error:
                    status = 0 if "nobody has put" in str(error) else 2
                program.put({"w": 2 * w})
                status = status or (0 if (program.get("w") == 2).all() else 3)
            finally:
                os._exit(status)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)
        np.testing.assert_array_equal(program.get("w"), w)


if __name__ == "__main__":
    unittest.main()
