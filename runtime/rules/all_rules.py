"""Registers every family of the rule book (NumPy only; nothing else is imported)."""

from . import (  # noqa: F401
    arithmetic,
    contractions,
    creation,
    eigen,
    elementary,
    fourier,
    guarded,
    indexing,
    joining,
    linalg,
    linear,
    lists,
    norms,
    products,
    reductions,
    scalar,
    shaping,
    sorting,
    trees,
    writing,
)  # fmt: skip
