"""A part of the table of protocols, another one for every construct: all of it is `python -m tests.fuzz.protocols`."""

from __future__ import annotations

import pytest

from .protocol_table import CONSTRUCTS
from .protocols import Case, judged

PAIRS = (
    ("dict", "made"),
    ("OrderedDict", "passed"),
    ("Returns", "made"),
    ("SizedYields", "attribute"),
    ("Indexed", "entry"),
    ("Everything", "passed"),
    ("Pair", "callee"),
    ("OwnIterList", "item"),
    ("OwnFloat", "global"),
    ("Unit", "default"),
    ("Lambdas", "closure"),
)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(PAIRS)))
def test_right_or_refused(number: int) -> None:
    kind, source = PAIRS[number]
    for construct in list(CONSTRUCTS)[number % 3 :: 3]:
        found = judged(Case(kind, source, construct))
        bad = {"wrong", "crashed"} & {found.compiled, found.taped}
        assert not bad, f"{kind}/{source}/{construct}: {found.compiled}, {found.taped}: {found.why}"
