"""The rule book on the double, rule by rule: ``python -m tests.device.report`` prints it, with ``--write`` it is kept.

Each line is an operation, called with the first of its samples that holds an array: what CuPy's own function does with
it, and what becomes of value, forward and reverse mode.
"""

from __future__ import annotations

import json
import sys
import warnings
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from retrograd.runtime.rules.book import book

from ..rules.harness import name_of, samples
from ..strict_cupy import installed
from ..strict_cupy.names import load
from .rule_book import (
    ASKS,
    MODES,
    NO_FUNCTION,
    PASSES,
    REFUSED,
    Outcome,
    outcome,
    sample_of,
)

__all__ = ["OPERATIONS", "kept", "key_of", "markdown", "of", "row"]

PATH = Path(__file__).with_name("outcomes.json")
OPERATIONS = sorted(book.rules.keys() | samples().keys(), key=name_of)
FAMILIES = (
    ("NumPy", ("np.", "builtins.", "operator.")), ("SciPy", ("scipy.", "stats.", "special.")),
    ("helpers of generated code", ("rt.",)),
)  # fmt: skip


def of(operation: Any) -> Outcome:
    """What becomes of an operation, on one sample."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return outcome(operation, sample_of(operation), np.float64)


def row(found: Outcome) -> list[str]:
    return [found.itself, *(found.modes[mode] for mode in MODES if mode in found.modes)]


def measured() -> dict[str, list[str]]:
    with installed():
        return {key_of(operation): row(of(operation)) for operation in OPERATIONS}


@cache
def keys() -> dict[Any, str]:
    """A name for each operation; ufuncs of NumPy and SciPy may have the same."""
    counts: Counter[str] = Counter()
    found = {}
    for operation in OPERATIONS:
        name = name_of(operation)
        counts[name] += 1
        found[operation] = name if counts[name] == 1 else f"{name} ({counts[name]})"
    return found


def key_of(operation: Any) -> str:
    return keys()[operation]


@cache
def kept() -> dict[str, list[str]]:
    found: dict[str, list[str]] = json.loads(PATH.read_text(encoding="utf-8"))
    return found


def write(rows: dict[str, list[str]]) -> None:
    lines = ",\n".join(f" {json.dumps(name)}: {json.dumps(one)}" for name, one in rows.items())
    PATH.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")


def family_of(name: str) -> str:
    return next((family for family, starts in FAMILIES if name.startswith(starts)), "Python's own")


def markdown() -> str:
    """The counts as a table, by whose the functions are."""
    rows = kept()
    lines = [
        f"| CuPy {load()['version']} | rules | CuPy has the function | called on arrays | value, forward and reverse right | refused by name |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for family in (*(family for family, _ in FAMILIES), "Python's own"):
        own = [one for name, one in rows.items() if family_of(name) == family]
        there = [one for one in own if one[0] not in (NO_FUNCTION,)]
        called = [one for one in there if len(one) > 1 and one[0] in (PASSES, ASKS)]
        right = [one for one in called if set(one[1:]) == {PASSES}]
        refused = [one for one in called if REFUSED in one[1:]]
        lines.append(
            f"| {family} | {len(own)} | {len(there)} | {len(called)} | {len(right)} | {len(refused)} |"
        )
    return "\n".join(lines)


def summary(rows: dict[str, list[str]]) -> Iterator[str]:
    yield ""
    for words, count in Counter(one[0] for one in rows.values()).most_common():
        yield f"{count:6}  {words}"
    for kind in (PASSES, ASKS):
        called = [one for one in rows.values() if one[0] == kind and len(one) > 1]
        right = sum(set(one[1:]) == {PASSES} for one in called)
        yield f"{right} of {len(called)} ({right / max(len(called), 1):.1%}) right in all modes, where: {kind}"


def main() -> None:
    rows = measured()
    if "--write" in sys.argv[1:]:
        write(rows)
    for name, one in rows.items():
        modes = dict.fromkeys(one[1:]) if len(set(one[1:])) == 1 else one[1:]
        print(f"{name:50} {one[0]:45} {', '.join(modes)}")
    print("\n".join(summary(rows)))


if __name__ == "__main__":
    main()
