"""``optimize=2``: the numbers of the plain text, in blocks; memory that is nobody else's."""
# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any
from unittest import mock

import numpy as np
import pytest

import retrograd as rg
from retrograd.compiler.passes.loops import cache_blocks
from retrograd.runtime.errors import SignatureMismatch
from retrograd.transforms import api


def text_of(fn: Any, *args: Any, optimize: int = 2) -> str:
    chain = api.chain_of(rg.value_and_grad(fn, (0, 1), optimize=optimize))
    return chain.text(chain.types(args))


def chain_of_functions(x, w):
    y = np.tanh(x * w) + np.exp(-x * x)
    z = y / (1.0 + y * y) - np.sin(x)
    return np.sum(z * y) + z @ z


def after_a_sum(x, w):
    e = np.exp(x - np.max(x))
    p = e / np.sum(e)
    q = np.log(p + 0.1) * w + p * p
    return np.sum(q * np.cos(p) + q)


def two_lengths(x, w):
    y = np.sin(x) * np.cos(x) + x * x * x
    z = np.exp(-w * w) * np.tanh(w) + w / (1.0 + w * w)
    return np.sum(y * y * np.exp(-y)) * np.sum(z * np.sqrt(1.0 + z * z))


def with_choices(x, w):
    y = np.where(x > 0.2, x * w, np.exp(x) - w)
    z = np.maximum(y, 0.3 * x) + y * y
    return np.sum(z / (1.0 + np.abs(y)) + np.sqrt(1.0 + z * z))


def with_parts(x, w):
    a, b = x[1:], x[:-1]
    d = a - b * b
    return np.sum(100.0 * d * d + (1.0 - b) * np.exp(-b * b * w) + d / (1.0 + b * b))


def in_a_loop(x, w):
    for _ in range(3):
        x = np.tanh(x * w) + 0.1 * x * x - np.exp(-x * x) / (2.0 + x * x)
    return np.sum(x * x)


def with_products(x, w):
    m = np.arange(len(x) * 2.0).reshape(2, len(x)) / len(x)
    y = m @ (x * np.exp(-x * x) / (1.0 + x * x) + x * w)
    return np.sum(y * y)


FUNCTIONS = [
    chain_of_functions, after_a_sum, two_lengths, with_choices, with_parts, in_a_loop, with_products,
]  # fmt: skip


def arguments(fn: Any, n: int, seed: int = 0) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    return rng.normal(size=n), rng.normal(size=n + 3) if fn is two_lengths else 0.7


@pytest.mark.parametrize("fn", FUNCTIONS)
@pytest.mark.parametrize("n", [2, 3, 8191, 8192, 8193, 20_000])
def test_the_numbers_are_those_of_the_plain_text(fn: Any, n: int) -> None:
    args = arguments(fn, n)
    kept = [np.copy(a) for a in args]
    value, gradient = rg.value_and_grad(fn, (0, 1), optimize=2)(*args)
    wanted, wanted_gradient = rg.value_and_grad(fn, (0, 1))(*args)
    assert value == pytest.approx(wanted, rel=1e-12)
    for found, other in zip(gradient, wanted_gradient, strict=True):
        assert type(found) is type(other)
        assert np.shape(found) == np.shape(other)
        np.testing.assert_allclose(found, other, rtol=1e-9, atol=1e-12)
    assert all(np.array_equal(a, b) for a, b in zip(args, kept, strict=True))


@pytest.mark.parametrize("fn", FUNCTIONS)
def test_long_arithmetic_is_in_blocks(fn: Any) -> None:
    args = arguments(fn, 100)
    assert ", 8192)" in text_of(fn, *args)
    assert ", 8192)" not in text_of(fn, *args, optimize=1)


def short(x, w):
    return np.sum(np.exp(x) * w)


def mostly_kept(x, w):
    y = x * w
    z = y + x
    return np.cumsum(y)[-1] + np.cumsum(z)[-1] + np.cumsum(x)[-1]


@pytest.mark.parametrize("fn", [short, mostly_kept])
def test_what_is_not_worth_it_is_left_alone(fn: Any) -> None:
    assert ", 8192)" not in text_of(fn, *arguments(fn, 100))


def test_numbers_of_single_precision_are_left_alone() -> None:
    x = np.linspace(0.0, 1.0, 50, dtype=np.float32)
    assert ", 8192)" not in text_of(chain_of_functions, x, 0.7)
    value, (bar, _) = rg.value_and_grad(chain_of_functions, (0, 1), optimize=2)(x, 0.7)
    assert bar.dtype == np.float32
    assert value == chain_of_functions(x, 0.7)


def test_every_call_has_memory_of_its_own() -> None:
    f = rg.grad(chain_of_functions, optimize=2)
    sets = [arguments(chain_of_functions, 20_000, seed)[0] for seed in range(4)]
    wanted = [rg.grad(chain_of_functions)(x, 0.7) for x in sets]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda k: f(sets[k % 4], 0.7), range(16)))
    for k, bar in enumerate(found):
        np.testing.assert_allclose(bar, wanted[k % 4], rtol=1e-9, atol=1e-12)
    assert not any(np.shares_memory(a, b) for a in found for b in [*found, *sets] if a is not b)


def test_blocks_of_any_length_give_the_same() -> None:
    args = arguments(after_a_sum, 100)
    wanted = rg.grad(after_a_sum, (0, 1))(*args)
    for length in (1, 7, 100):
        with mock.patch.object(cache_blocks, "LENGTH", length):
            text = text_of(after_a_sum, *args)
        namespace: dict[str, Any] = {}
        exec(text, namespace)
        _, found = namespace["after_a_sum_value_and_grad"](*args)
        for a, b in zip(found, wanted, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-12)


def test_the_option_is_one_or_two() -> None:
    for wrong in (0, 3, True, "2"):
        with pytest.raises(SignatureMismatch, match="optimize is 1 or 2"):
            rg.grad(chain_of_functions, optimize=wrong)  # type: ignore[arg-type]
    with pytest.raises(SignatureMismatch, match="optimize is 1 or 2"):
        rg.differentiate(optimize=3)(chain_of_functions)


def test_a_decorated_function_takes_it_along() -> None:
    f = rg.differentiate(optimize=2)(chain_of_functions)
    x, w = arguments(chain_of_functions, 50)
    assert ", 8192)" in f.source("grad", x, w)
    np.testing.assert_allclose(f.grad(x, w), rg.grad(chain_of_functions)(x, w), rtol=1e-9)
    hessian = rg.differentiate(optimize=2, wrt=0)(chain_of_functions).hessian(x, w)
    np.testing.assert_allclose(hessian, rg.hessian(chain_of_functions)(x, w), rtol=1e-7, atol=1e-9)
