"""``f.explain()`` and ``retrograd explain``: what is active, kept, aliased and taped, and why."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.transforms.explain import explain as explained
from retrograd.transforms.explain.explain import Explanation

from .conftest import Done
from .test_examples_written import CASES, EXAMPLES

Call = Callable[..., Done]


@rg.differentiate(sig="w: f8[d], x: f8[n, d], n: int")
def model(w, x, n):
    scale = 2.0 * n
    unused = w * 3.0
    z = np.tanh(x @ w)
    side = np.sum(unused)  # noqa: F841
    best = np.argmax(z)
    return np.sum(z * z) * scale + best


def by_name(found: Explanation) -> dict[str, Any]:
    return {v.name: v for v in found.values}


def test_every_value_says_whether_it_is_active_and_why() -> None:
    values = by_name(model.explain())
    assert {n for n, v in values.items() if v.active} == {"w", "z"}
    assert values["w"].why == "asked for"
    assert values["x"].why == "not asked for"
    assert values["n"].why == "an integer has no derivative"
    assert values["z"].why == "depends on `w`, and the result depends on it"
    assert values["unused"].why == "the result does not depend on it"
    assert values["scale"].why == "does not depend on `w`"
    assert values["best"].active is False
    assert values["z"].type == "f8[n]"


def test_what_is_kept_has_a_size_and_readers() -> None:
    kept = {k.name: k for k in model.explain().kept}
    assert kept["z"].size == "8 * n bytes"
    first = model.fn.__code__.co_firstlineno
    assert kept["z"].line == first + 4
    assert str(first + 7) in kept["z"].why
    assert kept["x"].size == "0 bytes"
    assert "an argument" in kept["x"].why
    assert "unused" not in kept


@rg.differentiate
def loop(x: float, ks: Any) -> Any:
    s = x
    for k in range(3):
        step = s * ks[k]
        s = np.sin(step) + s
    return s


def test_loops_keep_one_for_each_iteration_and_compute_again_what_is_cheap() -> None:
    found = loop.explain(0.5, np.array([1.0, 2.0, 3.0]))
    kept = [k for k in found.kept if not k.recomputed]
    assert any("once for each iteration" in k.size for k in kept)
    assert any(k.name == "step" and k.line for k in kept)
    assert not any(k.name == "k" for k in kept)
    assert any({"s", "s.2"} <= set(a["values"]) or len(a["values"]) > 1 for a in found.aliases) or (
        found.aliases == []
    )


def careful(x):
    _ = locals()  # what the compiler does not take
    return x * x


def plain_helper(x):
    y = np.sin(x) * x
    return y + np.cos(y)


@rg.differentiate
def calls(x):
    return careful(x) + plain_helper(x) * plain_helper(2.0 * x)


def test_calls_are_compiled_or_on_the_tape_with_the_reason() -> None:
    found = {c.name: c for c in calls.explain().callees}
    assert found["plain_helper"].how == "compiled"
    assert found["careful"].how == "on the tape"
    assert "`locals` reads the names" in found["careful"].why
    assert found["careful"].line == calls.fn.__code__.co_firstlineno + 2
    assert "careful" in str(calls.explain())


def test_a_function_that_writes_to_its_argument_is_checked_on_arguments_of_its_own() -> None:
    def halve(x: Any) -> None:
        x *= 0.5

    @rg.differentiate(sig="x: f8[n]")
    def written(x):  # type: ignore[no-untyped-def]
        halve(x)
        return np.sum(x * x)

    found = written.explain()
    assert found.unchecked == []
    assert by_name(found)["x"].active


def test_a_function_that_cannot_be_compiled_is_explained_by_the_error() -> None:
    text = str(rg.differentiate(fallback="tape")(careful).explain())
    assert "runs on the tape as a whole" in text
    assert "`locals` reads the names" in text
    assert "refused" in str(rg.differentiate(strict=True)(careful).explain())


@rg.differentiate
def written(x):
    y = np.exp(x)
    z = y
    y = y + 1.0
    v = z[1:]
    return np.sum(v * y[1:])


def test_values_that_may_share_memory_are_classes() -> None:
    classes = written.explain(np.ones(3)).aliases
    assert any({"v", "y"} <= set(a["values"]) for a in classes)
    assert all(a["written"] is False for a in classes)


def test_the_command(call: Call) -> None:
    done = call("explain", "model.py:typed")
    assert done.code == 0, done.err
    assert "kept for the backward sweep" in done.out
    assert "asked for" in done.out
    found = json.loads(call("explain", "model.py:two", "--wrt", "w,b", "--json").out)
    assert found["wrt"] == ["w", "b"]
    assert {v["name"]: v["active"] for v in found["values"]} == {"w": True, "b": True, "x": False}
    assert call("explain", "model.py:two", "--wrt", "q").code == 2


def test_a_refused_function(call: Call) -> None:
    done = call("explain", "model.py:refused")
    assert done.code == 1
    assert "refused: " in done.out
    assert "unique_values: no rule" in done.out


@pytest.mark.parametrize("name", CASES)
def test_every_example_is_explained(name: str, call: Call, folder: Path) -> None:
    (folder / f"told_{name}.py").write_text((EXAMPLES / f"{name}.py").read_text(), encoding="utf-8")
    done = call("explain", f"told_{name}.py:{CASES[name][0]}")
    assert done.code == 0, done.err
    assert "kept for the backward sweep" in done.out
    assert max(map(len, done.out.splitlines())) < 180


def test_why_a_jacobian_takes_a_sweep_for_each_direction(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explained, "one_by_one", lambda *_: "a reason")
    found = model.explain()
    assert (found.batch, found.refused, found.one_by_one) == ((), "", "a reason")
    assert "a sweep for each direction: a reason" in found.html()
