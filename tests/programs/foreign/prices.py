"""Programs of others: volatility, state spaces, options, bonds, rates."""

import datetime
import enum
import math
from dataclasses import dataclass

import numpy as np
from scipy import linalg, special

rng = np.random.default_rng(5)
r_ = rng.normal(size=14)
r_ = rng.normal(size=14)


class GARCH:
    def __init__(self, p=1, q=1, mean="constant", dist="normal"):
        self.p, self.q, self.mean, self.dist = p, q, mean, dist

    def _unpack(self, theta):
        it = iter(theta)
        mu = next(it) if self.mean == "constant" else 0.0
        omega = next(it)
        alpha = [next(it) for _ in range(self.p)]
        beta = [next(it) for _ in range(self.q)]
        nu = next(it, None) if self.dist == "t" else None
        return mu, omega, alpha, beta, nu

    def variance(self, eps, omega, alpha, beta):
        sig2 = np.full(len(eps), np.var(eps))
        for t in range(max(self.p, self.q), len(eps)):
            s = omega
            for i, a in enumerate(alpha, 1):
                s = s + a * eps[t - i] ** 2
            for j, b in enumerate(beta, 1):
                s = s + b * sig2[t - j]
            sig2[t] = s
        return sig2

    def nll(self, theta, r):
        mu, omega, alpha, beta, nu = self._unpack(theta)
        eps = r - mu
        s2 = self.variance(eps, omega, alpha, beta)
        if np.any(s2 <= 0):
            return 1e10
        if self.dist == "t":
            ll = (
                special.gammaln((nu + 1) / 2)
                - special.gammaln(nu / 2)
                - 0.5 * np.log(np.pi * (nu - 2) * s2)
                - (nu + 1) / 2 * np.log1p(eps**2 / (s2 * (nu - 2)))
            )
        else:
            ll = -0.5 * (np.log(2 * np.pi) + np.log(s2) + eps**2 / s2)
        return -ll.sum()


def garch(x, r):
    return GARCH(dist="t").nll(x, r)


def garch_n(x, r):
    return GARCH(p=2, q=1, mean="zero").nll(x, r)


def var_model(x, Y, lags=1):
    k = Y.shape[1]
    A = x[: k * k * lags].reshape(lags, k, k)
    c = x[k * k * lags : k * k * lags + k]
    L = np.zeros((k, k))
    L[np.tril_indices(k)] = x[k * k * lags + k :]
    resid = Y[lags:] - c
    for l in range(lags):
        resid = resid - Y[lags - l - 1 : len(Y) - l - 1] @ A[l].T
    z = linalg.solve_triangular(L, resid.T, lower=True)
    return 0.5 * np.sum(z**2) + len(resid) * np.sum(np.log(np.abs(np.diag(L))))


@dataclass
class StateSpace:
    T: np.ndarray
    Z: np.ndarray
    Q: np.ndarray
    H: float

    def filter(self, y, a0, P0):
        a, P, ll = a0, P0, 0.0
        for yt in y:
            if not np.isnan(yt):
                v = yt - self.Z @ a
                F = self.Z @ P @ self.Z + self.H
                K = P @ self.Z / F
                a, P = a + K * v, P - np.outer(K, self.Z @ P)
                ll += -0.5 * (np.log(2 * np.pi * F) + v * v / F)
            a, P = self.T @ a, self.T @ P @ self.T.T + self.Q
        return ll


def local_trend(x, y):
    s = np.exp(x)
    m = StateSpace(
        T=np.array([[1.0, 1.0], [0.0, 1.0]]), Z=np.array([1.0, 0.0]), Q=np.diag(s[:2]), H=s[2]
    )
    return m.filter(y, np.zeros(2), np.eye(2) * 10)


def arma_css(x, y, p=2, q=1):
    phi, theta = x[:p], x[p : p + q]
    e = np.zeros(len(y))
    for t in range(p, len(y)):
        e[t] = y[t] - phi @ y[t - p : t][::-1] - theta @ e[t - q : t][::-1]
    e = e[p:]
    return len(e) / 2 * np.log(np.mean(e**2))


def iv_gmm(x, y, X, Z):
    u = y - X @ x
    g = Z.T @ u / len(y)
    S = (Z * (u**2)[:, None]).T @ Z / len(y)
    return len(y) * g @ np.linalg.solve(S, g)


def heston_call(x, S0=100.0, K=105.0, T=1.0, r=0.02):
    kappa, theta, sigma, rho, v0 = x

    def cf(u, j):
        uj = 0.5 if j == 1 else -0.5
        b = kappa - rho * sigma if j == 1 else kappa
        a = kappa * theta
        d = np.sqrt((rho * sigma * u * 1j - b) ** 2 - sigma**2 * (2 * uj * u * 1j - u**2))
        g = (b - rho * sigma * u * 1j - d) / (b - rho * sigma * u * 1j + d)
        C = r * u * 1j * T + a / sigma**2 * (
            (b - rho * sigma * u * 1j - d) * T - 2 * np.log((1 - g * np.exp(-d * T)) / (1 - g))
        )
        D = (
            (b - rho * sigma * u * 1j - d)
            / sigma**2
            * (1 - np.exp(-d * T))
            / (1 - g * np.exp(-d * T))
        )
        return np.exp(C + D * v0 + 1j * u * np.log(S0))

    nodes, weights = np.polynomial.laguerre.laggauss(24)
    P = []
    for j in (1, 2):
        f = np.real(np.exp(-1j * nodes * np.log(K)) * cf(nodes, j) / (1j * nodes))
        P.append(0.5 + np.sum(weights * np.exp(nodes) * f) / np.pi)
    return S0 * P[0] - K * np.exp(-r * T) * P[1]


def crr(x, kind="put", american=True, N=25):
    S, K, T, r, sig = x
    dt = T / N
    u = np.exp(sig * np.sqrt(dt))
    d = 1 / u
    p = (np.exp(r * dt) - d) / (u - d)
    disc = np.exp(-r * dt)
    sign = {"call": 1, "put": -1}[kind]
    ST = np.array([S * u**j * d ** (N - j) for j in range(N + 1)])
    V = np.maximum(sign * (ST - K), 0.0)
    for i in range(N - 1, -1, -1):
        V = disc * (p * V[1:] + (1 - p) * V[:-1])
        if american:
            ST = S * u ** np.arange(i + 1) * d ** (i - np.arange(i + 1))
            V = np.maximum(V, sign * (ST - K))
    return V[0]


class DayCount(enum.Enum):
    ACT365 = "act/365"
    T30360 = "30/360"

    def fraction(self, a, b):
        if self is DayCount.ACT365:
            return (b - a).days / 365.0
        return (
            360 * (b.year - a.year) + 30 * (b.month - a.month) + (min(b.day, 30) - min(a.day, 30))
        ) / 360.0


class Bond:
    def __init__(self, issue, maturity, coupon, freq=2, dc=DayCount.T30360, face=100.0):
        self.issue, self.maturity, self.coupon, self.freq, self.dc, self.face = (
            issue,
            maturity,
            coupon,
            freq,
            dc,
            face,
        )

    def schedule(self, settle):
        dates, d = [], self.maturity
        step = 12 // self.freq
        while d > settle:
            dates.append(d)
            m = d.month - step
            y = d.year + (m - 1) // 12
            d = datetime.date(y, (m - 1) % 12 + 1, min(d.day, 28))
        return sorted(dates), d

    def price(self, ytm, settle):
        dates, prev = self.schedule(settle)
        accrued = self.coupon / self.freq * self.dc.fraction(prev, settle) * self.freq
        total = 0.0
        for d in dates:
            t = self.dc.fraction(settle, d)
            cf = self.coupon / self.freq * self.face + (self.face if d == self.maturity else 0.0)
            total += cf / (1 + ytm / self.freq) ** (self.freq * t)
        return total - accrued * self.face


def bond_price(x):
    b = Bond(datetime.date(2020, 3, 15), datetime.date(2027, 3, 15), x[1])
    return b.price(x[0], datetime.date(2024, 6, 20)) + Bond(
        None, datetime.date(2030, 1, 31), x[1], freq=1, dc=DayCount.ACT365
    ).price(x[0] + x[2], datetime.date(2024, 6, 20))


def nelson_siegel(x, tau, y, loss="huber", delta=0.05):
    b0, b1, b2, lam = x
    z = tau / lam
    ns = (1 - np.exp(-z)) / z
    fit = b0 + b1 * ns + b2 * (ns - np.exp(-z))
    losses = {
        "l2": lambda r: 0.5 * r**2,
        "huber": lambda r: np.where(
            np.abs(r) < delta, 0.5 * r**2, delta * (np.abs(r) - 0.5 * delta)
        ),
        "l1": np.abs,
    }
    if loss not in losses:
        raise ValueError(f"loss must be one of {sorted(losses)}, got {loss!r}")
    return losses[loss](fit - y).mean()


def bootstrap_curve(x, mats=(1, 2, 3, 5)):
    rates = dict(zip(mats, x))
    dfs = {}
    for m in range(1, max(mats) + 1):
        if m in rates:
            c = rates[m]
        else:
            lo = max(k for k in rates if k < m)
            hi = min(k for k in rates if k > m)
            c = rates[lo] + (rates[hi] - rates[lo]) * (m - lo) / (hi - lo)
        dfs[m] = (1 - c * sum(dfs.values())) / (1 + c)
    zeros = {m: -np.log(v) / m for m, v in dfs.items()}
    return sum(z**2 for z in zeros.values()) * 100


def sabr_vol(x, strikes, F=0.03, T=2.0):
    alpha, beta, rho, nu = x

    def vol(K):
        if abs(F - K) < 1e-12:
            V = (F) ** (1 - beta)
            return (
                alpha
                / V
                * (
                    1
                    + T
                    * (
                        (1 - beta) ** 2 * alpha**2 / (24 * V**2)
                        + rho * beta * nu * alpha / (4 * V)
                        + nu**2 * (2 - 3 * rho**2) / 24
                    )
                )
            )
        logfk = math.log(F / K)
        fkb = (F * K) ** ((1 - beta) / 2)
        z = nu / alpha * fkb * logfk
        xz = math.log((math.sqrt(1 - 2 * rho * z + z * z) + z - rho) / (1 - rho))
        den = fkb * (1 + (1 - beta) ** 2 / 24 * logfk**2 + (1 - beta) ** 4 / 1920 * logfk**4)
        return alpha / den * z / xz

    return sum(vol(K) for K in strikes)


CASES = {
    "garch": (garch, (np.array([0.05, 0.1, 0.15, 0.7, 6.0]), r_)),
    "garch_n": (garch_n, (np.array([0.1, 0.15, 0.1, 0.6]), r_)),
    "var": (
        var_model,
        (np.r_[rng.normal(size=4) * 0.3, 0.1, 0.2, 1.0, 0.2, 1.3], rng.normal(size=(9, 2))),
    ),
    "trend": (
        local_trend,
        (np.array([-1.0, -2, 0.0]), np.where(np.arange(10) == 4, np.nan, np.cumsum(r_[:10]))),
    ),
    "arma": (arma_css, (np.array([0.4, -0.2, 0.3]), r_)),
    "iv_gmm": (
        iv_gmm,
        (np.array([0.5, -0.3]), r_, rng.normal(size=(14, 2)), rng.normal(size=(14, 3))),
    ),
    "heston": (heston_call, (np.array([1.5, 0.04, 0.4, -0.6, 0.05]),)),
    "crr": (crr, (np.array([100.0, 105.0, 1.0, 0.03, 0.25]),)),
    "bond": (bond_price, (np.array([0.04, 0.05, 0.01]),)),
    "nelson": (
        nelson_siegel,
        (
            np.array([0.04, -0.02, 0.01, 1.5]),
            np.array([0.5, 1, 2, 5, 10.0]),
            np.array([0.02, 0.025, 0.03, 0.09, 0.038]),
        ),
    ),
    "bootstrap": (bootstrap_curve, (np.array([0.02, 0.025, 0.028, 0.032]),)),
    "sabr": (sabr_vol, (np.array([0.02, 0.5, -0.3, 0.4]), (0.02, 0.025, 0.03, 0.04))),
}
