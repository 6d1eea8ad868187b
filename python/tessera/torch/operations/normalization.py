"""Norms: the whole of each stands together, computed in float32 at least, as PyTorch does."""

import jax
import jax.numpy as jnp

from .table import operation
from .types import wide


def _affine(y, weight, bias, dtype):
    """The normalized tensor with a factor and an offset of its last dimensions."""
    y = y.astype(dtype) if weight is None else y * wide(weight)
    y = y if bias is None else y + wide(bias)
    return y.astype(dtype)


@operation("layer_norm")
def layer_norm(x, normalized_shape, weight=None, bias=None, eps=1e-5, cudnn_enable=True):
    return native_layer_norm(x, normalized_shape, weight, bias, eps)[0]


@operation("native_layer_norm")
def native_layer_norm(x, normalized_shape, weight, bias, eps):
    axes, z = tuple(range(-len(normalized_shape), 0)), wide(x)
    mean = jnp.mean(z, axes, keepdims=True)
    centred = z - mean
    scale = jax.lax.rsqrt(jnp.mean(jnp.square(centred), axes, keepdims=True) + eps)
    return _affine(centred * scale, weight, bias, x.dtype), mean, scale


@operation("rms_norm", "_fused_rms_norm")
def rms_norm(x, normalized_shape, weight=None, eps=None):
    axes, z = tuple(range(-len(normalized_shape), 0)), wide(x)
    eps = jnp.finfo(x.dtype).eps if eps is None else eps
    y = z * jax.lax.rsqrt(jnp.mean(jnp.square(z), axes, keepdims=True) + eps)
    return _affine(y, weight, None, x.dtype)


def _by_channel(vector, rank):
    return None if vector is None else vector.reshape(-1, *[1] * (rank - 2))


@operation("group_norm")
def group_norm(x, num_groups, weight=None, bias=None, eps=1e-5, cudnn_enabled=True):
    groups = wide(x).reshape(x.shape[0], num_groups, -1)
    centred = groups - jnp.mean(groups, -1, keepdims=True)
    scale = jax.lax.rsqrt(jnp.mean(jnp.square(centred), -1, keepdims=True) + eps)
    return _affine((centred * scale).reshape(x.shape), _by_channel(weight, x.ndim), _by_channel(bias, x.ndim), x.dtype)


@operation("native_group_norm")
def native_group_norm(x, weight, bias, n, c, hxw, group, eps):
    z = wide(x).reshape(n, group, -1)
    mean = jnp.mean(z, -1)
    return group_norm(x, group, weight, bias, eps), mean, jax.lax.rsqrt(jnp.var(z, -1) + eps)


@operation("instance_norm")
def instance_norm(x, weight, bias, running_mean, running_var, use_input_stats, momentum, eps, cudnn_enabled=True):
    if not use_input_stats:
        return _normalized(x, weight, bias, wide(running_mean), wide(running_var), eps)
    return group_norm(x, x.shape[1], weight, bias, eps)


def _statistics(x):
    axes = (0, *range(2, x.ndim))
    z = wide(x)
    mean = jnp.mean(z, axes)
    return mean, jnp.mean(jnp.square(z - mean.reshape(-1, *[1] * (x.ndim - 2))), axes), x.size // x.shape[1]


def _normalized(x, weight, bias, mean, variance, eps):
    mean, scale = (_by_channel(vector, x.ndim) for vector in (mean, jax.lax.rsqrt(variance + eps)))
    return _affine((wide(x) - mean) * scale, _by_channel(weight, x.ndim), _by_channel(bias, x.ndim), x.dtype)


@operation("_native_batch_norm_legit_functional")
def native_batch_norm(x, weight, bias, running_mean, running_var, training, momentum, eps):
    """The normalized tensor, the mean and inverse deviation of the batch, and the new running mean and variance, the latter without bias."""
    if not training:
        y = _normalized(x, weight, bias, wide(running_mean), wide(running_var), eps)
        return y, jnp.zeros(0), jnp.zeros(0), running_mean, running_var
    mean, variance, count = _statistics(x)
    y = _normalized(x, weight, bias, mean, variance, eps)

    def moved(running, new):
        return ((1 - momentum) * running + momentum * new).astype(running.dtype)

    mean, variance = jax.lax.stop_gradient((mean, variance))
    unbiased = variance * (count / max(count - 1, 1))
    return y, mean, jax.lax.rsqrt(variance + eps), moved(running_mean, mean), moved(running_var, unbiased)


@operation("_native_batch_norm_legit_no_training")
def native_batch_norm_no_training(x, weight, bias, running_mean, running_var, momentum, eps):
    return native_batch_norm(x, weight, bias, running_mean, running_var, False, momentum, eps)[:3]


@operation("_native_batch_norm_legit.no_stats")
def native_batch_norm_no_stats(x, weight, bias, training, momentum, eps):
    mean, variance, _ = _statistics(x)
    return _normalized(x, weight, bias, mean, variance, eps), mean, jax.lax.rsqrt(variance + eps)


@operation("batch_norm")
def batch_norm(x, weight, bias, running_mean, running_var, training, momentum, eps, cudnn_enabled=True):
    if training:
        return native_batch_norm_no_stats(x, weight, bias, True, momentum, eps)[0]
    return _normalized(x, weight, bias, wide(running_mean), wide(running_var), eps)


@operation("local_response_norm")
def local_response_norm(x, size, alpha=1e-4, beta=0.75, k=1.0):
    squares = jnp.pad(jnp.square(x), [(0, 0), (size // 2, (size - 1) // 2)] + [(0, 0)] * (x.ndim - 2))
    window = (1, size) + (1,) * (x.ndim - 2)
    means = jax.lax.reduce_window(squares, 0.0, jax.lax.add, window, (1,) * x.ndim, "VALID") / size
    return x / (k + alpha * means) ** beta
