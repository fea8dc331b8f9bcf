"""Sparse matrices made of entries that are differentiated: a program, whose class stands for SciPy's."""

from scipy import sparse

from ..scipy_matrices import Sparse
from .extras import programs

programs |= dict.fromkeys(
    (sparse.csr_matrix, sparse.csr_array, sparse.coo_matrix, sparse.coo_array), Sparse
)
