"""How long a gradient takes that we write, over the one that a person would write: ``python -m tests.readable.times``.

The text alone, without the dispatch of `rg.grad` and the check of the arguments; the two are run in turn, and
medians compared.
"""

from __future__ import annotations

import argparse
import math
import statistics
import time
from collections.abc import Callable
from typing import Any

import retrograd as rg
from retrograd.cli.texts.short_guards import without_guard

from .table import Function, functions

__all__ = ["ratio", "text_alone"]

ROUNDS, SHARE = 41, 0.004  # of turns, of a second that one takes at least


def text_alone(function: Function, args: tuple[Any, ...]) -> Callable[..., Any]:
    """The function that is generated for these arguments."""
    text = without_guard(rg.grad(function.of, wrt=function.wrt).source(*args))
    space: dict[str, Any] = dict(vars(function.module))
    exec(compile(text, f"<{function.name}>", "exec"), space)
    return space[f"{function.name}_grad"]  # type: ignore[no-any-return]


def timed(f: Callable[..., Any], args: tuple[Any, ...], calls: int) -> float:
    start = time.perf_counter()
    for _ in range(calls):
        f(*args)
    return (time.perf_counter() - start) / calls


def ratio(function: Function) -> tuple[float, float, float]:
    """Seconds of a call, of the one by hand and of ours, and how many times the first the second is in most turns."""
    args = function.arguments()
    pair = function.by_hand, text_alone(function, args)
    calls = max(1, int(SHARE / max(timed(f, args, 3) for f in pair)))
    turns = [[timed(f, args, calls) for f in pair] for _ in range(ROUNDS)]
    hand, ours = (statistics.median(column) for column in zip(*turns, strict=True))
    return hand, ours, statistics.median(b / a for a, b in turns)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", help="of the functions (default: all)")
    asked = parser.parse_args().names
    found: list[float] = []
    print(f"{'function':22}{'by hand':>11}{'ours':>11}{'ratio':>7}")
    for function in functions():
        if not asked or function.name in asked:
            hand, ours, times = ratio(function)
            found.append(times)
            print(f"{function.name:22}{hand * 1e6:8.1f} us{ours * 1e6:8.1f} us{found[-1]:7.2f}")
    print(f"{'geometric mean':44}{math.exp(statistics.fmean(map(math.log, found))):7.2f}")


if __name__ == "__main__":
    main()
