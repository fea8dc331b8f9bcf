"""Coupling layers carry two moons to a normal distribution."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from . import trained


def start(torch: Any) -> Callable[[], float]:
    rng = np.random.default_rng(0)
    turn, side = rng.uniform(0, np.pi, 256), rng.integers(0, 2, 256) * 2 - 1
    moons = np.stack([side * (np.cos(turn) - 0.5), side * (np.sin(turn) - 0.25)], 1)
    x = torch.tensor(moons + 0.05 * rng.standard_normal((256, 2)))
    layers = [
        [trained(torch, rng, *s) for s in [(1, 32), (32,), (32, 32), (32,), (32, 2), (2,)]]
        for _ in range(4)
    ]
    optimizer = torch.optim.Adam([p for layer in layers for p in layer], lr=1e-3)

    def coupled(layer: Any, still: Any, moving: Any) -> tuple[Any, Any]:
        w1, b1, w2, b2, w3, b3 = layer
        h = torch.tanh(still @ w1 + b1)
        h = torch.tanh(h @ w2 + b2)
        scale, shift = (h @ w3 + b3).chunk(2, dim=1)
        scale = torch.tanh(scale)
        return moving * torch.exp(scale) + shift, scale.sum(1)

    def step() -> float:
        optimizer.zero_grad()
        a, b = x[:, :1], x[:, 1:]
        log_det = torch.zeros(256, dtype=torch.double)
        for layer in layers:
            b, change = coupled(layer, a, b)
            log_det = log_det + change
            a, b = b, a
        z = torch.cat([a, b], 1)
        log_p = -0.5 * (z**2).sum(1) - math.log(2 * math.pi)
        loss = -(log_p + log_det).mean()
        loss.backward()
        optimizer.step()
        return float(loss.item())

    return step
