"""What operations demand of ranks, against NumPy: with others it raises, whatever the sizes are."""

from __future__ import annotations

import itertools
import operator
import warnings
from typing import Any

import numpy as np
import pytest

from retrograd.compiler import pipeline
from retrograd.compiler.analyses.ranks.rank_sets import ANY, MOST, ranks_in
from retrograd.compiler.analyses.ranks.relations import relation
from retrograd.compiler.ir.operations import Apply, Const, Value
from retrograd.runtime.helpers import linear
from retrograd.runtime.traits.lookup import declared

assert pipeline is not None  # every shape function is registered

X = "x"
CALLS: list[tuple[Any, tuple[Any, ...], dict[str, Any]]] = [
    *((fn, (X,) * len(spans), {}) for fn, spans in declared("dimensions") if fn is not linear.check_count),
    (linear.check_count, (X, 2), {}),
    *((fn, (X,), {"axis": axis}) for fn in (np.sum, np.max, np.mean, np.sort) for axis in (0, 1, -1, -2)),
    *((operator.getitem, (X, index), {}) for index in (0, -1, slice(1), (0, 0), (None, 0), (slice(None), None, 0))),
    (operator.getitem, (X, (..., None)), {}),
    (np.transpose, (X, (1, 0)), {}),
    (np.einsum, ("ij,j->i", X, X), {}),
    (operator.add, (X, X), {}),
    (np.maximum, (X, X), {}),
    (np.outer, (X, X), {}),
    (np.dot, (X, X), {}),
    (np.sum, (X,), {}),
    (np.sum, (X,), {"axis": 0, "keepdims": True}),
    (np.exp, (X,), {}),
    (np.where, (X, X, X), {}),
]  # fmt: skip


def name(call: Any) -> str:
    fn, args, kwargs = call
    return f"{getattr(fn, '__name__', fn)}{args[1:]}{kwargs or ''}"


@pytest.mark.parametrize("call", CALLS, ids=name)
def test_what_is_excluded_raises_and_what_is_left_has_the_rank_that_is_said(call: Any) -> None:
    fn, args, kwargs = call
    values = [Value(f"x{k}") for k, a in enumerate(args) if a is X]
    given = iter(values)
    op = Apply(
        [Value()],
        None,
        fn,
        tuple(next(given) if a is X else constant(a) for a in args),
        {k: Const(v) for k, v in kwargs.items()},
    )
    found = relation(op, {}, presume=False)
    assert found is not None and found.values == values
    rows = dict(found.rows)
    for ranks in itertools.product(range(MOST - 1), repeat=len(values)):
        results = {k for size in (1, 2) if (k := rank_of(call, ranks, size)) is not None}
        gives = rows.get(ranks, 0)
        assert results <= set(ranks_in(gives)), (ranks, results)
        assert gives == ANY or len([*ranks_in(gives)]) < 2


def constant(a: Any) -> Any:
    if isinstance(a, tuple):
        return tuple(map(constant, a))
    if isinstance(a, slice):
        return slice(*(Const(p) for p in (a.start, a.stop, a.step)))
    return Const(a)


def rank_of(call: Any, ranks: tuple[int, ...], size: int) -> int | None:
    """The rank of the result for arrays of this size along all axes; None if it raises."""
    fn, args, kwargs = call
    arrays = iter(
        np.eye(size)[:, :]
        if k == 2
        else np.broadcast_to(np.eye(size), (size,) * k).copy()
        if k > 2
        else np.ones((size,) * k)
        for k in ranks
    )
    made = tuple(next(arrays) if a is X else a for a in args)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result = fn(*made, **kwargs)
    except (ValueError, IndexError, TypeError, np.linalg.LinAlgError):
        return None
    return 0 if isinstance(result, (tuple, type(None))) else np.ndim(result)
