"""How many dimensions operations want: with others NumPy raises, which `tests/compiler/test_rank_demands.py` measures."""

from __future__ import annotations

import builtins
import operator

import numpy as np

from ....helpers import linear
from ...traits import traits

__all__: list[str] = []

VECTOR, MATRIX = (1, None), (2, None)

traits(operator.matmul, np.matmul, dimensions=(VECTOR, VECTOR))
traits(
    np.linalg.inv, np.linalg.det, np.linalg.slogdet, np.linalg.cholesky, np.linalg.eigh, np.linalg.eigvalsh,
    np.linalg.eig, np.linalg.eigvals, np.linalg.svd, np.linalg.qr, np.linalg.pinv, np.linalg.matrix_power,
    np.trace, np.diagonal, np.fliplr, np.rot90, dimensions=(MATRIX,),
)  # fmt: skip
traits(np.linalg.solve, dimensions=(MATRIX, VECTOR))
traits(np.linalg.lstsq, dimensions=((2, 2), (1, 2)))
traits(np.diag, dimensions=((1, 2),))
traits(np.tril, np.triu, np.diff, np.flipud, builtins.len, linear.check_count, dimensions=(VECTOR,))
traits(np.convolve, np.correlate, dimensions=((0, 1), (0, 1)))
traits(np.vander, dimensions=((1, 1),))
