"""``--language c``: a derivative as a C99 file and its header, for programs without Python."""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import Any

from .targets import NotFound
from .written_files import writable, write

__all__ = ["add", "c_text", "checked", "written"]

NAMES = {
    ("grad",): ("grad",), ("value_and_grad",): ("value", "grad"), ("jvp",): ("value", "value_dot"),
    ("cotangent",): ("bar",), ("pull",): ("value", "bar"), ("jacobian",): ("jacobian",),
    ("grad", "tangent"): ("hvp",), ("grad", "jacobian"): ("hessian",),
}  # fmt: skip


def add(made: Any) -> None:
    made.add_argument("--language", choices=("python", "c"), default="python", help="c: a C99 file and its header, "
                      "which need neither Python nor anything else but libm (with types for all arguments)")  # fmt: skip


def checked(options: argparse.Namespace, asked: list[Any]) -> Any:
    """The derivative, if it is one and no other option contradicts."""
    if len(asked) != 1:
        raise NotFound("a C file holds one derivative: name one function and one mode")
    if options.device != "cpu" or options.standalone:
        raise NotFound("--language c goes without --device and --standalone")
    if options.output is not None and Path(options.output).suffix != ".c":
        raise NotFound(f"-o {options.output}: the name of a C file ends in .c")
    return asked[0]


def files(asked: Any, text: str) -> Any:
    """The C of a derivative whose Python is ``text``."""
    from retrograd.compiler.native.c_source.entry import c_files
    from retrograd.compiler.native.refusal import Unsupported
    from retrograd.runtime.errors import UnsupportedOperation

    stem = Path(asked.options.output).stem if asked.options.output else asked.function
    try:
        return c_files(text, asked.function, outputs(asked), stem, type_of)
    except Unsupported as error:
        raise UnsupportedOperation(told(asked, text, error), fix=cure(error)) from None


def type_of(kind: str) -> Any:
    """The type that a guard's words mean."""
    from retrograd.runtime.errors import SignatureMismatch
    from retrograd.transforms.signatures.signature_text import parse_signature

    try:
        return parse_signature(f"x: {kind}")["x"]
    except SignatureMismatch:
        return None


def told(asked: Any, text: str, error: Any) -> str:
    """What C cannot say, and where it stands."""
    what = (
        f"argument `{error.name}` of {asked.function}: {error.reason}"
        if error.name
        else error.reason
    )
    told = f"{asked.target.spelled}: {asked.function} cannot be written in C: {what}"
    if error.lines:
        line = text.splitlines()[error.lines[-1] - 1]
        told += f"\nin the derivative's statement\n    {line.strip()}"
    return told


def cure(error: Any) -> str:
    if error.name:
        return 'give every argument a type, as in --sig "w: f8[3], x: f8[n, 3]"; docs/c.md says what C takes'
    return "docs/c.md says what C takes; `--standalone` writes Python that needs NumPy only"


def outputs(asked: Any) -> Any:
    """The names of the results, as they are nested; those of a batch have one more axis."""
    steps = [step for step in asked.chain.steps if step.kind != "vmap"]
    first, *rest = NAMES[tuple(step.kind for step in steps)]
    places = [word(place.text(asked.chain.parameters)) for place in steps[0].wrt]
    if first == "value" and rest == ["value_dot"]:
        return ["value", "value_dot"]
    last = rest[0] if rest else first
    inner: Any = [f"{place}_bar" if last == "bar" else f"{last}_{place}" for place in places]
    if steps[0].single:
        inner = inner[0]
    return [first, inner] if rest else inner


def word(place: str) -> str:
    """The path of an argument as a word.

    >>> word("p['w']")
    'p_w'
    """
    return re.sub(r"\W+", "_", place).strip("_")


def c_text(asked: Any, text: str) -> str:
    """The C file as a text."""
    return str(files(asked, text).source)


def written(asked: Any, text: str, output: str) -> list[str]:
    """Write the file and its header; what was done."""
    made = files(asked, text)
    source, header = Path(output), Path(output).with_suffix(".h")
    for path in (source, header):
        writable(path)
    return [
        f"{path} {write(path, one)}" for path, one in ((header, made.header), (source, made.source))
    ]
