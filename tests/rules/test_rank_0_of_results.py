"""What NumPy gives for rank 0, an array or a scalar that nobody can write to, is what the records say."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from retrograd.runtime.traits.lookup import traits_of
from tests.rules.harness import apply, name_of, samples
from tests.rules.measured_traits import drawn

# SciPy's results may always be arrays, to the compiler; of helpers it is known where they are lowered.
OPERATIONS = sorted(
    (op for op in samples() if name_of(op).startswith(("np.", "builtins."))), key=name_of
)


def of_rank_0(args: list[Any]) -> Iterator[list[Any]]:
    """The same arguments, and those with one array, or every one, of rank 0."""
    yield args
    firsts = [np.array(a.ravel()[0]) if isinstance(a, np.ndarray) and a.size else a for a in args]
    yield firsts
    for k, first in enumerate(firsts):
        if isinstance(first, np.ndarray) and first.ndim == 0:
            for x in (first, first[()], first.item()):
                yield [*args[:k], x, *args[k + 1 :]]


def results(operation: Any) -> Iterator[Any]:
    """What the operation gives, where that has rank 0."""
    for sample in samples()[operation]:
        if sample.kwargs.get("keepdims"):
            continue  # of rank 0, that says nothing, and makes an array of it
        args, kwargs = drawn(sample, 7)
        for given in of_rank_0(args):
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                try:
                    z = apply(operation, copy.deepcopy(given), copy.deepcopy(kwargs))
                except Exception:
                    continue
            yield from (p for p in (z if isinstance(z, (tuple, list)) else (z,)) if np.ndim(p) == 0)


@pytest.mark.parametrize("operation", OPERATIONS, ids=map(name_of, OPERATIONS))
def test_the_record_is_right(operation: Any) -> None:
    known = traits_of(operation).rank_0
    for z in results(operation):
        if isinstance(z, np.ndarray):
            assert known in ("array", "either"), z
        elif isinstance(z, np.generic):
            assert known != "array", z
