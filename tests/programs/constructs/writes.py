"""Writes into arrays: what the compiler takes, and what it refuses."""

from __future__ import annotations

from .row import XS, add

__all__: list[str] = []

G = "Writing into arrays"
add(
    G,
    "writing to elements",
    """
    def f(x):
        y = np.zeros(3)
        y[0] = x
        y[-1] = x * y[0]
        return np.sum(y)
""",
)
add(
    G,
    "writing to elements by their number: `x.flat[::4]`",
    """
    def f(x):
        y = np.outer(x, x).T
        y.flat[:: len(x) + 1] += x[0]
        return np.sum(y**2)
""",
    args=XS,
)
add(
    G,
    "writing to slices that overlap what is written",
    """
    def f(x):
        y = x.copy()
        y[1:] = y[:-1] * y[1:]
        y[::2] -= y[::-2]
        return np.sum(y * y)
""",
    args=XS,
)
add(
    G,
    "writing in a loop",
    """
    def f(x):
        y = np.zeros_like(x)
        y[0] = x[0]
        for i in range(1, len(x)):
            y[i] = np.sin(y[i - 1]) * x[i]
        return np.sum(y)
""",
    args=XS,
)
add(
    G,
    "augmented assignment of elements",
    """
    def f(x):
        y = np.exp(x)
        y[0] += x[1]
        y[1:] *= x[:-1]
        y[2] **= 2
        y[:] /= 3.0
        return np.sum(y)
""",
    args=XS,
)
add(
    G,
    "integer arrays as places, the last write counts",
    """
    def f(x):
        y = np.zeros(3)
        y[[0, 2, 0]] = x
        y[[1, 1, 2]] += x
        return np.sum(y * y)
""",
    args=XS,
)
add(
    G,
    "masks as places",
    """
    def f(x):
        y = x * x
        y[x > 0.5] = 0.0
        y[y > 0] *= 3.0
        return np.sum(y)
""",
    args=XS,
)
add(
    G,
    "two names of one array",
    """
    def f(x):
        y = np.exp(x)
        z = y
        y *= 2
        z[0] = 1.0
        return np.sum(y * z)
""",
    args=XS,
)
add(
    G,
    "writing through views",
    """
    def f(x):
        a = np.outer(x, x)
        row, column = a[0], a.T[1]
        row[1] = 3.0
        column += x
        a[1:][0, 2] = x[0] * row[2]
        return np.sum(a * a)
""",
    args=XS,
)
add(
    G,
    "buffers that change places",
    """
    def f(x):
        u, v = x.copy(), np.zeros_like(x)
        for _ in range(3):
            v[1:] = u[:-1] * u[1:]
            u, v = v, u
        return np.sum(u * x)
""",
    args=XS,
)
add(
    G,
    "writing to an argument",
    """
    def f(x):
        x[0] = x[1] * x[2]
        x *= 2
        return np.sum(x * x)
""",
    args=XS,
)
add(
    G,
    "functions that write to their arguments",
    """
    def fill(y, i, v):
        y[i] = v * y[i - 1]

    def f(x):
        y = np.ones_like(x)
        for i in range(1, len(x)):
            fill(y, i, x[i])
        return np.sum(y)
""",
    args=XS,
)
add(
    G,
    "writing in the last statement of a `try`",
    """
    import math

    def f(x):
        y = x.copy()
        for i in range(3):
            try:
                y[i] = math.log(y[i] - 0.5)
            except ValueError:
                y[i] = y[i] ** 2
        return np.sum(y * x)
""",
    args=XS,
)
add(
    G,
    "closures that write",
    """
    def f(x):
        y = np.zeros(3)

        def put(i, v):
            y[i] = v * v

        put(0, x[1])
        put(2, x[0])
        return np.sum(y * x)
""",
    args=XS,
)
add(
    G,
    "`out=`",
    """
    def f(x):
        y = np.empty(3)
        np.exp(x, out=y)
        np.multiply(y, x, y)
        return np.sum(y)
""",
    args=XS,
)
add(
    G,
    "functions of NumPy that write into their argument",
    """
    def f(x):
        y = np.zeros(3)
        np.copyto(y, x)
        np.add.at(y, [0, 0, 1], x)
        np.put(y, [2], x[0])
        np.putmask(y, y > 1.9, 0.5)
        return np.sum(y * y)
""",
    args=XS,
)
add(
    G,
    "`np.maximum.at`, `np.multiply.at`, `np.sin.at`: places named twice are written twice",
    """
    def f(x):
        y, z = np.full(4, 0.3), np.outer(x, x)
        np.maximum.at(y, np.array([0, -1, 3, 3, 0, 1]), np.concatenate([x, x * x]))
        np.multiply.at(z, ([0, 0, -1], [1, -2, 2]), x)
        np.divide.at(z, [2, 2, 0], 1.5 + x)
        np.sin.at(y, [0, 0, 1])
        np.negative.at(y, slice(1, 3))
        np.logaddexp.at(y, y > 0.2, x[0])
        return np.sum(y**3) + np.sum(z)
""",
    args=XS,
)
add(
    G,
    "views of a copy",
    """
    def f(x):
        y = np.outer(x, x).copy()
        z, row = y.reshape(-1), y.T[1]
        row += 1
        z[::2] *= 0.5
        y[0] = z[1:4] * 2
        return np.sum(y**3) + row @ row
""",
    args=XS,
)
add(
    G,
    "views of a row that was just computed",
    """
    def f(x):
        y = np.concatenate([x, x]) * 1.5
        z = y[::-1].copy().reshape(2, 3)
        z[0] *= 2
        y.reshape(3, 2)[1] = z[1, :2]
        np.fill_diagonal(y[:4].reshape(2, 2), x[0])
        return np.sum(y**3) + np.sum(z)
""",
    args=XS,
)
add(
    G,
    "methods that write into their array",
    """
    def f(x):
        y = x * x
        y.sort()
        z = np.empty(3)
        z.fill(y[0])
        return y[0] * y[2] + z[1]
""",
    args=XS,
)
add(
    G,
    "writing to one of two arrays, and to an argument or its copy",
    """
    def f(x):
        y = np.exp(x)
        z = y if x[0] > 0 else x * 2
        y += 1
        z[1] = x[2]
        if x[0] > 1:
            x = x.copy()
        x /= np.sum(x)
        return np.sum(z * y) + np.sum(x * x)
""",
    args=XS,
)
add(
    G,
    "augmenting an argument, or a view, in a loop",
    """
    def f(x):
        v = x[1:]
        for k in range(3):
            x += 0.1 * x[::-1]
            v *= x[0]
        return np.sum(x * x)
""",
    args=XS,
)
add(
    G,
    "a function that writes to one argument and reads another that overlaps it",
    """
    def smooth(out, u):
        for i in range(1, len(u) - 1):
            out[i] = u[i - 1] + u[i + 1]

    def f(x):
        y = x * x
        smooth(y, y)
        return np.sum(y * y)
""",
    args=XS,
)
add(
    G,
    "setting the shape of an array made here",
    """
    def f(x):
        y = np.outer(x, x)
        z = y
        y.shape = (9,)
        return np.sum(z[::2] * y[1])
""",
    args=XS,
)
add(
    G,
    "setting the shape of an argument",
    """
    def f(x):
        x.shape = (3, 1)
        return np.sum(x @ x.T)
""",
    "MutationError",
    "x = x.reshape(3, 1)",
    XS,
)
add(
    G,
    "writing to what is an argument in the first iteration, and an array made here in the next",
    """
    def f(x):
        for k in range(3):
            x += 0.1
            x = x * 1.1
        return np.sum(x * x)
""",
    "MutationError",
    "x = x + 0.1",
    XS,
)
add(
    G,
    "writing to a reshaped array that may be a copy, and reading the array itself",
    """
    def f(x):
        y = np.outer(x, x).T * 2
        z = y.reshape(-1)
        z[0] = x[1]
        return np.sum(z) + y[0, 0]
""",
    "MutationError",
    "a copy: z = y.reshape(-1).copy(); or y[0, 0] = x[1]",
    XS,
)
add(
    G,
    "writing fractions to an array of integers",
    """
    def f(x):
        y = np.zeros(3, dtype=int)
        y[0] = x[0]
        return np.sum(y * x)
""",
    "MutationError",
    "np.zeros(3)",
    XS,
)
add(
    G,
    "writing to a global array",
    """
    TABLE = np.zeros(3)

    def f(x):
        TABLE[0] = x[0]
        return np.sum(TABLE * x)
""",
    "MutationError",
    "pass it as an argument",
    XS,
)
add(
    G,
    'arrays of records (`dtype=[("a", float), ...]`)',
    """
    def f(x):
        rows = np.zeros(2, dtype=[("a", float), ("b", float)])
        rows["a"] = x * x
        return np.sum(rows["a"]) * x
""",
    "UnsupportedSyntax",
    "an array for each field, or a dict of them",
)
add(
    G,
    "`np.nditer` with operands that are written to",
    """
    def f(x):
        y = np.zeros(3)
        with np.nditer([x, y], op_flags=[["readonly"], ["writeonly"]]) as pairs:
            for v, w in pairs:
                w[...] = v * v
        return np.sum(y)
""",
    "UnsupportedSyntax",
    "the operation on the whole array, or a loop over indices",
    args=XS,
)
add(
    G,
    "arrays of another class: `np.ma`, `np.matrix`",
    """
    def f(x):
        return np.sum(np.ma.masked_less(x, 0.5) ** 2)
""",
    "UnsupportedSyntax",
    "`np.where`, or a mask: `x[x >= 0.5]`; `@` of arrays",
    args=XS,
)
