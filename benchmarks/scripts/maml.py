"""Weights from which one step of descent fits any sine: a gradient through a gradient."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from . import trained


def start(torch: Any) -> Callable[[], float]:
    F = torch.nn.functional
    rng = np.random.default_rng(0)
    params = [trained(torch, rng, *s) for s in [(40, 1), (40,), (40, 40), (40,), (1, 40), (1,)]]
    optimizer = torch.optim.Adam(params, lr=1e-3)
    tasks = []
    for _ in range(4):
        height, phase = rng.uniform(0.1, 5), rng.uniform(0, np.pi)
        xs = rng.uniform(-5, 5, (2, 10, 1))
        tasks.append((torch.tensor(xs), torch.tensor(height * np.sin(xs + phase))))

    def network(params: Any, x: Any) -> Any:
        w1, b1, w2, b2, w3, b3 = params
        h = torch.relu(F.linear(x, w1, b1))
        return F.linear(torch.relu(F.linear(h, w2, b2)), w3, b3)

    def step() -> float:
        optimizer.zero_grad()
        losses = []
        for (x, x_new), (y, y_new) in tasks:
            inner = F.mse_loss(network(params, x), y)
            slopes = torch.autograd.grad(inner, params, create_graph=True)
            moved = [p - 0.01 * g for p, g in zip(params, slopes, strict=True)]
            losses.append(F.mse_loss(network(moved, x_new), y_new))
        loss = torch.stack(losses).mean()
        loss.backward()
        optimizer.step()
        return float(loss.item())

    return step
