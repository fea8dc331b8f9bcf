"""What a function always returns is known to who calls it: texts, flags, None; texts chosen when it runs are asked then."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.compiler.lowering.attributes import nothing_has
from tests.written import namespace

X = np.array([0.3, 1.2, 0.7])
HEAD = """
import numpy as np
LETTERS = "CDEFGHJKLMNPQRSTUVWX"

class Frame:
    columns = "a"

def string_like(value, name, optional=False, options=None, lower=True):
    if optional and value is None:
        return None
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a string")
    if lower:
        value = value.lower()
    if options is not None and value not in options:
        raise ValueError(name)
    return value

def bool_like(value, name, optional=False):
    if optional and value is None:
        return value
    return bool(value)

def inner(x, twice=False, missing="none"):
    missing = string_like(missing, "missing", options=("none", "raise"))
    if twice:
        x = x * 2
    return x * x if missing == "none" else x.nothing_like_it()

def is_frame(x, y):
    return isinstance(x, (Frame, dict)) or isinstance(y, (Frame, dict))

def has_columns(x):
    return hasattr(x, "columns")

def kinds(x, kind):
    return x.ndim == 1, kind.lower() in ("a", "b"), None

def nested(x, kind):
    if kind is None:
        return None
    return kind.upper()

def limit(x, n):
    if np.sum(x) > n:
        raise ValueError("too large")
    return "none"

def letter(x):
    if x > 1:
        return LETTERS[int(x)]
    return None

def side(x):
    if np.sum(x) > 1:
        return "right"
    return "left"

def logged(x, log):
    log.append("c")
    return None

"""
PROGRAMS = [
    'missing = string_like("NONE", "m", options=("none",))\nreturn inner(x, missing=missing)',
    'missing = string_like("none", "m")\ntwice = bool_like(True, "t")\nreturn inner(x, twice=twice, missing=missing)',
    'return inner(x, missing=string_like(string_like("None", "m", lower=False), "m"))',
    "if is_frame(x, None):\n    return x.columns\nreturn x * x",
    "whole = is_frame(x, None) and len(x) > 2\nif whole:\n    return x.columns\nreturn x * x",
    "if has_columns(x):\n    return x.columns\nreturn x * x",
    'a, b, c = kinds(x, "A")\nif c is None and b and a:\n    return x * x\nreturn x.nothing_like_it()',
    'a, b, c = kinds(x, "C")\nif b or not a:\n    return x.nothing_like_it()\nreturn x * x',
    "if nested(x, None) is None:\n    return x * x\nreturn x.nothing_like_it()",
    'return x * x if nested(x, nested(x, "b")) == "B" else x.nothing_like_it()',
    'm = limit(x, 1e9)\nreturn x * x if m == "none" else x.nothing_like_it()',
    "log = []\na = logged(x, log)\nb = logged(x, log)\nif a is not None or b is not None:\n    return x\nreturn x * x * len(log)",
    'return x * x if side(x).upper() == "RIGHT" else x',
    's = side(x)\nt = s.strip().replace("r", "l")\nreturn x * x * len(t) if t.startswith("l") else x',
    's = "a" if x[0] > 0 else "b"\nreturn x * x if s.upper() >= "A" else x',
    's = None\nif x[0] > 0:\n    s = "n"\nif s.upper() >= "M":\n    return x * x\nreturn x',
    'z = letter(x[1])\nif z.upper() >= "D":\n    return x * x\nreturn x',
    'for s in ("a", "b"):\n    if string_like(s.upper(), "s") == "b":\n        x = x * x\nreturn x',
]


def function(body: str) -> Any:
    text = "def f(x):\n" + "".join(f"    {line}\n" for line in body.splitlines())
    return namespace(HEAD + text)["f"]


@pytest.mark.parametrize("body", PROGRAMS, ids=range(len(PROGRAMS)))
def test_branches_on_results(body: str) -> None:
    f = function(body)
    expected = np.array([(f(X + s) - f(X - s)) / 2e-6 for s in 1e-6 * np.eye(3)]).T
    np.testing.assert_allclose(rg.jacobian(f, strict=True)(X), expected, rtol=1e-6, atol=1e-9)
    along = rg.jvp(f, (X,), (np.ones(3),), strict=True)[1]
    np.testing.assert_allclose(along, expected.sum(axis=1), rtol=1e-6)


def test_what_a_callee_raises_is_raised() -> None:
    f = function('m = limit(x, -1e9)\nreturn np.sum(x * x) if m == "none" else x')
    with pytest.raises(ValueError, match="too large"):
        rg.grad(f, strict=True)(X)
    f = function('m = string_like(3, "m")\nreturn np.sum(x * x) if m == "none" else x')
    with pytest.raises((TypeError, rg.RetrogradError)):
        rg.grad(f, strict=True)(X)


def test_the_other_way_of_a_text_that_runs() -> None:
    """A text is asked when the program runs, and None has no methods."""
    f = function("return np.sum(x * x if side(x).upper() == 'RIGHT' else 3 * x)")
    gradient = rg.grad(f, strict=True)
    np.testing.assert_allclose(gradient(X), 2 * X)
    np.testing.assert_allclose(gradient(X - 1), 3.0)
    f = function(
        "z = letter(x[1])\nif z.upper() >= 'D':\n    return np.sum(x * x)\nreturn np.sum(x)"
    )
    with pytest.raises(AttributeError, match="upper"):
        rg.grad(f, strict=True)(X - 1)


def test_other_arguments_are_other_texts() -> None:
    """Flags that follow from the kinds of arguments are known for these kinds alone."""
    f = function(
        "if is_frame(x, None) or kinds(np.asarray(x), 'a')[0]:\n    return np.sum(x * x)\nreturn np.sum(3 * x)"
    )
    gradient = rg.grad(f, strict=True)
    np.testing.assert_allclose(gradient(X), 2 * X)
    np.testing.assert_allclose(gradient(np.ones((2, 2))), 3.0)
    assert gradient(2.0) == 3.0


@pytest.mark.parametrize(
    "body",
    [
        "s = f'{x[0]:.17g}'\nreturn np.sum(x) * float(s.strip())",
        "s = '%.17g' % x[0]\nreturn np.sum(x) * float(s.strip())",
        "s = str(x[0]) if x[1] > 0 else 'a'\nreturn np.sum(x) * float(s.strip())",
        "s = repr(x[0])\nt = None if x[1] < 0 else s\nreturn np.sum(x) * float(t.strip())",
    ],
)
def test_numbers_do_not_leave_by_way_of_texts(body: str) -> None:
    """A text of a number that is differentiated is none of those that are asked when the program runs."""
    with pytest.raises(rg.RetrogradError):
        rg.grad(function(body), strict=True)(X)


CLASSES = """
import collections.abc
import numpy as np

class Frame:
    pass

KINDS = (Frame, dict)
NESTED = (Frame, (collections.abc.Mapping, int))

"""
PANDAS = [
    "if isinstance(x, KINDS):\n    return x.columns\nreturn np.sum(x * x)",
    "if isinstance(x, NESTED) or not isinstance(x, (np.ndarray, float)):\n    return x.columns\nreturn np.sum(x * x)",
    "if np.sum(x) > 100:\n    return x.values.sum()\nreturn np.sum(x * x)",
    "try:\n    y = x / np.max(np.abs(x), keepdims=True)\nexcept ValueError:\n    y = x.div(x.abs().max(axis=0))\nreturn np.sum(y * x)",
    "try:\n    return np.sum(x.values)\nexcept AttributeError:\n    return np.sum(x * x)",
    "s = float(x[0])\nif s > 100:\n    return s.magnitude\nreturn s * s",
    "y = x\nfor k in range(3):\n    if x[k] > 100:\n        y = x.fillna(0.0)\nreturn np.sum(y * x)",
]


@pytest.mark.parametrize("body", PANDAS, ids=range(len(PANDAS)))
def test_ways_for_other_objects(body: str) -> None:
    text = "def f(x):\n" + "".join(f"    {line}\n" for line in body.splitlines())
    f = namespace(CLASSES + text)["f"]
    expected = [(f(X + s) - f(X - s)) / 2e-6 for s in 1e-6 * np.eye(3)]
    np.testing.assert_allclose(rg.grad(f, strict=True)(X), expected, rtol=1e-6, atol=1e-9)


def test_what_no_array_has_is_raised_where_it_is_read() -> None:
    f = function("if np.sum(x) > 1:\n    return x.values.sum()\nreturn np.sum(x * x)")
    gradient = rg.grad(f, strict=True)
    np.testing.assert_allclose(gradient(X - 1), 2 * (X - 1))
    with pytest.raises(AttributeError, match="'numpy.ndarray' object has no attribute 'values'"):
        gradient(X)
    for certain in ("return x.values.sum()", "y = x.div(2.0)\nreturn np.sum(y)"):
        with pytest.raises(rg.RetrogradError, match="has no rule"):
            rg.grad(function(certain), strict=True)(X)


def test_a_tuple_of_classes_may_be_another_one() -> None:
    space = namespace(
        CLASSES + "def f(x):\n    return np.sum(x) if isinstance(x, KINDS) else np.sum(x * x)\n"
    )
    gradient = rg.grad(space["f"], strict=True)
    np.testing.assert_allclose(gradient(X), 2 * X)
    space["KINDS"] = (list, (np.ndarray, dict))
    np.testing.assert_allclose(gradient(X), 1.0)


NUMBERS = (True, 3, 2.5, 1j, np.float32(1.5), np.int64(2), np.bool_(True), np.ones(2))


@pytest.mark.parametrize("number", NUMBERS, ids=lambda x: type(x).__name__)
def test_what_numbers_and_arrays_have_is_not_said_to_be_missing(number: Any) -> None:
    kind = np.asarray(number).dtype.kind
    assert not [n for n in dir(number) if nothing_has(n, kind) or nothing_has(n, None)]
