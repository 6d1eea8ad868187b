"""Calls of PyTorch's operations, of which scripts/make-torch-fixtures.py stores the results and gradients."""

import torch
import torch.nn.functional as F  # noqa: F401  registers what the operations below are made of


def R(*shape):
    return torch.randn(*shape)


def P(*shape):
    return torch.rand(*shape) + 0.1


def I(high, *shape):
    return torch.randint(0, high, shape)


def B(*shape):
    return torch.rand(*shape) > 0.4


UNARY = (
    "abs neg exp expm1 sin cos tan atan sinh cosh tanh asinh erf erfc sigmoid relu silu mish log_sigmoid selu square floor ceil round trunc sign isfinite elu gelu "
    "hardswish hardsigmoid hardtanh relu6 leaky_relu softplus celu frac logical_not"
).split()
POSITIVE = "log log2 log10 log1p sqrt rsqrt reciprocal lgamma".split()
BINARY = "atan2 hypot logaddexp maximum minimum fmod.Tensor remainder.Tensor eq.Tensor lt.Tensor ge.Tensor mul.Tensor add.Tensor sub.Tensor div.Tensor floor_divide logical_and".split()


def add_elementwise(c):
    for name in UNARY:
        c.add(name, R(2, 5))
    for name in POSITIVE:
        c.add(name, P(2, 4))
    for name in BINARY:
        c.add(name, R(2, 3), R(3))
    c.add("gelu", R(6), approximate="tanh")
    c.add("add.Tensor", R(3), R(3), alpha=2)
    c.add("sub.Tensor", I(9, 3), R(3))
    c.add("add.Tensor", torch.ones(3, dtype=torch.bfloat16), torch.tensor(0.5))
    c.add("mul.Tensor", I(5, 3), 2.5)
    c.add("add.Tensor", B(3), 1)
    c.add("rsub.Scalar", R(3), 1.0)
    c.add("div.Tensor", I(9, 4), I(4, 4) + 1)
    c.add("div.Tensor_mode", R(4) * 5, P(4), rounding_mode="floor")
    c.add("div.Tensor_mode", I(9, 4) - 5, I(3, 4) + 1, rounding_mode="trunc")
    c.add("remainder.Scalar", I(9, 5) - 4, 3)
    c.add("pow.Tensor_Scalar", P(4), 2.5)
    c.add("pow.Tensor_Scalar", R(4), 3)
    c.add("pow.Scalar", 2.0, R(4))
    c.add("pow.Tensor_Tensor", P(4), R(4))
    c.add("where.self", B(2, 3), R(2, 3), R(3))
    c.add("clamp", torch.tensor([-2.0, -1.0, 0.0, 1.0, 2.0]), -1, 1)
    c.add("clamp.Tensor", R(4), R(4) - 2, R(4) + 2)
    c.add("masked_fill.Scalar", R(2, 3), B(2, 3), -5.0)
    c.add("threshold", R(5), 0.1, 7.0)
    c.add("glu", R(2, 6), -1)
    c.add("prelu", R(2, 3, 2), P(3))
    c.add("lerp.Scalar", R(3), R(3), 0.25)
    c.add("addcmul", R(3), R(3), R(3), value=0.5)
    c.add("addcdiv", R(3), R(3), P(3), value=0.5)
    c.add("bitwise_and.Tensor", I(16, 4), I(16, 4))
    c.add("_to_copy", R(3), dtype=torch.bfloat16)


def add_shapes(c):
    c.add("view", R(2, 6), [3, -1])
    c.add("permute", R(2, 3, 4), [2, 0, -2])
    c.add("transpose.int", R(2, 3, 4), -1, 0)
    c.add("expand", R(3, 1), [2, -1, 4])
    c.add("squeeze.dim", R(2, 1, 3), 1)
    c.add("squeeze.dims", R(1, 2, 1), [0, 1])
    c.add("unsqueeze", R(2, 3), -1)
    c.add("flatten.using_ints", R(2, 3, 4), 1, 2)
    c.add("unflatten.int", R(2, 6), 1, [2, -1])
    c.add("cat", [R(2, 3), R(2, 1)], -1)
    c.add("stack", [R(2, 3), R(2, 3)], 1)
    c.add("split.Tensor", R(5, 2), 2)
    c.add("split_with_sizes", R(2, 5), [1, 4], 1)
    c.add("chunk", R(2, 5), 2, 1)
    c.add("unbind.int", R(2, 3), 1)
    c.add("slice.Tensor", R(6, 2), 0, 1, 100, 2)
    c.add("slice.Tensor", R(6), 0, -3)
    c.add("select.int", R(2, 3), 1, -1)
    c.add("select_scatter", R(2, 3), R(2), 1, 2)
    c.add("slice_scatter", R(4, 2), R(2, 2), 0, 1, 3)
    c.add("repeat", R(2, 3), [2, 1, 2])
    c.add("repeat_interleave.self_int", R(2, 3), 2, 1)
    c.add("flip", R(2, 3), [1])
    c.add("roll", R(2, 3), [1], [1])
    c.add("roll", R(2, 3), [2])
    c.add("constant_pad_nd", R(2, 3), [1, 2, 0, 1], 0.5)
    c.add("constant_pad_nd", R(2, 3), [-1, 1])
    c.add("pad", R(1, 4, 5), [1, 2], "reflect")
    c.add("unfold", R(2, 7), 1, 3, 2)
    c.add("pixel_shuffle", R(1, 8, 2, 3), 2)
    c.add("tril", R(3, 4), 1)
    c.add("triu", R(3, 4), -1)
    c.add("diagonal", R(3, 4), 1)
    c.add("meshgrid.indexing", [R(2), R(3)], indexing="ij")
    c.add("movedim.int", R(2, 3, 4), 0, -1)


def add_indexing(c):
    c.add("embedding", R(5, 3), I(5, 2, 4))
    c.add("embedding", R(5, 3), torch.tensor([0, 2, 0, 4]), 0)
    c.add("index.Tensor", R(4, 5), [I(4, 3), I(5, 3)])
    c.add("index.Tensor", R(4, 5, 2), [None, I(5, 3)])
    c.add("index_put", R(4, 3), [torch.tensor([0, 2])], R(2, 3))
    c.add("index_put", R(4, 3), [torch.tensor([0, 0])], R(2, 3), True)
    c.add("index_put", R(4, 3), [B(4, 3)], torch.tensor(2.0))
    c.add("index_select", R(4, 3), 1, torch.tensor([2, 0]))
    c.add("gather", R(4, 3), 1, I(3, 2, 2))
    c.add("scatter.src", R(3, 4), 1, torch.tensor([[0, 2], [1, 3]]), R(2, 2))
    c.add("scatter.value", R(3, 4), 1, torch.tensor([[0], [3]]), 2.0)
    c.add("scatter_add", R(3, 4), 0, I(3, 2, 4), R(2, 4))
    c.add("scatter_reduce.two", R(3, 4), 0, I(3, 2, 4), R(2, 4), "amax")
    c.add("index_add", R(3, 4), 1, torch.tensor([1, 1]), R(3, 2), alpha=2)
    c.add("index_copy", R(3, 4), 1, torch.tensor([1, 3]), R(3, 2))
    c.add("masked_scatter", R(2, 3), B(2, 3), R(6))
    c.add("one_hot", I(4, 3), 4)
    c.add("searchsorted.Tensor", torch.tensor([1.0, 2, 3, 4]), R(5) + 2)
    c.add("isin.Tensor_Tensor", I(9, 6), I(9, 3))


def add_reductions(c):
    for name in ("sum.dim_IntList", "mean.dim", "amax", "amin", "logsumexp"):
        c.add(name, R(2, 3, 4), [0, -1], True)
    for name in ("sum", "mean", "prod", "max", "min", "var", "std"):
        c.add(name, R(2, 3), True) if name in ("var", "std") else c.add(name, R(2, 3))
    c.add("sum", B(2, 3))
    c.add("sum.dim_IntList", I(9, 2, 3), [1])
    c.add("max.dim", R(2, 5), 1)
    c.add("min.dim", R(2, 5), 0, True)
    c.add("argmax", R(2, 5), -1)
    c.add("argmin", R(2, 5))
    c.add("var.correction", R(2, 5), [1], correction=0, keepdim=True)
    c.add("var_mean.correction", R(2, 5), [1], correction=1)
    c.add("std.correction", R(2, 5), [1], correction=1)
    c.add("linalg_vector_norm", R(2, 5), 2, [1])
    c.add("linalg_vector_norm", torch.zeros(3), 2)
    c.add("linalg_vector_norm", R(2, 5), 1, [1], True)
    c.add("softmax.int", R(2, 5), -1)
    c.add("_softmax", R(2, 5), 0, False)
    c.add("log_softmax.int", R(2, 5), 1)
    c.add("all.dim", B(2, 3), 1)
    c.add("any", B(2, 3))
    c.add("cumsum", R(2, 5), 1)
    c.add("cumsum", B(2, 5), 1)
    c.add("cumprod", P(2, 5), 1)
    c.add("logcumsumexp", R(2, 5), 1)
    c.add("cummax", R(2, 5), 1)
    c.add("sort", R(2, 5), -1, True)
    c.add("topk", R(2, 5), 2)
    c.add("topk", R(4, 3), 2, 0, False)
    c.add("argsort", R(2, 5))
    c.add("kthvalue", R(2, 5), 2)
    c.add("median.dim", R(2, 5), 1)
    c.add("histc", torch.tensor([0.0, 1, 1, 3, 5, -1, 4]), 3, 0, 4)


def add_products(c):
    c.add("linear", R(2, 3, 4), R(5, 4), R(5))
    c.add("matmul", R(2, 3, 4), R(4, 5))
    c.add("addmm", R(5), R(3, 4), R(4, 5), beta=0.5, alpha=2)
    c.add("baddbmm", R(2, 3, 5), R(2, 3, 4), R(2, 4, 5))
    c.add("bmm", R(2, 3, 4), R(2, 4, 2))
    c.add("mv", R(3, 4), R(4))
    c.add("dot", R(4), R(4))
    c.add("outer", R(3), R(4))
    c.add("einsum", "bij,bjk->bik", [R(2, 3, 4), R(2, 4, 2)])
    c.add("bilinear", R(2, 3), R(2, 4), R(5, 3, 4), R(5))
    c.add("cosine_similarity", R(2, 5), R(2, 5))


def add_norms(c):
    c.add("layer_norm", R(2, 3, 4), [4], R(4), R(4))
    c.add("layer_norm", R(2, 3, 4), [3, 4])
    c.add("rms_norm", R(2, 3, 4), [4], R(4))
    c.add("group_norm", R(2, 6, 3), 3, R(6), R(6))
    c.add("instance_norm", R(2, 3, 5), R(3), R(3), None, None, True, 0.1, 1e-5, False)
    c.add("_native_batch_norm_legit_functional", R(4, 3, 5), R(3), R(3), torch.zeros(3), torch.ones(3), True, 0.1, 1e-5, fixed=[3, 4])
    c.add("batch_norm", R(4, 3), R(3), R(3), torch.zeros(3), torch.ones(3), False, 0.1, 1e-5, False, fixed=[3, 4])


def add_attention(c):
    q, k, v = R(2, 4, 3, 8), R(2, 4, 5, 8), R(2, 4, 5, 8)
    c.add("scaled_dot_product_attention", q, k, v)
    c.add("scaled_dot_product_attention", R(2, 2, 5, 8), R(2, 2, 5, 8), R(2, 2, 5, 8), None, 0.0, True)
    c.add("scaled_dot_product_attention", q.clone().detach(), k.clone().detach(), v.clone().detach(), R(3, 5), scale=0.5)
    mask = torch.ones(3, 5, dtype=torch.bool).tril()
    mask[1] = False  # A row that sees nothing.
    c.add("scaled_dot_product_attention", R(2, 4, 3, 8), R(2, 4, 5, 8), R(2, 4, 5, 8), mask)
    c.add("scaled_dot_product_attention", R(2, 4, 3, 8), R(2, 2, 3, 8), R(2, 2, 3, 8), None, 0.0, True, enable_gqa=True)


def add_losses(c):
    target = torch.tensor([1, -100, 3, 0])
    c.add("cross_entropy_loss", R(4, 5), target)
    c.add("cross_entropy_loss", R(4, 5), target, P(5), 1, -100, 0.1, fixed=[2])
    c.add("cross_entropy_loss", R(4, 5), target, None, 0)
    c.add("cross_entropy_loss", R(2, 5, 3), I(5, 2, 3), None, 2)
    c.add("cross_entropy_loss", R(4, 5), torch.softmax(R(4, 5), 1), None, 1, -100, 0.1)
    c.add("nll_loss_nd", torch.log_softmax(R(4, 5), 1), target)
    for name in ("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss"):
        c.add(name, R(2, 3), R(2, 3))
    c.add("smooth_l1_loss", R(2, 3), R(2, 3), 2, 0.5)
    c.add("binary_cross_entropy", torch.sigmoid(R(4)).detach(), torch.rand(4))
    c.add("binary_cross_entropy_with_logits", R(4, 3), torch.rand(4, 3), None, P(3), fixed=[1, 3])
    c.add("kl_div", R(4), torch.rand(4), 2, fixed=[1])
    c.add("soft_margin_loss", R(4), torch.sign(R(4)), fixed=[1])


def add_convolutions(c):
    c.add("conv1d", R(2, 4, 7), R(6, 2, 3), R(6), [2], [1], [1], 2)
    c.add("conv2d", R(1, 3, 5, 6), R(2, 3, 3, 3), None, [1, 2], [1, 0], [1, 1])
    c.add("conv2d.padding", R(1, 2, 5, 5), R(2, 2, 2, 2), R(2), [1, 1], "same")
    c.add("conv_transpose1d", R(1, 4, 5), R(4, 3, 3), R(6), [2], [1], [1], 2)
    c.add("conv_transpose2d.input", R(1, 2, 3, 4), R(2, 3, 3, 3), None, [2, 2], [1, 1], [1, 0])
    c.add("max_pool2d", R(1, 2, 5, 6), [2, 2])
    c.add("max_pool2d", R(1, 2, 5, 6), [3, 3], [2, 2], [1, 1], [1, 1], True)
    c.add("max_pool2d_with_indices", R(1, 2, 5, 6), [3, 2], [2, 1], [1, 1])
    c.add("avg_pool2d", R(1, 2, 5, 6), [3, 3], [2, 2], [1, 1])
    c.add("avg_pool2d", R(1, 2, 5, 6), [3, 3], [2, 2], [1, 1], True, False)
    c.add("avg_pool2d", R(1, 1, 5, 6), [2, 2], [2, 2], [0, 0], True, True)
    c.add("avg_pool1d", R(1, 2, 7), [3], [2])
    c.add("adaptive_avg_pool2d", R(1, 2, 5, 6), [2, 4])
    c.add("upsample_nearest2d.vec", R(1, 2, 3, 3), None, [2.0, 2.0])
    c.add("upsample_bilinear2d.vec", R(1, 2, 3, 4), [5, 7], False, None)
    c.add("upsample_bilinear2d.vec", R(1, 2, 3, 4), [5, 7], True, None)


def add_creation(c):
    c.add("arange.start_step", 1, 8, 2)
    c.add("arange", 4, dtype=torch.float32)
    c.add("full", [2, 3], 1.5)
    c.add("full", [2], 3)
    c.add("zeros_like", R(2, 3))
    c.add("new_ones", R(2), [3], dtype=torch.int64)
    c.add("scalar_tensor", 2.5)
    c.add("linspace", 0, 1, 5)
    c.add("eye", 3)
    c.add("tril_indices", 3, 3)


def add_edges(c):
    """Zeros, equal values, what is no number, and rows that see nothing; behind the others, whose numbers stay so."""
    infinity = float("inf")
    c.add("abs", torch.tensor([0.0, 1.0, -2.0]))
    c.add("l1_loss", torch.tensor([1.0, 2.0]), torch.tensor([1.0, 3.0]))
    c.add("hardtanh", torch.tensor([float("nan"), -1.0, 0.5]))
    c.add("_safe_softmax", torch.tensor([[-infinity, -infinity], [1.0, 2.0]]), -1)
    c.add("scaled_dot_product_attention", R(2, 3), R(2, 3), R(2, 3), torch.tensor([[0.0, -infinity], [-infinity, -infinity]]), fixed=[3])
    c.add("binary_cross_entropy", torch.tensor([0.0, 1.0, 0.25]), torch.tensor([0.0, 1.0, 1.0]), fixed=[1])
    c.add("topk", torch.tensor([3, 0, 255], dtype=torch.uint8), 2, -1, False)
    c.add("topk", torch.tensor([5, -(2**31), 2], dtype=torch.int32), 2, -1, False)
    c.add("inner", R(2, 3), R(4, 3))
    c.add("cross", R(3, 2), R(3, 2))
    c.add("numpy_T", R(2, 3, 4))


def add_all(cases):
    for add in (add_elementwise, add_shapes, add_indexing, add_reductions, add_products, add_norms, add_attention, add_losses, add_convolutions, add_creation, add_edges):
        add(cases)
