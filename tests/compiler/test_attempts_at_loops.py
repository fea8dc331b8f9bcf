"""How often the bodies of loops in loops are lowered: a loop that is lowered again begins with what was found out of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.compiler.lowering.control_flow.loops import Loops
from retrograd.compiler.lowering.control_flow.warm_starts.remembered import Known, WarmStarts
from retrograd.compiler.lowering.program import Program
from retrograd.runtime.errors import MutationError, UnsupportedSyntax

from ..both_modes import agrees
from ..written import written


def cholesky_solve(a: Any, b: Any) -> Any:
    n = len(b)
    low = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            total = 0.0
            for k in range(j):
                total += low[i, k] * low[j, k]
            if i == j:
                low[i, j] = np.sqrt(a[i, i] - total)
            else:
                low[i, j] = (a[i, j] - total) / low[j, j]
    y = np.zeros(n)
    for i in range(n):
        acc = b[i]
        for k in range(i):
            acc -= low[i, k] * y[k]
        y[i] = acc / low[i, i]
    return np.sum(y * y)


def grid(u0: Any, v0: Any, c: Any) -> Any:
    u, v = u0.copy(), v0.copy()
    n, m = u.shape
    energy = 0.0
    peak = None
    for _step in range(3):
        new_u, new_v = np.zeros((n, m)), np.zeros((n, m))
        flux = 0.0
        for i in range(1, n - 1):
            row = 0.0
            for j in range(1, m - 1):
                lap = u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - 4 * u[i, j]
                new_v[i, j] = v[i, j] + c * lap
                new_u[i, j] = u[i, j] + 0.1 * new_v[i, j]
                row += new_u[i, j] ** 2
                if row > 0.5:
                    flux = flux + 0.01 * row
            energy = energy + row
            if peak is None or row > peak:
                peak = row
        u, v = new_u, new_v
        v, u = v * 0.99, u
    return energy + flux + peak


def edit_distance(xs: Any, ys: Any, w: Any) -> Any:
    n, m = len(xs), len(ys)
    rows = []
    best, hops = 0, 0
    previous = [0.0]
    for _j in range(m):
        previous.append(previous[-1] + w)
    for i in range(n):
        current = [previous[0] + w]
        for j in range(m):
            cost = (xs[i] - ys[j]) ** 2
            options = []
            for k in range(3):
                if k == 0:
                    options.append(previous[j] + cost)
                elif k == 1:
                    options.append(previous[j + 1] + w)
                else:
                    options.append(current[j] + w)
            low = options[0]
            for o in options:
                if o < low:
                    low = o
                    best = j
            current.append(low)
        hops += best
        rows.append(list(current))
        previous = current
    total = 0.0
    for row in rows:
        for item in row:
            total = total + item * 0.1
    return total * hops + previous[-1]


def time_steps(y0: Any, p: Any) -> Any:
    y = y0.copy()
    t, h = 0.0, 0.1
    history = []
    count = 0
    while t < 1.0:
        k = y
        err = 1.0
        tries = 0
        while err > 1e-3 and tries < 4:
            k1 = -p * y
            k2 = -p * (y + h * k1)
            k = y + 0.5 * h * (k1 + k2)
            err = np.max(np.abs(k - (y + h * k1)))
            inner = k
            r = 0
            while r < 2:
                inner = inner - 0.1 * (inner - y - h * (-p * inner))
                if np.sum(inner) > 2.0:
                    inner = inner * 0.9
                r += 1
            k = 0.5 * (k + inner)
            tries += 1
            if err > 1e-3:
                h = h * 0.7
        y = k
        t = t + h
        history.append(np.sum(y))
        count += 1
        if count > 20:
            break
    total = 0.0
    for s in history:
        total += s
    return total + np.sum(y)


def branches(x: Any, w: Any) -> Any:
    state = {"a": 0.0, "b": 1.0}
    grad_like = np.zeros(3)
    trace = np.zeros(3)
    last = 0
    label = None
    for i in range(3):
        best = -1
        for j in range(3):
            hidden = 0
            for k in range(2):
                if x[j] > 0.5:
                    if k == 0:
                        hidden = w[i] * x[j]
                    else:
                        hidden = hidden + w[k] ** 2
                    last = hidden
                elif x[j] > 0.2:
                    state["a"] = state["a"] + w[j] * x[i]
                    best = state["a"]
                else:
                    state["b"] *= 1.0 + 0.1 * x[k]
                    label = state["b"]
            grad_like[j] += hidden
            trace[i] = trace[i] + grad_like[j] * last
        if label is not None:
            trace[i] += label * best
    return np.sum(trace) + state["a"] * state["b"] + last


def particles(x0: Any, v0: Any, k: Any) -> Any:
    x, v = x0.copy(), v0.copy()
    n = len(x)
    old = x
    best, worst = None, None
    trail = []
    counts = [0, 0, 0]
    state = {"kick": 0.0, "last": x}
    t = 0.0
    while t < 0.3:
        force = np.zeros(n)
        near, far = None, 0.0
        hits = 0
        for i in range(n):
            pull, push = 0.0, 0.0
            closest = None
            for j in range(n):
                if i == j:
                    continue
                gap = x[j] - x[i]
                r = np.sqrt(gap * gap + 0.1)
                for m in range(2):
                    term = k * gap / r ** (m + 1)
                    if gap > 0:
                        pull = pull + term
                        closest = r
                    else:
                        push = push + 0.5 * term
                        counts[m] += 1
                        state["kick"] = state["kick"] + term * 0.01
                    force[i] += term
                    if r > 1.5:
                        far = far + r
                        break
                near = r if near is None else min(near, r)
                hits = hits + 1
            if closest is not None:
                worst = closest
            if best is None or pull > best:
                best = pull - push
        w = v + 0.1 * force
        y = x + 0.1 * w
        old, x = x, y
        v, w = w, v
        state["last"] = old
        trail.append(np.sum(x * v) + far)
        if near is not None and near > 10.0:
            break
        t = t + 0.1
    total = 0.0
    for s in trail:
        total = total + s
    return total + best + state["kick"] + np.sum(state["last"]) + np.sum(old) + worst


def qr_sweeps(a0: Any, shift: Any) -> Any:
    a = a0.copy()
    n = a.shape[0]
    q = np.eye(n)
    off, sign = 0.0, 1.0
    rotations = 0
    log = []
    for _sweep in range(2):
        big = 0
        work = a.copy()
        for p in range(n - 1):
            for r in range(p + 1, n):
                if abs(a[p, r]) > 1e-12:
                    theta = 0.5 * np.arctan2(2 * a[p, r], a[p, p] - a[r, r] + shift)
                    c, s = np.cos(theta), np.sin(theta)
                    rotations += 1
                    for k in range(n):
                        one, two = a[p, k], a[r, k]
                        a[p, k] = c * one + s * two
                        a[r, k] = c * two - s * one
                    for k in range(n):
                        one, two = a[k, p], a[k, r]
                        a[k, p] = c * one + s * two
                        a[k, r] = c * two - s * one
                        one, two = q[k, p], q[k, r]
                        q[k, p] = c * one + s * two
                        q[k, r] = c * two - s * one
                        work[k, p] += s * one
                    big = max(big, s)
                    last = s
                else:
                    last = 0.0
                sign = sign * 0.9 + last * 0.1
        log.append(sign)
        off = 0.0
        for p in range(n):
            for r in range(p):
                off += a[p, r] ** 2 + work[p, r] * 0.1
    return off + np.sum(q[0] * np.diag(a)) + sign + big + sum(log)


def knapsack(values: Any, weights: Any, price: Any) -> Any:
    n, m = len(values), 4
    taken = [[0.0] * 5, [0.0] * 5]
    best, where, chosen = None, 0, None
    for i in range(n):
        gain = 0
        stack = []
        for j in range(m + 1):
            value = taken[0][j]
            for k in range(3):
                if k * 1.0 <= weights[i] and j - k >= 0:
                    other = taken[0][j - k] + k * values[i] - price * k * k
                    if other > value:
                        value = other
                        gain = other - value * 0.5
                        stack.append(other)
                        chosen = other
                    while len(stack) > 2:
                        top = stack.pop()
                        gain = gain + 0.1 * top
            taken[1][j] = value
            if best is None or value > best:
                best = value
                where = j
        taken[0], taken[1] = taken[1], taken[0]
        for s in stack:
            gain = gain + s * 0.01
        if chosen is None:
            chosen = gain
    total = 0.0
    for row in taken:
        for item in row:
            total = total + item
    return total + best * where + gain + chosen


def best_of_tuples(x: Any, w: Any) -> Any:
    best = None
    total = 0.0
    for i in range(3):
        row_best = None
        for j in range(3):
            cell_best = None
            for k in range(3):
                score = x[i] * w[j] + 0.3 * k * x[j]
                if cell_best is None or score > cell_best[0]:
                    cell_best = (score, x[i] * 2, k)
                total = total + score * 0.1
            if row_best is None or cell_best[0] > row_best[0]:
                row_best = cell_best
        if best is None or row_best[0] > best[0]:
            best = row_best
        total = total + row_best[1]
    return best[0] * best[1] + total + best[2]


def bound_inside(x: Any, w: Any) -> Any:
    out, last = 0.0, x[2]
    for i in range(3):
        for j in range(2):
            for k in range(3):
                if k > 0:
                    pair = [x[i] * w[j], last]
                    rows = {"a": pair[0], "b": [pair[1]]}
                last = w[j] * k
                found = (last, x[j])
            out = out + rows["a"] * rows["b"][0] + found[1]
        out = out * found[0] + pair[0]
    return out


def left_early(x: Any, w: Any) -> Any:
    stack = [(0, 1.0)]
    res = np.zeros(3)
    steps = 0
    while stack:
        at, val = stack.pop()
        for j in range(at + 1, 3):
            nxt = val * x[j]
            for k in range(3):
                if nxt > 10.0:
                    return np.sum(res) * nxt
                if k == j:
                    continue
                nxt = nxt + 0.1 * w[k]
                res[k] += nxt
                if res[k] > 5:
                    break
            else:
                stack.append((j, nxt))
            steps += 1
        if steps > 50:
            break
    return np.sum(res**2)


def in_helpers(x: Any, w: Any) -> Any:
    def relax(v: Any, n: int) -> Any:
        for _ in range(n):
            acc = 0.0
            for m in range(len(v)):
                acc = acc + v[m]
                v[m] = v[m] * 0.9 + 0.1 * acc
        return acc

    total = 0.0
    state = [0.0, 1.0]
    for i in range(2):
        v = x * (i + 1)
        for j in range(2):
            for k in range(2):
                t = relax(v, 2) + relax(w.copy(), 1) * j
                if t > 1.0:
                    state[0] += t
                else:
                    state[1] = state[1] * t
                pieces = [z * t for z in v]
                total = total + sum(pieces) + state[1] * k
    return total + state[0] * state[1]


X, W = np.array([0.6, 0.3, 0.8]), np.array([0.4, 0.9, 1.3])
A = np.diag([4.0, 5.0, 6.0, 7.0]) + np.linspace(0.1, 0.6, 16).reshape(4, 4)
PROGRAMS: dict[Callable[..., Any], tuple[Any, ...]] = {
    cholesky_solve: (A + A.T, np.array([1.0, 2.0, 3.0, 4.0])),
    grid: (np.linspace(0, 1, 20).reshape(4, 5) ** 2, np.ones((4, 5)), 0.3),
    edit_distance: (np.array([1.0, 2.0, 3.5]), np.array([1.1, 2.3, 2.9, 4.0]), 0.7),
    time_steps: (np.array([1.0, 0.5, 0.25]), 0.8),
    branches: (X, W),
    particles: (np.array([0.0, 0.7, 1.9]), np.array([0.1, 0.0, -0.2]), 0.8),
    qr_sweeps: (A + A.T, 0.3),
    knapsack: (np.array([1.0, 2.0, 1.5]), np.array([1.0, 2.0, 1.0]), 0.2),
    best_of_tuples: (X, W),
    bound_inside: (X, W),
    left_early: (X, W),
    in_helpers: (X, W),
}
MANY = {
    particles: 5,
    knapsack: 9,
    best_of_tuples: 2,
    bound_inside: 1.5,
    left_early: 2,
}  # times as many, cold
programs = pytest.mark.parametrize("f", PROGRAMS)
quick = pytest.mark.parametrize(
    "f", [f for f in PROGRAMS if f not in (particles, knapsack, in_helpers)]
)


class Counted:
    """The attempts at loops, and how often a function is lowered as a whole."""

    def __init__(self) -> None:
        self.attempts = self.wholes = 0

    def of(self, make: Callable[[], Any]) -> tuple[Any, float]:
        """What is made, and the attempts that one lowering takes."""
        self.attempts = self.wholes = 0
        return make(), self.attempts / self.wholes


@pytest.fixture
def attempts(monkeypatch: pytest.MonkeyPatch) -> Counted:
    counted, attempt, lower = Counted(), Loops.attempt, Program.lower_root

    def one(self: Loops, *given: Any) -> Any:
        counted.attempts += 1
        return attempt(self, *given)

    def whole(self: Program, *given: Any) -> Any:
        counted.wholes += 1
        return lower(self, *given)

    monkeypatch.setattr(Loops, "attempt", one)
    monkeypatch.setattr(Program, "lower_root", whole)
    return counted


def text_of(f: Callable[..., Any]) -> str:
    return rg.differentiate(strict=True)(f).source("grad", *PROGRAMS[f])


@contextmanager
def cold() -> Iterator[None]:
    """All loops begin as if it were the first time."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Known, "is_empty", lambda self: True)
        yield


@programs
def test_few_attempts(f: Callable[..., Any], attempts: Counted) -> None:
    text, few = attempts.of(lambda: text_of(f))
    with cold():
        same, many = attempts.of(lambda: text_of(f))
    assert text == same
    assert few <= 100
    assert few * MANY.get(f, 1) < many


@programs
def test_gradients(f: Callable[..., Any]) -> None:
    agrees(f, *PROGRAMS[f])


@quick
def test_what_is_refused_begins_cold(
    f: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuses(self: Known, draft: Any, sizes: str) -> None:
        raise UnsupportedSyntax("this began with too much")

    text = text_of(f)
    monkeypatch.setattr(Known, "begin", refuses)
    assert text_of(f) == text


@quick
def test_too_wide_a_beginning_is_right(
    f: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """All that a loop carries is thought to share memory: it is refused, and begins cold, or is right."""
    begin = Known.begin

    def widely(self: Known, draft: Any, sizes: str) -> None:
        begin(self, draft, sizes)
        carried = [(name, 0) for name in draft.plan.carried]
        draft.plan.shared.pairs |= {frozenset((a, b)) for a in carried for b in carried if a != b}

    monkeypatch.setattr(Known, "begin", widely)
    agrees(f, *PROGRAMS[f])


@quick
def test_another_loops_beginning_is_right(
    f: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever a loop begins with: its attempts find out whether it is so."""
    any_loop = Known()
    monkeypatch.setattr(Known, "inner_loop", lambda self, key: any_loop)
    agrees(f, *PROGRAMS[f])


def deep(n: int) -> str:
    """Loops, one in the other, the innermost of which changes all that those around it have made."""
    lines = ["def f(x, w):", "    s = 0"]
    for k in range(n):
        p = "    " * (k + 1)
        lines += [f"{p}v{k} = None", f"{p}a{k} = np.zeros(3)", f"{p}r{k} = [0.0]"]
        lines += [f"{p}d{k} = {{'n': 0, 'm': [1.0, 2.0]}}", f"{p}for i{k} in range(2):"]
    p = "    " * (n + 1)
    lines += [f"{p}s = s + x[i{n - 1}] * w[i0]"]
    for k in range(n):
        lines += [f"{p}v{k} = s * 0.5 if v{k} is None else v{k} + s", f"{p}a{k}[i{k}] += v{k}"]
        lines += [
            f"{p}r{k}.append(r{k}[-1] * 0.5 + v{k} * x[0])",
            f"{p}d{k}['n'] = d{k}['n'] + v{k}",
        ]
        lines += [f"{p}d{k}['m'][0], d{k}['m'][1] = d{k}['m'][1], d{k}['m'][0] * 0.9"]
    for k in reversed(range(n)):
        p = "    " * (k + 1)
        lines += [f"{p}s = s + 0.1 * sum(r{k}) + a{k}[1] + d{k}['n'] * d{k}['m'][0]"]
    return "\n".join([*lines, "    return s", ""])


def test_attempts_do_not_multiply_with_depth(attempts: Counted) -> None:
    """Four deep they were three thousand."""
    counts = []
    for n in (1, 2, 3, 4):
        f = rg.differentiate(strict=True)(written(deep(n)))
        counts.append(attempts.of(lambda: f.source("grad", X, W))[1])  # noqa: B023
    assert counts[3] <= 100, counts


@pytest.mark.parametrize("n", [2, 3])
def test_depth_changes_no_text(n: int) -> None:
    f = written(deep(n))
    agrees(f, X, W)
    text = rg.differentiate(strict=True)(f).source("grad", X, W)
    with cold():
        assert rg.differentiate(strict=True)(f).source("grad", X, W) == text


def test_a_refusal_says_what_it_said(attempts: Counted) -> None:
    """A program that is refused late is refused for the same, in not much more time."""
    text = """
def f(x, w):
    def relax(v, n):
        for _ in range(n):
            acc = 0.0
            for m in range(len(v)):
                acc = acc + v[m]
                v[m] = v[m] * 0.9 + 0.1 * acc
        return acc

    total = 0.0
    state, kept = [0.0, 1.0], [1.0, 2.0]
    for i in range(2):
        v = x * (i + 1)
        for j in range(2):
            for k in range(2):
                t = relax(v, 2) + relax(w, 1)
                chosen = state if t > 1.0 else kept
                chosen[0] += t
                pieces = [z * t for z in v]
                total = total + sum(pieces) + state[1]
    return total + state[0] * kept[0]
"""

    def error() -> str:
        with pytest.raises(MutationError) as found:
            rg.differentiate(strict=True)(written(text)).source("grad", X, W)
        return str(found.value)

    warm, few = attempts.of(error)
    with cold():
        same, many = attempts.of(error)
    assert warm == same
    assert few < 3 * many


def test_nothing_is_known_of_a_loop_at_first() -> None:
    warm = WarmStarts()
    with warm.loop("outer") as outer:
        assert outer.is_empty()
        for _ in range(2):
            warm.attempt()
            with warm.loop("inner") as first:
                assert first is outer.inner["inner", 1]
            with warm.loop("inner") as second:
                assert second is outer.inner["inner", 2]
