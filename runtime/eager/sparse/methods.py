"""The methods of sparse tensors: what they are made of, copies, and plain arithmetic; all others are refused."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..functions.creation import numpy_type
from ..tensor.printing import graph, is_plain, numbers, suffixed
from ..tensor.registry import FUNCTIONS, method
from ..tensor.tensor import Tensor, wrapped
from .arithmetic import product, total
from .coo_array import MISSING, CooArray
from .making import coo, sparse_coo, strided
from .sparse_nodes import recorded_as
from .sparse_tensor import SparseTensor, sparse

__all__: list[str] = []

NOT_ONE = "{} expected sparse coordinate tensor layout but got Strided"
UNCOALESCED = "Cannot get {} on an uncoalesced tensor, please call .coalesce() first"
Tensor.layout = property(lambda self: sparse_coo if isinstance(self, SparseTensor) else strided)
Tensor.is_sparse = property(lambda self: isinstance(self, SparseTensor))
FUNCTIONS["strided"], FUNCTIONS["sparse_coo"] = strided, sparse_coo  # type: ignore[assignment]


def coordinates(name: str) -> Any:
    """A method that dense tensors do not have."""

    def register(made: Any) -> Any:
        def apply(self: Any, *args: Any) -> Any:
            if not isinstance(self, SparseTensor):
                raise RuntimeError(NOT_ONE.format(name))
            return made(self, *args)

        apply.__name__ = apply.__qualname__ = name
        apply.__doc__ = made.__doc__
        return method(apply, free=False)

    return register


@coordinates("coalesce")
def coalesce(self: Any) -> Any:
    """Each coordinate once, in their order."""
    array = self._array
    if array.is_coalesced:
        return self
    return recorded_as("Coalesce", array.coalesced(), (self,), lambda bar: (bar,))


@coordinates("is_coalesced")
def is_coalesced(self: Any) -> bool:
    return bool(self._array.is_coalesced)


def checked(self: Any, what: str) -> CooArray:
    if not self._array.is_coalesced:
        raise RuntimeError(UNCOALESCED.format(what))
    return self._array  # type: ignore[no-any-return]


@coordinates("indices")
def indices(self: Any) -> Any:
    return wrapped(checked(self, "indices").indices)


@coordinates("values")
def values(self: Any) -> Any:
    """With the history of the tensor."""
    array = checked(self, "values")

    def pull(bar: Any) -> tuple[Any]:
        return (coo(array.indices, bar, array.shape, True),)

    return recorded_as("Values", array.values, (self,), pull)


@coordinates("_indices")
def own_indices(self: Any) -> Any:
    return wrapped(self._array.indices)


@coordinates("_values")
def own_values(self: Any) -> Any:
    return wrapped(self._array.values)


@coordinates("_nnz")
def count(self: Any) -> int:
    return int(self._array.indices.shape[1])


@coordinates("sparse_dim")
def sparse_dim(self: Any) -> int:
    return int(self._array.axes)


@coordinates("dense_dim")
def dense_dim(self: Any) -> int:
    return int(self._array.ndim - self._array.axes)


def entered(part: type) -> type:
    """Enter the methods of a class as those of sparse tensors."""
    for name, made in vars(part).items():
        if name not in ("__module__", "__dict__", "__weakref__", "__doc__", "__qualname__"):
            setattr(SparseTensor, name, made)
    return part


@entered
class Methods:
    """Those that dense tensors have, too."""

    def __repr__(self: Any, *, tensor_contents: Any = None) -> str:
        array = self._array
        lines = []
        for name, part in (("indices", array.indices), ("values", array.values)):
            head = f"{name}=tensor("
            size = f"[], size={tuple(part.shape)}" if part.shape != (0,) else "[], size=(0,)"
            body = numbers(part, len("       ") + len(head)) if part.size else size
            lines.append(f"{head}{body})")
        notes = f"size={tuple(self.shape)}, nnz={self._nnz()}"
        if not is_plain(array.values):
            notes += f", dtype={self.dtype}"
        text = ",\n       ".join((*lines, f"{notes}, layout=retrograd.sparse_coo"))
        own = "".join(f",\n       {note}" for note in graph(self))
        return suffixed(f"tensor({text}{own}", [])

    __str__ = __repr__

    def stride(self: Any, dim: int | None = None) -> Any:
        return (0,) * self.ndim if dim is None else 0

    def detach(self: Any) -> Any:
        made = sparse(self._array)
        made._counter = self._counter
        return made

    data = property(detach)

    def clone(self: Any, *, memory_format: Any = None) -> Any:
        return recorded_as("Clone", self._array.copy(), (self,), lambda bar: (bar,))

    def to(self: Any, kind: Any) -> Any:
        found = numpy_type(kind)
        if found is None or found == self._array.dtype:
            return self
        own = self.dtype
        return recorded_as("ToCopy", self._array.astype(found), (self,), lambda bar: (bar.to(own),))

    def double(self: Any) -> Any:
        return self.to(wrapped(np.zeros((), np.float64)).dtype)

    def float(self: Any) -> Any:
        return self.to(wrapped(np.zeros((), np.float32)).dtype)

    def sum(self: Any, dim: Any = None) -> Any:
        return total(self, dim)

    def mm(self: Any, mat2: Any) -> Any:
        return product(self, mat2)

    matmul = mv = mm
    __matmul__ = mm

    def t(self: Any) -> Any:
        """The other way round, of a matrix."""
        array = self._array
        if array.axes != 2 or array.ndim != 2:
            raise NotImplementedError(MISSING.format(what="t() of anything but a matrix"))
        made = CooArray(array.indices[::-1].copy(), array.values, array.shape[::-1])
        return recorded_as("T", made, (self,), lambda bar: (bar.t(),))

    def zero_(self: Any) -> Any:
        """As if nothing had been said of any entry."""
        array = self._array
        if self.requires_grad:
            raise NotImplementedError(MISSING.format(what="zero_() of what requires grad"))
        self._array = CooArray(array.indices[:, :0], array.values[:0], array.shape, True)
        self._counter[0] += 1
        return self

    def numpy(self: Any, *, force: bool = False) -> Any:
        raise TypeError("can't convert Sparse layout tensor to numpy. Use Tensor.to_dense() first.")

    def __deepcopy__(self: Any, memo: dict[int, Any]) -> Any:
        if id(self) not in memo:
            memo[id(self)] = sparse(self._array.copy()).requires_grad_(self.requires_grad)
        return memo[id(self)]

    @classmethod
    def __torch_function__(cls, fn: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """A function of tensors that was given one: the method of that name, if there is one."""
        name = fn.__name__
        own = getattr(SparseTensor, name, None)
        if name in ALLOWED and own is not None and isinstance(args[0], SparseTensor):
            return own(*args, **(kwargs or {}))
        raise NotImplementedError(MISSING.format(what=f"{name}()"))


ARITHMETIC = {"add", "sub", "mul", "div", "neg"}
INHERITED = {
    "backward", "coalesce", "dense_dim", "device", "dim", "dtype", "element_size", "get_device", "grad", "grad_dtype",
    "grad_fn", "indices", "is_coalesced", "is_complex", "is_cpu", "is_cuda", "is_floating_point", "is_inference", "is_leaf",
    "is_meta", "is_mkldnn", "is_mps", "is_nested", "is_quantized", "is_same_size", "is_signed", "is_sparse", "is_xpu", "itemsize",
    "layout", "name", "nbytes", "ndim", "ndimension", "nelement", "numel", "output_nr", "register_hook",
    "register_post_accumulate_grad_hook", "requires_grad", "requires_grad_", "retain_grad", "retains_grad", "shape", "size",
    "sparse_dim", "sparse_mask", "to_dense", "to_sparse", "values",
}  # fmt: skip
ALLOWED = ARITHMETIC | {name for name in vars(Methods) if not name.startswith("_")}
INFIX = ("__{}__", "__r{}__")
DUNDER = {
    *(form.format(name) for name in ("add", "sub", "mul") for form in INFIX), "__truediv__", "__neg__", "__hash__",
    "__len__", "__format__", "__setattr__", "__delattr__", "__getattribute__", "__init__", "__new__", "__class__",
    "__reduce_ex__", "__reduce__", "__dir__", "__sizeof__", "__subclasshook__", "__init_subclass__", "__getstate__",
    "__array_priority__",
}  # fmt: skip


def refusing(name: str) -> Any:
    def refused(self: Any, *args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError(MISSING.format(what=f"{name}()"))

    refused.__name__ = refused.__qualname__ = name
    return refused


def refuse_the_rest() -> None:
    """Every other method of tensors is refused by its name."""
    for name in dir(Tensor):
        own = name.startswith("_") and not name.startswith("__")
        known = own or name in INHERITED | ARITHMETIC | DUNDER or name in vars(SparseTensor)
        if not known and (
            callable(getattr(Tensor, name)) and not isinstance(getattr(Tensor, name), type)
        ):
            setattr(SparseTensor, name, refusing(name))
