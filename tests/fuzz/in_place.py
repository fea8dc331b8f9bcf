"""Random programs that write to their arguments: ``python -m tests.fuzz.native FIRST COUNT in_place [c|numba]``.

Stencils and sweeps in loops, triangular loops of dots, rows that change places, masks, arrays as
indices, ufuncs into arrays, loops until something is small.  Some calls are given arrays that share
memory, that are read-only, empty, or in another order.
"""

from __future__ import annotations

import numpy as np

__all__ = ["in_place_program"]

SMOOTH = ["np.sin({})", "np.tanh({})", "0.5 * {}", "{} / (1.5 + {} * {})", "np.abs({})", "np.maximum({}, 0.1)"]  # fmt: skip


class Writer:
    """``a``, ``u``, ``t``: vectors of n; ``m``, ``w``: n by n; ``i``: integers below n; ``s``: a number."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.count = 0

    def pick(self, options: list[str]) -> str:
        return options[int(self.rng.integers(len(options)))]

    def fresh(self, hint: str) -> str:
        self.count += 1
        return f"{hint}{self.count}"

    def smooth(self, text: str) -> str:
        return self.pick(SMOOTH).replace("{}", text)

    def vector(self) -> str:
        """An expression of n numbers."""
        return self.pick([
            "a", "u", "t", "m[0]", "w[:, -1]", "m[k]", "m[:, k]", "(m @ u)", "u[i]", "a[::-1]", "(a + s)",
            "np.where(a > u, a, 0.3 * u)", "np.cumsum(0.1 * u)", "np.add.reduce(w)", "np.roll(a, 1)",
        ])  # fmt: skip

    def number(self) -> str:
        return self.pick([
            "a[k]", "u[-1]", "m[k, 0]", "np.sum(a * u)", "(m[k, :k] @ u[:k])", "s", "np.max(u)", "a[i[0]]",
            "np.dot(w[k, :k], m[k, :k])", "np.mean(m)",
        ])  # fmt: skip

    def matrix(self) -> str:
        return self.pick(["m", "w", "(m * u)", "np.outer(a, u)", "m.T", "np.add.outer(a, u)", "0.1 * (w @ w)"])  # fmt: skip

    def sweep(self) -> list[str]:
        """Slices written from slices beside them, in a loop over time."""
        steps = self.pick(["3", "2", "n - 1"])
        body = self.pick([
            "a[1:-1] = 0.3 * (a[:-2] + a[1:-1] + a[2:])",
            "a[1:] += 0.2 * a[:-1] * u[1:]",
            "a[:-1] -= 0.1 * (a[1:] - a[:-1])",
            "m[1:-1, 1:-1] = 0.2 * (m[1:-1, 1:-1] + m[:-2, 1:-1] + m[2:, 1:-1] + m[1:-1, 2:] + w[1:-1, :-2])",
            "m[0, :] = m[1, :]",
            "m[:, -1] = 0.5 * m[:, -2]",
            "t[1:] = a[1:] * t[:-1]",
        ])  # fmt: skip
        more = [self.short() for _ in range(int(self.rng.integers(0, 2)))]
        return [f"for _ in range({steps}):", *("    " + line for line in [body, *more])]

    def elements(self) -> list[str]:
        """Elements one after the other, up or down."""
        order = self.pick(["range(1, n)", "range(n - 1, 0, -1)", "range(1, n - 1)", "reversed(range(1, n))"])  # fmt: skip
        body = self.pick([
            "a[j] = 0.4 * a[j - 1] + 0.3 * u[j]",
            "a[j] += 0.1 * a[j - 1] * s",
            "m[j, 0] -= 0.1 * (m[j, :j] @ a[:j])",
            "m[j, :j] *= 0.5 * u[j]",
            "t[j] = (a[j] - 0.1 * m[j, :j] @ t[:j]) / (2.0 + w[j, j] ** 2)",
            "m[j, 1:] = 0.5 * (m[j - 1, 1:] + m[j, :-1])",
            "a[:j] += 0.1 * a[j] * np.flip(a[:j])",
        ])  # fmt: skip
        lines = [f"for j in {order}:", f"    {body}"]
        if self.rng.random() < 0.4:
            inner = self.pick([
                "m[j, l] -= 0.1 * np.dot(m[j, :l], m[l, :l])",
                "m[j, l] = 0.5 * m[j, l] + 0.1 * m[l, j]",
                "a[l] += 0.05 * m[j, l] * u[l]",
            ])  # fmt: skip
            lines += [
                f"    for l in range({self.pick(['j', '1, j', 'j, n'])}):",
                f"        {inner}",
            ]
        return lines

    def exchange(self) -> list[str]:
        """Rows, columns or elements change places."""
        return self.pick([
            "p = k + int(np.argmax(np.abs(m[k:, k])))\nm[[k, p]] = m[[p, k]]",
            "p = np.argmax(u)\nif p != k:\n    m[[k, p]] = m[[p, k]]\n    a[k], a[p] = a[p], a[k]",
            "m[:, [0, k]] = m[:, [k, 0]]",
            "tmp = m[k].copy()\nm[k] = m[0]\nm[0] = 0.5 * tmp",
            "a[[0, k, 0]] = a[[k, 0, 1]]",
            "for j in range(n - 1):\n    p = j + int(np.argmax(np.abs(m[j:, j])))\n    if p != j:\n        m[[j, p]] = m[[p, j]]\n    m[j + 1:, j] *= 0.3",
        ]).split("\n")  # fmt: skip

    def masked(self) -> list[str]:
        return self.pick([
            f"a[a > 0.3] = {self.pick(['0.2', 's', '0.1 * s'])}",
            "a[a < u] *= 0.5",
            "c = a > u\na[c] = 0.5 * u[c] + a[c]",
            "c = m > w\nm[c] = 0.3 * m[c] * s",
            "m[u > 0] = 0.5 * m[u > 0]",
            "np.add.at(a, i, 0.1 * u)",
            "a[i] = u * a[i]",
            "a[i] += 0.1 * u",
            "m[i[0], i] = u",
            "c = np.abs(u) > 0.2\na[c] += np.sum(u[c]) * 0.1",
        ]).split("\n")  # fmt: skip

    def into(self) -> list[str]:
        return self.pick([
            "np.subtract(a, u, out=a)",
            "np.multiply(a, 0.5 * u, t)",
            f"np.tanh({self.pick(['a', 'u'])}, out=t)",
            "np.add(m, w, out=m)",
            "np.minimum(m, np.add.outer(a, u), out=m)",
            "m[:] = np.minimum(m, np.add.outer(m[:, k], m[k, :]))",
        ]).split("\n")  # fmt: skip

    def until(self) -> list[str]:
        """A loop until something is small."""
        gap, turns = self.fresh("gap"), self.fresh("turns")
        update = self.pick(["a[:] = 0.4 * a + 0.1 * u", "a *= 0.5", "a -= 0.5 * (a - u)"])
        return [f"{gap} = 1.0", f"{turns} = 0", f"while {gap} > 1e-2 and {turns} < 6:", "    old = a.copy()",
                f"    {update}", f"    {gap} = np.max(np.abs(a - old))", f"    {turns} += 1"]  # fmt: skip

    def short(self) -> str:
        return self.pick([
            f"a[k] = 0.5 * {self.number()}",
            f"a *= 0.5 * {self.pick(['s', 'u', 'np.cos(u)'])}",
            f"a[:] = {self.smooth(self.vector())}",
            f"m[k] = {self.smooth(self.vector())}",
            f"m[:, k] += 0.1 * {self.vector()}",
            f"m[...] = 0.5 * {self.matrix()}",
            f"t = {self.smooth(self.vector())}",
            f"t = 0.5 * t + 0.1 * {self.vector()}",
            "b = a",
            "b = a.copy()",
            f"b[0] = {self.number()}",
        ])  # fmt: skip

    def block(self) -> list[str]:
        kinds = [self.sweep, self.elements, self.exchange, self.masked, self.into, self.until]
        if self.rng.random() < 0.35:
            return [self.short()]
        lines = kinds[int(self.rng.integers(len(kinds)))]()
        r = self.rng.random()
        if r < 0.15:
            return [f"if {self.number()} > 0.1:", *("    " + line for line in lines)]
        if r < 0.3:
            return [f"for k in range({self.pick(['2', 'n - 1', '1, 3'])}):", *("    " + line for line in lines)]  # fmt: skip
        return lines


def arguments(n: int, how: str = "") -> str:
    """Arguments of a size: plain, or as somebody might pass them."""
    made = {
        "a": f"RNG.normal(size={n})", "u": f"RNG.normal(size={n})", "m": f"RNG.normal(size=({n}, {n}))",
        "w": f"RNG.normal(size=({n}, {n}))", "i": f"RNG.integers(-{n}, {n}, {n})", "s": "0.7",
    }  # fmt: skip
    if how == "order":
        made["m"] += ".T"
    elif how == "steps":
        made["a"] = f"RNG.normal(size={2 * n})[::2]"
    elif how == "shared":
        return f"(lambda x, m: (x, x, m, m[::1], RNG.integers(0, {n}, {n}), 0.7))({made['a']}, {made['m']})"
    elif how == "apart":
        return f"(lambda x: (x[:{n}], x[{n}:{2 * n}], *x[:{n * n * 2}].reshape(2, {n}, {n}).copy(), RNG.integers(0, {n}, {n}), 0.7))(RNG.normal(size={2 * n * n}))"  # fmt: skip
    elif how == "frozen":
        return f"(frozen({made['a']}), {made['u']}, frozen({made['m']}), {made['w']}, {made['i']}, 0.7)"  # fmt: skip
    return f"({', '.join(made.values())})"


def in_place_program(seed: int) -> str:
    """A program that writes to its arguments."""
    w = Writer(seed)
    lines = [line for _ in range(int(w.rng.integers(2, 5))) for line in w.block()]
    small, large = int(w.rng.integers(4, 8)), int(w.rng.integers(34, 40))
    first, second = (small, large) if w.rng.random() < 0.6 else (large, small)
    how = w.pick(["order", "steps", "shared", "apart", "frozen"])
    back = w.pick(
        ["np.sum(a)", "np.sum(a * a) + np.sum(np.tanh(m))", "np.sum(m[1:] * m[:-1]) + a[0]"]
    )
    return "\n".join([
        "import numpy as np", "", "", "def main(a, u, m, w, i, s):", "    n = a.shape[0]", "    k = 1", "    t = 0.5 * u", "    b = 0.1 * u",
        *("    " + line for line in lines), f"    return {back} + np.sum(t) + np.sum(b * b)", "", "",
        "def frozen(x):", "    x.flags.writeable = False", "    return x", "", "",
        f"RNG = np.random.default_rng({seed})", f"ARGS = {arguments(first)}",
        f"OTHERS = ({arguments(second)}, {arguments(first, how)}, {arguments(first)})", "WRT = (0, 1, 2, 3, 5)", "",
    ])  # fmt: skip
