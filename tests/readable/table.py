"""How long a gradient is that we write, over the one that a person would write: ``python -m tests.readable.table``.

Lines of the body, each laid out by the same printer; ``--texts NAME`` shows the text.
"""

from __future__ import annotations

import argparse
import ast
import inspect
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

import retrograd as rg
from retrograd.compiler.emit.printer.printer import is_docstring, write

from . import dynamics, networks, statistics

__all__ = ["Function", "functions"]

GROUPS = (statistics, dynamics, networks)
WRT = {
    "black_scholes": ("s", "sigma"), "pendulum": ("theta0", "length"), "layer_norm": ("x", "gain", "bias"),
    "softmax_regression": ("w", "b"), "attention": ("q", "k", "v"),
}  # fmt: skip


@dataclass(frozen=True)
class Function:
    """One function, its gradient by hand, and the types of its arguments."""

    name: str
    module: Any

    @property
    def of(self) -> Callable[..., Any]:
        return getattr(self.module, self.name)  # type: ignore[no-any-return]

    @property
    def by_hand(self) -> Callable[..., Any]:
        return getattr(self.module, f"{self.name}_by_hand")  # type: ignore[no-any-return]

    @property
    def signature(self) -> str:
        return str(getattr(self.module, self.name.upper()))

    @property
    def wrt(self) -> Any:
        named = WRT.get(self.name)
        return named or next(iter(inspect.signature(self.of).parameters))

    @cached_property
    def derived(self) -> Any:
        return rg.differentiate(wrt=self.wrt, sig=self.signature)(self.of)

    @cached_property
    def text(self) -> str:
        return str(self.derived.source("grad"))

    @cached_property
    def without_types(self) -> str:
        return str(rg.differentiate(wrt=self.wrt)(self.of).source("grad"))

    def arguments(self) -> tuple[Any, ...]:
        return ARGUMENTS[self.name](np.random.default_rng(7))

    @property
    def lines(self) -> tuple[int, int, int]:
        """Of the gradient by hand, of ours, and of ours where no types are known."""
        texts = inspect.getsource(self.by_hand), self.text, self.without_types
        return tuple(map(lines_of, texts))  # type: ignore[return-value]


def lines_of(text: str) -> int:
    """The lines of code in the bodies of all functions of a text."""
    bodies = [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]
    count = 0
    for body in bodies:
        statements = [node for node in body.body if not is_docstring(node)]
        count += len(write(ast.Module(statements, [])).strip().splitlines())
    return count + len(bodies) - 1  # the heads of the others


def functions() -> Iterator[Function]:
    for module in GROUPS:
        for name in vars(module):
            if f"{name}_by_hand" in vars(module):
                yield Function(name, module)


def normal(*shape: int) -> Callable[[Any], Any]:
    return lambda rng: rng.normal(size=shape)


def drawn(*makers: Any) -> Callable[[Any], tuple[Any, ...]]:
    return lambda rng: tuple(make(rng) if callable(make) else make for make in makers)


def uniform(low: float, high: float, *shape: int) -> Callable[[Any], Any]:
    return lambda rng: rng.uniform(low, high, size=shape)


def whole(most: int, *shape: int) -> Callable[[Any], Any]:
    return lambda rng: rng.integers(0, most, size=shape)


def layers(*sizes: int) -> Callable[[Any], Any]:
    return lambda rng: [
        (0.5 * rng.normal(size=(m, n)), rng.normal(size=n)) for m, n in pairwise(sizes)
    ]


EDGES = np.array([[0, 1], [1, 2], [2, 3], [3, 0], [0, 2]])
ARGUMENTS: dict[str, Callable[[Any], tuple[Any, ...]]] = {
    "logistic": drawn(normal(3), normal(9, 3), whole(2, 9), 0.1),
    "poisson": drawn(normal(3), normal(9, 3), uniform(0, 4, 9)),
    "huber": drawn(normal(2), normal(9), normal(9), 1.0),
    "student_t": drawn(normal(2), normal(9)),
    "gaussian_process": drawn(uniform(-1, 0, 3), uniform(0, 5, 7), normal(7)),
    "gaussian_mixture": drawn(normal(3, 2), normal(3), normal(3), normal(8, 2)),
    "garch": drawn(uniform(0.1, 0.4, 3), normal(12)),
    "sir": drawn(np.array([0.5, 0.2]), uniform(0.01, 0.1, 8)),
    "heat": drawn(normal(9), 0.2, 5),
    "kalman": drawn(0.3, normal(6, 2)),
    "pendulum": drawn(0.6, 1.3, 40),
    "springs": drawn(normal(4, 2), EDGES, uniform(0.5, 1.0, 5), 2.0),
    "lennard_jones": drawn(uniform(0, 4, 5, 3)),
    "black_scholes": drawn(100.0, 95.0, 0.7, 0.25, 0.03),
    "softmax_regression": drawn(normal(4, 3), normal(3), normal(7, 4), whole(3, 7)),
    "mlp": drawn(layers(3, 4, 4, 2), normal(6, 3), normal(6, 2)),
    "layer_norm": drawn(normal(5, 4), normal(4), normal(4), normal(5, 4)),
    "attention": drawn(normal(4, 3), normal(5, 3), normal(5, 2), normal(4, 2)),
    "total_variation": drawn(normal(5, 6), normal(5, 6), 0.1),
    "diffusion_on_graph": drawn(normal(3, 3), uniform(0, 0.4, 5, 5), normal(5, 3), normal(5, 3)),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--texts", metavar="NAME", nargs="*", default=[])
    asked = parser.parse_args().texts
    ratios: list[float] = []
    bare: list[float] = []
    print(f"{'function':22}{'by hand':>8}{'ours':>6}{'ratio':>7}{'no types':>10}{'ratio':>7}")
    for function in functions():
        hand, ours, without = function.lines
        ratios.append(ours / hand)
        bare.append(without / hand)
        print(f"{function.name:22}{hand:8}{ours:6}{ratios[-1]:7.2f}{without:10}{bare[-1]:7.2f}")
    means = [math.exp(sum(map(math.log, r)) / len(r)) for r in (ratios, bare)]
    print(f"{'geometric mean':36}{means[0]:7.2f}{means[1]:17.2f}")
    for function in functions():
        if function.name in asked:
            print(f"\n{function.text}")


if __name__ == "__main__":
    main()
