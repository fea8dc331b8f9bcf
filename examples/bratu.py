"""Bratu's equation u'' + c exp(u) = 0 by Newton's method: a sparse Jacobian from three directions."""
# mypy: allow-untyped-defs, allow-untyped-calls

import numpy as np

import retrograd as rg


def residual(u, c):
    """The equation at the points between two walls where u is 0."""
    h = 1.0 / (u.size + 1)
    inside = np.pad(u, 1)
    return (inside[2:] - 2 * u + inside[:-2]) / h**2 + c * np.exp(u)


def solve_tridiagonal(matrix, b):
    """Thomas's algorithm; the sparse Jacobian is a ``scipy.sparse.csr_array``."""
    low, main, up = (matrix.diagonal(k).tolist() for k in (-1, 0, 1))
    x = b.tolist()
    for i in range(1, len(x)):
        w = low[i - 1] / main[i - 1]
        main[i] -= w * up[i - 1]
        x[i] -= w * x[i - 1]
    x[-1] /= main[-1]
    for i in range(len(x) - 2, -1, -1):
        x[i] = (x[i] - up[i] * x[i + 1]) / main[i]
    return np.array(x)


def main():
    """The lower solution for c = 2, at two thousand points."""
    u, c = np.zeros(2000), 2.0
    jacobian = rg.jacobian(residual, sparse=True)
    for step in range(8):
        r, matrix = residual(u, c), jacobian(u, c)
        change = solve_tridiagonal(matrix, -r)
        u = u + change
        print(f"step {step}  entries {matrix.nnz}  largest change {np.max(np.abs(change)):.1e}")
        if np.max(np.abs(change)) < 1e-10:
            break
    print(f"largest u = {u.max():.5f}")


if __name__ == "__main__":
    main()
