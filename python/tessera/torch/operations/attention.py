"""Attention, written as the compiler looks for it: a product, a softmax, a product."""

import math

import jax
import jax.numpy as jnp

from .random import native_dropout
from .table import operation
from .types import wide


@operation("scaled_dot_product_attention", random=True)
def scaled_dot_product_attention(query, key_, value, attn_mask=None, dropout_p=0.0, is_causal=False, *, scale=None, enable_gqa=False, key):
    """Attention of any leading dimensions. A row that may see nothing is 0."""
    if enable_gqa:
        key_, value = (jnp.repeat(tensor, query.shape[-3] // tensor.shape[-3], -3) for tensor in (key_, value))
    scale = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    scores = wide(jnp.einsum("...qd,...kd->...qk", query, key_)) * scale
    hidden = None
    if is_causal:
        scores = jnp.where(jnp.tril(jnp.ones(scores.shape[-2:], bool)), scores, _HIDDEN)
    elif attn_mask is not None and attn_mask.dtype == jnp.bool_:
        scores = jnp.where(attn_mask, scores, _HIDDEN)
        hidden = ~jnp.any(attn_mask, -1, keepdims=True)
    elif attn_mask is not None:
        scores = scores + jnp.maximum(attn_mask.astype(scores.dtype), _HIDDEN)
        hidden = jnp.all(attn_mask == -jnp.inf, -1, keepdims=True)
    weights = jax.nn.softmax(scores, -1).astype(query.dtype)
    if dropout_p:
        weights = native_dropout(weights, dropout_p, key=key)[0]
    output = jnp.einsum("...qk,...kd->...qd", weights, value)
    return output if hidden is None else jnp.where(hidden, jnp.zeros_like(output), output)


# Finite, so that rows without a visible key have a gradient.
_HIDDEN = -1e30
