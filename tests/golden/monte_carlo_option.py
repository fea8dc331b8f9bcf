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
"""Derivative of `price` in monte_carlo_option.py, line 7: reverse mode, with respect to
spot, rate and sigma.

For arguments spot: float, rate: float, sigma: float, strike: float, normals:
f8[normals_0, normals_1], years: float.

Written by retrograd 0.1.0 (source 2ae20fc9). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def price_grad(spot, rate, sigma, strike, normals, years):
    # forward
    paths, steps = normals.shape
    dt = years / steps         # line 9
    s = np.full(paths, spot)   # line 10
    average = np.zeros(paths)  # line 11
    tape = []
    for k in range(steps):  # line 12
        sqrt_dt = np.sqrt(dt)               # line 13
        exp = np.exp((rate - 0.5 * sigma ** 2) * dt + sigma * sqrt_dt * normals[:, k])
        product = s * exp
        tape.append((sqrt_dt, exp, product))
        s[...] = product
        average += s / steps                # line 14
    difference = average - strike                        # line 15
    payoff = np.maximum(difference, 0.0)
    exp = np.exp(-rate * years)                          # line 16
    # backward
    payoff_bar = rt.stretch(exp / payoff.size, payoff)
    rate_bar = -(exp * payoff.mean() * years)
    sub_bar = rt.if_larger(payoff_bar, difference, 0.0)  # line 15
    s_bar = np.zeros(s.shape)                            # line 12
    sigma_bar = 0.0
    for k, (sqrt_dt, exp, product) in zip(reversed(range(steps)), reversed(tape)):
        s_bar += sub_bar / steps  # line 14
        s_bar_2 = s_bar * exp     # line 13
        add_bar = product * s_bar
        sub_bar_2 = np.add.reduce(add_bar) * dt
        rate_bar = rate_bar + sub_bar_2
        sigma_bar = (
            sigma_bar
            + np.add.reduce(add_bar * normals[:, k]) * sqrt_dt
            - sigma * sub_bar_2
        )
        s_bar = s_bar_2
    spot_bar = np.add.reduce(s_bar)  # line 10
    spot_bar = float(spot_bar)
    rate_bar = float(rate_bar)
    sigma_bar = float(sigma_bar)
    return spot_bar, rate_bar, sigma_bar
