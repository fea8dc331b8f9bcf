"""The smallest programs that once failed: each file of ``found/`` must pass what is asked of any program."""

from __future__ import annotations

from pathlib import Path

import pytest

from .run import judged

FOUND = sorted((Path(__file__).parent / "found").glob("*.py"))


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RETROGRAD_CACHE", str(tmp_path))


def test_there_are_programs() -> None:
    assert FOUND


@pytest.mark.sampled(5)
@pytest.mark.parametrize("path", FOUND, ids=lambda path: path.stem)
def test_program(path: Path) -> None:
    outcome = judged(path.read_text(encoding="utf-8"))
    assert outcome.verdict == "ok", f"{outcome.reason}\n{outcome.detail}"
