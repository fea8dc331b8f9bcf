"""Pullbacks in pickles: what the run before them has kept goes there, and the way back is compiled anew.

Where a back end runs the function again on the way back, the arguments go there instead.  A text that is not the
one that kept the values, since the function or the package is another one there, is refused.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from typing import Any

from retrograd.compiler.ir.argument_path import Place
from retrograd.derivatives import pickled_on_demand
from retrograd.runtime.errors import SignatureMismatch

from ..halves import asked_for, halved, loaded, pulling
from ..made_functions import answers
from ..pullbacks import Reading, outside
from ..transformed_function import Chain
from .door import public

__all__ = ["posted"]


def posted(pull: Callable[..., Any], chain: Chain) -> Callable[..., Any]:
    """A pullback as users get it, with a way into pickles."""

    def args() -> tuple[Any, ...]:
        kept = getattr(pull, "kept", None)
        if kept is None:
            raise stays(chain)
        return recipe(*kept)

    called = public(pull)
    called.__name__ = "pullback"
    return pickled_on_demand(called, chain.dotted_as("pullback"), again, args)  # type: ignore[no-any-return]


def recipe(
    chain: Chain, places: Sequence[Place], aux: bool, made: Any, kept: Any
) -> tuple[Any, ...]:
    """The arguments of `again`: ``kept`` are those of a run that is made again, or what the forward half gave."""
    if type(kept) is not tuple:
        return chain, places, aux, None, list(kept)
    if not made.text:
        raise stays(chain)
    *values, reading = kept
    copies = reading.copies if isinstance(reading, Reading) else {}
    return chain, places, aux, (made.types, digest_of(made)), [*values, copies]


def stays(chain: Chain) -> pickle.PicklingError:
    return pickle.PicklingError(
        f'this pullback of {chain.name} stays in its process: it ran on the tape, or under check="nan"; '
        "send the function and its arguments, and call rg.vjp there"
    )


def again(
    chain: Chain, places: Sequence[Place], aux: bool, known: Any, kept: list[Any]
) -> Callable[..., Any]:
    """A pullback that was pickled."""
    if known is None:
        return posted(halved(chain, tuple(places), aux)(kept, True)[1], chain)
    types, digest = known
    saved, shape, values, value, copies = kept
    asked, order = asked_for(chain, places, aux)
    made = loaded(asked, dict(types))
    if digest_of(made) != digest:
        raise SignatureMismatch(
            f"a pullback of {chain.name} was pickled by another version of the function or of retrograd: "
            "what it has kept is not what the way back reads here; call rg.vjp here"
        )
    _, backward = made.functions.values()
    reading = Reading(outside(made)[0], copies)
    pull = answers().pulled_back(
        chain, pulling(backward, reading, saved, shape, values, order), value, made
    )
    pull.kept = chain, places, aux, made, (saved, shape, values, value, reading)  # type: ignore[attr-defined]
    return posted(pull, chain)


def digest_of(made: Any) -> str:
    """What tells a text from others, wherever its function lies: its docstring names files."""
    from hashlib import sha256  # few pullbacks are pickled

    from ..specialise.read_record import meaning  # few pullbacks are pickled

    _, _, functions = meaning(str(made.text)).partition("\nimport ")
    return sha256(functions.encode()).hexdigest()
