"""What is believed of operations and memory: whose result is new, a view, or either; and how it lies.

The one table of such facts.  Whoever asks whether a result may show an argument, whether it may be
written to, or whether it lies in C order, reads it here; ``tests/sweeps/memory_facts.py`` measures
every entry against NumPy, over arrays of every layout.
"""

from __future__ import annotations

import builtins
import operator
from collections.abc import Iterator
from typing import Any

import numpy as np

from retrograd.runtime.helpers import linear
from retrograd.runtime.objects.homes import RUNTIME, SCIPY_HELPERS
from retrograd.runtime.objects.own_attributes import own_attribute
from retrograd.runtime.user import batched

from ...ir.operations import Apply, Const, Operand, Value
from ...ir.primitives import Primitive, Structure
from ...ir.types import Array, Number, Stack
from ..random_numbers import is_draw

__all__ = [
    "FLAT",
    "NEW",
    "NEW_METHODS",
    "TURNED",
    "VERSIONS",
    "VIEWS",
    "gives_array",
    "is_basic",
    "is_fresh",
    "is_itself",
    "is_number_read",
    "is_read_only",
    "is_surely_array",
    "is_view",
    "keeps_order",
    "lies_in_order",
    "listed",
    "may_repeat",
    "may_view",
]


def members(home: Any, names: str) -> set[Any]:
    return {vars(home)[name] if isinstance(home, type) else getattr(home, name)
            for name in names.split()}  # fmt: skip


# -- new memory ---------------------------------------------------------------------------

ARITHMETIC = members(operator, """
    abs add and_ eq floordiv ge gt index inv invert le lshift lt matmul mod mul ne neg not_ or_ pos pow
    rshift sub truediv truth xor is_ is_not contains length_hint countOf indexOf""")  # fmt: skip
# Functions whose result is never a view of an argument, nor an argument itself.
NEW = ARITHMETIC | members(builtins, "len float int bool abs pow complex round") | members(np, """
    sum mean prod var std max min amax amin median ptp argmax argmin argsort argwhere sort partition cumsum cumprod
    dot inner outer vdot tensordot kron trace concatenate stack hstack vstack dstack column_stack where tile repeat
    roll take take_along_axis clip interp zeros ones full eye empty arange linspace logspace geomspace
    identity zeros_like ones_like full_like empty_like any all average cross trapezoid array copy append
    delete insert triu tril polyfit convolve correlate searchsorted bincount unique nonzero block cov
    corrcoef vander resize polyval polyadd polysub polymul roots choose kaiser quantile percentile nanquantile
    nanpercentile nanmedian pad sort_complex unwrap flatnonzero meshgrid indices isclose allclose count_nonzero
    angle compress diagflat ediff1d extract i0 nancumprod nancumsum nanmax nanmean nanmin nanprod nanstd nansum
    nanvar select sinc""") | members(np.linalg, """
    norm det inv solve cholesky pinv svdvals eigvals eigvalsh vector_norm matrix_norm cond slogdet cross matmul outer
    tensordot tensorinv tensorsolve vecdot eigh eig svd qr lstsq""") | members(np.fft, """
    fft ifft rfft irfft hfft ihfft fft2 ifft2 rfft2 irfft2 fftn ifftn rfftn irfftn fftshift ifftshift fftfreq
    rfftfreq""") | members(linear, """
    order_of best_of visits norm_of combinations permutations multisets contiguous spectral_norm spectral_slope
    spectral_cond row columns meshgrid slope slope_at trapezoid copy zeros_like last_written scatter_last
    if_larger share_ties phi solve_lower undiagonal match unmatch mul0 div0 hazard on_support share
    matmul_pull_left matmul_pull_right tensordot_pull_left tensordot_pull_right""") | members(
    batched, "repeated match_each sum_each")  # fmt: skip
METHODS = ["sum", "mean", "prod", "var", "std", "max", "min", "any", "all", "argmax", "argmin", "argsort", "dot", "trace", "item", "cumsum", "cumprod", "copy", "flatten", "tolist", "clip", "repeat", "take", "compress", "choose", "searchsorted", "nonzero", "ptp"]  # fmt: skip
NEW_METHODS = {name for name in METHODS if hasattr(np.ndarray, name)}
NEW |= {getattr(np.ndarray, name) for name in NEW_METHODS}
UFUNC_METHODS = ("reduce", "accumulate", "reduceat", "outer")
# Modules all of whose functions return something new.
NEW_HOMES = ("scipy.special", "scipy.stats._distn_infrastructure", "scipy.stats._multivariate",
             *(f"{SCIPY_HELPERS}{part}"
               for part in ("bessel", "cdf", "elliptic", "special")))  # fmt: skip
GIVEN_BACK = {
    "factorial",
    "factorial2",
    "factorialk",
}  # of these, what may be an argument, or cannot be written
# Functions that copy unless they are told not to.
COPYING = {np.array, np.ndarray.copy, np.nan_to_num, np.ndarray.astype, linear.meshgrid}

# -- views --------------------------------------------------------------------------------

# Functions whose result always shows the memory of the first argument, if that is an array.
TURNED = {np.ndarray.T, np.transpose, np.ndarray.transpose}  # the axes the other way round
REORDERING = TURNED | {np.ndarray.swapaxes, np.swapaxes, np.moveaxis, np.rollaxis}
VIEWS = REORDERING | {
    np.ndarray.mT, np.squeeze, np.ndarray.squeeze, np.expand_dims, np.diagonal, np.ndarray.diagonal,
    np.flip, np.fliplr, np.flipud, np.rot90, np.broadcast_to, np.matrix_transpose, np.permute_dims,
    linear.stop_gradient,
}  # fmt: skip
THEMSELVES: set[Any] = {
    np.asarray,
    np.asanyarray,
}  # an array as it is, if no dtype and no order is asked for
ATLEAST = {np.atleast_1d: 1, np.atleast_2d: 2, np.atleast_3d: 3}
REAL: set[Any] = {np.real, np.ndarray.real}
IMAGINARY: set[Any] = {np.imag, np.ndarray.imag}  # views of complex arrays
CONJUGATES: set[Any] = {
    np.ndarray.conj,
    np.ndarray.conjugate,
}  # real arrays as they are, complex ones anew
VIEWS |= REAL | set(ATLEAST)
FLAT = {np.reshape, np.ndarray.reshape, np.ravel, np.ndarray.ravel}  # views of what lies in C order
READ_ONLY = {np.broadcast_to, np.diagonal, np.ndarray.diagonal}
# A write gives the memory of the first argument, with other content.
VERSIONS = (linear.write, linear.increase)

# -- layout -------------------------------------------------------------------------------

# New arrays in C order, unless another is asked for; behind how many arguments that may stand.
ORDERED = {np.zeros: 2, np.ones: 2, np.empty: 2, np.full: 3, np.eye: 4, np.identity: 2, np.arange: 9,
           linear.contiguous: 9, np.ndarray.copy: 1, np.ascontiguousarray: 9}  # fmt: skip
STRIDED_ROWS = {np.linalg.eigvals, np.roots}  # new rows, but of an array of more
# Views that lie in C order where their argument does.
KEEPING_ORDER = FLAT | THEMSELVES | {
    np.squeeze, np.ndarray.squeeze, np.expand_dims, np.atleast_1d, np.atleast_2d, linear.stop_gradient,
    np.ascontiguousarray,
}  # fmt: skip

# -- rank 0 -------------------------------------------------------------------------------

# Functions that give arrays of rank 0, those that may, and all others give NumPy's scalars there.
ARRAYS_OF_RANK_0 = {np.array, np.asarray, np.copy, np.where, np.zeros, np.ones, np.full, np.empty, np.zeros_like,
                    np.ones_like, np.full_like, np.empty_like}  # fmt: skip
PERHAPS_OF_RANK_0 = ARRAYS_OF_RANK_0 | VIEWS | FLAT | THEMSELVES | IMAGINARY | CONJUGATES | COPYING | {
    np.ascontiguousarray, np.asarray_chkfinite, np.i0, np.ndarray.view, np.asfortranarray, np.real_if_close,
    linear.write, linear.increase, linear.copy, linear.turn_rate, linear.zeros_like, np.choose, np.select, np.astype,
    linear.insert_values_pull,
    linear.contiguous, np.ndarray.swapaxes,
}  # fmt: skip


def is_fresh(op: Apply) -> bool:
    """Whether the result is new memory, whatever the arguments are."""
    fn = op.fn
    if op.kwargs.get("out") is not None:
        return False
    if isinstance(fn, Primitive):
        return not isinstance(fn, Structure)
    if isinstance(fn, np.ufunc):
        return len(op.args) <= fn.nin
    owner = own_attribute(fn, "__self__")
    if isinstance(owner, np.ufunc):
        return fn.__name__ in UFUNC_METHODS
    if fn is operator.getitem:
        return is_advanced(op.args[1])
    if is_draw(fn):
        return True
    if str(own_attribute(fn, "__module__", "")).startswith(NEW_HOMES):
        return fn.__name__ not in GIVEN_BACK
    if listed(fn, COPYING):
        return copies(op)
    decided = DECIDED.get(fn) if listed(fn, set(DECIDED)) else None
    if decided is not None:
        return bool(decided(op))
    if isinstance(fn, type) and issubclass(fn, (np.number, float, int)):
        return not np_scalar(fn) or is_number(op.args[:1])
    return listed(fn, NEW)


def np_scalar(fn: type) -> bool:
    return issubclass(fn, np.generic)


def is_number(args: Any) -> bool:
    """Whether an argument is a number, and no array that would be given back."""
    return all(isinstance(a, Const) or (isinstance(a, Value) and isinstance(a.type, Number))
               for a in args)  # fmt: skip


def copies(op: Apply) -> bool:
    """Whether a function that copies has not been told otherwise."""
    asked = op.kwargs.get("copy", Const(True))
    return isinstance(asked, Const) and asked.value is True and len(op.args) <= 2


def made_anew(op: Apply) -> bool:
    """Whether ``np.asarray`` has no array to give back."""
    first = op.args[0] if op.args else None
    return isinstance(first, (list, tuple)) or is_number((first,))


# Functions of which the arguments tell whether the result is new.
DECIDED: dict[Any, Any] = {
    np.diff: lambda op: all(isinstance(n, Const) and n.value != 0
                            for n in (*op.args[1:2], *([op.kwargs["n"]] if "n" in op.kwargs else []))),
    np.round: lambda op: kind_at(op) in ("f", "c"),  # of whole numbers: the array itself
    np.ndarray.round: lambda op: kind_at(op) in ("f", "c"),
    np.histogram: lambda op: not any(may_be_sequence(b) for b in (*op.args[1:2], op.kwargs.get("bins"))),
    np.einsum: lambda op: len(op.args) > 2,  # of one array it may be a view
    np.asarray: made_anew,
    np.asanyarray: made_anew,
    np.ndarray.conj: lambda op: kind_at(op) == "c",
    np.ndarray.conjugate: lambda op: kind_at(op) == "c",
    np.diag: lambda op: rank_at(op) == 1,
    linear.hermitian: lambda op: len(op.args) == 1 and not op.kwargs,
    linear.scatter: lambda op: isinstance(getattr(op.args[1], "type", None), Array),  # no container
    linear.items: lambda op: items_are_numbers(op),  # rows are views
}  # fmt: skip


def kind_at(op: Apply) -> str | None:
    return getattr(getattr(op.args[0], "type", None), "kind", None) if op.args else None


def rank_at(op: Apply) -> int | None:
    return getattr(getattr(op.args[0], "type", None), "rank", None) if op.args else None


def may_be_sequence(operand: Operand) -> bool:
    if operand is None or isinstance(operand, Const):
        return isinstance(getattr(operand, "value", None), np.ndarray)
    return not is_number((operand,))


def items_are_numbers(op: Apply) -> bool:
    kind = op.results[0].type
    return isinstance(kind, Stack) and getattr(kind.item, "dims", None) == ()


def is_view(op: Apply, ordered: bool = False) -> bool:
    """Whether the result certainly shows the memory of the first argument.

    ``ordered``: that is known to lie in C order, so that reshaping it gives a view.
    """
    base = op.args[0] if op.args else None
    if not isinstance(base, Value) or not isinstance(base.type, Array) or op.kwargs.get("copy"):
        return False
    if base.type.dims == ():
        return False  # perhaps a scalar, of which nothing is a view
    if op.fn is operator.getitem:
        return base.type.dims is not None and is_basic(op.args[1])
    if listed(op.fn, IMAGINARY):
        return base.type.kind == "c"
    if listed(op.fn, CONJUGATES):
        return base.type.dims is not None and base.type.kind in ("f", "i", "u")
    if listed(op.fn, THEMSELVES):
        return base.type.dims is not None and not op.kwargs and len(op.args) == 1
    if listed(op.fn, FLAT):
        return ordered and not op.kwargs and not any(map(is_text, op.args))
    if op.fn is np.ascontiguousarray:
        return ordered and not op.kwargs and len(op.args) == 1
    return listed(op.fn, VIEWS)


def is_itself(op: Apply) -> bool:
    """Whether a view is the first argument as it is, with the same axes and elements."""
    kind, rank = kind_at(op), rank_at(op)
    if listed(op.fn, REAL):
        return kind in ("f", "i", "u", "b")
    if listed(op.fn, ATLEAST):
        return rank is not None and rank >= ATLEAST[op.fn]
    return listed(op.fn, THEMSELVES | CONJUGATES | {np.ascontiguousarray})


def is_text(operand: Operand) -> bool:
    """Whether an argument names an order, or may."""
    return isinstance(operand, Const) and isinstance(operand.value, str)


def may_view(fn: Any) -> bool:
    """Whether the result of a function may show its first argument, for all that is known of that."""
    return listed(fn, VIEWS | FLAT | THEMSELVES | IMAGINARY | CONJUGATES)


def is_read_only(fn: Any) -> bool:
    """Whether NumPy refuses writes to a view."""
    return listed(fn, READ_ONLY)


def lies_in_order(op: Apply) -> bool:
    """Whether a result that is new certainly lies in C order, without gaps."""
    if listed(op.fn, STRIDED_ROWS):
        return False
    if getattr(op.results[0].type, "rank", None) == 1:
        return is_fresh(op)  # NumPy makes no other rows
    if not listed(op.fn, set(ORDERED)) or "order" in op.kwargs or "like" in op.kwargs:
        return False
    return len(op.args) <= ORDERED[op.fn]


def keeps_order(op: Apply) -> bool:
    """Whether a view of what lies in C order does so, too."""
    if op.fn is operator.getitem:
        return cuts_rows(op.args[1], rank_at(op))
    if (rank_at(op) or 9) == 1 and listed(op.fn, REORDERING):
        return True
    return listed(op.fn, KEEPING_ORDER)


def cuts_rows(index: Operand, rank: int | None) -> bool:
    """Whether an index takes one run of rows: integers, then at most one cut, then whole axes.

    >>> cuts_rows((Const(1), slice(None)), 2), cuts_rows((slice(None), Const(1)), 2)
    (True, False)
    """
    items = list(index) if isinstance(index, tuple) else [index]
    taken = sum(not is_const(i, None) and not is_const(i, Ellipsis) for i in items)
    if rank is None:
        return False
    expanded: list[Operand] = []
    for item in items:
        whole = is_const(item, Ellipsis)
        expanded += [slice(None)] * (rank - taken) if whole else [item]
    left = [i for i in expanded if not is_const(i, None)]
    while left and not isinstance(left[0], slice):
        left = left[1:]
    steps = [i.step.value if isinstance(i.step, Const) else i.step
             for i in left[:1] if isinstance(i, slice)]  # fmt: skip
    whole_rows = all(is_whole(i) for i in left[1:])
    return whole_rows and all(step is None or (type(step) is int and step == 1) for step in steps)


def is_whole(item: Operand) -> bool:
    if not isinstance(item, slice):
        return False
    return all(end is None or is_const(end, None) for end in (item.start, item.stop, item.step))


def is_number_read(index: Operand) -> bool:
    """``x[()]``: of an array of rank 0, the number."""
    found = index.value if isinstance(index, Const) else index
    return type(found) is tuple and not found


def is_const(item: Operand, value: Any) -> bool:
    return item is value or (isinstance(item, Const) and item.value is value)


def gives_array(op: Apply, v: Value) -> bool:
    """Whether a result may be an array: operations on rank 0 give immutable NumPy scalars."""
    kind = v.type
    if isinstance(kind, Number):
        return False
    if not isinstance(kind, Array) or kind.dims != ():
        return True
    if op.fn is operator.getitem:
        return any(is_ellipsis(i) for i in op.args[1:])
    if isinstance(op.fn, (np.ufunc, Primitive)):
        return False
    if str(own_attribute(op.fn, "__module__", "")).startswith(("scipy", RUNTIME)):
        return True  # helpers hand on what they are given, `y[..., 0, 1]` too
    return listed(op.fn, PERHAPS_OF_RANK_0)


def is_surely_array(op: Apply) -> bool:
    """Whether a result is an array, which can be written to, and no scalar."""
    kind = op.results[0].type
    if isinstance(kind, (Array, Number)) and kind.dims == ():
        return listed(op.fn, ARRAYS_OF_RANK_0)
    return True


# -- indices ------------------------------------------------------------------------------


def is_basic(index: Operand) -> bool:
    """Whether an index names a part that is a view: integers, slices, None and ``...`` only."""
    if isinstance(index, tuple):
        return all(is_basic(i) for i in index)
    if isinstance(index, slice):
        return True
    if isinstance(index, Const):
        return index.value is None or index.value is Ellipsis or type(index.value) is int
    return isinstance(index, Value) and isinstance(index.type, Number) and index.type.kind == "i"


def is_advanced(index: Operand) -> bool:
    """Whether an index certainly copies: it holds an array of positions, or a mask."""
    if isinstance(index, tuple):
        return any(is_advanced(i) for i in index)
    if isinstance(index, list):
        return True
    kind = index.type if isinstance(index, Value) else None
    if isinstance(index, Const) and isinstance(index.value, (np.ndarray, list, bool, np.bool_)):
        return True
    if isinstance(kind, (Array, Number)) and kind.kind == "b":
        return True
    return isinstance(kind, Array) and bool(kind.dims) and kind.kind in ("i", "u")


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


def is_ellipsis(index: Operand) -> bool:
    items: Iterator[Any] = iter(index) if isinstance(index, tuple) else iter((index,))
    return any(isinstance(i, Const) and i.value is Ellipsis for i in items)


def listed(fn: Any, table: Any) -> bool:
    try:
        return fn in table
    except TypeError:
        return False
