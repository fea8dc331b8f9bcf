"""A gradient is that of a real number: a complex value is refused, a real one of a complex argument is not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import NotDifferentiable, SignatureMismatch

Z = np.array([1 + 2j, 3 - 1j])


def squares(x: Any) -> Any:
    return np.sum(x * x)


def real_in_value_only(x: Any) -> Any:
    return np.sum(x * np.conj(x))


def turned(x: Any) -> Any:
    return (x * 1j) ** 2


def summed_in_a_loop(x: Any) -> Any:
    total = 0
    for v in x:
        total = total + v * v
    return total


@pytest.mark.parametrize(
    ("f", "x"), [(squares, Z), (squares, 1 + 2j), (real_in_value_only, Z), (turned, 1.0)]
)
@pytest.mark.parametrize("transform", [rg.grad, rg.value_and_grad])
def test_a_complex_value_is_refused(f: Any, x: Any, transform: Callable[..., Any]) -> None:
    with pytest.raises(NotDifferentiable, match="returns a complex number") as caught:
        transform(f)(x)
    assert "np.real" in str(caught.value)
    assert caught.value.place is not None


def test_what_is_complex_after_a_loop_is_refused() -> None:
    with pytest.raises((NotDifferentiable, SignatureMismatch), match="a complex (number|one)"):
        rg.grad(summed_in_a_loop)(Z)
    np.testing.assert_allclose(rg.grad(summed_in_a_loop)(Z.real), 2 * Z.real)


@pytest.mark.filterwarnings("ignore::retrograd.runtime.errors.TapeWarning")
def test_a_complex_value_of_the_tape_is_refused() -> None:
    def uncompiled(x: Any) -> Any:
        return eval("np.sum(x * x)", {"np": np, "x": x})

    with pytest.raises((NotDifferentiable, SignatureMismatch), match="complex"):
        rg.grad(rg.differentiate(uncompiled, fallback="tape"))(Z)


def test_a_real_value_of_a_complex_argument_is_differentiated() -> None:
    np.testing.assert_allclose(rg.grad(lambda x: np.sum(np.abs(x) ** 2))(Z), 2 * Z)
    np.testing.assert_allclose(rg.grad(lambda x: np.real(np.sum(x * x)))(Z), 2 * np.conj(Z))


def test_the_pullback_of_a_complex_value() -> None:
    value, pull = rg.vjp(squares, Z)
    assert value == np.sum(Z * Z)
    np.testing.assert_allclose(pull(1.0)[0], 2 * np.conj(Z))
