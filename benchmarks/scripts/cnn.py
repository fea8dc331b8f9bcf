"""A small convolutional network tells digits apart."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from . import normal, trained


def start(torch: Any) -> Callable[[], float]:
    F = torch.nn.functional
    rng = np.random.default_rng(0)
    images = normal(torch, rng, 32, 1, 28, 28)
    classes = torch.tensor(rng.integers(0, 10, 32))
    sizes = [(8, 1, 3, 3), (8,), (16, 8, 3, 3), (16,), (64, 400), (64,), (10, 64), (10,)]
    params = [trained(torch, rng, *s) for s in sizes]
    k1, b1, k2, b2, w3, b3, w4, b4 = params
    optimizer = torch.optim.Adam(params, lr=1e-3)

    def step() -> float:
        optimizer.zero_grad()
        h = F.max_pool2d(F.relu(F.conv2d(images, k1, b1)), 2)
        h = F.max_pool2d(F.relu(F.conv2d(h, k2, b2)), 2)
        h = F.relu(F.linear(h.flatten(1), w3, b3))
        loss = F.cross_entropy(F.linear(h, w4, b4), classes)
        loss.backward()
        optimizer.step()
        return float(loss.item())

    return step
