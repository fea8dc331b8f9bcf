"""Defaults, constants, keywords, calls, branches, and functions of packages: C3, C5 to C9, C18, H1, H2."""

from __future__ import annotations

import enum
import functools
import math
from typing import Any

import numpy as np

from tests.written import written

from .judge import Program, case

EPS = np.finfo(float).eps
X = np.array([1.3, 0.4, 2.1, 0.8])


def float_of_numpy(x, eps=EPS):
    return np.sum(x * x + eps)


class Unit(str, enum.Enum):  # noqa: UP042
    METRE = "m"
    FOOT = "ft"


class Kind(enum.Enum):
    LINEAR = 1
    SQUARE = 2


def in_units(x, unit=Unit.METRE):
    return np.sum(x**2) * (1.0 if unit is Unit.METRE else 0.3)


def scaled(x, factor):
    return np.sum(x**2) * factor


PARTIAL = functools.partial(scaled, factor=np.float64(1.5))


def of_a_partial(x):
    return PARTIAL(x) * 2.0


class Model:
    def __init__(self, rate):
        self.rate = rate

    def at(self, x):
        return np.sum(x**2) * self.rate


def with_model(x, model):
    return model.at(x) * 2.0


def with_helper(x):
    return Model(np.float64(1.5)).at(x)


def changing_kind(x):
    kind = Kind.LINEAR
    s = 0.0
    for v in x:
        s = s + (v if kind is Kind.LINEAR else v * v)
        kind = Kind.SQUARE if kind is Kind.LINEAR else Kind.LINEAR
    return s


def keyword_only(x, *, k=2.0):
    return k * x * x


def unbound_otherwise(x):
    if x > 0:
        y = x * x
    return y


def gravity(x, m):
    n = len(x)
    pot = 0.0
    for i in range(n - 1):
        d = x[i + 1 :] - x[i]
        pot -= m[i] * np.sum(m[i + 1 :] / np.sqrt(np.sum(d * d, axis=1) + 1e-3))
    return pot


def made(text: str, name: str = "f") -> Any:
    """A function whose text is written here: linecache knows it, as it knows a file."""

    return written(text, name, math=math)


def terms(n: int) -> Any:
    return made("def f(x, y):\n    return " + " + ".join(f"{k}.5 * x * y" for k in range(n)) + "\n")


def chained_methods(n: int) -> Any:
    return made(f"def f(x):\n    return np.sum(x{'.copy()' * n} ** 2)\n")


def nested_calls(n: int) -> Any:
    return made(f"def f(x):\n    return {'np.sin(' * n}x{')' * n}\n")


def helpers(n: int) -> Any:
    text = "def f0(x):\n    return x * x\n"
    text += "".join(f"def f{k}(x):\n    return f{k - 1}(x) + {k}.0\n" for k in range(1, n))
    return made(text, f"f{n - 1}")


def parameters(n: int) -> Any:
    names = [f"a{k}" for k in range(n)]
    return made(
        f"def f({', '.join(names)}):\n    return {' + '.join(f'{v} * a0' for v in names)}\n"
    )


def branches(n: int) -> Any:
    text = "def f(x):\n    if x > 0.0:\n        y = x\n"
    text += "".join(f"    elif x > -{k}.0:\n        y = {k}.0 * x * x\n" for k in range(1, n))
    return made(text + "    else:\n        y = x\n    return y * y\n")


def early_returns(n: int) -> Any:
    text = "def f(x):\n"
    text += "".join(f"    if x > {n - k}.0:\n        return {k}.0 * x * x\n" for k in range(n))
    return made(text + "    return x\n")


def cases_of_match(n: int) -> Any:
    text = "def f(x, k):\n    match k:\n"
    text += "".join(f"        case {k}:\n            y = {k}.0 * x * x\n" for k in range(n))
    return made(text + "        case _:\n            y = x\n    return y * y\n")


def trigonometric_table(n: int) -> Any:
    """As `moon_position` of astral: a long sum of sines of sums of angles."""
    text = "def f(t):\n    a = 0.3 + 1.1 * t\n    b = 0.7 + 0.2 * t\n    s = 0.0\n"
    for k in range(n):
        text += f"    c{k} = {k % 5} * a + {k % 3} * b\n    s = s + {k}.25 * np.sin(c{k})\n"
    return made(text + "    return s\n")


def jacobi(u, n):
    for _ in range(n):
        v = u.copy()
        v[1:-1, 1:-1, 1:-1] = (
            u[:-2, 1:-1, 1:-1] + u[2:, 1:-1, 1:-1] + u[1:-1, :-2, 1:-1]
            + u[1:-1, 2:, 1:-1] + u[1:-1, 1:-1, :-2] + u[1:-1, 1:-1, 2:]
        ) / 6.0  # fmt: skip
        u = v
    return np.sum(u * u)


PROGRAMS: list[Program] = [
    case("C3 default", float_of_numpy, X),
    case("C3 partial", of_a_partial, X),
    case("C3 attribute", with_model, X, Model(np.float64(1.5))),
    case("C3 object", with_helper, X),
    case("C3 enum default", in_units, X),
    case("C3 enum carried", changing_kind, X),
    case("C5 without a back end", keyword_only, 1.0),
    case("C6 without a back end", unbound_otherwise, 1.5),
    case("C7 terms", terms(100), 1.5, 0.7),
    case("C7 methods", chained_methods(150), X),
    case("C7 calls", nested_calls(160), 1.5),
    case("C7 helpers", helpers(56), 1.5),
    case("C7 parameters", parameters(60), *[1.5] * 60),
    case("C8 elif", branches(40), -20.5),
    case("C8 returns", early_returns(40), 20.5),
    case("C8 cases", cases_of_match(40), 1.5, 30),
    case("C9", gravity, np.random.default_rng(3).normal(size=(4, 3)), np.ones(4)),
    case("H1", trigonometric_table(50), 1.3),
    case("H2", jacobi, np.random.default_rng(3).normal(size=(4, 4, 4)), 2),
]
