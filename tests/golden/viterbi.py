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
"""Derivative of `best_score` in viterbi.py: reverse mode, with respect to transition
and emission.

For arguments transition: f8[transition_0, transition_1], emission: f8[emission_0,
emission_1].

Written by retrograd 0.2.0 (source c52bb4cd). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def best_score_grad(transition, emission):
    # forward
    steps, states = emission.shape
    score = emission[0]
    back = np.zeros((steps, states), dtype=int)
    tape = []
    for t in range(1, steps):
        for s in range(states):
            back[t, s] = np.argmax(score + transition[:, s])
        items = []
        tape_2 = []
        for s in range(states):
            back_ts = back[t, s]
            items.append(score[back_ts] + transition[back_ts, s])
            tape_2.append(back_ts)
        score = np.array(items)
        tape.append((items, tape_2, score))
        score = score + emission[t]
    # backward
    # `return np.max(score)`
    score_bar = rt.share_ties(np.max(score), score)
    emission_bar = np.zeros(emission.shape)
    transition_bar = np.zeros(transition.shape)
    for t, (items, tape_2, score) in zip(reversed(range(1, steps)), reversed(tape)):
        # `score = score + emission[t]`
        score_bar_2 = rt.unbroadcast(score_bar, score)
        emission_bar[t] += score_bar
        # `score = np.array([score[back[t, s]] + transition[back[t, s], s] for s ...`
        score_bar = np.zeros(score_bar.shape)
        for s, add_bar, back_ts in zip(
            reversed(range(states)),
            reversed(rt.unpack(score_bar_2, items)),
            reversed(tape_2),
        ):
            transition_bar[back_ts, s] += add_bar
            score_bar[back_ts] += add_bar
    # `score = emission[0]`
    emission_bar[0] += score_bar
    return transition_bar, emission_bar
