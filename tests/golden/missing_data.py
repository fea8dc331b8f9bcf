"""An autoregression over a series with gaps: what is missing is filled by the prediction."""
# differentiate: loss wrt phi

import numpy as np


def loss(phi, y, observed):
    filled = y.copy()
    total = 0.0
    for t in range(1, len(y)):
        predicted = phi * filled[t - 1]
        if observed[t]:
            total += (y[t] - predicted) ** 2
        else:
            filled[t] = predicted
    return total


def arguments():
    y = np.array([1.0, 0.7, 0.0, 0.0, 0.3, 0.2])
    return 0.8, y, np.array([True, True, False, False, True, True])


# output
"""Derivative of `loss` in missing_data.py: reverse mode, with respect to phi.

For arguments phi: float, y: f8[y_0], observed: b1[observed_0].

Written by retrograd 0.2.0 (source 5d2417b0). Change the function, not this file.
"""

import numpy as np


def loss_grad(phi, y, observed):
    # forward
    filled = y.copy()
    tape = []
    for t in range(1, len(y)):
        filled_part = filled[t - 1]
        predicted = phi * filled_part
        if observed[t]:
            difference = y[t] - predicted
        else:
            filled[t] = predicted
            difference = None
        tape.append((filled_part, difference))
    # backward
    filled_bar = np.zeros(y.shape)
    phi_bar = 0.0
    for t, (filled_part, difference) in zip(reversed(range(1, len(y))), reversed(tape)):
        if observed[t]:
            # `total += (y[t] - predicted) ** 2`
            predicted_bar = -2 * difference
        else:
            # `filled[t] = predicted`
            predicted_bar = filled_bar[t]
            filled_bar[t] = 0.0
        # `predicted = phi * filled[t - 1]`
        phi_bar += predicted_bar * filled_part
        filled_bar[t - 1] += phi * predicted_bar
    return float(phi_bar)
