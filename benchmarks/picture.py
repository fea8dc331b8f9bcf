"""A picture of the ratios: one group of bars a problem, on a logarithmic scale, as SVG."""

from __future__ import annotations

import math
from collections.abc import Iterable
from html import escape
from typing import Any

__all__ = ["picture"]

# Colours that can be read on white and on black.
COLOURS = {
    "retrograd": "#2f81f7",
    "retrograd c": "#1f6feb",
    "retrograd numba": "#79a8e8",
    "hand-tuned": "#8b949e",
    "torch": "#db6d28",
    "torch.compile": "#b3541e",
    "jax.jit": "#3fa35a",
    "jax expert": "#2c7a43",
    "autograd": "#a371c7",
}
GREY = "#7d8590"
LEFT, RIGHT, TOP = 190, 60, 64
WIDTH, BAR, GAP = 900, 9, 10


def picture(results: dict[str, dict[str, Any]]) -> str:
    """Time over the hand-written adjoint's: bars to the left of 1 are faster, to the right slower."""
    groups = {name: group(result) for name, result in results.items()}
    shown = [c for c in COLOURS if any(c in bars for bars in groups.values())]
    scale = Scale(ratio for bars in groups.values() for ratio in bars.values())
    parts = []
    y = TOP
    for name, bars in groups.items():
        height = BAR * len(bars)
        parts.append(text(LEFT - 10, y + height / 2 + 4, name, "end"))
        for k, (contender, ratio) in enumerate(bars.items()):
            parts.append(bar(scale, y + k * BAR, contender, ratio))
        y += height + GAP
    body = "\n".join([*legend(shown), *axis(scale, y), *parts])
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y + 24}" '
        f'width="{WIDTH}" height="{y + 24}" font-family="system-ui, sans-serif" font-size="11">'
    )
    title = "<title>Time of value and gradient, over that of the hand-written adjoint</title>"
    return f"{head}\n{title}\n{body}\n</svg>\n"


def group(result: dict[str, Any]) -> dict[str, float]:
    """The bars of one problem."""
    median = result["median"]
    return {name: median[name] / median["hand-written"] for name in COLOURS if name in median}


class Scale:
    """From a ratio to a place, in whole powers of ten that hold everything.

    >>> scale = Scale([0.3, 2.0, 40.0])
    >>> list(scale.decades()), scale.x(0.1) == LEFT, scale.x(100.0) == WIDTH - RIGHT
    ([-1, 0, 1, 2], True, True)
    """

    def __init__(self, ratios: Iterable[float]) -> None:
        logs = [math.log10(ratio) for ratio in ratios] or [0.0]
        self.low = min(-1, math.floor(min(logs)))
        self.high = max(1, math.ceil(max(logs)))

    def decades(self) -> range:
        return range(self.low, self.high + 1)

    def x(self, ratio: float) -> float:
        share = (math.log10(ratio) - self.low) / (self.high - self.low)
        return LEFT + share * (WIDTH - LEFT - RIGHT)


def bar(scale: Scale, y: float, contender: str, ratio: float) -> str:
    """From 1 to the ratio, which stands at its end."""
    start, end = sorted((scale.x(1.0), scale.x(ratio)))
    width = max(end - start, 1.0)
    label = f"{ratio:.2g}" if ratio < 100 else f"{ratio:.0f}"
    place, anchor = (end + 3, "start") if ratio >= 1 else (start - 3, "end")
    return (
        f'<rect x="{start:.1f}" y="{y + 1:.1f}" width="{width:.1f}" height="{BAR - 1.5}" '
        f'fill="{COLOURS[contender]}"><title>{escape(contender)}: {label}</title></rect>'
        f'<text x="{place:.1f}" y="{y + BAR - 1:.1f}" font-size="8" fill="{GREY}" '
        f'text-anchor="{anchor}">{label}</text>'
    )


def text(x: float, y: float, words: str, anchor: str) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" fill="{GREY}" text-anchor="{anchor}">{escape(words)}</text>'
    )


def legend(shown: list[str]) -> list[str]:
    """What is drawn, and the colours."""
    parts = [text(10, 18, "time of value and gradient / hand-written NumPy adjoint", "start")]
    x = 10.0
    for name in shown:
        parts.append(f'<rect x="{x}" y="28" width="10" height="10" fill="{COLOURS[name]}"/>')
        parts.append(text(x + 14, 37, name, "start"))
        x += 30 + 6.5 * len(name)
    return parts


def axis(scale: Scale, bottom: float) -> list[str]:
    """A line at every power of ten, a strong one at 1."""
    parts = []
    for power in scale.decades():
        x = scale.x(10.0**power)
        strength = 'stroke-width="1.5"' if power == 0 else 'stroke-width="0.5" opacity="0.5"'
        parts.append(
            f'<line x1="{x:.1f}" y1="{TOP - 8}" x2="{x:.1f}" y2="{bottom:.1f}" '
            f'stroke="{GREY}" {strength}/>'
        )
        parts.append(text(x, bottom + 14, f"{10.0**power:g}", "middle"))
    return parts
