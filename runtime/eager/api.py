"""Tensors: NumPy arrays that remember how they were made.

Importing the package gives `Tensor` its methods; ``FUNCTIONS`` has the functions of the API by name.
"""

from .functions import (  # noqa: F401
    complex_numbers,
    conversion,
    creation,
    indexing,
    joining,
    operators,
    pointwise,
    reductions,
    shaping,
    splitting,
)
from .linalg import products  # noqa: F401
from .observe.watching import factory
from .tensor import protocols  # noqa: F401
from .tensor.dtypes import Size, dtype
from .tensor.registry import FUNCTIONS, SPACES
from .tensor.tensor import Tensor

__all__ = ["FUNCTIONS", "SPACES", "Size", "Tensor", "dtype"]

for _name in creation.__all__:
    FUNCTIONS[_name] = factory(_name, getattr(creation, _name))

from .functions import (  # noqa: E402, F401
    fourier,
    pointwise_more,
    reductions_more,
    scattering,
    searching,
    shaping_more,
    special,
)
from .linalg import linalg, linalg_functions, linalg_lu, norms, products_more  # noqa: E402, F401
from .nn import (  # noqa: E402, F401
    functional_activation,
    functional_convolution,
    functional_layers,
    functional_losses,
    functional_padding,
    functional_pooling,
    functional_resizing,
    loss_of_alignments,
)
from .random import distributions, random_filling  # noqa: E402, F401
from .tensor import questions  # noqa: E402, F401
