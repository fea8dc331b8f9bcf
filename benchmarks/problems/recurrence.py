"""A serial recurrence over the elements of an array, through tanh and linear: nothing to vectorise."""
# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

import math
from typing import Any

import numpy as np

from benchmarks.problem import Problem, over, peer, sized


def chain(w, x):
    h = 0.0
    total = 0.0
    for i in range(len(x)):
        h = math.tanh(w * h + x[i])
        total += h * h
    return total / len(x)


def linear(w, x):
    h = 0.0
    total = 0.0
    for i in range(len(x)):
        h = w * h + x[i]
        total += h * h
    return total / len(x)


def arguments(seed: int, n: int) -> tuple[Any, ...]:
    return 0.7, np.random.default_rng(seed).normal(size=n)


def chain_by_hand(w: float, x: Any) -> tuple[Any, tuple[Any, ...]]:
    h = total = 0.0
    states = [h]
    for i in range(len(x)):
        h = math.tanh(w * h + x[i])
        states.append(h)
        total += h * h
    n = len(x)
    x_bar = np.zeros(n)
    h_bar = w_bar = 0.0
    total_bar = 2 / n
    for i in range(n - 1, -1, -1):
        h = states[i + 1]
        a_bar = (h_bar + total_bar * h) * (1 - h * h)
        x_bar[i] = a_bar
        w_bar += a_bar * states[i]
        h_bar = a_bar * w
    return total / n, (w_bar, x_bar)


def linear_by_hand(w: float, x: Any) -> tuple[Any, tuple[Any, ...]]:
    h = total = 0.0
    states = [h]
    for i in range(len(x)):
        h = w * h + x[i]
        states.append(h)
        total += h * h
    n = len(x)
    x_bar = np.zeros(n)
    h_bar = w_bar = 0.0
    total_bar = 2 / n
    for i in range(n - 1, -1, -1):
        h_bar += total_bar * states[i + 1]
        x_bar[i] = h_bar
        w_bar += h_bar * states[i]
        h_bar *= w
    return total / n, (w_bar, x_bar)


def chain_tuned(w: float, x: Any) -> tuple[Any, tuple[Any, ...]]:
    """Elements go to Python floats at once, and come back at once; squares by NumPy."""
    tanh = math.tanh
    h = 0.0
    states = [h]
    for a in x.tolist():
        h = tanh(w * h + a)
        states.append(h)
    hs = np.array(states)
    n = len(x)
    slopes, direct = (1 - hs * hs).tolist(), (hs * (2 / n)).tolist()
    a_bar = 0.0
    bars = []
    for i in range(n, 0, -1):
        a_bar = (a_bar * w + direct[i]) * slopes[i]
        bars.append(a_bar)
    x_bar = np.array(bars[::-1])
    return hs.dot(hs) / n, (x_bar.dot(hs[:-1]), x_bar)


def linear_tuned(w: float, x: Any) -> tuple[Any, tuple[Any, ...]]:
    """The filter of SciPy, there and back."""
    from scipy.signal import lfilter

    n = len(x)
    hs = lfilter([1.0], [1.0, -w], x)
    x_bar = lfilter([2 / n], [1.0, -w], hs[::-1])[::-1]
    return hs.dot(hs) / n, (x_bar[1:].dot(hs[:-1]), x_bar)


def in_autograd(function: Any) -> Any:
    return lambda: over(peer("autograd.numpy"), function, math=peer("autograd.numpy"))


def in_jax(step: Any) -> Any:
    """Idiomatic: the loop is a scan."""

    def made() -> Any:
        lax, numpy = peer("jax.lax"), peer("jax.numpy")

        def scanned(w: Any, x: Any) -> Any:
            def body(state: Any, a: Any) -> Any:
                h, total = state
                h = step(numpy, w * h + a)
                return (h, total + h * h), None

            (_, total), _ = lax.scan(body, (0.0, 0.0), x)
            return total / len(x)

        return scanned

    return made


def in_torch(function: Any) -> Any:
    return lambda: over(peer("torch"), function, math=peer("torch"))


FORMS = (
    ("tanh-chain", chain, chain_by_hand, chain_tuned, lambda numpy, a: numpy.tanh(a)),
    ("linear-chain", linear, linear_by_hand, linear_tuned, lambda _, a: a),
)
PROBLEMS = [
    problem
    for name, function, by_hand, tuned, step in FORMS
    for problem in sized(
        Problem(
            name=name,
            function=function,
            wrt=(0, 1),
            arguments=arguments,
            hand_written=by_hand,
            hand_tuned=tuned,
            in_autograd=in_autograd(function),
            in_jax=in_jax(step),
            in_torch=in_torch(function),
            serial=True,
        ),
        tiny=10,
        small=100,
        medium=1_000,
        large=10_000,
        huge=100_000,
    )
]
