"""Per-example gradients of small models: `rg.vmap(rg.grad(f))` as text and in C, jax, and a loop over the examples.

    python -m benchmarks.batches [--count 64]

A jax that is not installed is left out.
"""

from __future__ import annotations

import argparse
import timeit
from collections.abc import Callable
from typing import Any

import numpy as np

import retrograd as rg

__all__ = ["MODELS", "main"]


def logistic(xp: Any) -> Callable[..., Any]:
    def loss(w: Any, x: Any, y: Any) -> Any:
        return xp.log1p(xp.exp(-y * (x @ w)))

    return loss


def perceptron(xp: Any) -> Callable[..., Any]:
    def loss(w: Any, v: Any, x: Any, y: Any) -> Any:
        return 0.5 * (xp.tanh(x @ w) @ v - y) ** 2

    return loss


def numpy_logistic(w: Any, x: Any, y: Any) -> Any:
    return np.log1p(np.exp(-y * (x @ w)))


def numpy_perceptron(w: Any, v: Any, x: Any, y: Any) -> Any:
    return 0.5 * (np.tanh(x @ w) @ v - y) ** 2


def numpy_scalar(p: Any, t: Any, y: Any) -> Any:
    return (p[0] * np.exp(-p[1] * t) * np.cos(p[2] * t) - y) ** 2


def numpy_evidence(a: Any, y: Any) -> Any:
    covariance = np.eye(4) + np.outer(a, a)
    return 0.5 * (np.linalg.slogdet(covariance)[1] + y @ np.linalg.solve(covariance, y))


def evidence(xp: Any) -> Callable[..., Any]:
    def loss(a: Any, y: Any) -> Any:
        covariance = xp.eye(4) + xp.outer(a, a)
        return 0.5 * (xp.linalg.slogdet(covariance)[1] + y @ xp.linalg.solve(covariance, y))

    return loss


def numpy_spectrum(x: Any, window: Any) -> Any:
    return np.log(np.sum(np.abs(np.fft.rfft(x * window)) ** 2)) + np.max(x)


def spectrum(xp: Any) -> Callable[..., Any]:
    def loss(x: Any, window: Any) -> Any:
        return xp.log(xp.sum(xp.abs(xp.fft.rfft(x * window)) ** 2)) + xp.max(x)

    return loss


def scalar(xp: Any) -> Callable[..., Any]:
    def loss(p: Any, t: Any, y: Any) -> Any:
        return (p[0] * xp.exp(-p[1] * t) * xp.cos(p[2] * t) - y) ** 2

    return loss


def arguments(name: str, count: int) -> list[Any]:
    rng = np.random.default_rng(0)
    if name == "logistic":
        return [rng.normal(size=10), rng.normal(size=(count, 10)), np.sign(rng.normal(size=count))]
    if name == "perceptron":
        shared = [rng.normal(size=(8, 16)), rng.normal(size=16)]
        return [*shared, rng.normal(size=(count, 8)), rng.normal(size=count)]
    if name == "evidence":
        return [rng.normal(size=(count, 4)), rng.normal(size=(count, 4))]
    if name == "spectrum":
        return [rng.normal(size=(count, 64)), np.hanning(64)]
    return [np.array([1.0, 0.5, 2.0]), rng.uniform(0, 3, count), rng.normal(size=count)]


MODELS: dict[str, tuple[Any, Any, tuple[int | None, ...]]] = {
    "scalar": (numpy_scalar, scalar, (None, 0, 0)),
    "logistic": (numpy_logistic, logistic, (None, 0, 0)),
    "perceptron": (numpy_perceptron, perceptron, (None, None, 0, 0)),
    "evidence": (numpy_evidence, evidence, (0, 0)),
    "spectrum": (numpy_spectrum, spectrum, (0, None)),
}


def seconds(
    f: Callable[..., Any], args: list[Any], ready: Callable[[Any], Any] = lambda r: r
) -> float:
    """The time of a call, the least of several."""
    for _ in range(3):
        ready(f(*args))
    timer = timeit.Timer(lambda: ready(f(*args)))
    number = max(1, int(0.05 / max(timer.timeit(3) / 3, 1e-7)))
    return min(timer.repeat(7, number)) / number


def one_by_one(slope: Callable[..., Any], axes: tuple[int | None, ...]) -> Callable[..., Any]:
    def loop(*args: Any) -> Any:
        count = next(len(a) for a, axis in zip(args, axes, strict=True) if axis is not None)
        pairs = list(zip(args, axes, strict=True))
        return np.stack(
            [slope(*(a if axis is None else a[i] for a, axis in pairs)) for i in range(count)]
        )

    return loop


def in_jax(name: str, args: list[Any]) -> float | None:
    try:
        import jax
    except ImportError:
        return None
    jax.config.update("jax_enable_x64", True)
    _, maker, axes = MODELS[name]
    f = jax.jit(jax.vmap(jax.grad(maker(jax.numpy)), in_axes=axes))
    given = [jax.numpy.asarray(a) for a in args]
    return seconds(f, given, lambda r: r.block_until_ready())


def measured(name: str, count: int) -> dict[str, float | None]:
    f, _, axes = MODELS[name]
    args = arguments(name, count)
    text = rg.vmap(rg.grad(f), in_axes=axes)
    kernel = rg.vmap(rg.grad(f), in_axes=axes, backend="c")
    loop = one_by_one(rg.grad(f), axes)
    np.testing.assert_allclose(text(*args), loop(*args), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(kernel(*args), loop(*args), rtol=1e-9, atol=1e-12)
    return {
        "text": seconds(text, args),
        "C": seconds(kernel, args),
        "jax": in_jax(name, args),
        "loop": seconds(loop, args),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, action="append", help="examples in a batch")
    asked = parser.parse_args()
    print(f"{'model':12} {'examples':>8} {'text':>10} {'C':>10} {'jax':>10} {'loop':>10}")
    for name in MODELS:
        for count in asked.count or (8, 64, 512):
            found = measured(name, count)
            shown = [f"{t * 1e6:8.1f} us" if t is not None else f"{'':>11}" for t in found.values()]
            print(f"{name:12} {count:8} {' '.join(shown)}")


if __name__ == "__main__":
    main()
