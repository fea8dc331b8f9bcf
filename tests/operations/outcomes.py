"""What the last probe found, as tables: ``python -m tests.operations.probe --update`` writes it anew."""

from __future__ import annotations

import csv
from collections.abc import Iterator

from .probe import MODES, count, distinct
from .rows import HERE, Row, rows

__all__ = ["outcomes", "sections", "summary"]

TITLES = {
    "ufunc": "Elementwise functions and operators", "math": "`math`", "builtin": "Builtins and Python",
    "reduction": "Reductions", "shape": "Shapes", "index": "Indexing, sorting, choosing", "creation": "Making arrays",
    "method": "Methods of arrays", "linalg": "Linear algebra", "fft": "Fourier transforms", "special": "Special functions",
    "stats": "Distributions", "signal": "Signals", "ndimage": "Images", "interpolate": "Interpolation",
    "integrate": "Integrals and differential equations", "optimize": "Optimisation", "sparse": "Sparse matrices",
    "spatial": "Distances", "nondiff": "Without derivative, or with one that is zero",
}  # fmt: skip


def outcomes() -> list[tuple[Row, dict[str, str]]]:
    """Every row of the list with its outcome in each mode."""
    with (HERE / "outcomes.csv").open(newline="") as file:
        found = {r["name"]: {mode: r[mode] for mode in MODES} for r in csv.DictReader(file)}
    return [(row, found[row.name]) for row in rows()]


def summary() -> Iterator[str]:
    pairs = outcomes()
    smooth = [pair for pair in pairs if pair[0].kind != "nondiff"]
    yield "| | reverse | forward | second order | complex |"
    yield "|---|---|---|---|---|"
    groups = {"rows passing for every argument": smooth}
    groups |= {f"of priority {k}": [p for p in smooth if p[0].priority == k] for k in (1, 2, 3)}
    for title, group in groups.items():
        yield f"| {title} | {' | '.join(count(group, mode) for mode in MODES)} |"
    yield f"| functions of `np` | {' | '.join(distinct(smooth, mode) for mode in MODES[:3])} | |"
    yield "| " + " | ".join(peers()) + " |"


def peers() -> Iterator[str]:
    """How many rows the peers pass in reverse mode (`peers` writes it)."""
    with (HERE / "peers.csv").open(newline="") as file:
        counts = [f"{r['peer']} {r['reverse']}" for r in csv.DictReader(file)]
    yield "peers, reverse mode"
    yield ", ".join(counts)
    yield from ("", "", "")


def sections() -> Iterator[str]:
    pairs = outcomes()
    for kind in dict.fromkeys(row.kind for row, _ in pairs):
        lines = [
            f"## {TITLES[kind]}",
            "",
            "| | reverse | forward | second | complex |",
            "|---|---|---|---|---|",
        ]
        lines += [
            f"| `{written(row)}` | {' | '.join(short(out[mode]) for mode in MODES)} |"
            for row, out in pairs
            if row.kind == kind
        ]
        yield "\n".join(lines)


def written(row: Row) -> str:
    text = row.expression if "\n" not in row.expression else row.name
    return text.replace("|", "\\|")


def short(outcome: str) -> str:
    return outcome.partition(":")[0]
