"""Containers of all kinds as arguments, with texts, functions, None, members of enumerations and integers inside."""

from __future__ import annotations

import collections
import dataclasses
import enum
import pathlib
import types
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

import retrograd as rg

W, B = np.array([0.3, -0.2, 0.5]), 2.0
V, C = np.array([1.0, 2.0, -1.0]), 0.5  # a direction


class Kind(enum.Enum):
    CUBIC = 1
    LINEAR = 2


class Access(enum.Flag):
    READ = 1
    WRITE = 2


class Named(NamedTuple):
    w: Any
    how: Any
    b: Any


@dataclasses.dataclass
class Data:
    w: Any
    how: Any
    b: Any


@dataclasses.dataclass(frozen=True, slots=True)
class Frozen:
    w: Any
    how: Any
    b: Any


class Params(dict):  # type: ignore[type-arg]
    pass


@rg.register_container
class Registered:
    def __init__(self, w: Any, how: Any, b: Any) -> None:
        self.w, self.how, self.b = w, how, b


class Swapped:
    """An ``__init__`` that takes something else than it keeps."""

    def __init__(self, both: tuple[Any, Any], how: Any) -> None:
        (self.b, self.w), self.how = both, how


rg.register_container(
    Swapped, lambda s: ((s.b, s.w), s.how), lambda how, items: Swapped(items, how)
)


def cube(x: Any) -> Any:
    return x * x * x


# -- one function for every way to reach the parts of a container ---------------------------------


def by_key(p: Any) -> Any:
    return scaled(p["w"], p["how"]) * p["b"]


def by_name(p: Any) -> Any:
    return scaled(p.w, p.how) * p.b


def unpacked(p: Any) -> Any:
    w, how, b = p
    return scaled(w, how) * b


def inside(p: Any) -> Any:
    first, (b,) = p["parts"]
    return scaled(first.w, first.how) * b


def scaled(w: Any, how: Any) -> Any:
    if how is Kind.CUBIC or how == "cubic":
        return np.sum(w * w * w)
    if how is None:
        return np.sum(np.sin(w))
    return np.sum(w * w * np.exp(w))


def called(p: Any) -> Any:
    return np.sum(p["how"](p["w"]) ** 2) * p["b"]


def attrs_class(w: Any, how: Any, b: Any) -> Any:
    attrs = pytest.importorskip("attrs")
    return attrs.make_class("Attrs", ["w", "how", "b"], frozen=True)(w, how, b)


def pydantic_model(w: Any, how: Any, b: Any) -> Any:
    pydantic = pytest.importorskip("pydantic")
    return pydantic.create_model("Model", w=(Any, ...), how=(Any, ...), b=(Any, ...))(
        w=w, how=how, b=b
    )


def kept(make: Callable[..., Any]) -> Callable[..., Any]:
    """Objects of one class."""
    known: list[Any] = []

    def made(w: Any, how: Any, b: Any) -> Any:
        known.append(type(known[0])) if known else known.append(make(w, how, b))
        cls = type(known[0])
        return cls(w=w, how=how, b=b)

    return made


CONTAINERS: dict[str, tuple[Any, Any]] = {
    "dict": (lambda **k: k, by_key),
    "OrderedDict": (collections.OrderedDict, by_key),
    "defaultdict": (lambda **k: collections.defaultdict(float, k), by_key),
    "UserDict": (collections.UserDict, by_key),
    "ChainMap": (lambda w, how, b: collections.ChainMap({"w": w}, {"how": how, "b": b}), by_key),
    "proxy": (lambda **k: types.MappingProxyType(k), by_key),
    "class below dict": (Params, by_key),
    "named tuple": (Named, by_name),
    "dataclass": (Data, by_name),
    "frozen dataclass": (Frozen, by_name),
    "namespace": (types.SimpleNamespace, by_name),
    "registered": (Registered, by_name),
    "registered, other __init__": (lambda w, how, b: Swapped((b, w), how), by_name),
    "attrs": (kept(attrs_class), by_name),
    "pydantic": (kept(pydantic_model), by_name),
    "list": (lambda w, how, b: [w, how, b], unpacked),
    "tuple": (lambda w, how, b: (w, how, b), unpacked),
    "nested": (
        lambda w, how, b: {"parts": [types.SimpleNamespace(w=w, how=how), (b,)]},
        inside,
    ),
}


def parts(p: Any) -> tuple[Any, Any, Any]:
    """What stands where ``w``, ``how`` and ``b`` are in a container."""
    if "parts" in (p if isinstance(p, dict) else ()):
        first, (b,) = p["parts"]
        return first.w, first.how, b
    if type(p) in (list, tuple):
        return tuple(p)
    if hasattr(p, "keys"):
        return p["w"], p["how"], p["b"]
    return p.w, p.how, p.b


def slopes(f: Any, make: Any, how: Any, w: Any = W, b: float = B) -> tuple[Any, float]:
    """The gradient by differences."""
    h = 1e-6
    at = lambda w, b: f(make(w=w, how=how, b=b))
    by_w = [(at(w + h * e, b) - at(w - h * e, b)) / (2 * h) for e in np.eye(len(w))]
    return np.array(by_w), (at(w, b + h) - at(w, b - h)) / (2 * h)


def check(found: Any, like: Any, want: tuple[Any, float], how: Any = None) -> None:
    assert type(found) is type(like)
    w, nothing, b = parts(found)
    assert nothing is how
    np.testing.assert_allclose(w, want[0], rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(b, want[1], rtol=1e-6)


@pytest.mark.parametrize("name", CONTAINERS)
def test_every_transform_knows_every_container(name: str) -> None:
    make, f = CONTAINERS[name]
    how = "cubic"
    p, v = make(w=W, how=how, b=B), make(w=V, how=None, b=C)
    rest = how if name == "registered, other __init__" else None  # `flatten` keeps it apart
    want = slopes(f, make, how)
    check(rg.grad(f)(p), p, want, rest)
    value, pull = rg.vjp(f, p)
    check(pull(1.0)[0], p, want, rest)
    assert value == f(p)
    along = want[0] @ V + want[1] * C
    assert rg.jvp(f, (p,), (v,))[1] == pytest.approx(along, rel=1e-6)
    w, _, b = parts(rg.hvp(f, (p,), v))  # of b * sum(w ** 3)
    np.testing.assert_allclose(w, 6 * W * B * V + 3 * W**2 * C)
    np.testing.assert_allclose(b, 3 * W**2 @ V)


@pytest.mark.parametrize("name", ["dict", "frozen dataclass", "nested"])
def test_matrices_and_decorated_functions(name: str) -> None:
    make, f = CONTAINERS[name]
    p = make(w=W, how="cubic", b=B)
    want = slopes(f, make, "cubic")
    for mode in ("forward", "reverse"):
        check(rg.jacobian(f, mode=mode)(p), p, want)
    second = rg.hessian(f)(p)
    assert type(second) is type(p)
    row = parts(parts(second)[0])
    np.testing.assert_allclose(row[0], np.diag(6 * W * B))
    np.testing.assert_allclose(row[2], 3 * W**2)
    assert row[1] is None
    decorated = rg.differentiate(f)
    check(decorated.value_and_grad(p)[1], p, want)
    rg.check_grads(f, (p,))
    both = rg.grad(lambda k, q: f(q) * k, wrt=("k", "q"))(1.5, p)
    check(both[1], p, (1.5 * want[0], 1.5 * want[1]))


VALUES: dict[str, Any] = {
    "text": "cubic", "another text": "linear", "bytes": b"cubic", "none": None, "enum": Kind.CUBIC, "flag": Access.READ | Access.WRITE,
    "integer": 3, "boolean": True, "NumPy integer": np.int64(3), "dtype": np.dtype("f4"), "class": np.float32,
    "path": pathlib.Path("data"), "module": np, "builtin": len, "texts": ("a", "b"), "shape": (3, 2),
    "slice": slice(1, 2), "ellipsis": ..., "set": frozenset({1}),
}  # fmt: skip
ARRAYS: dict[str, Any] = {
    "integers": np.arange(2),
    "booleans": np.array([True]),
    "texts": np.array(["a"]),
}


@pytest.mark.parametrize("name", VALUES)
@pytest.mark.parametrize("container", ["dict", "dataclass"])
def test_what_has_no_derivative_has_none_for_its_gradient(name: str, container: str) -> None:
    make, f = CONTAINERS[container]
    how = VALUES[name]
    p = make(w=W, how=how, b=B)
    nothing = (None, None) if isinstance(how, tuple) else None
    w, found, b = parts(rg.grad(f)(p))
    assert found == nothing
    want = slopes(f, make, how)
    np.testing.assert_allclose(w, want[0], rtol=1e-6)
    np.testing.assert_allclose(b, want[1], rtol=1e-6)
    assert parts(rg.hvp(f, (p,), make(w=V, how=how, b=C)))[1] == nothing


@pytest.mark.parametrize("name", ARRAYS)
def test_arrays_of_other_things(name: str) -> None:
    p = {"w": W, "how": ARRAYS[name], "b": B}

    def f(p: Any) -> Any:
        return np.sum(p["w"] ** 2) * p["b"] * len(p["how"])

    found = rg.grad(f)(p)
    np.testing.assert_allclose(found["w"], 2 * W * B * len(p["how"]))
    assert found["how"] is None
    assert rg.hvp(f, (p,), p)["how"] is None


@pytest.mark.parametrize("fn", [np.tanh, np.sin, cube, lambda x: x * np.cos(x)])
def test_a_function_in_a_container_is_called(fn: Any) -> None:
    p = {"w": W, "how": fn, "b": B}
    want = slopes(called, lambda **k: k, fn)
    check(rg.grad(called)(p), p, want)
    v = {"w": V, "how": None, "b": C}
    assert rg.jvp(called, (p,), (v,))[1] == pytest.approx(want[0] @ V + want[1] * C, rel=1e-6)
    plus, minus = (
        parts(rg.grad(called)({"w": W + h * V, "how": fn, "b": B + h * C})) for h in (1e-5, -1e-5)
    )
    np.testing.assert_allclose(
        parts(rg.hvp(called, (p,), v))[0], (plus[0] - minus[0]) / 2e-5, rtol=1e-5, atol=1e-7
    )
