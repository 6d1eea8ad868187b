"""Prints a file of StableHLO in which scalars have shardings that say nothing of a scalar.

    annotate-scalars.py attribute|constraint|elements FILE

attribute    scalar constants have the attribute `sdy.sharding`.
constraint   what uses a scalar constant takes it from a `sdy.sharding_constraint`.
elements     operations on elements, in the regions of reductions and sorts, have the attribute.
"""

import re
import sys

SHARDING = '<mesh<["spread"=2]>, []>'
ATTRIBUTE = f"{{sdy.sharding = #sdy.sharding_per_value<[{SHARDING}]>}}"
SCALAR = r"tensor<[a-z]+[0-9]+>"
CONSTANT = re.compile(rf'^( *)%(\w+) = ("stablehlo\.constant"\(\) <\{{value = dense<[^>]*> : {SCALAR}\}}>) : (\(\) -> ({SCALAR}))$')
ELEMENTWISE = re.compile(rf'^( *%\w+ = "stablehlo\.\w+"\([^)]*\)(?: <.*>)?) : (\({SCALAR}(?:, {SCALAR})*\) -> {SCALAR})$')


def annotate(way, lines):
    inside = False
    for line in lines:
        inside = (inside or line.lstrip().startswith("^bb")) and "stablehlo.return" not in line
        if way == "attribute":
            line = CONSTANT.sub(rf"\1%\2 = \3 {ATTRIBUTE} : \4", line)
        elif way == "constraint":
            line = CONSTANT.sub(rf'\1%raw\2 = \3 : \4\n\1%\2 = "sdy.sharding_constraint"(%raw\2) <{{sharding = #sdy.sharding{SHARDING}}}> : (\5) -> \5', line)
        elif inside:
            line = ELEMENTWISE.sub(rf"\1 {ATTRIBUTE} : \2", line)
        yield line


print("\n".join(annotate(sys.argv[1], open(sys.argv[2]).read().splitlines())))
