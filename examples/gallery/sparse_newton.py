"""Newton's method for a partial differential equation

Bratu's equation, `-laplace u = c exp u`, on a square: 2304 unknowns. `rg.jacobian(sparse=True)` finds in the program which
unknown meets which, takes a few directions for the whole Jacobian, and gives a `scipy.sparse` matrix.
"""
# mypy: allow-untyped-defs, allow-untyped-calls

import numpy as np
from scipy.sparse.linalg import spsolve

import retrograd as rg


def residual(u, c):
    """The five-point formula, times h squared; u is zero on the boundary."""
    n = u.shape[0]
    padded = np.zeros((n + 2, n + 2))
    padded[1:-1, 1:-1] = u
    neighbours = padded[:-2, 1:-1] + padded[2:, 1:-1] + padded[1:-1, :-2] + padded[1:-1, 2:]
    return 4 * u - neighbours - c / (n + 1) ** 2 * np.exp(u)


def solve(n=48, c=6.5):
    u, norms = np.zeros((n, n)), []
    derivative = rg.jacobian(residual, sparse=True)
    for _ in range(8):
        r = residual(u, c)
        norms.append(np.linalg.norm(r))
        J = derivative(u, c)
        u = u - spsolve(J.tocsc(), r.ravel()).reshape(n, n)
    return {"u": u, "norms": norms, "J": J}


def draw(fig, found):
    left, middle, right = fig.subplots(1, 3)
    shown = left.imshow(found["u"], cmap="cividis", extent=(0, 1, 0, 1), interpolation="none")
    left.set(title="$u$", xticks=[0, 1], yticks=[0, 1])
    fig.colorbar(shown, ax=left, shrink=0.6)
    middle.spy(found["J"][:240, :240], markersize=0.7, color="C5", rasterized=True)
    middle.set(title=f"a corner of {found['J'].nnz} entries", xticks=[], yticks=[])
    right.semilogy(found["norms"], "o-")
    right.set(xlabel="step", title="residual")


if __name__ == "__main__":
    found = solve()
    print(
        "largest u", found["u"].max().round(4), "residuals", *(f"{r:.0e}" for r in found["norms"])
    )
