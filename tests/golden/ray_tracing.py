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
"""Derivative of `height` in ray_tracing.py: reverse mode, with respect to radii and y.

For arguments radii: [float, float, float], gaps: [float, float, float], indices:
[float, float, float], y: float, angle: float.

Written by retrograd 0.2.0 (source 1f0d73d1). Change the function, not this file.
"""

import math
from retrograd import runtime as rt


def height_grad(radii, gaps, indices, y, angle):
    # forward
    n = 1.0
    returned = False
    left = False
    tape = []
    for k in range(min(len(radii), len(gaps), len(indices))):
        radius = radii[k]
        left = abs(y) > abs(radius)
        if left:
            tape.append((None, None, None, None, None, None))
            returned = True
            break
        n_next = indices[k]
        y_over_radius = y / radius
        normal = math.asin(y_over_radius)
        n_over_n_next = n / n_next
        total = angle + normal
        s = n_over_n_next * math.sin(total)
        above = abs(s) >= 1.0
        if above:
            tape.append((above, None, s, n_over_n_next, total, y_over_radius))
            returned = True
            break
        gap = gaps[k]
        angle = math.asin(s) - normal
        tan_angle = math.tan(angle)
        y += gap * tan_angle
        tape.append((above, tan_angle, s, n_over_n_next, total, y_over_radius))
        n = n_next
    # backward
    if returned:
        radii_bar = rt.zeros_like(radii)
        y_bar = 0.0
    else:
        radii_bar = rt.zeros_like(radii)
        n_2 = len(tape)
        angle_bar = 0.0
        y_bar = 1.0
        for k, (above, tan_angle, s, n_over_n_next, total, y_over_radius) in zip(
            reversed(range(n_2)), reversed(tape)
        ):
            left_2 = left and k == n_2 - 1
            if not left_2:
                radius = radii[k]
                if above:
                    normal_bar = s_bar = 0.0
                else:
                    gap = gaps[k]
                    # `y += gap * math.tan(angle)`
                    angle_bar += (1 + tan_angle * tan_angle) * (gap * y_bar)
                    # `angle = math.asin(s) - normal`
                    normal_bar = -angle_bar
                    s_bar = angle_bar / math.sqrt((1 - s) * (1 + s))
                    angle_bar = 0.0
                # `s = n / n_next * math.sin(angle + normal)`
                add_bar = math.cos(total) * (n_over_n_next * s_bar)
                angle_bar += add_bar
                normal_bar += add_bar
                # `normal = math.asin(y / radius)`
                sqrt = math.sqrt((1 - y_over_radius) * (1 + y_over_radius))
                radius_bar_part = normal_bar / sqrt / radius
                radius_bar = -(y_over_radius * radius_bar_part)
                y_bar += radius_bar_part
                radii_bar[k] += radius_bar
    radii_bar = rt.match(radii_bar, radii)
    return radii_bar, y_bar
