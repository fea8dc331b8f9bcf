"""Measures how operations are called on a batch of examples, on the samples of their rules.

``python -m tests.rules.measured_batches`` tries every way of `conventions` that an operation without a rule for
batches might be called in, and prints those that hold of all its samples: what its record should say.
"""

from __future__ import annotations

import argparse
import copy
import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np

from retrograd.compiler.differentiate.batching import conventions
from retrograd.compiler.differentiate.batching.batch_request import Batch
from retrograd.compiler.differentiate.batching.example_rules import is_elementwise, name_for_people
from retrograd.compiler.differentiate.batching.examples import in_examples
from retrograd.compiler.ir.types import Dim
from retrograd.runtime.rules.book import book
from retrograd.runtime.traits.lookup import traits_of
from tests import scope
from tests.rules.aspects.examples import others, subsets
from tests.rules.examination import Examination
from tests.rules.harness import Case, Compiled, name_of, samples

__all__ = ["holds", "measured"]

K = 7  # no axis of a sample is as long


@contextmanager
def supposed(operation: Any, how: str) -> Iterator[None]:
    """The record of an operation says how it is called on a batch."""

    def known(fn: Any) -> Any:
        found = traits_of(fn)
        return replace(found, batch=how) if fn is operation or fn == operation else found

    conventions.traits_of, before = known, conventions.traits_of  # type: ignore[assignment]
    try:
        yield
    finally:
        conventions.traits_of = before


def holds(case: Case, operation: Any, how: str, varying: tuple[int, ...]) -> bool | None:
    """Whether a call in this way gives what a loop gives; None if it is not called so."""
    count = len(case.values)
    axes = tuple(0 if k in varying else None for k in range(count))
    batch = Batch(axes, [0] * len(case.function.body.yields), Dim("k", True))
    with supposed(operation, how):
        made, slow = in_examples(case.function, batch)
    if any(name == name_for_people(operation) for name, _ in slow):
        return None
    made.tree = None
    given = [
        [others(v, k) if at in varying else v for at, v in enumerate(case.values)] for k in range(K)
    ]
    single = Compiled(case.function)
    wanted = [single(*copy.deepcopy(args)) for args in given]
    whole = [
        np.stack([a[at] for a in given]) if at in varying else v for at, v in enumerate(case.values)
    ]
    try:
        found = Compiled(made)(*copy.deepcopy(whole))
    except Exception:
        return False
    return all(alike(got, alone) for got, *alone in zip(found, *wanted, strict=True))


def alike(got: Any, alone: list[Any]) -> bool:
    try:
        wanted = np.stack(alone)
    except (ValueError, TypeError):
        return False
    return np.shape(got) == wanted.shape and bool(
        np.allclose(got, wanted, 1e-9, 1e-12, equal_nan=True)
    )


def measured(operation: Any) -> dict[str, Counter[bool | None]]:
    """How often each way is right, wrong, and not taken, over all samples and whatever varies."""
    found: dict[str, Counter[bool | None]] = {how: Counter() for how in conventions.CONVENTIONS}
    examined = Examination(operation)

    def check(case: Case, _: Any) -> None:
        for varying in subsets(case.wrt):
            if holds(case, operation, "alone", varying) is not None:
                continue  # there is a rule
            for how, counts in found.items():
                counts[holds(case, operation, how, varying)] += 1

    examined.each(check, typed=True)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--all", action="store_true", help="those whose record says it, too")
    options = parser.parse_args()
    scope.choose(quick=False, full=True)
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    for operation in [op for op in book.rules if op in samples()]:
        said = traits_of(operation).batch
        if is_elementwise(operation) or (said and not options.all):
            continue
        ways = {h: c for h, c in measured(operation).items() if c[True] and not c[False]}
        if ways:
            best = max(ways, key=lambda how: ways[how][True])
            rest = ", ".join(f"{h} {c[True]}/{c.total()}" for h, c in ways.items())
            print(
                f"{name_of(operation):40} {best:8} {rest}" + (f"  (said: {said})" if said else "")
            )


if __name__ == "__main__":
    main()
