"""``retrograd COMMAND ...``: the commands, their exit codes, and what may go wrong around them.

0: done; 1: refused by the compiler, or stale; 2: wrong usage, or nothing there; 3: a bug of retrograd.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Sequence

from .targets import NotFound

__all__ = ["main"]

COMMANDS = ("grad", "explain", "check", "rules", "cache")
EXAMPLES = """\
examples:
  retrograd grad model.py:loss                          print the gradient of loss
  retrograd grad model.py:loss --wrt w,b -o loss_grad.py
  retrograd explain model.py:loss                       what is active, what is kept, and why
  retrograd check loss_grad.py                          is a written gradient stale?
  retrograd rules np.linalg.solve                       a rule, and what is derived from it
  retrograd cache list                                  the modules generated so far

exit codes: 0 done, 1 refused by the compiler or stale, 2 wrong usage or not found, 3 internal error
"""


def parser() -> argparse.ArgumentParser:
    from retrograd.version import version

    made = argparse.ArgumentParser(
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


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; its exit code."""
    try:
        try:
            code = guarded(parser().parse_args(argv))
        finally:
            sys.stdout.flush()
    except BrokenPipeError:  # the reader (head, less) had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130
    return code


def guarded(options: argparse.Namespace) -> int:
    from retrograd.runtime.errors import RetrogradError

    try:
        return int(options.run(options))
    except NotFound as error:
        return fail(f"retrograd: {error}", 2)
    except RetrogradError as error:
        return fail(str(error), 1)
    except (BrokenPipeError, KeyboardInterrupt):
        raise
    except Exception:
        return bug()


def fail(text: str, code: int) -> int:
    print(text, file=sys.stderr)
    return code


def bug() -> int:
    import traceback

    traceback.print_exc()
    return fail(
        "retrograd: internal error, a bug of retrograd and not of your program: please report it\n"
        "with the text above and the function it happened on.",
        3,
    )


if __name__ == "__main__":
    sys.exit(main())
