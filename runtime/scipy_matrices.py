"""Sparse matrices whose entries are differentiated, as a program of NumPy in place of ``scipy.sparse``."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["Sparse"]


class Sparse:
    """Entries and their rows and columns; what is given twice is added."""

    of_tuples = True  # of `csr_matrix((data, ...))` only: other arguments are SciPy's

    def __init__(self, arg1: Any, shape: Any) -> None:
        if len(arg1) == 2:
            row, col = np.asarray(arg1[1][0]), np.asarray(arg1[1][1])
        else:
            row, col = np.repeat(np.arange(shape[0]), np.diff(arg1[2])), np.asarray(arg1[1])
        self.data, self.row, self.col, self.shape = np.asarray(arg1[0]), row, col, shape

    @property
    def T(self) -> Any:
        return Sparse((self.data, (self.col, self.row)), (self.shape[1], self.shape[0]))

    def toarray(self) -> Any:
        z = np.zeros(self.shape)
        np.add.at(z, (self.row, self.col), self.data)
        return z

    def __matmul__(self, x: Any) -> Any:
        x = np.asarray(x)
        if x.ndim == 1:
            z = np.zeros(self.shape[0])
            np.add.at(z, self.row, self.data * x[self.col])
            return z
        z = np.zeros((self.shape[0], x.shape[1]))
        np.add.at(z, self.row, np.reshape(self.data, (-1, 1)) * x[self.col])
        return z

    def dot(self, x: Any) -> Any:
        return self @ x
