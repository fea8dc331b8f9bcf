"""``retrograd grad``: the readable gradient of a function, printed or written to a file."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
import tempfile
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from .targets import NotFound, Target, resolve, shown

__all__ = ["add"]

ABOUT = """\
Print the Python function that computes the gradient of a function, or write it to a file that can
be committed and imported.  FUNCTION is plain or decorated with @rg.differentiate, whose options
are the defaults here."""
EXAMPLES = """\
examples:
  retrograd grad model.py:loss
  retrograd grad model.py:loss --wrt w,b --value -o loss_grad.py
  retrograd grad package.model:Net.loss --wrt 1
  retrograd grad model.py:fit --wrt "p['w']" --sig "p: {'w': f8[d], 'n': int}, x: f8[n, d]"
  retrograd grad model.py:loss --sig "w: f8[d], x: f8[n, d], y: f8[n]"
  retrograd grad model.py:loss --mode forward
  retrograd grad model.py:loss --device cuda -o loss_grad.py     for arrays of CuPy
  retrograd grad model.py:loss --standalone -o loss_grad.py      needs NumPy only

The file refuses arguments of other types than the signature's; without a signature it takes floats
of every shape.  It says in its first lines how to write it anew; doing so changes nothing until
the function changes.
"""


def add(commands: Any) -> None:
    """Teach the parser this command."""
    made = commands.add_parser(
        "grad", help="print or write the gradient of a function", description=ABOUT,
        epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    made.add_argument(
        "target", metavar="FILE:FUNCTION", help="or module:function, or FILE:Class.method"
    )
    made.add_argument("--wrt", metavar="NAMES", help="the arguments to differentiate, by name, "
                      "path or position, as in w,p['b'] (default: the decorator's, or the first)")  # fmt: skip
    made.add_argument("--mode", choices=("reverse", "forward"), default="reverse",
                      help="gradient, or value and directional derivative")  # fmt: skip
    made.add_argument(
        "--value", action="store_true", help="return the value too (forward mode always does)"
    )
    made.add_argument(
        "--sig", metavar="SIGNATURE", help='types of the arguments: "w: f8[d], x: f8[n, d], k: int"'
    )
    made.add_argument("--device", choices=("cpu", "cuda"), default="cpu", help="cuda: arrays are CuPy's, and the text "
                      "names cupy (also with `cp f8[n]` in a signature)")  # fmt: skip
    made.add_argument("--standalone", action="store_true", help="a text that needs NumPy only: "
                      "the helpers it uses are written into it")  # fmt: skip
    made.add_argument("--optimize", type=int, choices=(1, 2), help="2: a longer text that is faster on "
                      "large arrays (default: the decorator's, or 1)")  # fmt: skip
    made.add_argument("-o", "--output", metavar="OUT", help="write this file instead of printing")
    made.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    target = resolve(options.target)
    if options.output is None:
        sys.stdout.write(text_of(target, options))
        return 0
    path = writable(Path(options.output), target)
    print(f"{options.output} {write(path, text_of(target, options))}", file=sys.stderr)
    return 0


# -- what is asked for ------------------------------------------------------------------


@dataclass(frozen=True)
class Asked:
    """The chain of transformations, the types, and the command that asks for the same again."""

    chain: Any
    types: dict[str, Any]
    command: str


def text_of(target: Target, options: argparse.Namespace) -> str:
    """The module text."""
    from retrograd.compiler.ir.target import compiled_for
    from retrograd.runtime.arrays.libraries import CUPY, NUMPY
    from retrograd.transforms.api import unwrap
    from retrograd.transforms.specialise.expected_arguments import guarded

    from .name_origins import home_of

    asked = asked_for(target, options)
    with compiled_for(CUPY if options.device == "cuda" else NUMPY):
        text = guarded(asked.chain, asked.types, unwrap, asked.command, partial(home_of, target))
    if options.standalone:
        from .standalone import standalone

        if "import on_cupy as rt" in text:
            raise NotFound(
                "the helpers of a text for the device are those of an installed retrograd: leave --standalone out"
            )

        return standalone(text)
    return text


def asked_for(target: Target, options: argparse.Namespace) -> Asked:
    """The derivative that the command line and the decorator ask for; `NotFound` if it cannot be meant."""
    from retrograd.runtime.errors import SignatureMismatch
    from retrograd.transforms.api import chain_of
    from retrograd.transforms.specialise.argument_types import on_device

    try:
        chain = chain_of(target.function)
        check_is_python(target, chain)
        wrt, single = chain.positions(wrt_of(target, options.wrt))
        types = types_of(chain, options.sig)
        types = {n: on_device(t) for n, t in types.items()} if options.device == "cuda" else types
    except SignatureMismatch as error:
        raise NotFound(str(error)) from None
    kind = kind_of(options)
    made = chain.then(kind, wrt, single)
    if options.optimize is not None:
        made = made.changed(optimize=options.optimize, backend="numpy")
    check_kinds(made, types)
    return Asked(made, types, command(target, options, chain, kind, wrt, single))


def check_is_python(target: Target, chain: Any) -> None:
    from retrograd.runtime.errors import SourceUnavailable

    if not hasattr(chain.fn, "__code__"):
        raise SourceUnavailable(
            f"{target.spelled} was not written in Python, so there is no text to differentiate",
            fix=f"call it in a function of yours; `retrograd rules {target.path}` shows its rule",
        )


def kind_of(options: argparse.Namespace) -> str:
    if options.mode == "forward":
        return "jvp"
    return "value_and_grad" if options.value else "grad"


def wrt_of(target: Target, given: str | None) -> Any:
    """``w`` is one, ``w,p['b']`` two, ``w,`` a tuple of one; else the decorator's, else the first."""
    if given is not None:
        from retrograd.runtime.user.type_text import pieces

        names = [int(p) if p.lstrip("-").isdigit() else p for p in pieces(given)]
        if not names:
            raise NotFound("--wrt needs a name")
        return names if "," in given else names[0]
    asked = getattr(target.function, "wrt", None)
    return int(target.is_method) if asked is None else asked


def types_of(chain: Any, given: str | None) -> dict[str, Any]:
    from retrograd.transforms.specialise.argument_types import parse_signature

    described = given if given is not None else chain.sig
    types = parse_signature(described) if described else {}
    chain.check_names(types)
    return types


def check_kinds(asked: Any, types: dict[str, Any]) -> None:
    """An argument that the signature calls an integer has no gradient."""
    from retrograd.transforms.wrt import check_places

    check_places(asked, {name: types.get(name) for name in asked.parameters})


def command(
    target: Target,
    options: argparse.Namespace,
    chain: Any,
    kind: str,
    wrt: tuple[Any, ...],
    single: bool,
) -> str:
    """The command line that writes the same text again."""
    names = ",".join(place.text(chain.parameters) for place in wrt) + (
        "," if len(wrt) == 1 and not single else ""
    )
    words = ["retrograd", "grad", target.spelled, "--wrt", names]
    words += ["--mode", "forward"] if kind == "jvp" else []
    words += ["--value"] if kind == "value_and_grad" else []
    words += ["--sig", options.sig] if options.sig is not None else []
    words += ["--optimize", str(options.optimize)] if options.optimize is not None else []
    words += ["--device", options.device] if options.device != "cpu" else []
    words += ["--standalone"] if options.standalone else []
    output = options.output or f"{chain.name}_{kind}.py"
    return " ".join(map(quoted, [*words, "-o", shown(output)]))


def quoted(word: str) -> str:
    """A word as a shell reads it, a path in double quotes.

    >>> print(quoted("p['w']"), quoted("two words"))
    "p['w']" 'two words'
    """
    plain = "'" in word and not any(letter in word for letter in '"$`!\\')
    return f'"{word}"' if plain else shlex.quote(word)


# -- the file ---------------------------------------------------------------------------


def writable(path: Path, target: Target) -> Path:
    """The file to write; never one that retrograd did not write."""
    if path.is_dir() or not path.parent.is_dir():
        raise NotFound(
            f"{path} is a folder" if path.is_dir() else f"there is no folder {path.parent}"
        )
    if path.exists() and path.stat().st_size and "\nWritten by retrograd " not in head(path):
        raise NotFound(f"{path} was not written by retrograd; remove it, or write another file")
    return path


def head(path: Path) -> str:
    with path.open(encoding="utf-8", errors="replace") as file:
        return file.read(2000)


def write(path: Path, text: str) -> str:
    """Put the text in place in one step; a file that holds it already is left alone."""
    data = text.encode()
    real = path.resolve()
    if real.exists() and real.read_bytes() == data:
        return "is up to date"
    handle, temporary = tempfile.mkstemp(dir=real.parent, prefix=f".{real.name}.", suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(temporary, real.stat().st_mode & 0o777 if real.exists() else 0o666 & ~umask())
        os.replace(temporary, real)
    except BaseException:
        os.unlink(temporary)
        raise
    return "written"


def umask() -> int:
    now = os.umask(0o077)
    os.umask(now)
    return now
