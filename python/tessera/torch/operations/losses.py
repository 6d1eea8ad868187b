"""Losses."""

import math

import jax
import jax.numpy as jnp

from .table import operation
from .types import magnitude

_NONE, _MEAN, _SUM = range(3)


def _reduced(loss, reduction):
    if reduction == _NONE:
        return loss
    return jnp.mean(loss) if reduction == _MEAN else jnp.sum(loss)


def _by_class(x):
    """Classes, which PyTorch has in the second dimension, in the last."""
    return jnp.moveaxis(x, 1, -1) if x.ndim > 1 else x


def _negative_likelihood(log_probabilities, target, weight, reduction, ignore_index):
    """Of the target's classes; the mean is over targets that are not ignored, each with its class' weight."""
    used = target != ignore_index
    places = jnp.where(used, target, 0)
    picked = -jnp.take_along_axis(log_probabilities, places[..., None], -1)[..., 0]
    share = used.astype(picked.dtype) if weight is None else jnp.where(used, weight[places], 0).astype(picked.dtype)
    loss = jnp.where(used, picked, 0) * share if weight is not None else jnp.where(used, picked, 0)
    return jnp.sum(loss) / jnp.sum(share) if reduction == _MEAN else _reduced(loss, reduction), share


@operation("cross_entropy_loss")
def cross_entropy_loss(x, target, weight=None, reduction=_MEAN, ignore_index=-100, label_smoothing=0.0):
    logs = jax.nn.log_softmax(_by_class(x), -1)
    classes = logs.shape[-1]
    if jnp.issubdtype(target.dtype, jnp.floating):
        target = _by_class(target) * (1 - label_smoothing) + label_smoothing / classes
        loss = -jnp.sum(target * logs if weight is None else target * logs * weight, -1)
        return jnp.sum(loss) / max(math.prod(loss.shape), 1) if reduction == _MEAN else _reduced(loss, reduction)
    loss, share = _negative_likelihood(logs, target, weight, reduction, ignore_index)
    if not label_smoothing:
        return loss
    smooth = -jnp.sum(logs if weight is None else logs * weight, -1)
    smooth = jnp.where(target != ignore_index, smooth, 0)
    smooth = jnp.sum(smooth) / jnp.sum(share) if reduction == _MEAN else _reduced(smooth, reduction)
    return (1 - label_smoothing) * loss + label_smoothing / classes * smooth


@operation("nll_loss", "nll_loss_nd", "nll_loss2d")
def nll_loss(x, target, weight=None, reduction=_MEAN, ignore_index=-100):
    return _negative_likelihood(_by_class(x), target, weight, reduction, ignore_index)[0]


@operation("nll_loss_forward", "nll_loss2d_forward")
def nll_loss_forward(x, target, weight, reduction, ignore_index):
    loss, share = _negative_likelihood(_by_class(x), target, weight, reduction, ignore_index)
    return loss, jnp.sum(share)


@operation("mse_loss")
def mse_loss(x, target, reduction=_MEAN):
    return _reduced(jnp.square(x - target), reduction)


@operation("l1_loss")
def l1_loss(x, target, reduction=_MEAN):
    return _reduced(magnitude(x - target), reduction)


@operation("smooth_l1_loss")
def smooth_l1_loss(x, target, reduction=_MEAN, beta=1.0):
    if beta == 0:
        return l1_loss(x, target, reduction)
    distance = jnp.abs(x - target)
    return _reduced(jnp.where(distance < beta, 0.5 * jnp.square(x - target) / beta, distance - 0.5 * beta), reduction)


@operation("huber_loss")
def huber_loss(x, target, reduction=_MEAN, delta=1.0):
    distance = jnp.abs(x - target)
    return _reduced(jnp.where(distance <= delta, 0.5 * jnp.square(x - target), delta * (distance - 0.5 * delta)), reduction)


@jax.custom_jvp
def _binary_likelihood(x, target):
    return target * jnp.maximum(jnp.log(x), -100) + (1 - target) * jnp.maximum(jnp.log1p(-x), -100)


@_binary_likelihood.defjvp
def _binary_likelihood_jvp(values, tangents):
    """Finite at 0 and 1, too, as PyTorch's."""
    (x, target), (dx, dtarget) = values, tangents
    by_target = jnp.maximum(jnp.log(x), -100) - jnp.maximum(jnp.log1p(-x), -100)
    return _binary_likelihood(x, target), (target - x) / jnp.maximum(x * (1 - x), 1e-12) * dx + by_target * dtarget


@operation("binary_cross_entropy")
def binary_cross_entropy(x, target, weight=None, reduction=_MEAN):
    loss = -_binary_likelihood(x, target)
    return _reduced(loss if weight is None else loss * weight, reduction)


@operation("binary_cross_entropy_with_logits")
def binary_cross_entropy_with_logits(x, target, weight=None, pos_weight=None, reduction=_MEAN):
    positive, negative = jax.nn.log_sigmoid(x), jax.nn.log_sigmoid(-x)
    loss = -(target * (positive if pos_weight is None else pos_weight * positive) + (1 - target) * negative)
    return _reduced(loss if weight is None else loss * weight, reduction)


@operation("soft_margin_loss")
def soft_margin_loss(x, target, reduction=_MEAN):
    return _reduced(jax.nn.softplus(-target * x), reduction)


@operation("kl_div")
def kl_div(x, target, reduction=_MEAN, *, log_target=False):
    loss = jnp.exp(target) * (target - x) if log_target else jax.scipy.special.xlogy(target, target) - target * x
    return _reduced(loss, reduction)


@operation("hinge_embedding_loss")
def hinge_embedding_loss(x, target, margin=1.0, reduction=_MEAN):
    return _reduced(jnp.where(target == 1, x, jnp.maximum(margin - x, 0)), reduction)
