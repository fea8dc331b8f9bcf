"""A derivative in C and in Python, for the same arguments."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from retrograd.compiler.cache.loader import load
from retrograd.compiler.ir.types import Array, Given, Tree
from retrograd.compiler.native.c_source.entry import c_files
from retrograd.compiler.native.c_source.module_text import Files
from retrograd.transforms.api import Chain, unwrap
from retrograd.transforms.specialise.compile import render
from retrograd.transforms.wrt import inner, resolved

from .programs import Compiled, compiled

__all__ = ["Pair", "fixed", "flat", "pair"]


@dataclass
class Pair:
    """The C files, and the Python function."""

    files: Files
    python: Callable[..., Any]

    def check(
        self,
        folder: Path,
        arguments: list[Any],
        maker: str,
        rtol: float = 1e-9,
        extra: tuple[str, ...] = (),
    ) -> Compiled:
        """Both give the same, and C leaves its arguments alone."""
        run = compiled(self.files, folder, maker, extra)
        with np.errstate(all="ignore"):
            wanted = flat(self.python(*copy.deepcopy(arguments)))
        found = run(flat(arguments))
        assert len(found) == len(wanted)
        for one, other in zip(found, wanted, strict=True):
            scale = 1.0 + np.max(
                np.abs(np.asarray(other, float)),
                initial=0.0,
                where=np.isfinite(np.asarray(other, float)),
            )
            np.testing.assert_allclose(one, other, rtol=rtol, atol=rtol * scale)
        return run


def pair(
    chain: Chain, kind: str, wrt: Any, single: bool, types: dict[str, Any], stem: str = "made"
) -> Pair:
    """A derivative of a function for arguments of these types; `Unsupported` if C does not take it."""
    asked = chain.then(kind, wrt, single)
    text = render(chain.fn, types, resolved(asked, types), unwrap)[0]
    module = load(text.text, None, stem, text.captured)
    name = text.names[0]
    kinds = dict(types)
    if kind == "jvp":
        names = list(module.__dict__[name].__code__.co_varnames)[len(types) : len(types) + len(wrt)]
        places = [place for step in asked.steps for place in step.wrt]
        kinds |= {
            n: inner(types.get(chain.parameters[p.at]), p.keys)
            for n, p in zip(names, places, strict=True)
        }
    grads: Any = [f"grad_{k}" for k in range(len(wrt))]
    grads = grads[0] if single else grads
    outputs = {"grad": grads, "value_and_grad": ["value", grads], "jvp": ["value", "value_dot"]}[
        kind
    ]
    files = c_files(text.text, name, outputs, stem, lambda kind: None, text.captured, kinds)
    return Pair(files, getattr(module, name))


def fixed(kind: Any, value: Any) -> Any:
    """A type with the sizes that a value has."""
    if isinstance(kind, Given):
        return kind
    if isinstance(kind, Array) and np.ndim(value):
        return replace(kind, dims=tuple(np.shape(value)))
    if isinstance(kind, Tree) and kind.container != "object":
        values = value.values() if isinstance(value, dict) else value
        return replace(kind, items=tuple(map(fixed, kind.items, values)))
    return kind


def flat(value: Any) -> list[Any]:
    """The arrays and numbers in containers."""
    if isinstance(value, (tuple, list)):
        return [leaf for item in value for leaf in flat(item)]
    if isinstance(value, dict):
        return [leaf for item in value.values() for leaf in flat(item)]
    return [] if value is None or isinstance(value, str) else [value]
