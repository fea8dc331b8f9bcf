"""Arguments to try a function with: the user's literals, or values made from types."""

from __future__ import annotations

import ast
import inspect
from typing import Any

import numpy as np

from .targets import NotFound, Target

__all__ = ["arguments"]

SIZES = (3, 4, 2, 5, 6, 7)  # of named dimensions, in order of appearance
ANNOTATIONS = {kind: kind for kind in (float, int, bool, complex)} | {
    kind.__name__: kind for kind in (float, int, bool, complex)
}  # fmt: skip


def arguments(target: Target, literals: str | None, sig: str | None, seed: int) -> list[Any]:
    """One value for each parameter of the target."""
    from retrograd.transforms.api import chain_of

    chain = chain_of(target.function)
    if literals is not None:
        return given(chain, literals)
    return made(chain, sig, np.random.default_rng(seed))


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


def made(chain: Any, sig: str | None, rng: np.random.Generator) -> list[Any]:
    from retrograd.transforms.specialise.argument_types import parse_signature

    described = sig if sig is not None else chain.sig
    types = parse_signature(described) if described else {}
    chain.check_names(types)
    sizes: dict[str, int] = {}
    return [
        value_of(name, p, types.get(name), sizes, rng)
        for name, p in chain.signature.parameters.items()
    ]


def value_of(
    name: str, p: inspect.Parameter, kind: Any, sizes: dict[str, int], rng: np.random.Generator
) -> Any:
    """A value of a type, of an annotation, or the default."""
    from retrograd.compiler.ir.types import Tree
    from retrograd.runtime.objects.pytree import pack

    python = ANNOTATIONS.get(p.annotation) if is_hashable(p.annotation) else None
    if kind is None and python is not None and p.default is p.empty:
        return number(python.__name__[0], rng)
    if kind is None and p.default is not p.empty:
        return p.default
    if isinstance(kind, Tree):
        items = [value_of(name, p, item, sizes, rng) for item in kind.items]
        return pack([kind.container, kind.keys, [None] * len(items)], items)
    if kind is None or kind.dims is None:
        raise NotFound(
            f'no value for `{name}`: give values with --args "[0.1, 0.2], 3.0" or types with '
            f'--sig "{name}: f8[3]"'
        )
    if getattr(kind, "dtype", None) is None:
        return number(kind.kind, rng)
    shape = tuple(d if isinstance(d, int) else size(str(d), sizes) for d in kind.dims)
    return array(np.dtype(kind.dtype), shape, rng)


def is_hashable(value: Any) -> bool:
    return getattr(type(value), "__hash__", None) is not None


def number(letter: str, rng: np.random.Generator) -> Any:
    drawn = float(rng.uniform(0.2, 1.2))
    return {"f": drawn, "i": 3, "b": True, "c": complex(drawn, 0.5)}[letter]


def size(name: str, sizes: dict[str, int]) -> int:
    return sizes.setdefault(name, SIZES[len(sizes) % len(SIZES)])


def array(dtype: np.dtype[Any], shape: tuple[int, ...], rng: np.random.Generator) -> Any:
    """Floats between 0.2 and 1.2, where most functions are defined; integers from 0 to 2."""
    drawn: Any
    if dtype.kind in "iub":
        drawn = rng.integers(0, 2 if dtype.kind == "b" else 3, shape)
    else:
        drawn = rng.uniform(0.2, 1.2, shape)
        drawn = drawn + 1j * rng.uniform(0.2, 1.2, shape) if dtype.kind == "c" else drawn
    return np.asarray(drawn).astype(dtype)[() if not shape else ...]
