"""Published seconds of training steps, by the degrees of tensor, data and pipeline parallelism and the microbatch.

Measured by the authors of vTrain (Bang et al., MICRO 2024) with Megatron-DeepSpeed: 1F1B, full recomputation, half precision,
t fastest in the order of ranks, then d, then p. A value of 3.70 at (1, 64, 1, 2) is seconds with microbatches of two sequences.
"""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Model:
    """`machine` is what `--cluster` names; `batch` in sequences; `rows` are (t, d, p, microbatch[, batch]) -> seconds."""

    name: str
    machine: str
    layers: int
    width: int
    heads: int
    sequence: int
    batch: int
    rows: dict


def table(text):
    """`t-d-p b:s b:s; ...` as a dictionary."""
    rows = {}
    for line in text.split(";"):
        plan, *times = line.split()
        for entry in times:
            size, seconds = entry.split(":")
            rows[(*map(int, plan.split("-")), int(size))] = float(seconds)
    return rows


def with_batch(batch, text):
    return {(*key, batch): seconds / 1000 for key, seconds in table(text).items()}


NODE = Model(
    "1.3B, one node", "a100x8", 24, 2048, 16, 1024, 32,
    with_batch(32, "1-8-1 1:392 2:304; 1-4-2 1:455 2:381 4:410; 1-2-4 1:552 2:478 4:530 8:657; 2-4-1 1:705 2:486 4:335;"
               "2-2-2 1:764 2:554 4:420 8:425; 4-2-1 1:1212 2:576 4:518 8:389")
    | with_batch(64, "1-8-1 1:746 2:570 4:531; 1-4-2 1:850 2:684 4:691 8:753; 2-4-1 1:1390 2:953 4:652 8:555"),
)  # fmt: skip
SMALL = Model(
    "3.6B, 64 GPUs", "a100-800g.yaml", 30, 3072, 32, 2048, 512,
    table("1-64-1 2:3.70 4:3.64 8:3.57; 1-32-2 2:4.03 4:4.38 8:5.05; 2-32-1 2:4.26 4:4.08 8:3.98 16:3.94;"
          "4-16-1 2:6.23 4:4.76 8:4.63 16:4.49 32:4.55; 8-8-1 2:8.88 4:5.62 8:5.18 16:5.02 32:4.97 64:9.84;"
          "16-4-1 2:13.47 4:11.96 8:10.89 16:10.72 32:10.58"),
)  # fmt: skip
LARGE = Model(
    "39.1B, 512 GPUs", "a100-800g.yaml", 48, 8192, 64, 2048, 1536,
    table("1-32-16 3:19.99; 2-32-8 2:21.89 3:19.07 6:23.06; 2-16-16 2:23.75 3:26.19 6:27.23;"
          "4-32-4 2:13.88 3:16.19 4:15.63 6:18.53; 4-16-8 2:16.07 3:17.61 4:17.41 6:16.09 12:20.61;"
          "4-8-16 2:14.53 3:15.02 4:15.59 6:20.04 12:27.81; 8-32-2 2:14.61 3:14.85 4:14.76 6:14.92 8:15.21 12:17.13;"
          "8-16-4 2:14.71 3:14.83 4:14.75 6:15.25 8:15.81 12:17.18;"
          "8-8-8 2:15.00 3:15.27 4:14.97 6:15.78 8:16.41 12:18.00 24:23.17;"
          "8-4-16 2:15.64 3:16.36 4:15.94 6:16.23 8:16.88 12:18.57 24:24.17"),
)  # fmt: skip
MODELS = {"node": NODE, "small": SMALL, "large": LARGE}
