"""The page of an explanation, in a browser: what hovering, clicks and keys do, and that nothing is fetched."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from retrograd.transforms.explain.page import style

from . import programs
from .chromium import BROWSER, Browser, browser

pytestmark = pytest.mark.skipif(BROWSER is None, reason="no Chromium to load pages with")


@pytest.fixture(scope="module")
def shared() -> Iterator[Browser]:
    with browser() as found:
        found.size(1400, 1000)
        yield found


@pytest.fixture
def page(shared: Browser, tmp_path: Path) -> Any:
    """Opens a program's page."""

    def open_page(program: Any, **options: Any) -> Browser:
        path = tmp_path / "page.html"
        args = options.pop("args", ())
        path.write_text(program.explain(*args).html(**options), encoding="utf-8")
        shared.requests.clear()
        shared.problems.clear()
        shared.open(path)
        return shared

    return open_page


def lines(b: Browser, selector: str) -> list[str]:
    script = f"[...document.querySelectorAll({selector!r})].map(s => s.querySelector('.src').textContent.trim())"
    found: list[str] = b.run(script)
    return [re.sub(r"\s+(#.*|kept)$", "", line).removesuffix("kept").strip() for line in found]


def statement(b: Browser, text: str, pane: str = "primal") -> str:
    """A selector of the statement that begins so."""
    key = b.run(
        f"[...document.querySelectorAll('.{pane} .st')].find(s => s.querySelector('.src').textContent.trim()"
        f".startsWith({text!r})).dataset.key"
    )
    return f"[data-key='{key}']"


def test_nothing_is_fetched_and_nothing_goes_wrong(page: Any) -> None:
    for program in (programs.decay, programs.hostile, programs.several, programs.refused):
        b = page(program)
        assert len(b.requests) == 1
        assert b.requests[0].startswith("file:")
        assert b.problems == []
    assert "http" not in re.sub(r"http-equiv", "", style())


def test_hovering_a_line_lights_what_computes_it_and_its_derivative(page: Any) -> None:
    b = page(programs.decay)
    b.hover(statement(b, "h = 0.9 * h"))
    lit = lines(b, ".derivative .st.lit")
    adjoint = lines(b, ".derivative .st.lit.adj")
    assert any("np.tanh(" in line for line in lit)
    assert any(line.startswith("w_bar") for line in adjoint)
    assert not any("np.tanh(" in line for line in adjoint)
    assert not any(line.startswith("r_bar") for line in lit)
    assert "derivative in" in b.run("document.getElementById('says').textContent")
    b.hover(statement(b, "n = len(x)"))
    assert not any("tanh" in line for line in lines(b, ".derivative .st.lit"))


def test_hovering_the_derivative_lights_the_program(page: Any) -> None:
    b = page(programs.decay)
    b.hover(statement(b, "w_bar +=", "derivative"))
    assert lines(b, ".primal .st.lit") == ["h = 0.9 * h + np.tanh(x[t] * w)"]


def test_a_click_pins_and_escape_lets_go(page: Any) -> None:
    b = page(programs.decay)
    pinned = statement(b, "h = 0.9 * h")
    b.click(pinned)
    b.hover(statement(b, "n = len(x)"))
    assert b.run(f'document.querySelector("{pinned}").getAttribute("aria-selected")') == "true"
    assert any("tanh" in line for line in lines(b, ".derivative .st.lit"))
    b.key("Escape")
    assert b.run("document.querySelectorAll('[aria-selected=true]').length") == 0


def test_the_keys(page: Any) -> None:
    b = page(programs.decay)
    focused = "document.activeElement.querySelector('.src').textContent.trim()"
    b.key("j")
    assert b.run(focused).startswith("@rg.differentiate")
    for _ in range(3):
        b.key("ArrowDown")
    assert b.run(focused).startswith("for t in range")
    b.key("j")
    b.key("l")
    assert b.run("document.activeElement.closest('.derivative') !== null")
    assert b.run("document.activeElement.dataset.role") == "adjoint"
    b.key("h")
    assert b.run(focused).startswith("h = 0.9 * h")
    b.key("?")
    assert b.run("document.getElementById('help').open")
    b.key("Escape")
    b.run("document.getElementById('help').close()")
    b.key("t")
    assert b.run("document.documentElement.dataset.theme") == "light"
    b.key("t")
    assert b.run("getComputedStyle(document.body).backgroundColor") == "rgb(21, 24, 28)"
    assert b.problems == []


def test_one_statement_of_each_list_is_in_the_tab_order(page: Any) -> None:
    b = page(programs.several)
    counts = b.run(
        "[...document.querySelectorAll('.lines[role=listbox]')].map(l => l.querySelectorAll('[tabindex=\"0\"]').length)"
    )
    assert len(counts) >= 4
    assert set(counts) == {1}


def test_functions_that_are_called_are_folded_and_linked(page: Any) -> None:
    b = page(programs.several)
    folded = b.run("[...document.querySelectorAll('.primal details.fn')].map(d => d.open)")
    assert folded == [True, False]
    assert "The flux between cells." in b.run(
        "document.querySelectorAll('.primal .fn')[1].textContent"
    )
    b.run("document.querySelectorAll('.fn').forEach(d => d.open = true)")
    b.hover(statement(b, "total = total * k"))
    assert any("bar" in line for line in lines(b, ".derivative .st.lit.adj"))


def test_texts_of_the_program_are_texts_on_the_page(page: Any) -> None:
    b = page(programs.hostile)
    assert b.run("document.getElementById('injected')") is None
    assert b.run("document.images.length") == 0
    assert "<i>a comment</i>" in b.run("document.querySelector('.primal').textContent")


def test_a_refusal_stands_at_its_line(page: Any) -> None:
    b = page(programs.refused)
    assert "seen = y" in b.run("document.querySelector('.st.refused .src').textContent")
    note = b.run("document.querySelector('.st.refused .note').textContent")
    assert "what to do" in note
    assert b.run("document.querySelectorAll('.derivative .st').length") == 0


def test_forward_mode_and_times(page: Any) -> None:
    b = page(programs.decay, args=(np.ones(3), np.ones((5, 3)), 5), kind="jvp", time=True)
    b.hover(statement(b, "h = 0.9 * h"))
    assert any("h_dot" in line for line in lines(b, ".derivative .st.lit.adj"))
    times = b.run("[...document.querySelectorAll('.time')].map(t => t.textContent).filter(Boolean)")
    assert len(times) > 5
    assert all(re.fullmatch(r"(< 0.1|[\d.e+]+) (s|ms|µs)", text) for text in times)


def test_it_fits_a_narrow_window(page: Any) -> None:
    b = page(programs.several)
    try:
        b.size(420, 900)
        assert b.run("document.documentElement.scrollWidth") <= 420
    finally:
        b.size(1400, 1000)


# -- contrast ---------------------------------------------------------------------------------

PAIRS = [
    (ink, paper)
    for ink in ("ink", "soft", "k", "s", "n", "c", "rust", "blue", "bad")
    for paper in ("paper", "raised")
] + [(ink, paper) for ink in ("ink", "k", "s", "n", "c") for paper in ("blue-lit", "rust-lit", "pin", "bad-lit")]  # fmt: skip


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_colours_can_be_read(dark: bool) -> None:
    """At least 4.5 to 1, WCAG's AA."""
    text = style()
    block = text.split(":root[data-theme=dark]")[1] if dark else text.split("}")[0]
    colours = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", block.split("}")[0]))
    worst = {pair: contrast(*(colours[name] for name in pair)) for pair in PAIRS}
    assert not {pair: ratio for pair, ratio in worst.items() if ratio < 4.5}


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return float(np.dot((0.2126, 0.7152, 0.0722), linear))
