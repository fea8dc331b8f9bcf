"""An LSTM as a class: the cell is an object that holds its state, the model an argument."""
# differentiate: loss wrt model

import dataclasses

import numpy as np


@dataclasses.dataclass
class Model:
    W: np.ndarray
    b: np.ndarray
    v: np.ndarray


class Cell:
    def __init__(self, model, size):
        self.model = model
        self.h = np.zeros(size)
        self.c = np.zeros(size)

    def __call__(self, x):
        z = np.concatenate([x, self.h]) @ self.model.W + self.model.b
        i, f, o, g = np.split(z, 4)
        self.c = sigmoid(f) * self.c + sigmoid(i) * np.tanh(g)
        self.h = sigmoid(o) * np.tanh(self.c)
        return self.h


def sigmoid(z):
    return 1 / (1 + np.exp(-z))


def loss(model, xs, y):
    cell = Cell(model, 2)
    for x in xs:
        h = cell(x)
    return np.sum((h @ model.v - y) ** 2)


def arguments():
    rng = np.random.default_rng(0)
    model = Model(rng.normal(size=(5, 8)), rng.normal(size=8), rng.normal(size=2))
    return model, rng.normal(size=(4, 3)), 0.5


# output
"""Derivative of `loss` in lstm_class.py: reverse mode, with respect to model.

For arguments model: Model, xs: f8[xs_0, xs_1], y: float.

Written by retrograd 0.2.0 (source 316d469a). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def Cell_call_fwd(self_model, self_h, self_c, x):
    concatenate = np.concatenate([x, self_h])
    self_model_part = self_model.W
    z = concatenate @ self_model_part + self_model.b
    i, f, o, g = np.split(z, 4)
    ratio = 1 / (1 + np.exp(-f))
    ratio_2 = 1 / (1 + np.exp(-i))
    tanh_g = np.tanh(g)
    product = ratio_2 * tanh_g
    c = ratio * self_c + product
    ratio_3 = 1 / (1 + np.exp(-o))
    tanh_c = np.tanh(c)
    h = ratio_3 * tanh_c
    saved = (
        ratio_3,
        tanh_c,
        product,
        ratio_2,
        tanh_g,
        ratio,
        self_c,
        z,
        concatenate,
        self_model_part,
        x,
        self_h,
        self_model,
    )
    return h, c, h, saved


def Cell_call_rev(saved, result, result_2):
    (
        ratio,
        tanh_c,
        product,
        ratio_2,
        tanh_g,
        ratio_3,
        self_c,
        z,
        concatenate,
        self_model_part,
        x,
        self_h,
        self_model,
    ) = saved
    # `self.h = sigmoid(o) * np.tanh(self.c)`
    c_bar = result_2 + (1.0 - tanh_c * tanh_c) * (ratio * result)
    o_bar = rt.unbroadcast(result * tanh_c, ratio) * ratio * (1.0 - ratio)
    # `self.c = sigmoid(f) * self.c + sigmoid(i) * np.tanh(g)`
    mul_bar = rt.unbroadcast(c_bar, product)
    g_bar = (1.0 - tanh_g * tanh_g) * rt.unbroadcast(ratio_2 * mul_bar, tanh_g)
    i_bar = rt.unbroadcast(mul_bar * tanh_g, ratio_2) * ratio_2 * (1.0 - ratio_2)
    self_c_bar = ratio_3 * c_bar
    f_bar = rt.unbroadcast(c_bar * self_c, ratio_3) * ratio_3 * (1.0 - ratio_3)
    # `i, f, o, g = np.split(z, 4)`
    z_bar = rt.unsplit([i_bar, f_bar, o_bar, g_bar], z, 4)
    # `z = np.concatenate([x, self.h]) @ self.model.W + self.model.b`
    zeros = np.zeros(x.shape)
    self_h_bar = rt.split_like(self_model_part @ z_bar, like=[zeros, self_h])[1]
    fill_like = rt.fill_like(
        self_model, {"b": z_bar, "W": concatenate[:, None] * z_bar}, attributes=True
    )
    return fill_like, self_h_bar, self_c_bar


def loss_grad(model, xs, y):
    # forward
    zeros = np.zeros(2)
    c = np.zeros(2)
    h = None
    tape = []
    for x in xs:
        h, c, _, Cell_call_saved = Cell_call_fwd(model, zeros, c, x)
        tape.append(Cell_call_saved)
        zeros = h
    model_part = model.v
    # backward
    # `return np.sum((h @ model.v - y) ** 2)`
    sub_bar = 2 * (h @ model_part - y)
    h_bar = sub_bar * model_part
    model_bar = rt.zeros_like(model)
    h_bar_2 = np.zeros(zeros.shape)
    c_bar = np.zeros(c.shape)
    for Cell_call_saved in reversed(tape):
        h_bar_2 = h_bar + h_bar_2
        # `h = cell(x)`
        model_bar_2, h_bar_2, c_bar = Cell_call_rev(Cell_call_saved, h_bar_2, c_bar)
        model_bar = rt.add(model_bar, model_bar_2)
        h_bar = np.zeros(h_bar.shape)
    model_bar_part = rt.fill_like(model, {"v": h * sub_bar}, attributes=True)
    return rt.match(rt.add(model_bar, model_bar_part), model)
