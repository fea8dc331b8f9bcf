"""A curve, fitted, with its confidence band

A damped oscillation is fitted to noisy readings by least squares. SciPy's `least_squares` takes the Jacobian of the
residuals from `rg.jacobian`; the same Jacobian at the solution gives the covariance of the parameters, and the Jacobian
of the curve carries it over into a band.
"""
# mypy: allow-untyped-defs, allow-untyped-calls

import numpy as np
from scipy.optimize import least_squares

import retrograd as rg

TRUTH = np.array([1.5, 0.35, 4.2, 0.6])


def curve(p, t):
    amplitude, damping, frequency, phase = p
    return amplitude * np.exp(-damping * t) * np.cos(frequency * t + phase)


def residuals(p, t, y):
    return curve(p, t) - y


def solve():
    rng = np.random.default_rng(3)
    t = np.sort(rng.uniform(0.0, 6.0, 60))
    y = curve(TRUTH, t) + 0.15 * rng.normal(size=t.size)
    fit = least_squares(residuals, [1.0, 0.1, 4.0, 0.0], jac=rg.jacobian(residuals), args=(t, y))
    variance = 2 * fit.cost / (t.size - fit.x.size)
    covariance = variance * np.linalg.inv(fit.jac.T @ fit.jac)
    grid = np.linspace(0.0, 6.0, 300)
    slopes = rg.jacobian(curve)(fit.x, grid)
    width = 1.96 * np.sqrt(np.einsum("ij,jk,ik->i", slopes, covariance, slopes))
    return {"p": fit.x, "t": t, "y": y, "grid": grid, "width": width, "covariance": covariance}


def draw(fig, found):
    axes = fig.subplots()
    grid, middle = found["grid"], curve(found["p"], found["grid"])
    axes.fill_between(grid, middle - found["width"], middle + found["width"], alpha=0.3, lw=0)
    axes.plot(grid, middle, label="fit, with 95 % band")
    axes.plot(grid, curve(TRUTH, grid), "--", color="C7", label="truth")
    axes.plot(found["t"], found["y"], ".", color="C1", label="readings")
    axes.set(xlabel="time (s)", ylabel="displacement (mm)")
    axes.legend()


if __name__ == "__main__":
    found = solve()
    print("parameters", found["p"].round(3))
    print("+/-       ", np.sqrt(np.diag(found["covariance"])).round(3))
