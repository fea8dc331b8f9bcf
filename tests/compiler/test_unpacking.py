"""``a, b = xs`` takes two items: more or fewer raise as in Python. A tuple of unknown length is a tuple."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import CompileError

from ..both_modes import agrees, differences
from ..written import written

pytestmark = [pytest.mark.usefixtures("unchecked"), pytest.mark.filterwarnings("ignore")]

SOURCES = {
    "an argument": "x",
    "an array": "np.square(x)",
    "a mask": "x[x > 0]",
    "a slice": "x[: len(x)]",
    "a repeated number": "np.repeat(x[0], len(x)) * x",
    "a list": "[v * v for v in x]",
    "a list of lists": "[[v, v * v] for v in x]",
    "a tuple": "tuple([v * v for v in x])",
    "a generator": "(v * v for v in x)",
    "a map": "map(lambda v: v * v, x)",
    "a list that grew": "grown(x)",
    "rows": "np.outer(x, x)",
    "a reversed list": "[v * v for v in x][::-1]",
    "a sorted list": "sorted([v * v for v in x])",
}

PLACES = {
    "a statement": "a, b = SOURCE\n    return np.sum(a) * np.sum(b)",
    "a list of names": "[a, b] = SOURCE\n    return np.sum(a) * np.sum(b)",
    "one is read": "a, b = SOURCE\n    return np.sum(b)",
    "none is read": "a, b = SOURCE\n    return np.sum(x * x)",
    "nested": "(a, b), c = SOURCE, 2.0\n    return np.sum(a) * np.sum(b) * c",
    "a loop's targets": "s = 0.0\n    for a, b in [SOURCE]:\n        s = s + np.sum(a) * np.sum(b)\n    return s",
    "in a loop": "s = 0.0\n    for k in range(2):\n        a, b = SOURCE\n        s = s + k * np.sum(a) * np.sum(b)\n    return s",
    "a helper": "return product(SOURCE)",
    "caught": "try:\n        a, b = SOURCE\n    except ValueError:\n        a, b = x[0], 2 * x[0]\n    return np.sum(a) * np.sum(b)",
    "parts": "y = np.zeros(2)\n    y[0], y[1] = [np.sum(v) for v in SOURCE]\n    return y[0] * y[1]",
}

REFUSED = [("a generator", "nested"), ("a map", "nested")]
HELPERS = """
def grown(x):
    out = []
    for v in x:
        out.append(v * v)
    return out

def product(pair):
    a, b = pair
    return np.sum(a) * np.sum(b)
"""


def outcome(f: Any, *args: Any) -> Any:
    try:
        return f(*args)
    except Exception as error:
        return type(error), str(error).split(",")[0].rstrip(")")


@pytest.mark.sampled(4)
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("source", SOURCES)
def test_as_many_items_as_names(source: str, place: str) -> None:
    text = f"{HELPERS}\ndef f(x):\n    {PLACES[place].replace('SOURCE', SOURCES[source])}\n"
    f = written(text)
    if (source, place) in REFUSED:
        with pytest.raises(CompileError):
            agrees(f, np.array([2.0, 3.0]))
    else:
        agrees(f, np.array([2.0, 3.0]))
    for x in (np.array([2.0]), np.array([2.0, 3.0, 4.0])):
        expected = outcome(f, x)
        for way in (
            rg.value_and_grad(f, strict=False),
            rg.value_and_grad(f, strict=False, backend="c"),
        ):
            found = outcome(way, x)
            if isinstance(expected, tuple):
                assert found == expected
            else:
                np.testing.assert_allclose(found[0], expected)


@pytest.mark.parametrize("backend", ["c", "numba"])
@pytest.mark.parametrize("source", ["an array", "a mask", "a list", "a tuple", "a list that grew"])
def test_kernels_unpack(source: str, backend: str) -> None:
    if backend == "numba":
        pytest.importorskip("numba")
    f = written(
        f"{HELPERS}\ndef f(x):\n    {PLACES['in a loop'].replace('SOURCE', SOURCES[source])}\n"
    )
    x = np.array([2.0, 3.0])
    np.testing.assert_allclose(rg.grad(f, backend=backend)(x), rg.grad(f)(x))
    parts = rg.differentiate(f).explain(x, backend=backend).native
    assert {part.how for part in parts} == {"compiled"} or source == "a mask"


TAPED = {
    "of a sum": "isinstance(t + (1.0,), tuple)",
    "of an augmented one": "longer(t)",
    "of a product": "isinstance(t * 2, tuple)",
    "equals a list": "t == [v * v for v in x]",
    "equals a tuple": "t == tuple([v * v for v in x])",
}
QUESTIONS = {
    "isinstance": "isinstance(t, tuple)",
    "isinstance of lists": "isinstance(t, (list, np.ndarray))",
    "an abstract class": "isinstance(t, MutableSequence)",
    "type is": "type(t) is tuple",
    "type equals": "type(t) == list",
    "a class attribute": "t.__class__ is tuple",
    "hasattr": "hasattr(t, 'append')",
    "asked elsewhere": "asked(t)",
    "of a slice": "isinstance(t[:2], tuple)",
    "a hash": "hash(t[:0]) == hash(())",
    "a key": "{(): 1.0}.get(t[:0]) == 1.0",
    "a format": "f'{t[:0]}' == '()'",
}  # fmt: skip
TUPLES = {
    "of a list": "tuple([v * v for v in x])",
    "of a generator": "tuple(v * v for v in x)",
    "of a list that grew": "tuple(grown(x))",
    "of an array": "tuple(x * x)",
    "of rows": "tuple(np.outer(x, x))",
}
ASKED = "from collections.abc import MutableSequence\n\ndef asked(t):\n    return isinstance(t, list)\n\ndef longer(t):\n    t += (1.0,)\n    return isinstance(t, tuple)\n"


def program(made: str, question: str) -> str:
    return (
        f"{ASKED}{HELPERS}\ndef f(x):\n    t = {TUPLES[made]}\n"
        f"    return np.sum(t[0]) * np.sum(t[1]) * (2.0 if {question} else 3.0)\n"
    )


@pytest.mark.sampled(4)
@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("made", TUPLES)
def test_a_tuple_is_a_tuple(made: str, question: str) -> None:
    f = written(program(made, QUESTIONS[question]))
    x = np.array([2.0, 3.0, 4.0])
    agrees(f, x)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("question", TAPED)
@pytest.mark.parametrize("made", TUPLES)
def test_what_is_refused_is_taped(made: str, question: str) -> None:
    f = written(program(made, TAPED[question]))
    x = np.array([2.0, 3.0, 4.0])
    with pytest.raises(CompileError):
        rg.grad(f, strict=True)(x)
    if made == "of rows" and question.startswith("equals"):
        return  # NumPy does not take it
    value, gradient = rg.value_and_grad(f, strict=False)(x)
    np.testing.assert_allclose(value, f(x))
    np.testing.assert_allclose(gradient, differences(f, (x,)), rtol=1e-5)


@pytest.mark.parametrize("made", TUPLES)
def test_what_tuples_are_used_for(made: str) -> None:
    body = """
    t = MADE
    u = t
    first, *rest = u
    total = sum(np.sum(v) for v in u) + np.sum(first) * len(rest) + len(t) * np.sum(t[0])
    for k in range(len(u)):
        total = total + k * np.sum(u[k]) * np.sum(u[-1])
    for a, b in zip(u, x):
        total = total + np.sum(a) * b
    return total + np.sum(np.array(u)) + np.sum(np.stack(u)) + len(u) * np.sum(max(map(np.sum, u)))
"""
    f = written(f"{HELPERS}\ndef f(x):{body.replace('MADE', TUPLES[made])}")
    agrees(f, np.array([2.0, 3.0, 4.0]))


def test_parts_of_a_long_tuple_are_added_in_place() -> None:
    text = rg.differentiate(
        written(
            "def f(x):\n    t = tuple([v * v for v in x])\n    s = 0.0\n    for i in range(len(t)):\n        s = s + t[i]\n    return s\n"
        )
    ).source()
    assert "rt.zeros_like(items)" in text


KNOWN = {
    "a tuple": "a, b, c = x, x",
    "a longer tuple": "a, b = x, x, x",
    "a shape": "a, b, c = np.outer(x, x).shape",
    "what a helper gives": "a, b, c = pair(x)",
    "a loop's targets": "for a, b, c in [(x, x)]:\n            pass",
    "values of a dict": "a, b, c = {'a': x, 'b': x}.values()",
}


@pytest.mark.parametrize("known", KNOWN)
def test_numbers_of_items_that_are_known(known: str) -> None:
    """They raise where Python does, and only if that is reached."""
    helper = "def pair(x):\n    return x, x\n\n"
    never = written(
        f"{helper}def f(x, n):\n    if n:\n        {KNOWN[known]}\n    return np.sum(x * x)\n"
    )
    x = np.array([2.0, 3.0])
    agrees(never, x, False)
    with pytest.raises(ValueError, match="values to unpack"):
        rg.grad(never)(x, True)
    caught = written(
        f"{helper}def f(x):\n    try:\n        {KNOWN[known]}\n    except ValueError:\n"
        "        return np.sum(x * x)\n    return np.sum(x)\n"
    )
    agrees(caught, x)
