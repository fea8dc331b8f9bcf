"""``backend="numba"``: the kernels give what the NumPy text gives, and are compiled once for all processes."""

from __future__ import annotations

import ast
import copy
import importlib.util
import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from benchmarks.problems import PROBLEMS, TINY
from retrograd.compiler.native.numba import module
from retrograd.runtime.errors import BackendUnavailable
from retrograd.transforms.check import policy
from tests.fuzz.native import same

HERE = importlib.util.find_spec("numba") is not None
needs_numba = pytest.mark.skipif(not HERE, reason="numba is not installed")
RNG = np.random.default_rng(7)


def chain(x):
    y = np.tanh(x) * np.exp(-x * x)
    return np.sum(y) + np.sum((x[1:] - x[:-1]) ** 2)


def branches(x, n):
    s = x[0]
    for k in range(n):
        if x[k % 5] > 0.1:
            s = s + np.sin(x[k % 5])
        else:
            s = s * 0.5
    return s


def tape_of_vectors(x, n):
    for _ in range(n):
        x = 0.9 * x + 0.1 * np.sin(x) * x[::-1]
    return np.sum(x)


def kinds_of_items(x, y, n):
    """The tape has numbers of three dtypes and vectors, and outgrows the memory it begins with."""
    s = x[0]
    for k in range(n):
        if s > 0.5:
            s = np.sin(s) + y[k % 3] * s
        else:
            s = s + 0.3 * np.cos(s)
            y = 0.99 * y * np.cos(y)
        x = 0.5 * np.sin(x) + 0.1 * s * x
    return s * np.sum(x) + np.sum(y)


def nested(w, n):
    s = w[0, 0]
    for i in range(n):
        row = w[i % 3] * 0.5
        for _ in range(i):
            row = np.sqrt(1.0 + row * row)
        s = s + np.max(row)
    return s


def until(x):
    y = x
    while y > 0.01:
        y = y * 0.6 + 0.001 * x
    return y


def writes(x):
    y = np.zeros(x.shape[0])
    for k in range(x.shape[0] - 1):
        y[k + 1] = 0.5 * y[k] + x[k] * x[k + 1]
    y[1:-1] += y[2:] * x[:-2]
    return np.sum(y * y)


def layers(w, p):
    h = np.maximum(p["x"] @ w + p["b"], 0.0)
    return np.mean((h @ p["v"]) ** 2)


def products(a, b):
    return np.sum((a @ b.T) * (b @ a.T).T) + np.sum(a.T @ a)


def powers(a):
    return np.sum(np.tanh(0.1 * (a @ a.T)))


def statistics(w):
    z = (w - w.mean(axis=0)) / np.sqrt(1.0 + np.sum(w * w, axis=1, keepdims=True))
    return np.sum(np.max(z, axis=1)) + np.min(z[1] * z[2])


def taken(x, w):
    k = np.array([2, 0, 1, 2])
    return np.sum(x[k] * w[:, 1:][k, 0]) + np.sum(np.where(x > 0.0, x, 0.1 * x)) + w[-1, -1]


def masks(x):
    inside = (x > -0.5) & (x < 0.5)
    return np.sum(np.where(inside, x * x, np.abs(x)) + np.sign(x) * np.floor(x) * x)


def numbers(a, n):
    return a * a * a / (1.0 + a * a) + n * a


def pairs(x, p):
    (a, b), c = p
    return np.sum(a * b * x) * c[0] + c[1]


def remainders(x):
    return np.sum(np.remainder(x, 0.7) + x * np.floor_divide(x, 0.3)) + np.sum(np.trunc(x) * x)


def vector(n: int, dtype: Any = float) -> np.ndarray:
    return RNG.normal(size=n).astype(dtype)


def matrix(m: int, n: int, dtype: Any = float) -> np.ndarray:
    return RNG.normal(size=(m, n)).astype(dtype)


PARAMETERS = {"x": matrix(50, 7), "b": vector(40), "v": vector(40)}
PROGRAMS: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "chain": (chain, (vector(5),)),
    "chain, long": (chain, (vector(1000),)),
    "chain, float32": (chain, (vector(200, np.float32),)),
    "branches": (branches, (vector(6), 11)),
    "tape": (tape_of_vectors, (vector(3), 40)),
    "tape, long": (tape_of_vectors, (vector(100), 40)),
    "tape of several kinds": (kinds_of_items, (vector(3), vector(4, np.float32), 5)),
    "tape of several kinds, long": (kinds_of_items, (vector(70), vector(4, np.float32), 5000)),
    "nested": (nested, (matrix(3, 50), 9)),
    "while": (until, (1.7,)),
    "writes": (writes, (vector(60),)),
    "layers": (layers, (matrix(7, 40), PARAMETERS)),
    "products": (products, (matrix(40, 50), matrix(60, 50))),
    "products, float32": (powers, (matrix(40, 50, np.float32),)),
    "products, small": (products, (matrix(3, 2), matrix(4, 2))),
    "statistics": (statistics, (matrix(40, 35),)),
    "indices": (taken, (vector(6), matrix(4, 5))),
    "masks": (masks, (vector(300),)),
    "masks, float32": (masks, (vector(300, np.float32),)),
    "numbers": (numbers, (-1.3, 4)),
    "pairs": (pairs, (vector(4), ((vector(4), vector(4)), [0.3, 1.25]))),
    "remainders": (remainders, (vector(50),)),
}


def first_run(function: Callable[..., Any], args: tuple[Any, ...], **options: Any) -> Any:
    """A function whose kernel is made, and which has no other code any more."""
    found = rg.value_and_grad(function, backend="numba", **options)
    found(*copy.deepcopy(args))
    native = found.__native__
    assert native.notes == []

    def gone(*_: Any) -> None:
        raise AssertionError("the kernel was left")

    native.plain = gone
    return found


@pytest.mark.sampled(5)
@needs_numba
@pytest.mark.parametrize("name", PROGRAMS)
def test_as_numpy(name: str) -> None:
    function, args = PROGRAMS[name]
    wanted = rg.value_and_grad(function)(*copy.deepcopy(args))
    given = copy.deepcopy(args)
    found = first_run(function, args)(*given)
    assert same(found, wanted, 1e-4 if "float32" in name or "kinds" in name else 1e-10)
    assert same(given, args, 0.0)


BENCHMARKS = [
    *(name for name, problem in TINY.items() if not problem.jacobian),
    *(name for name in ("gmm-1000x8x10", "mlp-32x32x64x10", "rk4-1000") if name in PROBLEMS),
]


@pytest.mark.sampled(7)
@needs_numba
@pytest.mark.parametrize("name", BENCHMARKS)
def test_benchmarks(name: str) -> None:
    problem = {**PROBLEMS, **TINY}[name]
    args = problem.arguments(0)
    wanted = rg.value_and_grad(problem.function, wrt=problem.wrt)(*args)
    found = rg.value_and_grad(problem.function, wrt=problem.wrt, backend="numba")
    found(*args)
    assert same(found(*args), wanted, 1e-9)
    if notes := found.__native__.notes:
        assert all("numba" not in note for note in notes)  # left to NumPy before it came to numba
        pytest.skip(f"NumPy: {notes[0]}")


@needs_numba
def test_libm() -> None:
    """Functions of the library instead of our own."""
    x = vector(100)
    found = first_run(chain, (x,), accuracy="libm")(x)
    assert same(found, rg.value_and_grad(chain)(x), 1e-12)


WEIGHTS = np.array([0.5, -1.0, 2.0])


def weighted(x, s, up):
    return np.sum(np.tanh(x * WEIGHTS) * s) if up else s * s + x[0]


@needs_numba
@pytest.mark.parametrize("s", [0.7, np.float64(0.7), np.float32(0.5)])
@pytest.mark.parametrize("up", [True, False])
def test_arrays_of_the_module_and_numbers_of_numpy(s: Any, up: bool) -> None:
    x = vector(3)
    found = rg.value_and_grad(weighted, wrt=(0, 1), backend="numba")
    for k in (1.0, 2.0):
        wanted = rg.value_and_grad(weighted, wrt=(0, 1))(k * x, s, up)
        assert same(found(k * x, s, up), wanted, 1e-6)
    assert all("numba" not in note for note in found.__native__.notes)


# -- what a kernel does not take ----------------------------------------------------------


def pick(x, k):
    return x[k] * np.sum(x)


@needs_numba
def test_left_where_numpy_raises() -> None:
    x = vector(5)
    found = rg.value_and_grad(pick, backend="numba")
    assert same(found(x, 1), found(x, 1), 1e-13)  # the text's, and the kernel's
    for k in (5, -6):
        with pytest.raises(IndexError):
            found(x, k)
    assert same(found(x, -5), rg.value_and_grad(pick)(x, -5), 1e-12)


@needs_numba
def test_other_arguments() -> None:
    """Another layout, dtype, size or kind, and what must not be written to."""
    found, plain = rg.value_and_grad(chain, backend="numba"), rg.value_and_grad(chain)
    x = vector(40)
    found(x)
    fixed = vector(40)
    fixed.flags.writeable = False
    for other in (vector(80)[::2], vector(41), vector(2), vector(1), vector(40, np.float32), fixed):
        assert same(found(other), plain(other), 1e-4 if other.dtype == np.float32 else 1e-10)


@needs_numba
def test_integers_beyond_64_bits() -> None:
    def grows(a, n):
        k = 1
        for _ in range(n):
            k = k * n * n
        return a * k

    found, plain = rg.value_and_grad(grows, backend="numba"), rg.value_and_grad(grows)
    for n in (3, 4, 15, 40):
        assert found(1.5, n) == plain(1.5, n)


@needs_numba
def test_memory_is_given_back() -> None:
    from numba.core.runtime import _nrt_python as memory

    def kept() -> int:
        return memory.memsys_get_stats_mi_alloc() - memory.memsys_get_stats_mi_free()  # type: ignore[no-any-return]

    memory.memsys_enable_stats()
    x = vector(100)
    found = first_run(tape_of_vectors, (x, 40))
    picking = rg.value_and_grad(pick, backend="numba")
    picking(x, 1)
    before = kept()
    for _ in range(20):
        found(x, 60)
        picking(x, 2)
        with pytest.raises(IndexError):
            picking(x, 1000)
    assert kept() == before


# -- files ----------------------------------------------------------------------------------

SCRIPT = """
import sys
import numpy as np
import retrograd as rg

def f(x):
    return np.sum(np.tanh(x) * x)

g = rg.grad(f, backend="numba")
x = np.linspace(0.0, 1.0, 50)
g(x)
(module,) = [m for name, m in sys.modules.items() if name.startswith("retrograd._generated.numba_")]
stats = module.kernel.stats
print(sum(stats.cache_hits.values()), sum(stats.cache_misses.values()), repr(g(x).tolist()))
"""


@pytest.mark.slow
@needs_numba
def test_a_second_process_compiles_nothing(tmp_path: Any) -> None:
    (tmp_path / "script.py").write_text(SCRIPT)
    cache = tmp_path / "cache"
    cache.mkdir(0o700)
    env = {**os.environ, "RETROGRAD_CACHE": str(cache)}
    said = [
        subprocess.run(
            [sys.executable, tmp_path / "script.py"],
            env=env, capture_output=True, text=True, check=True,
        ).stdout.split(maxsplit=2)
        for _ in range(2)
    ]  # fmt: skip
    assert [s[:2] for s in said] == [["0", "1"], ["1", "0"]]
    assert said[0][2] == said[1][2]


@needs_numba
def test_cleared_with_the_cache(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from retrograd.compiler.cache import entries as cache

    monkeypatch.setenv("RETROGRAD_CACHE", str(tmp_path / "cache"))

    def f(x):
        return np.sum(np.tanh(x) * 1.25)

    first_run(f, (vector(9),))
    place = tmp_path / "cache" / "numba"
    assert len(list(place.glob("__pycache__/*.nbc"))) == 1
    cache.clear()
    assert not place.exists()


def test_without_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    found = importlib.util.find_spec
    monkeypatch.setattr(
        module.importlib.util,
        "find_spec",
        lambda name, *rest: None if name == "numba" else found(name, *rest),
    )
    with pytest.raises(BackendUnavailable, match="numba") as raised:
        rg.grad(chain, backend="numba")
    assert "pip install" in str(raised.value)


def test_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """The text is the same each time, all its names are there, and no numba is needed to write it."""
    texts: list[str] = []
    monkeypatch.setattr(module, "require", lambda: None)
    monkeypatch.setattr(policy, "_chosen", None)  # what stands for a kernel here cannot be checked

    def kept(text: str, name: str, fallback: Callable[..., Any], _: Any) -> Callable[..., Any]:
        texts.append(text)
        return fallback

    monkeypatch.setattr(module, "entry_of", kept)
    for _ in range(2):
        vars(chain).clear()  # derivatives are kept with their function
        rg.grad(chain, backend="numba")(vector(50))
    first, second = texts
    assert first == second
    tree = ast.parse(first)
    defined = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    read = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    assert {name for name in read if name.startswith("rg_")} <= defined
    assert {"kernel", "nothing", "entry"} <= defined
