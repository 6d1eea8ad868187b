"""The compiler as a library in this process: options in, a program or one diagnostic out, whatever thread asks."""

import os
import pathlib
import signal
import subprocess
import tempfile
import threading
import unittest

import numpy as np

import tessera
from tessera.compiler import find_compiler, run_compiler
from tessera.errors import TesseraError

MODEL = """
func.func @main(%x: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %0 = arith.addf %x, %x : tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}
"""


def refusal(flags, text=MODEL):
    """The diagnostic of a compilation that fails."""
    try:
        run_compiler(flags, text)
    except TesseraError as error:
        assert error.status == 1, error.status
        return str(error)
    raise AssertionError("expected a diagnostic, got a program")


class CompilerTest(unittest.TestCase):
    def test_output_is_in_memory_unless_flags_name_a_file(self):
        self.assertTrue(run_compiler([], MODEL).startswith(b"\x7fELF"))
        self.assertIn(b"arith.addf", run_compiler(["--compile-to=import"], MODEL))
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "model.mlir"
            path.write_text(MODEL)
            self.assertEqual(run_compiler([path, "-o", f"{folder}/model.tsx"]), b"")
            self.assertTrue((pathlib.Path(folder) / "model.tsx").read_bytes().startswith(b"\x7fELF"))

    def test_tensors_without_names_are_called_by_their_position(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "model.mlir"
            path.write_text(MODEL.replace("%x", "%0").replace("%0 = arith.addf %0, %0", "%1 = arith.addf %0, %0").replace("return %0", "return %1"))
            program = tessera.compile(path)
            self.assertEqual((program.arguments[0]["name"], program.results[0]["name"]), ("arg0", "result0"))
            np.testing.assert_array_equal(program.run({"arg0": np.ones((4, 3), np.float32)})["result0"], np.full((4, 3), 2))

    def test_flags_of_one_compilation_do_not_reach_the_next(self):
        self.assertIn(b"4x3xf32", run_compiler(["--compile-to=import"], MODEL))
        self.assertTrue(run_compiler([], MODEL).startswith(b"\x7fELF"))

    def test_errors_are_one_line_and_the_next_compilation_works(self):
        self.assertEqual(refusal(["--compile-to=imports"]).splitlines()[0][:57], "tesserac: error: unknown phase 'imports', expected one of")
        self.assertRegex(refusal([], "func.func @main() { oops }"), r"^model\.mlir:1:21: error: ")
        self.assertEqual(refusal(["model.mlir"]), "tesserac: error: expected either a model or its file")
        self.assertEqual(refusal([], None), "tesserac: error: expected either a model or its file")
        for flag in ("--help", "--version", "--inspect", "--mlir-print-ir-after-all", "--no-such-flag"):
            self.assertEqual(refusal([flag]), f"tesserac: error: expected a flag of a compilation, got '{flag}'")
        self.assertEqual(refusal(["--json"]), "tesserac: error: expected a flag of a compilation, got '--json'")
        with tempfile.NamedTemporaryFile("w") as flags:
            flags.write("--help")
            flags.flush()
            self.assertEqual(refusal([f"@{flags.name}"]), f"tesserac: error: expected a flag of a compilation, got '@{flags.name}'")
        self.assertEqual(refusal(["--target=cuda", "--emit=ptx"]), "tesserac: error: --emit=ptx writes files: expected -o FILE")
        self.assertEqual(refusal(["--emit=ptx", "--target=cuda:sm_80"]), "tesserac: error: --emit=ptx writes files: expected -o FILE")
        self.assertEqual(refusal(["--stages=many"]), "tesserac: error: expected flags with values of their type")
        self.assertTrue(run_compiler([], MODEL))

    def test_threads_compile_at_the_same_time_each_with_its_own_flags(self):
        # Long enough that some are at work on operations while others begin.
        count = 300
        body = "".join(f"  %{i + 1} = arith.{'addf' if i % 2 else 'mulf'} %{i}, %{i} : tensor<4xf32>\n" for i in range(count))
        model = f"func.func @main(%0: tensor<4xf32>) -> tensor<4xf32> {{\n{body}  return %{count} : tensor<4xf32>\n}}\n"
        expected = {phase: run_compiler([f"--compile-to={phase}"], model) for phase in ("import", "partition", "fuse", "schedule")}
        wrong = []

        def compile_often(phase):
            for _ in range(10):
                if run_compiler([f"--compile-to={phase}"], model) != expected[phase]:
                    wrong.append(phase)

        threads = [threading.Thread(target=compile_often, args=(phase,)) for phase in expected]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def test_the_library_exports_its_interface_only(self):
        # Others in the process may bring a compiler of their own. What remains are templates of the C++ library.
        listing = subprocess.run(["nm", "-D", "--defined-only", "--format=posix", find_compiler()], capture_output=True, text=True, check=True).stdout
        names = [line.split()[0] for line in listing.splitlines()]
        self.assertIn("tessera_compile", names)
        self.assertEqual([name for name in names if not name.startswith(("tessera_compil", "_ZSt"))], [])

    def test_a_signal_ends_a_compilation_before_its_next_phase(self):
        def wake(number, frame):
            raise TimeoutError("a signal")

        # Thousands of operations, so that the signal comes while they are compiled.
        count = 20000
        body = "".join(f"  %{i + 1} = math.tanh %{i} : tensor<4xf32>\n" for i in range(count))
        model = f"func.func @main(%0: tensor<4xf32>) -> tensor<4xf32> {{\n{body}  return %{count} : tensor<4xf32>\n}}\n"
        previous = signal.signal(signal.SIGALRM, wake)
        try:
            signal.setitimer(signal.ITIMER_REAL, 0.02)
            with self.assertRaisesRegex(TimeoutError, "a signal"):
                run_compiler([], model)
        finally:
            signal.signal(signal.SIGALRM, previous)
        self.assertTrue(run_compiler([], MODEL))


if __name__ == "__main__":
    unittest.main()
