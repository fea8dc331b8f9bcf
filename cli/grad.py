"""``retrograd grad``: readable derivatives of functions, printed or written to a file."""

from __future__ import annotations

import argparse
import functools
import shlex
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from . import c_language
from .modes import MODES, OTHER_NAMES, batched, chosen, derived
from .targets import NotFound, Target, resolve, shown
from .terminal.colours import has_colour, python_in_colour
from .texts.joined_texts import Piece, joined
from .written_files import writable, write

__all__ = ["add", "text_of", "types_of", "wrt_of"]

ABOUT = """\
Print the Python function that computes the gradient of a function, or write it to a file that can
be committed and imported.  FUNCTION is plain or decorated with @rg.differentiate, whose options
are the defaults here.  Several functions, and several modes, make one file."""
EXAMPLES = """\
examples:
  retrograd grad model.py:loss
  retrograd grad model.py:loss --wrt w,b --value -o loss_grad.py
  retrograd grad package.model:Net.loss --wrt w
  retrograd grad model.py:residual --mode jacobian -o residual_jacobian.py     for least_squares
  retrograd grad model.py:loss --mode grad,hessian,hvp -o loss_derivatives.py  for minimize
  retrograd grad model.py:loss model.py:penalty -o gradients.py
  retrograd grad model.py:fit --wrt "p['w']" --sig "p: {'w': f8[d], 'n': int}, x: f8[n, d]"
  retrograd grad model.py:loss --sig "w: f8[d], x: f8[n, d], y: f8[n]"
  retrograd grad model.py:loss --example "loss(np.zeros(3), x, y)"
  retrograd grad model.py:loss --run "train.py --quick" -o loss_grad.py
  retrograd grad model.py:loss --batch x,y -o loss_each.py       the gradient of each example
  retrograd grad model.py:loss --device cuda -o loss_grad.py     for arrays of CuPy
  retrograd grad model.py:loss --standalone -o loss_grad.py      needs NumPy only

modes:
MODES
  reverse is another name of grad, forward of jvp.

Types are those of --sig; what it leaves open is taken from annotations, then from calls (--example,
--run, or the docstring's), then from defaults, and is written into the file as --sig.  The file
refuses arguments of other types; where nothing says a type it takes floats of every shape that the
function leaves possible.  It says in its first lines how to write it anew; doing so changes nothing
until the function changes.
"""
TABLE = "\n".join(f"  {name:<15} f_{mode.suffix}: {mode.about}" for name, mode in MODES.items())


def add(commands: Any) -> None:
    """Teach the parser this command."""
    made = commands.add_parser(
        "grad", help="print or write the derivatives of functions", description=ABOUT,
        epilog=EXAMPLES.replace("MODES", TABLE), formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    add_derivative(made)
    add_types(made)
    add_text(made)
    c_language.add(made)
    made.add_argument("-o", "--output", metavar="OUT", help="write this file instead of printing")
    made.set_defaults(run=run)


def add_derivative(made: Any) -> None:
    """Of what, by what, and which derivative."""
    made.add_argument(
        "target", metavar="FILE:FUNCTION", nargs="+",
        help="or module:function, or FILE:Class.method",
    )  # fmt: skip
    made.add_argument("--wrt", metavar="NAMES", help="the arguments to differentiate, by name, "
                      "path or position, as in w,p['b'] (default: the decorator's, or the first)")  # fmt: skip
    made.add_argument("--mode", type=chosen, default=("grad",), metavar="MODES",
                      help=f"{', '.join([*MODES, *OTHER_NAMES])}; several with commas (default: grad)")  # fmt: skip
    made.add_argument("--batch", metavar="NAMES", help="the arguments that have an axis of examples in front, or at "
                      "another place: x,y or x:1,y (as rg.vmap): the derivative of each example")  # fmt: skip
    made.add_argument("--value", action="store_true", help="return the value too (jvp always does)")
    made.add_argument("--name", help="the name of the function (default: as in loss_grad)")


def add_types(made: Any) -> None:
    """What is known of the arguments."""
    made.add_argument(
        "--sig", metavar="SIGNATURE", help='types of the arguments: "w: f8[d], x: f8[n, d], k: int"'
    )
    made.add_argument("--example", action="append", metavar="CALL", default=[], help="a call of the function, "
                      "for the types of its arguments: \"loss(np.zeros(3), x, y)\"")  # fmt: skip
    made.add_argument("--run", dest="script", metavar="SCRIPT", help="run this script, as in \"train.py --quick\", for the "
                      "types of the arguments that it calls the function with")  # fmt: skip


def add_text(made: Any) -> None:
    """The kind of text."""
    made.add_argument("--device", choices=("cpu", "cuda"), default="cpu", help="cuda: arrays are CuPy's, and the text "
                      "names cupy (also with `cp f8[n]` in a signature)")  # fmt: skip
    made.add_argument("--standalone", action="store_true", help="a text that needs NumPy only: "
                      "the helpers it uses are written into it")  # fmt: skip
    made.add_argument(
        "--no-checks", action="store_true", help="a text that does not check its arguments"
    )
    made.add_argument("--optimize", type=int, choices=(1, 2), help="2: a longer text that is faster on "
                      "large arrays (default: the decorator's, or 1)")  # fmt: skip


def run(options: argparse.Namespace) -> int:
    if options.language == "c" and options.output is not None:
        asked = c_language.checked(options, [*all_asked(options)])
        text = piece_of(asked, command_for(options, [asked])).text
        print("\n".join(c_language.written(asked, text, options.output)), file=sys.stderr)
        return 0
    if options.output is None:
        text = text_of([options])
        sys.stdout.write(python_in_colour(text) if has_colour(sys.stdout) else text)
        return 0
    path = writable(Path(options.output))
    print(f"{options.output} {write(path, text_of([options]))}", file=sys.stderr)
    return 0


# -- what is asked for ------------------------------------------------------------------


@dataclass(frozen=True)
class Asked:
    """A derivative: the chain of transformations, the types, and the name of its function."""

    target: Target
    mode: str
    chain: Any
    types: dict[str, Any]
    wrt: str
    name: str
    options: argparse.Namespace
    sig: str | None = None  # with what was found out

    @property
    def function(self) -> str:
        return self.name or f"{bare(self.target)}_{suffix(self.mode, self.options.value)}"


def asked_for(
    target: Target, mode: str, options: argparse.Namespace, several: bool = False
) -> Asked:
    """A derivative that the command line and the decorator ask for; `NotFound` if it cannot be meant."""
    from retrograd.runtime.errors import SignatureMismatch
    from retrograd.transforms.api import chain_of
    from retrograd.transforms.signatures.found import found_types
    from retrograd.transforms.signatures.signature_text import on_device

    from .seen_calls import seen_calls

    try:
        chain = chain_of(target.function)
        check_is_python(target, chain)
        wrt, single = chain.positions(wrt_of(target, options.wrt))
        made = derived(chain, mode, options.value, wrt, single)
        made = made if options.batch is None else batched(made, options.batch)
        given = own_part(options.sig, chain) if several else options.sig
        found = found_types(made, given, seen_calls(target, made, options), "--sig")
        types = with_objects(found.types, chain, target)
        types = {n: on_device(t) for n, t in types.items()} if options.device == "cuda" else types
    except SignatureMismatch as error:
        raise NotFound(str(error)) from None
    if options.name is not None and not (options.name.isidentifier() and len(options.mode) == 1):
        raise NotFound(f"--name {options.name}: one name, of one derivative")
    if options.optimize is not None:
        made = made.changed(optimize=options.optimize, backend="numpy")
    check_kinds(made, types)
    check_batch(made, types, options.batch)
    names = ",".join(place.text(chain.parameters) for place in wrt)
    names += "," if len(wrt) == 1 and not single else ""
    usual = len(MODES[mode].steps) == 1
    name = options.name or ("" if usual else f"{bare(target)}_{mode}")
    if options.batch is not None and not options.name:
        name = f"{bare(target)}_{suffix(mode, options.value)}_vmap"
    return Asked(target, mode, made, types, names, name, options, found.text or given)


def check_is_python(target: Target, chain: Any) -> None:
    from retrograd.runtime.errors import SourceUnavailable

    if not hasattr(chain.fn, "__code__"):
        raise SourceUnavailable(
            f"{target.spelled} was not written in Python, so there is no text to differentiate",
            fix=f"call it in a function of yours; `retrograd rules {target.path}` shows its rule",
        )


def wrt_of(target: Target, given: str | None) -> Any:
    """``w`` is one, ``w,p['b']`` two, ``w,`` a tuple of one; else the decorator's, else the first."""
    if given is not None:
        from retrograd.runtime.user.type_text import pieces

        names = [int(p) if p.lstrip("-").isdigit() else p for p in pieces(given)]
        if not names:
            raise NotFound("--wrt needs a name")
        return names if "," in given else names[0]
    asked = getattr(target.function, "wrt", None)
    return int(target.owner is not None) if asked is None else asked


def types_of(asked: Any, given: str | None, target: Target | None = None) -> dict[str, Any]:
    """The types that a signature and the function itself say."""
    from retrograd.transforms.signatures.found import found_types

    return with_objects(found_types(asked, given, words="--sig").types, asked, target)


def with_objects(types: dict[str, Any], chain: Any, target: Target | None) -> dict[str, Any]:
    """The types, with those of bound arguments, and of an object of which nothing else is known."""
    known: dict[str, Any] = chain.bound_types() | types
    if target is not None and target.owner is not None:
        from .texts.methods import object_type

        first = chain.parameters[0]
        if known.get(first) is None:
            known[first] = object_type(target.owner)
    return known


def own_part(sig: str | None, chain: Any) -> str | None:
    """What a signature for several functions says of the arguments of one."""
    return sig and ", ".join(p for name, p in entries(sig).items() if name in chain.parameters)


def entries(sig: str) -> dict[str, str]:
    """``x: f8[n]`` by the name of the argument."""
    from retrograd.runtime.user.type_text import pieces

    return {piece.partition(":")[0].strip(): piece for piece in pieces(sig)}


def check_kinds(asked: Any, types: dict[str, Any]) -> None:
    """An argument that the signature calls an integer has no gradient."""
    from retrograd.transforms.wrt import check_places

    check_places(asked, {name: types.get(name) for name in asked.parameters})


def check_batch(asked: Any, types: dict[str, Any], names: str | None) -> None:
    """An argument of a batch has the axis of examples that is named."""
    from retrograd.compiler.ir.batch_axes import of_one_example
    from retrograd.runtime.errors import SignatureMismatch

    try:
        if all(types.get(name) is not None for name in asked.parameters):
            of_one_example(types, asked.steps)
    except SignatureMismatch as error:
        raise NotFound(f"--batch {names}: {error}") from None


def bare(target: Target) -> str:
    """The name of the function, as the names of its derivatives begin."""
    from retrograd.transforms.api import chain_of

    return str(chain_of(target.function).name).strip("_")


def suffix(mode: str, value: bool) -> str:
    return "value_and_grad" if value and mode == "grad" else MODES[mode].suffix


# -- the text ---------------------------------------------------------------------------


def text_of(requests: list[argparse.Namespace], command: str = "") -> str:
    """The module text of all that is asked for; ``command`` writes it anew, if not the usual one."""
    asked = named_apart([a for options in requests for a in all_asked(options)])
    command = command or command_for(requests[0], asked)
    if requests[0].language == "c":
        one = c_language.checked(requests[0], asked)
        return c_language.c_text(one, piece_of(one, command).text)
    pieces = [piece_of(a, command) for a in asked]
    text = pieces[0].text if len(pieces) == 1 else joint_text(pieces, command)
    return finished(text, requests[0], pieces)


def all_asked(options: argparse.Namespace) -> Iterator[Asked]:
    """Every mode of every function."""
    targets = [resolve(text) for text in dict.fromkeys(options.target)]
    if len(targets) > 1 and options.sig is not None:
        check_signature(targets, options.sig)
    for target in targets:
        for mode in options.mode:
            yield asked_for(target, mode, options, len(targets) > 1)


def check_signature(targets: list[Target], sig: str) -> None:
    """What a signature names is an argument of one of the functions."""
    from retrograd.transforms.api import chain_of
    from retrograd.transforms.signatures.signature_text import parse_signature

    own = {name for target in targets for name in chain_of(target.function).parameters}
    for name in parse_signature(sig):
        if name not in own:
            raise NotFound(f"no function here has an argument `{name}`")


def named_apart(asked: list[Asked]) -> list[Asked]:
    """Those of functions of one name with the name of the class or the module before it."""
    names = [a.function for a in asked]
    made = [
        replace(a, name=f"{whose(a.target)}_{a.function}") if names.count(a.function) > 1 else a
        for a in asked
    ]
    names = [a.function for a in made]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise NotFound(f"two derivatives are called {twice}: give one of them another `name`")
    return made


def whose(target: Target) -> str:
    owner, _, _ = target.path.rpartition(".")
    return (owner or target.module.rpartition(".")[2]).replace(".", "_")


def piece_of(asked: Asked, command: str) -> Piece:
    """The text of one derivative."""
    from retrograd.compiler.ir.target import compiled_for
    from retrograd.runtime.arrays.libraries import CUPY, NUMPY
    from retrograd.transforms.api import unwrap
    from retrograd.transforms.specialise.expected_arguments import written
    from retrograd.transforms.specialise.read_record import record_of

    from .name_origins import home_of
    from .specialised.arguments import argument_kinds

    read: list[Any] = []
    with compiled_for(CUPY if asked.options.device == "cuda" else NUMPY):
        made = written(
            asked.chain, asked.types, unwrap, command, partial(home_of, asked.target), asked.name,
            read.append,
        )  # fmt: skip
    checked = "@rt.expects(" in str(made.text)
    known = argument_kinds(made.definitions, checked) if asked.options.standalone else {}
    return Piece(str(made.text), asked.function, record_of(read[-1]), known)


def joint_text(pieces: list[Piece], command: str) -> str:
    from retrograd.version import version

    record = functools.reduce(lambda a, b: a.joined(b), [piece.record for piece in pieces])
    return joined(pieces, version, record.text(), command)


def finished(text: str, options: argparse.Namespace, pieces: list[Piece]) -> str:
    """The text with its helpers, if it is to stand alone, and with the checks that it is to have."""
    from .specialised.arguments import merged
    from .standalone import standalone
    from .texts.plain_containers import has_plain_only
    from .texts.short_guards import with_short_guard, without_guard

    if not options.standalone:
        return without_guard(text) if options.no_checks else text
    if "import on_cupy as rt" in text:
        raise NotFound(
            "the helpers of a text for the device are those of an installed retrograd: leave --standalone out"
        )
    if options.no_checks:  # nobody sees to it that the arguments are what they are said to be
        return standalone(without_guard(text))
    known = merged([piece.known for piece in pieces])
    return standalone(with_short_guard(text), has_plain_only(text), known)


# -- the command ------------------------------------------------------------------------


def command_for(options: argparse.Namespace, asked: list[Asked]) -> str:
    """The command line that writes the same text again."""
    wrt = list(dict.fromkeys(a.wrt for a in asked))
    places = list(dict.fromkeys(a.target.spelled for a in asked))
    words = ["retrograd", "grad", *places]
    words += ["--wrt", wrt[0]] if len(wrt) == 1 else []
    words += mode_words(options)
    words += ["--batch", options.batch] if options.batch is not None else []
    words += ["--value"] if options.value else []
    words += ["--name", options.name] if options.name is not None else []
    sig = signature_of(asked, options)
    words += ["--sig", sig] if sig is not None else []
    words += ["--optimize", str(options.optimize)] if options.optimize is not None else []
    words += ["--device", options.device] if options.device != "cpu" else []
    words += ["--standalone"] if options.standalone else []
    words += ["--no-checks"] if options.no_checks else []
    words += ["--language", "c"] if options.language == "c" else []
    ending = "c" if options.language == "c" else "py"
    usual = f"{asked[0].function}.{ending}" if len(asked) == 1 else "derivatives.py"
    return " ".join(map(quoted, [*words, "-o", shown(options.output or usual)]))


def signature_of(asked: list[Asked], options: argparse.Namespace) -> str | None:
    """The types of all functions, unless two of them say different ones of a name."""
    found: dict[str, str] = {}
    for one in asked:
        for name, entry in entries(one.sig or "").items():
            if found.setdefault(name, entry) != entry:
                return options.sig  # type: ignore[no-any-return]
    return ", ".join(found.values()) or options.sig


def mode_words(options: argparse.Namespace) -> list[str]:
    if options.mode == ("grad",):
        return []
    return ["--mode", "forward" if options.mode == ("jvp",) else ",".join(options.mode)]


def quoted(word: str) -> str:
    """A word as a shell reads it, a path in double quotes.

    >>> print(quoted("p['w']"), quoted("two words"))
    "p['w']" 'two words'
    """
    plain = "'" in word and not any(letter in word for letter in '"$`!\\')
    return f'"{word}"' if plain else shlex.quote(word)
