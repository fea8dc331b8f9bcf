"""Functions of numbers as scientists write them: line shapes, equations of state, prices, orbits, rates.

Each stands with arguments for it; all of them are differentiated.
"""
# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import special

__all__ = ["FLOATS", "THREES"]

R = 8.314462618
TINY = 1e-15
S2, S2PI, LOG2 = math.sqrt(2), math.sqrt(2 * math.pi), math.log(2)


# -- line shapes ------------------------------------------------------------------------


def gaussian(x, amplitude, center, sigma):
    return (amplitude / (S2PI * max(TINY, sigma))) * np.exp(
        -((1.0 * x - center) ** 2) / max(TINY, (2 * sigma**2))
    )


def lorentzian(x, amplitude, center, sigma):
    return (amplitude / (1 + ((1.0 * x - center) / max(TINY, sigma)) ** 2)) / (
        np.pi * max(TINY, sigma)
    )


def pseudo_voigt(x, amplitude, center, sigma, fraction):
    sigma_g = sigma / math.sqrt(2 * LOG2)
    return (1 - fraction) * gaussian(x, amplitude, center, sigma_g) + fraction * lorentzian(
        x, amplitude, center, sigma
    )


def voigt(x, amplitude, center, sigma, gamma):
    z = (x - center + 1j * gamma) / max(TINY, (sigma * S2))
    return amplitude * special.wofz(z).real / max(TINY, (sigma * S2PI))


def doniach(x, amplitude, center, sigma, gamma):
    arg = (x - center) / max(TINY, sigma)
    gm1 = 1.0 - gamma
    scale = amplitude / max(TINY, (sigma**gm1))
    return scale * np.cos(np.pi * gamma / 2 + gm1 * np.arctan(arg)) / (1 + arg**2) ** (gm1 / 2)


def pearson7(x, amplitude, center, sigma, exponent):
    exponent = max(TINY, exponent)
    arg = (x - center) / max(TINY, sigma)
    scale = (
        amplitude * special.gamma(exponent) / (special.gamma(exponent - 0.5) * (sigma * np.pi**0.5))
    )
    return scale * (1 + arg**2) ** (-exponent)


def exponential_gaussian(x, amplitude, center, sigma, gamma):
    gss = gamma * sigma * sigma
    arg1 = gamma * (center + gss / 2.0 - x)
    arg2 = (center + gss - x) / max(TINY, (S2 * sigma))
    return amplitude * (gamma / 2) * np.exp(arg1) * special.erfc(arg2)


def damped_oscillator(x, amplitude, center, sigma):
    center = max(TINY, abs(center))
    return amplitude / np.sqrt((1.0 - (x / center) ** 2) ** 2 + (2 * sigma * x / center) ** 2)


def breit_wigner(x, amplitude, center, sigma, q):
    gam = sigma / 2.0
    return amplitude * (q * gam + x - center) ** 2 / (gam * gam + (x - center) ** 2)


# -- equations of state and rates -------------------------------------------------------


def van_der_waals(volume, temperature, a, b):
    return R * temperature / (volume - b) - a / volume**2


def peng_robinson(volume, temperature, critical, pressure, acentric):
    kappa = 0.37464 + 1.54226 * acentric - 0.26992 * acentric**2
    alpha = (1 + kappa * (1 - np.sqrt(temperature / critical))) ** 2
    a = 0.45724 * R**2 * critical**2 / pressure
    b = 0.07780 * R * critical / pressure
    return R * temperature / (volume - b) - a * alpha / (volume**2 + 2 * b * volume - b**2)


def birch_murnaghan(volume, energy, reference, bulk, slope):
    eta = (reference / volume) ** (2 / 3)
    return energy + 9 * reference * bulk / 16 * (
        (eta - 1) ** 3 * slope + (eta - 1) ** 2 * (6 - 4 * eta)
    )


def antoine(temperature, a, b, c):
    return 10 ** (a - b / (c + temperature))


def arrhenius(temperature, factor, energy):
    return factor * math.exp(-energy / (R * temperature))


def eyring(temperature, enthalpy, entropy):
    k_over_h = 2.083661912e10
    return k_over_h * temperature * np.exp(entropy / R) * np.exp(-enthalpy / (R * temperature))


def butler_volmer(eta, current, alpha, temperature):
    f = 96485.33212 / (R * temperature)
    return current * (np.exp(alpha * f * eta) - np.exp(-(1 - alpha) * f * eta))


def michaelis_menten(s, v_max, k_m, inhibitor, k_i):
    return v_max * s / (k_m * (1 + inhibitor / k_i) + s)


def planck(wavelength, temperature):
    first, second = 1.191042972e8, 14387.76877  # in micrometres
    return (first / wavelength**5) / np.expm1(second / (wavelength * temperature))


def dose_response(x, bottom, top, ec50, hill):
    return bottom + (top - bottom) / (1 + (ec50 / x) ** hill)


# -- prices -------------------------------------------------------------------------------


def black_scholes(spot, strike, rate, volatility, maturity):
    d1 = (math.log(spot / strike) + (rate + volatility**2 / 2) * maturity) / (
        volatility * math.sqrt(maturity)
    )
    d2 = d1 - volatility * math.sqrt(maturity)
    n = lambda d: 0.5 * (1 + math.erf(d / math.sqrt(2)))  # noqa: E731
    return spot * n(d1) - strike * math.exp(-rate * maturity) * n(d2)


def black_76(forward, strike, rate, volatility, maturity):
    total = volatility * np.sqrt(maturity)
    d1 = np.log(forward / strike) / total + total / 2
    return np.exp(-rate * maturity) * (
        forward * special.ndtr(d1) - strike * special.ndtr(d1 - total)
    )


# -- orbits and mechanics -----------------------------------------------------------------


def kepler(mean, eccentricity):
    e = mean
    for _ in range(6):
        e = e - (e - eccentricity * math.sin(e) - mean) / (1 - eccentricity * math.cos(e))
    return e


def true_anomaly(eccentric, eccentricity):
    return 2 * np.arctan2(
        np.sqrt(1 + eccentricity) * np.sin(eccentric / 2),
        np.sqrt(1 - eccentricity) * np.cos(eccentric / 2),
    )


def haversine(lat1, lon1, lat2, lon2):
    phi1, phi2 = math.radians(lat1), math.radians(lat2)
    half = math.sin((phi2 - phi1) / 2) ** 2
    half += math.cos(phi1) * math.cos(phi2) * math.sin(math.radians(lon2 - lon1) / 2) ** 2
    return 2 * 6371.0 * math.asin(math.sqrt(half))


def pendulum(angle, speed, length):
    step = 0.1
    for _ in range(10):
        speed = speed - step * 9.81 / length * math.sin(angle)
        angle = angle + step * speed
    return angle


def lennard_jones(r, epsilon, sigma):
    ratio = (sigma / r) ** 6
    return 4 * epsilon * (ratio**2 - ratio)


def morse(r, depth, width, place):
    return depth * (1 - np.exp(-width * (r - place))) ** 2


# -- special functions --------------------------------------------------------------------


def beta_log_density(x, a, b):
    return (a - 1) * np.log(x) + (b - 1) * np.log1p(-x) - special.betaln(a, b)


def student_log_density(x, nu):
    front = special.gammaln((nu + 1) / 2) - special.gammaln(nu / 2) - 0.5 * np.log(nu * np.pi)
    return front - (nu + 1) / 2 * np.log1p(x * x / nu)


def logistic_score(x, slope, offset):
    return np.log(special.expit(slope * x + offset)) - 0.1 * slope**2


def softplus(x, beta):
    return np.logaddexp(0.0, beta * x) / beta


# -- tuples and lists ---------------------------------------------------------------------


def horner(coefficients, x):
    total = 0.0
    for c in coefficients:
        total = total * x + c
    return total


def distance(p, q):
    return math.sqrt(sum((a - b) ** 2 for a, b in zip(p, q, strict=True)))


def rosen(x):
    a, b = x
    return (1 - a) ** 2 + 100 * (b - a * a) ** 2


# -- arrays of three ----------------------------------------------------------------------


def angle(u, v):
    return np.arccos(np.dot(u, v) / (np.linalg.norm(u) * np.linalg.norm(v)))


def spring(a, b, stiffness, length):
    return 0.5 * stiffness * (np.linalg.norm(a - b) - length) ** 2


def dihedral(b1, b2, b3):
    n1, n2 = np.cross(b1, b2), np.cross(b2, b3)
    return np.arctan2(np.dot(np.cross(n1, n2), b2 / np.linalg.norm(b2)), np.dot(n1, n2))


def gravity(r, mass):
    return -mass / np.sqrt(r[0] ** 2 + r[1] ** 2 + r[2] ** 2)


FLOATS: dict[Any, tuple[Any, ...]] = {
    gaussian: (0.7, 2.0, 0.3, 0.8),
    lorentzian: (0.7, 2.0, 0.3, 0.8),
    pseudo_voigt: (0.7, 2.0, 0.3, 0.8, 0.4),
    voigt: (0.7, 2.0, 0.3, 0.8, 0.5),
    doniach: (0.7, 2.0, 0.3, 0.8, 0.1),
    pearson7: (0.7, 2.0, 0.3, 0.8, 1.5),
    exponential_gaussian: (0.7, 2.0, 0.3, 0.8, 1.1),
    damped_oscillator: (0.7, 2.0, 1.3, 0.1),
    breit_wigner: (0.7, 2.0, 0.3, 0.8, 1.2),
    van_der_waals: (0.02, 300.0, 0.364, 4.27e-5),
    peng_robinson: (2.0, 320.0, 304.2, 7380.0, 0.228),
    birch_murnaghan: (38.0, -5.0, 40.0, 0.5, 4.2),
    antoine: (60.0, 8.07, 1730.6, 233.4),
    arrhenius: (350.0, 1e9, 5e4),
    eyring: (350.0, 8e4, 10.0),
    butler_volmer: (0.05, 1.2, 0.5, 298.0),
    michaelis_menten: (2.0, 10.0, 1.5, 0.5, 0.8),
    planck: (0.5, 5800.0),
    dose_response: (0.3, 0.1, 0.9, 0.25, 1.4),
    black_scholes: (100.0, 95.0, 0.03, 0.2, 1.5),
    black_76: (100.0, 95.0, 0.03, 0.2, 1.5),
    kepler: (1.2, 0.3),
    true_anomaly: (1.2, 0.3),
    haversine: (52.5, 13.4, 48.8, 2.35),
    pendulum: (0.5, 0.1, 1.3),
    lennard_jones: (1.2, 0.9, 1.1),
    morse: (1.4, 4.7, 1.9, 0.74),
    beta_log_density: (0.3, 2.0, 3.5),
    student_log_density: (0.7, 4.5),
    logistic_score: (0.7, 1.2, -0.4),
    softplus: (0.7, 2.0),
    horner: ([1.0, -2.0, 0.5, 3.0], 1.1),
    distance: ((0.1, 0.2, 0.3), (1.0, -0.4, 0.7)),
    rosen: ([0.4, 1.7],),
}

U, V, W = np.array([0.3, -0.2, 0.9]), np.array([1.1, 0.4, -0.5]), np.array([0.2, 0.7, 0.6])
THREES: dict[Any, tuple[Any, ...]] = {
    angle: (U, V),
    spring: (U, V, 2.0, 0.9),
    dihedral: (U, V, W),
    gravity: (U, 3.0),
}
