"""What a program says of a number that is differentiated is text; numbers that are read from such a text are refused."""

from __future__ import annotations

import json  # noqa: F401
import linecache
import logging
import textwrap
import warnings  # noqa: F401
from decimal import Decimal  # noqa: F401
from fractions import Fraction  # noqa: F401
from typing import Any

import numpy as np
import pytest

import retrograd as rg

X = np.array([1.3, 0.7, 2.1])
logger = logging.getLogger("told")


class Doubt(Exception):
    def __init__(self, what, where="", fix=""):
        self.what, self.where, self.fix = what, where, fix

    def __str__(self):
        return self.what + self.where


def tell(w):
    if isinstance(w, Exception):
        print("|", w.__str__())
    else:
        print(str(w))


def said(s):
    print(s)
    return len(s)


def named(v):
    return "%.17g" % v  # noqa: UP031


def with_name(v):
    return 2.0 * v, str(v)


def with_word(v):
    return v * v, "fine"


def parsed(s):
    return float(s)


def in_parts(s):
    a, b = s.split(",")
    return float(a), b


class Record:
    def __init__(self, s):
        self.s = s

    def get(self):
        return float(self.s)


SAID = {
    "printed": 'if x[0] > 50: print("large " + str(x[0]))',
    "warned of": 'if x[0] > 50: warnings.warn("large " + str(x[0]) + " is")',
    "raised": 'if x[0] > 50: raise ValueError("large " + str(x[0]) + " is")',
    "logged": 'if x[0] > 50: logger.warning("large " + repr(x[0]))',
    "in format": 'if x[0] > 50: print("large {}".format(x[0]).upper())',
    "in per cent": 'if x[0] > 50: print(("large %s" % x[0]).rjust(20) + "!")',
    "in a helper": 'if x[0] > 50: tell("large " + str(x[0]))',
    "in an exception that is told": 'if x[0] > 50: tell(Doubt("large " + str(x[0]), where="here"))',
    "before the branch": 'm = "x is " + repr(x)\nif x[0] > 50: raise Doubt(m)',
    "in a list": 'm = []\nfor v in x:\n    if v > 1: m.append("v = " + str(v))\nif x[0] > 50: print("; ".join(m))',
    "in a comprehension": 'm = [f"{i}: " + str(v) for i, v in enumerate(x)]\nif x[0] > 50: warnings.warn("; ".join(m))',
    "one by one": 'm = ""\nfor i, v in enumerate(x): m += str(i) + "=" + format(v, ".3f") + "; "\nif x[0] > 50: print(m)',
    "with options": "with np.printoptions(precision=3): m = str(x)\nif x[0] > 50: print(m)",
    "by a helper": "y, m = with_name(x[0])\nif x[1] > 50: print(m)",
    "its length": 'if x[0] > 50: print(said("v " + str(x[0])))',
    "by its beginning": 'if ("%.3f" % x[0]).startswith("9"): return 2.0 * np.sum(x)',
    "as a key": 't = {str(round(float(v), 1)): v for v in x}\nreturn t["1.3"] * t["0.7"] * x[2]',
    "words beside numbers": 'y, m = with_word(x[0])\nif m != "fine": raise ValueError(m)\nx = x * y',
}

READ = {
    "float": "y = float(str(x[1]))",
    "float of parts": 'a, b = (str(x[0]) + "," + str(x[1])).split(",")\ny = float(a) * float(b)',
    "float of a method": 'y = np.float64(str(x[0]).strip().replace(" ", ""))',
    "complex": "y = complex(str(x[0])).real",
    "an array": "y = np.sum(np.array([str(v) for v in x]).astype(float))",
    "NumPy": 'y = np.sum(np.fromstring(",".join(str(v) for v in x), sep=","))',
    "json": "y = json.loads(str(x[0]))",
    "a fraction": "y = float(Fraction(str(x[0])))",
    "a decimal": "y = float(Decimal(str(x[0])))",
    "items": 'y = sum(float(t) for t in " ".join([repr(float(v)) for v in x]).split())',
    "a dict": 'd = {"a": str(x[0])}\ny = float(d["a"])',
    "a dict in it": 'd = {"v": [str(v) for v in x]}\ny = sum(map(float, d["v"]))',
    "a growing list": "m = []\nfor v in x: m.append(str(v))\ny = sum([float(r) for r in m])",
    "two lists": "m = []\nfor v in x: m = m + [str(v)]\ny = float(m[0])",
    "an item": 'm = ["1"] * 3\nfor i, v in enumerate(x): m[i] = str(v)\ny = float(m[0])',
    "pairs": "m = []\nfor v in x: m.append((v, str(v)))\ny = float(m[-1][1])",
    "sorted": "y = float(sorted([str(v) for v in x])[-1])",
    "one of two": 'm = "1"\nif x[1] > 0: m = str(x[1])\ny = float(m)',
    "perhaps none": "m = None\nfor v in x:\n    if m is None or v > 1: m = str(v)\ny = float(m)",
    "a helper": "y = parsed(str(x[0]))",
    "a helper's part": 'y, _ = in_parts(str(x[0]) + ",b")',
    "by a helper": "y = float(named(x[0]))",
    "a part by a helper": "y, m = with_name(x[0])\ny = float(m)",
    "parts by a helper": "y = sum(float(m) for _, m in [with_name(v) for v in x])",
    "an object": "y = Record(str(x[0])).get()",
    "a function here": "y = (lambda s: float(s))(str(x[0]))",
    "an exception": "y = 1.0\ntry:\n    if x[0] > 1: raise ValueError(str(x[0]))\nexcept ValueError as e: y = float(str(e))",
}


def made(body: str, end: str) -> Any:
    text = f"def program(x):\n{textwrap.indent(body, '    ')}\n    return {end}\n"
    name = f"<{body}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    space = dict(globals())
    exec(compile(text, name, "exec"), space)
    return space["program"]


@pytest.mark.parametrize("body", SAID.values(), ids=SAID)
def test_what_is_said_costs_nothing(body: str) -> None:
    program = made(body, "np.sum(x**2)")
    eye = 1e-6 * np.eye(3)
    expected = np.array([(program(X + d) - program(X - d)) / 2e-6 for d in eye])
    np.testing.assert_allclose(rg.grad(program, strict=True)(X), expected, rtol=1e-6)
    v = np.array([0.3, -1.1, 0.7])
    np.testing.assert_allclose(rg.jvp(program, (X,), (v,))[1], expected @ v, rtol=1e-6)
    near = [rg.grad(program)(X + s * v) for s in (1e-5, -1e-5)]
    np.testing.assert_allclose(rg.hvp(program, (X,), v), (near[0] - near[1]) / 2e-5, rtol=1e-6)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("body", READ.values(), ids=READ)
def test_no_number_is_read_from_it(body: str, unchecked: None) -> None:
    program = made(body, "y * np.sum(x)")
    program(X)
    for derive in (lambda: rg.grad(program, strict=True)(X), lambda: pushed(program)):
        with pytest.raises(rg.RetrogradError, match="silently drop"):
            derive()


def pushed(program: Any) -> Any:
    return rg.jvp(rg.differentiate(strict=True)(program), (X,), (X,))


@rg.finite_differences
def measured(v):
    return float(str(float(v))) ** 2


def test_who_measures_a_function_may_go_through_texts() -> None:
    def program(x):
        return measured(np.sin(x[0])) * x[1]

    np.testing.assert_allclose(
        rg.grad(program, strict=True)(X),
        [np.sin(2.6) * X[1], np.sin(1.3) ** 2, 0.0],
        rtol=1e-6,
    )
