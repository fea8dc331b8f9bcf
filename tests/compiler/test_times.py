"""``RETROGRAD_TIMES=1`` prints where the time of a compilation goes; nothing is printed otherwise."""

from __future__ import annotations

import numpy as np
import pytest

import retrograd as rg
from retrograd.compiler.driver.times import Watch
from retrograd.compiler.passes import stages


def bowl(x):
    s = 0.0
    for k in range(3):
        s = s + np.sum(x**k)
    return s


@pytest.fixture(autouse=True)
def apart(monkeypatch, tmp_path):
    monkeypatch.setenv("RETROGRAD_CACHE", str(tmp_path))


def test_every_stage_is_in_the_table(monkeypatch, capsys):
    monkeypatch.setenv("RETROGRAD_TIMES", "1")
    rg.grad(bowl)(np.ones(3))
    told = capsys.readouterr().err
    assert told.startswith("bowl: ")
    for part in ("lowering", "differentiation", "text"):
        assert f"  {part}\n" in told
    ran = [*stages.LOWERED, *stages.MAIN, *stages.DERIVED, *stages.FINAL]
    for stage in ran:
        for one in stage.passes:
            assert (f"  {stage.name}: {one.name}\n" in told) is (
                1 in one.levels or one.name == "reuse"
            )


def test_nothing_is_printed_unasked(capsys):
    rg.grad(bowl)(np.ones(3))
    assert capsys.readouterr().err == ""


def test_times_of_parts_add_up():
    watch = Watch()

    def outer():
        return watch.of("inner", sum, range(1000))

    assert watch.of("outer", outer) == sum(range(1000))
    assert list(watch.parts) == ["inner", "outer"]
    assert all(seconds >= 0.0 and count == 1 for seconds, count in watch.parts.values())


def returns_an_array(x):
    return x * 2.0


def test_a_table_is_printed_for_a_refusal_too(monkeypatch, capsys):
    monkeypatch.setenv("RETROGRAD_TIMES", "1")
    with pytest.raises(rg.RetrogradError):
        rg.grad(returns_an_array)(np.ones(2))
    assert capsys.readouterr().err.startswith("returns_an_array: ")
