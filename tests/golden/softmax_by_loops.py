"""Softmax regression written with loops over samples and classes."""
# differentiate: loss wrt W, b

import math

import numpy as np


def loss(W, b, X, labels):
    total = 0.0
    for x, label in zip(X, labels):
        scores = np.zeros(len(b))
        for c in range(len(b)):
            scores[c] = b[c]
            for f in range(len(x)):
                scores[c] += W[c, f] * x[f]
        norm = 0.0
        for score in scores:
            norm += math.exp(score)
        total += math.log(norm) - scores[label]
    return total / len(X)


def arguments():
    rng = np.random.default_rng(30)
    return rng.normal(size=(3, 2)), rng.normal(size=3), rng.normal(size=(4, 2)), np.array([0, 2, 1, 2])


# output
"""Derivative of `loss` in softmax_by_loops.py: reverse mode, with respect to W and b.

For arguments W: f8[W_0, W_1], b: f8[b_0], X: f8[X_0, X_1], labels: i8[labels_0].

Written by retrograd 0.2.0 (source e0a0ece5). Change the function, not this file.
"""

import math
import numpy as np


def loss_grad(W, b, X, labels):
    # forward
    X_length = len(X)
    low = min(X_length, len(labels))
    b_length = len(b)
    tape = []
    for k in range(low):
        x = X[k]
        scores = np.zeros(b_length)
        x_length = len(x)
        for c, b_part in enumerate(b):
            scores[c] = b_part
            for f in range(x_length):
                scores[c] += W[c, f] * x[f]
        norm = 0.0
        tape_2 = []
        for score in scores:
            exp_score = math.exp(score)
            tape_2.append(exp_score)
            norm += exp_score
        tape.append((x_length, len(scores), norm, tape_2))
    # backward
    # `return total / len(X)`
    total_bar = 1.0 / X_length
    W_bar = np.zeros(W.shape)
    b_shape = b.shape
    b_bar = np.zeros(b_shape)
    for k, (x_length, scores_length, norm, tape_2) in zip(
        reversed(range(low)), reversed(tape)
    ):
        x = X[k]
        label = labels[k]
        # `total += math.log(norm) - scores[label]`
        scores_bar = np.zeros(b_shape)
        scores_bar[label] += -1.0 / X_length
        norm_bar = total_bar / norm
        for k, exp_score in zip(reversed(range(scores_length)), reversed(tape_2)):
            # `norm += math.exp(score)`
            score_bar = exp_score * norm_bar
            scores_bar[k] += score_bar
        for c in reversed(range(b_length)):
            for f in reversed(range(x_length)):
                # `scores[c] += W[c, f] * x[f]`
                W_bar[c, f] += scores_bar[c] * x[f]
            # `scores[c] = b[c]`
            getitem_bar = scores_bar[c]
            scores_bar[c] = 0.0
            b_bar[c] += getitem_bar
    return W_bar, b_bar
