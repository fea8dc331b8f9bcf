"""The parameters of a C function: the types of a signature as the reader's values, and their C declarations."""

from __future__ import annotations

from typing import Any

from retrograd.runtime.records import dataclass, field

from ...ir.types import Array, Dim, Given, Number, Tree
from ..loop_ir.ir import Buffer, Var, affine, integer
from ..loop_ir.values import Constant, Items, Scalar, code_of, plain_view, scalar
from ..reader.reader import Reader
from ..refusal import Unsupported

__all__ = ["Parameters", "given"]

NUMBERS = {"f": "f8", "i": "i8", "b": "b1"}


@dataclass
class Parameters:
    """What a C function takes: arrays and numbers in order, then the sizes; ``names``: in the words of the signature."""

    order: list[Buffer | Var] = field(default_factory=list)
    sizes: dict[str, Var] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)  # of the parameters, for the header

    def size(self, r: Reader, dim: Any, name: str) -> Any:
        if isinstance(dim, int):
            return integer(dim)
        if not isinstance(dim, Dim):
            raise refused(name, "an array of a size without a name")
        if dim.name not in self.sizes:
            self.sizes[dim.name] = r.fresh(f"n_{dim.name}")
            self.names[self.sizes[dim.name].name] = dim.name
        return affine(self.sizes[dim.name])


def given(r: Reader, kinds: dict[str, Any], found: Parameters) -> list[Any]:
    """The values of the parameters of a function."""
    return [value_of(r, kind, name, found) for name, kind in kinds.items()]


def value_of(r: Reader, kind: Any, name: str, found: Parameters) -> Any:
    if kind is None:
        raise refused(name, "it has no type: name it in the signature")
    if isinstance(kind, Given):
        return known(kind.value, name)
    if isinstance(kind, Number):
        if kind.kind not in NUMBERS:
            raise refused(name, "a complex number")
        return number(r, NUMBERS[kind.kind], name, True, found)
    if isinstance(kind, Array):
        return array(r, kind, name, found)
    assert isinstance(kind, Tree)
    if kind.container == "object":
        return known(kind.known.value if kind.known is not None else kind, name)
    inner = f"{name}_" if name else ""
    items = tuple(
        value_of(r, item, f"{inner}{key}", found)
        for key, item in zip(kind.keys, kind.items, strict=True)
    )
    return Items(items, kind.keys if kind.container == "dict" else None, kind.container)


def array(r: Reader, kind: Array, name: str, found: Parameters) -> Any:
    if kind.dtype is None or kind.dims is None:
        raise refused(name, "an array of unknown dtype or number of axes")
    try:
        code = code_of(kind.dtype)
    except Unsupported as error:
        raise refused(name, f"an array {error.reason}") from None
    if not kind.dims:
        return number(r, code, name, False, found)
    dims = tuple(found.size(r, dim, name) for dim in kind.dims)
    buffer = Buffer(r.fresh(f"a_{name}").name, code, dims, "argument")
    found.order.append(buffer)
    found.names[buffer.name] = name
    found.kinds[name] = f"{code}[{', '.join(map(str, kind.dims))}]"
    return plain_view(buffer)


def number(r: Reader, code: str, name: str, weak: bool, found: Parameters) -> Scalar:
    var = r.fresh(f"a_{name}", code)
    found.order.append(var)
    found.names[var.name] = name
    return Scalar(affine(var) if code == "i8" else var, weak)


def known(value: Any, name: str) -> Any:
    """An argument that is known: it is no parameter of the C."""
    if value is None or isinstance(value, (str, bytes)):
        return Constant(value)
    if isinstance(value, (bool, int, float)):
        return scalar(value)
    if isinstance(value, Tree) and value.cls in (type(None), str):
        return Constant(None) if value.cls is type(None) else missing(name)
    raise refused(name, "an object, which C does not have: pass its numbers and arrays")


def missing(name: str) -> Any:
    raise refused(name, "a text")


def refused(name: str, reason: str) -> Unsupported:
    error = Unsupported(reason)
    error.name = name
    return error
