"""Traits of functions that have no rule of their own: they are rewritten, or never differentiated."""

import _warnings
import builtins
import inspect
import operator
import sys

import numpy as np

from ...checkpointing import revolve
from ...helpers import linear
from ...user import batched
from ..book import traits

# -- what a program asks and does --------------------------------------------------------

traits(builtins.getattr, reads="part", effect="none", answered=True)
traits(builtins.print, _warnings.warn, effect="speaks")
traits(builtins.eval, builtins.exec, builtins.locals, builtins.globals, effect="frame")
traits(sys._getframe, inspect.currentframe, effect="frame")
traits(str.__mod__, sign="%", gives="text", effect="none")
traits(builtins.range, builtins.isinstance, memory="new")
traits(operator.length_hint, operator.countOf, operator.indexOf, memory="new")

# -- NumPy's -----------------------------------------------------------------------------

traits(np.meshgrid, np.linalg.vecdot, memory="new")
traits(getattr(np, "astype", None), rank_0="either")
traits(np.asmatrix, np.matrix, np.bmat, gives="matrix")
traits(
    np.copyto, np.put, np.place, np.putmask, np.put_along_axis, np.fill_diagonal, writes="argument"
)
traits(
    np.ndarray.sort, np.ndarray.fill, np.ndarray.put, np.ndarray.partition, np.ndarray.resize,
    np.ndarray.setfield, np.ndarray.byteswap, np.ndarray.setflags, np.ndarray.__setitem__, writes="argument",
)  # fmt: skip
traits(operator.setitem, operator.delitem, writes="argument")

# -- helpers -----------------------------------------------------------------------------

traits(linear.write, linear.increase, writes="version", rank_0="either", zeros="places")
traits(linear.attribute_or, linear.places_of_true, effect="none")
traits(revolve.keep_state, looks=True)
traits(linear.hooked, gives="container")
traits(batched.repeated, batched.match_each, batched.matmul_each, batched.sum_each, memory="new")
