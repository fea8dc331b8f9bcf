"""Second derivatives of every call of the tables, each mode against differences of the gradient.

``python -m tests.autograd.second_order`` runs all of it and prints the counts.
"""

from __future__ import annotations

import argparse
import time
import warnings
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from itertools import product
from typing import Any, NamedTuple

import numpy as np

import retrograd

from .calls import Call
from .calls import parts as results
from .tables import TABLES
from .tables_more import TABLES_MORE
from .tables_second import AT_KINKS, SECOND

__all__ = ["CASES", "HOOKS", "MODES", "USES", "Point", "outcome", "variants"]

CASES = [
    (family, text)
    for family, texts in (TABLES | TABLES_MORE | SECOND).items()
    for text in texts.strip().splitlines()
    if text not in AT_KINKS and not text.startswith("F.rrelu")
]
H = 1e-4
TOLERANCE = 2e-6
func, autograd = retrograd.func, retrograd.autograd


# -- how a result is used ----------------------------------------------------------------------


def summed(made: Any) -> Any:
    """A number that depends on every entry of a tensor, and not linearly."""
    if made.is_complex():
        made = retrograd.view_as_real(made)
    rng = np.random.default_rng(made.numel())
    weight = retrograd.from_numpy(rng.uniform(0.5, 1.5, made.shape))
    return (weight * (made + 0.3 * made * made)).sum()


def as_it_is(made: Any) -> Any:
    return made


def written_to(made: Any) -> Any:
    """A copy is written to, twice; the second time with what it was."""
    copy = made.clone()
    copy.mul_(0.5).add_(made)
    copy.mul_(made)
    return copy


def part_of_another(made: Any) -> Any:
    """It is written into parts of another tensor, which are read and written again."""
    n = made.numel()
    whole = made.new_zeros(2 * n)
    first, second, flat = whole[:n], whole.view(2, n)[1], made.reshape(-1)
    first.copy_(flat)
    whole[n:] = whole[:n].clone() * flat
    second.add_(flat)
    first.mul_(2)
    return whole


USES: dict[str, Callable[[Any], Any]] = {
    "as it is": as_it_is, "written to": written_to, "part of another": part_of_another,
}  # fmt: skip
ENTRIES: dict[str, Callable[[Any], Any]] = {
    "leaf": lambda x: x, "written": lambda x: x.clone().mul_(2).sub_(x),
}  # fmt: skip


HOOKS: dict[str, Callable[[], Any]] = {
    "none": nullcontext,
    "copies": lambda: autograd.graph.saved_tensors_hooks(lambda x: x.clone(), lambda x: x.clone()),
    "mutation": autograd.graph.allow_mutation_on_saved_tensors,
}


class Point:
    """A call as a function of one vector, with a vector to differentiate along."""

    def __init__(self, text: str, use: str = "as it is", entry: str = "leaf") -> None:
        self.call, self.use, self.entry = Call(text), USES[use], ENTRIES[entry]
        with retrograd.no_grad():
            self.call.run(retrograd, None)
        self.arrays = self.call.arrays
        flat = [np.ascontiguousarray(a).view(np.float64).ravel() for a in self.arrays]
        self.theta = np.concatenate([np.zeros(0), *flat])
        rng = np.random.default_rng(len(text))
        self.v, self.u = rng.standard_normal((2, self.theta.size))

    def leaves(self, theta: Any) -> list[Any]:
        """The arrays of the call, as parts of the vector."""
        made, start = [], 0
        for a in self.arrays:
            size = a.size * (2 if a.dtype.kind == "c" else 1)
            part = theta[start : start + size]
            start += size
            if a.dtype.kind == "c":
                part = retrograd.view_as_complex(part.reshape(*a.shape, 2))
            made.append(self.entry(part.reshape(a.shape)))
        return made

    def __call__(self, theta: Any) -> Any:
        made = results(self.call.run(retrograd, self.leaves(theta)))
        found = [one for one in made if one.is_floating_point() or one.is_complex()]
        return sum((summed(self.use(one)) for one in found), retrograd.tensor(0.0).double())

    # -- the references ------------------------------------------------------------------------

    def gradient(self, theta: Any) -> Any:
        """By reverse mode; what was kept and written to since, which is refused otherwise, is copied."""
        x = retrograd.from_numpy(theta.copy()).requires_grad_()
        with autograd.graph.allow_mutation_on_saved_tensors():
            (g,) = autograd.grad(self(x), x)
        return g.numpy()

    def first(self) -> tuple[Any, Any]:
        """The derivative along ``v`` by the gradient, and by differences."""
        ends = [float(self(retrograd.from_numpy(self.theta + h * self.v))) for h in steps()]
        return self.gradient(self.theta) @ self.v, extrapolated(ends)

    def reference(self) -> Any:
        """The second derivative along ``v``, by differences."""
        return extrapolated([self.gradient(self.theta + h * self.v) for h in steps()])

    def scale(self) -> float:
        return 1.0 + float(np.abs(self.gradient(self.theta)).max(initial=0.0))


def steps() -> tuple[float, ...]:
    return H, -H, H / 2, -H / 2


def extrapolated(ends: list[Any]) -> Any:
    """Central differences with two steps."""
    wide, narrow = (ends[0] - ends[1]) / (2 * H), (ends[2] - ends[3]) / H
    return (4 * narrow - wide) / 3


# -- the modes -----------------------------------------------------------------------------------


def tensor(array: Any) -> Any:
    return retrograd.from_numpy(array.copy())


def reverse_over_reverse(f: Point) -> Any:
    x = tensor(f.theta).requires_grad_()
    (g,) = autograd.grad(f(x), x, create_graph=True)
    (h,) = autograd.grad(g @ tensor(f.v), x, allow_unused=True)
    return np.zeros_like(f.theta) if h is None else h.numpy()


def forward_over_reverse(f: Point) -> Any:
    return func.jvp(func.grad(f), (tensor(f.theta),), (tensor(f.v),))[1].detach().numpy()


def reverse_over_forward(f: Point) -> Any:
    def pushed(x: Any) -> Any:
        return func.jvp(f, (x,), (tensor(f.v),))[1]

    return func.grad(pushed)(tensor(f.theta)).detach().numpy()


def forward_over_forward(f: Point) -> Any:
    def pushed(x: Any) -> Any:
        return func.jvp(f, (x,), (tensor(f.v),))[1]

    return func.jvp(pushed, (tensor(f.theta),), (tensor(f.u),))[1].detach().numpy()


def hessian(f: Point) -> Any:
    if f.theta.size <= 6:
        return func.hessian(f)(tensor(f.theta)).detach().numpy() @ f.v
    return autograd.functional.hvp(f, tensor(f.theta), tensor(f.v))[1].numpy()


MODES: dict[str, Callable[[Point], Any]] = {
    "reverse over reverse": reverse_over_reverse, "forward over reverse": forward_over_reverse,
    "reverse over forward": reverse_over_forward, "forward over forward": forward_over_forward,
    "hessian": hessian,
}  # fmt: skip


class Outcome(NamedTuple):
    """``right``, ``wrong``, ``refused`` or ``crashed``, and what there is to say."""

    kind: str
    said: str = ""


def outcome(f: Point, reference: Any, scale: float, mode: str, hooks: str) -> Outcome:
    """What one mode gives, against the reference."""
    try:
        with warnings.catch_warnings(), HOOKS[hooks]():
            warnings.simplefilter("ignore")
            found = MODES[mode](f)
    except (RuntimeError, NotImplementedError) as error:
        return Outcome("refused", f"{type(error).__name__}: {error}"[:120])
    except Exception as error:
        return Outcome("crashed", f"{type(error).__name__}: {error}"[:120])
    expected = reference @ f.u if mode == "forward over forward" else reference
    size = scale + float(np.abs(reference).max(initial=0.0))
    if np.shape(found) == np.shape(expected) and np.allclose(
        found, expected, 0, TOLERANCE * size * (1 + np.abs(f.v).sum())
    ):
        return Outcome("right")
    return Outcome("wrong", f"{found} for {expected}")


def variants() -> Iterator[tuple[str, str]]:
    """How the result is used, and how the arguments come."""
    yield from (("as it is", "leaf"), ("written to", "written"), ("part of another", "leaf"))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--only", default="", help="the calls with this in their text (or 'family: ')"
    )
    parser.add_argument("--share", type=int, default=1, help="run every n-th combination only")
    options = parser.parse_args()
    only, share = options.only, options.share
    counts: Counter[tuple[str, str]] = Counter()
    seen: set[tuple[str, ...]] = set()
    began = time.monotonic()
    for (family, text), (use, entry) in product(CASES, variants()):
        if only not in f"{family}: {text}":
            continue
        where = f"{family}: {text} ({use}, {entry})"
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                f = Point(text, use, entry)
                scale, reference, (first, expected) = f.scale(), f.reference(), f.first()
        except Exception as error:
            counts["all", "no reference"] += 1
            print(f"no reference {where}: {type(error).__name__}: {error}"[:200])
            continue
        if not np.isclose(first, expected, 1e-5, 1e-6 * scale):
            counts["first order", "wrong"] += 1
            print(f"first order {where}: {first} for {expected}")
        for mode, hooks in product(MODES, HOOKS):
            if zlib.crc32(f"{mode} {hooks} {where}".encode()) % share:
                continue
            kind, said = outcome(f, reference, scale, mode, hooks)
            counts[mode, kind] += 1
            if kind != "right" and (kind, mode, hooks, text) not in seen:
                seen.add((kind, mode, hooks, text))
                print(f"{kind} {mode}, {hooks} {where}: {said}"[:400])
    for (mode, kind), count in sorted(counts.items()):
        print(f"{mode}: {count} {kind}")
    print(f"{len(CASES)} calls, {time.monotonic() - began:.0f} s")
    return sum(n for (_, kind), n in counts.items() if kind in ("wrong", "crashed", "no reference"))


if __name__ == "__main__":
    raise SystemExit(min(main(), 1))
