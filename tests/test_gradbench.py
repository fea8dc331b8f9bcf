"""GradBench's evals: small inputs through the protocol, held against values found in other ways."""

from __future__ import annotations

import io
import json
import shutil
import sys
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from benchmarks.gradbench import __main__ as command
from benchmarks.gradbench import harness
from benchmarks.gradbench.evals import particle
from benchmarks.gradbench.expected import EXPECTED, TINY
from benchmarks.gradbench.expected_descents import crossing
from benchmarks.gradbench.harness import Outcome, difference, evaluated
from benchmarks.gradbench.inputs import INPUTS, inputs
from benchmarks.gradbench.tool import EVALS, serve

NESTED = ("particle", "saddle")
PLAIN = [name for name in EVALS if name not in NESTED]
HAS_C = any(map(shutil.which, ("cc", "gcc", "clang")))
needs_c = pytest.mark.skipif(not HAS_C, reason="no C compiler")


def answers(backend: str | None, *messages: dict[str, Any]) -> list[dict[str, Any]]:
    """The tool's answers, through lines of JSON."""
    lines = [json.dumps({"id": k, **message}) for k, message in enumerate(messages)]
    out = io.StringIO()
    serve(lines, out, backend)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def judge(name: str, backend: str | None, *functions: str) -> None:
    """Functions of an eval, by default all, at its small inputs."""
    for _, given in inputs(name, "small"):
        asked = [
            {"kind": "evaluate", "module": name, "function": function, "input": given}
            for function in functions or EXPECTED[name]
        ]
        for message, answer in zip(asked, answers(backend, *asked), strict=True):
            assert answer["success"], answer["error"]
            wanted = EXPECTED[name][message["function"]](given)
            assert difference(answer["output"], wanted) is None
            assert [t["name"] for t in answer["timings"]] == ["prepare", "evaluate"]


@pytest.mark.parametrize("name", PLAIN)
def test_values_and_derivatives(name: str) -> None:
    judge(name, None)


@needs_c
@pytest.mark.parametrize("name", ["ba", "kmeans", "ode"])
def test_in_c(name: str) -> None:
    judge(name, "c")


@needs_c
def test_a_particle_that_is_steered() -> None:
    judge("particle", "c", "fr", "rr")
    assert abs(EXPECTED["particle"]["rr"]({"w": 0.0}) - 0.2071918746486116) < 1e-4  # GradBench's


@needs_c
def test_a_saddle_point() -> None:
    judge("saddle", "c")
    found = EXPECTED["saddle"]["rr"]({"start": [1.0, 1.0]})
    np.testing.assert_allclose(found, 8.246324826140356e-06, atol=1e-9)  # GradBench's


@pytest.mark.parametrize("cost", [particle.missed_forward, particle.missed_reverse])
def test_derivatives_of_a_cost_with_a_derivative_in_it(cost: Any) -> None:
    stepped = crossing(0.1 + 1j * TINY)
    for value, slope in (rg.value_and_grad(cost)(0.1), rg.jvp(cost, (0.1,), (1.0,))):
        np.testing.assert_allclose([value, slope], [stepped.real, stepped.imag / TINY], rtol=1e-10)


def test_the_protocol() -> None:
    runs = {"min_runs": 3, "min_seconds": 0}
    started, defined, unknown, llsq, wrong, analysed = answers(
        "c",
        {"kind": "start", "eval": "llsq"},
        {"kind": "define", "module": "llsq"},
        {"kind": "define", "module": "nonsense"},
        {"kind": "evaluate", "module": "llsq", "function": "primal", "input": {"x": [1.0], "n": 4, **runs}},
        {"kind": "evaluate", "module": "llsq", "function": "hessian", "input": {}},
        {"kind": "analysis", "of": 3, "valid": True},
    )  # fmt: skip
    assert started == {"id": 0, "tool": "retrograd-c"}
    assert defined == {"id": 1, "success": True}
    assert not unknown["success"]
    assert "no eval 'nonsense'" in unknown["error"]
    assert llsq["output"] == 4.0
    assert [t["name"] for t in llsq["timings"]] == ["prepare", *["evaluate"] * 3]
    assert all(t["nanoseconds"] > 0 for t in llsq["timings"])
    assert not wrong["success"]
    assert "KeyError" in wrong["error"]
    assert analysed == {"id": 5}


def test_every_eval_has_inputs_and_answers() -> None:
    assert {*EVALS} == {*INPUTS} == {*EXPECTED}
    assert [*EVALS] == sorted(EVALS)


def test_a_tool_in_a_process(capsys: pytest.CaptureFixture[str]) -> None:
    outcomes = list(evaluated(command.TOOL, "hello", ["small"], 0.0, 60.0))
    assert [o.function for o in outcomes] == ["square", "double"]
    assert not command.table("hello", {"retrograd": outcomes}, command.base_of("hello", ["small"], {"retrograd": outcomes}))  # fmt: skip
    square, double = capsys.readouterr().out.splitlines()
    assert square.split()[:3] == ["hello", "x=3.0", "square"]
    assert "(x" in double


def test_a_tool_that_is_wrong_or_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(harness.EXPECTED["hello"], "square", lambda x: 2 * x)
    (square, double) = evaluated(command.TOOL, "hello", ["small"], 0.0, 60.0)
    assert square.error == "output is off by 3"
    assert double.error is None
    gone = "import json\nfor k in range(2): print(json.dumps({'id': k, 'success': True}), flush=True); input()"
    (square, double) = evaluated([sys.executable, "-c", gone], "hello", ["small"], 0.0, 60.0)
    assert "it ended" in str(square.error)
    assert "it ended" in str(double.error)


def test_cells() -> None:
    half, failed = Outcome("e", "f", "", 0.0005), Outcome("e", "f", "", error="no")
    assert command.cell(half, Outcome("e", "p", "", 0.001)) == "500 us (x   0.50)"
    assert command.cell(failed, half) == command.cell(None, half) == "failed"
    assert command.cell(half, half).strip() == "500 us"
    assert [command.duration(s) for s in (1.2e-6, 0.25, 12.0)] == ["1.20 us", "250 ms", "12.0 s"]
