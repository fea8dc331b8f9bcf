"""Functions of which the result is new memory, whatever they are given: what the records say of those that have no samples."""

from __future__ import annotations

import copy
import inspect
import itertools
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import RetrogradError
from retrograd.runtime.traits.lookup import NEW_HOMES, traits_of

from ..both_modes import agrees
from ..written import written

ROW = np.array([0.5, 0.7, 1.2, 2.0])
GIVEN: list[Any] = [
    ROW, np.outer(ROW, ROW[:3]), np.array([1, 2, 0, 3]), [ROW[:3], ROW[1:]], np.array([True, False, True, True]),
    np.zeros(0), np.array(0.7), np.array([3.0]), np.array([0.0]), 2, 1, 0, 0.5, True,
]  # fmt: skip
SPACES = [np, np.linalg, np.lib.scimath, *(getattr(np.polynomial, home.rpartition(".")[2]) for home in NEW_HOMES
                                           if home.startswith("numpy.polynomial"))]  # fmt: skip
ELSEWHERE = (
    "test",
    "save",
    "savez",
    "savez_compressed",
    "savetxt",
    "load",
    "info",
    "show_config",
    "show_runtime",
)


def functions() -> Iterator[Any]:
    for space in SPACES:
        for name, fn in sorted(vars(space).items()):
            plain = callable(fn) and not isinstance(fn, (type, np.ufunc)) and name not in ELSEWHERE
            if plain and not name.startswith("_") and traits_of(fn).memory == "new":
                yield pytest.param(fn, id=f"{space.__name__}.{name}")


def arrays(tree: Any) -> Iterator[np.ndarray]:
    if isinstance(tree, np.ndarray):
        yield tree
    elif isinstance(tree, (list, tuple)):
        for item in tree:
            yield from arrays(item)


def place_of_out(fn: Any) -> int:
    """Which argument the result is written to, if it is given."""
    try:
        names = list(inspect.signature(fn).parameters)
    except ValueError:
        return 2 if fn is np.dot else 9
    return names.index("out") if "out" in names else 9


@pytest.mark.parametrize("fn", list(functions()))
def test_nothing_given_is_shown(fn: Any) -> None:
    outs = place_of_out(fn)
    for count in (1, 2, 3):
        for args in itertools.product(GIVEN, repeat=count):
            if list(arrays(args[outs : outs + 1])):
                continue
            given = copy.deepcopy(args)
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                try:
                    made = fn(*given)
                except Exception:
                    continue
            for array in arrays(made):
                assert not any(np.shares_memory(array, a) for a in arrays(given))


# -- programs that write to them ---------------------------------------------------------------------

MADE = (
    "np.intersect1d(d, g)", "np.setdiff1d(d, [1.0])", "np.setxor1d(d, g)", "np.union1d(d, g)", "np.union1d(d, [g[0]])",
    "np.concatenate((d, [g[0]]))", "np.concatenate(([1.0], d))", "np.append(d, [g[0]])", "np.hstack((d, [2.0]))",
    "np.stack((d, [1.0, g[0], 3.0]))", "np.vstack((d, [1.0, g[0], 3.0]))", "np.block([d, g])", "np.r_[d, [g[0]]]",
    "np.c_[d, g]", "np.column_stack((d, [1.0, g[0], 3.0]))", "np.insert(d, 1, [g[0]])", "np.tile(d, 2)",
    "np.histogram_bin_edges(d, 3)", "np.polyder(d)", "np.polyint(d)", "np.lib.scimath.sqrt(d)", "np.around(d, 2)",
    "np.fix(d)", "np.polynomial.polynomial.polyder(d)", "np.polynomial.chebyshev.chebint(d)",
    "np.polynomial.legendre.legval(d, g)", "np.polynomial.polynomial.polyval(d, g)",
)  # fmt: skip
WRITES = {
    "a number": "y[0] = 2.0",
    "what varies": "y[0] = np.sum(x) * d[1]",
    "all": "y *= 2.0",
    "the other": "d[0] = 5.0",
}
ARGS = (ROW[:3], np.array([1.0, 2.0, 3.0]), np.array([0.5, 2.0, 3.5]))


@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize("made", MADE)
def test_they_are_written_to(made: str, write: str) -> None:
    text = f"def f(x, d, g):\n    d = d * 1.0\n    y = {made}\n    {WRITES[write]}\n    return np.sum(y * y) * x[2] + np.sum(d * x[1])\n"
    agrees(written(text), *ARGS)


@pytest.mark.parametrize(
    "made",
    ["np.polyder(d, 0)", "np.polyint(d, 0)", "np.histogram_bin_edges(d, g)", "np.trim_zeros(d)"],
)
def test_what_may_show_an_argument_is_refused(made: str) -> None:
    text = f"def f(x, d, g):\n    y = {made}\n    y[0] = 2.0\n    return np.sum(y * y) * x[2] + np.sum(d)\n"
    with pytest.raises(RetrogradError, match="cannot tell whether"):
        rg.grad(written(text), strict=True)(*ARGS)
