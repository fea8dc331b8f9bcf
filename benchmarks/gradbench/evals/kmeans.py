"""``kmeans``: squared distances to the nearest centroids, and Newton's step for the centroids."""
# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

import numpy as np

import retrograd as rg

from ..function import Function


def cost(points, centroids):
    squares = np.sum(points**2, axis=1)[:, None] + np.sum(centroids**2, axis=1)
    return np.sum(np.min(squares - 2 * points @ centroids.T, axis=1))


def newton_step(backend):
    """The Hessian is diagonal: its product with ones is its diagonal, and comes with the gradient."""
    gradient = rg.grad(cost, "centroids", backend=backend)

    def direction(points, centroids):
        ones = np.ones(centroids.shape)
        slope, diagonal = rg.jvp(gradient, (points, centroids), (None, ones))
        return slope / diagonal

    return direction


def arguments(given):
    return np.array(given["points"]), np.array(given["centroids"])


FUNCTIONS = {
    "cost": Function(lambda backend: cost, arguments),
    "dir": Function(newton_step, arguments),
}
