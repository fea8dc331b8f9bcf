"""Calls that carry no derivative stay calls: right in both modes and at second order, in order, run once."""

from __future__ import annotations

import functools
import io
import json
import logging
import pathlib
import re
import types
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import RetrogradError
from tests.programs import others

X = np.array([0.3, 0.7, 1.1])
TABLE = others.Table({"t": [0.0, 1.0, 2.0], "y": [1.0, 2.0, 4.0]})
ROWS = np.arange(6.0).reshape(3, 2) ** 2
log = logging.getLogger(__name__)


@functools.lru_cache
def mass(name: str) -> float:
    return {"a": 1.5, "b": 2.5}[name]


@functools.cache
def doubled(v: float) -> float:
    return 2.0 * v


def column(x):
    return np.sum(x * TABLE["t"].to_numpy())


def columns_by_attribute(x):
    return np.sum((x[0] * TABLE.t.values - TABLE.y.values) ** 2)


def rows(x):
    total = 0.0
    for _, row in TABLE.iterrows():
        total = total + (x[0] * row["t"] - row["y"]) ** 2
    return total


def pairs(x):
    return sum((x[0] * t - y) ** 2 for t, y in zip(TABLE["t"], TABLE["y"], strict=True))


def arithmetic_of_its_own(x):
    return np.sum(x * (TABLE["t"] * 2 + 1).to_numpy())


def items_by_a_counter(x):
    y = 0.0
    for i in range(len(TABLE)):
        y += x[0] ** 2 * TABLE["t"][i] + x[i]
    return y


def written_to_when_it_runs(x):
    d = TABLE.copy()
    d["z"] = d["t"] * 2
    d.scale = 0.5
    d.scale *= 2
    return np.sum(x * d["z"].to_numpy()) * d.scale


def whole_numbers(x):
    return np.sum(x) * TABLE.count() + x[TABLE.count() - 3]


def found_in_text(x):
    m = re.match(r"(\w)(\d+)", "a12")
    return np.sum(x**2) * int(m.group(2))


def found_in_a_loop(x):
    for name in re.findall(r"\w+", "a bb"):
        x = x * (1 + len(name))
    return np.sum(x * x)


def logged(x):
    y = np.sum(x * x)
    log.debug("y = %s", y)
    if log.isEnabledFor(1):
        log.debug("more")
    return y


def from_json(x):
    p = json.loads('{"a": 1.5, "b": [1, 2]}')
    return np.sum(x) * p["a"] + p["b"][1] * x[0] ** 2


def counted(x):
    return Counter("abca")["a"] * np.sum(x * x)


def path(x):
    return (2.0 if (pathlib.Path("a") / "b.txt").suffix == ".txt" else 3.0) * np.sum(x * x)


def cached(x):
    return np.sum(x * x) * mass("a")


def cached_active(x):
    return doubled(x[0]) * x[1]


def smallest(x):
    return np.sum(np.log(x + np.finfo(x.dtype).tiny)) / np.iinfo(np.int32).max


def by_dtype(x):
    return np.sum(x * x) if x.dtype.kind == "f" and x.dtype == np.float64 else np.sum(x)


def namespace(x):
    xp = others.namespace_of(x)
    return xp.sum(xp.sin(xp.asarray(x)))


def namespace_and_flag(x):
    xp, _ = others.namespace_and_flag(x)
    return xp.sum(xp.exp(x))


def own_namespace(x):
    xp = pick(x)
    return xp.sum(xp.tanh(x))


def pick(*_):
    return np


def of_a_registry(x):
    f = others.REGISTRY.find("square")
    return np.sum(f(x))


def progress(x):
    y = 0.0
    bar = others.progress(range(3), desc="a")
    for i in bar:
        y = y + x[i] ** 2 * i
        bar.describe(f"at {i}")
    return y


def progress_left(x):
    y = 0.0
    for i in others.progress(range(10)):
        if i == 1:
            continue
        if i * x[0] > 1.0:
            return y * x[0]
        y = y + x[1] ** 2 * i
    return y


def progress_of_pairs(x):
    y = 0.0
    for a, b in others.progress(zip(ROWS, ROWS[:, 0], strict=True)):
        y = y + (a @ x[:2] - b) ** 2
    return y


def read_from_a_file(x):
    b = io.BytesIO()
    np.savez(b, w=np.array([1.0, 2.0, 3.0]))
    b.seek(0)
    with np.load(b) as d:
        w = d["w"]
    return np.sum(w * x**2)


def scaled(x):
    scaler = others.Scaler().fit(ROWS)
    return np.sum((scaler.transform(ROWS) @ x[:2]) ** 2)


def of_a_generator(x):
    return sum(w * x[0] ** 2 for w in halves(3))


def halves(n: int) -> Iterator[float]:
    for k in range(n):
        yield 0.5 * k


def in_a_helper(x):
    return helper(x, TABLE)


def helper(p, table):
    return np.sum((p[0] * table["t"].to_numpy() - table["y"].to_numpy()) ** 2)


def chosen(x):
    w = TABLE["t"].to_numpy() if len(TABLE) > 2 else TABLE["y"].to_numpy()
    return np.sum(w * x * x)


def algebra(x):
    t = TABLE["t"].to_numpy()
    a = np.outer(np.cos(t), np.cos(t)) + np.eye(3)
    return x @ np.linalg.solve(a, x)


def buffer_handed_out(x):
    """The simulator writes to the array that it gave."""
    sim = others.Simulator()
    s = sim.state()
    y = np.sum(x**2 * s)
    sim.step()
    return y + np.sum(x**3 * s)


def buffer_in_a_loop(x):
    y = 0.0
    for batch in others.Simulator().batches():
        y = y + np.sum((x * batch) ** 2)
    return y


def buffer_stepped_in_a_loop(x):
    sim = others.Simulator()
    s = sim.state()
    y = 0.0
    for _ in range(3):
        y = y + step_loss(x, s)
        sim.step()
    return y


def step_loss(x, s):
    return np.sum((x * s) ** 2)


def changed_before(x):
    sim = others.Simulator()
    s = sim.state()
    sim.step()
    return np.sum(x * x * s)


PROGRAMS: dict[str, Callable[..., Any]] = {
    name: f
    for name, f in list(globals().items())
    if isinstance(f, types.FunctionType) and f.__code__.co_varnames[:1] == ("x",)
    and f.__code__.co_argcount == 1
}  # fmt: skip


@pytest.mark.sampled(3)
@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", PROGRAMS)
def test_right(name: str) -> None:
    f = PROGRAMS[name]
    value, bar = rg.value_and_grad(rg.differentiate(strict=True)(f))(X.copy())
    assert value == f(X.copy())
    assert bar.dtype == np.float64
    units = np.eye(3) * 1e-6
    want = [(f(X + e) - f(X - e)) / 2e-6 for e in units]
    np.testing.assert_allclose(bar, want, rtol=1e-6, atol=1e-8)
    rg.check_grads(f, (X.copy(),), order=2)


@pytest.mark.parametrize("backend", ["c", "numba"])
@pytest.mark.parametrize(
    "name", ["column", "rows", "smallest", "buffer_in_a_loop", "whole_numbers"]
)
def test_beside_kernels(name: str, backend: str) -> None:
    f = PROGRAMS[name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = rg.grad(f, backend=backend)(X.copy())
    np.testing.assert_allclose(found, rg.grad(f)(X.copy()), rtol=1e-12)


# -- order, and how often -----------------------------------------------------------------------------


def test_every_call_runs_once_and_in_its_place(unchecked: None) -> None:
    def f(x):
        y = 0.0
        bar = others.progress(range(2))
        others.LOG.append("begun")
        for i in bar:
            others.LOG.append(f"body {i}")
            y = y + x[i] ** 2
            bar.describe(str(i))
        others.tell("end")
        return y

    for run in (f, rg.grad(f), lambda x: rg.jvp(f, (x,), (x,))):
        others.LOG.clear()
        run(X.copy())
        assert others.LOG == [
            "begun", "item 1", "body 0", "described 0", "item 2", "body 1", "described 1", "end",
        ]  # fmt: skip


def test_nothing_runs_while_it_is_compiled() -> None:
    def f(x):
        others.tell("once")
        return np.sum(x * x)

    others.LOG.clear()
    rg.differentiate(f).source("grad", X)
    assert others.LOG == []


# -- what is known ----------------------------------------------------------------------------------


def test_another_function_compiles_anew() -> None:
    def f(x):
        return np.sum(others.REGISTRY.find("power")(x))

    slope = rg.grad(f)
    try:
        for power in (2, 3, 2):
            others.REGISTRY.entries["power"] = lambda v, power=power: v**power
            np.testing.assert_allclose(slope(X), power * X ** (power - 1))
    finally:
        del others.REGISTRY.entries["power"]


def test_a_function_that_hangs_on_values_is_right_or_refused(unchecked: None) -> None:
    def f(x):
        g = others.by_sign(x)
        return np.sum(g(x))

    slope = rg.grad(f)
    np.testing.assert_allclose(slope(X), np.cos(X))
    with pytest.raises(RetrogradError, match="the derivative was made for"):
        slope(-X)


# -- refused ------------------------------------------------------------------------------------------


def kept_then_written(x):
    buffer = np.zeros(3)
    others.KEEPER.keep(buffer)
    buffer[0] = x[0] ** 2
    return others.KEEPER.total()


def kept_by_a_helper(x):
    buffer = np.zeros(3)
    hand(buffer)
    buffer[0] = x[0] ** 2
    return others.KEEPER.total()


def hand(b):
    others.KEEPER.keep(b)


def view_kept(x):
    buffer = np.zeros(3)
    others.KEEPER.keep(buffer[1:])
    buffer[1] = x[0] ** 2
    return others.KEEPER.total()


def kept_in_a_loop(x):
    buffer = np.zeros(3)
    for _ in range(2):
        others.KEEPER.keep(buffer)
        buffer[0] = x[0] ** 2
    return others.KEEPER.total()


def number_kept(x):
    others.KEEPER.keep(x[0])
    return others.KEEPER.total() + x[1]


def array_kept(x):
    others.KEEPER.keep(x)
    return others.KEEPER.total()


def attribute_set(x):
    others.KEEPER.kept = x
    return others.KEEPER.total()


def part_of_its_buffer(x):
    sim = others.Simulator()
    s = sim.state()
    s[0] = x[0]
    return np.sum(sim.state())


def its_buffer_as_an_array(x):
    sim = others.Simulator()
    s = np.asarray(sim.state())
    s[0] = x[0]
    return np.sum(sim.state())


@pytest.mark.usefixtures("unchecked")
@pytest.mark.parametrize("f", [
    kept_then_written, kept_by_a_helper, view_kept, kept_in_a_loop, number_kept, array_kept, attribute_set,
    part_of_its_buffer, its_buffer_as_an_array,
], ids=lambda f: f.__name__)  # fmt: skip
def test_refused(f: Callable[..., Any]) -> None:
    for way in (rg.grad(f), lambda x: rg.jvp(f, (x,), (x,))):
        with pytest.raises(RetrogradError, match=r"keep|written into|may differentiat"):
            way(X.copy())


def test_what_is_computed_with_is_named() -> None:
    with pytest.raises(RetrogradError, match="a Table is computed with"):
        rg.grad(lambda x: np.sum(x * TABLE.copy()))(X)
