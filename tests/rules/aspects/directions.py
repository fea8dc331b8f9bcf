"""Every rule in k directions at once: the columns are those of one direction at a time."""

from __future__ import annotations

import copy
from functools import lru_cache

import numpy as np

from retrograd.compiler import pipeline
from retrograd.compiler.differentiate.batching.operation_rules import NotBatched
from retrograd.compiler.differentiate.callee_derivatives import Derivatives
from retrograd.compiler.pipeline import Request
from retrograd.runtime.user.batched import stacked

from ..examination import Examination, aspect
from ..harness import Case, Compiled
from ..laws import direction, point
from ..sample import Sample

K = 3
ONE_AT_A_TIME = {  # their cotangents are lists, which may be empty: nothing shows the number of directions
    "np.ndarray.tolist", "rt.thin", "rt.economic", "rt.rows_times",
}  # fmt: skip


@lru_cache(maxsize=64)
def in_sweeps(case: Case, kind: str) -> Compiled:
    (made,) = pipeline.derived(case.function, Request(kind, case.wrt), Derivatives())
    made.tree = None
    return Compiled(made)


def compare(case: Case, kind: str) -> None:
    rng = np.random.default_rng(3)
    seeds = [case.values[k] for k in case.wrt] if kind == "pushes" else case.expected
    dots = [[direction(v, rng) for v in seeds] for _ in range(K)]
    one = point(case).pushed if kind == "pushes" else point(case).pulled
    columns = [one(*copy.deepcopy(case.values), *copy.deepcopy(d)) for d in dots]
    several = in_sweeps(case, kind)
    made = several(
        *copy.deepcopy(case.values), *[stacked(list(d)) for d in zip(*dots, strict=True)]
    )
    for got, *wanted in zip(made, *columns, strict=True):
        np.testing.assert_allclose(
            got, stacked(wanted), rtol=1e-9, atol=1e-11, err_msg=several.text
        )


@aspect()
def columns_of_several_directions(op: Examination) -> None:
    def check(case: Case, _: Sample) -> None:
        for kind in ("pushes", "pulls") if case.expected else ():  # integers have no derivative
            try:
                compare(case, kind)
            except NotBatched:
                assert op.name in ONE_AT_A_TIME

    for typed in (True, False):
        op.each(check, typed)
