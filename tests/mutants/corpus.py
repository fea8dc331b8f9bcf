"""What a mutated compiler is asked for: derivatives of rule samples, of golden programs and of found ones."""

from __future__ import annotations

import importlib
import importlib.util
import operator
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import retrograd as rg
from retrograd.runtime.objects.pytree import flatten

__all__ = ["Program", "backward", "forward", "programs", "rule_texts"]


class Program(NamedTuple):
    """A function, arguments for it, and where these come from."""

    name: str
    make: Callable[[], tuple[Callable[..., Any], list[Any]]]


def programs(kinds: str, folder: Path) -> dict[str, Program]:
    """Those of some kinds, by name: ``rules``, ``golden``."""
    found: list[Program] = []
    if "rules" in kinds:
        found += of_rules(folder)
    if "golden" in kinds:
        found += of_golden()
    return {p.name: p for p in found}


def of_golden() -> list[Program]:
    from tests.golden_case import FOLDER, Case

    def make(path: Path) -> Callable[[], Any]:
        def prepared() -> Any:
            case = Case(path)
            return case.function, case.arguments()

        return prepared

    return [Program(f"golden {p.stem}", make(p)) for p in sorted(FOLDER.glob("*.py"))]


def of_rules(folder: Path) -> list[Program]:
    """A call of each operation for each of its samples, as a program."""
    from tests.rules.harness import name_of, samples

    found = []
    for operation, calls in samples().items():
        if is_own(operation):
            continue
        for k, sample in enumerate(calls[:2]):
            name = f"{name_of(operation)} {k}"
            found.append(Program(name, sampled(operation, sample, folder, len(found))))
    return found


def is_own(operation: Any) -> bool:
    """Whether it is a helper of ours: a mistake in it would be in the function, too."""
    return str(getattr(operation, "__module__", "")).startswith("retrograd")


def sampled(operation: Any, sample: Any, folder: Path, number: int) -> Callable[[], Any]:
    def make() -> Any:
        from tests.rules.harness import draw_again

        args, kwargs = draw_again(sample, np.float64)
        scope: dict[str, Any] = {"operation": operation}
        params: list[str] = []
        values: list[Any] = []

        def word(value: Any) -> str:
            if isinstance(value, (np.ndarray, np.floating)) or type(value) is float:
                params.append(f"x{len(params)}")
                values.append(np.asarray(value) if isinstance(value, np.floating) else value)
                return params[-1]
            if type(value) is list and any(isinstance(v, np.ndarray) for v in value):
                return f"[{', '.join(map(word, value))}]"
            if type(value) is tuple and any(isinstance(v, np.ndarray) for v in value):
                return f"({', '.join(map(word, value))},)"
            scope[f"k{len(scope)}"] = value
            return f"k{len(scope) - 1}"

        given = [word(a) for a in args] + [f"{k}={word(v)}" for k, v in kwargs.items()]
        body = call_text(operation, given)
        text = f"import numpy as np\n\n\ndef program({', '.join(params)}):\n    return {body}\n"
        return loaded(text, folder, f"mutant_program_{number}", scope), values

    return make


def call_text(operation: Any, given: list[str]) -> str:
    if isinstance(operation, types.GetSetDescriptorType):
        return f"{given[0]}.{operation.__name__}"
    symbol = SYMBOLS.get(operation)
    if symbol:
        return f"{given[0]} {symbol} {given[1]}"
    return f"operation({', '.join(given)})"


SYMBOLS = {
    operator.add: "+", operator.sub: "-", operator.mul: "*", operator.truediv: "/", operator.pow: "**",
    operator.matmul: "@",
}  # fmt: skip


def loaded(text: str, folder: Path, name: str, scope: dict[str, Any]) -> Callable[..., Any]:
    path = folder / f"{name}.py"
    path.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    module.__dict__.update(scope)
    spec.loader.exec_module(module)
    found: Callable[..., Any] = module.program
    return found


def rule_texts() -> dict[str, list[tuple[str, str]]]:
    """For each program of a rule, the functions its derivatives are made from: (file, function)."""
    from retrograd.runtime.generated import adjoints, adjoints_plain, adjoints_real, adjoints_scipy
    from retrograd.runtime.rules.book import book
    from tests.rules.harness import name_of, samples

    found = {}
    for operation, calls in samples().items():
        rule = book.rules.get(operation)
        if rule is None or is_own(operation):
            continue
        differential = rule.differential
        texts = [(file_of(differential.__module__), differential.__name__)]
        for module in (adjoints, adjoints_plain, adjoints_real, adjoints_scipy):
            known = module.ADJOINTS.get(rule.key, {})
            texts += [(file_of(module.__name__), fn.__name__) for fn in known.values()]
        texts += [
            (file_of(fn.__module__), fn.__name__)
            for fn in helpers([rule.differential, *(f for f in called(texts))])
        ]
        for k in range(len(calls[:2])):
            found[f"{name_of(operation)} {k}"] = texts
    return found


def file_of(module: str) -> str:
    return f"{module.removeprefix('retrograd.').replace('.', '/')}.py"


def called(texts: list[tuple[str, str]]) -> list[Any]:
    """The adjoints themselves."""
    modules = [importlib.import_module(f"retrograd.{f[:-3].replace('/', '.')}") for f, _ in texts]
    found = [getattr(m, name, None) for m, (_, name) in zip(modules, texts, strict=True)]
    return [fn for fn in found if isinstance(fn, types.FunctionType)]


def helpers(functions: list[Any]) -> list[Any]:
    """The helpers of the runtime that they name."""
    from retrograd.runtime.helpers import linear

    names = {n: None for fn in functions for n in fn.__code__.co_names}
    found = [getattr(linear, n, None) for n in names]
    return [fn for fn in found if isinstance(fn, types.FunctionType)]


def backward(fn: Callable[..., Any], args: list[Any]) -> list[Any]:
    value, pull = rg.vjp(rg.differentiate(fn), *args)
    cotangent = drawn(value, 5)
    return arrays([value, pull(cotangent)])


def forward(fn: Callable[..., Any], args: list[Any]) -> list[Any]:
    tangents = [drawn(a, 6) if is_float(a) else None for a in args]
    return arrays(rg.jvp(rg.differentiate(fn), args, tangents))


def is_float(x: Any) -> bool:
    leaves = flatten(x)[0]
    return bool(leaves) and all(np.asarray(v).dtype.kind in "fc" for v in leaves)


def drawn(tree: Any, seed: int) -> Any:
    from retrograd.transforms.check.check_grads import random_like

    return random_like(tree, np.random.default_rng(seed))


def arrays(tree: Any) -> list[Any]:
    return [np.asarray(x) for x in flatten(tree)[0] if np.asarray(x).dtype.kind in "biufc"]
