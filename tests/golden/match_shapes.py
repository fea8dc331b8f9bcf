"""`match` on dataclasses and values: what is known at compile time leaves one case."""
# differentiate: total wrt r

from dataclasses import dataclass

import numpy as np


@dataclass
class Disc:
    r: float


@dataclass
class Box:
    w: float
    h: float


def area(shape):
    match shape:
        case Disc(r):
            return np.pi * r * r
        case Box(w, h=h):
            return w * h


def total(r, kinds):
    out = 0.0
    for kind in kinds:
        match kind % 3:
            case 0:
                out = out + area(Disc(r))
            case 1 | 2 if r > 0:
                out = out + area(Box(r, r * out))
            case _:
                out = out * r
    return out


def arguments():
    return 0.7, np.array([0, 1, 3, 2])


# output
"""Derivative of `total` in match_shapes.py: reverse mode, with respect to r.

For arguments r: float, kinds: i8[kinds_0].

Written by retrograd 0.2.0 (source c67f7178). Change the function, not this file.
"""

import numpy as np


def area_fwd(shape_r):
    product = np.pi * shape_r
    saved = (product,)
    return product * shape_r, saved


def area_fwd_2(shape_w, shape_h):
    saved = shape_w, shape_h
    return shape_w * shape_h, saved


def area_rev(saved, result):
    (product,) = saved
    return 2 * (product * result)


def area_rev_2(saved, result):
    shape_w, shape_h = saved
    return result * shape_h, shape_w * result


def total_grad(r, kinds):
    # forward
    out = 0.0
    tape = []
    for kind in kinds:
        out_prev = out
        remainder = kind % 3
        same = remainder == 0
        if same:
            area, area_saved = area_fwd(r)
            out += area
            same_2 = None
            above = None
            area_saved_2 = None
        else:
            same_2 = remainder == 1
            same_2 = same_2 or remainder == 2
            if same_2:
                above = r > 0
                if above:
                    area_2, area_saved_2 = area_fwd_2(r, r * out)
                    out += area_2
                else:
                    out *= r
                    area_saved_2 = None
            else:
                out *= r
                above = None
                area_saved_2 = None
            area_saved = None
        tape.append((out_prev, same, area_saved, same_2, above, area_saved_2))
    # backward
    out_bar = 1.0
    r_bar = 0.0
    for out_prev, same, area_saved, same_2, above, area_saved_2 in reversed(tape):
        # `match kind % 3:`
        if same:
            # `match kind % 3:`
            r_bar_2 = area_rev(area_saved, out_bar)
            r_bar += r_bar_2
        else:
            # `match kind % 3:`
            if same_2:
                # `match kind % 3:`
                if above:
                    # `match kind % 3:`
                    r_bar_2, mul_bar = area_rev_2(area_saved_2, out_bar)
                    out_bar_2 = out_bar + r * mul_bar
                    r_bar = r_bar + r_bar_2 + mul_bar * out_prev
                else:
                    # `match kind % 3:`
                    out_bar_2 = out_bar * r
                    r_bar += out_prev * out_bar
            else:
                # `match kind % 3:`
                out_bar_2 = out_bar * r
                r_bar += out_prev * out_bar
            out_bar = out_bar_2
    return r_bar
