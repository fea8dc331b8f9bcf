"""Gradients for each example, a Jacobian, and a step along the mean gradient: functions of functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from . import normal


def start(torch: Any) -> Callable[[], float]:
    rng = np.random.default_rng(0)
    x, y = normal(torch, rng, 32, 8), normal(torch, rng, 32)
    params = {
        "w": normal(torch, rng, 8, 16) / 4,
        "b": torch.zeros(16, dtype=torch.double),
        "v": normal(torch, rng, 16) / 4,
    }

    def predicted(params: Any, x: Any) -> Any:
        return torch.tanh(x @ params["w"] + params["b"]) @ params["v"]

    def loss_of(params: Any, x: Any, y: Any) -> Any:
        return (predicted(params, x) - y) ** 2

    each = torch.func.vmap(torch.func.grad_and_value(loss_of), in_dims=(None, 0, 0))
    by_input = torch.func.vmap(torch.func.jacrev(predicted, argnums=1), in_dims=(None, 0))

    def step() -> float:
        gradients, losses = each(params, x, y)
        smooth = by_input(params, x).pow(2).mean()
        for name, g in gradients.items():
            norms = g.reshape(32, -1).norm(dim=1).clamp(min=1.0)
            params[name] = params[name] - 0.1 * (g / norms.reshape(-1, *[1] * (g.dim() - 1))).mean(
                0
            )
        return float((losses.mean() + 0.01 * smooth).item())

    return step
