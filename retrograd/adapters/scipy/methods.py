"""What SciPy's methods ask of a function besides its values.

Facts of `scipy.optimize` and `scipy.integrate`, measured by ``tests/adapters/test_scipy_methods.py``: a method that is
given what it does not use warns, or ends with an error.
"""

from __future__ import annotations

from typing import Any

__all__ = ["INITIAL_VALUES", "MINIMIZE", "ROOT", "asked"]

GRADIENT = frozenset({"jac"})
PRODUCTS = frozenset({"jac", "hess", "hessp"})
MATRIX = frozenset({"jac", "hess"})
NOTHING: frozenset[str] = frozenset()

MINIMIZE = {
    "nelder-mead": NOTHING, "powell": NOTHING, "cobyla": NOTHING, "cobyqa": NOTHING,
    "cg": GRADIENT, "bfgs": GRADIENT, "l-bfgs-b": GRADIENT, "tnc": GRADIENT, "slsqp": GRADIENT,
    "newton-cg": PRODUCTS, "trust-ncg": PRODUCTS, "trust-krylov": PRODUCTS, "trust-constr": PRODUCTS,
    "dogleg": MATRIX, "trust-exact": MATRIX,
}  # fmt: skip
ROOT = {
    "hybr": GRADIENT, "lm": GRADIENT, "broyden1": NOTHING, "broyden2": NOTHING, "anderson": NOTHING,
    "linearmixing": NOTHING, "diagbroyden": NOTHING, "excitingmixing": NOTHING, "krylov": NOTHING, "df-sane": NOTHING,
}  # fmt: skip
INITIAL_VALUES = {
    "rk23": NOTHING, "rk45": NOTHING, "dop853": NOTHING, "radau": GRADIENT, "bdf": GRADIENT, "lsoda": GRADIENT,
}  # fmt: skip


def asked(methods: dict[str, frozenset[str]], method: Any, default: str) -> frozenset[str]:
    """What a method takes; one of the user's own is given all that there is, and an unknown name is SciPy's to refuse."""
    name = default if method is None else method
    if isinstance(name, str):
        return methods.get(name.lower(), NOTHING)
    own = getattr(name, "__name__", "").lower()
    return methods.get(own, frozenset().union(*methods.values()))
