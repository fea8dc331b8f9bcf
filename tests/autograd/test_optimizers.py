"""Optimizers: their steps are those of the real torch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd

from .surface import close, raises

OPTIONS = [
    ("SGD", {"lr": 0.1}),
    ("SGD", {"lr": 0.1, "momentum": 0.9, "dampening": 0.2, "weight_decay": 0.1}),
    ("SGD", {"lr": 0.1, "momentum": 0.9, "nesterov": True}),
    ("SGD", {"lr": 0.01, "maximize": True}),
    ("Adam", {"lr": 0.1}),
    ("Adam", {"lr": 0.1, "betas": (0.5, 0.9), "weight_decay": 0.1, "amsgrad": True}),
]


def path(module: Any, name: str, options: dict[str, Any]) -> list[Any]:
    p = module.nn.Parameter(module.tensor([1.0, -2.0]))
    optimizer = getattr(module.optim, name)([p], **options)
    places = []
    for _ in range(6):
        optimizer.zero_grad()
        (p - 0.3).sin().exp().sum().backward()
        optimizer.step()
        places.append(p.tolist())
    return places


@pytest.mark.parametrize(("name", "options"), OPTIONS)
def test_steps_are_those_of_torch(name: str, options: dict[str, Any]) -> None:
    torch = pytest.importorskip("torch")
    np.testing.assert_allclose(
        path(retrograd, name, options), path(torch, name, options), 1e-5, 1e-6
    )


def test_groups_have_their_own_rate(torch: Any) -> None:
    a, b = torch.ones(1, requires_grad=True), torch.ones(1, requires_grad=True)
    optimizer = torch.optim.SGD([{"params": [a]}, {"params": b, "lr": 0.5}], lr=0.1)
    (a + b).sum().backward()
    optimizer.step()
    assert close(a, [0.9])
    assert close(b, [0.5])
    version = a._version
    optimizer.step()
    assert a._version == version + 1


def test_only_leaves(torch: Any) -> None:
    with raises(ValueError, "can't optimize a non-leaf Tensor"):
        torch.optim.SGD([torch.ones(1, requires_grad=True) * 2], lr=0.1)
    with raises(ValueError, "optimizer got an empty parameter list"):
        torch.optim.Adam([])
