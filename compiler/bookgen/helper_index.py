"""Writes ``runtime/helper_index.py``: which module each helper of generated code lives in.

    python -m retrograd.compiler.bookgen.helper_index           writes the file
    python -m retrograd.compiler.bookgen.helper_index --check   exits 1 if it is not what the modules give

So loading generated code imports the families it needs, and no others.
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path

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
    "checkpointing.revolve",
    "solvers.implicit",
    "solvers.refinement",
    "replacements.solvers",
)
HEADER = '''"""Where each helper of generated code lives. Do not edit: `make rules` writes it."""

HOMES = {
'''


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


def emit() -> str:
    """The text of the table."""
    homes = {name: module for module, names in OTHERS.items() for name in names}
    for family in families():
        homes.update(dict.fromkeys(exported(path_of(family)), family))
    return HEADER + "".join(f'    "{name}": "{homes[name]}",\n' for name in sorted(homes)) + "}\n"


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
