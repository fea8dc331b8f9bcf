"""Batch normalisation that also moves running statistics, in place."""
# differentiate: loss wrt gamma, beta

import numpy as np


def normalised(x, gamma, beta, running, momentum=0.1):
    mean, var = x.mean(axis=0), x.var(axis=0)
    running[0] = (1 - momentum) * running[0] + momentum * mean
    running[1] = (1 - momentum) * running[1] + momentum * var
    return gamma * (x - mean) / np.sqrt(var + 1e-5) + beta


def loss(gamma, beta, batches):
    running = np.zeros((2, len(gamma)))
    running[1] = 1.0
    total = 0.0
    for x in batches:
        total += np.mean(np.tanh(normalised(x, gamma, beta, running)) ** 2)
    return total + 0.01 * np.sum(gamma * running[0] / np.sqrt(running[1]))


def arguments():
    rng = np.random.default_rng(20)
    return 1 + rng.random(3), rng.normal(size=3), rng.normal(size=(2, 4, 3))


# output
"""Derivative of `loss` in batch_norm.py: reverse mode, with respect to gamma and beta.

For arguments gamma: f8[gamma_0], beta: f8[beta_0], batches: f8[batches_0, batches_1,
batches_2].

Written by retrograd 0.2.0 (source f0830b0f). Change the function, not this file.
"""

import numpy as np


def normalised_fwd(x, gamma, beta, running, momentum):
    mean = x.mean(axis=0)
    var = x.var(axis=0)
    difference = 1 - momentum
    running[0] = difference * running[0] + momentum * mean
    running[1] = difference * running[1] + momentum * var
    x_minus_mean = x - mean
    sqrt = np.sqrt(var + 1e-05)
    saved = sqrt, x_minus_mean, difference
    return gamma * x_minus_mean / sqrt + beta, running, saved


def normalised_rev(saved, result, result_2):
    sqrt, x_minus_mean, difference = saved
    # `return gamma * (x - mean) / np.sqrt(var + 1e-05) + beta`
    beta_bar = np.sum(result, axis=0)
    gamma_bar = np.sum(result / sqrt * x_minus_mean, axis=0)
    # `running[1] = (1 - momentum) * running[1] + momentum * var`
    result_2[1] = difference * result_2[1]
    # `running[0] = (1 - momentum) * running[0] + momentum * mean`
    result_2[0] = difference * result_2[0]
    return gamma_bar, beta_bar, result_2


def loss_grad(gamma, beta, batches):
    # forward
    running = np.zeros((2, len(gamma)))
    running[1] = 1.0
    tape = []
    for x in batches:
        normalised, running, normalised_saved = normalised_fwd(
            x, gamma, beta, running, 0.1
        )
        tape.append((normalised_saved, np.tanh(normalised)))
    running_0 = running[0]
    running_1 = running[1]
    sqrt = np.sqrt(running_1)
    # backward
    # `return total + 0.01 * np.sum(gamma * running[0] / np.sqrt(running[1]))`
    mul_bar = 0.01 / sqrt
    running_bar = np.zeros(running.shape)
    running_bar[1] += -0.005 * (gamma * running_0 / sqrt) / running_1
    gamma_bar = mul_bar * running_0
    running_bar[0] += gamma * mul_bar
    beta_bar = np.zeros(beta.shape)
    for normalised_saved, tanh in reversed(tape):
        # `total += np.mean(np.tanh(normalised(x, gamma, beta, running)) ** 2)`
        gamma_bar_2, beta_bar_2, running_bar = normalised_rev(
            normalised_saved,
            (1.0 - tanh * tanh) * (2.0 * tanh / tanh.size),
            running_bar,
        )
        gamma_bar += gamma_bar_2
        beta_bar += beta_bar_2
    return gamma_bar, beta_bar
