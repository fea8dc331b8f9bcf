"""Every golden text, called with other sizes, kinds and orders: right, or refused by its guard or its function."""

from __future__ import annotations

import copy
import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from retrograd.compiled import show
from retrograd.runtime.errors import RetrogradError, SignatureMismatch
from retrograd.trees import flatten
from tests.golden_case import Case, cases

CASES = [case for case in cases() if case.kind == "grad"]
SAMPLE = 3  # of the programs


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
            yield replaced(args, k, x.astype(np.float32))
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


def differs(got: Any, want: Any) -> bool:
    a, b = flatten(got)[0], flatten(want)[0]
    same = (
        np.shape(x) == np.shape(y) and np.allclose(x, y, rtol=1e-6, atol=1e-9, equal_nan=True)
        for x, y in itertools.zip_longest(a, b)
    )
    return not all(same)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("case", CASES[::SAMPLE], ids=lambda case: case.name)
def test_right_or_refused(case: Case) -> None:
    args = case.arguments()
    chain = case.chain.then("grad", case.wrt, len(case.wrt) == 1)
    for types in (chain.types(args), {}):
        check(case, text_of(case, types), args, bool(types))


def check(case: Case, gradient: Any, args: list[Any], known: bool) -> None:
    import retrograd as rg

    asked = case.wrt[0] if len(case.wrt) == 1 else case.wrt
    reference = case.chain.then("grad", case.wrt, len(case.wrt) == 1)
    from retrograd.transforms import transformed

    right = transformed(reference, "")
    first = run(gradient, args)
    assert not (known and isinstance(first, Exception)), first
    for given in others(args):
        got = run(gradient, given)
        if isinstance(got, Exception):
            continue
        want = run(right, given)
        assert not isinstance(want, RetrogradError), (given, got, want)
        assert not isinstance(want, Exception) and not differs(got, want), (given, got, want)
