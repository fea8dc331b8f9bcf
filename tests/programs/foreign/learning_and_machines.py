"""Programs of others: learning, statistics, nerves, robots, elements, layers, climate."""

import functools
from dataclasses import dataclass

import numpy as np
from scipy import linalg, sparse, special
from scipy.spatial.transform import Rotation

rng = np.random.default_rng(7)
A_ = rng.normal
A_ = rng.normal


class Layer:
    def __init__(self, w, b):
        self.w, self.b = w, b

    def __call__(self, h):
        return np.tanh(h @ self.w + self.b)


class Sequential:
    def __init__(self, *layers):
        self.layers = layers

    def __call__(self, h):
        for l in self.layers:
            h = l(h)
        return h


def mlp(params, X, y):
    net = Sequential(*[Layer(p["w"], p["b"]) for p in params])
    return np.mean((net(X)[:, 0] - y) ** 2)


def mlp_flat(x, X, y):
    sizes = [2, 3, 1]
    params = []
    i = 0
    for m, n in zip(sizes[:-1], sizes[1:]):
        params.append({"w": x[i : i + m * n].reshape(m, n), "b": x[i + m * n : i + m * n + n]})
        i += m * n + n
    return mlp(params, X, y)


@dataclass
class Particle:
    pos: np.ndarray
    vel: np.ndarray
    mass: float = 1.0

    def kinetic(self):
        return 0.5 * self.mass * self.vel @ self.vel


def nbody(x, n=3, steps=4):
    ps = [Particle(x[2 * i : 2 * i + 2], np.zeros(2), 1.0 + i) for i in range(n)]
    for _ in range(steps):
        for i, a in enumerate(ps):
            acc = np.zeros(2)
            for j, b in enumerate(ps):
                if i != j:
                    d = b.pos - a.pos
                    acc += b.mass * d / (d @ d + 0.1) ** 1.5
            a.vel = a.vel + 0.1 * acc
        for p in ps:
            p.pos = p.pos + 0.1 * p.vel
    return sum(p.kinetic() for p in ps)


def gmm_em(x, K=2, iters=4):
    mu = np.array([x.min(), x.max()])
    s = np.ones(K)
    pi = np.full(K, 1 / K)
    ll = []
    for it in range(iters):
        logp = -0.5 * ((x[:, None] - mu) / s) ** 2 - np.log(s) + np.log(pi)
        z = special.logsumexp(logp, axis=1, keepdims=True)
        r = np.exp(logp - z)
        Nk = r.sum(0)
        mu = (r * x[:, None]).sum(0) / Nk
        s = np.sqrt((r * (x[:, None] - mu) ** 2).sum(0) / Nk + 1e-6)
        pi = Nk / len(x)
        ll.append(z.sum())
        if it > 0 and abs(ll[-1] - ll[-2]) < 1e-12:
            break
    return ll[-1]


def hmm_fb(x, obs):
    n = 2
    A = np.exp(x[:4].reshape(2, 2))
    A /= A.sum(1, keepdims=True)
    B = np.exp(x[4:10].reshape(2, 3))
    B /= B.sum(axis=1)[:, None]
    alpha = np.zeros((len(obs), n))
    beta = np.ones_like(alpha)
    c = np.zeros(len(obs))
    for t, o in enumerate(obs):
        alpha[t] = (np.full(n, 0.5) if t == 0 else alpha[t - 1] @ A) * B[:, o]
        c[t] = alpha[t].sum()
        alpha[t] /= c[t]
    for t in reversed(range(len(obs) - 1)):
        beta[t] = A @ (B[:, obs[t + 1]] * beta[t + 1]) / c[t + 1]
    gamma = alpha * beta
    return np.log(c).sum() + np.sum(gamma[:, 0] ** 2)


def crf(x, tags):
    E = x[:9].reshape(3, 3)
    T = x[9:18].reshape(3, 3)
    score = E[0, tags[0]] + sum(
        T[a, b] + E[i + 1, b] for i, (a, b) in enumerate(zip(tags, tags[1:]))
    )
    f = functools.reduce(lambda a, e: special.logsumexp(a[:, None] + T, axis=0) + e, E[1:], E[0])
    return special.logsumexp(f) - score


def cox(b, X, time, event, ties="efron"):
    eta = X @ b
    r = np.exp(eta)
    ll = 0.0
    for t in np.unique(time[event == 1]):
        at_risk = time >= t
        d = (time == t) & (event == 1)
        m = d.sum()
        ll += eta[d].sum()
        if ties == "breslow":
            ll -= m * np.log(r[at_risk].sum())
        else:
            for l in range(m):
                ll -= np.log(r[at_risk].sum() - l / m * r[d].sum())
    return -ll


def kriging(x, pts, z):
    sill, rng_, nug = np.exp(x)
    h = np.linalg.norm(pts[:, None] - pts[None], axis=-1)

    def cov(h):
        return np.where(h == 0, sill + nug, sill * np.exp(-h / rng_))

    C = cov(h)
    n = len(z)
    K = np.block([[C, np.ones((n, 1))], [np.ones((1, n)), np.zeros((1, 1))]])
    k0 = np.r_[cov(np.linalg.norm(pts - 0.5, axis=1)), 1.0]
    lam = np.linalg.solve(K, k0)
    return lam[:n] @ z + (sill + nug - lam @ k0)


def mixed(x, y, X, groups):
    beta, s2, t2 = x[:2], np.exp(x[2]), np.exp(x[3])
    ll = 0.0
    for g in set(groups):
        idx = [i for i, gi in enumerate(groups) if gi == g]
        V = s2 * np.eye(len(idx)) + t2
        r = y[idx] - X[idx] @ beta
        L = np.linalg.cholesky(V)
        a = linalg.solve_triangular(L, r, lower=True)
        ll += -np.log(np.diag(L)).sum() - 0.5 * a @ a
    return ll


def hh(x, T=40, dt=0.05):
    gNa, gK, gL, I = x
    V, m, h, n = -65.0, 0.05, 0.6, 0.32
    spikes = []
    trace = []
    rates = {
        "m": (
            lambda v: 0.1 * (v + 40) / (1 - np.exp(-(v + 40) / 10)),
            lambda v: 4 * np.exp(-(v + 65) / 18),
        ),
        "h": (lambda v: 0.07 * np.exp(-(v + 65) / 20), lambda v: 1 / (1 + np.exp(-(v + 35) / 10))),
        "n": (
            lambda v: 0.01 * (v + 55) / (1 - np.exp(-(v + 55) / 10)),
            lambda v: 0.125 * np.exp(-(v + 65) / 80),
        ),
    }
    state = dict(m=m, h=h, n=n)
    for k in range(T):
        ion = (
            gNa * state["m"] ** 3 * state["h"] * (V - 50)
            + gK * state["n"] ** 4 * (V + 77)
            + gL * (V + 54.4)
        )
        Vn = V + dt * (I - ion)
        for g, (a, b) in rates.items():
            state[g] += dt * (a(V) * (1 - state[g]) - b(V) * state[g])
        if V < 0 <= Vn:
            spikes.append(k)
        V = Vn
        trace.append(V)
    return np.mean(np.array(trace) ** 2) / 100 + len(spikes)


def dh_chain(q, links=((0.0, 0.3, 0.2), (np.pi / 2, 0.0, 0.4), (-np.pi / 2, 0.1, 0.3))):
    T = np.eye(4)
    for th, (al, d, a) in zip(q, links):
        c, s, ca, sa = np.cos(th), np.sin(th), np.cos(al), np.sin(al)
        T = T @ np.array(
            [[c, -s * ca, s * sa, a * c], [s, c * ca, -c * sa, a * s], [0, sa, ca, d], [0, 0, 0, 1]]
        )
    return np.sum(T[:3, 3] ** 2) + Rotation.from_matrix(T[:3, :3]).magnitude()


def fem_bar(x, n=4):
    E, A = x[0], x[1 : 1 + n]
    K = np.zeros((n + 1, n + 1))
    for e in range(n):
        dof = [e, e + 1]
        K[np.ix_(dof, dof)] += E * A[e] * n * np.array([[1, -1], [-1, 1]])
    free = np.setdiff1d(np.arange(n + 1), [0])
    f = np.zeros(n + 1)
    f[-1] = 1.0
    u = np.zeros(n + 1)
    u[free] = np.linalg.solve(K[np.ix_(free, free)], f[free])
    return f @ u


def fem_sparse(x, n=4):
    rows, cols, vals = [], [], []
    for e in range(n):
        for i in range(2):
            for j in range(2):
                rows.append(e + i)
                cols.append(e + j)
                vals.append(x[e] * (1 if i == j else -1))
    K = sparse.coo_matrix((vals, (rows, cols)), shape=(n + 1, n + 1)).tocsr()
    u = sparse.linalg.spsolve(K[1:, 1:], np.ones(n))
    return u.sum()


def newton_arc(x):
    u = np.zeros(2)
    for it in range(30):
        r = np.array([u[0] ** 3 + x[0] * u[0] + u[1] - x[1], u[0] - u[1] ** 3 + x[2]])
        J = np.array([[3 * u[0] ** 2 + x[0], 1.0], [1.0, -3 * u[1] ** 2 - 1e-8]])
        du = np.linalg.solve(J, -r)
        u = u + du
        if np.linalg.norm(du) < 1e-12:
            break
    else:
        raise RuntimeError(f"no convergence after {it + 1} iterations")
    return u @ u


def tmm(x, lam=0.55):
    n = [1.0, *x[:3], 1.5]
    d = [0, 0.1, x[3], 0.08, 0]
    th = [0.2 + 0j]
    for k in range(1, 5):
        th.append(np.arcsin(n[0] * np.sin(th[0]) / n[k]))
    M = np.eye(2, dtype=complex)
    for k in range(1, 4):
        delta = 2 * np.pi * n[k] * d[k] * np.cos(th[k]) / lam
        eta = n[k] * np.cos(th[k])
        M = M @ np.array(
            [[np.cos(delta), 1j * np.sin(delta) / eta], [1j * eta * np.sin(delta), np.cos(delta)]]
        )
    B, C = M @ np.array([1, n[-1] * np.cos(th[-1])])
    e0 = n[0] * np.cos(th[0])
    return np.abs((e0 * B - C) / (e0 * B + C)) ** 2


def ray_trace(x, layers=6):
    p = x[0]
    v = x[1] + x[2] * np.arange(layers)
    T = X = 0.0
    for vi in v:
        if p * vi >= 1:
            break
        c = np.sqrt(1 - (p * vi) ** 2)
        X += p * vi / c
        T += 1 / (vi * c)
    return T - p * X


def ebm(x, n=12):
    lat = np.sin(np.linspace(-1.5, 1.5, n))
    S = 340 * (1 - 0.48 * 0.5 * (3 * lat**2 - 1))
    T = 15 * np.ones(n)
    for _ in range(10):
        alb = np.where(T < -2, x[0], 0.3)
        flux = x[1] * (1 - lat[:-1] ** 2) * np.diff(T) / np.diff(lat)
        div = np.zeros(n)
        div[:-1] += flux
        div[1:] -= flux
        T = T + 0.05 * (S * (1 - alb) - (x[2] + 2.1 * T) + div)
    return np.average(T, weights=np.cos(np.arcsin(lat)))


CASES = {
    "mlp": (mlp_flat, (A_(size=13), A_(size=(4, 2)), A_(size=4))),
    "nbody": (nbody, (A_(size=6),)),
    "gmm": (gmm_em, (np.array([-1.0, -0.8, -1.3, 1.0, 1.4, 0.7]),)),
    "hmm": (hmm_fb, (A_(size=10), [0, 2, 1, 1, 0])),
    "crf": (crf, (A_(size=18), [0, 2, 1])),
    "cox": (
        cox,
        (
            np.array([0.3, -0.2]),
            A_(size=(7, 2)),
            np.array([1.0, 2, 2, 3, 4, 4, 5]),
            np.array([1, 1, 1, 0, 1, 1, 0]),
        ),
    ),
    "kriging": (kriging, (np.array([0.0, -0.5, -2.0]), rng.random((5, 2)), A_(size=5))),
    "mixed": (
        mixed,
        (
            np.array([0.2, 0.1, -0.3, 0.2]),
            A_(size=6),
            A_(size=(6, 2)),
            ["a", "b", "a", "c", "b", "a"],
        ),
    ),
    "hh": (hh, (np.array([120.0, 36.0, 0.3, 10.0]),)),
    "dh": (dh_chain, (np.array([0.3, 0.5, -0.2]),)),
    "fem_bar": (fem_bar, (np.array([2.0, 1.0, 1.2, 0.8, 0.9]),)),
    "fem_sparse": (fem_sparse, (np.array([1.0, 2.0, 1.5, 0.7]),)),
    "newton_arc": (newton_arc, (np.array([1.0, 0.7, 0.3]),)),
    "tmm": (tmm, (np.array([1.4, 2.1, 1.38, 0.09]),)),
    "ray": (ray_trace, (np.array([0.1, 2.0, 0.3]),)),
    "ebm": (ebm, (np.array([0.6, 0.5, 203.0]),)),
}
