"""Optimizers that move the rows of which there is a gradient."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ...arrays.transfers import library_of
from ..nn.optimizers import Optimizer
from .coo import Coo, values_at

__all__ = ["Adagrad", "SparseAdam"]


class SparseAdam(Optimizer):
    """Adam for sparse gradients: means are moved where there is one."""

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        maximize: bool = False,
    ) -> None:
        own = {"lr": lr, "betas": betas, "eps": eps, "weight_decay": 0, "maximize": maximize}
        super().__init__(params, own)
        if any(p.is_sparse for group in self.param_groups for p in group["params"]):
            raise ValueError("SparseAdam requires dense parameter tensors")

    def change(self, g: Any, group: dict[str, Any], state: dict[str, Any]) -> Any:
        raise RuntimeError(
            "SparseAdam does not support dense gradients, please consider Adam instead"
        )

    def sparse_change(self, g: Coo, group: dict[str, Any], state: dict[str, Any]) -> Coo:
        (a, b), g = group["betas"], g.unique()
        k = state["step"] = state.get("step", 0) + 1
        means = []
        for name, rate, values in (("mean", a, g.values), ("square", b, g.values**2)):
            whole = state.setdefault(name, np.zeros(g.shape, g.dtype))
            g.like((values - values_at(whole, g.indices)) * (1 - rate)).add_to(whole)
            means.append(values_at(whole, g.indices))
        size = group["lr"] * (1 - b**k) ** 0.5 / (1 - a**k)
        return g.like(size * means[0] / (np.sqrt(means[1]) + group["eps"]))


class Adagrad(Optimizer):
    """Along the gradient, divided by the root of the sum of its squares so far."""

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 1e-2,
        lr_decay: float = 0.0,
        weight_decay: float = 0.0,
        initial_accumulator_value: float = 0.0,
        eps: float = 1e-10,
        *,
        maximize: bool = False,
    ) -> None:
        own = {
            "lr": lr,
            "lr_decay": lr_decay,
            "initial_accumulator_value": initial_accumulator_value,
            "eps": eps,
        }
        super().__init__(params, own | {"weight_decay": weight_decay, "maximize": maximize})

    def begun(self, g: Any, group: dict[str, Any], state: dict[str, Any]) -> tuple[Any, float]:
        """The sum of squares, and the size of this step."""
        k = state["step"] = state.get("step", 0) + 1
        start = group["initial_accumulator_value"]
        whole = state.setdefault("sum", library_of([g]).full(g.shape, start, g.dtype))
        return whole, group["lr"] / (1 + (k - 1) * group["lr_decay"])

    def change(self, g: Any, group: dict[str, Any], state: dict[str, Any]) -> Any:
        whole, size = self.begun(g, group, state)
        whole += g * np.conj(g)
        return size * g / (np.sqrt(whole) + group["eps"])

    def sparse_change(self, g: Coo, group: dict[str, Any], state: dict[str, Any]) -> Coo:
        g = g.unique()
        whole, size = self.begun(g, group, state)
        g.like(g.values**2).add_to(whole)
        return g.like(size * g.values / (np.sqrt(values_at(whole, g.indices)) + group["eps"]))
