"""The Markdown of the repository, copied into one folder as the pages of the site.

The files stay as a code host shows them.  Here they get their places on the site, links that lead to those
places, and what only the site has: tables of contents, and constructs that can be folded and filtered.
"""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

from .constructs import folded
from .nav import ELSEWHERE, SHORT, groups

__all__ = ["pages", "stage"]

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
EMITTED = re.compile(r'^```text(\n"""Derivative of )', re.MULTILINE)
CODE = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)")
LINK = re.compile(r"(?<!\!)\[([^\]\[]*(?:\[[^\]]*\][^\]\[]*)*)\]\((?!\w+:)([^)#\s]*)(#[^)\s]*)?\)")
TREE = "```{{toctree}}\n:caption: {caption}\n:hidden:\n:titlesonly:\n:maxdepth: 1\n\n{names}\n```\n"
INNER = "```{{toctree}}\n:hidden:\n:titlesonly:\n\n{names}\n```\n"


def pages() -> dict[Path, str]:
    """Every file that is a page, and its path on the site."""
    own = {
        path: str(path.relative_to(DOCS))
        for path in sorted(DOCS.rglob("*.md"))
        if path != DOCS / "decisions" / "README.md"
    }
    others = {ROOT / name: place for name, place in ELSEWHERE.items() if name != "README.md"}
    return own | {path: place for path, place in others.items() if path.exists()}


def stage(out: Path) -> None:
    """Write the pages and the pictures into a folder."""
    made = pages()
    for path, place in made.items():
        target = out / place
        target.parent.mkdir(parents=True, exist_ok=True)
        text = relinked(path.read_text(encoding="utf-8"), path, made)
        text = EMITTED.sub(r"```py\1", text)
        target.write_text(shaped(place, text, made), encoding="utf-8")
    for picture in [*DOCS.rglob("*.svg"), *DOCS.rglob("*.png")]:
        target = out / picture.relative_to(DOCS)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(picture, target)
    notes = out / "decisions" / "index.md"
    notes.write_text(decisions(made), encoding="utf-8")


def shaped(place: str, text: str, made: dict[Path, str]) -> str:
    """A page with what only the site has."""
    if place == "supported_python.md":
        return folded(text)
    if place == "index.md":
        there = [name.removesuffix(".md") for name in made.values()]
        return text + "\n" + trees([*there, "decisions/index"])
    if place == "gallery/index.md":
        names = dict.fromkeys(name for _, name, _ in LINK.findall(text) if name.endswith(".md"))
        return text + "\n" + INNER.format(names="\n".join(n.removesuffix(".md") for n in names))
    return text


def trees(names: list[str]) -> str:
    made = groups(names)
    return "\n".join(
        TREE.format(caption=title, names="\n".join(map(listed, own)))
        for title, own in made.items()
        if own
    )


def listed(name: str) -> str:
    return f"{SHORT[name]} <{name}>" if name in SHORT else name


def decisions(made: dict[Path, str]) -> str:
    """The list of decisions, which the repository has as a folder."""
    notes = sorted(path for path in made if path.parent.name == "decisions")
    lines = [f"* [{title(path)}]({path.name})" for path in notes]
    about = "What was chosen, what else was possible, and what would change our mind."
    tree = INNER.format(names="\n".join(path.stem for path in notes))
    return "\n\n".join(["# Decisions", about, "\n".join(lines), tree])


def title(path: Path) -> str:
    return path.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ")


def relinked(text: str, path: Path, made: dict[Path, str]) -> str:
    """The text with its links to files turned into links between pages; code is left alone."""
    kept: list[str] = []

    def keep(found: re.Match[str]) -> str:
        kept.append(found[0])
        return f"\0{len(kept) - 1}\0"

    hidden = CODE.sub(keep, FENCE.sub(keep, text))
    moved = LINK.sub(lambda found: link(found, path, made), hidden)
    while "\0" in moved:
        moved = re.sub(r"\0(\d+)\0", lambda found: kept[int(found[1])], moved)
    return moved


def link(found: re.Match[str], path: Path, made: dict[Path, str]) -> str:
    """A link as the site has it; one to a file that is no page is its words alone."""
    words, target, anchor = found[1], found[2], found[3] or ""
    if not target:
        return found[0]
    goal = (path.parent / target).resolve()
    place = made.get(goal) or outside(goal)
    if place is None:
        return words
    anchor = "" if goal == ROOT / "README.md" else anchor
    return f"[{words}]({os.path.relpath(place, Path(made[path]).parent)}{anchor})"


def outside(goal: Path) -> str | None:
    if goal in (DOCS / "decisions", DOCS / "decisions" / "README.md"):
        return "decisions/index.md"
    if goal.is_relative_to(ROOT) and str(goal.relative_to(ROOT)) in ELSEWHERE:
        return ELSEWHERE[str(goal.relative_to(ROOT))]
    is_picture = goal.suffix in (".svg", ".png") and goal.is_relative_to(DOCS)
    return str(goal.relative_to(DOCS)) if is_picture else None
