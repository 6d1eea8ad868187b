"""How far results are from JAX's: in units of the last place, with the places of NaN, infinities and signs of zeros."""

import numpy as np

INTEGERS = {1: np.int8, 2: np.int16, 4: np.int32, 8: np.int64}


def is_float(dtype):
    """Whether elements of `dtype` are floating-point numbers, those of ml_dtypes included."""
    return dtype.kind not in "biuc" and "int" not in dtype.name


def ordered(values):
    """Floats as integers that count representable numbers from zero; zeros of both signs are 0."""
    bits = values.view(INTEGERS[values.dtype.itemsize]).astype(np.int64)
    if values.dtype.itemsize == 8:
        bits = bits.astype(object)
    sign = 1 << (8 * values.dtype.itemsize - 1)
    magnitude = np.where(bits < 0, bits + sign, bits)
    return np.where(bits < 0, -magnitude, magnitude)


def largest_distance(got, expected):
    """Units of the last place between arrays of floats, as far as both are numbers; None where kinds differ.

    Subnormal numbers equal zero: XLA flushes them on the CPU. E8M0 has no zero: what is flushed there is NaN."""
    wide = np.float64 if got.dtype.itemsize >= 8 else np.float32
    if "e8m0" in got.dtype.name:
        kept = ~((got.view(np.uint8) == 0) & np.isnan(expected.astype(wide)))
        got, expected = got[kept], expected[kept]
    g, e = got.astype(wide), expected.astype(wide)
    if (np.isnan(g) != np.isnan(e)).any() or (np.isposinf(g) != np.isposinf(e)).any() or (np.isneginf(g) != np.isneginf(e)).any():
        return None
    finite = np.isfinite(g)
    if not finite.any():
        return 0
    import ml_dtypes

    if got.dtype.itemsize == 1:
        codes = np.arange(1 << ml_dtypes.finfo(got.dtype).bits, dtype=np.uint8).view(got.dtype).astype(np.float32)
        representable = np.unique(codes[np.isfinite(codes)])
        return int(np.abs(np.searchsorted(representable, g[finite]) - np.searchsorted(representable, e[finite])).max())
    least = float(ml_dtypes.finfo(got.dtype).smallest_normal)
    flushed = (np.abs(g) <= 2 * least) & (np.abs(e) <= 2 * least)
    distances = np.abs(ordered(got) - ordered(expected))[finite & ~flushed]
    return int(distances.max()) if distances.size else 0


def near_as_whole(got, expected, units):
    """Where complex numbers are finite and within `units` of the last place of their magnitudes."""
    finite = np.isfinite(got) & np.isfinite(expected)
    with np.errstate(all="ignore"):
        return finite & (np.abs(got - expected) <= units * np.spacing(np.abs(expected)))


def compare(got, expected, tolerance):
    """('exact' | 'near' | 'wrong', detail). `tolerance` is (units of the last place, error relative to the largest)."""
    if got is None:
        return "wrong", f"no result of type {expected.dtype}{list(expected.shape)}"
    if expected.size == 0:
        return "exact", ""
    if expected.dtype.kind == "c":
        if tolerance[0]:
            got = np.where(near_as_whole(got, expected, tolerance[0]), expected, got)
        part = {8: np.float32, 16: np.float64}[expected.dtype.itemsize]
        got, expected = got.reshape(-1).view(part), expected.reshape(-1).view(part)
    if not is_float(expected.dtype):
        different = got != expected
        if not different.any():
            return "exact", ""
        place = tuple(int(i) for i in np.argwhere(different)[0])
        return "wrong", f"{int(different.sum())} of {got.size}, at {place} {got[place]} for {expected[place]}"
    distance = largest_distance(got, expected)
    if distance == 0:
        return "exact", ""
    units, relative = tolerance
    if distance is not None:
        if distance <= units:
            return "near", f"{distance} ulp"
        wide_got, wide_expected = got.astype(np.float64), expected.astype(np.float64)
        finite = np.isfinite(wide_expected)
        error = np.abs(wide_got[finite] - wide_expected[finite]).max(initial=0)
        if error <= relative * np.abs(wide_expected[finite]).max(initial=0):
            return "near", f"error {error:.1e}"
    with np.errstate(invalid="ignore"):
        return "wrong", worst_place(got, expected, distance)


def worst_place(got, expected, distance):
    g, e = got.astype(np.float64).reshape(-1), expected.astype(np.float64).reshape(-1)
    same = (g == e) | (np.isnan(g) & np.isnan(e))
    worst = int(np.argmax(np.where(same, 0, np.nan_to_num(np.abs(g - e) / np.maximum(np.abs(e), 1e-300), nan=1e300, posinf=1e300))))
    return f"{distance} ulp, at {worst} {g[worst]!r} for {e[worst]!r}"
