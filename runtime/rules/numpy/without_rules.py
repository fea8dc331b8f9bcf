"""Traits of functions that have no rule of their own: they are rewritten, or never differentiated."""

import _warnings
import builtins
import cmath
import collections
import inspect
import math
import operator
import sys

import numpy as np

from ...checkpointing import revolve
from ...helpers import linear
from ...user import batched, jacobian_blocks
from ..book import traits

# -- what a program asks and does --------------------------------------------------------

traits(builtins.getattr, reads="part", effect="none", answered=True)
traits(builtins.print, _warnings.warn, effect="speaks")
traits(builtins.eval, builtins.exec, builtins.locals, builtins.globals, effect="frame")
traits(sys._getframe, inspect.currentframe, effect="frame")
traits(collections.namedtuple, effect="none")
traits(str.__mod__, sign="%", gives="text", effect="none")
traits(str.format, str.format_map, gives="text", effect="none")
traits(builtins.range, builtins.isinstance, memory="new")
traits(builtins.any, builtins.all, memory="new", gives="truth", effect="looks")
traits(builtins.sum, builtins.sorted, builtins.complex, effect="looks")
traits(builtins.divmod, memory="new", effect="looks")
traits(builtins.hash, builtins.issubclass, builtins.callable, builtins.hasattr, memory="new")
traits(builtins.ascii, builtins.hex, builtins.oct, builtins.bin, memory="new", effect="looks")
traits(builtins.repr, builtins.str, builtins.format, memory="new")
traits(operator.length_hint, operator.countOf, operator.indexOf, memory="new")

# -- what the compiler may compute itself: of the class, dtype and rank of the arguments ---

traits(builtins.isinstance, builtins.type, builtins.callable, builtins.hasattr, folds="kinds")
traits(np.isscalar, np.ndim, np.iterable, np.iscomplexobj, np.isrealobj, folds="kinds")
traits(np.ndarray.ndim, np.ndarray.dtype, np.ndarray.itemsize, folds="kinds")
if hasattr(np.ndarray, "__array_namespace__"):
    traits(np.ndarray.__array_namespace__, folds="kinds")

# -- of their values

traits(builtins.issubclass, builtins.getattr, builtins.len, operator.getitem, folds="values")
traits(builtins.str, builtins.repr, builtins.format, builtins.ord, builtins.chr, folds="values")
traits(builtins.bool, builtins.int, builtins.float, builtins.abs, builtins.round, folds="values")
traits(
    builtins.min,
    builtins.max,
    builtins.all,
    builtins.any,
    builtins.sorted,
    str.__mod__,
    folds="values",
)
traits(builtins.min, builtins.max, builtins.all, builtins.any, builtins.sorted, unordered=True)
traits(builtins.sum, math.fsum, math.prod, unordered=True)  # but for rounding
traits(builtins.tuple, builtins.list, builtins.set, builtins.frozenset, folds="values")
traits(builtins.slice, folds="values", effect="none")
traits(
    builtins.list,
    builtins.max,
    builtins.min,
    builtins.set,
    builtins.sorted,
    builtins.sum,
    builtins.tuple,
    exhausts=True,
)
traits(np.dtype, np.finfo, np.iinfo, np.issubdtype, folds="values")
if hasattr(np, "isdtype"):
    traits(np.isdtype, folds="values")
traits(np.result_type, np.promote_types, np.can_cast, folds="values")

# -- NumPy's -----------------------------------------------------------------------------

traits(np.meshgrid, np.linalg.vecdot, np.linalg.trace, np.tri, memory="new")
traits(
    np.lexsort, np.argpartition, np.ndarray.argpartition, np.nanargmax, np.nanargmin, np.digitize, np.isin,
    np.ravel_multi_index, np.unravel_index, np.linalg.matrix_rank, np.shape, np.size, np.ndim, memory="new",
)  # fmt: skip
traits(
    np.iscomplex, np.isreal, np.isneginf, np.isposinf, np.array_equal, np.array_equiv, np.isscalar,
    np.iscomplexobj, np.isrealobj, np.iterable, memory="new",
)  # fmt: skip
traits(
    np.array_repr, np.array_str, np.array2string, np.shares_memory, np.may_share_memory,
    np.ndarray.tobytes, memory="new", effect="looks",
)  # fmt: skip
traits(getattr(np.ndarray, "device", None), memory="new", gives="text")
traits(np.ndarray.flags, memory="new")
traits(getattr(np, "astype", None), rank_0="kept")
traits(np.asmatrix, np.matrix, np.bmat, gives="matrix")
traits(
    np.copyto, np.put, np.place, np.putmask, np.put_along_axis, np.fill_diagonal, writes="argument"
)
traits(
    np.ndarray.sort, np.ndarray.fill, np.ndarray.put, np.ndarray.partition, np.ndarray.resize,
    np.ndarray.setfield, np.ndarray.byteswap, np.ndarray.setflags, np.ndarray.__setitem__, writes="argument",
)  # fmt: skip
traits(operator.setitem, operator.delitem, linear.augmented, writes="argument")

# -- sets, and other functions of which the result is no argument, and no view of one ------

traits(np.intersect1d, np.setdiff1d, np.setxor1d, np.union1d, memory="new")
traits(*(getattr(np, f"unique_{what}", None) for what in ("all", "counts", "inverse", "values")),
       memory="new")  # fmt: skip
traits(np.tril_indices, np.triu_indices, np.tril_indices_from, np.triu_indices_from, memory="new")
traits(np.diag_indices, np.diag_indices_from, np.packbits, memory="new")
traits(np.histogram_bin_edges, memory="either", new_if="counted")

# -- helpers -----------------------------------------------------------------------------

traits(linear.write, linear.increase, writes="version", rank_0="either", zeros="places")
traits(linear.attribute_or, linear.places_of_true, effect="none")
traits(revolve.keep_state, looks=True)
traits(linear.hooked, gives="container")
traits(batched.repeated, batched.match_each, batched.matmul_each, batched.sum_each, memory="new")
traits(
    jacobian_blocks.unit_directions,
    jacobian_blocks.jacobian_block,
    jacobian_blocks.jacobian_blocks,
    memory="new",
)

# -- missing data ------------------------------------------------------------------------

traits(  # they pass over nan
    np.nansum, np.nanprod, np.nanmean, np.nanvar, np.nanstd, np.nanmax, np.nanmin, np.nanmedian,
    np.nanpercentile, np.nanquantile, np.nancumsum, np.nancumprod, np.nanargmax, np.nanargmin,
    np.nan_to_num, np.fmax, np.fmin, np.fmax.reduce, np.fmin.reduce, np.fmax.accumulate,
    np.fmin.accumulate, expects="nan",
)  # fmt: skip
traits(np.isnan, np.isfinite, math.isnan, math.isfinite, cmath.isnan, cmath.isfinite, expects="nan")
traits(operator.eq, operator.ne, np.equal, np.not_equal, expects="nan in both")
