"""Which values may be the same memory: what is new, what is a view, what may be either.

``Memory`` follows a program in the order it runs.  A *cell* is one array's memory; views of it
and what it holds after a write are in the same cell.  Two cells are ``near`` each other where
one value may be either: the result of a branch, of ``reshape``, of a function nobody knows.
"""

from __future__ import annotations

import builtins
import inspect
import operator
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from retrograd.runtime import directions, linear
from retrograd.runtime.rules.book import book

from ..ir import Apply, Const, Operand, Value, values_in
from ..types import Array, Number, Stack, Tree
from ..verify import shapes_read
from .random_numbers import is_draw

__all__ = [
    "Memory",
    "in_order",
    "is_basic",
    "is_fresh",
    "is_memory",
    "is_reshaped",
    "is_view",
    "may_repeat",
    "relation",
]

# Functions whose result is never a view of an argument, nor an argument itself.
FRESH = {
    np.sum, np.mean, np.prod, np.var, np.std, np.max, np.min, np.median, np.ptp, np.argmax,
    np.argmin, np.argsort, np.sort, np.cumsum, np.cumprod, np.dot, np.inner, np.outer, np.tensordot, np.kron,
    np.trace, np.concatenate, np.stack, np.hstack, np.vstack, np.where, np.tile, np.repeat,
    np.roll, np.take, np.clip, np.diff, np.interp, np.zeros, np.ones, np.full, np.eye, np.empty,
    np.arange, np.linspace, np.zeros_like, np.ones_like, np.full_like, np.empty_like, np.any, np.all, np.round,
    np.average, np.cross, np.trapezoid, np.linalg.norm, np.linalg.det, np.linalg.inv, np.linalg.solve,
    np.linalg.cholesky, builtins.len, builtins.float, builtins.int, builtins.bool, builtins.abs,
    np.array, np.copy, np.ndarray.copy, np.ndarray.flatten, np.identity, np.logspace, np.geomspace,
    np.ndarray.tolist, linear.order_of, linear.best_of, linear.visits, linear.norm_of, linear.combinations,
    linear.permutations, linear.multisets, linear.contiguous, np.append, np.delete, np.insert, np.column_stack, np.triu, np.tril, np.take_along_axis,
    np.fft.fft, np.fft.ifft, np.fft.rfft, np.fft.irfft, np.fft.hfft, np.fft.ihfft, np.fft.fft2, np.fft.ifft2,
    np.fft.rfft2, np.fft.irfft2, np.fft.fftn, np.fft.ifftn, np.fft.rfftn, np.fft.irfftn, np.fft.fftshift,
    np.fft.ifftshift, np.fft.fftfreq, np.fft.rfftfreq, np.linalg.pinv, np.linalg.svdvals, np.linalg.eigvals,
    np.linalg.eigvalsh, np.linalg.vector_norm, np.linalg.matrix_norm, np.linalg.cond, linear.spectral_norm,
    linear.spectral_slope, linear.spectral_cond, np.polyfit, np.linalg.slogdet,
    np.convolve, np.correlate, np.searchsorted, np.histogram, np.bincount, np.unique, np.nonzero,
    linear.row, linear.columns, linear.meshgrid, np.ndarray.tolist, linear.slope, linear.slope_at, linear.trapezoid, np.block, np.cov, np.corrcoef,
    np.vander, np.resize, np.polyval, np.polyadd, np.polysub, np.polymul, np.roots,
    np.choose, np.kaiser, np.quantile, np.percentile, np.nanquantile, np.nanpercentile, np.nanmedian, np.pad,
    np.sort_complex, np.unwrap,
    np.flatnonzero, np.meshgrid, np.indices, np.isclose, np.allclose, np.count_nonzero,
    linear.copy, linear.zeros_like, linear.scatter, linear.last_written, linear.scatter_last,
    linear.if_larger, linear.share_ties, linear.phi, linear.solve_lower, linear.undiagonal,
    directions.repeated, directions.match_each, directions.sum_each,
}  # fmt: skip
# Modules all of whose functions return something new.
NEW = ("scipy.special", "scipy.stats._distn_infrastructure", "scipy.stats._multivariate",
       *(f"{linear.__package__}.linear_scipy_{part}"
         for part in ("bessel", "cdf", "elliptic", "special")))  # fmt: skip
REDUCTIONS = {"sum", "mean", "prod", "var", "std", "max", "min", "any", "all", "argmax", "argmin",
              "dot", "trace", "item", "reduce", "cumsum", "cumprod"}  # fmt: skip
NOT_ARITHMETIC = {operator.getitem, operator.setitem, operator.itemgetter, operator.attrgetter}

# Functions whose result always shows the memory of the first argument, if that is an array.
ALWAYS_VIEWS = {
    np.ndarray.T, np.ndarray.mT, np.transpose, np.ndarray.transpose, np.swapaxes, np.ndarray.swapaxes,
    np.moveaxis, np.rollaxis, np.squeeze, np.ndarray.squeeze, np.expand_dims, np.diagonal, np.ndarray.diagonal,
    np.flip, np.fliplr, np.flipud, np.rot90, np.broadcast_to, np.matrix_transpose, np.permute_dims,
    linear.stop_gradient,
}  # fmt: skip
READ_ONLY = {np.broadcast_to, np.diagonal, np.ndarray.diagonal}
PARTS = {np.real, np.imag, np.ndarray.real, np.ndarray.imag}  # of complex arrays
FLAT = {np.reshape, np.ndarray.reshape, np.ravel, np.ndarray.ravel}  # views of contiguous arrays
CONTIGUOUS = {np.zeros, np.ones, np.full, np.empty, np.arange, np.linspace, np.eye, np.identity,
              linear.zeros_like}  # fmt: skip
ARRAYS_OF_RANK_0 = {np.array, np.copy, np.ndarray.copy, np.where, np.zeros, np.ones, np.full, np.empty,
                    np.zeros_like, np.ones_like, np.full_like, np.empty_like}  # fmt: skip
VIEWS_OF_RANK_0 = {"reshape", "squeeze", "asarray", "getitem", "transpose", "T", "real", "imag", "broadcast_to",
                   "ascontiguousarray", "astype", "stop_gradient", "nan_to_num", "view", "swapaxes"}  # fmt: skip
VERSIONS = (linear.write, linear.increase)
LIKE = (linear.match, linear.unmatch, linear.unbroadcast)  # the structure of the second argument


class Cell:
    """The memory of one array: the value it was first, and the cells it may be the same as."""

    __slots__ = ("first", "near")

    def __init__(self, first: Value) -> None:
        self.first = first
        self.near: set[Cell] = set()

    def __repr__(self) -> str:
        return f"<{self.first!r}>"


class Memory:
    """The cell of every value that may be an array."""

    def __init__(self) -> None:
        self.cells: dict[Value, Cell] = {}

    def of(self, v: Value) -> Cell:
        """The cell of a value: one of its own, unless something else was said before."""
        if v not in self.cells:
            self.cells[v] = Cell(v)
        return self.cells[v]

    def same(self, v: Value, base: Value) -> None:
        """``v`` is the memory of ``base``: a view of it, or what it holds after a write."""
        self.cells[v] = self.of(base)

    def either(self, v: Value, others: Iterable[Value]) -> None:
        """``v`` may be the memory of any of ``others``, or new."""
        cells = [self.of(u) for u in others if is_memory(u)]
        self.approach(v, {near for cell in cells for near in (cell, *cell.near)})

    def approach(self, v: Value, near: Iterable[Cell]) -> None:
        """A new cell for ``v`` beside these."""
        cell = self.cells[v] = Cell(v)
        for other in near:
            self.relate(cell, other)

    def relate(self, a: Cell, b: Cell) -> None:
        if a is not b:
            a.near.add(b)
            b.near.add(a)

    def joined(self, v: Value, a: Operand, b: Operand) -> None:
        """``v`` is one of two operands."""
        if not is_memory(v):
            return
        ends = [x for x in (a, b) if isinstance(x, Value) and is_memory(x)]
        if len(ends) == 2 and self.of(ends[0]) is self.of(ends[1]):
            self.same(v, ends[0])
        else:
            self.either(v, ends)

    def may_share(self, a: Value, b: Value) -> bool:
        x, y = self.cells.get(a), self.cells.get(b)
        if x is None or y is None:
            return a is b
        return x is y or y in x.near

    def enter(self, op: Apply, contiguous: bool = False) -> None:
        """What the result of an operation may share memory with."""
        kind, bases = relation(op, contiguous)
        if kind == "view":
            self.same(op.result, bases[0])
        elif kind == "either":
            self.either(op.result, bases)


def relation(op: Apply, contiguous: bool = False) -> tuple[str, list[Value]]:
    """Whether a result is ``new``, a ``view`` of one value, or may be ``either`` for several.

    ``contiguous``: the first argument is known to lie in C order, so that reshaping it is a view.
    """
    result = op.results[0]
    if op.fn in VERSIONS and isinstance(op.args[0], Value):
        return "view", [op.args[0]]
    if is_fresh(op) or not is_memory_of(op, result):
        return "new", []
    if is_view(op, contiguous):
        return "view", [op.args[0]]
    shown = op.args[:1] if op.fn in LIKE else [*op.args, *op.kwargs.values()]
    bases = list(values_in(shown))
    for v in values_in(shapes_read(op)):
        if v in bases:
            bases.remove(v)
    return ("either", bases) if bases else ("new", [])


def is_view(op: Apply, contiguous: bool = False) -> bool:
    """Whether the result certainly shows the memory of the first argument."""
    base = op.args[0] if op.args else None
    if not isinstance(base, Value) or not isinstance(base.type, Array) or op.kwargs.get("copy"):
        return False
    if op.fn is operator.getitem:
        return base.type.dims is not None and is_basic(op.args[1])
    if op.fn in PARTS:
        return base.type.kind == "c"
    if op.fn in FLAT:
        return contiguous and not op.kwargs
    return listed(op.fn, ALWAYS_VIEWS)


def is_reshaped(path: Any) -> bool:
    """Whether views that need an array in C order lead to a part of it."""
    return any(fn.value in FLAT for fn, *_ in path)


def in_order(op: Apply) -> tuple[Operand, ...] | None:
    """The arguments of a view, those given by name in their places: ``np.flip(x, axis=0)`` is ``np.flip(x, 0)``.

    None where that cannot be said.
    """
    rule = book.rules.get(op.fn) if op.kwargs else None
    if rule is None:
        return None if op.kwargs else op.args
    _, *own = inspect.signature(rule.differential).parameters.values()
    args, left = list(op.args), dict(op.kwargs)
    for parameter in own[len(args) :]:
        if left:
            args.append(left.pop(parameter.name, Const(parameter.default)))
    missing = any(isinstance(a, Const) and a.value is inspect.Parameter.empty for a in args)
    return None if left or missing else tuple(args)


def is_basic(index: Operand) -> bool:
    """Whether an index names a part that is a view: integers, slices, None and ``...`` only."""
    if isinstance(index, tuple):
        return all(is_basic(i) for i in index)
    if isinstance(index, slice):
        return True
    if isinstance(index, Const):
        return index.value is None or index.value is Ellipsis or type(index.value) is int
    return isinstance(index, Value) and isinstance(index.type, Number) and index.type.kind == "i"


def may_repeat(index: Operand) -> bool:
    """Whether an index may name a place twice."""
    if isinstance(index, tuple):
        return any(may_repeat(i) for i in index)
    if is_basic(index):
        return False
    kind = index.type if isinstance(index, Value) else None
    if isinstance(index, Const) and getattr(index.value, "dtype", None) is not None:
        return bool(index.value.dtype.kind != "b" and index.value.ndim)
    scalar = isinstance(kind, Array) and kind.dims == ()
    return not (isinstance(kind, (Array, Number)) and (kind.kind == "b" or scalar))


def is_fresh(op: Apply) -> bool:
    """Whether the result is new memory, whatever the arguments are."""
    fn, name = op.fn, getattr(op.fn, "__name__", "")
    if fn in (np.array, np.ndarray.copy, linear.meshgrid) and "copy" in op.kwargs:
        return False
    if op.kwargs.get("out") is not None:
        return False
    if isinstance(fn, str):
        return fn not in ("bundle", "unpack")
    if fn in (builtins.max, builtins.min) or (
        fn is builtins.sum and (op.kwargs or len(op.args) > 1)
    ):
        return False  # one of the arguments; what is summed may be no items
    if isinstance(fn, np.ufunc) or is_operator(fn) or (name in REDUCTIONS and is_numpy(fn)):
        return True
    if fn is operator.getitem:
        return is_advanced(op.args[1])
    if is_draw(fn) or str(getattr(fn, "__module__", "")).startswith(NEW):
        return True
    if fn is linear.items:  # of numbers; rows are views
        kind = op.results[0].type
        return isinstance(kind, Stack) and getattr(kind.item, "dims", None) == ()
    if fn is np.einsum:
        return len(op.args) > 2
    if fn is linear.hermitian:
        return len(op.args) == 1 and not op.kwargs
    return (isinstance(fn, type) and issubclass(fn, (np.number, float, int))) or listed(fn, FRESH)


def is_advanced(index: Operand) -> bool:
    """Whether an index certainly copies: it holds an array of positions, or a mask."""
    if isinstance(index, tuple):
        return any(is_advanced(i) for i in index)
    if isinstance(index, list):
        return True
    kind = index.type if isinstance(index, Value) else None
    if isinstance(index, Const) and isinstance(index.value, (np.ndarray, list, bool)):
        return True
    return isinstance(kind, Array) and bool(kind.dims) and kind.kind in ("i", "u", "b")


def is_numpy(fn: Any) -> bool:
    """Whether a function or method is NumPy's or Python's own, not a user's of the same name."""
    owner = getattr(fn, "__objclass__", None) or type(getattr(fn, "__self__", None))
    module = getattr(fn, "__module__", None) or owner.__module__
    return str(module).partition(".")[0] in ("numpy", "builtins")


def is_operator(fn: Any) -> bool:
    module = getattr(fn, "__module__", "")
    return module == "_operator" and fn not in NOT_ARITHMETIC


def listed(fn: Any, table: set[Any]) -> bool:
    try:
        return fn in table
    except TypeError:
        return False


def is_memory(v: Value) -> bool:
    """Whether a value may be an array, by its type."""
    kind = v.type
    return not isinstance(kind, Number) and not (isinstance(kind, Array) and kind.dims == ())


def is_memory_of(op: Apply, v: Value) -> bool:
    """Whether a result may be an array: operations on rank 0 give immutable NumPy scalars."""
    kind = v.type
    if isinstance(kind, Number):
        return False
    if not isinstance(kind, Array) or kind.dims != ():
        return True
    if op.fn is operator.getitem:
        return any(is_ellipsis(i) for i in op.args[1:])
    scalar_view = getattr(op.fn, "__name__", "") in VIEWS_OF_RANK_0
    return scalar_view or listed(op.fn, ARRAYS_OF_RANK_0)


def is_ellipsis(index: Operand) -> bool:
    items: Iterator[Any] = iter(index) if isinstance(index, tuple) else iter((index,))
    return any(isinstance(i, Const) and i.value is Ellipsis for i in items)


def is_container(kind: Any) -> bool:
    return isinstance(kind, Tree)
