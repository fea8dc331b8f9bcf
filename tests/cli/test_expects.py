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
    "floating of rank 0": [1.0, np.float32(1), np.array(1.0)],
    "floating of rank at most 1": [1.0, np.ones(3), np.ones(3, "f4")],
    "real of rank 1 or 2": [np.ones(3), np.arange(3), LONG, LONG > 0],
    "sequence of real of rank 0": [np.ones(3), [1, 2.0], (1.0, np.float64(2)), [], np.arange(3)],
    "sequence of real of rank at most 1": [np.ones(3), LONG, [np.ones(3), 1.0]],
    "sequence of sequence of floating of rank 0": [LONG, [[1.0], [2.0, 3.0]], [np.ones(2)]],
    "real": [1, True, None, "name", np.arange(3), np.ones(3), [1, {"k": 2.0}], Pair(1, None), len],
}
REFUSED: dict[str, list[Any]] = {
    "f8[n, d]": [
        np.ones((2, 3), "f4"),
        np.ones((2, 3), ">f8"),
        1.0,
        [[1.0]],
        LONG.view(Sub),
    ],
    "f8[n, n]": [np.ones((2, 3))],
    "f8[n, 3]": [np.ones((5, 4)), np.ones((5, 1))],
    "f8[]": [1.0],
    "f8": [np.float32(1.0), np.ones(1), True, "1"],
    "f8[...]": [np.ones(3, "f4"), np.arange(3), 1.0],
    "float": [
        True,
        np.bool_(True),
        np.float32(1),
        np.array(1.0),
        2**53 + 1,
        10**400,
        1j,
        "1",
        None,
    ],
    "int": [True, 1.0, np.float64(1), np.uint8(1), np.array(1), "1"],
    "bool": [1, 1.0],
    "complex": [True, np.complex64(1), "1"],
    "str": [b"a", None],
    "None": [0, False],
    "floating": [
        True,
        None,
        "x",
        1j,
        np.arange(3),
        np.ones(2, complex),
        [1.0, True],
        Pair(1.0, True),
        LONG.view(Sub),
        {1: 1.0, 0: 2.0},
        Backwards([1.0, 2.0]),
    ],
    "floating of rank 0": [1, np.ones(1), [1.0], "x", None, 1j],
    "floating of rank at most 1": [LONG, np.arange(3), [1.0], LONG[0].view(Sub)],
    "real of rank 1 or 2": [1.0, np.ones((1, 1, 1)), [1.0], np.array(["a"]), np.ones(2, complex)],
    "sequence of real of rank 0": [1.0, LONG, [np.ones(3)], {"a": 1.0}, Backwards([1.0]), [1j]],
    "sequence of real of rank at most 1": [np.ones((2, 2, 2)), [[1.0]], 1.0],
    "sequence of sequence of floating of rank 0": [np.ones(3), [1.0], [[1]], [LONG]],
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


OrderedDict = collections.OrderedDict


class Params(dict[str, Any]):
    """A dict under another name."""


Point = collections.namedtuple("Point", "x y")

# A kind, what is given, and what the text gets for it.
CONVERTED: list[tuple[str, Any, Any]] = [
    ("float", 3, 3.0),
    ("float", np.float64(3), 3.0),
    ("float", np.int64(3), 3.0),
    ("float", -0.0, -0.0),
    ("int", np.int64(3), 3),
    ("int", np.int32(3), 3),
    ("bool", np.bool_(True), True),
    ("complex", 3, 3 + 0j),
    ("complex", np.complex128(3j), 3j),
    ("f8", 3.0, np.float64(3)),
    ("f8", 3, np.float64(3)),
    ("i8", 3, np.int64(3)),
    ("b1", True, np.bool_(True)),
    ("floating", 3, 3.0),
    ("floating", {"a": [1, 2.0]}, {"a": [1.0, 2.0]}),
    ("(float, int)", (1, np.int64(2)), (1.0, 2)),
    ("[float]", [1], [1.0]),
    ("{'a': float, 'b': int}", {"a": 1, "b": 2}, {"a": 1.0, "b": 2}),
    ("{'a': float, 'b': int}", OrderedDict(a=1.0, b=2), {"a": 1.0, "b": 2}),
    ("{'a': float}", collections.defaultdict(float, a=1.0), {"a": 1.0}),
    ("{'a': float}", Params(a=1.0), {"a": 1.0}),
    ("{'a': {'b': float}}", {"a": OrderedDict(b=2)}, {"a": {"b": 2.0}}),
    ("OrderedDict({'a': float})", {"a": 1}, OrderedDict(a=1.0)),
    ("Pair(a: float, b: int)", Pair(1, np.int64(2)), Pair(1.0, 2)),
    ("Point(x: float, y: float)", Point(1, 2.0), Point(1.0, 2.0)),
]


@pytest.mark.parametrize(("kind", "value", "wanted"), CONVERTED)
def test_converted(kind: str, value: Any, wanted: Any) -> None:
    """What means the same is made what the text was written for, types and all; the caller's is left alone."""
    before = repr(value)
    assert repr(takes(kind)(value)) == repr(wanted)
    assert repr(value) == before


def test_a_file_of_numbers_is_an_array(tmp_path: Any) -> None:
    np.save(tmp_path / "x.npy", np.arange(3.0))
    mapped = np.load(tmp_path / "x.npy", mmap_mode="r")
    for kind in ("f8[n]", "f8[...]", "floating", "real"):
        got = takes(kind)(mapped)
        assert type(got) is np.ndarray and np.shares_memory(got, mapped)


def test_keys_in_any_order() -> None:
    given = {"b": 2, "a": 1.0}
    kind = "{'a': float, 'b': float}"

    @expects(kind, "float", "keys in any order")
    def listed(x: Any, k: Any) -> Any:
        return list(x.items()), k

    assert listed(given, k=3) == ([("a", 1.0), ("b", 2.0)], 3.0)
    assert listed(OrderedDict(given), 3) == ([("a", 1.0), ("b", 2.0)], 3.0)
    with pytest.raises(SignatureMismatch, match="in another order than 'a', 'b'"):
        takes(kind)(given)


def test_what_is_converted_reaches_every_kind_of_parameter() -> None:
    @expects("float", "(int, float)", "float", "{'z': float}")
    def all_of(x: Any, *rest: Any, k: Any = 1, **more: Any) -> Any:
        return x, rest, k, more

    assert repr(all_of(1, np.int64(2), 3, z=4)) == repr((1.0, (2, 3.0), 1.0, {"z": 4.0}))


# A kind, what is given, and what is said of it.
SAID: list[tuple[str, Any, str]] = [
    ("f8[n]", LONG, "`x` has 2 dimensions, not 1: it is f8[3, 3], not f8[n]"),
    ("f8[n]", [1.0], "`x` is a list, not f8[n]"),
    ("f8[n]", np.arange(3), "`x` is i8[3], not f8[n]"),
    ("f8[n, n]", np.ones((2, 3)), "`x` is f8[2, 3], not f8[n, n] with n = 2"),
    ("f8[n]", np.ones(3).view(Sub), "`x` is a Sub, a subclass of ndarray, not f8[n]"),
    ("int", 1.0, "`x` is a float, not int"),
    ("float", None, "`x` is None, not float"),
    ("float", Pair(1, 2), "`x` is a Pair, not float"),
    ("{'ka': float, 'ke': float}", {"ke": 1.0}, "`x` lacks the key 'ka'"),
    ("{'ka': float}", {"ka": 1.0, "x": 1}, "`x` has a key 'x' that the text does not know"),
    ("{'ka': float}", {"ka": "a"}, "`x['ka']` is a str, not float"),
    ("{'ka': float}", [1.0], "`x` is a list, not a dict"),
    ("{'a': [f8[n]]}", {"a": [LONG]}, "`x['a'][0]` has 2 dimensions, not 1"),
    ("(float, float)", (1.0,), "`x` has 1 item, not 2"),
    ("(float, float)", [1.0, 2.0], "`x` is a list, not a tuple"),
    ("Pair(a: float, b: int)", Pair(1.0, 2.5), "`x.b` is a float, not int"),
    ("Pair(a: float, c: int)", Pair(1.0, 2), "`x` lacks the attribute `c`"),
    ("Pair(a: float)", 1.0, "`x` is a float, not a Pair"),
    ("OrderedDict({'a': float})", [1.0], "`x` is a list, not a dict"),
]


@pytest.mark.parametrize(("kind", "value", "said"), SAID)
def test_what_is_wrong_is_said(kind: str, value: Any, said: str) -> None:
    with pytest.raises(SignatureMismatch) as caught:
        takes(kind)(value)
    assert str(caught.value).startswith(f"same: {said}")


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
    assert three(np.ones(3), np.ones((3, 2)), k=2) == 8.0
    with pytest.raises(SignatureMismatch, match="`k` is a str, not float"):
        three(np.ones(3), np.ones((3, 2)), k="2")
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
