"""Histograms as operations: counts of a sample that is held, edges between its ends, densities."""

import operator
from typing import Any

import numpy as np

from ....helpers import linear
from ...rewrites import UNKNOWN, Terms, computes, options

__all__: list[str] = []


@computes(np.histogram)
def histogram(
    terms: Terms, op: Any, a: Any, bins: Any = None, range: Any = None, density: Any = None,
    weights: Any = None,
) -> Any:  # fmt: skip
    """The counts of a fixed sample, edges between its ends, and a density: the counts over their widths and their sum.

    A sample that moves a little leaves the counts as they are; edges between its smallest and its largest
    number move with them, and so do those that are given.
    """
    parts = None if bins is None else terms.items(bins)
    if parts is not None and any(terms.value(part) is UNKNOWN for part in parts):
        bins = terms.see(np.stack, (bins,))
    fixed = bins is None or terms.value(bins) is not UNKNOWN
    if terms.value(a) is not UNKNOWN and fixed and density is None:
        return None
    wanted = False if density is None else terms.value(density)
    bounds = edges_between(terms, a, bins, range)
    if wanted is UNKNOWN or bounds is UNKNOWN:
        return None
    sample = terms.see(linear.stop_gradient, (a,))
    moving = bounds is None and bool(terms.rank(bins)) and terms.value(bins) is UNKNOWN
    held = terms.see(linear.stop_gradient, (bins,)) if moving else bins
    found = terms.see(np.histogram, (sample,), options(bins=held, range=range, weights=weights))
    counts, edges = terms.item(found, 0), bins if moving else terms.item(found, 1)
    if bounds is not None:
        count = 10 if bins is None else terms.value(bins)
        length = count + 1 if isinstance(count, int) else terms.see(len, (edges,))
        edges = terms.see(np.linspace, (*bounds, length))
    if not wanted:
        return terms.several([counts, edges])
    widths = terms.see(np.diff, (edges,))
    heights = terms.see(operator.truediv, (counts, widths))
    total = terms.see(np.sum, (counts,))
    return terms.several([terms.see(operator.truediv, (heights, total)), edges])


def edges_between(terms: Terms, a: Any, bins: Any, range: Any) -> Any:
    """The ends of a sample, if edges are put between them; None if they are given, UNKNOWN if nobody knows."""
    if bins is not None and (terms.items(bins) is not None or terms.rank(bins)):
        return None
    if range is not None:
        return UNKNOWN if terms.value(range) is UNKNOWN and terms.items(range) is None else None
    if bins is not None and terms.value(bins) is UNKNOWN and terms.rank(bins) is None:
        return UNKNOWN
    low, high = terms.see(np.min, (a,)), terms.see(np.max, (a,))
    half = terms.see(operator.mul, (0.5, terms.see(operator.eq, (low, high))))
    return terms.see(operator.sub, (low, half)), terms.see(operator.add, (high, half))
