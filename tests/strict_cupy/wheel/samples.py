"""Calls whose shapes, kinds, strides and refusals do not depend on values: CuPy and the double answer them alike.

``{}`` in a call stands for an array of the device, and in further calls for one of the host, a list and a number.
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

__all__ = ["GROUPS", "calls", "context"]


def context(cp: Any, cupyx: Any) -> dict[str, Any]:
    """The names that the calls use, new for each of them."""
    host = np.arange(12.0).reshape(3, 4) + 1
    return {
        "cp": cp, "np": np, "cupyx": cupyx, "h": host, "hv": host[0].copy(), "h0": np.array(2.0), "hi": np.array([0, 1]),
        "L": [1.0, 2.0, 3.0, 4.0], "a": cp.array(host), "f": cp.array(host, order="F"), "v": cp.array(host[0]),
        "s": cp.array(2.0), "i": cp.array([0, 1]), "i0": cp.array(1), "n": cp.array(host.astype("i")),
        "e": cp.array(host.astype("e")), "g": cp.array(host.astype("f")), "z": cp.array(host.astype("D")),
        "b": cp.array(host > 2), "u": cp.array(host.astype("B")), "q": cp.array(np.ones((3, 4, 4))),
    }  # fmt: skip


UNARY = (
    "absolute arccos arccosh arcsin arcsinh arctan arctanh cbrt ceil conj cos cosh deg2rad degrees exp exp2 expm1 fabs "
    "floor isfinite isinf isnan log log10 log1p log2 logical_not negative rad2deg radians reciprocal rint sign signbit "
    "sin sinh sqrt square tan tanh trunc positive modf frexp i0 sinc angle real imag"
).split()
BINARY = (
    "add arctan2 copysign divide divmod equal float_power floor_divide fmax fmin fmod greater greater_equal heaviside "
    "hypot less less_equal logaddexp logaddexp2 logical_and logical_or logical_xor maximum minimum multiply nextafter "
    "not_equal power remainder subtract true_divide"
).split()
SPECIAL = (
    "cbrt digamma ellipk entr erf erfc erfcinv erfcx erfinv exp1 exp10 exp2 expi expit expm1 gamma gammaln i0 i0e i1 i1e j0 j1 "
    "k0 k1 log1p log_expit log_ndtr logit loggamma ndtr ndtri psi rgamma sinc y0 y1 logsumexp softmax log_softmax"
).split()
SPECIAL_OF_TWO = "beta betaln binom boxcox gammainc gammaincc huber kl_div poch rel_entr xlogy xlog1py zeta polygamma".split()
INTEGERS = "bitwise_and bitwise_or bitwise_xor gcd lcm left_shift right_shift".split()

GROUPS: dict[str, list[str]] = {
    "conversions": """np.asarray(a); np.array(a); a.__array__(); range(i0); [1, 2][i0]; a.__array_interface__; hash(a)
        a.foo = 1; bool(a); len(s); iter(s); a.item(); float(a); int(a); a.ctypes; a.resize((2,)); a.setflags(write=False)
        a.flags.writeable; a.strides = (8, 8); a.dtype = 'f'; a.astype(object); cp.array(['a']); cp.array([None])
        cp.zeros(3, object); cp.zeros(3, 'U3'); cp.zeros(3, 'g'); cp.zeros(3, 'M8[s]'); np.from_dlpack(a); round(a)
        a.get(out=a); a.get(out=hv); a.set(hv); a.set(a); a.get(); cp.asnumpy(a); cp.asnumpy(h); a.tolist(); 5.0 in v
        cp.from_dlpack(h); isinstance(a, np.ndarray); a.__array_priority__; a.__dlpack_device__(); a.__array_namespace__()
        np.random.permutation(a); cp.zeros(i0); cp.zeros((i0,)); cp.zeros(np.int64(3)); cp.zeros(-1); a.T; a.mT; a.real
        a.imag; z.real; z.imag; a.base is None; a[0].base is a; a[0][1:].base is a; a.view('i8'); a.flat[0]; a.flags.owndata
        a.flags['C_CONTIGUOUS']; a.reshape(4, 3); a.reshape(4, -1); f.reshape(-1); f.ravel(); f.ravel('K'); f.flatten()
        a.astype('d', copy=False) is a; a.astype('f', order='F'); f.astype('f'); f.copy(); f.copy('F'); a.squeeze()
        a.reduced_view(); a.tobytes(); a.shape = (12,); a.shape = (5,); del a[0]""".split(";"),
    "operands": """cp.add(L, v); cp.add(v, hv); np.add(v, hv); v + hv; hv + v; v + h0; h0 + v; v == h0; v < h0; v == hv; v < hv
        v + np.float64(1); np.float64(1) + v; v + L; v == L; v + None; v == None; v != None; v < None; v + 'a'; v == 'a'
        cp.add(v, None); cp.sin(hv); cp.sin(L); cp.sin(1.0); np.dot(h.T, a); a @ h.T; h.T @ a; np.where(h > 0, a, a)
        np.concatenate([a, h]); cp.concatenate([a, h]); cp.concatenate([L, v]); np.spacing(a); np.vecdot(a, a)
        np.block([[a, a]]); np.insert(a, 0, 1.0); np.linalg.multi_dot([a, a]); np.linalg.svdvals(a); np.nanquantile(a, 0.5)
        np.geomspace(s, 3.0); np.unstack(a); v += hv; hv += v; n += a; a += n; n += 1; n += 1.5; v **= 2; v @ None; divmod(v, 2)
        pow(v, 2, 3); -b; ~b; b - b; b + b; b + 1; b * 1.0; u + 1; u + 1.0; n + 1.0; n / 2; n // 2; g + 1.0; g + np.float64(1)
        g + n; e + 1; e * g; z + a; z < z; z > 1; u - np.int64(1); n ** 2; n ** -1; n ** 0.5; b & 1; a & 1; n << 1; 1 << n
        a.sum(axis=0) + 1; 2 / n; 1j * g; abs(z); cp.maximum(n, 2.5); cp.arctan2(n, n); cp.power(b, b)""".split(";"),
    "out and where": """np.add(a, a, where=h > 0); np.add(a, a, where=b); cp.add(a, a, where=b); np.add(a, a, out=h)
        cp.add(a, a, out=h); np.add(h, h, out=a); np.sum(a, 0, out=hv); np.sum(h, out=a); cp.sum(a, where=b); cp.sum(a, initial=0)
        cp.max(a, initial=0.0); cp.amax(a, where=b); cp.add(a, a, a); cp.add(a, a, out=a); cp.add(a, a, dtype='f'); cp.add(f, f, out=f)
        cp.add(a, a, out=n); cp.add(a, a, out=v); cp.add(v, v, out=a); cp.add(a, a, casting='unsafe'); cp.add(a, a, order='F')
        cp.add(a, a, subok=True); cp.add(a, a, signature='dd->d'); cp.add(a); cp.add(a, a, a, a); cp.divmod(a, 2.0, out=(f, a))
        np.divmod(a, 2.0, out=(f, a)); cp.sum(a, axis=0, out=v); cp.sum(a, out=v); cp.add(a, a, out=(a,)); cp.mean(a, where=b)
        cp.cumsum(v, out=v); cp.exp(v, out=v); cp.exp(v, v); cp.exp(v, hv); cp.add(a, a, dtype='i')""".split(";"),
    "ufunc methods": """np.add.at(v, i, 1.0); np.add.at(v, hi, 1.0); cp.add.at(v, hi, 1.0); cp.add.at(v, [0, 1], 1.0)
        cp.add.at(v, i, np.ones(2)); cp.add.at(v, slice(0, 2), np.ones(2)); np.multiply.at(v, i, 1.0); np.power.at(v, i, 1.0)
        cp.add.at(z, i, 1.0); cp.add.at(z, slice(None), 1.0); cp.subtract.at(v, i, 1.0); cp.subtract.at(n, i, 1)
        cp.maximum.at(v, i, 1.0); cp.maximum.at(e, i, 1.0); cp.add.at(e, i, 1.0); cp.minimum.at(n, i, 1); cp.add.at(u, i, 1)
        cp.bitwise_or.at(n, i, 1); cp.bitwise_or.at(v, i, 1); cupyx.scatter_add(v, i, 1.0); cupyx.scatter_add(z, i, 1.0)
        cupyx.scatter_max(v, i, 1.0); cupyx.scatter_min(e, i, 1.0); cupyx.scatter_max(b, i, True); np.maximum.reduce(v)
        np.minimum.accumulate(v); np.multiply.reduceat(v, i); np.add.reduceat(v, i); np.add.reduceat(v, [0]); np.multiply.outer(v, v)
        np.add.reduce(a); np.add.reduce(a, axis=1, keepdims=True); np.add.reduce(a, axis=None); np.add.reduce(a, initial=0.0)
        np.add.reduce(a, where=True); np.add.accumulate(a, axis=1); np.multiply.reduce(a); np.multiply.accumulate(v)
        np.logical_and.reduce(b); np.subtract.accumulate(v); cp.add.reduce(a, axis=(0, 1)); cp.logical_or.reduce(b)
        cp.add.outer(v, hv); cp.hypot.outer(v, v)""".split(";"),
    "subscripts": """a[0]; a[0, 0]; a[5]; a[-5]; a[0, 0, 0]; a[i0]; a[np.int64(1)]; a[1.0]; a['a']; a[hi]; a[[0, 1]]; a[...]; a[0, 0, ...]
        a[None].shape; a[i]; a[cp.array([7])]; a[0, i]; a[i, i]; a[1:, [0, 1]]; a[:, i]; a[i, None, i].shape; a[i, :, None].shape
        a[(0, 1),]; a[[[0, 1]]]; a[h]; a[cp.array([True] * 2)]; a[::-1]; a[::2, 1:3]; a[i0, i0]; a[[]]; q[0, :, i]; q[:, i, i]; q[i, 0]
        a[0] = h[0]; a[:] = h; a[0] = [1, 2, 3, 4]; a[0] = h0; a[0] = np.float64(1); a[i] = h[:2]; a[i] = [[1.0] * 4] * 2; a[0] = 1
        a[0] = None; a[0] = 'a'; a[0] = 1j; n[0] = 1.5; a[0] = np.ones(1); a[hi] = 1.0; a[0] = cp.ones(3); a[0] = v; a[i0, i0] = 1.0
        a[0, 0] = s; a[0] = z[0]; a[h] = 1.0; a[9] = 1.0; a[:, [0, 0]] = a[:, :2]; a.fill(hv); a.fill(h0); a.fill(a); a.fill(s)
        list(v); [type(x).__name__ for x in a]; sum(v); v.flat[1:3]; a.flat[0] = 1.0""".split(";"),
    "layouts": """f + f; f.T + f.T; -f; f * 2; cp.exp(f); cp.zeros_like(f); cp.ones_like(f); cp.full_like(f, 2.0); cp.empty_like(f.T[:, ::2])
        cp.where(f > 0, f, f); cp.concatenate([f, f]); cp.stack([f, f]); f.clip(0, 1); f.conj(); f[::-1] + 0; cp.broadcast_to(f, (2, 3, 4))
        cp.broadcast_to(f, (2, 3, 4)) + 1; cp.array(f); cp.asarray(f); cp.copy(f); cp.ascontiguousarray(f); cp.cumsum(f, axis=0)
        cp.take(f, i, axis=0); f[i]; f.sum(0); f.sum(keepdims=True); f.mean(0); abs(f); cp.round(f); f // 2; f ** 2; f ** 2.5; cp.nan_to_num(f)
        cp.outer(f, f); cp.roll(f, 1, 0); cp.flip(f, 0); cp.tile(f, 2); cp.repeat(f, 2, 0); cp.diff(f); cp.tril(f); cp.diag(f); cp.trace(f)
        cp.kron(f, f); cp.moveaxis(f, 0, 1); cp.expand_dims(f, 0); cp.squeeze(f); cp.rot90(f); cp.swapaxes(f, 0, 1); cp.transpose(f)
        cp.permute_dims(f, (1, 0)); cp.atleast_2d(f); cp.broadcast_arrays(f, v); cp.split(f, [1], 0); cp.array_split(f, 2)
        cp.astype(f, 'f'); cp.vstack([f, f]); cp.hstack([f, f]); cp.dstack([f, f]); cp.column_stack([f, f]); f.diagonal(); f.T
        cp.pad(f, 1); cp.meshgrid(cp.arange(2), cp.arange(3)); cp.gradient(v); cp.cross(f[:, :3], f[:, :3]); f.repeat(2); f.take(i)
        cp.einsum('ij,ij->ij', f, f); cp.einsum('ij->i', f); cp.einsum('ij->ji', f); cp.require(f); cp.append(f, 1.0); cp.rollaxis(f, 1)
        cp.resize(f, (2, 2)); cp.concatenate([f, f], axis=None); cp.take_along_axis(f, cp.zeros((1, 4), int), 0); cp.triu(f)""".split(";"),
    "results": """np.sum(a); cp.sum(n); cp.sum(b); cp.sum(e); cp.sum(u); cp.mean(n); cp.mean(e); cp.mean(b); cp.prod(n); cp.var(g); cp.std(a, ddof=1)
        cp.max(a, axis=0); cp.argmax(a); cp.argmin(a, axis=1); cp.any(a); cp.all(a, axis=0); cp.cumsum(a); cp.cumprod(n, axis=0); cp.ptp(a)
        cp.count_nonzero(a); cp.nansum(a); cp.nanmean(a); cp.average(a); cp.allclose(a, a); cp.array_equal(a, a); cp.isclose(a, a)
        cp.size(a); cp.shape(a); cp.ndim(a); cp.isscalar(a); cp.iscomplexobj(a); cp.result_type(a, 1.0); cp.result_type(g, 1.0)
        cp.may_share_memory(f, f.T); cp.linalg.norm(a); cp.linalg.norm(a, axis=0); cp.linalg.norm(v, 1); cp.trapezoid(a); cp.digitize(a, v)
        cp.interp(v, v, v); cp.searchsorted(v, v); cp.polyval(v, a); cp.select([b], [a]); cp.sinc(a); cp.real(z); cp.imag(z); cp.angle(z)
        cp.clip(a, 0, 1); cp.clip(a, 0.0, None); cp.fix(a); cp.unwrap(v); cp.ediff1d(v); cp.nanmax(a); cp.isreal(z); cp.isneginf(a)
        cp.linspace(0, 1, 5); cp.linspace(0, 1, 5, dtype='f'); cp.arange(5); cp.arange(0.0, 1.0, 0.3); cp.arange(3, dtype='f'); cp.eye(3)
        cp.identity(3); cp.tri(3); cp.full((2,), 1); cp.full((2,), 1.5, 'f'); cp.full((2,), s); cp.full((2,), hv); cp.ones(3); cp.empty((2, 3), 'f', 'F')
        cp.array(1.0); cp.array([1, 2]); cp.array([s, s]); cp.array([v, v]); cp.array([s, 1.0]); cp.asarray([v, v]); cp.array(h, dtype='f')
        cp.array(h.T.copy().T); cp.asarray(1); cp.indices((2, 3)); cp.ix_([0, 1], [0]); cp.logspace(0, 1, 3); cp.vander(v); cp.hanning(5)
        np.zeros(2, like=a); np.ones(2, like=a); np.full(2, 1.0, like=a); np.eye(3, like=a); np.arange(3, like=a); np.empty(3, like=a)
        np.array([1.0], like=a); np.zeros_like(a); np.full_like(a, 1.0); np.clip(a, 0, 1); np.linspace(s, 1.0, 3); np.copyto(a, h)
        np.copyto(a, 1.0); np.copyto(a, a); np.shape(a); np.ndim(a); np.size(a); np.iscomplexobj(a); np.broadcast_to(a, (2, 3, 4))
        np.result_type(a, g); np.mean(a, axis=0); np.linalg.norm(a); np.round(a, 1); np.moveaxis(a, 0, 1); np.may_share_memory(a, f)
        cp.where(True, a, a); cp.where(b, 1.0, a); cp.where(b, a, np.float64(1)); cp.where(b, a, h); cp.where(b, n, 1.5); cp.where(b, g, 1.5)
        cp.dot(a, 2.0); cp.choose(i, [v, v]); cp.ascontiguousarray(1.0); cp.sum(a, axis=5); cp.stack([a, v]); cp.concatenate([a, v])
        cp.nonexistent; cp.linalg.svdvals; cp.block; cp.insert; cp.linalg.qr(a, 'economic'); cp.linalg.inv(a); cp.linalg.solve(h, h)
        cp.linalg.inv(e[:, :3]); cp.linalg.inv(v); cp.linalg.solve(a[:, :3], q); cp.linalg.solve(q[:, :, :], v); cp.linalg.solve(a[:, :3], s)
        cp.linalg.lstsq(a, v); cp.linalg.lstsq(q, v); cp.linalg.eigh(a[:, :3], 'X'); cp.linalg.eig(a); cp.linalg.det(a); cp.linalg.slogdet(v)
        cp.linalg.pinv(v); cp.linalg.svd(e); cp.linalg.matrix_power(a, 2); cp.linalg.tensorinv(a, 0); cp.linalg.qr(v); cp.linalg.qr(a, 'foo')
        cp.linalg.eigh(v); cp.linalg.cholesky(hv); cp.linalg.svd(v); a.sum(axis=0, where=b); a.max(initial=0)
        cp.fft.fft(h, foo=1); cp.random.seed(1, 2); cupyx.errstate(divide='ignore').__enter__(); cp.errstate; cp.seterr""".split(";"),
    "promotion": """u < 300; u == -1; u != 300; n >= 2**40; n == 2**70; u > np.int64(-1); b == 1; b < 2; g == 1; g < 1e300; u[0] = 300; n[0] = 2**40; u[i] = 300; cp.full(2, 300, 'B'); cp.full_like(u, 300)
        cp.array(300, 'B'); cp.array([300], 'B'); cp.asarray(-1, 'I'); u.fill(-1); cp.isin; cp.copyto(u, 300); s + g; g + s; s * n; i0 + u; u + i0; b + i0; b + 1.5; b * 1j; u + 300; u + -1; u * 2.5; u // 2; u / 2; n + 2**40; n + np.int64(1); n + np.int8(1)
        g + np.float32(1); g + np.float64(1); g * np.complex64(1); e + np.float32(1); e + 1e10; e * 1j; g + 1e300; u + np.uint16(1); u + np.int16(1); n + True; u + True; b + True; b + b
        b * b; b / b; b // b; b ** 2; b % b; u - u; -u; abs(u); u ** 2; u ** u; u << 1; ~u; n % 3; n % 2.5; 3 % n; n // 2.5; 2 ** n; 2.5 ** n; n ** 2.5; 2 ** g; n / n; n // n
        g // 2; e // 2; z ** 2; z / 2; z // 2; z % 2; z * g; z + n; cp.add(n, g); cp.add(n, e); cp.add(u, e); cp.maximum(u, -1); cp.where(b, u, 300); cp.where(b, u, -1)
        cp.where(b, e, 1e10); cp.where(b, n, g); cp.where(b, n, e); cp.concatenate([n, g]); cp.concatenate([u, e]); cp.stack([b, n]); cp.result_type(u, 300); cp.result_type(u, -1)
        cp.result_type(n, g); cp.clip(u, 0, 300); cp.clip(n, 0.5, 1.5); cp.clip(g, 0, 1); cp.clip(g, 0.0, np.float64(1)); cp.power(g, 2); cp.power(n, 2.5); cp.sqrt(u); cp.sqrt(n)
        cp.exp(b); cp.exp(u); cp.sin(n); cp.sum(g, dtype='d'); cp.sum(u, dtype='B'); cp.mean(g, dtype='d'); cp.mean(u); cp.var(n); cp.std(e); cp.cumsum(b); cp.cumsum(u); cp.cumsum(g)
        cp.prod(b); cp.prod(u); cp.max(u); cp.average(g); cp.average(n); cp.average(g, weights=a); cp.diff(b); cp.diff(u); cp.outer(n, g); cp.logaddexp(n, n); cp.hypot(u, u); cp.arctan2(u, g)
        cp.full(3, 1, 'f'); cp.full_like(g, 1); cp.zeros_like(n, dtype='f'); cp.ones_like(b); cp.linspace(0, 1, 3, dtype='i'); cp.arange(3.0); cp.arange(cp.float32(3)); cp.arange(3, dtype='e')
        cp.array([1, 2.5]); cp.array([True]); cp.array([1, 2j]); cp.array(1, 'f'); cp.array(np.float32(1)); cp.array(h, 'i'); cp.asarray(g, 'd'); g.astype('i'); z.astype('f'); b.astype('f')
        cp.sum(e, dtype='f'); cp.nanmean(e); cp.nanvar(g); cp.interp(g[0], g[0], g[0]); cp.trapezoid(g); cp.trapezoid(n); cp.gradient(g[0]); cp.gradient(n[0]); cp.digitize(g, v); cp.polyval(g[0], n)
        g += a; n += g; u += 300; n //= 2; n /= 2; g **= 2; b |= b; b += 1; u += n; e += a; z += a; a += z; n <<= 1; u -= 1; g *= 1j; cp.add(g, g, out=a); cp.add(a, a, out=g); cp.add(n, n, out=g)
        cp.add(g, g, out=n); cp.exp(n, out=g); cp.exp(a, out=g); cp.sum(a, axis=0, out=g[0]); cp.sum(g, axis=0, out=v); cp.mean(a, axis=0, out=n[0])""".split(";"),
    "kernels": """cp.ElementwiseKernel('T x', 'T y', 'y = x')(a); cp.ElementwiseKernel('T x', 'T y', 'y = x')(f); cp.ElementwiseKernel('T x', 'float32 y', 'y = x')(a)
        cp.ElementwiseKernel('T x, S y', 'S z', 'z = x')(n, v); cp.ElementwiseKernel('T x, T y', 'T z', 'z = x')(n, v)
        cp.ElementwiseKernel('T x, T y', 'T z', 'z = x')(g, 2.0); cp.ElementwiseKernel('T x, T y', 'T z', 'z = x')(n, 2.5); cp.ElementwiseKernel('T x, S y', 'S z', 'z = x')(n, 2.5)
        cp.ElementwiseKernel('T x, S y', 'S z', 'z = x')(g, 2); cp.ElementwiseKernel('T x, T y', 'T z', 'z = x')(g, np.float64(2)); cp.ElementwiseKernel('T x, S y', 'S z', 'z = x')(g, np.float32(2))
        cp.ElementwiseKernel('float32 x', 'T y', 'y = x')(a); cp.ElementwiseKernel('float32 x', 'float32 y', 'y = x')(a); cp.ElementwiseKernel('double x', 'T y', 'y = x')
        cp.ElementwiseKernel('x', 'T y', 'y = x'); cp.ElementwiseKernel('T i', 'T y', 'y = i'); cp.ElementwiseKernel('T x', 'T y', 'y = x', 'a b'); cp.ElementwiseKernel('foo T x', 'T y', 'y = x')
        cp.ElementwiseKernel('T x', 'T y', 'y = x')(h); cp.ElementwiseKernel('T x', 'T y', 'y = x')(L); cp.ElementwiseKernel('T x', 'T y', 'y = x')(2.0); cp.ElementwiseKernel('T x', 'T y', 'y = x')(a, a, a)
        cp.ElementwiseKernel('T x', 'T y', 'y = x')(a, foo=1); cp.ElementwiseKernel('raw T x', 'T y', 'y = x[i]')(a); cp.ElementwiseKernel('raw T x', 'T y', 'y = x[i]')(a, size=5)
        cp.ElementwiseKernel('T x', 'T y', 'y = x')(a, size=5); cp.ElementwiseKernel('T x', 'raw T y', 'y[i] = x')(a); cp.ElementwiseKernel('T x', 'T y', 'y = x')(a, v); cp.ElementwiseKernel('T x', 'T y', 'y = x')(a, g)
        cp.ElementwiseKernel('T x', 'T y, T z', 'y = z = x')(a); cp.ElementwiseKernel('T x', 'T y', 'y = x', no_return=True)(a, a); cp.ElementwiseKernel('T x', 'T y', 'y = x', return_tuple=True)(a)
        cp.ElementwiseKernel('T x', 'T y', 'y = x')(v, out=v); cp.ElementwiseKernel('T x', 'T y', 'y = x')(v, h); cp.ElementwiseKernel('T x', 'T y', 'y = x')(v[:0]); cp.ElementwiseKernel('T x, T y', 'T z', 'z = x')(a, v)
        cp.ElementwiseKernel('T x', 'T y', 'y = x')(a, block_size=0); cp.ElementwiseKernel('T x', 'S y', 'y = x')(a); cp.ElementwiseKernel('T x', 'S y', 'y = x')(a, g)
        cp.ReductionKernel('T x', 'T y', 'x', 'a + b', 'y = a', '0')(a); cp.ReductionKernel('T x', 'T y', 'x', 'a + b', 'y = a', '0')(f, axis=1); cp.ReductionKernel('T x', 'T y', 'x', 'a + b', 'y = a', '0')(a, axis=(0, 1), keepdims=True)
        cp.ReductionKernel('T x', 'T y', 'x', 'a + b', 'y = a', '0')(h); cp.ReductionKernel('T x', 'T y', 'x', 'a + b', 'y = a', '0')(a, axis=5); cp.ReductionKernel('T x, T y', 'T z', 'x * y', 'a + b', 'z = a', '0')(a, v, axis=1)
        cp.ReductionKernel('T x', 'T y', 'x', 'a + b', 'y = a', '0')(a, foo=1); cp.ReductionKernel('T x', 'T y', 'x', 'a + b', 'y = a', None)(v[:0]); cp.ReductionKernel('T x', 'T y', 'x', 'a + b', 'y = a', '0')(v[:0])
        cp.ReductionKernel('T x', 'float32 y', 'x', 'a + b', 'y = a', '0')(a); cp.ReductionKernel('T x', 'T y', 'x', 'a + b', 'y = a', '0')(a, axis=0, out=v); cp.ReductionKernel('T x', 'T y', 'x', 'a + b', 'y = a', '0')(a, out=v)
        cp.ReductionKernel('T x', 'T y', 'x', 'a + b', 'y = a', '0')(a, a, a); cp.ReductionKernel('T x', 'T y', 'x', 'a + b', 'y = a', '0')(n)""".split(";"),
    "further functions": """cp.apply_along_axis(lambda row: row.sum(), 0, a); cp.array2string(v); cp.array_repr(v); cp.array_str(v); cp.array_equiv(v, v)
        cp.asanyarray(v); cp.atleast_3d(v); cp.bartlett(5); cp.bitwise_count(n)
        cp.blackman(5); cp.can_cast('f', 'd'); cp.common_type(a, g); cp.conjugate(z); cp.cumulative_sum(v); cp.cumulative_prod(v)
        cp.cumulative_sum(a); cp.cumulative_sum(a, axis=0, include_initial=True); cp.diag_indices(2); cp.diagflat(v); cp.dsplit(q, 2)
        cp.hsplit(a, 2); cp.vsplit(a, 3); cp.fill_diagonal(a, 1.0); cp.fill_diagonal(a, v); cp.flipud(a); cp.hamming(5); cp.invert(b); cp.isfortran(a)
        cp.isposinf(a); cp.isrealobj(z); cp.kaiser(5, 2.0); cp.ldexp(a, cp.array(1)); cp.matrix_transpose(q); cp.min_scalar_type(3); cp.mod(a, 2)
        cp.nanargmax(a); cp.nanargmin(a, axis=0); cp.nancumprod(v); cp.nancumsum(v); cp.nanmin(a); cp.nanmax(a, axis=0); cp.nanprod(v); cp.nanstd(a)
        cp.nanvar(a, axis=0); cp.packbits(b); cp.unpackbits(u[0]); cp.piecewise(a, [b], [1.0, 2.0]); cp.polyadd(v, v); cp.polysub(v, v)
        cp.product(v); cp.promote_types('f', 'd'); cp.put(v, i, 1.0); cp.put(v, [0], [1.0]); cp.put_along_axis(a, cp.zeros((1, 4), int), 1.0, 0)
        cp.putmask(a, b, a); cp.ravel_multi_index((i, i), (3, 4)); cp.unravel_index(i, (3, 4)); cp.round_(a, 1); cp.row_stack([v, v])
        cp.sometrue(b); cp.alltrue(b); cp.trapz(v); cp.tensordot(a, h); cp.vdot(v, hv); cp.inner(v, hv); cp.dot(v, hv);
        cp.split(a, cp.array([1])); cp.roll(v, i0); cp.tile(v, i0); a.sum(axis=i0); cp.expand_dims(v, i0); cp.swapaxes(a, i0, 0); cp.moveaxis(a, i0, 0)
        cp.reshape(v, (i0, -1)); a.reshape(i0, -1); cp.broadcast_to(v, (i0, 4)); cp.full((i0,), 1.0); cp.arange(i0); cp.linspace(0, 1, i0); cp.eye(i0)
        cp.clip(a, v, None); cp.clip(a, None, hv); cp.linspace(v, v, 3); cp.cumsum(a, axis=i0); cp.concatenate([v, v], axis=i0)
        cp.rot90(a, 2); cp.average(v, weights=v); cp.average(v, weights=hv); cp.var(v, ddof=s); cp.std(z); cp.mean(z); cp.prod(z); cp.max(z); cp.nansum(z)
        cp.linalg.norm(z); cp.linalg.norm(a, 1); cp.linalg.norm(a, np.inf); cp.linalg.norm(a, 'fro', keepdims=True); cp.linalg.norm(q); cp.linalg.norm(v, 3)
        cp.digitize(a, hv); cp.diff(a, 2); cp.diff(v, prepend=0.0); cp.diff(v, prepend=v); cp.ediff1d(v, to_begin=0.0); cp.gradient(a); cp.gradient(v, 2.0)
        cp.trapezoid(v, dx=2.0); cp.trapezoid(v, v); cp.select([b, b], [a, 2.0]); cp.select([h > 1], [a]); cp.where(b, v, 0); cp.copyto(a, v); cp.copyto(a, 1.0, where=b)
        cp.copyto(n, a); cp.meshgrid(v, v, indexing='ij'); cp.meshgrid(hv, v); cp.pad(a, ((1, 0), (0, 2))); cp.pad(a, 1, 'edge'); cp.pad(a, 1, 'reflect')
        cp.pad(a, 1, constant_values=2.0); cp.stack([a, a], axis=-1); cp.einsum('ij,j', a, hv); cp.einsum('ij', h); cp.tri(3, 4, 1); cp.vander(v, 3)
        cp.searchsorted(v, 1.0); cp.searchsorted(v, v, side='right'); cp.isin(v, hv); cp.interp(v, v, hv)
        cp.interp(s, v, v); cp.digitize(s, v); cp.polyval(v, 2.0); cp.polyval([1.0, 2.0], v); cp.unwrap(a, axis=0); cp.heaviside(v, hv); cp.ix_(i, i)""".split(";"),
}  # fmt: skip

FUNCTIONS = (
    "sum prod mean var std max min amax amin any all argmax argmin cumsum cumprod nansum nanmean count_nonzero ravel trace "
    "squeeze transpose atleast_1d flip fliplr tril triu diff round around clip0 copy isclose0 nan_to_num real imag angle fix "
    "sinc i0 average ptp diagonal diag expand_dims0 moveaxis0 roll0 tile0 repeat0 broadcast_to0 reshape0 swapaxes0 outer0 "
    "concatenate0 stack0 vstack0 take0 searchsorted0 interp0 isreal iscomplex ndim shape size linalg.norm zeros_like ones_like "
    "full_like0 ascontiguousarray asfortranarray pad0 array_equal0 allclose0 trapezoid nonzero flatnonzero gradient"
).split()
EXTRA = {
    "clip0": "cp.clip({}, 0, 1)", "isclose0": "cp.isclose(v, {})", "expand_dims0": "cp.expand_dims({}, 0)",
    "moveaxis0": "cp.moveaxis({}, 0, -1)", "roll0": "cp.roll({}, 1)", "tile0": "cp.tile({}, 2)", "repeat0": "cp.repeat({}, 2)",
    "broadcast_to0": "cp.broadcast_to({}, (2, 4))", "reshape0": "cp.reshape({}, (2, 2))", "swapaxes0": "cp.swapaxes({}, 0, 0)",
    "outer0": "cp.outer(v, {})", "concatenate0": "cp.concatenate([v, {}])", "stack0": "cp.stack([v, {}])",
    "vstack0": "cp.vstack([v, {}])", "take0": "cp.take({}, i)", "searchsorted0": "cp.searchsorted(v, {})",
    "interp0": "cp.interp({}, v, v)", "full_like0": "cp.full_like({}, 1.0)", "pad0": "cp.pad({}, 1)",
    "array_equal0": "cp.array_equal(v, {})", "allclose0": "cp.allclose({}, v)",
}  # fmt: skip
OTHERS = ("v", "hv", "L", "1.5")
SYNCHRONISES = ("nonzero", "flatnonzero")  # shapes follow from values
KINDS = "bunegaz"


def calls() -> list[str]:
    """All of them, each once."""
    made = [
        call.strip() for group in GROUPS.values() for text in group for call in text.split("\n")
    ]
    for name in FUNCTIONS:
        pattern = EXTRA.get(name, f"cp.{name}({{}})")
        made += [pattern.format(one) for one in OTHERS[name in SYNCHRONISES :]]
    made += [f"cp.{name}({kind})" for name, kind in itertools.product(UNARY, KINDS)]
    pairs = (
        "bb",
        "bn",
        "un",
        "ng",
        "na",
        "eg",
        "gz",
        "aa",
        "n2",
        "u2",
        "b2",
        "g2.5",
        "n2.5",
        "u2.5",
        "e2.5",
    )
    made += [
        f"cp.{name}({pair[0]}, {pair[1:]})"
        for name, pair in itertools.product(BINARY + INTEGERS, pairs)
    ]
    made += [
        f"cupyx.scipy.special.{call}({kind})" for call, kind in itertools.product(SPECIAL, "nega")
    ]
    made += [
        f"cupyx.scipy.special.{call}({kind}, {kind})"
        for call, kind in itertools.product(SPECIAL_OF_TWO, "nga")
    ]
    return list(dict.fromkeys(call for call in made if call))
