"""Every document runs, and shows what running it gives: ``python -m tests.update_docs`` writes it anew."""

from __future__ import annotations

import difflib
import re
from pathlib import Path

import pytest

from .documents import DOCUMENTS, ROOT, refreshed
from .draw_house import PICTURES


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_document_is_what_running_it_gives(path: Path) -> None:
    now, then = refreshed(path), path.read_text(encoding="utf-8")
    difference = difflib.unified_diff(then.splitlines(), now.splitlines(), path.name, "run now")
    assert now == then, "\n".join(difference)


@pytest.mark.parametrize("name", PICTURES)
def test_pictures_are_fresh(name: str) -> None:
    """`make texts` draws them anew."""
    assert (ROOT / "docs" / name).read_text(encoding="utf-8") == PICTURES[name]()


PAGES = sorted(
    [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "benchmarks").glob("*.md")]
)
FOLDERS = (
    "cli",
    "compiler",
    "runtime",
    "retrograd",
    "tests",
    "examples",
    "benchmarks",
    "docs",
    "tools",
)
CODE = re.compile(r"`[^`\n]+`")  # it may look like a link: `table[name](x)`
LINK = re.compile(r"\]\((?!https?:)([^)#\s]+)(#[^)\s]*)?\)")


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(path: Path) -> None:
    prose = CODE.sub("code", path.read_text(encoding="utf-8"))
    targets = [target for target, _ in LINK.findall(prose)]
    assert [t for t in targets if not (path.parent / t).exists()] == []


SOURCES = [p for folder in FOLDERS for p in (ROOT / folder).rglob("*.py")]
FILE = re.compile(r"`((?:[\w-]+/)*[\w*-]+\.py)`")
ELSEWHERE = {"model.py", "FOLDER/MODULE/FUNCTION_DIGEST.py"}  # files of the reader's


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_files_that_are_named_are_there(path: Path) -> None:
    """A name is the end of a path in the repository; the changelog may name what has gone."""
    named = set(FILE.findall(path.read_text(encoding="utf-8"))) - ELSEWHERE
    if path.name != "CHANGELOG.md":
        assert [n for n in sorted(named) if not any(p.match(n) for p in SOURCES)] == []


PARTS = ["Question", "Decision", "Alternatives", "Consequences", "What would change our mind"]


def test_decisions_are_numbered_and_complete() -> None:
    notes = sorted((ROOT / "docs" / "decisions").glob("[0-9]*.md"))
    assert notes
    assert [path.name[:4] for path in notes] == [f"{k:04}" for k in range(1, len(notes) + 1)]
    for path in notes:
        text = path.read_text(encoding="utf-8")
        assert text.startswith(f"# {path.name[:4]}: "), path.name
        assert re.findall(r"^## (.*)$", text, re.MULTILINE) == PARTS, path.name
