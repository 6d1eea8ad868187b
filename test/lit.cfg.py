"""How lit runs the tests of this folder: MLIR files with RUN lines, against the tools in the build tree."""
import importlib.util
import os
import sys
import lit.formats
import lit.util

sys.path.insert(0, os.path.dirname(__file__))
import instruction_sets

config.name = "tessera"
# `--param cpu=native`: only what is executed on the CPU, with all of its instructions.
cpu = lit_config.params.get("cpu", "x86-64-v3")
config.environment["TESSERA_CPU"] = cpu
form = lit.formats.ShTest if cpu == "x86-64-v3" else instruction_sets.OnTheCpu
config.test_format = form(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "CMakeLists.txt", "Unit"]
config.test_source_root = os.path.dirname(__file__)
build = os.path.abspath(lit_config.params.get("build", os.path.join(config.test_source_root, "..", "build")))
config.test_exec_root = os.path.join(build, "test")
config.environment["PATH"] = os.pathsep.join(
    [os.path.join(build, "bin"), "/usr/lib/llvm-22/bin", os.environ["PATH"]])
# ptxas of the CUDA toolkit: tests that need it are reported as unsupported without it.
if lit.util.which("ptxas", os.pathsep.join([os.environ["PATH"], os.path.join(os.environ.get("CUDA_HOME", "/usr/local/cuda"), "bin")])):
    config.available_features.add("ptxas")
# What makes a site of the pages.
if importlib.util.find_spec("markdown"):
    config.available_features.add("markdown")
# A solver of integer programs.
if importlib.util.find_spec("scipy"):
    config.available_features.add("scipy")
# What stands in for the GPU's driver and NCCL, where the build has it.
if os.path.exists(os.path.join(build, "standin", "libcuda.so.1")):
    config.available_features.add("standin")
config.substitutions.append(("%source", os.path.abspath(os.path.join(config.test_source_root, ".."))))
config.substitutions.append(("%build", build))
# A step of the GPT on emulated GPUs takes a minute or two of one core.
config.maxIndividualTestTime = 600
