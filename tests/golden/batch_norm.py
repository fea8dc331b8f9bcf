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
"""Derivative of `loss` in batch_norm.py, line 14: reverse mode, with respect to gamma
and beta.

For arguments gamma: f8[gamma_0], beta: f8[beta_0], batches: f8[batches_0, batches_1,
batches_2].

Written by retrograd 0.1.0 (source f0830b0f). Change the function, not this file.
"""

import numpy as np


def normalised_fwd(x, gamma, beta, running, momentum):
    mean = x.mean(axis=0)                                  # line 8
    var = x.var(axis=0)
    difference = 1 - momentum                              # line 9
    running[0] = difference * running[0] + momentum * mean
    running[1] = difference * running[1] + momentum * var  # line 10
    difference_2 = x - mean                                # line 11
    sqrt = np.sqrt(var + 1e-05)
    saved = sqrt, difference_2, difference
    return gamma * difference_2 / sqrt + beta, running, saved


def normalised_rev(saved, result, result_2):
    sqrt, difference, difference_2 = saved
    beta_bar = np.add.reduce(result)                     # line 11
    gamma_bar = np.add.reduce(result / sqrt * difference)
    result_2[1] = difference_2 * result_2[1]             # line 10
    result_2[0] = difference_2 * result_2[0]             # line 9
    return gamma_bar, beta_bar, result_2


def loss_grad(gamma, beta, batches):
    # forward
    running = np.zeros((2, len(gamma)))  # line 15
    running[1] = 1.0                     # line 16
    tape = []
    for x in batches:  # line 18
        normalised, running, normalised_saved = normalised_fwd(
            x, gamma, beta, running, 0.1
        )  # line 19
        tape.append((normalised_saved, np.tanh(normalised)))
    running_part = running[0]            # line 20
    running_part_2 = running[1]
    sqrt = np.sqrt(running_part_2)
    # backward
    mul_bar = 0.01 / sqrt
    running_bar = np.zeros(running.shape)
    running_bar[1] += -0.005 * (gamma * running_part / sqrt) / running_part_2
    gamma_bar = mul_bar * running_part
    running_bar[0] += gamma * mul_bar
    beta_bar = np.zeros(beta.shape)      # line 18
    for normalised_saved, tanh in reversed(tape):
        gamma_bar_2, beta_bar_2, running_bar = normalised_rev(
            normalised_saved,
            (1.0 - tanh * tanh) * (2.0 * tanh * (1.0 / tanh.size)),
            running_bar,
        )  # line 19
        gamma_bar += gamma_bar_2
        beta_bar += beta_bar_2
    return gamma_bar, beta_bar
