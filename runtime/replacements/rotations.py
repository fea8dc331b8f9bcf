"""Rotations of space as programs of NumPy, which are differentiated in place of ``scipy.spatial.transform``."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["Rotation", "from_quat", "from_rotvec"]


def from_rotvec(rotvec: Any, degrees: bool = False) -> Any:
    """The rotation about a vector by its length."""
    v = np.asarray(rotvec) * (np.pi / 180 if degrees else 1.0)
    half = np.linalg.norm(v, axis=-1, keepdims=True) / 2
    return Rotation(np.concatenate((np.sinc(half / np.pi) / 2 * v, np.cos(half)), axis=-1))


def from_quat(quat: Any, *, scalar_first: bool = False) -> Any:
    """The rotation of a quaternion, whose length does not matter."""
    q = np.asarray(quat)
    if scalar_first:
        q = np.roll(q, -1, axis=-1)
    return Rotation(q / np.linalg.norm(q, axis=-1, keepdims=True))


class Rotation:
    """A rotation, or a stack of them, as unit quaternions with the scalar last."""

    def __init__(self, q: Any) -> None:
        self.q = q

    def as_quat(self, canonical: bool = False, *, scalar_first: bool = False) -> Any:
        q = self.q
        if canonical:
            q = np.where(q[..., 3:] < 0, -q, q)
        return np.roll(q, 1, axis=-1) if scalar_first else q

    def as_matrix(self) -> Any:
        x, y, z, w = self.q[..., 0], self.q[..., 1], self.q[..., 2], self.q[..., 3]
        rows = (
            (w * w + x * x - y * y - z * z, 2 * (x * y - z * w), 2 * (x * z + y * w)),
            (2 * (x * y + z * w), w * w - x * x + y * y - z * z, 2 * (y * z - x * w)),
            (2 * (x * z - y * w), 2 * (y * z + x * w), w * w - x * x - y * y + z * z),
        )
        return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)

    def as_rotvec(self, degrees: bool = False) -> Any:
        q = np.where(self.q[..., 3:] < 0, -self.q, self.q)
        length = np.linalg.norm(q[..., :3], axis=-1, keepdims=True)
        half = np.arctan2(length, q[..., 3:])
        v = 2 / np.sinc(half / np.pi) * q[..., :3]
        return v * (180 / np.pi) if degrees else v

    def apply(self, vectors: Any, inverse: bool = False) -> Any:
        turn = self.inv().as_matrix() if inverse else self.as_matrix()
        return np.squeeze(turn @ np.asarray(vectors)[..., None], axis=-1)

    def inv(self) -> Any:
        return Rotation(self.q * np.array([-1.0, -1.0, -1.0, 1.0]))

    def __mul__(self, other: Any) -> Any:
        p, q = self.q, other.q
        u, v, a, b = p[..., :3], q[..., :3], p[..., 3:], q[..., 3:]
        turned = a * v + b * u + np.cross(u, v)
        return Rotation(
            np.concatenate((turned, a * b - np.sum(u * v, axis=-1, keepdims=True)), axis=-1)
        )
