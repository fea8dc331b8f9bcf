"""The ways to ask for a derivative: each as a function of the program's arguments, with or without a back end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import retrograd as rg

__all__ = ["MODES"]

Mode = Callable[[Any, tuple[int, ...], "str | None"], Callable[..., Any]]


def direction(value: Any, seed: int) -> Any:
    """Random numbers of the kind of an argument or a result."""
    if isinstance(value, (tuple, list)):
        return type(value)(direction(item, seed + k) for k, item in enumerate(value))
    if isinstance(value, dict):
        return {key: direction(item, seed + k) for k, (key, item) in enumerate(value.items())}
    made = np.random.default_rng(seed).normal(size=np.shape(value))
    if isinstance(value, (np.ndarray, np.generic)):
        return made.astype(value.dtype) if np.ndim(value) else value.dtype.type(made)
    return float(made)


def directions(args: tuple[Any, ...], wrt: tuple[int, ...]) -> list[Any]:
    return [direction(a, 7 + k) if k in wrt else None for k, a in enumerate(args)]


def value_and_grad(main: Any, wrt: tuple[int, ...], backend: str | None) -> Callable[..., Any]:
    made: Callable[..., Any] = rg.value_and_grad(main, wrt, backend=backend)
    return made


def grad(main: Any, wrt: tuple[int, ...], backend: str | None) -> Callable[..., Any]:
    made: Callable[..., Any] = rg.grad(main, wrt, backend=backend)
    return made


def jvp(main: Any, wrt: tuple[int, ...], backend: str | None) -> Callable[..., Any]:
    return lambda *args: rg.jvp(main, args, directions(args, wrt), backend=backend)


def vjp(main: Any, wrt: tuple[int, ...], backend: str | None) -> Callable[..., Any]:
    def pulled(*args: Any) -> Any:
        value, pullback = rg.vjp(main, *args, wrt=wrt, backend=backend)
        return value, pullback(direction(value, 5)), pullback(direction(value, 6))

    return pulled


def linearize(main: Any, wrt: tuple[int, ...], backend: str | None) -> Callable[..., Any]:
    def pushed(*args: Any) -> Any:
        value, push = rg.linearize(main, *args, backend=backend)
        given = [direction(a, 7 + k) if k in wrt else None for k, a in enumerate(args)]
        return value, push(*given)

    return pushed


def hvp(main: Any, wrt: tuple[int, ...], backend: str | None) -> Callable[..., Any]:
    def product(*args: Any) -> Any:
        v = tuple(direction(args[k], 9 + k) for k in wrt)
        return rg.hvp(main, args, v, wrt, backend=backend)

    return product


def jacobian(main: Any, wrt: tuple[int, ...], backend: str | None) -> Callable[..., Any]:
    made: Callable[..., Any] = rg.jacobian(main, wrt, backend=backend)
    return made


def hessian(main: Any, wrt: tuple[int, ...], backend: str | None) -> Callable[..., Any]:
    made: Callable[..., Any] = rg.hessian(main, wrt, backend=backend)
    return made


MODES: dict[str, Mode] = {
    f.__name__: f for f in (value_and_grad, grad, jvp, vjp, linearize, hvp, jacobian, hessian)
}
