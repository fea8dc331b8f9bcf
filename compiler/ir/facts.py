"""Facts about a function of the program, beside its operations."""

from __future__ import annotations

from typing import Any

from retrograd.runtime.records import dataclass, field, replace

__all__ = ["Facts"]


@dataclass(eq=False)
class Facts:
    """Each group is written by one stage and read by those after it; results and parameters by number."""

    # -- what a call does to its arguments, and what it gives (lowering) --------------------------

    writes: list[tuple[int, Any]] = field(default_factory=list)
    """Parameters that are written to; with the result that holds what is left, if it is returned."""
    unclear: dict[int, Any] = field(default_factory=dict)
    """Parameters that may have been written to, and where."""
    gives: list[int | None] = field(default_factory=list)
    """For each result the parameter that it is."""
    shows: list[list[int]] = field(default_factory=list)
    """For each result the parameters that it may share memory with."""
    handed: dict[int, str] = field(default_factory=dict)
    """Parameters that a function nobody has read was given, and may keep."""
    rank0: list[bool] = field(default_factory=list)
    """Which results are arrays of rank 0."""
    of_module: list[bool] = field(default_factory=list)
    """Which results may be arrays of the module."""
    twins: list[tuple[int, int, bool]] = field(default_factory=list)
    """Results that may be one memory, and whether they are one array for certain."""
    updates: Any = ()
    """Containers of the caller that are written to."""
    doubtful: Any = ()
    """Containers of which is not known which one they are."""
    lost: Any = ()
    """Containers in those of the caller that may have been written to."""
    raises: bool = False
    """It raises an exception on every way."""
    given: dict[str, Any] = field(default_factory=dict)
    """Parameters that are objects of the module: they stand in the operations, and are no parameters of these."""
    sequences: frozenset[str] = frozenset()
    """Parameters that are arrays, lists or tuples, which of them is not known."""
    stars: dict[str, str] = field(default_factory=dict)
    """The parameters ``*args`` and ``**options``."""

    # -- how it is differentiated -----------------------------------------------------------------

    custom: Any = None
    """The derivative of its own that it has: the user's, or, where it says `derived`, that of an equation."""
    checkpoint: bool = False
    """It is run again on the way back."""
    frugal: bool = False
    """Cheap values are recomputed rather than kept."""
    value_tree: Any = None
    """How the results of the differentiated function are packed."""
    few: int = 0
    """So many directions are quicker one at a time."""
    one_by_one: list[tuple[str, int]] = field(default_factory=list)
    """What a batch calls for one example after the other, and where."""

    # -- what is done with it ---------------------------------------------------------------------

    inline: bool = False
    """Its operations stand in place of its calls."""
    spliced: bool = False
    """Its own calls are in line already."""
    versions: bool = False
    """It writes to arrays whose older content is still read."""
    sweeps: bool = False
    """It runs forward, then backward."""
    backward: bool = False
    """It runs backward what another function has run forward."""
    kept: dict[Any, Any] = field(default_factory=dict)
    """Names of values that the other half has kept."""
    woven: set[Any] = field(default_factory=set)
    """Loops that run both sweeps."""
    stored: set[Any] = field(default_factory=set)
    """Values that are written into an array, a block at a time."""
    first: set[Any] = field(default_factory=set)
    """Sums that may be assignments: nothing was added before."""
    memory: Any = None
    """Which values may share memory, once writes are in place."""

    # -- sizes and arguments ----------------------------------------------------------------------

    same: dict[str, str] = field(default_factory=dict)
    """Names of sizes that are equal."""
    lengths: list[tuple[Any, Any]] = field(default_factory=list)
    """Sizes that have to be equal."""
    equal: list[tuple[Any, Any]] = field(default_factory=list)
    """Sizes that the text takes for equal."""
    unheld: list[tuple[Any, ...]] = field(default_factory=list)
    """Those of them that running it does not show."""
    reserved: Any = ()
    """Why a comparison with the function may not tell."""
    lenders: frozenset[int] = frozenset()
    """Parameters that may lend their dtype to an array that is written to."""

    def copy(self) -> Facts:
        return replace(self)

    def without_effects(self) -> Facts:
        """Nothing is written to, nothing shared: of a body that was checked to be so."""
        self.writes, self.unclear, self.gives, self.shows, self.rank0 = [], {}, [], [], []
        return self
