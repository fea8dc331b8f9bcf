"""Conditional expressions, one inside an arithmetic expression."""
# differentiate: price wrt spot, strike


def price(spot, strike, call):
    gain = spot - strike if call else strike - spot
    return 0.95 * (gain if gain > 0 else 0.1 * gain) + 0.01 * spot * strike


def arguments():
    return 1.2, 1.0, True


# output
"""Derivative of `price` in conditional_expression.py: reverse mode, with respect to
spot and strike.

For arguments spot: float, strike: float, call: bool.

Written by retrograd 0.2.0 (source 6ecb700f). Change the function, not this file.
"""


def price_grad(spot, strike, call):
    # forward
    gain = spot - strike if call else strike - spot
    product = 0.01 * spot
    # `return 0.95 * (gain if gain > 0 else 0.1 * gain) + 0.01 * spot * strike`
    spot_bar = 0.01 * strike
    if gain > 0:
        gain_bar = 0.95
    else:
        gain_bar = 0.095
    # `gain = spot - strike if call else strike - spot`
    if call:
        # `gain = spot - strike if call else strike - spot`
        spot_bar += gain_bar
        strike_bar = product - gain_bar
        return spot_bar, strike_bar
    # `gain = spot - strike if call else strike - spot`
    strike_bar = product + gain_bar
    spot_bar -= gain_bar
    return spot_bar, strike_bar
