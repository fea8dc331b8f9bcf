"""Sparse Jacobians and Hessians: a few directions, from which every entry is read off."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from retrograd.runtime.errors import GradientMismatch, NotDifferentiable, SignatureMismatch

from .batched_products import Products
from .colouring import column_colours, recoverable, rows_of, star_colours, turned
from .sparsity_pattern import Pattern, found_in_program, probed

__all__ = [
    "Plan",
    "differ_in",
    "plan_in",
    "plan_of",
    "scipy_sparse",
    "sparse_matrix",
    "symmetric_plan",
    "unlike",
]


@dataclasses.dataclass(eq=False)
class Plan:
    """How the entries of a pattern are read off products: of columns, or of rows.

    Entry number e is ``products[at[e], colour[e]]``; ``colours`` are those of the directions.
    """

    pattern: Pattern
    forward: bool
    colours: Any
    at: Any
    colour: Any
    stars: bool = False  # whether the matrix has to be symmetric

    @property
    def count(self) -> int:
        """The number of directions."""
        return int(self.colours.max(initial=-1)) + 1

    def seeds(self) -> Any:
        made = np.zeros((len(self.colours), self.count))
        used = np.flatnonzero(self.colours >= 0)
        made[used, self.colours[used]] = 1.0
        return made

    def read(self, products: Products, v: Any = None) -> tuple[Any, Any]:
        """The entries, in the order of the pattern; and beside them the product with ``v``."""
        seeds = self.seeds() if v is None else np.column_stack([self.seeds(), v])
        swept = (products.columns if self.forward else products.rows)(seeds)
        return swept[self.at, self.colour], None if v is None else swept[:, -1]


def plan_of(pattern: Pattern, mode: str | None, symmetric: bool = False) -> Plan:
    """The fewest directions that the colourings find: columns, rows, or a star colouring."""
    rows = rows_of(pattern.indptr, pattern.indices)
    columns = turned(rows, pattern.n)
    i = np.repeat(np.arange(pattern.m), np.diff(pattern.indptr))
    j = pattern.indices
    plans = []
    if mode != "reverse":
        plans.append(by_columns(pattern, rows, pattern.n, i, j, True))
    if mode != "forward" and not symmetric:
        plans.append(by_columns(pattern, columns, pattern.m, j, i, False))
    if symmetric:
        plans.append(by_stars(pattern, rows, i, j))
    return min(plans, key=lambda plan: plan.count)


def by_columns(pattern: Pattern, rows: Any, n: int, i: Any, j: Any, forward: bool) -> Plan:
    colours = used(column_colours(rows, n), rows)
    return Plan(pattern, forward, colours, i, colours[j])


def used(colours: Any, rows: Any) -> Any:
    """The colours of columns with an entry; the others need no direction."""
    made = np.full(len(colours), -1)
    there = sorted({j for row in rows for j in row})
    made[there] = np.asarray(colours, int)[there]
    return made


def by_stars(pattern: Pattern, rows: Any, i: Any, j: Any) -> Plan:
    """An entry that its row does not show is shown by its column."""
    degrees = sorted(range(len(rows)), key=lambda v: (-len(rows[v]), v))
    tried = [used(star_colours(rows, order), rows) for order in (None, degrees)]
    colours = min(tried, key=lambda found: found.max(initial=-1))
    shown = recoverable(rows, colours)
    at, by = np.where(shown, i, j), np.where(shown, j, i)
    return Plan(pattern, True, colours, at, colours[by], stars=True)


def sparse_matrix(
    products: Products, mode: str | None, given: Any, check: bool | None, symmetric: bool = False
) -> Any:
    """The Jacobian as one ``csr_array`` of flat results by flat arguments."""
    pattern, plans = pattern_of(products, given)
    if symmetric:
        plan = symmetric_plan(pattern, plans, mode)
        pattern = plan.pattern
        made, wrong, _ = recovered(products, pattern, plan, plan.stars)
        if not wrong:
            return made  # else a derivative of the user's own has made it not symmetric
    checked = given is not None if check is None else check
    plan = plan_in(plans, pattern, mode, False)
    made, wrong, forward = recovered(products, pattern, plan, checked)
    if wrong:
        report(products, made, wrong, forward)
    return made


def symmetric_plan(pattern: Pattern, plans: dict[Any, Any], mode: str | None) -> Plan:
    pattern = plans.get("symmetric") or plans.setdefault("symmetric", both_ways(pattern))
    return plan_in(plans, pattern, mode, True)


def pattern_of(products: Products, given: Any) -> tuple[Pattern, dict[Any, Any]]:
    """The pattern that was asked for, and the plans that were made for it before."""
    scipy_sparse()
    if given is None:
        known = found_in_program(products)
        return known.pattern, known.plans
    if isinstance(given, str):
        if given != "probe":
            raise SignatureMismatch(f"pattern is a sparse matrix or 'probe', not {given!r}")
        return probed(products), {}
    return as_given(given, products), {}


def plan_in(plans: dict[Any, Any], pattern: Pattern, mode: str | None, symmetric: bool) -> Plan:
    key = mode, symmetric
    if key not in plans:
        plans[key] = plan_of(pattern, mode, symmetric)
    return plans[key]  # type: ignore[no-any-return]


def recovered(
    products: Products, pattern: Pattern, plan: Plan, check: bool
) -> tuple[Any, list[int], bool]:
    """The matrix, and where its product with a random vector is wrong, of rows or of columns."""
    v = np.random.default_rng(0).standard_normal(products.n if plan.forward else products.m)
    data, product = plan.read(products, v if check else None)
    shape = products.m, products.n
    data = data.astype(np.float32) if data.dtype == np.float16 else data  # SciPy has none of these
    made = scipy_sparse().csr_array((data, pattern.indices, pattern.indptr), shape)
    wrong = [] if product is None else differ(made if plan.forward else made.T, v, product)
    return made, wrong, plan.forward


def scipy_sparse() -> Any:
    try:
        import scipy.sparse as sparse
    except ImportError:
        raise NotDifferentiable(
            "sparse=True needs SciPy, which is not installed", fix="pip install scipy"
        ) from None
    return sparse


def as_given(given: Any, products: Products) -> Pattern:
    """A pattern of the user's: a sparse matrix, or an array of what may be nonzero."""
    matrix = scipy_sparse().csr_array(given)
    if matrix.shape != (products.m, products.n):
        raise SignatureMismatch(
            f"pattern has shape {matrix.shape}, the Jacobian has {(products.m, products.n)}"
        )
    matrix.sum_duplicates()
    return Pattern(matrix.indptr.astype(int), matrix.indices.astype(int), products.n)


def both_ways(pattern: Pattern) -> Pattern:
    """With every entry that is one across the diagonal."""
    sparse = scipy_sparse()
    n = pattern.n
    there = sparse.csr_array(
        (np.ones(len(pattern.indices), bool), pattern.indices, pattern.indptr), (n, n)
    )
    made = sparse.csr_array(there + there.T)
    made.sort_indices()
    return Pattern(made.indptr.astype(int), made.indices.astype(int), n)


# -- checking ----------------------------------------------------------------------------------


def differ(made: Any, v: Any, wanted: Any) -> list[int]:
    """The entries of a product with a random vector that a sparse matrix gets wrong."""
    return unlike(made @ v, abs(made) @ abs(v) + abs(wanted), wanted)


def differ_in(pattern: Pattern, data: Any, v: Any, wanted: Any) -> list[int]:
    """The same of the entries of a pattern."""
    i = np.repeat(np.arange(pattern.m), np.diff(pattern.indptr))
    terms = data * v[pattern.indices]
    got, scale = (np.bincount(i, x, pattern.m) for x in (terms, abs(terms)))
    return unlike(got, scale + abs(wanted), wanted)


def unlike(got: Any, scale: Any, wanted: Any) -> list[int]:
    tolerance = np.sqrt(np.finfo(wanted.dtype).eps)
    right = (abs(got - wanted) <= tolerance * scale) | ~(np.isfinite(got) & np.isfinite(wanted))
    return np.flatnonzero(~right).tolist()  # type: ignore[no-any-return]


def report(products: Products, made: Any, wrong: list[int], forward: bool) -> None:
    """Name an entry that is not zero, and that the pattern has no place for."""
    i, j, entry = missing(products, made if forward else made.T.tocsr(), wrong, forward)
    raise GradientMismatch(
        f"the pattern of the Jacobian of {products.chain.name} has no place for entry "
        f"{(i, j) if forward else (j, i)}, which is {entry:.6g}: add it, or leave `pattern` out"
    )


def missing(products: Products, made: Any, rows: list[int], forward: bool) -> tuple[int, int, Any]:
    """A nonzero entry of these rows (columns, if not ``forward``) that the pattern leaves out."""
    swept, size = (products.rows, products.m) if forward else (products.columns, products.n)
    for i in rows:
        seed = np.zeros((size, 1))
        seed[i] = 1.0
        row = swept(seed)[:, 0].copy()
        row[made.indices[made.indptr[i] : made.indptr[i + 1]]] = 0
        if row.any():
            j = int(np.argmax(abs(row)))
            return i, j, row[j]
    raise GradientMismatch(
        f"the sparse Jacobian of {products.chain.name} disagrees with a product, at {rows[0]}"
    )
