"""``python -m tools.site [OUT]``: build the site into a folder (``build/site``)."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from .stage import stage

HERE = Path(__file__).resolve().parent


def build(out: Path) -> int:
    """Build strictly; Sphinx's exit code."""
    from sphinx.cmd.build import build_main

    with tempfile.TemporaryDirectory() as folder:
        pages = Path(folder) / "pages"
        stage(pages)
        options = ["--fail-on-warning", "--keep-going", "--quiet", "--fresh-env"]
        places = ["-c", str(HERE), "-d", str(Path(folder) / "trees"), str(pages), str(out)]
        return int(build_main([*options, "-b", "html", *places]))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.site", description=__doc__)
    parser.add_argument("out", nargs="?", type=Path, default=Path("build/site"))
    out = parser.parse_args().out
    code = build(out)
    print(f"{out / 'index.html'}" if code == 0 else "the site was not built", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
