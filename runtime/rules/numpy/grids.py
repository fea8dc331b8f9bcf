"""Rules of blocks, grids and several arrays of one shape: ``np.r_``, `block`, `meshgrid`, `ix_`."""

import numpy as np

from ...helpers import linear
from ..book import constant, rule, transpose

constant(linear.numbered, np.broadcast_shapes)


@rule(linear.row, memory="new", spelled="np.r_[x]")
def row(z, items, *, ditems):
    return linear.row(ditems)


@rule(linear.columns, memory="new", spelled="np.c_[x]")
def columns(z, items, *, ditems):
    return linear.columns(ditems)


@rule(linear.unrow)
def unrow(z, c, like, *, dc):
    return linear.unrow(dc, like)


@rule(linear.uncolumns)
def uncolumns(z, c, like, *, dc):
    return linear.uncolumns(dc, like)


@transpose(linear.row, argument="items")
def _(c, items):
    return linear.unrow(c, items)


@transpose(linear.columns, argument="items")
def _(c, items):
    return linear.uncolumns(c, items)


@transpose(linear.unrow, argument="c")
def _(c_bar, c, like):
    return linear.row(c_bar)


@transpose(linear.uncolumns, argument="c")
def _(c_bar, c, like):
    return linear.columns(c_bar)


@rule(np.block, several=("arrays",), memory="new", rank_0="array")
def block(z, arrays, *, darrays):
    return linear.block_of(darrays)


@rule(linear.block_of)
def block_of(z, items, *, ditems):
    return linear.block_of(ditems)


@rule(linear.blocks_like)
def blocks_like(z, c, like, *, dc):
    return linear.blocks_like(dc, like)


@transpose(linear.block_of, argument="items")
def _(c, items):
    return linear.blocks_like(c, items)


@transpose(linear.blocks_like, argument="c")
def _(c_bar, c, like):
    return linear.block_of(c_bar)


# --- one array for each of several ----------------------------------------------------------


@rule(np.ix_, gives="container")
def ix_(z, *args, dargs):
    return linear.reshape_each(dargs, z)


@rule(linear.reshape_each)
def reshape_each(z, cs, like, *, dcs):
    return linear.reshape_each(dcs, like)


@transpose(linear.reshape_each, argument="cs")
def _(c, cs, like):
    return linear.reshape_each(c, cs)


@rule(np.broadcast_arrays, rank_0="array")
def broadcast_arrays(z, *args, dargs):
    return linear.stretch_each(dargs, z)


@rule(linear.stretch_each)
def stretch_each(z, cs, like, *, dcs):
    return linear.stretch_each(dcs, like)


@rule(linear.unstretch_each)
def unstretch_each(z, cs, like, *, dcs):
    return linear.unstretch_each(dcs, like)


@transpose(linear.stretch_each, argument="cs")
def _(c, cs, like):
    return linear.unstretch_each(c, cs)


@transpose(linear.unstretch_each, argument="cs")
def _(c, cs, like):
    return linear.stretch_each(c, cs)


@rule(
    linear.meshgrid,
    memory="new",
    new_if="copied",
    spelled="np.meshgrid(*x, indexing=, sparse=, copy=)",
)
def meshgrid(z, items, indexing="xy", sparse=False, copy=True, *, ditems):
    return linear.meshgrid(ditems, indexing, sparse)


@rule(linear.unmeshgrid)
def unmeshgrid(z, cs, like, indexing="xy", *, dcs):
    return linear.unmeshgrid(dcs, like, indexing)


@transpose(linear.meshgrid, argument="items")
def _(c, items, indexing="xy", sparse=False, copy=True):
    return linear.unmeshgrid(c, items, indexing)


@transpose(linear.unmeshgrid, argument="cs")
def _(c_bar, cs, like, indexing="xy"):
    return linear.stretch_each(linear.meshgrid(c_bar, indexing, True), cs)
