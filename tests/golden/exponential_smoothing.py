"""Holt's method: a level and a trend, and the sum of squared one-step errors."""
# differentiate: errors wrt alpha, beta

import numpy as np


def errors(alpha, beta, y):
    level, trend = y[0], y[1] - y[0]
    sse = 0.0
    for value in y[1:]:
        forecast = level + trend
        sse += (value - forecast) ** 2
        previous = level
        level = alpha * value + (1 - alpha) * forecast
        trend = beta * (level - previous) + (1 - beta) * trend
    return sse


def arguments():
    return 0.4, 0.3, np.array([1.0, 1.5, 1.2, 2.1, 2.4, 2.2])


# output
"""Derivative of `errors` in exponential_smoothing.py: reverse mode, with respect to
alpha and beta.

For arguments alpha: float, beta: float, y: f8[y_0].

Written by retrograd 0.2.0 (source 30825afc). Change the function, not this file.
"""


def errors_grad(alpha, beta, y):
    # forward
    level = y[0]
    trend = y[1] - level
    y_part = y[1:]
    difference = 1 - alpha
    difference_2 = 1 - beta
    tape = []
    for value in y_part:
        level_prev = level
        forecast = level + trend
        level = alpha * value + difference * forecast
        difference_3 = level - level_prev
        tape.append((trend, forecast, value - forecast, difference_3))
        trend = beta * difference_3 + difference_2 * trend
    # backward
    level_bar = trend_bar = sub_bar = beta_bar = sub_bar_2 = 0.0
    alpha_bar = 0.0
    for k, (trend, forecast, difference_3, difference_3_2) in zip(
        reversed(range(len(y_part))), reversed(tape)
    ):
        value = y_part[k]
        # `trend = beta * (level - previous) + (1 - beta) * trend`
        sub_bar_3 = beta * trend_bar
        beta_bar += trend_bar * difference_3_2
        level_bar_2 = level_bar + sub_bar_3
        # `level = alpha * value + (1 - alpha) * forecast`
        alpha_bar += level_bar_2 * value
        # `sse += (value - forecast) ** 2`
        forecast_bar = difference * level_bar_2 - 2 * difference_3
        # `forecast = level + trend`
        level_bar = forecast_bar - sub_bar_3
        trend_bar_2 = difference_2 * trend_bar + forecast_bar
        sub_bar = sub_bar + trend_bar * trend
        trend_bar = trend_bar_2
        sub_bar_2 = sub_bar_2 + level_bar_2 * forecast
    # `trend = beta * (level - previous) + (1 - beta) * trend`
    beta_bar -= sub_bar
    # `level = alpha * value + (1 - alpha) * forecast`
    alpha_bar -= sub_bar_2
    return float(alpha_bar), float(beta_bar)
