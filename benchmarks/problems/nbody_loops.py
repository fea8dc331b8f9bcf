"""The potential of ``nbody``, written with explicit loops over pairs; the peers have broadcasting."""
# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

import math
from typing import Any

import numpy as np

from benchmarks.problem import Problem, sized
from benchmarks.problems import nbody


def potential(q, m, softening):
    total = 0.0
    for i in range(len(m)):
        total -= 0.5 * m[i] * m[i] / math.sqrt(softening)
        for j in range(i):
            dx = q[i, 0] - q[j, 0]
            dy = q[i, 1] - q[j, 1]
            dz = q[i, 2] - q[j, 2]
            total -= m[i] * m[j] / math.sqrt(dx * dx + dy * dy + dz * dz + softening)
    return total


def hand_written(q: Any, m: Any, softening: float) -> tuple[Any, tuple[Any, ...]]:
    """What a pair needs is kept, one tuple a pair."""
    total = 0.0
    q_bar = np.zeros(q.shape)
    tape = []
    n = len(m)
    for i in range(n):
        total -= 0.5 * m[i] * m[i] / math.sqrt(softening)
        for j in range(i):
            dx = q[i, 0] - q[j, 0]
            dy = q[i, 1] - q[j, 1]
            dz = q[i, 2] - q[j, 2]
            r2 = dx * dx + dy * dy + dz * dz + softening
            e = m[i] * m[j] / math.sqrt(r2)
            total -= e
            tape.append((dx, dy, dz, e / r2))
    for i in range(n - 1, -1, -1):
        for j in range(i - 1, -1, -1):
            dx, dy, dz, s = tape.pop()
            dx_bar = s * dx
            dy_bar = s * dy
            dz_bar = s * dz
            q_bar[i, 2] += dz_bar
            q_bar[j, 2] -= dz_bar
            q_bar[i, 1] += dy_bar
            q_bar[j, 1] -= dy_bar
            q_bar[i, 0] += dx_bar
            q_bar[j, 0] -= dx_bar
    return total, (q_bar,)


def hand_tuned(q: Any, m: Any, softening: float) -> tuple[Any, tuple[Any, ...]]:
    """Broadcast."""
    return nbody.hand_written(q, m, softening)


PROBLEMS = sized(
    Problem(
        name="nbody-loops",
        function=potential,
        wrt=(0,),
        arguments=nbody.arguments,
        hand_written=hand_written,
        hand_tuned=hand_tuned,
        in_autograd=nbody.in_autograd,
        in_jax=nbody.in_jax,
        in_torch=nbody.in_torch,
    ),
    tiny=4,
    small=20,
    medium=100,
    large=300,
)
