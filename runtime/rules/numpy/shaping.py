"""Shaping: reshape, transpose, join, cut, repeat, pad, flip, diagonals."""

import numpy as np

from ...helpers import linear
from ..book import constant, rule, traits, transpose

constant(linear.column_axis, linear.inverse_axes, linear.inverse_roll, linear.one_tuple)

# reshape and its kin


@rule(np.reshape, memory="either", view_if="in order", keeps_order=True, moves=True)
def reshape(z, a, shape, order="C", copy=None, *, da):
    return np.reshape(da, shape, order=linear.plain_order(order))


@rule(np.ndarray.reshape, memory="either", view_if="in order", keeps_order=True, moves=True)
def reshape_method(z, x, *shape, dx):
    return np.reshape(dx, z.shape)


@rule(np.ravel, np.ndarray.ravel, memory="either", view_if="in order", keeps_order=True, moves=True)
def ravel(z, a, order="C", *, da):
    return np.ravel(da, order=linear.plain_order(order))


@rule(np.ndarray.flatten, memory="new", moves=True)
def flatten(z, a, order="C", *, da):
    return np.ravel(da, order=linear.plain_order(order))


@rule(np.squeeze, np.ndarray.squeeze, memory="view", keeps_order=True, moves=True)
def squeeze(z, a, axis=None, *, da):
    return np.squeeze(da, axis=axis)


@rule(np.expand_dims, memory="view", keeps_order=True, moves=True)
def expand_dims(z, a, axis, *, da):
    return np.expand_dims(da, axis)


@rule(np.atleast_1d, memory="view", itself_if="rank 1", keeps_order=True, moves=True)
def atleast_1d(z, x, *, dx):
    return np.atleast_1d(dx)


@rule(np.atleast_2d, memory="view", itself_if="rank 2", keeps_order=True, moves=True)
def atleast_2d(z, x, *, dx):
    return np.atleast_2d(dx)


@rule(np.atleast_3d, memory="view", itself_if="rank 3")
def atleast_3d(z, x, *, dx):
    return np.atleast_3d(dx)


@rule(linear.reshape_like)
def reshape_like(z, c, like, order="C", *, dc):
    return linear.reshape_like(dc, like=like, order=order)


@transpose(np.reshape, argument="a")
def _(c, a, shape, order="C"):
    return linear.reshape_like(c, like=a, order=order)


@transpose(np.ndarray.reshape, argument="x")
def _(c, x, *shape):
    return linear.reshape_like(c, like=x)


@transpose(np.ravel, np.ndarray.ravel, np.ndarray.flatten, argument="a")
def _(c, a, order="C"):
    return linear.reshape_like(c, like=a, order=order)


@transpose(np.squeeze, np.ndarray.squeeze, np.expand_dims, argument="a")
def _(c, a, axis=None):
    return linear.reshape_like(c, like=a)


@transpose(np.atleast_1d, np.atleast_2d, np.atleast_3d, argument="x")
def _(c, x):
    return linear.reshape_like(c, like=x)


@transpose(linear.reshape_like, argument="c")
def _(c_bar, c, like, order="C"):
    return linear.reshape_like(c_bar, like=c, order=order)


# order of the axes


@rule(np.transpose, memory="view", axes="turned", moves=True)
def transpose_axes(z, a, axes=None, *, da):
    return np.transpose(da, axes)


@rule(np.ndarray.transpose, memory="view", axes="turned", moves=True)
def transpose_method(z, a, *axes, da):
    return np.transpose(da, linear.one_tuple(axes))


@rule(np.ndarray.T, memory="view", axes="turned", moves=True)
def T(z, a, *, da):
    return da.T


@rule(np.matrix_transpose, np.ndarray.mT, linear.mT)
def mT(z, x, *, dx):
    return linear.mT(dx)


@transpose(np.matrix_transpose, np.ndarray.mT, linear.mT, argument="x")
def _(c, x):
    return linear.mT(c)


@rule(np.swapaxes, np.ndarray.swapaxes, memory="view", axes="reordered", moves=True)
def swapaxes(z, a, axis1, axis2, *, da):
    return np.swapaxes(da, axis1, axis2)


@rule(np.moveaxis, memory="view", axes="reordered", moves=True)
def moveaxis(z, a, source, destination, *, da):
    return np.moveaxis(da, source, destination)


@rule(np.rollaxis, memory="view", axes="reordered", moves=True)
def rollaxis(z, a, axis, start=0, *, da):
    return np.rollaxis(da, axis, start)


@transpose(np.transpose, argument="a")
def _(c, a, axes=None):
    return np.transpose(c, linear.inverse_axes(axes, np.ndim(c)))


@transpose(np.ndarray.transpose, argument="a")
def _(c, a, *axes):
    return np.transpose(c, linear.inverse_axes(axes, np.ndim(c)))


@transpose(np.ndarray.T, argument="a")
def _(c, a):
    return np.transpose(c)


@transpose(np.swapaxes, np.ndarray.swapaxes, argument="a")
def _(c, a, axis1, axis2):
    return np.swapaxes(c, axis1, axis2)


@transpose(np.moveaxis, argument="a")
def _(c, a, source, destination):
    return np.moveaxis(c, destination, source)


@transpose(np.rollaxis, argument="a")
def _(c, a, axis, start=0):
    return np.transpose(c, linear.inverse_roll(axis, start, np.ndim(c)))


# stretching


@rule(np.broadcast_to, memory="view", read_only=True, moves=True)
def broadcast_to(z, array, shape, subok=False, *, darray):
    return np.broadcast_to(darray, shape)


@transpose(np.broadcast_to, argument="array")
def _(c, array, shape):
    return linear.unbroadcast(c, array)


@rule(np.tile, memory="new", moves=True)
def tile(z, A, reps, *, dA):
    return np.tile(dA, reps)


@rule(np.repeat, np.ndarray.repeat, memory="new", moves=True)
def repeat(z, a, repeats, axis=None, *, da):
    return np.repeat(da, repeats, axis=axis)


@rule(linear.tile_pull)
def tile_pull(z, c, like, reps, *, dc):
    return linear.tile_pull(dc, like=like, reps=reps)


@rule(linear.repeat_pull)
def repeat_pull(z, c, like, repeats, axis=None, *, dc):
    return linear.repeat_pull(dc, like=like, repeats=repeats, axis=axis)


@transpose(np.tile, argument="A")
def _(c, A, reps):
    return linear.tile_pull(c, like=A, reps=reps)


@transpose(np.repeat, np.ndarray.repeat, argument="a")
def _(c, a, repeats, axis=None):
    return linear.repeat_pull(c, like=a, repeats=repeats, axis=axis)


@transpose(linear.tile_pull, argument="c")
def _(c_bar, c, like, reps):
    return np.tile(c_bar, reps)


@transpose(linear.repeat_pull, argument="c")
def _(c_bar, c, like, repeats, axis=None):
    return np.repeat(c_bar, repeats, axis=axis)


@rule(np.pad, several=("constant_values",), memory="new", rank_0="array")
def pad(z, array, pad_width, mode="constant", constant_values=0, *, darray, dconstant_values):
    return linear.pad(darray, pad_width, mode) + linear.margins(dconstant_values, array, pad_width)


@rule(linear.margins)
def margins(z, c, like, pad_width, *, dc):
    return linear.margins(dc, like, pad_width)


@rule(linear.unmargins, constant_in=("array",))
def unmargins(z, c, like, array, pad_width, *, dc):
    return linear.unmargins(dc, like, array, pad_width)


@transpose(linear.margins, argument="c")
def _(c_bar, c, like, pad_width):
    return linear.unmargins(c_bar, c, like, pad_width)


@transpose(linear.unmargins, argument="c")
def _(c_bar, c, like, array, pad_width):
    return linear.margins(c_bar, array, pad_width)


@rule(linear.pad)
def linear_pad(z, x, pad_width, mode="constant", *, dx):
    return linear.pad(dx, pad_width, mode)


@rule(linear.pad_pull)
def pad_pull(z, c, like, pad_width, mode="constant", *, dc):
    return linear.pad_pull(dc, like, pad_width, mode)


@transpose(linear.pad, argument="x")
def _(c, x, pad_width, mode="constant"):
    return linear.pad_pull(c, x, pad_width, mode)


@transpose(linear.pad_pull, argument="c")
def _(c_bar, c, like, pad_width, mode="constant"):
    return linear.pad(c_bar, pad_width, mode)


# flips and rotations: their own transposes, or those of the opposite turn


@rule(np.flip, memory="view", rank_0="either", moves=True)
def flip(z, m, axis=None, *, dm):
    return np.flip(dm, axis=axis)


@rule(np.fliplr, memory="view", moves=True)
def fliplr(z, m, *, dm):
    return np.fliplr(dm)


@rule(np.flipud, memory="view", moves=True)
def flipud(z, m, *, dm):
    return np.flipud(dm)


@rule(np.roll, memory="new", moves=True, rank_0="array")
def roll(z, a, shift, axis=None, *, da):
    return np.roll(da, shift, axis=axis)


@rule(np.rot90, constant_in=("k",), memory="view", moves=True)
def rot90(z, m, k=1, axes=(0, 1), *, dm):
    return np.rot90(dm, k, axes)


@transpose(np.flip, argument="m")
def _(c, m, axis=None):
    return np.flip(c, axis=axis)


@transpose(np.fliplr, argument="m")
def _(c, m):
    return np.fliplr(c)


@transpose(np.flipud, argument="m")
def _(c, m):
    return np.flipud(c)


@transpose(np.roll, argument="a")
def _(c, a, shift, axis=None):
    return np.roll(c, np.negative(shift), axis=axis)


@transpose(np.rot90, argument="m")
def _(c, m, k=1, axes=(0, 1)):
    return np.rot90(c, -k, axes)


# diagonals and triangles


@rule(np.diag, memory="either", new_if="row", zeros="places", moves=True)
def diag(z, v, k=0, *, dv):
    return np.diag(dv, k)


@rule(np.diagflat, memory="new", zeros="places")
def diagflat(z, v, k=0, *, dv):
    return np.diagflat(dv, k)


@rule(np.diagonal, np.ndarray.diagonal, memory="view", read_only=True, moves=True)
def diagonal(z, a, offset=0, axis1=0, axis2=1, *, da):
    return np.diagonal(da, offset, axis1, axis2)


@rule(np.trace, np.ndarray.trace, memory="new")
def trace(z, a, offset=0, axis1=0, axis2=1, *, da):
    return np.trace(da, offset, axis1, axis2)


@rule(np.tril, constant_in=("k",), memory="new", zeros="choice", moves=True)
def tril(z, m, k=0, *, dm):
    return np.tril(dm, k)


@rule(np.triu, constant_in=("k",), memory="new", zeros="choice", moves=True)
def triu(z, m, k=0, *, dm):
    return np.triu(dm, k)


@rule(linear.undiag, zeros="places")
def undiag(z, c, like, k=0, *, dc):
    return linear.undiag(dc, like, k)


@rule(linear.undiagonal, memory="new", zeros="places")
def undiagonal(z, c, like, offset=0, axis1=0, axis2=1, *, dc):
    return linear.undiagonal(dc, like, offset, axis1, axis2)


@rule(linear.untrace, zeros="places")
def untrace(z, c, like, offset=0, axis1=0, axis2=1, *, dc):
    return linear.untrace(dc, like, offset, axis1, axis2)


@transpose(np.diag, argument="v")
def _(c, v, k=0):
    return linear.undiag(c, v, k)


@transpose(np.diagflat, argument="v")
def _(c, v, k=0):
    return linear.reshape_like(np.diagonal(c, k), like=v)


@transpose(np.diagonal, np.ndarray.diagonal, argument="a")
def _(c, a, offset=0, axis1=0, axis2=1):
    return linear.undiagonal(c, a, offset, axis1, axis2)


@transpose(np.trace, np.ndarray.trace, argument="a")
def _(c, a, offset=0, axis1=0, axis2=1):
    return linear.untrace(c, a, offset, axis1, axis2)


@transpose(np.tril, argument="m")
def _(c, m, k=0):
    return linear.unbroadcast(np.tril(c, k), m)  # of a row, NumPy makes a square


@transpose(np.triu, argument="m")
def _(c, m, k=0):
    return linear.unbroadcast(np.triu(c, k), m)


@transpose(linear.undiag, argument="c")
def _(c_bar, c, like, k=0):
    return np.diag(c_bar, k)


@transpose(linear.undiagonal, argument="c")
def _(c_bar, c, like, offset=0, axis1=0, axis2=1):
    return np.diagonal(c_bar, offset, axis1, axis2)


@transpose(linear.untrace, argument="c")
def _(c_bar, c, like, offset=0, axis1=0, axis2=1):
    return np.trace(c_bar, offset, axis1, axis2)


@rule(np.linalg.diagonal)
def linalg_diagonal(z, x, offset=0, *, dx):
    return np.diagonal(dx, offset, -2, -1)


@rule(np.linalg.trace)
def linalg_trace(z, x, offset=0, *, dx):
    return np.trace(dx, offset, -2, -1)


@rule(np.linalg.matrix_transpose)
def linalg_matrix_transpose(z, x, *, dx):
    return linear.mT(dx)


traits(np.matrix_transpose, memory="view", moves=True)
traits(np.ndarray.mT, np.linalg.matrix_transpose, memory="view")
traits(np.linalg.diagonal, memory="view", read_only=True)
traits(linear.mT, moves=True)
