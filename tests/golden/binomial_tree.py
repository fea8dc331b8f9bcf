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
"""Derivative of `put` in binomial_tree.py, line 7: reverse mode, with respect to spot,
strike, rate and sigma.

For arguments spot: float, strike: float, rate: float, sigma: float, years: float, n:
int.

Written by retrograd 0.1.0 (source 89492c5c). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def put_grad(spot, strike, rate, sigma, years, n):
    # forward
    dt = years / n                             # line 8
    sqrt_dt = np.sqrt(dt)                      # line 9
    up = np.exp(sigma * sqrt_dt)
    exp = np.exp(rate * dt)                    # line 10
    ratio = 1 / up
    difference = up - ratio
    p = (exp - ratio) / difference
    difference_2 = 2.0 * np.arange(n + 1) - n  # line 11
    power = up ** difference_2
    price = spot * power
    difference_3 = strike - price              # line 12
    value = np.maximum(difference_3, 0)
    difference_4 = n - 1                       # line 13
    product = -rate * dt                       # line 15
    tape = []
    for step in range(difference_4, -1, -1):  # line 13
        tape_2 = []
        for i in range(step + 1):  # line 14
            exp_2 = np.exp(product)
            value_part = value[i + 1]
            difference_5 = 1 - p
            value_part_2 = value[i]
            total = p * value_part + difference_5 * value_part_2
            hold = exp_2 * total
            difference_6 = 2.0 * i - step     # line 16
            power_2 = up ** difference_6
            exercise = strike - spot * power_2
            peak = max(hold, exercise)        # line 17
            tape_2.append(
                (
                    exp_2,
                    value_part,
                    difference_5,
                    value_part_2,
                    total,
                    hold,
                    difference_6,
                    power_2,
                    exercise,
                    peak,
                )
            )
            value[i] = peak
        tape.append(tape_2)
    # backward
    value_bar = np.zeros(value.shape)  # line 18
    value_bar[0] += 1.0
    strike_bar = 0.0
    spot_bar = 0.0
    up_bar = 0.0
    p_bar = 0.0
    mul_bar = 0.0
    for step, tape_2 in zip(reversed(range(difference_4, -1, -1)), reversed(tape)):
        for (
            i,
            (
                exp_2,
                value_part,
                difference_5,
                value_part_2,
                total,
                hold,
                difference_6,
                power_2,
                exercise,
                peak,
            ),
        ) in zip(reversed(range(step + 1)), reversed(tape_2)):
            unpick_max_bar = rt.unpick(value_bar[i], (hold, exercise), peak)  # line 17
            hold_bar = unpick_max_bar[0]
            exercise_bar = unpick_max_bar[1]
            strike_bar = strike_bar + exercise_bar  # line 16
            spot_bar = spot_bar + rt.mul0(-exercise_bar, power_2)
            mul0_pow_bar = rt.mul0(
                -(spot * exercise_bar),
                difference_6 * up ** rt.one_less(difference_6, up),
            )
            up_bar = up_bar + mul0_pow_bar
            add_bar = rt.mul0(hold_bar, exp_2)      # line 15
            value_bar[i] = rt.mul0(add_bar, difference_5)
            p_bar = (
                p_bar - rt.mul0(add_bar, value_part_2) + rt.mul0(add_bar, value_part)
            )
            value_bar[i + 1] += rt.mul0(add_bar, p)
            mul_bar = mul_bar + rt.mul0(rt.mul0(hold_bar, total), exp_2)
    sub_bar = rt.if_larger(value_bar, difference_3, 0)  # line 12
    price_bar = -sub_bar
    strike_bar = strike_bar + np.add.reduce(sub_bar)
    spot_bar = spot_bar + np.add.reduce(rt.mul0(price_bar, power))  # line 11
    up_bar = up_bar + np.add.reduce(
        rt.mul0(-(spot * sub_bar), difference_2 * up ** rt.one_less(difference_2, up))
    )
    sub_bar = p_bar / difference                        # line 10
    truediv_bar = p * sub_bar
    up_bar = up_bar - truediv_bar - ratio * ((truediv_bar - sub_bar) * ratio)
    rate_bar = exp * sub_bar * dt - mul_bar * dt
    sigma_bar = up * up_bar * sqrt_dt                   # line 9
    spot_bar = float(spot_bar)
    strike_bar = float(strike_bar)
    rate_bar = float(rate_bar)
    sigma_bar = float(sigma_bar)
    return spot_bar, strike_bar, rate_bar, sigma_bar
