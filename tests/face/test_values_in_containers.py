"""Containers of all kinds as arguments, with texts, functions, None, members of enumerations and integers inside."""

from __future__ import annotations

import array
import collections
import dataclasses
import decimal
import enum
import pathlib
import types
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import (
    NotDifferentiable,
    RetrogradError,
    TapeWarning,
)

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


# -- results, other containers, and what is refused ------------------------------------------------


def test_texts_and_functions_among_the_results() -> None:
    def f(p: Any) -> Any:
        return {"y": p["w"] * p["b"], "how": p["how"], "name": "own", "none": None}

    p = {"w": W, "how": np.tanh, "b": B}
    value, pull = rg.vjp(f, p)
    assert value["how"] is np.tanh
    assert (value["name"], value["none"]) == ("own", None)
    check(pull({"y": V, "how": None, "name": None, "none": None})[0], p, (V * B, V @ W))
    dot = rg.jvp(f, (p,), ({"w": V, "how": None, "b": C},))[1]
    np.testing.assert_allclose(dot.pop("y"), V * B + W * C)
    assert dot == {"how": None, "name": None, "none": None}


class Pair:
    """Its items are none of its attributes."""

    def __init__(self, items: list[Any], scale: float) -> None:
        self.items, self.scale = items, scale

    def norm(self) -> Any:
        return self.scale * np.sum(self.items[0] ** 2 * self.items[1])


class Scaled:
    """An attribute that is no item."""

    def __init__(self, w: Any, scale: float) -> None:
        self.w, self.scale = w, scale


rg.register_container(
    Pair, lambda p: (p.items, p.scale), lambda scale, items: Pair(list(items), scale)
)
rg.register_container(
    Scaled, lambda s: ([s.w], s.scale), lambda scale, items: Scaled(items[0], scale)
)


def test_a_registered_class_whose_items_are_not_attributes_runs_on_the_tape() -> None:
    f = rg.differentiate(Pair.norm, check=None)
    p, v = Pair([W, B], 3.0), Pair([V, C], 3.0)
    with pytest.warns(TapeWarning, match="not attributes"):
        found = f.grad(p)
    assert type(found) is Pair
    np.testing.assert_allclose(found.items[0], 6 * W * B)
    assert f.jvp((p,), (v,))[1] == pytest.approx(6 * B * W @ V + 3 * C * W @ W)
    np.testing.assert_allclose(f.hvp((p,), v).items[0], 6 * (V * B + W * C))
    with pytest.raises(RetrogradError, match="not attributes"):
        rg.differentiate(Pair.norm, strict=True).grad(p)


def test_what_a_registration_leaves_out_is_a_constant_in_both_modes() -> None:
    def f(s: Any) -> Any:
        return np.sum(s.w**2) * s.scale

    s, v = Scaled(W, 2.0), Scaled(V, 2.0)
    found = rg.grad(f)(s)
    np.testing.assert_allclose(found.w, 4 * W)
    assert rg.jvp(f, (s,), (v,))[1] == pytest.approx(4 * W @ V)
    np.testing.assert_allclose(rg.hvp(f, (s,), v).w, 4 * V)


class Plain:
    def __init__(self, w: Any) -> None:
        self.w = w


class Lazy:
    def __init__(self, w: Any) -> None:
        self.parts = [w, cube]


def test_what_holds_numbers_and_is_no_container_is_refused_with_the_way_out() -> None:
    def f(p: Any) -> Any:
        return np.sum(p["w"] ** 2)

    cases: dict[str, Any] = {
        r"register_container\(Plain\).*wrt=\"p\['o'\]\.w\"": Plain(1.5),
        r"register_container\(Lazy\)": Lazy(1.5),
        "a set": {1.5},
        r"array\.array": array.array("d", [1.5]),
        r"float\(p\['o'\]\)": decimal.Decimal("1.5"),
        "a list_iterator": iter([1.5]),
    }
    for words, held in cases.items():
        with pytest.raises(NotDifferentiable, match=words):
            rg.grad(f)({"w": W, "o": held})
    with pytest.raises(NotDifferentiable, match=r"`p\['w'\]\[1\]` is an integer"):
        rg.grad(f)({"w": [1.0, 2]})
    with pytest.raises(NotDifferentiable, match="a text, not a number"):
        rg.grad(f)({"w": "text"})


class Quantity:
    magnitude, units = W, "m"


class Tensor:
    def detach(self) -> Any: ...
    def numpy(self) -> Any: ...


class Array:
    def __array__(self) -> Any:
        return W


@pytest.mark.parametrize(
    ("value", "way"),
    [(Quantity(), "x.magnitude"), (Tensor(), "x.detach().numpy()"), (Array(), "np.asarray(x)")],
)
def test_arrays_of_other_libraries_are_named_with_the_way_out(value: Any, way: str) -> None:
    with pytest.raises(NotDifferentiable, match=f"{type(value).__name__}") as caught:
        rg.grad(lambda x: np.sum(x))(value)
    assert way in caught.value.fix


def test_a_frame_and_a_series_of_pandas_are_named() -> None:
    pandas = pytest.importorskip("pandas")
    for made in (pandas.Series(W), pandas.DataFrame({"a": W})):
        with pytest.raises(NotDifferentiable, match="a pandas") as caught:
            rg.grad(lambda x: np.sum(x))(made)
        assert "x.to_numpy()" in caught.value.fix
    series = pandas.Series(V)
    np.testing.assert_allclose(rg.grad(lambda x, s: np.sum(x * s.to_numpy()))(W, series), V)


def test_an_array_in_a_file_is_an_array(tmp_path: pathlib.Path) -> None:
    np.save(tmp_path / "w.npy", W)
    w = np.load(tmp_path / "w.npy", mmap_mode="r")

    def f(x: Any) -> Any:
        return np.sum(x**2) * x[0]

    want = 2 * W * W[0] + np.array([W @ W, 0, 0])
    for found in (
        rg.grad(f)(w),
        rg.vjp(f, w)[1](1.0)[0],
        rg.grad(lambda p: f(p["w"]))({"w": w})["w"],
        rg.jacobian(f)(w),
    ):
        assert type(found) is np.ndarray
        np.testing.assert_allclose(found, want)
    assert rg.jvp(f, (w,), (V,))[1] == pytest.approx(want @ V)
    np.testing.assert_allclose(rg.hvp(f, (w,), V), rg.hessian(f)(w) @ V)
    np.testing.assert_allclose(rg.grad(lambda x: np.sum(x * w))(V), W)
