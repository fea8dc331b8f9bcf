"""Functions of all kinds, and everything public that is made of one: what goes into pickles in `test_sent`."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

import retrograd as rg

__all__ = ["APART", "KINDS", "MADE", "WITHOUT_NAMES", "X", "answer", "equal", "rows"]

X = np.array([1.0, 2.0, 3.0])
TABLE = {"scale": np.array([1.0, 2.0, 1.0])}


def cubes(x: Any) -> Any:
    return np.sum(x**3)


def reads_the_module(x: Any) -> Any:
    return np.sum(TABLE["scale"] * x**3)


@rg.differentiate
def decorated(x: Any) -> Any:
    return np.sum(x**3)


@rg.differentiate(backend="c", check=None)
def in_c(x: Any) -> Any:
    return np.sum(x**3)


@rg.custom_gradient
def custom(x: Any) -> Any:
    return np.sum(x**3)


@custom.jvp
def custom_jvp(z: Any, x: Any, dx: Any) -> Any:
    return np.sum(3 * x**2 * dx)


@rg.differentiate(checkpoint="elementwise")
def recomputed(x: Any) -> Any:
    return np.sum(x**3)


class Net:
    def __init__(self) -> None:
        self.k = np.array([1.0, 2.0, 3.0])

    def plain(self, x: Any) -> Any:
        return np.sum(self.k * x**3)

    @rg.differentiate
    def loss(self, x: Any) -> Any:
        return np.sum(self.k * x**3)

    @staticmethod
    def fixed(x: Any) -> Any:
        return np.sum(x**3)

    @classmethod
    def of_class(cls, x: Any) -> Any:
        return np.sum(x**3)

    def __call__(self, x: Any) -> Any:
        return np.sum(self.k * x**3)


def scaled(k: float, x: Any) -> Any:
    return k * np.sum(x**3)


def closure(k: float) -> Callable[[Any], Any]:
    def inner(x: Any) -> Any:
        return k * np.sum(x**3)

    return inner


NET = Net()
KINDS: dict[str, Any] = {
    "function": cubes,
    "reads the module": reads_the_module,
    "method": NET.plain,
    "static method": Net.fixed,
    "class method": NET.of_class,
    "object that is called": NET,
    "partial": functools.partial(scaled, 2.0),
    "decorated": decorated,
    "decorated, in C": in_c,
    "decorated method": NET.loss,
    "with a derivative of its own": custom,
    "checkpointed": recomputed,
    "of a library": np.linalg.norm,
}
WITHOUT_NAMES = {
    "lambda": lambda x: np.sum(x**3),
    "closure": closure(2.0),
}  # cloudpickle takes them

Row = tuple[Callable[[Any], Any], Callable[[Any], Any]]
AT_X: Callable[[Any], Any] = lambda made: made(X)
ROWS = np.stack([X, 2 * X])
AT_ROWS: Callable[[Any], Any] = lambda made: made(ROWS)
MADE: dict[str, dict[str, Row]] = {
    "grad": {
        "grad": (rg.grad, AT_X),
        "grad in C": (lambda f: rg.grad(f, backend="c"), AT_X),
        "grad of wrt": (lambda f: rg.grad(f, (0,)), AT_X),
    },
    "value_and_grad": {"value_and_grad": (rg.value_and_grad, AT_X)},
    "jacobian": {
        "jacobian": (rg.jacobian, AT_X),
        "jacobian of grad": (lambda f: rg.jacobian(rg.grad(f)), AT_X),
        "sparse jacobian": (lambda f: rg.jacobian(rg.grad(f), sparse=True), AT_X),
    },
    "hessian": {
        "hessian": (rg.hessian, AT_X),
        "jacobian of hessian": (lambda f: rg.jacobian(rg.hessian(f)), AT_X),
    },
    "hvp": {"hvp": (lambda f: functools.partial(rg.hvp, f), lambda made: made((X,), X))},
    "jvp": {"jvp": (lambda f: functools.partial(rg.jvp, f), lambda made: made((X,), (X,)))},
    "vjp": {
        "vjp": (lambda f: functools.partial(rg.vjp, f), lambda made: made(X)[1](2.0)),
        "pullback": (lambda f: rg.vjp(f, X)[1], lambda made: made(2.0)),
        "pullback in C": (lambda f: rg.vjp(f, X, backend="c")[1], lambda made: made(2.0)),
        "pullback of wrt": (lambda f: rg.vjp(f, X, wrt=(0,))[1], lambda made: made(2.0)),
    },
    "vmap": {
        "vmap": (rg.vmap, AT_ROWS),
        "vmap of grad": (lambda f: rg.vmap(rg.grad(f)), AT_ROWS),
        "vmap in C": (lambda f: rg.vmap(rg.grad(f), backend="c"), AT_ROWS),
        "vmap of hessian": (lambda f: rg.vmap(rg.hessian(f)), AT_ROWS),
        "vmap of vmap": (lambda f: rg.vmap(rg.vmap(f)), lambda made: made(ROWS[None])),
        "vmap along columns": (lambda f: rg.vmap(f, 1), lambda made: made(ROWS.T)),
        "jacobian of vmap": (lambda f: rg.jacobian(rg.vmap(f)), AT_ROWS),
    },
    "linearize": {"tangent": (lambda f: rg.linearize(f, X)[1], AT_X)},
    "precompile": {"precompiled": (lambda f: rg.precompile(rg.grad(f), (X,)), AT_X)},
    "differentiate": {
        "differentiate": (lambda f: f, AT_X),
        ".grad": (lambda f: f.grad, AT_X),
        ".value_and_grad": (lambda f: f.value_and_grad, AT_X),
        ".jacobian": (lambda f: f.jacobian, AT_X),
        ".hessian": (lambda f: f.hessian, AT_X),
        ".jvp": (lambda f: f.jvp, lambda made: made((X,), (X,))),
        ".hvp": (lambda f: f.hvp, lambda made: made((X,), X)),
        ".vjp": (lambda f: f.vjp, lambda made: made(X)[1](2.0)),
        ".linearize": (lambda f: f.linearize, lambda made: made(X)[1](X)),
        ".source": (lambda f: f.source, lambda made: made("grad", X)),
        ".explain": (lambda f: f.explain, lambda made: str(made(X))),
    },
}
APART = {  # public, and nothing of a function that somebody could send
    "GradientMismatch": "an error", "NonFiniteError": "an error", "RetrogradError": "an error",
    "errors": "a module", "Implicit": "says how", "Unrolled": "says how", "__version__": "a text",
    "argmin": "gives a value", "fixed_point": "gives a value", "linear_solve": "gives a value",
    "root": "gives a value", "check_grads": "raises or not", "stop_gradient": "gives a value",
    "on_gradient": "gives a value", "checkpoint": "gives a value",
    "checkpointed": "a loop", "custom_gradient": "a kind of function",
    "finite_differences": "a kind of function", "rule": "a kind of function",
    "register_container": "a registry", "empty_cache": "of a process", "get_check": "of a process",
    "set_check": "of a process", "get_fallback": "of a process", "set_fallback": "of a process",
    "get_num_threads": "of a process", "set_num_threads": "of a process",
}  # fmt: skip


def rows(kind: str) -> dict[str, Row]:
    """What is made of functions of this kind: methods of derivatives, of those that are decorated."""
    f = {**KINDS, **WITHOUT_NAMES}[kind]
    found = {name: row for group in MADE.values() for name, row in group.items()}
    has_methods = getattr(type(f), "__name__", "").endswith("Differentiable")
    found = {n: row for n, row in found.items() if has_methods or not n.startswith(".")}
    if kind == "with a derivative of its own":  # which has no sweep of many directions
        found = {n: row for n, row in found.items() if n != "jacobian of vmap"}
    if kind == "of a library":  # it has no sparse pattern and no way back in C
        found = {
            n: row for n, row in found.items() if n not in ("sparse jacobian", "pullback in C")
        }
    return found


def answer(name: str, made: Any) -> Any:
    row = next(group[name] for group in MADE.values() if name in group)
    return row[1](made)


def equal(a: Any, b: Any) -> bool:
    """The same bits."""
    if isinstance(a, tuple):
        return len(a) == len(b) and all(map(equal, a, b))
    if hasattr(a, "toarray"):
        a, b = a.toarray(), b.toarray()
    return bool(np.array_equal(a, b)) and type(a) is type(b)
