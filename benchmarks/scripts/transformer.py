"""A transformer block reads a text, each place what is before it."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from . import normal, trained


def start(torch: Any) -> Callable[[], float]:
    F = torch.nn.functional
    rng = np.random.default_rng(0)
    tokens = torch.tensor(rng.integers(0, 40, (8, 25)))
    n, size, heads = 24, 32, 4
    table, places = trained(torch, rng, 40, size), trained(torch, rng, n, size)
    w_qkv, w_o = trained(torch, rng, 3 * size, size), trained(torch, rng, size, size)
    w_1, b_1 = trained(torch, rng, 4 * size, size), trained(torch, rng, 4 * size)
    w_2, b_2 = trained(torch, rng, size, 4 * size), trained(torch, rng, size)
    gains = [(1 + 0.1 * normal(torch, rng, size)).requires_grad_() for _ in range(3)]
    shifts = [trained(torch, rng, size) for _ in range(3)]
    params = [table, places, w_qkv, w_o, w_1, b_1, w_2, b_2, *gains, *shifts]
    optimizer = torch.optim.Adam(params, lr=1e-3)
    later = torch.triu(torch.ones(n, n, dtype=torch.bool), 1)

    def normed(x: Any, k: int) -> Any:
        return F.layer_norm(x, (size,), gains[k], shifts[k])

    def attention(x: Any) -> Any:
        q, k, v = (
            part.view(8, n, heads, size // heads).transpose(1, 2)
            for part in F.linear(x, w_qkv).chunk(3, -1)
        )
        scores = q @ k.transpose(-2, -1) / math.sqrt(size // heads)
        weights = torch.softmax(scores.masked_fill(later, -math.inf), -1)
        return F.linear((weights @ v).transpose(1, 2).reshape(8, n, size), w_o)

    def step() -> float:
        optimizer.zero_grad()
        x = F.embedding(tokens[:, :-1], table) + places
        x = x + attention(normed(x, 0))
        x = x + F.linear(F.gelu(F.linear(normed(x, 1), w_1, b_1)), w_2, b_2)
        logits = normed(x, 2) @ table.t()
        loss = F.cross_entropy(logits.reshape(-1, 40), tokens[:, 1:].reshape(-1))
        loss.backward()
        optimizer.step()
        return float(loss.item())

    return step
