"""The generated parts of the documentation, by the name their marker gives."""

from __future__ import annotations

import contextlib
import importlib.util
import sys
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from retrograd.compiler import pipeline
from retrograd.compiler.analyses.activity import Activity
from retrograd.compiler.differentiate.callee_derivatives import Derivatives
from retrograd.compiler.differentiate.residuals.residuals import keep
from retrograd.compiler.differentiate.reverse import Reversed, reverse
from retrograd.compiler.ir.argument_path import Place
from retrograd.compiler.ir.dump import names_in, show, show_block
from retrograd.compiler.ir.operations import Function
from retrograd.compiler.lowering.program import Program
from retrograd.compiler.passes import stages
from retrograd.transforms.signatures.signature_text import parse_signature

from . import draw_house
from .generated_performance import losses as losses
from .generated_reference import command_line as command_line
from .generated_reference import reference as reference
from .generated_text import helper_glossary, readable_functions
from .house import LAW
from .programs.constructs import CONSTRUCTS, GROUPS, Construct

__all__ = ["helper_glossary", "readable_functions"]  # the others stand below

ROOT = Path(__file__).resolve().parent.parent
SIGNATURE = "rate: float, years: int"


def loaded(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def fenced(text: str, language: str = "") -> str:
    return f"```{language}\n{text.strip()}\n```"


# -- architecture.md --------------------------------------------------------------------


def packages() -> str:
    return draw_house.tables()


def law() -> str:
    """Who may import whom, without what follows."""
    lines = ["| package | may import, with all that those may |", "|---|---|"]
    for package, others in LAW.items():
        lines.append(
            f"| `{package}` | {', '.join(f'`{one}`' for one in others) or 'NumPy alone'} |"
        )
    return "\n".join(lines)


def steps() -> str:
    """The way of a function, as a list."""
    return "\n".join(
        f"{k}. **{title}** (`{package}`). {draw_house.about(package)}"
        for k, (title, package) in enumerate(draw_house.WAY, 1)
    )


# -- how_it_works.md --------------------------------------------------------------------


def function(name: str) -> Any:
    return getattr(loaded(ROOT / "docs" / "growth.py"), name)


def lowered(name: str = "growth", signature: str = SIGNATURE) -> tuple[Program, Function]:
    program, made = pipeline.lower(function(name), parse_signature(signature))
    return program, made


def reversed_growth() -> Reversed:
    made = lowered()[1]
    return reverse(made, [made.body.params[0]], Derivatives(), unit=True)


def halves(made: Reversed) -> str:
    forward, backward = show(made.forward), show_block(made.backward, made.forward)
    return fenced(
        f"{forward}\n\nbackward:\n" + "\n".join("    " + line for line in backward.splitlines())
    )


def stage_lowered() -> str:
    return fenced(show(lowered()[1]))


def stage_exit() -> str:
    return fenced(show(lowered("until", "x: float, limit: float")[1]))


def stage_activity() -> str:
    """The values of the dump, by the names it gives them."""
    made = lowered()[1]
    activity, names = Activity(made, [made.body.params[0]]), names_in(made)
    active = [name for v, name in names.items() if activity(v)]
    inactive = [name for v, name in names.items() if not activity(v)]
    return fenced(f"active:   {', '.join(active)}\ninactive: {', '.join(inactive)}")


def stage_reverse() -> str:
    return halves(reversed_growth())


def stage_store() -> str:
    made = reversed_growth()
    keep(made.backward, made.mirrors, made.bars, made.forward.body)
    return halves(made)


def gradient(name: str, signature: str) -> tuple[Program, Function]:
    program, made = lowered(name, signature)
    return program, pipeline.gradient(made, pipeline.Request("grad", (0,)), Derivatives())


def stage_passes() -> str:
    return fenced(show(gradient("growth", SIGNATURE)[1]))


WHEN = {
    "LOWERED": "every function, lowered",
    "MAIN": "the function that is differentiated",
    "CALLEES": "those it calls",
    "DERIVED": "a derivative",
    "INNER": "what a derivative calls",
    "FINAL": "before the text",
}


def passes() -> str:
    """The passes in their order; what one does is said where it runs first."""
    told: set[str] = set()
    lines = ["| when | stage | pass | what it does |", "|---|---|---|---|"]
    for group, when in WHEN.items():
        for stage in getattr(stages, group):
            for one in stage.passes:
                module = sys.modules[getattr(one.rewrite, "func", one.rewrite).__module__]
                about = str(module.__doc__).partition("\n")[0].replace("``", "`")
                about = "" if one.name in told else about
                told.add(one.name)
                level = "" if 1 in one.levels else " (`optimize=2`)"
                lines.append(f"| {when} | {stage.name} | `{one.name}`{level} | {about} |")
                when = ""
    return "\n".join(lines)


def final_text(name: str, signature: str, *more: Any) -> str:
    from retrograd.transforms.api import unwrap
    from retrograd.transforms.specialise.compile import render
    from retrograd.transforms.specialise.steps import Step

    steps = (Step("grad", (Place(0),)), *more)
    text, _, _ = render(function(name), parse_signature(signature), steps, unwrap)
    return fenced(text.text, "py")


def stage_text() -> str:
    return final_text("growth", SIGNATURE)


def exit_text() -> str:
    return final_text("until", "x: float, limit: float")


def batch_text() -> str:
    return of_a_batch("misfit", "rate: f8[n], times: f8[m], seen: f8[n, m]", rate=0, seen=0)


def batch_loop() -> str:
    return of_a_batch("until", "x: f8[n], limit: float", x=0)


def of_a_batch(name: str, signature: str, **axes: int) -> str:
    """The text of the gradient of each example."""
    from retrograd.compiler.ir.batch_axes import Axes
    from retrograd.transforms.specialise.steps import Step

    names = function(name).__code__.co_varnames[: function(name).__code__.co_argcount]
    ins = tuple((one, axes.get(one)) for one in names)
    return final_text(name, signature, Step("vmap", (), batch=Axes(ins)))


# -- supported_python.md ----------------------------------------------------------------


def constructs() -> str:
    """The table of constructs, group by group: what is taken, what is refused and how."""
    return "\n\n".join(part for group in GROUPS for part in section(group))


def section(group: str) -> list[str]:
    rows = [row for row in CONSTRUCTS if row.group == group]
    lines = ["| construct | state | write instead |", "|---|---|---|"]
    lines += [f"| {row.name} | {state(row)} | {instead(row)} |" for row in rows]
    return [f"## {group}", "\n".join(lines), *(example(row) for row in rows)]


def state(row: Construct) -> str:
    if not row.error:
        return "supported"
    return "on the tape" if runs_on_the_tape(row) else f"refused: `{row.error}`"


def instead(row: Construct) -> str:
    return row.instead.replace("|", "\\|")


def example(row: Construct) -> str:
    """The program of a row, and what the compiler says to it."""
    said = refusal(row) if row.error else ""
    return "\n\n".join(
        [f"**{row.name}**", fenced(row.source, "py"), *([fenced(said)] if said else [])]
    )


def refusal(row: Construct) -> str:
    """The error, its file called ``model.py``."""
    import retrograd as rg

    with program(row) as (f, args):
        try:
            rg.differentiate(f, fallback="calls").grad(*args)
        except rg.RetrogradError as error:
            folder = Path(f.__code__.co_filename).parent
            return f"{type(error).__name__}: {error}".replace(f"{folder}/", "")
    return ""


def runs_on_the_tape(row: Construct) -> bool:
    """Whether what is not compiled has its gradient all the same."""
    import retrograd as rg

    with program(row) as (f, args), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            taped = rg.differentiate(f, fallback="tape")
            taped.grad(*args)
            rg.check_grads(taped, args, order=1)
        except (rg.RetrogradError, AttributeError):  # or an error of the program's own
            return False
    return True


@contextlib.contextmanager
def program(row: Construct) -> Iterator[tuple[Any, list[Any]]]:
    """The function of a row, and arguments for it."""
    import numpy as np

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.py"
        path.write_text(f"import numpy as np\n\n{row.source}", encoding="utf-8")
        yield loaded(path).f, [np.array(a) if isinstance(a, list) else a for a in row.args]


# -- rules.md ---------------------------------------------------------------------------


def kinks() -> str:
    """Where a function has no derivative, what is given."""
    import numpy as np

    from .rules.test_kinks import KINKS

    lines = ["| where | gradient | not PyTorch's, because |", "|---|---|---|"]
    for kink in KINKS:
        found = ", ".join(str(np.asarray(g).tolist()) for g in kink.gradients)
        lines.append(f"| `{kink.where}` | {found} | {kink.why} |")
    return "\n".join(lines)


def device_rules() -> str:
    """What becomes of the rule book on the double of CuPy."""
    from tests.device import report  # it reads all samples

    return report.markdown()


def book_counts() -> str:
    from retrograd.runtime.rules import all_rules
    from retrograd.runtime.rules.book import book
    from retrograd.runtime.rules.scipy import registry

    assert all_rules is not None
    registry.load_installed()
    texts = len({rule.differential for rule in book.rules.values()})
    pulls = len({transpose.pull for transpose in book.transposes.values()})
    return (
        f"{texts} rules for {len(book.rules)} operations and helpers, {pulls} transposes, "
        f"{len(book.constants)} operations declared constant (SciPy's included)."
    )


# -- operations.md -----------------------------------------------------------------------


def operations_summary() -> str:
    """The counts of the last probe, retrograd's beside what was measured of the peers."""
    from .operations.outcomes import summary

    return "\n".join(summary())


def operations_rows() -> str:
    """Every row of the list with its outcome, by kind."""
    from .operations.outcomes import sections

    return "\n\n".join(sections())


def operations_notes() -> str:
    """The table of conventions, by note: which operations it is about."""
    from retrograd.runtime.traits.conventions import CONVENTIONS

    about: dict[str, list[str]] = {}
    for name, notes in CONVENTIONS.items():
        for note in notes:
            about.setdefault(note.text, []).append(f"`{name}`{asked(note)}")
    rows = [f"| {', '.join(names)} | {text} |" for text, names in about.items()]
    return "\n".join(["| operations | |", "|---|---|", *rows])


def asked(note: Any) -> str:
    if note.when is None:
        return ""
    name, values = note.when
    return f" (`{name}` is {' or '.join(f'`{v!r}`' for v in values)})"


# -- inline_math.md ----------------------------------------------------------------------


def inline_functions() -> str:
    """Each function with its bounds, and whether a loop that calls it becomes vector code."""
    from retrograd.compiler.native.math.source import BOUNDS, BOUNDS_F, RANGES, called, functions

    rows = [
        "| function | `float64`, ulp | `float32`, ulp | in a loop | range |",
        "|---|---:|---:|---|---|",
    ]
    for name, bound in sorted(BOUNDS.items()):
        foreign = any(one.startswith("libm_") for one in called(functions()[name]))
        size = f"absolute value up to {RANGES[name]:g}" if name in RANGES else "all numbers"
        how = "libm's, called" if foreign else "vector code"
        rows.append(f"| `{name}` | {bound} | {BOUNDS_F[name + 'f']} | {how} | {size} |")
    return "\n".join(rows)
