"""A generator and a discriminator play against each other on a ring; the loss is the discriminator's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from . import normal, trained


def start(torch: Any) -> Callable[[], float]:
    F = torch.nn.functional
    rng = np.random.default_rng(0)
    turn = rng.uniform(0, 2 * np.pi, 128)
    real = torch.tensor(np.stack([np.cos(turn), np.sin(turn)], 1))
    noise = normal(torch, rng, 128, 4)
    g = [trained(torch, rng, *s) for s in [(32, 4), (32,), (32, 32), (32,), (2, 32), (2,)]]
    d = [trained(torch, rng, *s) for s in [(32, 2), (32,), (32, 32), (32,), (1, 32), (1,)]]
    of_g = torch.optim.Adam(g, lr=1e-3, betas=(0.5, 0.999))
    of_d = torch.optim.Adam(d, lr=1e-3, betas=(0.5, 0.999))
    yes, no = torch.ones(128, 1, dtype=torch.double), torch.zeros(128, 1, dtype=torch.double)

    def network(params: Any, x: Any) -> Any:
        w1, b1, w2, b2, w3, b3 = params
        h = F.leaky_relu(F.linear(x, w1, b1), 0.2)
        h = F.leaky_relu(F.linear(h, w2, b2), 0.2)
        return F.linear(h, w3, b3)

    def step() -> float:
        judged = F.binary_cross_entropy_with_logits
        made = network(g, noise)
        of_d.zero_grad()
        loss = judged(network(d, real), yes) + judged(network(d, made.detach()), no)
        loss.backward()
        of_d.step()
        of_g.zero_grad()
        judged(network(d, made), yes).backward()
        of_g.step()
        return float(loss.item())

    return step
