"""What a notebook shows: a page in a frame, a text with its colours, a derivative with its text."""

from __future__ import annotations

import html

__all__ = ["framed"]

HEIGHT = 720


def framed(page: str) -> str:
    """A page inside another: its style, its script and its keys stay its own."""
    return (
        f'<iframe srcdoc="{html.escape(page)}" sandbox="allow-scripts" title="retrograd: a derivative explained" '
        f'style="width:100%;height:{HEIGHT}px;border:1px solid #8884;border-radius:6px" loading="lazy"></iframe>'
    )
