"""A vector field learned from a spiral, through the steps of a Runge-Kutta method."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from . import trained


def start(torch: Any) -> Callable[[], float]:
    rng = np.random.default_rng(0)
    times = np.linspace(0, 2, 11)
    first = rng.standard_normal((32, 2))
    turns = np.stack([np.exp(-0.1 * times) * f(2 * times) for f in (np.cos, np.sin)], 1)
    truth = torch.tensor(turns[:, None, :1] * first + turns[:, None, 1:] * first[:, ::-1] * [-1, 1])
    params = [trained(torch, rng, *s) for s in [(2, 32), (32,), (32, 2), (2,)]]
    w1, b1, w2, b2 = params
    optimizer = torch.optim.Adam(params, lr=1e-2)

    def field(y: Any) -> Any:
        return torch.tanh(y @ w1 + b1) @ w2 + b2

    def advanced(y: Any, h: float) -> Any:
        k1 = field(y)
        k2 = field(y + 0.5 * h * k1)
        k3 = field(y + 0.5 * h * k2)
        k4 = field(y + h * k3)
        return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)

    def step() -> float:
        optimizer.zero_grad()
        y, path = truth[0], [truth[0]]
        for _ in range(10):
            y = advanced(y, 0.2)
            path.append(y)
        loss = (torch.stack(path) - truth).abs().mean()
        loss.backward()
        optimizer.step()
        return float(loss.item())

    return step
