"""The pictures and tables of docs/architecture.md: ``python -m tests.draw_house`` writes the pictures.

`house.svg` is drawn from the law of imports in `tests.house`, `way.svg` from the list `WAY`; every line about
a package is the first of its docstring.
"""

from __future__ import annotations

import ast
import textwrap
from collections import defaultdict
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from xml.sax.saxutils import escape

from .house import LAW, ROOT, below, files

__all__ = ["PICTURES", "about", "house", "main", "tables", "way"]

WAY = (  # what happens to a function, and where
    ("decorator", "retrograd/transforms"),
    ("specialise", "retrograd/transforms/specialise"),
    ("read", "compiler/frontend"),
    ("lower", "compiler/lowering"),
    ("simplify", "compiler/simplify"),
    ("differentiate", "compiler/differentiate"),
    ("optimise", "compiler/passes"),
    ("emit", "compiler/emit"),
    ("cache", "compiler/cache"),
    ("text, running", "runtime/helpers"),
)
BESIDE = {  # other ways, by the step they leave or join
    "decorator": ("eager tensors instead of a text", "runtime/eager"),
    "lower": ("calls that cannot be compiled", "runtime/tape"),
    "cache": ('backend="c" or "numba"', "compiler/native"),
}
STYLE = """
  text { font: 12px system-ui, sans-serif; fill: #57606a }
  .name { font-weight: 600; fill: #1f2328 }
  rect { fill: #f6f8fa; stroke: #8b949e }
  path { fill: none; stroke: #8b949e }
  .beside { stroke-dasharray: 4 3 }
  @media (prefers-color-scheme: dark) {
    text { fill: #9ea7b3 }
    .name { fill: #f0f6fc }
    rect { fill: #161b22; stroke: #6e7681 }
    path { stroke: #6e7681 }
  }
"""
WIDTH, HEIGHT, LINE, LETTERS = 300, 78, 16, 42  # of a box; of a line of text, letters in one
GAP, NARROW = 22, 14  # between boxes; the width of an arrow that passes a floor
FLOOR = HEIGHT + 42


def about(package: str) -> str:
    """The first line of a package's docstring."""
    text = (ROOT / package / "__init__.py").read_text(encoding="utf-8")
    return (ast.get_docstring(ast.parse(text)) or "").partition("\n")[0].replace("``", "`")


def name_of(package: str) -> str:
    return {"retrograd": "retrograd (the face)", "compiler": "compiler (the pipeline)"}.get(
        package, package
    )


# -- the house: one floor above another, nothing imports upwards ------------------------------------


def floor_of(package: str) -> int:
    """Packages stand above all that they may import."""
    return 1 + max(map(floor_of, LAW[package]), default=-1)


def needed(package: str) -> list[str]:
    """What a package may import, without what it reaches through another."""
    direct = LAW[package]
    return [
        one for one in direct if not any(one in below(other) for other in direct if other != one)
    ]


@dataclass(eq=False)
class Room:
    """A box on a floor, or the place where an arrow passes one (no package)."""

    package: str
    x: float = 0.0

    @property
    def width(self) -> int:
        return WIDTH if self.package else NARROW


Floors = dict[int, list[Room]]
Arrows = list[tuple[Room, Room]]  # from a floor to the one below


def plan() -> tuple[Floors, Arrows, list[list[Room]]]:
    """The rooms on their floors, and every arrow as the rooms it leads through."""
    floors: Floors = defaultdict(list)
    rooms = {package: Room(package) for package in LAW}
    for package, room in rooms.items():
        floors[floor_of(package)].append(room)
    ways = []
    for package in LAW:
        for other in needed(package):
            passed = [Room("") for _ in range(floor_of(other) + 1, floor_of(package))]
            for floor, room in zip(range(floor_of(package) - 1, 0, -1), passed, strict=False):
                floors[floor].append(room)
            ways.append([rooms[package], *passed, rooms[other]])
    arrows = [pair for way in ways for pair in pairwise(way)]
    arrange(floors, arrows)
    return floors, arrows, ways


def arrange(floors: Floors, arrows: Arrows) -> None:
    """Order the rooms of each floor by the middle of those they are joined to; then place them."""
    for sweep in range(24):
        for floor in sorted(floors, reverse=sweep % 2 == 0):
            place(floors[floor])
            joined = {room: neighbours(room, arrows) for room in floors[floor]}
            middle = {r: sum(o.x for o in j) / len(j) if j else r.x for r, j in joined.items()}
            floors[floor].sort(key=lambda room: middle[room])
            place(floors[floor])


def neighbours(room: Room, arrows: Arrows) -> list[Room]:
    return [a if b is room else b for a, b in arrows if room in (a, b)]


def place(floor: list[Room]) -> None:
    """Rooms side by side, the floor centred at 0."""
    whole = sum(room.width + GAP for room in floor) - GAP
    x = -whole / 2
    for room in floor:
        room.x = x + room.width / 2
        x += room.width + GAP


def house() -> str:
    """The picture of the packages, from the face down to the runtime."""
    floors, _, ways = plan()
    top = max(floors)
    left = min(room.x - room.width / 2 for floor in floors.values() for room in floor) - 10
    right = max(room.x + room.width / 2 for floor in floors.values() for room in floor) + 10

    def at(room: Room) -> tuple[float, float]:
        floor = next(k for k, rooms in floors.items() if room in rooms)
        return room.x - left, 10 + (top - floor) * FLOOR

    drawn = [arrow([at(room) for room in way]) for way in ways]
    for rooms in floors.values():
        drawn += [box(*at(r), name_of(r.package), about(r.package)) for r in rooms if r.package]
    return picture(
        right - left, top * FLOOR + HEIGHT + 20, "Packages and what each may import", drawn
    )


# -- the way of a function -----------------------------------------------------------------------------


def way() -> str:
    """The picture of the steps from a function to its derivative, and of the ways beside."""
    step, x, drawn = HEIGHT + 24, 10 + WIDTH / 2, []
    beside = x + WIDTH + 90
    for k, (title, package) in enumerate(WAY):
        y = 10 + k * step
        if k:
            drawn.append(line(x, y - step + HEIGHT, x, y))
        drawn.append(box(x, y, f"{k + 1}. {title}", about(package), package))
        if title in BESIDE:
            why, other = BESIDE[title]
            drawn.append(
                line(x + WIDTH / 2, y + HEIGHT / 2, beside - WIDTH / 2, y + HEIGHT / 2, "beside")
            )
            drawn.append(box(beside, y, why, about(other), other, "beside"))
    height = 10 + len(WAY) * step
    return picture(beside + WIDTH / 2 + 10, height, "From a function to its derivative", drawn)


# -- drawing -------------------------------------------------------------------------------------------


def picture(width: float, height: float, title: str, drawn: list[str]) -> str:
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
            f'width="{width:.0f}" height="{height:.0f}">',
            f"<title>{title}</title>",
            '<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" '
            'markerHeight="8" orient="auto"><path d="M0 0 L8 4 L0 8"/></marker></defs>',
            f"<style>{STYLE}</style>",
            *drawn,
            "</svg>\n",
        ]
    )


def box(x: float, y: float, title: str, text: str, small: str = "", kind: str = "") -> str:
    """A box whose top is centred at (x, y): a title and a few lines."""
    lines = textwrap.wrap(text.replace("`", ""), LETTERS)
    lines = [small, *lines] if small else lines
    assert len(lines) <= 3, f"the first line about {title} is too long for a picture: {text}"
    left = x - WIDTH / 2
    drawn = [
        f'<rect class="{kind}" x="{left:.1f}" y="{y:.1f}" width="{WIDTH}" height="{HEIGHT}" rx="6"/>'
    ]
    drawn.append(f'<text class="name" x="{left + 10:.1f}" y="{y + 18:.1f}">{escape(title)}</text>')
    for k, words in enumerate(lines):
        drawn.append(
            f'<text x="{left + 10:.1f}" y="{y + 18 + LINE * (k + 1):.1f}">{escape(words)}</text>'
        )
    return "\n".join(drawn)


def arrow(points: list[tuple[float, float]]) -> str:
    """A curve from the bottom of the first box to the top of the last, past the floors between."""
    x, y = points[0][0], points[0][1] + HEIGHT
    path = f"M{x:.1f} {y:.1f}"
    for k, (to_x, to_y) in enumerate(points[1:], 1):
        bend = (to_y - y) / 2
        path += f" C{x:.1f} {y + bend:.1f} {to_x:.1f} {to_y - bend:.1f} {to_x:.1f} {to_y:.1f}"
        x, y = to_x, to_y
        if k < len(points) - 1:
            y = to_y + HEIGHT
            path += f" L{x:.1f} {y:.1f}"
    return f'<path d="{path}" marker-end="url(#tip)"/>'


def line(x1: float, y1: float, x2: float, y2: float, kind: str = "") -> str:
    return (
        f'<path class="{kind}" d="M{x1:.1f} {y1:.1f} L{x2:.1f} {y2:.1f}" marker-end="url(#tip)"/>'
    )


# -- tables --------------------------------------------------------------------------------------------

HEADINGS = {
    "retrograd": "The face: `retrograd/`",
    "compiler": "The compiler: `compiler/`",
    "runtime": "The runtime: `runtime/`",
    "cli": "The command line: `cli/`",
}


def tables() -> str:
    """One line for each package, part by part."""
    folders = sorted({str(Path(file).parent) for file in files()})
    parts = []
    for part, heading in HEADINGS.items():
        rows = ["| package | what it is |", "|---|---|"]
        for folder in folders:
            if folder == part or folder.startswith(f"{part}/"):
                rows.append(f"| `{folder}` | {about(folder)} |")
        parts += [f"### {heading}", "\n".join(rows)]
    return "\n\n".join(parts)


PICTURES = {"house.svg": house, "way.svg": way}


def main() -> None:
    for name, draw in PICTURES.items():
        path, text = ROOT / "docs" / name, draw()
        same = path.exists() and path.read_text(encoding="utf-8") == text
        path.write_text(text, encoding="utf-8")
        print(f"docs/{name} {'is up to date' if same else 'written'}")


if __name__ == "__main__":
    main()
