"""Sums of products by letters, as ``einsum`` has them: which entries of a factor meet which of the product.

>>> spelled("matmul", [2, 1])
(['ij', 'j'], 'i')
>>> spelled("inner", [2, 2]), spelled("einsum", [2, 1], "ij,i->j")
((['az', 'Az'], 'aA'), (['ij', 'i'], 'j'))
"""

from __future__ import annotations

from string import ascii_lowercase, ascii_uppercase
from typing import Any

__all__ = ["spelled"]


def spelled(contracts: str, ranks: list[Any], how: Any = None) -> tuple[list[str], str] | None:
    """The letters of the factors and of the product; None where they are not known.

    ``contracts`` is the trait of the operation, ``how`` its subscripts, or its axes.
    """
    if contracts == "einsum":
        return written(how)
    if len(ranks) != 2 or None in ranks or 0 in ranks:
        return None
    if contracts == "matmul":
        return stacked(*ranks)
    summed = 1 if contracts in ("dot", "inner") else how if contracts == "tensordot" else 0
    if type(summed) is not int or summed > min(ranks):
        return None
    a, b = ascii_lowercase[: ranks[0] - summed], ascii_uppercase[: ranks[1] - summed]
    both = ascii_lowercase[-summed:] if summed else ""
    if contracts == "tensordot":
        return [a + both, both + b], a + b
    if contracts == "dot":  # the last axis but one
        return [a + both, b[:-1] + both + b[-1:]], a + b
    return [a + both, b + both], a + b


def stacked(left: int, right: int) -> tuple[list[str], str]:
    """The letters of ``x @ y``: of stacks of matrices, whose first axes are in common."""
    stack = ascii_uppercase[: max(left, right, 2) - 2]
    a, b = stack[len(stack) - max(left - 2, 0) :], stack[len(stack) - max(right - 2, 0) :]
    rows, columns = "i" if left > 1 else "", "k" if right > 1 else ""
    return [f"{a}{rows}j", f"{b}j{columns}"], f"{stack}{rows}{columns}"


def written(subscripts: Any) -> tuple[list[str], str] | None:
    """The letters that a program wrote, with the result's: not those that stand for several axes."""
    if not isinstance(subscripts, str) or "." in subscripts:
        return None
    fronts, arrow, product = subscripts.replace(" ", "").partition("->")
    factors = fronts.split(",")
    if any(len(set(factor)) < len(factor) for factor in factors):
        return None
    once = sorted(x for x in set(fronts) - {","} if fronts.count(x) == 1)
    return factors, product if arrow else "".join(once)
