"""Kernels for what is computed one number after the other: NumPy's way to it would be many launches, or a question."""

from __future__ import annotations

import functools
from typing import Any

from ..arrays.libraries import cupy

__all__ = ["bessel_j", "bessel_series", "bessel_y", "recurrence", "spherical_series"]

# One thread goes along one line: `y[k] = a[k] * y[k - 1] + c[k]`.
RECURRENCE = """
T y_k = c[i * length];
y[i * length] = y_k;
for (long long k = i * length + 1; k < (i + 1) * length; ++k) {
    y_k = a[k] * y_k + c[k];
    y[k] = y_k;
}
"""

# The power series of a modified Bessel function, all of one sign.
BESSEL = """
double half = x / 2, term = 1;
for (int k = 1; k <= n; ++k) term *= half / k;
double sum = term;
for (int k = 1; fabs(term) > 1e-17 * fabs(sum); ++k) {
    term *= half * half / (double(k) * (k + n));
    sum += term;
    if (!isfinite(term)) break;
}
y = sum;
"""


# The same of spherical ones.
SPHERICAL = """
double square = double(x) * x / 2, term = 1;
for (int k = 1; k <= n; ++k) term *= x / (2 * k + 1);
double sum = term;
for (int k = 1; fabs(term) > 1e-17 * fabs(sum); ++k) {
    term *= square / (double(k) * (2 * (k + n) + 1));
    sum += term;
    if (!isfinite(term)) break;
}
y = sum;
"""

OF_ORDER = {
    "bessel_i": BESSEL,
    "bessel_j": "y = jn(n, double(x))",
    "bessel_y": "y = yn(n, double(x))",
    "spherical_i": SPHERICAL,
}


@functools.cache
def kernel(library: Any, name: str) -> Any:
    made, known = library.ElementwiseKernel, f"retrograd_{name}"
    if name == "recurrence":
        return made("raw T a, raw T c, int64 length", "raw T y", RECURRENCE, known)
    return made("T x, int32 n", "T y", OF_ORDER[name], known)


def recurrence(a: Any, c: Any, dtype: Any) -> Any:
    """``y[..., k] = a[..., k] * y[..., k - 1] + c[..., k]``, from 0."""
    cp = cupy()
    a, c = (cp.ascontiguousarray(x, dtype) for x in cp.broadcast_arrays(a, c))
    y = cp.empty(c.shape, dtype)
    if c.size:
        length = c.shape[-1]
        kernel(cp, "recurrence")(a, c, length, y, size=c.size // length)
    return y


def bessel_series(n: int, x: Any) -> Any:
    return kernel(cupy(), "bessel_i")(x, n)


def spherical_series(n: int, x: Any) -> Any:
    return kernel(cupy(), "spherical_i")(x, int(n))


def bessel_j(n: int, x: Any) -> Any:
    return kernel(cupy(), "bessel_j")(x, n)


def bessel_y(n: int, x: Any) -> Any:
    return kernel(cupy(), "bessel_y")(x, n)
