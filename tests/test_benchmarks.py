"""The hand-written adjoints that times are compared with are right themselves."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from benchmarks.problem import Problem, same
from benchmarks.problems import PROBLEMS


def moved(problem: Problem, arguments: tuple[Any, ...], directions: list[Any], t: float) -> Any:
    given = list(arguments)
    for i, direction in zip(problem.wrt, directions, strict=True):
        given[i] = given[i] + t * direction
    return problem.function(*given)


@pytest.mark.parametrize("problem", PROBLEMS.values(), ids=list(PROBLEMS))
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_hand_written_adjoint(problem: Problem, seed: int) -> None:
    """Along random directions of all arguments at once, and along each alone."""
    arguments = problem.arguments(seed)
    value, gradients = problem.hand_written(*arguments)
    assert value == pytest.approx(problem.function(*arguments), rel=1e-12)
    rng = np.random.default_rng(seed)
    full = [rng.normal(size=np.shape(arguments[i])) for i in problem.wrt]
    alone = [[d * (i == k) for i, d in enumerate(full)] for k in range(len(full))]
    for directions in [full, *alone]:
        exact = sum(np.sum(g * d) for g, d in zip(gradients, directions, strict=True))
        h = 1e-6
        ahead = moved(problem, arguments, directions, h)
        behind = moved(problem, arguments, directions, -h)
        assert exact == pytest.approx((ahead - behind) / (2 * h), rel=1e-5, abs=1e-7)


@pytest.mark.parametrize("problem", PROBLEMS.values(), ids=list(PROBLEMS))
def test_hand_written_adjoint_leaves_its_arguments_alone(problem: Problem) -> None:
    arguments, untouched = problem.arguments(3), problem.arguments(3)
    gradients = problem.hand_written(*arguments)[1]
    for given, kept in zip(arguments, untouched, strict=True):
        np.testing.assert_array_equal(given, kept)
    shapes = [np.shape(arguments[i]) for i in problem.wrt]
    assert [np.shape(gradient) for gradient in gradients] == shapes


@pytest.mark.parametrize(
    "problem", [p for p in PROBLEMS.values() if p.hand_tuned], ids=lambda p: p.name
)
def test_hand_tuned_adjoint(problem: Problem) -> None:
    assert problem.hand_tuned is not None
    arguments = problem.arguments(4)
    assert same(problem.hand_tuned(*arguments), problem.hand_written(*arguments), 1e-10)
