"""Convolutions."""

import jax
import jax.numpy as jnp

from .table import operation


def _each(value, count):
    values = list(value) if isinstance(value, (list, tuple)) else [value]
    return values * count if len(values) == 1 else values


@operation("conv1d", "conv2d", "conv3d", "conv1d.padding", "conv2d.padding", "conv3d.padding")
def conv(x, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    """A convolution of as many dimensions as the weight has behind its first two, of one example or a batch."""
    count = weight.ndim - 2
    if x.ndim == weight.ndim - 1:
        return conv(x[None], weight, bias, stride, padding, dilation, groups)[0]
    stride, dilation = _each(stride, count), _each(dilation, count)
    if padding == "same":
        spans = [step * (size - 1) for step, size in zip(dilation, weight.shape[2:])]
        padding = [(span // 2, span - span // 2) for span in spans]
    else:
        padding = [(size, size) for size in _each(0 if padding == "valid" else padding, count)]
    y = jax.lax.conv_general_dilated(x, weight, stride, padding, rhs_dilation=dilation, feature_group_count=groups)
    return y if bias is None else y + bias.reshape(-1, *[1] * count)


@operation("conv_transpose1d", "conv_transpose2d", "conv_transpose3d")
def conv_transpose(x, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    """The transpose of a convolution: of the input with zeros between its elements, with the mirrored weight."""
    count = weight.ndim - 2
    stride, padding, output_padding, dilation = (_each(value, count) for value in (stride, padding, output_padding, dilation))
    inputs, outputs = weight.shape[0] // groups, weight.shape[1]
    mirrored = jnp.flip(weight, tuple(range(2, weight.ndim))).reshape(groups, inputs, outputs, *weight.shape[2:])
    mirrored = jnp.swapaxes(mirrored, 1, 2).reshape(groups * outputs, inputs, *weight.shape[2:])
    spans = [step * (size - 1) for step, size in zip(dilation, weight.shape[2:])]
    around = [(span - pad, span - pad + extra) for span, pad, extra in zip(spans, padding, output_padding)]
    y = jax.lax.conv_general_dilated(
        x, mirrored, (1,) * count, around, lhs_dilation=stride, rhs_dilation=dilation, feature_group_count=groups
    )
    return y if bias is None else y + bias.reshape(-1, *[1] * count)


@operation("convolution", "_convolution")
def convolution(x, weight, bias, stride, padding, dilation, transposed, output_padding, groups, *_):
    if transposed:
        return conv_transpose(x, weight, bias, stride, padding, output_padding, groups, dilation)
    return conv(x, weight, bias, stride, padding, dilation, groups)
