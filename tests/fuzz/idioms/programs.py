"""Idioms of Python: containers, objects, closures, control flow, errors, iteration."""

from __future__ import annotations

__all__ = ["IDIOMS", "PRELUDES"]

# What an idiom needs at the top of the module, by its name there.
PRELUDES = {
    "HISTORY": """
HISTORY = [1.0]
""",
    "QUEUE": """
from collections import deque

QUEUE = deque([0.3], maxlen=4)
""",
    "P": """
from types import SimpleNamespace

ACTS = {"tanh": np.tanh, "square": lambda x: x * x}
P = {
    "act": np.sin, "name": "tanh", "bias": None, "rate": 0.3, "steps": 2,
    "layers": [{"act": np.tanh, "w": 0.7}, {"act": lambda x: x * x, "w": 1.2}],
    "inner": SimpleNamespace(act=np.cos, kind="l2", w=np.array(0.4)),
}
""",
    "record": """
RECORD = []


def record(value):
    RECORD.append(value)
    return len(RECORD)
""",
    "twice_of": """
def twice_of(function):
    def called(*args):
        return 2.0 * function(*args)

    return called
""",
    "Record": """
@dataclass
class Record:
    low: float
    high: float
    name: str = "record"
""",
    "Layer": """
class Layer:
    def __init__(self, w, b):
        self.w, self.b = w, b

    def __call__(self, x):
        return np.tanh(x * self.w + self.b)
""",
    "Counter": """
class Accumulator:
    def __init__(self):
        self.total, self.count = 0.0, 0

    def add(self, x):
        self.total = self.total + x
        self.count += 1
        return self

    @property
    def mean(self):
        return self.total / self.count
""",
    "Vec": """
class Vec:
    def __init__(self, data):
        self.data = data

    def __add__(self, other):
        return Vec(self.data + (other.data if isinstance(other, Vec) else other))

    def __rmul__(self, k):
        return Vec(k * self.data)

    def dot(self, other):
        return self.data @ other.data
""",
    "Params": """
@dataclass
class Params:
    rate: float
    shift: object
    steps: int = 2
""",
    "Point": """
Point = namedtuple("Point", "x y")
""",
    "Base": """
class Base:
    scale = 0.7

    def kernel(self, x):
        return x ** 2

    def apply(self, x):
        return self.scale * self.kernel(x)


class Derived(Base):
    scale = 1.3

    def kernel(self, x):
        return np.sin(x) + super().kernel(x)
""",
    "helpers": """
def relu(x):
    return np.maximum(x, 0.0)


def normalised(x, eps=1e-3, *, power=2):
    return x / (np.sum(np.abs(x) ** power) + eps + 1.0)


def pair(x):
    return x * 2.0, x - 1.0


def poly(x, *coefficients, **options):
    y = 0.0
    for c in coefficients:
        y = y * x + c
    return y * options.get("scale", 1.0)


def factor(n):
    return 1.0 if n == 0 else 0.5 * factor(n - 1) + 1.0
""",
    "LUT": """
TABLE = {"low": 0.4, "high": 1.6}
WEIGHTS = np.array([0.3, -0.8, 1.2, 0.5])
""",
    "Mode": """
class Mode(Enum):
    FAST = 1
    EXACT = 2
""",
    "scaled": """
def scaled(factor):
    def decorate(fn):
        @functools.wraps(fn)
        def run(*args):
            return factor * fn(*args)

        return run

    return decorate


@scaled(0.6)
def bump(x):
    return np.exp(-x * x)
""",
    "context": """
class Frame:
    def __init__(self, k):
        self.k = k

    def __enter__(self):
        return self.k

    def __exit__(self, *_):
        return False
""",
}

# "== name [preludes]: inputs -> output", as in `arrays`.
IDIOMS = """
== history of the module [HISTORY]: v -> v
HISTORY.append({k})
{o} = {a} * sum(HISTORY) / len(HISTORY)
HISTORY.pop()
== history read before and after [HISTORY]: s -> s
{t} = HISTORY[-1]
HISTORY.insert(0, {k})
{o} = {a} * HISTORY[0] + {t} * len(HISTORY)
HISTORY.pop(0)
== history popped [HISTORY]: s v -> v
HISTORY.extend([{k}, 2.0])
{o} = {b} * HISTORY.pop() + {a} * HISTORY.pop() * len(HISTORY)
== history in a loop [HISTORY]: v -> s
{o} = 0.0
for {t} in range(3):
    HISTORY.append(float({t}))
    {o} = {o} + np.sum({a}) * max(HISTORY)
for {t} in range(3):
    HISTORY.pop()
== queue of the module [QUEUE]: v s -> v
QUEUE.append({k})
{o} = {a} * QUEUE[-1] + {b} * len(QUEUE)
QUEUE.pop()
== helper that records [record]: s -> s
{t} = record({k})
{o} = {a} * {t} * len(RECORD)
RECORD.clear()
== written at rank zero: s -> s
{t} = np.array({a} * {k})
{t}[...] = np.sin({t})
{o} = {t}[()] * {a}
== masks at rank zero: s -> s
{t} = np.asarray({a} * {k})
{t}_z = np.zeros_like({t})
{t}_z[{t} > 0] = {t}[{t} > 0] ** 2
{o} = {t}_z[()] + {a}
== at least one: s -> s
{t} = np.atleast_1d({a} * {k})
{t}[{t} > 0] *= 2.0
{o} = {t}[0]
== filled where finite: v -> v
{t} = np.full_like({a}, np.nan)
{t}_m = np.abs({a}) < 50.0
{t}[{t}_m] = np.tanh({a}[{t}_m])
{o} = np.where(np.isnan({t}), {k}, {t})
== another rank is never reached: v -> v
if {a}.ndim == 2:
    {o} = np.sum({a}, axis=1) @ np.ones((3, 4))
else:
    {o} = {a} * {k}
== a branch that gives a constant: s -> s
{t} = 1.0 - {a} ** 2 if {a} ** 2 < 1.0 else 0.0
{o} = {t} ** 1.5 + {a} * {k}
== zip of one length: v -> s
{o} = sum(p * q for p, q in zip({a}, {a}[::-1], strict=True))
== enumerated by name: v -> s
{o} = sum(({t} + 1) * v for {t}, v in enumerate(iterable={a}, start=1))
== layer [Layer]: v -> v
{t} = Layer({k}, {l})
{o} = {t}({a})
== layers in a list [Layer]: v -> v
{t} = [Layer({k}, 0.1), Layer({l}, -0.2)]
{o} = {a}
for {u} in {t}:
    {o} = {u}({o})
== accumulator [Counter]: v -> s
{t} = Accumulator()
for {u} in {a}:
    {t}.add({u} * {k})
{o} = {t}.mean
== chained methods [Counter]: v s -> v
{t} = Accumulator().add({a}).add({k} * {a}).add({b})
{o} = {t}.mean
== operators of a class [Vec]: v v -> s
{t} = {k} * (Vec({a}) + Vec({b})) + {l}
{o} = {t}.dot(Vec({a}))
== dataclass [Params]: v -> v
{t} = Params({k}, {a} * 0.5)
{o} = {a}
for _ in range({t}.steps):
    {o} = {o} - {t}.rate * ({o} - {t}.shift)
== replace [Params]: v -> v
{t} = dataclasses.replace(Params({k}, {a}), rate={l})
{o} = {t}.rate * {t}.shift
== named tuple [Point]: v v -> v
{t} = Point({a}, y={b})
{t} = {t}._replace(x={t}.x * {k})
{o} = {t}.x - {t}.y
== inheritance [Base]: v -> v
{o} = Derived().apply({a}) * {k}
== class attribute changed [Base]: v -> v
{t} = Derived()
{t}.scale = {k}
{o} = {t}.apply({a})
== helper [helpers]: v -> v
{o} = relu({a} - {k}) + normalised({a}, power=4)
== several results [helpers]: v -> v
{t}, {u} = pair({a})
{o} = {t} * {u}
== starred [helpers]: v -> v
{o} = poly(np.tanh({a}), {k}, {l}, 0.2, scale=0.9)
== recursion [helpers]: v -> v
{o} = factor(3) * {a}
== module table [LUT]: v -> v
{o} = TABLE["high" if {k} > 0 else "low"] * {a} + WEIGHTS[:len({a})]
== enum [Mode]: v -> v
{t} = Mode.FAST if {k} > 0.2 else Mode.EXACT
{o} = {a} * 2.0 if {t} is Mode.FAST else np.sin({a})
== decorated helper [scaled]: v -> v
{o} = bump({a}) + {k}
== with [context]: v -> v
with Frame({k}) as {t}:
    {o} = {a} * {t}
== dict of parameters: v v -> v
{t} = {{"w": {a}, "b": {k}}}
{t}["w"] = {t}["w"] * {b}
{o} = {t}["w"] + {t}["b"]
== dict loop: v v -> s
{t} = {{"a": {a}, "b": {b}}}
{o} = 0.0
for {u}, {w} in {t}.items():
    {o} = {o} + np.sum({w} ** 2) * (1.0 if {u} == "a" else {k})
== dict of lists: v -> s
{t} = {{"loss": [], "step": []}}
for {u} in range(3):
    {t}["loss"].append(np.sum(np.sin({a} * {u})))
    {t}["step"].append({u})
{o} = sum({t}["loss"]) * {k}
== get with a default: v -> v
{t} = {{"gain": {k}}}
{o} = {a} * {t}.get("gain", 1.0) + {t}.get("offset", 0.25)
== list append: v -> v
{t} = []
for {u} in range(len({a})):
    {t}.append({a}[{u}] * {k} + {u})
{o} = np.array({t})
== list of states: v -> v
{t} = [{a}]
for _ in range(3):
    {t}.append(np.tanh({t}[-1] * {k} + {t}[0]))
{o} = {t}[-1] + {t}[1]
== pop and push: v -> v
{t} = [{a}, {a} * {k}, {a} ** 2]
{u} = {t}.pop()
{t}.insert(0, {u})
{o} = {t}[0] + {t}[1] * {l}
== nested lists: m -> s
{t} = [[{k} * x for x in row] for row in {a}]
{o} = {t}[0][1] * {t}[1][0] + sum({t}[0])
== comprehension with a condition: v -> s
{o} = sum([x * x for x in {a} if x > {k}], 0.0)
== generator sum: v -> s
{o} = sum(np.sin(x) * j for j, x in enumerate({a})) * {k}
== zip loop: v v -> s
{o} = {k}
for {t}, {u} in zip({a}, {b}):
    {o} = {o} + {t} * {u}
== enumerate write: v -> v
{o} = np.zeros(len({a}))
for {t}, {u} in enumerate({a}):
    {o}[{t}] = {u} ** 2 + {t}
== reversed loop: v -> s
{o} = 0.0
for {t} in reversed({a}):
    {o} = 0.5 * {o} + {t}
== recurrence in place: v -> v
{o} = {a}.copy()
for {t} in range(1, len({o})):
    {o}[{t}] = {o}[{t}] + {k} * {o}[{t} - 1]
== backward recurrence: v -> v
{o} = np.zeros_like({a})
{o}[-1] = {a}[-1]
for {t} in range(len({a}) - 2, -1, -1):
    {o}[{t}] = {a}[{t}] - 0.4 * {o}[{t} + 1]
== double loop: m -> m
{o} = np.zeros_like({a})
for {t} in range(len({a})):
    for {u} in range({t} + 1):
        {o}[{t}, {u}] = {a}[{t}, {u}] * {a}[{u}, {t}] + {k}
== while: s -> s
{o}, {t} = {a}, 0
while {t} < 3 and abs({o}) < 5.0:
    {o} = {o} * 1.2 + {k}
    {t} += 1
== newton: s -> s
{o} = 1.0
for _ in range(6):
    {o} = {o} - ({o} ** 3 + {o} - {a}) / (3 * {o} ** 2 + 1)
== break: v -> s
{o} = 0.0
for {t} in {a}:
    if {o} > 1.5:
        break
    {o} = {o} + {t} ** 2
== continue: v -> s
{o} = 0.0
for {t} in {a}:
    if {t} < {k}:
        continue
    {o} += np.exp(-{t})
== for else: v -> s
for {t} in range(len({a})):
    if {a}[{t}] > 5.0:
        {o} = {a}[{t}]
        break
else:
    {o} = {k} * {a}[0]
== branches: s -> s
if {a} > {k}:
    {o} = {a} ** 2
elif {a} < {l}:
    {o} = -{a}
else:
    {o} = np.sin({a})
== branch on a sum: v -> v
if np.sum({a}) > {k}:
    {o} = {a} * 1.1
else:
    {o} = -0.5 * {a}
== conditional expression: s s -> s
{o} = {a} * {b} if {a} > {b} else {a} - {b}
== and or: s -> s
{t} = {a} > {k} and {a} < 2.0
{o} = {a} * (2.0 if {t} or {k} > 0.5 else 0.7)
== match: s -> s
match {i}:
    case 0:
        {o} = {a} * {k}
    case 1 | 2:
        {o} = {a} + {l}
    case _:
        {o} = np.cos({a})
== try: v -> v
try:
    {o} = {a} / {k}
except ZeroDivisionError:
    {o} = {a}
== try index: v -> s
try:
    {o} = {a}[99]
except IndexError:
    {o} = {a}[0] * {k}
== assert: v -> v
assert len({a}) > 0, "empty"
{o} = {a} - {k}
== walrus: v -> s
{o} = {t} * {k} if ({t} := np.sum({a} ** 2)) > 1.0 else {t}
== lambda: v -> v
{t} = lambda x, k={k}: k * x * x
{o} = {t}({a}) + {t}(0.5, {l})
== closure: v -> v
def {t}(x):
    return x * {k} + np.mean({a})
{o} = {t}({a})
== nonlocal: v -> s
{o} = 0.0
def {t}(x):
    nonlocal_list.append(x)
    return x * {k}
nonlocal_list = []
for {u} in range(2):
    {o} = {o} + np.sum({t}({a} + {u}))
{o} = {o} + len(nonlocal_list)
== map: v -> v
{o} = np.array(list(map(lambda x: x * {k} + 1.0, {a})))
== reduce: v -> s
{o} = functools.reduce(lambda x, y: 0.5 * x + y, list({a}), {k})
== partial: v -> v
{t} = functools.partial(np.maximum, {k})
{o} = {t}({a}) * {l}
== partial of a method [Layer]: v -> v
{t} = functools.partial(Layer({k}, {l}).__call__)
{o} = {t}({a}) * functools.partial(Layer, b={l})({k})({a})
== decorated inner function [twice_of]: v s -> v
@twice_of
@functools.lru_cache
def {t}(x):
    return x * {k} + {b}
{o} = {a} * {t}({b})
== decorated by what is made here: v -> v
def {t}(function):
    @functools.wraps(function)
    def called(*args):
        return function(*args) * {k}
    return called
@{t}
def {u}(x):
    return np.sin(x) + np.mean({a})
{o} = {u}({a})
== vectorized inner function: v s -> v
@np.vectorize
def {t}(x):
    return math.sin(x) * {k} + {b}
{o} = {t}({a})
== max of floats: s s -> s
{o} = max({a}, {b}, {k}) + min({a}, {b})
== tuple swap: v v -> v
{t}, {u} = {a}, {b}
{t}, {u} = {u}, {t} * {k}
{o} = {t} - {u}
== star unpacking: v -> v
{t}, *{u} = {a}
{o} = np.array([*{u}, {t} * {k}])
== slices in a variable: v -> v
{t} = slice(1, None)
{o} = {a} * 1.0
{o}[{t}] *= {k}
== index arithmetic: v -> v
{t} = (np.arange(len({a})) + {i}) % len({a})
{o} = {a}[{t}] * {k}
== string switch: v -> v
{t} = "tanh" if {k} > 0 else "sin"
{o} = getattr(np, {t})({a})
== function table: v -> v
{t} = {{"a": np.sin, "b": np.tanh, "c": lambda x: x ** 2}}
{o} = {t}["c"]({a}) + {t}["a"]({a})
== math functions: s -> s
{o} = math.sin({a}) * math.exp(-{a} * {a}) + math.hypot({a}, {k})
== isinstance: v -> v
{o} = {a} * {k} if isinstance({a}, np.ndarray) else [{a}]
== shape driven: m -> s
{t}, {u} = {a}.shape
{o} = np.sum({a}) / ({t} * {u}) + {a}.ndim
== accumulate into a dict: v -> s
{t} = {{}}
for {u} in range(len({a})):
    {t}[{u} % 2] = {t}.get({u} % 2, 0.0) + {a}[{u}]
{o} = {t}[0] * {k} - {t}[1]
== set of names: v -> v
{t} = {{"scale", "shift"}}
{o} = {a} * {k} if "scale" in {t} else {a}
== itertools pairs: v -> s
{o} = 0.0
for {t}, {u} in itertools.combinations(range(len({a})), 2):
    {o} = {o} + ({a}[{t}] - {a}[{u}]) ** 2 * 0.1
== pairwise: v -> s
{o} = sum(({u} - {t}) ** 2 for {t}, {u} in itertools.pairwise({a})) * {k}
== object array of parts: v -> s
{t} = [np.sin({a}), np.cos({a})]
{o} = sum(np.sum(p ** (j + 1)) for j, p in enumerate({t})) * {k}
== growing array: v -> s
{t} = {a}[:1]
for {u} in range(3):
    {t} = np.append({t}, np.sum({t}) * 0.3)
{o} = {t}[-1] + {t}[0] * {k}
== shrinking array: v -> s
{t} = {a} * 1.0
while len({t}) > 1:
    {t} = {t}[1:] - 0.5 * {t}[:-1]
{o} = {t}[0] * {k}
== network of widths: v -> s
{t} = {a}
for {u} in (2, 3, 1):
    {w} = np.tanh(np.outer(np.linspace(0.1, 1.0, {u}), {t}).sum(axis=1))
    {t} = {w} * {k}
{o} = np.sum({w} ** 2) + np.sum({t})
== late binding: v -> s
{o} = 0.0
for {t} in range(3):
    {u} = {a} * ({t} + 1)
    {o} = {o} + np.sum({u})
{o} = {o} + {u}[{i}] * {t}
== early exit helper: v -> s
def {t}(x):
    for y in x:
        if y > {k}:
            return y * 2.0
    return x[0]
{o} = {t}({a})
== euler steps: v -> v
{o} = {a}
for {t} in range(4):
    {u} = np.sin({o}) - 0.3 * {o}
    {o} = {o} + 0.1 * {u}
== runge kutta: v -> v
def {t}(y):
    return {k} * y - y ** 3 * 0.1
{u} = {t}({a})
{w} = {t}({a} + 0.05 * {u})
{o} = {a} + 0.05 * ({u} + {w})
== momentum: v -> v
{o}, {t} = {a}, np.zeros_like({a})
for _ in range(3):
    {t} = 0.9 * {t} - 0.1 * 2 * ({o} - {k})
    {o} = {o} + {t}
== print: v -> v
print("step", {i})
{o} = {a} * {k}
== f-string: v -> v
{t} = f"{{len({a})}}"
{o} = {a} * len({t}) * {k}
== delete: v -> v
{t} = {a} ** 2
{o} = {t} + {k}
del {t}
== global constant: v -> v
{o} = {a} * math.pi / 4 + np.e * {k}
== int conversion: v -> v
{t} = int(abs({k}) * 10) % len({a})
{o} = {a} * (1 + {t})
== errstate: v -> v
with np.errstate(divide="ignore", invalid="ignore"):
    {o} = np.where({a} != 0, {k} / (np.abs({a}) + 0.4), 0.0)
== zeros like loop: m -> v
{o} = np.zeros({a}.shape[0])
for {t} in range({a}.shape[1]):
    {o} += {a}[:, {t}] * ({t} + {k})
== act of an argument [P]: v -> v
{o} = p["act"]({a} * {k}) * p["rate"]
== name of an argument [P]: v -> v
{o} = ACTS[p["name"]]({a}) if p["name"] != "none" else {a}
== bias that is None [P]: v -> v
{o} = {a} * {k}
if p["bias"] is not None:
    {o} = {o} + p["bias"]
for _ in range(p["steps"]):
    {o} = np.tanh({o})
== layers with functions [P]: v -> v
{o} = {a}
for layer in p["layers"]:
    {o} = layer["act"](layer["w"] * {o})
== namespace of words [P]: v -> s
{t} = p["inner"].act({a} * p["inner"].w)
{o} = np.sum({t} ** 2) if p["inner"].kind == "l2" else np.sum(np.abs({t}))
"""
