"""The record of an operation, known and unknown: the end of ``retrograd rules NAME``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .texts.operation_names import spelled

__all__ = ["answers", "lacking", "record_of"]

ENTRIES = ("elementwise", "moves", "reduces", "along", "identity", "reads", "fills")
# Questions that every operation answers, or leaves open; and what is done where nothing is known.
OPEN = {
    "memory": "it is taken for what may show any argument",
    "entries": "an entry of the result is taken to hang on all entries of the arguments",
    "infinite": "it is taken for finite where its arguments are",
    "shape": "the result is taken to have the common shape of the arguments",
    "directions": "derivatives along many directions run one by one",
    "batches": "it is called for one example after the other",
    "kernel": "a compiled kernel ends before it, and NumPy is called",
}
# How an operation is called on a batch, by the word of its record.
ON_BATCHES = {
    "kind": "the same for all examples",
    "entries": "element by element",
    "leading": "called once, as a stack",
    "wide": "called once, as a stack of arrays that all have the examples",
    "last": "called once, along axes of the examples",
    "all": "called once, along axes of the examples, all of them if none is named",
    "flat": "called once, along an axis of the examples, their entries in one row if none is named",
}


def record_of(operation: Any) -> Iterator[str]:
    """The record of an operation, line by line, and what is unknown."""
    known = dict(answers(operation))
    width = max(map(len, known))
    yield from (f"# {name:<{width}}  {value}" for name, value in known.items() if value)
    for name, instead in OPEN.items():
        if not known[name]:
            yield f"# {name:<{width}}  unknown: {instead}"


def lacking(operations: list[Any]) -> dict[str, list[Any]]:
    """The operations that leave each question open."""
    found: dict[str, list[Any]] = {name: [] for name in OPEN}
    for operation in operations:
        known = dict(answers(operation))
        for name in OPEN:
            found[name] += [] if known[name] else [operation]
    return found


def answers(operation: Any) -> Iterator[tuple[str, str]]:
    """The answer to every question; nothing where it is open."""
    from retrograd.runtime.rules.traits import TRAITS
    from retrograd.runtime.traits.conventions import notes_of
    from retrograd.runtime.traits.lookup import traits_of

    known = traits_of(operation)
    facts = {name: value for name in TRAITS if (value := getattr(known, name)) is not None}
    yield "memory", memory(facts)
    facts |= {"ufunc": None} if known.ufunc is operation else {}
    yield "entries", entries(operation, facts)
    yield "linear in", linear(operation)
    yield "infinite", facts.pop("infinite", "")
    yield "shape", shape(operation)
    yield "directions", directions(operation, known)
    yield "batches", batches(operation, facts.pop("batch", ""))
    yield "kernel", kernel(operation)
    for note in notes_of(operation):
        yield note.kind, note.text
    yield from ((name, said(value)) for name, value in facts.items() if value is not None)


def memory(facts: dict[str, Any]) -> str:
    conditions = {"new_if": "new", "view_if": "a view", "itself_if": "the argument itself"}
    told = [f"{text} if {facts.pop(key)}" for key, text in conditions.items() if key in facts]
    return ", ".join([*([facts.pop("memory")] if "memory" in facts else []), *told])


def entries(operation: Any, facts: dict[str, Any]) -> str:
    """The source of an entry of the result."""
    from retrograd.compiler.analyses.sparsity import jacobian_pattern
    from retrograd.compiler.analyses.sparsity.operation_patterns import FORMS

    assert jacobian_pattern is not None  # its forms are registered
    told = [spoken(name, facts.pop(name)) for name in ENTRIES if facts.get(name)]
    return ", ".join(told or ["a pattern of its own"] * (operation in FORMS))


def spoken(name: str, value: Any) -> str:
    return name if value is True else f"{name} {said(value)}"


def said(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value) if isinstance(value, (str, int)) else spelled(value)


def linear(operation: Any) -> str:
    """The arguments on which no slope hangs; of products, each by itself."""
    from retrograd.runtime.traits.linearity import linear_in

    together = linear_in(operation)
    alone = linear_in(operation, together=False)
    if together:
        return ", ".join(together)
    return ", ".join(alone) + " (each alone)" * (len(alone) > 1)


def shape(operation: Any) -> str:
    """Where the type of a result comes from."""
    from retrograd.compiler.analyses.shapes import register_all, scipy
    from retrograd.compiler.analyses.shapes.table import SHAPES
    from retrograd.runtime.traits.lookup import traits_of

    assert register_all is not None  # every shape function is registered
    scipy.enter()
    known = traits_of(operation)
    if operation in SHAPES or known.ufunc is operation:
        return "a function of the types of the arguments"
    return "the common shape of the arguments" if known.elementwise else ""


def directions(operation: Any, known: Any) -> str:
    """How a derivative along many directions calls the operation."""
    from retrograd.compiler.differentiate.batching import batch
    from retrograd.compiler.differentiate.batching.operation_rules import FORMS

    assert batch is not None  # its forms are registered
    if known.elementwise or known.batched:
        return "called once, as it is"
    return "called once, in another form" if operation in FORMS else ""


def batches(operation: Any, how: str) -> str:
    """How a batch of examples calls the operation."""
    from retrograd.compiler.differentiate.batching import examples
    from retrograd.compiler.differentiate.batching.example_rules import FORMS, is_elementwise

    assert examples is not None  # its forms are registered
    if how in ON_BATCHES:
        return ON_BATCHES[how]
    if operation in FORMS:
        return "called once, in another form"
    return ON_BATCHES["entries"] if is_elementwise(operation) else ""


def kernel(operation: Any) -> str:
    """How the reader of kernels makes loops of it, if it does."""
    from retrograd.compiler.native.partition.lowerable import Grammar
    from retrograd.compiler.native.reader.handlers import METHODS
    from retrograd.runtime.traits.lookup import traits_of

    known = traits_of(operation)
    if known.sign or known.augments:
        return "read as an operator"
    method = hasattr(operation, "__objclass__") and operation.__name__ in METHODS
    return "read" if method or Grammar({}, {}).takes_object(operation) else ""
