"""Logistic regression: points times dimensions."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.problem import Problem, over, peer, sized


def loss(w, x, y):  # type: ignore[no-untyped-def]
    p = 1 / (1 + np.exp(-(x @ w)))
    return -np.mean(y * np.log(p) + (1 - y) * np.log(1 - p))


def arguments(seed: int, n: int, d: int) -> tuple[Any, ...]:
    rng = np.random.default_rng(seed)
    y = (rng.uniform(size=n) < 0.5).astype(float)
    return 3 * rng.normal(size=d) / d**0.5, rng.normal(size=(n, d)), y


def hand_written(w: Any, x: Any, y: Any) -> tuple[Any, tuple[Any, ...]]:
    e = np.exp(-(x @ w))
    s = 1 + e
    p = 1 / s
    one_less_p, one_less_y = 1 - p, 1 - y
    value = -np.add.reduce(y * np.log(p) + one_less_y * np.log(one_less_p)) / y.size
    p_bar = (one_less_y / one_less_p - y / p) / y.size
    return value, (-(x.T @ (e * (-p_bar * p / s))),)


def hand_tuned(w: Any, x: Any, y: Any) -> tuple[Any, tuple[Any, ...]]:
    p = np.exp(-x.dot(w))
    p += 1
    np.divide(1, p, p)
    value = y.dot(np.log(p)) + (1 - y).dot(np.log(1 - p))
    p -= y
    w_bar = p.dot(x)
    w_bar /= y.size
    return -value / y.size, (w_bar,)


def in_autograd() -> Any:
    return over(peer("autograd.numpy"), loss)


def in_jax() -> Any:
    return over(peer("jax.numpy"), loss)


def in_torch() -> Any:
    return over(peer("torch"), loss)


PROBLEMS = sized(
    Problem(
        name="logistic",
        function=loss,
        wrt=(0,),
        arguments=arguments,
        hand_written=hand_written,
        hand_tuned=hand_tuned,
        in_autograd=in_autograd,
        in_jax=in_jax,
        in_torch=in_torch,
    ),
    tiny=(100, 10),
    small=(1_000, 20),
    medium=(10_000, 50),
    large=(100_000, 100),
)
