"""Calls that another operation says better: compiled, on the tape, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import RetrogradError
from retrograd.runtime.tape.calls import taped

RNG = np.random.default_rng(3)
A, B, V = RNG.normal(size=(3, 4)), RNG.normal(size=(4, 3)), RNG.normal(size=4)
S = RNG.normal(size=(3, 3)) + 3 * np.eye(3)


def singular_values(a: Any) -> Any:
    return np.sum(np.linalg.svd(a, compute_uv=False) ** 2)


def triangle(a: Any) -> Any:
    return np.sum(np.abs(np.linalg.qr(a, mode="r")))


def nuclear(a: Any) -> Any:
    return np.linalg.norm(a, "nuc")


def largest(a: Any) -> Any:
    return np.linalg.norm(a, 2) + np.linalg.norm(a[0], 2)


def smallest_of_each(a: Any) -> Any:
    stack = np.stack([a, 2 * a])
    return np.sum(np.linalg.matrix_norm(stack, ord=-2, keepdims=True))


def condition(a: Any) -> Any:
    return np.linalg.cond(a) + np.linalg.cond(a, p=-2)


def chain(a: Any) -> Any:
    return np.sum(np.linalg.multi_dot([a, B, a, V]) ** 2)


def lists(a: Any) -> Any:
    return np.sum(np.einsum(a, [0, 1], V, [1], [0]) ** 2) + np.einsum(a, [1, 0], B, [0, 1])


def rows(a: Any) -> Any:
    return np.sum(np.einsum(a, [Ellipsis, 30], B, [30, 40]) ** 2)


FORMS = [
    singular_values,
    triangle,
    nuclear,
    largest,
    smallest_of_each,
    condition,
    chain,
    lists,
    rows,
]


def named(fn: Callable[..., Any]) -> str:
    return fn.__name__


@pytest.mark.parametrize("f", FORMS, ids=named)
def test_compiled(f: Callable[..., Any]) -> None:
    rg.check_grads(f, (A,))


@pytest.mark.parametrize("f", FORMS, ids=named)
def test_on_the_tape(f: Callable[..., Any]) -> None:
    value, pull = taped(f, A)
    expected = rg.grad(f)(A)
    assert value == f(A)
    np.testing.assert_allclose(pull(1.0), expected, rtol=1e-10, atol=1e-12)


def test_text_is_what_the_user_wrote() -> None:
    assert 'np.linalg.qr(a, mode="r")' in rg.differentiate(triangle).source("grad", A)
    assert 'np.einsum("ab,b->a", a, V)' in rg.differentiate(lists).source("grad", A)


def raw_factors(a: Any) -> Any:
    return np.sum(np.linalg.qr(a, mode="raw")[0])


def completed(a: Any) -> Any:
    return np.sum(np.linalg.qr(a, mode="complete")[0])


def all_vectors(a: Any) -> Any:
    return np.sum(np.linalg.svd(a)[0] ** 2)


def twice_along_an_axis(a: Any) -> Any:
    return np.sum(np.abs(np.fft.fftn(a, s=(3, 2), axes=(0, 0))) ** 2)


def of_length_two(a: Any) -> Any:
    return np.sum(np.cross(a[:, :2], a[:, 1:3]))


def hermitian_vectors(a: Any) -> Any:
    return np.sum(np.linalg.svd(a, hermitian=True)[0])


def fitted_with_covariance(a: Any) -> Any:
    return np.sum(np.polyfit(a, a**2, 1, cov=True)[0])


@pytest.mark.parametrize(
    ("f", "x"),
    [
        (raw_factors, A),
        (completed, B),
        (all_vectors, B),
        (twice_along_an_axis, A),
        (hermitian_vectors, S),
        (fitted_with_covariance, V),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_refused(f: Callable[..., Any], x: Any) -> None:
    with pytest.raises(RetrogradError):
        rg.differentiate(f, strict=True).grad(x)


@pytest.mark.filterwarnings("ignore:Arrays of 2-dimensional vectors:DeprecationWarning")
def test_products_of_vectors_of_length_two_are_refused() -> None:
    with pytest.raises(RetrogradError, match="length 3"):
        rg.grad(of_length_two)(A)
