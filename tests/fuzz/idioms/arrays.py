"""Idioms of NumPy: writes, views, masks, reductions, products, sorting, windows."""

from __future__ import annotations

__all__ = ["IDIOMS"]

# A line "== name: inputs -> output" begins an idiom.  v: a vector of n numbers, m: a matrix of n by n,
# s: a number.  {a} {b} {c}: inputs, {o}: the output, {t} {u} {w}: names of its own, {k} {l}: constants, {i} {j}: indices.
IDIOMS = """
== reversed ravel: v -> v
{o} = ({k} * {a})[::-1].ravel()
{o}[{i}] = {l}
== transposed ravel: m -> v
{t} = {a}.copy().T.ravel()
{t}[{i}] = {k} * {t}[{j}]
{o} = {t}[:len({a})]
== column view: m -> v
{t} = 1.0 * {a}
{u} = {t}[:, {i}]
{u} *= {k}
{o} = {t}[{j}] + {u}
== row swap: m -> m
{o} = {a}.copy()
{o}[[{i}, {j}]] = {o}[[{j}, {i}]]
== diagonal shift: m -> m
{o} = {a}.copy()
np.fill_diagonal({o}, np.diag({a}) + {k})
== strided write: v -> v
{o} = np.zeros_like({a})
{o}[::2] = {a}[::2] ** 2
{o}[1::2] = {k} * {a}[1::2]
== mask write: v -> v
{o} = {a} * 1.0
{o}[{o} > {k}] *= {l}
== mask from another: v v -> v
{o} = {a}.copy()
{t} = {b} > {k}
{o}[{t}] = {b}[{t}] - {l}
== where twice: v -> v
{o} = np.where({a} > {k}, {a} ** 2, np.where({a} < {l}, -{a}, 0.5 * {a}))
== clip and scale: v -> v
{o} = np.clip({a}, -1.3, 1.1) * {k}
== normalise: v -> v
{t} = np.sqrt(np.sum({a} ** 2) + 1.0)
{o} = {a} / {t}
== softmax: v -> v
{t} = np.exp({a} - np.max({a}))
{o} = {t} / np.sum({t})
== log sum exp: v -> s
{t} = np.max({a})
{o} = {t} + np.log(np.sum(np.exp({a} - {t})))
== standardise: v -> v
{o} = ({a} - {a}.mean()) / np.sqrt({a}.var() + 0.5)
== cosine: v v -> s
{o} = ({a} @ {b}) / np.sqrt(({a} @ {a} + 0.7) * ({b} @ {b} + 0.7))
== pairwise distances: v -> m
{t} = {a}[:, None] - {a}[None, :]
{o} = np.sqrt({t} ** 2 + 0.3)
== outer: v v -> m
{o} = np.outer({a}, {b}) * {k}
== einsum quadratic: m v -> s
{o} = np.einsum("i,ij,j->", {b}, {a}, {b}) * {k}
== einsum row: m v -> v
{o} = np.einsum("ij,j->i", {a}, {b})
== matmul chain: m m -> m
{o} = np.tanh({a} @ {b}.T) + {k}
== gram: m -> m
{o} = {a}.T @ {a} / len({a})
== solve: m v -> v
{o} = np.linalg.solve({a} @ {a}.T + 2.0 * np.eye(len({a})), {b})
== inverse trace: m -> s
{o} = np.trace(np.linalg.inv({a} @ {a}.T + 2.0 * np.eye(len({a}))))
== log det: m -> s
{o} = np.linalg.slogdet({a} @ {a}.T + 2.0 * np.eye(len({a})))[1]
== cholesky: m -> m
{t} = {a} @ {a}.T + 2.0 * np.eye(len({a}))
{o} = np.linalg.cholesky(({t} + {t}.T) / 2)
== norm of rows: m -> v
{o} = np.linalg.norm({a} + {k} * np.eye(len({a})), axis=1)
== reduce with out: v -> v
{t} = np.empty(len({a}))
np.multiply({a}, {k}, out={t})
np.add({t}, {a}, out={t})
{o} = {t}
== at: v -> v
{o} = np.zeros(len({a}))
np.add.at({o}, np.array([{i}, {j}, {i}]), {a}[:3] if len({a}) >= 3 else {a}[0])
== bincount: v -> v
{t} = np.arange(len({a})) % 2
{o} = np.bincount({t}, weights={a}, minlength=len({a}))
== sort: v -> v
{o} = np.sort({a}) * np.arange(1.0, len({a}) + 1)
== argsort gather: v v -> v
{t} = np.argsort({a})
{o} = {b}[{t}] * {k}
== sort in place: v -> v
{o} = {a} * {k}
{o}.sort()
{o} = {o} * np.linspace(0.1, 1.0, len({o}))
== partition: v -> s
{t} = np.sort({a})[::-1]
{o} = {t}[0] - {k} * {t}[-1]
== median: v -> s
{o} = np.median({a}) * {k}
== quantile: v -> s
{o} = np.quantile({a}, 0.3)
== cumulative: v -> v
{o} = np.cumsum({a}) / len({a})
== running product: v -> v
{o} = np.cumprod(1.0 + 0.2 * np.tanh({a}))
== differences: v -> v
{o} = np.append(np.diff({a}), {k} * {a}[{i}])
== trapezoid: v -> s
{o} = np.trapezoid({a} ** 2, dx=0.25)
== moving average: v -> v
{t} = np.concatenate([[{k}], {a}, [{l}]])
{o} = ({t}[:-2] + {t}[1:-1] + {t}[2:]) / 3
== laplacian in place: v -> v
{o} = {a}.copy()
{o}[1:-1] += {k} * ({a}[2:] - 2 * {a}[1:-1] + {a}[:-2])
== convolve: v v -> v
{o} = np.convolve({a}, {b}, mode="same")
== roll: v -> v
{o} = np.roll({a}, {i}) + {k} * {a}
== gradient: v -> v
{o} = np.gradient({a}, 0.5)
== interp: v -> v
{o} = np.interp(np.tanh({a}), np.linspace(-1.5, 1.5, len({a})), {a})
== stack and mean: v v -> v
{o} = np.mean(np.stack([{a}, {k} * {b}, {a} * {b}]), axis=0)
== vstack sum: v v -> v
{t} = np.vstack(({a}, {b}))
{t}[0] *= {k}
{o} = {t}.sum(axis=0)
== split: v -> v
{t}, {u} = np.split({a}, [1])
{o} = np.concatenate(({u} * {k}, {t}))
== pad: v -> v
{o} = np.pad({a}, (1, 0), mode="edge")[:-1] - {k}
== tile: v -> m
{o} = np.tile({a}, (len({a}), 1)) * np.arange(1, len({a}) + 1)[:, None] / 4
== repeat: v -> v
{o} = np.repeat({a}, 2)[::2] * {k}
== broadcast to: v -> m
{o} = np.broadcast_to({a}, (len({a}), len({a}))) + {k}
== meshgrid: v -> m
{t}, {u} = np.meshgrid({a}, {k} * {a})
{o} = np.sin({t}) * {u}
== triu: m -> m
{o} = np.triu({a}, 1) - {k} * np.tril({a})
== diag build: v -> m
{o} = np.diag({a}) + {k}
== swapaxes: m -> m
{o} = np.swapaxes({a}, 0, 1)[::-1] * {k}
== reshape write: m -> m
{o} = {a} * 1.0
{t} = {o}.reshape(-1)
{t}[{i}] = {k}
{t}[-1] += {t}[{j}]
== flat index: m -> m
{o} = {a}.copy()
{o}.flat[{i}] = {k} * {a}[0, 0]
== ellipsis: m -> m
{o} = {a} + 0.0
{o}[..., {i}] = {k} * {o}[..., {j}]
== new axis: v -> m
{o} = {a}[..., np.newaxis] * {a}[np.newaxis] - {k}
== rotation entries: s -> m
{o} = np.eye(4) * {k}
{t} = np.sin({a})
{o}[..., 1, 2] = 2 * {t}
{o}[..., 2, 1] = {t}
{o} = {o}[:SIZE, :SIZE]
== fancy rows: m -> m
{o} = {a}[np.array([{i}, {j}, *range(len({a}) - 2)])] * {k}
== take along: m -> m
{t} = np.argsort({a}, axis=1)
{o} = np.take_along_axis({a}, {t}, axis=1) - {k}
== choose max rows: m -> v
{o} = np.max({a}, axis=1) - np.min({a}, axis=0)
== ptp: v -> s
{o} = np.ptp({a}) + {k}
== nan guarded: v -> v
{t} = np.where({a} > 0, {a}, np.nan)
{o} = np.nan_to_num({t}) * {k} + {a}
== nansum: v -> s
{t} = np.where({a} > {k}, {a}, np.nan)
{o} = np.nansum({t} ** 2)
== masked mean: v -> s
{t} = {a} > {k}
{o} = np.sum({a} * {t}) / max(np.sum({t}), 1)
== safe divide: v v -> v
{o} = np.divide({a}, {b}, out=np.zeros_like({a}), where=np.abs({b}) > 0.05)
== fft power: v -> v
{o} = np.abs(np.fft.fft({a})) / len({a})
== fft filter: v -> v
{t} = np.fft.rfft({a})
{t}[-1] = 0.5 * {t}[-1]
{o} = np.fft.irfft({t}, n=len({a}))
== complex phase: v -> v
{t} = {a} * np.exp(1j * {k} * {a})
{o} = {t}.real + {l} * {t}.imag
== complex write: v -> v
{t} = np.zeros(len({a}), dtype=complex)
{t}.real = {a}
{t}.imag[1:] = {k} * {a}[1:]
{o} = np.abs({t} + {l}) ** 2
== polynomial: v -> v
{o} = np.polyval([{k}, {l}, 0.3], np.tanh({a}))
== hypot: v v -> v
{o} = np.hypot({a}, {b}) + np.arctan2({a}, 1.5 + {b} ** 2)
== logaddexp: v v -> v
{o} = np.logaddexp({a}, {k} * {b})
== minimum chain: v v -> v
{o} = np.minimum(np.maximum({a}, {b}), {k} + 0.5 * {a})
== sign and abs: v -> v
{o} = np.sign({a}) * np.sqrt(np.abs({a}) + 0.1)
== power: v -> v
{o} = (1.1 + np.tanh({a})) ** (1.0 + {k} ** 2)
== tensordot: m m -> m
{o} = np.tensordot({a}, {b}, axes=([1], [0])) / len({a})
== kron trace: m -> s
{o} = np.trace(np.kron({a}[:2, :2], {a}[:2, :2])) * {k}
== vdot: m m -> s
{o} = np.vdot({a}, {b}) * {k}
== apply along: m -> v
{o} = np.array([np.prod(1.0 + 0.1 * row) for row in {a}])
== select: v -> v
{o} = np.select([{a} > {k}, {a} < {l}], [{a} ** 2, -{a}], default=0.3 * {a})
== count based: v -> s
{o} = {a}.sum() / (1 + np.count_nonzero({a} > {k}))
== searchsorted: v -> v
{t} = np.searchsorted(np.linspace(-1, 1, len({a})), np.tanh({a}))
{o} = {a} * (1 + np.minimum({t}, len({a}) - 1))
== item: v -> s
{o} = {a}[{i}].item() * {k} if hasattr({a}[{i}], "item") else {a}[{i}]
== float of sum: v -> s
{o} = float(np.sum({a})) * {k}
== in-place chain: v v -> v
{o} = np.zeros_like({a})
{o} += {a}
{o} *= {b}
{o} -= {k}
{o} /= 1.5
== shared views: v -> v
{t} = 2.0 * {a}
{u}, {w} = {t}[1:], {t}[:-1]
{w} *= {k}
{o} = np.append({u}, {t}[0])
== view of view: m -> v
{t} = {a} * 1.0
{u} = {t}.T[{i}]
{u}[1:] += {u}[:-1].copy()
{o} = {t}.sum(axis=1)
== copy of slice: v -> v
{t} = {a} * {k}
{u} = {t}[1:].copy()
{t}[:] = {l}
{o} = np.append({u}, {t}[0] + {a}[0])
== diag view: m -> v
{o} = np.diagonal({a}) * {k} + {a}[0]
== real part view: v -> v
{t} = ({a} + 1j * {k}).real.ravel()
{t}[{i}] = {l}
{o} = {t}
== augmented in a loop: v v -> v
{o} = {a}.copy()
for {t} in range(3):
    {o} += 0.1 * {b} * {o}[::-1]
    if {t} == 1:
        {o} *= {k}
== view augmented in a loop: m -> v
{t} = {a} * 1.0
{o} = {t}[:, {i}]
for {u} in range(2):
    {o} -= 0.3 * ({t}[:, {j}] @ {o}) * {t}[:, {j}]
== out to its own name in a loop: v -> v
{o} = np.zeros_like({a})
for {t} in range(3):
    {o} = np.add({o}, {t} * {a}, out={o})
== array or its copy: v s -> v
{t} = {a} * {k}
{o} = {t} if {b} > {l} else {t}.copy()
{o}[{i}] = {b}
{o} = {o} + {t}
== one of two arrays in a loop: v v -> v
{t}, {u} = {a} * {k}, {b} * 1.0
{o} = {t} if {a}[{i}] > {l} else {u}
for {w} in range(2):
    {o}[{w}] += 0.5 * {t}[{j}]
    {u}[{i}] *= {o}[{w}]
{o} = {o} + {t} * {u}
== part of one or another: m -> v
{t} = {a} * 1.0
{u} = {t}[{i}] if {a}[0, 0] > {k} else {t}[:, {j}].copy()
{u} *= {l}
{o} = {u} + {t}[{j}]
== copied in a branch: v -> v
{o} = {a} * {k}
{t} = {o}
if {a}[{i}] > {l}:
    {o} = {o}.copy()
{o}[{j}] = 2.0
{o} = {o} * {t}
== bound in one branch: v -> v
if {a}[{i}] > {k}:
    {t} = {a} * {l}
    {u} = {t}[::-1]
{o} = 1.0 * {a}
if {a}[{i}] > {k}:
    {o} = {o} + {t} * {u}
== bound in both branches of two: v s -> v
if {b} > {k}:
    {t} = {a} * {l}
if {b} <= {k}:
    {t} = {a} + {b}
{o} = {t} * 1.0
== factors apart: m -> v
{t}, {u}, {w} = np.linalg.svd({a} + 3.0 * np.eye(len({a})))
{u}[{u} < 0.5] *= {k}
{o} = {u} + {u}[{i}]
== grids written: v v -> m
{t}, {u} = np.meshgrid({a}, {b})
{t}[{i}] += {u}[{j}]
{u} *= {k}
{o} = {t} * {u}
== shape set: m -> v
{t} = {a} * {k}
{u} = {t}
{t}.shape = (-1,)
{t}[{i}] = {l}
{o} = {u}[:len({a})] * 1.0
== counted: v -> v
{t} = np.histogram({a}, bins=3, range=(-2.0, 2.0))[0]
{o} = {a} * {t}[1]
== drawn with parameters: v s -> v
{t} = np.random.default_rng(7)
{o} = {t}.normal({a}, {k}) + {t}.uniform({b}, 4.0, size=len({a}))
"""
