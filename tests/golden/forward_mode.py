"""The same text serves forward mode: the tangent beside the value."""
# differentiate: wave wrt x, speed
# mode: forward

import numpy as np


def wave(x, speed, time):
    phase = x - speed * time
    envelope = np.exp(-(phase**2))
    return np.sum(envelope * np.cos(5 * phase))


def arguments():
    return np.array([-0.5, 0.1, 0.8]), 0.4, 2.0


# output
"""Derivative of `wave` in forward_mode.py: forward mode, with respect to x and speed.

For arguments x: f8[x_0], speed: float, time: float.

Written by retrograd 0.2.0 (source 3def342d). Change the function, not this file.
"""

import numpy as np


def wave_jvp(x, speed, time, x_dot, speed_dot):
    phase = x - speed * time
    phase_dot = x_dot - speed_dot * time
    envelope = np.exp(-(phase**2))
    product = 5 * phase
    cos = np.cos(product)
    product_2 = envelope * (np.sin(product) * (5.0 * phase_dot))
    total_dot = np.sum(-(envelope * (2.0 * phase * phase_dot) * cos + product_2))
    return np.sum(envelope * cos), total_dot
