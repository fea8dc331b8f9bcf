"""Objects of the module that are asked when the function runs, and what they were when it was compiled."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import retrograd as rg

X = np.array([0.3, 0.7, 1.1])


class Backend:
    name = "numpy"
    mean = staticmethod(np.mean)
    sin = staticmethod(np.sin)

    @staticmethod
    def twice(x):
        return 2.0 * x

    def thrice(self, x):
        return 3.0 * x


class Other(Backend):
    sin = staticmethod(np.cos)

    @staticmethod
    def mean(x, axis=None):
        return np.sum(x)

    def thrice(self, x):
        return 5.0 * x


class Manager:
    """As the libraries have it that compute with one of several others."""

    local = threading.local()
    backend = Backend()

    @classmethod
    def current(cls):
        return cls.local.__dict__.get("backend", cls.backend)

    @classmethod
    def dispatched(cls, name):
        def wrapped(*args, **kwargs):
            return getattr(cls.local.__dict__.get("backend", cls.backend), name)(*args, **kwargs)

        return wrapped


mean, sin = Manager.dispatched("mean"), Manager.dispatched("sin")


def by_dispatch(x):
    return mean(x**2)


def by_classmethod(x):
    return Manager.current().mean(x**2)


def by_name(x):
    backend = Manager.current()
    return np.sum(backend.sin(x)) + backend.mean(x, axis=0)


def by_method(x):
    return np.sum(Manager.current().thrice(x) ** 2)


def by_table(x):
    return np.sum(Manager.local.__dict__.get("backend", Manager.backend).sin(x))


def by_both(x):
    return np.sum(sin(x) * Manager.current().twice(x))


FUNCTIONS = [by_dispatch, by_classmethod, by_name, by_method, by_table, by_both]


@pytest.fixture
def another() -> Iterator[Callable[[], None]]:
    yield lambda: setattr(Manager.local, "backend", Other())
    Manager.local.__dict__.clear()


def differences(f: Any) -> list[float]:
    return [(f(X + h) - f(X - h)) / 2e-6 for h in 1e-6 * np.eye(3)]


@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
def test_they_lead_to_functions(f: Any, another: Callable[[], None]) -> None:
    gradient = rg.grad(f, strict=True)
    np.testing.assert_allclose(gradient(X), differences(f), rtol=1e-6)
    another()
    np.testing.assert_allclose(gradient(X), differences(f), rtol=1e-6)
    Manager.local.__dict__.clear()
    np.testing.assert_allclose(gradient(X), differences(f), rtol=1e-6)


def named(kind, x):
    return getattr(np, f"{kind}h")(x)


def at_least(x, *, ndim, xp):
    return getattr(xp, f"atleast_{ndim}d")(x)


@pytest.mark.parametrize(
    "f",
    [
        lambda x: np.sum(named("sin", x) + named("cos", x)),
        lambda x: np.sum(at_least(x, ndim=2, xp=np) ** 2),
        lambda x: np.sum(x.__array_namespace__().exp(x)),
    ],
)  # fmt: skip
def test_names_that_are_put_together(f: Any) -> None:
    if not hasattr(X, "__array_namespace__"):
        pytest.skip("NumPy 2")
    np.testing.assert_allclose(rg.grad(f, strict=True)(X), differences(f), rtol=1e-6)


MATRIX = np.array([[2.0, 0.5, 0.1], [0.5, 3.0, 0.2], [0.1, 0.2, 1.5]])
GIVEN = [
    (MATRIX,),
    (MATRIX, MATRIX),
    (MATRIX, 0.5),
    (MATRIX, 0.5, 2.0),
    ([MATRIX, MATRIX],),
    (3,),
    ((2, 2), 1.5),
]
INCOMPARABLE = ("empty", "empty_like", "finfo", "iinfo")


def test_the_layer_around_numpy_is_numpy() -> None:
    """Each function of SciPy's copy of the array API's layer that the compiler takes for NumPy's gives the same."""
    layer = pytest.importorskip("scipy._lib.array_api_compat.numpy")
    from retrograd.compiler import pipeline
    from retrograd.compiler.lowering.library.array_api import called_in_numpy, in_numpy

    assert pipeline.lower is not None  # every rule is registered
    spaces = [layer, layer.linalg, layer.fft]
    functions = {name: fn for space in spaces for name, fn in vars(space).items() if callable(fn)}
    compared = set()
    for name, fn in functions.items():
        if in_numpy(fn) is fn or name in INCOMPARABLE:
            continue
        for args in GIVEN:
            try:
                found = fn(*args)
            except Exception:  # not of these
                continue
            known, given, named_ones = called_in_numpy(fn, list(args), {})
            expected = known(*(getattr(a, "value", a) for a in given), **named_ones)
            several = isinstance(found, tuple)
            for a, b in zip(found, expected, strict=True) if several else [(found, expected)]:
                np.testing.assert_array_equal(a, b, err_msg=name)
            compared.add(name)
    assert {"clip", "solve", "std"} <= compared


def namespace_program(x):
    from scipy._lib._array_api import array_namespace

    xp = array_namespace(x)
    cut = xp.clip(x, 0.5) + xp.clip(x, max=1.0) + xp.clip(x, 0.5, 1.0)
    return xp.sum(cut * xp.conj(x)) + xp.linalg.vector_norm(x)


def test_a_namespace_with_names_of_methods() -> None:
    pytest.importorskip("scipy._lib._array_api")
    np.testing.assert_allclose(
        rg.grad(namespace_program, strict=True)(X), differences(namespace_program), rtol=1e-5
    )


class Plain:
    pass


class Asked:
    def __getattr__(self, name):
        return OTHER_PARAMETERS if name == "parameters" else 3.0


PARAMETERS, OTHER_PARAMETERS = {"scale": 2.0}, {"scale": 3.0}
LOCAL, PLAIN = threading.local(), Plain()


def of_a_thread(x):
    return np.sum(x**2) * getattr(LOCAL, "parameters", PARAMETERS)["scale"] * getattr(LOCAL, "n", 1)


def of_an_object(x):
    return np.sum(x**2) * getattr(PLAIN, "parameters", PARAMETERS)["scale"] * getattr(PLAIN, "n", 1)


@pytest.mark.parametrize(("f", "owner"), [(of_a_thread, LOCAL), (of_an_object, PLAIN)])
def test_attributes_that_are_missing_and_set_later(
    f: Callable[..., Any], owner: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    gradient = rg.grad(f, strict=True)
    np.testing.assert_allclose(gradient(X), 4 * X)
    monkeypatch.setattr(owner, "n", 5, raising=False)
    np.testing.assert_allclose(gradient(X), 20 * X)
    monkeypatch.setattr(owner, "parameters", OTHER_PARAMETERS, raising=False)
    np.testing.assert_allclose(gradient(X), 30 * X)
    monkeypatch.undo()
    np.testing.assert_allclose(gradient(X), 4 * X)


def test_what_is_missing_is_told_without_code_of_the_class() -> None:
    from retrograd.compiler.lowering.opaque.objects_now import is_missing

    assert is_missing(PLAIN, "n") and is_missing(LOCAL, "n")
    assert not is_missing(Asked(), "n") and not is_missing(Backend(), "mean")
    assert not is_missing(np, "n")  # a module may have a `__getattr__`
