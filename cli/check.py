"""``retrograd check``: is a written gradient what its function gives now, and is it right?"""

from __future__ import annotations

import argparse
import glob
import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from .project import project_of
from .targets import NotFound, resolve
from .terminal.colours import diff_in_colour, has_colour, in_colour
from .texts.comparisons import difference
from .written_files import is_written, write
from .written_state import State, listed_state, state_of, written_below

__all__ = ["add", "add_report", "reported"]

ABOUT = """\
FILE: whether files that `retrograd grad -o` wrote mean what it would write today (exit code 1 if not;
--fix writes those anew that do not).  A folder stands for all such files below it; nothing, for those
that pyproject.toml lists and those below the working folder.  Layout and comments do not count: a
formatter may have been there, and the function may have moved.  FILE:FUNCTION: whether the derivatives
of a function agree with finite differences and with each other, at arguments that are given or made."""
EXAMPLES = """\
examples:
  retrograd check                                   for CI: is anything stale, and why?
  retrograd check loss_grad.py gradients/           a file, a folder
  retrograd check --diff                            what would change
  retrograd check --fix                             write the stale ones anew
  retrograd check --json                            for programs
  retrograd check model.py:loss --args "[0.1, 0.2], 3.0"
  retrograd check model.py:loss --sig "w: f8[3], x: f8[5, 3]" --order 2
"""


def add(commands: Any) -> None:
    """Teach the parser this command."""
    made = commands.add_parser(
        "check", help="is a written gradient stale? is a gradient right?", description=ABOUT,
        epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    made.add_argument("targets", nargs="*", metavar="TARGET", help="FILE, FOLDER, or FILE:FUNCTION")
    made.add_argument("--fix", action="store_true", help="write stale files anew")
    add_report(made)
    add_values(made)
    made.set_defaults(run=run)


def add_report(made: Any) -> None:
    """How the state of files is told."""
    made.add_argument("--diff", action="store_true", help="show what would change")
    made.add_argument("--json", action="store_true", help="for programs")


def add_values(made: Any) -> None:
    """Where a function is tried."""
    made.add_argument("--args", metavar="VALUES", help="arguments as Python literals; a list is an "
                      "array")  # fmt: skip
    made.add_argument("--sig", metavar="SIGNATURE", help="types to make arguments of")
    made.add_argument("--order", type=int, default=1, help="how many derivatives deep (default: 1)")
    made.add_argument("--seed", type=int, default=0, help="of the arguments that are made")


def run(options: argparse.Namespace) -> int:
    functions = [target for target in options.targets if not is_path(target)]
    codes = [check_function(target, options) for target in functions]
    if functions and len(functions) == len(options.targets):
        return max(codes)
    states = states_of([target for target in options.targets if is_path(target)])
    return max([*codes, reported(states, options.fix, options.diff, options.json)])


def is_path(target: str) -> bool:
    return target.endswith(".py") or Path(target).exists() or bool(glob.has_magic(target))


# -- written files --------------------------------------------------------------------------


def states_of(targets: list[str]) -> Iterator[State]:
    """The states of all files that are meant, each once."""
    seen: set[Path] = set()
    for path in [p for target in targets for p in files_of(target)]:
        if path.resolve() not in seen:
            seen.add(path.resolve())
            yield state_of(path)
    if targets:
        return
    project = project_of(Path.cwd())
    for output in project.outputs if project is not None else ():
        state = listed_state(project, output)  # type: ignore[arg-type]
        seen.add(state.path.resolve())
        yield state
    others = [p for p in written_below(Path()) if p.resolve() not in seen]
    if not seen and not others:
        raise NotFound(
            "nothing to check: no file below this folder was written by `retrograd grad -o`, and no "
            "pyproject.toml has [[tool.retrograd.gradients]]"
        )
    yield from map(state_of, others)


def files_of(target: str) -> list[Path]:
    """The files that a word on the command line stands for."""
    path = Path(target)
    if path.is_dir():
        found = written_below(path)
    elif path.is_file():
        return [path]
    else:
        named = [Path(name) for name in sorted(glob.glob(target, recursive=True))]
        if not named:
            raise NotFound(f"there is no file {target}")
        found = [p for name in named if name.is_dir() for p in written_below(name)]
        found += [name for name in named if name.is_file() and is_written(name)]
    if not found:
        raise NotFound(f"no file of {target} was written by `retrograd grad -o`")
    return found


def reported(states: Iterable[State], fix: bool, diff: bool, as_json: bool) -> int:
    """Tell the states, writing anew what is to be; the exit code."""
    told, code = [], 0
    for state in states:
        wrote = fix and not state.is_fine and state.new is not None
        if wrote:
            write(state.path, str(state.new))
        code = max(code, 0 if state.is_fine or wrote else code_of(state))
        if as_json:
            told.append(as_dict(state, wrote))
        else:
            tell(state, wrote, diff)
    if as_json:
        print(json.dumps(told, indent=2))
    return code


def code_of(state: State) -> int:
    return 2 if state.state == "not found" else 1


def as_dict(state: State, wrote: bool) -> dict[str, Any]:
    shown = state.path.as_posix()
    return {
        "file": shown,
        "state": state.state,
        "written": wrote,
        "reasons": state.reasons,
        "command": state.command,
        "diff": ""
        if state.is_fine or state.new is None
        else difference(shown, state.old, state.new),
    }


def tell(state: State, wrote: bool, diff: bool) -> None:
    shown = state.path.as_posix()
    why = f"{': ' if state.reasons else ''}{'; '.join(state.reasons)}"
    if state.new is None:
        print(f"{shown} {in_colour('cannot be written', 'red', sys.stdout)}{why}")
    elif wrote:
        print(f"{shown} {in_colour('written', 'green', sys.stdout)}{why}")
    else:
        word = "not there yet" if state.state == "missing" else state.state
        colour = "green" if state.is_fine else "red"
        print(f"{shown} is {in_colour(word, colour, sys.stdout)}{why}")
    if diff and not state.is_fine and state.new is not None:
        text = difference(shown, state.old, state.new)
        sys.stdout.write(diff_in_colour(text) if has_colour(sys.stdout) else text)
    if not state.is_fine and not wrote:
        sys.stdout.flush()
        print(f"    {state.command}", file=sys.stderr)


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
