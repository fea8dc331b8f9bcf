"""Newton's method with the whole Hessian of a small network with ReLU, damped."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from . import normal


def start(torch: Any) -> Callable[[], float]:
    rng = np.random.default_rng(0)
    x, y = normal(torch, rng, 64, 3), normal(torch, rng, 64)
    flat = 0.5 * normal(torch, rng, 41)

    def loss_of(flat: Any) -> Any:
        w, b, v, c = flat[:24].view(3, 8), flat[24:32], flat[32:40], flat[40]
        return ((torch.relu(x @ w + b) @ v + c - y) ** 2).mean()

    def step() -> float:
        nonlocal flat
        loss = loss_of(flat)
        slope = torch.autograd.functional.jacobian(loss_of, flat)
        curvature = torch.autograd.functional.hessian(loss_of, flat)
        damped = curvature.matmul(curvature) + 0.1 * torch.eye(41, dtype=torch.double)
        flat = flat - 0.5 * torch.linalg.solve(damped, curvature.matmul(slope) + 0.1 * slope)
        return float(loss.item())

    return step
