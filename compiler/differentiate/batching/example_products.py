"""Rules of products and of linear algebra on a batch: products of stacks, which NumPy computes in one call."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING

import numpy as np

from retrograd.runtime.helpers import linear

from ...analyses.shapes.infer import type_of
from ...ir.operations import Apply, Const, Operand
from ...ir.types import Array
from .example_rules import Given, form, level

if TYPE_CHECKING:
    from .examples import ExampleWalker

__all__: list[str] = []

ALL, NEW = slice(Const(None), Const(None), Const(None)), Const(None)


def item(m: ExampleWalker, x: Operand, *index: Operand) -> Operand:
    return m.b.emit(operator.getitem, x, index if len(index) != 1 else index[0])


def column(m: ExampleWalker, x: Operand) -> Operand:
    return item(m, x, ALL, ALL, NEW)


def row(m: ExampleWalker, x: Operand) -> Operand:
    return item(m, x, ALL, NEW)


def product(m: ExampleWalker, a: Operand, b: Operand) -> Operand:
    return m.b.emit(operator.matmul, a, b)


@form(operator.matmul, np.matmul, np.linalg.matmul)
def matmul(m: ExampleWalker, op: Apply, given: Given) -> Operand | None:
    if len(op.args) != 2 or op.kwargs:
        return None
    a, b = op.args
    return matrix_product(m, a, b)


def matrix_product(m: ExampleWalker, a: Operand, b: Operand) -> Operand | None:
    """``a @ b`` of each example."""
    p, q = m.rank(a), m.rank(b)
    if p is None or q is None or 0 in (p, q):
        return None
    x, y = m.read(a), m.read(b)
    if m.has(a) and m.has(b):
        return of_two_batches(m, x, y, p, q)
    if m.has(a):
        if p == 1 and q > 2:
            return item(
                m, product(m, stacked(m, row(m, x), 2, q), y), Const(Ellipsis), Const(0), ALL
            )
        return product(m, stacked(m, x, p, q) if p > 1 else x, y)
    if q == 1:
        if p == 1:
            return product(m, y, x)
        if p == 2:
            return product(m, y, m.b.emit(np.ndarray.T, x))
        made = product(m, x, stacked(m, column(m, y), 2, p))
        return item(m, made, Const(Ellipsis), Const(0))
    return product(m, x, stacked(m, y, q, p) if p > 1 else y)


def of_two_batches(m: ExampleWalker, x: Operand, y: Operand, p: int, q: int) -> Operand:
    if p == q == 1:
        return m.b.emit(np.sum, m.b.emit(operator.mul, x, y), axis=Const(1))
    if (p, q) in ((1, 2), (2, 1)):
        return m.b.emit(np.einsum, Const("bi,bij->bj" if p == 1 else "bij,bj->bi"), x, y)
    if p == 1:
        made = product(m, stacked(m, row(m, x), 2, q), y)
        return (
            item(m, made, *(ALL,) * (q - 1), Const(0))
            if q == 2
            else item(m, made, Const(Ellipsis), Const(0), ALL)
        )
    if q == 1:
        made = product(m, x, stacked(m, column(m, y), 2, p))
        return item(m, made, Const(Ellipsis), Const(0))
    return product(m, stacked(m, x, p, q), stacked(m, y, q, p))


def stacked(m: ExampleWalker, x: Operand, own: int, other: int) -> Operand:
    """A batch of matrices beside others that have more axes in front."""
    return item(m, x, ALL, *(NEW,) * (other - own)) if other > own else x


@form(np.dot, np.ndarray.dot)
def dot(m: ExampleWalker, op: Apply, given: Given) -> Operand | None:
    if len(op.args) != 2 or op.kwargs:
        return None
    a, b = op.args
    p, q = m.rank(a), m.rank(b)
    if p is None or q is None or max(p, q) > 2:
        return None
    if 0 in (p, q):
        args, _ = level(m, (a, b), {})
        return m.b.emit(operator.mul, *args)
    return matrix_product(m, a, b)


@form(np.inner)
def inner(m: ExampleWalker, op: Apply, given: Given) -> Operand | None:
    a, b = op.args
    return matrix_product(m, a, b) if m.rank(a) == m.rank(b) == 1 else None


@form(np.vdot, np.vecdot, np.linalg.vecdot)
def vdot(m: ExampleWalker, op: Apply, given: Given) -> Operand | None:
    if len(op.args) != 2 or op.kwargs:
        return None
    a, b = op.args
    kinds = [type_of(x) for x in (a, b)]
    real = all(isinstance(k, Array) and k.kind == "f" for k in kinds)
    return matrix_product(m, a, b) if real and m.rank(a) == m.rank(b) == 1 else None


@form(np.outer, np.linalg.outer)
def outer(m: ExampleWalker, op: Apply, given: Given) -> Operand | None:
    a, b = op.args
    if m.rank(a) != 1 or m.rank(b) != 1 or op.kwargs:
        return None
    left = column(m, m.read(a)) if m.has(a) else item(m, a, ALL, NEW)
    right = row(m, m.read(b)) if m.has(b) else b
    return m.b.emit(operator.mul, left, right)


# -- sums of products --------------------------------------------------------------------------


@form(np.einsum, linear.einsum)
def einsum(m: ExampleWalker, op: Apply, given: Given) -> Operand | None:
    words, *operands = op.args
    if (
        not isinstance(words, Const)
        or not isinstance(words.value, str)
        or set(op.kwargs) - {"optimize"}
    ):
        return None
    text = words.value.replace(" ", "")
    if "." in text:
        return None
    ins, arrow, out = text.partition("->")
    terms = ins.split(",")
    if len(terms) != len(operands):
        return None
    if not arrow:
        letters = [c for c in sorted(set(ins) - {","}) if ins.count(c) == 1]
        out = "".join(letters)
    fresh = next((c for c in "bnkzyxwvutsrqpomlhgfedca" if c not in text), None)
    if fresh is None:
        return None
    moved = [fresh + t if m.has(x) else t for t, x in zip(terms, operands, strict=True)]
    asked = Const(f"{','.join(moved)}->{fresh}{out}")
    return m.b.emit(op.fn, asked, *map(m.read, operands), **op.kwargs)


@form(np.tensordot, np.linalg.tensordot)
def tensordot(m: ExampleWalker, op: Apply, given: Given) -> Operand | None:
    a, b = op.args[:2]
    p, q = m.rank(a), m.rank(b)
    axes = given["axes"]
    if p is None or q is None or p + q > 20:
        return None
    left, right = summed_axes(axes, p, q)
    if left is None or right is None:
        return None
    letters = "ijklmnopqrstuvwxyzacdefgh"
    first = list(letters[:p])
    second = list(letters[p : p + q])
    for s, t in zip(left, right, strict=True):
        second[t] = first[s]
    out = [c for k, c in enumerate(first) if k not in left] + [
        c for k, c in enumerate(second) if k not in right
    ]
    terms = ["b" * m.has(a) + "".join(first), "b" * m.has(b) + "".join(second)]
    return m.b.emit(np.einsum, Const(f"{','.join(terms)}->b{''.join(out)}"), m.read(a), m.read(b))


def summed_axes(axes: Operand, p: int, q: int) -> tuple[list[int] | None, list[int] | None]:
    plain = plain_value(axes)
    if type(plain) is int:
        return list(range(p - plain, p)), list(range(plain))
    if isinstance(plain, (tuple, list)) and len(plain) == 2:
        found = []
        for side, rank in zip(plain, (p, q), strict=True):
            these = [side] if type(side) is int else side
            if not isinstance(these, (tuple, list)) or any(type(n) is not int for n in these):
                return None, None
            found.append([n % rank for n in these])
        return found[0], found[1]
    return None, None


def plain_value(x: Operand) -> object:
    if isinstance(x, Const):
        return x.value
    if isinstance(x, (tuple, list)):
        return type(x)([plain_value(i) for i in x])
    return None


@form(linear.matmul_pull_left)
def pull_left(m: ExampleWalker, op: Apply, given: Given) -> Operand | None:
    """``c @ other.T``, for matrices."""
    c, other, like = given.values()
    if m.rank(like) == m.rank(other) == m.rank(c) == 2:
        return matrix_product_turned(m, c, other, right=True)
    return None


@form(linear.matmul_pull_right)
def pull_right(m: ExampleWalker, op: Apply, given: Given) -> Operand | None:
    c, other, like = given.values()
    if m.rank(like) == m.rank(other) == m.rank(c) == 2:
        return matrix_product_turned(m, other, c, right=False)
    return None


def matrix_product_turned(m: ExampleWalker, a: Operand, b: Operand, right: bool) -> Operand | None:
    kinds = [type_of(x) for x in (a, b)]
    if not all(isinstance(k, Array) and k.kind == "f" and k.dtype for k in kinds):
        return None
    if kinds[0].dtype != kinds[1].dtype:  # type: ignore[union-attr]
        return None

    def turned(x: Operand) -> Operand:
        y = m.read(x)
        return (
            m.b.emit(np.swapaxes, y, Const(1), Const(2)) if m.has(x) else m.b.emit(np.ndarray.T, y)
        )

    return product(m, m.read(a), turned(b)) if right else product(m, turned(a), m.read(b))


# -- linear algebra ----------------------------------------------------------------------------


@form(np.linalg.solve)
def solve(m: ExampleWalker, op: Apply, given: Given) -> Operand | None:
    a, b = op.args
    if m.rank(a) != 2 or op.kwargs or m.rank(b) not in (1, 2):
        return None
    x, y = m.read(a), m.read(b)
    if m.rank(b) == 2:
        return m.b.emit(np.linalg.solve, x, y)
    if not m.has(a):
        made = m.b.emit(np.linalg.solve, x, m.b.emit(np.ndarray.T, y))
        return m.b.emit(np.ndarray.T, made)
    right = column(m, y) if m.has(b) else item(m, y, ALL, NEW)
    return item(m, m.b.emit(np.linalg.solve, x, right), Const(Ellipsis), Const(0))
