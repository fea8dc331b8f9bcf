"""A language model with one layer of long short-term memory; the norm of its gradient is clipped by hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from . import trained


def start(torch: Any) -> Callable[[], float]:
    F = torch.nn.functional
    rng = np.random.default_rng(0)
    tokens = torch.tensor(rng.integers(0, 40, (16, 21)))
    size = 32
    shapes = [(40, 16), (4 * size, 16), (4 * size, size), (4 * size,), (40, size), (40,)]
    params = [trained(torch, rng, *s) for s in shapes]
    table, w_x, w_h, b_h, w, b = params

    def cell(x: Any, h: Any, c: Any) -> tuple[Any, Any]:
        gates = x @ w_x.t() + h @ w_h.t() + b_h
        i, f, g, o = gates.chunk(4, 1)
        c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
        return torch.sigmoid(o) * torch.tanh(c), c

    def loss_of() -> Any:
        xs = F.embedding(tokens[:, :-1], table)
        h = c = torch.zeros(16, size, dtype=torch.double)
        states = []
        for t in range(xs.shape[1]):
            h, c = cell(xs[:, t], h, c)
            states.append(h)
        logits = F.linear(torch.stack(states, 1), w, b)
        return F.cross_entropy(logits.reshape(-1, 40), tokens[:, 1:].reshape(-1))

    def step() -> float:
        loss = loss_of()
        gradients = torch.autograd.grad(loss, params)
        norm = torch.sqrt(sum((g * g).sum() for g in gradients))
        scale = 1.0 / max(1.0, float(norm.item()))
        with torch.no_grad():
            for p, g in zip(params, gradients, strict=True):
                p -= scale * g
        return float(loss.item())

    return step
