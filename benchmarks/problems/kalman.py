"""The likelihood of a Kalman filter: small matrices in a loop, a system solved in every step."""
# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.problem import Problem, over, peer, sized


def loss(f, q, r, h, y):
    n = len(f)
    m = np.zeros(n)
    p = np.eye(n)
    total = 0.0
    for t in range(len(y)):
        m = f @ m
        p = f @ p @ f.T + q
        e = y[t] - h @ m
        hp = h @ p
        s = hp @ h.T + r
        total = total + e @ np.linalg.solve(s, e) + np.linalg.slogdet(s)[1]
        gain = np.linalg.solve(s, hp)
        m = m + gain.T @ e
        p = p - gain.T @ hp
    return total


def arguments(seed: int, steps: int, n: int, k: int) -> tuple[Any, ...]:
    rng = np.random.default_rng(seed)
    f = 0.9 * np.linalg.qr(rng.normal(size=(n, n)))[0]
    a, b = 0.1 * rng.normal(size=(n, n)), 0.1 * rng.normal(size=(k, k))
    q, r = a @ a.T + 0.1 * np.eye(n), b @ b.T + 0.5 * np.eye(k)
    return f, q, r, rng.normal(size=(k, n)), rng.normal(size=(steps, k))


def hand_written(f: Any, q: Any, r: Any, h: Any, y: Any) -> tuple[Any, tuple[Any, ...]]:
    solve, inv = np.linalg.solve, np.linalg.inv
    n = len(f)
    m, p = np.zeros(n), np.eye(n)
    total = 0.0
    tape = []
    for t in range(len(y)):
        kept = m, p
        m = f @ m
        fp = f @ p
        p = fp @ f.T + q
        e = y[t] - h @ m
        hp = h @ p
        s = hp @ h.T + r
        w = solve(s, e)
        total = total + e @ w + np.linalg.slogdet(s)[1]
        gain = solve(s, hp)
        tape.append((*kept, fp, e, hp, s, w, gain))
        m = m + gain.T @ e
        p = p - gain.T @ hp
    f_bar, q_bar, r_bar = np.zeros(f.shape), np.zeros(q.shape), np.zeros(r.shape)
    m_bar, p_bar = np.zeros(n), np.zeros((n, n))
    for m, p, fp, e, hp, s, w, gain in reversed(tape):
        gain_bar = e[:, None] * m_bar - hp @ p_bar.T
        e_bar = gain @ m_bar + w
        hp_bar = solve(s.T, gain_bar)
        w_pull = solve(s.T, e)
        s_bar = inv(s).T - hp_bar @ gain.T - w_pull[:, None] * w
        hp_bar = hp_bar - gain @ p_bar + s_bar @ h
        e_bar = e_bar + w_pull
        r_bar += s_bar
        p_bar = p_bar + h.T @ hp_bar
        m_bar = m_bar - h.T @ e_bar
        q_bar += p_bar
        fp_bar = p_bar @ f
        f_bar += p_bar.T @ fp
        f_bar += fp_bar @ p.T
        f_bar += m_bar[:, None] * m
        p_bar = f.T @ fp_bar
        m_bar = f.T @ m_bar
    return total, (f_bar, q_bar, r_bar)


def hand_tuned(f: Any, q: Any, r: Any, h: Any, y: Any) -> tuple[Any, tuple[Any, ...]]:
    """One inverse a step; the covariances are symmetric."""
    n = len(f)
    m, p = np.zeros(n), np.eye(n)
    total = 0.0
    tape = []
    ft, ht = np.ascontiguousarray(f.T), np.ascontiguousarray(h.T)
    for row in y:
        kept = m, p
        m = f.dot(m)
        fp = f.dot(p)
        p = fp.dot(ft)
        p += q
        e = row - h.dot(m)
        hp = h.dot(p)
        s = hp.dot(ht)
        s += r
        s_inv = np.linalg.inv(s)
        w = s_inv.dot(e)
        total += e.dot(w) + np.linalg.slogdet(s)[1]
        gain = s_inv.dot(hp)
        tape.append((*kept, fp, e, hp, s_inv, w, gain))
        m += gain.T.dot(e)
        p -= gain.T.dot(hp)
    f_bar, q_bar, r_bar = np.zeros(f.shape), np.zeros(q.shape), np.zeros(r.shape)
    m_bar, p_bar = np.zeros(n), np.zeros((n, n))
    for m, p, fp, e, hp, s_inv, w, gain in reversed(tape):
        gain_bar = e[:, None] * m_bar
        gain_bar -= hp.dot(p_bar.T)
        e_bar = gain.dot(m_bar)
        e_bar += w
        e_bar += w
        hp_bar = s_inv.dot(gain_bar)
        s_bar = s_inv - w[:, None] * w
        s_bar -= hp_bar.dot(gain.T)
        r_bar += s_bar
        hp_bar -= gain.dot(p_bar)
        hp_bar += s_bar.dot(h)
        p_bar += ht.dot(hp_bar)
        m_bar = m_bar - ht.dot(e_bar)
        q_bar += p_bar
        fp_bar = p_bar.dot(f)
        f_bar += p_bar.T.dot(fp)
        f_bar += fp_bar.dot(p.T)
        f_bar += m_bar[:, None] * m
        p_bar = ft.dot(fp_bar)
        m_bar = ft.dot(m_bar)
    return total, (f_bar, q_bar, r_bar)


def in_autograd() -> Any:
    return over(peer("autograd.numpy"), loss)


def in_jax() -> Any:
    """Idiomatic: the loop is a scan."""
    lax, numpy = peer("jax.lax"), peer("jax.numpy")

    def scanned(f: Any, q: Any, r: Any, h: Any, y: Any) -> Any:
        def step(state: Any, y: Any) -> Any:
            m, p, total = state
            m = f @ m
            p = f @ p @ f.T + q
            e = y - h @ m
            hp = h @ p
            s = hp @ h.T + r
            total = total + e @ numpy.linalg.solve(s, e) + numpy.linalg.slogdet(s)[1]
            gain = numpy.linalg.solve(s, hp)
            return (m + gain.T @ e, p - gain.T @ hp, total), None

        n = len(f)
        (_, _, total), _ = lax.scan(step, (numpy.zeros(n), numpy.eye(n), 0.0), y)
        return total

    return scanned


def in_torch() -> Any:
    torch = peer("torch")

    def unrolled(f: Any, q: Any, r: Any, h: Any, y: Any) -> Any:
        n = len(f)
        m, p = torch.zeros(n, dtype=f.dtype), torch.eye(n, dtype=f.dtype)
        total: Any = 0.0
        for row in y:
            m = f @ m
            p = f @ p @ f.T + q
            e = row - h @ m
            hp = h @ p
            s = hp @ h.T + r
            total = total + e @ torch.linalg.solve(s, e) + torch.linalg.slogdet(s)[1]
            gain = torch.linalg.solve(s, hp)
            m = m + gain.T @ e
            p = p - gain.T @ hp
        return total

    return unrolled


PROBLEMS = sized(
    Problem(
        name="kalman",
        function=loss,
        wrt=(0, 1, 2),
        arguments=arguments,
        hand_written=hand_written,
        hand_tuned=hand_tuned,
        in_autograd=in_autograd,
        in_jax=in_jax,
        in_torch=in_torch,
        serial=True,
    ),
    tiny=(3, 2, 1),
    small=(20, 4, 2),
    medium=(100, 8, 4),
    large=(300, 32, 16),
)
