"""Right derivatives at points that are no generic ones: ``python -m tests.sweeps.degenerate_points``.

Expressions x shapes x precisions x points (ties, zeros, constants, large numbers) x modes, each checked
in every call: none may be taken for a wrong one.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

import retrograd as rg
from retrograd.runtime.errors import GradientMismatch, InternalError, RetrogradError
from tests.written import written

__all__ = ["Case", "cases", "outcome"]

EXPRESSIONS = (
    "np.sum(np.tanh(x @ x.T))",
    "np.sum(np.log1p(np.exp(x)))",
    "np.linalg.slogdet(x @ x.T + np.eye(len(x)))[1]",
    "np.sum(np.linalg.solve(x @ x.T + np.eye(len(x)), x))",
    "np.sum(np.linalg.inv(x @ x.T + 0.1*np.eye(len(x))))",
    "np.sum(np.exp(-0.5*np.sum((x[:,None]-x[None])**2,-1)))",
    "np.sum(np.linalg.cholesky(x @ x.T + np.eye(len(x))))",
    "np.sum(np.linalg.svd(x, compute_uv=False))",
    "np.sum(np.linalg.eigvalsh(x @ x.T)[-1])",
    "np.mean(x**2) - np.mean(x)**2",
    "np.std(x) + np.var(x, axis=0).sum()",
    "np.sum(np.fft.rfft(x).real**2)",
    "np.sum(np.abs(np.fft.fft(x)))",
    "np.sum(np.cumsum(x, axis=0)**2)",
    "np.sum(np.cumprod(1+0.1*x, axis=0))",
    "np.sum(np.prod(x, axis=1))",
    "np.sum(np.sqrt(np.abs(x)))",
    "np.sum(np.sort(x, axis=0)[::2]**2)",
    "np.sum(np.maximum(x, 0) ** 2)",
    "np.sum(np.clip(x, -0.5, 0.5)*x)",
    "np.sum(np.where(x > 0, x, 0.01*x) * np.arange(x.shape[1]))",
    "np.max(np.abs(x))",
    "np.sum(np.interp(x, np.linspace(-3, 3, 7), np.linspace(0, 1, 7)**2))",
    "np.sum(np.floor(x*3)*x)",
    "np.sum(np.round(x, 1)*x)",
    "np.sum(np.arctan2(x, 1+x**2))",
    "np.sum(x/np.linalg.norm(x, axis=1, keepdims=True))",
    "np.sum(np.exp(x - x.max(1, keepdims=True))/np.sum(np.exp(x-x.max(1, keepdims=True)),1,keepdims=True)*np.arange(x.shape[1]))",
    "-np.mean(np.log(np.exp(x)/np.sum(np.exp(x),1,keepdims=True))[:,0])",
    "np.sum(np.convolve(x[0], x[1 % len(x)]))",
    "np.sum(np.median(x, axis=0))",
    "np.sum(np.percentile(x, 30, axis=0))",
    "np.sum(np.diff(x, axis=1)**2)",
    "np.linalg.norm(x, 2) if min(x.shape) > 1 else np.sum(x)",
    "np.linalg.det(x[:2,:2]) if min(x.shape) > 1 else np.sum(x)",
    "np.sum(np.sinc(x))",
    "np.sum(x**3 - 2*x**2 + x)*1e-20",
    "np.sum(x*1e20)**2",
    "np.sum(1e5 + x)",
    "np.sum(np.exp(20*x))",
    "np.sum(np.log(np.abs(x)))",
    "np.sum(np.sin(100*x))",
    "np.sum(np.sin(1e4*x))",
    "np.trapezoid(x[0]**2, dx=0.1)",
    "np.sum(np.logaddexp(x, -x))",
    "np.corrcoef(x)[0, -1]",
    "np.sum(np.cov(x))",
    "np.einsum('ij,kj->', x, np.tanh(x))",
    "np.sum(np.matmul(x.T, x) @ x.T)",
)
SHAPES = (4, 3), (30, 30), (7, 1)
POINTS: dict[str, Callable[[Any, tuple[int, int]], Any]] = {
    "random": lambda rng, shape: rng.normal(size=shape),
    "whole": lambda rng, shape: rng.integers(-2, 3, shape),
    "zeros": lambda rng, shape: np.zeros(shape),
    "constant": lambda rng, shape: np.full(shape, 0.7),
    "large": lambda rng, shape: 30 * rng.normal(size=shape),
}
MODES: dict[str, Callable[[Any, Any, Any], Any]] = {
    "gradient": lambda f, x, v: rg.grad(f)(x),
    "tangent": lambda f, x, v: rg.jvp(f, (x,), (v,)),
    "second": lambda f, x, v: rg.hvp(f, (x,), v),
}
# All eigenvalues are zero: the largest is |x|^2, and its vector, which the gradient reads, has no derivative.
KNOWN = {("np.sum(np.linalg.eigvalsh(x @ x.T)[-1])", (7, 1), "zeros", "second")}


class Case(NamedTuple):
    expression: str
    shape: tuple[int, int]
    point: str
    dtype: str
    mode: str

    def is_known(self) -> bool:
        return (self.expression, self.shape, self.point, self.mode) in KNOWN


def cases() -> Iterator[Case]:
    for text in EXPRESSIONS:
        for shape in SHAPES:
            for point in POINTS:
                for dtype in ("f8", "f4"):
                    yield from (Case(text, shape, point, dtype, mode) for mode in MODES)


def outcome(case: Case, seed: int = 0) -> tuple[str, str]:
    """``fine``, ``alarm``, ``refused`` or ``crashed``, and what was said."""
    rng = np.random.default_rng(seed)
    x = np.asarray(POINTS[case.point](rng, case.shape), case.dtype)
    v = np.cos(np.arange(x.size)).reshape(x.shape).astype(case.dtype)
    f = written(f"def f(x):\n    return {case.expression}\n")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            MODES[case.mode](rg.differentiate(check="always")(f), x, v)
    except GradientMismatch as error:
        return "alarm", str(error).splitlines()[0]
    except InternalError as error:
        return "crashed", str(error)
    except RetrogradError as error:
        return "refused", str(error)
    except Exception as error:  # the function's own: a matrix that has no inverse
        return "raised", str(error)
    return "fine", ""


def main() -> int:
    counts: Counter[str] = Counter()
    failed = 0
    for seed in range(3):
        for case in cases():
            found, why = outcome(case, seed)
            counts[found] += 1
            if found in ("alarm", "crashed") and not case.is_known():
                failed += 1
                print(*case, seed, found, why, flush=True)
    print(dict(counts))
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
