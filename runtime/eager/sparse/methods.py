"""What tensors say of their layout, and the functions that go from one layout to the other."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from ...device.places import TO_HOST, is_far
from ...errors import UnsupportedOperation
from ..graph.grad_mode import count_write, modes
from ..tensor.devices import CPU
from ..tensor.devices import device as Device
from ..tensor.dtypes import default
from ..tensor.printing import graph, suffixed
from ..tensor.registry import function
from ..tensor.tensor import Tensor, extend, wrapped
from .arithmetic import turned
from .coo import Coo, NoSparseForm
from .entries import (
    coalesced,
    counted,
    dense_of,
    indices_of,
    is_sparse,
    kept_of,
    made_of,
    masked_by,
    values_of,
)
from .layouts import LAYOUTS, check_layout, layout
from .sparse_tensor import SparseTensor

__all__: list[str] = []

UNCOALESCED = "Cannot get {} on an uncoalesced tensor, please call .coalesce() first"


def refuse_far(tensor: Any) -> None:
    if is_far(tensor._array):
        raise UnsupportedOperation("sparse tensors are in the main memory here", fix=TO_HOST)


@function
def sparse_coo_tensor(
    indices: Any, values: Any = None, size: Any = None, *, dtype: Any = None, device: Any = None, pin_memory: bool = False,
    requires_grad: bool = False, check_invariants: bool | None = None, is_coalesced: bool | None = None,
) -> Any:  # fmt: skip
    """A sparse tensor of values at places: a column of ``indices`` for each of ``values``."""
    if values is None:
        raise TypeError(
            "sparse_coo_tensor() without indices and values is not there: give empty ones"
        )
    if device is not None and Device(device).type != CPU:
        raise UnsupportedOperation("sparse tensors are in the main memory here", fix="dense ones")
    at = np.array(indices._array if isinstance(indices, Tensor) else indices)
    at = at.astype(np.int64) if not at.size else at
    given: Any = values if isinstance(values, Tensor) else wrapped(array_of(values))
    given = given if dtype is None else given.to(dtype)
    if at.dtype.kind not in "iu":
        raise RuntimeError("indices must be an int64 tensor")
    if at.ndim == 1 and not isinstance(indices, Tensor):
        at = at.reshape(1, -1) if at.size else at
    check_places(at, given._array)
    shape = shape_of(at, given._array) if size is None else tuple(int(n) for n in size)
    check_size(at, given._array, shape)
    made = made_of(at.astype(np.int64), given, shape, bool(is_coalesced))
    if requires_grad:
        made = made.detach().requires_grad_()
    return made


def array_of(values: Any) -> Any:
    from_numbers: Any = np.asarray(values)
    if isinstance(values, np.ndarray):
        return from_numbers.copy()
    kind = {"f": np.float32, "c": np.complex64}.get(from_numbers.dtype.kind)
    return from_numbers if kind is None else from_numbers.astype(kind)


def check_places(indices: Any, values: Any) -> None:
    if indices.ndim != 2:
        raise RuntimeError(f"indices must be sparse_dim x nnz, but got: {list(indices.shape)}")
    if not values.ndim or len(values) != indices.shape[1]:
        own = len(values) if values.ndim else 1
        raise RuntimeError(
            f"indices and values must have same nnz, but got nnz from indices: {indices.shape[1]}, nnz from values: {own}"
        )
    if indices.size and indices.min() < 0:
        raise RuntimeError(
            f"found negative index {indices.min()} for dim {int((indices < 0).any(1).argmax())}"
        )


def shape_of(indices: Any, values: Any) -> tuple[int, ...]:
    """The least shape that has all places."""
    ends = indices.max(1) + 1 if indices.size else np.zeros(len(indices), int)
    return (*map(int, ends), *values.shape[1:])


def check_size(indices: Any, values: Any, shape: tuple[int, ...]) -> None:
    if len(shape) != len(indices) + values.ndim - 1:
        raise RuntimeError(
            f"'len(size) == sparse_dim + dense_dim' is not satisfied: len(size) = {len(shape)}, sparse_dim = {len(indices)}, "
            f"dense_dim = {values.ndim - 1}"
        )
    for axis, row in enumerate(indices):
        if row.size and row.max() >= shape[axis]:
            raise RuntimeError(
                f"size is inconsistent with indices: for dim {axis}, size is {shape[axis]} but found index {row.max()}"
            )
    if values.shape[1:] != shape[len(indices) :]:
        raise RuntimeError(
            f"values has incorrect size, expected {[len(values), *shape[len(indices) :]]}, got {list(values.shape)}"
        )


def entries_of(tensor: Any, what: str) -> Any:
    """The array of a sparse tensor."""
    if not is_sparse(tensor):
        raise RuntimeError(f"{what} expected sparse coordinate tensor layout but got Strided")
    return tensor._array


@extend
class Sparse(Tensor):
    """The methods of tensors about the entries that are kept."""

    __slots__ = ()

    @property
    def is_sparse(self) -> bool:
        return is_sparse(self)

    @property
    def layout(self) -> layout:
        return LAYOUTS["sparse_coo" if is_sparse(self) else "strided"]

    def is_coalesced(self) -> bool:
        return bool(entries_of(self, "is_coalesced").coalesced)

    def coalesce(self) -> Any:
        """Each place once, in order; values of one place are summed."""
        entries_of(self, "coalesce")
        return coalesced(self)

    def indices(self) -> Tensor:
        if not entries_of(self, "indices").coalesced:
            raise RuntimeError(UNCOALESCED.format("indices"))
        return wrapped(indices_of(self))

    def values(self) -> Any:
        if not entries_of(self, "values").coalesced:
            raise RuntimeError(UNCOALESCED.format("values"))
        return values_of(self)

    def _indices(self) -> Tensor:
        return wrapped(entries_of(self, "_indices").indices)

    def _values(self) -> Tensor:
        return counted(entries_of(self, "_values").values, self._counter)

    def _nnz(self) -> int:
        return len(entries_of(self, "_nnz").values)

    def sparse_dim(self) -> int:
        return len(self._array.indices) if is_sparse(self) else 0

    def dense_dim(self) -> int:
        return int(self._array.ndim) - self.sparse_dim()

    def to_dense(self, dtype: Any = None, *, masked_grad: bool | None = None) -> Any:
        """All entries. The gradient is that of the entries that are kept, unless ``masked_grad=False``."""
        made: Any = dense_of(self, masked_grad is not False) if is_sparse(self) else self
        return made if dtype is None else made.to(dtype)

    def to_sparse(self, sparse_dim: int | None = None, *, layout: Any = None) -> Any:
        """The entries that are not zero."""
        check_layout(layout)
        if is_sparse(self):
            return self
        refuse_far(self)
        n = self._array.ndim if sparse_dim is None else sparse_dim
        if not 0 < n <= max(self._array.ndim, 1):
            raise RuntimeError(f"sparse_dim {n} is not between 1 and the number of axes")
        return kept_of(self, n if self._array.ndim else 0)

    def sparse_mask(self, mask: Any) -> Any:
        """The entries at the places that another tensor keeps."""
        array = entries_of(mask, "sparse_mask")
        return masked_by(dense_of(self) if is_sparse(self) else self, array.unique())


def of_sparse(name: str, made: Any) -> None:
    """A method that is another one for sparse tensors."""
    setattr(SparseTensor, name, made)


def transposed(self: Any, *axes: int) -> Any:
    if axes and {a % 2 for a in axes} != {0, 1}:
        return self
    return turned(self)


def norm(self: Any, p: Any = 2) -> Any:
    return values_of(coalesced(self)).norm(p)


def zeroed(self: Any) -> Any:
    """Nothing is kept any more."""
    if modes.grad and self.requires_grad:
        raise NoSparseForm("a sparse tensor that requires grad is not written to")
    array = self._array
    array.replace(Coo(array.indices[:, :0], array.values[:0], array.shape, True))
    count_write(self)
    return self


def shown(self: Any, **contents: Any) -> str:
    array = self._array
    kind = re.compile(r", dtype=[\w.]+\)$")
    lines = [
        f"{name}={kind.sub(')', repr(wrapped(part)))}".replace("\n", "\n" + " " * (8 + len(name)))
        for name, part in (("indices", array.indices), ("values", array.values))
    ]
    notes = [] if array.dtype == default() else [f"dtype={self.dtype}"]
    notes += [f"layout={self.layout}", *graph(self)]
    body = f"tensor({lines[0]},\n       {lines[1]},\n       size={tuple(self.shape)}, nnz={len(array.values)}"
    return suffixed(body, notes)


def item(self: Any) -> Any:
    return self.to_dense().item() if self.numel() == 1 else self._array.item


def numpy(self: Any, *, force: bool = False) -> Any:
    raise TypeError("can't convert Sparse layout tensor to numpy. Use Tensor.to_dense() first.")


for _name, _made in {
    "t": turned, "T": property(turned), "transpose": transposed, "norm": norm, "zero_": zeroed, "__repr__": shown, "__str__": shown, "numpy": numpy, "item": item,
}.items():  # fmt: skip
    of_sparse(_name, _made)
