"""Some random programs with structure; ``python -m tests.fuzz.structured 2000`` tries more."""

from __future__ import annotations

from typing import Any

import pytest

from retrograd.transforms.jacobian import few_directions, prepared_plan

from .structured import case_of, check

pytest.importorskip("scipy.sparse")


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plans are made for small matrices, too."""
    monkeypatch.setattr(few_directions, "LEAST", 1)
    monkeypatch.setattr(few_directions, "GAIN", 1)
    monkeypatch.setattr(few_directions, "FEWER", 1)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("seed", range(40))
def test_jacobians_with_structure_are_right(seed: int) -> None:
    check(case_of(seed), seed)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("seed", range(100, 112))
def test_those_of_kernels_are_right(seed: int) -> None:
    check(case_of(seed), seed, "c")


def test_most_of_them_have_a_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    used: list[bool] = []
    matrices = prepared_plan.Prepared.matrices

    def counted(*args: Any) -> Any:
        found = matrices(*args)
        used.append(found is not None)
        return found

    monkeypatch.setattr(prepared_plan.Prepared, "matrices", counted)
    for seed in range(4):
        check(case_of(seed), seed)
    assert sum(used) > 20
