"""Tensors: NumPy arrays that remember how they were made.

Importing the package gives `Tensor` its methods; ``FUNCTIONS`` has the functions of the API by name.
"""

from ..autograd.watching import factory
from . import (  # noqa: F401
    conversion,
    creation,
    indexing,
    joining,
    pointwise,
    products,
    reductions,
    shaping,
)
from .dtypes import Size, dtype
from .registry import FUNCTIONS
from .tensor import Tensor

__all__ = ["FUNCTIONS", "Size", "Tensor", "dtype"]

for _name in creation.__all__:
    FUNCTIONS[_name] = factory(_name, getattr(creation, _name))
