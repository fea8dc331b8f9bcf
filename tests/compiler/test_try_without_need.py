"""``try`` around what raises nothing of the kind is no ``try``; around what is certain to fail it is its handler."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from tests.written import namespace

AXES = {"sxyz": (0, 1, 0, 1), "syxz": (1, 1, 0, 1)}
NAMES = {numbers: name for name, numbers in AXES.items()}
X = np.array([0.5, -1.25, 2.3])


def names_are_there(x):
    try:
        x = np.asarray(x)
        y = x * 2.0
    except NameError:
        pass
    return np.sum(x * y)


def raises_something_else(x):
    try:
        y = np.sqrt(np.abs(x))
        if (y > 5.0).any():
            raise ValueError("too large")
        z = y * x
    except (NameError, ImportError):
        z = y = 0.0 * x
    return np.sum(z + y)


def places_are_not_asked_for(x):
    try:
        x = np.where(x > 0.0, x / 2.0, x)
        x = np.where(np.logical_and(x > 0.1, x < 1.0), 3.0 * x, x)
    except IndexError:
        pass
    else:
        x = x * x
    return np.sum(x)


def helper(x):
    return np.cumsum(x) * x


def calls_a_helper(x):
    try:
        y = helper(x)
        z = helper(y)
    except (AttributeError, KeyError):
        z = y = x
    return np.sum(y * z)


def without_end(x):
    try:
        total = x[0]
        while total < 4.0:
            total = total * 1.5 + 0.1
        y = total * x
    except NameError:
        y = x
    return np.sum(y)


def angles(x, axes="syxz"):
    try:
        first, parity, repetition, frame = AXES[axes]
    except (AttributeError, KeyError):
        NAMES[axes]  # validation
        first, parity, repetition, frame = axes
    return math.sin(x[0]) * first + math.cos(x[1]) * parity + x[2] ** 2 * (repetition + frame)


def angles_by_numbers(x):
    return angles(x, (1, 1, 0, 1))


def near_zero(e, n):
    try:
        e[abs(e) < 1e-3] = 0.0
        n[abs(n) < 1e-3] = 0.0
    except TypeError:
        if abs(e) < 1e-3:
            e = 0.0
        if abs(n) < 1e-3:
            n = 0.0
    return np.hypot(e, n)


def numbers_of_python(x):
    return near_zero(float(x[0]), float(x[1]))


def numbers_of_numpy(x):
    return near_zero(x[0], np.sin(x[2])) * np.sum(x)


def scalars_or_arrays(x):
    return near_zero(np.float64(x[0]), x[2] * 1.0) + near_zero(np.asarray(x[1]), np.array(x[0]))


def settled(u, s):
    try:
        with warnings.catch_warnings(record=True):
            warnings.simplefilter("error")
            ratio = u / math.sin(s)
            angle = math.asin(ratio)
        angle[np.isnan(ratio)] = 0.0
    except (ArithmeticError, TypeError, ValueError):
        angle = math.asin(u / 2.0) if u < 1.0 else 1.0
    return math.cos(angle) * s


def numbers_after_a_manager(x):
    return settled(float(x[0]), float(x[2])) + settled(float(x[2]), float(x[1]))


def told(said, v):
    said.append(v)
    return 0


def numbers_after_a_call(x):
    said = []
    e = float(x[0])
    try:
        e = e * 2.0
        said.append(e)
        e[told(said, 3.0)] = 0.0
    except TypeError:
        e = float(x[2]) * sum(said)
    return e


def arrays(x):
    return np.sum(near_zero(x * 1.0, np.sin(x)))


COMPILED = [
    names_are_there, raises_something_else, places_are_not_asked_for, calls_a_helper, without_end, angles,
    angles_by_numbers, numbers_of_python, numbers_of_numpy, numbers_after_a_manager, arrays,
]  # fmt: skip


def entries_by_a_number(x):
    table = {0: x[0], 1: x[1]}
    try:
        y = table[int(x[2])] * 2.0
    except KeyError:
        y = x[2] * 3.0
    return y


def raises_it_itself(x):
    try:
        y = x[0] * 2.0
        if x[1] < 0.0:
            raise KeyError("below")
        y = y * x[2]
    except KeyError:
        y = x[1] * 5.0
    return y


def below(x):
    if x[1] < 0.0:
        raise NameError("below")
    return x[0]


def raised_in_a_helper(x):
    try:
        y = below(x) * 2.0
    except NameError:
        y = x[2] * 7.0
    return y


def divided(x):
    try:
        y = float(x[0]) / (float(x[1]) + 1.25)
    except ZeroDivisionError:
        y = x[2] * 7.0
    return y


def fails_under_a_condition(x):
    try:
        y = AXES["none"][0] if x[0] > 1.0 else x[1] * 2.0
    except KeyError:
        y = x[2] * 7.0
    return y


def fails_later(x):
    y = x[0]
    try:
        y = x[1] * 2.0
        z = AXES["none"][0]
    except KeyError:
        z = 3.0
    return y * z


CAUGHT = [
    scalars_or_arrays, numbers_after_a_call,
    entries_by_a_number, raises_it_itself, raised_in_a_helper, divided, fails_under_a_condition, fails_later,
]  # fmt: skip


def differences(f: Any, x: np.ndarray) -> np.ndarray:
    steps = 1e-6 * np.eye(x.size)
    return np.array([(f(x + s) - f(x - s)) / 2e-6 for s in steps])


@pytest.mark.quick
@pytest.mark.parametrize("program", COMPILED, ids=lambda f: f.__name__)
def test_it_is_compiled_and_right(program: Any) -> None:
    found = rg.grad(program, strict=True)(X.copy())
    np.testing.assert_allclose(found, differences(program, X), rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("program", CAUGHT, ids=lambda f: f.__name__)
def test_what_is_raised_is_caught(program: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            found = rg.grad(program, strict=False)(X.copy())
        except rg.RetrogradError:
            return  # refused, and not wrong
    if program is not divided:  # at a point where Python raises, and nowhere else
        np.testing.assert_allclose(found, differences(program, X), rtol=1e-6, atol=1e-7)
    else:
        np.testing.assert_allclose(found, [0.0, 0.0, 7.0])


def test_the_text_has_no_try() -> None:
    text = rg.differentiate(names_are_there).source("grad", sig="x: f8[n]")
    assert "try:" not in text


class Late:
    """Whatever is asked of it fails, each in its own way."""

    def __iter__(self):
        raise KeyError("iter")

    def __bool__(self):
        raise KeyError("bool")

    def __len__(self):
        raise KeyError("len")

    def __getitem__(self, key):
        raise KeyError(key)

    def __getattr__(self, name):
        raise AttributeError(name)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        raise KeyError("exit")


LATE = Late()
ASKED = {
    "an iteration": "for k in LATE:\n    y = y * k",
    "a test": "if LATE:\n    y = y * 4.0",
    "a choice": "y = x * 2.0 if LATE else x * 4.0",
    "a loop's test": "while LATE:\n    y = y * 4.0",
    "a length": "y = y * len(LATE)",
    "an item": "y = y * LATE['k']",
    "an attribute": "y = y * LATE.k",
    "a manager": "with LATE:\n    y = y * 4.0",
    "a key that is no key": "y = y * AXES[['none']]",
    "a name that is not bound": "if x[0] > 9.0:\n    w = x\ny = y * w",
    "an assertion": "assert x[0] > 9.0\ny = y * 4.0",
}
CAUGHT_BY = (
    "KeyError",
    "AttributeError",
    "(NameError, KeyError)",
    "LookupError",
    "AssertionError",
    "TypeError",
)


@pytest.mark.usefixtures("taped")
@pytest.mark.parametrize("kinds", CAUGHT_BY)
@pytest.mark.parametrize("asked", ASKED.values(), ids=ASKED)
def test_objects_raise_what_they_like(asked: str, kinds: str) -> None:
    body = asked.replace("\n", "\n        ")
    text = f"def f(x):\n    y = x * 2.0\n    try:\n        {body}\n        z = y\n    except {kinds}:\n        z = x * 3.0\n    return np.sum(z)\n"
    f = namespace(text, LATE=LATE, AXES=AXES)["f"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            expected: Any = differences(f, X)
        except Exception as error:
            expected = type(error)
        try:
            found = rg.grad(f)(X.copy())
        except rg.RetrogradError as error:
            assert not isinstance(error, rg.errors.InternalError)  # noqa: PT017
            return
        except Exception as error:
            assert isinstance(expected, type)
            assert isinstance(error, expected)  # noqa: PT017
            return
    np.testing.assert_allclose(found, expected, rtol=1e-6)
