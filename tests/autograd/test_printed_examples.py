"""Every example that PyTorch prints in its documentation of autograd runs here as it runs there.

The examples are those of the documentation of `torch.autograd`, its modules and `torch.func`, read from the
installed PyTorch; what comes of each statement there (nothing, or which kind of error) comes of it here.
"""

from __future__ import annotations

import contextlib
import doctest
import inspect
import io
import warnings
from importlib import import_module
from typing import Any

import pytest

torch = pytest.importorskip("torch")
retrograd = import_module("retrograd")

MODULES = (
    "autograd", "autograd.anomaly_mode", "autograd.forward_ad", "autograd.function", "autograd.functional",
    "autograd.grad_mode", "autograd.gradcheck", "autograd.graph", "autograd.profiler", "autograd.profiler_util",
    "func", "utils.checkpoint",
)  # fmt: skip
TENSOR = (
    "backward", "detach", "detach_", "grad", "is_leaf", "register_hook", "register_post_accumulate_grad_hook",
    "requires_grad", "requires_grad_", "retain_grad", "grad_fn", "data",
)  # fmt: skip
ELSEWHERE = {
    "cuda": "a device that is not there",
    "nn.": "layers as classes are out of scope",
    "compile": "out of scope",
    "make_fx": "the tracer of PyTorch",
    "functional_call": "modules are out of scope",
    "stack_module_state": "modules are out of scope",
    "functionalize": "an internal transformation of PyTorch",
    "debug_unwrap": "an internal transformation of PyTorch",
    "linearize": "out of scope",
    "vmap(model": "modules are out of scope",
    "enforce_grad_layout_policy": "newer than the surface",
    "region_activation_memory_budget": "newer than the surface",
    "checkpointed_fn": "the decorator of a newer version than that of the surface",
    "nvtx": "tools beside Python",
    "model": "a model of the reader's",
}


def documented() -> dict[str, str]:
    """The texts of the documentation, by the name of what they are about."""
    found: dict[str, str] = {}
    for path in MODULES:
        module = import_module(f"torch.{path}")
        for name, value in vars(module).items():
            if name.startswith("_") or not callable(value):
                continue
            if not getattr(value, "__module__", "").startswith(("torch.autograd", "torch._functorch", "torch.utils")):  # fmt: skip
                continue
            found.setdefault(f"{value.__module__}.{name}", inspect.getdoc(value) or "")
            if inspect.isclass(value):
                for key, part in vars(value).items():
                    if not key.startswith("_"):
                        found[f"{value.__module__}.{name}.{key}"] = inspect.getdoc(part) or ""
    for name in TENSOR:
        found[f"Tensor.{name}"] = inspect.getdoc(getattr(torch.Tensor, name)) or ""
    return {name: text for name, text in found.items() if ">>>" in text}


def statements(text: str) -> list[str]:
    """The statements of the examples, where they are of this library."""
    try:
        return [one.source for one in doctest.DocTestParser().get_examples(text)]
    except ValueError:  # text that goes on without a blank line
        lines = [line.strip() for line in text.splitlines()]
        return ["\n".join(line[4:] for line in lines if line.startswith((">>> ", "... ")))]


def outcomes(module: Any, sources: list[str]) -> list[str]:
    """What comes of each statement: nothing, or which kind of error."""
    functional = import_module(f"{module.__name__}.autograd.functional")
    scope: dict[str, Any] = {
        "torch": module, "fwAD": module.autograd.forward_ad, "Tensor": module.Tensor, "Any": Any,
        "Function": module.autograd.Function, "Variable": module.autograd.Variable,
        "FunctionCtx": module.autograd.function.FunctionCtx,
        "once_differentiable": module.autograd.function.once_differentiable,
        **{name: getattr(functional, name) for name in ("jacobian", "hessian", "vjp", "jvp", "vhp", "hvp")},
    }  # fmt: skip
    found = []
    module.manual_seed(0)
    for source in sources:
        text = source if module is torch else source.replace("torch", "retrograd")
        scope["retrograd"] = module
        try:
            with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                exec(
                    compile(text, "<example>", "single" if "\n" not in text.strip() else "exec"),
                    scope,
                )
        except Exception as error:
            found.append(type(error).__name__)
        else:
            found.append("")
    module.autograd.set_detect_anomaly(False)
    module.set_grad_enabled(True)
    return found


EXAMPLES = {
    name: sources
    for name, text in documented().items()
    if (sources := statements(text)) and not any(word in "".join(sources) for word in ELSEWHERE)
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_example(name: str) -> None:
    sources = EXAMPLES[name]
    expected, found = outcomes(torch, sources), outcomes(retrograd, sources)
    told = [(s, e, f) for s, e, f in zip(sources, expected, found, strict=True) if e != f]
    assert not told


def test_there_are_many() -> None:
    assert len(EXAMPLES) > 30 and sum(map(len, EXAMPLES.values())) > 150
