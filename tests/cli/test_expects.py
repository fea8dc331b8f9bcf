"""`rt.expects`: what a committed derivative takes and refuses."""

from __future__ import annotations

import collections
import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from retrograd.runtime.errors import SignatureMismatch
from retrograd.runtime.user.argument_checks import expects

LONG = np.ones((3, 3))


class Backwards(list):
    """A loop meets its items in another order than an index."""

    def __iter__(self) -> Any:
        return reversed([self[k] for k in range(len(self))])


class Sub(np.ndarray):
    """An array of another kind."""


@dataclasses.dataclass
class Pair:
    """Two values."""

    a: Any
    b: Any


def takes(kind: str) -> Callable[[Any], Any]:
    @expects(kind)
    def same(x: Any) -> Any:
        return x

    return same


TAKEN: dict[str, list[Any]] = {
    "f8[n, d]": [np.ones((2, 3)), np.ones((1, 1)), np.ones((0, 2)), np.ones((4, 6))[::2, ::2]],
    "f8[n, n]": [LONG],
    "f8[n, 3]": [np.ones((5, 3))],
    "f8[]": [np.array(1.0)],
    "f8": [np.float64(1.0), np.array(1.0)],
    "f8[...]": [np.array(1.0), np.ones(3), LONG],
    "i8[n]": [np.arange(3)],
    "c16[n]": [np.ones(3, complex)],
    "b1[n]": [np.ones(3, bool)],
    "uint8[n]": [np.ones(3, "u1")],
    "float": [1.0],
    "int": [1],
    "bool": [True],
    "complex": [1j],
    "floating": [
        1.0,
        np.float32(1),
        np.ones(3),
        np.ones(3, "f4"),
        {"a": [1.0, (np.ones(2),)]},
        Pair(1.0, 2.0),
    ],
    "real": [1, True, None, "name", np.arange(3), np.ones(3), [1, {"k": 2.0}], Pair(1, None), len],
}
REFUSED: dict[str, list[Any]] = {
    "f8[n, d]": [
        np.ones(3),
        np.ones((2, 3), "f4"),
        np.ones((2, 3), ">f8"),
        1.0,
        [[1.0]],
        LONG.view(Sub),
    ],
    "f8[n, n]": [np.ones((2, 3))],
    "f8[n, 3]": [np.ones((5, 4)), np.ones((5, 1))],
    "f8[]": [np.ones(1), 1.0],
    "f8": [1.0, np.float32(1.0), np.ones(1), 1],
    "f8[...]": [np.ones(3, "f4"), np.arange(3), 1.0],
    "float": [1, np.float64(1.0), True, np.array(1.0)],
    "int": [True, 1.0, np.int64(1)],
    "complex": [1.0],
    "floating": [
        1,
        True,
        None,
        "x",
        1j,
        np.arange(3),
        np.ones(2, complex),
        [1.0, 2],
        Pair(1.0, 1),
        LONG.view(Sub),
        {1: 1.0, 0: 2.0},
        Backwards([1.0, 2.0]),
    ],
    "real": [
        1j,
        np.complex64(1),
        np.ones(2, complex),
        [1.0, 1j],
        {"a": 1j},
        Pair(1, 1j),
        np.array([None]),
        {1: 1.0, 0: 2.0},
        [{2: 1.0}],
        collections.Counter("aab"),
        collections.UserDict(a=1.0),
        Backwards([1.0, 2.0]),
    ],
}


@pytest.mark.parametrize(("kind", "value"), [(k, v) for k, values in TAKEN.items() for v in values])
def test_taken(kind: str, value: Any) -> None:
    assert takes(kind)(value) is value


@pytest.mark.parametrize(
    ("kind", "value"), [(k, v) for k, values in REFUSED.items() for v in values]
)
def test_refused(kind: str, value: Any) -> None:
    with pytest.raises(SignatureMismatch, match="same: `x` is "):
        takes(kind)(value)


@expects("f8[n]", "f8[n, 2]", "float")
def three(x: Any, y: Any, *, k: float = 1.0) -> Any:
    """Adds."""
    return (x @ y).sum() + k


def test_equal_names_are_equal_sizes() -> None:
    assert three(np.ones(3), np.ones((3, 2))) == 7.0
    with pytest.raises(SignatureMismatch, match=r"`y` is f8\[4, 2\], not f8\[n, 2\] with n = 3"):
        three(np.ones(3), np.ones((4, 2)))


def test_keywords_and_defaults() -> None:
    assert three(y=np.ones((3, 2)), x=np.ones(3), k=2.0) == 8.0
    with pytest.raises(SignatureMismatch, match="`k` is a int, not float"):
        three(np.ones(3), np.ones((3, 2)), k=2)
    with pytest.raises(TypeError, match="missing a required argument"):
        three(*[np.ones(3)])
    with pytest.raises(TypeError, match="takes 2 positional"):
        three(*[np.ones(3), np.ones((3, 2)), 1.0])


def test_the_bare_function_is_behind_it() -> None:
    assert three.__wrapped__(np.ones(3), np.ones((3, 1))) == 4.0  # type: ignore[attr-defined]
    assert (three.__name__, three.__doc__) == ("three", "Adds.")


@pytest.mark.parametrize(
    ("x", "dot", "fits"),
    [
        (1.0, 2.0, True),
        (np.ones(3), np.zeros(3), True),
        (np.ones(3), np.zeros((3, 1)), False),
        (np.ones(3), 1.0, False),
        ({"a": 1.0, "b": [np.ones(2)]}, {"b": [np.ones(2)], "a": 0.0}, True),
        ({"a": 1.0}, {"b": 1.0}, False),
        ((1.0, 2.0), (1.0,), False),
        ((1.0, 2.0), [1.0, 2.0], False),
        (Pair(1.0, 2.0), Pair(0.0, 0.0), True),
        (np.ones(3), np.arange(3), False),
    ],
)
def test_a_tangent_is_like_its_argument(x: Any, dot: Any, fits: bool) -> None:
    @expects("floating", "like x")
    def push(x: Any, x_dot: Any) -> str:
        return "done"

    if fits:
        assert push(x, dot) == "done"
    else:
        with pytest.raises(SignatureMismatch, match=r"`x_dot` is .*, not like x"):
            push(x, dot)


def test_the_refusal_says_how_to_write_the_text_anew() -> None:
    scope: dict[str, Any] = {
        "__doc__": "About.\n\n    retrograd grad model.py:f -o f_grad.py\n",
        "expects": expects,
    }
    exec('@expects("f8[n]")\ndef f_grad(x): return x', scope)
    with pytest.raises(SignatureMismatch) as caught:
        scope["f_grad"](np.ones(3, "f4"))
    first, last = str(caught.value).splitlines()
    assert first.startswith("f_grad: `x` is f4[3], not f8[n]; ")
    assert last == "    retrograd grad model.py:f -o f_grad.py"


@pytest.mark.parametrize("kinds", [("f8[n",), ("f8", "f8"), ()])
def test_kinds_that_make_no_sense(kinds: tuple[str, ...]) -> None:
    with pytest.raises(SignatureMismatch):
        expects(*kinds)(lambda x: x)
