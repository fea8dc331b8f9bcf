"""Fourier transforms: NumPy's, recorded."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..graph.record_call import plain
from ..tensor.dtypes import default
from ..tensor.registry import member
from ..tensor.tensor import Tensor
from .creation import finished, numpy_type
from .pointwise import floated

__all__: list[str] = []

NORMS = (None, "backward", "forward", "ortho")


def transform(fn: Any, input: Tensor, size: Any, dim: Any, norm: Any) -> Tensor:
    if norm not in NORMS:
        raise RuntimeError(f'Invalid normalization mode: "{norm}"')
    name = fn.__name__.title().replace("_", "")
    return plain(fn, floated(input), size, dim, norm, name=f"Fft{name}Backward0")


def along_one(name: str, fn: Any) -> None:
    def apply(input: Tensor, n: Any = None, dim: int = -1, norm: Any = None) -> Tensor:
        if n is not None and n < 1:
            raise RuntimeError(f"Invalid number of data points ({n}) specified")
        return transform(fn, input, n, dim, norm)

    apply.__name__ = apply.__qualname__ = name
    member("fft")(apply)


def along_several(name: str, fn: Any, dims: Any) -> None:
    def apply(input: Tensor, s: Any = None, dim: Any = dims, norm: Any = None) -> Tensor:
        if dim is None and s is not None:
            dim = tuple(range(-len(s), 0))
        return transform(
            fn, input, s, None if dim is None else tuple(np.atleast_1d(dim).tolist()), norm
        )

    apply.__name__ = apply.__qualname__ = name
    member("fft")(apply)


for _name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft"):
    along_one(_name, getattr(np.fft, _name))
for _name in ("fft2", "ifft2", "rfft2", "irfft2"):
    along_several(_name, getattr(np.fft, _name[:-1] + "n"), (-2, -1))
for _name in ("fftn", "ifftn", "rfftn", "irfftn"):
    along_several(_name, getattr(np.fft, _name), None)


def rolled(input: Tensor, dim: Any, half: Any) -> Tensor:
    dims = range(input._array.ndim) if dim is None else (dim,) if isinstance(dim, int) else dim
    shifts = tuple(half(input._array.shape[d]) for d in dims)
    return input.roll(shifts, tuple(dims))


@member("fft")
def fftshift(input: Tensor, dim: Any = None) -> Tensor:
    """The zero frequency in the middle."""
    return rolled(input, dim, lambda n: n // 2)


@member("fft")
def ifftshift(input: Tensor, dim: Any = None) -> Tensor:
    """The zero frequency in front again."""
    return rolled(input, dim, lambda n: -(n // 2))


@member("fft")
def fftfreq(n: int, d: float = 1.0, *, dtype: Any = None, requires_grad: bool = False) -> Tensor:
    return finished(np.fft.fftfreq(n, d).astype(numpy_type(dtype) or default()), requires_grad)


@member("fft")
def rfftfreq(n: int, d: float = 1.0, *, dtype: Any = None, requires_grad: bool = False) -> Tensor:
    return finished(np.fft.rfftfreq(n, d).astype(numpy_type(dtype) or default()), requires_grad)
