"""The contenders of the benchmarks are right, those that others are compared with first of all."""

from __future__ import annotations

import importlib
import xml.etree.ElementTree
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks import bench, scaling
from benchmarks.measure import measured, ready
from benchmarks.picture import picture
from benchmarks.problem import Problem, over, same
from benchmarks.problems import PROBLEMS, TINY

COMMANDS = [
    f.stem for f in Path(bench.__file__).parent.glob("*.py") if "def main(" in f.read_text()
]
ON_TINY = pytest.mark.parametrize("problem", TINY.values(), ids=list(TINY))
TAKING_PART = ("retrograd", "retrograd grad", "autograd", "jax.jit", "jax expert", "torch")


def along(derivative: Any, direction: Any) -> Any:
    """The part of a gradient, or of a Jacobian, in a direction."""
    return np.tensordot(derivative, direction, axes=np.ndim(direction))


def moved(problem: Problem, arguments: tuple[Any, ...], directions: list[Any], t: float) -> Any:
    given = list(arguments)
    for i, direction in zip(problem.wrt, directions, strict=True):
        given[i] = given[i] + t * direction
    return problem.function(*given)


@ON_TINY
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_hand_written_adjoint(problem: Problem, seed: int) -> None:
    """Along random directions of all arguments at once, and along each alone."""
    arguments = problem.arguments(seed)
    value, gradients = problem.hand_written(*arguments)
    np.testing.assert_allclose(value, problem.function(*arguments), rtol=1e-12)
    rng = np.random.default_rng(seed)
    full = [rng.normal(size=np.shape(arguments[i])) for i in problem.wrt]
    alone = [[d * (i == k) for i, d in enumerate(full)] for k in range(len(full))]
    for directions in [full, *alone]:
        exact = sum(along(g, d) for g, d in zip(gradients, directions, strict=True))
        h = 1e-6
        ahead = moved(problem, arguments, directions, h)
        behind = moved(problem, arguments, directions, -h)
        np.testing.assert_allclose(exact, (ahead - behind) / (2 * h), rtol=1e-5, atol=1e-7)


@ON_TINY
def test_hand_written_adjoint_leaves_its_arguments_alone(problem: Problem) -> None:
    arguments, untouched = problem.arguments(3), problem.arguments(3)
    gradients = problem.hand_written(*arguments)[1]
    for given, kept in zip(arguments, untouched, strict=True):
        np.testing.assert_array_equal(given, kept)
    rows = np.shape(problem.function(*arguments)) if problem.jacobian else ()
    shapes = [rows + np.shape(arguments[i]) for i in problem.wrt]
    assert [np.shape(gradient) for gradient in gradients] == shapes


@pytest.mark.parametrize(
    "problem", [p for p in TINY.values() if p.hand_tuned], ids=lambda p: p.name
)
def test_hand_tuned_adjoint(problem: Problem) -> None:
    assert problem.hand_tuned is not None
    arguments = problem.arguments(4)
    assert same(problem.hand_tuned(*arguments), problem.hand_written(*arguments), 1e-10)


@ON_TINY
def test_everybody_agrees(problem: Problem) -> None:
    """The peers too, where they are installed: they are given the same function."""
    found = ready(problem, TAKING_PART, seed=5)
    assert all(reason.startswith("not installed") for reason in found.absent.values()), found.absent
    assert "retrograd" in found.running


def test_a_function_for_a_peer_is_one_of_a_module() -> None:
    """As ``torch.compile`` has to find it."""
    import math
    import sys

    made = over(math, root_of_two)
    assert made() == math.sqrt(2.0)
    assert sys.modules[made.__globals__["__name__"]].__dict__ is made.__globals__
    assert root_of_two() == np.sqrt(2.0)


def root_of_two():  # type: ignore[no-untyped-def]
    return np.sqrt(2.0)


def test_every_size_makes_arguments() -> None:
    names = [(problem.family, problem.size) for problem in PROBLEMS.values()]
    assert len(set(names)) == len(names)
    for name, problem in PROBLEMS.items():
        if problem.size == "small":
            assert len(problem.arguments(0)) > max(problem.wrt), name


def test_table_and_picture() -> None:
    """One row for each of ours, one bar for each contender that was timed."""
    names = ["hand-written", "hand-tuned", "retrograd"]
    results = {"rosenbrock-10": measured(TINY["rosenbrock-10"], names, 1)}
    lines = bench.table(results).splitlines()
    assert lines[0].count("|") == lines[2].count("|")
    assert lines[2].startswith("| rosenbrock-10 | retrograd |")
    first = bench.first_calls(results).splitlines()
    assert first[0] == "| first call | retrograd |"
    assert len(first) == 3
    drawn = picture(results)
    xml.etree.ElementTree.fromstring(drawn)
    assert drawn.count("<rect") == 2 * 2  # two contenders, each in the legend and as a bar


def test_what_may_fail_and_what_may_not() -> None:
    assert not bench.failed({"torch": "not installed (torch)", "retrograd c": "CompileError: no"})
    assert bench.failed({"torch": "WRONG: disagrees"})
    assert bench.failed({"retrograd": "CompileError: no"})


def test_scaling_runs(capsys: pytest.CaptureFixture[str]) -> None:
    scaling.running("loops", rounds=1, largest=1_000)
    printed = capsys.readouterr().out.split("\n")
    assert len([line for line in printed if line]) == 1 + len(scaling.KINDS["loops"])


def test_deep_texts_compile() -> None:
    assert scaling.compiled(20)[1] > scaling.compiled(10)[1] > 10


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_can_be_started(name: str) -> None:
    assert callable(importlib.import_module(f"benchmarks.{name}").main)
