"""A variational autoencoder of binary images; the noise comes from NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from . import trained


def start(torch: Any) -> Callable[[], float]:
    F = torch.nn.functional
    rng = np.random.default_rng(0)
    x = torch.tensor((rng.random((64, 144)) < 0.3).astype(float))
    shapes = [(64, 144), (64,), (8, 64), (8,), (8, 64), (8,), (64, 8), (64,), (144, 64), (144,)]
    params = [trained(torch, rng, *s) for s in shapes]
    w1, b1, w_mean, b_mean, w_log, b_log, w2, b2, w3, b3 = params
    optimizer = torch.optim.Adam(params, lr=1e-3)

    def step() -> float:
        optimizer.zero_grad()
        h = F.relu(F.linear(x, w1, b1))
        mean, log_var = F.linear(h, w_mean, b_mean), F.linear(h, w_log, b_log)
        noise = torch.tensor(rng.standard_normal((64, 8)))
        z = mean + torch.exp(0.5 * log_var) * noise
        logits = F.linear(F.relu(F.linear(z, w2, b2)), w3, b3)
        missed = F.binary_cross_entropy_with_logits(logits, x, reduction="sum")
        divergence = -0.5 * torch.sum(1 + log_var - mean.pow(2) - log_var.exp())
        loss = (missed + divergence) / 64
        loss.backward()
        optimizer.step()
        return float(loss.item())

    return step
