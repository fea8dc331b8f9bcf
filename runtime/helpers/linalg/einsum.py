"""np.einsum of up to six operands, and its cotangents: einsums again; np.linalg.multi_dot."""

from __future__ import annotations

from string import ascii_letters
from typing import Any

import numpy as np

from ...errors import UnsupportedOperation
from ..core import cast

__all__ = [
    "chain",
    "einsum",
    "einsum_front",
    "einsum_pull",
    "einsum_view",
    "multi_dot",
    "shows_operand",
]

Value = Any


def einsum(subscripts: str, *operands: Value) -> Value:
    """``np.einsum``, linear in each operand; those that are ``None`` are not there.

    The differential of an operand that is not there counts as zero.

    >>> einsum("ij,j->i", np.eye(2), np.ones(2), None)
    array([1., 1.])
    """
    present = [x for x in operands if x is not None]
    if len(present) > subscripts.count(",") + 1:
        return 0.0
    return contracted(subscripts, present)


def contracted(subscripts: str, operands: list[Value]) -> Any:
    """``np.einsum``; of many operands two at a time, which costs a power of the sizes less."""
    return np.einsum(subscripts, *operands, optimize=len(operands) > 2)


def einsum_view(x: Value, subscripts: str) -> Any:
    """``np.einsum`` of one array where it is a view: of its diagonals, with its axes in another order.

    >>> a = np.zeros((2, 2))
    >>> einsum_view(a, "ii->i")[...] = 1.0
    >>> a
    array([[1., 0.],
           [0., 1.]])
    """
    return np.einsum(subscripts, x)


def shows_operand(subscripts: Any) -> bool:
    """True if ``np.einsum`` of one array is a view of it: nothing is summed up.

    >>> [shows_operand(s) for s in ("ijj->ij", "ij->ji", "...ij->...ji", "ij", "ii", "ij->i", "i,j->ij")]
    [True, True, True, True, False, False, False]
    """
    if not isinstance(subscripts, str) or "," in subscripts:
        return False
    (given,), output = terms(subscripts)
    dots = ["..." in s for s in (given, output)]
    letters, left = (s.replace("...", "") for s in (given, output))
    return dots[0] == dots[1] and set(letters) == set(left) and len(set(left)) == len(left)


def multi_dot(*arrays: Value) -> Any:
    """``np.linalg.multi_dot`` of operands that stand one by one."""
    return np.linalg.multi_dot(arrays)


def chain(*arrays: Value) -> str:
    """The subscripts with which ``np.einsum`` is the product of all ``arrays`` (``None``: not there).

    >>> chain(np.ones((2, 3)), np.ones((3, 4)), np.ones(4), None)
    'ab,bc,c->a'
    """
    ranks = [np.ndim(x) for x in arrays if x is not None]
    if len(ranks) == 2:  # NumPy takes `np.dot`, whatever the ranks
        return dot_of(*ranks)
    words = [ascii_letters[k : k + 2] for k in range(len(ranks))]
    if ranks[0] == 1:
        words[0] = words[0][1:]
    if ranks[-1] == 1:
        words[-1] = words[-1][:1]
    return ",".join(words) + "->" + words[0][:-1] + words[-1][1:]


def dot_of(m: int, n: int) -> str:
    """The subscripts of ``np.dot`` of arrays of ``m`` and ``n`` axes.

    >>> dot_of(2, 3), dot_of(0, 2)
    ('ab,cbd->acd', ',ab->ab')
    """
    x, y = ascii_letters[:m], ascii_letters[m : m + n]
    if m and n:
        at = max(n - 2, 0)
        y = ascii_letters[m : m + at] + x[-1] + ascii_letters[m + at : m + n - 1]
    shared = x[-1] if m and n else ""
    return f"{x},{y}->" + (x + y if not shared else x[:-1] + y.replace(shared, ""))


def einsum_front(subscripts: str, k: int) -> str:
    """The same einsum with its ``k``-th operand first.

    >>> einsum_front("ij,jk", 1)
    'jk,ij->ik'
    """
    inputs, output = terms(subscripts)
    return ",".join([inputs[k], *inputs[:k], *inputs[k + 1 :]]) + "->" + output


def terms(subscripts: Any) -> tuple[list[str], str]:
    """The operands' subscripts and the result's, which may have been left out."""
    if not isinstance(subscripts, str):
        raise UnsupportedOperation("np.einsum: subscripts that are not known when it is compiled")
    inputs, arrow, output = subscripts.replace(" ", "").partition("->")
    if not arrow:
        letters = inputs.replace(",", "").replace("...", "")
        once = "".join(sorted(x for x in set(letters) if letters.count(x) == 1))
        output = ("..." if "..." in inputs else "") + once
    return inputs.split(","), output


def einsum_pull(c: Value, subscripts: str, like: Value, *others: Value) -> Value:
    """The cotangent of the first operand; the conjugates of the others are taken.

    >>> einsum_pull(np.ones(2), "ij,j->i", np.eye(2), np.array([1.0, 2.0]))
    array([[1., 2.],
           [1., 2.]])
    """
    present = [x for x in others if x is not None]
    inputs, output = terms(subscripts)
    if len(present) >= len(inputs):
        return 0.0
    inputs, output = spell(inputs, output, [np.ndim(x) for x in (like, *present)])
    ours, theirs = inputs[0], [output, *inputs[1:]]
    known = "".join(dict.fromkeys(x for x in ours if any(x in t for t in theirs)))
    factors = [c, *(np.conj(x) for x in present)]
    pulled = contracted(",".join(theirs) + "->" + known, factors)
    return cast(lay_out(pulled, known, ours, np.shape(like)), like)


def spell(inputs: list[str], output: str, ranks: list[int]) -> tuple[list[str], str]:
    """Write letters for every ellipsis."""
    counts = [r - len(t.replace("...", "")) for t, r in zip(inputs, ranks, strict=True)]
    used = set("".join(inputs) + output)
    spare = "".join(x for x in ascii_letters if x not in used)[: max(counts, default=0)]
    full = [
        t.replace("...", spare[len(spare) - n :] if n else "")
        for t, n in zip(inputs, counts, strict=True)
    ]
    dots = max((n for t, n in zip(inputs, counts, strict=True) if "..." in t), default=0)
    return full, output.replace("...", spare[len(spare) - dots :] if dots else "")


def lay_out(pulled: np.ndarray, known: str, ours: str, shape: tuple[int, ...]) -> np.ndarray:
    """``pulled`` (axes ``known``) as the operand ``ours`` of this shape has it.

    Sums what was stretched, repeats what was summed away or met one that was stretched, and puts
    repeated subscripts on the diagonal.
    """
    sizes = dict(zip(ours, shape, strict=True))
    stretched = tuple(i for i, x in enumerate(known) if sizes[x] == 1)
    pulled = np.sum(pulled, axis=stretched, keepdims=True) if stretched else pulled
    full = tuple(sizes[x] for x in known)
    pulled = pulled if pulled.shape == full else np.broadcast_to(pulled, full).copy()
    if known == ours:
        return pulled
    out = np.zeros(shape, pulled.dtype)
    distinct = "".join(dict.fromkeys(ours))
    diagonal = np.einsum(f"{ours}->{distinct}", out)  # a view that can be written to
    missing = [i for i, x in enumerate(distinct) if x not in known]
    diagonal[...] = np.expand_dims(pulled, tuple(missing))
    return out
