"""Sparse matrices made of entries that are differentiated: programs, whose classes stand for SciPy's."""

from scipy import sparse

from ...replacements.sparse_matrices import Coordinates, Rows
from .registry import programs

programs |= dict.fromkeys((sparse.csr_matrix, sparse.csr_array), Rows)
programs |= dict.fromkeys((sparse.coo_matrix, sparse.coo_array), Coordinates)
