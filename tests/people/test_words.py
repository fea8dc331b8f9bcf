"""What is said of names, options and objects of other libraries: the word here, and the way out."""

from __future__ import annotations

import collections
import dataclasses
import datetime
import decimal
import fractions
import logging
import re
import types
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd import eager, scope
from retrograd.habits import ELSEWHERE
from retrograd.runtime.errors import NotDifferentiable, SignatureMismatch
from retrograd.runtime.objects.spoken_classes import WAYS, a, array_of

ONES = np.ones(3)


def total(x: Any, scale: Any = 1.0) -> Any:
    return np.sum(x) * scale


# -- names ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ELSEWHERE)
def test_a_name_of_another_library(name: str) -> None:
    """It is no name of ours or of the eager API, which it would hide, and is no part of what is out of scope."""
    assert eager.lookup(name) is eager.MISSING
    assert name not in (*rg.__all__, *eager.PARTS)
    assert scope.instead(name) is None
    assert not hasattr(rg, name)
    with pytest.raises(AttributeError, match=r"here it is .*"):
        getattr(rg, name)
    with pytest.raises(ImportError, match=r"here it is .*"):
        exec(f"from retrograd import {name}")


def test_the_words_there_are_words() -> None:
    """What is named in the table exists."""
    for said in ELSEWHERE.values():
        for name in re.findall(r"`@?rg\.(\w+)", said):
            assert hasattr(rg, name), said


@pytest.mark.parametrize(
    ("name", "meant"), [("value_and_grads", "value_and_grad"), ("jacobain", "jacobian"), ("Grad", "grad")]
)  # fmt: skip
def test_did_you_mean(name: str, meant: str) -> None:
    with pytest.raises(AttributeError, match=f"did you mean `{meant}`"):
        getattr(rg, name)


def test_what_is_like_nothing_is_an_ordinary_error() -> None:
    with pytest.raises(AttributeError, match=r"^module 'retrograd' has no attribute 'quux'$"):
        rg.quux  # noqa: B018
    with pytest.raises(AttributeError, match="did you mean `hessian`"):
        rg.differentiate(total).hesian  # noqa: B018


def test_arrays_for_transforms_of_tensors() -> None:
    for run in (lambda: rg.func.vmap(np.sin)(ONES), lambda: rg.func.grad(np.sum)(ONES)):
        with pytest.raises(ValueError, match="Tensor") as caught:
            run()
        assert "functions of NumPy's arrays have" in caught.value.__notes__[0]


# -- options --------------------------------------------------------------------------------------

OPTIONS: dict[str, tuple[Callable[[], Any], str]] = {
    "argnum": (lambda: rg.grad(total, argnum=1), "here it is `wrt="),  # type: ignore[call-overload]
    "vjp": (lambda: rg.vjp(total, ONES, argnums=1), "here it is `wrt="),  # type: ignore[call-overload]
    "jvp": (lambda: rg.jvp(total, (ONES,), (ONES,), argnums=0), "has None for its tangent"),  # type: ignore[call-overload]
    "holomorphic": (lambda: rg.grad(total, holomorphic=True), "rg.jvp, rg.vjp"),  # type: ignore[call-overload]
    "create_graph": (lambda: rg.grad(total, create_graph=True), "rg.grad"),  # type: ignore[call-overload]
    "hvp": (lambda: rg.hvp(total, (ONES,), ONES, has_aux=True), "an option of rg.grad"),  # type: ignore[call-arg]
    "mistyped": (lambda: rg.jacobian(total, spares=True), "did you mean `sparse`"),  # type: ignore[call-overload]
    "decorator": (lambda: rg.differentiate(total, bakend="c"), "did you mean `backend`"),  # type: ignore[call-overload]
    "a solver": (lambda: rg.root(total, 1.0, maxiter=3), "did you mean `max_steps`"),  # type: ignore[call-arg]
    "an argument": (lambda: rg.grad(total, "scael"), "did you mean `scale`"),
    "a position": (lambda: rg.grad(total, 2), "it has 2, x, scale"),
    "a mode": (lambda: rg.differentiate(total).source("gard"), "did you mean `grad`"),
    "no tuple": (lambda: rg.jvp(total, ONES, ONES), r"write \(arg,\)"),
    "a number": (lambda: rg.jvp(total, (), ()), r"total\(\) missing a required argument: 'x'"),
    "no function": (lambda: rg.grad(3.0), "3.0 is a float, not a function"),  # type: ignore[call-overload]
    "a result": (lambda: rg.grad(total(ONES)), "give the function itself"),
}


@pytest.mark.parametrize("name", OPTIONS)
def test_options(name: str) -> None:
    run, said = OPTIONS[name]
    with pytest.raises(TypeError, match=said):
        run()


def test_errors_of_the_call_are_pythons() -> None:
    with pytest.raises(
        TypeError, match=r"total\.grad(_\d+)?\(\) got an unexpected keyword argument 'scael'"
    ):
        rg.grad(total)(ONES, scael=2.0)  # type: ignore[call-arg]


# -- objects --------------------------------------------------------------------------------------


class Like:
    """A class that offers some names, as those of other libraries do."""

    def __init__(self) -> None:
        self.numbers = ONES


def offering(names: tuple[str, ...]) -> Any:
    return type("Foreign", (Like,), dict.fromkeys(names, lambda self: ONES))()


@pytest.mark.parametrize(("names", "way"), WAYS)
def test_the_way_to_an_array(names: tuple[str, ...], way: str) -> None:
    value = offering(names)
    with pytest.raises(NotDifferentiable) as caught:
        rg.grad(total)(value)
    assert way.format("x") in str(caught.value)
    assert array_of(type(value), "x") == way.format("x")


OBJECTS: dict[str, tuple[Any, str]] = {
    "a logger": (logging.getLogger("x"), "a logging.Logger, not a number"),
    "a fraction": (fractions.Fraction(1, 2), "a fractions.Fraction, not an array of NumPy's"),
    "a decimal": (decimal.Decimal(1), "float(x)"),
    "a date": (datetime.date(2020, 1, 1), "a datetime.date, not a number"),
    "None": (None, "`x` is None"),
    "a text": ("1.0", "a text"),
    "a function": (np.sin, "a function"),
    "a generator": (np.random.default_rng(), "a numpy.random.Generator"),
    "a matrix": (ONES.view(np.matrix), "a numpy.matrix, a subclass of ndarray"),
    "a masked array": (np.ma.array([1.0]), "a numpy.ma.MaskedArray"),
    "a set": ({1.0}, "pass a list, a tuple or an array"),
    "an object": (Like(), 'wrt="x.numbers"'),
}


@pytest.mark.parametrize("name", OBJECTS)
def test_objects_by_their_names(name: str) -> None:
    value, said = OBJECTS[name]
    with pytest.raises((NotDifferentiable, SignatureMismatch)) as caught:
        rg.grad(total)(value)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("module", "name", "make", "said"),
    [
        ("pandas", "Series", lambda m: m.Series([1.0]), "a pandas.Series, not an array of NumPy's"),
        ("pandas", "frame", lambda m: m.DataFrame({"a": [1.0]}), "x.to_numpy()"),
        ("xarray", "array", lambda m: m.DataArray([1.0]), "an xarray.DataArray"),
        ("pint", "quantity", lambda m: m.UnitRegistry().Quantity([1.0], "m"), "x.magnitude"),
        ("torch", "tensor", lambda m: m.ones(3), "x.detach().numpy()"),
        ("scipy.spatial", "tree", lambda m: m.KDTree(np.ones((2, 2))), "a scipy.spatial.KDTree"),
        ("scipy.sparse", "sparse", lambda m: m.csr_array(np.eye(2)), "scipy.sparse"),
    ],
)  # fmt: skip
def test_objects_of_other_libraries(
    module: str, name: str, make: Callable[[Any], Any], said: str
) -> None:
    library = pytest.importorskip(module)
    if module == "scipy.sparse":
        assert said in a(type(make(library)))
        return
    with pytest.raises((NotDifferentiable, SignatureMismatch)) as caught:
        rg.grad(total)(make(library))
    assert said in str(caught.value)


@dataclasses.dataclass
class Parameters:
    w: Any


CONTAINERS: dict[str, tuple[Any, Callable[[Any], Any]]] = {
    "SimpleNamespace": (types.SimpleNamespace(w=2.0), lambda p: p.w),
    "OrderedDict": (collections.OrderedDict(w=2.0), lambda p: p["w"]),
    "defaultdict": (collections.defaultdict(float, w=2.0), lambda p: p["w"]),
    "ChainMap": (collections.ChainMap({"w": 2.0}), lambda p: p["w"]),
    "dataclass": (Parameters(2.0), lambda p: p.w),
}


@pytest.mark.parametrize("name", CONTAINERS)
def test_containers_are_differentiated(name: str) -> None:
    value, read = CONTAINERS[name]
    attribute = isinstance(value, (types.SimpleNamespace, Parameters))
    f: Any = (lambda p: p.w**2) if attribute else (lambda p: p["w"] ** 2)
    slope = rg.grad(f)(value)
    assert type(slope) is type(value)
    assert read(slope) == 4.0


def test_containers_of_attrs_and_pydantic() -> None:
    attrs = pytest.importorskip("attrs")
    pydantic = pytest.importorskip("pydantic")
    defined = attrs.make_class("Defined", ["w"])(2.0)
    modelled = pydantic.create_model("Modelled", w=(float, ...))(w=2.0)
    for value in (defined, modelled):
        assert rg.grad(lambda p: p.w**2)(value).w == 4.0
