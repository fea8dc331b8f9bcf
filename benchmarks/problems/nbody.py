"""The potential of n bodies, all pairs at once by broadcasting."""
# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.problem import Problem, over, peer, sized


def potential(q, m, softening):
    d = q[:, None, :] - q
    r2 = np.sum(d * d, axis=2) + softening
    return -0.5 * np.sum(m[:, None] * m / np.sqrt(r2))


def arguments(seed: int, n: int) -> tuple[Any, ...]:
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, 3)), 1 + rng.uniform(size=n), 0.01


def hand_written(q: Any, m: Any, softening: float) -> tuple[Any, tuple[Any, ...]]:
    add = np.add.reduce
    d = q[:, None, :] - q
    r2 = add(d * d, axis=2) + softening
    e = m[:, None] * m / np.sqrt(r2)
    value = -0.5 * add(e, axis=None)
    r2_bar = e / (4 * r2)
    d *= 2 * r2_bar[:, :, None]
    return value, (add(d, axis=1) - add(d, axis=0),)


def hand_tuned(q: Any, m: Any, softening: float) -> tuple[Any, tuple[Any, ...]]:
    """Coordinates first, so that inner loops are long; the forces by matrix products."""
    n = len(q)
    d = np.ascontiguousarray(q.T)[:, :, None] - np.ascontiguousarray(q.T)[:, None, :]
    r2 = np.einsum("kij,kij->ij", d, d)
    r2 += softening
    e = m[:, None] * m
    e /= np.sqrt(r2)
    value = -0.5 * np.add.reduce(e, axis=None)
    e /= r2
    q_bar = q * (e @ np.ones(n))[:, None]
    q_bar -= e @ q
    return value, (q_bar,)


def in_autograd() -> Any:
    return over(peer("autograd.numpy"), potential)


def in_jax() -> Any:
    return over(peer("jax.numpy"), potential)


def in_torch() -> Any:
    torch = peer("torch")

    def potential(q: Any, m: Any, softening: Any) -> Any:
        d = q[:, None, :] - q
        r2 = (d * d).sum(2) + softening
        return -0.5 * (m[:, None] * m / torch.sqrt(r2)).sum()

    return potential


PROBLEMS = sized(
    Problem(
        name="nbody",
        function=potential,
        wrt=(0,),
        arguments=arguments,
        hand_written=hand_written,
        hand_tuned=hand_tuned,
        in_autograd=in_autograd,
        in_jax=in_jax,
        in_torch=in_torch,
    ),
    tiny=4,
    small=50,
    medium=300,
    large=1_000,
)
