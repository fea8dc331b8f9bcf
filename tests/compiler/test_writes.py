"""Programs that write to arrays: their derivatives, their values, and what they leave behind."""

from __future__ import annotations

import pytest

from tests.fuzz.checks import check_function
from tests.programs.array_writes import PROGRAMS, algorithms, aliases, choices, flow
from tests.programs.array_writes.refusals import REFUSED

assert algorithms
assert aliases
assert choices
assert flow


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RETROGRAD_CACHE", str(tmp_path_factory.getbasetemp() / "writes"))


@pytest.mark.sampled(5)
@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str) -> None:
    fn, args = PROGRAMS[name]
    outcome = check_function(fn, args)
    assert outcome.verdict == "ok", f"{outcome.verdict}: {outcome.reason}\n{outcome.detail}"


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    fn, args, reason = REFUSED[name]
    outcome = check_function(fn, args)
    assert outcome.verdict == "refused", f"{outcome.verdict}: {outcome.reason}\n{outcome.detail}"
    assert reason in outcome.detail
    assert "what to do" in outcome.detail
