"""A weighted sum of any number of terms, with options by name: ``*terms`` and ``**options``."""
# differentiate: mixture wrt x, terms, options

import math


def mixture(x, *terms, shift=0.5, **options):
    total = 0.0
    for k, term in enumerate(terms):
        total = total + term * math.exp(-((x - shift * k) ** 2))
    if "scale" in options:
        total = total * options["scale"]
    return total + options.get("offset", 0.0) ** 2


def arguments():
    return 0.3, 1.5, 0.7, 0.2


def keywords():
    return {"offset": 0.4, "scale": 1.5}


# output
"""Derivative of `mixture` in any_number_of_terms.py: reverse mode, with respect to x,
terms and options.

For arguments x: float, terms: (float, float, float), shift: float, options: {'offset':
float, 'scale': float}.

Written by retrograd 0.2.0 (source f8271f05). Change the function, not this file.
"""

import math
from retrograd import runtime as rt


def mixture_grad(x, *terms, shift=0.5, **options):
    options_scale = options["scale"]
    terms_bar = rt.zeros_like(terms)
    total = x_bar = 0.0
    for k, term in enumerate(terms):
        difference = x - shift * k
        exp = math.exp(-(difference**2))
        product = term * exp
        total += product
        # `total = total + term * math.exp(-(x - shift * k) ** 2)`
        term_bar = options_scale * exp
        x_bar -= 2 * difference * (product * options_scale)
        terms_bar = rt.index_add(terms_bar, k, term_bar)
    terms_bar = rt.match(terms_bar, terms)
    options_bar = {"offset": 2 * options["offset"], "scale": total}
    return x_bar, terms_bar, options_bar
