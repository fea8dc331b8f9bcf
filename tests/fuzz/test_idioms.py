"""Idioms of other people's programs: each by itself, and some composed; ``python -m tests.fuzz.idioms`` runs many."""

from __future__ import annotations

import contextlib
import copy
import io

import pytest

import retrograd as rg

from .checks import loaded, quiet, unloaded
from .idioms.compose import Idiom, composed, idioms, of_idioms
from .idioms.judge import judged

REFUSED = {  # in words that name the construct, not by accident
    "reshape write": "cannot tell whether",
    "fancy rows": "cannot be unpacked",
    "star unpacking": "a starred target",
    "accumulate into a dict": "is not supported here",
    "set of names": "a set is not supported",
}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("idiom", idioms()[::3], ids=lambda i: i.name)
def test_an_idiom_is_right_or_refused(idiom: Idiom) -> None:
    """Right: the check at birth holds it against the function."""
    module = loaded(of_idioms([idiom]))
    try:
        with quiet(), contextlib.redirect_stdout(io.StringIO()):
            if idiom.name in REFUSED:
                with pytest.raises(rg.RetrogradError, match=REFUSED[idiom.name]):
                    rg.grad(module.main, module.WRT)(*copy.deepcopy(module.ARGS))
            else:
                rg.value_and_grad(module.main, module.WRT)(*copy.deepcopy(module.ARGS))
    finally:
        unloaded(module)


@pytest.mark.parametrize("seed", [1, 4])
def test_composed_programs(seed: int) -> None:
    assert judged(composed(seed), seed, ways=2).verdict != "failed"


def test_there_are_many_and_each_has_a_name_of_its_own() -> None:
    assert len({i.name for i in idioms()}) == len(idioms()) > 120
