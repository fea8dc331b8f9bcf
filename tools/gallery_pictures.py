"""Pictures of the gallery: one look for all, for light and dark pages."""

from __future__ import annotations

import io
import re
from pathlib import Path
from types import ModuleType
from typing import Any

__all__ = ["draw"]

# Okabe and Ito's colours, which the colour-blind tell apart; on dark pages, lighter ones of the same hues.
LIGHT = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#f0e442", "#8c8c8c"]
DARK = ["#5ab4ee", "#ff9248", "#3fcfa3", "#e6a3c9", "#f3bd4a", "#8fd0f5", "#f5ec7a", "#9a9a9a"]
INK, PALE = "#24292f", "#dcdfe3"
DARK_INK, DARK_PALE = "#d5dae0", "#3a3f45"
STYLE = {
    "axes.edgecolor": INK,
    "axes.grid": False,
    "axes.labelcolor": INK,
    "axes.labelsize": 10,
    "axes.linewidth": 0.8,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlesize": 10,
    "axes.titlecolor": INK,
    "figure.constrained_layout.use": True,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "font.family": "sans-serif",
    "font.size": 9.5,
    "legend.frameon": False,
    "lines.linewidth": 1.8,
    "mathtext.fontset": "dejavusans",
    "savefig.facecolor": "none",
    "svg.fonttype": "path",
    "svg.hashsalt": "gallery",
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
}


def draw(entry: Any, module: ModuleType, path: Path) -> None:
    """Run a program and write its picture."""
    import matplotlib as mpl
    from cycler import cycler
    from matplotlib.figure import Figure

    style: Any = {**STYLE, "axes.prop_cycle": cycler(color=LIGHT)}
    with mpl.rc_context(style):
        figure = Figure(figsize=entry.size)
        module.draw(figure, module.solve())
        text = io.StringIO()
        figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None}, dpi=160)
    path.write_text(for_both(text.getvalue()), encoding="utf-8")


def for_both(svg: str) -> str:
    """The picture with colours that follow the scheme of the page, and numbers of three decimals."""
    pairs = dict(zip([*LIGHT, INK, PALE], [*DARK, DARK_INK, DARK_PALE], strict=True))
    rules = []
    for light, dark in pairs.items():
        if light in svg:
            name = f"c{light[1:]}"
            svg = re.sub(rf"(fill|stroke): {light}", rf"\1: var(--{name}, {light})", svg)
            rules.append(f"--{name}: {dark};")
    style = (
        "<style>@media (prefers-color-scheme: dark) { :root { " + " ".join(rules) + " } }</style>"
    )
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r"<!--.*?-->\s*", "", svg, flags=re.DOTALL)
    svg = re.sub(
        r"(?<!scale\()-?\d+\.\d{4,}",
        lambda found: f"{float(found[0]):.3f}".rstrip("0").rstrip("."),
        svg,
    )
    svg = re.sub(r"<\?xml.*?\?>\s*<!DOCTYPE.*?>\s*", "", svg, flags=re.DOTALL)
    return re.sub(r"(<svg[^>]*>)", rf"\1\n{style}", svg, count=1)
