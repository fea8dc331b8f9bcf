"""Everything retrograd raises, drawn as a tree.

::

    RetrogradError
    ├── CompileError              the compiler refuses a program: file, line, caret, reason, fix
    │   ├── SourceUnavailable     there is no text to read (REPL string, builtin, C function)
    │   ├── UnsupportedSyntax     a construct the compiler does not take
    │   ├── UnsupportedOperation  a call without a rule that an active value reaches
    │   ├── MutationError         a write or an alias that cannot be differentiated exactly
    │   ├── NotDifferentiable     an integer, boolean or text was asked for a gradient
    │   └── InternalError         the compiler itself failed: report it
    ├── RuleError                 a rule is not a differential: grammar, signature, linearity
    ├── SignatureMismatch         a generated function got arguments it was not written for
    ├── GradientMismatch          a gradient disagrees with finite differences
    ├── NonFiniteError            a derivative holds NaN or infinity, under check="nan"
    ├── ConvergenceError          an implicit value was not found: diverged, stalled, singular
    ├── CacheError                the cache folder cannot be used safely
    └── TapeError                 the eager tape refuses (also a RuntimeError)

    TapeWarning                   (a UserWarning) a function runs on the tape, and why

Each is explained, with an example and its cure, in docs/errors.md.
"""

from __future__ import annotations

from typing import NamedTuple, Self

from .cell_names import file_for_people

__all__ = [
    "BackendUnavailable",
    "CacheError",
    "CompileError",
    "ConvergenceError",
    "GradientMismatch",
    "InternalError",
    "MutationError",
    "NonFiniteError",
    "NotDifferentiable",
    "Place",
    "RetrogradError",
    "RuleError",
    "SignatureMismatch",
    "SourceUnavailable",
    "TapeError",
    "TapeWarning",
    "UnsupportedOperation",
    "UnsupportedSyntax",
    "WorkersLost",
]


class Place(NamedTuple):
    """Where in the user's text: enough to print the line and a caret under it."""

    file: str
    line: int
    column: int = 0
    text: str = ""


class RetrogradError(Exception):
    """The root of the tree: ``except RetrogradError`` catches all of it."""


class CompileError(RetrogradError):
    """A program the compiler refuses, and what to write instead.

    >>> place = Place("model.py", 3, 4, "    global total")
    >>> print(CompileError("`global` is not supported", place=place, fix="pass it as an argument"))
    model.py:3:5: `global` is not supported
        global total
        ^
    what to do: pass it as an argument
    """

    raises: type[Exception] | None = None  # what Python raises there, where that is certain
    said: str | None = None  # and what it says, if that is not the reason
    in_turn = False  # each iteration of a loop by itself may do, where its number is known

    def __init__(self, reason: str, *, place: Place | None = None, fix: str = "") -> None:
        self.reason, self.place, self.fix = reason, place, fix
        super().__init__(reason)

    def as_python(self, raises: type[Exception], said: str | None = None) -> Self:
        """The same error, of a program that is certain to fail there when it runs."""
        self.raises, self.said = raises, said
        return self

    def __str__(self) -> str:
        lines = [self.reason]
        if self.place is not None:
            file, line, column, text = self.place
            file = file_for_people(file)
            lines[0] = f"{file}:{line}:{column + 1}: {self.reason}"
            if text.strip():
                indent = len(text) - len(text.lstrip())
                lines += ["    " + text.strip(), "    " + " " * max(column - indent, 0) + "^"]
        if self.fix:
            lines.append(f"what to do: {self.fix}")
        return "\n".join(lines)


class SourceUnavailable(CompileError):
    """There is no source text: a REPL string, a builtin, a C function."""


class UnsupportedSyntax(CompileError):
    """A construct of Python that the compiler does not take."""


class UnsupportedOperation(CompileError):
    """A call without a rule, reached by a value that is being differentiated."""


class AnswerChanged(UnsupportedOperation):
    """A question that was answered while compiling has another answer when it runs."""

    repeats = True  # the call may be made once more, whatever it has done by then


class MutationError(CompileError):
    """A write or an alias that cannot be differentiated exactly."""


class NotDifferentiable(CompileError, TypeError):
    """An integer, a boolean or a text was asked for a gradient."""


class InternalError(CompileError):
    """The compiler itself failed; the exception that it failed with is the cause."""


class RuleError(RetrogradError, TypeError):
    """A rule that is not a differential."""


class SignatureMismatch(RetrogradError, TypeError):
    """A generated function got arguments it was not written for."""


class GradientMismatch(RetrogradError, AssertionError):
    """A gradient disagrees with finite differences."""


class NonFiniteError(RetrogradError, FloatingPointError):
    """A derivative holds NaN or infinity, and ``check="nan"`` was asked for; it says what made it.

    ``place`` is the line of the program, ``phase`` "forward" or "backward", ``statement`` that of the
    derivative's text (its line is ``text_line``), ``operands`` what it read, in words; None and "" where that
    is not known.
    """

    def __init__(
        self,
        message: str,
        *,
        place: Place | None = None,
        phase: str = "",
        statement: str = "",
        text_line: int = 0,
        operands: tuple[tuple[str, str], ...] = (),
    ) -> None:
        super().__init__(message)
        self.place, self.phase, self.statement = place, phase, statement
        self.text_line, self.operands = text_line, operands


class BackendUnavailable(CompileError, RuntimeError):
    """A compiled back end that cannot be used here: no compiler, or a package is missing."""


class ConvergenceError(RetrogradError, ArithmeticError):
    """A fixed point, root or minimum was not found, or a linear system has no single solution."""


class WorkersLost(RetrogradError, RuntimeError):
    """Workers of `rg.distributed` that were lost, or hang, more often than a shard is tried again."""


class CacheError(RetrogradError, OSError):
    """The cache folder cannot be used safely."""


class TapeError(RetrogradError, RuntimeError):
    """The eager tape refuses."""


class TapeWarning(UserWarning):
    """A function the compiler refuses is differentiated on the eager tape."""


class BatchWarning(UserWarning):
    """An operation without a rule for batches is called for one example after the other."""
