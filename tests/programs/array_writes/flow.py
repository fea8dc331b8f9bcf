"""Writes in branches and loops, with early exits, and what is read across them."""

from __future__ import annotations

import numpy as np

from . import at

X = np.array([0.7, -0.4, 1.3, 0.2, -1.1, 0.6])
A = np.array([[0.4, 0.5, -0.3], [0.2, 1.1, 0.7], [-0.6, 0.4, 0.9]])


@at(X)
def in_one_branch(x):
    y = x.copy()
    if x[0] > 0:
        y[1] = x[0] ** 2
    return np.sum(y * x)


@at(X)
def in_both_branches(x):
    y = np.zeros(6)
    z = y
    if x[0] < 0:
        y[1] = x[0]
    elif x[1] < 0:
        y[2:] = x[2:] * x[1]
        z[0] = 2.0 * x[5]
    else:
        z = x
    return np.sum(y**2) + np.sum(z)


@at(X, 1)
def array_chosen_by_a_branch(x, k):
    y, z = x * 2.0, x**2
    w = y if k > 0 else z
    w[0] = x[1] * x[2]
    return np.sum(w**2)


@at(X)
def fresh_or_the_same(x):
    y = x * 1.0
    if x[0] > 10:
        y = np.zeros(6)
    y[2] = x[0] * x[1]
    return np.sum(y**2)


@at(X, 4)
def early_break(x, n):
    y = np.zeros(6)
    for i in range(n):
        y[i] = x[i] * 2.0
        if y[i] > 2.0:
            y[i] = 1.0 + x[0]
            break
        y[i + 1] += x[i] ** 2
    return np.sum(y**2)


@at(X)
def continued(x):
    y = x.copy()
    for i in range(1, 6):
        if x[i] < 0:
            y[i] = 0.0
            continue
        y[i] *= y[i - 1] + 1.0
    return np.sum(y**2)


@at(X)
def early_return(x):
    for i in range(6):
        x[i] = x[i] * x[0]
        if x[i] > 0.5:
            return np.sum(x**2)
    return x[0]


@at(X)
def returned_after_some_writes(x):
    y = np.zeros(6)
    for i in range(6):
        for j in range(i + 1):
            y[i] += x[j] * x[i]
            if y[i] > 1.0:
                return np.sum(y) * x[i]
    return np.sum(y**2)


@at(X)
def in_a_while_loop(x):
    y = x.copy()
    i = 0
    while i < 5 and y[i] < 2.0:
        y[i + 1] += 0.5 * y[i]
        i += 1
    return np.sum(y**2)


@at(X)
def until_it_is_small(x):
    y = x.copy()
    n = 0
    while np.sum(y**2) > 0.1 and n < 20:
        y *= 0.7
        y[n % 6] += 0.01 * x[0]
        n += 1
    return np.sum(y) * n


@at(X)
def made_in_the_loop(x):
    total = 0.0
    for i in range(4):
        t = np.zeros(3)
        t[0] = x[i]
        t[1:] = x[i : i + 2] * t[0]
        total += np.sum(t**2)
    return total


@at(X)
def made_before_and_zeroed_in_the_loop(x):
    total = 0.0
    t = np.zeros(3)
    for i in range(4):
        t[:] = 0.0
        t[i % 3] = x[i] ** 2
        t[1] += x[i + 1]
        total += np.sum(t**3)
    return total


@at(X)
def read_after_every_write(x):
    y = np.ones(6)
    total = 0.0
    for i in range(6):
        total += np.sum(y * x)
        y[i] = total * x[i] * 0.1
    return total + y[5]


@at(X)
def saved_before_each_write(x):
    y = x.copy()
    old = y.copy()
    for i in range(1, 6):
        old = y.copy()
        y[i] = old[i - 1] * x[i]
    return np.sum(y * old)


@at(X)
def product_over_an_element(x):
    p = np.ones(1)
    for v in x:
        p[0] *= v + 2.0
        p[0] = np.sin(p[0])
    return p[0]


@at(X)
def accumulator_array(x):
    s = np.zeros(2)
    for k, v in enumerate(x):
        s[k % 2] += v * s[(k + 1) % 2] + v
    return s[0] * s[1]


@at(A)
def nested_loops_over_parts(a):
    m = a.copy()
    for k in range(3):
        for i in range(k + 1, 3):
            m[i] -= m[k] * m[i, k]
            m[i, k] = m[k, k]
        m[:, k] += m[k]
    return np.sum(m**2)


@at(X, 3)
def index_that_changes(x, n):
    y = x.copy()
    i = 0
    for _ in range(n):
        y[i] = y[i + 2] * 2.0
        i += 1
        y[i] += y[i - 1]
    return np.sum(y**2)


@at(X)
def index_array_that_changes(x):
    y = x.copy()
    idx = np.array([0, 1])
    y[idx] = x[2:4]
    idx[0] = 4
    y[idx] *= 2.0
    idx += 1
    return np.sum(y[idx] * x[idx]) + np.sum(y)


@at(X)
def branch_on_what_was_written(x):
    y = np.zeros(6)
    for i in range(6):
        y[i] = x[i] * (2.0 if i % 2 else 1.0)
        if y[i] < y[i - 1]:
            y[i] = y[i - 1] + 0.1 * x[i]
    return np.sum(y**2)


@at(X)
def conditional_on_a_later_value(x):
    y = x.copy()
    z = np.sin(y)
    y[0] = z[1]
    w = np.exp(y)
    y[1] = w[0] * z[0]
    return np.sum(y * z) + w[1]


@at(X, 0)
def loop_that_does_not_run(x, n):
    y = np.zeros(6)
    for i in range(n):
        y[i] = x[i]
    y[0] = x[0] ** 2
    return np.sum(y)


@at(X)
def constant_written_over(x):
    y = x.copy()
    y[:] = 1.0
    y[2] = x[0]
    return np.sum(y**2)


@at(X, 2.0)
def number_written_everywhere(x, c):
    y = np.empty(6)
    y[:] = c
    y[...] *= x
    y[1:3] = c**2
    return np.sum(y**2)


@at(X)
def broadcast_into_rows(x):
    m = np.zeros((3, 6))
    m[:] = x
    m[1:] += x[0]
    m[:, 2:4] = x[2:4] ** 2
    m[2, :] = x[1]
    return np.sum(m**2 * np.arange(18.0).reshape(3, 6))
