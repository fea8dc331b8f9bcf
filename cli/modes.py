"""The derivatives that ``--mode`` names: the transformations behind each, and what their functions are called."""

from __future__ import annotations

import argparse
from typing import Any, NamedTuple

from .targets import NotFound
from .terminal.suggestions import close_to

__all__ = ["MODES", "Mode", "batched", "chosen", "derived"]


class Mode(NamedTuple):
    """Transformations in order, and with ``--value``; the end of the name, and what is returned."""

    steps: tuple[str, ...]
    with_value: tuple[str, ...] | None
    suffix: str
    about: str


MODES = {
    "grad": Mode(("grad",), ("value_and_grad",), "grad", "the gradient of a scalar function"),
    "value_and_grad": Mode(
        ("value_and_grad",), ("value_and_grad",), "value_and_grad", "value and gradient"
    ),
    "jvp": Mode(("jvp",), ("jvp",), "jvp", "value and directional derivative: J @ w_dot"),
    "vjp": Mode(("cotangent",), ("pull",), "vjp", "the product f_bar @ J with a cotangent"),
    "jacobian": Mode(
        ("jacobian",), None, "jacobian", "every result by every entry of the arguments"
    ),
    "hvp": Mode(("grad", "tangent"), None, "hvp", "the Hessian times a vector: H @ w_dot"),
    "hessian": Mode(("grad", "jacobian"), None, "hessian", "all second derivatives"),
}
OTHER_NAMES = {"reverse": "grad", "forward": "jvp"}


def chosen(text: str) -> tuple[str, ...]:
    """The modes of ``--mode``, separated by commas.

    >>> chosen("reverse,hessian")
    ('grad', 'hessian')
    """
    names = tuple(OTHER_NAMES.get(word.strip(), word.strip()) for word in text.split(","))
    for name in names:
        if name not in MODES:
            known = ", ".join([*MODES, *OTHER_NAMES])
            hint = close_to(name, [*MODES, *OTHER_NAMES]) or f"; there is {known}"
            raise argparse.ArgumentTypeError(f"{name!r} is no mode{hint}")
    return tuple(dict.fromkeys(names))


def derived(chain: Any, mode: str, value: bool, wrt: Any, single: bool) -> Any:
    """The chain of a derivative."""
    found = MODES[mode]
    if value and found.with_value is None:
        raise NotFound(f"--value goes with grad, vjp and jvp; {mode} returns {found.about} alone")
    for step in (found.with_value or ()) if value else found.steps:
        chain = chain.then(step, wrt, single)
    return chain


def batched(chain: Any, names: str) -> Any:
    """The chain of a batch: ``x,y:1`` names the arguments with an axis of examples, and which it is."""
    from retrograd.compiler.ir.batch_axes import Axes

    found: dict[str, int] = {}
    for word in names.split(","):
        name, colon, axis = word.strip().partition(":")
        if colon and not axis.lstrip("-").isdigit():
            raise NotFound(f"--batch {word.strip()}: the axis is a number, as in {name}:1")
        if name in found:
            raise NotFound(f"--batch {names}: {name} has one axis of examples, and is named twice")
        found[name] = int(axis or 0)
    own = chain.parameters
    for name in found:
        if name not in own:
            part = "; parts of an argument are batched by `rg.vmap`" if name[-1:] == "]" else ""
            raise NotFound(f"--batch {name}: there is {', '.join(own)}{part}")
    ins = tuple((name, found.get(name)) for name in own)
    axes = Axes(ins, 0, tuple(axis for _, axis in ins), 0)  # cotangents are of each example
    return chain.then("vmap", (), batch=axes)
