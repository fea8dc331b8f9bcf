"""Bilinear interpolation in a table, for a list of points."""
# differentiate: total wrt table, points

import numpy as np


def lookup(table, x, y):
    i, j = int(x), int(y)
    s, t = x - i, y - j
    low = (1 - t) * table[i, j] + t * table[i, j + 1]
    high = (1 - t) * table[i + 1, j] + t * table[i + 1, j + 1]
    return (1 - s) * low + s * high


def total(table, points):
    return sum(lookup(table, x, y) ** 2 for x, y in points)


def arguments():
    table = np.random.default_rng(25).normal(size=(3, 4))
    return table, np.array([[0.3, 1.6], [1.2, 2.4], [0.8, 0.5]])


# output
"""Derivative of `total` in lookup_table.py: reverse mode, with respect to table and
points.

For arguments table: f8[table_0, table_1], points: f8[points_0, points_1].

Written by retrograd 0.2.0 (source 4543ba69). Change the function, not this file.
"""

import numpy as np


def lookup_fwd(table, x, y):
    i = int(x)
    j = int(y)
    s = x - i
    t = y - j
    difference = 1 - t
    table_ij = table[i, j]
    j_plus_1 = j + 1
    table_part = table[i, j_plus_1]
    low = difference * table_ij + t * table_part
    i_plus_1 = i + 1
    table_part_2 = table[i_plus_1, j]
    table_part_3 = table[i_plus_1, j_plus_1]
    high = difference * table_part_2 + t * table_part_3
    difference_2 = 1 - s
    saved = (
        s,
        difference_2,
        high,
        low,
        t,
        table_part_3,
        table,
        i_plus_1,
        j_plus_1,
        difference,
        table_part_2,
        j,
        table_part,
        i,
        table_ij,
    )
    return difference_2 * low + s * high, saved


def lookup_rev(saved, result):
    (
        s,
        difference,
        high,
        low,
        t,
        table_part,
        table,
        i_plus_1,
        j_plus_1,
        difference_2,
        table_part_2,
        j,
        table_part_3,
        i,
        table_ij,
    ) = saved
    # `return (1 - s) * low + s * high`
    high_bar = s * result
    low_bar = difference * result
    s_bar = result * (high - low)
    # `high = (1 - t) * table[i + 1, j] + t * table[i + 1, j + 1]`
    table_bar = np.zeros(table.shape)
    table_bar[i_plus_1, j_plus_1] = t * high_bar
    table_bar[i_plus_1, j] += difference_2 * high_bar
    # `low = (1 - t) * table[i, j] + t * table[i, j + 1]`
    t_bar = high_bar * table_part + low_bar * table_part_3
    table_bar[i, j_plus_1] += t * low_bar
    table_bar[i, j] += difference_2 * low_bar
    t_bar -= high_bar * table_part_2 + low_bar * table_ij
    return table_bar, s_bar, t_bar


def total_grad(table, points):
    # `return sum((lookup(table, x, y) ** 2 for x, y in points))`
    table_bar = np.zeros(table.shape)
    points_bar = np.zeros(points.shape)
    for k, points_part in enumerate(points):
        x, y = points_part
        lookup, lookup_saved = lookup_fwd(table, x, y)
        # `return sum((lookup(table, x, y) ** 2 for x, y in points))`
        table_bar_2, x_bar, y_bar = lookup_rev(lookup_saved, 2 * lookup)
        table_bar += table_bar_2
        getitem_bar = np.zeros(points_part.shape)
        getitem_bar[1] = y_bar
        getitem_bar[0] = x_bar
        points_bar[k] = getitem_bar
    return table_bar, points_bar
