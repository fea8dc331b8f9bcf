"""The examples of PyTorch's own documentation strings: found, and run on a module of that surface."""

from __future__ import annotations

import contextlib
import functools
import importlib
import inspect
import io
import math
import re
from collections.abc import Iterator
from typing import Any

__all__ = ["Ran", "examples", "run"]

MODULES = (
    "autograd", "autograd.functional", "autograd.forward_ad", "autograd.graph", "autograd.function",
    "autograd.grad_mode", "autograd.anomaly_mode", "autograd.gradcheck", "autograd.profiler", "func", "utils.checkpoint",
)  # fmt: skip
ATTRIBUTES = (
    "backward", "register_hook", "register_post_accumulate_grad_hook", "is_leaf", "grad", "requires_grad",
    "requires_grad_", "detach", "detach_", "retain_grad", "retains_grad", "grad_fn", "data", "grad_dtype",
)  # fmt: skip

Ran = list[tuple[str, str, str]]  # what was run, printed and raised, each


def examples(torch: Any) -> dict[str, str]:
    """The strings with examples, by the name of what they are about."""
    found: dict[str, str] = {}

    def visit(name: str, one: Any, depth: int = 0) -> None:
        text = getattr(one, "__doc__", None)
        if isinstance(text, str) and ">>>" in text and text not in found.values():
            found[name] = text
        for key, value in vars(one).items() if inspect.isclass(one) and depth < 2 else ():
            if not key.startswith("__"):
                plain = value.__func__ if isinstance(value, (staticmethod, classmethod)) else value
                visit(f"{name}.{key}", plain, depth + 1)

    for path in MODULES:
        module = importlib.import_module(f"{torch.__name__}.{path}")
        for key in dir(module):
            one = getattr(module, key)
            home = getattr(one, "__module__", None) or ""
            if home.startswith(("torch.autograd", "torch._functorch", "torch.utils.checkpoint")):
                visit(f"{path}.{key}", one)
    for key in ATTRIBUTES:
        visit(f"Tensor.{key}", getattr(torch.Tensor, key))
    return found


@contextlib.contextmanager
def known_numbers(module: Any) -> Iterator[None]:
    """A context in which the random tensors of an example are the same on every module."""

    def numbers(*size: Any, dtype: Any = None, requires_grad: bool = False, **_: Any) -> Any:
        shape = size[0] if size and isinstance(size[0], (tuple, list)) else size
        flat = (module.arange(float(math.prod(shape))) * 0.37) % 1 + 0.125
        return flat.reshape(shape).to(dtype or module.float32).requires_grad_(requires_grad)

    before = module.rand, module.randn
    module.rand = module.randn = numbers
    try:
        yield
    finally:
        module.rand, module.randn = before


def statements(text: str) -> Iterator[str]:
    """The statements of the examples; every line of a class may have a prompt of its own."""
    lines: list[str] = []
    for line in text.splitlines():
        found = re.match(r"\s*(>>>|\.\.\.) ?(.*)", line)
        if found is None or found.group(2).startswith("#"):
            continue
        prompt, rest = found.groups()
        if prompt == ">>>" and rest[:1].strip() and is_whole(lines):
            yield "\n".join(lines) + "\n"
            lines = []
        lines.append(rest)
    if lines:
        yield "\n".join(lines) + "\n"


def is_whole(lines: list[str]) -> bool:
    try:
        compile("\n".join(lines), "<example>", "exec")
    except SyntaxError:
        return False
    return bool(lines)


def provided(path: str, module: Any) -> dict[str, Any]:
    """The names that an example takes for known: those of the module it is of, and what it leaves open."""
    home = importlib.import_module(f"{module.__name__}.{path}")
    own = {name: getattr(home, name) for name in dir(home) if not name.startswith("_")}
    open_names = {
        "x": module.ones(3), "x_t": module.ones(3), "v": module.ones(3), "inputs": module.ones(2, 3),
        "loaded_weights": module.ones(3), "preprocess": lambda w: w * 2, "f": lambda x, *more: x.exp(),
        "fn": lambda x, *more: x.exp(), "model": lambda x: x.exp(), "args": (module.ones(3),), "kwargs": {},
        "input": module.ones(3), "y": module.ones(3),
    }  # fmt: skip
    return open_names | {
        **own,
        "torch": module,
        "math": math,
        "functools": functools,
        "Function": module.autograd.Function,
        "fwAD": module.autograd.forward_ad,
    }


def run(name: str, text: str, module: Any) -> Ran:
    """Run the examples of a string, one after the other."""
    ran: Ran = []
    with known_numbers(module), module.set_grad_enabled(True):
        path = "autograd" if name.startswith("Tensor") else name
        while path not in MODULES:
            path = path.rpartition(".")[0]
        names = provided(path, module)
        for stated in statements(text):
            source = stated.replace(".cuda()", ".double()").replace('device="cuda"', 'device="cpu"')
            if re.match(r"import torch\b(?!\.)", source):
                continue
            if re.match(r"(from|import) torch", source):
                source = re.sub(r"\btorch\b", module.__name__, source)
            printed, raised = io.StringIO(), ""
            with contextlib.redirect_stdout(printed):
                try:
                    exec(compile(source, "<example>", "single"), names)
                except Exception as error:
                    raised = f"{type(error).__name__}: {error}"
            ran.append((stated, printed.getvalue(), raised))
    return ran
