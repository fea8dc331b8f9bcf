"""A multi-layer perceptron tells classes apart."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from . import normal, trained


def start(torch: Any) -> Callable[[], float]:
    F = torch.nn.functional
    rng = np.random.default_rng(0)
    x = normal(torch, rng, 64, 32)
    y = torch.tensor(rng.integers(0, 10, 64))
    sizes = [(64, 32), (64,), (64, 64), (64,), (10, 64), (10,)]
    params = [trained(torch, rng, *s) for s in sizes]
    w1, b1, w2, b2, w3, b3 = params
    optimizer = torch.optim.SGD(params, lr=0.1, momentum=0.9)

    def step() -> float:
        optimizer.zero_grad()
        h = F.relu(F.linear(x, w1, b1))
        h = F.relu(F.linear(h, w2, b2))
        loss = F.cross_entropy(F.linear(h, w3, b3), y)
        loss.backward()
        optimizer.step()
        return float(loss.item())

    return step
