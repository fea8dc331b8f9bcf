"""Names and parts of objects that are others later: held derivatives and new ones see it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.programs.changed_lookups import LOOKUPS
from tests.programs.changed_modules import Case
from tests.sweeps.staleness import FINE, WAYS, outcome

pytestmark = [pytest.mark.usefixtures("unchecked"), pytest.mark.filterwarnings("ignore")]
CHOSEN = ("held", "anew", "decorated", "jvp", "c")
SAMPLE = [(case, CHOSEN[k % len(CHOSEN)]) for k, case in enumerate(LOOKUPS)]
SAMPLE += [(case, "decorated") for case in LOOKUPS if "tape" in case.name]


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("case", "way"), SAMPLE, ids=[f"{case.name}, {way}" for case, way in SAMPLE]
)
def test_what_stands_there_now_is_seen(
    case: Case, way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    assert outcome(case, WAYS[way], tmp_path) in FINE
