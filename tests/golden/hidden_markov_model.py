"""The forward algorithm of a hidden Markov model, in logarithms."""
# differentiate: log_evidence wrt initial, transition, emission

import numpy as np


def log_sum_exp(x, axis):
    top = np.max(x, axis=axis, keepdims=True)
    return np.squeeze(top, axis) + np.log(np.sum(np.exp(x - top), axis=axis))


def log_evidence(initial, transition, emission, seen):
    alpha = initial + emission[:, seen[0]]
    for symbol in seen[1:]:
        alpha = log_sum_exp(alpha[:, None] + transition, 0) + emission[:, symbol]
    return log_sum_exp(alpha, 0)


def arguments():
    rng = np.random.default_rng(10)
    seen = np.array([0, 2, 1, 1, 0])
    return rng.normal(size=2), rng.normal(size=(2, 2)), rng.normal(size=(2, 3)), seen


# output
"""Derivative of `log_evidence` in hidden_markov_model.py: reverse mode, with respect to
initial, transition and emission.

For arguments initial: f8[initial_0], transition: f8[transition_0, transition_1],
emission: f8[emission_0, emission_1], seen: i8[seen_0].

Written by retrograd 0.2.0 (source 9b5e77ff). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def log_sum_exp_fwd(x, axis):
    top = np.max(x, axis=axis, keepdims=True)
    squeeze_top = np.squeeze(top, axis)
    exp = np.exp(x - top)
    total = np.sum(exp, axis=axis)
    log = np.log(total)
    saved = squeeze_top, log, total, exp, axis, x, top
    return squeeze_top + log, saved


def log_sum_exp_rev(saved, result):
    squeeze_top, log, total, exp, axis, x, top = saved
    # `return np.squeeze(top, axis) + np.log(np.sum(np.exp(x - top), axis=axis))`
    sub_bar = exp * rt.unreduce(rt.unbroadcast(result, log) / total, exp, axis=axis)
    top_bar_part = rt.reshape_like(rt.unbroadcast(result, squeeze_top), like=top)
    top_bar = top_bar_part - rt.unbroadcast(sub_bar, top)
    # `top = np.max(x, axis=axis, keepdims=True)`
    x_bar_part = rt.unreduce(top_bar, x, axis=axis, keepdims=True)
    x_bar_part_2 = rt.share_ties(top, x, axis=axis, keepdims=True) * x_bar_part
    return rt.unbroadcast(sub_bar, x) + x_bar_part_2


def log_evidence_grad(initial, transition, emission, seen):
    # forward
    seen_0 = seen[0]
    emission_part = emission[:, seen_0]
    alpha = initial + emission_part
    seen_part = seen[1:]
    tape = []
    for symbol in seen_part:
        alpha_part = alpha[:, None]
        log_sum_exp, log_sum_exp_saved = log_sum_exp_fwd(alpha_part + transition, 0)
        tape.append((alpha, alpha_part, log_sum_exp, log_sum_exp_saved))
        alpha = log_sum_exp + emission[:, symbol]
    log_sum_exp_2, log_sum_exp_saved = log_sum_exp_fwd(alpha, 0)
    rt.check_scalar(log_sum_exp_2)
    # backward
    # `return log_sum_exp(alpha, 0)`
    alpha_bar = log_sum_exp_rev(log_sum_exp_saved, 1.0)
    emission_bar = np.zeros(emission.shape)
    transition_bar = np.zeros(transition.shape)
    for k, (alpha, alpha_part, log_sum_exp, log_sum_exp_saved) in zip(
        reversed(range(len(seen_part))), reversed(tape)
    ):
        symbol = seen_part[k]
        # `alpha = log_sum_exp(alpha[:, None] + transition, 0) + emission[:, symbol]`
        emission_bar[:, symbol] += rt.unbroadcast(alpha_bar, emission[:, symbol])
        add_bar = log_sum_exp_rev(
            log_sum_exp_saved, rt.unbroadcast(alpha_bar, log_sum_exp)
        )
        transition_bar += rt.unbroadcast(add_bar, transition)
        alpha_bar = rt.zeros_like(alpha)
        alpha_bar[:, None] += rt.unbroadcast(add_bar, alpha_part)
    # `alpha = initial + emission[:, seen[0]]`
    initial_bar = rt.unbroadcast(alpha_bar, initial)
    emission_bar[:, seen_0] += rt.unbroadcast(alpha_bar, emission_part)
    initial_bar = rt.match(initial_bar, initial)
    return initial_bar, transition_bar, emission_bar
