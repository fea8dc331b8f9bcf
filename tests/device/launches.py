"""Launches of each golden program's gradient: ``python -m tests.device.launches [NAME ...]``.

Columns: the text for the device, the same with kernels (``backend="cuda"``), and what a person wrote (`by_hand`).
The double counts a launch for each function that is called.
"""

from __future__ import annotations

import copy
import sys
from collections.abc import Iterator
from typing import Any

from retrograd.runtime.objects.pytree import leaves

from ..golden_case import Case, cases
from ..strict_cupy import counted, installed
from .golden_on_device import up
from .kernels_on_device import of_case

__all__ = ["lines", "on_device"]


def on_device(cupy: Any, case: Case) -> list[Any] | None:
    """The arguments of a program on the device, or None if they are no arrays."""
    args = up(cupy, case.arguments())
    return args if any(isinstance(x, cupy.ndarray) for x in leaves(args)) else None


def lines(cupy: Any, names: list[str]) -> Iterator[str]:
    from .by_hand import BY_HAND  # it imports the double

    yield f"{'program':24}{'text':>8}{'kernels':>9}{'by hand':>9}"
    totals = [0, 0]
    for case in cases():
        args = on_device(cupy, case)
        if args is None or (names and case.name not in names):
            continue
        try:
            text = of_case(case, args, None).counts.launched
        except Exception as error:  # CuPy refuses what the program hands to it
            yield f"{case.name:24}{type(error).__name__}"
            continue
        kernels = of_case(case, args, "cuda").counts.launched
        totals = [totals[0] + text, totals[1] + kernels]
        yield f"{case.name:24}{text:8}{kernels:9}{by_hand(BY_HAND.get(case.name), args):>9}"
    yield f"{'all':24}{totals[0]:8}{totals[1]:9}"


def by_hand(function: Any, args: list[Any]) -> str:
    if function is None:
        return ""
    given = copy.deepcopy(args[: function.__code__.co_argcount])
    with counted() as counts:
        function(*given)
    return str(counts.launched)


if __name__ == "__main__":
    with installed() as double:
        for line in lines(double, sys.argv[1:]):
            print(line, flush=True)
