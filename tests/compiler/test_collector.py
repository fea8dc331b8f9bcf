"""The collector's thresholds while text is written, and that they come back."""

import gc
from pathlib import Path

import numpy as np
import pytest

import retrograd as rg
from retrograd.compiler.driver.gc_pause import SELDOM, seldom_collected


def test_thresholds_come_back_after_an_error() -> None:
    usual = gc.get_threshold()
    with seldom_collected():
        assert gc.get_threshold() == (SELDOM, *usual[1:])
    with pytest.raises(KeyError), seldom_collected():
        raise KeyError
    assert gc.get_threshold() == usual


def test_a_collector_that_never_runs_is_left_alone() -> None:
    usual = gc.get_threshold()
    gc.set_threshold(0)
    try:
        with seldom_collected():
            assert gc.get_threshold()[0] == 0
    finally:
        gc.set_threshold(*usual)


def test_writing_a_gradient_leaves_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RETROGRAD_CACHE", str(tmp_path))
    usual = gc.get_threshold()

    def f(x: np.ndarray) -> float:
        return np.sum(x**2)

    assert np.array_equal(rg.grad(f)(np.ones(3)), [2.0, 2.0, 2.0])
    assert gc.get_threshold() == usual
