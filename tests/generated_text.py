"""The generated parts of the pages about the emitted text: how long it is, and the words of `rt`."""

from __future__ import annotations

import inspect
import math
import re
from importlib import import_module

from retrograd.runtime.helper_index import FAMILIES

__all__ = ["helper_glossary", "readable_functions"]


def readable_functions() -> str:
    """The lines of twenty gradients, ours over those that a person would write."""
    from .readable.table import functions

    rows = ["| function | by hand | ours | ratio |", "|---|---:|---:|---:|"]
    ratios = []
    for function in functions():
        hand, ours, _ = function.lines
        ratios.append(ours / hand)
        rows.append(f"| `{function.name}` | {hand} | {ours} | {ours / hand:.2f} |")
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    rows.append(f"| geometric mean | | | {mean:.2f} |")
    return "\n".join(rows)


def helper_glossary() -> str:
    """Every helper by the module it lives in, with its arguments and what its docstring says first."""
    parts = []
    for family, names in FAMILIES.items():
        module = import_module(f"retrograd.runtime.{family}")
        title = first_sentence(module.__doc__ or "").removesuffix(".")
        rows = [entry(name, getattr(module, name)) for name in names.split()]
        table = ["| helper | |", "|---|---|", *rows]
        parts.append(f"## {title}\n\n`retrograd.runtime.{family}`\n\n" + "\n".join(table))
    return "\n\n".join(parts)


def entry(name: str, helper: object) -> str:
    told = inspect.cleandoc(helper.__doc__ or "").partition("\n\n")[0]
    told = re.sub(r"``", "`", " ".join(told.split())).replace("|", "\\|")
    return f"| `rt.{name}{arguments(helper)}` | {told} |"


def arguments(helper: object) -> str:
    try:
        known = inspect.signature(helper).parameters.values()  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return ""
    stars = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    plain = [stars.get(p.kind, "") + p.name + ("" if p.default is p.empty else "=") for p in known]
    return f"({', '.join(plain)})"


def first_sentence(text: str) -> str:
    return re.sub(r"``", "`", " ".join(text.partition("\n\n")[0].split()))
