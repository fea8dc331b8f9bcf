"""Writes ``runtime/helper_index.py``: which module each helper of generated code lives in.

    python -m retrograd.compiler.bookgen.helper_index           writes the file
    python -m retrograd.compiler.bookgen.helper_index --check   exits 1 if it is not what the modules give

So loading generated code imports the families it needs, and no others.
"""

from __future__ import annotations

import ast
import sys
import textwrap
from collections import Counter
from collections.abc import Iterable
from itertools import chain
from pathlib import Path
from typing import Any

from retrograd import runtime

__all__ = ["emit"]

HOME = Path(runtime.__file__).parent
TARGET = HOME / "helper_index.py"
OTHERS = {
    "errors": ("RetrogradError",),
    "user.argument_checks": ("expects",),
    "tape.calls": ("pulled", "pushed", "taped"),
    "user.finite_differences": ("difference_pull", "difference_push"),
}
DRIVERS = (
    "user.batched",
    "user.jacobian_blocks",
    "checkpointing.revolve",
    "solvers.implicit",
    "solvers.refinement",
    "replacements.solvers",
)
HEADER = '''"""Where each helper of generated code lives. Do not edit: `make rules` writes it."""

FAMILIES = {
'''
FOOTER = """}
HOMES = {name: family for family, names in FAMILIES.items() for name in names.split()}
"""


def families() -> list[str]:
    """The modules of helpers, and the drivers of loops and solvers."""
    found = (path.relative_to(HOME) for path in (HOME / "helpers").rglob("*.py"))
    names = [path for path in sorted(found) if path.stem not in ("__init__", "linear")]
    return [".".join(path.with_suffix("").parts) for path in names] + list(DRIVERS)


def path_of(family: str) -> Path:
    return HOME.joinpath(*family.split(".")).with_suffix(".py")


def exported(path: Path) -> list[str]:
    """The ``__all__`` of a module, which need not be importable (SciPy is optional)."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return list(ast.literal_eval(node.value))
    raise AssertionError(f"{path.name} has no __all__")


def own(path: Path) -> list[str]:
    """Those of its ``__all__`` that a module does not have from another one."""
    imported = {
        alias.asname or alias.name
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ImportFrom) and node.level
        for alias in node.names
    }
    return [name for name in exported(path) if name not in imported]


def emit() -> str:
    """The text of the table."""
    named: dict[str, Any] = {family: own(path_of(family)) for family in families()}
    theirs = set(chain(*named.values()))  # what comes from elsewhere lives where it is exported
    for family in families():
        more = [name for name in exported(path_of(family)) if name not in theirs]
        named[family] += more
        theirs.update(more)
    named |= OTHERS
    twice = [name for name, n in Counter(chain(*named.values())).items() if n > 1]
    assert not twice, f"two helpers are called {twice}"
    return HEADER + "".join(entry(family, named[family]) for family in sorted(named)) + FOOTER


def entry(family: str, names: Iterable[str]) -> str:
    """A family, and its names below it."""
    told = textwrap.fill(
        " ".join(sorted(names)), 92, break_long_words=False, break_on_hyphens=False
    )
    return f'    "{family}": """\n{textwrap.indent(told, " " * 8)}\n    """,\n'


def main(arguments: list[str]) -> int:
    text = emit()
    if "--check" not in arguments:
        TARGET.write_text(text, encoding="utf-8")
        return 0
    fresh = TARGET.exists() and TARGET.read_text(encoding="utf-8") == text
    if not fresh:
        print(f"{TARGET} is not what the modules give: run `make rules`", file=sys.stderr)
    return 0 if fresh else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
