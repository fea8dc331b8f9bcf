"""Compile text to a code object, with sealed bytecode kept beside cached files.

The seal names the text by its checksum, and the interpreter and file the bytecode is for:
bytecode that was edited, or belongs to an older text, is compiled again and never run.
"""

from __future__ import annotations

import marshal
import sys
from contextlib import suppress
from pathlib import Path
from types import CodeType

from . import entries, private_files

__all__ = ["beside", "compiled"]


def compiled(text: str, filename: str, line: int = 1, *, keep: bool = False) -> CodeType:
    """The code of `text`, which begins at `line` of its file; `keep`: with bytecode beside it.

    >>> compiled("x = 6 * 7", "<example>", 12).co_filename
    '<example>'
    """
    path = beside(Path(filename)) if keep else None
    if path is None:
        return _compile(text, filename, line)
    label = _label(text, filename, line)
    data = private_files.read(path)
    body = None if data is None else entries.unseal(label, data)
    if body is not None:
        code: CodeType = marshal.loads(body)
        return code
    code = _compile(text, filename, line)
    with suppress(OSError):  # only speed is lost
        private_files.write(path, entries.seal(label, marshal.dumps(code)))
    return code


def _compile(text: str, filename: str, line: int) -> CodeType:
    code: CodeType = compile("\n" * (line - 1) + text, filename, "exec", dont_inherit=True)
    return code


def beside(path: Path) -> Path | None:
    """Where the bytecode of `path` is kept; None for an interpreter that keeps none."""
    tag = sys.implementation.cache_tag
    if tag is None or sys.dont_write_bytecode:
        return None
    return path.with_suffix(f".{tag}-{sys.flags.optimize}.pyc")


def _label(text: str, filename: str, line: int) -> str:
    from hashlib import sha256
    from importlib.util import MAGIC_NUMBER

    about = f"{filename}\0{line}\0{text}".encode(errors="surrogatepass")
    return f"bytecode {MAGIC_NUMBER.hex()} {sha256(about).hexdigest()}"
