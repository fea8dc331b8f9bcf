"""Complex numbers: their parts, their angle, their conjugate."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..graph.node import zero_slope
from ..graph.record_call import as_view, plain
from ..tensor.dtypes import known
from ..tensor.registry import FUNCTIONS, function, method
from ..tensor.tensor import Tensor
from .pointwise import floated, stepped

__all__: list[str] = []


@method
def conj(self: Any) -> Any:
    return (
        self if self._array.dtype.kind != "c" else plain(np.conjugate, self, name="ConjBackward0")
    )


@method
def resolve_conj(self: Any) -> Any:
    return self


@method
def resolve_neg(self: Any) -> Any:
    return self


@method
def angle(self: Any) -> Any:
    if self._array.dtype.kind == "c":
        return plain(np.angle, self)
    return stepped(zero_slope("AngleBackward0"), np.angle, floated(self))


@function
def real(self: Any) -> Any:
    return self if self._array.dtype.kind != "c" else as_view(np.real, self, name="RealBackward0")


@function
def imag(self: Any) -> Any:
    if self._array.dtype.kind != "c":
        raise RuntimeError("imag is not implemented for tensors with non-complex dtypes.")
    return as_view(np.imag, self, name="ImagBackward0")


@function
def polar(abs: Any, angle: Any) -> Any:
    return complex_(abs * angle.cos(), abs * angle.sin())


def complex_(real: Any, imag: Any) -> Any:
    """A complex tensor of its two parts."""
    kind = np.result_type(real._array.dtype, np.complex64)
    with np.errstate(invalid="ignore"):  # inf * 1j has a NaN
        made = real.to(known[kind]) + imag.to(known[kind]) * 1j
    made._array.real[...], made._array.imag[...] = real._array, imag._array
    return made


FUNCTIONS["complex"] = complex_
Tensor.real = property(real)
Tensor.imag = property(imag)
