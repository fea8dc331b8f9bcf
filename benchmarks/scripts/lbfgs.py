"""SciPy's L-BFGS fits a sum of bells to a curve: tensors go in and out as arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.optimize import minimize


def start(torch: Any) -> Callable[[], float]:
    rng = np.random.default_rng(0)
    x = torch.linspace(-3, 3, 300, dtype=torch.double)
    y = torch.sin(2 * x) * torch.exp(-0.1 * x**2)
    place = rng.standard_normal(18)

    def objective(flat: Any) -> tuple[float, Any]:
        p = torch.tensor(flat, requires_grad=True)
        height, centre, width = p.view(3, 6).unbind()
        bells = height[:, None] * torch.exp(
            -((x - centre[:, None]) ** 2) * torch.exp(width)[:, None]
        )
        loss = ((bells.sum(0) - y) ** 2).mean()
        loss.backward()
        return float(loss.item()), p.grad.numpy()

    def step() -> float:
        found = minimize(objective, place, jac=True, method="L-BFGS-B", options={"maxiter": 5})
        place[:] = found.x
        return float(found.fun)

    return step
