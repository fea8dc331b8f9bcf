"""Compiled back ends against the NumPy text they are read from: ``python -m tests.fuzz.native FIRST COUNT [small|stencil|large|in_place] [c|numba] [shared]``.

``shared``: threads share every loop that they may; one thread then has to give the same numbers to the last bit.
"""

from __future__ import annotations

import contextlib
import io
from collections import Counter
from typing import Any

import numpy as np

import retrograd as rg
from retrograd.runtime.errors import CompileError, InternalError
from tests.threads import everything_shared, one_thread

from .checks import Outcome, loaded, quiet, shortened, unloaded, where
from .copies import alike

__all__ = ["compared", "small_program", "stencil_program"]


def compared(text: str, backend: str = "c") -> Outcome:
    """Whether the kernels of a program's derivatives give what the NumPy text gives."""
    try:
        module = loaded(text)
    except Exception as error:
        return Outcome("discarded", f"does not load: {type(error).__name__}")
    try:
        with quiet(), contextlib.redirect_stdout(io.StringIO()):
            return judged(module, backend)
    finally:
        unloaded(module)


def judged(module: Any, backend: str) -> Outcome:
    args, wrt = module.ARGS, module.WRT
    if not wrt:
        return Outcome("discarded", "nothing to differentiate")
    plain = rg.value_and_grad(module.main, wrt)
    try:
        plain(*alike(args))
    except InternalError as error:
        return Outcome("failed", f"the compiler fails: {error.reason}")
    except CompileError as error:
        return Outcome("refused", type(error).__name__)
    except Exception as error:
        return Outcome("discarded", f"the plain program: {type(error).__name__}")
    kernel = rg.value_and_grad(module.main, wrt, backend=backend)
    with contextlib.suppress(Exception):
        kernel(*alike(args))  # compiles; the next one runs the kernel
    for given in (args, *getattr(module, "OTHERS", ())):
        outcome = judged_for(given, kernel, plain)
        if outcome is not None:
            return outcome
        if given is args:
            left = kernel.__native__.family is not None and kernel.__native__.family.taken[None]  # type: ignore[attr-defined]
    native: Any = kernel.__native__  # type: ignore[attr-defined]
    if native.notes:
        return Outcome("numpy", native.notes[0].split(": ", 1)[-1])
    return Outcome("numpy", "a kernel that was left") if left else Outcome("ok")


def judged_for(args: Any, kernel: Any, plain: Any) -> Outcome | None:
    """What is wrong with a kernel's result for some arguments."""
    given, touched = alike(args), alike(args)
    try:
        wanted = plain(*touched)
    except Exception as error:
        return refused_alike(error, kernel, given)
    try:
        found = kernel(*given)
    except Exception as error:
        return Outcome("failed", f"{type(error).__name__}: {shortened(error)}", where(error))
    with one_thread():
        alone = kernel(*alike(args))
    whole = kernel.__native__.notes == []  # regions are found while the first calls run
    if not same(found, alone, 0.0 if whole else 1e-9):
        return Outcome("failed", "differs from what one thread gives", f"{found}\nnot\n{alone}")
    if not same(found, wanted, 1e-9):
        return Outcome("failed", "differs", f"{found}\nnot\n{wanted}")
    if not same(given, touched, 1e-12):  # what a region computed is rounded otherwise
        return Outcome("failed", "the arguments are left in another state")
    return None


def refused_alike(error: Exception, kernel: Any, given: Any) -> Outcome | None:
    """What is wrong with a kernel where the text raises."""
    try:
        kernel(*given)
    except Exception as other:
        if type(other) is type(error):
            return None
        return Outcome(
            "failed", f"{type(other).__name__}, not {type(error).__name__}", where(other)
        )
    return Outcome("failed", f"gives what the text raises {type(error).__name__} for")


def same(a: Any, b: Any, tolerance: float) -> bool:
    """Whether two results have the same structure, types, shapes and, nearly, numbers."""
    if isinstance(a, (tuple, list)):
        return type(a) is type(b) and len(a) == len(b) and all(
            same(x, y, tolerance) for x, y in zip(a, b, strict=True)
        )  # fmt: skip
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[k], b[k], tolerance) for k in a)
    if type(a) is not type(b) or np.shape(a) != np.shape(b):
        return False
    if getattr(a, "dtype", None) != getattr(b, "dtype", None):
        return False
    x, y = np.asarray(a), np.asarray(b)
    if x.dtype.kind not in "fc":
        return bool(np.all(x == y))
    scale = 1.0 + np.max(np.abs(y), initial=0.0, where=np.isfinite(y))
    return bool(np.allclose(x, y, rtol=tolerance, atol=tolerance * scale, equal_nan=True))


# -- programs that kernels can take -------------------------------------------------------

UNARY = ["np.sin({})", "np.tanh({})", "np.exp(-np.abs({}))", "np.sqrt(1.5 + {} * {})", "(-({}))",
         "np.log1p({} * {})", "(({}) ** 2)", "np.maximum({}, 0.1)", "np.cos({})", "1.0 / (2.0 + {} ** 2)",
         "np.where({} > 0.1, {}, 0.3)", "np.arctan({})", "(({}) ** 3)", "np.abs({})"]  # fmt: skip
BINARY = ["({} + {})", "({} - {})", "({} * {})", "({} / (1.5 + {} ** 2))", "np.minimum({}, {})",
          "np.logaddexp({}, {})", "np.hypot(1.0 + {}, {})"]  # fmt: skip


class Writer:
    """A random program: vectors of n, matrices of (m, n), numbers, loops, branches, writes."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.names: dict[str, list[str]] = {"s": ["s0"], "v": ["x"], "m": ["w"], "u": ["y"]}
        self.count = 0

    def pick(self, options: list[str]) -> str:
        return options[int(self.rng.integers(len(options)))]

    def expr(self, kind: str, depth: int = 2) -> str:
        """An expression: "s" a number, "v" a vector of n, "u" one of m, "m" a matrix (m, n)."""
        if depth == 0 or self.rng.random() < 0.2:
            return self.pick(self.names[kind])
        r = self.rng.random()
        if r < 0.4:
            text = self.pick(UNARY)
            return text.replace(
                "{}",
                self.expr(kind, depth - 1)
                if text.count("{}") == 1
                else self.pick(self.names[kind]),
            )
        if r < 0.7:
            return self.pick(BINARY).format(self.expr(kind, depth - 1), self.expr(kind, depth - 1))
        return self.shaped(kind, depth)

    def shaped(self, kind: str, depth: int) -> str:
        e = lambda k: self.expr(k, depth - 1)
        options = {
            "s": ["np.sum({v})", "np.mean({m})", "({v} @ {v})", "{v}[0]", "{m}[1, -1]", "{v}.sum()",
                  "np.max({v})", "np.sum({u}[1:] * {u}[:-1])", "{v}[k % 3]", "np.linalg.norm({v} + 2.0)",
                  "np.einsum('i,i->', {v}, {v})", "{v}[np.argmax({u}) % 3]", "np.var({v})", "sum([0.1 * t for t in {v}])",
                  "np.linalg.slogdet({m} @ {m}.T + np.eye(w.shape[0]))[1]", "max({s}, 0.1)"],
            "v": ["({v} + {s})", "np.sum({m}, axis=0)", "({u} @ {m})", "{m}[0]", "{m}[k % 2]", "({v}[::-1] * {v})",
                  "np.concatenate(({v}[1:], {v}[:1]))", "{m}.mean(axis=0)", "np.cumsum({v})", "np.roll({v}, 1)",
                  "np.take({v}, idx)", "{v}[idx]", "np.einsum('i,ij->j', {u}, {m})", "np.stack([{v}, {v}], axis=1)[:, 0]",
                  "np.diagonal(np.outer({v}, {v}))"],
            "u": ["({m} @ {v})", "np.sum({m}, axis=1)", "{m}[:, 0]", "({u} * {s})", "{m}.max(axis=1)",
                  "np.sum({m} * {v}, axis=1)", "np.linalg.solve({m} @ {m}.T + 2.0 * np.eye(w.shape[0]), {u})",
                  "np.linalg.norm({m} + 3.0, axis=1)"],
            "m": ["({m} * {v})", "({m} + {u}[:, None])", "np.outer({u}, {v})", "({m} @ {m}.T @ {m})",
                  "({m} - np.max({m}, axis=1, keepdims=True))", "{m}[::-1]", "{m}.T.reshape({m}.shape[1], {m}.shape[0]).T",
                  "np.broadcast_to({v}, w.shape)", "np.triu({m})", "np.einsum('ij,j->ij', {m}, {v})",
                  "(np.linalg.cholesky({m} @ {m}.T + 2.0 * np.eye(w.shape[0])) @ {m})"],
        }[kind]  # fmt: skip
        text = self.pick(options)
        for k in "svum":
            while "{" + k + "}" in text:
                text = text.replace("{" + k + "}", e(k), 1)
        return text

    def fresh(self, kind: str) -> str:
        self.count += 1
        name = f"{kind}{self.count}"
        return name

    def block(self, depth: int, indent: str) -> list[str]:
        lines: list[str] = []
        for _ in range(int(self.rng.integers(1, 4))):
            lines += [indent + line for line in self.statement(depth)]
        return lines

    def statement(self, depth: int) -> list[str]:
        kind = self.pick(["s", "v", "v", "u", "m"])
        r = self.rng.random()
        if r < 0.5 or (depth == 0 and r >= 0.8):
            value = self.expr(kind)
            name = self.fresh(kind)
            self.names[kind].append(name)
            return [f"{name} = {value}"]
        if r < 0.74:
            return self.write(kind)
        if r < 0.8:
            return self.listed(kind)
        outer = {k: list(v) for k, v in self.names.items()}
        changed = self.pick([n for n in self.names[kind] if n not in ("x", "w", "y")] or ["s0"])
        kind = next(k for k, v in self.names.items() if changed in v)
        if r < 0.92:
            head = self.pick(
                [
                    "for k in range(3):",
                    "for k in range(x.shape[0] - 1):",
                    "for k in reversed(range(2)):",
                ]
            )
            body = self.block(depth - 1, "    ")
            last = [f"    {changed} = 0.3 * {self.expr(kind, 1)} + 0.5 * np.tanh({changed})"]
            self.names = outer
            return [head, *body, *last]
        body = self.block(depth - 1, "    ")
        self.names = {k: list(v) for k, v in outer.items()}
        other = self.block(depth - 1, "    ")
        self.names = outer
        return [f"if {self.expr('s', 1)} > 0.2:", *body, f"    {changed} = 0.5 * {changed}", "else:",
                *other, f"    {changed} = np.sin({changed})"]  # fmt: skip

    def listed(self, kind: str) -> list[str]:
        """A list that grows in a loop, and what is made of it."""
        items, name, state = self.fresh("l"), self.fresh(kind), self.fresh(kind)
        self.names[kind].append(state)
        step = self.expr(kind, 1)
        self.names[kind].remove(state)
        count = self.pick(["3", "x.shape[0] - 1", "2"])
        tests = self.pick(
            [
                "",
                "",
                "    if k == 1:",
            ]
        )  # an item of some iterations only
        inner = "        " if tests else "    "
        lines = [f"{items} = []", f"{state} = {self.pick(self.names[kind])}", f"for k in range({count}):",
                 f"    {state} = np.sin({state}) + 0.1 * {step}", *([tests] if tests else []), f"{inner}{items}.append({state} * {state})",
                 f"{name} = {items}[0] + {items}[-1]"]  # fmt: skip
        self.names[kind].append(name)
        return lines

    def write(self, kind: str) -> list[str]:
        """A write into an array of the program's own."""
        name = self.fresh("v")
        lines = [f"{name} = {self.pick(self.names['v'])}.copy()"]
        for _ in range(2):
            target = self.pick([f"{name}[0]", f"{name}[-1]", f"{name}[k % 3]"])
            lines.append(f"{target} {self.pick(['=', '+=', '*='])} {self.expr('s', 1)}")
        place = self.pick([f"{name}[1:]", f"{name}[:-1]"])
        lines.append(f"{place} {self.pick(['+=', '*=', '-='])} {self.pick(self.names['v'])}[1:]")
        self.names["v"].append(name)
        return lines


def small_program(seed: int) -> str:
    """A program that reads arrays, loops over them and writes to its own."""
    w = Writer(seed)
    body = w.block(2, "    ") + w.block(2, "    ")
    last = " + ".join(f"np.sum({n})" for k in "svum" for n in w.names[k][-2:])
    m, n = int(w.rng.integers(2, 5)), int(w.rng.integers(3, 7))
    if seed % 3 == 0:
        m, n = m + 35, n + 40
    numbers = np.random.default_rng(seed)
    return "\n".join([
        "import numpy as np", "", f"idx = (0, 2, 1, {n - 1}, 0)[: 5]", "",
        "", "def main(x, y, w, s0):", f"    idx = np.array([{', '.join(str(int(i)) for i in numbers.integers(0, n, n))}])", "    k = 1", *body,
        f"    return 0.1 * ({last})", "",
        f"RNG = np.random.default_rng({seed})",
        f"ARGS = (RNG.normal(size={n}), RNG.normal(size={m}), RNG.normal(size=({m}, {n})), 0.7)",
        "WRT = (0, 1, 2, 3)", "",
    ])  # fmt: skip


# -- programs of slices -------------------------------------------------------------------


def shifted(name: str, axes: list[tuple[int, int]]) -> str:
    """A slice of an array that leaves out so much at the beginning and the end of each axis."""
    parts = [f"{lo or ''}:{-hi if hi else ''}" for lo, hi in axes]
    return f"{name}[{', '.join(parts)}]"


def stencil_program(seed: int) -> str:
    """Sums of shifted slices, written to shifted slices, in loops: of vectors or matrices."""
    rng = np.random.default_rng(seed)
    ndim = 1 + int(rng.random() < 0.4)
    most = 2 if ndim == 2 else 3
    lines: list[str] = []
    names = ["x", "u", "v"]

    def splits(width: int) -> tuple[int, int]:
        lo = int(rng.integers(0, width + 1))
        return lo, width - lo

    def term(width: list[int]) -> str:
        source = names[int(rng.integers(len(names)))]
        text = shifted(source, [splits(w) for w in width])
        shape = ["{}", "np.sin({})", "0.5 * {}", "{} * np.cos({})", "c * {}"][int(rng.integers(5))]
        return shape.replace("{}", text)

    def statement(k: int) -> list[str]:
        width = [int(rng.integers(0, most + 1)) for _ in range(ndim)]
        target = shifted(["u", "v"][int(rng.integers(2))], [splits(w) for w in width])
        value = " + ".join(term(width) for _ in range(int(rng.integers(1, 4))))
        if rng.random() < 0.3:
            other = shifted("u", [splits(w) for w in width])
            return [f"d{k} = 0.3 * ({value})", f"{target} += d{k}", f"{other} -= c * d{k}"]
        return [f"{target} {rng.choice(['+=', '-=', '=', '+='])} 0.3 * ({value})"]

    for k in range(int(rng.integers(1, 4))):
        body = statement(2 * k) + (statement(2 * k + 1) if rng.random() < 0.5 else [])
        if rng.random() < 0.6:
            lines += [f"for _ in range({int(rng.integers(1, 4))}):", *("    " + b for b in body)]
        else:
            lines += body
    long = [int(rng.integers(40, 3000)) if ndim == 1 else int(rng.integers(33, 50)) for _ in "ab"]
    sizes = [
        long,
        [int(rng.integers(2, 12)) for _ in "ab"],
        [int(rng.integers(33, 70)) for _ in "ab"],
    ]
    if rng.random() < 0.3:
        sizes = sizes[::-1]
    made = [f"(RNG.normal(size={tuple(n[:ndim])}), 0.7)" for n in sizes]
    return "\n".join([
        "import numpy as np", "", "", "def main(x, c):", "    u = x.copy()",
        f"    v = {rng.choice(['np.zeros(x.shape)', '0.5 * x'])}", *("    " + line for line in lines),
        f"    return {rng.choice(['np.sum(u * v)', 'np.sum(u * u) + np.sum(v)', 'np.sum(u[1:] * u[:-1])'])}",
        "", f"RNG = np.random.default_rng({seed})", f"ARGS = {made[0]}",
        f"OTHERS = ({made[1]}, {made[2]})", "WRT = (0, 1)", "",
    ])  # fmt: skip


def main() -> None:
    import os
    import sys

    os.environ["RETROGRAD_VERIFY"] = "1"  # what makes no kernel by a mistake of ours has failed
    first, count = map(int, sys.argv[1:3])
    kind = next((k for k in ("stencil", "large", "in_place") if k in sys.argv), "small")
    backend = "numba" if "numba" in sys.argv else "c"
    from .in_place import in_place_program
    from .programs import program

    made = {
        "small": small_program, "stencil": stencil_program, "large": program, "in_place": in_place_program,
    }[kind]  # fmt: skip
    seen: Counter[str] = Counter()
    for seed in range(first, first + count):
        with everything_shared() if "shared" in sys.argv else contextlib.nullcontext():
            outcome = compared(made(seed), backend)
        seen[
            outcome.verdict
            if outcome.verdict in ("ok", "failed")
            else f"{outcome.verdict}: {outcome.reason}"
        ] += 1
        if outcome.verdict == "failed":
            print(f"seed {seed}: {outcome.reason}\n{outcome.detail[:300]}", flush=True)
    for reason, n in seen.most_common():
        print(n, reason)


if __name__ == "__main__":
    main()
