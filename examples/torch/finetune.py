"""Fine-tunes a Llama of transformers under its own tensor-parallel plan, on 2 x 2 ranks, and compares every loss with eager PyTorch's.

    pip install './python[torch]' transformers && python examples/torch/finetune.py [--steps=N]

The model is LlamaForCausalLM of a small random configuration, so that nothing is downloaded; `from_pretrained` in its place takes a checkpoint.
`model._tp_plan` is what its authors say of tensor parallelism; the rows of a batch are split over the other axis. The learning rate follows a
scheduler of PyTorch's. Afterwards the module has what was trained: `sync()`. losses.txt is what eager PyTorch gives.
"""

import argparse
import copy
import pathlib
import sys

import numpy as np
import torch
from safetensors.torch import load_file
from transformers import LlamaConfig, LlamaForCausalLM

FOLDER = pathlib.Path(__file__).resolve().parent
LENGTH, ROWS, TOLERANCE = 24, 4, 1e-4


def make():
    torch.manual_seed(0)
    sizes = {"hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2}
    return LlamaForCausalLM(LlamaConfig(vocab_size=128, max_position_embeddings=64, **sizes)).train()


def batches(steps):
    """Text of the project's documentation, in bytes."""
    text = load_file(FOLDER.parent / "gpt" / "batches.safetensors")["batch"]
    return text[:steps, :ROWS, :LENGTH].long() % 128


def trainer(model):
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
    return optimizer, torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.1, 20)


def train_eager(model, steps):
    (optimizer, scheduler), losses = trainer(model), []
    for tokens in batches(steps):
        loss = model(input_ids=tokens, labels=tokens).loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step()
        losses.append(loss.item())
    return np.array(losses)


def train(model, steps):
    import tessera.plans
    import tessera.torch

    optimizer, scheduler = trainer(model)
    plan = tessera.plans.from_transformers(model._tp_plan, mesh={"data": 2, "model": 2})
    plan["rules"] = [*plan["rules"], {"match": "{input_ids,labels}", "spec": ["data"]}]
    example = {"input_ids": batches(1)[0], "labels": batches(1)[0]}
    step, losses = tessera.torch.compile(model, example, optimizer=optimizer, plan=plan), []
    for tokens in batches(steps):
        losses.append(step(input_ids=tokens, labels=tokens).item())
        scheduler.step()
    step.sync()
    return np.array(losses)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=12)
    parser.add_argument("--write", action="store_true", help="write losses.txt")
    options = parser.parse_args()
    model = make()
    eager = copy.deepcopy(model)
    expected = train_eager(eager, options.steps)
    if options.write:
        (FOLDER / "losses.txt").write_text("".join(f"{loss:.6f}\n" for loss in expected))
        return 0
    losses = train(model, options.steps)
    for row in zip(losses, expected):
        print("{:.6f} {:.6f}".format(*row))
    kept = np.loadtxt(FOLDER / "losses.txt")[: options.steps]
    error = max(np.abs(losses - expected).max(), np.abs(losses - kept).max())
    moved = max((a - b).abs().max().item() for a, b in zip(model.parameters(), eager.parameters()))
    print(f"{options.steps} steps on 2x2 ranks: largest difference of a loss {error:.1e}, of a parameter {moved:.1e}")
    return 0 if error <= TOLERANCE and moved <= 1e-2 else 1


if __name__ == "__main__":
    sys.exit(main())
