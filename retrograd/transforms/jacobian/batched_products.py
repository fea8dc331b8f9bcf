"""Products with a Jacobian, many at once: one sweep for k directions, or a sweep for each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

import numpy as np

from retrograd.compiler.driver.progress import progress
from retrograd.compiler.ir.argument_path import Place
from retrograd.runtime.arrays.transfers import dtype_of, is_ndarray, library_of
from retrograd.runtime.errors import AnswerChanged, CompileError, NotDifferentiable
from retrograd.runtime.objects.eager_tensors import TO_ARRAY, has_tensor
from retrograd.runtime.objects.pytree import floats, is_float, leaves, map_floats, map_leaves, taken
from retrograd.runtime.user.batched import last_axis

from ..api import Chain, chain_value, primal, pulled, pushed, unwrap
from ..check.policy import due
from ..specialise.call_errors import answered_sweep
from ..specialise.compile import Loaded, derive_chain
from ..specialise.dispatcher import ByKind
from ..specialise.eager_fallback import is_taped
from ..wrt import resolved

__all__ = [
    "ENTRIES",
    "FLOAT64",
    "NOTHING",
    "Products",
    "born",
    "one_by_one",
    "run",
    "sizes",
    "sought",
    "why_one_by_one",
]

ENTRIES = 2**17  # of an array in all directions: what stays in a cache
NOTHING = object()  # a value that has not been computed
FLOAT64 = np.dtype(float)


class Products:
    """The Jacobian of a chain at some arguments, as a linear map of flat vectors."""

    one_run = False  # whether the function must not run again

    def __init__(
        self, chain: Chain, full: list[Any], places: Sequence[Place], value: Any = NOTHING
    ) -> None:
        self.chain, self.full, self.places = chain, full, tuple(places)
        self.inputs = [place.of(full) for place in places]
        self.value = chain_value(chain, full) if value is NOTHING else value
        if has_tensor(self.value):
            raise NotDifferentiable(f"{chain.name} returns a tensor of the eager API", fix=TO_ARRAY)
        self.x = floats(self.inputs)
        self.y = [leaf for leaf in leaves(self.value) if leaf is not None]
        self.library = library_of([*self.x, *self.y])
        self.n, self.m = sum(map(size, self.x)), sum(map(size, self.y))

    def given(self) -> list[Any]:
        """The arguments, for a run of the function."""
        return self.full

    def at(self, full: list[Any]) -> Products:
        """The Jacobian at other arguments."""
        return Products(self.chain, full, self.places)

    def run_again(self) -> NotDifferentiable:
        """The refusal of what needs more than one run."""
        return NotDifferentiable(
            f"{self.chain.name} writes to what is not its own, and this would run it more than once",
            fix="pass what it changes as an argument; or use rg.vjp, which runs it once",
        )

    def columns(self, seeds: Any) -> Any:
        """``J @ seeds``."""
        return self.swept(self.push_many, self.push_one, "pushes", seeds, self.y)

    def rows(self, seeds: Any) -> Any:
        """``J.T @ seeds``."""
        return self.swept(self.pull_many, self.pull_one, "pulls", seeds, self.x)

    def swept(self, many: Any, one: Any, kind: str, seeds: Any, like: list[Any]) -> Any:
        watch = self.chain.watch
        try:
            return self.in_chunks(many, one, kind, seeds, like)
        except AnswerChanged:
            if not watch.answers:
                raise
            watch.leave_questions()
        return self.in_chunks(many, one, kind, seeds, like)

    def in_chunks(self, many: Any, one: Any, kind: str, seeds: Any, like: list[Any]) -> Any:
        made, k = self.sweep(kind), seeds.shape[1]
        few = made.few if made is not None and self.chain.backend == "numpy" else 0
        made = None if k <= few else made
        step = 1 if made is None else max(8, ENTRIES // max(self.n, self.m, 1))
        if made is not None and k <= step:
            return self.library.asarray(many(made, dense(seeds)), common_dtype(like))
        out = self.library.zeros((sum(map(size, like)), k), common_dtype(like))
        with progress(f"derivatives of {self.chain.name} along directions") as work:
            for start in range(0, k, step):
                work.step(start, k)
                chosen = dense(seeds[:, start : start + step])
                out[:, start : start + step] = (
                    one(chosen[:, 0])[:, None] if made is None else many(made, chosen)
                )
        return out

    def sweep(self, kind: str) -> Loaded | None:
        return swept(self.chain, kind, self.places, self.full, self.x)

    # -- many directions at once ---------------------------------------------------------

    def push_many(self, made: Loaded, seeds: Any) -> Any:
        parts = self.spread(seeds, self.x)
        dots = [map_floats(lambda _: next(parts), x) for x in self.inputs]
        full = self.given()
        birth = born(self.chain, made, full)
        columns = joined(self.tangents(run(made, self.chain, full, dots)), seeds.shape[1])
        if birth is not None:
            birth.columns(self, seeds, columns)
        return columns

    def pull_many(self, made: Loaded, seeds: Any) -> Any:
        full = self.given()
        birth = born(self.chain, made, full)
        parts = self.spread(seeds, self.y)
        cotangents = taken(made.tree, self.beside_value(parts))
        bars = run(made, self.chain, full, list(cotangents))
        ordered = [bars[in_order(self.places).index(place)] for place in self.places]
        rows = joined(self.bars(ordered), seeds.shape[1])
        if birth is not None:
            birth.rows(self, seeds, rows)
        return rows

    def spread(self, seeds: Any, like: list[Any]) -> Any:
        return spread(seeds, like, self.chain.backend != "numpy")

    # -- one direction -------------------------------------------------------------------

    def push_one(self, seed: Any) -> Any:
        parts = iter(split(seed, self.x))
        dots = [map_floats(lambda _: next(parts), x) for x in self.inputs]
        return flat(self.tangents(pushed(self.chain, self.given(), self.places, dots)[1]))

    @cached_property
    def pullback(self) -> Any:
        return pulled(self.chain, self.given(), self.places)[1]

    def pull_one(self, seed: Any) -> Any:
        parts = iter(split(seed, self.y))
        return flat(self.bars(list(self.pullback(self.beside_value(parts)))))

    # -- leaves that have rows and columns -------------------------------------------------

    def beside_value(self, parts: Iterator[Any]) -> Any:
        """A cotangent: nothing beside what is None in the result."""
        return map_leaves(lambda y: None if y is None else next(parts), self.value)

    def tangents(self, tree: Any) -> list[Any]:
        pairs = zip(leaves(tree), leaves(self.value), strict=True)
        return [leaf for leaf, y in pairs if y is not None]

    def bars(self, trees: list[Any]) -> list[Any]:
        pairs = zip(leaves(trees), leaves(self.inputs), strict=True)
        return [leaf for leaf, x in pairs if is_float(x)]


def run(made: Loaded, chain: Chain, full: list[Any], given: list[Any]) -> Any:
    """The sweep of a chain's text, or of its kernels, along the directions that are given."""
    if chain.backend != "numpy":
        function = compiled_sweep(made, chain)
    else:
        (function,) = made.functions.values()
    try:
        return function(*chain.bound, *full, *given)
    except Exception as error:
        return answered_sweep(chain, made, (*chain.bound, *full, *given), error)


def dense(seeds: Any) -> Any:
    return seeds.toarray() if hasattr(seeds, "toarray") else seeds


def common_dtype(like: list[Any]) -> Any:
    """The precision of all of these; whole numbers are no reason for less than float16."""
    found = {FLOAT64 if type(x) is float else dtype_of(x) for x in like}
    if found == {FLOAT64}:
        return FLOAT64
    return np.result_type(np.float16, *[dtype for dtype in found if dtype.kind in "fciub"])


def sizes(like: list[Any]) -> list[int]:
    """Where the leaves stand in a flat vector, and its length."""
    return list(accumulate(map(size, like), initial=0))


def size(x: Any) -> int:
    return x.size if is_ndarray(x) else int(np.size(x))


def spread(seeds: Any, like: list[Any], compiled: bool) -> Any:
    """The leaves of a matrix of seeds: each with one more axis, the last.

    In memory it is the first, unless the sweep is compiled.
    """
    ends = sizes(like)
    for x, (start, end) in zip(like, pairwise(ends), strict=True):
        if compiled:
            flat = seeds[start:end].astype(common_dtype([x]), order="C")
            yield flat.reshape(*np.shape(x), seeds.shape[1])
            continue
        rows = seeds[start:end].T.astype(common_dtype([x]), order="C")
        yield last_axis(rows.reshape(len(rows), *np.shape(x)))


def joined(parts: list[Any], k: int) -> Any:
    return np.concatenate([np.reshape(part, (np.size(part) // k, k)) for part in parts])


def split(seed: Any, like: list[Any]) -> list[Any]:
    """The leaves of one direction, of the kinds that ``like`` has."""
    ends = sizes(like)
    return [
        of_kind(seed[start:end].reshape(np.shape(x)), x)
        for x, (start, end) in zip(like, pairwise(ends), strict=True)
    ]


def of_kind(v: Any, x: Any) -> Any:
    if is_ndarray(x):
        return v.astype(x.dtype)
    if isinstance(x, np.generic):
        return x.dtype.type(v)
    return v.item()


def flat(parts: list[Any]) -> Any:
    return np.concatenate([np.ravel(part) for part in parts])


def in_order(places: Sequence[Place]) -> list[Place]:
    return sorted(places, key=lambda place: (bool(place.keys), place.at))


# -- code for many directions ------------------------------------------------------------------


def swept(
    chain: Chain, kind: str, places: tuple[Place, ...], full: list[Any], x: list[Any]
) -> Loaded | None:
    """Code for k directions of these arguments; None where there is none."""
    if is_taped(full, chain.fn):
        return None
    if any(dtype_of(leaf).kind not in "fc" for leaf in x):
        return None
    return sought(chain, kind, places, full).loaded


def born(chain: Chain, made: Loaded, full: list[Any]) -> Any:
    """The record of the arguments of a sweep that has to be checked."""
    if not due(chain, made):
        return None
    from ..check.batched_sweeps import SweepBirth  # few calls are checked

    return SweepBirth(chain, made, full, primal(chain))


def compiled_sweep(made: Loaded, chain: Chain) -> Callable[..., Any]:
    """A sweep's text, compiled by the back end of a chain."""
    from .batched_kernels import SweptKernels  # kernels are few

    if made.kernels is None:
        made.kernels = SweptKernels(made, chain)
    return made.kernels.call  # type: ignore[no-any-return]


def why_one_by_one(chain: Chain, kind: str, places: tuple[Place, ...], full: list[Any]) -> str:
    """The reason not to sweep the directions together; empty if there is none."""
    return sought(chain, kind, places, full).why


class Sweep(NamedTuple):
    """Code for many directions, or why there is none."""

    loaded: Loaded | None
    why: str = ""

    @property
    def guards(self) -> list[Any]:
        return self.loaded.guards if self.loaded else []

    @property
    def equal(self) -> list[Any]:
        return self.loaded.equal if self.loaded else []


def sought(chain: Chain, kind: str, places: tuple[Place, ...], full: list[Any]) -> Sweep:
    def make() -> ByKind:
        return ByKind(chain, lambda types: made_for(chain, kind, places, types))

    made: Sweep = chain.once((kind, places), make).of(full)
    return made


def made_for(chain: Chain, kind: str, places: tuple[Place, ...], types: Any) -> Sweep:
    from retrograd.compiler.differentiate.batching.operation_rules import NotBatched
    from retrograd.compiler.lowering.library.random_draws import DrawnAgain

    ordered = in_order(places) if kind in ("pulls", "gathered") else places
    asked = chain.then(kind, ordered, kind == "jacobian")
    own = {name: types[name] for name in chain.full.parameters if name in types}
    try:
        return Sweep(chain.compiled(own, resolved(asked, types)))
    except NotBatched as error:
        return Sweep(None, str(error))
    except DrawnAgain:
        raise
    except CompileError as error:  # one direction at a time, it may run on the tape
        return Sweep(None, str(error))


def one_by_one(chain: Chain, places: tuple[Place, ...], types: Any) -> str:
    """The reason why no single sweep, forward or backward, makes a Jacobian; no code is kept."""
    from retrograd.compiler.differentiate.batching.operation_rules import NotBatched

    for kind in ("pushes", "pulls"):
        asked = chain.then(kind, places if kind == "pushes" else in_order(places), False)
        own = {name: kind for name, kind in types.items() if name in chain.full.parameters}
        try:
            derive_chain(chain.fn, own, resolved(asked, types), unwrap, chain.fallback is not None)
        except NotBatched as error:
            return str(error)
        except CompileError:
            return ""  # the values above say why it is refused
    return ""
