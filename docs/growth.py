"""The functions that how_it_works.md follows through the compiler."""

import math

import numpy as np


def growth(rate, years):
    size = 1.0
    for _ in range(years):
        if size < 2.0:
            size = size * rate
        else:
            size = rate * math.sqrt(size)
    return size


def until(x, limit):
    total = 0.0
    for _ in range(1, 100):
        total = total * x + x
        if total > limit:
            break
    return total


def misfit(rate, times, seen):
    sizes = np.exp(rate * times)
    return np.sum((sizes - seen) ** 2)
