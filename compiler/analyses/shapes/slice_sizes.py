"""Sizes of slices."""

from __future__ import annotations

import re

import numpy as np

from ...ir.types import Dim, Size

__all__ = ["sliced"]


def sliced(n: Size, s: slice) -> Size:
    """The size of ``x[s]`` where ``x`` has size ``n``; equal names are equal sizes.

    >>> n = Dim("n", above_one=True)
    >>> sliced(n, slice(1, None)) == sliced(n, slice(None, -1)) == Dim("n-1")
    True
    >>> sliced(7, slice(1, -1)), sliced(n, slice(None)) is n
    (5, True)
    """
    parts = (s.start, s.stop, s.step)
    if not all(p is None or isinstance(p, (int, np.integer)) for p in parts):
        return None
    if isinstance(n, int):
        return len(range(*s.indices(n)))
    if n is None or ((s.start, s.stop) == (None, None) and s.step in (None, 1, -1)):
        return n
    cut = trimmed(s)
    if cut is not None:
        return shortened(n, cut)
    start, stop, step = ("" if p is None else str(int(p)) for p in parts)
    return Dim(f"len({n}[{start}:{stop}:{step}])")


def trimmed(s: slice) -> int | None:
    """How many entries ``x[a:-b]`` leaves out, if ``s`` is such a slice."""
    start = 0 if s.start is None else int(s.start)
    stop = 0 if s.stop is None else int(s.stop)
    plain = s.step in (None, 1) and start >= 0 and (s.stop is None or stop < 0)
    return start - stop if plain else None


def shortened(n: Dim, k: int) -> Dim:
    """The size ``max(n - k, 0)``, named after the dimension it comes from."""
    if k == 0:
        return n
    whole = re.fullmatch(r"(.*)-(\d+)", n.name)
    name, already = (whole[1], int(whole[2])) if whole else (n.name, 0)
    return Dim(f"{name}-{already + k}")
