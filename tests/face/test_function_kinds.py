"""Functions of every kind, as what is differentiated and as what it calls, in every mode."""

from __future__ import annotations

import functools
import inspect
import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import NotDifferentiable
from retrograd.runtime.objects.python_functions import python_function

X = np.array([0.4, 1.3, 0.7])


def scaled(k, x, p=2.0):
    return np.sum(k * x**p)


def of_many(k, *x, **options):
    return k * sum(x) * options.get("scale", 1.0)


class Model:
    rate = 3.0

    def __init__(self, w):
        self.w = w

    def __call__(self, x):
        return np.sum(np.tanh(self.w * x))

    def loss(self, x):
        return np.sum(self.w * x * x)

    @classmethod
    def of_class(cls, x):
        return np.sum(cls.rate * x * x)

    @staticmethod
    def cubed(x):
        return np.sum(x**3)


class Learned(Model):
    @rg.differentiate
    def __call__(self, x):
        return np.sum(self.w * x**3)


class Compiled:
    """What numba makes of a function: an object in C, and the Python function beside it."""

    def __init__(self, py_func: Callable[..., Any]) -> None:
        self.py_func = py_func

    def __call__(self, *args: Any) -> Any:
        return self.py_func(*map(np.asarray, args))


class Elementwise:
    """What numba makes of a function of each element."""

    nin = 1

    def __init__(self, function: Callable[..., Any]) -> None:
        self.__wrapped__ = function

    def __call__(self, x: Any) -> Any:
        return np.vectorize(self.__wrapped__)(np.asarray(x))


def doubled(function):
    @functools.wraps(function)
    def call(*args, **options):
        return 2.0 * function(*args, **options)

    return call


def times(k):
    def around(function):
        def call(x):
            return k * function(x)

        return call

    return around


@doubled
def decorated(x, k=2.0):
    return np.sum(x * k * x)


@Compiled
def compiled(x):
    total = 0.0
    for k in range(len(x)):
        total += x[k] ** 2
    return total


@Elementwise
def damped(t):
    return t * math.sin(t)


vectorized = np.vectorize(damped.__wrapped__)
KINDS: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "partial": (functools.partial(scaled, 2.0), (X,)),
    "partial by name": (functools.partial(scaled, 2.0, p=3.0), (X,)),
    "partial of a partial": (functools.partial(functools.partial(scaled, X), p=3.0), (X,)),
    "partial of a star": (functools.partial(of_many, 2.0, 3.0, scale=0.5), (1.5, 0.7)),
    "partial of NumPy": (functools.partial(np.sum, axis=0), (X,)),
    "partial of a method": (functools.partial(Model.loss, Model(2.0)), (X,)),
    "partial of a decorated": (functools.partial(rg.differentiate(scaled), 2.0), (X,)),
    "object": (Model(2.0), (X,)),
    "object with an array": (Model(X), (X,)),
    "object with a decorated call": (Learned(2.0), (X,)),
    "method": (Model(X).loss, (X,)),
    "class method": (Model.of_class, (X,)),
    "static method": (Model(2.0).cubed, (X,)),
    "np.sum": (np.sum, (X,)),
    "np.linalg.norm": (np.linalg.norm, (X,)),
    "np.sin": (np.sin, (0.3,)),
    "np.multiply": (np.multiply, (0.3, 0.7)),
    "np.multiply.reduce": (np.multiply.reduce, (X,)),
    "np.dot of an array": (X.dot, (X,)),
    "math.sin": (math.sin, (0.3,)),
    "operator.mul": (operator.mul, (0.3, 0.7)),
    "abs": (abs, (0.3,)),
    "max": (max, (0.3, 0.2)),
    "pow": (pow, (0.3, 2.0)),
    "cached": (functools.lru_cache(lambda x: x * x), (0.3,)),
    "decorated": (decorated, (X,)),
    "decorated with an option": (times(3.0)(Model.cubed), (X,)),
    "compiled by another": (compiled, (X,)),
    "compiled for each element": (damped, (0.3,)),
    "np.vectorize": (vectorized, (0.3,)),
}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", KINDS)
def test_as_the_function(name: str) -> None:
    f, args = KINDS[name]
    rg.check_grads(f, args, order=2)
    value, bar = rg.value_and_grad(f, strict=True)(*args)
    np.testing.assert_allclose(value, f(*args))
    np.testing.assert_allclose(bar, rg.grad(f)(*args))
    np.testing.assert_allclose(rg.vjp(f, *args, wrt=0)[1](1.0)[0], bar)
    np.testing.assert_allclose(rg.jacobian(f)(*args), bar)
    assert rg.grad(f) is rg.grad(f), "asking again is cheap"


def calls_compiled(x):
    return compiled(x) * x[0]


def calls_each(x):
    return np.sum(damped(x) * vectorized(x))


def calls_a_method_of_an_array(x):
    return np.sum(DOT(x) * x)


DOT = np.outer(X, [1.0, 2.0, 0.5]).dot


def calls_a_partial(x):
    return functools.partial(scaled, 2.0, p=3.0)(x) * PARTIAL(x)


PARTIAL = functools.partial(scaled, 2.0, p=3.0)


def inner_decorator(x):
    @doubled
    @times(x[0])
    def inner(y):
        return np.sum(y * y)

    return inner(x)


def inner_cache(x):
    @functools.cache
    def fibonacci(n):
        return 1.0 if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)

    return np.sum(x * x) * fibonacci(5)


def local_decorator(x):
    def twice(function):
        @functools.wraps(function)
        def call(y):
            return function(function(y))

        return call

    @twice
    def inner(y):
        return y * y

    return np.sum(inner(x))


CALLERS = [
    calls_compiled,
    calls_each,
    calls_a_partial,
    calls_a_method_of_an_array,
    inner_decorator,
    inner_cache,
    local_decorator,
]


@pytest.mark.parametrize("f", CALLERS, ids=lambda f: f.__name__)
def test_as_what_is_called(f: Any) -> None:
    rg.check_grads(rg.differentiate(f, strict=True), (X,), order=2)


@pytest.mark.filterwarnings("ignore::retrograd.runtime.errors.TapeWarning")
@pytest.mark.parametrize("f", [calls_compiled, calls_each, calls_a_partial])
def test_as_what_is_called_on_the_tape(f: Any) -> None:
    def untext(x):
        return eval("1.0") * f(x)

    rg.check_grads(rg.differentiate(untext, fallback="tape"), (X,), order=2)
    np.testing.assert_allclose(
        rg.differentiate(untext, fallback="tape").grad(X), rg.grad(f)(X), rtol=1e-12
    )


def test_arguments_that_are_given_are_passed_each_time() -> None:
    """They are no part of the text: another value asks for no other one, and defaults stay defaults."""
    slope = rg.grad(functools.partial(scaled, 2.0, p=3.0))
    assert str(inspect.signature(slope)) == "(x, *, p=3.0)"
    np.testing.assert_allclose(slope(X), 6.0 * X**2)
    np.testing.assert_allclose(slope(X, p=2.0), 4.0 * X)
    np.testing.assert_allclose(rg.grad(functools.partial(scaled, 5.0))(X), 10.0 * X)
    np.testing.assert_allclose(rg.grad(functools.partial(scaled, k=2.0))(x=X), 4.0 * X)
    model = Model(2.0)
    slope = rg.grad(model)
    np.testing.assert_allclose(slope(X), 2.0 / np.cosh(2.0 * X) ** 2)
    model.w = 0.5
    np.testing.assert_allclose(slope(X), 0.5 / np.cosh(0.5 * X) ** 2)


def test_what_is_no_function() -> None:
    for wrong, words in ((3.0, "not a function"), (Model, "is a class")):
        with pytest.raises(NotDifferentiable, match=words):
            rg.grad(wrong)  # type: ignore[arg-type]


def handed(x, g):
    return np.sum(g(x) * x[0])


FUNCTIONS = [np.tanh, Model(2.0), Model(X).loss, PARTIAL, compiled, lambda t: t * t]


@pytest.mark.parametrize("g", FUNCTIONS, ids=lambda g: type(g).__name__)
def test_as_an_argument(g: Any) -> None:
    """A text for each function that is handed over: none is taken for another."""
    slope = rg.grad(handed, strict=True)
    for given in (g, np.cos, g):
        wanted = [(handed(X + e, given) - handed(X - e, given)) / 2e-6 for e in 1e-6 * np.eye(3)]
        np.testing.assert_allclose(slope(X, given), wanted, rtol=1e-6)
    np.testing.assert_allclose(rg.vjp(handed, X, g, wrt=0)[1](1.0)[0], slope(X, g))


def test_functions_of_numba() -> None:
    numba = pytest.importorskip("numba")
    jitted = numba.njit(lambda t: t * t)
    np.testing.assert_allclose(
        rg.vjp(handed, X, jitted, wrt=0)[1](1.0)[0], rg.grad(handed)(X, jitted)
    )
    assert python_function(numba.njit(scaled)) is scaled
    each = numba.vectorize(["float64(float64)"])(damped.__wrapped__)
    np.testing.assert_allclose(rg.grad(lambda x: np.sum(each(x)))(X), np.sin(X) + X * np.cos(X))

    def inner(x):
        @numba.njit
        def total(y):
            return np.sum(y * y)

        return total(x) * fast(2.0, x)

    fast = numba.njit(scaled)
    rg.check_grads(rg.differentiate(inner, strict=True), (X,), order=2)


@pytest.mark.parametrize("kind", KINDS)
def test_what_has_a_gradient_may_be_decorated(kind):
    f, args = KINDS[kind]
    known = rg.differentiate(check="always")(f)
    np.testing.assert_array_equal(known(*args), f(*args))
    for mine, theirs in zip(rg.vjp(known, *args)[1](1.0), rg.vjp(f, *args)[1](1.0), strict=True):
        np.testing.assert_array_equal(mine, theirs)
    assert "differentiable" in repr(known)


@pytest.mark.parametrize("option", [{"checkpoint": 3}, {"alias": "check"}])
@pytest.mark.parametrize("f", [np.sin, Model(2.0), functools.partial(scaled, 2.0)])
def test_what_is_said_of_the_text_needs_a_python_function(f, option):
    with pytest.raises(rg.errors.SignatureMismatch, match="are said of a Python function"):
        rg.differentiate(**option)(f)
