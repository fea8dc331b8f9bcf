"""Operators on the tape ask whom Python and NumPy ask: every one, with objects of the user's on either side.

``python -m tests.runtime.test_tape_operators`` runs the whole table, with a number after it every so manieth case.
"""

from __future__ import annotations

import itertools
import operator
import sys
from typing import Any

import numpy as np
import pytest

from retrograd.runtime.errors import TapeError
from retrograd.runtime.tape.calls import pushed, taped

K = 1.7
OPERATORS = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "truediv": operator.truediv, "pow": operator.pow,
    "mod": operator.mod, "floordiv": operator.floordiv, "matmul": operator.matmul, "divmod": divmod,
    "lt": operator.lt, "ge": operator.ge, "eq": operator.eq, "ne": operator.ne, "iadd": operator.iadd,
    "imul": operator.imul, "itruediv": operator.itruediv, "ipow": operator.ipow,
}  # fmt: skip
COMPARES = {"lt", "le", "gt", "ge", "eq", "ne"}
MIRROR = {"lt": "gt", "gt": "lt", "le": "ge", "ge": "le", "eq": "eq", "ne": "ne"}


def forward(self: Any, other: Any) -> Any:
    return 3.0 * other + K


def reflected(self: Any, other: Any) -> Any:
    return other * other * K + 5.0


def updating(self: Any, other: Any) -> Any:
    return other * 11.0


def leaving(self: Any, other: Any) -> Any:
    return NotImplemented


def asked(self: Any, ufunc: Any, method: str, *args: Any, **kwargs: Any) -> Any:
    mine = [a for a in args if not isinstance(a, type(self))]
    return np.sin(mine[0]) * (2.0 if args[0] is self else 7.0)


METHODS = {
    "forward": (forward, None, None), "reflected": (None, reflected, None), "both": (forward, reflected, None),
    "all": (forward, reflected, updating), "leaving": (leaving, leaving, leaving), "leaving forward": (leaving, reflected, None),
    "none": (None, None, None),
}  # fmt: skip
ABOUT: dict[str, dict[str, Any]] = {
    "plain": {}, "priority": {"__array_priority__": 10.0}, "low": {"__array_priority__": -5.0},
    "no ufuncs": {"__array_ufunc__": None}, "ufuncs": {"__array_ufunc__": asked},
}  # fmt: skip
BASES: dict[str, Any] = {"object": object, "float": float, "int": int}
STARTS: dict[str, Any] = {
    "float": 1.3, "float64": np.float64(1.3), "array": np.array([1.3, -0.43, 2.2]), "0-d": np.array(1.3),
}  # fmt: skip


def object_of(name: str, methods: str, about: str, base: str) -> Any:
    """An object with some of the methods of one operator."""
    own: dict[str, Any] = dict(ABOUT[about])
    bare = name[1:] if name[0] == "i" and name[1:] in OPERATORS else name
    ahead, back, update = METHODS[methods]
    if ahead:
        own[f"__{bare}__"] = ahead
    if back:
        own[f"__{MIRROR[bare]}__" if bare in MIRROR else f"__r{bare}__"] = back
    if update:
        own[f"__i{bare}__"] = update
    if bare == "eq":
        own["__hash__"] = None
    kind = type("Thing", (BASES[base],), own)
    return kind() if base == "object" else kind(2)


def total(value: Any) -> Any:
    """A number of any result."""
    if isinstance(value, tuple):
        return sum(total(v) * (k + 1) for k, v in enumerate(value))
    if isinstance(value, np.ndarray) and value.dtype == object:
        return sum(total(v) * (k + 1) for k, v in enumerate(value.ravel().tolist()))
    if isinstance(value, (bool, np.bool_)) or value is NotImplemented:
        return float(value)
    return np.sum(value * np.arange(1.0, 1.0 + np.size(value)).reshape(np.shape(value)))


def outcome(name: str, methods: str, about: str, base: str, start: str, side: str) -> str:
    op, x = OPERATORS[name], STARTS[start]
    thing = object_of(name, methods, about, base)

    def f(x: Any) -> Any:
        y = x * 1.0
        return total(op(y, thing) if side == "left" else op(thing, y)) + np.sum(y)

    def plain(x: Any) -> Any:
        return f(x)

    what = f"{name} {methods} {about} {base} {start} {side}"
    try:
        with np.errstate(all="ignore"):
            value = plain(x)
            h = 1e-6
            units = (
                [h * u for u in np.eye(np.size(x)).reshape(-1, *np.shape(x))] if np.ndim(x) else [h]
            )
            slope = np.reshape(
                [(plain(x + u) - plain(x - u)) / (2 * h) for u in units], np.shape(x)
            )
    except (TypeError, ValueError, ZeroDivisionError):
        with (
            np.errstate(all="ignore"),
            pytest.raises((TypeError, ValueError, ZeroDivisionError, TapeError)),
        ):
            taped(f, x)
        return "raises"
    if not np.isrealobj(value) or not np.isfinite(value):
        return "discarded"
    try:
        with np.errstate(all="ignore"):
            found, pull = taped(f, x)
            gradient = pull(1.0)
            tangent = pushed(f, (np.ones(np.shape(x)) if np.ndim(x) else 1.0,), x)[1]
    except TapeError:
        return "refused"
    assert found == value, (what, found, value)
    np.testing.assert_allclose(gradient, slope, rtol=1e-5, atol=1e-5, err_msg=what)
    np.testing.assert_allclose(tangent, np.sum(slope), rtol=1e-5, atol=1e-5, err_msg=what)
    return "ok"


TABLE = list(itertools.product(OPERATORS, METHODS, ABOUT, BASES, STARTS, ("left", "right")))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", OPERATORS)
def test_operators(name: str) -> None:
    cases = [c for c in TABLE if c[0] == name]
    found = [outcome(*case) for case in cases[:: 5 if name in ("mul", "iadd") else 17]]
    assert found.count("refused") <= len(found) // 4, found
    assert found.count("ok") + found.count("raises") >= len(found) // 3


if __name__ == "__main__":
    import warnings

    warnings.simplefilter("ignore")
    counts: dict[str, int] = {}
    for case in TABLE[:: int(sys.argv[1]) if len(sys.argv) > 1 else 1]:
        try:
            verdict = outcome(*case)
        except BaseException as error:
            verdict = (
                "WRONG" if isinstance(error, AssertionError) else f"CRASH {type(error).__name__}"
            )
            if counts.get(verdict, 0) < 12:
                print(case, verdict, str(error)[:300].replace("\n", " "))
        counts[verdict] = counts.get(verdict, 0) + 1
    print(counts)
