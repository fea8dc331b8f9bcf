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
"""Derivative of `negative_log_likelihood` in garch_likelihood.py: reverse mode, with
respect to parameters.

For arguments parameters: f8[parameters_0], returns: f8[returns_0].

Written by retrograd 0.2.0 (source 81e3613d). Change the function, not this file.
"""

import numpy as np


def negative_log_likelihood_grad(parameters, returns):
    # forward
    mu, omega, alpha, beta = parameters
    e = returns - mu
    h = np.empty_like(returns)
    e_squared = e**2
    h[0] = np.mean(e_squared)
    tape = []
    for t in range(1, len(returns)):
        t_minus_1 = t - 1
        power = e[t_minus_1] ** 2
        h_part = h[t_minus_1]
        tape.append((power, h_part))
        h[t] = omega + alpha * power + beta * h_part
    product = 2 * np.pi
    # backward
    # `return 0.5 * np.sum(np.log(2 * np.pi * h) + e ** 2 / h)`
    pow_bar = 0.5 / h
    h_bar = e_squared / h * (-0.5 / h)
    h_bar += product * (0.5 / (product * h))
    e_bar = np.zeros(returns.shape)
    beta_bar = omega_bar = alpha_bar = 0.0
    for t, (power, h_part) in zip(reversed(range(1, len(returns))), reversed(tape)):
        t_minus_1 = t - 1
        # `h[t] = omega + alpha * e[t - 1] ** 2 + beta * h[t - 1]`
        add_bar = h_bar[t]
        h_bar[t] = 0.0
        beta_bar += add_bar * h_part
        h_bar[t_minus_1] += beta * add_bar
        omega_bar += add_bar
        alpha_bar += add_bar * power
        e_bar[t_minus_1] += 2 * e[t_minus_1] * (alpha * add_bar)
    # `h[0] = np.mean(e ** 2)`
    pow_bar += h_bar[0] / returns.size
    e_bar += 2.0 * e * pow_bar
    # `e = returns - mu`
    mu_bar = -np.sum(e_bar)
    parameters_bar = np.zeros(parameters.shape)
    parameters_bar[3] += beta_bar
    parameters_bar[2] += alpha_bar
    parameters_bar[1] += omega_bar
    parameters_bar[0] += mu_bar
    return parameters_bar
