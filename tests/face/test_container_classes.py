"""Containers of classes of one's own, of other libraries and of `collections`: what they are, and what is refused."""

from __future__ import annotations

import array
import dataclasses
import decimal
import pathlib
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import (
    NotDifferentiable,
    RetrogradError,
    TapeWarning,
)

from .test_values_in_containers import CONTAINERS, B, C, V, W, check, cube


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


@pytest.mark.usefixtures("taped")
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


@pytest.mark.parametrize("name", ["OrderedDict", "defaultdict", "UserDict", "ChainMap", "proxy"])
def test_a_dict_of_another_class_answers_as_it_does(name: str) -> None:
    make = CONTAINERS[name][0]

    def f(p: Any) -> Any:
        total = sum(np.sum(v**2) for key, v in p.items() if key != "how")
        total = total * len(p) * p.get("nothing", 2.0)
        return total if isinstance(p, dict) else 3.0 * total

    def g(p: Any) -> Any:
        return np.sum(p["w"]) if type(p) is dict or hasattr(p, "move_to_end") else p["b"]

    p = make(w=W, how="cubic", b=B)
    factor = 6.0 if isinstance(p, dict) else 18.0
    check(rg.grad(f)(p), p, (2 * W * factor, 2 * B * factor))
    check(rg.grad(g)(p), p, (np.ones(3), 0.0) if name == "OrderedDict" else (np.zeros(3), 1.0))


def test_lists_of_functions_beside_lists_of_weights() -> None:
    def f(ws: Any, acts: Any, x: Any) -> Any:
        return sum(np.sum(act(w * x)) for w, act in zip(ws, acts, strict=True))

    found = rg.grad(f)([1.0, 2.0], [np.sin, np.exp], W)
    np.testing.assert_allclose(found, [np.cos(W) @ W, np.exp(2 * W) @ W])

    def layers(ls: Any, x: Any) -> Any:
        for k, layer in enumerate(ls):
            x = layer["act"](x * layer["w"]) * (k + 1)
        return np.sum(x)

    ls = [{"act": np.sin, "w": 1.0}, {"act": np.exp, "w": 2.0}]
    first, second = rg.grad(layers)(ls, W)
    inner = 2.0 * np.exp(2.0 * np.sin(W))
    np.testing.assert_allclose(first["w"], np.sum(inner * 2.0 * np.cos(W) * W))
    np.testing.assert_allclose(second["w"], np.sum(inner * np.sin(W)))
    assert first["act"] is second["act"] is None


@dataclasses.dataclass
class Summed:
    w: Any

    def __post_init__(self) -> None:
        self.total = np.sum(self.w)


def test_an_attribute_that_is_no_field_has_no_derivative_and_is_not_passed_over() -> None:
    def f(s: Any) -> Any:
        return s.total * np.sum(s.w)

    s = Summed(W)
    with pytest.raises(NotDifferentiable, match="`.total` is no field of Summed"):
        rg.grad(f)(s)
    with pytest.raises(NotDifferentiable, match="`.total` is no field of Summed"):
        rg.jvp(f, (s,), (Summed(V),))
    found = rg.grad(lambda s: rg.stop_gradient(s.total) * np.sum(s.w))(s)
    np.testing.assert_allclose(found.w, np.full(3, np.sum(W)))


def test_extra_fields_of_a_pydantic_model() -> None:
    pydantic = pytest.importorskip("pydantic")
    model = pydantic.create_model("Extra", __config__={"extra": "allow"}, w=(float, ...))
    found = rg.grad(lambda m: m.w * m.z**2)(model(w=2.0, z=3.0, name="spring"))
    assert (found.w, found.z, found.name) == (9.0, 12.0, None)
