"""The adjoint as a function: what it does to what it is given, and to what its caller holds already.

For every operation and every helper: ``python -m tests.rules.adjoint_functions``.  The arguments and
the cotangents are as they were after a pull; what the adjoint of an argument holds already is added to;
a second pull gives the same, whatever became of what the first one gave.
"""

from __future__ import annotations

import copy
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

from retrograd.compiler.ir.containers import LEAF, Pack
from retrograd.compiler.ir.operations import Function
from retrograd.runtime.errors import RetrogradError

from .harness import Case, Compiled, name_of, pull, samples
from .laws import direction

__all__ = ["broken", "law"]

WRITING = ("index_add", "imatmul")  # into their first argument, as they say


def handing_on(case: Case) -> Function:
    """The call, with the arguments that are differentiated as results besides."""
    body = case.function.body
    body.yields += [body.params[k] for k in case.wrt]
    n = len(body.yields)
    case.function.tree = Pack(tuple, list(range(n)), [LEAF] * n)
    return case.function


def law(operation: Any, sample: Any, typed: bool = True) -> Iterator[str]:
    """What the adjoint of one call does that it must not."""
    case, more = (Case.of(operation, sample, typed) for _ in range(2))
    if case is None or more is None:
        return
    rng = np.random.default_rng(5)
    once, begun = (
        Compiled(pull(case.function, case.wrt)),
        Compiled(pull(handing_on(more), more.wrt)),
    )
    cotangents = [direction(y, rng) for y in case.expected]
    held = [direction(case.values[k], rng) for k in case.wrt]
    given = [*case.values, *cotangents, *held]
    before = copy.deepcopy(given)
    first = once(*case.values, *cotangents)
    kept = copy.deepcopy(first)
    for bar in first:
        if isinstance(bar, np.ndarray):
            bar[...] = np.nan  # it is the caller's
    if not same(kept, once(*case.values, *cotangents)):
        yield "a second pull gives something else"
    sums = begun(*case.values, *cotangents, *held)
    if not close(sums, [a + b for a, b in zip(kept, held, strict=True)]):
        yield "what is held already is not added to"
    if not same(given, before):
        yield "an argument or a cotangent is written to"


def same(a: list[Any], b: list[Any]) -> bool:
    return all(np.array_equal(x, y, equal_nan=np.asarray(x).dtype.kind in "fc") if not isinstance(x, (list, tuple))
               else same(list(x), list(y)) for x, y in zip(a, b, strict=True))  # fmt: skip


def close(a: list[Any], b: list[Any]) -> bool:
    return all(np.allclose(x, y, rtol=1e-12, atol=1e-12, equal_nan=True)
               for x, y in zip(a, b, strict=True))  # fmt: skip


def broken(every: int = 1, first: int = 0, some: int | None = None) -> tuple[int, list[str]]:
    """How many calls were looked at, and what is wrong: of each ``every``-th operation."""
    count, found = 0, []
    for operation, many in list(samples().items())[first::every]:
        if getattr(operation, "__name__", "") in WRITING:
            continue
        for sample in many[:some]:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                try:
                    wrong = list(law(operation, sample))
                except RetrogradError as error:
                    wrong = [] if sample.complex else [f"is refused: {error}"]
            count += 1
            found += [f"{name_of(operation)} {sample.args}: {w}" for w in wrong]
    return count, found


if __name__ == "__main__":
    looked_at, mistakes = broken()
    print("\n".join(mistakes))
    print(f"{looked_at} calls, {len(mistakes)} wrong")
    raise SystemExit(bool(mistakes))
