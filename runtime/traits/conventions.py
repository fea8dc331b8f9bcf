"""Where a derivative is by convention another one, where there is none, and where a value is only close.

One table, by the operation's public name.  The documentation, ``explain`` and the check of a derivative
against differences all ask it, so that what is known of an operation is said in one place.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from ..objects.own_attributes import own_attribute
from ..records import dataclass

__all__ = ["CONVENTIONS", "Note", "notes_of"]

Kind = Literal["triangle", "degenerate", "phase", "steps", "close_value"]
# triangle: the function reads one triangle, the derivative is that of the symmetric matrix
# degenerate: no derivative exists at some arguments, and nan is given there
# phase: what the function chooses freely (a sign, a phase) is held fixed
# steps: what the function adapts to its arguments (sizes of steps) is held fixed
# close_value: the value is the function's to its own tolerance, not bitwise


@dataclass(frozen=True)
class Note:
    """A convention of an operation's derivative or value.

    ``when``: a parameter and those of its values for which this holds; always, if None.
    """

    kind: Kind
    text: str
    when: tuple[str, tuple[Any, ...]] | None = None

    def holds(self, fn: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> bool:
        """True if this holds for a call; an argument that is not known may be any."""
        if self.when is None:
            return True
        name, values = self.when
        given = kwargs.get(name, ABSENT)
        if given is ABSENT:
            given = positional(fn, args).get(name, ABSENT)
        return given is not ABSENT and (not isinstance(given, (str, bool)) or given in values)


ABSENT = object()


def positional(fn: Any, args: Sequence[Any]) -> Mapping[str, Any]:
    try:
        return inspect.signature(fn).bind_partial(*args).arguments
    except (TypeError, ValueError):
        return {}


HALF = (
    "reads one triangle of its matrix; the derivative is that of the symmetric matrix "
    "(a symmetric gradient), right for symmetric changes only"
)
VECTORS = (
    "vectors that belong to equal values have no derivative: nan where they are read "
    "(the values themselves have theirs)"
)
PHASE = (
    "the phase of complex vectors is held fixed: only what does not depend on it has a derivative"
)
TRIANGLE = Note("triangle", HALF)
DEGENERATE = Note("degenerate", VECTORS)
FREE = Note("phase", PHASE)
STEPS = Note(
    "steps",
    "the sizes of the steps that SciPy chose are held fixed: the derivative of the solution to the solver's "
    "tolerance, not of how the steps follow the arguments",
)
SYMMETRIC = (
    "sym", "symmetric", "her", "hermitian", "pos", "positive definite",
)  # fmt: skip

CONVENTIONS: dict[str, tuple[Note, ...]] = {
    "numpy.linalg.eigh": (TRIANGLE, DEGENERATE, FREE),
    "numpy.linalg.eigvalsh": (TRIANGLE,),
    "numpy.linalg.cholesky": (TRIANGLE,),
    "numpy.linalg.pinv": (Note("triangle", HALF, ("hermitian", (True,))),),
    "numpy.linalg.eig": (DEGENERATE,),
    "numpy.linalg.svd": (DEGENERATE, FREE),
    "scipy.linalg.eigh": (TRIANGLE, DEGENERATE, FREE),
    "scipy.linalg.eigvalsh": (TRIANGLE,),
    "scipy.linalg.eig": (DEGENERATE,),
    "scipy.linalg.svd": (DEGENERATE, FREE),
    "scipy.linalg.cholesky": (TRIANGLE,),
    "scipy.linalg.cho_factor": (TRIANGLE,),
    "scipy.linalg.solve": (Note("triangle", HALF, ("assume_a", SYMMETRIC)),),
    "scipy.stats.multivariate_normal.logpdf": (TRIANGLE,),
    "scipy.stats.multivariate_normal.pdf": (TRIANGLE,),
    "scipy.optimize.minimize": (
        Note(
            "close_value",
            "the search is given the exact gradient, in place of SciPy's differences: "
            "it ends nearer to the minimum",
        ),
    ),
    "scipy.optimize.least_squares": (
        Note("close_value", "`jac` is not asked: SciPy's differences find the solution"),
    ),
    **dict.fromkeys(
        ("scipy.integrate.quad", "scipy.integrate.quad_vec"),
        (Note("close_value", "a sum over the intervals that SciPy chose: its value to rounding"),),
    ),
    "scipy.integrate.solve_ivp": (
        Note("close_value", "the steps that SciPy chose are done again: its values to rounding"),
        STEPS,
    ),
    "scipy.integrate.odeint": (
        Note(
            "close_value",
            "solved with the steps of solve_ivp's RK45: another solution within the tolerances, "
            "not bitwise LSODA's",
        ),
        STEPS,
    ),
}

# What the compiler writes for a solver of SciPy's.
STANDS_FOR = {
    "retrograd.runtime.replacements.solvers.minimize": "scipy.optimize.minimize",
    "retrograd.runtime.replacements.solvers.least_squares": "scipy.optimize.least_squares",
    "retrograd.runtime.replacements.solvers.quad_nodes": "scipy.integrate.quad",
    "retrograd.runtime.replacements.solvers.quad_vec_nodes": "scipy.integrate.quad_vec",
    "retrograd.runtime.replacements.solvers.ivp_grid": "scipy.integrate.odeint",
}


def notes_of(
    fn: Any, args: Sequence[Any] = (), kwargs: Mapping[str, Any] | None = None
) -> tuple[Note, ...]:
    """The notes on a call of ``fn`` (a function of NumPy's or SciPy's, or what stands for one).

    >>> import numpy as np
    >>> [note.kind for note in notes_of(np.linalg.cholesky)]
    ['triangle']
    >>> notes_of(np.linalg.pinv), len(notes_of(np.linalg.pinv, (), {"hermitian": True}))
    ((), 1)
    """
    notes = next((CONVENTIONS[name] for name in names_of(fn)), ())
    return tuple(note for note in notes if note.holds(fn, args, kwargs or {}))


def names_of(fn: Any) -> list[str]:
    """The names in the table that an object has now; nothing is imported for it."""
    called = own_attribute(fn, "__name__")
    listed = [name for name in CONVENTIONS if name.rpartition(".")[2] == called]
    listed += [name for name in STANDS_FOR if name.rpartition(".")[2] == called]
    return [STANDS_FOR.get(name, name) for name in listed if named(name) == fn]


def named(name: str) -> Any:
    """The object of a dotted name, if its module is imported."""
    home, _, rest = name.rpartition(".")
    if home in sys.modules:
        return getattr(sys.modules[home], rest, None)
    return getattr(named(home), rest, None) if home else None
