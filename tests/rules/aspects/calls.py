"""An operation is called as its rule says, and something of it can be differentiated."""

from __future__ import annotations

import inspect

import numpy as np

from retrograd.runtime.rules.book import book

from ..examination import Examination, aspect


@aspect(quick=True)
def samples_differentiated(op: Examination) -> None:
    assert not op.has_rule or any(
        op.case(number, True, np.float64) for number in range(len(op.samples))
    ), "no sample is differentiated"


@aspect(quick=True)
def parameters(op: Examination) -> None:
    """What a rule takes by name, its operation takes by that name."""
    try:
        real = inspect.signature(op.operation).parameters
    except (TypeError, ValueError):
        return  # a C function that tells no signature
    if not op.has_rule or any(p.kind in (p.VAR_KEYWORD, p.VAR_POSITIONAL) for p in real.values()):
        return
    rule = book.rules[op.operation]
    own = list(inspect.signature(rule.differential).parameters.values())[1:]
    optional = {
        p.name for p in own if p.kind is p.POSITIONAL_OR_KEYWORD and p.default is not p.empty
    }
    assert optional <= set(real), f"{op.name} has no {optional - set(real)}"
