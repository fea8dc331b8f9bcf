"""Derivatives to read: ``source``, ``inspect``, notebooks, the names of cells."""

from __future__ import annotations

import gc
import inspect
import linecache
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import CompileError, Place
from retrograd.transforms.explain.highlight import coloured
from retrograd.transforms.source_text import SourceText


def wave(x, k=2.0):
    """A wave."""
    return np.sum(np.sin(k * x))


def test_a_derivative_has_a_text() -> None:
    g = rg.grad(wave)
    assert "def wave_grad(x, k=2.0):" in g.source()
    assert "f8[" in g.source(np.ones(3)).partition('"""\n\nimport')[0]
    assert "def wave_grad" in g.source(sig="x: f8[n], k: float")


def test_inspect_finds_the_text_of_a_derivative() -> None:
    for g in (rg.grad(wave), rg.differentiate(wave).grad, rg.value_and_grad(wave)):
        text = inspect.getsource(g)
        assert f"def {g.__name__}(x, k=2.0):" in text
        assert "import" not in text
        compile(text, "text", "exec")
        assert inspect.signature(g) == inspect.signature(wave)
        assert "with respect to `x`" in (inspect.getdoc(g) or "")


def test_texts_that_nobody_can_read_any_more_are_forgotten() -> None:
    def ours() -> int:
        gc.collect()
        return sum(name.startswith("retrograd: ") for name in linecache.cache)

    before = ours()
    for _ in range(20):
        rg.grad(lambda x: x * x)
    assert ours() <= before + 2


def test_a_text_is_a_str_that_notebooks_colour() -> None:
    text = rg.differentiate(wave).source()
    assert type(text) is SourceText
    assert text == str(text)
    shown = text._repr_html_()
    assert "<pre" in shown
    assert "style=" in shown
    assert "<script" not in shown
    assert "&quot;" in shown


def test_a_notebook_shows_a_derivative_and_an_explanation() -> None:
    f = rg.differentiate(wave)
    assert "wave_grad(x, k=2.0)" in f.grad._repr_html_()  # type: ignore[attr-defined]
    framed = f.explain()._repr_html_()
    assert framed.startswith("<iframe srcdoc=")
    assert 'sandbox="allow-scripts"' in framed
    assert "<!doctype" not in framed  # escaped


def refused(x):
    global seen
    seen = x
    return x


def test_a_refusal_is_shown_in_place_of_a_text() -> None:
    assert "seen" in rg.grad(refused)._repr_html_()  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("a = '<b>'", """a = <span class="s">&#x27;&lt;b&gt;&#x27;</span>"""),
        ("def f(): pass", '<span class="k">def</span> <span class="d">f</span>(): <span class="k">pass</span>'),
        ("not ( python <", "not ( python &lt;"),
    ],
)  # fmt: skip
def test_colours(line: str, shown: str) -> None:
    found = coloured(line)[0]
    assert found == shown or (line.startswith("not") and "&lt;" in found and "<" not in found.replace("<span", "").replace("</span", ""))  # fmt: skip


def test_no_letter_is_lost() -> None:
    """Without its tags, a coloured text is the text."""
    import html
    import re

    for path in sorted(Path(__file__).parent.glob("*.py"))[:12]:
        text = path.read_text(encoding="utf-8")
        joined = "\n".join(coloured(text))
        assert html.unescape(re.sub(r"<[^>]*>", "", joined)) == text


class Net:
    def __init__(self, k: float) -> None:
        self.k = k

    @rg.differentiate(wrt="w")
    def loss(self, w, *rest):
        z = np.tanh(w * self.k)
        for r in rest:
            z = z + r * w
        return np.sum(z)


@pytest.mark.parametrize("kind", ["grad", "value_and_grad", "jvp", "vjp"])
def test_methods_are_explained_for_an_example(kind: str) -> None:
    net = Net(2.0)
    page = net.loss.explain(np.ones(2), 3.0).html(kind, time=True)
    assert "Net.loss" in page
    assert 'class="refusal"' not in page
    assert "kept in this run" in page
    assert "def loss_" in net.loss.source("grad", np.ones(2))


# -- cells ----------------------------------------------------------------------------------------


@pytest.fixture
def notebook(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A module whose file IPython says is its third cell."""
    path = tmp_path / "1878456855.py"
    path.write_text("def loss(x):\n    return x * x\n\n\ndef wrong(x):\n    yield x\n")
    shell = SimpleNamespace(compile=SimpleNamespace(_filename_map={str(path): 3}))
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    return path


def test_a_cell_is_called_as_the_notebook_calls_it(notebook: Path) -> None:
    scope = {"__name__": "cell"}
    exec(compile(notebook.read_text(), str(notebook), "exec"), scope)
    assert "Derivative of `loss` in Cell In[3]:" in rg.grad(scope["loss"]).source()
    assert str(CompileError("no", place=Place(str(notebook), 2))).startswith("Cell In[3]:2:1: no")
    assert rg.differentiate(scope["loss"]).explain().file == "Cell In[3]"
