"""Rotations of space as programs of NumPy, which are differentiated in place of ``scipy.spatial.transform``."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import UnsupportedOperation

__all__ = ["Rotation", "from_euler", "from_matrix", "from_quat", "from_rotvec"]

AXES = {"x": 0, "y": 1, "z": 2}


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


def from_euler(seq: str, angles: Any, degrees: bool = False) -> Any:
    """The rotations about these axes one after the other: of space, or in capitals of the body."""
    a = np.asarray(angles) * (np.pi / 180 if degrees else 1.0)
    if len(seq) == 1 and a.ndim < 2:
        a = a[..., None]
    whole = about(AXES[seq[0].lower()], a[..., 0])
    for k in range(1, len(seq)):
        more = about(AXES[seq[k].lower()], a[..., k])
        whole = whole * more if seq[0].isupper() else more * whole
    return whole


def about(axis: int, angle: Any) -> Any:
    """The rotation about one of the axes."""
    sin, cos = np.sin(angle / 2), np.cos(angle / 2)
    none = 0.0 * sin
    parts = [sin if k == axis else none for k in range(3)]
    return Rotation(np.stack([*parts, cos], axis=-1))


def from_matrix(matrix: Any) -> Any:
    """The rotation of an orthogonal matrix, and of one beside it that which is nearest."""
    m = np.asarray(matrix)
    for _ in range(2):  # each has one more derivative of the nearest orthogonal matrix
        square = np.swapaxes(m, -1, -2) @ m
        if np.any(np.abs(square - np.eye(3)) > 1e-6):
            raise UnsupportedOperation("Rotation.from_matrix of a matrix that is not orthogonal")
        m = m @ (3 * np.eye(3) - square) / 2
    d = np.stack((m[..., 0, 0], m[..., 1, 1], m[..., 2, 2]), axis=-1)
    trace = np.sum(d, axis=-1, keepdims=True)
    ways = np.concatenate((d, trace), axis=-1)
    best = np.argmax(ways, axis=-1)[..., None]
    candidates = [quaternion_by(m, trace[..., 0], k) for k in range(4)]
    q = np.where(best == 0, candidates[0], candidates[1])
    q = np.where(best == 2, candidates[2], q)
    q = np.where(best == 3, candidates[3], q)
    return Rotation(q / np.linalg.norm(q, axis=-1, keepdims=True))


def quaternion_by(m: Any, trace: Any, way: int) -> Any:
    """A multiple of the quaternion of a matrix, by its part that is not small."""
    if way == 3:
        parts = [
            m[..., 2, 1] - m[..., 1, 2],
            m[..., 0, 2] - m[..., 2, 0],
            m[..., 1, 0] - m[..., 0, 1],
            1 + trace,
        ]
        return np.stack(parts, axis=-1)
    i, j, k = way, (way + 1) % 3, (way + 2) % 3
    found = {
        i: 1 - trace + 2 * m[..., i, i], j: m[..., j, i] + m[..., i, j],
        k: m[..., k, i] + m[..., i, k], 3: m[..., k, j] - m[..., j, k],
    }  # fmt: skip
    return np.stack([found[0], found[1], found[2], found[3]], axis=-1)


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

    def as_euler(self, seq: str, degrees: bool = False) -> Any:
        """The angles about three axes; at 0 or a quarter turn of the second one the others are not unique."""
        extrinsic = seq[0].islower()
        order = seq.lower() if extrinsic else seq.lower()[::-1]
        i, j, k = AXES[order[0]], AXES[order[1]], AXES[order[2]]
        symmetric = i == k
        if symmetric:
            k = 3 - i - j
        sign = (i - j) * (j - k) * (k - i) // 2
        p, q, r, w = self.q[..., i], self.q[..., j], self.q[..., k] * sign, self.q[..., 3]
        a, b, c, d = (w, p, q, r) if symmetric else (w - q, p + r, q + w, r - p)
        middle = 2 * np.arctan2(np.hypot(c, d), np.hypot(a, b))
        if np.any((np.abs(middle) <= 1e-7) | (np.abs(middle - np.pi) <= 1e-7)):
            raise UnsupportedOperation("Rotation.as_euler where the angles are not unique")
        half_sum, half_difference = np.arctan2(b, a), np.arctan2(d, c)
        one, other = half_sum - half_difference, half_sum + half_difference
        if not symmetric:
            middle, other = middle - np.pi / 2, sign * other
        parts = (one, middle, other) if extrinsic else (other, middle, one)
        angles = np.stack(parts, axis=-1)
        angles = np.where(angles < -np.pi, angles + 2 * np.pi, angles)
        angles = np.where(angles > np.pi, angles - 2 * np.pi, angles)
        return angles * (180 / np.pi) if degrees else angles

    def magnitude(self) -> Any:
        length = np.linalg.norm(self.q[..., :3], axis=-1)
        return 2 * np.arctan2(length, np.abs(self.q[..., 3]))

    def apply(self, vectors: Any, inverse: bool = False) -> Any:
        turn = self.inv().as_matrix() if inverse else self.as_matrix()
        return np.squeeze(turn @ np.asarray(vectors)[..., None], axis=-1)

    def inv(self) -> Any:
        return Rotation(self.q * np.array([-1.0, -1.0, -1.0, 1.0]))

    def __getitem__(self, index: Any) -> Any:
        return Rotation(self.q[index])

    def __len__(self) -> int:
        return len(self.q)

    def __mul__(self, other: Any) -> Any:
        p, q = self.q, other.as_quat()
        u, v, a, b = p[..., :3], q[..., :3], p[..., 3:], q[..., 3:]
        turned = a * v + b * u + np.cross(u, v)
        return Rotation(
            np.concatenate((turned, a * b - np.sum(u * v, axis=-1, keepdims=True)), axis=-1)
        )

    def __rmul__(self, other: Any) -> Any:
        return from_quat(other.as_quat()) * self
