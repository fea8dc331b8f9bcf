"""Rules of lists whose length is known at run time."""

import bisect
import builtins

import numpy as np

from ...helpers import linear
from ..book import constant, rule, traits, transpose

constant(
    linear.place_of, linear.count_of, linear.order_of, linear.best_of, linear.check_kinds,
    linear.combinations, linear.permutations, linear.multisets, linear.visits, linear.times_of,
    linear.check_alone, linear.check_count, linear.check_enough, linear.check_rows, linear.check_holds, linear.index_of, linear.times_in,
    linear.starred, bisect.bisect_left, bisect.bisect_right,
)  # fmt: skip


@rule(linear.appended, gives="container", puts="item", new_if="numbers")
def appended(z, items, item, *, ditems, ditem):
    return linear.appended(ditems, ditem)


@transpose(linear.appended, argument="items")
def _(c, items, item):
    return c[:-1]


@transpose(linear.appended, argument="item")
def _(c, items, item):
    return c[-1]


@rule(linear.joined, gives="container", new_if="numbers")
def joined(z, first, second, *, dfirst, dsecond):
    return linear.joined(dfirst, dsecond)


@transpose(linear.joined, argument="first")
def _(c, first, second):
    return c[: linear.count_of(first)]


@transpose(linear.joined, argument="second")
def _(c, first, second):
    return c[linear.count_of(first) :]


@rule(linear.repeated_list, constant_in=("count",), gives="container", new_if="numbers")
def repeated_list(z, items, count, *, ditems):
    return linear.repeated_list(ditems, count)


@transpose(linear.repeated_list, argument="items")
def _(c, items, count):
    return linear.folded(c, items)


@rule(linear.folded, constant_in=("items",), gives="container", new_if="numbers")
def folded(z, c, items, *, dc):
    return linear.folded(dc, items)


@transpose(linear.folded, argument="c")
def _(c_bar, c, items):
    return linear.repeated_list(c_bar, linear.times_of(c, items))


@rule(linear.spliced, constant_in=("index",), gives="container", new_if="numbers")
def spliced(z, items, index, new, *, ditems, dnew):
    return linear.spliced(ditems, index, dnew)


@transpose(linear.spliced, argument="items")
def _(c, items, index, new):
    return linear.unspliced(c, index, items, new)


@transpose(linear.spliced, argument="new")
def _(c, items, index, new):
    return linear.spliced_in(c, index, items, new)


@rule(linear.unspliced, constant_in=("index", "items", "new"), gives="container", new_if="numbers")
def unspliced(z, c, index, items, new, *, dc):
    return linear.unspliced(dc, index, items, new)


@transpose(linear.unspliced, argument="c")
def _(c_bar, c, index, items, new):
    return linear.spliced(c_bar, index, linear.zeros_like(new))


@rule(linear.spliced_in, constant_in=("index", "items", "new"), gives="container")
def spliced_in(z, c, index, items, new, *, dc):
    return linear.spliced_in(dc, index, items, new)


@transpose(linear.spliced_in, argument="c")
def _(c_bar, c, index, items, new):
    return linear.spliced(linear.zeros_like(items), index, c_bar)


@rule(linear.plain, effect="none")
def plain(z, x, *, dx):
    return dx


@transpose(linear.plain, argument="x")
def _(c, x):
    return c


@rule(linear.snapshot, effect="none")
def snapshot(z, x, *, dx):
    return dx


@transpose(linear.snapshot, argument="x")
def _(c, x):
    return c


@rule(linear.gone_over, gives="container", effect="none")
def gone_over(z, x, *, dx):
    return linear.gone_over(dx)


@transpose(linear.gone_over, argument="x")
def _(c, x):
    return linear.regathered(c, x)


@rule(linear.regathered, constant_in=("like",), gives="container", effect="none")
def regathered(z, items, like, *, ditems):
    return linear.regathered(ditems, like)


@transpose(linear.regathered, argument="items")
def _(c, items, like):
    return linear.gone_over(c)


@rule(
    linear.replaced,
    constant_in=("index",),
    keeps_length=True,
    gives="container",
    puts="item",
    new_if="numbers",
)
def replaced(z, items, index, item, *, ditems, ditem):
    return linear.replaced(ditems, index, ditem)


@transpose(linear.replaced, argument="items")
def _(c, items, index, item):
    return linear.cleared(c, index, items)


@transpose(linear.replaced, argument="item")
def _(c, items, index, item):
    return c[index]


@rule(linear.cleared, constant_in=("index",), gives="container", new_if="numbers")
def cleared(z, c, index, like=None, *, dc):
    return linear.cleared(dc, index, like)


@transpose(linear.cleared, argument="c")
def _(c_bar, c, index, like=None):
    return linear.cleared(c_bar, index, c)


traits(linear.replaced, writes="item")


@rule(linear.inserted, constant_in=("index",), gives="container", puts="item", new_if="numbers")
def inserted(z, items, index, item, *, ditems, ditem):
    return linear.inserted(ditems, index, ditem)


@transpose(linear.inserted, argument="items")
def _(c, items, index, item):
    return linear.removed(c, linear.place_of(items, index))


@transpose(linear.inserted, argument="item")
def _(c, items, index, item):
    return c[linear.place_of(items, index)]


@rule(linear.removed, constant_in=("index",), gives="container", new_if="numbers")
def removed(z, items, index=-1, *, ditems):
    return linear.removed(ditems, index)


@transpose(linear.removed, argument="items")
def _(c, items, index=-1):
    return linear.put_back(c, items, index)


@rule(linear.put_back, constant_in=("index",), gives="container", new_if="numbers")
def put_back(z, c, like, index=-1, *, dc):
    return linear.put_back(dc, like, index)


@transpose(linear.put_back, argument="c")
def _(c_bar, c, like, index=-1):
    return linear.removed(c_bar, index)


@rule(linear.norm_of, memory="new")
def norm_of(z, xs, *, dxs):
    return linear.divide_or_zero(np.dot(xs, dxs), z)


@rule(linear.items, memory="either", new_if="numbers")
def listed(z, x, *, dx):
    return linear.items(dx)


@transpose(linear.items, argument="x")
def _(c, x):
    return np.array(c)


@rule(builtins.tuple, linear.frozen, gives="container", memory="either")
def frozen(z, items, *, ditems):
    return linear.frozen(ditems)


@transpose(linear.frozen, argument="items")
def _(c, items):
    return linear.thawed(c)


@rule(linear.thawed, gives="container", memory="either")
def thawed(z, items, *, ditems):
    return linear.thawed(ditems)


@transpose(linear.thawed, argument="items")
def _(c, items):
    return c


@rule(np.ndarray.tolist, memory="new", gives="container")
def tolist(z, x, *, dx):
    return np.ndarray.tolist(dx)


@transpose(np.ndarray.tolist, argument="x")
def _(c, x):
    return np.array(c)


traits(
    linear.order_of,
    linear.best_of,
    linear.combinations,
    linear.permutations,
    linear.multisets,
    linear.visits,
    memory="new",
)
