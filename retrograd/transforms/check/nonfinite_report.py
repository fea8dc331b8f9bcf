"""The message of a derivative that is not finite: the run again, the expression that made it, its line."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from retrograd.runtime.arrays.nonfinite import badness, described, first_place
from retrograd.runtime.cell_names import file_for_people
from retrograd.runtime.errors import CompileError, NonFiniteError, Place
from retrograd.runtime.objects.pytree import leaves
from retrograd.runtime.objects.watched_operations import watching

from ..specialise.eager_fallback import eager, eager_vjp
from ..tangents import cotangents, differentiated
from .watched_text import Event, Recorder, watched_text

__all__ = ["explanation", "explanation_of_halves"]


def explanation(
    chain: Any, what: str, bad: Any, args: Sequence[Any], run: Callable[[Any], Any]
) -> NonFiniteError:
    """``run`` calls the function of a text as the first call was made, with copies of its arguments."""
    head = headline(chain, what, bad)

    def find() -> NonFiniteError:
        text = text_of(chain, args)
        if text is None:
            return on_tape(chain, head, args)
        second = Second(text)
        return second.report(chain, head, lambda: run(second.functions[0]))

    return told(head, find)


def explanation_of_halves(
    chain: Any, what: str, bad: Any, args: Sequence[Any], cotangent: Any
) -> NonFiniteError:
    head = headline(chain, what, bad)

    def find() -> NonFiniteError:
        text = text_of(chain, args)
        if text is None:
            return on_tape(chain, head, args, cotangent)
        second = Second(text)

        def run() -> Any:
            forward, backward = second.functions
            *flat, saved = forward(*chain.bound, *args)
            if cotangent is None:
                return flat
            aux = chain.steps[-1].aux
            shape, own = differentiated(second.tree, flat) if aux else (second.tree, flat)
            return backward(saved, *cotangents(shape, cotangent, own))

        return second.report(chain, head, run)

    return told(head, find)


def text_of(chain: Any, args: Sequence[Any]) -> Any:
    """The module that the call ran; None: it ran on the tape."""
    try:
        return None if chain.late is not None else chain.module(chain.types(args))
    except CompileError:
        return None


def told(head: str, find: Callable[[], NonFiniteError]) -> NonFiniteError:
    """What was found; that nothing was, if looking for it failed: the result is not finite in any case."""
    try:
        return find()
    except Exception as error:
        return NonFiniteError(f"{head}\nits line was not found: {type(error).__name__}: {error}")


def headline(chain: Any, what: str, bad: Any) -> str:
    kind = badness(bad)
    place = first_place(bad, kind)
    where = f" at [{', '.join(map(str, place))}]" if place else ""
    count = int(np.sum(~np.isfinite(np.asarray(bad))))
    size = int(np.size(bad))
    many = f" ({count} of {size} entries are not finite)" if size > 1 else ""
    return f"{kind} in {what} of `{chain.fn.__qualname__}`{where}{many}"


class Second:
    """A text that runs once more, watched."""

    def __init__(self, text: Any) -> None:
        from retrograd.compiler.emit.line_origins import placed_statements

        tree = ast.parse(text.text)
        self.lines = text.text.splitlines()
        self.placed = placed_statements(tree, text.definitions)
        self.tree, self.sources = text.tree, list(text.program.sources.values())
        self.recorder = Recorder()
        scope: dict[str, Any] = {
            **text.captured, "see__": self.recorder.see, "into__": self.recorder.into, "__name__": "retrograd_watched",
        }  # fmt: skip
        exec(compile(watched_text(tree, self.recorder), "<a derivative, watched>", "exec"), scope)
        self.functions = [scope[name] for name in text.names]

    def report(self, chain: Any, head: str, run: Callable[[], Any]) -> NonFiniteError:
        try:
            with np.errstate(all="ignore"):
                result = run()
        except Exception as error:
            return self.raised(chain, head, error)
        bad = next((part for part in leaves(result) if badness(part)), None)
        if bad is None:
            return NonFiniteError(
                f"{head}\nrun once more it is finite: it hangs on something else than the arguments"
            )
        made, earlier = self.recorder.origin(bad)
        if made is None and self.recorder.events:
            made = self.recorder.events[0]
        return self.written(chain, head, made, earlier)

    def raised(self, chain: Any, head: str, error: Exception) -> NonFiniteError:
        """Python's floats raise where NumPy's give infinity: the statement that does."""
        frames = []
        trace = error.__traceback__
        while trace is not None:
            if trace.tb_frame.f_code.co_filename == "<a derivative, watched>":
                frames.append(trace.tb_lineno)
            trace = trace.tb_next
        placed = self.statement(frames[-1]) if frames else None
        if placed is None:
            return NonFiniteError(f"{head}\n{type(error).__name__}: {error}")
        what = f"cannot be computed by Python's floats ({type(error).__name__}: {error})"
        return self.message(chain, head, placed, what, ())

    def written(
        self, chain: Any, head: str, made: Event | None, earlier: Event | None
    ) -> NonFiniteError:
        if made is None:
            return NonFiniteError(f"{head}\nit came with an argument, a tangent or a cotangent")
        placed = self.statement(made.spot.line)
        if made.spot.name or placed is None:
            return NonFiniteError(
                f"{head}\nit came with `{made.spot.text}`: {described(made.value)}"
            )
        told = tuple(dict(made.operands).items())
        from_infinity = made.kind == "nan" and any(e.kind == "inf" for e in made.before)
        what = f"makes {made.kind} of {'infinity' if from_infinity else 'finite numbers'}"
        where = "" if whole(made.spot.text, self.lines[placed.first - 1]) else made.spot.text
        found = self.message(chain, head, placed, what, told, where)
        if earlier is not None and earlier is not made:
            before = self.statement(earlier.spot.line)
            if before is not None and not earlier.spot.name:
                place, phase = self.place(before), phase_of(chain, before)
                line = f"{spelled(place)}: {place.text.strip()}" if place else self.code(before)
                found.args = (
                    f"{found.args[0]}\nthe infinity was made by `{earlier.spot.text}` in the {phase} pass, {line}",
                )
        return found

    def message(
        self,
        chain: Any,
        head: str,
        placed: Any,
        what: str,
        told: tuple[tuple[str, str], ...],
        part: str = "",
    ) -> NonFiniteError:
        place, phase = self.place(placed), phase_of(chain, placed)
        statement = self.code(placed)
        lines = [head]
        if place is not None:
            role = "the derivative of" if placed.origin.made else "in the computation of"
            lines += [f"{spelled(place)}: {phase} pass, {role}", f"    {place.text.strip()}"]
        else:
            lines += [f"in the {phase} pass"]
        lines += [f"{what}, in line {placed.first} of the derivative's text:", f"    {statement}"]
        lines += [f"there: {part}"] if part else []
        width = max((len(name) for name, _ in told), default=0)
        lines += [f"    {name.ljust(width)}  {text}" for name, text in told]
        return NonFiniteError(
            "\n".join(lines), place=place, phase=phase, statement=statement, text_line=placed.first, operands=told,
        )  # fmt: skip

    def statement(self, line: int) -> Any:
        """The innermost statement of the text at a line."""
        found = [p for p in self.placed if p.first <= line <= max(p.last, p.first)]
        return found[-1] if found else None

    def code(self, placed: Any) -> str:
        lines = self.lines[placed.first - 1 : placed.last]
        return " ".join(line.split("  #")[0].strip() for line in lines)

    def place(self, placed: Any) -> Place | None:
        from retrograd.compiler.emit.line_origins import places

        if placed.origin is None:
            return None
        source, line = next(places(placed.origin, self.sources), (None, 0))
        return Place(source.file, line, 0, source.line_text(line)) if source is not None else None


def whole(text: str, line: str) -> bool:
    """True if an expression is all that its statement computes."""
    try:
        tree = ast.parse(line.strip()).body[0]
    except (SyntaxError, IndexError):
        return False
    return ast.unparse(tree) == text or text == ast.unparse(getattr(tree, "value", None) or tree)


def spelled(place: Place) -> str:
    return f"{file_for_people(place.file)}:{place.line}"


def phase_of(chain: Any, placed: Any) -> str:
    made = placed.origin is not None and placed.origin.made
    if not made:
        return "forward"
    return "tangent" if chain.steps[-1].kind in ("jvp", "tangent") else "backward"


def on_tape(chain: Any, head: str, args: Sequence[Any], cotangent: Any = None) -> NonFiniteError:
    """The same of a function that runs on the tape as a whole."""
    from retrograd.runtime.tape.box import raw

    with watching(raw) as seen, np.errstate(all="ignore"):
        try:
            if chain.steps[-1].kind == "vjp":
                base = chain.changed(steps=chain.steps[:-1])
                _, pull = eager_vjp(base, chain.steps[-1].wrt, args, chain.steps[-1].aux)
                if cotangent is not None:
                    pull(cotangent)
            else:
                eager(chain)(*args)
        except ArithmeticError:
            pass
    found = seen.first()
    if found is None:
        return NonFiniteError(f"{head}\nrun once more, no operation makes it of finite numbers")
    place = Place(found.file, found.line, 0, linecache.getline(found.file, found.line).rstrip("\n"))
    role = "the derivative of" if found.phase == "backward" else "in the computation of"
    lines = [head]
    if found.file:
        lines += [f"{spelled(place)}: {found.phase} pass, {role}", f"    {place.text.strip()}"]
    lines += [f"{found.name} makes {found.kind}; it runs on the tape"]
    width = max((len(name) for name, _ in found.operands), default=0)
    lines += [f"    {name.ljust(width)}  {text}" for name, text in found.operands]
    return NonFiniteError(
        "\n".join(lines),
        place=place if found.file else None,
        phase=found.phase,
        operands=tuple(found.operands),
    )
