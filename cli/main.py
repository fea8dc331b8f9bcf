"""``retrograd COMMAND ...``: the commands, their exit codes, and what may go wrong around them.

0: done; 1: refused by the compiler, or stale; 2: wrong usage, or nothing there; 3: a bug of retrograd.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from .parser import parser
from .targets import NotFound
from .terminal.colours import in_colour

__all__ = ["main"]

MODES = ("use rg.vjp or rg.jacobian", "ask for --mode vjp or --mode jacobian")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; its exit code."""
    given = sys.argv[1:] if argv is None else list(argv)
    try:
        try:
            if not given:
                parser().print_help(sys.stderr)
                return 2
            code = guarded(parser().parse_args(given))
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
        return fail(f"{in_colour('retrograd:', 'red', sys.stderr)} {error}", 2)
    except RetrogradError as error:
        return fail(str(error).replace(*MODES), 1)
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
