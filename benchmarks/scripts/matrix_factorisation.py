"""Ratings as products of the factors of users and films, with biases."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from . import trained


def start(torch: Any) -> Callable[[], float]:
    rng = np.random.default_rng(0)
    user, film = (torch.tensor(rng.integers(0, n, 1000)) for n in (100, 200))
    rating = torch.tensor(rng.integers(1, 6, 1000).astype(float))
    users, films = trained(torch, rng, 100, 8), trained(torch, rng, 200, 8)
    of_user, of_film = trained(torch, rng, 100), trained(torch, rng, 200)
    params = [users, films, of_user, of_film]
    optimizer = torch.optim.SGD(params, lr=5.0, weight_decay=1e-4)

    def step() -> float:
        optimizer.zero_grad()
        score = (users[user] * films[film]).sum(1) + of_user[user] + of_film[film] + 3.0
        loss = torch.nn.functional.mse_loss(score, rating)
        loss.backward()
        optimizer.step()
        return float(loss.item())

    return step
