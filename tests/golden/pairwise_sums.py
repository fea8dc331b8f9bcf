"""Sums written as comprehensions: over pairs, over neighbours, with a condition."""
# differentiate: energy wrt charges, positions

import math


def energy(charges, positions):
    n = len(charges)
    coulomb = sum(
        charges[i] * sum(charges[j] / abs(positions[i] - positions[j]) for j in range(i))
        for i in range(n)
    )
    chain = sum((b - a) ** 2 for a, b in zip(positions, positions[1:]))
    positive = [math.sqrt(q) for q in charges if q > 0]
    return coulomb + 0.5 * chain + sum(positive)


def arguments():
    return [1.0, -0.5, 0.8, 0.3], [0.0, 1.1, 1.9, 3.2]


# output
"""Derivative of `energy` in pairwise_sums.py: reverse mode, with respect to charges and
positions.

For arguments charges: [float, float, float, float], positions: [float, float, float,
float].

Written by retrograd 0.2.0 (source f78070f5). Change the function, not this file.
"""

import math
import numpy as np
from retrograd import runtime as rt


def energy_grad(charges, positions):
    positions_part = positions[1:]
    items = [q > 0 for q in charges]
    # `positive = [math.sqrt(q) for q in charges if q > 0]`
    charges_bar = rt.zeros_like(charges)
    for t in np.flatnonzero(items):
        q = charges[t]
        # `positive = [math.sqrt(q) for q in charges if q > 0]`
        q_bar = 1.0 / (2 * math.sqrt(q))
        charges_bar[t] += q_bar
    # `chain = sum(((b - a) ** 2 for a, b in zip(positions, positions[1:])))`
    getitem_bar = rt.zeros_like(positions_part)
    positions_bar = rt.zeros_like(positions)
    for k, a, b in zip(
        range(min(len(positions), len(positions_part))), positions, positions_part
    ):
        a_bar = a - b
        getitem_bar[k] += b - a
        positions_bar[k] += a_bar
    # `chain = sum(((b - a) ** 2 for a, b in zip(positions, positions[1:])))`
    positions_bar_part = rt.scatter(getitem_bar, positions, slice(1, None))
    positions_bar = rt.add(positions_bar, positions_bar_part)
    for i, charges_part in enumerate(charges):
        items = []
        for j in range(i):
            difference = positions[i] - positions[j]
            magnitude = abs(difference)
            ratio = charges[j] / magnitude
            items.append(ratio)
            # `coulomb = sum((charges[i] * sum((charges[j] / abs(positions[i] - ...`
            getitem_bar_2 = charges_part / magnitude
            getitem_bar_3 = rt.sign(difference) * (ratio * getitem_bar_2)
            positions_bar[j] += getitem_bar_3
            positions_bar[i] -= getitem_bar_3
            charges_bar[j] += getitem_bar_2
        # `coulomb = sum((charges[i] * sum((charges[j] / abs(positions[i] - ...`
        charges_bar[i] += sum(items)
    charges_bar = rt.match(charges_bar, charges)
    positions_bar = rt.match(positions_bar, positions)
    return charges_bar, positions_bar
