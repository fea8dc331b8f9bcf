"""A language model with one layer of gated recurrent units."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from . import trained


def start(torch: Any) -> Callable[[], float]:
    F = torch.nn.functional
    rng = np.random.default_rng(0)
    tokens = torch.tensor(rng.integers(0, 40, (16, 21)))
    size = 32
    shapes = [
        (40, 16),
        (3 * size, 16),
        (3 * size,),
        (3 * size, size),
        (3 * size,),
        (40, size),
        (40,),
    ]
    params = [trained(torch, rng, *s) for s in shapes]
    table, w_x, b_x, w_h, b_h, w, b = params
    optimizer = torch.optim.Adam(params, lr=1e-2)

    def cell(x: Any, h: Any) -> Any:
        r_x, z_x, n_x = F.linear(x, w_x, b_x).chunk(3, 1)
        r_h, z_h, n_h = F.linear(h, w_h, b_h).chunk(3, 1)
        r = torch.sigmoid(r_x + r_h)
        z = torch.sigmoid(z_x + z_h)
        n = torch.tanh(n_x + r * n_h)
        return (1 - z) * n + z * h

    def step() -> float:
        optimizer.zero_grad()
        xs = F.embedding(tokens[:, :-1], table)
        h = torch.zeros(16, size, dtype=torch.double)
        states = []
        for t in range(xs.shape[1]):
            h = cell(xs[:, t], h)
            states.append(h)
        logits = F.linear(torch.stack(states, 1), w, b)
        loss = F.cross_entropy(logits.reshape(-1, 40), tokens[:, 1:].reshape(-1))
        loss.backward()
        optimizer.step()
        return float(loss.item())

    return step
