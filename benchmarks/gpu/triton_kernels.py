"""Matrix product, softmax and layer norm in Triton, as its tutorials would write them: the rivals of ours."""

import torch
import triton
import triton.language as tl


def _configurations():
    sizes = [(128, 256, 64, 3, 8), (256, 128, 64, 3, 8), (128, 128, 64, 4, 4), (128, 64, 64, 4, 4), (64, 64, 64, 5, 4)]
    return [
        triton.Config({"BM": m, "BN": n, "BK": k, "GROUP": 8}, num_stages=stages, num_warps=warps)
        for m, n, k, stages, warps in sizes
    ]


@triton.autotune(configs=_configurations(), key=["M", "N", "K"])
@triton.jit
def _matmul(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr):
    block = tl.program_id(0)
    rows, columns = tl.cdiv(M, BM), tl.cdiv(N, BN)
    group = block // (GROUP * columns)
    first = group * GROUP
    height = min(rows - first, GROUP)
    row = first + (block % (GROUP * columns)) % height
    column = (block % (GROUP * columns)) // height
    m = row * BM + tl.arange(0, BM)
    n = column * BN + tl.arange(0, BN)
    k = tl.arange(0, BK)
    total = tl.zeros((BM, BN), tl.float32)
    for start in range(0, K, BK):
        left = tl.load(a + m[:, None] * K + (start + k)[None, :], (m[:, None] < M) & ((start + k)[None, :] < K), 0.0)
        right = tl.load(b + (start + k)[:, None] * N + n[None, :], ((start + k)[:, None] < K) & (n[None, :] < N), 0.0)
        total = tl.dot(left, right, total)
    tl.store(c + m[:, None] * N + n[None, :], total.to(c.dtype.element_ty), (m[:, None] < M) & (n[None, :] < N))


def matmul(a, b):
    (M, K), N = a.shape, b.shape[1]
    c = torch.empty((M, N), device=a.device, dtype=a.dtype)
    _matmul[lambda meta: (triton.cdiv(M, meta["BM"]) * triton.cdiv(N, meta["BN"]),)](a, b, c, M, N, K)
    return c


@triton.jit
def _softmax(x, y, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    i = tl.arange(0, BLOCK)
    value = tl.load(x + row * columns + i, i < columns, -float("inf")).to(tl.float32)
    value = tl.exp(value - tl.max(value, 0))
    tl.store(y + row * columns + i, (value / tl.sum(value, 0)).to(y.dtype.element_ty), i < columns)


def softmax(x):
    y = torch.empty_like(x)
    _softmax[(x.shape[0],)](x, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]), num_warps=8)
    return y


@triton.jit
def _layer_norm(x, scale, bias, y, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    i = tl.arange(0, BLOCK)
    value = tl.load(x + row * columns + i, i < columns, 0.0).to(tl.float32)
    centred = tl.where(i < columns, value - tl.sum(value, 0) / columns, 0.0)
    rstd = tl.rsqrt(tl.sum(centred * centred, 0) / columns + 1e-5)
    result = centred * rstd * tl.load(scale + i, i < columns, 0.0) + tl.load(bias + i, i < columns, 0.0)
    tl.store(y + row * columns + i, result.to(y.dtype.element_ty), i < columns)


def layer_norm(x, scale, bias):
    y = torch.empty_like(x)
    _layer_norm[(x.shape[0],)](x, scale, bias, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]), num_warps=8)
    return y
