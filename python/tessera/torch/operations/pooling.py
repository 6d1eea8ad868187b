"""Pooling, and images of other sizes."""

import itertools
import math

import jax
import jax.numpy as jnp
import numpy as np

from .convolutions import _each
from .table import operation
from .types import wide


def _windows(x, kernel, stride, padding, ceil_mode, dilation=1, count=2):
    """Sizes and strides of windows over the last dimensions, and what is added around them; a last window may be partly outside."""
    kernel, padding, dilation = (_each(value, count) for value in (kernel, padding, dilation))
    stride = _each(stride, count) if stride not in (None, [], ()) else kernel
    around = []
    for extent, size, step, pad, spread in zip(x.shape[-count:], kernel, stride, padding, dilation):
        span, more = spread * (size - 1) + 1, 0
        if ceil_mode:
            windows = -(-(extent + 2 * pad - span) // step)
            windows -= windows * step >= extent + pad
            more = max(windows * step + span - extent - 2 * pad, 0)
        around.append((pad, pad + more))
    lead = x.ndim - count
    ones = (1,) * lead
    return (*ones, *kernel), (*ones, *stride), [(0, 0)] * lead + around, (*ones, *dilation)


@operation("max_pool2d")
def max_pool2d(x, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, count=2):
    kernel, stride, around, dilation = _windows(x, kernel_size, stride, padding, ceil_mode, dilation, count)
    lowest = x.dtype.type(-np.inf) if jnp.issubdtype(x.dtype, jnp.floating) else np.iinfo(x.dtype).min
    return jax.lax.reduce_window(x, lowest, jax.lax.max, kernel, stride, around, window_dilation=dilation)


@operation("max_pool1d")
def max_pool1d(x, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False):
    return max_pool2d(x, kernel_size, stride, padding, dilation, ceil_mode, 1)


@operation("max_pool3d")
def max_pool3d(x, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False):
    return max_pool2d(x, kernel_size, stride, padding, dilation, ceil_mode, 3)


@operation("max_pool2d_with_indices")
def max_pool2d_with_indices(x, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False):
    """The places are those of PyTorch, numbers within an image, made of shifted copies."""
    y = max_pool2d(x, kernel_size, stride, padding, dilation, ceil_mode)
    kernel, steps, around, spread = _windows(x, kernel_size, stride, padding, ceil_mode, dilation)
    height, width = x.shape[-2:]
    numbers = jnp.broadcast_to(jnp.arange(height * width).reshape(height, width), x.shape)
    widths = [(low, high) for low, high in around]
    padded, placed = (jnp.pad(tensor, widths, constant_values=fill) for tensor, fill in ((x, -jnp.inf), (numbers, -1)))
    places = jnp.full(y.shape, height * width)
    for row, column in itertools.product(range(kernel[-2]), range(kernel[-1])):
        cut = tuple(
            jnp.s_[first * gap : first * gap + (extent - 1) * step + 1 : step]
            for first, gap, extent, step in zip((row, column), spread[-2:], y.shape[-2:], steps[-2:])
        )
        here = padded[(..., *cut)] == y
        places = jnp.where(here, jnp.minimum(places, placed[(..., *cut)]), places)
    return y, places


@operation("avg_pool2d")
def avg_pool2d(x, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None, count=2):
    kernel, steps, around, _ = _windows(x, kernel_size, stride, padding, ceil_mode, 1, count)

    def sums(tensor, pads):
        return jax.lax.reduce_window(tensor, 0.0, jax.lax.add, kernel, steps, pads)

    total = sums(wide(x), around)
    if divisor_override:
        return (total / divisor_override).astype(x.dtype)
    if not any(high or low for low, high in around):
        return (total / math.prod(kernel)).astype(x.dtype)
    # What the padding that was asked for adds counts or not; what a last window lacks never does.
    pads = _each(padding, count)
    ones = jnp.ones(x.shape[-count:], jnp.float32)
    shape = (1,) * (x.ndim - count)
    if count_include_pad:
        ones = jnp.pad(ones, [(pad, pad) for pad in pads], constant_values=1)
        around = [(low - pad, high - pad) for (low, high), pad in zip(around, [0] * len(shape) + pads)]
    return (total / sums(ones.reshape(*shape, *ones.shape), around)).astype(x.dtype)


@operation("avg_pool1d")
def avg_pool1d(x, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
    return avg_pool2d(x, kernel_size, stride, padding, ceil_mode, count_include_pad, None, 1)


def _parts(extent, count):
    """The windows by which PyTorch divides a dimension into `count`: they may overlap."""
    return [(place * extent // count, -(-(place + 1) * extent // count)) for place in range(count)]


@operation("adaptive_avg_pool1d", "adaptive_avg_pool2d", "_adaptive_avg_pool2d", "adaptive_avg_pool3d")
def adaptive_avg_pool(x, output_size):
    for axis, count in zip(range(-len(output_size), 0), output_size):
        means = [jnp.mean(jax.lax.slice_in_dim(x, low, high, axis=axis), axis, keepdims=True) for low, high in _parts(x.shape[axis], count)]
        x = jnp.concatenate(means, axis)
    return x


def _nearest(x, axis, size, scale):
    extent = x.shape[axis]
    ratio = 1 / scale if scale else extent / size
    return jnp.take(x, jnp.minimum(jnp.floor(jnp.arange(size) * ratio).astype(jnp.int32), extent - 1), axis)


@operation("upsample_nearest1d", "upsample_nearest2d", "upsample_nearest3d", "upsample_nearest2d.vec", "upsample_nearest1d.vec")
def upsample_nearest(x, output_size=None, *scales):
    count = x.ndim - 2
    given = list(scales[0]) if scales and isinstance(scales[0], (list, tuple)) else list(scales)
    given = given + [None] * (count - len(given))
    for axis, scale in zip(range(2, x.ndim), given):
        size = output_size[axis - 2] if output_size else math.floor(x.shape[axis] * scale)
        x = _nearest(x, axis, size, scale)
    return x


def _linear(x, axis, size, align_corners, scale):
    """Along one dimension, between two neighbours each."""
    extent = x.shape[axis]
    if align_corners:
        at = jnp.arange(size) * ((extent - 1) / (size - 1) if size > 1 else 0)
    else:
        at = jnp.maximum((jnp.arange(size) + 0.5) * (1 / scale if scale else extent / size) - 0.5, 0)
    low = jnp.minimum(jnp.floor(at).astype(jnp.int32), extent - 1)
    part = (at - low).astype(x.dtype).reshape(-1, *[1] * (x.ndim - axis - 1))
    return jnp.take(x, low, axis) * (1 - part) + jnp.take(x, jnp.minimum(low + 1, extent - 1), axis) * part


@operation("upsample_bilinear2d", "upsample_linear1d", "upsample_bilinear2d.vec")
def upsample_linear(x, output_size, align_corners, *scales):
    count = x.ndim - 2
    given = list(scales[0]) if scales and isinstance(scales[0], (list, tuple)) else list(scales)
    given = given + [None] * (count - len(given))
    for axis, scale in zip(range(2, x.ndim), given):
        size = output_size[axis - 2] if output_size else math.floor(x.shape[axis] * scale)
        x = _linear(x, axis, size, align_corners, scale)
    return x
