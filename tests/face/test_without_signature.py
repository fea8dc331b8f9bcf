"""Texts without a signature: right for arguments of every rank, or refused; and as short as the program lets them be."""

from __future__ import annotations

import copy
import itertools
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import RetrogradError
from retrograd.runtime.objects.pytree import flatten
from retrograd.transforms.api import chain_of, unwrap
from retrograd.transforms.specialise.expected_arguments import guarded


def kalman(q, ys):
    H = np.array([[1.0, 0.0]])
    x = np.zeros(2)
    P = np.eye(2)
    nll = 0.0
    for y in ys:
        P = P + q * np.eye(2)
        S = H @ P @ H.T + 0.1 * np.eye(1)
        K = P @ H.T @ np.linalg.inv(S)
        r = y - H @ x
        nll += 0.5 * (r @ np.linalg.inv(S) @ r + np.log(np.linalg.det(S)))
        x = x + K @ r
        P = (np.eye(2) - K @ H) @ P
    return nll


def epidemic(theta, seen):
    beta, gamma = theta
    s, i, error = 0.99, 0.01, 0.0
    for o in seen:
        new = beta * s * i
        s = s - new
        i = i + new - gamma * i
        error += (i - o) ** 2
    return error / len(seen)


def logistic(w, x, y, lam):
    z = x @ w
    return np.sum(np.logaddexp(0.0, z) - y * z) + lam * (w @ w)


def distances(a, b):
    d = a[:, None, :] - b[None, :, :]
    return np.sum(np.exp(-np.sum(d**2, axis=2)))


def process(theta, x, y):
    size, noise = np.exp(theta)
    K = size * np.exp(-((x[:, None] - x[None, :]) ** 2)) + noise * np.eye(len(y))
    return y @ np.linalg.solve(K, y) + np.linalg.slogdet(K)[1]


def stretched(x, y):
    return np.sum(np.sin(x * y) * x + np.exp(y) / (1.0 + x**2))


def steps(x, k, n):
    total = x
    for _ in range(n):
        total = total + k * np.tanh(total)
    return np.sum(total**2)


def branches(x, y):
    if y > 0.2:
        z = x * y
    else:
        z = x - y
    return np.sum(z * z)


def helper(p, q):
    return np.array([p * q, p + q])


def helped(p, q):
    u = helper(p, q)
    v = helper(q, p)
    return np.sum(u * v) + u[0] * v[1]


def sides(x, flag):
    return np.linalg.slogdet(x)[1] if flag else np.sum(x**2)


def written(x, y):
    path = np.zeros((3, 2))
    path[0] = x
    for k in range(2):
        path[k + 1] = path[k] * y + 0.1
    return np.sum(path**2)


FUNCTIONS = [
    kalman,
    epidemic,
    logistic,
    distances,
    process,
    stretched,
    steps,
    branches,
    helped,
    sides,
    written,
]
LONGEST = {"kalman": 44, "epidemic": 34, "logistic": 9, "distances": 17, "stretched": 15, "helped": 60}  # fmt: skip
VALUES = {"flag": [True, False], "n": [2]}
SHAPES = [(), (2,), (2, 2), (1, 2), (2, 1), (2, 2, 2)]


def text_of(fn: Any, mode: str = "grad") -> str:
    chain = chain_of(fn)
    wrt, single = chain.positions(0)
    return guarded(chain.then(mode, wrt, single), {}, unwrap, "retrograd grad m.py:f")


def loaded(text: str, name: str) -> Callable[..., Any]:
    made: dict[str, Any] = {}
    exec(compile(text, f"<{name}>", "exec"), made)
    return made[name]  # type: ignore[no-any-return]


def arguments(fn: Any) -> list[list[Any]]:
    rng = np.random.default_rng(3)
    code = fn.__code__
    each = [
        VALUES.get(name) or [0.3 + rng.random(shape) + (np.eye(2) if shape == (2, 2) else 0) for shape in SHAPES]
        for name in code.co_varnames[: code.co_argcount]
    ]  # fmt: skip
    several = [list(args) for args in itertools.product(*each)]
    return several if len(several) < 300 else several[::5]


@pytest.mark.parametrize("fn", FUNCTIONS, ids=lambda fn: fn.__name__)
def test_arguments_of_every_rank_are_right_or_refused(fn: Any) -> None:
    text = text_of(fn)
    made, typed = loaded(text, f"{fn.__name__}_grad"), rg.grad(fn)
    right = 0
    for args in arguments(fn):
        try:
            value = fn(*copy.deepcopy(args))
            works = np.ndim(value) == 0 and bool(np.isfinite(value))
        except Exception:
            works = False
        try:
            found = made(*copy.deepcopy(args))
        except (TypeError, ValueError, IndexError, np.linalg.LinAlgError, RetrogradError):
            continue
        if not works:
            continue
        wanted = typed(*copy.deepcopy(args))
        assert np.shape(found) == np.shape(wanted), [np.shape(a) for a in args]
        assert np.allclose(found, wanted), [np.shape(a) for a in args]
        right += 1
    assert right


@pytest.mark.parametrize("name", LONGEST)
def test_the_text_is_short(name: str) -> None:
    fn = next(fn for fn in FUNCTIONS if fn.__name__ == name)
    text = text_of(fn)
    body = text.partition("import runtime as rt")[2]
    lines = [
        line for line in body.splitlines() if line.strip() and not line.strip().startswith("#")
    ]
    assert len(lines) <= LONGEST[name], text


def test_the_ranks_that_the_function_decides_are_checked_at_the_entrance() -> None:
    assert guard_of(kalman) == ["floating of rank at most 2", "sequence of real of rank at most 1"]
    assert guard_of(epidemic) == ["sequence of floating of rank 0", "sequence of real of rank 0"]
    assert guard_of(logistic) == ["floating of rank 1", "real", "real", "real of rank 0"]
    assert guard_of(distances) == ["floating of rank 2", "real of rank 2"]
    assert guard_of(stretched) == ["floating", "real"]
    assert guard_of(sides) == ["floating", "real of rank 0"]


def guard_of(fn: Any) -> list[str]:
    return re.findall(r'"([^"]+)"', text_of(fn).partition("@rt.expects(")[2].partition(")\ndef")[0])


def test_what_is_gone_over_may_be_a_list() -> None:
    made = loaded(text_of(epidemic), "epidemic_grad")
    theta, seen = np.array([0.5, 0.2]), np.array([0.02, 0.03, 0.05])
    wanted = rg.grad(epidemic)(theta, seen)
    assert np.allclose(made(theta, [*seen]), wanted)
    assert np.allclose(made([0.5, 0.2], tuple(seen)), wanted)
    with pytest.raises(TypeError, match="--sig"):
        made(theta, [seen, seen])


def test_a_tuple_of_unlike_items_is_taken() -> None:
    def layer(p, x):
        w, b = p
        return np.sum(np.tanh(x @ w + b))

    made = loaded(text_of(layer), "layer_grad")
    rng = np.random.default_rng(0)
    p, x = (rng.normal(size=(3, 2)), rng.normal(size=2)), rng.normal(size=(4, 3))
    found, wanted = made(p, x), rg.grad(layer)(p, x)
    assert all(map(np.allclose, flatten(found)[0], flatten(wanted)[0]))
