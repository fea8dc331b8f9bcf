"""Sparse matrices made of entries that are differentiated: programs, whose classes stand for SciPy's."""

from scipy import sparse

from ...replacements.sparse_matrices import Coordinates, Rows
from ..traits import traits
from .registry import programs

QUESTIONS = (
    "issparse", "isspmatrix", "isspmatrix_bsr", "isspmatrix_coo", "isspmatrix_csc", "isspmatrix_csr", "isspmatrix_dia",
    "isspmatrix_dok", "isspmatrix_lil",
)  # fmt: skip
traits(*(getattr(sparse, name) for name in QUESTIONS), folds="kinds")

programs |= dict.fromkeys((sparse.csr_matrix, sparse.csr_array), Rows)
programs |= dict.fromkeys((sparse.coo_matrix, sparse.coo_array), Coordinates)
