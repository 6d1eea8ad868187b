"""One measurement of PyTorch, eager, on one device: the model of examples/gpt with its fused attention and AdamW.

Starts from the same parameters, sees the same batches, prints one line of JSON. Used by step.py.
"""

import argparse
import json
import time

import torch
import torch.nn.functional as F
from safetensors.torch import load_file


def layer_norm(x, p, name):
    return F.layer_norm(x, x.shape[-1:], p[name + "_scale"], p[name + "_bias"], eps=1e-5)


def block(x, p):
    batch, sequence, width = x.shape
    y = layer_norm(x, p, "ln1")
    heads, head_width = p["wqkv"].shape[2:]
    qkv = torch.addmm(p["bqkv"].reshape(-1), y.reshape(-1, width), p["wqkv"].reshape(width, -1))
    q, k, v = qkv.view(batch, sequence, 3, heads, head_width).permute(2, 0, 3, 1, 4)
    y = F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(-1, width)
    x = x + torch.addmm(p["bo"], y, p["wo"].reshape(-1, width)).view_as(x)
    y = layer_norm(x, p, "ln2").view(-1, width)
    y = F.gelu(torch.addmm(p["b1"], y, p["w1"]), approximate="tanh")
    return x + torch.addmm(p["b2"], y, p["w2"]).view_as(x)


def loss(p, layers, batch):
    inputs, targets = batch[:, :-1], batch[:, 1:]
    x = F.embedding(inputs, p["wte"]) + p["wpe"]
    for layer in layers:
        x = block(x, layer)
    logits = layer_norm(x, p, "lnf") @ p["head"]
    return F.cross_entropy(logits.reshape(-1, logits.shape[-1]), targets.reshape(-1))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--layers", type=int, required=True)
    parser.add_argument("--steps", type=int, required=True)
    parser.add_argument("--initial", required=True)
    parser.add_argument("--batches", required=True)
    options = parser.parse_args()

    tensors = {name: t.requires_grad_() for name, t in load_file(options.initial).items() if name.startswith("p[")}
    layer = lambda i: {name.split("'")[3]: t for name, t in tensors.items() if f"['layers'][{i}]" in name}
    layers = [layer(i) for i in range(options.layers)]
    p = {name.split("'")[1]: t for name, t in tensors.items() if "['layers']" not in name}
    optimizer = torch.optim.AdamW(tensors.values(), lr=5e-4, betas=(0.9, 0.99), eps=1e-6, weight_decay=0.01)
    batches = load_file(options.batches)["batch"].long()

    times, losses = [], []
    for index in range(options.steps + 1):
        start = time.perf_counter()
        optimizer.zero_grad(set_to_none=True)
        value = loss(p, layers, batches[index % len(batches)])
        value.backward()
        optimizer.step()
        times.append(time.perf_counter() - start)
        losses.append(value.item())
    print(json.dumps({"compile": 0.0, "steps": times[1:], "temporary": None, "losses": losses}))


if __name__ == "__main__":
    main()
