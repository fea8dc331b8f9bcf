"""A long short-term memory, one sequence at a time: products of a vector and a matrix, in a loop."""
# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.problem import Problem, over, peer, sized


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def loss(w, u, b, v, x, y):
    n = len(v)
    h = np.zeros(n)
    c = np.zeros(n)
    total = 0.0
    for t in range(len(x)):
        z = x[t] @ w + h @ u + b
        c = sigmoid(z[:n]) * c + sigmoid(z[n : 2 * n]) * np.tanh(z[2 * n : 3 * n])
        h = sigmoid(z[3 * n :]) * np.tanh(c)
        e = h @ v - y[t]
        total = total + e * e
    return total


def arguments(seed: int, steps: int, n: int) -> tuple[Any, ...]:
    rng = np.random.default_rng(seed)
    w, u = (rng.normal(size=(n, 4 * n)) / n**0.5 for _ in range(2))
    b, v = 0.1 * rng.normal(size=4 * n), rng.normal(size=n) / n**0.5
    return w, u, b, v, rng.normal(size=(steps, n)), rng.normal(size=steps)


def hand_written(w: Any, u: Any, b: Any, v: Any, x: Any, y: Any) -> tuple[Any, tuple[Any, ...]]:
    n = len(v)
    h, c = np.zeros(n), np.zeros(n)
    total = 0.0
    tape = []
    for t in range(len(x)):
        z = x[t] @ w + h @ u + b
        f = 1 / (1 + np.exp(-z[:n]))
        i = 1 / (1 + np.exp(-z[n : 2 * n]))
        g = np.tanh(z[2 * n : 3 * n])
        o = 1 / (1 + np.exp(-z[3 * n :]))
        before, kept = h, c
        c = f * c + i * g
        s = np.tanh(c)
        h = o * s
        e = h @ v - y[t]
        total += e * e
        tape.append((before, kept, f, i, g, o, s, h, e))
    w_bar, u_bar, b_bar = np.zeros(w.shape), np.zeros(u.shape), np.zeros(b.shape)
    v_bar = np.zeros(n)
    h_bar, c_bar = np.zeros(n), np.zeros(n)
    for t in range(len(x) - 1, -1, -1):
        before, kept, f, i, g, o, s, h, e = tape[t]
        e_bar = 2 * e
        v_bar += e_bar * h
        h_bar = h_bar + e_bar * v
        c_bar = c_bar + h_bar * o * (1 - s * s)
        z_bar = np.empty(4 * n)
        z_bar[:n] = c_bar * kept * f * (1 - f)
        z_bar[n : 2 * n] = c_bar * g * i * (1 - i)
        z_bar[2 * n : 3 * n] = c_bar * i * (1 - g * g)
        z_bar[3 * n :] = h_bar * s * o * (1 - o)
        c_bar = c_bar * f
        b_bar += z_bar
        w_bar += x[t][:, None] * z_bar
        u_bar += before[:, None] * z_bar
        h_bar = u @ z_bar
    return total, (w_bar, u_bar, b_bar, v_bar)


def hand_tuned(w: Any, u: Any, b: Any, v: Any, x: Any, y: Any) -> tuple[Any, tuple[Any, ...]]:
    """One exponential for the three gates, the products of all steps at once, states in arrays."""
    n, steps = len(v), len(x)
    w, u, b = (gates_together(a, n) for a in (w, u, b))
    zs = x @ w + b
    hs, cs, ss = np.zeros((steps + 1, n)), np.zeros((steps + 1, n)), np.empty((steps, n))
    for t in range(steps):
        z = zs[t]
        z += hs[t].dot(u)
        a = z[: 3 * n]
        np.negative(a, a)
        np.exp(a, a)
        a += 1
        np.divide(1, a, a)
        g = z[3 * n :]
        np.tanh(g, g)
        c = np.multiply(a[:n], cs[t], cs[t + 1])
        c += a[n : 2 * n] * g
        np.multiply(a[2 * n :], np.tanh(c, ss[t]), hs[t + 1])
    e = hs[1:] @ v - y
    h_bars = (2 * e)[:, None] * v
    slope = zs * zs
    slope[:, : 3 * n] = zs[:, : 3 * n] - slope[:, : 3 * n]
    np.subtract(1, slope[:, 3 * n :], slope[:, 3 * n :])
    z_bars = slope
    z_bars[:, :n] *= cs[:-1]
    z_bars[:, n : 2 * n] *= zs[:, 3 * n :]
    z_bars[:, 2 * n : 3 * n] *= ss
    z_bars[:, 3 * n :] *= zs[:, n : 2 * n]
    through = zs[:, 2 * n : 3 * n] * (1 - ss * ss)
    c_bar = np.zeros(n)
    transposed = np.ascontiguousarray(u.T)
    h_bar = h_bars[-1]
    for t in range(steps - 1, -1, -1):
        c_bar += h_bar * through[t]
        z_bar = z_bars[t]
        z_bar[: 2 * n].reshape(2, n)[:] *= c_bar
        z_bar[2 * n : 3 * n] *= h_bar
        z_bar[3 * n :] *= c_bar
        c_bar *= zs[t, :n]
        if t:
            h_bar = h_bars[t - 1]
            h_bar += z_bar.dot(transposed)
    bars = x.T @ z_bars, hs[:-1].T @ z_bars, np.add.reduce(z_bars)
    return e.dot(e), (*(gates_apart(a, n) for a in bars), 2 * (e @ hs[1:]))


def gates_together(a: Any, n: int) -> Any:
    return np.concatenate([a[..., : 2 * n], a[..., 3 * n :], a[..., 2 * n : 3 * n]], axis=-1)


gates_apart = gates_together  # an exchange is its own inverse


def in_autograd() -> Any:
    numpy = peer("autograd.numpy")
    return over(numpy, loss, sigmoid=over(numpy, sigmoid))


def in_jax() -> Any:
    """Idiomatic: the loop is a scan, a step as it is written."""
    lax, numpy, nn = peer("jax.lax"), peer("jax.numpy"), peer("jax.nn")

    def scanned(w: Any, u: Any, b: Any, v: Any, x: Any, y: Any) -> Any:
        n = len(v)

        def step(state: Any, given: Any) -> Any:
            h, c, total = state
            x, y = given
            z = x @ w + h @ u + b
            c = nn.sigmoid(z[:n]) * c + nn.sigmoid(z[n : 2 * n]) * numpy.tanh(z[2 * n : 3 * n])
            h = nn.sigmoid(z[3 * n :]) * numpy.tanh(c)
            e = h @ v - y
            return (h, c, total + e * e), None

        zero = numpy.zeros(n)
        (_, _, total), _ = lax.scan(step, (zero, zero, 0.0), (x, y))
        return total

    return scanned


def jax_expert() -> Any:
    """The products with the inputs, and the errors, outside the scan."""
    lax, numpy, nn = peer("jax.lax"), peer("jax.numpy"), peer("jax.nn")

    def hoisted(w: Any, u: Any, b: Any, v: Any, x: Any, y: Any) -> Any:
        n = len(v)

        def step(state: Any, z: Any) -> Any:
            h, c = state
            z = z + h @ u
            c = nn.sigmoid(z[:n]) * c + nn.sigmoid(z[n : 2 * n]) * numpy.tanh(z[2 * n : 3 * n])
            h = nn.sigmoid(z[3 * n :]) * numpy.tanh(c)
            return (h, c), h

        zero = numpy.zeros(n)
        _, hs = lax.scan(step, (zero, zero), x @ w + b)
        e = hs @ v - y
        return e @ e

    return hoisted


def in_torch() -> Any:
    torch = peer("torch")

    def unrolled(w: Any, u: Any, b: Any, v: Any, x: Any, y: Any) -> Any:
        n = len(v)
        h, c = torch.zeros(n, dtype=w.dtype), torch.zeros(n, dtype=w.dtype)
        total: Any = 0.0
        for xt, yt in zip(x, y, strict=True):
            f, i, g, o = (xt @ w + h @ u + b).split(n)
            c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
            h = torch.sigmoid(o) * torch.tanh(c)
            e = h @ v - yt
            total = total + e * e
        return total

    return unrolled


PROBLEMS = sized(
    Problem(
        name="lstm",
        function=loss,
        wrt=(0, 1, 2, 3),
        arguments=arguments,
        hand_written=hand_written,
        hand_tuned=hand_tuned,
        in_autograd=in_autograd,
        in_jax=in_jax,
        in_torch=in_torch,
        jax_expert=jax_expert,
        serial=True,
    ),
    tiny=(3, 2),
    small=(20, 8),
    medium=(100, 32),
    large=(100, 128),
)
