"""ARMA(1, 1): the errors are recovered one after the other."""
# differentiate: negative_log_likelihood wrt phi, theta, sigma

import math


def negative_log_likelihood(phi, theta, sigma, y):
    error, total = 0.0, 0.0
    for t in range(1, len(y)):
        error = y[t] - phi * y[t - 1] - theta * error
        total += 0.5 * (error / sigma) ** 2 + math.log(sigma)
    return total


def arguments():
    return 0.6, 0.3, 0.8, [0.2, 0.5, -0.1, 0.4, 0.9]


# output
"""Derivative of `negative_log_likelihood` in arma_likelihood.py: reverse mode, with
respect to phi, theta and sigma.

For arguments phi: float, theta: float, sigma: float, y: [float, float, float, float,
float].

Written by retrograd 0.2.0 (source 9026a232). Change the function, not this file.
"""


def negative_log_likelihood_grad(phi, theta, sigma, y):
    # forward
    y_length = len(y)
    error = 0.0
    tape = []
    for t in range(1, y_length):
        error_prev = error
        error = y[t] - phi * y[t - 1] - theta * error
        tape.append((error_prev, error / sigma))
    # backward
    error_bar = sigma_bar = theta_bar = phi_bar = 0.0
    for t, (error_prev, ratio) in zip(reversed(range(1, y_length)), reversed(tape)):
        # `total += 0.5 * (error / sigma) ** 2 + math.log(sigma)`
        ratio_2 = ratio / sigma
        error_bar_2 = error_bar + ratio_2
        sigma_bar = sigma_bar + 1.0 / sigma - ratio * ratio_2
        # `error = y[t] - phi * y[t - 1] - theta * error`
        error_bar = -(theta * error_bar_2)
        theta_bar -= error_bar_2 * error_prev
        phi_bar -= error_bar_2 * y[t - 1]
    return phi_bar, theta_bar, sigma_bar
