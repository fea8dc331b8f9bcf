"""Tensors: NumPy arrays that remember how they were made.

Importing the package gives `Tensor` its methods; ``FUNCTIONS`` has the functions of the API by name.
"""

from ..autograd.watching import factory
from . import (  # noqa: F401
    complex_numbers,
    conversion,
    creation,
    indexing,
    joining,
    operators,
    pointwise,
    products,
    protocols,
    reductions,
    shaping,
    splitting,
)
from .dtypes import Size, dtype
from .registry import FUNCTIONS, SPACES
from .tensor import Tensor

__all__ = ["FUNCTIONS", "SPACES", "Size", "Tensor", "dtype"]

for _name in creation.__all__:
    FUNCTIONS[_name] = factory(_name, getattr(creation, _name))

from . import (  # noqa: E402, F401
    distributions,
    fourier,
    functional_activation,
    functional_convolution,
    functional_layers,
    functional_losses,
    functional_padding,
    functional_pooling,
    functional_resizing,
    linalg,
    linalg_functions,
    linalg_lu,
    loss_of_alignments,
    norms,
    pointwise_more,
    products_more,
    questions,
    random_filling,
    reductions_more,
    scattering,
    searching,
    shaping_more,
    special,
)
