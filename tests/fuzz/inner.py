"""Random programs that call derivatives of random functions, made there or in the module: ``python -m tests.fuzz.inner --count 1000``."""

from __future__ import annotations

import argparse
import multiprocessing
import os
import random
from collections import Counter

from .checks import Outcome
from .run import judged, prepared

__all__ = ["program"]

NAMES = ("a", "b", "c")
START = ["a = x * 1.0", "b = np.sin(x)", "c = x * x", "s = 0.3 * x[0]"]
HEAD = ["import numpy as np", "", "import retrograd as rg", ""]
MODULE = (  # how a derivative of the module is made
    "slope{k} = rg.grad({f})", "curve{k} = rg.grad(rg.grad(lambda t: {f}(t * np.ones(3))))",
    "matrix{k} = rg.jacobian(rg.grad({f}))", "both{k} = rg.value_and_grad({f})",
)  # fmt: skip


def program(seed: int, most: int = 5) -> str:
    """The text of program number ``seed``, of 2 to ``most`` statements."""
    rng = random.Random(f"inner {seed}")
    lines = list(HEAD)
    scalars = [f"f{k}" for k in range(rng.randint(1, 2))]
    for name in scalars:
        lines += ["", *function(rng, name, ["u"], []), ""]
    lines += ["", *vector(rng, "g0"), ""]
    made = []
    for k, f in enumerate(scalars):
        text = rng.choice(MODULE).format(k=k, f=f)
        lines.append(text)
        made.append(text.partition(" ")[0])
    main = Main(rng, scalars, made)
    body = START + [line for _ in range(rng.randint(2, most)) for line in main.statement(0)]
    body.append("return s + np.sum(a * b) + np.sum(c)")
    lines += ["", "", "def main(x):", *indented(body)]
    return "\n".join([*lines, "", "", "ARGS = (np.array([0.31, -0.77, 0.52]),)", "WRT = (0,)", ""])


def function(rng: random.Random, name: str, params: list[str], around: list[str]) -> list[str]:
    """A function of arrays that returns a number; ``around``: arrays that it reads besides."""
    values = [*params, *around]
    v, w = rng.choice(values), rng.choice(values)
    last = rng.choice((
        f"np.sum(np.sin({params[0]}) * {v})", f"np.sum({params[0]} ** 2 * np.tanh({w}))",
        f"np.sum(np.exp(-{params[0]} * {params[0]})) * {v}[0]", f"{params[0]}[0] * {params[0]}[1] ** 2 + {v} @ {w}",
        f"np.sqrt(1.0 + np.sum({params[0]} * {params[0]})) + 0.1 * np.sum({v})",
    ))  # fmt: skip
    kind = rng.random()
    body = [f"r = {last}"]
    if kind < 0.2:
        body = [
            "r = 0.0",
            f"for k in range({rng.randint(2, 3)}):",
            f"    r = 0.5 * r + ({last}) * k",
        ]
    elif kind < 0.4:
        body = [f"if {params[0]}[0] > {rng.uniform(-0.5, 0.5):.2f}:", f"    r = {last}", "else:",
                f"    r = np.sum(np.cos({params[0]}) * {v})"]  # fmt: skip
    elif kind < 0.55:
        body = ["z = np.zeros(3)", "for k in range(3):", f"    z[k] = {params[0]}[k] ** 2 * {v}[(k + 1) % 3]",
                f"r = np.sum(z * {w}) + {last}"]  # fmt: skip
    elif kind < 0.65:
        body = ["r = 0.0", f"for e in {params[0]}:", f"    r = r + np.sin(e) * {v}[0]", "    if r > 0.8:", "        break"]  # fmt: skip
    return [f"def {name}({', '.join(params)}):", *indented([*body, "return r"])]


def vector(rng: random.Random, name: str) -> list[str]:
    """A function of an array that returns one."""
    last = rng.choice(("np.sin(u) * u[0]", "u ** 2 + u[::-1]", "np.cumsum(u) * u", "np.tanh(u @ np.outer(u, u))"))  # fmt: skip
    return [f"def {name}(u):", f"    return {last}"]


class Main:
    """The statements of the function that is differentiated."""

    def __init__(self, rng: random.Random, scalars: list[str], made: list[str]) -> None:
        self.rng, self.scalars, self.made, self.count = rng, scalars, made, 0

    def name(self) -> str:
        self.count += 1
        return f"h{self.count}"

    def statement(self, nested: int) -> list[str]:
        kind, name = self.rng.random(), self.rng.choice(NAMES)
        if kind < 0.12 and nested < 2:
            inner = [x for _ in range(self.rng.randint(1, 3)) for x in self.statement(nested + 1)]
            return [f"for _ in range({self.rng.randint(2, 3)}):", *indented(inner)]
        if kind < 0.22 and nested < 2:
            test = f"if {name}[0] > {self.rng.uniform(-0.5, 0.5):.3f}:"
            then, other = self.statement(nested + 1), self.statement(nested + 1)
            return [test, *indented(then), "else:", *indented(other)]
        if kind < 0.32:
            return [self.rng.choice((
                f"{name}[{self.rng.randrange(3)}] = 0.5 * s", f"{name} += 0.1 * {self.other()}",
                f"{name} = np.tanh({name} + {self.other()})", f"{name} = {name} * 1.0",
            ))]  # fmt: skip
        return self.derivative(name)

    def other(self) -> str:
        return self.rng.choice(NAMES)

    def differentiated(self) -> tuple[list[str], str]:
        """A function of an array: what defines it, and its text."""
        kind = self.rng.random()
        if kind < 0.4:
            return [], self.rng.choice(self.scalars)
        if kind < 0.6:
            return [], f"lambda u: np.sum(u * np.sin(u * {self.other()})) * s"
        name = self.name()
        if kind < 0.85:
            return function(self.rng, name, ["u"], list(NAMES)), name
        f = self.rng.choice(self.scalars)  # a derivative in it
        return [f"def {name}(u):", f"    return np.sum(rg.grad({f})(u) * {self.other()})"], name

    def derivative(self, name: str) -> list[str]:
        if self.rng.random() < 0.2:
            return self.of_the_module(name)
        before, f = self.differentiated()
        at, v = self.other(), self.other()
        wanted = f"({f})" if f.startswith("lambda") else f
        found = self.rng.choice((
            [f"{name} = 0.2 * rg.grad({f})({at}) + {v}"],
            [f"s = 0.3 * s + np.sum(rg.grad({f})({at}) * {v})"],
            [f"w, d = rg.value_and_grad({f})({at})", f"{name} = 0.3 * w * d"],
            [f"w, d = rg.jvp({wanted}, ({at},), ({v},))", "s = 0.2 * (s + w * d)"],
            [f"w, pull = rg.vjp({wanted}, {at})", f"{name} = 0.3 * pull(w)[0] + {v}"],
            [f"{name} = 0.2 * rg.hvp({wanted}, ({at},), {v})"],
            [f"{name} = 0.2 * rg.hessian({f})({at}) @ {v}"],
            [f"s = s + 0.1 * rg.grad(rg.grad(lambda t: ({f})(t * {v})))(s)"],
            [f"w, push = rg.linearize(rg.grad({f}), {at})", f"{name} = 0.1 * push({v}) + w"],
            [f"{name} = 0.2 * rg.jacobian(g0)({at}) @ {v}"],
            [f"w, d = rg.jvp(g0, ({at},), ({v},))", f"{name} = 0.3 * w + 0.2 * d"],
            [f"w, pull = rg.vjp(g0, {at})", f"{name} = 0.1 * pull(w * {v})[0]"],
        ))  # fmt: skip
        return [*before, *found]

    def of_the_module(self, name: str) -> list[str]:
        made, at = self.rng.choice(self.made), self.other()
        if made.startswith("slope"):
            return [f"{name} = 0.3 * {made}({at}) + {name}"]
        if made.startswith("curve"):
            return [f"s = 0.2 * {made}(s) + {at}[1]"]
        if made.startswith("both"):
            return [f"w, d = {made}({at})", f"{name} = 0.2 * w * d + {name}"]
        return [f"{name} = 0.1 * {made}({at}) @ {name}"]


def indented(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]


def tried(seed: int) -> tuple[int, Outcome]:
    return seed, judged(program(seed), second=seed % 4 == 0)


def main() -> int:
    """Run many, print what fails."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    asked = parser.parse_args()
    verdicts: Counter[str] = Counter()
    with multiprocessing.Pool(asked.jobs, prepared, maxtasksperchild=200) as pool:
        for seed, outcome in pool.imap_unordered(
            tried, range(asked.seed, asked.seed + asked.count)
        ):
            verdicts[f"{outcome.verdict} {outcome.reason}".strip()] += 1
            if outcome.verdict == "failed":
                print(f"seed {seed}: {outcome.reason}", flush=True)
    for name, count in verdicts.most_common():
        print(f"{count:7d} {name}")
    return any(name.startswith("failed") for name in verdicts)


if __name__ == "__main__":
    raise SystemExit(main())
