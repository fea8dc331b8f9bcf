"""The commands and their options; what was perhaps meant by a word that is none of them."""

from __future__ import annotations

import argparse
import importlib
import re
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

from .terminal.suggestions import close_to

__all__ = ["COMMANDS", "command_parsers", "parser"]

COMMANDS = ("grad", "explain", "check", "sync", "compile", "rules", "cache", "completion")
EXAMPLES = """\
examples:
  retrograd grad model.py:loss                          print the gradient of loss
  retrograd grad model.py:loss --wrt w,b -o loss_grad.py
  retrograd grad model.py:residual --mode jacobian      vjp, jvp, hvp, hessian ... as well
  retrograd explain model.py:loss                       what is active, what is kept, and why
  retrograd check                                       is a written gradient stale?
  retrograd sync                                        write those that pyproject.toml lists
  retrograd compile model.py                            before it is deployed: texts and kernels
  retrograd rules np.linalg.solve                       a rule, and what is derived from it
  retrograd cache list                                  the modules generated so far
  retrograd completion bash                             completion of commands, options, functions

exit codes: 0 done, 1 refused by the compiler or stale, 2 wrong usage or not found, 3 internal error
"""


class Parser(argparse.ArgumentParser):
    """A parser that says what was perhaps meant."""

    given: Sequence[str] = ()

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        self.given = sys.argv[1:] if args is None else list(args)
        return super().parse_known_args(args, namespace)

    def error(self, message: str) -> NoReturn:
        super().error(message + self.meant(message))

    def meant(self, message: str) -> str:
        """The end of the message: what looks like the first word that is not known."""
        choice = re.search(r"invalid choice: '([^']*)' \(choose from (.*)\)", message)
        if choice is not None:
            return close_to(choice[1], re.findall(r"[\w-]+", choice[2]))
        unknown = re.search(r"unrecognized arguments: (.*)", message)
        wrong = [w for w in unknown[1].split() if w.startswith("-")] if unknown is not None else []
        if not wrong:
            return ""
        known = {option for p in (self, *self.below()) for option in p._option_string_actions}
        return close_to(wrong[0].partition("=")[0], known)

    def below(self) -> list[Parser]:
        """The parser of the command that was given; all of them, if none was."""
        every = command_parsers(self)
        given = [every[word] for word in self.given[:1] if word in every]
        return given or list(every.values())


def command_parsers(whole: argparse.ArgumentParser) -> dict[str, Any]:
    """The parser of each command."""
    for action in whole._actions:
        if isinstance(action, argparse._SubParsersAction):
            return dict(action.choices)
    return {}


def parser() -> Parser:
    from retrograd.version import version

    made = Parser(
        prog="retrograd",
        description="Gradients you can read: source-to-source differentiation of NumPy programs.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("--version", action="version", version=f"retrograd {version}")
    commands = made.add_subparsers(metavar="COMMAND", required=True)
    for name in COMMANDS:
        importlib.import_module(f".{name}", __package__).add(commands)
    return made
