"""Measures the records of operations on the samples of their rules.

``python -m tests.rules.measured_traits`` measures all of them, and prints the claims that do not hold.
"""

from __future__ import annotations

import copy
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from retrograd.compiler.analyses.kind_model import position
from retrograd.runtime.rules.book import book
from retrograd.runtime.rules.traits import DECLARED, Traits
from retrograd.runtime.traits.linearity import linear_in
from retrograd.runtime.traits.lookup import traits_of
from tests.rules.harness import apply, name_of, samples
from tests.rules.sample import A, Sample, draw

__all__ = ["CLAIMS", "measured", "measured_calls"]


@dataclass(frozen=True)
class Measured:
    """One call of an operation, and how to make it with other arguments."""

    operation: Any
    sample: Sample
    args: list[Any]
    kwargs: dict[str, Any]
    z: Any

    @staticmethod
    def of(operation: Any, sample: Sample, dtype: Any = np.float64) -> Measured:
        args, kwargs = drawn(sample, 7, dtype)
        given = args if may_write(operation) is None else copy.deepcopy(args)
        return Measured(operation, sample, args, kwargs, apply(operation, given, kwargs))

    @property
    def known(self) -> Traits:
        return traits_of(self.operation)

    def again(self, args: list[Any], **given: Any) -> Any:
        return apply(self.operation, copy.deepcopy(args), self.kwargs | given)

    def z_is_narrow(self) -> bool:
        """Whether the result is too narrow a type to tell small steps."""
        return entries(self.z).dtype not in (np.float64, np.complex128)

    def by_name(self) -> dict[str, int]:
        """The position of each argument that is given by position."""
        own = book.rules[self.operation].own if self.operation in book else ()
        return {name: k for k, name in enumerate(own[: len(self.args)])}


def drawn(sample: Sample, seed: int, dtype: Any = np.float64) -> tuple[list[Any], dict[str, Any]]:
    rng = np.random.default_rng(seed)
    args, values = draw(
        [list(sample.args), list(sample.kwargs.values())], rng, sample.low, sample.high, dtype
    )
    return args, dict(zip(sample.kwargs, values, strict=True))


def arrays_in(tree: Any) -> list[np.ndarray]:
    if isinstance(tree, (list, tuple)):
        return [a for item in tree for a in arrays_in(item)]
    if isinstance(tree, dict):
        return arrays_in(list(tree.values()))
    return [tree] if isinstance(tree, np.ndarray) else []


def entries(tree: Any) -> np.ndarray:
    """The numbers of a tree, in one row."""
    if isinstance(tree, (list, tuple)):
        parts = [entries(item) for item in tree]
        return np.concatenate(parts) if parts else np.zeros(0)
    return np.ravel(np.asarray(tree)) if isinstance(tree, (np.ndarray, np.generic, float, int, complex)) else np.zeros(0)  # fmt: skip


def alike(x: Any, y: Any) -> bool:
    a, b = entries(x), entries(y)
    return a.shape == b.shape and bool(np.allclose(a, b, rtol=1e-9, atol=1e-12, equal_nan=True))


# -- the claims ----------------------------------------------------------------------------
# Each says whether a trait holds in a call; None where the call does not tell.


def memory(m: Measured) -> bool | None:
    known, base = m.known, m.args[0] if m.args else None
    if known.memory == "new" and known.new_if is None and "out" not in m.kwargs:
        given = arrays_in([m.args, m.kwargs])
        return not any(np.shares_memory(p, q) for p in arrays_in(m.z) for q in given)
    if known.memory == "view" and isinstance(base, np.ndarray) and isinstance(m.z, np.ndarray):
        return not m.z.size or np.shares_memory(m.z, base)
    return None


def elementwise(m: Measured) -> bool | None:
    """Entries in another order give the results in that order."""
    shapes = {np.shape(a) for a in arrays_in([m.args, m.kwargs])}
    results = list(m.z) if isinstance(m.z, tuple) else [m.z]
    if m.known.elementwise is not True or len(shapes) != 1 or "out" in m.kwargs:
        return None
    (shape,) = shapes
    order = np.random.default_rng(3).permutation(int(np.prod(shape, dtype=int)))
    if len(order) < 2 or any(np.shape(r) != shape for r in results):
        return None
    turned = changed(m.args, lambda a: a.ravel()[order].reshape(shape))
    named = changed(list(m.kwargs.values()), lambda a: a.ravel()[order].reshape(shape))
    made = m.again(turned, **dict(zip(m.kwargs, named, strict=True)))
    made = list(made) if isinstance(made, tuple) else [made]
    return all(alike(np.ravel(r)[order], again) for r, again in zip(results, made, strict=True))


def changed(args: list[Any], change: Callable[[np.ndarray], np.ndarray]) -> list[Any]:
    def one(x: Any) -> Any:
        if isinstance(x, (list, tuple)):
            return type(x)(one(item) for item in x)
        return change(x) if isinstance(x, np.ndarray) else x

    return [one(a) for a in args]


def linear(m: Measured) -> bool | None:
    """Equal steps give equal changes: in all active arguments together, or in each alone.

    That is what a slope that hangs on no argument comes to; ``np.remainder`` jumps between such pieces.
    """
    together = linear_in(m.operation)
    ways = [together] if together else [(x,) for x in linear_in(m.operation, together=False)]
    told = [t for t in (steps(m, names) for names in ways) if t is not None]
    return all(told) if told else None


def steps(m: Measured, names: tuple[str, ...]) -> bool | None:
    at = {k for name, k in m.by_name().items() if name in names}
    plain = all(isinstance(m.args[k], np.ndarray) and m.args[k].dtype.kind == "f" for k in at)
    if not at or not plain or m.z_is_narrow() or book.rules[m.operation].several:
        return None
    ways, _ = drawn(m.sample, 8)
    made = []
    for size in (0.0, 1e-4, 2e-4):
        pairs = zip(m.args, ways, strict=True)
        moved = [np.asarray(x + size * w) if k in at else x for k, (x, w) in enumerate(pairs)]
        made.append(entries(m.again(moved)))
    if len({len(z) for z in made}) > 1:
        return None
    return bool(np.allclose(made[2] - made[1], made[1] - made[0], rtol=1e-6, atol=1e-11))


def reduces(m: Measured) -> bool | None:
    """The result has fewer entries, or the same where the axes have length one."""
    if m.known.reduces is None or not isinstance(m.args[0], np.ndarray):
        return None
    return np.size(m.z) <= np.size(m.args[0]) or not np.size(m.args[0])


def moves(m: Measured) -> bool | None:
    """Every entry of the result is an entry of an argument, or a zero beside them."""
    if not m.known.moves:
        return None
    return bool(np.isin(entries(m.z), [*entries([m.args, list(m.kwargs.values())]), 0.0]).all())


def identity(m: Measured) -> bool | None:
    plain = len(m.args) == 1 and not m.kwargs and isinstance(m.args[0], np.ndarray)
    if m.known.identity is None or not plain or m.z_is_narrow():
        return None
    real = entries(m.z).dtype.kind != "c"
    shape = np.shape(m.args[0])
    same = alike(m.z, np.real(m.args[0]) if real else m.args[0])
    return same and np.shape(m.z) in (shape, shape or (1,))  # some make a row of a number


def infinite(m: Measured) -> bool | None:
    """``no``: finite results of finite arguments; ``never``: none infinite, whatever they are."""
    if m.known.infinite == "no":
        return bool(np.isfinite(entries(m.z)).all())
    if m.known.infinite == "never":
        hard = changed(m.args, lambda a: np.resize([np.inf, -np.inf, np.nan, 1e300, 0.0], a.shape))
        return not np.isinf(entries(m.again(hard))).any()
    return None


def real(m: Measured) -> bool | None:
    if m.known.real is None:
        return None
    return entries(m.z).dtype.kind != "c" or any(a.dtype.kind == "c" for a in arrays_in(m.args))


def always_real(m: Measured) -> bool | None:
    """``always``: of complex arguments, too."""
    if m.known.real != "always" or not m.sample.complex:
        return None
    return entries(Measured.of(m.operation, m.sample, np.complex128).z).dtype.kind != "c"


def gives_truth(m: Measured) -> bool | None:
    return entries(m.z).dtype.kind == "b" if m.known.gives == "truth" else None


def reads_shape(m: Measured) -> bool | None:
    """The result is the same for other entries."""
    if m.known.reads not in ("shape", "length", "structure"):
        return None
    return alike(m.z, m.again(changed(m.args, lambda a: a + 1)))


def kind(m: Measured) -> bool | None:
    """The result is complex if its model is, and real if that is real, whatever the others are."""
    if m.known.kind_of not in ("first", "like"):
        return None
    at = (position(m.operation, "like") or 0) if m.known.kind_of == "like" else 0
    if at >= len(m.args) or not is_inexact(m.args[at]):
        return None
    told = []
    for mine, others in ((np.complex128, np.float32), (np.float32, np.complex128)):
        args = [in_floats(a, mine if k == at else others) for k, a in enumerate(m.args)]
        found = [np.asarray(z).dtype for z in leaves_of(m.again(args))]
        told.append(all(z == args[at].dtype for z in found if z.kind in "fc"))
    return all(told)


def is_inexact(x: Any) -> bool:
    return isinstance(x, np.ndarray) and x.dtype.kind in "fc"


def in_floats(arg: Any, dtype: Any) -> Any:
    return changed([arg], lambda a: a.astype(dtype) if a.dtype.kind in "fc" else a)[0]


def leaves_of(tree: Any) -> list[Any]:
    return [z for item in tree for z in leaves_of(item)] if isinstance(tree, (list, tuple)) else [tree]  # fmt: skip


def writes(m: Measured) -> bool | None:
    """No argument changes, but for what is said to write."""
    if may_write(m.operation):
        return None
    before, _ = drawn(m.sample, 7)
    return all(alike(a, b) for a, b in zip(m.args, before, strict=True))


def may_write(operation: Any) -> Any:
    known = traits_of(operation)
    return known.writes or known.augments


CLAIMS: dict[str, Callable[[Measured], bool | None]] = {
    "memory": memory, "elementwise": elementwise, "linear": linear, "reduces": reduces, "moves": moves,
    "identity": identity, "infinite": infinite, "real": real, "always real": always_real,
    "gives": gives_truth, "reads": reads_shape, "writes": writes, "kind": kind,
}  # fmt: skip


def measured_calls(some: int | None = None) -> Iterator[Measured]:
    """The first calls of every operation that has samples."""
    for operation, many in samples().items():
        for sample in many[:some]:
            try:
                yield Measured.of(operation, sample)
            except (TypeError, ValueError):
                continue


def asking_calls() -> Iterator[Measured]:
    """Calls of what has no samples, as it has no derivative: of tests, and of what reads shapes."""
    for operation, facts in list(DECLARED.items()):
        asks = facts.get("gives") == "truth" or facts.get("reads") in (
            "shape",
            "length",
            "structure",
        )
        if operation in samples() or not asks:
            continue
        for count in (operation.nin,) if isinstance(operation, np.ufunc) else (1, 2):
            sample = Sample((A((2, 3)),) * count)
            try:
                yield Measured.of(operation, sample)
            except (TypeError, ValueError):
                continue


def measured(some: int | None = None) -> tuple[Counter[str], list[str]]:
    """How often each claim was measured, and those that do not hold."""
    counts: Counter[str] = Counter()
    wrong: dict[str, None] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for call in (*measured_calls(some), *asking_calls()):
            for name, claim in CLAIMS.items():
                told = claim(call)
                counts[name] += told is not None
                if told is False:
                    wrong[f"{name_of(call.operation)}: {name}"] = None
    return counts, list(wrong)


if __name__ == "__main__":
    counted, mistakes = measured()
    print("\n".join(mistakes))
    print(dict(counted), f"{len(mistakes)} wrong")
    raise SystemExit(bool(mistakes))
