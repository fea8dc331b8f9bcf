"""The door: no exception of the compiler's leaves it as another than a RetrogradError; the user's do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.compiler.lowering.statements import SimpleStatements
from retrograd.runtime.errors import InternalError, TapeWarning


def checked(x: Any) -> Any:
    y = x * x
    assert y > 0.0
    return y * x


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> None:
    """A compiler that fails at every `assert`."""

    def fails(self: Any, node: Any) -> None:
        raise KeyError("broken")

    monkeypatch.setattr(SimpleStatements, "do_Assert", fails)


def fresh() -> Any:
    """The function again, with nothing kept."""
    return type(checked)(checked.__code__, checked.__globals__, "checked")


CALLS = {
    "grad": lambda f: rg.grad(f)(2.0),
    "jvp": lambda f: rg.jvp(f, (2.0,), (1.0,)),
    "vjp": lambda f: rg.vjp(f, 2.0),
    "hvp": lambda f: rg.hvp(f, (2.0,), 1.0),
    "jacobian": lambda f: rg.jacobian(f)(2.0),
    "source": lambda f: rg.differentiate(f).source("grad", 2.0),
    "strict": lambda f: rg.differentiate(f, strict=True).grad(2.0),
}


@pytest.mark.usefixtures("broken")
@pytest.mark.parametrize("name", CALLS)
def test_a_failure_of_the_compiler_is_an_internal_error(name: str) -> None:
    with pytest.raises(InternalError, match="`checked`: KeyError: 'broken'") as caught:
        CALLS[name](fresh())
    assert isinstance(caught.value.__cause__, KeyError)
    assert caught.value.place is not None
    assert caught.value.place.text.strip() == "assert y > 0.0"
    assert "report" in caught.value.fix


@pytest.mark.usefixtures("broken")
def test_what_the_compiler_fails_at_runs_on_the_tape_if_it_may() -> None:
    f = rg.differentiate(fresh(), fallback="tape")
    with pytest.warns(TapeWarning, match="broken"):
        assert f.grad(2.0) == 12.0
    value, pull = rg.vjp(f, 2.0)
    assert (value, pull(1.0)) == (8.0, (12.0,))


def refusing(x: Any, n: int) -> Any:
    if n > 3:
        raise ValueError("mine")
    return np.sum(x * np.ones(n))


@pytest.mark.parametrize("n", [5, 2])
def test_the_functions_own_errors_come_through(n: int) -> None:
    gradient = rg.grad(refusing)
    for _ in range(2):  # the first call compiles, the second does not
        with pytest.raises(ValueError, match="mine" if n > 3 else "broadcast") as caught:
            gradient(np.ones(3), n)
        assert type(caught.value) is ValueError
    assert np.array_equal(gradient(np.ones(2), 2), np.ones(2))
    with pytest.raises(ValueError, match="mine"):
        gradient(np.ones(2), 4)


def scaled(x: Any, k: float) -> Any:
    return np.sum(np.tanh(x) * k)


@pytest.fixture
def wrong_text(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A text that raises where the function does not."""
    from retrograd.transforms.specialise import compile as compiled

    def rendered(*args: Any, **kwargs: Any) -> Any:
        text, program, made = real(*args, **kwargs)
        head, _, body = text.text.partition(":\n    ")
        text.text = f"{head}:\n    [][1]\n    {body}"
        return text, program, made

    real = compiled.render
    monkeypatch.setattr(compiled, "render", rendered)


@pytest.mark.usefixtures("wrong_text")
def test_a_text_that_raises_where_the_function_does_not() -> None:
    f = type(scaled)(scaled.__code__, scaled.__globals__, "scaled")
    with pytest.raises(InternalError, match="running its derivative failed for `scaled`: Index"):
        rg.grad(f)(np.ones(2), 3.0)
    with pytest.raises(InternalError, match="IndexError"):
        rg.vjp(f, np.ones(2), 3.0)
    decorated = rg.differentiate(f, fallback="tape")
    with pytest.warns(TapeWarning, match="IndexError"):
        gradient = decorated.grad(np.ones(2), 3.0)
    assert np.allclose(gradient, 3.0 / np.cosh(1.0) ** 2)


def test_asking_the_function_is_not_seen(capsys: pytest.CaptureFixture[str]) -> None:
    def noisy(x: Any) -> Any:
        print("called")
        np.random.rand()
        return x @ np.ones(3)

    np.random.seed(0)
    with pytest.raises(ValueError, match="mismatch"):
        rg.value_and_grad(noisy)(np.ones(2))
    assert capsys.readouterr().out == "called\n"
    drawn = np.random.rand()
    np.random.seed(0)
    assert drawn == np.random.rand(2)[1]


def test_a_recursive_helper_that_is_refused_within_itself() -> None:
    def flat(v: Any) -> Any:
        class Uncompiled:
            pass

        if isinstance(v, np.ndarray):
            return np.ravel(v), Uncompiled
        return np.concatenate([flat(p)[0] for p in v]), None

    def loss(v: Any) -> Any:
        return np.sum(flat(v)[0] ** 2)

    with pytest.warns(TapeWarning, match="`flat`, called in line"):
        a, b = rg.differentiate(loss).grad([np.ones(2), np.full((2, 2), 3.0)])
    assert np.array_equal(a, 2 * np.ones(2))
    assert np.array_equal(b, np.full((2, 2), 6.0))


def residual(t: Any, *factors: Any) -> Any:
    for _ in range(2):
        t = np.sin(t) * factors[0]
    return t


def solved(g: Any, x: Any, args: Any = ()) -> Any:
    class Uncompiled:
        pass

    return g(x, *args)


def test_a_helper_does_not_hide_the_function_that_it_was_made_from() -> None:
    """`residual` is compiled for a call, and handed on as it is, with other arguments, to the tape."""

    def loss(x: Any) -> Any:
        return residual(0.5, 2.0) * x + solved(residual, x, args=(x, 3.0))

    with pytest.warns(TapeWarning, match="`solved`, called in line"):
        gradient = rg.differentiate(loss).grad(1.3)
    step = 1e-6
    assert np.isclose(gradient, (loss(1.3 + step) - loss(1.3 - step)) / (2 * step))


def test_a_name_that_may_be_unbound_is_no_argument_of_a_closure() -> None:
    def loss(x: Any, n: int) -> Any:
        def inner(t: Any) -> Any:
            return t * t if n > 0 else answer

        if x > 100.0:
            answer = {"a": x}
        for _ in range(n):
            x = inner(x)
        return x

    try:
        assert rg.grad(loss)(1.5, 2) == 4 * 1.5**3
    except rg.RetrogradError as error:
        assert not isinstance(error, InternalError)  # noqa: PT017


def test_an_attribute_of_a_number_by_its_name() -> None:
    def loss(x: Any) -> Any:
        return x * getattr(1 - x, "real", 1.0) + getattr(x, "imag")  # noqa: B009

    assert rg.grad(loss)(1.5) == -2.0
    assert np.array_equal(rg.grad(lambda x: np.sum(loss(x)))(np.array([1.5])), [-2.0])
