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
"""Derivative of `sharpness` in image_convolution.py, line 7: reverse mode, with respect
to image and kernel.

For arguments image: f8[image_0, image_1], kernel: f8[kernel_0, kernel_1].

Written by retrograd 0.1.0 (source 7a44ec69). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def sharpness_grad(image, kernel):
    # forward
    image_shape = image.shape                 # line 8
    h, w = image_shape
    kernel_shape = kernel.shape               # line 9
    kh, kw = kernel_shape
    out = np.zeros((h - kh + 1, w - kw + 1))  # line 10
    part = out.shape[0]                       # line 11
    tape = []
    for i in range(part):  # line 11
        part_2 = out.shape[1]  # line 12
        tape.append(part_2)
        total = i + kh         # line 13
        for j in range(part_2):  # line 12
            out[i, j] = np.add.reduce(image[i:total, j:j + kw] * kernel, axis=None)
    peak = np.maximum(out, 0)            # line 14
    # backward
    out_bar = rt.if_larger(2.0 * peak * (1.0 / peak.size), out, 0)
    kernel_bar = np.zeros(kernel_shape)  # line 11
    image_bar = np.zeros(image_shape)
    for i, part_2 in zip(reversed(range(part)), reversed(tape)):
        total = i + kh
        for j in reversed(range(part_2)):
            total_2 = j + kw
            image_part = image[i:total, j:total_2]
            sum_bar = out_bar[i, j]  # line 13
            out_bar[i, j] = 0.0
            kernel_bar += image_part * rt.stretch(sum_bar, kernel)
            image_bar[i:total, j:total_2] += rt.unbroadcast(
                sum_bar * kernel, image_part
            )
    return image_bar, kernel_bar
