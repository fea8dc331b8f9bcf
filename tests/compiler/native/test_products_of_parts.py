"""Products of parts of matrices, by a library where they are large: rows lie where they lie in the whole."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest

import retrograd as rg
from tests.fuzz.native import same

N, LARGE = 40, 64  # of a part, large enough for a library, and of what it is a part of


def top_left(a, n):
    return a[:n, :n]


def rows(a, n):
    return a[:n]


def columns(a, n):
    return a[:, :n]


def inside(a, n):
    return a[3 : n + 3, 5 : n + 5]


def spread(a, n):
    return a[::2, ::2]


def backwards(a, n):
    return a[::-1]


def turned(a, n):
    return a[:n, :n].T


def columns_turned(a, n):
    return a[:, :n].T


def rows_turned(a, n):
    return a[:n].T


PARTS = [top_left, rows, columns, inside, spread, backwards, turned, columns_turned, rows_turned]
CASES = [("c", part) for part in PARTS]
CASES += [("numba", columns_turned)] * (
    importlib.util.find_spec("numba") is not None
)  # it compiles for seconds


def products(part):
    def loss(a, b, n):
        left, right = part(a, n), part(b, n)
        both = np.sin(left @ right.T)
        return (
            np.sum(both) + np.sum(np.cos(left.T @ right)) + np.sum(np.tensordot(left, right.T, 1))
        )

    return loss


@pytest.mark.parametrize(("backend", "part"), CASES, ids=lambda x: getattr(x, "__name__", x))
def test_as_the_text(part, backend):
    rng = np.random.default_rng(5)
    a, b = rng.normal(size=(2, LARGE, LARGE)) / 8
    loss = products(part)
    plain, kernel = (
        rg.value_and_grad(loss, (0, 1), backend=k, check=None) for k in (None, backend)
    )
    wanted = plain(a, b, N)
    for _ in range(2):
        found = kernel(a, b, N)
        assert same(found, wanted, 1e-9)
