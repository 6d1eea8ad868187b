"""The rivals of every case, on the GPU of this machine: PyTorch eager (its products are cuBLASLt's), `torch.compile`, JAX/XLA and
Triton. Each rival is a function without arguments that does the work once; a library that is missing gives none."""

import math

from cases import Argument, gpt_sizes


def _torch_tensors(arguments):
    import torch

    if not isinstance(arguments, Argument):
        return [_torch_tensors(a) for a in arguments]
    return torch.randn(arguments.shape, device="cuda").to(getattr(torch, arguments.dtype))


def _torch_functions():
    import torch
    import torch.nn.functional as F

    def mlp(x, w1, b1, w2, b2):
        return F.gelu(x @ w1 + b1, approximate="tanh") @ w2 + b2

    def adamw(parameters, gradients, m, v):
        torch._foreach_lerp_(m, gradients, 0.1)
        torch._foreach_mul_(v, 0.99)
        torch._foreach_addcmul_(v, gradients, gradients, 0.01)
        root = torch._foreach_add(torch._foreach_sqrt(v), 1e-6)
        torch._foreach_mul_(parameters, 1 - 1e-5)
        torch._foreach_addcdiv_(parameters, m, root, -1e-3)

    def attention(q, k, v):
        q, k, v = (t.transpose(1, 2) for t in (q, k, v))
        return F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2)

    return {
        "matmul": torch.matmul,
        "mlp": mlp,
        "softmax": lambda x: torch.softmax(x, -1),
        "layer_norm": lambda x, scale, bias: F.layer_norm(x.float(), scale.shape, scale, bias).to(x.dtype),
        "adamw": adamw,
        "attention": attention,
    }


def _torch_rivals(case):
    import torch

    torch.backends.cuda.matmul.allow_tf32 = False
    functions = _torch_functions()
    tensors = _torch_tensors(case.arguments)
    if case.function.__name__ == "attention_gradient":
        inputs = [t.requires_grad_() for t in tensors[:3]]
        return {"torch": lambda: torch.autograd.grad(functions["attention"](*inputs), inputs, tensors[3])}
    function = functions[case.function.__name__]
    if case.function.__name__ == "adamw":
        fused = torch.optim.AdamW([torch.nn.Parameter(p) for p in tensors[0]], fused=True)
        for parameter, gradient in zip(fused.param_groups[0]["params"], tensors[1]):
            parameter.grad = gradient
        compiled = torch.compile(function)
        return {"torch": fused.step, "torch.compile": lambda: compiled(*tensors)}
    compiled = torch.compile(function)
    rivals = {"torch": lambda: function(*tensors), "torch.compile": lambda: compiled(*tensors)}
    if case.name.startswith("matmul"):
        # PyTorch's own products go through cuBLASLt with this preference.
        torch.backends.cuda.preferred_blas_library("cublaslt")
        rivals = {"cuBLASLt": rivals["torch"], "torch.compile": rivals["torch.compile"]}
    return rivals


def _jax_arrays(arguments):
    import jax

    if not isinstance(arguments, Argument):
        return tuple(_jax_arrays(a) for a in arguments)
    key = jax.random.PRNGKey(math.prod(arguments.shape) % 1000)
    return jax.random.normal(key, arguments.shape, "float32").astype(arguments.dtype)


def _jax_on_gpu():
    """JAX; where it would compute on the CPU, that is an error."""
    import jax

    if jax.default_backend() != "gpu":
        raise RuntimeError(f"JAX has no GPU here, its devices are {jax.default_backend()}")
    return jax


def _jax_rivals(case):
    jax = _jax_on_gpu()
    arrays = _jax_arrays(case.arguments)
    function = jax.jit(case.function)
    return {"JAX": lambda: function(*arrays)}


def _triton_rivals(case):
    import triton_kernels

    kernel = {"matmul": triton_kernels.matmul, "softmax": triton_kernels.softmax}.get(case.function.__name__)
    kernel = triton_kernels.layer_norm if case.function.__name__ == "layer_norm" else kernel
    if kernel is None:
        return {}
    tensors = _torch_tensors(case.arguments)
    return {"Triton": lambda: kernel(*tensors)}


def _jax_step(case):
    jax = _jax_on_gpu()
    sizes = gpt_sizes(case.options["compute"])
    import model

    jax.config.update("jax_default_matmul_precision", "highest" if sizes.compute == "float32" else "default")
    state = list(jax.jit(lambda: model.initialize(sizes))())
    batch = jax.numpy.zeros((sizes.batch, sizes.sequence + 1), "uint8")
    step = jax.jit(model.step_of(sizes), donate_argnums=(0, 1))

    def run():
        p, opt, loss = step(*state, batch)
        state[:] = p, opt
        loss.block_until_ready()

    return {"JAX": run}


def rivals(case):
    """Name -> function, and name -> why not. `torch` and `JAX` functions only start the work; steps wait for it."""
    found, missing = {}, {}
    makers = {"torch": _torch_rivals, "JAX": _jax_rivals, "Triton": _triton_rivals}
    if case.bound == "step":
        makers = {"JAX": _jax_step}
    for name, make in makers.items():
        try:
            found.update(make(case))
        except Exception as error:  # A rival that cannot run must not end the others.
            missing[name] = f"{type(error).__name__}: {str(error)[:200]}"
    return found, missing
