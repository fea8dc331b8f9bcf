"""Every kernel's derivatives, in every mode and on every back end, against differences and each other."""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import retrograd as rg
from benchmarks.kernels.kernel import Kernel
from benchmarks.kernels.time_limit import at_most
from benchmarks.problem import over

__all__ = ["MODES", "Verdict", "graded", "weighted"]

Arrays = tuple[Any, ...]
LONGEST = 120  # seconds that a mode may take, with its compiler


@dataclass(frozen=True)
class Verdict:
    """What came of a mode: right, wrong or refused, and how far it is off."""

    kernel: str
    mode: str
    outcome: str
    detail: str = ""
    seconds: float = 0.0

    def __str__(self) -> str:
        return f"{self.outcome} {self.detail}".strip()


def weighing(x):  # type: ignore[no-untyped-def]
    """A sum in which every element has a weight of its own: no two derivatives are alike."""
    return np.sum(x * np.cos(1.0 + np.arange(x.size)).reshape(x.shape))


def weighted(kernel: Kernel) -> Callable[..., Any]:
    """The kernel's loss with weighted sums in place of its sums."""
    return over(np, kernel.loss, total=weighing)


@dataclass(frozen=True)
class Case:
    """A weighted loss at a place, with a direction, and what differences say there."""

    kernel: Kernel
    loss: Callable[..., Any]
    arguments: Arrays
    direction: Arrays

    def given(self, t: float = 0.0) -> Arrays:
        """Fresh arguments, moved along the direction."""
        made = [copy.copy(x) for x in self.arguments]
        for i, d in zip(self.kernel.wrt, self.direction, strict=True):
            made[i] = made[i] + t * d
        return tuple(made)

    def along(self, gradients: Any) -> float:
        """The derivative along the direction, from a gradient."""
        parts = gradients if isinstance(gradients, tuple) else (gradients,)
        return float(sum(np.sum(g * d) for g, d in zip(parts, self.direction, strict=True)))


def case(kernel: Kernel, size: str, seed: int) -> Case:
    arguments = kernel.made(size, seed)
    rng = np.random.default_rng(seed + 1)
    direction = tuple(rng.normal(size=np.shape(arguments[i])) for i in kernel.wrt)
    if kernel.symmetric:
        direction = tuple(d + d.T for d in direction)
    return Case(kernel, weighted(kernel), arguments, direction)


def differences(function: Callable[[float], Any], h: float) -> Any:
    """A derivative at 0, to the fourth order."""
    return (8 * (function(h) - function(-h)) - (function(2 * h) - function(-2 * h))) / (12 * h)


def slope(of: Case) -> float:
    return float(differences(lambda t: of.loss(*of.given(t)), 1e-4))


def off(found: Any, wanted: Any) -> float:
    """The distance, relative to the largest entry."""
    pairs = list(zip(parts(found), parts(wanted), strict=True))
    if any(np.shape(a) != np.shape(b) for a, b in pairs):
        return float("inf")
    largest = max([float(np.max(np.abs(b), initial=0.0)) for _, b in pairs])
    return max(float(np.max(np.abs(a - b), initial=0.0)) for a, b in pairs) / (1e-9 + largest)


def parts(x: Any) -> list[Any]:
    return [np.asarray(part) for part in x] if isinstance(x, tuple) else [np.asarray(x)]


def text_gradient(of: Case) -> Any:
    return rg.grad(of.loss, of.kernel.wrt)(*of.given())


def grad(of: Case) -> float:
    """The gradient along a direction, against differences."""
    return off(of.along(text_gradient(of)), slope(of))


def value_and_grad(of: Case, **options: Any) -> float:
    """Value and gradient, against the function and the gradient alone."""
    value, gradients = rg.value_and_grad(of.loss, of.kernel.wrt, **options)(*of.given())
    return max(off(value, of.loss(*of.given())), off(gradients, text_gradient(of)))


def jvp(of: Case) -> float:
    """Forward mode against differences."""
    moved = dict(zip(of.kernel.wrt, of.direction, strict=True))
    given = of.given()
    value, tangent = rg.jvp(of.loss, given, [moved.get(i) for i in range(len(given))])
    return max(off(value, of.loss(*of.given())), off(tangent, slope(of)))


def vjp(of: Case) -> float:
    """The pullback of 2 against the gradient."""
    _, pullback = rg.vjp(of.loss, *of.given(), wrt=of.kernel.wrt)
    return off(pullback(2.0), tuple(2.0 * g for g in text_gradient(of)))


def hvp(of: Case) -> float:
    """A Hessian's product against differences of gradients."""
    gradient = rg.grad(of.loss, of.kernel.wrt)
    product = rg.hvp(of.loss, of.given(), of.direction, wrt=of.kernel.wrt)
    wanted = tuple(
        differences(lambda t, i=i: parts(gradient(*of.given(t)))[i], 1e-4)  # type: ignore[misc]
        for i in range(len(of.direction))
    )
    scale = max(float(np.max(np.abs(g), initial=0.0)) for g in parts(gradient(*of.given())))
    largest = max(float(np.max(np.abs(w), initial=0.0)) for w in wanted)
    return off(product, wanted) * largest / (largest + 1e-3 * scale)


def c(of: Case) -> float:
    return value_and_grad(of, backend="c")


def numba(of: Case) -> float:
    return value_and_grad(of, backend="numba")


# How far each may be off: differences are right to some eight digits, texts to rounding.
MODES: dict[str, tuple[Callable[[Case], float], float]] = {
    "grad": (grad, 1e-6),
    "value_and_grad": (value_and_grad, 1e-9),
    "jvp": (jvp, 1e-6),
    "vjp": (vjp, 1e-9),
    "hvp": (hvp, 1e-5),
    "c": (c, 1e-8),
    "numba": (numba, 1e-8),
}


def graded(
    kernel: Kernel, modes: Sequence[str] = tuple(MODES), size: str = "tiny", seed: int = 0
) -> list[Verdict]:
    """A verdict for each mode; an error is a verdict, too."""
    of = case(kernel, size, seed)
    return [verdict(of, mode) for mode in modes]


def verdict(of: Case, mode: str) -> Verdict:
    judge, tolerance = MODES[mode]
    start = time.perf_counter()
    try:
        distance = at_most(LONGEST, lambda: judge(of))
    except Exception as error:  # a mode that fails is a result, not the end of the run
        said = f"{type(error).__name__}: {str(error).partition(chr(10))[0]}"
        return Verdict(of.kernel.name, mode, "refused", said, time.perf_counter() - start)
    outcome = "right" if distance <= tolerance else "WRONG"
    detail = "" if outcome == "right" else f"{distance:.1e}"
    return Verdict(of.kernel.name, mode, outcome, detail, time.perf_counter() - start)
