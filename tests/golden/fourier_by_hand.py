"""A radix-2 transform with the real and imaginary parts in arrays of their own."""
# differentiate: band_power wrt signal

import numpy as np


def band_power(signal, order, low, high):
    re = signal[order]
    im = np.zeros(len(signal))
    half = 1
    while half < len(signal):
        for start in range(0, len(signal), 2 * half):
            for k in range(half):
                c, s = np.cos(np.pi * k / half), -np.sin(np.pi * k / half)
                i, j = start + k, start + k + half
                tr = c * re[j] - s * im[j]
                ti = c * im[j] + s * re[j]
                re[j] = re[i] - tr
                im[j] = im[i] - ti
                re[i] += tr
                im[i] += ti
        half *= 2
    return np.sum(re[low:high] ** 2 + im[low:high] ** 2)


def arguments():
    signal = np.random.default_rng(27).normal(size=8)
    return signal, np.array([0, 4, 2, 6, 1, 5, 3, 7]), 1, 3


# output
"""Derivative of `band_power` in fourier_by_hand.py: reverse mode, with respect to
signal.

For arguments signal: f8[signal_0], order: i8[order_0], low: int, high: int.

Written by retrograd 0.2.0 (source c003873f). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def band_power_grad(signal, order, low, high):
    # forward
    re = signal[order]
    signal_length = len(signal)
    im = np.zeros(signal_length)
    half = 1
    tape = []
    while half < signal_length:
        tape_2 = []
        for start in range(0, signal_length, 2 * half):
            tape_3 = []
            for k in range(half):
                ratio = np.pi * k / half
                c = np.cos(ratio)
                sin = np.sin(ratio)
                tape_3.append((c, sin))
                s = -sin
                i = start + k
                j = i + half
                re_j = re[j]
                im_j = im[j]
                tr = c * re_j - s * im_j
                ti = c * im_j + s * re_j
                re[j] = re[i] - tr
                im[j] = im[i] - ti
                re[i] += tr
                im[i] += ti
            tape_2.append(tape_3)
        tape.append((half, tape_2))
        half *= 2
    re_part = re[low:high]
    power = re_part**2
    im_part = im[low:high]
    power_2 = im_part**2
    # backward
    # `return np.sum(re[low:high] ** 2 + im[low:high] ** 2)`
    add_bar = rt.stretch(1.0, power + power_2)
    im_bar = np.zeros(signal.shape)
    im_bar[low:high] += 2.0 * im_part * rt.unbroadcast(add_bar, power_2)
    re_bar = np.zeros(re.shape)
    re_bar[low:high] += 2.0 * re_part * rt.unbroadcast(add_bar, power)
    for half, tape_2 in reversed(tape):
        for start, tape_3 in zip(
            reversed(range(0, signal_length, 2 * half)), reversed(tape_2)
        ):
            for k, (c, sin) in zip(reversed(range(half)), reversed(tape_3)):
                i = start + k
                j = i + half
                # `im[j] = im[i] - ti`
                sub_bar = im_bar[j]
                ti_bar = im_bar[i] - sub_bar
                # `re[j] = re[i] - tr`
                sub_bar_2 = re_bar[j]
                tr_bar = re_bar[i] - sub_bar_2
                # `tr = c * re[j] - s * im[j]`
                im_bar[j] = c * ti_bar + sin * tr_bar
                # `im[j] = im[i] - ti`
                im_bar[i] += sub_bar
                # `tr = c * re[j] - s * im[j]`
                re_bar[j] = c * tr_bar - sin * ti_bar
                # `re[j] = re[i] - tr`
                re_bar[i] += sub_bar_2
    # `re = signal[order]`
    signal_bar = np.zeros(signal.shape)
    np.add.at(signal_bar, order, re_bar)
    return signal_bar
