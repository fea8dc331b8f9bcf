"""Integration with adaptive steps; the right side is a function argument, the path a list."""
# differentiate: arrival wrt k


def integrate(f, y, end, tolerance):
    t, h, path = 0.0, 0.1, [y]
    while t < end:
        step = h if t + h < end else end - t
        a = f(y)
        b = f(y + step * a)
        middle = f(y + step / 4 * (a + b))
        low = y + step / 2 * (a + b)
        high = y + step / 6 * (a + b + 4 * middle)
        error = abs(high - low)
        if error < tolerance:
            t = t + step
            y = high
            path.append(y)
            h = 1.5 * step
        else:
            h = step / 2
    return path


def arrival(k):
    path = integrate(lambda y: k * y * (1 - y), 0.2, 1.0, 1e-4)
    return path[-1] + path[1]


def arguments():
    return (1.3,)


# output
"""Derivative of `arrival` in rk45_adaptive.py, line 25: reverse mode, with respect to
k.

For arguments k: float.

Written by retrograd 0.1.0 (source 597da95e). Change the function, not this file.
"""

from retrograd import runtime as rt


def integrate_fwd(f_k, y, end, tolerance):
    path = [y]
    t = 0.0
    h = 0.1
    tape = []
    while t < end:  # line 7
        step = h if t + h < end else end - t       # line 8
        a = f_k * y * (1 - y)                      # line 26
        total = y + step * a                       # line 10
        b = f_k * total * (1 - total)              # line 26
        ratio = step / 4                           # line 11
        total_2 = a + b
        total_3 = y + ratio * total_2
        middle = f_k * total_3 * (1 - total_3)     # line 26
        h = step / 2                               # line 12
        low = y + h * total_2
        ratio_2 = step / 6                         # line 13
        high = y + ratio_2 * (total_2 + 4 * middle)
        error = abs(high - low)                    # line 14
        below = error < tolerance                  # line 15
        tape.append((y, step, total, ratio, total_3, ratio_2, below))
        if below:
            t = t + step                    # line 16
            path = rt.appended(path, high)  # line 18
            h = 1.5 * step                  # line 19
            y = high
    saved = tape, f_k
    return path, saved


def integrate_rev(saved, path_bar):
    tape, f_k = saved
    y_bar = 0.0
    f_k_bar = 0.0
    for y, step, total, ratio, total_2, ratio_2, below in reversed(tape):
        if below:  # line 15
            path_bar_2 = path_bar[:-1]             # line 18
            high_bar = y_bar + path_bar[-1]
            add_bar = ratio_2 * high_bar           # line 13
            middle_bar = 4 * add_bar
            mul_bar = middle_bar * (1 - total_2)   # line 26
            add_bar_2 = f_k * mul_bar - f_k * total_2 * middle_bar
            add_bar = add_bar + ratio * add_bar_2  # line 11
            mul_bar_2 = add_bar * (1 - total)      # line 26
            add_bar_3 = f_k * mul_bar_2 - f_k * total * add_bar
            a_bar = add_bar + step * add_bar_3     # line 10
            mul_bar_3 = a_bar * (1 - y)            # line 26
            y_bar = high_bar + add_bar_2 + add_bar_3 - f_k * y * a_bar + f_k * mul_bar_3
            f_k_bar = f_k_bar + mul_bar * total_2 + mul_bar_2 * total + mul_bar_3 * y
        else:
            path_bar_2 = path_bar
        path_bar = path_bar_2
    return f_k_bar


def arrival_grad(k):
    # forward
    path, integrate_saved = integrate_fwd(k, 0.2, 1.0, 0.0001)  # line 26
    # backward
    path_bar = rt.zeros_like(path)                    # line 27
    path_bar[1] += 1.0
    path_bar[-1] += 1.0
    k_bar = integrate_rev(integrate_saved, path_bar)  # line 26
    return k_bar
