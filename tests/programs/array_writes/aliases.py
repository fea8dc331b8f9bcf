"""One memory under several names: views, aliases, overlapping sides, helpers that write."""

from __future__ import annotations

import numpy as np

from . import at

X = np.array([0.7, -0.4, 1.3, 0.2, -1.1, 0.6])
Y = np.array([0.3, 1.2, -0.8, 0.5, 0.9, -0.2])
A = np.array([[0.4, 0.5, -0.3], [0.2, 1.1, 0.7], [-0.6, 0.4, 0.9]])
B = np.array([0.8, -1.1, 0.6])


@at(X)
def overlapping_product(x):
    x = x.copy()
    x[1:] = x[:-1] * x[1:]
    return np.sum(x**2)


@at(X)
def overlapping_product_of_the_argument(x):
    x[1:] = x[:-1] * x[1:]
    x[:-1] *= x[1:]
    return np.sum(x**2)


@at(X)
def overlapping_shift(x):
    x[1:] = x[:-1]
    x[0] = 0.5
    return np.sum(x**3)


@at(X)
def reversed_onto_itself(x):
    y = x * 1.5
    y[:] = y[::-1] + 0.1 * y
    y[::2] += y[1::2]
    return np.sum(y**3)


@at(X)
def strided_view(x):
    y = np.sin(x)
    v = y[::2]
    v[0] = x[1] * x[2]
    y[2] *= 3.0
    v += y[1::2]
    return np.sum(y**2) + np.sum(v) * x[0]


@at(X)
def view_read_before_and_after(x):
    y = x**2
    v = y[1:4]
    before = np.sum(v * x[1:4])
    y[2] = x[0] * before
    after = np.sum(v * x[:3])
    return before * after + np.sum(y)


@at(X)
def view_of_a_view(x):
    y = x + 0.0
    v = y[1:]
    w = v[::2]
    w[1] = w[0] * x[5]
    v[0] = w[1] + y[3]
    return np.sum(y * np.arange(6.0))


@at(X)
def negative_and_reversed_views(x):
    y = 2.0 * x
    v = y[::-1]
    v[0] = x[0] ** 2
    v[-1] = y[-1] * x[1]
    y[-2] -= v[1] * v[2]
    return np.sum(y**2)


@at(A)
def rows_of_a_matrix(a):
    m = a @ a
    row = m[1]
    row[0] = row[1] * a[0, 0]
    m[1, 2] += row[0]
    m[:, 0] = row
    return np.sum(m**2) + np.sum(row)


@at(A)
def transposed_view(a):
    m = a.copy()
    t = m.T
    t[0] = t[1] * a[2]
    m[2] += t[2]
    t[1, 2] = 0.0
    return np.sum(m**3)


@at(X)
def reshaped_fresh_array(x):
    y = np.zeros(6)
    m = y.reshape(2, 3)
    m[0] = x[:3] ** 2
    y[3:] = x[3:] * m[0]
    m[1, 1] = y[0] * y[5]
    return np.sum(y**2) + np.sum(m)


@at(X)
def alias(x):
    y = x * 2.0
    w = y
    w[0] = x[1] * x[2]
    y[1] = w[0] ** 2
    w *= 1.5
    return np.sum(y) + np.sum(w * x)


@at(X)
def alias_of_the_argument(x):
    y = x
    y[0] = x[1] * x[2]
    x[3] = y[0] ** 2
    return np.sum(y**2)


@at(X)
def rebound_after_writing(x):
    y = x
    y[0] = x[1] ** 2
    x = x * 2.0
    x[1] = y[0] * y[2]
    return np.sum(x) + np.sum(y**2)


@at(X, 5)
def buffers_swapped(x, n):
    u, v = x.copy(), np.zeros(6)
    for k in range(n):
        v[:] = u
        v[1:-1] += 0.3 * (u[2:] - u[:-2]) * u[1:-1]
        v[k] = u[0] * u[k]
        u, v = v, u
    return np.sum(u * v)


@at(X, 4)
def three_buffers_in_a_ring(x, n):
    a, b, c = np.sin(x), np.cos(x), np.zeros(6)
    for _ in range(n):
        c[:] = a * b
        c[0] += a[-1]
        a, b, c = b, c, a
    return np.sum(a + 2.0 * b - c)


@at(X, 3)
def same_array_after_the_first_iteration(x, n):
    u, v = x.copy(), np.zeros(6)
    total = 0.0
    for k in range(n):
        total = total + np.sum(u * x)
        u[k] = 0.5 * u[k + 1]
    v[2] = total
    return np.sum(v**2) + u[0]


@at(X)
def elements_swapped(x):
    y = x.copy()
    y[0], y[3] = y[3], y[0]
    y[1:3], y[3:5] = y[3:5].copy(), y[1:3].copy()
    return np.sum(y * np.arange(1.0, 7.0) ** 2)


@at(X)
def slices_swapped_without_copies(x):
    y = x * 1.0
    y[:2], y[2:4] = y[2:4], y[:2]
    return np.sum(y * np.arange(1.0, 7.0))


@at(A)
def rows_swapped(a):
    m = a.copy()
    m[[0, 2]] = m[[2, 0]]
    m[:, [0, 1]] = m[:, [1, 0]]
    return np.sum(m * np.arange(9.0).reshape(3, 3))


@at(A)
def rows_written_while_iterated(a):
    m = a * 1.0
    for r in m:
        r[0] = r[1] * r[2]
        r *= 1.5
    return np.sum(m**2)


@at(A)
def rows_of_the_argument_while_iterated(a):
    total = 0.0
    for k, r in enumerate(a):
        r[k] = r[0] * 0.7
        total += np.sum(r) ** 2
    return total * a[1, 1]


@at(A)
def rows_by_zip(a):
    m = np.zeros((3, 3))
    for r, s in zip(m, a, strict=True):
        r[:] = s**2
        r[1:] -= s[:-1]
    return np.sum(m**2)


@at(X)
def last_of_repeats_wins(x):
    y = np.zeros(4)
    y[[0, 2, 0, 1]] = x[:4]
    return np.sum(y**2 * np.arange(1.0, 5.0))


@at(X)
def repeats_added_once(x):
    y = x[:4].copy()
    y[[0, 2, 0, 1]] += x[2:] ** 2
    y[np.array([3, 3])] *= x[:2]
    return np.sum(y**2 * np.arange(1.0, 5.0))


@at(X)
def masks(x):
    y = x.copy()
    y[x > 0.5] = x[0] * 2.0
    y[x < 0] *= x[x < 0]
    y[y > 1] -= 0.5
    return np.sum(y**2)


@at(A)
def mask_of_a_matrix(a):
    m = a.copy()
    m[m < 0] = 0.0
    m[np.eye(3, dtype=bool)] += a[0]
    m[:, 1][m[:, 1] > 1] = a[0, 0]
    return np.sum(m**3)


@at(A, B)
def several_dimensions(a, b):
    m = np.zeros((2, 3, 3))
    m[0] = a
    m[1, :, 0] = b
    m[:, 1, 1:] += b[:2]
    m[..., -1] *= b
    m[None, 0, 2] = m[1, 2] + a[1]
    return np.sum(m**2)


@at(X)
def every_augmented_form(x):
    y = x + 2.5
    y += x
    y -= 0.1
    y *= x
    y /= x + 3.0
    y **= 2
    y[0] += x[1]
    y[1] -= x[2]
    y[2] *= x[3]
    y[3] /= x[0] + 3.0
    y[4:] **= 3
    y[:2] /= 1.5
    return np.sum(y)


@at(A, B)
def augmented_by_a_product(a, b):
    m = a.copy()
    m @= a
    m[0] @= a
    return np.sum(m**2)


def fill(out, x):
    out[0] = x[0]
    for i in range(1, len(x)):
        out[i] = out[i - 1] * x[i] + 1.0


def scaled(x, factor):
    x *= factor
    return x


def add_into(v, w):
    v += w**2
    return v[0]


def deeper(x, n):
    if n == 0:
        return x[0]
    x[n] *= x[n - 1]
    return deeper(x, n - 1) + x[n]


@at(X)
def helper_that_fills(x):
    y = np.zeros(6)
    fill(y, x)
    z = np.zeros(6)
    fill(z, y)
    return np.sum(y * z)


@at(X)
def helper_that_returns_its_argument(x):
    y = x.copy()
    z = scaled(y, x[0])
    z[1] = x[2] * y[3]
    return np.sum(y * z)


@at(X)
def helper_on_a_view(x):
    y = x * 1.0
    first = add_into(y[1:4], x[2:5])
    scaled(y[::2], 0.5)
    return first * np.sum(y**2)


@at(X)
def helper_on_the_argument(x):
    fill(x, x * 2.0)
    return np.sum(np.sin(x))


@at(X)
def recursive_helper(x):
    y = x.copy()
    s = deeper(y, 5)
    return s * np.sum(y)


@at(A)
def helper_on_rows(a):
    m = a.copy()
    for i in range(3):
        scaled(m[i], a[i, i])
        add_into(m[:, i], m[i].copy())
    return np.sum(m)


@at(X)
def closure_that_writes(x):
    y = np.zeros(6)

    def put(i, v):
        y[i] = v * x[i]

    for i in range(6):
        put(i, x[-i])
    put(0, y[3])
    return np.sum(y**2)


@at(X)
def container_of_arrays(x):
    parts = [x.copy(), np.zeros(6)]
    parts[1][0] = x[0] * x[1]
    parts[0][1:] *= x[0]
    a, b = parts
    b[2] = a[1] ** 2
    return np.sum(parts[0]) + np.sum(parts[1] ** 2)


@at(X)
def copies_in_a_list(x):
    y = x.copy()
    y[0] *= x[1]
    first = y.copy()
    y[1] *= x[2]
    seen = [first, y.copy(), y]
    y[2] *= x[3]
    return np.sum(seen[0] * seen[1]) + np.sum(seen[2] ** 2)


@at(X)
def one_array_twice_in_a_tuple(x):
    y = x.copy()
    pair = (y, y[1:])
    pair[1][0] = x[0] * x[5]
    pair[0][2] += pair[1][0]
    return np.sum(pair[0] * y) + np.sum(pair[1])


def halve(v):
    v *= 0.5
    return v[0]


@at(X)
def element_read_before_a_call_writes_to_it(x):
    y = x.copy()
    y[1] *= halve(y)
    y[0] += halve(y)
    y[2:] -= halve(y)
    return np.sum(y**2)


@at(A)
def views_with_keywords(x):
    y = x * 1.5
    flipped, turned = np.flip(y, axis=0), np.rot90(y, axes=(1, 0))
    flat = np.expand_dims(y[:, 0], axis=1).squeeze(axis=1)
    diagonal = y.diagonal(offset=1)
    y[1, 0] = x[0, 0] * x[2, 2]
    flipped[0, 1] *= x[1, 1]
    y[0, 1] += turned[0, 2]
    return np.sum(y**2) + np.sum(flipped * turned) + np.sum(flat**3) + np.sum(diagonal**2)


class Parts:
    def __init__(self, u):
        self.u = u
        self.v = u

    def narrow(self):
        self.u = self.u[...]


@at(X, Y)
def product_of_two_names_of_an_argument_written_to(y, x):
    y[:] = x
    parts = Parts(y)
    parts.narrow()
    return np.sum(parts.u * parts.v)


@at(X)
def adjoint_that_begins_as_the_array_written_to(y):
    y[1:] = y[:-1] * 2.0
    u = y[...]
    return np.sum(u * y)


def raised(a, b):
    a[0] += 0.5


def counted(a):
    for i in range(2):
        a[i + 1] = i


@at(A)
def helpers_given_two_names_of_one_tangent(x):
    x[1] = 1
    raised(x, x * 1.0)
    counted(x.transpose(1, 0))
    return np.sum(x)


@at(A)
def whole_written_over_after_a_call(x):
    raised(x, 0.0)
    np.nan_to_num(x, copy=False)
    return np.sum(x**2)


@at(A)
def rows_written_with_columns(x):
    c = x * 2.0
    for j in range(3):
        c[j, :j] = c[:j, j]
        c[j] = c[:, j]
    c[:, 0] = c[:, 1]
    return np.sum(c**3)
