"""Element types: their names, what they promote to, and the default one."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = [
    "Size", "c_name", "category", "default", "dtype", "finfo", "iinfo", "is_differentiable", "known", "named",
    "promote", "result_type", "set_default_dtype",
]  # fmt: skip


class dtype:
    """An element type; NumPy takes it wherever it takes its own.

    >>> named("float32"), named("half").itemsize, np.zeros(2, named("int32")).dtype
    (retrograd.float32, 2, dtype('int32'))
    """

    __slots__ = ("dtype", "letter", "name")

    def __init__(self, name: str, array_type: Any, letter: str) -> None:
        self.name, self.dtype, self.letter = name, np.dtype(array_type), letter

    def __repr__(self) -> str:
        return f"retrograd.{self.name}"

    def __reduce__(self) -> Any:
        return named, (self.name,)

    @property
    def is_floating_point(self) -> bool:
        return category(self.dtype) == 2

    @property
    def is_complex(self) -> bool:
        return self.dtype.kind == "c"

    @property
    def is_signed(self) -> bool:
        return self.dtype.kind != "u" and self.dtype.kind != "b"

    @property
    def itemsize(self) -> int:
        return self.dtype.itemsize


class Size(tuple[int, ...]):
    """The shape of a tensor."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"retrograd.Size({list(self)})"

    def numel(self) -> int:
        return int(np.prod(self, dtype=np.int64))

    def __getitem__(self, index: Any) -> Any:
        found = tuple.__getitem__(self, index)
        return Size(found) if isinstance(index, slice) else found

    def __add__(self, other: Any) -> Size:
        return Size(tuple(self) + tuple(other))


# Name, NumPy's type, and what the messages call it.
TYPES = [
    ("float16", np.float16, "Half"), ("float32", np.float32, "Float"), ("float64", np.float64, "Double"),
    ("complex64", np.complex64, "ComplexFloat"), ("complex128", np.complex128, "ComplexDouble"),
    ("uint8", np.uint8, "Byte"), ("int8", np.int8, "Char"), ("int16", np.int16, "Short"),
    ("int32", np.int32, "Int"), ("int64", np.int64, "Long"), ("bool", np.bool_, "Bool"),
    ("uint16", np.uint16, "UInt16"), ("uint32", np.uint32, "UInt32"), ("uint64", np.uint64, "UInt64"),
]  # fmt: skip
SHORT = {
    "half": "float16", "float": "float32", "double": "float64", "cfloat": "complex64",
    "cdouble": "complex128", "short": "int16", "int": "int32", "long": "int64", "byte": "uint8", "char": "int8",
}  # fmt: skip

known: dict[np.dtype[Any], dtype] = {}
by_name: dict[str, dtype] = {}
for _name, _type, _letter in TYPES:
    by_name[_name] = known[np.dtype(_type)] = dtype(_name, _type, _letter)


def named(name: str) -> dtype:
    """The type of that name, by one of its names."""
    name = SHORT.get(name, name)
    if name == "bfloat16" and name not in by_name:
        import ml_dtypes

        made = dtype(name, ml_dtypes.bfloat16, "BFloat16")
        by_name[name] = known[made.dtype] = made
    return by_name[name]


def of(array_type: Any) -> dtype:
    """Our type of a NumPy type."""
    found = known.get(array_type)
    if found is None and np.dtype(array_type).name == "bfloat16":
        found = named("bfloat16")
    if found is None:
        raise TypeError(f"can't convert np.ndarray of type {array_type}")
    return found


# -- promotion ------------------------------------------------------------------------

CATEGORIES = {"b": 0, "u": 1, "i": 1, "f": 2, "V": 2, "c": 3}


def category(array_type: Any) -> int:
    """bool, integer, float, complex: 0 to 3 (bfloat16 is ``V`` for NumPy)."""
    return CATEGORIES[array_type.kind]


def is_differentiable(array_type: Any) -> bool:
    return category(array_type) >= 2


def promote(a: Any, b: Any) -> Any:
    """The type both fit in; an integer never widens a float.

    >>> promote(np.dtype("int64"), np.dtype("float32"))
    dtype('float32')
    """
    if a == b:
        return a
    low, high = sorted((a, b), key=category)
    if category(low) == category(high):
        return (
            np.dtype(np.float32)
            if "V" in (a.kind, b.kind) and a.itemsize == b.itemsize
            else np.promote_types(a, b)
        )
    if category(high) == 3 and category(low) == 2 and low.itemsize == 8:
        return np.dtype(np.complex128)
    return high


DEFAULT = [np.dtype(np.float32)]


def default() -> Any:
    """The type of tensors made of Python floats."""
    return DEFAULT[0]


def set_default_dtype(kind: Any) -> None:
    if not kind.is_floating_point:
        raise TypeError("only floating-point types are supported as the default type")
    DEFAULT[0] = kind.dtype


def of_number(value: Any) -> Any:
    """The type a Python number stands for."""
    if isinstance(value, bool):
        return np.dtype(np.bool_)
    if isinstance(value, int):
        return np.dtype(np.int64)
    if isinstance(value, float):
        return DEFAULT[0]
    return np.dtype(np.complex128 if DEFAULT[0].itemsize == 8 else np.complex64)


def result_type(values: list[Any]) -> Any:
    """The type of an operation on arrays and numbers: arrays count before scalars of their category.

    >>> result_type([np.zeros(2, np.float32), np.zeros((), np.float64)])
    dtype('float32')
    >>> result_type([np.zeros(2, np.int64), 1.5])
    dtype('float32')
    """
    levels: list[Any] = [None, None, None]
    for value in values:
        number = isinstance(value, (bool, int, float, complex)) and not hasattr(value, "dtype")
        kind = of_number(value) if number else value.dtype
        level = 2 if number else 0 if value.ndim else 1
        levels[level] = kind if levels[level] is None else promote(levels[level], kind)
    arrays, scalars, numbers = levels
    return combined(arrays, combined(scalars, numbers))


def combined(higher: Any, lower: Any) -> Any:
    """The type of what counts before something else: a lower one adds its category, not its precision.

    >>> combined(np.dtype("float32"), np.dtype("complex128"))
    dtype('complex64')
    """
    if higher is None or lower is None:
        return lower if higher is None else higher
    if category(lower) <= category(higher):
        return higher
    if category(higher) == 2:
        return np.dtype("complex128" if higher.itemsize == 8 else "complex64")
    return promote(higher, lower)


C_NAMES = {
    "float64": "double", "float32": "float", "float16": "c10::Half", "bfloat16": "c10::BFloat16",
    "complex128": "c10::complex<double>", "complex64": "c10::complex<float>", "int64": "long int",
    "int16": "short int", "int8": "signed char", "uint8": "unsigned char",
}  # fmt: skip


def c_name(kind: dtype) -> str:
    """The name of a type in some messages.

    >>> c_name(named("long")), c_name(named("bool"))
    ('long int', 'bool')
    """
    return C_NAMES.get(kind.name, kind.name)


class finfo:
    """Limits of a float type."""

    def __new__(cls, kind: Any = None) -> Any:
        return np.finfo(DEFAULT[0] if kind is None else kind.dtype)


class iinfo:
    """Limits of an integer type."""

    def __new__(cls, kind: Any) -> Any:
        return np.iinfo(kind.dtype)
