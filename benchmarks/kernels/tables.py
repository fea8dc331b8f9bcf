"""What was measured, as tables: geometric means by class, then every kernel."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from benchmarks.units import in_units, in_words

__all__ = ["RATIOS", "first_calls", "geometric_mean", "in_full", "losses", "overall", "summary"]

Results = dict[str, dict[str, Any]]

# Each column: its head, and the time of which contender is divided by that of which.
RATIOS = {
    "text / function": ("retrograd", "function"),
    "C / function": ("retrograd c", "function"),
    "numba / function": ("retrograd numba", "function"),
    "jax.jit / function": ("jax.jit", "function"),
    "text / jax.jit": ("retrograd", "jax.jit"),
    "C / jax.jit": ("retrograd c", "jax.jit"),
    "text / autograd": ("retrograd", "autograd"),
    "C / autograd": ("retrograd c", "autograd"),
}

MEANS = {
    "the NumPy text": "text / function",
    "C": "C / function",
    "numba": "numba / function",
    "`jax.jit`": "jax.jit / function",
    "C over `jax.jit`": "C / jax.jit",
    "the text over `jax.jit`": "text / jax.jit",
    "the text over HIPS autograd": "text / autograd",
}


PEERS = ("C / jax.jit", "text / jax.jit", "text / autograd")  # who may be ahead of us


def geometric_mean(ratios: Sequence[float]) -> float:
    """
    >>> geometric_mean([0.5, 8.0])
    2.0
    """
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def ratio(result: dict[str, Any], head: str) -> float | None:
    ours, other = RATIOS[head]
    median = result["median"]
    return median[ours] / median[other] if ours in median and other in median else None


def ratios(results: Iterable[dict[str, Any]], head: str) -> list[float]:
    return [r for r in (ratio(result, head) for result in results) if r is not None]


def mean_cell(results: list[dict[str, Any]], head: str) -> str:
    """A geometric mean, of how many cells if not all of them."""
    found = ratios(results, head)
    if not found:
        return ""
    few = f" ({len(found)})" if len(found) < len(results) else ""
    return in_words(geometric_mean(found)) + few


def aligned(head: Sequence[str], rows: Iterable[Sequence[str]], texts: int = 1) -> str:
    lines = [f"| {' | '.join(head)} |", "|" + "---|" * texts + "---:|" * (len(head) - texts)]
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in rows)])


def summary(results: Results) -> str:
    """A row for each class, and one for all of them."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for result in results.values():
        groups.setdefault(result["group"], []).append(result)
    heads = [head for head in RATIOS if ratios(results.values(), head)]
    rows = [
        [words(group), str(len(found)), *(mean_cell(found, head) for head in heads)]
        for group, found in [*groups.items(), ("all", list(results.values()))]
    ]
    return aligned(["class", "cells", *heads], rows)


def overall(results: Results) -> str:
    """Geometric means over everything, in a sentence."""
    said = [
        f"{name} {short(geometric_mean(found))}"
        for name, head in MEANS.items()
        if (found := ratios(results.values(), head))
    ]
    kernels = len({result["kernel"] for result in results.values()})
    return (
        f"Value and gradient of {kernels} NumPy kernels ({len(results)} cells), over the plain function's own time, "
        f"in the geometric mean: {', '.join(said)}."
    )


def words(group: str) -> str:
    return group.replace("_", " ")


def in_full(results: Results) -> str:
    """A row for each kernel and size: the function's time, and everybody's over it."""
    others = [
        name
        for name in ("retrograd", "retrograd c", "retrograd numba", "jax.jit", "autograd")
        if any(name in result["median"] for result in results.values())
    ]
    rows = []
    for name, result in results.items():
        median = result["median"]
        cells = [in_words(median[o] / median["function"]) if o in median else "" for o in others]
        rows.append([words(result["group"]), name, in_units(median["function"]), *cells])
    heads = [{"retrograd": "text"}.get(name, name.removeprefix("retrograd ")) for name in others]
    return aligned(["class", "kernel", "function", *heads], rows, texts=2)


def losses(results: Results) -> str:
    """The classes in which a peer is ahead, the worst first."""
    said = [
        f"{name} in {', '.join(behind)}"
        for name, head in MEANS.items()
        if head in PEERS and (behind := behind_in(results, head))
    ]
    return "; ".join(said) or "in no class"


def behind_in(results: Results, head: str) -> list[str]:
    found = []
    for group in dict.fromkeys(result["group"] for result in results.values()):
        cells = ratios([r for r in results.values() if r["group"] == group], head)
        if cells and geometric_mean(cells) > 1.0:
            found.append((geometric_mean(cells), words(group)))
    return [f"{group} {short(mean)}" for mean, group in sorted(found, reverse=True)]


def short(ratio: float) -> str:
    """
    >>> short(16.94), short(0.2041), short(213.7)
    ('17', '0.2', '214')
    """
    return f"{ratio:.2g}" if ratio < 100 else f"{ratio:.0f}"


def first_calls(results: Results, longest: float = 2.0) -> str:
    """The first calls in C, compiling included, that take longer than a bound."""
    taken = sorted(
        (
            (r["first"]["retrograd c"], name)
            for name, r in results.items()
            if "retrograd c" in r["first"]
        ),
        reverse=True,
    )
    slow = [f"{name} {in_units(seconds)}" for seconds, name in taken if seconds > longest]
    return f"{len(slow)} of {len(taken)} above {longest:g} s" + "".join(f"\n  {s}" for s in slow)
