"""Adjoints as textbooks have them: shares, standard scores, determinants, traces, stencils, lines through logsumexp."""
# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

import re

import numpy as np
import pytest
from scipy.special import logsumexp

import retrograd as rg

R = np.random.default_rng(1)
X, W, LABELS = R.normal(size=(6, 3)), R.normal(size=(3, 4)), R.integers(0, 4, 6)
V = R.normal(size=(4, 3))


def softmax(v):
    e = np.exp(v)
    a = e / np.sum(e, axis=1, keepdims=True)
    return np.sum(np.sin(a))


def softmax_and_total(v):
    """The total is read again."""
    e = np.exp(v)
    total = np.sum(e, axis=0, keepdims=True)
    return np.sum(np.sin(e / total)) + np.sum(total**2)


def standard_score(v):
    centred = v - np.mean(v, axis=1, keepdims=True)
    z = centred / np.sqrt(np.mean(centred**2, axis=1, keepdims=True) + 1e-3)
    return np.sum(np.sin(z))


def divided_by_what_varies(v):
    """The divisor varies along the axis of the sum: nothing is taken out."""
    e = np.exp(v)
    z = e / (1 + e**2)
    return np.sum(np.sum(z * v, axis=1, keepdims=True) * z)


def pair_potential(v):
    d = v[:, None, :] - v[None, :, :]
    r2 = np.sum(d**2, axis=2) + np.eye(len(v))
    s6 = 1 / r2**3
    return np.sum((s6**2 - s6) * (1 - np.eye(len(v))))


def log_determinant(v):
    k = v.T @ v + 2.0 * np.eye(3)
    low = np.linalg.cholesky(k)
    return 3.0 * np.sum(np.log(np.diag(low)))


def determinant_and_more(v):
    low = np.linalg.cholesky(v.T @ v + 2.0 * np.eye(3))
    return np.sum(np.log(np.diag(low))) + np.sum(low**2)


def ridge(v, lam):
    return np.sum(np.sin(v.T @ v + lam * np.eye(3)))


def by_a_number(v, s):
    return np.sum(np.sin(v / s**2) * v)


def cross_entropy(w, x, y):
    z = x @ w
    return np.mean(logsumexp(z, axis=1) - z[np.arange(len(y)), y])


def polynomial(x, t):
    p = np.sum(x * t[:, None] ** np.arange(x.size), axis=1)
    return 0.5 * np.sum((np.sign(t) - p) ** 2)


def nearest(points, centres):
    d = np.sum((points[:, None, :] - centres[None]) ** 2, axis=2)
    return np.sum(np.min(d, axis=1))


def heat(u, steps):
    for _ in range(steps):
        u = u.copy()
        u[1:-1] = u[1:-1] + 0.1 * (u[2:] - 2 * u[1:-1] + u[:-2])
    return np.sum(u**2)


def overlapping(u):
    """What is written is read by what is added in between."""
    u = u.copy()
    u[1:-1] = u[1:-1] * u[2:] - 0.5 * u[:-2]
    u[::2] = np.sin(u[::2]) + u[1]
    u[1:-1] = 0.3 * u[1:-1] + u[2:] * u[1]
    return np.sum(u**3)


def products_with_one_factor(a, b, c):
    return np.sum(np.sin(a * c) * (b * c) + 2.0 * c * a - c * b)


U = R.normal(size=9)
CASES = {
    softmax: ((V,), "v: f8[n, m]", "a * (a_bar - np.sum(a * a_bar", ["e_bar ="]),
    softmax_and_total: ((V,), "v: f8[n, m]", "", []),
    standard_score: ((V,), "v: f8[n, m]", "np.mean(", ["np.sum("]),
    divided_by_what_varies: ((V,), "v: f8[n, m]", "", []),
    pair_potential: ((V,), "v: f8[n, 3]", "np.einsum(", ["r2**2", "r2**3 *"]),
    log_determinant: ((V,), "v: f8[n, 3]", "np.linalg.inv(", ["rt.phi", "rt.solve_lower"]),
    determinant_and_more: ((V,), "v: f8[n, 3]", "", []),
    ridge: ((V, 0.3), "v: f8[n, 3], lam: float", "np.trace(", []),
    by_a_number: ((V, 1.3), "v: f8[n, m], s: float", "", []),
    cross_entropy: ((W, X, LABELS), "w: f8[d, k], x: f8[n, d], y: i8[n]", "x.T @ ", ["rt.un"]),
    polynomial: ((U[:4], U), "x: f8[n], t: f8[m]", "(p - np.sign(t)) @ power", ["rt.un"]),
    nearest: ((X, V), "points: f8[n, d], centres: f8[k, d]", "rt.share_ties", ["rt.stretch"]),
    heat: ((U, 3), "u: f8[n], steps: int", "u_bar[1:-1] = 0.8 *", ["= 0.0"]),
    overlapping: ((U,), "u: f8[n]", "", []),
    products_with_one_factor: ((V, V + 1, V - 1), "a: f8[n], b: f8[n], c: f8[n]", "", []),
}


@pytest.mark.parametrize("f", CASES, ids=lambda f: f.__name__)
def test_right_to_second_order(f) -> None:
    rg.check_grads(f, CASES[f][0], order=2)


@pytest.mark.parametrize("f", [f for f in CASES if CASES[f][2]], ids=lambda f: f.__name__)
def test_the_text_is_the_textbooks(f) -> None:
    _, sig, there, gone = CASES[f]
    text = rg.differentiate(f, wrt=1 if f is ridge else 0).source("grad", sig=sig)
    body = re.sub("#.*", "", text[text.index("def ") :])
    assert there in body
    assert not [word for word in gone if word in body]


@pytest.mark.parametrize("backend", ["c"])
@pytest.mark.parametrize("f", CASES, ids=lambda f: f.__name__)
def test_compiled_text_is_the_same(f, backend) -> None:
    args = CASES[f][0]
    np.testing.assert_allclose(rg.grad(f, backend=backend)(*args), rg.grad(f)(*args), rtol=1e-9)


def read_only(x):
    x = x.copy()
    x.flags.writeable = False
    return x


LAID_OUT = {
    "in single precision": lambda x: x.astype(np.float32),
    "a view with gaps": lambda x: np.repeat(x, 2, 0)[::2],
    "turned round": lambda x: x[::-1],
    "by columns": np.asfortranarray,
    "read-only": read_only,
    "all alike": np.ones_like,
    "nothing": lambda x: x[:0],
}


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("form", LAID_OUT)
@pytest.mark.parametrize("f", CASES, ids=lambda f: f.__name__)
def test_other_arrays(f, form) -> None:
    """Right, of the kind and shape of what is given, or an error where the function has one."""
    args = (LAID_OUT[form](CASES[f][0][0]), *CASES[f][0][1:])
    try:
        f(*args)
    except (ValueError, IndexError) as error:
        with pytest.raises(type(error)):
            rg.grad(f, check=None)(*args)
        return
    found = rg.grad(f)(*args)
    assert (found.dtype, found.shape) == (args[0].dtype, args[0].shape)
    if form not in ("all alike", "nothing"):  # ties and poles, and nothing to differ
        plain = (args[0].astype(float).copy(), *args[1:])
        single = form == "in single precision"
        np.testing.assert_allclose(
            found, rg.grad(f)(*plain), rtol=1e-3 if single else 1e-9, atol=1e-4 if single else 1e-12
        )
