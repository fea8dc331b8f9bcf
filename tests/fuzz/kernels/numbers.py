"""Programs of numbers alone: helpers with defaults, keywords and several results, loops that are left, ``math``."""

from __future__ import annotations

import numpy as np

from .templates import Filling

__all__ = ["number_program"]

HELPERS = [
    "def damped(a, b=0.5, *, rate=«0.1|1|0.3»):\n    return a * math.exp(-rate * b * b)",
    "def pair(a, b):\n    «return a * b, a - b|if a > b:\n        return a, b\n    return b, 0.5 * a|both = (math.sin(a), b)\n    return both»",
    "def pieces(a):\n    if a > 1.0:\n        return math.log(a)\n    if a < -1.0:\n        return «-a|a * a|0.0|1»\n    return a * a",
    "def root(a, tolerance=1e-9):\n    x = 1.0 + abs(a)\n    for _ in range(20):\n        step = (x * x - 1.0 - a * a) / (2.0 * x)\n        x -= step\n        if abs(step) < tolerance:\n            «break|return x»\n    return x",
    "def horner(x, *coefficients):\n    total = 0.0\n    for c in coefficients:\n        total = total * x + c\n    return total",
    "def trapezium(f, low, high, count=«4|3»):\n    h = (high - low) / count\n    total = 0.5 * (f(low) + f(high))\n    for j in range(1, count):\n        total += f(low + j * h)\n    return total * h",
    "def power(a, n):\n    if n == 0:\n        return 1.0\n    half = power(a, n // 2)\n    return half * half * a if n % 2 else half * half",
    "def common(n, m):\n    while m:\n        n, m = m, n % m\n    return n",
    "def series(a, most=30):\n    term, total, j = 1.0, 1.0, 1\n    while abs(term) > 1e-10:\n        term *= 0.5 * a / j\n        total += term\n        j += 1\n        if j > most:\n            break\n    return total",
    "def first(a, b):\n    k = 0\n    while True:\n        k += 1\n        if k % 2:\n            continue\n        a = 0.5 * a + 0.1 * b\n        if k > 5 or abs(a) < 0.01:\n            return «a|a, k|a * k»",
    "TABLE = (0.5, -0.2, 0.1)\n\n\ndef looked_up(a):\n    total = 0.0\n    for j, c in enumerate(TABLE):\n        total += c * a ** j\n    return total",
    "def turned(a, b, angle):\n    c, s = math.cos(angle), math.sin(angle)\n    return c * a - s * b, s * a + c * b",
    "def scaled(a, factor=None):\n    if factor is None:\n        factor = 0.5\n    return a * factor",
]  # fmt: skip
CALLS = {
    "damped": ["s: {=} = damped({s}«|, {s}|, b={s}|, rate={s}|, {s}, rate=0.2»)"],
    "pair": ["s: {=}, r{#} = pair({s}, {s});;{=} += 0.5 * r{#}", "s: {=} = pair({s}, {s})[«0|1|-1»]", "s: both{#} = pair({s}, {s});;{=} = both{#}[0] * both{#}[1]", "s: {=} = sum(pair({s}, {s}))", "s: {=} = math.hypot(*pair({s}, {s} + 1.0))"],
    "pieces": ["s: {=} = pieces({s})", "s: {=} = pieces(«2.0 *|-3.0 *|» {s})"],
    "root": ["s: {=} = root({s}«|, 1e-3|, tolerance=1e-6»)"],
    "horner": ["s: {=} = horner({s}, «0.5|0.5, {s}|{s}, 0.1, {s}»)", "s: {=} = horner({s}, *(0.1, {s}, 0.3))"],
    "trapezium": ["s: {=} = trapezium(«math.sin|math.exp|lambda t: t * t», 0.0, {s})", "s: {=} = trapezium(lambda t: t * {s}, {s}, 1.0, count=2)"],
    "power": ["s: {=} = power({s}, «3|k|4|0»)"], "common": ["s: {=} = {s} * common(12, «k + 1|8|18»)"], "series": ["s: {=} = series({s}«|, 3|, most=5»)"],
    "first": ["s: {=} = first({s}, {s})", "s: {=} = first({s}, {s});;if isinstance({=}, tuple):;;    {=} = {=}[0]"], "TABLE": ["s: {=} = looked_up({s})", "s: {=} = {s} * TABLE[«0|k % 3|-1»]"],
    "turned": ["s: {=}, o{#} = turned({s}, {s}, {s});;{=} -= o{#}", "s: {=}, o{#} = {s}, {s};;for j in range(3):;;    {=}, o{#} = turned({=}, o{#}, 0.3);;{=} += o{#}"], "scaled": ["s: {=} = scaled({s}«|, 2|, {s}|, None»)"],
}  # fmt: skip
LINES = [
    "s: {=} = math.«sin|cos|tanh|sinh|cosh|exp|expm1|atan|asinh|erf|erfc|fabs|degrees|radians|tan|cbrt|exp2»(0.5 * {s})", "s: {=} = math.«log|log1p|log2|log10|sqrt|lgamma|gamma|acosh»(1.5 + abs({s}))", "s: {=} = math.«asin|acos|atanh»(0.9 * math.tanh({s}))",
    "s: {=} = math.«atan2|hypot|copysign|fmod|pow|remainder»(abs({s}) + 0.5, 1.5 + abs({s}))", "s: {=} = {s} * math.«floor|ceil|trunc»({s})", "s: {=} = math.hypot(«{s}|1.0», {s}«|, {s}»)", "s: {=} = math.log(2.0 + abs({s}), «2|10|3.0»)", "s: {=} = math.«fsum|prod»([{s}, {s}, 0.5])",
    "s: {=} = {s} ** «2|3|4|1|0»", "s: {=} = (1.0 + abs({s})) ** «0.5|-1|-2|{s}|1.5|k»", "s: {=} = «2.0|2|math.e» ** {s}", "s: {=} = {s} + 0.1 * ({s} «//|%» «0.7|-0.7|2|(1.0 + abs({s}))»)", "s: {=} = «min|max»({s}, {s}«|, 0.2|, 1»)", "s: {=} = {s} if {s} «>|<|>=|<=|==|!=» {s} else -{s}", "s: {=} = ({s} > «0.0|{s}») * {s}",
    "s: {=} = round({s}, 2) + {s}", "s: {=} = «float(int({s} * 3))|int({s} * 3)|round({s})» * {s}", "s: {=} = {s} / («1.0|1» + {s} * {s})", "s: {=} = 0.5 * {s} - {s} + «1|True|0.25»", "s: {=} = np.«sin|tanh|exp|square|abs»({s})«| * 1.0»", "s: {=} = np.«maximum|arctan2|hypot»({s}, 1.0)", "s: {=} = np.float64({s}) * {s}",
    "s: {=} = 0.3 * {s} if -0.5 < {s} <= «1.0|{s}» else {s}", "s: {=} = {s} if not {s} > 0.1 and {s} < 3.0 or {s} > 5.0 else 0.2", "s: {=} = {s};;for j in range(«3|k|5, 0, -2|k, 4»):;;    {=} = 0.5 * {=} + {s} / (j + 1)", "s: {=} = {s};;while 0.1 < abs({=}) < math.inf:;;    {=} *= 0.5;;    if {=} < -0.2:;;        continue;;    {=} -= 0.01",
    "s: {=} = {s};;for j in range(6):;;    if j == 1:;;        continue;;    if {=} > «1.5|0.4»:;;        break;;    {=} += 0.3 * {s} * {s};;«else:;;    {=} = -{=}|{=} = 2.0 * {=}»", "s: {=} = sum(0.1 * j * {s} for j in range(4))", "s: rows{#} = [{s} * j for j in range(3)];;{=} = rows{#}[-1] + rows{#}[k % 3]", "s: kept{#} = {'a': {s}, 'b': 1.0};;kept{#}['a'] *= {s};;{=} = kept{#}['a'] + kept{#}['b']",
    "s: rows{#} = [0.0] * 4;;for j in range(1, 4):;;    rows{#}[j] = rows{#}[j - 1] * 0.5 + {s};;{=} = rows{#}[3]", "s: best{#} = «math.inf|-math.inf|float('inf')»;;for t in ({s}, {s}, 0.4):;;    best{#} = «min|max»(best{#}, t);;{=} = best{#}", "s: {=} = 0.0 if math.«isnan|isinf»({s}) else {s}", "s: {=} = 1.0 if not math.isfinite({s} * 1e200 * {s} * 1e200) else {s}", "s: {=} = divmod({s}, 0.7)[«0|1»]", "s: {=} = {s};;{=} «+|-|*|/»= «2|1.5 + {s} ** 2»",
    "s: {=} = ({s} + 2j * {s}).«real|imag»", "s: {=} = abs(complex({s}, 0.5))", "s: z{#} = 0j;;for j in range(4):;;    z{#} = z{#} * z{#} + complex(0.3 * {s}, 0.1);;{=} = z{#}.real + abs(z{#})", "s: a{#}, (b{#}, {=}) = {s}, ({s}, {s});;{=} += a{#} * b{#}", "s: {=} = (lambda t, u=0.5: t * u)({s})", "s: {=} = ({s}, {s}, 0.1)[k % 3]", "s: {=} = {s} * (k «+|*|//|%|**|&|<<» 2)",
]  # fmt: skip
VALUES = ["RNG.normal()", "0.7", "-0.3", "1.0", "0.0", "2.5", "RNG.uniform(0.5, 2.0)"]


def number_program(seed: int) -> str:
    """A function of numbers and its helpers: no array anywhere."""
    rng = np.random.default_rng([seed, 17])
    chosen = [HELPERS[int(k)] for k in rng.choice(len(HELPERS), 3, replace=False)]
    calls = [
        line
        for helper in chosen
        for line in CALLS[helper.split()[helper.startswith("def")].partition("(")[0]]
    ]
    filling = Filling([*LINES, *calls, *calls], seed)
    filling.common = LINES
    filling.names = {kind: ["a", "b", "c"] if kind == "s" else [] for kind in filling.names}
    body = [line for _ in range(int(rng.integers(2, 6))) for line in filling.statement()]
    if rng.random() < 0.4:
        test = filling.pick(["a > b", "a * b < 0.3", "k > 1", "abs(c) < 1.0"])
        outer = list(filling.names["s"])
        inner = filling.statement()
        last = filling.names["s"][-1]
        filling.names["s"] = outer
        body += [f"if {test}:", *("    " + line for line in inner), f"    {filling.pick(['return 0.3 * {0}', 'a = {0} + b', 'c = 0.5 * {0}']).format(last)}"]  # fmt: skip
        body += filling.statement()
    back = " + ".join(filling.names["s"][-4:])
    made = [
        f"({', '.join(str(v) for v in rng.choice(VALUES, 3))}, {int(rng.integers(1, 4))})"
        for _ in range(3)
    ]
    helpers = [line for text in chosen for line in [*filling.chosen(text).split("\n"), "", ""]]
    return "\n".join([
        "import math", "", "import numpy as np", "", "", *helpers, f"def main(a, b, c, k{filling.pick(['=2', ''])}):",
        *("    " + line for line in body), f"    return 0.1 * ({back})", "", "", f"RNG = np.random.default_rng({seed})",
        f"ARGS = {made[0]}", f"OTHERS = ({made[1]}, {made[2]})", "WRT = (0, 1, 2)", "",
    ])  # fmt: skip
