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


@rule(examples.example, unlisted=("tree",), gives="container")
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
    builtins.type, batch="kind",
)  # fmt: skip
traits(
    operator.floordiv, operator.and_, operator.or_, operator.xor, operator.invert, operator.inv, operator.lshift,
    operator.rshift, np.fix, np.isneginf, np.isposinf, np.iscomplex, np.isreal, np.sinc, np.i0, np.angle,
    linear.stop_gradient, batch="entries",
)  # fmt: skip
traits(np.frexp, np.modf, np.divmod, builtins.divmod, batch="alone")
traits(
    operator.add, operator.sub, operator.mul, operator.neg, operator.pos, operator.abs, operator.lt, operator.le,
    operator.gt, operator.ge, operator.eq, operator.ne, operator.not_, np.add, np.subtract, np.multiply, np.negative,
    np.positive, np.abs, np.fabs, np.square, np.maximum, np.minimum, np.sin, np.cos, np.tanh, np.arctan, np.sign,
    np.where, np.less, np.less_equal, np.greater, np.greater_equal, np.equal, np.not_equal, np.logical_and,
    np.logical_or, np.logical_not, np.isnan, np.isfinite, np.floor, np.ceil, np.clip, math.sin, math.cos, math.tanh,
    math.atan, math.fabs, linear.sigmoid, linear.relu, linear.sign, quiet=True,
)  # fmt: skip
