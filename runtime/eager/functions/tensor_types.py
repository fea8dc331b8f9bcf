"""``FloatTensor`` and its like: the old names of tensors of one type, to make them and to ask for them."""

from __future__ import annotations

from typing import Any

from ..tensor.dtypes import named
from ..tensor.registry import FUNCTIONS
from ..tensor.tensor import Tensor
from .creation import empty, new

__all__ = ["TensorType"]

NAMES = {
    "Float": "float32", "Double": "float64", "Half": "float16", "Int": "int32", "Long": "int64", "Short": "int16",
    "Byte": "uint8", "Char": "int8", "Bool": "bool",
}  # fmt: skip


class TensorType(type):
    """A type of tensors: ``FloatTensor(2, 3)`` has these sizes, ``FloatTensor([1, 2])`` this data."""

    dtype: Any

    def __call__(cls, *given: Any) -> Any:
        return new(empty(0, dtype=cls.dtype), *given)

    def __instancecheck__(cls, value: Any) -> bool:
        return isinstance(value, Tensor) and value.dtype is cls.dtype


for _name, _dtype in NAMES.items():
    FUNCTIONS[f"{_name}Tensor"] = TensorType(f"{_name}Tensor", (), {"dtype": named(_dtype)})
