"""The most likely path: its score, and the states it goes through."""
# differentiate: best_score wrt transition, emission

import numpy as np


def best_score(transition, emission):
    steps, states = emission.shape
    score = emission[0]
    back = np.zeros((steps, states), dtype=int)
    for t in range(1, steps):
        for s in range(states):
            back[t, s] = np.argmax(score + transition[:, s])
        score = np.array([score[back[t, s]] + transition[back[t, s], s] for s in range(states)])
        score = score + emission[t]
    return np.max(score)


def arguments():
    rng = np.random.default_rng(11)
    return rng.normal(size=(3, 3)), rng.normal(size=(4, 3))


# output
"""Derivative of `best_score` in viterbi.py, line 7: reverse mode, with respect to
transition and emission.

For arguments transition: f8[transition_0, transition_1], emission: f8[emission_0,
emission_1].

Written by retrograd 0.1.0 (source c52bb4cd). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def best_score_grad(transition, emission):
    # forward
    emission_shape = emission.shape              # line 8
    steps, states = emission_shape
    score = emission[0]                          # line 9
    back = np.zeros((steps, states), dtype=int)  # line 10
    tape = []
    for t in range(1, steps):  # line 11
        for s in range(states):  # line 12
            back[t, s] = np.argmax(score + transition[:, s])  # line 13
        items = []
        tape_2 = []
        for s in range(states):  # line 14
            back_part = back[t, s]  # line 14
            items.append(score[back_part] + transition[back_part, s])
            tape_2.append(back_part)
        score_2 = np.array(items)
        tape.append((score, items, tape_2, score_2))
        score = score_2 + emission[t]  # line 15
    # backward
    score_bar = rt.share_ties(np.maximum.reduce(score), score)  # line 16
    emission_bar = np.zeros(emission_shape)  # line 11
    transition_bar = np.zeros(transition.shape)
    for t, (score, items, tape_2, score_2) in zip(
        reversed(range(1, steps)), reversed(tape)
    ):
        score_bar_2 = rt.unbroadcast(score_bar, score_2)  # line 15
        emission_bar[t] += score_bar
        score_bar = np.zeros(score.shape)                 # line 14
        for s, add_bar, back_part in zip(
            reversed(range(states)),
            reversed(rt.unpack(score_bar_2, items)),
            reversed(tape_2),
        ):
            transition_bar[back_part, s] += add_bar
            score_bar[back_part] += add_bar
    emission_bar[0] += score_bar  # line 9
    return transition_bar, emission_bar
