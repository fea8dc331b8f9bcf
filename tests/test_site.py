"""The site: every page has its place and its links; where Sphinx is installed, it is built, strictly."""

from __future__ import annotations

import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tools.site.constructs import folded
from tools.site.nav import ELSEWHERE, GROUPS, groups
from tools.site.stage import DOCS, LINK, ROOT, pages, relinked, stage

FENCED = re.compile(r"^```.*?^```$|`[^`\n]+`", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def staged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("site") / "pages"
    stage(out)
    return out


def test_every_page_is_in_the_table_of_contents(staged: Path) -> None:
    names = {str(path.relative_to(staged).with_suffix("")) for path in staged.rglob("*.md")}
    listed = [name for own in groups(names).values() for name in own]
    inside = {name for name in names if name.startswith(("decisions/0", "gallery/"))}
    assert set(listed) | inside | {"index"} == names
    assert len(listed) == len(set(listed))


def test_the_table_of_contents_names_pages_that_there_are(staged: Path) -> None:
    for name in (name for own in GROUPS.values() for name in own):
        assert (staged / f"{name}.md").is_file(), name
    for path in ELSEWHERE:
        assert (ROOT / path).is_file(), path


def test_links_between_pages_lead_somewhere(staged: Path) -> None:
    lost = []
    for path in staged.rglob("*.md"):
        text = FENCED.sub("", path.read_text(encoding="utf-8"))
        for _, target, _ in LINK.findall(text):
            if target and not (path.parent / target).exists():
                lost.append(f"{path.relative_to(staged)}: {target}")
    assert lost == []


def test_links_get_the_places_of_pages() -> None:
    made = pages()
    text = "[a](docs/tutorial.md#less-memory) `[b](c)` [README](README.md) [x](https://cupy.dev) [f](Makefile)"
    assert relinked(text, ROOT / "CONTRIBUTING.md", made) == (
        "[a](tutorial.md#less-memory) `[b](c)` [README](index.md) [x](https://cupy.dev) f"
    )
    assert relinked("[all](README.md)", DOCS / "decisions" / "0001.md", made | {DOCS / "decisions" / "0001.md": "decisions/0001.md"}) == (
        "[all](index.md)"
    )  # fmt: skip


def test_no_construct_is_lost_when_they_are_folded() -> None:
    page = (DOCS / "supported_python.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| .* \| (supported|on the tape|refused: `\w+`) \|", page, re.MULTILINE)
    made = folded(page)
    assert made.count("<details ") == made.count("</details>") == len(rows) > 200
    assert made.count("```") == page.count("```")
    for state in ("supported", "on the tape", "refused"):
        assert made.count(f'data-state="{state}"') == sum(row.startswith(state) for row in rows)


class Fetched(HTMLParser):
    """What a page fetches when it is read: scripts, styles, pictures, frames."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag in ("script", "img", "iframe", "source", "object") and given.get("src"):
            self.found.append(str(given["src"]))
        if tag == "link" and given.get("rel") != "canonical" and given.get("href"):
            self.found.append(str(given["href"]))


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    for name in ("sphinx", "furo", "myst_parser", "sphinx_copybutton"):
        pytest.importorskip(name, reason="the site is built where its tools are installed")
    out = tmp_path_factory.mktemp("site") / "html"
    command = [sys.executable, "-m", "tools.site", str(out)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    return out


def test_the_site_is_built_without_warnings(built: Path) -> None:
    assert (built / "index.html").is_file()
    assert (built / "searchindex.js").stat().st_size > 100_000


def test_nothing_is_fetched_from_elsewhere(built: Path) -> None:
    for path in built.rglob("*.html"):
        page = Fetched()
        page.feed(path.read_text(encoding="utf-8"))
        for target in page.found:
            assert not re.match(r"\w+:|//", target) or target.startswith("data:"), (
                path.name,
                target,
            )
    for path in [*built.rglob("*.css"), *built.rglob("*.js")]:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"(url\(|@import |import\()\s*['\"]?https?:", text), path.name


def test_the_search_finds_what_stands_deep_in_a_page(built: Path) -> None:
    index = (built / "searchindex.js").read_text(encoding="utf-8")
    for word in ("nonloc", "cholesky", "brachistochron", "check_grad"):
        assert word in index, word
