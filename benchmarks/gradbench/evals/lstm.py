"""``lstm``: a stack of memory cells with diagonal weights that predicts the next character, bit by bit."""
# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

import numpy as np

import retrograd as rg

from ..function import Function


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def cell_step(weight, bias, hidden, cell, x):
    """The gates in their order: forget, in, out, change."""
    b = len(x)
    forget = sigmoid(x * weight[:b] + bias[:b])
    ingate = sigmoid(hidden * weight[b : 2 * b] + bias[b : 2 * b])
    outgate = sigmoid(x * weight[2 * b : 3 * b] + bias[2 * b : 3 * b])
    change = np.tanh(hidden * weight[3 * b :] + bias[3 * b :])
    cell = cell * forget + ingate * change
    return outgate * np.tanh(cell), cell


def objective(main_params, extra_params, state, sequence):
    in_weight, out_weight, out_bias = extra_params
    hidden, cell = state[::2].copy(), state[1::2].copy()
    total = 0.0
    for t in range(len(sequence) - 1):
        x = sequence[t] * in_weight
        for i in range(len(hidden)):
            weight, bias = main_params[2 * i], main_params[2 * i + 1]
            hidden[i], cell[i] = cell_step(weight, bias, hidden[i], cell[i], x)
            x = hidden[i]
        predicted = x * out_weight + out_bias
        normalised = predicted - np.log(2 + np.sum(np.exp(predicted)))
        total += sequence[t + 1] @ normalised
    return -total / ((len(sequence) - 1) * sequence.shape[1])


def arguments(given):
    return tuple(
        np.array(given[name]) for name in ("main_params", "extra_params", "state", "sequence")
    )


def flat(gradients):
    return np.concatenate([gradient.ravel() for gradient in gradients]).tolist()


FUNCTIONS = {
    "objective": Function(lambda backend: objective, arguments),
    "jacobian": Function(
        lambda backend: rg.grad(objective, (0, 1), backend=backend), arguments, flat
    ),
}
