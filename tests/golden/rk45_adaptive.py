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
"""Derivative of `arrival` in rk45_adaptive.py: reverse mode, with respect to k.

For arguments k: float.

Written by retrograd 0.2.0 (source 597da95e). Change the function, not this file.
"""

from retrograd import runtime as rt


def integrate_fwd(f_k, y, end, tolerance):
    path = [y]
    t = 0.0
    h = 0.1
    tape = []
    while t < end:
        step = h if t + h < end else end - t
        a = f_k * y * (1 - y)
        total = y + step * a
        b = f_k * total * (1 - total)
        ratio = step / 4
        a_plus_b = a + b
        total_2 = y + ratio * a_plus_b
        middle = f_k * total_2 * (1 - total_2)
        h = step / 2
        low = y + h * a_plus_b
        ratio_2 = step / 6
        high = y + ratio_2 * (a_plus_b + 4 * middle)
        error = abs(high - low)
        below = error < tolerance
        tape.append((y, step, total, ratio, total_2, ratio_2, below))
        if below:
            t += step
            path = rt.appended(path, high)
            h = 1.5 * step
            y = high
    saved = tape, f_k
    return path, saved


def integrate_rev(saved, path_bar):
    tape, f_k = saved
    y_bar = f_k_bar = 0.0
    for y, step, total, ratio, total_2, ratio_2, below in reversed(tape):
        if below:
            # `path.append(y)`
            path_bar_2 = path_bar[:-1]
            high_bar = y_bar + path_bar[-1]
            # `high = y + step / 6 * (a + b + 4 * middle)`
            add_bar = ratio_2 * high_bar
            middle_bar = 4 * add_bar
            mul_bar = middle_bar * (1 - total_2)
            add_bar_2 = f_k * mul_bar - f_k * total_2 * middle_bar
            # `middle = f(y + step / 4 * (a + b))`
            add_bar_3 = add_bar + ratio * add_bar_2
            mul_bar_2 = add_bar_3 * (1 - total)
            add_bar_4 = f_k * mul_bar_2 - f_k * total * add_bar_3
            # `b = f(y + step * a)`
            a_bar = add_bar_3 + step * add_bar_4
            mul_bar_3 = a_bar * (1 - y)
            y_bar = high_bar + add_bar_2 + add_bar_4 - f_k * y * a_bar + f_k * mul_bar_3
            f_k_bar = f_k_bar + mul_bar * total_2 + mul_bar_2 * total + mul_bar_3 * y
        else:
            path_bar_2 = path_bar
        path_bar = path_bar_2
    return f_k_bar


def arrival_grad(k):
    # forward
    path, integrate_saved = integrate_fwd(k, 0.2, 1.0, 0.0001)
    # backward
    # `return path[-1] + path[1]`
    path_bar = rt.zeros_like(path)
    path_bar[1] += 1.0
    path_bar[-1] += 1.0
    return integrate_rev(integrate_saved, path_bar)
