"""Examples that are numbers: items of an array, which nobody writes to, and two names of one are apart."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import retrograd as rg

RNG = np.random.default_rng(5)
X, Y = RNG.normal(size=(4, 3)), RNG.normal(size=4)
A, B = X.T.copy(), np.stack([Y, Y + 1.0])


def of_two_names(y: Any) -> Any:
    z = y
    z += 2.0
    return z * y


def augmented(x: Any, y: Any) -> Any:
    z = y
    for v in x:
        z += v * y
        z *= 0.5
    return z * y + y


def on_a_branch(x: Any, y: Any) -> Any:
    z = y
    if y > 0.0:
        z -= x[0]
        y += z
    return z * y


def in_a_helper(x: Any, y: Any) -> Any:
    return grown(y, x[1]) * y


def grown(a: Any, b: Any) -> Any:
    kept = a
    a += b
    return a * kept


def of_a_pair(pair: Any) -> Any:
    a, b = pair["a"], pair["b"]
    a += b
    return a * pair["a"] + b


CASES: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (of_two_names, (Y,)), (augmented, (X, Y)), (on_a_branch, (X, Y)), (in_a_helper, (X, Y)),
]  # fmt: skip


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("fn", "given"), CASES)
def test_numbers_that_are_augmented(fn: Callable[..., Any], given: tuple[Any, ...]) -> None:
    wanted = [fn(*one) for one in zip(*given, strict=True)]
    np.testing.assert_allclose(rg.vmap(fn)(*given), wanted, rtol=1e-13)
    every = tuple(range(len(given)))
    slope = rg.grad(fn, wrt=every)
    slopes = [slope(*one) for one in zip(*given, strict=True)]
    for k, found in enumerate(rg.vmap(slope)(*given)):
        np.testing.assert_allclose(found, [s[k] for s in slopes], rtol=1e-13)
    total = rg.grad(lambda *each: np.sum(rg.vmap(fn)(*each)), wrt=every)
    for k, found in enumerate(total(*given)):
        np.testing.assert_allclose(found, [s[k] for s in slopes], rtol=1e-13)


@pytest.mark.filterwarnings("error")
def test_numbers_in_containers_and_along_another_axis() -> None:
    pairs = {"a": Y, "b": X[:, 0]}
    wanted = [of_a_pair({"a": a, "b": b}) for a, b in zip(Y, X[:, 0], strict=True)]
    np.testing.assert_allclose(rg.vmap(of_a_pair)(pairs), wanted, rtol=1e-13)
    found = rg.vmap(augmented, in_axes=(1, 0))(A, Y)
    wanted = [augmented(x, y) for x, y in zip(X, Y, strict=True)]
    np.testing.assert_allclose(found, wanted, rtol=1e-13)


@pytest.mark.filterwarnings("error")
def test_numbers_of_two_batches() -> None:
    found = rg.vmap(rg.vmap(of_two_names))(B)
    np.testing.assert_allclose(found, [[of_two_names(y) for y in row] for row in B], rtol=1e-13)


@pytest.mark.filterwarnings("ignore::retrograd.runtime.errors.TapeWarning")
def test_arrays_of_rank_0_that_are_no_examples_are_still_written_to() -> None:
    def shared(x: Any, y: Any) -> Any:
        z = y
        z += x
        return z * y

    given = np.array(0.5)
    with pytest.raises(rg.RetrogradError, match="which all examples share"):
        rg.vmap(shared, in_axes=(0, None))(Y, given)
