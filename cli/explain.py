"""``retrograd explain``: what carries a derivative, what is kept for the backward sweep, and why."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from .targets import NotFound, resolve

__all__ = ["add"]

ABOUT = """\
Say what the compiler decided about a function: which values carry a derivative and why the others do
not; what is kept for the backward sweep, its size and what reads it; which values may share memory;
which calls are compiled and which run on the eager tape."""
EXAMPLES = """\
examples:
  retrograd explain model.py:loss
  retrograd explain model.py:loss --wrt w --sig "w: f8[d], x: f8[n, d]"
  retrograd explain model.py:loss --json | jq '.kept'
"""


def add(commands: Any) -> None:
    """Teach the parser this command."""
    made = commands.add_parser(
        "explain", help="what is active, what is kept, and why", description=ABOUT,
        epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    made.add_argument(
        "target", metavar="FILE:FUNCTION", help="or module:function, or FILE:Class.method"
    )
    made.add_argument("--wrt", metavar="NAMES", help="the arguments to differentiate, as in w,b")
    made.add_argument("--sig", metavar="SIGNATURE", help="types of the arguments, for the sizes")
    made.add_argument("--json", action="store_true", help="for programs")
    made.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    from retrograd.runtime.errors import SignatureMismatch
    from retrograd.transforms.api import chain_of
    from retrograd.transforms.explain.explain import explain

    from .grad import check_is_python, types_of, wrt_of

    target = resolve(options.target)
    try:
        chain = chain_of(target.function)
        check_is_python(target, chain)
        wrt, _ = chain.positions(wrt_of(target, options.wrt))
        types = types_of(chain, options.sig)
    except SignatureMismatch as error:
        raise NotFound(str(error)) from None
    found = explain(chain, wrt, types)
    text = json.dumps(found.as_dict(), indent=2) + "\n" if options.json else str(found)
    sys.stdout.write(text)
    return 0
