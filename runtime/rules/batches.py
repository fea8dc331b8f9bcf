"""Batches of examples: the rules of their helpers, and what is known of operations on a batch."""

import builtins
import math
import operator

import numpy as np

from ..helpers import linear
from ..helpers.batches import examples
from .book import constant, rule, transpose
from .traits import traits

constant(
    examples.rank_of_examples,
    examples.example_count,
    examples.within_examples,
    examples.first_example,
)


@rule(examples.aligned, memory="view", moves=True)
def aligned(z, x, rank, *, dx):
    return examples.aligned(dx, rank)


@transpose(examples.aligned, argument="x")
def _(c, x, rank):
    return linear.reshape_like(c, x)


@rule(examples.flat_examples, moves=True)
def flat_examples(z, x, *, dx):
    return examples.flat_examples(dx)


@transpose(examples.flat_examples, argument="x")
def _(c, x):
    return linear.reshape_like(c, x)


traits(examples.first_example, of_nothing=True)


@rule(examples.example, unlisted=("tree",), gives="container", of_nothing=True)
def example(z, tree, i, *, dtree):
    return examples.example(dtree, i)


@transpose(examples.example, argument="tree")
def _(c, tree, i):
    return examples.put_example(c, tree, i)


@rule(examples.put_example, unlisted=("c", "like"), gives="container")
def put_example(z, c, like, i, *, dc):
    return examples.put_example(dc, like, i)


@transpose(examples.put_example, argument="c")
def _(c_bar, c, like, i):
    return examples.example(c_bar, i)


@rule(examples.of_examples, unlisted=("trees",), gives="container")
def of_examples(z, trees, *, dtrees):
    return examples.of_examples(dtrees)


@transpose(examples.of_examples, argument="trees")
def _(c, trees):
    return examples.examples_like(c, trees)


@rule(examples.examples_like, unlisted=("c", "like"), gives="container")
def examples_like(z, c, like, *, dc):
    return examples.examples_like(dc, like)


@transpose(examples.examples_like, argument="c")
def _(c_bar, c, like):
    return examples.of_examples(c_bar)


@rule(examples.repeated_examples, memory="new", unlisted=("tree",), gives="container")
def repeated_examples(z, tree, k, *, dtree):
    return examples.repeated_examples(dtree, k)


@transpose(examples.repeated_examples, argument="tree")
def _(c, tree, k):
    return examples.summed_examples(c)


@rule(examples.summed_examples, unlisted=("tree",), gives="container")
def summed_examples(z, tree, *, dtree):
    return examples.summed_examples(dtree)


@transpose(examples.summed_examples, argument="tree")
def _(c, tree):
    return examples.repeated_examples(c, examples.example_count(tree))


@rule(examples.unbroadcast_examples)
def unbroadcast_examples(z, c, like, varies, *, dc):
    return examples.unbroadcast_examples(dc, like, varies)


@transpose(examples.unbroadcast_examples, argument="c")
def _(c_bar, c, like, varies):
    return examples.stretch_examples(c_bar, c)


@rule(examples.stretch_examples)
def stretch_examples(z, c, like, *, dc):
    return examples.stretch_examples(dc, like)


@transpose(examples.stretch_examples, argument="c")
def _(c_bar, c, like):
    return examples.unbroadcast_examples(c_bar, c, True)


@rule(examples.examples_first, unlisted=("tree",), gives="container")
def examples_first(z, tree, axes, k, *, dtree):
    return examples.examples_first(dtree, axes, k)


@transpose(examples.examples_first, argument="tree")
def _(c, tree, axes, k):
    return examples.examples_moved(c, axes)


@rule(examples.examples_moved, unlisted=("tree",), gives="container")
def examples_moved(z, tree, axes, *, dtree):
    return examples.examples_moved(dtree, axes)


@transpose(examples.examples_moved, argument="tree")
def _(c, tree, axes):
    return examples.examples_first(c, axes, examples.example_count(tree))


# -- operations on a batch -------------------------------------------------------------------------

traits(
    np.ndarray.dtype, np.ndarray.ndim, np.ndarray.itemsize, np.ndim, np.isscalar, np.result_type, builtins.isinstance,
    builtins.type, linear.degrees, linear.derivative_factors, linear.integral_factors, linear.exponents, batch="kind",
)  # fmt: skip
traits(
    operator.floordiv, operator.and_, operator.or_, operator.xor, operator.invert, operator.inv, operator.lshift,
    operator.rshift, np.fix, np.isneginf, np.isposinf, np.iscomplex, np.isreal, np.sinc, np.i0, np.angle,
    linear.stop_gradient, linear.sign, linear.turn_rate, linear.circle, linear.hyperbola, linear.polygamma,
    linear.bessel_i, linear.sinc_derivative, linear.hyperbola_above, batch="entries",
)  # fmt: skip
traits(np.frexp, np.modf, np.divmod, builtins.divmod, batch="alone")
traits(
    np.sum, np.ndarray.sum, np.add.reduce, np.mean, np.ndarray.mean, np.prod, np.ndarray.prod, np.multiply.reduce,
    np.max, np.amax, np.ndarray.max, np.maximum.reduce, np.min, np.amin, np.ndarray.min, np.minimum.reduce, np.ptp,
    np.std, np.ndarray.std, np.var, np.ndarray.var, np.any, np.ndarray.any, np.all, np.ndarray.all, np.nansum,
    np.nanmean, np.nanprod, np.nanmax, np.nanmin, np.nanstd, np.nanvar, np.count_nonzero, np.logical_and.reduce,
    np.logical_or.reduce, np.fmax.reduce, np.fmin.reduce, np.logaddexp.reduce, np.median, np.nanmedian, np.quantile,
    np.percentile, np.flip, np.squeeze, np.ndarray.squeeze, np.fft.fftn, np.fft.ifftn, np.fft.rfftn, np.fft.irfftn,
    np.fft.fftshift, np.fft.ifftshift, np.linalg.vector_norm, np.lib.stride_tricks.sliding_window_view, linear.others,
    linear.norm_weight, linear.spectral_norm, linear.spectral_slope, linear.matrices, linear.unmatrices, linear.unrows,
    linear.share_ties, linear.share_start, linear.unreduce, batch="all",
)  # fmt: skip
traits(
    np.argmax, np.ndarray.argmax, np.argmin, np.ndarray.argmin, np.cumsum, np.ndarray.cumsum, np.cumprod,
    np.ndarray.cumprod, np.nancumsum, np.nancumprod, np.take, np.ndarray.take, np.repeat, np.ndarray.repeat,
    np.compress, np.ndarray.compress, np.delete, np.partition, linear.rows, linear.uncumsum, linear.untake,
    linear.uncompress, linear.extract, linear.embed, linear.delete_pull, linear.repeat_pull, linear.insert_array,
    linear.insert_values, linear.insert_array_pull, linear.insert_values_pull, batch="flat",
)  # fmt: skip
traits(
    np.sort, np.argsort, np.ndarray.argsort, np.diff, np.unwrap, np.fft.fft, np.fft.ifft, np.fft.rfft, np.fft.irfft,
    np.fft.hfft, np.fft.ihfft, np.fft.fft2, np.fft.ifft2, np.fft.rfft2, np.fft.irfft2, np.expand_dims, linear.softmax,
    linear.log_softmax, np.add.accumulate, np.multiply.accumulate, np.maximum.accumulate, np.minimum.accumulate,
    np.fmax.accumulate, np.fmin.accumulate, np.add.reduceat, np.split, np.array_split, getattr(np, "unstack", None),
    np.rot90, linear.undiff, linear.doubled, linear.halved, linear.reduceat, linear.spread_at, linear.restored,
    linear.undiagonal, linear.untrace, linear.thin, linear.some, np.trace, np.ndarray.trace, np.diagonal,
    np.ndarray.diagonal, batch="last",
)  # fmt: skip
traits(
    np.float32, np.complex64, np.complex128, np.sort_complex, np.asarray_chkfinite, np.asanyarray, np.require, np.cross,
    np.linalg.cross, np.linspace, np.geomspace, np.linalg.diagonal, np.linalg.trace, np.linalg.matrix_transpose,
    np.linalg.matrix_norm, linear.delay, linear.advance, linear.before, linear.unpick, linear.if_float, linear.convert,
    linear.stretch_over, linear.one_if_none, linear.reciprocal, linear.gaps, linear.vector_gaps, linear.singular_gaps,
    linear.spectral_cond, linear.column, linear.uncolumn, linear.cofactor, linear.herm, linear.hermitian, linear.phi,
    linear.upper_part, linear.upper_pull, linear.qr_r, linear.solve_for, linear.apply, linear.turn, linear.turn_pull,
    linear.cofactor_push, linear.row_products, linear.solve_lower, linear.over, linear.recur, linear.recur_back,
    linear.steady, linear.leading, linear.cross, np.array, np.asarray, np.float64, np.linalg.det, np.linalg.inv,
    np.linalg.slogdet, np.linalg.cholesky, np.linalg.eigh, np.linalg.eigvalsh, np.linalg.eig, np.linalg.eigvals,
    np.linalg.svd, np.linalg.svdvals, np.linalg.qr, np.linalg.pinv, np.linalg.matrix_rank, np.linalg.matrix_power,
    np.linalg.cond, np.linalg.solve, batch="leading",
)  # fmt: skip
traits(
    linear.fit, linear.top, linear.untop, linear.eigenvectors, linear.nothing, linear.along_first, operator.imatmul,
    linear.if_there, linear.reshape_like, batch="wide",
)  # fmt: skip
traits(
    operator.add, operator.sub, operator.mul, operator.neg, operator.pos, operator.abs, operator.lt, operator.le,
    operator.gt, operator.ge, operator.eq, operator.ne, operator.not_, np.add, np.subtract, np.multiply, np.negative,
    np.positive, np.abs, np.fabs, np.square, np.maximum, np.minimum, np.sin, np.cos, np.tanh, np.arctan, np.sign,
    np.where, np.less, np.less_equal, np.greater, np.greater_equal, np.equal, np.not_equal, np.logical_and,
    np.logical_or, np.logical_not, np.isnan, np.isfinite, np.floor, np.ceil, np.clip, math.sin, math.cos, math.tanh,
    math.atan, math.fabs, linear.sigmoid, linear.relu, linear.sign, quiet=True,
)  # fmt: skip
