"""The array of the double: it wraps one of NumPy's, is none, and refuses what CuPy's refuses."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import counters
from . import dlpack, pointers, subscripts
from .registry import function
from .values import SCALARS, cast, checked, garbage

__all__ = ["ndarray"]

NO_CONVERSION = (
    "Implicit conversion to a NumPy array is not allowed. "
    "Please use `.get()` to construct a NumPy array explicitly."
)


class ndarray:
    """An array of a device that there is not."""

    __slots__ = ("__weakref__", "_base", "_host")
    __hash__ = None  # type: ignore[assignment]
    __array_priority__ = 100
    __module__ = "cupy"

    def __new__(
        cls,
        shape: Any,
        dtype: Any = float,
        memptr: Any = None,
        strides: Any = None,
        order: str = "C",
    ) -> Any:
        kind = checked(dtype)
        if order not in ("C", "F", None):
            raise ValueError(f"order not understood. order={order}")
        if memptr is None:
            if strides is not None:
                raise ValueError("memptr is required if strides is given.")
            host = garbage(as_shape(shape), kind, order or "C")
            counters.allocation(host.nbytes)
        else:
            host = memptr._array(as_shape(shape), kind, strides, order or "C")
        return cls._of(host)

    @classmethod
    def _of(cls, host: np.ndarray, base: ndarray | None = None, *, shared: bool = False) -> Any:
        """Around a host's array; a view has a base."""
        made = object.__new__(cls)
        made._host = host
        made._base = (
            base
            if base is not None or not shared
            else cls._of(host.base if host.base is not None else host)
        )
        return made

    def _view(self, host: np.ndarray) -> ndarray:
        return ndarray._of(host, self if self._base is None else self._base)

    # What it looks like.

    @property
    def shape(self) -> tuple[int, ...]:
        return self._host.shape

    @shape.setter
    def shape(self, shape: Any) -> None:
        view = self._host.view()
        view.shape = shape
        self._host = view

    @property
    def dtype(self) -> np.dtype[Any]:
        return self._host.dtype

    @property
    def strides(self) -> tuple[int, ...]:
        return self._host.strides

    @property
    def ndim(self) -> int:
        return self._host.ndim

    @property
    def size(self) -> int:
        return self._host.size

    @property
    def itemsize(self) -> int:
        return self._host.itemsize

    @property
    def nbytes(self) -> int:
        return self._host.nbytes

    @property
    def base(self) -> ndarray | None:
        return self._base

    @property
    def flags(self) -> pointers.Flags:
        flags = self._host.flags
        return pointers.Flags(flags.c_contiguous, flags.f_contiguous, self._base is None)

    @property
    def data(self) -> Any:
        return pointers.MemoryPointer._of(self._host)

    @property
    def device(self) -> Any:
        return pointers.Device(0)

    @property
    def cstruct(self) -> Any:
        raise NotImplementedError("the double has no C structures for kernels: `cstruct`")

    def mdspan(self, index_type: Any = None, allow_unsafe: bool = False) -> Any:
        raise NotImplementedError("the double has no C structures for kernels: `mdspan`")

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return {
            "shape": self.shape, "typestr": self.dtype.str, "descr": self.dtype.descr, "stream": 1, "version": 3,
            "strides": None if self._host.flags.c_contiguous else self.strides,
            "data": (self.data.ptr if self.size else 0, False),
        }  # fmt: skip

    # Views.

    @property
    def T(self) -> ndarray:
        return self._view(self._host.T)

    @property
    def mT(self) -> ndarray:
        return self._view(self._host.swapaxes(-1, -2))

    @property
    def real(self) -> ndarray:
        return self._view(self._host.real) if self.dtype.kind == "c" else self

    @real.setter
    def real(self, value: Any) -> None:
        self.real[...] = value

    @property
    def imag(self) -> ndarray:
        if self.dtype.kind == "c":
            return self._view(self._host.imag)
        return function("zeros")(self.shape, self.dtype)

    @imag.setter
    def imag(self, value: Any) -> None:
        if self.dtype.kind != "c":
            raise TypeError("cannot set imag for non-complex array")
        self.imag[...] = value

    @property
    def flat(self) -> pointers.flatiter:
        return pointers.flatiter(self)

    def view(self, dtype: Any = None, type: Any = None) -> ndarray:
        host = self._host.view() if dtype is None else self._host.view(checked(dtype))
        return self._view(host)

    def reduced_view(self, dtype: Any = None) -> ndarray:
        return (
            self
            if self.ndim <= 1 or not self._host.flags.c_contiguous
            else self._view(self._host.reshape(-1))
        )

    # To the host.

    def get(
        self, stream: Any = None, order: str = "C", out: Any = None, blocking: bool = True
    ) -> np.ndarray:
        counters.transfer("get")
        return self._copied(order) if out is None else self._into(out)

    def _into(self, out: Any) -> np.ndarray:
        if not isinstance(out, np.ndarray):
            raise TypeError("Only numpy.ndarray can be obtained fromcupy.ndarray")
        if out.dtype != self.dtype:
            raise TypeError(f"{out.dtype} array cannot be obtained from {self.dtype} array")
        if out.shape != self.shape:
            raise ValueError(
                f"Shape mismatch. Expected shape: {self.shape}, actual shape: {out.shape}"
            )
        out[...] = self._host
        return out

    def _copied(self, order: str = "C") -> np.ndarray:
        return np.array(self._host, order=order.upper())

    def _across(self, kind: str) -> np.ndarray:
        counters.transfer(kind)
        return self._copied()

    def set(self, arr: Any, stream: Any = None) -> None:
        if not isinstance(arr, np.ndarray):
            raise TypeError("Only numpy.ndarray can be set to cupy.ndarray")
        if arr.dtype != self.dtype:
            raise TypeError(f"{arr.dtype} array cannot be set to {self.dtype} array")
        if arr.shape != self.shape:
            raise ValueError(f"Shape mismatch. Old shape: {self.shape}, new shape: {arr.shape}")
        if not (self._host.flags.c_contiguous or self._host.flags.f_contiguous):
            raise RuntimeError("Cannot set to non-contiguous array")
        counters.transfer("upload")
        self._host[...] = arr

    def item(self) -> Any:
        if self.size != 1:
            raise ValueError("can only convert an array of size 1 to a Python scalar")
        return self._across("item").item()

    def tolist(self) -> Any:
        return self._across("tolist").tolist()

    def tobytes(self, order: str = "C") -> bytes:
        return self._across("tobytes").tobytes(order)

    def tofile(self, fid: Any, sep: str = "", format: str = "%s") -> None:
        self._across("tofile").tofile(fid, sep, format)

    def dump(self, file: Any) -> None:
        self._across("pickle").dump(file)

    def dumps(self) -> bytes:
        return self._across("pickle").dumps()

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        raise TypeError(NO_CONVERSION)

    def __bool__(self) -> bool:
        if self.size == 0:
            return False
        if self.size > 1:
            raise ValueError(
                "The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()"
            )
        return bool(self._across("bool").reshape(()))

    def __int__(self) -> int:
        return int(self._across("int"))

    def __float__(self) -> float:
        return float(self._across("float"))

    def __complex__(self) -> complex:
        return complex(self._across("complex"))

    def __bytes__(self) -> bytes:
        return bytes(self._across("tobytes"))

    def __oct__(self) -> str:
        return oct(int(self))

    def __hex__(self) -> str:
        return hex(int(self))

    def __repr__(self) -> str:
        return repr(self._across("repr"))

    def __str__(self) -> str:
        return str(self._across("repr"))

    def __format__(self, spec: str) -> str:
        return format(self._across("repr"), spec)

    def __reduce__(self) -> Any:
        return restored, (self._across("pickle"),)

    __reduce_ex__ = lambda self, protocol: self.__reduce__()

    # To other libraries of the device.

    def __dlpack__(
        self,
        *,
        stream: Any = None,
        max_version: Any = None,
        dl_device: Any = None,
        copy: Any = None,
    ) -> Any:
        return dlpack.capsule(self, max_version, dl_device, copy)

    def __dlpack_device__(self) -> tuple[int, int]:
        return dlpack.CUDA, 0

    def toDlpack(self) -> Any:
        return dlpack.capsule(self, None, None, None)

    # Length, items, writes.

    def __len__(self) -> int:
        if self.ndim == 0:
            raise TypeError("len() of unsized object")
        return len(self._host)

    def __iter__(self) -> Any:
        if self.ndim == 0:
            raise TypeError("iteration over a 0-d array")
        return (self[index] for index in range(len(self)))

    def __getitem__(self, key: Any) -> ndarray:
        return subscripts.read(self, key)

    def __setitem__(self, key: Any, value: Any) -> None:
        subscripts.write(self, key, value)

    def __delitem__(self, key: Any) -> None:
        raise NotImplementedError("Subscript deletion not supported by ndarray")

    def fill(self, value: Any) -> None:
        subscripts.fill(self._host, value)

    def scatter_add(self, slices: Any, value: Any) -> None:
        subscripts.scatter(self, "add", slices, value)

    def scatter_max(self, slices: Any, value: Any) -> None:
        subscripts.scatter(self, "maximum", slices, value)

    def scatter_min(self, slices: Any, value: Any) -> None:
        subscripts.scatter(self, "minimum", slices, value)

    # Copies.

    def copy(self, order: str = "C") -> ndarray:
        counters.launch("copy")
        return allocated(np.array(self._host, order=order))

    def __copy__(self) -> ndarray:
        return self.copy()

    def __deepcopy__(self, memo: Any) -> ndarray:
        return self.copy()

    def flatten(self, order: str = "C") -> ndarray:
        counters.launch("copy")
        return allocated(self._host.flatten(order))

    def astype(
        self,
        dtype: Any,
        order: str = "K",
        casting: Any = None,
        subok: Any = None,
        copy: bool = True,
    ) -> ndarray:
        if subok is not None:
            raise TypeError("subok is not supported yet")
        target = checked(dtype)
        if casting is not None and not np.can_cast(self.dtype, target, casting):
            raise TypeError(
                f"Cannot cast array data from {self.dtype!r} to {target!r} according to the rule {casting!r}"
            )
        if not copy and target == self.dtype and order == "K":
            return self
        counters.launch("copy")
        return allocated(cast(self._host, target, order))

    def byteswap(self, inplace: bool = False) -> ndarray:
        counters.launch("byteswap")
        if inplace:
            self._host.byteswap(True)
            return self
        return allocated(self._host.byteswap())

    def sort(self, axis: Any = -1, kind: Any = None) -> None:
        counters.launch("sort")
        if self.ndim == 0:
            raise np.exceptions.AxisError("Sorting arrays with the rank of zero is not supported")
        self._host.sort(axis)

    def partition(self, kth: Any, axis: int = -1) -> None:
        counters.launch("partition")
        self._host.partition(kth, axis)

    def conj(self) -> ndarray:
        return function("conj")(self) if self.dtype.kind == "c" else self

    conjugate = conj

    # Operators, and NumPy's protocols.

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        return function("dispatched", "protocols")(ufunc, method, inputs, kwargs)

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        return function("called", "protocols")(func, types, args, kwargs)

    def __array_finalize__(self, obj: Any) -> None: ...

    def __pow__(self, other: Any, modulo: Any = None) -> Any:
        if type(other) in (int, float) and other == 2 and self.dtype.kind in "fc":
            return function("square")(self)
        return applied("power", self, other)


def as_shape(shape: Any) -> tuple[int, ...]:
    """The lengths, which the device never gives: an array of its own is no integer."""
    lengths = tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
    if any(isinstance(one, ndarray) for one in lengths):
        raise TypeError("'ndarray' object cannot be interpreted as an integer")
    made = tuple(int(one) if isinstance(one, np.ndarray) else one.__index__() for one in lengths)
    if any(one < 0 for one in made):
        raise ValueError("Negative dimensions are not allowed")
    return made


def allocated(host: np.ndarray) -> ndarray:
    counters.allocation(host.nbytes)
    return ndarray._of(host)


def restored(host: np.ndarray) -> ndarray:
    """From a pickle, which holds the host's values."""
    counters.transfer("upload")
    return allocated(host)


def applied(name: str, left: Any, right: Any) -> Any:
    """An operator: what is neither an array nor a number goes through NumPy, which asks everyone."""
    other = right if isinstance(left, ndarray) else left
    if isinstance(other, (ndarray, *SCALARS)):
        return function(name)(left, right)
    if other is None and name in ("equal", "not_equal"):
        return function("ones" if name == "not_equal" else "zeros")(left.shape, bool)
    if getattr(other, "__array_ufunc__", True) is None:
        return NotImplemented
    return getattr(np, name)(left, right)


def _operators() -> None:
    binary = dict(
        add="add", sub="subtract", mul="multiply", truediv="divide", floordiv="floor_divide", mod="remainder",
        divmod="divmod", lshift="left_shift", rshift="right_shift", pow="power", matmul="matmul",
        xor="bitwise_xor",
    )  # fmt: skip
    binary |= {"and": "bitwise_and", "or": "bitwise_or"}
    for short, name in binary.items():
        if short != "pow":
            setattr(
                ndarray, f"__{short}__", lambda self, other, name=name: applied(name, self, other)
            )
        setattr(ndarray, f"__r{short}__", lambda self, other, name=name: applied(name, other, self))
        if short not in ("divmod", "matmul"):
            setattr(
                ndarray,
                f"__i{short}__",
                lambda self, other, name=name: function(name)(self, other, self),
            )
    ndarray.__div__, ndarray.__idiv__ = ndarray.__truediv__, ndarray.__itruediv__
    for short, name in dict(
        lt="less", le="less_equal", gt="greater", ge="greater_equal", eq="equal", ne="not_equal"
    ).items():
        setattr(ndarray, f"__{short}__", lambda self, other, name=name: applied(name, self, other))
    for short, name in dict(
        neg="negative", abs="absolute", invert="invert", pos="positive"
    ).items():
        setattr(ndarray, f"__{short}__", lambda self, name=name: function(name)(self))
    ndarray.__hash__ = None


_operators()
