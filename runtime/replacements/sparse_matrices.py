"""Sparse matrices whose entries are differentiated, as programs of NumPy in place of ``scipy.sparse``."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import UnsupportedOperation

__all__ = ["Coordinates", "Rows", "Sparse"]


class Sparse:
    """Entries and their rows and columns; what is given twice is added."""

    def __init__(self, data: Any, row: Any, col: Any, shape: Any) -> None:
        self.data, self.row, self.col, self.shape = data, row, col, shape

    @property
    def T(self) -> Any:
        return Sparse(self.data, self.col, self.row, (self.shape[1], self.shape[0]))

    def toarray(self) -> Any:
        z = np.zeros(self.shape, self.data.dtype)
        np.add.at(z, (self.row, self.col), self.data)
        return z

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

    def dot(self, x: Any) -> Any:
        return self @ x


class Coordinates(Sparse):
    """``coo_matrix``: entries, and numbers in SciPy's own dtype, are not copied."""

    of_tuples = True  # `coo_matrix((data, ...))` only: other arguments are SciPy's

    def __init__(self, arg1: Any, shape: Any) -> None:
        if len(arg1) != 2:
            raise UnsupportedOperation("a matrix of coordinates is made of (data, (row, col))")
        row, col = np.asarray(arg1[1][0], np.int32), np.asarray(arg1[1][1], np.int32)
        self.data, self.row, self.col, self.shape = np.asarray(arg1[0]), row, col, shape


class Rows(Sparse):
    """``csr_matrix``: entries given by row and column are copied, those given row by row are not."""

    of_tuples = True

    def __init__(self, arg1: Any, shape: Any) -> None:
        if len(arg1) == 2:
            row, col, data = np.array(arg1[1][0]), np.array(arg1[1][1]), np.array(arg1[0])
        else:
            row = np.repeat(np.arange(shape[0]), np.diff(arg1[2]))
            col, data = np.asarray(arg1[1], np.int32), np.asarray(arg1[0])
        self.data, self.row, self.col, self.shape = data, row, col, shape
