"""One step of adaptation for each of many tasks: the gradient of their mean loss goes through all steps at once."""
# differentiate: meta_loss wrt w

import numpy as np

import retrograd as rg


def loss(w, x, y):
    return np.mean((np.tanh(x @ w) - y) ** 2)


def after_one_step(w, x, y, x_new, y_new):
    adapted = w - 0.1 * rg.grad(loss)(w, x, y)
    return loss(adapted, x_new, y_new)


def meta_loss(w, xs, ys, xs_new, ys_new):
    losses = rg.vmap(after_one_step, in_axes=(None, 0, 0, 0, 0))(w, xs, ys, xs_new, ys_new)
    return np.mean(losses)


def arguments():
    rng = np.random.default_rng(3)
    xs, ys = rng.normal(size=(5, 4, 3)), rng.normal(size=(5, 4))
    xs_new, ys_new = rng.normal(size=(5, 4, 3)), rng.normal(size=(5, 4))
    return rng.normal(size=3), xs, ys, xs_new, ys_new


# output
"""Derivative of `meta_loss` in maml_over_tasks.py: reverse mode, with respect to w.

For arguments w: f8[w_0], xs: f8[xs_0, xs_1, xs_2], ys: f8[ys_0, ys_1], xs_new:
f8[xs_new_0, xs_new_1, xs_new_2], ys_new: f8[ys_new_0, ys_new_1].

Written by retrograd 0.2.0 (source f177dcd5). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def after_one_step_vmap_fwd(w, x, y, x_new, y_new):
    loss_grad_each, loss_grad_each_saved = loss_grad_each_fwd(w, x, y)
    adapted = w - 0.1 * loss_grad_each
    tanh = np.tanh(np.einsum("bij,bj->bi", x_new, adapted))
    difference = tanh - y_new
    saved = x_new, difference, tanh, loss_grad_each_saved
    return np.mean(difference**2, axis=1), saved


def loss_grad_each_fwd(w, x, y):
    tanh = np.tanh(x @ w)
    difference = tanh - y
    ratio = 1.0 / difference.shape[1]
    sub_bar = 2.0 * difference * ratio
    difference_2 = 1.0 - tanh * tanh
    swapaxes_x = np.swapaxes(x, 1, 2)
    w_bar = np.einsum("bij,bj->bi", swapaxes_x, difference_2 * sub_bar)
    saved = swapaxes_x, difference_2, sub_bar, tanh, ratio, x, w
    return w_bar, saved


def after_one_step_vmap_rev(saved, result):
    x_new, difference, tanh, loss_grad_each_saved = saved
    # `return loss(adapted, x_new, y_new)`
    sub_bar = difference * (2.0 * (result / x_new.shape[1]))[:, None]
    adapted_bar = np.einsum("bi,bij->bj", (1.0 - tanh * tanh) * sub_bar, x_new)
    # `adapted = w - 0.1 * rg.grad(loss)(w, x, y)`
    w_bar = loss_grad_each_rev(loss_grad_each_saved, -0.1 * adapted_bar)
    return np.sum(adapted_bar, axis=0) + w_bar


def loss_grad_each_rev(saved, result):
    swapaxes_x, difference, sub_bar, tanh, ratio, x, w = saved
    # `return np.mean((np.tanh(x @ w) - y) ** 2)`
    matmul_bar_bar = np.einsum("bi,bij->bj", result, swapaxes_x)
    sub_bar_bar = difference * matmul_bar_bar
    tanh_bar = -2.0 * (matmul_bar_bar * sub_bar) * tanh + 2.0 * (sub_bar_bar * ratio)
    return rt.matmul_pull_right(difference * tanh_bar, x, like=w)


def meta_loss_grad(w, xs, ys, xs_new, ys_new):
    # forward
    losses, after_one_step_vmap_saved = after_one_step_vmap_fwd(
        w, xs, ys, xs_new, ys_new
    )
    # backward
    return after_one_step_vmap_rev(
        after_one_step_vmap_saved, rt.stretch(1.0 / losses.size, losses)
    )
