"""Programs of others: filters, spectra, warping of time, pictures, cameras."""

import itertools
import math

import numpy as np
from scipy import ndimage, special
from scipy.spatial.transform import Rotation

rng = np.random.default_rng(5)
r_ = rng.normal(size=14)
r_ = rng.normal(size=14)


class Biquad:
    __slots__ = ("_z", "a", "b")

    def __init__(self, kind, f0, Q, fs=100.0):
        w = 2 * np.pi * f0 / fs
        al = np.sin(w) / (2 * Q)
        c = np.cos(w)
        match kind:
            case "low":
                b = [(1 - c) / 2, 1 - c, (1 - c) / 2]
            case "high":
                b = [(1 + c) / 2, -(1 + c), (1 + c) / 2]
            case "band" | "bandpass":
                b = [al, 0.0, -al]
            case other:
                raise ValueError(other)
        a0 = 1 + al
        self.b = np.array(b) / a0
        self.a = np.array([1 + al, -2 * c, 1 - al]) / a0
        self._z = [0.0, 0.0]

    def __call__(self, s):
        y = self.b[0] * s + self._z[0]
        self._z[0] = self.b[1] * s - self.a[1] * y + self._z[1]
        self._z[1] = self.b[2] * s - self.a[2] * y
        return y


def filter_bank(x, sig):
    filters = [Biquad(k, f, q) for k, f, q in zip(("low", "bandpass", "high"), x[:3], x[3:])]
    out = []
    for s in sig:
        for f in filters[:2]:
            s = f(s)
        out.append(s)
    return np.mean(np.square(out)) * 100


def spectrogram_loss(x, n=16, hop=8):
    w = np.hanning(n)
    frames = np.lib.stride_tricks.sliding_window_view(x, n)[::hop]
    S = np.abs(np.fft.rfft(frames * w, axis=-1)) ** 2
    p = S / S.sum(axis=1, keepdims=True)
    ent = -(p * np.log(p + 1e-12)).sum(1)
    cent = (p * np.fft.rfftfreq(n)).sum(1)
    return ent.mean() + cent.std()


def dtw(x, y, window=None):
    n, m = len(x), len(y)
    w = max(window or n, abs(n - m))
    D = np.full((n + 1, m + 1), np.inf)
    D[0, 0] = 0
    for i in range(1, n + 1):
        for j in range(max(1, i - w), min(m, i + w) + 1):
            cost = (x[i - 1] - y[j - 1]) ** 2
            D[i, j] = cost + min(D[i - 1, j], D[i, j - 1], D[i - 1, j - 1])
    return math.sqrt(D[n, m])


def soft_dtw(x, y, gamma=0.5):
    D = (x[:, None] - y[None, :]) ** 2
    R_ = np.full((len(x) + 1, len(y) + 1), 1e8)
    R_[0, 0] = 0.0
    for i, j in itertools.product(range(len(x)), range(len(y))):
        r = -np.array([R_[i, j], R_[i, j + 1], R_[i + 1, j]]) / gamma
        mx = r.max()
        R_[i + 1, j + 1] = D[i, j] - gamma * (mx + np.log(np.exp(r - mx).sum()))
    return R_[-1, -1]


def lpc(x, order=3):
    r = np.correlate(x, x, mode="full")[len(x) - 1 : len(x) + order]
    a = np.zeros(order + 1)
    a[0] = 1
    e = r[0]
    for i in range(1, order + 1):
        k = -(r[i] + np.dot(a[1:i], r[i - 1 : 0 : -1])) / e
        a_new = a.copy()
        for j in range(1, i):
            a_new[j] = a[j] + k * a[i - j]
        a_new[i] = k
        a = a_new
        e *= 1 - k * k
    return np.log(e) + a @ a


def warp_affine(p, img, ref):
    a, b, c, d, tx, ty = p
    h, w = img.shape
    yy, xx = np.mgrid[0:h, 0:w].astype(float)
    u = a * xx + b * yy + tx
    v = c * xx + d * yy + ty
    u0 = np.floor(u).astype(int)
    v0 = np.floor(v).astype(int)
    fu, fv = u - u0, v - v0

    def at(r, c):
        return img[np.clip(r, 0, h - 1), np.clip(c, 0, w - 1)]

    val = (1 - fv) * ((1 - fu) * at(v0, u0) + fu * at(v0, u0 + 1)) + fv * (
        (1 - fu) * at(v0 + 1, u0) + fu * at(v0 + 1, u0 + 1)
    )
    mask = (u >= 0) & (u < w - 1) & (v >= 0) & (v < h - 1)
    n = mask.sum()
    return np.sum(((val - ref) * mask) ** 2) / max(n, 1)


def conv2d(img, kernel, padding="same", stride=1):
    kh, kw = kernel.shape
    if padding == "same":
        img = np.pad(
            img, ((kh // 2, kh - 1 - kh // 2), (kw // 2, kw - 1 - kw // 2)), mode="reflect"
        )
    H, W = (img.shape[0] - kh) // stride + 1, (img.shape[1] - kw) // stride + 1
    out = np.zeros((H, W))
    for i in range(H):
        for j in range(W):
            out[i, j] = np.sum(
                img[i * stride : i * stride + kh, j * stride : j * stride + kw] * kernel
            )
    return out


def canny_energy(x):
    img = x.reshape(6, 6)
    sx = np.array([[-1, 0, 1], [-2, 0, 2], [-1, 0, 1.0]])
    g = ndimage.gaussian_filter(img, 0.8)
    gx, gy = conv2d(g, sx), conv2d(g, sx.T)
    mag = np.hypot(gx, gy)
    ang = np.rad2deg(np.arctan2(gy, gx)) % 180
    out = np.zeros_like(mag)
    for i in range(1, 5):
        for j in range(1, 5):
            q = r = 0.0
            if ang[i, j] < 22.5 or ang[i, j] >= 157.5:
                q, r = mag[i, j + 1], mag[i, j - 1]
            elif ang[i, j] < 67.5:
                q, r = mag[i + 1, j - 1], mag[i - 1, j + 1]
            elif ang[i, j] < 112.5:
                q, r = mag[i + 1, j], mag[i - 1, j]
            else:
                q, r = mag[i - 1, j - 1], mag[i + 1, j + 1]
            if mag[i, j] >= q and mag[i, j] >= r:
                out[i, j] = mag[i, j]
    return np.sum(out**2)


def hough_soft(w, pts, thetas=np.linspace(0, np.pi, 6, endpoint=False)):
    acc = np.zeros((len(thetas), 8))
    for (px, py), wi in zip(pts, w):
        for k, th in enumerate(thetas):
            rho = px * np.cos(th) + py * np.sin(th)
            b = int(round(rho + 4)) % 8
            acc[k, b] += wi
    flat = acc.ravel()
    return np.sum(np.sort(flat)[-3:] ** 2) + special.logsumexp(flat)


def tv_denoise(x, noisy, lam=0.3, eps=1e-3):
    u = x.reshape(noisy.shape)
    dx, dy = np.diff(u, axis=0, append=u[-1:]), np.diff(u, axis=1, append=u[:, -1:])
    return 0.5 * np.sum((u - noisy) ** 2) + lam * np.sum(np.sqrt(dx**2 + dy**2 + eps))


def rodrigues(r):
    th = np.linalg.norm(r)
    if th < 1e-10:
        return np.eye(3)
    k = r / th
    K = np.array([[0, -k[2], k[1]], [k[2], 0, -k[0]], [-k[1], k[0], 0]])
    return np.eye(3) + np.sin(th) * K + (1 - np.cos(th)) * (K @ K)


def bundle(x, n_cams, n_pts, cam_idx, pt_idx, obs):
    cams = x[: n_cams * 6].reshape(n_cams, 6)
    pts = x[n_cams * 6 :].reshape(n_pts, 3)
    P = pts[pt_idx]
    C = cams[cam_idx]
    th = np.linalg.norm(C[:, :3], axis=1)[:, np.newaxis]
    with np.errstate(invalid="ignore"):
        v = np.nan_to_num(C[:, :3] / th)
    dot = np.sum(P * v, axis=1)[:, np.newaxis]
    Pc = np.cos(th) * P + np.sin(th) * np.cross(v, P) + dot * (1 - np.cos(th)) * v + C[:, 3:6]
    proj = -Pc[:, :2] / Pc[:, 2, np.newaxis]
    r2 = np.sum(proj**2, axis=1)
    proj *= (1 + 0.1 * r2 + 0.01 * r2**2)[:, None]
    e = (proj - obs).ravel()
    return np.sum(np.log1p(e**2))


def pnp(x, pts, uv, K):
    R_ = Rotation.from_rotvec(x[:3])
    t = x[3:]
    pc = R_.apply(pts) + t
    uvw = pc @ K.T
    res = uvw[:, :2] / uvw[:, 2:] - uv
    return 0.5 * np.sum(res**2)


def epipolar(x, p1, p2):
    E = np.cross(np.eye(3), x[3:] / np.linalg.norm(x[3:])) @ rodrigues(x[:3])
    h1, h2 = np.c_[p1, np.ones(len(p1))], np.c_[p2, np.ones(len(p2))]
    l2 = h1 @ E.T
    l1 = h2 @ E
    num = np.einsum("ij,ij->i", h2, l2) ** 2
    return np.sum(num / (l2[:, 0] ** 2 + l2[:, 1] ** 2 + l1[:, 0] ** 2 + l1[:, 1] ** 2))


CASES = {
    "filters": (filter_bank, (np.array([8.0, 12, 20, 0.7, 1.2, 1.0]), rng.normal(size=12))),
    "spectrogram": (spectrogram_loss, (rng.normal(size=40),)),
    "dtw": (dtw, (rng.normal(size=6), rng.normal(size=7), 3)),
    "soft_dtw": (soft_dtw, (rng.normal(size=4), rng.normal(size=5))),
    "lpc": (lpc, (rng.normal(size=10),)),
    "warp": (
        warp_affine,
        (np.array([0.98, 0.03, -0.02, 1.01, 0.37, 0.21]), rng.random((6, 7)), rng.random((6, 7))),
    ),
    "canny": (canny_energy, (rng.random(36),)),
    "hough": (
        hough_soft,
        (rng.random(5) + 0.1, [(1.0, 2.0), (0.3, 1.2), (2.1, 0.4), (1.4, 1.4), (0.2, 0.9)]),
    ),
    "tv": (tv_denoise, (rng.random(12), rng.random((3, 4)))),
    "bundle": (
        bundle,
        (
            np.r_[
                rng.normal(size=12) * 0.1 + np.array([0, 0, 0, 0, 0, -5.0] * 2), rng.normal(size=12)
            ],
            2,
            4,
            np.array([0, 0, 0, 0, 1, 1, 1, 1]),
            np.array([0, 1, 2, 3] * 2),
            rng.normal(size=(8, 2)) * 0.1,
        ),
    ),
    "pnp": (
        pnp,
        (
            np.array([0.1, 0.2, -0.1, 0.1, 0.1, 4.0]),
            rng.normal(size=(5, 3)),
            rng.normal(size=(5, 2)),
            np.array([[2.0, 0, 0.5], [0, 2, 0.5], [0, 0, 1]]),
        ),
    ),
    "epipolar": (
        epipolar,
        (
            np.array([0.1, 0.2, -0.1, 0.3, 0.1, 1.0]),
            rng.normal(size=(5, 2)),
            rng.normal(size=(5, 2)),
        ),
    ),
}
