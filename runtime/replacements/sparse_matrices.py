"""Sparse matrices whose entries are differentiated, as programs of NumPy in place of ``scipy.sparse``."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import UnsupportedOperation
from ..helpers.scipy import sparse as rt
from .additive import Additive

__all__ = ["Columns", "Coordinates", "Rows", "Sparse", "diagonals", "solution"]


class Sparse(Additive):
    """Entries and their rows and columns; what is given twice is added.

    ``matrix``: ``*`` is the product of matrices, as of SciPy's ``csr_matrix``, not of its ``csr_array``.
    """

    def __init__(self, data: Any, row: Any, col: Any, shape: Any, matrix: Any = True) -> None:
        self.data, self.row, self.col, self.shape, self.matrix = data, row, col, shape, matrix

    # -- what it is ------------------------------------------------------------------

    @property
    def T(self) -> Any:
        return Sparse(self.data, self.col, self.row, (self.shape[1], self.shape[0]), self.matrix)

    @property
    def dtype(self) -> Any:
        return self.data.dtype

    @property
    def ndim(self) -> Any:
        return 2

    def transpose(self) -> Any:
        return self.T

    def conj(self) -> Any:
        return Sparse(np.conj(self.data), self.row, self.col, self.shape, self.matrix)

    def copy(self) -> Any:
        return Sparse(self.data.copy(), self.row, self.col, self.shape, self.matrix)

    def __getitem__(self, index: Any) -> Any:
        """The rows and the columns of two slices; one entry, of two numbers."""
        if not isinstance(index, tuple):
            index = (index, slice(None))
        if not all(isinstance(k, (int, slice, np.integer)) for k in index):
            raise UnsupportedOperation("a sparse matrix subscripted by an array", fix="use slices")
        rows, row = places(index[0], self.row, self.shape[0])
        cols, col = places(index[1], self.col, self.shape[1])
        kept = (row >= 0) & (col >= 0)
        part = Sparse(self.data[kept], row[kept], col[kept], (rows, cols), self.matrix)
        if isinstance(index[0], slice) and isinstance(index[1], slice):
            return part
        if isinstance(index[0], slice) or isinstance(index[1], slice):
            if self.matrix:
                return part
            raise UnsupportedOperation("one row or column of a sparse array", fix="use slices")
        return np.sum(part.data)

    def tocsr(self) -> Any:
        return self

    def tocsc(self) -> Any:
        return self

    def tocoo(self) -> Any:
        return self

    def toarray(self) -> Any:
        z = np.zeros(self.shape, self.data.dtype)
        np.add.at(z, (self.row, self.col), self.data)
        return z

    def diagonal(self) -> Any:
        z = np.zeros(min(self.shape[0], self.shape[1]), self.data.dtype)
        on = self.row == self.col
        np.add.at(z, self.row[on], self.data[on])
        return z

    def trace(self) -> Any:
        return np.sum(self.data[self.row == self.col])

    def sum(self) -> Any:
        return np.sum(self.data)

    # -- arithmetic ------------------------------------------------------------------

    def __neg__(self) -> Any:
        return Sparse(-self.data, self.row, self.col, self.shape, self.matrix)

    def __add__(self, other: Any) -> Any:
        if isinstance(other, (int, float, complex, np.ndarray, np.number)):
            raise UnsupportedOperation(
                "the sum of a sparse matrix and an array or a number is dense"
            )
        rest = other.tocoo()
        data = np.concatenate((self.data, np.asarray(rest.data)))
        row = np.concatenate((self.row, np.asarray(rest.row, np.int32)))
        col = np.concatenate((self.col, np.asarray(rest.col, np.int32)))
        return Sparse(data, row, col, self.shape, self.matrix)

    def __mul__(self, other: Any) -> Any:
        if np.ndim(other) == 0:
            return Sparse(self.data * other, self.row, self.col, self.shape, self.matrix)
        if not self.matrix:
            raise UnsupportedOperation("the entrywise product of a sparse matrix and an array")
        return self @ other

    def __rmul__(self, other: Any) -> Any:
        if np.ndim(other) == 0:
            return Sparse(other * self.data, self.row, self.col, self.shape, self.matrix)
        if not self.matrix:
            raise UnsupportedOperation("the entrywise product of a sparse matrix and an array")
        return other @ self

    def __truediv__(self, other: Any) -> Any:
        if np.ndim(other) != 0:
            raise UnsupportedOperation("a sparse matrix divided by an array is dense")
        return Sparse(self.data / other, self.row, self.col, self.shape, self.matrix)

    def __matmul__(self, x: Any) -> Any:
        x = np.asarray(x)
        if x.ndim > 2:
            raise UnsupportedOperation("a sparse matrix times an array of more than two dimensions")
        dtype = np.result_type(self.data, x)
        if x.ndim == 1:
            z = np.zeros(self.shape[0], dtype)
            np.add.at(z, self.row, self.data * x[self.col])
            return z
        z = np.zeros((self.shape[0], x.shape[1]), dtype)
        np.add.at(z, self.row, np.reshape(self.data, (-1, 1)) * x[self.col])
        return z

    def __rmatmul__(self, x: Any) -> Any:
        return (self.T @ np.asarray(x).T).T

    def dot(self, x: Any) -> Any:
        return self @ x


def places(index: Any, old: Any, size: Any) -> Any:
    """How many rows a subscript takes, and which of these the rows ``old`` become; -1 for those that are left out."""
    taken = np.arange(size)[index] if isinstance(index, slice) else np.arange(size)[[index]]
    new = np.full(size, -1)
    new[taken] = np.arange(len(taken))
    return len(taken), new[old]


def size_of(row: Any, col: Any, shape: Any) -> Any:
    """The shape that is given, or else the least that has room for every entry."""
    return (np.max(row) + 1, np.max(col) + 1) if shape is None else shape


class Coordinates(Sparse):
    """``coo_matrix``: entries, and numbers in SciPy's own dtype, are not copied."""

    of_tuples = True  # `coo_matrix((data, ...))` only: other arguments are SciPy's
    product = True  # `*` is that of matrices

    def __init__(self, arg1: Any, shape: Any = None) -> None:
        if len(arg1) != 2:
            raise UnsupportedOperation("a matrix of coordinates is made of (data, (row, col))")
        row, col = np.asarray(arg1[1][0], np.int32), np.asarray(arg1[1][1], np.int32)
        self.data, self.row, self.col, self.matrix = np.asarray(arg1[0]), row, col, self.product
        self.shape = size_of(row, col, shape)


class Rows(Sparse):
    """``csr_matrix``: entries given by row and column are copied, those given row by row are not."""

    of_tuples = True
    product = True

    def __init__(self, arg1: Any, shape: Any = None) -> None:
        if len(arg1) == 2:
            row, col, data = np.array(arg1[1][0]), np.array(arg1[1][1]), np.array(arg1[0])
        else:
            row = np.repeat(np.arange(len(arg1[2]) - 1), np.diff(arg1[2]))
            col, data = np.asarray(arg1[1], np.int32), np.asarray(arg1[0])
        self.data, self.row, self.col, self.matrix = data, row, col, self.product
        self.shape = size_of(row, col, shape)


class Columns(Rows):
    """``csc_matrix``: the same, column by column."""

    def __init__(self, arg1: Any, shape: Any = None) -> None:
        if len(arg1) == 2:
            super().__init__(arg1, shape)
        else:
            super().__init__(arg1, None if shape is None else (shape[1], shape[0]))
            self.row, self.col, self.shape = self.col, self.row, (self.shape[1], self.shape[0])


class CoordinatesOfArray(Coordinates):
    """``coo_array``, whose ``*`` goes entry by entry."""

    product = False


class RowsOfArray(Rows):
    """``csr_array``."""

    product = False


class ColumnsOfArray(Columns):
    """``csc_array``."""

    product = False


def solution(A: Any, b: Any) -> Any:
    """``spsolve`` of a matrix whose entries are differentiated; of one column it makes a vector, as SciPy does."""
    b = np.asarray(b)
    if b.ndim == 2 and b.shape[1] == 1:
        b = b[:, 0]
    return rt.solve_entries(A.data, A.row, A.col, A.shape[0], b)


solution.of_sparse = True  # type: ignore[attr-defined]  # other matrices are SciPy's


def diagonals(diagonals: Any, offsets: Any = 0, shape: Any = None, format: Any = None) -> Any:
    """``diags`` of one diagonal, or of several and the places where they begin; one number fills a diagonal."""
    if np.ndim(offsets) == 0:
        rows, n = [diagonals], [offsets]
    else:
        rows, n = [d for d in diagonals], [k for k in offsets]
    if shape is None:
        size = np.size(rows[0]) + abs(n[0])
        shape = (size, size)
    data, row, col = [], [], []
    for d, k in zip(rows, n, strict=True):
        low, right = max(-k, 0), max(k, 0)
        place = np.arange(min(shape[0] - low, shape[1] - right))
        if np.size(d) not in (1, np.size(place)):
            raise UnsupportedOperation("sparse.diags of a diagonal that is longer than its place")
        data.append(np.broadcast_to(np.asarray(d), place.shape))
        row.append(place + low)
        col.append(place + right)
    return Sparse(np.concatenate(data), np.concatenate(row), np.concatenate(col), shape, True)


diagonals.of_values = True  # type: ignore[attr-defined]  # of constants it is SciPy's
