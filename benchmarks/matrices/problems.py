"""The problems: a function, its arguments, what an expert writes in NumPy, and what one asks of JAX."""
# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from benchmarks.gradbench.evals import ba, ht
from benchmarks.problem import over, peer

from . import functions, in_jax

__all__ = ["PROBLEMS", "Matrix"]


@dataclass(frozen=True)
class Matrix:
    """A Jacobian, or a Hessian; ``in_jax`` and ``jax_expert`` give a function of the same arguments.

    ``by_hand`` gives the dense matrix, or with ``sparse`` the one that is asked for so; an expert's need not
    be laid out like it.
    """

    name: str
    function: Callable[..., Any]
    arguments: Callable[[Any], tuple[Any, ...]]
    wrt: int | tuple[int, ...] = 0
    hessian: bool = False
    sparse: bool = False
    by_hand: Callable[..., Any] | None = None
    in_jax: Callable[[], Any] | None = None
    jax_expert: Callable[[], Any] | None = None


def observations(rng: Any, cameras: int, points: int, count: int) -> tuple[Any, ...]:
    camera = rng.normal(size=(cameras, 11))
    camera[:, :6] *= 0.2
    camera[:, 6] = 500 + 10 * camera[:, 6]
    camera[:, 9:] *= 0.01
    point = 0.5 * rng.normal(size=(points, 3)) + np.array([0.0, 0.0, 6.0])
    seen_by, seen = rng.integers(0, cameras, count), rng.integers(0, points, count)
    return camera, point, rng.uniform(size=count), seen_by, seen, rng.normal(size=(count, 2))


BONES = [
    -1,
    0,
    *(1 if joint == 0 else 1 + 4 * finger + joint for finger in range(5) for joint in range(4)),
]


def hand(rng: Any, vertices: int, points: int) -> tuple[Any, ...]:
    """Pose, hand, triangles, points, and where in the triangle each is."""
    count = len(BONES)
    base, inverse = (np.eye(4) + 0.1 * rng.normal(size=(count, 4, 4)) for _ in range(2))
    positions = np.concatenate([rng.normal(size=(vertices, 3)), np.ones((vertices, 1))], axis=1)
    weights = rng.dirichlet(np.ones(count), size=vertices)
    triangles = rng.integers(0, vertices, (2 * vertices, 3))
    names = tuple(map(str, range(count)))
    posed = ht.Hand(names, BONES, base, inverse, positions, weights, triangles, False)
    measured, where = rng.normal(size=(points, 3)), 0.5 * rng.uniform(size=(points, 2))
    return rng.normal(size=26), posed, rng.integers(0, vertices, points), measured, where


def of_vertices(rng: Any, vertices: int, points: int) -> tuple[Any, ...]:
    return hand(rng, vertices, points)[:4]


def of_triangles(rng: Any, vertices: int, points: int) -> tuple[Any, ...]:
    return np.zeros(2), *hand(rng, vertices, points)


def jax_of(function: Any, kind: str, wrt: Any = 0) -> Callable[[], Any]:
    return lambda: in_jax.whole(over(peer("jax.numpy"), function), wrt, kind)


def bands_of(function: Any, width: int) -> Callable[[], Any]:
    return lambda: in_jax.of_bands(over(peer("jax.numpy"), function), width)


def logistic_by_hand(w, X, y):
    p = 1 / (1 + np.exp(-(X @ w)))
    return (X.T * (p * (1 - p))) @ X + np.eye(len(w))


def valley_slope() -> Any:
    return peer("jax").grad(over(peer("jax.numpy"), functions.valley))


def orbit() -> Any:
    jnp = peer("jax.numpy")

    def one(state):
        distance = jnp.sqrt(jnp.sum(state[:3] ** 2))
        return jnp.concatenate([state[3:], -state[:3] / distance**3])

    return in_jax.of_rows(one)


def peak() -> Any:
    jnp = peer("jax.numpy")

    def one(parameters, centre, x):
        height, width, ground = parameters
        return height * jnp.exp(-(((x - centre) / width) ** 2)) + ground

    return in_jax.of_blocks(one, (0, 1), (None, 0, 0))


def exponentials_by_hand(parameters, x):
    a, b, c, d = parameters
    first, second = np.exp(-b * x), np.exp(-d * x)
    return np.stack([first, -a * x * first, second, -c * x * second], axis=1)


def labels(rng: Any, m: int, n: int) -> tuple[Any, ...]:
    return rng.normal(size=n), rng.normal(size=(m, n)), (rng.uniform(size=m) < 0.5) * 1.0


def classes(rng: Any, m: int, n: int, c: int) -> tuple[Any, ...]:
    return rng.normal(size=(n, c)), rng.normal(size=(m, n)), rng.integers(0, c, m)


def made(*sizes: int, by: Any) -> Callable[[Any], tuple[Any, ...]]:
    return lambda rng: by(rng, *sizes)


BA = Matrix(
    "ba", ba.errors, made(5, 20, 100, by=observations), (0, 1, 2), sparse=True,
    jax_expert=in_jax.of_observations,
)  # fmt: skip

PROBLEMS = [
    replace(BA, name="ba-100"),
    replace(BA, name="ba-2000", arguments=made(20, 300, 2000, by=observations)),
    replace(BA, name="ba-20000", arguments=made(50, 3000, 20000, by=observations)),
    replace(BA, name="ba-loop-100", function=functions.errors_in_a_loop),
    replace(BA, name="ba-list-100", function=functions.errors_in_a_list),
    Matrix("hand-544x100", ht.simple, made(544, 100, by=of_vertices)),
    Matrix("hand-triangles-544x100", ht.complicated, made(544, 100, by=of_triangles), (0, 1)),
    Matrix("stencil-1000", functions.stencil, lambda rng: (rng.normal(size=1000),), sparse=True,
           in_jax=jax_of(functions.stencil, "jacfwd"), jax_expert=bands_of(functions.stencil, 3)),
    Matrix("stencil-100000", functions.stencil, lambda rng: (rng.normal(size=100_000),), sparse=True,
           jax_expert=bands_of(functions.stencil, 3)),
    Matrix("broyden-200", functions.broyden, lambda rng: (rng.normal(size=200),), sparse=True),
    Matrix("peaks-500", functions.peaks,
           lambda rng: (np.array([1.0, 0.3, 0.1]), rng.uniform(size=500), rng.uniform(size=500)), (0, 1),
           sparse=True, in_jax=jax_of(functions.peaks, "jacfwd", (0, 1)), jax_expert=peak),
    Matrix("orbits-300", functions.orbits, lambda rng: (rng.normal(size=(300, 6)),), sparse=True,
           in_jax=jax_of(functions.orbits, "jacfwd"), jax_expert=orbit),
    Matrix("exponentials-2000", functions.exponentials,
           lambda rng: (np.array([1.0, 0.5, 2.0, 3.0]), rng.uniform(size=2000)),
           by_hand=exponentials_by_hand, in_jax=jax_of(functions.exponentials, "jacfwd")),
    Matrix("valley-1000", functions.valley, lambda rng: (rng.normal(size=1000),), hessian=True, sparse=True,
           in_jax=jax_of(functions.valley, "hessian"),
           jax_expert=lambda: in_jax.of_bands(valley_slope(), 3)),
    Matrix("logistic-1000x20", functions.logistic, made(1000, 20, by=labels), hessian=True,
           by_hand=logistic_by_hand, in_jax=jax_of(functions.logistic, "hessian")),
    Matrix("softmax-1000x20x4", functions.softmax, made(1000, 20, 4, by=classes), hessian=True,
           in_jax=jax_of(functions.softmax, "hessian")),
]  # fmt: skip
