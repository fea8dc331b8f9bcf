"""Sphinx's settings: nothing is fetched, neither when the site is built nor when it is read."""

from __future__ import annotations

from pathlib import Path

from retrograd.version import version as release

HERE = Path(__file__).resolve().parent

project, author = "retrograd", "the retrograd developers"
copyright = author
version = release
extensions = ["myst_parser", "sphinx_copybutton"]
root_doc = "index"

myst_heading_anchors = 4
myst_ref_domains: list[str] = []
nitpicky = True
suppress_warnings = ["misc.highlighting_failure"]  # excerpts of programs, and of what is refused

html_theme = "furo"
html_title = "retrograd"
html_static_path = [str(HERE / "static")]
html_css_files = ["site.css"]
html_js_files = ["filter.js"]
html_search_scorer = str(HERE / "static" / "scorer.js")
html_show_sourcelink = False
html_copy_source = False
html_show_copyright = False
pygments_style = "friendly"
pygments_dark_style = "github-dark"
copybutton_prompt_text = r"\$ |>>> |\.\.\. "
copybutton_prompt_is_regexp = True
html_theme_options = {
    "light_css_variables": {
        "color-brand-primary": "#0b5cad",
        "color-brand-content": "#0b5cad",
        "color-brand-visited": "#5b4b9a",
        "font-stack": "system-ui, -apple-system, 'Segoe UI', 'Helvetica Neue', Arial, sans-serif",
        "font-stack--monospace": "ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace",
    },
    "dark_css_variables": {
        "color-brand-primary": "#6cb2f7",
        "color-brand-content": "#6cb2f7",
        "color-brand-visited": "#b3a5e6",
    },
}
