"""``ba``: bundle adjustment, the errors of points seen by cameras, and their sparse Jacobian."""
# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

import numpy as np

import retrograd as rg

from ..function import Function

CAMERA = 11  # rotation vector, centre, focal length, principal point, two numbers of distortion
POINT = 3
ERROR = CAMERA + POINT + 1  # the entries in a row of the Jacobian


def rotated(rotation, point):
    """Rodrigues' formula, and its first order for a rotation of zero."""
    square = np.sum(rotation**2, axis=1, keepdims=True)
    turned = square > 0
    angle = np.sqrt(np.where(turned, square, 1.0))
    axis = rotation / angle
    cosine, sine = np.cos(angle), np.sin(angle)
    along = np.sum(axis * point, axis=1, keepdims=True) * (1 - cosine)
    by_angle = point * cosine + np.cross(axis, point) * sine + axis * along
    return np.where(turned, by_angle, point + np.cross(rotation, point))


def projected(camera, point):
    seen = rotated(camera[:, :3], point - camera[:, 3:6])
    flat = seen[:, :2] / seen[:, 2:]
    square = np.sum(flat**2, axis=1, keepdims=True)
    distortion = 1 + camera[:, 9:10] * square + camera[:, 10:11] * square**2
    return flat * distortion * camera[:, 6:7] + camera[:, 7:9]


def errors(cameras, points, weights, seen_by, seen, features):
    """Two for each observation, one observation after the other, then one for each weight."""
    off = projected(cameras[seen_by], points[seen]) - features
    return np.concatenate([(weights[:, None] * off).ravel(), 1 - weights**2])


def arguments(given):
    """One camera, point, weight and feature, repeated."""
    n, m, p = given["n"], given["m"], given["p"]
    observation = np.arange(p)
    return (
        np.tile(given["cam"], (n, 1)),
        np.tile(given["x"], (m, 1)),
        np.full(p, given["w"]),
        observation % n,
        observation % m,
        np.tile(given["feat"], (p, 1)),
    )


def objective_output(errors):
    p = len(errors) // 3
    return {
        "reproj_error": {"elements": errors[:2].tolist(), "repeated": p},
        "w_err": {"element": errors[-1].item(), "repeated": p},
    }


def jacobian_output(blocks):
    """The first observation's two rows of the whole matrix, and the last weight's: others repeat them."""
    cameras, points, weights = blocks
    p = weights.shape[1]
    first_point, first_weight = cameras.shape[1], cameras.shape[1] + points.shape[1]
    columns = [*range(CAMERA), *range(first_point, first_point + POINT), first_weight] * 2
    blocks = cameras[:2, :CAMERA], points[:2, :POINT], weights[:2, :1]
    values = np.concatenate([block.toarray() for block in blocks], axis=1)
    starts = [
        min(row, 2 * p) * ERROR + max(row - 2 * p, 0) for row in range(min(2 * ERROR, 3 * p + 1))
    ]
    return {
        "rows": [*starts, 2 * p * ERROR + p],
        "cols": [*columns, first_weight + p - 1],
        "vals": [*values.ravel().tolist(), float(weights[-1, p - 1])],
    }


FUNCTIONS = {
    "objective": Function(lambda backend: errors, arguments, objective_output),
    "jacobian": Function(
        lambda backend: rg.jacobian(errors, (0, 1, 2), sparse=True, backend=backend),
        arguments,
        jacobian_output,
    ),
}
