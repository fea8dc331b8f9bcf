"""Tensors: NumPy arrays that remember how they were made.

Importing the package gives `Tensor` its methods; ``FUNCTIONS`` has the functions of the API by name.
"""

from .fast_path import adjoint_calls  # noqa: F401
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
from .graph import history  # noqa: F401
from .linalg import products  # noqa: F401
from .observe.observers import factory
from .tensor import export, numpy_protocols, printing  # noqa: F401
from .tensor.dtypes import Size, dtype
from .tensor.out_argument import taking_out
from .tensor.registry import FUNCTIONS, SPACES
from .tensor.tensor import Tensor

__all__ = ["FUNCTIONS", "SPACES", "Size", "Tensor", "dtype"]

for _name in creation.__all__:
    FUNCTIONS[_name] = factory(_name, getattr(creation, _name))

from .batches import batched_helpers, one_by_one  # noqa: E402, F401
from .functions import (  # noqa: E402, F401
    fft,
    pointwise_composed,
    reductions_composed,
    scatter_reductions,
    scattering,
    searching,
    shaping_composed,
    special,
    storage,
    tensor_types,
)
from .linalg import linalg, lu, matrix_functions, norms, products_composed  # noqa: E402, F401
from .nn import (  # noqa: E402, F401
    activation,
    convolution,
    ctc_loss,
    layers,
    losses,
    padding,
    pooling,
    resizing,
)
from .random import distributions, functions  # noqa: E402, F401
from .sparse import gathers, methods, namespace  # noqa: E402, F401
from .tensor import predicates  # noqa: E402, F401

for _name in (
    "bmm",
    "cumprod",
    "cumsum",
    "dot",
    "matmul",
    "mean",
    "mm",
    "mv",
    "prod",
    "stack",
    "sum",
):
    FUNCTIONS[_name] = taking_out(_name, FUNCTIONS[_name])
one_by_one.guard_methods()
