"""Arguments spelled as lists: ``python -m tests.operations.spelled [COUNT [SEED]]``.

NumPy takes lists and tuples wherever it takes arrays.  In each row and form, each array that is handed to a call is
spelled as a list of numbers, as a tuple, as a list of its entries (which carry derivatives), as ``list(v)``.
What NumPy takes is right, or refused.
"""

from __future__ import annotations

import ast
import random
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from .inputs import inputs
from .probe import direct, outcome
from .rows import NAMES, Row, forms, rows

__all__ = ["spelled", "variants"]

MODES = ("reverse", "forward")
GIVEN = inputs()


def numbers(name: str) -> str:
    return repr(np.round(GIVEN[name], 4).tolist())


def nested_tuple(name: str) -> str:
    return numbers(name).replace("[", "(").replace("]", ",)")


def entries(name: str) -> str:
    return "[" + ", ".join(f"{name}[{k}]" for k in range(len(GIVEN[name]))) + "]"


SPELLINGS = {
    "numbers": numbers,
    "tuple": nested_tuple,
    "entries": entries,
    "list": "list({})".format,
}


def variants(row: Row) -> Iterator[tuple[str, Row]]:
    """The row with one argument of a call spelled otherwise."""
    tree = ast.parse(f"def f():\n{row.body}\n")
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    places = [
        (call, k)
        for call in calls
        for k, a in enumerate(call.args)
        if isinstance(a, ast.Name) and a.id in NAMES and np.ndim(GIVEN[a.id])
    ]
    for call, k in places:
        name = call.args[k].id  # type: ignore[attr-defined]
        for how, spelling in SPELLINGS.items():
            call.args[k] = ast.parse(spelling(name), mode="eval").body
            text = ast.unparse(tree).partition("\n")[2].strip()
            yield how, replace(row, expression=text)
            call.args[k] = ast.Name(name, ast.Load())


def spelled() -> list[tuple[str, Row]]:
    return [found for row in [*rows(), *forms()] for found in variants(row)]


def works(row: Row) -> bool:
    """Whether NumPy takes it, and a number of the inputs can change."""
    given: dict[str, Any] = {n: v for n, v in GIVEN.items() if n in row.arguments}
    try:
        return bool(given) and direct(row, given) is not NotImplemented
    except Exception:  # whatever NumPy does not take
        return False


def main() -> int:
    import warnings

    warnings.simplefilter("ignore")
    count, seed = [*map(int, sys.argv[1:]), 0, 0][:2]
    cases = spelled()
    if count:
        cases = random.Random(seed).sample(cases, count)
    found: Counter[str] = Counter()
    for how, row in cases:
        if not works(row):
            found["not taken by NumPy"] += 1
            continue
        for mode, result in outcome(row, MODES).items():
            verdict = result.partition(":")[0]
            found[verdict] += 1
            if verdict in ("WRONG", "no"):
                print(f"{how} {mode} {row.expression!r}: {result}", flush=True)
    print(dict(found))
    return 1 if found["WRONG"] or found["no"] else 0


if __name__ == "__main__":
    raise SystemExit(main())
