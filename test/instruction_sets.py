"""Which tests execute code of the CPU, and on which instruction sets.

`lit test` executes everything with the instructions of x86-64-v3 (AVX2), on every machine. `lit test --param cpu=native` executes again what runs on the
CPU, with all instructions that this machine has (AVX-512): without RUN lines about GPUs, and without tests that execute nothing."""
import os
import re

import lit.formats
import lit.Test
import lit.TestRunner

ABOUT_GPUS = re.compile(r"--target=cuda|--backend=emulated|--execute=sm_|check-spills|check-resources")
EXECUTES = re.compile(r"tessera-run|--execute|tessera\.compile")


def executes(path):
    """Whether the test at `path` runs compiled programs on the CPU, by itself or by a script that it names."""
    with open(path, encoding="utf-8") as file:
        lines = [line for line in file if "RUN:" in line and not ABOUT_GPUS.search(line)]
    if any(EXECUTES.search(line) for line in lines):
        return True
    folder = os.path.dirname(path)
    for script in re.findall(r"%S/(\S+\.(?:sh|py))", "".join(lines)):
        with open(os.path.join(folder, script), encoding="utf-8") as file:
            if EXECUTES.search(file.read()):
                return True
    return False


def _command(line):
    """What a line of a script runs, which is text or has it; nothing for definitions of substitutions."""
    return line if isinstance(line, str) else getattr(line, "command", "")


class OnTheCpu(lit.formats.ShTest):
    """Tests that execute something on the CPU, without their lines about GPUs."""

    def execute(self, test, lit_config):
        if not executes(test.getSourcePath()):
            return lit.Test.Result(lit.Test.EXCLUDED, "nothing is executed on the CPU")
        parse = lit.TestRunner.parseIntegratedTestScript

        def keep(*arguments, **options):
            script = parse(*arguments, **options)
            if isinstance(script, lit.Test.Result):
                return script
            return [line for line in script if not ABOUT_GPUS.search(_command(line))]

        lit.TestRunner.parseIntegratedTestScript = keep
        try:
            return super().execute(test, lit_config)
        finally:
            lit.TestRunner.parseIntegratedTestScript = parse
