"""What the evals expect, found in other ways than theirs: formulas, other algorithms, complex steps."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
from scipy.linalg import expm
from scipy.special import logsumexp, multigammaln, softmax

from .expected_descents import particle, saddle

__all__ = ["EXPECTED"]

TINY = 1e-30  # of a complex step: its square is nothing
Answer = Callable[[Any], Any]


def complex_steps(f: Callable[[Any], Any], x: Any) -> Any:
    """The Jacobian of f, which takes many vectors at once, as rows: results by entries of x."""
    stepped = np.tile(x.astype(complex), (x.size, 1))
    stepped[np.diag_indices(x.size)] += 1j * TINY
    return np.moveaxis(np.imag(f(stepped)) / TINY, 0, -1)


# -- ba: one observation, since all are the same


def projection_error(given: Any, camera: Any, point: Any, weight: Any) -> Any:
    x, y, z = camera[:3]
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    seen = expm(cross) @ (point - camera[3:6])
    flat = seen[:2] / seen[2]
    square = flat @ flat
    distortion = 1 + camera[9] * square + camera[10] * square**2
    return weight * (flat * distortion * camera[6] + camera[7:9] - given["feat"])


def ba_objective(given: Any) -> Any:
    error = projection_error(given, np.array(given["cam"]), np.array(given["x"]), given["w"])
    return {
        "reproj_error": {"elements": error.tolist(), "repeated": given["p"]},
        "w_err": {"element": 1 - given["w"] ** 2, "repeated": given["p"]},
    }


def ba_jacobian(given: Any) -> Any:
    n, m, p = given["n"], given["m"], given["p"]
    parameters = np.array([*given["cam"], *given["x"], given["w"]])

    def errors(rows: Any) -> Any:
        return np.array([projection_error(given, v[:11], v[11:14], v[14]) for v in rows])

    row = [*range(11), *range(11 * n, 11 * n + 3), 11 * n + 3 * m]
    starts = [*range(0, 30 * p + 1, 15), *range(30 * p + 1, 31 * p + 1)]
    return {
        "rows": [*starts[:30], starts[-1]],
        "cols": [*row, *row, 11 * n + 3 * m + p - 1],
        "vals": [*complex_steps(errors, parameters).ravel().tolist(), -2 * given["w"]],
    }


# -- gmm: a component at a time


def gmm_parts(given: Any) -> Any:
    """Log densities by components, and each component's factor and centred points."""
    d = given["d"]
    x, columns = np.array(given["x"]), []
    parts = []
    for alpha, mu, q, below in zip(
        *(given[name] for name in ("alpha", "mu", "q", "l")), strict=True
    ):
        factor = np.diag(np.exp(q))
        factor.T[np.triu_indices(d, 1)] = below
        centred = x - mu
        scaled = centred @ factor.T
        columns.append(alpha + sum(q) - 0.5 * np.sum(scaled**2, axis=1))
        parts.append((factor, centred, scaled))
    return np.array(columns).T, parts


def gmm_objective(given: Any) -> Any:
    d, k, n, m, gamma = (given[name] for name in ("d", "k", "n", "m", "gamma"))
    densities, parts = gmm_parts(given)
    likelihood = np.sum(logsumexp(densities, axis=1)) - n * logsumexp(given["alpha"])
    freedom = d + m + 1
    constant = freedom * d * math.log(gamma / 2**0.5) - multigammaln(0.5 * freedom, d)
    precision = sum(np.sum(factor**2) for factor, _, _ in parts)
    prior = k * constant - 0.5 * gamma**2 * precision + m * np.sum(given["q"])
    return float(likelihood - 0.5 * n * d * math.log(2 * math.pi) + prior)


def gmm_jacobian(given: Any) -> Any:
    d, m, gamma = given["d"], given["m"], given["gamma"]
    densities, parts = gmm_parts(given)
    shares = softmax(densities, axis=1)
    columns, rows = np.triu_indices(d, 1)
    mu_bar, q_bar, l_bar = [], [], []
    for share, (factor, centred, scaled) in zip(shares.T, parts, strict=True):
        weighted = share[:, None] * scaled
        factor_bar = -(weighted.T @ centred) - gamma**2 * factor
        mu_bar.append(np.sum(weighted @ factor, axis=0).tolist())
        q_bar.append((np.diag(factor_bar) * np.diag(factor) + np.sum(share) + m).tolist())
        l_bar.append(factor_bar[rows, columns].tolist())
    alpha_bar = np.sum(shares, axis=0) - given["n"] * softmax(given["alpha"])
    return {"alpha": alpha_bar.tolist(), "mu": mu_bar, "q": q_bar, "l": l_bar}


# -- ht: many thetas (and shifts of us) at once


def skin(given: Any, theta: Any) -> Any:
    model = given["data"]["model"]
    bones = len(model["parents"])
    angles = np.zeros((len(theta), bones, 3), theta.dtype)
    joints = [(bone, axis) for first in (2, 6, 10, 14, 18) for bone, axis in four(first)]
    for column, (bone, axis) in enumerate(joints):
        angles[:, bone, axis] = theta[:, 6 + column]
    absolutes: list[Any] = []
    for i, parent in enumerate(model["parents"]):
        turned = np.zeros((len(theta), 4, 4), theta.dtype)
        turned[:, 3, 3] = 1
        turned[:, :3, :3] = turn(angles[:, i, 1], 2) @ turn(angles[:, i, 2], 1)
        turned[:, :3, :3] = turned[:, :3, :3] @ turn(angles[:, i, 0], 0)
        relative = np.array(model["base_relatives"][i]) @ turned
        absolutes.append(relative if parent == -1 else absolutes[parent] @ relative)
    positions, weights = np.array(model["base_positions"]), np.array(model["weights"])
    vertices: Any = 0
    for i, absolute in enumerate(absolutes):
        transform = absolute @ np.array(model["inverse_base_absolutes"][i])
        vertices = vertices + weights[:, i, None] * (positions @ np.swapaxes(transform, 1, 2))
    vertices = vertices[:, :, :3] * [-1 if model["is_mirrored"] else 1, 1, 1]
    turns = np.array([expm(cross_matrix(vector)) for vector in theta[:, :3]])
    return vertices @ np.swapaxes(turns, 1, 2) + theta[:, None, 3:6]


def four(first: int) -> list[tuple[int, int]]:
    """The bones of a finger and the axes they turn about, in the order of theta."""
    return [(first, 0), (first, 1), (first + 1, 0), (first + 2, 0)]


def turn(angle: Any, axis: int) -> Any:
    """Rotations about a coordinate axis."""
    i, j = (axis + 1) % 3, (axis + 2) % 3
    matrix = np.zeros((len(angle), 3, 3), angle.dtype)
    matrix[:, axis, axis] = 1
    matrix[:, i, i] = matrix[:, j, j] = np.cos(angle)
    matrix[:, j, i] = np.sin(angle)
    matrix[:, i, j] = -np.sin(angle)
    return matrix


def cross_matrix(vector: Any) -> Any:
    x, y, z = vector
    return np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])


def ht_distances(given: Any, parameters: Any) -> Any:
    """``parameters``: many rows of theta, after the shift of the us where there are any."""
    data = given["data"]
    shifts, theta = parameters[:, :-26], parameters[:, -26:]
    vertices = skin(given, theta)
    if given["us"]:
        corners = vertices[:, np.array(data["model"]["triangles"])[data["correspondences"]]]
        u = np.array(given["us"]) + shifts[:, None]
        first, second = u[..., :1], u[..., 1:]
        third = corners[:, :, 2]
        skinned = first * (corners[:, :, 0] - third) + second * (corners[:, :, 1] - third) + third
    else:
        skinned = vertices[:, data["correspondences"]]
    return (np.array(data["points"]) - skinned).reshape(len(parameters), -1)


def ht_parameters(given: Any) -> Any:
    return np.array([0.0, 0.0, *given["theta"]] if given["us"] else given["theta"])


def ht_objective(given: Any) -> Any:
    return ht_distances(given, ht_parameters(given)[None])[0].tolist()


def ht_jacobian(given: Any) -> Any:
    return complex_steps(lambda p: ht_distances(given, p), ht_parameters(given)).tolist()


# -- lstm: many parameter vectors at once


def lstm_losses(given: Any, parameters: Any) -> Any:
    state, sequence = np.array(given["state"]), np.array(given["sequence"], dtype=float)
    layers, bits = len(state) // 2, state.shape[1]
    main = parameters[:, : 8 * layers * bits].reshape(-1, layers, 2, 4, bits)
    extra = parameters[:, 8 * layers * bits :].reshape(-1, 3, bits)
    hiddens, cells = [*state[::2]], [*state[1::2]]
    total: Any = 0
    for now, then in pairwise(sequence):
        x = now * extra[:, 0]
        for i in range(layers):
            weight, bias = main[:, i, 0], main[:, i, 1]
            inward = np.stack([x, hiddens[i] + 0 * x, x, hiddens[i] + 0 * x], axis=1)
            gates = weight * inward + bias
            forget, ingate, outgate = (1 / (1 + np.exp(-gates[:, j])) for j in range(3))
            cells[i] = cells[i] * forget + ingate * np.tanh(gates[:, 3])
            x = hiddens[i] = outgate * np.tanh(cells[i])
        y = x * extra[:, 1] + extra[:, 2]
        total = total + np.sum(then * (y - np.log(2 + np.sum(np.exp(y), axis=1))[:, None]), axis=1)
    return -total / ((len(sequence) - 1) * bits)


def lstm_parameters(given: Any) -> Any:
    return np.concatenate([np.ravel(given[name]) for name in ("main_params", "extra_params")])


def lstm_objective(given: Any) -> Any:
    return float(lstm_losses(given, lstm_parameters(given)[None])[0])


def lstm_jacobian(given: Any) -> Any:
    return complex_steps(lambda p: lstm_losses(given, p), lstm_parameters(given)).tolist()


# -- ode: the components are polynomials in time, but Runge-Kutta's are not: many x at once


def ode_solutions(given: Any, x: Any) -> Any:
    h = 2 / given["s"]
    y = np.zeros(x.shape, x.dtype)

    def slope(y: Any) -> Any:
        shifted = np.roll(y, 1, axis=1)
        shifted[:, 0] = 1
        return x * shifted

    for _ in range(given["s"]):
        first = slope(y)
        second = slope(y + first * h / 2)
        third = slope(y + second * h / 2)
        y = y + (first + 2 * (second + third) + slope(y + third * h)) * h / 6
    return y


def ode_primal(given: Any) -> Any:
    return ode_solutions(given, np.array(given["x"])[None])[0].tolist()


def ode_gradient(given: Any) -> Any:
    return complex_steps(lambda x: ode_solutions(given, x)[:, -1], np.array(given["x"])).tolist()


# -- the short ones


def det_matrix(given: Any) -> Any:
    return np.reshape(given["A"], (given["ell"], given["ell"]))


def det_gradient(given: Any) -> Any:
    a = det_matrix(given)
    return (np.linalg.det(a) * np.linalg.inv(a).T).ravel().tolist()


def squares(given: Any) -> Any:
    points, centroids = (np.array(given[name]) for name in ("points", "centroids"))
    return np.array([np.sum((points - centroid) ** 2, axis=1) for centroid in centroids])


def kmeans_dir(given: Any) -> Any:
    """From the mean of each cluster to its centroid."""
    points, nearest = np.array(given["points"]), np.argmin(squares(given), axis=0)
    return [
        (np.array(centroid) - points[nearest == i].mean(axis=0)).tolist()
        for i, centroid in enumerate(given["centroids"])
    ]


def llsq_residuals(given: Any) -> tuple[Any, Any]:
    t = np.array([-1 + i * 2 / (given["n"] - 1) for i in range(given["n"])])
    return np.polynomial.polynomial.polyval(t, given["x"]) - np.sign(t), t


def llsq_gradient(given: Any) -> Any:
    residuals, t = llsq_residuals(given)
    return [float(residuals @ t**j) for j in range(len(given["x"]))]


EXPECTED: dict[str, dict[str, Answer]] = {
    "hello": {"square": lambda x: x * x, "double": lambda x: 2 * x},
    "ba": {"objective": ba_objective, "jacobian": ba_jacobian},
    "det": {"primal": lambda g: float(np.linalg.det(det_matrix(g))), "gradient": det_gradient},
    "gmm": {"objective": gmm_objective, "jacobian": gmm_jacobian},
    "ht": {"objective": ht_objective, "jacobian": ht_jacobian},
    "kmeans": {"cost": lambda g: float(np.sum(np.min(squares(g), axis=0))), "dir": kmeans_dir},
    "llsq": {
        "primal": lambda given: 0.5 * float(np.sum(llsq_residuals(given)[0] ** 2)),
        "gradient": llsq_gradient,
    },
    "lse": {
        "primal": lambda given: float(logsumexp(given["x"])),
        "gradient": lambda given: softmax(given["x"]).tolist(),
    },
    "lstm": {"objective": lstm_objective, "jacobian": lstm_jacobian},
    "ode": {"primal": ode_primal, "gradient": ode_gradient},
    "particle": dict.fromkeys(("ff", "fr", "rf", "rr"), particle),
    "saddle": dict.fromkeys(("ff", "fr", "rf", "rr"), saddle),
}
