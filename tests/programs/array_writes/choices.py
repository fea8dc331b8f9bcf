"""Which memory a name holds is known late: one of two arrays, the same one in every iteration, two arguments that overlap."""

from __future__ import annotations

import numpy as np

from . import at

X = np.array([0.7, 1.3, 2.1])
A = np.array([[1.0, 2.0, 0.3], [0.1, 1.5, 0.2], [0.7, -1.0, 2.0]])


@at(X)
def argument_moved_in_a_loop(pos):
    vel = np.array([1.0, 2.0, 3.0])
    for _ in range(3):
        vel -= 0.1 * pos
        pos += vel * 0.1
    return np.sum(pos * pos)


@at(X)
def argument_scaled_while_small(pos):
    while pos[0] < 1.0:
        pos *= 1.1
    return np.sum(pos * pos)


@at(np.array([[1.0, 2.0, 0.3], [0.1, 1.5, 0.2]]))
def rows_of_a_state_in_a_loop(state):
    pos, vel = state
    for _ in range(3):
        pos += vel * 0.1
        vel -= pos * 0.1
    return np.sum(state[0] * vel)


@at(A)
def gram_schmidt_by_columns(a):
    q = a.copy()
    for j in range(3):
        column = q[:, j]
        for i in range(j):
            column -= (q[:, i] @ column) * q[:, i]
        column /= np.linalg.norm(column)
    return np.sum(q * np.arange(9).reshape(3, 3))


@at(X)
def result_written_and_bound_to_its_name(x):
    total = np.zeros(3)
    for k in range(3):
        total = np.add(total, k * x, out=total)
        x = np.multiply(x, 1.1, out=x)
    return np.sum(total * x)


def step(pos, vel):
    vel -= 0.1 * pos
    pos += 0.1 * vel
    return pos, vel


@at(X)
def step_that_returns_what_it_moved(pos):
    vel = np.ones(3)
    for _ in range(3):
        pos, vel = step(pos, vel)
    return np.sum(pos * vel)


@at(X)
def augmented_in_one_branch_of_a_loop(u):
    for k in range(5):
        if k == 3:
            continue
        if k % 2 == 0:
            u += 0.1 * u[::-1]
        if u[0] > 1.2:
            break
    return np.sum(u**2)


@at(X)
def view_augmented_in_a_loop(u):
    v = u[1:]
    for _ in range(3):
        v += 0.1 * u[:-1]
    return np.sum(u**2) + np.sum(v)


def smooth_into(out, u, w):
    for i in range(1, len(u) - 1):
        out[i] = w * (u[i - 1] + u[i + 1])


@at(X)
def smoothed_onto_itself(x):
    u = np.concatenate([x * x, x])
    for _ in range(2):
        smooth_into(u, u, 0.3)
    return np.sum(u * u)


def scaled_into(out, u):
    out[:] = 0.3 * u[::-1] + out


@at(X)
def half_scaled_into_the_other(x):
    u = np.concatenate([x, x])
    scaled_into(u[:3], u[3:])
    scaled_into(u[1:3], u[2:4].copy())
    return np.sum(u * u)


@at(X)
def argument_or_its_copy(u):
    w = u if u[0] > 0 else u.copy()
    w[0] = 2 * w[1]
    return np.sum(w**2) + np.sum(u**3)


@at(X)
def copied_if_asked(u):
    if u[0] > 1:
        u = u.copy()
    for i in range(3):
        u[i] = 2 * u[i - 1]
    return np.sum(u**2)


@at(X)
def one_of_two_arrays(u):
    y, z = u * 2, u**2
    w = y if u[0] > 0 else z
    w[0] = u[1]
    y[1] = 3 * z[0]
    w[2] *= w[1]
    return np.sum(w**2) + np.sum(y * u * z)


@at(X)
def part_of_an_array_or_a_new_one(u):
    y = u * 2
    w = y[1:] if u[0] > 0 else u[:2].copy()
    w[0] = u[1]
    return np.sum(w**2) + np.sum(y * u)


@at(X)
def both_written_in_a_loop(u):
    y = u * 2
    w = y
    if u[0] > 5:
        w = y.copy()
    for i in range(3):
        w[i] += 2 * y[i - 1]
        y[0] *= 1.1
    return np.sum(w**2) + np.sum(y * u)


@at(X)
def chosen_in_every_iteration(u):
    for i in range(3):
        w = u if i % 2 else u.copy()
        w[i] += 2 * u[i - 1]
    return np.sum(u**2) + np.sum(w)


@at(X)
def one_written_on_either_side(u):
    y = u * 2
    w = y
    if u[0] > 5:
        w = y.copy()
    if u[1] > 1:
        w[0] = 3 * u[0]
    else:
        y[0] = 4 * u[0]
    return np.sum(w**2) + np.sum(y * u)


@at(X)
def chosen_within_a_branch(u):
    y = u * 2
    if u[1] > 1:
        w = y if u[2] > 1 else u * 3
        w[0] = 3 * u[0]
    return np.sum(y * u)


@at(X)
def views_of_a_chosen_one(u):
    y = u * 2
    w = y if u[2] > 1 else u * 3
    v = w[1:]
    v *= u[0]
    v = y[:2]
    v += 1.0
    return np.sum(y * u) + np.sum(w * u)


@at(X)
def chosen_twice(u):
    y = u * 2
    w = y if u[2] > 1 else u * 3
    x = w if u[2] > 3 else u * 4
    x[0] = u[1]
    w[1] = u[0]
    return np.sum(w * u) + np.sum(x * u)


@at(X)
def chosen_item_of_a_dict(u):
    d = {"a": u * 2, "b": u * 3}
    w = d["a"] if u[0] > 0 else d["b"]
    w[0] = 3 * u[2]
    return np.sum(d["a"] * u) + np.sum(d["b"] * u) + np.sum(w)


@at(X)
def chosen_and_read_in_a_while(u):
    y = u * 2
    w = y if u[2] > 1 else u * 3
    while y[0] < 10:
        w += 1.0
        y *= 1.5
    return np.sum(w * u) + np.sum(y * u)


@at(A)
def factors_written_to(x):
    u, s, vt = np.linalg.svd(x)
    u *= s
    s[0] = 2 * s[1]
    return np.sum((u @ vt) ** 2) + np.sum(s)


@at(X)
def grids_written_to(x):
    a, b = np.meshgrid(x, np.array([1.0, 2.0]), indexing="ij")
    r = np.sqrt(a**2 + b**2)
    r[r > 1.5] *= 2
    a[:, 0] += r[:, 1]
    b /= r
    c, d = np.meshgrid(x, x, sparse=True)
    c *= 2
    return np.sum(a * b) + np.sum(c * d * x[0])


@at(X)
def shape_set(x):
    y = np.outer(x, x)
    z, rows, part = y, [y, x], y[0]
    y.shape = (9,)
    y[0] = 7 * x[1]
    return np.sum(z * np.arange(9)) + np.sum(part * x) + np.sum(rows[0][::2])


@at(X)
def shape_set_on_either_side(x):
    y = np.outer(x, x)
    if x[0] > 0:
        y.shape = (9,)
    else:
        y.shape = -1
    return np.sum(y**2 * np.arange(9))


@at(X)
def array_made_by_its_class(x):
    y = np.ndarray(x.shape, dtype=x.dtype)
    y[:] = x * x
    return np.sum(y * y)
