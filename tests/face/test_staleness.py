"""What a function depends on changes: its derivative does too, or refuses.  All cases: `python -m tests.sweeps.staleness`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.programs.changed_modules import CASES, Case
from tests.sweeps.staleness import FINE, WAYS, outcome

OTHERS = [way for way in WAYS if way not in ("held", "c", "numba")]
SAMPLE = [(case, "held" if k % 3 else OTHERS[k % len(OTHERS)]) for k, case in enumerate(CASES)]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("case", "way"), SAMPLE[::4], ids=[f"{case.name}, {way}" for case, way in SAMPLE[::4]]
)
def test_a_change_is_seen_or_refused(
    case: Case, way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    assert outcome(case, WAYS[way], tmp_path) in FINE


@pytest.mark.parametrize("way", ["held", "anew", "jvp", "tape"])
@pytest.mark.parametrize("name", ["m of an object made: setattr on the base", "m of an object global: code",
                                  "callee: code", "the function: code of a def", "default: defaults"])  # fmt: skip
def test_what_a_reloader_changes_is_seen(
    name: str, way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    (case,) = (case for case in CASES if case.name == name)
    assert outcome(case, WAYS[way], tmp_path) == "ok"
