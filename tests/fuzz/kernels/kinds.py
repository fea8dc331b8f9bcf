"""The kinds of programs, and which share of a run each has."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable

import numpy as np

from .. import complexes, plain, programs
from ..in_place import in_place_program
from ..native import small_program, stencil_program
from ..recursions import helper_program
from . import functions, tables
from .disguises import OF_MEMORY, OF_SIZES, OF_TYPES, OF_VALUES
from .judge import Case
from .numbers import number_program

__all__ = ["KINDS", "MATRICES", "case_of", "kind_of"]

Maker = Callable[[int], str]

MAKERS: dict[str, Maker] = {
    "writes": in_place_program,
    "arrays": small_program,
    "stencils": stencil_program,
    "helpers": programs.program,
    "objects": plain.program,
    "recursion": helper_program,
    "complex": complexes.program,
    "complex arrays": tables.complex_program,
    "libraries": tables.library_program,
    "containers": tables.container_program,
    "masks": tables.mask_program,
    "while": tables.while_program,
    "functions": functions.function_program,
    "dtypes": functions.dtype_program,
    "views": functions.view_program,
    "numbers": number_program,
    "results": functions.result_program,
}
PRODUCTS = ("jvp", "vjp", "linearize", "hvp", "hessian", "grad")
BASES = ("writes", "arrays", "recursion", "complex arrays", "libraries", "containers", "masks", "while", "functions", "dtypes", "views", "numbers")  # fmt: skip
OF_RESULTS = ("jvp", "vjp", "linearize")  # what is asked of programs that return no number
MATRICES = "jacobian"  # programs with structure, which have a judge of their own
KINDS = (*MAKERS, *PRODUCTS, MATRICES)
DEAR = ("hessian",)  # a call for each direction: small arguments only


def kind_of(index: int) -> str:
    """Equal shares, one after the other."""
    return KINDS[index % len(KINDS)]


def is_small(text: str) -> bool:
    """True if the arguments of a program have few elements."""
    arguments = text.partition("\nARGS = ")[2].partition("\n")[0]
    return max(map(int, re.findall(r"size=\(?(\d+)", arguments)), default=0) <= 12


def case_of(kind: str, seed: int) -> Case:
    """The program of a kind with a seed, and how it is asked."""
    rng = np.random.default_rng([seed, KINDS.index(kind)])
    base = kind if kind in MAKERS else BASES[int(rng.integers(len(BASES)))]
    mode = kind if kind in PRODUCTS else "value_and_grad"
    if kind == "results":
        mode = OF_RESULTS[int(rng.integers(len(OF_RESULTS)))]
    text = MAKERS[base](seed)
    if kind in DEAR:
        text = next(filter(is_small, (MAKERS[base](seed + 10**6 * k) for k in itertools.count())))
        text = text.replace("OTHERS = ", "_ = ")
        return Case(kind, seed, text, mode, ("with steps", "of two elements"))
    memory, sizes, types = map(list, (OF_MEMORY, OF_SIZES, OF_TYPES))
    chosen = [str(name) for name in rng.choice(memory, 2, replace=False)]
    chosen.append(str(rng.choice(sizes)))
    if rng.random() < 0.2:
        chosen.append(str(rng.choice(types)))
    if rng.random() < 0.3:
        chosen.append(str(rng.choice(list(OF_VALUES))))
    return Case(kind, seed, text, mode, tuple(chosen))
