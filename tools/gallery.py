"""The gallery: eighteen programs of ``examples/gallery``, each with a page and a picture made by its code.

``python -m tools.gallery [NAME ...]`` runs them, draws the pictures (with matplotlib) and writes the pages;
``--times`` measures anew what the pages say about time.  `tests/test_gallery.py` runs the programs and compares the pages.
"""

from __future__ import annotations

import argparse
import ast
import importlib.util
import json
import re
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

__all__ = ["ENTRIES", "PAGES", "Entry", "index", "loaded", "page"]

ROOT = Path(__file__).resolve().parent.parent
PROGRAMS = ROOT / "examples" / "gallery"
PAGES = ROOT / "docs" / "gallery"
TIMES = PAGES / "times.json"
LONGEST = 48  # lines of a gradient that are shown
CHECKER = "# mypy: allow-untyped-defs, allow-untyped-calls\n\n"


@dataclass(frozen=True)
class Entry:
    """A program, the function whose derivative its page shows, and the types that it shows it for."""

    name: str
    group: str
    function: str
    sig: str
    size: tuple[float, float] = (6.4, 3.6)  # of the picture, in inches
    needs: str = ""  # a package beside NumPy and SciPy


ENTRIES = [
    Entry("curve_fit", "Fits", "residuals", "p: f8[4], t: f8[n], y: f8[n]"),
    Entry(
        "robust_regression",
        "Fits",
        "loss",
        "p: {'coef': f8[d], 'intercept': float, 'log_width': float}, x: f8[n, d], y: f8[n], tails: float, ridge: float",
        needs="sklearn",
    ),
    Entry("exoplanet", "Fits", "velocity", "p: f8[6], t: f8[n]"),
    Entry("gaussian_process_fit", "Fits", "cost", "theta: f8[3], x: f8[n], y: f8[n]"),
    Entry("kalman_filter", "Fits", "cost", "theta: f8[2], ys: f8[n]"),
    Entry(
        "hamiltonian_monte_carlo",
        "Samplers",
        "energy",
        "w: f8[d], x: f8[n, d], y: f8[n]",
        (6.8, 3.4),
    ),
    Entry(
        "no_u_turn",
        "Samplers",
        "log_density",
        "q: f8[n], effects: f8[m], errors: f8[m]",
        (6.8, 3.4),
    ),
    Entry(
        "variational_flow", "Samplers", "divergence", "flat: f8[20], noise: f8[n, 2]", (6.8, 3.4)
    ),
    Entry(
        "predator_prey",
        "Simulators",
        "misfit",
        "log_p: f8[4], u: f8[2], seen: f8[m, 2], every: int",
    ),
    Entry(
        "heat_inverse",
        "Simulators",
        "misfit",
        "log_k: f8[60], u0: f8[61], measured: f8[m, 12], steps: int",
        (6.8, 3.4),
    ),
    Entry("figure_eight", "Simulators", "gap", "p: f8[3], steps: int", (6.4, 4.6)),
    Entry("sparse_newton", "Simulators", "residual", "u: f8[n, n], c: float", (7.2, 2.6)),
    Entry("pendulum_swing_up", "Control and design", "cost", "z: f8[n]", (6.4, 4.4)),
    Entry(
        "brachistochrone", "Control and design", "duration", "inner: f8[m], x: f8[n]", (6.4, 3.0)
    ),
    Entry("lens_design", "Control and design", "blur", "p: f8[4], height: f8[n]", (6.4, 4.6)),
    Entry(
        "deblurring",
        "Images",
        "cost",
        "u: f8[n, n], seen: f8[n, n], response: f8[n, m]",
        (7.2, 2.7),
    ),
    Entry(
        "phase_retrieval",
        "Images",
        "misfit",
        "z: c16[n, n], masks: c16[k, n, n], magnitudes: f8[k, n, n]",
        (7.2, 2.7),
    ),
    Entry(
        "spirals",
        "Networks",
        "loss",
        "layers: [(f8[2, h], f8[h]), (f8[h, h], f8[h]), (f8[h, 1], f8[1])], x: f8[n, 2], y: f8[n]",
        (6.8, 3.4),
    ),
]


@cache
def loaded(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, PROGRAMS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def told(name: str) -> tuple[str, str]:
    """The title of a program and what its docstring says below it."""
    text = (PROGRAMS / f"{name}.py").read_text(encoding="utf-8")
    title, _, about = str(ast.get_docstring(ast.parse(text), clean=False)).partition("\n")
    return title.strip(), about.strip()


def program(name: str) -> str:
    """The text of a program, without what stands elsewhere on its page."""
    text = (PROGRAMS / f"{name}.py").read_text(encoding="utf-8")
    return text.split('"""\n', 1)[1].removeprefix(CHECKER).strip()


def gradient(entry: Entry) -> str:
    """The emitted text, without its header; of a long one, the beginning."""
    import retrograd as rg

    function = getattr(loaded(entry.name), entry.function)
    kind = "vjp" if entry.function in ("residuals", "velocity", "residual") else "grad"
    text = rg.differentiate(function).source(kind, sig=entry.sig)
    body = re.sub(r'\A""".*?"""\n', "", text, flags=re.DOTALL).strip()
    body = re.sub(r"\A(?:import .*\n|from .*\n)+\n+", "", body)
    lines = body.splitlines()
    if len(lines) <= LONGEST:
        return body
    return "\n".join([*lines[:LONGEST], f"# ... {len(lines) - LONGEST} more lines"])


def page(entry: Entry) -> str:
    """The page of a program, as Markdown."""
    title, about = told(entry.name)
    times = json.loads(TIMES.read_text(encoding="utf-8")) if TIMES.exists() else {}
    spent = f"\n\n{duration(times[entry.name], times['machine'])}" if entry.name in times else ""
    return f"""\
# {title}

{about}

![{title}]({entry.name}.svg)

## The program

`examples/gallery/{entry.name}.py`, whole:

```python
{program(entry.name)}
```

## The derivative

What retrograd writes for `{entry.function}`, for arguments `{entry.sig}`:

```py
{gradient(entry)}
```{spent}
"""


def duration(one: dict[str, Any], machine: str) -> str:
    """What the page says about time."""
    ratio = one["gradient"] / one["function"]
    return (
        f"## Time\n\n`{one['measured']}`: {in_units(one['gradient'])} for the derivative, "
        f"{ratio:.2g} times what the function alone takes. The whole program takes "
        f"{one['whole']:.1f} s of processor time, {one['first']:.1f} s the first time, when it compiles. (`python -m tools.gallery --times`, on {machine}.)"
    )


def in_units(seconds: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def index() -> str:
    """The page of pictures."""
    about = (
        "Eighteen problems, each a short program in `examples/gallery` that runs in the tests: "
        "what it is, the picture that its code draws, and the derivative that retrograd writes for it. "
        "They need NumPy, and SciPy or scikit-learn where a scientist would use it."
    )
    parts = ["# Gallery", about]
    for group in dict.fromkeys(entry.group for entry in ENTRIES):
        names = [entry.name for entry in ENTRIES if entry.group == group]
        cells = [f"[![]({name}.svg)]({name}.md) [{told(name)[0]}]({name}.md)" for name in names]
        rows = [cells[k : k + 2] for k in range(0, len(cells), 2)]
        rows = [row + [""] * (2 - len(row)) for row in rows]
        table = ["| | |", "|---|---|", *(f"| {' | '.join(row)} |" for row in rows)]
        parts += [f"## {group}", "\n".join(table)]
    return "\n\n".join(parts) + "\n"


def main() -> None:
    from . import gallery_pictures, gallery_times

    parser = argparse.ArgumentParser(prog="python -m tools.gallery", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="programs (all)")
    parser.add_argument("--times", action="store_true", help="measure the times anew")
    parser.add_argument("--pages", action="store_true", help="write the pages alone")
    asked = parser.parse_args()
    chosen = [entry for entry in ENTRIES if entry.name in asked.names or not asked.names]
    PAGES.mkdir(exist_ok=True)
    for entry in chosen:
        if asked.times:
            gallery_times.measure(entry, TIMES)
        elif not asked.pages:
            gallery_pictures.draw(entry, loaded(entry.name), PAGES / f"{entry.name}.svg")
        (PAGES / f"{entry.name}.md").write_text(page(entry), encoding="utf-8")
        print(entry.name, file=sys.stderr)
    (PAGES / "index.md").write_text(index(), encoding="utf-8")


if __name__ == "__main__":
    main()
