"""``retrograd sync``: write the derivatives that pyproject.toml lists."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .check import add_report, reported
from .project import Project, project_of
from .targets import NotFound
from .terminal.suggestions import close_to
from .written_state import State, listed_state

__all__ = ["add"]

ABOUT = """\
Write the derivatives that the project's pyproject.toml lists, those that are not what they should be;
the others are left alone.  With --check nothing is written, and the exit code says whether it would be."""
EXAMPLES = """\
in pyproject.toml:
  [[tool.retrograd.gradients]]
  function = "model.py:loss"            # or a list; also "package.model:Net.loss"
  output = "gradients/loss.py"          # several tables may name one file
  mode = ["grad", "hessian"]            # default: grad
  wrt = ["w", "b"]                      # and any other option of `retrograd grad`
  sig = "w: f8[d], b: float, x: f8[n, d], y: f8[n]"

examples:
  retrograd sync                        write what is missing or stale
  retrograd sync gradients/loss.py      this one
  retrograd sync --check                for CI
  retrograd sync --check --diff         what would be written
"""


def add(commands: Any) -> None:
    """Teach the parser this command."""
    made = commands.add_parser(
        "sync", help="write the gradients that pyproject.toml lists", description=ABOUT,
        epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    made.add_argument(
        "outputs", nargs="*", metavar="FILE", help="some of the outputs (default: all)"
    )
    made.add_argument(
        "--check", action="store_true", help="write nothing; exit code 1 if something would be"
    )
    add_report(made)
    made.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    project = project_of(Path.cwd())
    if project is None or not project.outputs:
        raise NotFound(
            "no pyproject.toml here or above lists gradients: write\n"
            '    [[tool.retrograd.gradients]]\n    function = "model.py:loss"\n    output = "loss_grad.py"'
        )
    wanted = [output_named(project, name) for name in options.outputs] or list(project.outputs)
    if not options.check:
        make_folders(project, wanted)
    return reported(states(project, wanted), not options.check, options.diff, options.json)


def states(project: Project, outputs: list[str]) -> Iterator[State]:
    return (listed_state(project, output) for output in outputs)


def make_folders(project: Project, outputs: list[str]) -> None:
    for output in outputs:
        (project.root / output).parent.mkdir(parents=True, exist_ok=True)


def output_named(project: Project, name: str) -> str:
    """An output as it is listed, or seen from the working folder."""
    if name in project.outputs:
        return name
    found = project.output_of(Path(name))
    if found is None:
        listed = close_to(name, project.outputs) or f"; it lists {', '.join(project.outputs)}"
        raise NotFound(f"{project.root / 'pyproject.toml'} does not list {name}{listed}")
    return found
