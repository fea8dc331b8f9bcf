"""Committed gradients for values that mean what they were written for: ints for floats, other orders of keys."""

from __future__ import annotations

import collections
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from .conftest import Done

PROGRAMS = """
import numpy as np


def ratio(s: float, k: float, n: int):
    return s**2 * k / n


def filled(s: float, n: int):
    out = np.full(n, s)
    out *= 0.5
    return np.sum(out**3) / s


def powers(s: float, n: int):
    t = s
    for _ in range(n):
        t = t * s / 2
    return t


def pharma(params, t):
    ka, ke, v = params["ka"], params["ke"], params["v"]
    return np.sum(ka / (v * (ka - ke)) * (np.exp(-ke * t) - np.exp(-ka * t)))


def layered(params, x):
    return sum(np.sum(w) for w in params.values()) * x + params["b"] ** 2


def paired(params, xs):
    return sum(v * x for (_, v), x in zip(params.items(), xs))
"""
T = np.linspace(0.1, 1.0, 5)
P = {"ka": 2.0, "ke": 1.0, "v": 3.0}
PHARMA = "params: {'ka': float, 'ke': float, 'v': float}, t: f8[n]"
TWO = "params: {'a': float, 'b': float}, "

# A function, more for the command line, arguments of the types themselves, and others that mean the same.
SAME: list[tuple[str, list[str], tuple[Any, ...], list[tuple[Any, ...]]]] = [
    ("ratio", [], (100.0, 3.0, 9), [(100, 3, 9), (np.float64(100), 3, np.int64(9)), (100, np.int64(3), np.int32(9))]),
    ("filled", [], (3.0, 4), [(3, 4), (np.int64(3), np.int64(4)), (np.float64(3), 4)]),
    ("powers", [], (3.0, 2), [(3, 2), (np.float64(3), np.int64(2))]),
    ("pharma", ["--sig", PHARMA], (P, T),
     [({"v": 3, "ke": 1, "ka": 2}, T), (collections.OrderedDict(v=3.0, ka=2.0, ke=np.float64(1)), T)]),
    ("paired", ["--sig", TWO + "xs: (float, float)"], ({"a": 1.0, "b": 2.0}, (3.0, 4.0)),
     [({"a": 1, "b": 2}, (3, 4)), (collections.OrderedDict(a=1, b=2), (3.0, 4.0))]),
]  # fmt: skip


def written(name: str, more: list[str], folder: Path, call: Callable[..., Done]) -> Any:
    (folder / "programs.py").write_text(PROGRAMS, encoding="utf-8")
    done = call("grad", f"programs.py:{name}", *more)
    assert done.code == 0, done.err
    space: dict[str, Any] = {}
    exec(compile(done.out, "<committed>", "exec"), space)
    return space[f"{name}_grad"]


@pytest.mark.parametrize(("name", "more", "args", "others"), SAME)
@pytest.mark.parametrize("alone", [[], ["--standalone"]], ids=["", "alone"])
def test_other_values_that_mean_the_same(
    name: str, more: list[str], args: Any, others: list[Any], alone: list[str], folder: Path, call: Callable[..., Done]
) -> None:  # fmt: skip
    gradient = written(name, [*more, *alone], folder, call)
    wanted = gradient(*args)
    for other in others:
        assert gradient(*other) == pytest.approx(wanted, rel=1e-14)


@pytest.mark.parametrize("alone", [[], ["--standalone"]], ids=["", "alone"])
def test_an_order_that_matters_is_refused(
    alone: list[str], folder: Path, call: Callable[..., Done]
) -> None:
    gradient = written("paired", ["--sig", TWO + "xs: (float, float)", *alone], folder, call)
    with pytest.raises(TypeError, match="keys"):
        gradient({"b": 2.0, "a": 1.0}, (3.0, 4.0))
    with pytest.raises(TypeError):
        gradient({"a": 2.0}, (3.0, 4.0))
