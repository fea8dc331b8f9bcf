"""Operations on a batch as programs write them: some of what they take varies, some does not."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import BatchWarning

FIXED = np.array([0.5, -1.0, 2.0])
TABLE = np.array([[1.0, 0.2, 0.0], [0.2, 2.0, 0.4], [0.0, 0.4, 3.0]])
WEIGHTS = np.array([0.5, 1.5, 0.7])
X = np.random.default_rng(0).normal(size=(4, 3)) * 0.3 + np.array([0.3, 0.05, 0.4])
Map = Callable[[Any], Any]

TOGETHER: dict[str, Map] = {
    "hstack": lambda x: np.hstack((FIXED[:2], np.sin(x))),
    "hstack of a number": lambda x: np.hstack((x[0], np.sin(x))),
    "vstack": lambda x: np.vstack((FIXED, np.sin(x))),
    "dstack": lambda x: np.dstack((FIXED, np.sin(x))),
    "column_stack": lambda x: np.column_stack((FIXED, np.sin(x))),
    "concatenate": lambda x: np.concatenate((FIXED[:1], np.sin(x), FIXED)),
    "concatenate of lists": lambda x: np.concatenate([[1.0], np.sin(x), [x[0], 3.0]]),
    "stack": lambda x: np.stack([FIXED, np.sin(x), FIXED], axis=1),
    "append": lambda x: np.append(FIXED, np.sin(x)),
    "append of a number": lambda x: np.append(np.sin(x), x[0]),
    "block": lambda x: np.block([[np.outer(x, x), np.eye(3)], [np.zeros((1, 3)), x[None]]]),
    "insert": lambda x: np.insert(np.sin(x), 1, x[0]),
    "insert several": lambda x: np.insert(np.sin(x), [0, 2], FIXED[:2]),
    "select": lambda x: np.select([x > 0.2, x > 0.1], [np.sin(x), x * x], 0.5),
    "choose": lambda x: np.choose([0, 1, 1], [x * x, np.sin(x)]),
    "broadcast": lambda x: np.broadcast_arrays(FIXED, np.sin(x)[:, None])[1] * FIXED,
    "array": lambda x: np.array([[1.0, x[0]], [FIXED[0], x[2]]]) @ np.array([x[1], 1.0]),
    "c_": lambda x: np.c_[FIXED, np.sin(x)],
    "cross": lambda x: np.cross(FIXED, np.sin(x)),
    "kron": lambda x: np.kron(TABLE[0], np.sin(x)),
    "polyval": lambda x: np.polyval([1.0, 0.3, FIXED[1]], np.sin(x)),
    "vander": lambda x: np.vander(x, 4) + np.vander(x, increasing=True)[:, :1],
    "interp": lambda x: np.interp(x, [-2.0, 0.0, 0.2, 2.0], FIXED[[0, 1, 2, 0]]),
    "pad": lambda x: np.pad(np.outer(x, x), ((1, 0), (0, 2)), mode="edge"),
    "split": lambda x: np.split(np.concatenate((FIXED, x * x)), [2, 4])[1],
    "diff": lambda x: np.diff(np.sin(x), prepend=FIXED[0], append=[1.0]),
    "trapezoid": lambda x: np.trapezoid(np.sin(x), FIXED) if hasattr(np, "trapezoid") else x,
    "trapezoid over points that vary": lambda x: (
        np.trapezoid(np.sin(x), np.cumsum(x)) if hasattr(np, "trapezoid") else x
    ),
    "take": lambda x: np.take(np.sin(x), [2, 0, 0]),
    "take what is sorted": lambda x: np.take(FIXED, np.argsort(x)) * x,
    "sort": lambda x: np.sort(np.sin(x)) * FIXED,
    "take along": lambda x: np.take_along_axis(np.sin(x), np.argsort(x), axis=0),
    "full": lambda x: np.full((2, 3), x[0]) * np.full(FIXED.shape, x[1]),
    "abs, powers": lambda x: np.abs(x) ** 1.5 * x ** FIXED[2],
    "running": lambda x: np.cumprod(x) + np.maximum.accumulate(x),
    "extremes": lambda x: np.max(x) + np.min(np.outer(x, x), axis=0) + np.ptp(x),
    "extremes of a row": lambda x: max(x) * min(np.sin(x)) + x,
    "places": lambda x: x * np.where(np.ones(3) > 0.0)[0],
    "norms": lambda x: np.linalg.norm(x) + np.linalg.norm(np.outer(x, x) + TABLE, axis=1),
    "fft": lambda x: np.abs(np.fft.rfft(x)) + np.fft.irfft(np.fft.rfft(x), 3)[:2],
    "det, inv": lambda x: np.linalg.det(TABLE + np.diag(x)) * np.linalg.inv(TABLE + np.outer(x, x)),
    "eigh": lambda x: np.linalg.eigh(TABLE + np.outer(x, x))[0] * np.linalg.eigvalsh(TABLE + np.diag(x)),
    "cholesky": lambda x: np.linalg.cholesky(TABLE + np.outer(x, x)),
    "svd": lambda x: np.linalg.svd(TABLE + np.outer(x, FIXED), compute_uv=False),
    "solve": lambda x: np.linalg.solve(TABLE + np.diag(x), FIXED) + np.linalg.solve(TABLE, x),
    "clip": lambda x: np.clip(np.sin(x), FIXED - 1.0, x[0] + 3.0),
    "where": lambda x: np.where([True, False, True], FIXED, np.sin(x)),
    "einsum": lambda x: np.einsum("i,j,ij->i", FIXED, x, np.outer(x, x)),
    "tensordot": lambda x: np.tensordot(FIXED, np.outer(x, x), axes=([0], [1])),
    "roll, tile, flip": lambda x: np.roll(x, 1) * np.flip(x) + np.tile(x[:1], 3),
    "triangles": lambda x: np.triu(np.outer(x, x)) + np.diag(np.sin(x)) @ np.tril(TABLE),
}  # fmt: skip
ONE_BY_ONE: dict[str, Map] = {
    "polyval of coefficients that vary": lambda x: np.polyval(x, 0.3) + np.polyval(np.sin(x), 10),
    "convolve": lambda x: np.convolve(FIXED, np.sin(x), "same"),
    "interp in tables that vary": lambda x: np.interp(FIXED, [-2.0, 0.0, 3.0], np.sin(x)),
}


def squares(operation: Map) -> Map:
    def f(x: Any) -> Any:
        y = operation(x)
        return np.sum(y * y)

    return f


def compare(f: Map, given: Any = X) -> None:
    """The batch, derivatives in it and of it, against a loop."""
    slopes = [rg.grad(f)(x) for x in given]
    np.testing.assert_allclose(rg.vmap(f)(given), [f(x) for x in given], rtol=1e-12)
    np.testing.assert_allclose(rg.vmap(rg.grad(f))(given), slopes, rtol=1e-9, atol=1e-12)
    _, pull = rg.vjp(rg.vmap(f), given)
    (of_all,) = pull(np.ones(len(given)))
    np.testing.assert_allclose(of_all, slopes, rtol=1e-9, atol=1e-12)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", TOGETHER)
def test_all_examples_in_one_call(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", BatchWarning)
        compare(squares(TOGETHER[name]))


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", [*TOGETHER, *ONE_BY_ONE])
@pytest.mark.filterwarnings("ignore::retrograd.runtime.errors.BatchWarning")
def test_sizes_that_no_argument_has(name: str) -> None:
    """What goes in is a part of the argument: its size has no name."""
    squared = squares((TOGETHER | ONE_BY_ONE)[name])
    compare(lambda z: squared(z[1:-1]), np.pad(X, ((0, 0), (1, 1))))


@pytest.mark.parametrize("name", ONE_BY_ONE)
def test_what_is_called_for_one_after_the_other(name: str) -> None:
    with pytest.warns(BatchWarning, match="for one example after the other"):
        compare(squares(ONE_BY_ONE[name]))


PLACES: dict[str, Map] = {
    "where": lambda x: np.sum(x[np.where(x > 0.25)] ** 2),
    "the first of where": lambda x: np.sum(x[np.where(x > 0.25)[0]]) * len(np.where(x > 0.25)[0]),
    "where of a matrix": lambda x: np.sum(np.outer(x, x)[np.where(np.outer(x, x) > 0.1)]),
    "nonzero": lambda x: np.sum(x[np.nonzero(x > 0.25)]),
    "argwhere": lambda x: np.sum(x[np.argwhere(x > 0.25)]),
}


@pytest.mark.parametrize("name", PLACES)
@pytest.mark.filterwarnings("ignore::retrograd.runtime.errors.BatchWarning")
@pytest.mark.filterwarnings("error::retrograd.runtime.errors.TapeWarning")
def test_as_many_places_as_there_are(name: str) -> None:
    """Each example has places of its own, and as many of them as it has."""
    compare(PLACES[name])


def test_sums_of_exponentials() -> None:
    special = pytest.importorskip("scipy.special")
    cases: list[Map] = [
        lambda x: special.logsumexp(x) + special.logsumexp(np.outer(x, FIXED)),
        lambda x: np.sum(special.logsumexp(np.outer(x, x), axis=0, keepdims=True) ** 2),
        lambda x: special.logsumexp(x, b=WEIGHTS) * np.sum(special.softmax(x) ** 2),
        lambda x: np.sum(special.softmax(np.outer(x, x), axis=-1) ** 2) + special.log_softmax(x)[0],
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("error", BatchWarning)
        for f in cases:
            compare(f)


@pytest.mark.filterwarnings("ignore::retrograd.runtime.errors.BatchWarning")
def test_constants_with_more_axes_than_the_examples() -> None:
    special = pytest.importorskip("scipy.special")
    weights = np.abs(TABLE[:2]) + 0.5
    compare(lambda x: special.logsumexp(x, b=weights), X[:2])
