"""``retrograd check``: is a written gradient what its function gives now, and is it right?"""

from __future__ import annotations

import argparse
import ast
import re
import shlex
import sys
from pathlib import Path
from typing import Any

from .targets import NotFound, resolve

__all__ = ["add"]

ABOUT = """\
FILE: whether files that `retrograd grad -o` wrote are what it would write today (exit code 1 if not;
--fix writes those anew that are not).  FILE:FUNCTION: whether the derivatives of a function agree with
finite differences and with each other, at arguments that are given or made."""
EXAMPLES = """\
examples:
  retrograd check loss_grad.py                      for CI: is it stale?
  retrograd check gradients/*.py --fix              write the stale ones anew
  retrograd check model.py:loss --args "[0.1, 0.2], 3.0"
  retrograd check model.py:loss --sig "w: f8[3], x: f8[5, 3]" --order 2
"""
SOURCE = re.compile(r"^Written by retrograd (\S+) \(source (\w+)\)", re.MULTILINE)


def add(commands: Any) -> None:
    """Teach the parser this command."""
    made = commands.add_parser(
        "check", help="is a written gradient stale? is a gradient right?", description=ABOUT,
        epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    made.add_argument("targets", nargs="+", metavar="TARGET", help="FILE, or FILE:FUNCTION")
    made.add_argument("--fix", action="store_true", help="write stale files anew")
    made.add_argument("--args", metavar="VALUES", help="arguments as Python literals; a list is an "
                      "array")  # fmt: skip
    made.add_argument("--sig", metavar="SIGNATURE", help="types to make arguments of")
    made.add_argument("--order", type=int, default=1, help="how many derivatives deep (default: 1)")
    made.add_argument("--seed", type=int, default=0, help="of the arguments that are made")
    made.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    codes = [
        check_file(Path(target), options.fix)
        if is_file(target)
        else check_function(target, options)
        for target in options.targets
    ]
    return max(codes)


def is_file(target: str) -> bool:
    return target.endswith(".py") or Path(target).is_file()


# -- written files --------------------------------------------------------------------------


def check_file(path: Path, fix: bool) -> int:
    """0 if the file is what its command writes today, or was made so."""
    from .grad import write

    if not path.is_file():
        raise NotFound(f"there is no file {path}")
    old = path.read_text(encoding="utf-8")
    command = command_of(old)
    if command is None:
        raise NotFound(f"{path} was not written by `retrograd grad -o`")
    new = anew(command)
    if new == old:
        print(f"{path} is up to date")
        return 0
    print(f"{path} is stale: {reason(old, new)}")
    if not fix:
        print(f"    {shlex.join(command)}", file=sys.stderr)
        return 1
    write(path, new)
    print(f"{path} written")
    return 0


def command_of(text: str) -> list[str] | None:
    """The command in the last line of the docstring."""
    try:
        lines = (ast.get_docstring(ast.parse(text)) or "").strip().splitlines()
    except SyntaxError:
        return None
    last = lines[-1].strip() if lines else ""
    return shlex.split(last) if last.startswith("retrograd grad ") and SOURCE.search(text) else None


def anew(command: list[str]) -> str:
    """The text that the command writes today."""
    from .grad import text_of
    from .main import parser

    options = parser().parse_args(command[1:])
    return text_of(resolve(options.target), options)


def reason(old: str, new: str) -> str:
    """The change, as far as the two headers tell."""
    (made_by, before), (now_by, after) = (found.groups() for found in map(header_of, (old, new)))
    if before != after:
        return f"the function changed (source {before}, now {after})"
    if made_by != now_by:
        return f"it was written by retrograd {made_by}, this is {now_by}"
    return "it was edited, or something that the function calls or reads changed"


def header_of(text: str) -> re.Match[str]:
    found = SOURCE.search(text)
    assert found is not None
    return found


# -- functions ------------------------------------------------------------------------------


def check_function(text: str, options: argparse.Namespace) -> int:
    """Derivatives against finite differences and against each other; raises if they disagree."""
    from retrograd.transforms.check.check_grads import check_all
    from retrograd.transforms.transformed_function import chain_of

    from .samples import arguments

    target = resolve(text)
    args = arguments(target, options.args, options.sig, options.seed)
    check_all(chain_of(target.function), args, options.order, options.seed)
    order = f" up to order {options.order}" if options.order > 1 else ""
    print(f"{text}: forward and reverse mode agree with finite differences{order}")
    return 0
