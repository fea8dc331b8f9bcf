"""The order of the passes: a list of stages for each kind of function."""

from __future__ import annotations

from functools import partial

from ..ir.operations import Function, Loop, walk
from ..simplify.inline_helpers import inline
from .arrays.arrays_of_items import gather
from .arrays.cheaper_calls import respell
from .arrays.cut_fractions import check_fractions
from .arrays.drop_unit_axes import level
from .arrays.matrix_products import contract
from .arrays.rank0_arrays import retype_rank0
from .arrays.regroup_sums import regroup
from .arrays.rows_of_lists import check_lists
from .arrays.triangular_solves import triangular
from .in_place.accumulate_in_place import accumulate
from .in_place.cleared_parts import unclear
from .in_place.elide_copies import uncopied
from .in_place.first_write_assigns import first_writes
from .in_place.item_writes import items_in_place
from .in_place.reuse_buffers import reuse
from .in_place.unbound_paths import bind
from .in_place.writes_in_place import place
from .loops.cache_blocks import in_blocks
from .loops.collect_items import collect
from .loops.fuse_sweeps import weave
from .loops.iterate_sequences import iterate
from .loops.means_as_sums import apart
from .loops.shrink_tapes import lighten
from .manager import Pass, stage
from .redundancy.common_subexpressions import share
from .redundancy.dead_code import eliminate
from .redundancy.loop_invariants import hoist
from .redundancy.merge_branches import merge
from .redundancy.polish import polish
from .redundancy.shapes_of_others import share_shapes
from .redundancy.simplify_again import fold
from .redundancy.sink_operations import sink
from .redundancy.split_branch_chains import cut_chains
from .redundancy.tuple_unpacking import unpack
from .redundancy.unify_dimensions import unify

__all__ = ["CALLEES", "DERIVED", "FINAL", "INNER", "LOWERED", "MAIN"]


def has_loops(function: Function) -> bool:
    return any(isinstance(op, Loop) for op in walk(function.body))


TIDY = (polish, merge, polish, fold, polish)

LOWERED = (
    stage("cut chains", cut_chains, retype_rank0, check_lists, check_fractions),
)  # every function
MAIN = (  # the one that is differentiated
    stage("unify", unify),
    stage("inline", inline),
    stage("share and hoist", share, hoist),
)
CALLEES = (stage("share and hoist", share, hoist),)
DERIVED = (stage("tidying", *TIDY),)
INNER = (stage("simplification", fold),)  # what a derived function calls
FINAL = (  # before the text
    stage("one loop for both sweeps", weave, *TIDY, needs=has_loops),
    stage("lighter tapes", lighten, eliminate, hoist, needs=has_loops),
    stage("shapes", share_shapes, eliminate),
    stage("contraction", regroup, level, contract, fold, polish),
    stage(
        "respelling",
        unclear,
        uncopied,
        triangular,
        respell,
        gather,
        polish,
        share_shapes,
        eliminate,
    ),
    stage("lists", collect, lighten, eliminate, needs=has_loops),
    stage("sink, iterate and unpack", sink, iterate, eliminate, unpack),
    stage("blocks", Pass(apart, levels=(2,)), Pass(in_blocks, levels=(2,))),
    stage(
        "reuse, first writes, place and bind",
        Pass(partial(reuse, rank=3), levels=(1,)),
        Pass(partial(reuse, rank=1), levels=(2,)),
        accumulate,
        first_writes,
        items_in_place,
        place,
        bind,
        placed=True,
    ),
)
