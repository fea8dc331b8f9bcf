"""GARCH(1, 1): the variance of every day from the day before."""
# differentiate: negative_log_likelihood wrt parameters

import numpy as np


def negative_log_likelihood(parameters, returns):
    mu, omega, alpha, beta = parameters
    e = returns - mu
    h = np.empty_like(returns)
    h[0] = np.mean(e**2)
    for t in range(1, len(returns)):
        h[t] = omega + alpha * e[t - 1] ** 2 + beta * h[t - 1]
    return 0.5 * np.sum(np.log(2 * np.pi * h) + e**2 / h)


def arguments():
    returns = np.random.default_rng(19).normal(size=6)
    return np.array([0.05, 0.1, 0.15, 0.7]), returns


# output
"""Derivative of `negative_log_likelihood` in garch_likelihood.py, line 7: reverse mode,
with respect to parameters.

For arguments parameters: f8[parameters_0], returns: f8[returns_0].

Written by retrograd 0.1.0 (source 81e3613d). Change the function, not this file.
"""

import numpy as np


def negative_log_likelihood_grad(parameters, returns):
    # forward
    mu, omega, alpha, beta = parameters
    e = returns - mu                          # line 9
    h = np.empty_like(returns)                # line 10
    power = e ** 2                            # line 11
    returns_size = returns.size
    h[0] = np.add.reduce(power) / returns_size
    returns_length = len(returns)             # line 12
    tape = []
    for t in range(1, returns_length):  # line 12
        difference = t - 1  # line 13
        power_2 = e[difference] ** 2
        h_part = h[difference]
        tape.append((power_2, h_part))
        h[t] = omega + alpha * power_2 + beta * h_part
    product = 2 * np.pi                     # line 14
    # backward
    pow_bar = 0.5 / h
    h_bar = power / h * (-0.5 / h)
    h_bar += product * (0.5 / (product * h))
    e_bar = np.zeros(returns.shape)         # line 12
    beta_bar = 0.0
    omega_bar = 0.0
    alpha_bar = 0.0
    for t, (power_2, h_part) in zip(reversed(range(1, returns_length)), reversed(tape)):
        difference = t - 1
        add_bar = h_bar[t]  # line 13
        h_bar[t] = 0.0
        beta_bar = beta_bar + add_bar * h_part
        h_bar[difference] += beta * add_bar
        omega_bar = omega_bar + add_bar
        alpha_bar = alpha_bar + add_bar * power_2
        e_bar[difference] += 2 * e[difference] * (alpha * add_bar)
    pow_bar += h_bar[0] / returns_size  # line 11
    e_bar += 2.0 * e * pow_bar
    total = np.add.reduce(e_bar)        # line 9
    mu_bar = -total
    parameters_bar = np.zeros(parameters.shape)
    parameters_bar[3] += beta_bar
    parameters_bar[2] += alpha_bar
    parameters_bar[1] += omega_bar
    parameters_bar[0] += mu_bar
    return parameters_bar
