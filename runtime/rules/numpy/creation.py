"""Differentials of conversions and of the functions that make arrays."""

import builtins
import math

import numpy as np

from ...helpers import linear
from ..book import constant, rule, traits, transpose

# np.astype came with NumPy 2.1.
ASTYPE = [np.astype] if hasattr(np, "astype") else []


@rule(
    np.array,
    several=("object",),
    memory="new",
    new_if="copied",
    rank_0="array",
    identity="packed",
    creates=True,
)
def array(z, object, dtype=None, copy=True, order="K", subok=False, *, dobject):
    return linear.pack(dobject, z, copy=True)


@rule(np.asarray_chkfinite, several=("a",))
def asarray_chkfinite(z, a, dtype=None, order=None, *, da):
    return linear.pack(da, z)


@rule(np.asarray, np.asanyarray, several=("a",))
def asarray(z, a, dtype=None, order=None, copy=None, *, da):
    return linear.pack(da, z)


@rule(np.ascontiguousarray, np.asfortranarray, several=("a",), rank_0="array")
def ascontiguousarray(z, a, dtype=None, *, da):
    return linear.pack(da, z)


@rule(np.from_dlpack)
def from_dlpack(z, x, copy=None, *, dx):
    return dx


@rule(
    np.copy,
    several=("a",),
    memory="new",
    rank_0="array",
    identity="copy",
    batched="as it is",
    creates=True,
)
def copy(z, a, order="K", subok=False, *, da):
    return linear.pack(da, z, copy=True)


@rule(np.ndarray.copy, memory="new", new_if="copied", order=1, identity="copy", batched="as it is")
def copy_method(z, a, order="C", *, da):
    return linear.copy(da)


@rule(np.float64, np.float32, np.complex128, np.complex64)
def numpy_number(z, x, *, dx):
    return linear.pack(dx, z)


@rule(
    np.ndarray.astype,
    new_if="copied",
    view_if="of this dtype, uncopied",
    itself_if="shown",
    memory="either",
    identity="cast",
)
def astype(z, a, dtype, order="K", casting="unsafe", subok=True, copy=True, *, da):
    return linear.convert(da, z, copy=copy)


@rule(*ASTYPE)
def astype_function(z, x, dtype, copy=True, *, dx):
    return linear.convert(dx, z, copy=copy)


@rule(builtins.float, memory="new", identity="cast", answered=True)
def float(z, x, *, dx):
    return linear.item(dx)


@rule(builtins.complex, memory="new", identity="cast")
def complex(z, real, imag=0.0, *, dreal, dimag):
    return linear.item(dreal) + 1j * linear.item(dimag)


@rule(np.ndarray.item, memory="new", gives="number")
def item(z, a, *index, da):
    return linear.item(da, *index)


@rule(np.full, memory="new", rank_0="array", order=3, buffer="apart", creates=True)
def full(z, shape, fill_value, dtype=None, order="C", *, dfill_value):
    return linear.full(dfill_value, z)


@rule(np.full_like, constant_in=("a",), memory="new", rank_0="array", creates=True)
def full_like(z, a, fill_value, dtype=None, order="K", subok=True, shape=None, *, dfill_value):
    return linear.full(dfill_value, z)


@rule(np.linspace, memory="new")
def linspace(z, start, stop, num=50, endpoint=True, dtype=None, axis=0, *, dstart, dstop):
    t = linear.steps(num, endpoint, z, axis)
    return (1 - t) * linear.stretch_along(dstart, z, axis) + t * linear.stretch_along(
        dstop, z, axis
    )


@rule(np.logspace, memory="new")
def logspace(
    z, start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0, *, dstart, dstop, dbase
):
    t = linear.steps(num, endpoint, z, axis)
    power = linear.convert(np.linspace(start, stop, num, endpoint=endpoint, axis=axis), z)
    rate = z * math.log(base)
    return (
        rate * (1 - t) * linear.stretch_along(dstart, z, axis)
        + rate * t * linear.stretch_along(dstop, z, axis)
        + power * z / base * linear.convert(linear.stretch(dbase, z), z)
    )


@rule(np.geomspace, memory="new")
def geomspace(z, start, stop, num=50, endpoint=True, dtype=None, axis=0, *, dstart, dstop):
    t = linear.steps(num, endpoint, z, axis)
    return z * (1 - t) * linear.stretch_along(dstart / start, z, axis) + z * t * (
        linear.stretch_along(dstop / stop, z, axis)
    )


@rule(linear.stretch_along)
def stretch_along(z, c, like, axis=0, *, dc):
    return linear.stretch_along(dc, like, axis)


@transpose(linear.stretch_along, argument="c")
def _(c_bar, c, like, axis=0):
    return linear.unstretch_along(linear.if_float(c_bar, like), c, axis)


@rule(linear.unstretch_along)
def unstretch_along(z, c, like, axis=0, *, dc):
    return linear.unstretch_along(dc, like, axis)


@transpose(linear.unstretch_along, argument="c")
def _(c_bar, c, like, axis=0):
    return linear.stretch_along(c_bar, c, axis)


@rule(np.kaiser, memory="new")
def kaiser(z, M, beta, *, dbeta):
    r = linear.kaiser_arguments(M)
    whole = linear.bessel_i(0, beta)
    rate = (r * linear.bessel_i(1, beta * r) - z * linear.bessel_i(1, beta)) / whole
    return rate * linear.stretch(dbeta, z)


@rule(np.arange, memory="new", order=9)
def arange(z, *limits, dlimits):
    return linear.progression(dlimits, z)


@transpose(np.array, argument="object")
def _(c, object, dtype=None, copy=True):
    return linear.unpack(linear.if_float(c, np.empty(0, dtype)), object)


@transpose(np.asarray, argument="a")
def _(c, a, dtype=None, order=None):
    return linear.unpack(linear.if_float(c, np.empty(0, dtype)), a)


constant(np.zeros, np.ones, np.empty, np.zeros_like, np.ones_like, np.empty_like)
constant(np.eye, np.identity, np.tri, np.indices, np.ndim, np.shape, np.size)
constant(np.ndarray.shape, np.ndarray.size, np.ndarray.ndim, np.ndarray.dtype)
constant(getattr(np.ndarray, "device", None), getattr(np, "isdtype", None))  # since NumPy 2
constant(np.ndarray.strides, np.ndarray.flags, np.ndarray.itemsize, np.ndarray.nbytes)
constant(
    np.ndarray.tobytes, np.dtype, np.finfo, np.iinfo, np.result_type, np.issubdtype, np.isscalar
)
traits(
    np.finfo,
    holds=tuple((name, "f") for name in (
        "eps", "epsneg", "max", "min", "resolution", "smallest_normal", "smallest_subnormal", "tiny",
    )),
)  # fmt: skip
traits(np.iinfo, holds=(("max", "i"), ("min", "i")))
constant(builtins.isinstance, builtins.issubclass, builtins.type, builtins.callable)
constant(
    builtins.len, builtins.bool, builtins.any, builtins.all, builtins.range, builtins.str, builtins.repr,
)  # fmt: skip
constant(builtins.hash, builtins.id, builtins.hasattr, builtins.format)
constant(linear.zeros_like, linear.steps, linear.kaiser_arguments)
constant(np.tril_indices, np.triu_indices)
constant(np.tril_indices_from, np.triu_indices_from, np.diag_indices_from)
constant(
    np.promote_types, np.can_cast, np.min_scalar_type, np.common_type, np.iterable, np.isfortran
)

traits(
    linear.zeros_like,
    memory="new",
    of_nothing=True,
    rank_0="either",
    buffer="named",
    gives="container",
    zeros="places",
    kind_of="like",
    batched="as it is",
    looks=True,
)
traits(
    np.zeros, memory="new", rank_0="array", order=2, buffer="named", zeros="places", creates=True
)
traits(np.ones, np.empty, memory="new", rank_0="array", order=2, creates=True)
traits(
    np.zeros_like,
    memory="new",
    rank_0="array",
    buffer="named",
    reads="structure",
    zeros="places",
    kind_of="like",
    batched="as it is",
    creates=True,
)
traits(np.ones_like, np.empty_like, memory="new", rank_0="array", creates=True)
traits(np.eye, memory="new", order=4, creates=True)
traits(np.identity, memory="new", order=2, creates=True)
traits(np.indices, memory="new")
traits(builtins.len, memory="new", reads="length", effect="none", answered=True)
traits(builtins.bool, memory="new", gives="truth", answered=True)
traits(
    np.asarray,
    memory="either",
    new_if="no array",
    view_if="of this dtype",
    itself_if="shown",
    rank_0="array",
    keeps_order=True,
    identity="packed",
)
traits(
    np.asanyarray,
    memory="either",
    new_if="no array",
    view_if="of this dtype",
    itself_if="shown",
    rank_0="array",
    keeps_order=True,
)
traits(np.asarray_chkfinite, rank_0="array")
traits(np.from_dlpack, memory="either", rank_0="array")
traits(
    np.ascontiguousarray,
    memory="either",
    view_if="in order, alone",
    itself_if="shown",
    order=9,
    keeps_order=True,
    identity="copy",
)
traits(np.float64, np.float32, np.complex128, identity="cast")
traits(builtins.range, effect="none")
traits(builtins.str, builtins.repr, builtins.format, gives="text", effect="speaks")
traits(linear.steps, real="always")
traits(np.ndarray.tobytes, gives="text")
traits(builtins.hash, builtins.isinstance, builtins.callable, answered=True)
traits(builtins.id, effect="speaks")
traits(np.ndim, np.size, np.ndarray.size, np.ndarray.ndim, reads="length")
traits(np.shape, np.ndarray.shape, reads="shape")
traits(np.ndarray.dtype, reads="structure")
