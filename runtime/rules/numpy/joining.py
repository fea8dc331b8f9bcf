"""Joining and cutting: concatenate, stack, split, insert, delete, append."""

import numpy as np

from ...helpers import linear
from ..book import rule, transpose


@rule(np.concatenate, several=("arrays",), memory="new", moves=True)
def concatenate(z, arrays, axis=0, *, darrays):
    return np.concatenate(darrays, axis=axis)


@rule(np.stack, several=("arrays",), memory="new", moves=True)
def stack(z, arrays, axis=0, *, darrays):
    return np.stack(darrays, axis=axis)


@rule(np.vstack, several=("tup",), memory="new", moves=True)
def vstack(z, tup, *, dtup):
    return np.vstack(dtup)


@rule(np.hstack, several=("tup",), memory="new", moves=True)
def hstack(z, tup, *, dtup):
    return np.hstack(dtup)


@rule(np.dstack, several=("tup",), memory="new", moves=True)
def dstack(z, tup, *, dtup):
    return np.dstack(dtup)


@rule(np.column_stack, several=("tup",), memory="new", moves=True)
def column_stack(z, tup, *, dtup):
    return np.column_stack(dtup)


@transpose(np.concatenate, argument="arrays")
def _(c, arrays, axis=0):
    return linear.split_like(c, like=arrays, axis=axis)


@transpose(np.stack, argument="arrays")
def _(c, arrays, axis=0):
    return linear.unstack_like(c, like=arrays, axis=axis)


@transpose(np.vstack, argument="tup")
def _(c, tup):
    return linear.vsplit_like(c, like=tup)


@transpose(np.hstack, argument="tup")
def _(c, tup):
    return linear.hsplit_like(c, like=tup)


@transpose(np.dstack, argument="tup")
def _(c, tup):
    return linear.dsplit_like(c, like=tup)


@transpose(np.column_stack, argument="tup")
def _(c, tup):
    return linear.columns_like(c, like=tup)


@rule(linear.split_like)
def split_like(z, c, like, axis=0, *, dc):
    return linear.split_like(dc, like=like, axis=axis)


@rule(linear.unstack_like)
def unstack_like(z, c, like, axis=0, *, dc):
    return linear.unstack_like(dc, like=like, axis=axis)


@rule(linear.vsplit_like)
def vsplit_like(z, c, like, *, dc):
    return linear.vsplit_like(dc, like=like)


@rule(linear.hsplit_like)
def hsplit_like(z, c, like, *, dc):
    return linear.hsplit_like(dc, like=like)


@rule(linear.dsplit_like)
def dsplit_like(z, c, like, *, dc):
    return linear.dsplit_like(dc, like=like)


@rule(linear.columns_like)
def columns_like(z, c, like, *, dc):
    return linear.columns_like(dc, like=like)


@transpose(linear.split_like, argument="c")
def _(c_bar, c, like, axis=0):
    return np.concatenate(c_bar, axis=axis)


@transpose(linear.unstack_like, argument="c")
def _(c_bar, c, like, axis=0):
    return np.stack(c_bar, axis=axis)


@transpose(linear.vsplit_like, argument="c")
def _(c_bar, c, like):
    return np.vstack(c_bar)


@transpose(linear.hsplit_like, argument="c")
def _(c_bar, c, like):
    return np.hstack(c_bar)


@transpose(linear.dsplit_like, argument="c")
def _(c_bar, c, like):
    return np.dstack(c_bar)


@transpose(linear.columns_like, argument="c")
def _(c_bar, c, like):
    return np.column_stack(c_bar)


# cutting


# of a list they count the items, whatever the axis
@rule(np.split, np.array_split, unlisted=("ary",), moves=True, gives="container")
def split(z, ary, indices_or_sections, axis=0, *, dary):
    return np.array_split(dary, indices_or_sections, axis=axis)


@rule(np.hsplit, gives="container")
def hsplit(z, ary, indices_or_sections, *, dary):
    return np.hsplit(dary, indices_or_sections)


@rule(np.vsplit, gives="container")
def vsplit(z, ary, indices_or_sections, *, dary):
    return np.vsplit(dary, indices_or_sections)


@rule(linear.unsplit)
def unsplit(z, c, like, indices_or_sections, axis=0, *, dc):
    return linear.unsplit(dc, like, indices_or_sections, axis)


@transpose(np.split, np.array_split, argument="ary")
def _(c, ary, indices_or_sections, axis=0):
    return linear.unsplit(c, ary, indices_or_sections, axis)


@transpose(np.hsplit, argument="ary")
def _(c, ary, indices_or_sections):
    return linear.unsplit(c, ary, indices_or_sections, linear.column_axis(ary))


@transpose(np.vsplit, argument="ary")
def _(c, ary, indices_or_sections):
    return linear.unsplit(c, ary, indices_or_sections, 0)


@transpose(linear.unsplit, argument="c")
def _(c_bar, c, like, indices_or_sections, axis=0):
    return np.array_split(c_bar, indices_or_sections, axis=axis)


# append, insert, delete


@rule(np.append, memory="new", moves=True)
def append(z, arr, values, axis=None, *, darr, dvalues):
    return linear.embed(darr, z, axis) + linear.embed(dvalues, z, axis, True)


@rule(linear.embed, zeros="places")
def embed(z, x, like, axis=None, last=False, *, dx):
    return linear.embed(dx, like, axis, last)


@rule(linear.extract)
def extract(z, c, like, axis=None, last=False, *, dc):
    return linear.extract(dc, like, axis, last)


@transpose(linear.embed, argument="x")
def _(c, x, like, axis=None, last=False):
    return linear.extract(c, x, axis, last)


@transpose(linear.extract, argument="c")
def _(c_bar, c, like, axis=None, last=False):
    return linear.embed(c_bar, c, axis, last)


@rule(np.delete, memory="new", moves=True)
def delete(z, arr, obj, axis=None, *, darr):
    return np.delete(darr, obj, axis=axis)


@rule(linear.delete_pull)
def delete_pull(z, c, like, obj, axis=None, *, dc):
    return linear.delete_pull(dc, like, obj, axis)


@transpose(np.delete, argument="arr")
def _(c, arr, obj, axis=None):
    return linear.delete_pull(c, arr, obj, axis)


@transpose(linear.delete_pull, argument="c")
def _(c_bar, c, like, obj, axis=None):
    return np.delete(c_bar, obj, axis=axis)


@rule(np.insert, memory="new")
def insert(z, arr, obj, values, axis=None, *, darr, dvalues):
    return linear.insert_array(darr, obj, values, axis) + linear.insert_values(
        dvalues, arr, obj, axis
    )


@rule(linear.insert_array)
def insert_array(z, x, obj, like, axis=None, *, dx):
    return linear.insert_array(dx, obj, like, axis)


@rule(linear.insert_values)
def insert_values(z, values, like, obj, axis=None, *, dvalues):
    return linear.insert_values(dvalues, like, obj, axis)


@rule(linear.insert_array_pull, constant_in=("values",))
def insert_array_pull(z, c, like, obj, values, axis=None, *, dc):
    return linear.insert_array_pull(dc, like, obj, values, axis)


@rule(linear.insert_values_pull, constant_in=("arr",), rank_0="either")
def insert_values_pull(z, c, like, arr, obj, axis=None, *, dc):
    return linear.insert_values_pull(dc, like, arr, obj, axis)


@transpose(linear.insert_array, argument="x")
def _(c, x, obj, like, axis=None):
    return linear.insert_array_pull(c, x, obj, like, axis)


@transpose(linear.insert_values, argument="values")
def _(c, values, like, obj, axis=None):
    return linear.insert_values_pull(c, values, like, obj, axis)


@transpose(linear.insert_array_pull, argument="c")
def _(c_bar, c, like, obj, values, axis=None):
    return linear.insert_array(c_bar, obj, values, axis)


@transpose(linear.insert_values_pull, argument="c")
def _(c_bar, c, like, arr, obj, axis=None):
    return linear.insert_values(c_bar, arr, obj, axis)


if hasattr(np, "unstack"):  # NumPy 2.1

    @rule(np.unstack, gives="container")
    def unstack(z, x, axis=0, *, dx):
        return np.unstack(dx, axis=axis)

    @transpose(np.unstack, argument="x")
    def _(c, x, axis=0):
        return np.stack(c, axis=axis)
