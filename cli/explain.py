"""``retrograd explain``: what carries a derivative, what is kept for the backward sweep, and why."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
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
  retrograd explain model.py:loss --html -o loss.html
  retrograd explain model.py:loss --html --time --sig "w: f8[1000], x: f8[500, 1000]" -o loss.html
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
    made.add_argument(
        "--batch", metavar="NAMES", help="the arguments that have an axis of examples, as in x,y:1"
    )
    made.add_argument("--sig", metavar="SIGNATURE", help="types of the arguments, for the sizes")
    made.add_argument("--json", action="store_true", help="for programs")
    made.add_argument("--html", action="store_true", help="one page that stands by itself: the program and "
                      "its derivative side by side")  # fmt: skip
    made.add_argument("--mode", choices=MODES, default="reverse", help="of the page's derivative "
                      "(default: reverse)")  # fmt: skip
    made.add_argument("--args", metavar="VALUES", help='the arguments of an example, as in "[0.1, 0.2], 3.0": '
                      "their sizes, and what --time runs")  # fmt: skip
    made.add_argument(
        "--time",
        action="store_true",
        help="with the time that each statement of the derivative takes",
    )
    made.add_argument("-o", "--output", metavar="OUT", help="write this file instead of printing")
    made.set_defaults(run=run)


MODES = {"reverse": "grad", "value": "value_and_grad", "forward": "jvp", "pullback": "vjp"}


def run(options: argparse.Namespace) -> int:
    from retrograd.runtime.errors import SignatureMismatch
    from retrograd.transforms.api import chain_of
    from retrograd.transforms.explain.explain import explain

    from .grad import check_is_python, types_of, wrt_of
    from .modes import batched
    from .samples import arguments

    target = resolve(options.target)
    try:
        chain = chain_of(target.function)
        check_is_python(target, chain)
        wrt, single = chain.positions(wrt_of(target, options.wrt))
        chain = chain if options.batch is None else batched(chain, options.batch)
        types, args = types_of(chain.then("grad", wrt, single), options.sig, target), None
        if options.args is not None or options.time:
            args = arguments(target, options.args, options.sig, 0)
            types = types if options.sig else chain.types(args)
    except SignatureMismatch as error:
        raise NotFound(str(error)) from None
    if options.html and options.json:
        raise NotFound("--html or --json, not both")
    if options.time and not options.html:
        raise NotFound("--time is for the page: --html --time")
    found = explain(chain, wrt, types, single, args)
    put(text_of(found, options), options.output)
    return int(bool(found.refused))


def text_of(found: Any, options: argparse.Namespace) -> str:
    if options.html:
        return str(found.html(MODES[options.mode], options.time))
    return json.dumps(found.as_dict(), indent=2) + "\n" if options.json else str(found)


def put(text: str, output: str | None) -> None:
    """Print a text, or write it to a file."""
    if output is None:
        sys.stdout.write(text)
        return
    path = Path(output)
    if path.is_dir() or not path.parent.is_dir():
        raise NotFound(
            f"{path} is a folder" if path.is_dir() else f"there is no folder {path.parent}"
        )
    path.write_text(text, encoding="utf-8")
    print(f"{output} written", file=sys.stderr)
