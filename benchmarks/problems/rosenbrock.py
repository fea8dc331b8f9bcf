"""Rosenbrock's valley, vectorised: from ten elements, where all is overhead, to a million."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.problem import Problem, over, peer, sized


def rosenbrock(x):  # type: ignore[no-untyped-def]
    return np.sum(100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2)


def arguments(seed: int, n: int) -> tuple[Any, ...]:
    return (np.random.default_rng(seed).normal(size=n),)


def hand_written(x: Any) -> tuple[Any, tuple[Any, ...]]:
    a = x[:-1]
    u = x[1:] - a**2
    v = 1 - a
    x_bar = np.zeros(x.size)
    x_bar[:-1] = -400 * a * u - 2 * v
    x_bar[1:] += 200 * u
    return np.add.reduce(100 * u**2 + v**2), (x_bar,)


def hand_tuned(x: Any) -> tuple[Any, tuple[Any, ...]]:
    a = x[:-1]
    u = x[1:] - a * a
    v = 1 - a
    value = 100 * u.dot(u) + v.dot(v)
    u *= 200
    x_bar = np.empty(x.size)
    x_bar[0] = 0.0
    x_bar[1:] = u
    u *= a
    u += v
    u += u
    x_bar[:-1] -= u
    return value, (x_bar,)


def in_autograd() -> Any:
    return over(peer("autograd.numpy"), rosenbrock)


def in_jax() -> Any:
    return over(peer("jax.numpy"), rosenbrock)


def in_torch() -> Any:
    return over(peer("torch"), rosenbrock)


PROBLEMS = sized(
    Problem(
        name="rosenbrock",
        function=rosenbrock,
        wrt=(0,),
        arguments=arguments,
        hand_written=hand_written,
        hand_tuned=hand_tuned,
        in_autograd=in_autograd,
        in_jax=in_jax,
        in_torch=in_torch,
    ),
    tiny=10,
    small=1_000,
    medium=100_000,
    large=1_000_000,
)
