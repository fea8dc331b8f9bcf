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
"""Derivative of `negative_log_likelihood` in arma_likelihood.py, line 7: reverse mode,
with respect to phi, theta and sigma.

For arguments phi: float, theta: float, sigma: float, y: [float, float, float, float,
float].

Written by retrograd 0.1.0 (source 9026a232). Change the function, not this file.
"""


def negative_log_likelihood_grad(phi, theta, sigma, y):
    # forward
    y_length = len(y)  # line 9
    error = 0.0
    tape = []
    for t in range(1, y_length):  # line 9
        error_2 = y[t] - phi * y[t - 1] - theta * error  # line 10
        tape.append((error, error_2 / sigma))
        error = error_2
    # backward
    error_bar = 0.0
    sigma_bar = 0.0
    theta_bar = 0.0
    phi_bar = 0.0
    for t, (error, ratio) in zip(reversed(range(1, y_length)), reversed(tape)):
        ratio_2 = ratio / sigma             # line 11
        error_bar_2 = error_bar + ratio_2
        sigma_bar = sigma_bar + 1.0 / sigma - ratio * ratio_2
        error_bar = -(theta * error_bar_2)  # line 10
        theta_bar = theta_bar - error_bar_2 * error
        phi_bar = phi_bar - error_bar_2 * y[t - 1]
    return phi_bar, theta_bar, sigma_bar
