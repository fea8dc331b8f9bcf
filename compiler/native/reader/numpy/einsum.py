"""``np.einsum`` as loops: one for each letter, or a product of matrices where it is one."""

from __future__ import annotations

from string import ascii_lowercase
from typing import Any

import numpy as np

from retrograd.runtime.helpers.linalg.einsum import shows_operand

from ...loop_ir.ir import Accumulate, Lit, Op, Product, Set, Store
from ...loop_ir.values import Constant, Scalar, View, common, plain_view
from ...refusal import Unsupported
from ..handlers import reads
from ..library_calls import library_call
from ..reader import Reader
from ..views import size_of
from .elementwise import in_dtype
from .products import from_the_start, matmul, operands
from .shaping import permuted

__all__ = ["contracted", "letters"]


@reads(np.einsum)
def einsum(r: Reader, subscripts: Any, *operands: Any, optimize: Any = None) -> Any:
    """``np.einsum`` without an ellipsis; ``optimize`` asks for another order of the same sums."""
    if len(operands) == 1 and shows_operand(r.literal(subscripts)):
        raise Unsupported("np.einsum that is a view of its operand")
    return contracted(r, subscripts, *operands)


@reads(np.tensordot)
def tensordot(r: Reader, a: Any, b: Any, axes: Any = None) -> Any:
    """``np.tensordot``: the ``einsum`` that it is."""
    if r.device is not None:
        raise Unsupported("np.tensordot")
    ranks = [len(r.array(x).dims) for x in (a, b)]
    asked = 2 if axes is None else r.literal(axes)
    if isinstance(asked, int):
        asked = range(ranks[0] - asked, ranks[0]), range(asked)
    first, second = ([*axis] if not isinstance(axis, int) else [axis] for axis in asked)
    if sum(ranks) > len(ascii_lowercase) or len(first) != len(second):
        raise Unsupported("np.tensordot of this")
    if (first, second) == ([ranks[0] - 1], [0]) and max(ranks) > 2:
        return product(r, a, b)
    left = list(ascii_lowercase[: ranks[0]])
    right = list(ascii_lowercase[ranks[0] : sum(ranks)])
    for i, j in zip(first, second, strict=True):
        right[j] = left[i]
    output = "".join(x for x in left + right if (x in left) != (x in right))
    return contracted(r, Constant(f"{''.join(left)},{''.join(right)}->{output}"), a, b)


def product(r: Reader, a: Any, b: Any) -> Any:
    """A sum over the last axis of one and the first of the other: a product of matrices, whatever their axes."""
    a, b = operands(r, a, b)
    rows, columns, k = a.dims[:-1], b.dims[1:], r.same(a.dims[-1], b.dims[0])
    (a, first), (b, second) = from_the_start(r, a), from_the_start(r, b)
    if (first and len(rows) > 1) or (second and len(columns) > 1):
        a, b, first, second = r.copied(a), r.copied(b), False, False
    made = r.buffer((*rows, *columns), a.dtype, "dot")
    lead = len(rows)

    def terms(at: tuple[Any, ...]) -> list[Any]:
        i, p, j = at[:lead], at[lead], at[lead + 1 :]
        value = Op("multiply", (a.at((*i, p)), b.at((p, *j))), a.dtype)
        return [Store(made, (*i, *j), value, "add")]

    with r.into([]) as loops:
        r.fill(plain_view(made), Scalar(Lit(0.0, a.dtype)))
        r.nest((*rows, k, *columns), terms, bound=(lead,))
    sizes = tuple(r.norm(n) for n in (size_of(rows), k, size_of(columns)))
    r.emit(Product(made, (a.buffer, first), (b.buffer, second), sizes, loops))
    return plain_view(made)


def contracted(r: Reader, subscripts: Any, *operands: Any) -> Any:
    """The same, in memory of its own."""
    inputs, output = letters(r.literal(subscripts), len(operands))
    arrays = [r.array(x) for x in operands]
    dtype = common(*arrays)
    if dtype[0] != "f" or any(len(x.dims) != len(t) for x, t in zip(arrays, inputs, strict=True)):
        raise Unsupported("np.einsum of this")
    arrays = [in_dtype(r, x, dtype) for x in arrays]
    sizes: dict[str, Any] = {}
    for x, term in zip(arrays, inputs, strict=True):
        for n, letter in zip(x.dims, term, strict=True):
            sizes[letter] = r.same(sizes[letter], n) if letter in sizes else n
    summed = set("".join(inputs)) - set(output)
    if r.device is not None and len(arrays) > 1 and summed and output:
        dims = tuple(sizes[letter] for letter in output)
        text = f'cp.einsum("{",".join(inputs)}->{output}", {{}}, {{}})'
        return library_call(r, text, arrays, dims, dtype)
    if (
        r.device is None
        and len(arrays) == 2
        and (product := matrices(r, arrays, inputs, output)) is not None
    ):
        return product
    return nested(r, [r.materialised(x) for x in arrays], inputs, output, sizes, dtype)


def letters(text: Any, count: int) -> tuple[list[str], str]:
    """The letters of each operand, and of the result."""
    if not isinstance(text, str) or "." in text:
        raise Unsupported("np.einsum with an ellipsis")
    left, arrow, right = text.replace(" ", "").partition("->")
    inputs = left.split(",")
    if len(inputs) != count or len(set(right)) != len(right):
        raise Unsupported("such subscripts of np.einsum")
    if not arrow:
        right = "".join(sorted(a for a in set(left) - {","} if left.count(a) == 1))
    return inputs, right


def matrices(r: Reader, arrays: list[Any], inputs: list[str], output: str) -> Any:
    """``ij,jk->ik`` and its like as a product, which the library does when they are large."""
    a, b = inputs
    shared = set(a) & set(b)
    if any(len(set(t)) != 2 or len(t) != 2 for t in (a, b, output)) or len(shared) != 1:
        return None
    (k,) = shared
    if k in output:
        return None
    x = arrays[0] if a[1] == k else permuted(r, arrays[0], (1, 0))
    y = arrays[1] if b[0] == k else permuted(r, arrays[1], (1, 0))
    if output[0] in a:
        return matmul(r, x, y)
    return permuted(r, matmul(r, x, y), (1, 0))


def nested(
    r: Reader, arrays: list[View], inputs: list[str], output: str, sizes: Any, dtype: str
) -> Any:
    """A loop for each letter: those of the result outside, unless it lies along the memory."""
    summed = [a for a in sizes if a not in output]

    def product(places: dict[str, Any]) -> Any:
        found: Any = None
        for x, term in zip(arrays, inputs, strict=True):
            at = x.at(tuple(places[a] for a in term)) if term else x.expr  # type: ignore[attr-defined]
            found = at if found is None else Op("multiply", (found, at), dtype)
        return found

    if not output:
        return Scalar(summed_up(r, product, {}, summed, sizes, dtype), weak=False)
    along = summed and any(t and t[-1] in summed for t in inputs)
    return (one_by_one if along else all_at_once)(r, product, output, summed, sizes, dtype)


def summed_up(
    r: Reader, product: Any, outer: dict[str, Any], summed: list[str], sizes: Any, dtype: str
) -> Any:
    """The sum of products over some letters, the others being somewhere."""
    var = r.fresh("sum", dtype)
    r.mutable.add(var.name)
    r.emit(Set(var, Lit(0.0, dtype)))

    def add(at: tuple[Any, ...]) -> list[Any]:
        return [Accumulate(var, "add", product({**outer, **dict(zip(summed, at, strict=True))}))]

    r.nest(tuple(sizes[a] for a in summed), add)
    return var


def one_by_one(
    r: Reader, product: Any, output: str, summed: list[str], sizes: Any, dtype: str
) -> View:
    """Each entry of the result is a sum of its own."""
    dims = tuple(r.norm(sizes[a]) for a in output)
    made = r.buffer(dims, dtype, "einsum")

    def one(index: tuple[Any, ...]) -> list[Any]:
        with r.into([]) as block:
            outer = dict(zip(output, index, strict=True))
            r.emit(Store(made, index, summed_up(r, product, outer, summed, sizes, dtype)))
        return block

    r.nest(dims, one)
    return plain_view(made)


def all_at_once(
    r: Reader, product: Any, output: str, summed: list[str], sizes: Any, dtype: str
) -> View:
    """The whole result is added to, along its memory."""
    made = r.buffer(tuple(r.norm(sizes[a]) for a in output), dtype, "einsum", zero=True)
    order = [*output[:-1], *summed, output[-1]]

    def add(at: tuple[Any, ...]) -> list[Any]:
        places = dict(zip(order, at, strict=True))
        return [Store(made, tuple(places[a] for a in output), product(places), "add")]

    bound = tuple(k for k, a in enumerate(order) if a in summed)
    r.nest(tuple(sizes[a] for a in order), add, bound=bound)
    return plain_view(made)
