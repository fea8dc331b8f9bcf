"""The heat equation: points, and explicit steps written in place."""
# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.problem import Problem, peer, sized


def heat(u0, c, steps):
    u = u0.copy()
    for _ in range(steps):
        u[1:-1] += c * (u[2:] - 2 * u[1:-1] + u[:-2])
    return np.sum(u * u)


def arguments(seed: int, n: int, steps: int) -> tuple[Any, ...]:
    return np.random.default_rng(seed).normal(size=n), 0.2, steps


def hand_written(u0: Any, c: float, steps: int) -> tuple[Any, tuple[Any, ...]]:
    """The step is linear in ``u``: nothing is kept."""
    u = u0.copy()
    for _ in range(steps):
        u[1:-1] += c * (u[2:] - 2 * u[1:-1] + u[:-2])
    u_bar = 2 * u
    for _ in range(steps):
        step_bar = c * u_bar[1:-1]
        u_bar[1:-1] -= 2 * step_bar
        u_bar[2:] += step_bar
        u_bar[:-2] += step_bar
    return np.sum(u * u), (u_bar,)


def in_autograd() -> Any:
    """No writes there: each step builds a new array."""
    numpy = peer("autograd.numpy")

    def rebuilt(u, c, steps):
        for _ in range(steps):
            inner = u[1:-1] + c * (u[2:] - 2 * u[1:-1] + u[:-2])
            u = numpy.concatenate([u[:1], inner, u[-1:]])
        return numpy.sum(u * u)

    return rebuilt


def in_jax() -> Any:
    """Idiomatic: the loop is a scan, the write an ``at``."""
    lax, numpy = peer("jax.lax"), peer("jax.numpy")

    def scanned(u0: Any, c: Any, steps: int) -> Any:
        def step(u: Any, _: None) -> Any:
            return u.at[1:-1].add(c * (u[2:] - 2 * u[1:-1] + u[:-2])), None

        u, _ = lax.scan(step, u0, None, length=steps)
        return numpy.sum(u * u)

    return scanned


def jax_expert() -> Any:
    """The step is a sum with a padded array."""
    lax, numpy = peer("jax.lax"), peer("jax.numpy")

    def padded(u0: Any, c: Any, steps: int) -> Any:
        def step(u: Any, _: None) -> Any:
            return u + c * numpy.pad(u[2:] - 2 * u[1:-1] + u[:-2], 1), None

        u, _ = lax.scan(step, u0, None, length=steps)
        return numpy.sum(u * u)

    return padded


def in_torch() -> Any:
    """In place, as PyTorch takes it."""

    def written(u0: Any, c: Any, steps: int) -> Any:
        u = u0.clone()
        for _ in range(steps):
            u[1:-1] += c * (u[2:] - 2 * u[1:-1] + u[:-2])
        return (u * u).sum()

    return written


PROBLEMS = sized(
    Problem(
        name="heat",
        function=heat,
        wrt=(0,),
        arguments=arguments,
        hand_written=hand_written,
        in_autograd=in_autograd,
        in_jax=in_jax,
        in_torch=in_torch,
        jax_expert=jax_expert,
        serial=True,
    ),
    tiny=(50, 10),
    small=(1_000, 100),
    medium=(10_000, 1_000),
)
