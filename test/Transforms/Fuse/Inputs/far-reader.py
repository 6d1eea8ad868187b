"""Prints a chain of 3,000 products, behind which the exponential of the first one is read."""

SQUARE = "tensor<4x4xf32>"


def product(result, operand):
    return (
        f"  {result} = tessera.dot_general {operand}, {operand} batching = [] x [] contracting = [1] x [0] "
        f": ({SQUARE}, {SQUARE}) -> {SQUARE}"
    )


print(f"func.func @far(%x: {SQUARE}) -> {SQUARE} {{")
print(product("%0", "%x"))
print(f"  %early = math.exp %0 : {SQUARE}")
for i in range(3000):
    print(product(f"%{i + 1}", f"%{i}"))
print(f"  %sum = arith.addf %3000, %early : {SQUARE}")
print(f"  return %sum : {SQUARE}")
print("}")
