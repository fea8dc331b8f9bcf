"""Real functions that are complex inside, in loops and with writes: found by hand, then by `tests.fuzz.complexes`."""

from __future__ import annotations

import cmath
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import retrograd as rg


def a_sum_of_powers(a: Any, b: Any) -> Any:
    z, s = complex(a, b), 0j
    for k in range(1, 4):
        s += z**k / k
    return s.imag


def real_first(a: Any, b: Any) -> Any:
    z, s = a + 1j * b, 0.0
    for k in range(3):
        s = s + z**k
    return s.real * s.imag


def a_phase(a: Any, b: Any) -> Any:
    w, s = cmath.exp(complex(a, b) * 1j), 1 + 0j
    for k in range(3):
        s = s * w + k
    return abs(s) + s.conjugate().imag


def until_it_escapes(a: Any, b: Any) -> Any:
    z, c = 0, a + b * 1j
    for _ in range(6):
        if abs(z) > 1:
            break
        z = z**2 + c
    return z.real**2 + z.imag


def real_in_between(a: Any, b: Any) -> Any:
    v, u = b, a + 1j
    for _ in range(3):
        v, u = v * u, np.abs(a + 1j)
    return v.real


def written_and_read_in_parts(a: Any, b: Any) -> Any:
    z = np.zeros(3, complex)
    for k in range(3):
        z[k] = complex(a, b) ** k
    w = 0j
    for v in z:
        w = w * 2 + v
    return w.imag + z.real.sum()


def carried_and_halved(a: Any, b: Any) -> Any:
    z = np.array([a, b, a * b]) + 1j * np.array([b, 1.0, a])
    for k in range(2):
        z[k] = z[k] * z[k + 1]
        z = z * (1 + 0.1j)
    return z.real @ np.array([1.0, 2.0, 3.0])


def fill(z: Any, k: int) -> Any:
    z[k] = z[k] * z[k - 1]
    return z


def halved_after_a_call(a: Any, b: Any) -> Any:
    z = np.array([a, b, a * b]) + 1j * np.array([b, 1.0, a])
    return fill(fill(z, 1), 2).real.sum()


def a_wave(a: Any, b: Any) -> Any:
    u = np.zeros((3, 4), dtype=complex)
    u[0] = np.array([a, b, 1.0, a * b]) + 1j * b
    for n in range(2):
        u[n + 1, 1:-1] = u[n, 1:-1] + 0.1j * (u[n, 2:] - 2 * u[n, 1:-1] + u[n, :-2])
        u[n + 1, 0] = u[n, 0]
    return np.sum(u.real**2) + np.sum(np.abs(u[2]) ** 2) + u.real[1, 1]


def real_then_written_complex(a: Any, b: Any) -> Any:
    x = 1j * np.array([a, b])
    w = np.array([b, a]) + 0j
    for n in range(1, 2):
        w[n] += x[0]
    return np.sum(w**3).real


PROGRAMS = (
    a_sum_of_powers, real_first, a_phase, until_it_escapes, real_in_between, written_and_read_in_parts,
    carried_and_halved, halved_after_a_call, a_wave, real_then_written_complex,
)  # fmt: skip
POINT, WAY = np.array([0.4, 1.1]), np.array([1.0, 0.5])
STEP = 1e-6


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_real_functions_through_complex_numbers(f: Callable[..., Any]) -> None:
    gradient = rg.grad(f, wrt=(0, 1))

    def both(at: Any) -> tuple[Any, Any]:
        return f(*map(float, at)), np.array(gradient(*map(float, at)))

    (up, grad_up), (down, grad_down) = both(POINT + STEP * WAY), both(POINT - STEP * WAY)
    found = gradient(*map(float, POINT))
    assert all(isinstance(part, float) for part in found)
    slope = (up - down) / (2 * STEP)
    assert np.dot(found, WAY) == pytest.approx(slope, rel=1e-6, abs=1e-8)
    tangent = rg.jvp(f, tuple(map(float, POINT)), tuple(map(float, WAY)))[1]
    assert not np.iscomplexobj(tangent)
    assert tangent == pytest.approx(slope, rel=1e-6, abs=1e-8)
    second = rg.hvp(f, tuple(map(float, POINT)), tuple(map(float, WAY)), wrt=(0, 1))
    np.testing.assert_allclose(second, (grad_up - grad_down) / (2 * STEP), rtol=1e-5, atol=1e-7)


def real_part_used_twice(x: Any, v: Any) -> Any:
    z = 1j * v
    r = sum(z) + z[0]
    return np.abs(np.sum(z + 1j * r.real + 1j * x) + np.sum(x**3))


def test_reverse_over_reverse_keeps_real_what_is_real() -> None:
    x, v = np.array([[0.3, -0.5], [0.2, 0.8]]), np.array([[0.7, 0.2], [-0.4, 0.6]])
    way = np.array([[0.4, 0.9], [0.1, 0.3]]), np.array([[-0.3, 0.8], [0.5, -0.2]])
    gradient = rg.grad(real_part_used_twice, wrt=(0, 1))
    forward = rg.hvp(real_part_used_twice, (x, v), way, wrt=(0, 1))
    back = rg.vjp(gradient, x, v, wrt=(0, 1))[1](way)
    for one, other in zip(forward, back, strict=True):
        np.testing.assert_allclose(other, one, rtol=1e-12)


def a_whole_and_a_part(x: Any) -> Any:
    y = x * 1j
    return y, y[1] * (2 + 1j)


@pytest.mark.filterwarnings("error")
def test_real_cotangents_of_complex_results() -> None:
    """A part that is complex is added to a cotangent that was given as a real array."""
    pull = rg.vjp(a_whole_and_a_part, np.array([1.0, 2.0, 3.0]))[1]
    np.testing.assert_array_equal(pull((np.ones(3), 1 + 1j)), pull((np.ones(3) + 0j, 1 + 1j)))
    np.testing.assert_array_equal(pull((np.ones(3), 1 + 1j))[0], [0.0, 1.0, 0.0])


@pytest.mark.parametrize("z", [1.3 - 0.4j, 1.3, np.complex128(1.3 - 0.4j)])
@pytest.mark.parametrize(
    "part",
    [
        cmath.phase,
        lambda z: cmath.polar(z)[0],
        lambda z: cmath.polar(z)[1],
        lambda z: abs(complex(z)),
    ],
)
def test_the_value_is_a_number_of_python(part: Any, z: Any) -> None:
    def f(a: Any) -> Any:
        return part(a * z) * 2.0

    value = rg.value_and_grad(f)(1.5)[0]
    assert (type(value), value) == (float, f(1.5))
