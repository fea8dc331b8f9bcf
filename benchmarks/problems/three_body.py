"""The energy of three bodies in space: loops over pairs, nothing but overhead."""
# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

import math
from typing import Any

import numpy as np

from benchmarks.problem import Problem, over, peer, sized


def energy(q, v, m):
    total = 0.0
    for i in range(3):
        total = total + 0.5 * m[i] * (v[i] @ v[i])
        for j in range(i):
            d = q[i] - q[j]
            total = total - m[i] * m[j] / np.sqrt(d @ d)
    return total


def arguments(seed: int, bodies: int) -> tuple[Any, ...]:
    rng = np.random.default_rng(seed)
    masses = 1 + rng.uniform(size=bodies)
    return rng.normal(size=(bodies, 3)), rng.normal(size=(bodies, 3)), masses


def hand_written(q: Any, v: Any, m: Any) -> tuple[Any, tuple[Any, ...]]:
    """The way back in the same loop: nothing has to be kept."""
    total = 0.0
    q_bar, v_bar = np.zeros((3, 3)), np.zeros((3, 3))
    for i in range(3):
        total += 0.5 * m[i] * (v[i] @ v[i])
        v_bar[i] = m[i] * v[i]
        for j in range(i):
            d = q[i] - q[j]
            r2 = d @ d
            e = m[i] * m[j] / np.sqrt(r2)
            total -= e
            d_bar = d * (e / r2)
            q_bar[i] += d_bar
            q_bar[j] -= d_bar
    return total, (q_bar, v_bar)


def hand_tuned(q: Any, v: Any, m: Any) -> tuple[Any, tuple[Any, ...]]:
    """On Python floats."""
    (ax, ay, az), (bx, by, bz), (cx, cy, cz) = q.tolist()
    (au, av, aw), (bu, bv, bw), (cu, cv, cw) = v.tolist()
    m0, m1, m2 = m.tolist()
    px, py, pz = bx - ax, by - ay, bz - az
    r2 = px * px + py * py + pz * pz
    e1 = m1 * m0 / math.sqrt(r2)
    s = e1 / r2
    px, py, pz = px * s, py * s, pz * s
    qx, qy, qz = cx - ax, cy - ay, cz - az
    r2 = qx * qx + qy * qy + qz * qz
    e2 = m2 * m0 / math.sqrt(r2)
    s = e2 / r2
    qx, qy, qz = qx * s, qy * s, qz * s
    sx, sy, sz = cx - bx, cy - by, cz - bz
    r2 = sx * sx + sy * sy + sz * sz
    e3 = m2 * m1 / math.sqrt(r2)
    s = e3 / r2
    sx, sy, sz = sx * s, sy * s, sz * s
    kinetic = (
        m0 * (au * au + av * av + aw * aw)
        + m1 * (bu * bu + bv * bv + bw * bw)
        + m2 * (cu * cu + cv * cv + cw * cw)
    )
    q_bar = [
        [-px - qx, -py - qy, -pz - qz],
        [px - sx, py - sy, pz - sz],
        [qx + sx, qy + sy, qz + sz],
    ]
    v_bar = [
        [m0 * au, m0 * av, m0 * aw],
        [m1 * bu, m1 * bv, m1 * bw],
        [m2 * cu, m2 * cv, m2 * cw],
    ]
    return 0.5 * kinetic - e1 - e2 - e3, (np.array(q_bar), np.array(v_bar))


def in_autograd() -> Any:
    return over(peer("autograd.numpy"), energy)


def in_jax() -> Any:
    return over(peer("jax.numpy"), energy)


def in_torch() -> Any:
    return over(peer("torch"), energy)


PROBLEMS = sized(
    Problem(
        name="three-body",
        function=energy,
        wrt=(0, 1),
        arguments=arguments,
        hand_written=hand_written,
        hand_tuned=hand_tuned,
        in_autograd=in_autograd,
        in_jax=in_jax,
        in_torch=in_torch,
    ),
    tiny=3,
)
