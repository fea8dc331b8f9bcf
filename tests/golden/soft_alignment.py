"""Needleman-Wunsch with a soft maximum, so that every alignment counts."""
# differentiate: alignment wrt similarity, gap

import numpy as np


def soft_max(values):
    top = max(values)
    return top + np.log(sum(np.exp(v - top) for v in values))


def alignment(similarity, gap):
    n, m = similarity.shape
    V = np.zeros((n + 1, m + 1))
    V[1:, 0] = gap * np.arange(1, n + 1)
    V[0, 1:] = gap * np.arange(1, m + 1)
    for i in range(n):
        for j in range(m):
            V[i + 1, j + 1] = soft_max(
                [V[i, j] + similarity[i, j], V[i, j + 1] + gap, V[i + 1, j] + gap]
            )
    return V[-1, -1]


def arguments():
    return np.random.default_rng(12).normal(size=(3, 4)), -0.4


# output
"""Derivative of `alignment` in soft_alignment.py: reverse mode, with respect to
similarity and gap.

For arguments similarity: f8[similarity_0, similarity_1], gap: float.

Written by retrograd 0.2.0 (source c918c0fb). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def soft_max_fwd(values_0, values_1, values_2):
    top = max([values_0, values_1, values_2])
    exp = np.exp(values_0 - top)
    exp_2 = np.exp(values_1 - top)
    exp_3 = np.exp(values_2 - top)
    total = sum([exp, exp_2, exp_3])
    saved = total, exp, exp_2, exp_3, values_0, values_1, values_2, top
    return top + np.log(total), saved


def soft_max_rev(saved, result):
    total, exp, exp_2, exp_3, values_0, values_1, values_2, top = saved
    # `return top + np.log(sum((np.exp(v - top) for v in values)))`
    exp_bar_part = rt.spread(result / total, [exp, exp_2, exp_3])
    sub_bar = exp_3 * exp_bar_part[2]
    sub_bar_2 = exp_2 * exp_bar_part[1]
    sub_bar_3 = exp * exp_bar_part[0]
    top_bar = result - sub_bar - sub_bar_2 - sub_bar_3
    # `top = max(values)`
    values_0_bar_part = rt.unpick(top_bar, ([values_0, values_1, values_2],), top)[0]
    values_0_bar = sub_bar_3 + values_0_bar_part[0]
    values_1_bar = sub_bar_2 + values_0_bar_part[1]
    values_2_bar = sub_bar + values_0_bar_part[2]
    return values_0_bar, values_1_bar, values_2_bar


def alignment_grad(similarity, gap):
    # forward
    n, m = similarity.shape
    n_plus_1 = n + 1
    m_plus_1 = m + 1
    V = np.zeros((n_plus_1, m_plus_1))
    arange = np.arange(1, n_plus_1)
    product = gap * arange
    V[1:, 0] = product
    arange_2 = np.arange(1, m_plus_1)
    product_2 = gap * arange_2
    V[0, 1:] = product_2
    tape = []
    for i in range(n):
        i_plus_1 = i + 1
        tape_2 = []
        for j in range(m):
            j_plus_1 = j + 1
            soft_max, soft_max_saved = soft_max_fwd(
                V[i, j] + similarity[i, j], V[i, j_plus_1] + gap, V[i_plus_1, j] + gap
            )
            tape_2.append(soft_max_saved)
            V[i_plus_1, j_plus_1] = soft_max
        tape.append(tape_2)
    # backward
    # `return V[-1, -1]`
    V_bar = np.zeros(V.shape)
    V_bar[-1, -1] += 1.0
    similarity_bar = np.zeros(similarity.shape)
    gap_bar = 0.0
    for i, tape_2 in zip(reversed(range(n)), reversed(tape)):
        i_plus_1 = i + 1
        for j, soft_max_saved in zip(reversed(range(m)), reversed(tape_2)):
            j_plus_1 = j + 1
            # `V[i + 1, j + 1] = soft_max([V[i, j] + similarity[i, j], V[i, j + 1] ...`
            V_bar_part = V_bar[i_plus_1, j_plus_1]
            V_bar[i_plus_1, j_plus_1] = 0.0
            add_bar, add_bar_2, add_bar_3 = soft_max_rev(soft_max_saved, V_bar_part)
            V_bar[i_plus_1, j] += add_bar_3
            gap_bar = gap_bar + add_bar_3 + add_bar_2
            V_bar[i, j_plus_1] += add_bar_2
            similarity_bar[i, j] += add_bar
            V_bar[i, j] += add_bar
    mul_bar = rt.unbroadcast(V_bar[0, 1:], product_2).copy()
    # `V[0, 1:] = gap * np.arange(1, m + 1)`
    V_bar[0, 1:] = 0.0
    # `V[1:, 0] = gap * np.arange(1, n + 1)`
    gap_bar_part = np.sum(rt.unbroadcast(V_bar[1:, 0], product) * arange)
    gap_bar = gap_bar + np.sum(mul_bar * arange_2) + gap_bar_part
    return similarity_bar, float(gap_bar)
