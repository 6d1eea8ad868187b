import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
import unittest

import numpy as np

import tessera
from tessera.tensor_files import read_tensors

PROGRAMS = pathlib.Path(__file__).resolve().parent.parent / "Integration" / "JAX"

# Counts up to its argument, which takes for ever if that is negative.
COUNT = """
module {
  "func.func"() ({
  ^bb0(%limit: tensor<i32>):
    %zero = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %one = "stablehlo.constant"() {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %count = "stablehlo.while"(%zero) ({
    ^bb0(%i: tensor<i32>):
      %more = "stablehlo.compare"(%i, %limit) {comparison_direction = #stablehlo<comparison_direction NE>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%more) : (tensor<i1>) -> ()
    }, {
    ^bb0(%i: tensor<i32>):
      %two = "stablehlo.add"(%one, %one) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %next = "stablehlo.add"(%i, %two) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%next) : (tensor<i32>) -> ()
    }) : (tensor<i32>) -> tensor<i32>
    "func.return"(%count) : (tensor<i32>) -> ()
  }) {function_type = (tensor<i32>) -> tensor<i32>, sym_name = "main"} : () -> ()
}
"""


class Programs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.model = pathlib.Path(cls.folder.name) / "count.mlir"
        cls.model.write_text(COUNT)
        cls.count_file = pathlib.Path(cls.folder.name) / "count.tsx"
        tessera.compile(cls.model, output=cls.count_file)
        cls.program = tessera.compile(PROGRAMS / "mlp_step.mlir", mesh="data=2,model=2")
        cls.inputs = read_tensors(PROGRAMS / "mlp_step.inputs.safetensors")
        cls.expected = read_tensors(PROGRAMS / "mlp_step.expected.safetensors")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def check(self, outputs):
        self.assertEqual(set(outputs), set(self.expected))
        for name, value in self.expected.items():
            np.testing.assert_allclose(outputs[name], value, rtol=1e-5, atol=1e-6)

    def test_jax_is_not_needed(self):
        self.assertNotIn("jax", sys.modules)

    def test_ranks_stay_alive_between_calls(self):
        self.check(self.program.run(self.inputs))
        handle = self.program.job.handle
        before = {name: array.copy() for name, array in self.inputs.items()}
        self.check(self.program.run(self.inputs))
        self.assertIs(self.program.job.handle, handle)
        for name, array in before.items():  # Donated ones, too.
            np.testing.assert_array_equal(self.inputs[name], array)

    def test_results_are_memory_of_their_own_and_aligned(self):
        first = self.program.run(self.inputs)
        kept = {name: array.copy() for name, array in first.items()}
        self.program.run({**self.inputs, "x": 2 * self.inputs["x"]})
        for name, array in kept.items():
            np.testing.assert_array_equal(first[name], array)
            self.assertEqual(first[name].__array_interface__["data"][0] % 64, 0)

    def test_memory_anywhere_and_in_any_order_is_read(self):
        moved = {}
        for name, array in self.inputs.items():
            memory = np.empty(array.nbytes + 4, np.uint8)[4:]
            moved[name] = np.ndarray(array.shape, array.dtype, memory)
            moved[name][...] = array
        self.check(self.program.run(moved))
        self.check(self.program.run({name: np.asfortranarray(array) for name, array in self.inputs.items()}))

    def test_numbers_take_the_type_of_the_argument(self):
        self.assertEqual(tessera.Program(self.count_file)(8)[0], 8)

    def test_what_is_wrong_with_arguments_is_one_error(self):
        def fails(change, message, kind=tessera.TesseraError):
            inputs = dict(self.inputs)
            change(inputs)
            with self.assertRaisesRegex(kind, message):
                self.program.run(inputs)

        fails(lambda i: i.update(x=i["x"][:3]), r"argument 'x': expected float32\[8x6\], got float32\[3x6\]")
        fails(lambda i: i.update(x=i["x"].astype(np.float64)), r"argument 'x': expected float32\[8x6\], got float64\[8x6\]")
        fails(lambda i: i.pop("x"), "no tensor for argument 'x'")
        fails(lambda i: i.update(xx=i["x"]), "no argument 'xx'; did you mean 'x'")
        with self.assertRaisesRegex(TypeError, "expected 6 arrays, got 1"):
            self.program(self.inputs["x"])
        self.check(self.program.run(self.inputs))

    def test_what_is_no_program_is_one_error(self):
        with self.assertRaisesRegex(tessera.TesseraError, "not a compiled model"):
            tessera.Program(self.model)
        with self.assertRaisesRegex(tessera.TesseraError, "No such file"):
            tessera.Program(self.model.with_suffix(".none"))
        with self.assertRaisesRegex(tessera.TesseraError, "no back end 'none'"):
            tessera.Program(self.count_file, backend="none")(1)

    def test_threads_call_at_the_same_time(self):
        programs, failures = [self.program, tessera.compile(PROGRAMS / "mlp_step.mlir", mesh="data=4")], []

        def work(program):
            try:
                for _ in range(20):
                    self.check(program.run(self.inputs))
            except BaseException as error:
                failures.append(error)

        threads = [threading.Thread(target=work, args=(program,)) for program in programs * 2]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])

    def test_others_run_during_a_call(self):
        program, ticks = tessera.Program(self.count_file), []
        program(2)
        thread = threading.Thread(target=program, args=(16000000,))
        thread.start()
        while thread.is_alive():
            ticks.append(time.monotonic())
        self.assertGreater(len(ticks), 10)

    def test_a_forked_process_starts_ranks_of_its_own(self):
        self.check(self.program.run(self.inputs))
        child = os.fork()
        if child == 0:
            try:
                self.check(self.program.run(self.inputs))
                os._exit(0)
            except BaseException:
                os._exit(1)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)
        self.check(self.program.run(self.inputs))

    def test_a_forked_process_leaves_what_is_not_its_own(self):
        out, status = self.run_script(
            """
            import gc, os, sys, tessera
            program = tessera.compile(sys.argv[1].replace(".tsx", ".mlir"))
            program(2)
            child = os.fork()
            if child == 0:
                del program
                gc.collect()
                sys.exit(3)
            print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), program.path.exists(), program(4)[0], flush=True)
            """
        )
        self.assertEqual((out, status), ("3 True 4\n", 0))

    def run_script(self, script, interrupt=False):
        """What a Python process prints, and its status; gets a Ctrl-C once it has printed a line."""
        process = subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(script), str(self.count_file)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        first = process.stdout.readline()
        if interrupt:
            time.sleep(0.3)
            process.send_signal(signal.SIGINT)
        rest, _ = process.communicate(timeout=100)
        return first + rest, process.returncode

    def test_a_call_can_be_interrupted_and_repeated(self):
        out, status = self.run_script(
            """
            import signal, sys, tessera
            signal.signal(signal.SIGINT, signal.default_int_handler)  # Shells ignore it for what runs in the background.
            program = tessera.Program(sys.argv[1])
            print("begins", flush=True)
            try:
                program(-1)
            except KeyboardInterrupt:
                print("interrupted")
            print(program(6)[0])
            """,
            interrupt=True,
        )
        self.assertEqual((out, status), ("begins\ninterrupted\n6\n", 0))

    def test_a_handler_that_does_not_raise_does_not_interrupt(self):
        out, status = self.run_script(
            """
            import signal, sys, tessera
            signal.signal(signal.SIGINT, lambda number, frame: print("asked to end"))
            program = tessera.Program(sys.argv[1])
            print("begins", flush=True)
            print(program(16000000)[0])
            """,
            interrupt=True,
        )
        self.assertEqual((out, status), ("begins\nasked to end\n16000000\n", 0))

    def test_what_any_handler_raises_interrupts(self):
        out, status = self.run_script(
            """
            import signal, sys, tessera
            def ring(number, frame):
                signal.signal(number, signal.SIG_IGN)
                raise TimeoutError
            signal.signal(signal.SIGALRM, ring)
            signal.signal(signal.SIGINT, lambda number, frame: sys.exit(5))
            program = tessera.Program(sys.argv[1])
            program(2)
            signal.setitimer(signal.ITIMER_REAL, 0.3)
            try:
                program(-1)
            except TimeoutError:
                print("late", signal.getsignal(signal.SIGALRM) == signal.SIG_IGN, flush=True)
            program(-1)
            """,
            interrupt=True,
        )
        self.assertEqual((out, status), ("late True\n", 5))

    def test_the_interpreter_ends_with_live_jobs(self):
        out, status = self.run_script(
            """
            import sys, threading, time, tessera
            program, busy = tessera.Program(sys.argv[1]), tessera.Program(sys.argv[1])
            program(2)
            threading.Thread(target=busy, args=(-1,), daemon=True).start()
            time.sleep(0.3)
            print("ends")
            """
        )
        self.assertEqual((out, status), ("ends\n", 0))


if __name__ == "__main__":
    unittest.main()
