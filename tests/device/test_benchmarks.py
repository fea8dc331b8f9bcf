"""The contenders of ``python -m benchmarks.bench --device cuda`` are right, where the others' libraries have no device too."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks import bench, device
from benchmarks.measure import ready
from benchmarks.problem import Problem
from benchmarks.problems import TINY

pytestmark = pytest.mark.cupy
HERE = ("function", "hand-written", "retrograd")
ANOTHER = {"gmm-loops"}  # `log_p = alpha[j]; log_p -= ...` writes to `alpha` on the device


@pytest.mark.parametrize("problem", TINY.values(), ids=list(TINY))
def test_everybody_agrees(cupy: Any, problem: Problem) -> None:
    found = ready(problem, HERE, seed=5, contenders=device.CONTENDERS)
    if problem.family in ANOTHER:
        assert all(why.startswith("WRONG") for why in found.absent.values())
        return
    assert found.absent == {}
    assert set(found.running) == set(HERE)


def test_the_command(
    cupy: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("RETROGRAD_CACHE", "TORCHINDUCTOR_CACHE_DIR"):
        monkeypatch.setenv(name, "")  # the command sets them
    command = ["--device", "cuda", "--problems", "logistic", "--sizes", "tiny", "--rounds", "1"]
    assert bench.main(command) == 0
    assert "| retrograd |" in capsys.readouterr().out
