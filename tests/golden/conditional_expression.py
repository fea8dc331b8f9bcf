"""Conditional expressions, one inside an arithmetic expression."""
# differentiate: price wrt spot, strike


def price(spot, strike, call):
    gain = spot - strike if call else strike - spot
    return 0.95 * (gain if gain > 0 else 0.1 * gain) + 0.01 * spot * strike


def arguments():
    return 1.2, 1.0, True


# output
"""Derivative of `price` in conditional_expression.py, line 5: reverse mode, with
respect to spot and strike.

For arguments spot: float, strike: float, call: bool.

Written by retrograd 0.1.0 (source 6ecb700f). Change the function, not this file.
"""


def price_grad(spot, strike, call):
    # forward
    gain = spot - strike if call else strike - spot  # line 6
    product = 0.01 * spot                            # line 7
    spot_bar = 0.01 * strike
    if gain > 0:
        gain_bar = 0.95
    else:
        gain_bar = 0.095
    if call:  # line 6
        spot_bar = spot_bar + gain_bar  # line 6
        strike_bar = product - gain_bar
        return spot_bar, strike_bar
    strike_bar = product + gain_bar  # line 6
    spot_bar = spot_bar - gain_bar
    return spot_bar, strike_bar
