"""Conditional expressions, one inside an arithmetic expression."""
# differentiate: price wrt spot, strike


def price(spot, strike, call):
    gain = spot - strike if call else strike - spot
    return 0.95 * (gain if gain > 0 else 0.1 * gain) + 0.01 * spot * strike


def arguments():
    return 1.2, 1.0, True
