"""The golden programs in C, for sizes that are arguments and for fixed ones; which ones C does not take, and why."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from retrograd.compiler.native.refusal import Unsupported
from tests.golden_case import Case, cases

from .derivatives import Pair, fixed, pair
from .programs import MAKERS

pytestmark = pytest.mark.skipif(not MAKERS, reason="no C compiler")

CASES = {case.name: case for case in cases()}
OBJECT = "an object, which C does not have"
COMPUTED = "an array whose size is computed on the way"
REFUSED = {
    "any_number_of_terms": "starred parameters",
    "calls_that_stay": "the attribute `getfloat`",
    "comprehensions": "a list among arrays", "damped_newton": "is not bound before the loop",
    "formatted_progress": "the name `print`", "gauss_newton": "np.linalg.lstsq", "implicit_layer": "rt.root",
    "curvature_of_examples": "rt.unstack_like of this",
    "jitter_fallback": "the statement try", "k_means_step": "a mask as an index", "kept_statements": "the name `print`",
    "lstm_class": OBJECT, "masked_attention": COMPUTED, "one_layer_of_many": OBJECT, "pairwise_sums": "np.flatnonzero",
    "ray_tracing": "a list of items of different kinds", "recursion": "calls itself",
    "rk45_adaptive": "a name that is a number here and an array there", "shortest_path": "a container among arrays",
    "snapshots": "rt.snapshots", "snapshots_while": "rt.snapshots", "soft_alignment": "rt.unpick",
    "softmax_by_loops": COMPUTED, "split_step": "such a Fourier transform", "stateful_object": OBJECT,
    "try_cholesky": "the statement try",
}  # fmt: skip
REFUSED_OF_ANY_SIZE = {
    "lstm": "a list of arrays whose sizes change", "lu_with_pivoting": "a list of lists of several lengths",
    "triangular_solve": "a list of arrays whose sizes change", "viterbi": "a list of lists of several lengths",
}  # fmt: skip


def types_of(case: Case, known: bool) -> dict[str, Any]:
    args = case.arguments()
    types = case.chain.types(args)
    return (
        {n: fixed(kind, a) for (n, kind), a in zip(types.items(), args, strict=True)}
        if known
        else types
    )


@pytest.mark.sampled(5)
@pytest.mark.parametrize("known", [True, False], ids=["fixed", "sizes"])
@pytest.mark.parametrize("name", CASES)
def test_c_gives_what_python_gives(name: str, known: bool, tmp_path: Path) -> None:
    case = CASES[name]
    expected = REFUSED.get(name) or (None if known else REFUSED_OF_ANY_SIZE.get(name))
    types = types_of(case, known)
    if expected is not None:
        with pytest.raises(Unsupported, match=re.escape(expected)):
            made_for(case, types)
        return
    made = made_for(case, types)
    arguments = case.arguments()
    if case.kind == "jvp":
        arguments = [*arguments, *(place.of(case.arguments()) for place in case.wrt)]
    made.check(tmp_path, arguments, MAKERS[len(name) % len(MAKERS)])


def made_for(case: Case, types: dict[str, Any]) -> Pair:
    return pair(case.chain, case.kind, case.wrt, len(case.wrt) == 1, types, case.name)


def test_most_are_taken() -> None:
    """What decision 0065 and docs/c.md say."""
    taken = [len(CASES) - len(REFUSED), len(CASES) - len(REFUSED) - len(REFUSED_OF_ANY_SIZE)]
    texts = [Path("docs/c.md"), *Path("docs/decisions").glob("0065*")]
    for text in texts:
        assert (
            f"{taken[0]} of {len(CASES)}" in text.read_text() and f"{taken[1]} " in text.read_text()
        )
