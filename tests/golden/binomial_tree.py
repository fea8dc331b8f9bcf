"""An American put by a binomial tree that is folded back in place."""
# differentiate: put wrt spot, strike, rate, sigma

import numpy as np


def put(spot, strike, rate, sigma, years, n):
    dt = years / n
    up = np.exp(sigma * np.sqrt(dt))
    p = (np.exp(rate * dt) - 1 / up) / (up - 1 / up)
    price = spot * up ** (2.0 * np.arange(n + 1) - n)
    value = np.maximum(strike - price, 0)
    for step in range(n - 1, -1, -1):
        for i in range(step + 1):
            hold = np.exp(-rate * dt) * (p * value[i + 1] + (1 - p) * value[i])
            exercise = strike - spot * up ** (2.0 * i - step)
            value[i] = max(hold, exercise)
    return value[0]


def arguments():
    return 100.0, 105.0, 0.03, 0.25, 1.0, 5


# output
"""Derivative of `put` in binomial_tree.py: reverse mode, with respect to spot, strike,
rate and sigma.

For arguments spot: float, strike: float, rate: float, sigma: float, years: float, n:
int.

Written by retrograd 0.2.0 (source 89492c5c). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def put_grad(spot, strike, rate, sigma, years, n):
    # forward
    dt = years / n
    sqrt_dt = np.sqrt(dt)
    up = np.exp(sigma * sqrt_dt)
    exp = np.exp(rate * dt)
    ratio = 1 / up
    difference = up - ratio
    p = (exp - ratio) / difference
    difference_2 = 2.0 * np.arange(n + 1) - n
    power = up**difference_2
    price = spot * power
    difference_3 = strike - price
    value = np.maximum(difference_3, 0)
    n_minus_1 = n - 1
    product = -rate * dt
    tape = []
    for step in range(n_minus_1, -1, -1):
        tape_2 = []
        for i in range(step + 1):
            exp_2 = np.exp(product)
            value_part = value[i + 1]
            difference_4 = 1 - p
            value_i = value[i]
            total = p * value_part + difference_4 * value_i
            hold = exp_2 * total
            difference_5 = 2.0 * i - step
            power_2 = up**difference_5
            exercise = strike - spot * power_2
            peak = max(hold, exercise)
            tape_2.append(
                (
                    exp_2,
                    value_part,
                    difference_4,
                    value_i,
                    total,
                    hold,
                    difference_5,
                    power_2,
                    exercise,
                    peak,
                )
            )
            value[i] = peak
        tape.append(tape_2)
    # backward
    # `return value[0]`
    value_bar = np.zeros(value.shape)
    value_bar[0] += 1.0
    strike_bar = spot_bar = up_bar = p_bar = mul_bar = 0.0
    for step, tape_2 in zip(reversed(range(n_minus_1, -1, -1)), reversed(tape)):
        for (
            i,
            (
                exp_2,
                value_part,
                difference_4,
                value_i,
                total,
                hold,
                difference_5,
                power_2,
                exercise,
                peak,
            ),
        ) in zip(reversed(range(step + 1)), reversed(tape_2)):
            # `value[i] = max(hold, exercise)`
            hold_bar, exercise_bar = rt.unpick(value_bar[i], (hold, exercise), peak)
            # `exercise = strike - spot * up ** (2.0 * i - step)`
            strike_bar += exercise_bar
            spot_bar += rt.mul0(-exercise_bar, power_2)
            product_2 = difference_5 * up ** rt.one_less(difference_5, up)
            up_bar = up_bar + rt.mul0(-(spot * exercise_bar), product_2)
            # `hold = np.exp(-rate * dt) * (p * value[i + 1] + (1 - p) * value[i])`
            add_bar = rt.mul0(hold_bar, exp_2)
            value_bar[i] = rt.mul0(add_bar, difference_4)
            p_bar = p_bar - rt.mul0(add_bar, value_i) + rt.mul0(add_bar, value_part)
            value_bar[i + 1] += rt.mul0(add_bar, p)
            mul_bar = mul_bar + rt.mul0(rt.mul0(hold_bar, total), exp_2)
    # `value = np.maximum(strike - price, 0)`
    sub_bar = rt.if_larger(value_bar, difference_3, 0)
    price_bar = -sub_bar
    strike_bar += np.sum(sub_bar)
    # `price = spot * up ** (2.0 * np.arange(n + 1) - n)`
    spot_bar += np.sum(rt.mul0(price_bar, power))
    product_3 = difference_2 * up ** rt.one_less(difference_2, up)
    # `p = (np.exp(rate * dt) - 1 / up) / (up - 1 / up)`
    sub_bar_2 = p_bar / difference
    truediv_bar = p * sub_bar_2
    up_bar = up_bar + np.sum(rt.mul0(-(spot * sub_bar), product_3)) - truediv_bar
    up_bar -= ratio * ((truediv_bar - sub_bar_2) * ratio)
    rate_bar = (exp * sub_bar_2 - mul_bar) * dt
    # `up = np.exp(sigma * np.sqrt(dt))`
    sigma_bar = up * up_bar * sqrt_dt
    return float(spot_bar), float(strike_bar), float(rate_bar), float(sigma_bar)
