"""Newton's method on a logistic regression; conjugate gradients solve for the step with Hessian-vector products."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from . import normal


def start(torch: Any) -> Callable[[], float]:
    F = torch.nn.functional
    rng = np.random.default_rng(0)
    x = normal(torch, rng, 200, 20)
    y = torch.tensor((rng.random(200) < 0.5).astype(float))
    w = torch.zeros(20, dtype=torch.double, requires_grad=True)

    def loss_of(w: Any) -> Any:
        return F.binary_cross_entropy(torch.sigmoid(x @ w), y) + 0.01 * w.dot(w)

    def solved(gradient: Any) -> Any:
        """The Newton step, by ten steps of conjugate gradients."""
        step = torch.zeros_like(w)
        r = gradient.detach().clone()
        p, size = r, r.dot(r)
        for _ in range(10):
            (h_p,) = torch.autograd.grad(gradient, w, p, retain_graph=True)
            length = size / p.dot(h_p)
            step = step + length * p
            r = r - length * h_p
            size, before = r.dot(r), size
            p = r + size / before * p
        return step

    def step() -> float:
        loss = loss_of(w)
        (gradient,) = torch.autograd.grad(loss, w, create_graph=True)
        change = solved(gradient)
        with torch.no_grad():
            w.sub_(0.5 * change)
        return float(loss.item())

    return step
