"""Numbers that are whole on one way and fractions on another: the array that NumPy makes of them cuts off, or does not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import MutationError
from tests.written import written

ARRAYS = {  # made of `v`, which is 2 or 0.5, and whether they are of whole numbers if it is 2
    "np.asarray([v, 3])": True,
    "np.array([v, v])": True,
    "np.array(v).reshape(1)": True,
    "np.full(3, v)": True,
    "np.array([v * 2, -v])": True,
    "np.array((v, 1))": True,
    "np.stack([v, v])": True,
    "np.array([[v, 1], [2, v]])": True,
    "np.array([v, 1.0])": False,
    "np.array([v, v], dtype=float)": False,
    "np.array([v / 2, v])": False,
    "np.array([np.sqrt(v), 2])": False,
    "np.full(3, v, dtype=float)": False,
    "np.ones(3) * v": False,
    "np.array([float(v), 1])": False,
    "np.zeros(2) + v": False,
}
NUMBERS = {  # what binds `v`, of a flag
    "an expression": "v = 2 if whole else 0.5",
    "a branch": "v = 0.5\n    if whole:\n        v = 2",
    "a loop": "v = 2\n    for _ in range(0 if whole else 1):\n        v = v * 0.25",
    "a call": "v = chosen(whole)",
}
TEXT = """
import numpy as np


def chosen(whole):
    return 2 if whole else 0.5


def f(x, whole):
    {number}
    a = {array}
    a[(0,) * a.ndim] = x * 0.7
    return np.sum(a) * x
"""


def made(number: str, array: str) -> Any:
    return written(TEXT.format(number=NUMBERS[number], array=array))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("array", ARRAYS)
@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("first", [False, True])
def test_right_or_refused(number: str, array: str, first: bool) -> None:
    """Whichever kind the first call has."""
    f = made(number, array)
    gradient = rg.grad(f)
    for whole in (first, not first):
        slope = (f(1.7 + 1e-6, whole) - f(1.7 - 1e-6, whole)) / 2e-6
        try:
            found = gradient(1.7, whole)
        except rg.RetrogradError:
            assert whole and ARRAYS[array]
        else:
            assert found == pytest.approx(slope, rel=1e-6)
            assert not (whole and ARRAYS[array])


def test_what_is_refused_says_so() -> None:
    gradient = rg.grad(made("an expression", "np.full(3, v)"))
    assert gradient(1.7, False) == pytest.approx(2 * 0.7 * 1.7 + 1.0)
    with pytest.raises(MutationError, match="an array of int64 is written to"):
        gradient(1.7, True)


def test_many_writes() -> None:
    """Each array is asked for once."""
    lines = "\n".join(f"    a[{k % 3}] = a[{(k + 1) % 3}] * x + 0.1" for k in range(400))
    f = written(f"def f(x):\n    a = np.array([x, 1.0, 2.0])\n{lines}\n    return a.sum() * 1e-3\n")
    x = 0.5
    slope = (f(x + 1e-6) - f(x - 1e-6)) / 2e-6
    assert rg.grad(f, strict=True)(x) == pytest.approx(slope, rel=1e-5)
    assert np.isfinite(slope)


HANDED = {  # how what may be whole gets to where the array is made
    "an argument": ("def made(v):\n    return np.full(2, v)", "made(v)"),
    "by name": ("def made(n, v):\n    return np.full(n, v)", "made(v=v, n=2)"),
    "a default": ("def made(v, w=2):\n    return np.array([v, w])", "made(v)"),
    "two helpers": (
        "def inner(v):\n    return np.array([v, 2])\ndef made(v):\n    return inner(-v)",
        "made(v)",
    ),
    "two calls": ("def made(v):\n    return np.full(2, v)", "made(v if made(0.25)[0] else 0.75)"),
    "itself": (
        "def made(v, n):\n    return np.full(2, v) if n == 0 else made(v * 2, n - 1)",
        "made(v, 2)",
    ),
    "each other": (
        "def one(v, n):\n    return np.full(2, v) if n == 0 else two(v, n - 1)\n"
        "def two(v, n):\n    return np.array([v, 3]) if n == 0 else one(v, n - 1)",
        "one(v, 3)",
    ),
    "an array": ("def made(a):\n    return a + 1", "made(np.array([v, v]))"),
    "a dtype": ("def made(kind):\n    return np.zeros(2, kind)", "made(np.array([v, v]).dtype)"),
    "a list": ("def made(vs):\n    return np.array(vs)", "made([v, 3])"),
    "more arguments": ("def made(*vs):\n    return np.array(vs)", "made(v, 3)"),
    "options": ("def made(**of):\n    return np.full(2, of['v'])", "made(v=v)"),
    "a dictionary": ("def made(of):\n    return np.full(2, of['v'])", "made({'v': v})"),
    "an attribute": (
        "class Made:\n    def __init__(self, v):\n        self.v = v\n"
        "    def array(self):\n        return np.full(2, self.v)",
        "Made(v).array()",
    ),
    "a closure": ("def maker(v):\n    return lambda: np.full(2, v)", "maker(v)()"),
    "a function": ("def made(of, v):\n    return of(v)", "made(lambda w: np.full(2, w), v)"),
    "fractions": ("def made(v):\n    return np.full(2, v * 1.0)", "made(v)"),
}
HELPER = """
import numpy as np


{helper}


def filled(a, x):
    a[0] = x * 0.7
    return a


def f(x, whole):
    v = 2 if whole else 0.5
    return np.sum(filled({call}, x)) * x
"""


@pytest.mark.parametrize("way", HANDED)
@pytest.mark.parametrize("first", [False, True])
def test_handed_to_helpers(way: str, first: bool) -> None:
    helper, call = HANDED[way]
    f = written(HELPER.format(helper=helper, call=call))
    gradient = rg.grad(f, strict=True)
    for whole in (first, not first):
        slope = (f(1.7 + 1e-6, whole) - f(1.7 - 1e-6, whole)) / 2e-6
        try:
            found = gradient(1.7, whole)
        except MutationError:
            assert whole
            assert way != "fractions"
        else:
            assert found == pytest.approx(slope, rel=1e-6)


AUGMENTED = [
    f"{target} {sign} x"
    for target in ("a[0]", "a[-1]", "a[k]", "b[0, 1]")
    for sign in ("+=", "-=", "*=", "/=")
]
PARTS = [
    f"{target} {sign} x"
    for target in ("a[:]", "a[1:]", "a[[0]]", "b[0]")
    for sign in ("+=", "-=", "*=", "/=")
]
AUGMENTING = """
import numpy as np


def f(x, whole, k=1):
    v = 2 if whole else 0.5
    a, b = np.full(2, v), np.full((2, 3), v)
    {statement}
    return (np.sum(a) + np.sum(b)) * x
"""


@pytest.mark.parametrize("statement", [*AUGMENTED, *PARTS])
def test_augmented_items(statement: str) -> None:
    """An item is written back, cut off; of a part NumPy itself says that it will not."""
    f = written(AUGMENTING.format(statement=statement))
    gradient = rg.grad(f, strict=True)
    slope = (f(1.7 + 1e-6, False) - f(1.7 - 1e-6, False)) / 2e-6
    assert gradient(1.7, False) == pytest.approx(slope, rel=1e-6)
    with pytest.raises((MutationError, TypeError)):
        gradient(1.7, True)
    if statement in AUGMENTED:
        assert np.isfinite(f(1.7, True))


@pytest.mark.parametrize("backend", ["c", "numba"])
@pytest.mark.parametrize("array", ["np.full(3, v)", "np.array([v * 2, -v])"])
def test_kernels_give_no_such_numbers(backend: str, array: str) -> None:
    """In a kernel every number is a float: what is asked for its kind is computed outside."""
    if backend == "numba":
        pytest.importorskip("numba")
    f = made("a loop", array)
    gradient = rg.grad(f, backend=backend)
    slope = (f(1.7 + 1e-6, False) - f(1.7 - 1e-6, False)) / 2e-6
    assert gradient(1.7, False) == pytest.approx(slope, rel=1e-6)
    with pytest.raises(MutationError):
        gradient(1.7, True)
