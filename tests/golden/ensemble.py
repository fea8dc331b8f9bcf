"""An ensemble of networks: every member has weights of its own, and all see the same data."""
# differentiate: loss wrt w, b, v

import numpy as np

import retrograd as rg


def member(w, b, v, x):
    hidden = np.maximum(x @ w + b, 0.0)
    return hidden @ v


def loss(w, b, v, x, y):
    answers = rg.vmap(member, in_axes=(0, 0, 0, None))(w, b, v, x)
    return np.mean((np.mean(answers, axis=0) - y) ** 2) + 0.1 * np.mean(np.var(answers, axis=0))


def arguments():
    rng = np.random.default_rng(6)
    w, b, v = rng.normal(size=(4, 3, 5)), rng.normal(size=(4, 5)), rng.normal(size=(4, 5))
    return w, b, v, rng.normal(size=(6, 3)), rng.normal(size=6)


# output
"""Derivative of `loss` in ensemble.py: reverse mode, with respect to w, b and v.

For arguments w: f8[w_0, w_1, w_2], b: f8[b_0, b_1], v: f8[v_0, v_1], x: f8[x_0, x_1],
y: f8[y_0].

Written by retrograd 0.2.0 (source 69e80c06). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def member_vmap_fwd(w, b, v, x):
    total = x @ w + b[:, None]
    hidden = np.maximum(total, 0.0)
    saved = hidden, v, total, b, x, w
    return np.einsum("bij,bj->bi", hidden, v), saved


def member_vmap_rev(saved, result):
    hidden, v, total, b, x, w = saved
    # `return hidden @ v`
    v_bar = np.einsum("bi,bij->bj", result, hidden)
    hidden_bar = np.einsum("bi,bj->bij", result, v)
    # `hidden = np.maximum(x @ w + b, 0.0)`
    add_bar = rt.if_larger(hidden_bar, total, 0.0)
    b_bar = np.zeros(b.shape)
    b_bar[:, None] = np.sum(add_bar, axis=1, keepdims=True)
    w_bar = rt.matmul_pull_right(add_bar, x, like=w)
    return w_bar, b_bar, v_bar


def loss_grad(w, b, v, x, y):
    # forward
    answers, member_vmap_saved = member_vmap_fwd(w, b, v, x)
    # backward
    # `return np.mean((np.mean(answers, axis=0) - y) ** 2) + 0.1 * ...`
    difference = answers - np.mean(answers, axis=0, keepdims=True)
    answers_bar = difference * rt.stretch(2 / w.shape[0] * (0.1 / y.size), y)
    answers_bar_part = 2.0 * (np.mean(answers, axis=0) - y) / y.size / w.shape[0]
    answers_bar = answers_bar + answers_bar_part
    # `answers = rg.vmap(member, in_axes=(0, 0, 0, None))(w, b, v, x)`
    w_bar, b_bar, v_bar = member_vmap_rev(member_vmap_saved, answers_bar)
    return w_bar, b_bar, v_bar
