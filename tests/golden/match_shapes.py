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
"""Derivative of `total` in match_shapes.py, line 28: reverse mode, with respect to r.

For arguments r: float, kinds: i8[kinds_0].

Written by retrograd 0.1.0 (source c67f7178). Change the function, not this file.
"""

import numpy as np


def area_fwd(shape_r):
    product = np.pi * shape_r  # line 23
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
    shape_h_bar = shape_w * result  # line 25
    shape_w_bar = result * shape_h
    return shape_w_bar, shape_h_bar


def total_grad(r, kinds):
    # forward
    out = 0.0
    tape = []
    for kind in kinds:  # line 30
        remainder = kind % 3  # line 31
        same = remainder == 0
        if same:  # line 33
            area, area_saved = area_fwd(r)  # line 33
            out_2 = out + area
            same_2 = None
            above = None
            area_saved_2 = None
        else:
            same_2 = remainder == 1
            same_2 = same_2 or remainder == 2  # line 34
            if same_2:  # line 35
                above = r > 0
                if above:  # line 35
                    area, area_saved_2 = area_fwd_2(r, r * out)  # line 35
                    out_2 = out + area
                else:
                    out_2 = out * r  # line 37
                    area_saved_2 = None
            else:
                out_2 = out * r  # line 37
                above = None
                area_saved_2 = None
            area_saved = None
        tape.append((out, same, area_saved, same_2, above, area_saved_2))
        out = out_2
    # backward
    out_bar = 1.0
    r_bar = 0.0
    for out, same, area_saved, same_2, above, area_saved_2 in reversed(tape):
        if same:
            r_bar_2 = area_rev(area_saved, out_bar)
            r_bar = r_bar + r_bar_2
        else:
            if same_2:  # line 35
                if above:  # line 35
                    r_bar_2, mul_bar = area_rev_2(area_saved_2, out_bar)  # line 35
                    out_bar_2 = out_bar + r * mul_bar
                    r_bar = r_bar + r_bar_2 + mul_bar * out
                else:
                    out_bar_2 = out_bar * r  # line 37
                    r_bar = r_bar + out * out_bar
            else:
                out_bar_2 = out_bar * r  # line 37
                r_bar = r_bar + out * out_bar
            out_bar = out_bar_2
    return r_bar
