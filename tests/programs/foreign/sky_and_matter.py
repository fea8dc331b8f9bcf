"""Programs of others: geodesy, orbits, cosmology, mixtures, reactions."""

import collections
import math
import warnings
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy import integrate, optimize

rng = np.random.default_rng(3)
C4 = rng.random((4, 4)) + 0.2
C4 = rng.random((4, 4)) + 0.2


class Ellipsoid:
    """Reference ellipsoid."""

    def __init__(self, a=6378137.0, f=1 / 298.257223563):
        self.a, self.f = a, f
        self._cache = {}

    @property
    def b(self):
        return self.a * (1 - self.f)

    @property
    def e2(self):
        return self.f * (2 - self.f)

    @property
    def n(self):
        return (self.a - self.b) / (self.a + self.b)


WGS84 = Ellipsoid()


def vincenty(x):
    lat1, lon1, lat2, lon2 = np.radians(x)
    a, b, f = WGS84.a, WGS84.b, WGS84.f
    U1 = math.atan((1 - f) * math.tan(lat1))
    U2 = math.atan((1 - f) * math.tan(lat2))
    L = lon2 - lon1
    lam = L
    sinU1, cosU1 = math.sin(U1), math.cos(U1)
    sinU2, cosU2 = math.sin(U2), math.cos(U2)
    for iteration in range(200):
        sinlam, coslam = math.sin(lam), math.cos(lam)
        sinsig = math.sqrt((cosU2 * sinlam) ** 2 + (cosU1 * sinU2 - sinU1 * cosU2 * coslam) ** 2)
        if sinsig == 0:
            return 0.0
        cossig = sinU1 * sinU2 + cosU1 * cosU2 * coslam
        sig = math.atan2(sinsig, cossig)
        sinal = cosU1 * cosU2 * sinlam / sinsig
        cos2al = 1 - sinal**2
        try:
            cos2sm = cossig - 2 * sinU1 * sinU2 / cos2al
        except ZeroDivisionError:
            cos2sm = 0
        C = f / 16 * cos2al * (4 + f * (4 - 3 * cos2al))
        lam_prev = lam
        lam = L + (1 - C) * f * sinal * (
            sig + C * sinsig * (cos2sm + C * cossig * (-1 + 2 * cos2sm**2))
        )
        if abs(lam - lam_prev) < 1e-13:
            break
    else:
        raise RuntimeError("no convergence")
    u2 = cos2al * (a**2 - b**2) / b**2
    A = 1 + u2 / 16384 * (4096 + u2 * (-768 + u2 * (320 - 175 * u2)))
    B = u2 / 1024 * (256 + u2 * (-128 + u2 * (74 - 47 * u2)))
    ds = (
        B
        * sinsig
        * (
            cos2sm
            + B
            / 4
            * (
                cossig * (-1 + 2 * cos2sm**2)
                - B / 6 * cos2sm * (-3 + 4 * sinsig**2) * (-3 + 4 * cos2sm**2)
            )
        )
    )
    return b * A * (sig - ds) / 1000.0


class Proj:
    registry = {}

    def __init_subclass__(cls, **kw):
        super().__init_subclass__(**kw)
        Proj.registry[cls.name] = cls

    def __init__(self, lon0=0.0, ell=WGS84):
        self.lon0, self.ell = lon0, ell

    def forward(self, lon, lat):
        raise NotImplementedError

    def __call__(self, lon, lat, inverse=False):
        if inverse:
            return self.inverse(lon, lat)
        return self.forward(lon, lat)


class Merc(Proj):
    name = "merc"

    def forward(self, lon, lat):
        e = np.sqrt(self.ell.e2)
        s = np.sin(lat)
        y = np.log(np.tan(np.pi / 4 + lat / 2) * ((1 - e * s) / (1 + e * s)) ** (e / 2))
        return (lon - self.lon0), y


class TMerc(Proj):
    name = "tmerc"
    k0 = 0.9996

    def forward(self, lon, lat):
        n = self.ell.n
        A = self.ell.a / (1 + n) * (1 + n**2 / 4 + n**4 / 64)
        alpha = [
            n / 2 - 2 * n**2 / 3 + 5 * n**3 / 16,
            13 * n**2 / 48 - 3 * n**3 / 5,
            61 * n**3 / 240,
        ]
        c = 2 * np.sqrt(n) / (1 + n)
        t = np.sinh(np.arctanh(np.sin(lat)) - c * np.arctanh(c * np.sin(lat)))
        xi = np.arctan2(t, np.cos(lon - self.lon0))
        eta = np.arctanh(np.sin(lon - self.lon0) / np.sqrt(1 + t * t))
        E = (
            self.k0
            * A
            * (
                eta
                + sum(
                    a * np.cos(2 * j * xi) * np.sinh(2 * j * eta)
                    for j, a in enumerate(alpha, start=1)
                )
            )
        )
        N = (
            self.k0
            * A
            * (
                xi
                + sum(
                    a * np.sin(2 * j * xi) * np.cosh(2 * j * eta)
                    for j, a in enumerate(alpha, start=1)
                )
            )
        )
        return E / 1e6, N / 1e6


def projection(x, kind):
    try:
        p = Proj.registry[kind](lon0=0.1)
    except KeyError as err:
        raise ValueError(f"unknown projection {kind!r}") from err
    e, n = p(x[0::2], x[1::2])
    return np.sum(np.hypot(np.diff(e), np.diff(n)))


def kepler_E(M, e, tol=1e-12, maxiter=50):
    M = (M + np.pi) % (2 * np.pi) - np.pi
    E = M + e * np.sin(M) if e < 0.8 else np.pi
    for _ in range(maxiter):
        dE = (E - e * np.sin(E) - M) / (1 - e * np.cos(E))
        E -= dE
        if abs(dE) < tol:
            return E
    warnings.warn("Kepler solver did not converge")
    return E


class Elements(NamedTuple):
    a: float
    e: float
    i: float
    Omega: float
    omega: float
    M: float


def ephemeris(x, t):
    el = Elements(*x)
    n = 0.01720209895 / el.a**1.5
    E = kepler_E(el.M + n * t, el.e)
    nu = 2 * np.arctan2(np.sqrt(1 + el.e) * np.sin(E / 2), np.sqrt(1 - el.e) * np.cos(E / 2))
    r = el.a * (1 - el.e * np.cos(E))
    u = el.omega + nu
    pos = r * np.array(
        [
            np.cos(el.Omega) * np.cos(u) - np.sin(el.Omega) * np.sin(u) * np.cos(el.i),
            np.sin(el.Omega) * np.cos(u) + np.cos(el.Omega) * np.sin(u) * np.cos(el.i),
            np.sin(u) * np.sin(el.i),
        ]
    )
    ra = np.arctan2(pos[1], pos[0]) % (2 * np.pi)
    dec = np.arcsin(pos[2] / np.linalg.norm(pos))
    return ra + 2 * dec


def rv_model(x, t, obs):
    P, K, e, w, gamma = x
    M = 2 * np.pi * t / P
    E = np.vectorize(kepler_E)(M, e)
    nu = 2 * np.arctan(np.sqrt((1 + e) / (1 - e)) * np.tan(E / 2))
    model = gamma + K * (np.cos(nu + w) + e * np.cos(w))
    return 0.5 * np.sum((obs - model) ** 2 / 0.3**2)


def cosmology_mu(x, z):
    h, om, w0, wa = x

    def E(zz):
        return np.sqrt(
            om * (1 + zz) ** 3
            + (1 - om) * (1 + zz) ** (3 * (1 + w0 + wa)) * np.exp(-3 * wa * zz / (1 + zz))
        )

    dc = np.array([integrate.quad(lambda v: 1 / E(v), 0, zi)[0] for zi in z])
    dl = (1 + z) * dc * 2997.92458 / h
    return np.sum((5 * np.log10(dl) + 25) ** 2) / 1e3


R = 8.314462618


@dataclass(frozen=True)
class Compound:
    Tc: float
    Pc: float
    omega: float

    def kappa(self):
        return 0.37464 + 1.54226 * self.omega - 0.26992 * self.omega**2

    def a(self, T):
        alpha = (1 + self.kappa() * (1 - np.sqrt(T / self.Tc))) ** 2
        return 0.45724 * (R * self.Tc) ** 2 / self.Pc * alpha

    @property
    def b(self):
        return 0.0778 * R * self.Tc / self.Pc


METHANE, ETHANE = Compound(190.6, 4.6e6, 0.011), Compound(305.3, 4.87e6, 0.099)


def peng_robinson(x, comps=(METHANE, ETHANE)):
    T, P, z1 = x[0] * 100, x[1] * 1e6, x[2]
    z = np.array([z1, 1 - z1])
    a = np.array([c.a(T) for c in comps])
    b = np.array([c.b for c in comps])
    kij = np.array([[0, 0.01], [0.01, 0]])
    aij = np.sqrt(np.outer(a, a)) * (1 - kij)
    am = z @ aij @ z
    bm = z @ b
    A, B = am * P / (R * T) ** 2, bm * P / (R * T)
    coeffs = [1, -(1 - B), A - 3 * B**2 - 2 * B, -(A * B - B**2 - B**3)]
    roots = np.roots(coeffs)
    Z = np.max(roots[np.abs(roots.imag) < 1e-8].real)
    s2 = np.sqrt(2)
    lnphi = (
        b / bm * (Z - 1)
        - np.log(Z - B)
        - A
        / (2 * s2 * B)
        * (2 * aij @ z / am - b / bm)
        * np.log((Z + (1 + s2) * B) / (Z + (1 - s2) * B))
    )
    return float(np.sum(z * lnphi))


GROUPS = {"CH3": (0.9011, 0.848), "CH2": (0.6744, 0.540), "OH": (1.0, 1.2)}
INTER = {("CH3", "OH"): 986.5, ("CH2", "OH"): 986.5, ("OH", "CH3"): 156.4, ("OH", "CH2"): 156.4}


def unifac(x, mols=({"CH3": 1, "CH2": 1, "OH": 1}, {"CH3": 2, "CH2": 4})):
    x1, T = x[0], x[1] * 100
    xs = [x1, 1 - x1]
    r = [sum(n * GROUPS[g][0] for g, n in m.items()) for m in mols]
    q = [sum(n * GROUPS[g][1] for g, n in m.items()) for m in mols]
    sr = sum(xi * ri for xi, ri in zip(xs, r))
    sq = sum(xi * qi for xi, qi in zip(xs, q))

    def psi(m, n):
        return math.exp(-INTER.get((m, n), 0.0) / T)

    groups = sorted({g for m in mols for g in m})

    def ln_gamma_groups(frac):
        Q = {g: GROUPS[g][1] for g in groups}
        tot = sum(frac[g] * Q[g] for g in groups)
        theta = {g: frac[g] * Q[g] / tot for g in groups}
        out = {}
        for k in groups:
            s1 = sum(theta[m] * psi(m, k) for m in groups)
            s2 = sum(
                theta[m] * psi(k, m) / sum(theta[n] * psi(n, m) for n in groups) for m in groups
            )
            out[k] = Q[k] * (1 - math.log(s1) - s2)
        return out

    total = {g: 0.0 for g in groups}
    for xi, m in zip(xs, mols):
        for g, n in m.items():
            total[g] += xi * n
    norm = sum(total.values())
    mix = ln_gamma_groups({g: v / norm for g, v in total.items()})
    G = 0.0
    for i, m in enumerate(mols):
        phi, th = xs[i] * r[i] / sr, xs[i] * q[i] / sq
        l = 5 * (r[i] - q[i]) - (r[i] - 1)
        lj = sum(xs[j] * (5 * (r[j] - q[j]) - (r[j] - 1)) for j in range(2))
        comb = math.log(phi / xs[i]) + 5 * q[i] * math.log(th / phi) + l - phi / xs[i] * lj
        cnt = sum(m.values())
        pure = ln_gamma_groups({g: m.get(g, 0) / cnt for g in groups})
        res = sum(n * (mix[g] - pure[g]) for g, n in m.items())
        G += xs[i] * (comb + res)
    return G


class Reaction:
    def __init__(self, reactants, products, A, Ea):
        self.reactants, self.products = reactants, products
        self.A, self.Ea = A, Ea

    def rate(self, T, c):
        k = self.A * np.exp(-self.Ea / (8.314 * T))
        for sp, nu in self.reactants.items():
            k = k * c[sp] ** nu
        return k


def kinetics(x, T=350.0, steps=40):
    rxns = [
        Reaction({"A": 1, "B": 1}, {"C": 1}, 1e5 * x[0], 3.5e4),
        Reaction({"C": 2}, {"D": 1}, 4e4 * x[1], 4e4),
    ]
    c = collections.OrderedDict(A=1.0, B=x[2], C=0.0, D=0.0)
    dt = 0.05
    for _ in range(steps):
        d = dict.fromkeys(c, 0.0)
        for rx in rxns:
            v = rx.rate(T, c)
            for sp, nu in rx.reactants.items():
                d[sp] -= nu * v
            for sp, nu in rx.products.items():
                d[sp] += nu * v
        for sp in c:
            c[sp] += dt * d[sp]
    return c["D"] + 0.1 * c["C"] ** 2


def antoine_flash(x):
    """Rachford-Rice flash"""
    A = np.array([15.9, 16.1, 16.7])
    B = np.array([2788.0, 3096.0, 3816.0])
    C = np.array([-52.4, -53.7, -46.1])
    T, P = x[3] * 100, 1.3
    K = np.exp(A - B / (T + C)) / 760 / P
    z = x[:3] / x[:3].sum()

    def rr(beta):
        return np.sum(z * (K - 1) / (1 + beta * (K - 1)))

    if rr(0.0) < 0:
        return 0.0
    beta = optimize.brentq(rr, 0.0, 1.0, xtol=1e-14)
    xl = z / (1 + beta * (K - 1))
    return beta + xl @ xl


CASES = {
    "vincenty": (vincenty, (np.array([10.0, 20, 30, 50]),)),
    "merc": (projection, (np.array([0.2, 0.3, 0.5, 0.1, 0.4, 0.8]), "merc")),
    "tmerc": (projection, (np.array([0.2, 0.3, 0.5, 0.1, 0.4, 0.8]), "tmerc")),
    "ephemeris": (ephemeris, (np.array([1.5, 0.3, 0.2, 0.4, 0.7, 1.0]), 40.0)),
    "rv_model": (
        rv_model,
        (np.array([5.0, 1.2, 0.2, 0.4, 0.1]), np.linspace(0.3, 9, 7), rng.normal(size=7)),
    ),
    "cosmology": (cosmology_mu, (np.array([0.7, 0.3, -0.9, 0.1]), np.array([0.1, 0.5, 1.0]))),
    "peng_robinson": (peng_robinson, (np.array([2.8, 1.5, 0.6]),)),
    "unifac": (unifac, (np.array([0.3, 3.1]),)),
    "kinetics": (kinetics, (np.array([1.0, 2.0, 0.8]),)),
    "flash": (antoine_flash, (np.array([1.0, 1.2, 0.8, 3.65]),)),
}
