"""Models as people write them in PyTorch, for the tests of tessera.torch and their fixtures."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class MLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.up, self.down = nn.Linear(12, 32), nn.Linear(32, 4)

    def forward(self, x):
        return self.down(F.gelu(self.up(x)))


class Block(nn.Module):
    def __init__(self, width, heads, dropout):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width, bias=False), nn.Linear(width, width)
        self.drop = nn.Dropout(dropout)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x):
        b, t, d = x.shape
        q, k, v = (part.view(b, t, self.heads, d // self.heads).transpose(1, 2) for part in self.qkv(self.norm1(x)).chunk(3, -1))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.drop(self.out(y.transpose(1, 2).reshape(b, t, d)))
        return x + self.drop(self.mlp(self.norm2(x)))


class GPT(nn.Module):
    """With an embedding that is the last product's weight, too."""

    def __init__(self, vocabulary=24, width=16, heads=2, layers=2, length=8, dropout=0.0):
        super().__init__()
        self.wte, self.wpe = nn.Embedding(vocabulary, width), nn.Embedding(length, width)
        self.layers = nn.ModuleList([Block(width, heads, dropout) for _ in range(layers)])
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, vocabulary, bias=False)
        self.head.weight = self.wte.weight
        for name, parameter in self.named_parameters():
            if parameter.ndim > 1:
                nn.init.normal_(parameter, std=0.1)

    def forward(self, tokens):
        x = self.wte(tokens) + self.wpe(torch.arange(tokens.shape[1], device=tokens.device))
        for layer in self.layers:
            x = layer(x)
        return self.head(self.norm(x))


def rotate(x, cos, sin):
    first, second = x.chunk(2, -1)
    return torch.cat([first * cos - second * sin, second * cos + first * sin], -1)


class LlamaBlock(nn.Module):
    def __init__(self, width, heads, key_heads):
        super().__init__()
        size = width // heads
        self.counts = heads, key_heads, key_heads
        self.norm1, self.norm2 = nn.RMSNorm(width), nn.RMSNorm(width, eps=1e-5)
        self.q, self.k, self.v = (nn.Linear(width, count * size, bias=False) for count in self.counts)
        self.o = nn.Linear(width, width, bias=False)
        self.gate, self.up, self.down = nn.Linear(width, 2 * width, bias=False), nn.Linear(width, 2 * width, bias=False), nn.Linear(2 * width, width, bias=False)

    def forward(self, x, cos, sin):
        b, t, d = x.shape
        y = self.norm1(x)
        q, k, v = (project(y).view(b, t, count, -1).transpose(1, 2) for project, count in zip((self.q, self.k, self.v), self.counts))
        y = F.scaled_dot_product_attention(rotate(q, cos, sin), rotate(k, cos, sin), v, is_causal=True, enable_gqa=True)
        x = x + self.o(y.transpose(1, 2).reshape(b, t, d))
        y = self.norm2(x)
        return x + self.down(F.silu(self.gate(y)) * self.up(y))


class Llama(nn.Module):
    """RMS norms, rotated queries and keys, grouped heads; the angles are buffers."""

    def __init__(self, vocabulary=24, width=16, heads=4, key_heads=2, layers=2, length=8):
        super().__init__()
        self.embed = nn.Embedding(vocabulary, width)
        self.layers = nn.ModuleList([LlamaBlock(width, heads, key_heads) for _ in range(layers)])
        self.norm, self.head = nn.RMSNorm(width), nn.Linear(width, vocabulary, bias=False)
        size = width // heads
        angles = torch.outer(torch.arange(float(length)), 10000 ** -(torch.arange(0, size, 2) / size))
        self.register_buffer("cos", angles.cos(), persistent=False)
        self.register_buffer("sin", angles.sin(), persistent=False)

    def forward(self, tokens):
        x = self.embed(tokens)
        for layer in self.layers:
            x = layer(x, self.cos[: tokens.shape[1]], self.sin[: tokens.shape[1]])
        return self.head(self.norm(x))


class ConvNet(nn.Module):
    """Batch norms, whose buffers every step changes."""

    def __init__(self):
        super().__init__()
        self.conv1, self.norm1 = nn.Conv2d(3, 8, 3, padding=1, bias=False), nn.BatchNorm2d(8)
        self.conv2, self.norm2 = nn.Conv2d(8, 16, 3, stride=2, padding=1, bias=False), nn.BatchNorm2d(16)
        self.head = nn.Linear(16, 10)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.norm1(self.conv1(x))), 2)
        x = F.relu(self.norm2(self.conv2(x)))
        return self.head(F.adaptive_avg_pool2d(x, 1).flatten(1))


class ViT(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.patches = nn.Conv2d(3, width, 4, stride=4)
        self.token, self.places = nn.Parameter(torch.zeros(1, 1, width)), nn.Parameter(torch.randn(1, 5, width) * 0.02)
        layer = nn.TransformerEncoderLayer(width, 2, 2 * width, dropout=0.0, activation="gelu", batch_first=True, norm_first=True)
        self.encoder = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.head = nn.Linear(width, 10)

    def forward(self, x):
        x = self.patches(x).flatten(2).transpose(1, 2)
        x = torch.cat([self.token.expand(x.shape[0], -1, -1), x], 1) + self.places
        return self.head(self.encoder(x)[:, 0])


def token_loss(model, tokens, targets):
    return F.cross_entropy(model(tokens).flatten(0, 1), targets.flatten())


def class_loss(model, images, labels):
    return F.cross_entropy(model(images), labels)


def token_batches(count=3):
    tokens = torch.randint(0, 24, (count, 4, 9))
    return {"tokens": tokens[:, :, :-1].contiguous(), "targets": tokens[:, :, 1:].contiguous()}


def image_batches(count=3):
    return {"images": torch.randn(count, 4, 3, 8, 8), "labels": torch.randint(0, 10, (count, 4))}


MESH = {"data": 2, "model": 2}
GPT_PLAN = {
    "qkv.weight": ("model", None), "out.weight": (None, "model"), "mlp.0.weight": ("model", None), "mlp.0.bias": ("model",), "mlp.2.weight": (None, "model"),
    "wte.weight": ("model", None), "tokens": ("data",), "targets": ("data",),
}  # fmt: skip
LLAMA_PLAN = {
    "*.{}.weight".format(name): ("model", None) for name in ("q", "k", "v", "gate", "up")
} | {"o.weight": (None, "model"), "down.weight": (None, "model"), "tokens": ("data",), "targets": ("data",)}  # fmt: skip
IMAGE_PLAN = {"images": ("data",), "labels": ("data",), "conv*.weight": ("model",)}

# What each step of the fixtures is made of.
FIXTURES = {
    "gpt": lambda: {
        "model": GPT(layers=1), "batches": token_batches(), "loss": token_loss, "plan": GPT_PLAN, "mesh": MESH,
        "optimizer": lambda model: torch.optim.AdamW(model.parameters(), lr=0.01, weight_decay=0.1),
    },
    "llama": lambda: {
        "model": Llama(layers=1), "batches": token_batches(), "loss": token_loss, "plan": LLAMA_PLAN, "mesh": MESH,
        "optimizer": lambda model: torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=0.01, amsgrad=True),
    },
    "conv": lambda: {
        "model": ConvNet(), "batches": image_batches(), "loss": class_loss, "plan": IMAGE_PLAN, "mesh": MESH,
        "optimizer": lambda model: torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9, nesterov=True),
    },
}  # fmt: skip
