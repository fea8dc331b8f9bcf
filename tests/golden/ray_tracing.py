"""A ray through spherical surfaces: it is lost where it meets no surface or is reflected."""
# differentiate: height wrt radii, y

import math


def height(radii, gaps, indices, y, angle):
    n = 1.0
    for radius, gap, n_next in zip(radii, gaps, indices):
        if abs(y) > abs(radius):
            return 0.0
        normal = math.asin(y / radius)
        s = n / n_next * math.sin(angle + normal)
        if abs(s) >= 1.0:
            return -1.0
        angle = math.asin(s) - normal
        y += gap * math.tan(angle)
        n = n_next
    return y


def arguments():
    return [5.0, -7.0, 4.0], [0.5, 0.2, 3.0], [1.5, 1.0, 1.3], 0.8, 0.02


# output
"""Derivative of `height` in ray_tracing.py, line 7: reverse mode, with respect to radii
and y.

For arguments radii: [float, float, float], gaps: [float, float, float], indices:
[float, float, float], y: float, angle: float.

Written by retrograd 0.1.0 (source 1f0d73d1). Change the function, not this file.
"""

import math
from retrograd import runtime as rt


def height_grad(radii, gaps, indices, y, angle):
    # forward
    n = 1.0
    returned = False
    left = False
    tape = []
    for k in range(min(len(radii), len(gaps), len(indices))):  # line 9
        radius = radii[k]
        left = abs(y) > abs(radius)  # line 10
        if left:
            tape.append((None, None, None, None, None, None))
            returned = True
            break
        n_next = indices[k]
        ratio = y / radius           # line 12
        normal = math.asin(ratio)
        ratio_2 = n / n_next         # line 13
        total = angle + normal
        s = ratio_2 * math.sin(total)
        above = abs(s) >= 1.0        # line 14
        if above:
            tape.append((above, None, s, ratio_2, total, ratio))
            returned = True
            break
        gap = gaps[k]
        angle = math.asin(s) - normal  # line 16
        tan_angle = math.tan(angle)    # line 17
        y = y + gap * tan_angle
        tape.append((above, tan_angle, s, ratio_2, total, ratio))
        n = n_next
    # backward
    if returned:  # line 9
        radii_bar = rt.zeros_like(radii)  # line 9
        y_bar = 0.0
    else:
        radii_bar = rt.zeros_like(radii)  # line 9
        n = len(tape)
        angle_bar = 0.0
        y_bar = 1.0
        for k, (above, tan_angle, s, ratio_2, total, ratio) in zip(
            reversed(range(n)), reversed(tape)
        ):
            left_2 = left and k == n - 1
            if not left_2:  # line 10
                radius = radii[k]
                if above:  # line 14
                    normal_bar = 0.0
                    s_bar = 0.0
                else:
                    gap = gaps[k]
                    # line 17
                    angle_bar = angle_bar + (1 + tan_angle * tan_angle) * (gap * y_bar)
                    normal_bar = -angle_bar  # line 16
                    s_bar = angle_bar / math.sqrt((1 - s) * (1 + s))
                    angle_bar = 0.0
                add_bar = math.cos(total) * (ratio_2 * s_bar)  # line 13
                angle_bar = angle_bar + add_bar
                normal_bar = normal_bar + add_bar
                # line 12
                ratio_2 = normal_bar / math.sqrt((1 - ratio) * (1 + ratio)) / radius
                radius_bar = -(ratio * ratio_2)
                y_bar = y_bar + ratio_2
                radii_bar[k] += radius_bar
    radii_bar = rt.match(radii_bar, radii)
    return radii_bar, y_bar
