"""Sparse matrices made of entries that are differentiated: programs, whose classes stand for SciPy's."""

from scipy import sparse

from ...replacements import sparse_matrices as matrices
from ..programs import programs
from ..traits import traits

QUESTIONS = (
    "issparse", "isspmatrix", "isspmatrix_bsr", "isspmatrix_coo", "isspmatrix_csc", "isspmatrix_csr", "isspmatrix_dia",
    "isspmatrix_dok", "isspmatrix_lil",
)  # fmt: skip
traits(*(getattr(sparse, name) for name in QUESTIONS), folds="kinds", effect="none")

programs |= {
    sparse.csr_matrix: matrices.Rows,
    sparse.csc_matrix: matrices.Columns,
    sparse.coo_matrix: matrices.Coordinates,
    sparse.csr_array: matrices.RowsOfArray,
    sparse.csc_array: matrices.ColumnsOfArray,
    sparse.coo_array: matrices.CoordinatesOfArray,
    sparse.diags: matrices.diagonals,
}
