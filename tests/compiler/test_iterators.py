"""Iterators, sorted lists, copies and operators: values bit for bit, derivatives up to second order."""

from __future__ import annotations

import importlib.util
import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import CompileError, MutationError
from tests.programs.iteration import PROGRAMS as ITERATING
from tests.programs.sorting import PROGRAMS as ORDERING
from tests.written import written

PROGRAMS = ITERATING | ORDERING
X = np.array([0.3, 1.2, 0.8])
numbers = itertools.count()


def made(source: str, folder: Path) -> Any:
    path = folder / f"iterators_{next(numbers)}.py"
    path.write_text(f"import numpy as np\n\n{source}\n", encoding="utf-8")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.f


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", PROGRAMS)
def test_right(name: str, tmp_path: Path) -> None:
    f = made(PROGRAMS[name], tmp_path)
    value, bar = rg.value_and_grad(rg.differentiate(strict=True)(f))(X.copy())
    assert value == f(X.copy())
    units = np.eye(3) * 1e-6
    want = [(f(X + e) - f(X - e)) / 2e-6 for e in units]
    np.testing.assert_allclose(bar, want, rtol=1e-6, atol=1e-7)
    rg.check_grads(f, (X.copy(),), order=2)


REFUSED = {
    "integers because of the first": (
        "def f(x):\n    return np.sum(np.vectorize(lambda v: 0 if v < 0.5 else v * v)(x))",
        "makes int64 of all results",
    ),
    "a core signature": (
        'h = np.vectorize(lambda a: np.sum(a * a), signature="(n)->()")\n'
        "def f(x):\n    return np.sum(h(np.outer(x, x)))",
        "this option of np.vectorize",
    ),
    "rows of an array, written to": (
        "def f(x):\n    a = np.outer(x, x)\n    rows = list(a)\n    rows[0][1] = 5.0\n"
        "    return np.sum(a * a)",
        "cannot tell whether",
    ),
    "groups": (
        "import itertools\ndef f(x):\n    return sum(k for k, g in itertools.groupby(x))",
        "a groupby is not supported",
    ),
    "combinations of a number that is not known": (
        "import itertools\ndef f(x):\n    n = int(x[0]) + 2\n"
        "    return sum(p[0] for p in itertools.combinations(x, n))",
        "itertools.combinations of something of unknown length",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str, tmp_path: Path) -> None:
    source, words = REFUSED[name]
    with pytest.raises((CompileError, MutationError), match=words):
        rg.grad(made(source, tmp_path))(X.copy())


ITERATED = {
    "map": "map(np.sin, y)",
    "map of a list": "map(lambda v: v * 2.0, [*y[:1], y[1], y[2]])",
    "filter": "filter(lambda v: v > 0.1, y)",
    "chain": "itertools.chain(y, y[:1])",
    "accumulate": "itertools.accumulate(y)",
    "takewhile": "itertools.takewhile(lambda v: v < 9.0, y)",
    "compress": "itertools.compress(y, [1, 1, 1])",
    "combinations": "(a * b for a, b in itertools.combinations(y, 2))",
    "permutations": "(p[0] * p[1] for p in itertools.permutations(y, 2))",
    "product": "(a * b for a, b in itertools.product(y, y))",
    "pairwise": "(a * b for a, b in itertools.pairwise(y))",
    "islice": "itertools.islice(y, 3)",
    "cycle": "(v for v, _ in zip(itertools.cycle(y), range(5)))",
    "nditer": "(v * 1.0 for v in np.nditer(y))",
    "flat": "y.flat",
    "sorted": "sorted(y)",
    "reversed": "reversed(y)",
}


@pytest.mark.parametrize("name", ITERATED)
def test_what_is_written_to_meanwhile_is_seen_or_refused(name: str, tmp_path: Path) -> None:
    """Some iterators see the writes, some do not, and some have looked ahead."""
    source = (
        "import itertools\n\ndef f(x):\n    y, total = x * 1.0, 0.0\n"
        f"    for k, v in enumerate({ITERATED[name]}):\n"
        "        total = total * 0.5 + v\n        y[(k + 1) % 3] = total\n    return total + np.sum(y)\n"
    )
    f = made(source, tmp_path)
    try:
        value, bar = rg.value_and_grad(rg.differentiate(strict=True)(f))(X.copy())
    except CompileError:
        return
    assert value == f(X.copy())
    want = [(f(X + e) - f(X - e)) / 2e-6 for e in np.eye(3) * 1e-6]
    np.testing.assert_allclose(bar, want, rtol=1e-6, atol=1e-7)


def test_ties_and_nan_are_sorted_as_python_sorts() -> None:
    def weighed(x: Any) -> Any:
        total = 0.0
        for k, v in enumerate(sorted(x)):
            total = total + (k + 1) * v
        return total

    np.testing.assert_array_equal(rg.grad(weighed)(np.array([2.0, 1.0, 2.0, 1.0])), [3, 1, 4, 2])
    odd = np.array([2.0, np.nan, 1.0])
    places = sorted(range(3), key=odd.__getitem__)
    want = np.empty(3)
    want[places] = [1, 2, 3]
    np.testing.assert_array_equal(rg.grad(weighed)(odd), want)


def test_nditer_comes_by_in_the_order_of_memory() -> None:
    def horner(a: Any) -> Any:
        y = 0.0
        for v in np.nditer(a):
            y = y * 0.5 + v
        return y

    a = np.arange(6.0).reshape(2, 3)
    for b in (a, np.asfortranarray(a), a.T, a[::-1], a[:, ::-2]):
        value, bar = rg.value_and_grad(horner)(b)
        assert value == horner(b)
        order = np.nditer(b, flags=["multi_index"])
        places = [order.multi_index for _ in order]
        for k, place in enumerate(reversed(places)):
            assert bar[place] == 0.5**k


@pytest.mark.parametrize(
    "text",
    [
        "np.interp(0.5, range(3), x)", "np.sum(x[range(0, 3, 2)])", "x.reshape(1, 3)[range(1), [2]][0]",
        "np.sum(np.array(range(3)) * x ** 2)", "np.dot(range(len(x)), x) + len(range(2))",
    ],
)  # fmt: skip
def test_a_range_is_a_row_of_integers(text: str) -> None:
    f = written(f"def f(x):\n    return {text}")
    x = np.array([0.3, 1.2, -0.7])
    slope = [(f(x + h) - f(x - h)) / 2e-6 for h in 1e-6 * np.eye(3)]
    np.testing.assert_allclose(rg.grad(f)(x), slope, rtol=1e-6, atol=1e-8)
    assert rg.value_and_grad(f)(x)[0] == f(x)


@pytest.mark.parametrize(
    "text",
    [
        "sum([x[i] ** 2 for i in np.ndindex(x.shape)])", "sum([v ** 2 for i, v in np.ndenumerate(x)])",
        "sum([v ** 2 for v in x.flat])", "sum([np.sum(x[i]) ** 2 for i in np.ndindex(x.shape[:-1])])",
        "sum([np.sum(x ** 2) * (1.0 + len(i)) for i in np.ndindex(())])",
        "sum([np.sum(x ** 2) * (1.0 + len(i)) for i in itertools.product()])",
        "sum([np.sum(x ** 2) * (1.0 + len(i)) for i in itertools.product(x.ravel(), repeat=0)])",
    ],
)  # fmt: skip
@pytest.mark.parametrize("shape", [(), (3,), (2, 2)])
def test_of_no_dimensions_there_is_one_place(text: str, shape: tuple[int, ...]) -> None:
    f = written(f"def f(x):\n    return {text}", itertools=itertools)
    x = np.arange(1.0, 1.0 + np.prod(shape, dtype=int)).reshape(shape)
    rg.check_grads(rg.differentiate(strict=True)(f), (x,))
