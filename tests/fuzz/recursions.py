"""Programs of helpers for the back ends, most of which call themselves: ``python -m tests.fuzz.recursions FIRST COUNT [c|numba]``.

Trees over halves, minors, recurrences in a number, recursion until something has converged, circles of two functions,
children in a loop, lists of helpers that are called twice: with numbers, vectors, tuples and dicts handed up and down.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from .native import compared

__all__ = ["helper_program"]

NUMBERS = ["np.sin({a}) + {b}", "np.tanh({a} + 0.5 * {b})", "{a} * {b} + 0.1", "np.exp(-{a} * {a}) - {b}", "{a} - 0.5 * {b}",
           "np.maximum({a}, {b})", "{a} / (2.0 + {b} * {b})"]  # fmt: skip
VECTORS = [
    "np.sin({a}) + {b}",
    "{a} * {b}",
    "np.tanh({a}) - 0.3 * {b}",
    "{a} / (1.5 + {b} ** 2)",
    "({a} - {b}) * w",
]
ENDS = ["{x}[0]", "np.sin({x}[0])", "w * {x}[0] ** 2", "float(3) * {x}[0]", "np.sum({x} * {x})"]


class Writer:
    """Functions that call themselves, and a `main` that calls them."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)

    def pick(self, options: list[str]) -> str:
        return options[int(self.rng.integers(len(options)))]

    def mixed(self, a: str, b: str, options: list[str] | None = None) -> str:
        return self.pick(options or NUMBERS).format(a=a, b=b)

    def tree(self) -> tuple[list[str], str]:
        """Halves of a vector: a number."""
        least = self.pick(["1", "2", "3"])
        cut = self.pick(["n // 2", "n // 2", "1", "max(1, n // 3)"])
        last = self.pick(["return {}", "value = {}\n    return value * w", "value = {}\n    if value > 0.3:\n        return 0.5 * value\n    return value"])  # fmt: skip
        end = self.pick(ENDS).format(x="x")
        lines = ["def tree(x, w):", "    n = len(x)", f"    if n <= {least}:", f"        return {end}", f"    h = {cut}",
                 "    a = tree(x[:h], w)", "    b = tree(x[h:], w)",
                 *("    " + last.format(self.mixed("a", "b"))).split("\n")]  # fmt: skip
        return lines, "tree(x, w)"

    def halves(self) -> tuple[list[str], str]:
        """Every other element: vectors, two of them or one."""
        both = bool(self.rng.random() < 0.5)
        if not both:
            how = self.mixed("a[: min(len(a), len(b))]", "b[: min(len(a), len(b))]", VECTORS)
            lines = ["def comb(x, w):", "    if len(x) == 1:", f"        return {self.pick(['x * w', 'x', 'x * x'])}",
                     "    a = comb(x[0::2], w)", "    b = comb(x[1::2], w)", f"    c = {how}",
                     f"    return np.concatenate([{self.pick(['a + 0.1 * c[0]', 'a'])}, {self.pick(['c', 'b'])}])"]  # fmt: skip
            return lines, "np.sum(comb(x[:8], w) * (1.0 + np.arange(len(comb(x[:8], w)))))"
        lines = ["def comb(x, y, w):", "    n = len(x)", "    if n == 1:", f"        return {self.pick(['x, y', 'x * w, y', 'x + y, x'])}",
                 "    a, b = comb(x[0::2], y[0::2], w)", "    c, d = comb(x[1::2], y[1::2], w)",
                 "    k = np.arange(n // 2)", "    p, q = np.cos(0.3 * k), np.sin(0.2 * k)",
                 f"    e = {self.mixed('p * c', 'q * d', VECTORS)}", "    f = p * d + q * c",
                 "    return np.concatenate([a + e, a - e]), np.concatenate([b + f, b - f])"]  # fmt: skip
        return lines, "sum(np.sum(t * t) for t in comb(x[:8], y[:8], w))"

    def minors(self) -> tuple[list[str], str]:
        lines = ["def minors(a, w):", "    n = a.shape[0]", "    if n == 1:", "        return a[0, 0]", "    total = 0.0",
                 "    for j in range(n):", "        rest = np.concatenate([a[1:, :j], a[1:, j + 1 :]], axis=1)",
                 f"        total = total + {self.pick(['(-1.0) ** j * ', 'w * ', ''])}a[0, j] * {self.pick(['minors(rest, w)', 'np.tanh(minors(rest, w))'])}",
                 "    return total"]  # fmt: skip
        return lines, "minors(np.outer(x[:4], y[:4]) + np.diag(x[:4]), w)"

    def recurrence(self) -> tuple[list[str], str]:
        """A number that counts down; with one call of itself or two."""
        two = self.mixed("2.0 * x * poly(x, n - 1)", "poly(x, n - 2)")
        one = self.mixed("poly(x, n - 1)", "x")
        what = self.pick([two, one])
        lines = [
            "def poly(x, n):",
            "    if n <= 0:",
            f"        return {self.pick(['1.0', 'x', 'x * x', '0.0 * x + 1.0'])}",
        ]
        lines += ["    if n == 1:", "        return x", f"    return {what}"]
        if self.rng.random() < 0.3:
            lines[-1] = f"    y = {what}"
            lines += ["    if y > 0.5:", "        y = y * x", "    return y"]
        arg = self.pick(["x[0]", "x", "w"])
        return lines, f"np.sum(poly({arg}, {int(self.rng.integers(0, 7))}))"

    def adaptive(self) -> tuple[list[str], str]:
        f = self.mixed("w * t", "t")
        lines = ["def f(t, w):", f"    return {f}", "", "", "def area(a, b, w, deep):", "    m = 0.5 * (a + b)",
                 "    one = (b - a) * (f(a, w) + 4.0 * f(m, w) + f(b, w)) / 6.0",
                 "    two = 0.5 * (b - a) * (f(a, w) + f(b, w))",
                 f"    if deep == 0 or abs(one - two) < {self.pick(['1e-2', '1e-3'])}:", "        return one",
                 "    return area(a, m, w, deep - 1) + area(m, b, w, deep - 1)"]  # fmt: skip
        return (
            lines,
            f"area({self.pick(['0.0', 'x[0]'])}, {self.pick(['1.0', 'x[1] + 2.0'])}, w, {int(self.rng.integers(1, 6))})",
        )

    def circle(self) -> tuple[list[str], str]:
        lines = ["def even(x, n):", "    if n == 0:", "        return x", f"    return {self.mixed('odd(x, n - 1)', 'x')}", "", "",
                 "def odd(x, n):", "    if n == 0:", f"        return {self.pick(['x * x', '2.0 * x', 'x'])}",
                 f"    y = {self.mixed('x', 'x')}", f"    return {self.pick(['even(y, n - 1)', 'even(x, n - 1) * y'])}"]  # fmt: skip
        arg = self.pick(["w", "x[0]", "x"])
        return lines, f"np.sum(even({arg}, {int(self.rng.integers(0, 6))}))"

    def children(self) -> tuple[list[str], str]:
        """Children in a loop, with a tuple or a dict handed down."""
        state = self.pick(["(y, w)", "{'y': y, 'w': w}"])
        taken = ["    y, w = state"] if state[0] == "(" else ["    y, w = state['y'], state['w']"]
        down = (
            state.replace("y)", "y * 0.5)")
            .replace("(y,", "(0.5 * y,")
            .replace("'y': y,", "'y': 0.5 * y,")
        )
        lines = ["def node(x, state, deep):", *taken, "    if deep == 0:", f"        return {self.pick(['np.sum(x * y)', 'w * x[0] * y[0]', 'np.sum(x) * w'])}",
                 "    total = 0.0", f"    for k in range({self.pick(['2', '3', 'len(x) // 2'])}):",
                 f"        total = total + node({self.pick(['x[k:]', 'np.sin(x)', 'x * x[k]'])}, {down}, deep - 1)",
                 f"    return {self.mixed('total', 'x[0]')}"]  # fmt: skip
        return (
            lines,
            f"node(x[:4], {state.replace('y', 'y[:1]', 1) if False else state}, {int(self.rng.integers(1, 4))})",
        )

    def listing(self) -> tuple[list[str], str]:
        """A helper that keeps something of each turn, called twice and in a loop."""
        test = self.pick(["abs(t * t - a) > 1e-6", "k < 4", "t > 1.01 * np.sqrt(a)"])
        lines = ["def root(a):", "    t = a + 1.0", "    k = 0", f"    while {test}:", "        t = 0.5 * (t + a / t)", "        k = k + 1",
                 f"    return {self.pick(['t', 't * a', 'np.log(t)'])}"]  # fmt: skip
        one = "root(1.0 + x[0] * x[0]) * root(2.0 + w * w)"
        many = "sum(root(1.5 + t * t) * root(2.5 + w * t * t) for t in x)"
        return lines, self.pick([one, many])

    def early(self) -> tuple[list[str], str]:
        lines = ["def layer(h, w):", f"    out = {self.mixed('h', 'w * h', VECTORS)}", "    if np.sum(out) > 0.0:", "        return np.tanh(out), 1.0",
                 "    for k in range(3):", "        out = out * 0.5 + np.sin(out) * w", "    return out, 0.5 * w"]  # fmt: skip
        return lines, "np.sum(layer(layer(x, w)[0], w)[0]) * layer(y, w)[1]"


KINDS = ["tree", "tree", "halves", "halves", "minors", "recurrence", "recurrence", "adaptive", "circle", "children",
         "children", "listing", "early"]  # fmt: skip


def helper_program(seed: int) -> str:
    """A program of one or two helpers."""
    w = Writer(seed)
    kinds = [w.pick(KINDS)] + ([w.pick(KINDS)] if w.rng.random() < 0.4 else [])
    defs: list[str] = []
    calls: list[str] = []
    for kind in dict.fromkeys(kinds):
        lines, call = getattr(w, kind)()
        defs += [*lines, "", ""]
        calls.append(call)
    body = [f"    r{k} = {call}" for k, call in enumerate(calls)]
    if w.rng.random() < 0.25:
        body = ["    r = 0.0", "    for i in range(3):", *("    " + line for line in body),
                f"        r = r + np.sin({' + '.join(f'r{k}' for k in range(len(calls)))})", "        w = 0.9 * w", "    return r"]  # fmt: skip
    else:
        body.append(f"    return {' + '.join(f'r{k}' for k in range(len(calls)))}")
    n = int(w.rng.integers(8, 12))
    sizes = [n, 8, 40] if w.rng.random() < 0.7 else [40, 9, 33]
    made = [f"(RNG.normal(size={k}), RNG.normal(size={k}), 0.7)" for k in sizes]
    return "\n".join([
        "import numpy as np", "", "", *defs, "def main(x, y, w):", *body, "", "",
        f"RNG = np.random.default_rng({seed})", f"ARGS = {made[0]}", f"OTHERS = ({made[1]}, {made[2]})", "WRT = (0, 1, 2)", "",
    ])  # fmt: skip


def main() -> None:
    import os
    import sys

    os.environ["RETROGRAD_VERIFY"] = "1"
    first, count = map(int, sys.argv[1:3])
    backend = "numba" if "numba" in sys.argv else "c"
    seen: Counter[str] = Counter()
    for seed in range(first, first + count):
        outcome = compared(helper_program(seed), backend)
        plain = outcome.verdict in ("ok", "failed")
        seen[outcome.verdict if plain else f"{outcome.verdict}: {outcome.reason}"] += 1
        if outcome.verdict == "failed":
            print(f"seed {seed}: {outcome.reason}\n{outcome.detail[:600]}", flush=True)
        elif "show" in sys.argv and outcome.verdict != "ok":
            print(seed, outcome.verdict, outcome.reason, flush=True)
    for reason, n in seen.most_common():
        print(n, reason)


if __name__ == "__main__":
    main()
