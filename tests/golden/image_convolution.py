"""A convolution of an image by a kernel, with loops."""
# differentiate: sharpness wrt image, kernel

import numpy as np


def sharpness(image, kernel):
    h, w = image.shape
    kh, kw = kernel.shape
    out = np.zeros((h - kh + 1, w - kw + 1))
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            out[i, j] = np.sum(image[i : i + kh, j : j + kw] * kernel)
    return np.mean(np.maximum(out, 0) ** 2)


def arguments():
    rng = np.random.default_rng(18)
    return rng.normal(size=(4, 5)), rng.normal(size=(2, 3))


# output
"""Derivative of `sharpness` in image_convolution.py: reverse mode, with respect to
image and kernel.

For arguments image: f8[image_0, image_1], kernel: f8[kernel_0, kernel_1].

Written by retrograd 0.2.0 (source 7a44ec69). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def sharpness_grad(image, kernel):
    # forward
    h, w = image.shape
    kh, kw = kernel.shape
    zeros = np.zeros((h - kh + 1, w - kw + 1))
    out = zeros
    tape = []
    for i in range(zeros.shape[0]):
        part = out.shape[1]
        tape.append(part)
        i_plus_kh = i + kh
        for j in range(part):
            out[i, j] = np.sum(image[i:i_plus_kh, j : j + kw] * kernel)
    peak = np.maximum(out, 0)
    # backward
    # `return np.mean(np.maximum(out, 0) ** 2)`
    out_bar = rt.if_larger(2.0 * peak / peak.size, out, 0)
    kernel_bar = np.zeros(kernel.shape)
    image_bar = np.zeros(image.shape)
    for i, part in zip(reversed(range(zeros.shape[0])), reversed(tape)):
        i_plus_kh = i + kh
        for j in reversed(range(part)):
            j_plus_kw = j + kw
            image_part = image[i:i_plus_kh, j:j_plus_kw]
            # `out[i, j] = np.sum(image[i:i + kh, j:j + kw] * kernel)`
            sum_bar = out_bar[i, j]
            out_bar[i, j] = 0.0
            kernel_bar += image_part * rt.stretch(sum_bar, kernel)
            getitem_bar = rt.unbroadcast(sum_bar * kernel, image_part)
            image_bar[i:i_plus_kh, j:j_plus_kw] += getitem_bar
    return image_bar, kernel_bar
