"""The steps of functions with options, and the helpers and classes that they call: see `settings`."""

from __future__ import annotations

__all__ = ["HEAD", "STEPS"]

# A step: reads `y` (an array of any number of elements) and x, makes a new y; {k}: its number, {c}: a constant.
STEPS = """
y = y * factor
--
if flag:
    y = np.sin(y)
--
y = y ** 2 if flag else y * {c}
--
if mode == 'full':
    y = y + x.mean()
elif mode == 'half':
    y = 0.5 * y
--
w{k} = np.ones_like(x) if weights is None else weights
y = y * np.sum(w{k} * x) / np.sum(w{k})
--
if weights is not None:
    weights = np.asarray(weights) / np.sum(weights)
    y = y + np.sum(weights * x ** 2)
--
t{k} = np.sum(np.outer(x, x) * {c}, axis=axis)
y = y + np.sum(t{k} ** 2)
--
t{k} = np.mean(x, axis=axis, keepdims=flag)
y = y * t{k} + {c}
--
for i{k} in range(count):
    y = y + {c} * np.cos(y)
--
t{k} = np.zeros(3)
for i{k} in range(count):
    t{k}[i{k} % 3] += x[i{k} % len(x)] ** 2
y = y + t{k}.sum()
--
y = y * np.abs(x.sum()) ** power
--
a{k} = np.full(2, factor)
if a{k}.dtype.kind == 'f':
    a{k}[0] = x[0]
y = y * a{k}.sum()
--
a{k} = np.array([factor, factor]) * 1.0
a{k}[1] = x[-1] * {c}
y = y + a{k}.prod()
--
low{k}, high{k} = bounds if bounds is not None else (None, None)
if low{k} is not None:
    y = np.maximum(y, low{k})
if high{k} is not None:
    y = np.minimum(y, high{k})
--
if bounds is not None and None not in bounds:
    y = np.clip(y, *bounds)
--
t{k} = x * 0.0 if start is None else start + x * 0.0
t{k}[0] = x[1] * {c}
y = y + np.sum(t{k} ** 2)
--
total{k} = start if start is not None else 0
for v{k} in x:
    total{k} = total{k} + v{k} ** 2
y = y + np.sum(total{k}) * {c}
--
total{k} = 0
for v{k} in items:
    total{k} += v{k} * x[0]
y = y + total{k}
--
t{k} = [v * x for v in items if v > 0 or flag]
y = y + sum(np.sum(v) for v in t{k})
--
t{k} = np.array(items) * x[0]
y = y * np.prod(1 + t{k} ** 2)
--
p{k} = {{'a': x[0], 'b': x[1] * {c}, 'c': {c}}}
for name{k} in names:
    y = y + p{k}[name{k}] ** 2
--
p{k} = {{}}
for j{k}, name{k} in enumerate(names):
    p{k}[name{k}] = x[j{k} % len(x)] * (j{k} + 1)
y = y + p{k}.get('b', {c}) * p{k}.get('c', 1)
--
a{k} = np.zeros(len(x), dtype=dtype)
a{k}[:] = x * {c}
a{k}[0] *= x[1]
y = y + a{k}.sum()
--
y = of(y)
--
y = y + np.sum(of(x) * {c})
--
y = y * more.get('gain', 1.0) + more.get('bias', 0)
--
options{k} = dict(gain=1, bias=0.0)
options{k}.update(more)
y = scaled(y, **options{k})
--
y = scaled(y, **more)
--
y = y + np.sum(x[index] ** 2)
--
t{k} = x * 1.0
t{k}[index] = y.mean() if hasattr(y, 'mean') else y
y = y + t{k}.sum()
--
t{k} = x.copy()
t{k}[index] *= {c}
t{k}[index] += x[0]
y = y * np.mean(t{k})
--
t{k} = np.atleast_2d(x) if dims == 2 else x
y = y + np.sum(t{k} * t{k}.sum(axis=-1, keepdims=True))
--
t{k} = x.reshape((1,) * (dims - 1) + (-1,))
y = y + np.sum(t{k}[..., 0] * t{k}[..., -1])
--
m{k} = Model(factor, flag)
y = m{k}.apply(y)
--
m{k} = Model(factor, whole)
m{k}.scale = m{k}.scale * x[0] if flag else m{k}.scale
y = m{k}.apply(y)
--
y = reduced(y, x, axis)
--
y = y + reduced(x, x, axis=axis, keep=flag)
--
y = filled(y, x, factor)
--
if callable(of) and whole:
    y = y + of(x[0])
--
y = y if not whole else np.where(y > {c}, y, y ** 2)
--
try:
    y = y + items[count] * x[0]
except IndexError:
    y = y - x[0]
--
t{k} = None
if flag:
    t{k} = x ** 2
if t{k} is not None:
    y = y + t{k}.sum()
--
def inner{k}(v, q=factor):
    return v * q if flag else v + q
y = inner{k}(y)
--
g{k} = (lambda v: v * x[0]) if mode == 'half' else (lambda v: v + x[1])
y = g{k}(y)
--
y = y + rows(x, count)
--
y = last(y, x, index if isinstance(index, int) else 0)
--
while np.sum(np.abs(y)) > 30 + count:
    y = y * 0.25
--
t{k} = x if flag else x.copy()
u{k} = t{k} * 1.0 if whole else t{k}[:]
y = y + np.sum(u{k} * t{k})
--
b{k} = x * 1.0
v{k} = b{k} if flag else b{k}.copy()
v{k}[0] = y.sum() if np.ndim(y) else y
y = y + b{k}.sum() + np.sum(v{k} ** 2)
--
b{k} = x * 1.0
v{k} = b{k}[1:] if whole else b{k}[:2]
v{k} *= {c}
y = y * b{k}.mean()
--
acc{k} = []
for i{k} in range(count + 1):
    acc{k}.append(x * i{k})
    if flag and i{k} == 1:
        break
y = y + np.sum(np.stack(acc{k}) ** 2)
--
s{k}, *rest{k} = items
y = y + s{k} * x[0] + len(rest{k}) * x[1]
--
y = y + {{'full': x[0], 'half': x[1]}}.get(mode, {c})
--
c{k} = Config(mode=mode, factor=factor)
y = c{k}(y) if flag else y + c{k}.extra(x)
--
c{k} = Config(**more) if 'gain' in more else Config()
y = c{k}(y)
c{k}.factor = x[0]
y = y + c{k}(x).sum()
--
y = pipeline(y, x, steps=names, weights=weights)
--
y = dispatch(mode)(y, x)
--
y = y + integral(lambda v: v * factor + x[0], 0.0, 1.0, count + 1)
--
y = y + moment(x, order=count, centre=flag)
--
y = y + moment(x, order=count, centre=flag, weights=weights)
--
lo{k}, hi{k} = limits(x, bounds)
y = y + np.sum((x - lo{k}) * (hi{k} - x))
--
y = y * norm(x, power)
--
y = y + norm(np.outer(x, x), power, axis)
--
t{k} = np.empty((2, len(x)))
t{k}[0] = x
t{k}[1] = weights if weights is not None else x ** 2
y = y + (t{k}[0] * t{k}[-1]).sum()
--
out{k} = None
for v{k} in items:
    if v{k} < 0 and flag:
        continue
    out{k} = v{k} * x if out{k} is None else out{k} + v{k} * x
if out{k} is not None:
    y = y + np.sum(out{k} ** 2)
--
state{k} = {{'n': 0, 'sum': 0.0}}
for v{k} in items:
    state{k}['n'] += 1
    state{k}['sum'] += v{k} * x[state{k}['n'] % len(x)]
y = y + state{k}['sum'] / state{k}['n']
--
y = y + np.sum(x[:, None] * np.asarray(items)[None, :], axis=axis).sum()
--
t{k} = np.concatenate([x, items]) if whole else np.append(x, start if np.ndim(start) == 0 and start is not None else 1.0)
y = y + t{k}[::-1][: len(x)] @ x
--
k{k} = 0 if not flag else len(x) - 1
y = y + x[k{k}] * x[k{k} - 1]
--
best{k} = -np.inf
for v{k} in x:
    if v{k} > best{k}:
        best{k} = v{k}
y = y * best{k}
--
order{k} = np.argsort(x)[::-1] if flag else np.arange(len(x))
y = y + x[order{k}] @ np.arange(1.0, len(x) + 1)
--
x = np.asarray(x, dtype=dtype)
y = y + x[0] ** 2
--
x, w{k} = (x, np.ones(len(x))) if weights is None else (x[weights > 0.5], weights[weights > 0.5])
y = y + np.sum(x * w{k})
--
if start is not None and np.ndim(start):
    x = x - start
y = y + np.sum(x ** 2)
--
d{k} = power
if isinstance(d{k}, float):
    y = y + np.abs(x).sum() ** d{k}
else:
    for j{k} in range(d{k}):
        y = y * x[j{k} % len(x)]
--
def g{k}(z, n=count):
    return z if n <= 0 else g{k}(z * x[0], n - 1)
y = g{k}(y)
--
e{k} = 0.0
for j{k}, name{k} in enumerate(sorted(names)):
    e{k} = e{k} * x[0] + ord(name{k}) / 100
y = y + e{k}
--
y = np.sum(y, axis=None if np.ndim(y) else None) * (x.sum() if flag else 1)
--
r{k} = [x, x ** 2, np.sin(x)][: count + 1]
y = y + sum(r{k}[-1]) * r{k}[0].mean()
--
r{k} = x.tolist() if flag else list(x)
r{k}.append(y.mean() if np.ndim(y) else y)
r{k}[0] = r{k}[-1] * {c}
y = y + sum(r{k})
--
p{k}, *q{k} = (x, weights, start) if flag else (x,)
y = y + p{k}.sum() * len(q{k})
--
y = y + sum(v * w for v, w in zip(x, items))
--
z{k} = np.zeros((len(x), 2))
z{k}[:, 0 if flag else 1] = x
z{k}[index] *= {c}
y = y + z{k}.sum() * z{k}[0].sum()
--
k{k} = (x + 1j * {c}) if flag else x
y = y + np.sum(np.abs(k{k}) ** 2) + np.real(k{k} * k{k}).sum()
--
k{k} = np.exp(1j * x) if flag else x * {c}
t{k} = np.zeros(len(x), dtype=complex)
t{k}[:] = k{k}
t{k}[0] *= x[1]
y = y + np.sum(t{k}.real) + np.sum(t{k}.imag ** 2)
--
k{k} = x if flag else x[0]
y = y + np.sum(k{k} * x)
--
k{k} = x * {c} if flag else {c}
k{k} = k{k} * x[0] + 1
y = y + np.sum(k{k}) * np.sum(k{k} * x)
--
k{k} = x.tolist() if flag else x
y = y + np.sum(np.multiply(k{k}, x))
--
k{k} = list(x * {c}) if flag else tuple(x)
y = y + sum(k{k}) * k{k}[0] + len(k{k})
--
i{k} = x > 0.1 if flag else [0, 1]
t{k} = x * 1.0
t{k}[i{k}] *= {c}
t{k}[i{k}] = t{k}[i{k}] ** 2
y = y + t{k}.sum()
--
k{k} = x[:0] if flag else x
y = y + k{k}.sum() * x[0] + len(k{k})
--
k{k} = np.array(x[0]) if flag else x[0]
k{k} += x[1]
k{k} *= {c}
y = y + k{k} ** 2
--
t{k} = x * {c}
u{k} = t{k} if flag else x * 1.0
u{k}[0] = u{k}[1] * u{k}[-1]
y = y + np.sum(t{k} * u{k})
--
t{k} = np.empty(len(x))
u{k} = np.multiply(x, {c}, out=t{k}) if flag else np.multiply(x, {c})
u{k}[0] += x[1] ** 2
y = y + np.sum(u{k} * x)
--
a{k}, b{k} = (x * 1.0, x ** 2) if flag else (x ** 2, x * 1.0)
a{k} *= b{k}
a{k}[:2] -= b{k}[:2]
y = y + np.sum(a{k}) * np.sum(b{k})
--
t{k} = (x if flag else x[::-1]).copy()
t{k}[1:] += t{k}[:-1]
y = y + np.sum(t{k} * x)
--
t{k} = np.outer(x, x)
t{k} = t{k}.T if flag else t{k}
t{k}[0] *= {c}
y = y + np.sum(t{k} * np.arange(len(x)))
--
m{k} = 0 if flag else None
y = y + np.sum(np.outer(x, x).sum(axis=m{k}) * x[0])
--
total{k} = 0 if flag else np.zeros(len(x))
for v{k} in items:
    total{k} += v{k} * x
y = y + np.sum(total{k} ** 2)
--
total{k} = 0 if whole else x[0]
for j{k} in range(count):
    total{k} = total{k} + j{k} if flag else total{k} * x[j{k} % len(x)]
y = y + np.sum(x) * total{k}
--
w{k} = [1] * len(x) if flag else x
y = y + sum(v * u for v, u in zip(x, w{k}))
--
w{k} = np.arange(len(x)) if flag else np.asarray(x)
t{k} = x * 1.0
t{k}[0] *= x[1]
y = y + np.sum(t{k} * w{k}) + w{k} @ t{k}
--
w{k} = count if flag else x[0]
t{k} = x * {c}
t{k}[-1] -= x[0] * 0.3
y = y + np.sum(t{k}) * w{k} + w{k} * x[1]
--
w{k} = max(count, x[0])
t{k} = x * {c}
t{k}[-1] -= x[0] * 0.3
y = y + np.sum(t{k} * w{k})
--
w{k} = [1, 0.5, 2, factor][count]
t{k} = x + 0
t{k}[0] = t{k}[1] * t{k}[-1]
y = y * w{k} + t{k}.sum() * w{k}
--
d{k} = {{'w': 1 if flag else x[1], 'v': x}}
d{k}['v'] = d{k}['v'] * d{k}['w']
t{k} = d{k}['v'] + 0.0
t{k}[0] *= 0.3
y = y + t{k}.sum() * d{k}['w']
"""
HEAD = """
import numpy as np


class Model:
    def __init__(self, scale, flag=False):
        self.scale, self.flag = scale, flag
        if flag:
            self.bias = 0.3

    def apply(self, y):
        out = y * self.scale
        if self.flag:
            out = out + self.bias
        return out


def scaled(y, gain=1.0, bias=0):
    return y * gain + bias


def reduced(y, x, axis=None, keep=False):
    if axis is None:
        return np.sum(y) * x[0]
    t = np.outer(x, x) * np.mean(y)
    return np.sum(np.max(t, axis=axis, keepdims=keep)) + np.sum(t)


def filled(y, x, value):
    a = np.full(len(x), value, dtype=float)
    a[0] = x[0]
    return y * a.sum()


def rows(x, count):
    if count == 0:
        return 0
    if count > 2:
        return np.vstack([x] * count).sum()
    return np.stack([x ** (k + 1) for k in range(count)]).sum(axis=1)[0]


def last(y, x, k):
    return y + x[k] if k else y * x[k]


class Config:
    mode = "none"
    gain = 1.5

    def __init__(self, **options):
        self.factor = 1
        for name, value in options.items():
            setattr(self, name, value)

    def __call__(self, y):
        if self.mode == "full":
            return y * self.factor
        return y + self.factor * getattr(self, "bias", 0.5)

    def extra(self, x):
        return np.sum(x * self.gain) if self.mode != "half" else x[0]


def pipeline(y, x, steps=(), weights=None):
    done = {}
    for name in steps:
        if name == "a":
            done["a"] = y * x[0]
        elif name == "b":
            done["b"] = y + (np.sum(x) if weights is None else weights @ x)
        else:
            y = y * 0.5
    return done.get("b", y) + done.get("a", 0.0)


def dispatch(mode):
    def plain(y, x):
        return y + x[0]

    table = {"full": lambda y, x: y * x.sum(), "half": plain}
    return table[mode] if mode in table else lambda y, x: y


def integral(f, a, b, n):
    h = (b - a) / n
    total = 0
    for k in range(n):
        total += f(a + (k + 0.5) * h) * h
    return total


def moment(x, order=1, centre=False, weights=None):
    if centre:
        x = x - np.average(x, weights=weights)
    if order == 0:
        return 1
    return np.average(x ** order, weights=weights)


def limits(x, bounds):
    if bounds is None:
        return np.min(x), np.max(x)
    return [x[k - 1] if b is None else b for k, b in enumerate(bounds)]


def norm(x, order, axis=None):
    if order == 1:
        return np.sum(np.abs(x), axis=axis).max()
    if order == 2:
        return np.sqrt(np.sum(x ** 2, axis=axis) + 0.1).min()
    return np.sum(np.sum(np.abs(x) ** order, axis=axis) ** (1.0 / order))

"""
