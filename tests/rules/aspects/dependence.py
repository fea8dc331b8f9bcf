"""The sets of every rule: no entry of the Jacobian is outside of the pattern."""

from __future__ import annotations

import copy
from typing import Any
from unittest import mock

import numpy as np

from retrograd.compiler.analyses.sparsity import operation_patterns
from retrograd.compiler.analyses.sparsity.index_sets import inputs
from retrograd.compiler.analyses.sparsity.jacobian_pattern import FIXED, NUMBERS, Dependence
from retrograd.compiler.differentiate.batching.operation_rules import NotBatched

from ..examination import Examination, aspect
from ..harness import Case
from ..sample import Sample
from .directions import in_sweeps

SMALL = 40  # inputs: the Jacobian is made one column for each


def pattern(case: Case) -> list[frozenset[int]]:
    """The sets of the results, entry by entry."""
    start, sets = 0, []
    for k, value in enumerate(case.values):
        sets.append(inputs(value, start) if k in case.wrt else None)
        start += np.size(value) if k in case.wrt else 0
    levels = [NUMBERS if np.asarray(v).dtype.kind in "fc" else FIXED for v in case.values]
    values = copy.deepcopy(case.values)
    ends = Dependence().run(case.function, values, sets, levels)
    found: list[frozenset[int]] = []
    for end, value in zip(ends, case.expected, strict=True):
        known = [frozenset()] * np.size(value) if end is None else end.ravel().tolist()
        assert len(known) == np.size(value)
        found += known
    return found


def units(values: list[Any]) -> Any:
    """All unit vectors, as tangents in that many directions."""
    n = sum(map(np.size, values))
    at = iter(range(n))
    columns = []
    for v in values:
        rows = np.zeros((np.size(v), n))
        for row in rows:
            row[next(at)] = 1.0
        columns.append(rows.reshape((*np.shape(v), n)))
    return columns


@aspect()
def pattern_of_the_jacobian(op: Examination) -> None:
    """Nothing is outside of it."""
    with mock.patch.object(operation_patterns, "STRICT", True):
        op.each(check, True)


def check(case: Case, _: Sample) -> None:
    asked = [case.values[k] for k in case.wrt]
    if not case.expected or not 0 < sum(map(np.size, asked)) <= SMALL:
        return
    try:
        made = in_sweeps(case, "pushes")(*copy.deepcopy(case.values), *units(asked))
    except NotBatched:
        return
    shown = [(m, v) for m, v in zip(made, case.expected, strict=True) if np.size(v)]
    if not shown:
        return
    whole = np.concatenate([np.reshape(m, (np.size(v), -1)) for m, v in shown])
    for i, known in enumerate(pattern(case)):
        assert set(np.flatnonzero(whole[i]).tolist()) <= known, f"entry {i}"
