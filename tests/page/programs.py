"""Programs that pages are made of."""

from __future__ import annotations

import numpy as np

import retrograd as rg

__all__ = ["decay", "hostile", "refused", "several"]


def softplus(z):
    """A smooth maximum of z and 0."""
    return np.logaddexp(z, 0.0)


@rg.differentiate(wrt="w", sig="w: f8[d], x: f8[n, d], steps: int")
def decay(w, x, steps):
    """A hidden state."""
    h = np.zeros(w.shape)
    for t in range(steps):
        h = 0.9 * h + np.tanh(x[t] * w)
    n = len(x)
    p = softplus(h)
    return np.sum(p**2) / n


@rg.differentiate
def hostile(x):
    """A docstring with </script><b id="injected">markup</b> & more."""
    text = "</script><img src='http://127.0.0.1:9/a.png'>"
    return np.sum(x * x) * len(text)  # <i>a comment</i>


@rg.differentiate
def refused(x):
    y = np.exp(x)
    global seen
    seen = y
    return np.sum(y)


def flux(u, k):
    """The flux between cells."""
    total = u[1:] - u[:-1]
    for _ in range(2):
        total = total * k + u[1:] * u[:-1]
    return total


@rg.differentiate(wrt="k", sig="u: f8[n], k: float")
def several(u, k):
    a = flux(u, k)
    b = flux(u * 2.0, k)
    return np.sum(a * a) + np.sum(b)
