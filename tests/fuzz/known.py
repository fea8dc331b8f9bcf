"""Branches by what is known at the call: ``python -m tests.fuzz.known COUNT FIRST``.

A program takes one entry of each table, as those of `counted` do; one derivative of it is called with several
values in turn, and each time held against differences: no value reaches what was made for another.
"""

from __future__ import annotations

import enum
import sys
import textwrap
import warnings
from collections import Counter
from typing import Any

import numpy as np

import retrograd as rg
from retrograd.runtime.errors import InternalError, RetrogradError
from tests.written import namespace

from .run import prepared

__all__ = ["judged", "program"]


class Mode(enum.Enum):
    FAST = 1
    EXACT = 2


class Layer:
    def __init__(self, act: str, order: int) -> None:
        self.act, self.order = act, order


X, S, R0 = np.array([1.3, 0.4, 2.1]), 0.7, np.array(0.7)
TESTS: tuple[tuple[str, tuple[Any, ...]], ...] = (  # the values of k, and of x where None stands first
    ("k.lower() == 'linear'", ("linear", "Linear", "cubic")),
    ("k in ('a', 'b') or k.startswith('c')", ("a", "cab", "x")),
    ("len(k.split('-')) == 2 and k[0] != 'x'", ("a-b", "x-b", "a")),
    ("set(k) <= {'a', 'b'}", ("ab", "abc")),
    ("k", (True, False)),
    ("not k and k is not None", (False, True, None)),
    ("k == 2", (2, 3, -2)),
    ("1 < k + 1 < 4", (0, 1, 2, 9)),
    ("k % 2 == 0 and k > 0", (2, 3, -2)),
    ("k is k.FAST", tuple(Mode)),
    ("k.name in ('FAST', 'SLOW')", tuple(Mode)),
    ("k['act'].upper() == 'A' and k['n'] < 3", ({"act": "a", "n": 1}, {"act": "b", "n": 1}, {"act": "a", "n": 5})),
    ("k.act.endswith('h') or k.order == 2", (Layer("tanh", 1), Layer("relu", 2), Layer("relu", 1))),
    ("len(k) == 2", ((1.0, 2.0), (1.0,), [1.0, 2.0])),
    ("isinstance(k, (int, float))", (1, 1.5, "a", np.float64(2.0), np.array(2.0), None)),
    ("isinstance(k, Mapping)", ({"a": 1.0}, [1.0], X)),
    ("np.ndim(k) == 1", (X, 1.0, np.ones((2, 2)), np.float64(1.0))),
    ("type(k) is float or hasattr(k, 'upper')", (1.0, 1, "a", X)),
    ("callable(k)", (float, 1.0, "a")),
    ("np.issubdtype(np.asarray(k).dtype, np.integer)", (np.arange(3), X, np.float64(1.0))),
    ("k is np.float64", (np.float64, np.float32)),
    ("k is None or np.isscalar(k)", (None, 2.0, X, "a")),
    ("NAMED.get(k, 0) == 1", ("one", "two", "three")),
    ("FLAG and k in NAMES", ("one", "four")),
    ("f'{k}:{k!r}' == '2:2'", (2, 3)),
    ("str(k)[-1] in '02468'", (12, 13)),
)  # fmt: skip
FORMS = (
    "if {t}:\n    r = {a}\nelse:\n    r = {b}\nreturn end(r[1] if {t} else r)",
    "if {t}:\n    r = {a}\n    return end(r[1])\nr = {b}\nreturn end(r)",
    "if not ({t}):\n    return end({b})\nr = {a}\nreturn end(r[1]) * 2.0",
    "r = {a} if {t} else {b}\nreturn end(r[-1] if {t} else r)",
    "r = choose(x, k)\nreturn end(r[1]) if {t} else end(r)",
    "r = {b}\nfor i in range(2):\n    r = r * x\nif {t}:\n    r = {a}\nreturn end(r[1] if {t} else r)",
    "f = (lambda v: {a}[1]) if {t} else (lambda v: {b})\nreturn end(f(x))",
    "def inner(v):\n    return {a} if {t} else {b}\nreturn end(inner(x)[1] if {t} else inner(x))",
    "flag = {t}\nother = not flag\nr = {b} if other else {a}\nif flag:\n    r = r[1]\nreturn end(r)",
    "y = x * 1.0\ntry:\n    y.label = 'y'\nexcept AttributeError:\n    y = x\nr = {a} if {t} else {b}\n"
    "return end(r[1] if {t} else r)",
    "r = [{a}, {a}] if {t} else {b}\nwhile not ({t}):\n    return end(r)\nreturn end(r[0][1] * r[1][1])",
    "table = {{True: {a}, False: ({b}, {b})}}\nreturn end(table[bool({t})][1])",
)
PARTS = (
    ("(x, x * x)", "x"),
    ("[x, np.exp(-x), 2.0]", "np.sin(x) * 3"),
    ("(1.0, x * x * x)", "x + x"),
    ("tuple(v * x for v in (1.0, 2.0))", "x ** 2"),
)  # fmt: skip
PLACES = (X, S, np.float64(S))
HEAD = """
from collections.abc import Mapping
NAMED = {"one": 1, "two": 2}
NAMES = ["one", "two"]
FLAG = True

def end(v):
    if isinstance(v, (tuple, list)) or not hasattr(v, "sum") and not np.isscalar(v):
        v = v[0]
    return np.sum(v * v)

"""


def program(k: int) -> tuple[str, Any, tuple[Any, ...]]:
    """The text of program number ``k``, the point, and the values that its branches ask for."""
    test, values = TESTS[k % len(TESTS)]
    form, (a, b) = FORMS[k // 2 % len(FORMS)], PARTS[k // 3 % len(PARTS)]
    body = textwrap.indent(form.format(t=test, a=a, b=b), "    ")
    chosen = f"def choose(x, k):\n    return {a} if {test} else {b}\n"
    return f"{HEAD}{chosen}\ndef main(x, k):\n{body}\n", PLACES[k // 5 % len(PLACES)], values


def judged(k: int, how: str = "plain") -> str:
    """What comes of a program: ``ok``, ``refused``, or what is wrong with it."""
    text, x, values = program(k)
    f = namespace(text)["main"]
    g = rg.differentiate(f).grad if how == "decorated" else rg.grad(f)
    verdicts = set()
    for value in (*values, *values[::-1]):
        try:
            slope = slope_of(f, x, value)
        except Exception:
            continue  # the program says no
        try:
            found = np.sum(g(x, value))
        except InternalError as error:
            return f"failed: {error}"
        except RetrogradError as error:
            verdicts.add(f"refused: {error.reason}")
            continue
        if not np.isclose(found, slope, rtol=1e-5, atol=1e-6):
            return f"failed: {found} for {value!r}, should be {slope}"
    return min(verdicts, default="ok")


def slope_of(f: Any, x: Any, k: Any) -> Any:
    step = 1e-6 if isinstance(x, np.ndarray) else type(x)(1e-6)
    return (f(x + step, k) - f(x - step, k)) / 2e-6


def main() -> None:
    prepared()
    warnings.simplefilter("ignore")
    count, first = [*map(int, sys.argv[1:]), *(500, 0)[len(sys.argv) - 1 :]][:2]
    verdicts: Counter[str] = Counter()
    for k in range(first, first + count):
        rg.set_check(None if k % 4 else "first")
        found = judged(k, "decorated" if k % 7 == 0 else "plain")
        verdicts[found.partition(":")[0]] += 1
        if found != "ok":
            print(
                f"{k}: {found}",
                program(k)[0].split("def main")[1] if "failed" in found else "",
                flush=True,
            )
    print(dict(verdicts))


if __name__ == "__main__":
    main()
