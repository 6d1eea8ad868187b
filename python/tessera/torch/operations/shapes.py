"""What changes the shape of a tensor, or puts several together."""

import math

import jax
import jax.numpy as jnp

from .table import operation
from .types import promoted


@operation("view", "reshape", "_unsafe_view", "view_copy", "_reshape_alias", "_reshape_copy")
def view(x, shape, *_):
    return x.reshape(tuple(shape))


@operation("view.dtype")
def view_dtype(x, dtype):
    return x.view(jnp.dtype(dtype))


@operation("view_as", "reshape_as")
def view_as(x, other):
    return x.reshape(other.shape)


@operation("permute", "permute_copy")
def permute(x, dims):
    return jnp.transpose(x, [dim % x.ndim for dim in dims])


@operation("transpose", "transpose_copy", "swapaxes", "swapdims")
def transpose(x, dim0, dim1):
    return jnp.swapaxes(x, dim0, dim1) if x.ndim else x


@operation("t", "t_copy", "mT")
def t(x):
    return jnp.swapaxes(x, -1, -2) if x.ndim > 1 else x


@operation("numpy_T")
def numpy_t(x):
    return x.T


@operation("adjoint", "mH")
def adjoint(x):
    return jnp.conj(t(x))


@operation("movedim", "moveaxis")
def movedim(x, source, destination):
    return jnp.moveaxis(x, source, destination)


@operation("expand", "expand_copy", "broadcast_to")
def expand(x, size, implicit=False):
    added = len(size) - x.ndim
    return jnp.broadcast_to(x, [x.shape[place - added] if extent == -1 else extent for place, extent in enumerate(size)])


@operation("expand_as")
def expand_as(x, other):
    return jnp.broadcast_to(x, other.shape)


@operation("squeeze", "squeeze_copy")
def squeeze(x, dim=None):
    dims = range(x.ndim) if dim is None else dim if isinstance(dim, (list, tuple)) else [dim]
    dims = {number % max(x.ndim, 1) for number in dims}
    return x.reshape([extent for place, extent in enumerate(x.shape) if place not in dims or extent != 1])


@operation("unsqueeze", "unsqueeze_copy")
def unsqueeze(x, dim):
    return jnp.expand_dims(x, dim)


@operation("flatten")
def flatten(x, start_dim=0, end_dim=-1):
    if not x.ndim:
        return x.reshape(1)
    start, end = start_dim % x.ndim, end_dim % x.ndim
    return x.reshape(*x.shape[:start], math.prod(x.shape[start : end + 1]), *x.shape[end + 1 :])


@operation("unflatten")
def unflatten(x, dim, sizes):
    dim %= x.ndim
    known = -math.prod(sizes) if -1 in sizes else 1
    sizes = [x.shape[dim] // known if size == -1 else size for size in sizes]
    return x.reshape(*x.shape[:dim], *sizes, *x.shape[dim + 1 :])


@operation("cat", "concat", "concatenate")
def cat(tensors, dim=0):
    # An empty tensor of one dimension goes with any other.
    return jnp.concatenate(promoted(*[tensor for tensor in tensors if tensor.shape != (0,)] or tensors), dim)


@operation("stack")
def stack(tensors, dim=0):
    return jnp.stack(promoted(*tensors), dim)


@operation("split", "split_copy", "unsafe_split")
def split(x, split_size, dim=0):
    if isinstance(split_size, (list, tuple)):
        return split_with_sizes(x, split_size, dim)
    extent = x.shape[dim]
    return split_with_sizes(x, [min(split_size, extent - start) for start in range(0, extent, split_size)], dim)


@operation("split_with_sizes", "split_with_sizes_copy", "unsafe_split_with_sizes")
def split_with_sizes(x, split_sizes, dim=0):
    starts = [sum(split_sizes[:place]) for place in range(len(split_sizes))]
    return [jax.lax.slice_in_dim(x, start, start + size, axis=dim) for start, size in zip(starts, split_sizes)]


@operation("tensor_split")
def tensor_split(x, sections, dim=0):
    return jnp.array_split(x, sections, dim)


@operation("chunk", "unsafe_chunk")
def chunk(x, chunks, dim=0):
    return split(x, -(-x.shape[dim] // chunks), dim)


@operation("unbind", "unbind_copy")
def unbind(x, dim=0):
    return [jax.lax.index_in_dim(x, place, dim, keepdims=False) for place in range(x.shape[dim])]


@operation("slice", "slice_copy")
def slice(x, dim=0, start=None, end=None, step=1):
    start, end = bounds(x.shape[dim], start, end)
    return jax.lax.slice_in_dim(x, start, max(start, end), step, dim)


def bounds(extent, start, end):
    """The first place and the one behind the last, within the extent of a dimension."""
    start, end = 0 if start is None else start, extent if end is None else end
    start, end = (place + extent if place < 0 else place for place in (start, end))
    return min(max(start, 0), extent), min(max(end, 0), extent)


@operation("select", "select_copy")
def select(x, dim, index):
    if hasattr(index, "dtype"):
        return jnp.take(x, index, dim)
    return jax.lax.index_in_dim(x, index, dim, keepdims=False)


@operation("narrow", "narrow_copy")
def narrow(x, dim, start, length):
    return slice(x, dim, start, start + length)


def _places(x, dim, place):
    return (place if number == dim % x.ndim else jnp.s_[:] for number in range(x.ndim))


@operation("select_scatter")
def select_scatter(x, source, dim, index):
    return x.at[tuple(_places(x, dim, index))].set(source.astype(x.dtype))


@operation("slice_scatter")
def slice_scatter(x, source, dim=0, start=None, end=None, step=1):
    start, end = bounds(x.shape[dim], start, end)
    return x.at[tuple(_places(x, dim, jnp.s_[start:end:step]))].set(source.astype(x.dtype))


@operation("copy")
def copy(x, source, non_blocking=False):
    return jnp.broadcast_to(source, x.shape).astype(x.dtype)


@operation("repeat")
def repeat(x, repeats):
    return jnp.tile(x, repeats)


@operation("tile")
def tile(x, dims):
    return jnp.tile(x, dims)


@operation("repeat_interleave.self_int")
def repeat_interleave(x, repeats, dim=None, output_size=None):
    return jnp.repeat(x, repeats, dim)


@operation("flip")
def flip(x, dims):
    return jnp.flip(x, dims)


@operation("roll")
def roll(x, shifts, dims=()):
    shifts = shifts if isinstance(shifts, (list, tuple)) else [shifts]
    return jnp.roll(x, shifts, dims) if dims else jnp.roll(x, shifts[0])


@operation("constant_pad_nd")
def constant_pad_nd(x, pad, value=0):
    config = [(0, 0, 0)] * x.ndim
    for place in range(len(pad) // 2):
        config[-1 - place] = (pad[2 * place], pad[2 * place + 1], 0)
    return jax.lax.pad(x, jnp.asarray(value, x.dtype), config)


@operation("pad")
def pad(x, pad, mode="constant", value=None):
    if mode == "constant":
        return constant_pad_nd(x, pad, 0 if value is None else value)
    widths = [(0, 0)] * x.ndim
    for place in range(len(pad) // 2):
        widths[-1 - place] = (pad[2 * place], pad[2 * place + 1])
    return jnp.pad(x, widths, mode={"reflect": "reflect", "replicate": "edge", "circular": "wrap"}[mode])


@operation("reflection_pad1d", "reflection_pad2d", "reflection_pad3d")
def reflection_pad(x, padding):
    return pad(x, padding, "reflect")


@operation("replication_pad1d", "replication_pad2d", "replication_pad3d")
def replication_pad(x, padding):
    return pad(x, padding, "replicate")


@operation("unfold", "unfold_copy")
def unfold(x, dimension, size, step):
    count = (x.shape[dimension] - size) // step + 1
    places = jnp.arange(count)[:, None] * step + jnp.arange(size)
    return jnp.moveaxis(jnp.take(x, places, dimension), dimension % x.ndim + 1, -1)


@operation("pixel_shuffle")
def pixel_shuffle(x, upscale_factor):
    *batch, channels, height, width = x.shape
    r = upscale_factor
    x = x.reshape(*batch, channels // (r * r), r, r, height, width)
    x = jnp.einsum("...crshw->...chrws", x)
    return x.reshape(*batch, channels // (r * r), height * r, width * r)


@operation("diagonal", "diagonal_copy")
def diagonal(x, offset=0, dim1=0, dim2=1):
    return jnp.diagonal(x, offset, dim1, dim2)


@operation("tril")
def tril(x, diagonal=0):
    return jnp.tril(x, diagonal)


@operation("triu")
def triu(x, diagonal=0):
    return jnp.triu(x, diagonal)


@operation("meshgrid")
def meshgrid(tensors, indexing="ij"):
    return jnp.meshgrid(*tensors, indexing=indexing)


@operation("clone", "contiguous", "alias", "alias_copy", "lift", "lift_fresh", "lift_fresh_copy", "view_of", "resolve_conj", "resolve_neg", "_conj_physical")
def clone(x, *_, **__):
    return x


@operation("detach", "detach_copy")
def detach(x):
    return jax.lax.stop_gradient(x)
