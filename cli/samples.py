"""Arguments to try a function with: the user's literals, or values made from types."""

from __future__ import annotations

import ast
from typing import Any

import numpy as np

from .targets import NotFound, Target

__all__ = ["arguments", "given"]


def arguments(target: Target, literals: str | None, sig: str | None, seed: int) -> list[Any]:
    """One value for each parameter of the target."""
    from retrograd.transforms.api import chain_of

    chain = chain_of(target.function)
    if literals is not None:
        return given(chain, literals)
    return made(chain, sig, seed)


def given(chain: Any, text: str) -> list[Any]:
    """``[0.1, 0.2], 3.0`` as arguments; a list of numbers is an array.

    >>> arrays(ast.literal_eval("[[1.0, 2.0]], 3"))
    (array([[1., 2.]]), 3)
    """
    try:
        values = arrays(ast.literal_eval(f"({text.rstrip(', ')},)"))
        return list(chain.bind(values, {}))
    except (ValueError, SyntaxError, TypeError) as error:
        raise NotFound(f"--args {text!r}: {error}") from None


def arrays(tree: Any) -> Any:
    if isinstance(tree, tuple):
        return tuple(arrays(item) for item in tree)
    if isinstance(tree, dict):
        return {key: arrays(item) for key, item in tree.items()}
    return np.array(tree) if isinstance(tree, list) else tree


def made(chain: Any, sig: str | None, seed: int) -> list[Any]:
    from retrograd.transforms.signatures.sample_arguments import NoSample, sample_arguments
    from retrograd.transforms.signatures.signature_text import parse_signature

    described = sig if sig is not None else chain.sig
    types = parse_signature(described) if described else {}
    chain.check_names(types)
    try:
        return sample_arguments(chain, types, seed)
    except NoSample as missing:
        raise NotFound(
            f'no value for `{missing}`: give values with --args "[0.1, 0.2], 3.0" or types with '
            f'--sig "{missing}: f8[3]"'
        ) from None
