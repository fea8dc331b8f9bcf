"""Spelling, cost and neutral element of the scalar operations of the loop IR."""

from __future__ import annotations

from retrograd.runtime.records import dataclass

__all__ = ["ScalarOperation", "scalar_operation"]

FUNCTION = 8.0  # operations of a function of the inline math


@dataclass(frozen=True)
class ScalarOperation:
    """One operation on numbers, called by the name of its ufunc."""

    infix: str | None = None  # the operator of C, and mostly of Python
    cost: float = 1.0  # in additions
    inline: bool = False  # a function of the inline math: much faster in vectors than one by one
    near: bool = False  # has a version for arguments that are not huge
    slow: bool = False  # worth computing once, where several loops read it
    cheap: bool = False  # computed again rather than kept
    complex: bool = False  # of complex numbers, too
    partial: bool = (
        False  # of whole numbers: not to be computed in vain, where it may have no value
    )
    identity: float | None = None  # where numbers are accumulated: what nothing comes to


SCALARS = {
    "add": ScalarOperation("+", cheap=True, identity=0.0, complex=True),
    "subtract": ScalarOperation("-", cheap=True, complex=True),
    "multiply": ScalarOperation("*", cheap=True, identity=1.0, complex=True),
    "divide": ScalarOperation("/", cost=4.0, slow=True, complex=True),
    "negative": ScalarOperation(cheap=True, complex=True),
    "sqrt": ScalarOperation(cost=4.0, slow=True, complex=True),
    "imul": ScalarOperation(partial=True),
    "remainder": ScalarOperation(cost=20.0, partial=True),
    "floor_divide": ScalarOperation(cost=20.0, partial=True),
    "maximum": ScalarOperation(identity=-float("inf")),
    "minimum": ScalarOperation(identity=float("inf")),
    "greater": ScalarOperation(">"),
    "greater_equal": ScalarOperation(">="),
    "less": ScalarOperation("<"),
    "less_equal": ScalarOperation("<="),
    "equal": ScalarOperation("==", complex=True),
    "not_equal": ScalarOperation("!=", complex=True),
    "logical_and": ScalarOperation("&&"),
    "logical_or": ScalarOperation("||"),
    "sin": ScalarOperation(cost=FUNCTION, inline=True, near=True, complex=True),
    "cos": ScalarOperation(cost=FUNCTION, inline=True, near=True, complex=True),
    "tan": ScalarOperation(cost=FUNCTION, inline=True, near=True),
} | {
    name: ScalarOperation(cost=FUNCTION, inline=True)
    for name in (
        "expm1", "exp2", "log1p", "log2", "log10", "erf",
        "erfc", "logaddexp", "arctan", "arcsin", "arccos", "arctan2", "hypot", "cbrt", "sigmoid", "arcsinh",
        "arccosh", "arctanh", "sin_near", "cos_near", "tan_near",
    )
}  # fmt: skip
SCALARS |= {
    name: ScalarOperation(cost=FUNCTION, inline=True, complex=True)
    for name in ("cosh", "exp", "log", "power", "sinh", "tanh")
}
SCALARS |= {
    name: ScalarOperation(complex=True)
    for name in (
        "absolute",
        "cast",
        "complex",
        "conjugate",
        "imag",
        "real",
        "sign",
        "square",
        "where",
        "positive",
        "reciprocal",
    )
}
SCALARS |= {
    name: ScalarOperation(cost=4 * FUNCTION, slow=True)
    for name in ("gamma", "gammaln", "digamma", "trigamma")
}
OTHER = ScalarOperation()


def scalar_operation(name: str) -> ScalarOperation:
    """The entry of an operation; by default it costs as much as an addition."""
    return SCALARS.get(name, OTHER)
