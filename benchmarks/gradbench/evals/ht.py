"""``ht``: hand tracking, the distances of measured points from the skin of a posed hand."""
# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import retrograd as rg

from ..function import Function

FINGERS = 5


@dataclass
class Hand:
    """A hand at rest, as the eval sends it; a parent comes before its children."""

    bone_names: tuple[str, ...]
    parents: list[int]
    base_relatives: np.ndarray
    inverse_base_absolutes: np.ndarray
    base_positions: np.ndarray
    weights: np.ndarray
    triangles: np.ndarray
    is_mirrored: bool


def angle_axis_rotation(vector):
    angle = np.sqrt(np.sum(vector**2))
    if angle < 0.0001:
        return np.eye(3)
    x, y, z = vector / angle
    s, c = np.sin(angle), np.cos(angle)
    return np.array(
        [
            [x * x + (1 - x * x) * c, x * y * (1 - c) - z * s, x * z * (1 - c) + y * s],
            [x * y * (1 - c) + z * s, y * y + (1 - y * y) * c, y * z * (1 - c) - x * s],
            [x * z * (1 - c) - y * s, z * y * (1 - c) + x * s, z * z + (1 - z * z) * c],
        ]
    )


def euler_rotation(angles):
    """About x, then y, then z; the angles come as x, z, y."""
    tx, tz, ty = angles
    about_x = np.array([[1.0, 0, 0], [0, np.cos(tx), -np.sin(tx)], [0, np.sin(tx), np.cos(tx)]])
    about_y = np.array([[np.cos(ty), 0, np.sin(ty)], [0, 1.0, 0], [-np.sin(ty), 0, np.cos(ty)]])
    about_z = np.array([[np.cos(tz), -np.sin(tz), 0], [np.sin(tz), np.cos(tz), 0], [0, 0, 1.0]])
    return about_z @ about_y @ about_x


def bone_angles(theta, bones):
    """Three for each bone: each finger bends at three joints, and its first also turns sideways."""
    angles = np.zeros((bones, 3))
    given = 6
    bone = 2
    for _ in range(FINGERS):
        for joint in range(3):
            angles[bone, 0] = theta[given]
            given += 1
            if joint == 0:
                angles[bone, 1] = theta[given]
                given += 1
            bone += 1
        bone += 1
    return angles


def bone_transforms(theta, hand):
    angles = bone_angles(theta, len(hand.bone_names))
    absolutes = []
    for i, parent in enumerate(hand.parents):
        turned = np.eye(4)
        turned[:3, :3] = euler_rotation(angles[i])
        relative = hand.base_relatives[i] @ turned
        absolutes.append(relative if parent == -1 else absolutes[parent] @ relative)
    return np.stack(absolutes) @ hand.inverse_base_absolutes


def skin(theta, hand):
    """The vertices, each moved with its bones."""
    moved = hand.base_positions @ np.swapaxes(bone_transforms(theta, hand), 1, 2)
    vertices = np.sum(moved[:, :, :3] * hand.weights.T[:, :, None], axis=0)
    if hand.is_mirrored:
        vertices = vertices * np.array([-1.0, 1.0, 1.0])
    return vertices @ angle_axis_rotation(theta[:3]).T + theta[3:6]


def simple(theta, hand, correspondences, points):
    """Each point is a vertex."""
    return (points - skin(theta, hand)[correspondences]).ravel()


def complicated(shift, theta, hand, correspondences, points, us):
    """Each point is in a triangle, at its own ``us``; a common shift of all has their derivatives."""
    u = us + shift
    corners = skin(theta, hand)[hand.triangles[correspondences]]
    weights = np.stack([u[:, 0], u[:, 1], 1 - u[:, 0] - u[:, 1]], axis=1)
    return (points - np.sum(weights[:, :, None] * corners, axis=1)).ravel()


def distances(theta, hand, correspondences, points, us):
    if len(us) == 0:
        return simple(theta, hand, correspondences, points)
    return complicated(np.zeros(2), theta, hand, correspondences, points, us)


def distances_jacobian(backend):
    """A column for each number in theta; before them two for the two ``us`` of a point, if it has any."""
    of_simple = rg.jacobian(simple, backend=backend)
    of_complicated = rg.jacobian(complicated, (0, 1), backend=backend)

    def jacobian(theta, hand, correspondences, points, us):
        if len(us) == 0:
            return of_simple(theta, hand, correspondences, points)
        return np.hstack(of_complicated(np.zeros(2), theta, hand, correspondences, points, us))

    return jacobian


def arguments(given):
    data = given["data"]
    model = data["model"]
    hand = Hand(
        bone_names=tuple(model["bone_names"]),
        parents=list(model["parents"]),
        base_relatives=np.array(model["base_relatives"]),
        inverse_base_absolutes=np.array(model["inverse_base_absolutes"]),
        base_positions=np.array(model["base_positions"]),
        weights=np.array(model["weights"]),
        triangles=np.array(model["triangles"]),
        is_mirrored=model["is_mirrored"],
    )
    correspondences = np.array(data["correspondences"])
    points, us = np.array(data["points"]), np.array(given["us"])
    return np.array(given["theta"]), hand, correspondences, points, us


FUNCTIONS = {
    "objective": Function(lambda backend: distances, arguments),
    "jacobian": Function(distances_jacobian, arguments),
}
