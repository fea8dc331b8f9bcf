"""Registers every family of the rule book (NumPy only; nothing else is imported)."""

from . import (  # noqa: F401
    arithmetic,
    contractions,
    creation,
    elementary,
    guarded,
    indexing,
    joining,
    linalg,
    linear,
    lists,
    products,
    reductions,
    rows,
    scalar,
    shaping,
    sorting,
    trees,
    writing,
)  # fmt: skip
