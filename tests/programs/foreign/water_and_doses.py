"""Programs of others: rivers, soils, epidemics, drugs."""

import enum
import math
from dataclasses import dataclass, field

import numpy as np
from scipy import integrate, stats

rng = np.random.default_rng(3)
C4 = rng.random((4, 4)) + 0.2
C4 = rng.random((4, 4)) + 0.2


@dataclass
class GR4J:
    x1: float
    x2: float
    x3: float
    x4: float
    S: float = field(init=False)
    Rr: float = field(init=False)

    def __post_init__(self):
        self.S = 0.3 * self.x1
        self.Rr = 0.5 * self.x3
        n = int(math.ceil(2.0))
        self.uh = np.array([min(1.0, ((j + 1) / 2.0)) ** 2.5 for j in range(n)])
        self.uh[1:] = np.diff(self.uh)
        self.store = np.zeros(n)

    def step(self, P, E):
        if P >= E:
            pn, en = P - E, 0.0
        else:
            pn, en = 0.0, E - P
        sr = self.S / self.x1
        ps = (
            self.x1 * (1 - sr**2) * np.tanh(pn / self.x1) / (1 + sr * np.tanh(pn / self.x1))
            if pn > 0
            else 0.0
        )
        es = (
            self.S * (2 - sr) * np.tanh(en / self.x1) / (1 + (1 - sr) * np.tanh(en / self.x1))
            if en > 0
            else 0.0
        )
        self.S = self.S + ps - es
        perc = self.S * (1 - (1 + (4 / 9 * self.S / self.x1) ** 4) ** -0.25)
        self.S -= perc
        pr = perc + pn - ps
        self.store = np.append(self.store[1:], 0.0) + self.uh * pr
        q9 = 0.9 * self.store[0]
        gw = self.x2 * (self.Rr / self.x3) ** 3.5
        self.Rr = max(0.0, self.Rr + q9 + gw)
        qr = self.Rr * (1 - (1 + (self.Rr / self.x3) ** 4) ** -0.25)
        self.Rr -= qr
        return qr + max(0.0, 0.1 * pr + gw)


def gr4j(x, P, E, obs):
    model = GR4J(*x)
    sim = np.array([model.step(p, e) for p, e in zip(P, E)])
    nse = 1 - np.sum((sim - obs) ** 2) / np.sum((obs - obs.mean()) ** 2)
    return nse


def muskingum(x, inflow, dt=1.0):
    K, X = x
    D = 2 * K * (1 - X) + dt
    c0, c1, c2 = (dt - 2 * K * X) / D, (dt + 2 * K * X) / D, (2 * K * (1 - X) - dt) / D
    assert abs(c0 + c1 + c2 - 1) < 1e-9, "coefficients must sum to one"
    out = np.empty_like(inflow)
    out[0] = inflow[0]
    for i in range(1, len(inflow)):
        out[i] = c0 * inflow[i] + c1 * inflow[i - 1] + c2 * out[i - 1]
    return np.sqrt(np.mean((out - inflow) ** 2))


def richards(x, n=10, steps=8):
    Ks, alpha, nn = x
    m = 1 - 1 / nn

    def theta(h):
        return np.where(h < 0, 0.05 + 0.4 / (1 + np.abs(alpha * h) ** nn) ** m, 0.45)

    def K(h):
        Se = (theta(h) - 0.05) / 0.4
        return Ks * Se**0.5 * (1 - (1 - Se ** (1 / m)) ** m) ** 2

    h = np.linspace(-3.0, -1.0, n)
    dz = 0.1
    dt = 0.001
    with np.errstate(invalid="ignore", divide="ignore"):
        for k in range(steps):
            Kh = K(h)
            Km = 0.5 * (Kh[1:] + Kh[:-1])
            q = -Km * ((h[1:] - h[:-1]) / dz + 1)
            C = (theta(h + 1e-4) - theta(h - 1e-4)) / 2e-4
            dh = np.zeros_like(h)
            dh[1:-1] = -(q[1:] - q[:-1]) / dz / C[1:-1]
            h = h + dt * dh
    return np.sum(theta(h)) * dz


class Comp(enum.IntEnum):
    S = 0
    E = 1
    I = 2
    R = 3


def seir(x, cases, N=1e4):
    beta, sigma, gamma, i0 = np.exp(x)
    y = np.zeros((len(cases) + 1, len(Comp)))
    y[0, Comp.S], y[0, Comp.I] = N - i0, i0
    inc = []
    for t in range(len(cases)):
        S, E, I, Rr = y[t]
        b = beta * (0.6 if t > 6 else 1.0)
        inf, prog, rec = b * S * I / N, sigma * E, gamma * I
        y[t + 1] = y[t] + np.array([-inf, inf - prog, prog - rec, rec])
        inc.append(prog)
    mu = np.asarray(inc) + 1e-6
    return -np.sum(stats.poisson.logpmf(cases, mu))


def age_structured(x, C, days=12):
    n = C.shape[0]
    s, i, r = np.ones(n) - 1e-3, np.full(n, 1e-3), np.zeros(n)
    traj = {"S": [s], "I": [i]}
    for day in range(days):
        lam = x[0] * C @ i * (1 + x[1] * np.cos(2 * np.pi * day / 30))
        new = s * -np.expm1(-lam)
        rec = x[2] * i
        s, i, r = s - new, i + new - rec, r + rec
        for k, v in (("S", s), ("I", i)):
            traj[k].append(v)
    I = np.stack(traj["I"])
    peak = I.sum(axis=1).max()
    ngm = x[0] * C / x[2]
    R0 = np.max(np.abs(np.linalg.eigvals(ngm)))
    return peak * 100 + np.log(R0)


@dataclass
class Dose:
    time: float
    amount: float
    route: str = "oral"


def pk_two_comp(x, times, conc):
    CL, V1, Q, V2, ka = np.exp(x)
    k10, k12, k21 = CL / V1, Q / V1, Q / V2
    s = k10 + k12 + k21
    d = np.sqrt(s * s - 4 * k10 * k21)
    al, be = (s + d) / 2, (s - d) / 2
    doses = [Dose(0.0, 100.0), Dose(6.0, 50.0, route="iv"), Dose(12.0, 100.0)]
    out = np.zeros_like(times)
    for dose in doses:
        mask = times > dose.time
        t = times[mask] - dose.time
        match dose.route:
            case "iv":
                A, B = (al - k21) / (al - be), (k21 - be) / (al - be)
                out[mask] += dose.amount / V1 * (A * np.exp(-al * t) + B * np.exp(-be * t))
            case "oral":
                A = ka / V1 * (k21 - al) / ((ka - al) * (be - al))
                B = ka / V1 * (k21 - be) / ((ka - be) * (al - be))
                out[mask] += dose.amount * (
                    A * np.exp(-al * t) + B * np.exp(-be * t) - (A + B) * np.exp(-ka * t)
                )
            case _:
                raise ValueError(dose.route)
    resid = (np.log(out[1:]) - np.log(conc[1:])) / 0.2
    return 0.5 * resid @ resid


def michaelis(x):
    vmax, km = x

    def rhs(t, c):
        return -vmax * c / (km + c)

    sol = integrate.solve_ivp(rhs, [0, 5], [4.0], t_eval=[1.0, 2.5, 5.0], rtol=1e-10, atol=1e-11)
    if not sol.success:
        raise RuntimeError(sol.message)
    return np.sum(sol.y[0] ** 2)


CASES = {
    "gr4j": (
        gr4j,
        (
            np.array([300.0, 0.5, 60.0, 1.7]),
            rng.gamma(1.0, 8.0, 12),
            np.full(12, 3.0),
            rng.gamma(1.0, 3.0, 12),
        ),
    ),
    "muskingum": (muskingum, (np.array([2.3, 0.2]), np.array([1.0, 3, 7, 5, 3, 2, 1.0]))),
    "richards": (richards, (np.array([0.5, 1.2, 1.8]),)),
    "seir": (
        seir,
        (np.log(np.array([0.9, 0.3, 0.2, 10.0])), np.array([2, 4, 5, 3, 8, 9, 7, 12, 14, 10])),
    ),
    "age": (age_structured, (np.array([0.2, 0.1, 0.25]), C4)),
    "pk2": (
        pk_two_comp,
        (
            np.log(np.array([5.0, 20, 3, 30, 1.5])),
            np.array([0.0, 1, 3, 5, 7, 10, 14, 20]),
            np.array([1.0, 3, 3, 2, 3, 2, 3, 1]),
        ),
    ),
    "michaelis": (michaelis, (np.array([1.0, 0.7]),)),
}
