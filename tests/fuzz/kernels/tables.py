"""What programs are made of, by kind: libraries, complex numbers, containers, masks and indices, loops that end when they may."""

from __future__ import annotations

from .templates import program_of

__all__ = ["complex_program", "container_program", "library_program", "mask_program", "while_program"]  # fmt: skip

LIBRARIES = [
    "z: {=} = np.fft.fft({v})", "z: {=} = np.fft.ifft({v})", "z: {=} = np.fft.fft(np.sin({m}))[k]", "z: {=} = np.fft.ifft({z} + 1.0)",
    "z: {=} = np.fft.fft({m}, axis=0)[:, 0] / n", "z: {=} = np.fft.fft2({m})[1] / n", "z: {=} = np.fft.fftshift({z})",
    "v: {=} = np.fft.irfft(np.fft.rfft({v}) * {s}, n)", "v: {=} = np.abs(np.fft.rfft({v}, 2 * n))[:n]", "v: {=} = np.fft.ifft({z}).real",
    "v: {=} = np.real(np.fft.ifft(np.fft.fft({v}) * np.fft.fft({v})))", "v: {=} = np.fft.fft({v}, n + 2).imag[1:n + 1]",
    "v: {=} = np.fft.rfft(np.concatenate([{v}, {v}]))[:n].real", "s: {=} = np.sum(np.abs(np.fft.fft({v})) ** 2) / n",
    "m: {=} = np.fft.ifft2(np.fft.fft2({m})).real", "m: {=} = np.fft.irfft2(np.fft.rfft2({m}), s=(n, n))",
    "v: {=} = np.linalg.solve({m} @ {m}.T + 2.0 * np.eye(n), {v})", "m: {=} = np.linalg.solve({m} @ {m}.T + 2.0 * np.eye(n), {m})",
    "m: {=} = np.linalg.inv({m} @ {m}.T + 2.0 * np.eye(n))", "m: {=} = np.linalg.cholesky({m} @ {m}.T + 2.0 * np.eye(n))",
    "s: {=} = np.linalg.slogdet({m} @ {m}.T + 2.0 * np.eye(n))[1] / n", "s: {=} = np.tanh(np.linalg.det(0.1 * {m} + np.eye(n)))",
    "v: {=} = np.linalg.eigvalsh({m} + {m}.T + np.diag(10.0 * np.arange(n)))", "v: {=} = np.linalg.svd({m} + np.diag(10.0 * np.arange(n)), compute_uv=False)",
    "m: {=} = np.linalg.matrix_power(0.2 * {m}, 3)", "v: {=} = np.linalg.pinv({m} @ {m}.T + np.eye(n)) @ {v}", "s: {=} = np.linalg.norm({m})",
    "v: {=} = np.linalg.lstsq({m} @ {m}.T + 2.0 * np.eye(n), {v}, rcond=None)[0]", "m: {=} = np.linalg.qr({m} + 3.0 * np.eye(n))[1]",
    "z: {=} = np.linalg.solve(np.eye(n) * 3.0 + 1j * {m}, {z})", "v: {=} = np.convolve({v}, {v})[:n]", "v: {=} = np.sort({v})",
    "v: {=} = np.interp({v}, np.arange(n) - 2.0, {v})", "m: {=} = np.kron({m}[:2, :2], {m})[:n, :n]", "v: {=} = np.cumprod(1.0 + 0.1 * {v})",
    "v: {=} = np.einsum('ij,jk,k->i', {m}, {m}, {v}) / n", "m: {=} = np.tensordot({m}, {m}, axes=1) / n", "v: {=} = np.diff({v}, append=0.0)",
    "s: {=} = np.trace({m} @ {m})", "v: {=} = np.gradient({v})", "m: {=} = np.stack([{v}] * n)",
]  # fmt: skip
COMPLEX = [
    "z: {=} = {v} + 1j * {v}", "z: {=} = np.exp(1j * {v})", "z: {=} = {z} * np.conj({z}) + {v}", "z: {=} = np.where({v} > 0.0, {z}, 1j * {z})",
    "z: {=} = ({q} @ {z}) / n", "z: {=} = {z}[::-1]", "z: {=} = np.concatenate([{z}[1:], {z}[:1]])", "q: {=} = {m} + 0.5j * {m}.T", "q: {=} = np.outer({z}, np.conj({z}))",
    "q: {=} = {q}.conj().T", "z: {=} = {z} / (2.0 + np.abs({z}))", "z: {=} = np.sqrt({z} + 3.0)", "z: {=} = np.log({z} + 4.0)", "z: {=} = {z} ** 2 - 0.3j",
    "z: {=} = {z}.copy();;{=}[1:] *= 0.5 * {z}[:-1]", "z: {=} = np.zeros(n, complex);;{=}[k] = {s} * 1j;;{=}[1:] += {v}[1:]",
    "z: {=} = {z}.copy();;{=}.real[k] = {s}", "z: {=} = {z}.copy();;{=}.imag[:] += {v}", "z: {=} = np.zeros(n, complex);;{=}.real = {v};;{=}.imag = {v}",
    "v: {=} = {z}.real * {z}.imag", "v: {=} = np.abs({z}) ** 2", "v: {=} = np.angle({z} + 3.0)", "v: {=} = ({z} * {z}.conj()).real",
    "s: {=} = np.vdot({z}, {z}).real", "s: {=} = np.abs(np.sum({z}) + 3.0)", "s: {=} = (complex({s}, 0.5) * {z}[k]).real", "s: {=} = np.real({z} @ {z})",
    "z: {=} = {z};;for _ in range(3):;;    {=} = 0.3 * {=} * {=} + {z}", "z: {=} = np.sum({q}, axis=0)", "z: {=} = {q}[k]", "z: {=} = {z}[i]", "z: {=} = np.cumsum({z}) / n",
    "q: {=} = {q}.copy();;{=}[k] = {z};;{=}[:, 0] *= 1j", "z: {=} = np.mean({q}, axis=1)", "z: {=} = np.einsum('ij,j->i', {q}, {z}) / n", "s: {=} = np.linalg.norm({z})",
    "z: {=} = np.sinh(0.3 * {z}) + np.cos(0.3 * {z})", "z: {=} = np.stack([{z}, {z} * 1j])[k % 2]", "q: {=} = 1j * {q} @ {q} / n", "z: {=} = np.roll({z}, 1) - {z}",
    "v: {=} = np.abs({z}) if np.abs({z}[0]) > 0.5 else {v}", "z: {=} = np.prod(0.5 * np.stack([{z}, {z}]), axis=0)", "s: {=} = max(abs({z}[0]), 0.1)",
]  # fmt: skip
CONTAINERS = [
    "v: rows{#} = [];;for j in range(3):;;    rows{#}.append(np.sin({v}) * (j + {s}));;{=} = rows{#}[0] + rows{#}[-1]",
    "v: rows{#} = [{v}, {v}];;rows{#}.append(rows{#}[0] * rows{#}[1]);;{=} = sum(rows{#})",
    "v: kept{#} = {'a': {v}, 'b': {s}};;kept{#}['a'] = kept{#}['a'] * kept{#}['b'];;{=} = kept{#}['a'] + {v}",
    "v: state{#} = {'q': {v}, 'p': {v}};;for j in range(3):;;    state{#} = {'q': state{#}['q'] + 0.1 * state{#}['p'], 'p': state{#}['p'] - 0.1 * np.sin(state{#}['q'])};;{=} = state{#}['q']",
    "v: pair{#} = ({v}, {v});;for j in range(2):;;    pair{#} = (pair{#}[1], np.tanh(pair{#}[0]));;{=} = pair{#}[0] - pair{#}[1]",
    "m: {=} = np.stack([{v} * j for j in range(n)])", "v: {=} = np.array([{v}[j] * {s} for j in range(n)])", "v: {=} = np.concatenate([[{s}], {v}[1:]])",
    "s: {=} = sum(a * b for a, b in zip({v}, {v}))", "s: {=} = sum([0.1 * j * t for j, t in enumerate({v})])",
    "s: tail{#} = [{v}[:j] for j in range(1, n)];;{=} = sum(np.sum(t * t) for t in tail{#}) / n",
    "v: grid{#} = [[{v}[0] * j + l for l in range(2)] for j in range(3)];;{=} = {v} * grid{#}[1][1] + grid{#}[2][0]",
    "s: seen{#} = [];;for j in range(n):;;    if {v}[j] > 0.0:;;        seen{#}.append({v}[j] * {s});;{=} = sum(seen{#}) + 0.0 * {s}",
    "v: trail{#} = [{v}];;for j in range(n - 1):;;    trail{#}.append(0.5 * trail{#}[-1] + 0.1 * {v});;{=} = np.mean(np.stack(trail{#}), axis=0)",
    "v: trail{#} = [{v}];;for j in range(4):;;    trail{#}.append(np.sin(trail{#}[j]));;{=} = {v} + 0.0;;for t in reversed(trail{#}):;;    {=} = {=} * 0.5 + t",
    "v: out{#} = [None] * 3;;for j in range(3):;;    out{#}[j] = {v} * (0.5 + j);;{=} = out{#}[2] - out{#}[0]",
    "v: a{#}, *rest{#} = [{v}, {v}, np.cos({v})];;{=} = a{#} * rest{#}[-1]", "v: stack{#} = [{v}];;stack{#}.append(np.cos({v}));;top{#} = stack{#}.pop();;{=} = top{#} * stack{#}[0]",
    "m: blocks{#} = [{m} * 0.5, {m}.T];;{=} = blocks{#}[0] @ blocks{#}[1] / n", "s: by{#} = {name: np.sum(a) for name, a in [('p', {v}), ('q', {v})]};;{=} = by{#}['p'] * by{#}['q']",
    "v: sizes{#} = [];;for j in range(1, n):;;    sizes{#}.append({v}[:j] * {v}[-j:]);;{=} = np.zeros(n);;for j in range(1, n):;;    {=}[:j] += sizes{#}[j - 1]",
    "v: layers{#} = [(0.5 * {m}, {v}), (0.3 * {m}, {v})];;{=} = {v};;for a, b in layers{#}:;;    {=} = np.tanh(a @ {=} + b)",
    "v: cells{#} = {};;for j in range(3):;;    cells{#}[j] = {v} * (1.0 + j);;{=} = cells{#}[0] + cells{#}[2]",
    "s: best{#} = (0.0, 0);;for j in range(n):;;    if {v}[j] > best{#}[0]:;;        best{#} = ({v}[j], j);;{=} = best{#}[0] * {v}[best{#}[1]]",
    "v: old{#} = [{v}.copy() for j in range(2)];;old{#}[0][k] = {s};;old{#}[1] *= 0.5;;{=} = old{#}[0] * old{#}[1]",
    "v: {=} = np.vstack([{v}, {v}, {v}])[k % 3] + np.hstack([{v}[:1], {v}[1:]])",
]  # fmt: skip
MASKS = [
    "v: {=} = {v}.copy();;{=}[{=} > 0.2] *= 0.5", "v: {=} = {v}.copy();;{=}[{v} < 0.0] = {s}", "s: {=} = np.sum({v}[{v} > 0.0])", "s: {=} = np.sum({v}[~({v} > 0.0)] ** 2)",
    "v: {=} = np.where(({v} > 0.0) & ({v} < 1.0), {v}, 0.3 * {v})", "v: c{#} = {v} > {v};;{=} = {v}.copy();;{=}[c{#}] = {v}[c{#}] * {s}",
    "v: {=} = {v}[i]", "v: {=} = np.zeros(n);;np.add.at({=}, i, {v})", "v: {=} = {v}.copy();;{=}[i] += {v}", "v: {=} = {v}.copy();;{=}[i] = {v} * {s}",
    "v: {=} = {m}[i, i]", "v: {=} = {m}[np.arange(n), i]", "m: {=} = {m}[i]", "m: {=} = {m}[:, i]", "m: {=} = {m}[i][:, i]", "m: {=} = {m}[np.ix_(i, i)]",
    "m: {=} = {m}.copy();;{=}[{m} > 0.5] = 0.1", "m: {=} = {m}.copy();;{=}[{v} > 0.0] *= 0.5", "s: {=} = np.sum({m}[{m} > 0.0])", "s: {=} = np.sum({m}[{v} > 0.0])",
    "v: {=} = np.clip({v}, -0.5, {s})", "v: {=} = np.take({v}, i)", "s: {=} = {v}[np.argmax({v})] * {v}[int(np.argmin({v}))]", "v: {=} = {v}[np.argsort({v})]",
    "s: {=} = {v}[-1 - (k % 2)] * {m}[-1, k % 2]", "v: {=} = {v}.copy();;{=}[[0, -1]] = {=}[[-1, 0]]", "m: {=} = {m}.copy();;{=}[[0, k]] = {=}[[k, 0]]",
    "v: {=} = np.select([{v} > 0.5, {v} < -0.5], [{v}, -{v}], 0.1 * {v})", "v: {=} = np.maximum.accumulate({v})", "v: {=} = np.repeat({v}, 2)[:n]", "v: {=} = np.tile({v}, 2)[1:n + 1]",
    "s: {=} = {v}[np.nonzero({v} > -9.0)[0][0]]", "v: {=} = np.bincount(i, weights={v}, minlength=n)[:n]", "v: {=} = {v}[np.searchsorted(np.sort({v}), 0.1) % n:].sum() + {v}",
    "v: {=} = {v}[::2].sum() * {v}[::-1]", "v: {=} = {v}.copy();;{=}[::2] += {=}[::-2][: len({=}[::2])] * 0.1", "v: {=} = {v}.copy();;{=}[1:] = {=}[:-1]", "v: {=} = {v}.copy();;{=}[:-1] += {=}[1:]",
    "v: {=} = {v}.copy();;{=}[::-1] += 0.3 * {=}", "m: {=} = {m}.copy();;{=}.T[k] += {v};;{=}[:, ::2] *= 0.5", "m: {=} = {m}.copy();;{=}[...] = {=}.T * 0.5 + {m}", "m: {=} = {m}.copy();;np.fill_diagonal({=}, {v})",
    "v: {=} = {m}.ravel()[i]", "v: {=} = {m}.flat[i]", "v: {=} = {m}.reshape(-1)[::n + 1] * {s}", "m: {=} = np.where({m} > {v}, {m}, {v}[:, None])", "v: {=} = np.any({m} > 0.5, axis=1) * {v}",
    "s: {=} = np.count_nonzero({v} > 0.0) * {s} * 0.1", "v: {=} = np.trim_zeros({v})", "v: p{#} = np.empty(n);;p{#}[::-1] = {v};;{=} = p{#}", "v: {=} = {v}.copy();;{=}[n // 2:] , {=}[: n - n // 2] = {=}[: n - n // 2] * 1.0, {=}[n // 2:] * 1.0",
]  # fmt: skip
WHILES = [
    "s: {=} = {s};;turn = 0;;while abs({=}) > 0.05 and turn < 7:;;    {=} = 0.5 * {=} * np.cos({v}[k]);;    turn += 1",
    "v: {=} = {v};;gap = 1.0;;turn = 0;;while gap > 1e-3 and turn < 8:;;    new = 0.3 * np.cos({=}) + 0.1 * {v};;    gap = np.max(np.abs(new - {=}));;    {=} = new;;    turn += 1",
    "s: {=} = 1.0 + {s} ** 2;;for _ in range(20):;;    step = ({=} * {=} - 2.0 - {s} ** 2) / (2.0 * {=});;    {=} = {=} - step;;    if abs(step) < 1e-9:;;        break",
    "v: {=} = {v} / (1.0 + np.linalg.norm({v}));;for _ in range(4):;;    {=} = {m} @ {=};;    {=} = {=} / (1.0 + np.linalg.norm({=}))",
    "s: {=} = 0.0;;j = 0;;while j < n:;;    if {v}[j] < 0.0:;;        j += 1;;        continue;;    {=} += {v}[j] * {v}[n - 1 - j];;    j += 2",
    "s: lo, hi = -3.0, 3.0;;while hi - lo > 0.1:;;    mid = 0.5 * (lo + hi);;    if np.tanh(mid) > 0.5 * np.tanh({s}):;;        hi = mid;;    else:;;        lo = mid;;{=} = mid * {s}",
    "s: {=} = {s};;while True:;;    {=} = 0.6 * {=} + 0.01 * {v}[0];;    if abs({=}) < 0.3:;;        break;;    if abs({=}) > 50.0 or {=} != {=}:;;        {=} = 0.1 * {v}[0];;        break",
    "v: {=} = np.zeros(n);;r = {v} - (2.0 * {=} + 0.1 * ({m} @ {=}));;turn = 0;;while np.sum(r * r) > 1e-6 and turn < 6:;;    {=} = {=} + 0.4 * r;;    r = {v} - (2.0 * {=} + 0.1 * ({m} @ {=}));;    turn += 1",
    "s: {=} = 0.0;;a = {s};;while a < 4.0 and a > -4.0:;;    {=} = {=} + np.sin(a);;    a = a + 0.7 + 0.1 * np.abs({v}[k])",
    "v: trail = [{v}];;while np.max(np.abs(trail[-1])) > 0.4 and len(trail) < 9:;;    trail.append(0.6 * trail[-1]);;{=} = trail[-1] + trail[0]",
    "v: {=} = {v}.copy();;j = n - 1;;while j > 0 and {=}[j] < {=}[j - 1]:;;    {=}[j], {=}[j - 1] = {=}[j - 1], {=}[j];;    j -= 1",
    "v: {=} = {v}.copy();;for j in range(1, n):;;    key = {=}[j];;    l = j - 1;;    while l >= 0 and {=}[l] > key:;;        {=}[l + 1] = {=}[l];;        l -= 1;;    {=}[l + 1] = key",
    "s: {=} = {s};;for j in range(n):;;    for l in range(j, n):;;        if {m}[j, l] > 1.5:;;            break;;        {=} = {=} + 0.01 * {m}[j, l];;    else:;;        {=} = 0.9 * {=}",
    "s: term, j, {=} = 1.0, 1, 1.0;;while abs(term) > 1e-8 and j < 30:;;    term = term * {s} / j;;    {=} = {=} + term;;    j += 1",
    "s: {=} = 0.0;;left = list(range(n));;while left:;;    j = left.pop();;    {=} = 0.8 * {=} + {v}[j]", "v: {=} = {v};;done = False;;turn = 0;;while not done:;;    {=} = {=} - 0.3 * ({=} ** 3 - {v}) / (1.0 + {=} ** 2);;    turn += 1;;    done = turn > 5 or float(np.max(np.abs({=}))) < 0.1",
    "m: {=} = 0.2 * {m};;turn = 0;;while np.max(np.abs({=})) > 0.05 and turn < 5:;;    {=} = 0.5 * ({=} @ {=}.T) / n + 0.02 * {m};;    turn += 1",
    "s: a, b = {s}, {v}[0];;while 0.2 < abs(a) < 1e30:;;    a, b = 0.5 * a, b + a;;{=} = b",
]  # fmt: skip


def library_program(seed: int) -> str:
    """Transforms, factorisations, and what else the library does in a call."""
    return program_of(LIBRARIES, seed)


def complex_program(seed: int) -> str:
    """Complex vectors and matrices, written to and read by parts."""
    return program_of(COMPLEX, seed)


def container_program(seed: int) -> str:
    """Lists, dicts and tuples of arrays, in loops."""
    return program_of(CONTAINERS, seed)


def mask_program(seed: int) -> str:
    """Masks, arrays as indices, slices that overlap."""
    return program_of(MASKS, seed)


def while_program(seed: int) -> str:
    """Loops that end when the numbers say so."""
    return program_of(WHILES, seed)
