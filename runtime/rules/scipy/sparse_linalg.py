"""Differentials of ``scipy.sparse.linalg``; a sparse matrix itself is constant."""

import numpy as np
from scipy import linalg
from scipy.sparse import linalg as sparse_linalg

from ...helpers import linear
from ...helpers.scipy import linalg as matrices
from ...helpers.scipy import sparse as rt
from ...replacements.sparse_matrices import solution
from ..book import rule, transpose
from ..programs import programs

programs[sparse_linalg.spsolve] = solution


@rule(rt.sparse_adjoint)
def sparse_adjoint(z, a, *, da):
    return linear.herm(da)


@rule(rt.times_entries, constant_in=("row", "col", "n"))
def times_entries(z, data, row, col, n, x, *, ddata, dx):
    return rt.times_entries(ddata, row, col, n, x) + rt.times_entries(data, row, col, n, dx)


@transpose(rt.times_entries, argument="data")
def _(c, data, row, col, n, x):
    products = np.take(c, row, 0) * np.conj(np.take(x, col, 0))
    return linear.unbroadcast(np.sum(np.reshape(products, (np.size(row), -1)), 1), data)


@transpose(rt.times_entries, argument="x")
def _(c, data, row, col, n, x):
    return linear.unbroadcast(rt.times_entries(np.conj(data), col, row, np.shape(x)[0], c), x)


@rule(rt.solve_entries, constant_in=("row", "col", "n"))
def solve_entries(z, data, row, col, n, b, *, ddata, db):
    return rt.solve_entries(data, row, col, n, db - rt.times_entries(ddata, row, col, n, z))


@transpose(rt.solve_entries, argument="b")
def _(c, data, row, col, n, b):
    return linear.unbroadcast(rt.solve_entries(np.conj(data), col, row, n, c), b)


@rule(sparse_linalg.spsolve)
def spsolve(z, A, b, *, db):
    return sparse_linalg.spsolve(A, db)


@transpose(sparse_linalg.spsolve, argument="b")
def _(c, A, b):
    return linear.unbroadcast(sparse_linalg.spsolve(rt.sparse_adjoint(A), c), b)


@rule(sparse_linalg.expm_multiply)
def expm_multiply(z, A, B, *, dA, dB):
    return matrices.frechet(linalg.expm, A, dA) @ B + sparse_linalg.expm_multiply(A, dB)


@transpose(sparse_linalg.expm_multiply, argument="B")
def _(c, A, B):
    return linear.unbroadcast(sparse_linalg.expm_multiply(rt.sparse_adjoint(A), c), B)


@rule(rt.krylov_solve)
def krylov_solve(z, f, a, b, rtol, atol, maxiter, *, da, db):
    return rt.krylov_solve(f, a, db - da @ z, rtol, atol, maxiter)


@transpose(rt.krylov_solve, argument="b")
def _(c, f, a, b, rtol, atol, maxiter):
    return linear.unbroadcast(rt.krylov_solve(f, rt.sparse_adjoint(a), c, rtol, atol, maxiter), b)


@rule(sparse_linalg.cg, constant_in=("x0",))
def cg(z, A, b, x0=None, rtol=1e-5, atol=0.0, maxiter=None, M=None, *, dA, db):
    return rt.krylov_solve(sparse_linalg.cg, A, db - dA @ z[0], rtol, atol, maxiter), 0.0


@rule(sparse_linalg.gmres, constant_in=("x0",))
def gmres(z, A, b, x0=None, rtol=1e-5, atol=0.0, maxiter=None, M=None, *, dA, db):
    return rt.krylov_solve(sparse_linalg.gmres, A, db - dA @ z[0], rtol, atol, maxiter), 0.0


@rule(sparse_linalg.bicgstab, constant_in=("x0",))
def bicgstab(z, A, b, x0=None, rtol=1e-5, atol=0.0, maxiter=None, M=None, *, dA, db):
    return rt.krylov_solve(sparse_linalg.bicgstab, A, db - dA @ z[0], rtol, atol, maxiter), 0.0


@rule(sparse_linalg.bicg, constant_in=("x0",))
def bicg(z, A, b, x0=None, rtol=1e-5, atol=0.0, maxiter=None, M=None, *, dA, db):
    return rt.krylov_solve(sparse_linalg.bicg, A, db - dA @ z[0], rtol, atol, maxiter), 0.0
