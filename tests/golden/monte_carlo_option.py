"""An Asian option by Monte Carlo over normals that are given."""
# differentiate: price wrt spot, rate, sigma

import numpy as np


def price(spot, rate, sigma, strike, normals, years):
    paths, steps = normals.shape
    dt = years / steps
    s = np.full(paths, spot)
    average = np.zeros(paths)
    for k in range(steps):
        s *= np.exp((rate - 0.5 * sigma**2) * dt + sigma * np.sqrt(dt) * normals[:, k])
        average += s / steps
    payoff = np.maximum(average - strike, 0.0)
    return np.exp(-rate * years) * payoff.mean()


def arguments():
    return 100.0, 0.03, 0.2, 98.0, np.random.default_rng(28).normal(size=(6, 3)), 1.0


# output
"""Derivative of `price` in monte_carlo_option.py: reverse mode, with respect to spot,
rate and sigma.

For arguments spot: float, rate: float, sigma: float, strike: float, normals:
f8[normals_0, normals_1], years: float.

Written by retrograd 0.2.0 (source 2ae20fc9). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def price_grad(spot, rate, sigma, strike, normals, years):
    # forward
    paths, steps = normals.shape
    dt = years / steps
    s = np.full(paths, spot)
    average = np.zeros(paths)
    tape = []
    for k in range(steps):
        sqrt_dt = np.sqrt(dt)
        exp = np.exp((rate - 0.5 * sigma**2) * dt + sigma * sqrt_dt * normals[:, k])
        product = s * exp
        tape.append((sqrt_dt, exp, product))
        s[...] = product
        average += s / steps
    difference = average - strike
    payoff = np.maximum(difference, 0.0)
    exp_2 = np.exp(-rate * years)
    # backward
    # `return np.exp(-rate * years) * payoff.mean()`
    payoff_bar = rt.stretch(exp_2 / payoff.size, payoff)
    rate_bar = -(exp_2 * payoff.mean() * years)
    # `payoff = np.maximum(average - strike, 0.0)`
    sub_bar = rt.if_larger(payoff_bar, difference, 0.0)
    s_bar = np.zeros(s.shape)
    sigma_bar = 0.0
    for k, (sqrt_dt, exp, product) in zip(reversed(range(steps)), reversed(tape)):
        # `average += s / steps`
        s_bar += sub_bar / steps
        # `s *= np.exp((rate - 0.5 * sigma ** 2) * dt + sigma * np.sqrt(dt) * ...`
        s_bar_2 = s_bar * exp
        add_bar = product * s_bar
        sigma_bar += np.sum(add_bar * normals[:, k]) * sqrt_dt
        sub_bar_2 = np.sum(add_bar) * dt
        rate_bar += sub_bar_2
        sigma_bar -= sigma * sub_bar_2
        s_bar = s_bar_2
    # `s = np.full(paths, spot)`
    spot_bar = np.sum(s_bar)
    return float(spot_bar), float(rate_bar), float(sigma_bar)
