"""Trains models of transformers under their own tensor-parallel plans and compares values and collectives with what those plans intend; see README.md."""

import argparse
import copy
import json
import pathlib
import re
import subprocess
import sys
import warnings

FOLDER = pathlib.Path(__file__).resolve().parent
SMALL = {
    "vocab_size": 256, "hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2,
    "head_dim": 16, "max_position_embeddings": 64, "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2, "tie_word_embeddings": False,
    "attention_dropout": 0.0, "attn_implementation": "eager",
}
ROUTED = {"num_experts": 4, "num_local_experts": 4, "num_experts_per_tok": 2, "moe_intermediate_size": 64}
# Names of transformers' configurations, and what theirs want besides.
MODELS = {
    "Llama": {}, "Mistral": {}, "Qwen2": {}, "Qwen3": {}, "Gemma": {}, "Gemma2": {"query_pre_attn_scalar": 16, "sliding_window": 8},
    "Gemma3Text": {"query_pre_attn_scalar": 16, "sliding_window": 8}, "Phi": {"num_key_value_heads": 4}, "Phi3": {}, "GPTNeoX": {}, "Cohere": {}, "Olmo2": {},
    "Glm": {}, "Granite": {}, "Starcoder2": {}, "StableLm": {}, "Helium": {}, "SmolLM3": {}, "Qwen3Moe": ROUTED, "Mixtral": ROUTED,
}
TOLERANCE = 1e-4
SUMMED = {"rowwise", "rowwise_rep", "rowwise_split_input", "embedding_rowwise", "packed_rowwise"}
GATHERED = {"colwise_rep", "colwise_gather_output"}


def make(name):
    """(model with random weights, its plan) of transformers."""
    import torch
    import transformers

    torch.manual_seed(0)
    config = getattr(transformers, f"{name}Config")(**{**SMALL, **MODELS[name]})
    model = transformers.AutoModelForCausalLM.from_config(config)
    return model.train(), dict(model._tp_plan)


def intended(model, plan):
    """How many sums and gathers the plan's authors ask of a forward pass, from the styles of the modules that are there."""
    import torch

    modules = [name for name, module in model.named_modules() if any(isinstance(module, kind) for kind in (torch.nn.Linear, torch.nn.Embedding))]
    styles = []
    for name in modules:
        matching = [style for pattern, style in plan.items() if re.fullmatch(pattern.replace(".", r"\.").replace("*", r"\d+"), name)]
        styles += matching[:1]
    return sum(style in SUMMED for style in styles), sum(style in GATHERED for style in styles)


def found(text):
    """How many collectives of each kind a partitioned program has."""
    kinds = re.findall(r"spmd\.(all_reduce|all_gather|reduce_scatter|all_to_all|permute)\b", text)
    return {kind: kinds.count(kind) for kind in sorted(set(kinds))}


def measure(name, steps=3):
    """A line of the table."""
    import torch

    import tessera.plans
    import tessera.torch

    model, tp_plan = make(name)
    eager = copy.deepcopy(model)
    tokens = torch.randint(3, 256, (steps, 4, 16), generator=torch.Generator().manual_seed(1))
    plan = lambda **mesh: tessera.plans.from_transformers(tp_plan, mesh=mesh)
    # The forward pass, over the axis of the plan alone.
    with torch.no_grad():
        expected = eager.eval()(tokens[0], use_cache=False).logits
    forward = tessera.torch.compile(copy.deepcopy(model).eval(), {"input_ids": tokens[0], "use_cache": False}, plan=plan(model=2))
    logits = forward(input_ids=tokens[0], use_cache=False).logits
    line = {"forward": float((logits - expected).abs().max() / expected.abs().max()), "intended": intended(model, tp_plan), "found": found(forward.executable.as_text())}
    # Steps of training, with rows over another axis.
    eager.train()
    optimizers = [torch.optim.AdamW(m.parameters(), lr=1e-3) for m in (eager, model)]
    split = plan(data=2, model=2)
    split["rules"] = [*split["rules"], {"match": "{input_ids,labels}", "spec": ["data"]}]
    step = tessera.torch.compile(model, {"input_ids": tokens[0], "labels": tokens[0], "use_cache": False}, optimizer=optimizers[1], plan=split)
    worst = 0.0
    for batch in tokens:
        loss = eager(input_ids=batch, labels=batch, use_cache=False).loss
        optimizers[0].zero_grad()
        loss.backward()
        optimizers[0].step()
        worst = max(worst, abs(step(input_ids=batch, labels=batch, use_cache=False).item() / loss.item() - 1))
    return {**line, "loss": worst, "step": found(step.executable.as_text())}


def words(kinds):
    return ", ".join(f"{kind.replace('_', '-')} {count}" for kind, count in kinds.items()) or "none"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help=f"of {', '.join(MODELS)}; all by default")
    parser.add_argument("--timeout", type=int, default=300, help="seconds for a model")
    parser.add_argument("--verbose", action="store_true", help="show whole errors")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    options = parser.parse_args()
    sys.path[:0] = [str(FOLDER), str(FOLDER.parents[1] / "python")]
    warnings.simplefilter("ignore")
    if options.one:
        print("> " + json.dumps(measure(options.one)))
        return 0
    print("| model | intended sums, gathers | forward pass on 2 | difference | training step on 2x2 | of 3 losses |\n|---|---|---|---|---|---|")
    is_good = True
    for name in options.names or MODELS:
        try:
            done = subprocess.run([sys.executable, __file__, f"--one={name}"], capture_output=True, text=True, timeout=options.timeout)
            lines = [json.loads(line[2:]) for line in done.stdout.splitlines() if line.startswith("> ")]
            reason = (done.stderr.strip().splitlines() or [f"status {done.returncode}"])[-1][:300]
        except subprocess.TimeoutExpired:
            lines, reason = [], f"over {options.timeout} s"
        if not lines:
            print(f"| {name} | | FAILED: {reason} | | | |", flush=True)
            if options.verbose:
                print(done.stderr, file=sys.stderr)
            is_good = False
        for line in lines:
            wrong = max(line["forward"], line["loss"]) > TOLERANCE
            print(f"| {name} | {line['intended'][0]}, {line['intended'][1]} | {words(line['found'])} | {line['forward']:.1e} | {words(line['step'])} "
                  f"| {line['loss']:.1e}{' WRONG' if wrong else ''} |", flush=True)
            is_good &= not wrong
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
