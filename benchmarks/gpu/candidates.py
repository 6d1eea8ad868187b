"""What tuning tries for the cases: tuning records (docs/rationale/gpu-tuning.md) that force one kernel each, with the sizes of the case."""

SHORT = {"bfloat16": "bf16", "float16": "f16", "float32": "f32"}

# m x n x k / warps / stages of `mma`, m x n / stages of `wgmma`.
MMA = ["128x256x32/2x4/3", "256x128x32/4x2/3", "128x128x32/2x2/4", "128x128x64/2x2/3", "128x64x32/2x2/4", "64x128x32/2x2/4", "64x64x64/2x2/4", "64x64x32/2x2/5"]
WGMMA = ["128x256/4", "128x256/3", "128x192/4", "128x128/6", "128x128/4", "64x256/4", "64x128/6", "64x64/8"]
# Threads along a row x rows of a block / parts of a row.
ROWS = ["64x2/1", "128x1/1", "256x1/1", "512x1/1", "512x1/2"]
# Warps x columns / stages of `attention`, warp groups x columns / stages of `wgmma-attention`.
ATTENTION = ["2x32/2", "4x32/2", "4x64/2", "8x32/2", "8x64/2"]
WGMMA_ATTENTION = ["1x128/2", "2x128/2", "2x64/2", "2x64/3", "2x64/4"]
WGMMA_GRADIENT = ["1x128/2", "2x128/2", "1x64/2", "2x64/2", "2x64/3", "1x32/2", "2x32/2", "2x32/4"]
# Vectors of a thread.
ELEMENTS = ["1", "2", "4", "8"]


def key(case):
    """The fields of a record that describe the case; None for cases of several kernels."""
    function = case.function.__name__ if case.function else ""
    if function == "matmul":
        left, right = (SHORT[a.dtype] for a in case.arguments)
        return {"left": left, "right": right, "layout": "kn", "batch": 1, **case.options}
    if function in ("softmax", "layer_norm"):
        rows, columns = case.arguments[0].shape
        return {"rows": rows, "columns": columns, "bytes": 2 if case.arguments[0].dtype != "float32" else 4}
    if function == "adamw":
        return {"elements": [1 << 20, 1 << 40], "bytes": 4}
    if function.startswith("attention"):
        batch, sequence, heads, width = case.arguments[0].shape
        return {"element": SHORT[case.arguments[0].dtype], "batch": batch * heads, "queries": sequence, "keys": sequence, "features": width}
    return None


def choices(case, arch):
    """The kernels and tiles to try, as fields of records."""
    function = case.function.__name__ if case.function else ""
    if function == "matmul":
        splits = (1, 4) if case.options["m"] * case.options["n"] <= 1 << 20 else (1,)
        found = [{"kernel": "mma", "tile": tile, "splits": count} for tile in MMA for count in splits]
        if arch == 90:
            found += [{"kernel": "wgmma", "tile": tile} for tile in WGMMA]
        return found + [{"kernel": "cublasLt"}]
    if function in ("softmax", "layer_norm"):
        return [{"kernel": "rows", "tile": tile} for tile in ROWS]
    if function == "adamw":
        return [{"kernel": "elements", "tile": tile} for tile in ELEMENTS]
    if function == "attention":
        found = [{"step": "forward", "kernel": "attention", "tile": tile} for tile in ATTENTION]
        return found + [{"step": "forward", "kernel": "wgmma-attention", "tile": tile} for tile in WGMMA_ATTENTION if arch == 90]
    if function == "attention_gradient":
        tiles = [("attention", tile) for tile in ATTENTION] + [("wgmma-attention", tile) for tile in WGMMA_GRADIENT if arch == 90]
        return [{"step": step, "kernel": kernel, "tile": tile} for step in ("queries", "keys") for kernel, tile in tiles]
    return []


def records(case, arch):
    fields = key(case)
    return [] if fields is None else [{"arch": arch, **fields, **choice} for choice in choices(case, arch)]
