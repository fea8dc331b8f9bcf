"""A function that calls itself: power by halving the exponent."""
# differentiate: power wrt x


def power(x, n):
    if n == 0:
        return 1.0
    half = power(x, n // 2)
    if n % 2 == 0:
        return half * half
    return half * half * x


def arguments():
    return 1.1, 13


# output
"""Derivative of `power` in recursion.py: reverse mode, with respect to x.

For arguments x: float, n: int.

Written by retrograd 0.2.0 (source 8c7af54e). Change the function, not this file.
"""


def power_fwd(x, n):
    same = n == 0
    if same:
        result = 1.0
        same_2 = None
        half = None
        half_half = None
        power_saved = None
    else:
        half, power_saved = power_fwd(x, n // 2)
        same_2 = n % 2 == 0
        if same_2:
            result = half * half
            half_half = None
        else:
            half_half = half * half
            result = half_half * x
    saved = same, same_2, half, half_half, x, power_saved
    return result, saved


def power_rev(saved, result):
    same, t, half, t_2, x, power_saved = saved
    if same:
        return 0.0
    if t:
        # `return half * half`
        half_bar = 2 * result * half
        x_bar = 0.0
    else:
        # `return half * half * x`
        x_bar = t_2 * result
        half_bar = 2 * (result * x) * half
    # `half = power(x, n // 2)`
    x_bar_2 = power_rev(power_saved, half_bar)
    x_bar += x_bar_2
    return x_bar


def power_grad(x, n):
    if n == 0:
        return 0.0
    half, power_saved = power_fwd(x, n // 2)
    same = n % 2 == 0
    if same:
        x_bar = None
    else:
        x_bar = half * half
    if same:
        # `return half * half`
        half_bar = 2.0 * half
        x_bar = 0.0
    else:
        # `return half * half * x`
        half_bar = 2 * x * half
    # `half = power(x, n // 2)`
    x_bar_2 = power_rev(power_saved, half_bar)
    x_bar = x_bar + x_bar_2
    return x_bar
