"""Whether a program can be judged by numbers at all: it is run again with every result rounded at random.

A program whose value moves in the eighth digit when each operation errs in its last one says
nothing about a derivative: differences of it are differences of rounding errors.  The same
runs see what else sets a claim and differences apart without either being wrong: an
intermediate that overflows, and ``abs`` exactly at its kink.
"""

from __future__ import annotations

import ast
import contextlib
import copy
import io
import linecache
from typing import Any, NamedTuple

import numpy as np

__all__ = ["Conditioning", "conditioning", "without_in_place"]

RUNS = 6
NOISE = 1e-8  # relative movement of the value from which on it is noise
DECIDED = 1e-2  # movement of an intermediate, beside 1, from which on rounding decides what it is
LARGE = 1e100  # beyond it the squares that adjoints are made of overflow
LAST_BIT = 2.0**-52


class Conditioning(NamedTuple):
    """What rounding does to the value, and what its computation came across."""

    noise: float
    overflows: bool
    kinks: bool
    inside: bool  # whether rounding decides what some intermediate is

    def doubt(self, numbers: tuple[float, ...], order: int) -> str:
        """Why these numbers, which should be equal, judge nobody; or nothing."""
        if self.noise > NOISE:
            return "ill-conditioned"
        if self.inside:
            return "ill-conditioned inside"
        if self.overflows and not np.all(np.isfinite(numbers)):
            return "overflows"
        return "second order at a kink" if self.kinks and order == 2 else ""


class Watch:
    """Looks at every result of a run, and moves it by up to ``scale``, relative."""

    def __init__(self, scale: float, seed: int) -> None:
        self.scale, self.rng = scale, np.random.default_rng(seed)
        self.start()

    def start(self) -> None:
        self.largest, self.kinks = 0.0, False
        self.results: list[Any] = []

    def rounded(self, value: Any) -> Any:
        if isinstance(value, np.ndarray) and value.dtype.kind == "f":
            self.see(value)
            value = self.moved(value) if self.scale else value
            self.results.append(value.copy())
        elif isinstance(value, float):
            self.see(value)
            value = type(value)(value * (1 + self.errors(()))) if self.scale else value
            self.results.append(value)
        return value

    def moved(self, value: Any) -> Any:
        """An array with errors in it; it stays the same memory, as it may have other names."""
        if value.base is not None:
            return value  # a view: what it shows was rounded when it was made
        if not value.flags.writeable:
            return value * (1 + self.errors(value.shape))
        value *= 1 + self.errors(value.shape)
        return value

    def errors(self, shape: Any) -> Any:
        return self.scale * self.rng.uniform(-1, 1, shape)

    def see(self, value: Any) -> None:
        if np.size(value):
            self.largest = max(
                self.largest, float(np.max(np.nan_to_num(np.abs(value), nan=np.inf)))
            )

    def folded(self, value: Any) -> Any:
        """The argument of ``abs``."""
        self.kinks = self.kinks or (
            np.asarray(value).dtype.kind == "f" and bool(np.any(value == 0))
        )
        return value


class Instrumented(ast.NodeTransformer):
    """``a * b`` becomes ``_rounded(a * b)``, ``abs(x)`` becomes ``_rounded(abs(_folded(x)))``."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        return wrapped("_rounded", self.generic_visit(node))

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        if ast.unparse(node.func) in ("abs", "np.abs") and len(node.args) == 1:
            node.args = [wrapped("_folded", node.args[0])]
        return wrapped("_rounded", node)


class OutOfPlace(ast.NodeTransformer):
    """``x += e`` becomes ``x = x + e``."""

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt:
        if not isinstance(node.target, ast.Name):
            return node
        read = ast.Name(node.target.id, ast.Load())
        return ast.Assign([node.target], ast.BinOp(read, node.op, node.value))


def wrapped(name: str, node: Any) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), [node], [])


def conditioning(text: str) -> Conditioning:
    """How well the value of a program is determined at its example arguments."""
    tree = ast.fix_missing_locations(Instrumented().visit(ast.parse(text)))
    exact = Watch(0.0, 0)
    value = value_of(tree, exact)
    try:
        watches = [Watch(LAST_BIT, seed) for seed in range(1, RUNS)]
        moved = [value_of(tree, watch) for watch in watches]
    except Exception:  # the last bit decides whether it runs
        watches, moved = [], [np.inf]
    noise = max(abs(v - value) for v in moved) / (1e-300 + abs(value))
    inside = any(strays(exact.results, watch.results) for watch in watches)
    return Conditioning(noise, not exact.largest < LARGE, exact.kinks, inside)


def strays(exact: list[Any], moved: list[Any]) -> bool:
    """Whether some result is another number in a run that takes the same way."""
    if [*map(np.shape, exact)] != [*map(np.shape, moved)]:
        return False  # which of them are the same result is not known
    return any(
        np.any(np.abs(a - b) > DECIDED * (1 + np.abs(a))) for a, b in zip(exact, moved, strict=True)
    )


def value_of(tree: ast.Module, watch: Watch) -> float:
    space: dict[str, Any] = {"_rounded": watch.rounded, "_folded": watch.folded}
    with contextlib.redirect_stdout(io.StringIO()), np.errstate(all="ignore"):
        text = ast.unparse(tree)
        linecache.cache["<watched>"] = (
            len(text),
            None,
            text.splitlines(keepends=True),
            "<watched>",
        )
        exec(compile(text, "<watched>", "exec"), space)  # its functions have texts to differentiate
        watch.start()
        return float(space["main"](*copy.deepcopy(space["ARGS"])))


def without_in_place(text: str) -> float:
    """The value where every ``x += e`` makes a new array: it may be laid out, so summed, otherwise."""
    tree = ast.fix_missing_locations(OutOfPlace().visit(ast.parse(text)))
    return value_of(tree, Watch(0.0, 0))
