"""Random shapes, axes and orders of calls whose arguments have many forms, under the laws of all rules."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from . import laws
from .harness import Case, apply
from .sample import A, Sample, draw

CALLS = 40


def transform_of_one(rng: np.random.Generator) -> tuple[Any, Sample]:
    names = ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"]
    rank = int(rng.integers(1, 4))
    shape = sizes(rng, rank, 1)
    n = None if rng.random() < 0.5 else int(rng.integers(1, 6))
    axis = int(rng.integers(-rank, rank))
    return getattr(np.fft, rng.choice(names)), Sample((A(shape), n, axis, norm(rng)))


def transform_of_several(rng: np.random.Generator) -> tuple[Any, Sample]:
    rank = int(rng.integers(1, 4))
    count = int(rng.integers(1, rank + 1))
    axes = tuple(int(a) for a in rng.permutation(rank)[:count] - rank * int(rng.integers(0, 2)))
    lengths = tuple(int(n) if n else -1 for n in rng.integers(0, 6, count))
    s = None if rng.random() < 0.5 else lengths
    name = rng.choice(["fftn", "ifftn", "rfftn", "irfftn"])
    return getattr(np.fft, name), Sample((A(sizes(rng, rank, 1)), s, axes, norm(rng)))


def norm(rng: np.random.Generator) -> Any:
    return [None, "backward", "ortho", "forward"][rng.integers(0, 4)]


def length(rng: np.random.Generator) -> tuple[Any, Sample]:
    rank = int(rng.integers(1, 4))
    orders = [None, 1, 2, -1, -2, np.inf, -np.inf, "fro", 3, 0.5, 0, -2.5]
    pair = tuple(int(a) for a in rng.permutation(rank)[:2])
    axis = [None, int(rng.integers(-rank, rank)), pair][rng.integers(0, 3)]
    order, keepdims = orders[rng.integers(0, len(orders))], bool(rng.integers(0, 2))
    return np.linalg.norm, Sample((A(sizes(rng, rank, 2)), order, axis, keepdims))


def product_of_vectors(rng: np.random.Generator) -> tuple[Any, Sample]:
    batch = sizes(rng, int(rng.integers(0, 3)), 1)
    args, axes = [], []
    for _ in range(2):
        own = tuple(
            1 if rng.random() < 0.3 else n for n in batch[rng.integers(0, len(batch) + 1) :]
        )
        at = int(rng.integers(0, len(own) + 1))
        args.append(A((*own[:at], 3, *own[at:])))
        axes.append(at - int(rng.integers(0, 2)) * (len(own) + 1))
    most = max(len(a.shape) for a in args)
    return np.cross, Sample((*args, *axes, int(rng.integers(-most, most))))


def contraction(rng: np.random.Generator) -> tuple[Any, Sample]:
    known = dict(zip("abc", sizes(rng, 3, 1), strict=True))
    words, args = [], []
    for _ in range(rng.integers(1, 5)):
        word = "".join(rng.permutation(list("abc"))[: rng.integers(1, 4)])
        words.append(word)
        args.append(A(tuple(1 if rng.random() < 0.25 else known[x] for x in word)))
    output = "".join(x for x in sorted(set("".join(words))) if rng.random() < 0.5)
    return np.einsum, Sample((",".join(words) + "->" + output, *args))


def sizes(rng: np.random.Generator, rank: int, low: int) -> tuple[int, ...]:
    return tuple(int(n) for n in rng.integers(low, 5, rank))


KINDS = [transform_of_one, transform_of_several, length, product_of_vectors, contraction]


@pytest.mark.parametrize("typed", [True, False], ids=["typed", "untyped"])
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_random_calls(kind: Any, typed: bool) -> None:
    held = 0
    for seed in range(CALLS):
        operation, sample = kind(np.random.default_rng([seed, KINDS.index(kind)]))
        for dtype in (np.float64, np.complex128) if typed else (np.float64,):
            if is_legal(operation, sample, dtype):
                held += 1
                laws.check_case(case_of(operation, sample, typed, dtype), 1)
    assert held > CALLS // 4


def case_of(operation: Any, sample: Sample, typed: bool, dtype: Any) -> Case:
    case = Case.of(operation, sample, typed, dtype)
    assert case is not None
    return case


def is_legal(operation: Any, sample: Sample, dtype: Any) -> bool:
    """Whether NumPy takes the call, and it has a derivative: the order 2 of a matrix is asked elsewhere."""
    x, ord, axis = (*sample.args, None, None, None)[:3]
    of_matrix = isinstance(axis, tuple) or (axis is None and len(getattr(x, "shape", ())) == 2)
    if operation is np.linalg.norm and ord in (2, -2) and of_matrix:
        return False
    args = draw(list(sample.args), np.random.default_rng(0), -2.0, 2.0, dtype)
    try:
        apply(operation, args, {})
    except (ValueError, TypeError, IndexError):
        return False
    return True
