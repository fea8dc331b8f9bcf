"""Reference pages from docstrings and from the help of the commands, for ``generated_docs``."""

from __future__ import annotations

import argparse
import inspect
import re
import textwrap
from typing import Any

__all__ = ["command_line", "reference"]

# The public names, by what they are for; one that is not listed comes last.
GROUPS = {
    "Gradients": ["grad", "value_and_grad", "differentiate"],
    "Products with the derivative": ["jvp", "vjp", "linearize", "hvp"],
    "Jacobians and Hessians": ["jacobian", "hessian"],
    "Values defined by an equation": [
        "root",
        "fixed_point",
        "argmin",
        "linear_solve",
        "Implicit",
        "Unrolled",
    ],
    "Derivatives of your own": [
        "rule",
        "custom_gradient",
        "finite_differences",
        "on_gradient",
        "stop_gradient",
        "register_container",
    ],
    "Memory": ["checkpointed", "checkpoint"],
    "Checks and errors": [
        "check_grads",
        "set_check",
        "get_check",
        "RetrogradError",
        "GradientMismatch",
    ],
    "Policies of the process": [
        "set_fallback",
        "get_fallback",
        "set_num_threads",
        "get_num_threads",
        "empty_cache",
    ],
}
ELSEWHERE = {"errors", "__version__"}
WIDTH = 88
EXAMPLE = re.compile(r"(?:^>>> .*\n?(?:^(?!\s*$).*\n?)*)", re.MULTILINE)
LITERAL = re.compile(r"::\n\n((?:^(?: {4}.*)?\n)+)", re.MULTILINE)


def reference() -> str:
    """Every public name, with its signature and its docstring."""
    import retrograd as rg

    listed = {name for names in GROUPS.values() for name in names}
    more = [name for name in rg.__all__ if name not in listed | ELSEWHERE]
    groups = {**GROUPS, **({"More": more} if more else {})}
    parts = []
    for title, names in groups.items():
        parts += [f"## {title}", *(entry(f"rg.{name}", getattr(rg, name)) for name in names)]
        if title == "Gradients":
            parts += ["### What a differentiated function has", methods(rg.differentiate(methods))]
    return "\n\n".join(parts)


def entry(name: str, thing: Any) -> str:
    return (
        f"### `{name}`\n\n```py\n{called(name, thing)}\n```\n\n{prose(inspect.getdoc(thing) or '')}"
    )


def called(name: str, thing: Any) -> str:
    """How it is called, in lines that are not too long; an exception is raised, not called."""
    if inspect.isclass(thing) and issubclass(thing, Exception):
        return f"class {name}({thing.__base__.__name__})"
    whole = inspect.signature(thing)
    plain = [p.replace(annotation=p.empty) for p in whole.parameters.values()]
    text = str(inspect.Signature(plain))
    if len(name) + len(text) <= WIDTH:
        return name + text
    return f"{name}(\n{textwrap.fill(text[1:-1], WIDTH - 4, initial_indent='    ', subsequent_indent='    ')}\n)"


def prose(doc: str) -> str:
    """A docstring as Markdown: its examples and literal blocks in fences."""
    text = LITERAL.sub(
        lambda found: f":\n\n```py\n{textwrap.dedent(found[1]).strip()}\n```\n\n", doc + "\n"
    )
    text = EXAMPLE.sub(lambda found: f"```pycon\n{found[0].strip()}\n```\n", text)
    return re.sub(r"(?<!`)``(?!`)", "`", text).strip()


def methods(made: Any) -> str:
    """The methods of a decorated function, as a table."""
    lines = ["| | |", "|---|---|"]
    for name in sorted(vars(type(made))):
        about = inspect.getdoc(getattr(type(made), name))
        if not name.startswith("_") and about:
            first = re.sub(r"\s+", " ", about.partition("\n\n")[0]).replace("``", "`")
            lines.append(f"| `f.{name}` | {first.replace('|', chr(92) + '|')} |")
    return "\n".join(lines)


def command_line() -> str:
    """Every command with what it takes; written here, since Pythons print help differently."""
    from retrograd.cli.main import parser

    top = parser()
    parts = [fenced(top.epilog)]
    for name, one in commands(top).items():
        about = re.sub(r"(?<!\n)\n(?!\n)", " ", (one.description or "").strip())
        parts += [f"## `retrograd {name}`", about, table(one), fenced(one.epilog)]
    return "\n\n".join(part for part in parts if part)


def fenced(text: str | None) -> str:
    return f"```text\n{textwrap.dedent(text).strip()}\n```" if text else ""


def table(one: argparse.ArgumentParser) -> str:
    """The arguments of a command."""
    lines = ["| | |", "|---|---|"]
    for action in one._actions:
        if action.help not in (None, argparse.SUPPRESS) and action.dest != "help":
            about = " ".join((action.help or "").split()).replace("|", "\\|").replace("%%", "%")
            lines.append(f"| `{spelled(action)}` | {about} |")
    return "\n".join(lines) if len(lines) > 2 else ""


def spelled(action: argparse.Action) -> str:
    """An argument as it is typed."""
    choices = "\\|".join(map(str, action.choices)) if action.choices else ""
    value = str(action.metavar or choices or action.dest.upper()) if action.nargs != 0 else ""
    return " ".join(part for part in [", ".join(action.option_strings), value] if part)


def commands(top: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    (subparsers,) = (a for a in top._actions if isinstance(a, argparse._SubParsersAction))
    return dict(subparsers.choices)
