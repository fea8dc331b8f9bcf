"""Objects in lists of run-time length, for which dicts of their attributes stand; what would see the dict is refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import retrograd as rg

X = np.array([0.5, 0.7, 0.4])


class Ball:
    def __init__(self, x: Any) -> None:
        self.x = x
        self.v = 0.0

    def step(self, dt: float) -> None:
        self.v = self.v - self.x * dt
        self.x = self.x + self.v * dt

    @property
    def energy(self) -> Any:
        return self.v**2 + self.x**2

    def __call__(self, s: Any) -> Any:
        return self.x * s


@dataclass
class Point:
    x: float
    y: Any

    def __add__(self, other: Any) -> Any:
        return self.x + np.sum(other.y)


def made_at_once(x: Any) -> Any:
    return sum(ball(2.0) + ball.energy for ball in [Ball(v) for v in x])


def appended(x: Any) -> Any:
    balls = []
    for v in x:
        ball = Ball(v)
        ball.v = ball.v + v * v
        balls.append(ball)
    return sum(ball.energy for ball in balls)


def written(x: Any) -> Any:
    balls = [Ball(v) for v in x]
    for ball in balls:
        ball.x *= 2
    balls[0].v = x[1]
    return sum(ball.energy * ball.x for ball in balls)


def with_operators(x: Any) -> Any:
    points = [Point(v, x * v) for v in x]
    total = 0.0
    for point in points:
        total = total + (point + points[0])
    return total


def rows(x: Any) -> Any:
    out = []
    for v in x:
        row = {}
        row["a"] = v
        row["b"] = v * v
        out.append(row)
    return sum(row["a"] * row["b"] for row in out)


def differences(f: Callable[..., Any]) -> Any:
    return np.array([(f(X + e) - f(X - e)) / 2e-5 for e in np.eye(3) * 1e-5])


@pytest.mark.parametrize("f", [made_at_once, appended, written, with_operators, rows])
def test_compiled(f: Callable[..., Any]) -> None:
    np.testing.assert_allclose(rg.grad(f, strict=True)(X), differences(f), rtol=1e-6)
    slope = rg.jvp(f, (X,), (np.ones(3),))[1]
    np.testing.assert_allclose(slope, np.sum(differences(f)), rtol=1e-6)


def stepped(x: Any) -> Any:
    balls = [Ball(v) for v in x]
    for _ in range(3):
        for ball in balls:
            ball.step(0.1)
    return sum(ball.energy for ball in balls)


def told_apart(x: Any) -> Any:
    balls = [Ball(v) for v in x]
    return sum(a.x * b.x for a in balls for b in balls if a is not b)


def shared(x: Any) -> Any:
    balls = [Ball(v) for v in x]
    others = balls[1:]
    others[0].x = 3.0
    return sum(ball.x * ball.x for ball in balls)


def written_later(x: Any) -> Any:
    balls = []
    for v in x:
        ball = Ball(v)
        balls.append(ball)
        ball.x = ball.x * 3.0
    return sum(ball.energy for ball in balls)


def one_object(x: Any) -> Any:
    balls, ball = [], Ball(1.0)
    for v in x:
        ball.x = ball.x * v
        balls.append(ball)
    return sum(ball.energy for ball in balls)


@pytest.mark.usefixtures("taped")
@pytest.mark.filterwarnings("ignore::retrograd.runtime.errors.TapeWarning")
@pytest.mark.parametrize("f", [stepped, told_apart, shared, written_later, one_object])
def test_refused_or_right(f: Callable[..., Any]) -> None:
    np.testing.assert_allclose(rg.grad(f)(X), differences(f), rtol=1e-6)


def test_a_dict_is_no_object() -> None:
    def printed(x: Any) -> Any:
        balls = [Ball(v) for v in x]
        return x[0] * len(repr(type(balls[0])))

    with pytest.raises(rg.errors.RetrogradError):
        rg.grad(printed, strict=True)(X)
