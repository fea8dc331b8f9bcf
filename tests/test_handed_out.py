"""Every golden text, called with other sizes, kinds and orders: right, or refused by its guard or its function."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from retrograd.transforms import chain_value
from retrograd.trees import flatten, map_leaves
from tests.golden_case import Case, cases

# A loop that goes on until something is small may never end for other arguments.
CASES = [c for c in cases() if c.kind == "grad" and "while " not in c.parts[0]]
SAMPLE = 12  # of the programs


def text_of(case: Case, types: dict[str, Any]) -> Any:
    """The gradient from the text that is handed out, as a function of the arguments."""
    chain = case.chain.then("grad", case.wrt, len(case.wrt) == 1)
    scope: dict[str, Any] = dict(vars(case.module))
    exec(compile(chain.text(types), "<handed out>", "exec"), scope)
    return scope[f"{case.function.__name__}_grad"]


def others(args: list[Any]) -> Iterator[list[Any]]:
    """Arguments that differ in one: a size, a kind, an order of memory, nothing in it."""
    for k, x in enumerate(args):
        if isinstance(x, np.ndarray) and x.ndim:
            for axis in range(x.ndim):
                yield replaced(args, k, x.take([0], axis))
                yield replaced(args, k, x.take(range(x.shape[axis] - 1), axis))
            yield replaced(args, k, x[:0])
            yield replaced(args, k, np.asfortranarray(x))
            yield replaced(args, k, x[::-1])
            yield replaced(args, k, x[None])
        elif type(x) is float:
            yield replaced(args, k, round(x) or 1)
            yield replaced(args, k, np.float64(x))
            yield replaced(args, k, np.full(2, x))
            yield replaced(args, k, -x)


def replaced(args: list[Any], k: int, x: Any) -> list[Any]:
    made = copy.deepcopy(args)
    made[k] = x
    return made


def run(fn: Any, args: list[Any]) -> Any:
    """What a call gives, or its error."""
    try:
        with np.errstate(all="ignore"):
            return fn(*copy.deepcopy(args))
    except Exception as error:
        return error


def slopes(case: Case, args: list[Any]) -> Any:
    """The derivative of the function along ones, by differences of two steps; or its error."""
    value = case.chain

    def moved(t: float) -> Any:
        given = copy.deepcopy(args)
        for k in case.wrt:
            given = k.put(given, map_leaves(lambda x: x + t, k.of(given)))
        return run(lambda *full: chain_value(value, list(full)), given)

    found = [(moved(h), moved(-h), h) for h in (1e-5, 3e-6)]
    errors = [x for pair in found for x in pair if isinstance(x, Exception)]
    return errors[0] if errors else [(a - b) / (2 * h) for a, b, h in found]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("case", CASES[4::SAMPLE], ids=lambda case: case.name)
def test_right_or_refused(case: Case) -> None:
    check(case)


def check(case: Case) -> None:
    args = case.arguments()
    chain = case.chain.then("grad", case.wrt, len(case.wrt) == 1)
    gradient = text_of(case, chain.types(args))
    gradient(*copy.deepcopy(args))
    for given in others(args):
        got = run(gradient, given)
        if isinstance(got, Exception):
            continue
        want = slopes(case, given)
        assert not isinstance(want, Exception), (given, got, want)
        a, b = want
        if np.all(np.isfinite(want)) and abs(a - b) <= 1e-5 * (1 + abs(a)):
            total = sum(np.sum(part) for part in flatten(got)[0])
            assert abs(total - a) <= 1e-4 * (1 + abs(a)), (given, got, want)
