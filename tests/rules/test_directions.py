"""Every rule in k directions at once: the columns are those of one direction at a time."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

from retrograd.compiler import pipeline
from retrograd.compiler.differentiate.batching.operation_rules import NotBatched
from retrograd.compiler.differentiate.callee_derivatives import Derivatives
from retrograd.compiler.pipeline import Request
from retrograd.runtime.user.batched import stacked

from .harness import Case, Compiled, name_of, pull, push
from .laws import direction
from .test_rules import EVERYTHING, cases, every

K = 3
ONE_AT_A_TIME = {  # their cotangents are lists, which may be empty: nothing shows the number of directions
    "np.ndarray.tolist", "rt.thin", "rt.economic", "rt.rows_times",
}  # fmt: skip


def in_sweeps(case: Case, kind: str) -> Compiled:
    (made,) = pipeline.derived(case.function, Request(kind, case.wrt), Derivatives())
    made.tree = None
    return Compiled(made)


def compare(case: Case, kind: str) -> None:
    rng = np.random.default_rng(3)
    seeds = [case.values[k] for k in case.wrt] if kind == "pushes" else case.expected
    dots = [[direction(v, rng) for v in seeds] for _ in range(K)]
    one = Compiled((push if kind == "pushes" else pull)(case.function, case.wrt))
    columns = [one(*copy.deepcopy(case.values), *copy.deepcopy(d)) for d in dots]
    several = in_sweeps(case, kind)
    made = several(
        *copy.deepcopy(case.values), *[stacked(list(d)) for d in zip(*dots, strict=True)]
    )
    for got, *wanted in zip(made, *columns, strict=True):
        np.testing.assert_allclose(
            got, stacked(wanted), rtol=1e-9, atol=1e-11, err_msg=several.text
        )


@every
@pytest.mark.parametrize("kind", ["pushes", "pulls"])
@pytest.mark.parametrize("typed", [True, False], ids=["typed", "untyped"])
def test_columns(operation: Any, kind: str, typed: bool) -> None:
    limit = 10**9 if EVERYTHING else 4 if typed else 1
    for case, _ in cases(operation, typed, np.float64, limit):
        if not case.expected:  # integers: nothing to differentiate
            continue
        try:
            compare(case, kind)
        except NotBatched:
            assert name_of(operation) in ONE_AT_A_TIME
