"""Whole programs as they are written in science and engineering."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from .judge import case

__all__ = ["PROGRAMS"]

X = np.array([0.4, -1.3, 0.7])


# -- a state that is taken apart in every step ------------------------------------------------------


def pendulum(state, force):
    angle, speed = state
    return np.array([angle + 0.1 * speed, speed - 0.1 * np.sin(angle) + 0.1 * force])


def control(forces, start, weights):
    state, cost = start, 0.0
    for force in forces:
        state, cost = pendulum(state, force), cost + state @ weights @ state
    return cost + 10.0 * (state @ state)


def rotated_again_and_again(angles, start):
    q = start
    for angle in angles:
        a, b = q
        q = np.array([a * np.cos(angle) - b * np.sin(angle), a * np.sin(angle) + b * np.cos(angle)])
    return q[0] * q[1]


# -- models behind an abstract class ----------------------------------------------------------------


class Potential(ABC):
    @abstractmethod
    def of(self, x): ...

    def energy(self, x):
        return self.of(x) + 0.5 * np.sum(x**2)


class Quartic(Potential):
    def __init__(self, a):
        self.a = a

    def of(self, x):
        return self.a * np.sum(x**4)


class Morse(Potential):
    def __init__(self, a):
        self.a = a

    def of(self, x):
        return np.sum((1.0 - np.exp(-self.a * x)) ** 2)

    def energy(self, x):
        return 2.0 * super().energy(x)


def energies(x, a):
    return sum(p.energy(x) for p in [Quartic(a), Morse(a)] if isinstance(p, Potential))


PROGRAMS = [
    case("control", control, X, np.array([0.3, -0.2]), np.diag([1.0, 0.1])),
    case("control, of the start", control, X, np.array([0.3, -0.2]), np.diag([1.0, 0.1]), wrt=1),
    case("rotated", rotated_again_and_again, X, np.array([0.3, -0.2])),
    case("rotated, of the start", rotated_again_and_again, X, np.array([0.3, -0.2]), wrt=1),
    case("abstract classes", energies, X, 0.7),
    case("abstract classes, of a number", energies, X, 0.7, wrt=1),
]
