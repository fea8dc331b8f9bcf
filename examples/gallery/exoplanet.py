"""A planet, from how its star moves

The radial velocity of a star with a planet follows Kepler's equation, `E - e sin E = M`, which has no closed solution. `rg.root`
solves it for all nights at once, and its derivative is that of the equation: the iterations of Newton's method
leave no trace in the gradient.
"""
# mypy: allow-untyped-defs, allow-untyped-calls

import numpy as np
from scipy.optimize import least_squares

import retrograd as rg

NAMES = ["period", "amplitude", "eccentricity", "periastron", "phase", "offset"]
TRUTH = np.array([11.2, 58.0, 0.45, 1.1, 0.8, 12.0])


def kepler(E, e, M):
    return E - e * np.sin(E) - M


def velocity(p, t):
    period, amplitude, e, omega, phase, offset = p
    M = 2 * np.pi * t / period - phase
    E = rg.root(kepler, M, e, M)
    true = 2 * np.arctan2(np.sqrt(1 + e) * np.sin(E / 2), np.sqrt(1 - e) * np.cos(E / 2))
    return amplitude * (np.cos(true + omega) + e * np.cos(omega)) + offset


def residuals(p, t, v):
    return (velocity(p, t) - v) / 4.0


def solve():
    rng = np.random.default_rng(11)
    t = np.sort(rng.uniform(0, 60, 45))
    v = velocity(TRUTH, t) + 4.0 * rng.normal(size=t.size)
    guess = np.array([11.0, 50.0, 0.3, 0.8, 0.5, 0.0])
    fit = least_squares(residuals, guess, jac=rg.jacobian(residuals), args=(t, v), x_scale="jac")
    errors = np.sqrt(np.diag(np.linalg.inv(fit.jac.T @ fit.jac)))
    return {"p": fit.x, "errors": errors, "t": t, "v": v, "chi2": 2 * fit.cost / (t.size - 6)}


def draw(fig, found):
    axes = fig.subplots()
    period = found["p"][0]
    grid = np.linspace(0, period, 300)
    axes.plot(grid, velocity(found["p"], grid), label="fit")
    axes.plot(grid, velocity(TRUTH, grid), "--", color="C7", label="truth")
    axes.errorbar(
        found["t"] % period, found["v"], 4.0, fmt=".", color="C1", lw=1, label="45 nights"
    )
    axes.set(xlabel=f"time in the orbit of {period:.2f} days", ylabel="radial velocity (m/s)")
    axes.legend()


if __name__ == "__main__":
    found = solve()
    for name, value, error in zip(NAMES, found["p"], found["errors"], strict=True):
        print(f"{name:12} {value:7.3f} +/- {error:.3f}")
