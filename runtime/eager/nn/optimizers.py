"""Steps of stochastic gradient descent, of Adam and of Adagrad, in place on the parameters; sparse ones for rows of tables."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ..graph.grad_mode import count_write
from ..sparse.coo_array import CooArray
from ..tensor.tensor import Tensor

__all__ = ["SGD", "Adagrad", "Adam", "SparseAdam"]


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
                if group["maximize"]:
                    g = -g
                if group["weight_decay"] and isinstance(g, CooArray):
                    raise RuntimeError(
                        "weight_decay option is not compatible with sparse gradients"
                    )
                if group["weight_decay"]:
                    g = g + group["weight_decay"] * p._array
                p._array[...] -= self.change(g, group, self.state.setdefault(id(p), {}))
                count_write(p)

    def change(self, g: Any, group: dict[str, Any], state: dict[str, Any]) -> Any:
        raise NotImplementedError


class SGD(Optimizer):
    """Along the gradient, with momentum if asked for."""

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
        if isinstance(g, CooArray):
            raise RuntimeError(
                "Adam does not support sparse gradients, please consider SparseAdam instead"
            )
        a, b = group["betas"]
        k = state["step"] = state.get("step", 0) + 1
        mean = state["mean"] = a * state.get("mean", 0) + (1 - a) * g
        square = state["square"] = b * state.get("square", 0) + (1 - b) * g * g
        if group["amsgrad"]:
            square = state["largest"] = np.maximum(state.get("largest", 0), square)
        root = np.sqrt(square) / (1 - b**k) ** 0.5
        return group["lr"] / (1 - a**k) * mean / (root + group["eps"])


class Adagrad(Optimizer):
    """Along the gradient, divided by the root of the sum of all squares so far."""

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
        own = {"lr": lr, "lr_decay": lr_decay, "start": initial_accumulator_value, "eps": eps}
        for name, value in (own | {"weight_decay": weight_decay}).items():
            if value < 0:
                said = {
                    "lr": "learning rate",
                    "start": "initial_accumulator_value",
                    "eps": "epsilon",
                }
                raise ValueError(f"Invalid {said.get(name, name)} value: {value}")
        super().__init__(params, own | {"weight_decay": weight_decay, "maximize": maximize})

    def change(self, g: Any, group: dict[str, Any], state: dict[str, Any]) -> Any:
        k = state["step"] = state.get("step", 0) + 1
        if "sum" not in state:
            state["sum"] = np.full(g.shape, group["start"], g.dtype)
        rate = group["lr"] / (1 + (k - 1) * group["lr_decay"])
        if not isinstance(g, CooArray):
            state["sum"] += g * g
            return rate * g / (np.sqrt(state["sum"]) + group["eps"])
        one = g.coalesced()
        places = tuple(one.indices)
        state["sum"][places] += one.values**2
        root = np.sqrt(state["sum"][places]) + group["eps"]
        return one.with_values(rate * one.values / root)


class SparseAdam(Optimizer):
    """Adam, where only the entries that a gradient has are moved, and what is remembered of them."""

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        maximize: bool = False,
    ) -> None:
        if not lr > 0:
            raise ValueError(f"Invalid learning rate: {lr}")
        if not eps > 0:
            raise ValueError(f"Invalid epsilon value: {eps}")
        for k, beta in enumerate(betas):
            if not 0 <= beta < 1:
                raise ValueError(f"Invalid beta parameter at index {k}: {beta}")
        own = {"lr": lr, "betas": betas, "eps": eps}
        super().__init__(params, own | {"weight_decay": 0, "maximize": maximize})

    def change(self, g: Any, group: dict[str, Any], state: dict[str, Any]) -> Any:
        if not isinstance(g, CooArray):
            raise RuntimeError(
                "SparseAdam does not support dense gradients, please consider Adam instead"
            )
        a, b = group["betas"]
        k = state["step"] = state.get("step", 0) + 1
        one = g.coalesced()
        places = tuple(one.indices)
        for name, beta, new in (("mean", a, one.values), ("square", b, one.values**2)):
            if name not in state:
                state[name] = np.zeros(g.shape, g.dtype)
            old = state[name][places]
            state[name][places] = old + (1 - beta) * (new - old)
        root = np.sqrt(state["square"][places]) + group["eps"]
        size = group["lr"] * (1 - b**k) ** 0.5 / (1 - a**k)
        return one.with_values(size * state["mean"][places] / root)
