"""Steps of stochastic gradient descent and of Adam, in place on the parameters."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ..graph.grad_mode import count_write
from ..sparse.coo import Coo
from ..tensor.tensor import Tensor

__all__ = ["SGD", "Adam", "Optimizer"]


class Optimizer:
    """Parameters, in groups with options of their own, and what each step remembers of them."""

    def __init__(self, params: Iterable[Any], defaults: dict[str, Any]) -> None:
        given = list(params)
        if not given:
            raise ValueError("optimizer got an empty parameter list")
        groups = given if isinstance(given[0], dict) else [{"params": given}]
        self.param_groups = [defaults | group for group in groups]
        for group in self.param_groups:
            one = isinstance(group["params"], Tensor)
            group["params"] = [group["params"]] if one else list(group["params"])
            if not all(p.is_leaf for p in group["params"]):
                raise ValueError("can't optimize a non-leaf Tensor")
        self.state: dict[int, dict[str, Any]] = {}

    def zero_grad(self, set_to_none: bool = True) -> None:
        for group in self.param_groups:
            for p in group["params"]:
                if set_to_none or p.grad is None:
                    p.grad = None
                else:
                    p.grad = p.grad.detach() * 0

    def step(self) -> None:
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                g = p.grad._array
                if type(g) is Coo:
                    self.sparse_step(p, g, group)
                    continue
                if group["maximize"]:
                    g = -g
                if group["weight_decay"]:
                    g = g + group["weight_decay"] * p._array
                p._array[...] -= self.change(g, group, self.state.setdefault(id(p), {}))
                count_write(p)

    no_decay = "weight_decay option is not compatible with sparse gradients"

    def sparse_step(self, p: Any, g: Coo, group: dict[str, Any]) -> None:
        """The step along a sparse gradient: the rows that it has are moved."""
        if group["weight_decay"]:
            raise RuntimeError(self.no_decay)
        if group["maximize"]:
            g = g.like(-g.values)
        change = self.sparse_change(g, group, self.state.setdefault(id(p), {}))
        if type(change) is Coo:
            change.like(-change.values).add_to(p._array)
        else:
            p._array[...] -= change
        count_write(p)

    def change(self, g: Any, group: dict[str, Any], state: dict[str, Any]) -> Any:
        raise NotImplementedError

    def sparse_change(self, g: Coo, group: dict[str, Any], state: dict[str, Any]) -> Any:
        raise RuntimeError(
            f"{type(self).__name__} does not support sparse gradients, please consider SparseAdam instead"
        )


class SGD(Optimizer):
    """Along the gradient, with momentum if asked for."""

    no_decay = "add(sparse, dense) is not supported. Use add(dense, sparse) instead."

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 1e-3,
        momentum: float = 0.0,
        dampening: float = 0.0,
        weight_decay: float = 0.0,
        nesterov: bool = False,
        *,
        maximize: bool = False,
    ) -> None:
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("Nesterov momentum requires a momentum and zero dampening")
        own = {"lr": lr, "momentum": momentum, "dampening": dampening, "nesterov": nesterov}
        super().__init__(params, own | {"weight_decay": weight_decay, "maximize": maximize})

    def change(self, g: Any, group: dict[str, Any], state: dict[str, Any]) -> Any:
        momentum = group["momentum"]
        if momentum:
            known = state.get("momentum")
            fresh = g if known is None else momentum * known + (1 - group["dampening"]) * g
            state["momentum"] = fresh.copy()
            g = g + momentum * fresh if group["nesterov"] else fresh
        return group["lr"] * g

    def sparse_change(self, g: Coo, group: dict[str, Any], state: dict[str, Any]) -> Any:
        if group["momentum"]:
            return self.change(g.dense(), group, state)
        return g.like(group["lr"] * g.values)


class Adam(Optimizer):
    """Along the mean of the gradients, divided by the root of the mean of their squares."""

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.0,
        amsgrad: bool = False,
        *,
        maximize: bool = False,
    ) -> None:
        own = {"lr": lr, "betas": betas, "eps": eps, "amsgrad": amsgrad}
        super().__init__(params, own | {"weight_decay": weight_decay, "maximize": maximize})

    def change(self, g: Any, group: dict[str, Any], state: dict[str, Any]) -> Any:
        a, b = group["betas"]
        k = state["step"] = state.get("step", 0) + 1
        mean = state["mean"] = a * state.get("mean", 0) + (1 - a) * g
        square = state["square"] = b * state.get("square", 0) + (1 - b) * g * g
        if group["amsgrad"]:
            square = state["largest"] = np.maximum(state.get("largest", 0), square)
        root = np.sqrt(square) / (1 - b**k) ** 0.5
        return group["lr"] / (1 - a**k) * mean / (root + group["eps"])
