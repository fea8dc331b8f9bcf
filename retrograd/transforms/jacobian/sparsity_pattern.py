"""The sparsity pattern of a Jacobian: derived from the program, probed, or given.

A pattern that is found in the program is kept for the shapes of the arguments and the contents of
those that are no floats.  One that hangs on floats (a branch, an index) is found anew for each call.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Sequence
from itertools import chain as chained
from itertools import pairwise
from typing import Any

import numpy as np

from retrograd.compiler.ir.argument_path import Place
from retrograd.runtime.errors import CompileError, NotDifferentiable
from retrograd.runtime.objects.pytree import children, floats, is_float, leaves, with_items

from ..api import Chain, unwrap
from ..specialise.argument_types import kinds_key
from ..specialise.compile import derive_chain
from ..specialise.eager_fallback import is_taped
from ..specialise.memo import Recent
from ..wrt import resolved
from .batched_products import Products, sizes

__all__ = [
    "Known",
    "Pattern",
    "Unknowable",
    "found_in_program",
    "last_found",
    "lowered",
    "packed",
    "probed",
    "sets_of_results",
]


@dataclasses.dataclass(eq=False)
class Pattern:
    """The columns of each row, in the form of CSR."""

    indptr: Any
    indices: Any
    n: int

    @property
    def m(self) -> int:
        return len(self.indptr) - 1

    def equals(self, other: Pattern) -> bool:
        mine, theirs = (self.indptr, self.indices), (other.indptr, other.indices)
        return self.n == other.n and all(map(np.array_equal, mine, theirs))


@dataclasses.dataclass(eq=False)
class Known:
    """A pattern that was found, and what it hangs on beside the shapes."""

    pattern: Pattern
    captured: list[tuple[Any, str]]
    kept: bool = True  # for other numbers of the same shapes
    plans: dict[Any, Any] = dataclasses.field(default_factory=dict)

    def holds(self) -> bool:
        return all(digest(x) == was for x, was in self.captured)


def refusal(chain: Chain, why: str) -> NotDifferentiable:
    return NotDifferentiable(
        f"the pattern of the Jacobian of {chain.name} cannot be found in its program: {why}",
        fix="give it as a sparse matrix, pattern=..., or have it probed, pattern='probe'",
    )


def found_in_program(products: Products, budget: float = float("inf")) -> Known:
    """The pattern by the dependence of the program, kept where it can be; refused beyond a budget."""
    from retrograd.compiler.analyses.sparsity.jacobian_pattern import NUMBERS, Dependence, Unknown

    if products.n == 0:
        return Known(packed([()] * products.m, 0), [])
    key = key_of(products)
    chain = products.chain
    kept = chain.once("patterns", Recent)
    last = chain.once("last pattern", Recent)
    known = None if key is None else kept.get(key)
    program, function = lowered(chain, products.full, products.places)
    if known is not None and known[0] is function and known[1].holds():
        last[products.places] = known[1]
        return known[1]  # type: ignore[no-any-return]
    if function is None:
        raise refusal(chain, str(program))
    run = Dependence(budget)
    try:
        rows = list(rows_found(run, function, products))
    except Unknown as error:
        raise refusal(chain, str(error)) from None
    captured = [(x, digest(x)) for x in run.captured]
    known = Known(packed(rows, products.n), captured, key is not None and run.varies < NUMBERS)
    # Patterns that are found anew are mostly what they were: their plans hold.
    before = last.get(products.places)
    if before is not None and before.pattern.equals(known.pattern):
        known.plans = before.plans
    last[products.places] = known
    if known.kept:
        kept[key] = function, known
    return known


def last_found(products: Products) -> Known | None:
    """The pattern that was found last."""
    found: Known | None = products.chain.once("last pattern", Recent).get(products.places)
    return found


def lowered(chain: Chain, args: list[Any], places: Sequence[Place]) -> tuple[Any, Any]:
    """The program of a chain for these kinds; the reason and None where there is none."""
    if is_taped(args, chain.fn):
        return "eager tensors have no program", None
    types = chain.types(args)
    key = (kinds_key(types), tuple(places))
    programs = chain.once("programs", Recent)
    known = programs.get(key)
    if known is None or not all(r.holds() for r in getattr(known[0], "readings", {}).values()):
        own = {name: types[name] for name in chain.full.parameters if name in types}
        try:
            program, made = derive_chain(chain.fn, own, resolved(chain, types), unwrap)
            known = program, made[0]
        except CompileError as error:
            known = str(error), None
        programs[key] = known
    return known  # type: ignore[no-any-return]


def rows_found(run: Any, function: Any, products: Products) -> Any:
    """The set of inputs of each entry of the results."""
    from retrograd.compiler.analyses.sparsity.jacobian_pattern import FIXED, NUMBERS

    args = [*products.chain.bound, *products.given()]
    begins = sizes(products.x)
    starts, marks = iter(begins), []
    for place, tree in zip(products.places, products.inputs, strict=True):
        marks.append((place, [next(starts) for _ in floats(tree)]))
    shift = len(products.chain.bound)
    sets = [
        marked(x, [(p.keys, s) for p, s in marks if p.at + shift == k]) for k, x in enumerate(args)
    ]
    levels = [NUMBERS if is_floating(x) else FIXED for x in args]
    ends = run.run(function, args, sets, levels)
    values = [run.value(y) for y in function.body.yields]
    found = list(chained.from_iterable(flat_sets(v, s) for v, s in zip(values, ends, strict=True)))
    assert len(found) == products.m
    return found


class Unknowable(Exception):
    """A pattern cannot be found, or would cost more than it may."""


def sets_of_results(function: Any, args: list[Any], starts: list[Any], budget: float) -> list[Any]:
    """The set of inputs of each entry of the results; inputs are the entries of the arguments that have a start."""
    from retrograd.compiler.analyses.sparsity.index_sets import inputs
    from retrograd.compiler.analyses.sparsity.jacobian_pattern import (
        FIXED,
        NUMBERS,
        Dependence,
        Unknown,
    )

    run = Dependence(budget)
    sets = [
        None if start is None else inputs(x, start) for x, start in zip(args, starts, strict=True)
    ]
    levels = [NUMBERS if is_floating(x) else FIXED for x in args]
    try:
        ends = run.run(function, args, sets, levels)
    except Unknown as error:
        raise Unknowable(str(error)) from None
    values = [run.value(y) for y in function.body.yields]
    return list(chained.from_iterable(map(flat_sets, values, ends)))


def is_floating(tree: Any) -> bool:
    """True if a float is in it, whose number the pattern is not kept for."""
    kinds = [getattr(np.asarray(x), "dtype", np.dtype(object)).kind for x in leaves(tree)]
    return any(kind not in "biuUS" for kind in kinds)


def marked(x: Any, wanted: list[tuple[Any, list[int]]]) -> Any:
    """Sets beside an argument: the entries of the parts that are asked for are inputs."""
    if not wanted:
        return None
    whole = [starts for keys, starts in wanted if not keys]
    if whole:
        return numbered(x, iter(whole[0]))
    inner = children(x) or []
    parts = {}
    for key, item in inner:
        below = [(keys[1:], s) for keys, s in wanted if own_key(x, keys[0]) == key]
        parts[key] = marked(item, below)
    return as_container(x, parts)


def own_key(x: Any, key: Any) -> Any:
    """A key of a place as `children` has it: sequences count from the first item."""
    if not isinstance(x, (tuple, list)):
        return key
    fields = getattr(type(x), "_fields", ())
    return fields.index(key) if isinstance(key, str) else range(len(x))[key]


def numbered(x: Any, starts: Any) -> Any:
    from retrograd.compiler.analyses.sparsity.index_sets import inputs

    inner = children(x)
    if inner is None:
        return inputs(x, next(starts)) if is_float(x) else None
    return as_container(x, {key: numbered(item, starts) for key, item in inner})


def as_container(x: Any, parts: dict[Any, Any]) -> Any:
    if isinstance(x, (tuple, list)):
        return tuple(parts.values()) if isinstance(x, tuple) else list(parts.values())
    return parts


def flat_sets(value: Any, sets: Any) -> Any:
    from retrograd.compiler.analyses.sparsity.index_sets import EMPTY

    inner = children(value)
    if inner is None:
        if value is None:
            return
        if sets is None:
            yield from [EMPTY] * int(np.size(value))
        else:
            yield from np.broadcast_to(sets, np.shape(value)).ravel().tolist()
        return
    below = [None] * len(inner) if sets is None else sets
    parts = list(below.values()) if isinstance(below, dict) else list(below)
    for (_, item), part in zip(inner, parts, strict=True):
        yield from flat_sets(item, part)


def packed(rows: list[Any], n: int) -> Pattern:
    ordered = [sorted(row) for row in rows]
    indptr = np.cumsum([0, *map(len, ordered)])
    indices = np.fromiter(chained.from_iterable(ordered), np.int64, int(indptr[-1]))
    return Pattern(indptr, indices, n)


# -- what a pattern hangs on --------------------------------------------------------------------


def key_of(products: Products) -> Any:
    """Shapes and dtypes, and the contents of what is no float; None where that cannot be said."""
    parts: list[Any] = []
    for x in leaves([*products.chain.bound, *products.full]):
        if isinstance(x, (bool, int, str, bytes, type(None))):
            parts.append((type(x), x))
        elif isinstance(x, (float, complex)):
            parts.append(type(x))
        elif isinstance(x, (np.ndarray, np.generic)) and x.dtype.kind != "O":
            same = "" if x.dtype.kind in "fc" else digest(x)
            parts.append((x.dtype.str, x.shape, same))
        else:
            return None
    structure = kinds_key(products.chain.types(products.full))
    key = (products.places, structure, tuple(parts))
    try:
        hash(key)
    except TypeError:
        return None
    return key


def digest(x: Any) -> str:
    """The content of an array, or of a sparse matrix."""
    if hasattr(x, "tocsr"):
        rows = x.tocsr()
        return "".join(map(digest, (rows.indptr, rows.indices, rows.data)))
    array = np.ascontiguousarray(x)
    return hashlib.blake2b(
        array.tobytes() + repr((array.dtype.str, array.shape)).encode()
    ).hexdigest()


# -- probing -------------------------------------------------------------------------------------

POINTS = 3


def probed(products: Products) -> Pattern:
    """The entries that are not zero here and at points nearby: others may be missed."""
    rng = np.random.default_rng(0)
    found = nonzero(products)
    for _ in range(POINTS - 1):
        found |= nonzero(products.at(moved(products, rng)))
    rows: list[list[int]] = [[] for _ in range(products.m)]
    for entry in sorted(found):
        rows[entry // products.n].append(entry % products.n)
    return packed(rows, products.n)


def moved(products: Products, rng: np.random.Generator) -> list[Any]:
    """The arguments with floats that are asked for moved by about a thousandth."""
    args = products.given()[:]
    for place in products.places:
        args[place.at] = shaken(args[place.at], place.keys, rng)
    return args


def shaken(x: Any, keys: Any, rng: np.random.Generator) -> Any:
    inner = children(x)
    if inner is None:
        array = np.asarray(x)
        if array.dtype.kind not in "fc":
            return x
        step = 1e-3 * (np.abs(array) + 1e-2) * rng.choice([-1.0, 1.0], array.shape)
        made = (array + step * rng.uniform(0.5, 1.0, array.shape)).astype(array.dtype)
        return made if isinstance(x, np.ndarray) else type(x)(made[()])
    parts = {
        key: shaken(item, keys[1:], rng) if not keys or own_key(x, keys[0]) == key else item
        for key, item in inner
    }
    return with_items(x, list(parts.values()))


def nonzero(products: Products) -> set[int]:
    """The places of the entries that are not zero, nan included, a few columns at a time."""
    forward = products.n <= products.m
    size = products.n if forward else products.m
    found: set[int] = set()
    for start, end in pairwise([*range(0, size, 256), size]):
        seeds = np.zeros((size, end - start))
        seeds[np.arange(start, end), np.arange(end - start)] = 1.0
        made = products.columns(seeds) if forward else products.rows(seeds)
        i, j = np.nonzero(made)
        rows, columns = (i, j + start) if forward else (j + start, i)
        found.update((rows * products.n + columns).tolist())
    return found
