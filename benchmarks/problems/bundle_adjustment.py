"""Bundle adjustment: reprojection errors, as in ADBench, one column a camera, a point and a weight.

``ba-jacobian`` is the whole Jacobian of one error, 2 by 15; ``ba`` one row of the Jacobian of each
of many errors at once, which is a gradient because no two of them share a parameter here.
"""
# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.problem import Problem, over, peer, sized


def residual(camera, point, weight, feature):
    """Rotation vector, centre, focal length, principal point, two numbers of radial distortion."""
    r1, r2, r3 = camera[0], camera[1], camera[2]
    x1, x2, x3 = point[0] - camera[3], point[1] - camera[4], point[2] - camera[5]
    angle2 = r1 * r1 + r2 * r2 + r3 * r3
    angle = np.sqrt(angle2)
    cosine = np.cos(angle)
    sine = np.sin(angle) / angle
    along = (r1 * x1 + r2 * x2 + r3 * x3) * (1 - cosine) / angle2
    p1 = x1 * cosine + (r2 * x3 - r3 * x2) * sine + r1 * along
    p2 = x2 * cosine + (r3 * x1 - r1 * x3) * sine + r2 * along
    p3 = x3 * cosine + (r1 * x2 - r2 * x1) * sine + r3 * along
    u1 = p1 / p3
    u2 = p2 / p3
    squared = u1 * u1 + u2 * u2
    stretch = (1 + camera[9] * squared + camera[10] * squared * squared) * camera[6]
    e1 = weight * (u1 * stretch + camera[7] - feature[0])
    e2 = weight * (u2 * stretch + camera[8] - feature[1])
    return np.stack([e1, e2])


def row(camera, point, weight, feature, direction):
    return np.sum(direction * residual(camera, point, weight, feature))


def one(seed: int, n: int = 0) -> tuple[Any, ...]:
    """One error: vectors, and a number for the weight."""
    camera, point, weight, feature, _ = many(seed, 1)
    return camera[:, 0].copy(), point[:, 0].copy(), float(weight[0]), feature[:, 0].copy()


def many(seed: int, n: int) -> tuple[Any, ...]:
    rng = np.random.default_rng(seed)
    camera = rng.normal(size=(11, n))
    camera[3:6] *= 0.2
    camera[6] = 500 + 10 * camera[6]
    camera[9:] *= 0.01
    point = rng.normal(size=(3, n)) + 4 * unit_views(camera[:3])
    return camera, point, rng.uniform(size=n), rng.normal(size=(2, n)), np.array([[1.0], [0.0]])


def unit_views(rotation: Any) -> Any:
    """Where each camera looks, so that no point lies beside it."""
    angle = np.sqrt(np.sum(rotation * rotation, axis=0))
    axis = rotation / angle
    forward = np.array([[0.0], [0.0], [1.0]])
    across = np.cross(forward.T, axis.T).T  # the rotation backwards
    along = axis * axis[2]
    return forward * np.cos(angle) + across * np.sin(angle) + along * (1 - np.cos(angle))


def pulled(camera: Any, point: Any, weight: Any, feature: Any, c1: Any, c2: Any) -> tuple[Any, ...]:
    """The errors, and the adjoints of camera, point and weight for cotangents c1 and c2."""
    r1, r2, r3 = camera[0], camera[1], camera[2]
    x1, x2, x3 = point[0] - camera[3], point[1] - camera[4], point[2] - camera[5]
    angle2 = r1 * r1 + r2 * r2 + r3 * r3
    angle = np.sqrt(angle2)
    cosine, sin = np.cos(angle), np.sin(angle)
    sine = sin / angle
    dot = r1 * x1 + r2 * x2 + r3 * x3
    versine = 1 - cosine
    along = dot * versine / angle2
    w1, w2, w3 = r2 * x3 - r3 * x2, r3 * x1 - r1 * x3, r1 * x2 - r2 * x1
    p1 = x1 * cosine + w1 * sine + r1 * along
    p2 = x2 * cosine + w2 * sine + r2 * along
    p3 = x3 * cosine + w3 * sine + r3 * along
    u1, u2 = p1 / p3, p2 / p3
    squared = u1 * u1 + u2 * u2
    radial = 1 + camera[9] * squared + camera[10] * squared * squared
    stretch = radial * camera[6]
    d1 = u1 * stretch + camera[7] - feature[0]
    d2 = u2 * stretch + camera[8] - feature[1]
    weight_bar = c1 * d1 + c2 * d2
    a1, a2 = c1 * weight, c2 * weight
    stretch_bar = a1 * u1 + a2 * u2
    radial_bar = stretch_bar * camera[6]
    squared_bar = radial_bar * (camera[9] + 2 * camera[10] * squared)
    u1_bar = a1 * stretch + 2 * u1 * squared_bar
    u2_bar = a2 * stretch + 2 * u2 * squared_bar
    p1_bar, p2_bar = u1_bar / p3, u2_bar / p3
    p3_bar = -(p1_bar * u1 + p2_bar * u2)
    along_bar = r1 * p1_bar + r2 * p2_bar + r3 * p3_bar
    sine_bar = w1 * p1_bar + w2 * p2_bar + w3 * p3_bar
    w1_bar, w2_bar, w3_bar = p1_bar * sine, p2_bar * sine, p3_bar * sine
    scaled = along_bar / angle2
    dot_bar = scaled * versine
    cosine_bar = x1 * p1_bar + x2 * p2_bar + x3 * p3_bar - scaled * dot
    angle_bar = cosine * sine_bar / angle - sine * sine_bar / angle - sin * cosine_bar
    angle2_bar = angle_bar / (2 * angle) - along * scaled
    x1_bar = p1_bar * cosine + dot_bar * r1 + w2_bar * r3 - w3_bar * r2
    x2_bar = p2_bar * cosine + dot_bar * r2 + w3_bar * r1 - w1_bar * r3
    x3_bar = p3_bar * cosine + dot_bar * r3 + w1_bar * r2 - w2_bar * r1
    camera_bar = np.empty(np.broadcast_shapes(camera.shape, np.shape(c1)))
    camera_bar[0] = 2 * r1 * angle2_bar + p1_bar * along + dot_bar * x1 + w3_bar * x2 - w2_bar * x3
    camera_bar[1] = 2 * r2 * angle2_bar + p2_bar * along + dot_bar * x2 + w1_bar * x3 - w3_bar * x1
    camera_bar[2] = 2 * r3 * angle2_bar + p3_bar * along + dot_bar * x3 + w2_bar * x1 - w1_bar * x2
    camera_bar[3], camera_bar[4], camera_bar[5] = -x1_bar, -x2_bar, -x3_bar
    camera_bar[6] = stretch_bar * radial
    camera_bar[7], camera_bar[8] = a1, a2
    camera_bar[9] = radial_bar * squared
    camera_bar[10] = camera_bar[9] * squared
    point_bar = np.empty(camera_bar[:3].shape)
    point_bar[0], point_bar[1], point_bar[2] = x1_bar, x2_bar, x3_bar
    return weight * d1, weight * d2, camera_bar, point_bar, weight_bar


def row_by_hand(
    camera: Any, point: Any, weight: Any, feature: Any, direction: Any
) -> tuple[Any, tuple[Any, ...]]:
    c1, c2 = direction
    e1, e2, *bars = pulled(camera, point, weight, feature, c1, c2)
    return np.add.reduce(c1 * e1 + c2 * e2), tuple(bars)


def jacobian_by_hand(
    camera: Any, point: Any, weight: Any, feature: Any
) -> tuple[Any, tuple[Any, ...]]:
    """One row after the other."""
    e1, e2, *first = pulled(camera, point, weight, feature, 1.0, 0.0)
    second = pulled(camera, point, weight, feature, 0.0, 1.0)[2:]
    bars = tuple(np.array(pair) for pair in zip(first, second, strict=True))
    return np.array([e1, e2]), bars


def in_peer(numpy: str, function: Any) -> Any:
    def made() -> Any:
        return over(peer(numpy), function, residual=over(peer(numpy), residual))

    return made


def problem(name: str, function: Any, arguments: Any, by_hand: Any, jacobian: bool) -> Problem:
    return Problem(
        name=name,
        function=function,
        wrt=(0, 1, 2),
        arguments=arguments,
        hand_written=by_hand,
        in_autograd=in_peer("autograd.numpy", function),
        in_jax=in_peer("jax.numpy", function),
        in_torch=in_peer("torch", function),
        jacobian=jacobian,
    )


PROBLEMS = [
    *sized(problem("ba-jacobian", residual, one, jacobian_by_hand, True), tiny=1),
    *sized(
        problem("ba", row, many, row_by_hand, False),
        tiny=5,
        small=100,
        medium=10_000,
        large=100_000,
    ),
]
