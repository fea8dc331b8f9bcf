"""Functions with options, as libraries have them, called with many settings: ``python -m tests.fuzz.settings COUNT FIRST``.

A program is a few steps, each of which reads some of the options, also through helpers, objects and containers.
One derivative is called with several settings in turn, of other lengths, ranks, kinds, words, flags and None:
what was found out about one setting may not reach another.
"""

from __future__ import annotations

import copy
import random
import sys
import textwrap
import warnings
from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import retrograd as rg
from retrograd.runtime.errors import GradientMismatch, InternalError, RetrogradError
from tests.written import namespace

from .run import prepared
from .shrink import timed

__all__ = ["Program", "judged", "program"]

Draw = Callable[[random.Random, int], Any]  # of a number that is the length of the vector


class Program(NamedTuple):
    text: str
    settings: tuple[dict[str, Any], ...]


def numbers(rng: random.Random, n: int) -> Any:
    return np.array([round(rng.uniform(-1.5, 1.5), 3) for _ in range(n)])


def one_of(*values: Any) -> Draw:
    return lambda rng, n: copy.deepcopy(rng.choice(values))


OPTIONS: dict[str, Draw] = {
    "flag": one_of(True, False),
    "whole": one_of(True, False, np.True_, 0, 1),
    "mode": one_of("full", "half", "none"),
    "axis": one_of(None, 0, -1),
    "count": one_of(0, 1, 2, 3),
    "power": one_of(1, 2, 2.0, 3, 0.5),
    "factor": one_of(2, 0.5, np.float64(1.5), np.int64(3), 1),
    "bounds": one_of(None, (-0.6, 0.9), (None, 0.5), [0.1, None]),
    "weights": lambda rng, n: None if rng.random() < 0.4 else np.abs(numbers(rng, n)) + 0.2,
    "start": lambda rng, n: rng.choice((None, 0.0, 0, numbers(rng, n))),
    "items": lambda rng, n: [float(v) for v in numbers(rng, rng.randrange(1, 4))],
    "names": one_of(("a", "b"), ["b"], ("b", "a", "c"), ()),
    "dtype": one_of(float, None, np.float64, "float64"),
    "of": one_of(np.sin, np.tanh, np.square, abs),
    "more": one_of({}, {"gain": 0.7}, {"gain": 2, "bias": 0.1}, {"bias": -1}),
    "index": lambda rng, n: rng.choice((0, -1, n - 1, slice(None, 2), [0, n - 1], np.array([1, 0]))),
    "dims": one_of(1, 2),
}  # fmt: skip

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


def program(seed: int) -> Program:
    """A function with options of a few steps, and the settings that it is called with."""
    rng = random.Random(seed)
    steps = STEPS.strip().split("\n--\n")
    chosen = [rng.choice(steps) for _ in range(rng.randint(1, 4))]
    lines = [
        step.format(k=k, c=round(rng.uniform(0.2, 1.4) * rng.choice((1, -1)), 2))
        for k, step in enumerate(chosen)
    ]
    body = "\n".join(lines)
    used = [name for name in OPTIONS if name in body]
    head = f"def main({', '.join(['x', *used])}):\n    y = {rng.choice(('x * 1.0', 'x[0] * x[1]', 'x ** 2', '1.0'))}\n"
    text = f"{HEAD}\n{head}{textwrap.indent(body, '    ')}\n    return np.sum(y)\n"
    return Program(text, tuple(setting(rng, used) for _ in range(5)))


def setting(rng: random.Random, used: list[str]) -> dict[str, Any]:
    n = rng.choice((2, 3, 3, 3, 5))
    return {"x": numbers(rng, n), **{name: OPTIONS[name](rng, n) for name in used}}


def judged(seed: int) -> str:
    """What comes of a program: ``ok``, ``refused``, or what is wrong with it."""
    text, settings = program(seed)
    f = namespace(text)["main"]
    if seed % 3 == 1:
        gradient = rg.differentiate(f, wrt="x").grad
    else:
        gradient = rg.grad(f, strict=seed % 3 == 0)
    tangent = rg.differentiate(f, wrt="x").jvp if seed % 2 else None
    verdicts = set()
    for given in settings:
        x, options = given["x"], {k: v for k, v in given.items() if k != "x"}
        slope = slope_of(f, x, options)
        if slope is None:
            verdicts.add("discarded")
            continue
        try:
            found = {"reverse": gradient(x.copy(), **copy.deepcopy(options))}
            if tangent is not None:
                found["forward"] = tangent_of(tangent, x, options, slope)
        except (InternalError, GradientMismatch) as error:
            return f"failed: {error} for {options}, x = {x}"
        except RetrogradError as error:
            verdicts.add(f"refused: {getattr(error, 'reason', error)}")
            continue
        except Exception as error:
            return f"failed: {type(error).__name__}: {error} for {options}"
        for mode, values in found.items():
            if not near(values, slope):
                return f"failed: {mode} gives {values} for {options}, x = {x}; should be {slope}"
    return max(verdicts, default="ok")


def tangent_of(tangent: Any, x: Any, options: dict[str, Any], slope: Any) -> Any:
    """The slope along a direction, put where the sum of the whole would stand."""
    direction = np.linspace(0.5, 1.5, len(x))
    args = (x.copy(), *copy.deepcopy([*options.values()]))
    _, found = tangent(args, (direction, *[None] * len(options)))
    return slope + (found - slope @ direction)


def near(found: Any, slope: Any) -> bool:
    size = 1.0 + np.max(np.abs(slope))
    return np.shape(found) == slope.shape and bool(np.all(np.abs(found - slope) <= 1e-5 * size))


def slope_of(f: Any, x: Any, options: dict[str, Any]) -> Any:
    """Differences, or None where they say nothing: at a kink, or where the function itself fails."""
    made = []
    for step in (1e-5, 2e-5):
        slopes = []
        for k in range(len(x)):
            h = np.zeros_like(x)
            h[k] = step
            try:
                up = f(x + h, **copy.deepcopy(options))
                slopes.append((up - f(x - h, **copy.deepcopy(options))) / (2 * step))
            except Exception:
                return None
        made.append(np.array(slopes, dtype=float))
    return made[0] if np.all(np.isfinite(made)) and np.allclose(*made, 1e-6, 1e-7) else None


def main() -> None:
    prepared()
    warnings.simplefilter("ignore")
    count, first = [*map(int, sys.argv[1:]), *(500, 0)[len(sys.argv) - 1 :]][:2]
    verdicts: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    for seed in range(first, first + count):
        rg.set_check(None if seed % 4 else "first")
        try:
            found = timed(lambda k=seed: judged(k))
        except TimeoutError:
            found = "failed: takes too long"
        kind, _, reason = found.partition(": ")
        verdicts[kind] += 1
        reasons[reason] += kind == "refused"
        if kind == "failed":
            print(
                f"{seed}: {reason}",
                program(seed).text.partition("def main")[2],
                sep="\n",
                flush=True,
            )
    print(dict(verdicts))
    for reason, times in reasons.most_common(20):
        print(f"{times:7d} {reason}")


if __name__ == "__main__":
    main()
