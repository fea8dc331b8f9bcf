"""A decorated function that cannot be compiled runs on the tape as a whole, with one warning."""

from __future__ import annotations

import functools
import math
import warnings
from collections import deque
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import (
    NotDifferentiable,
    SignatureMismatch,
    TapeWarning,
    UnsupportedSyntax,
)
from retrograd.runtime.objects.pytree import leaves

pytestmark = pytest.mark.usefixtures("taped")

X = np.array([0.4, 1.3, 0.7])
quiet = pytest.mark.filterwarnings("ignore::retrograd.runtime.errors.TapeWarning")


@rg.differentiate
def energy(x, k=2.0, *, shift=0.5):
    out = np.zeros(len(x))
    _ = locals()
    try:
        for i in range(len(x)):
            out[i] = math.sin(x[i]) * k + shift
    except ValueError:
        pass
    return np.sum(out * x)


def same_energy(x, k=2.0, *, shift=0.5):
    return np.sum((np.sin(x) * k + shift) * x)


@quiet
def test_every_transformation_works() -> None:
    twin = rg.differentiate(same_energy)
    np.testing.assert_allclose(energy.grad(X), twin.grad(X))
    np.testing.assert_allclose(energy.grad(X, 3.0, shift=1.0), twin.grad(X, 3.0, shift=1.0))
    value, bar = energy.value_and_grad(X)
    assert value == pytest.approx(same_energy(X))
    np.testing.assert_allclose(bar, twin.grad(X))
    np.testing.assert_allclose(energy.jvp((X,), (X,))[1], twin.jvp((X,), (X,))[1])
    np.testing.assert_allclose(energy.vjp(X)[1](2.0)[0], 2.0 * twin.grad(X))
    np.testing.assert_allclose(energy.hessian(X), twin.hessian(X))
    np.testing.assert_allclose(energy.hvp((X,), X), twin.hvp((X,), X))
    np.testing.assert_allclose(energy.linearize(X)[1](X), twin.linearize(X)[1](X))
    np.testing.assert_allclose(energy.jacobian(X), twin.grad(X))
    rg.check_grads(energy, (X,), order=2)


@quiet
def test_gradients_have_the_kind_of_their_arguments() -> None:
    bars = rg.grad(energy, wrt=("x", "k"))(X, 2.0)
    assert type(bars[0]) is np.ndarray
    assert type(bars[1]) is float
    single = rg.grad(energy)(X.astype(np.float32))
    assert single.dtype == np.float32


@rg.differentiate
def pair(x):
    _ = locals()
    with np.errstate(all="ignore"):
        return {"square": x * x, "sum": np.sum(x)}


@quiet
def test_containers_of_results() -> None:
    value, pull = pair.vjp(X)
    assert list(value) == ["square", "sum"]
    (bar,) = pull({"square": X, "sum": 1.0})
    np.testing.assert_allclose(bar, 2 * X * X + 1.0)
    found = pair.jacobian(X)
    np.testing.assert_allclose(found["square"], np.diag(2 * X))
    np.testing.assert_allclose(found["sum"], np.ones(3))


@rg.differentiate
def queue(x):
    try:
        return deque([x * x, x])
    except ValueError:
        pass


@rg.differentiate
def named(x):
    try:
        return SimpleNamespace(square=x * x, same=x)
    except ValueError:
        pass


@quiet
@pytest.mark.parametrize(
    ("f", "ones"),
    [(queue, deque([1.0, 1.0])), (named, SimpleNamespace(square=1.0, same=1.0))],
    ids=["deque", "namespace"],
)
def test_results_in_containers_that_only_the_tape_takes_apart(f: Any, ones: Any) -> None:
    """The check at birth took them for one number, and called a right gradient wrong."""
    _, pull = f.vjp(3.0)
    assert pull(ones) == (7.0,)
    jacobian = f.jacobian(3.0)
    assert type(jacobian) is type(ones)
    assert [float(x) for x in leaves(jacobian)] == [6.0, 1.0]


def test_one_warning_that_says_why() -> None:
    @rg.differentiate
    def once(x: Any) -> Any:
        _ = locals()
        try:
            return x * x
        finally:
            pass

    with pytest.warns(
        TapeWarning, match=r"`once` runs on the eager tape as a whole: `locals`"
    ) as caught:
        assert once.grad(3.0) == 6.0
    assert len(caught) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert once.grad(np.float32(3.0)) == 6.0
        assert once.hessian(3.0) == 2.0


def with_try(x):
    _ = locals()
    try:
        return x * x
    finally:
        pass


@pytest.mark.parametrize("options", [{"strict": True}, {"fallback": None}])
def test_strict_is_the_compile_error(options: dict[str, Any]) -> None:
    f = rg.differentiate(**options)(with_try)
    for derivative in (f.grad, f.value_and_grad, f.hessian, lambda x: f.jvp((x,), (1.0,)), f.vjp):
        with pytest.raises(UnsupportedSyntax, match="`locals` reads the names"):
            derivative(3.0)


ASKED: dict[str, Callable[..., Any]] = {
    "grad": lambda f, **o: rg.grad(f, **o)(3.0),
    "value_and_grad": lambda f, **o: rg.value_and_grad(f, **o)(3.0)[1],
    "jvp": lambda f, **o: rg.jvp(f, (3.0,), (1.0,), **o)[1],
    "vjp": lambda f, **o: rg.vjp(f, 3.0, **o)[1](1.0)[0],
    "linearize": lambda f, **o: rg.linearize(f, 3.0, **o)[1](1.0),
    "jacobian": lambda f, **o: rg.jacobian(f, **o)(3.0),
    "hvp": lambda f, **o: rg.hvp(f, (3.0,), 3.0, **o),
    "hessian": lambda f, **o: 3.0 * rg.hessian(f, **o)(3.0),
    "grad of grad": lambda f, **o: 3.0 * rg.grad(rg.grad(f, **o))(3.0),
}


@quiet
@pytest.mark.parametrize("ask", ASKED.values(), ids=ASKED)
def test_a_plain_function_is_taken_as_a_decorated_one(ask: Any) -> None:
    assert ask(with_try) == 6.0
    for refused in ({"strict": True}, {}):
        rg.set_fallback("calls" if not refused else "default")
        with pytest.raises(UnsupportedSyntax, match="`locals` reads the names"):
            ask(with_try, **refused)


def flattened(tree):
    locals()  # not compiled
    for x in tree:
        if isinstance(x, (list, tuple)):
            yield from flattened(x)
        else:
            yield x


def of_a_tree(x):
    return sum(flattened([x, (x * x, [x])]))


@quiet
@pytest.mark.parametrize("ask", ASKED.values(), ids=ASKED)
def test_where_a_call_cannot_run_there_alone_the_whole_function_does(ask: Any) -> None:
    found = ask(of_a_tree)
    assert found in (8.0, 6.0), "first and second order"


@quiet
def test_generated_code_that_was_given_up_is_not_tried_again() -> None:
    slope = rg.grad(of_a_tree)
    assert slope(3.0) == 8.0
    chain = slope.__retrograd__
    assert chain.load(chain.types([3.0])).text == ""
    assert slope(2.0) == 6.0


@quiet
@pytest.mark.parametrize("ask", ASKED.values(), ids=ASKED)
def test_a_function_without_text(ask: Any) -> None:
    scope: dict[str, Any] = {}
    exec("def f(x):\n    return x * x", scope)
    assert ask(scope["f"]) == 6.0


def of_its_own(x):
    _ = locals()
    if x < 0.0:
        raise ValueError("negative")
    return x


@quiet
def test_errors_of_the_function_are_its_own_and_no_warning_comes_before_an_answer() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(ValueError, match="negative"):
            rg.grad(of_its_own)(-1.0)
    with pytest.warns(
        TapeWarning, match="`locals` reads the names .*line .* write the names themselves"
    ):
        rg.grad(of_its_own)(1.0)


def test_what_a_filter_makes_an_error_is_one_each_time() -> None:
    f = rg.differentiate(lambda x: len(locals()) * x)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for _ in range(2):
            with pytest.raises(TapeWarning, match="locals"):
                f.grad(1.0)


def test_an_unknown_fallback_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SignatureMismatch, match="fallback"):
        rg.differentiate(fallback="eager")
    with pytest.raises(SignatureMismatch, match="fallback"):
        rg.set_fallback("never")
    monkeypatch.setenv("RETROGRAD_FALLBACK", "never")
    rg.set_fallback("default")
    with pytest.raises(SignatureMismatch, match="RETROGRAD_FALLBACK"):
        rg.grad(with_try)(3.0)


@rg.differentiate
def writes(x):
    _ = locals()
    try:
        x[0] = 1.0
    finally:
        pass
    return np.sum(x)


@quiet
def test_what_the_tape_refuses_too_is_the_compilers_error() -> None:
    with pytest.raises(UnsupportedSyntax, match="nor does the tape take it") as caught:
        writes.grad(X)
    assert caught.value.place is not None
    np.testing.assert_array_equal(X, [0.4, 1.3, 0.7])


@quiet
def test_integers_have_no_gradient_on_the_tape_either() -> None:
    with pytest.raises(NotDifferentiable, match="integer"):
        rg.differentiate(with_try).grad(3)


def cube(t):
    return np.sum(t**3)


@rg.differentiate
def with_inner_derivatives(x):
    _ = locals()
    try:
        slope = rg.grad(cube)(x)
        _, tangent = rg.jvp(cube, (x,), (x,))
        value, pull = rg.vjp(cube, x)
    finally:
        pass
    return np.sum(slope * x) + tangent + value + np.sum(pull(2.0)[0])


@quiet
def test_derivatives_inside_a_function_on_the_tape() -> None:
    expected = 9 * X**2 + 9 * X**2 + 3 * X**2 + 12 * X
    np.testing.assert_allclose(with_inner_derivatives.grad(X), expected)
    rg.check_grads(with_inner_derivatives, (X,), order=2)


def inner_energy(x):
    return x * x


@rg.differentiate
def outer_energy(x):
    out = np.zeros(len(x))
    _ = locals()
    try:
        for i in range(len(x)):
            out[i] = inner_energy(x[i])
    except ValueError:
        pass
    return np.sum(out)


@quiet
def test_a_called_function_gets_another_text() -> None:
    np.testing.assert_allclose(outer_energy.grad(X), 2 * X)
    was = inner_energy.__code__
    try:
        inner_energy.__code__ = (lambda x: x * x * x).__code__
        np.testing.assert_allclose(outer_energy.grad(X), 3 * X**2)
    finally:
        inner_energy.__code__ = was


def test_functions_of_one_decorator_are_told_apart() -> None:
    """They share the code of the wrapper, and each is named once."""

    def wrapped(fn):
        @functools.wraps(fn)
        def wrapper(x):
            locals()
            return fn(x)

        return wrapper

    @wrapped
    def first_of_two(x):
        return x * x

    @wrapped
    def second_of_two(x):
        return x * x * x

    for f in (first_of_two, second_of_two):
        with pytest.warns(TapeWarning, match=f.__name__):
            rg.grad(f, strict=False)(2.0)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            rg.grad(f, strict=False)(3.0)
