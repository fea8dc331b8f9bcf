"""A recursive sum over a tree of nested tuples, with a function of the leaves as an argument."""
# differentiate: total wrt scale, tree

import numpy as np


def fold(f, tree):
    if isinstance(tree, tuple):
        left, right = tree
        return fold(f, left) + fold(f, right)
    return f(tree)


def total(scale, tree):
    return fold(lambda leaf: np.sum(leaf * scale), tree)


def arguments():
    return 1.5, ((np.arange(3.0), np.ones(2)), np.arange(2.0))


# output
"""Derivative of `total` in tree_sum.py: reverse mode, with respect to scale and tree.

For arguments scale: float, tree: ((f8[tree_0_0_0], f8[tree_0_1_0]), f8[tree_1_0]).

Written by retrograd 0.2.0 (source 76e4987c). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def fold_fwd(f_scale, tree):
    left, right = tree
    fold, fold_saved = fold_fwd_2(f_scale, left)
    fold_2, fold_saved_2 = fold_fwd_3(f_scale, right)
    saved = fold_saved_2, fold_saved
    return fold + fold_2, saved


def fold_fwd_2(f_scale, tree):
    left, right = tree
    fold, fold_saved = fold_fwd_3(f_scale, left)
    fold_2, fold_saved_2 = fold_fwd_3(f_scale, right)
    saved = fold_saved_2, fold_saved
    return fold + fold_2, saved


def fold_fwd_3(f_scale, tree):
    saved = f_scale, tree
    return np.sum(tree * f_scale), saved


def fold_rev(saved, result):
    fold_saved, fold_saved_2 = saved
    # `return fold(f, left) + fold(f, right)`
    f_scale_bar, right_bar = fold_rev_2(fold_saved, result)
    f_scale_bar_2, left_bar = fold_rev_3(fold_saved_2, result)
    return f_scale_bar + f_scale_bar_2, (left_bar, right_bar)


def fold_rev_2(saved, result):
    f_scale, tree = saved
    tree_bar = rt.stretch(result * f_scale, tree)
    f_scale_bar = np.sum(tree) * result
    return f_scale_bar, tree_bar


def fold_rev_3(saved, result):
    fold_saved, fold_saved_2 = saved
    # `return fold(f, left) + fold(f, right)`
    f_scale_bar, right_bar = fold_rev_2(fold_saved, result)
    f_scale_bar_2, left_bar = fold_rev_2(fold_saved_2, result)
    return f_scale_bar + f_scale_bar_2, (left_bar, right_bar)


def total_grad(scale, tree):
    # forward
    _, fold_saved = fold_fwd(scale, tree)
    # backward
    # `return fold(lambda leaf: np.sum(leaf * scale), tree)`
    scale_bar, tree_bar = fold_rev(fold_saved, 1.0)
    return float(scale_bar), rt.match(tree_bar, tree)
