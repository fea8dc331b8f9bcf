"""The module of a kernel: CuPy's kernels, and the function that launches them.

The function gives ``NotImplemented`` where it was not made for its arguments.
"""

from __future__ import annotations

from typing import Any

from ..loop_ir.host_values import computed_on_device
from ..loop_ir.ir import Affine, Kernel, Var, affine, variables
from ..loop_ir.values import Constant, Items, Scalar, View
from ..refusal import Unsupported
from .host_text import HostText
from .kernels import KINDS, Around
from .naming import Names
from .schedule import Schedule

__all__ = ["module_text"]

PYTHON = {"f8": "float", "i8": "int", "b1": "bool"}
INDENT = "    "
LONGER = """
def longer(memory, count):
    made = cp.empty((2 * count, *memory.shape[1:]), memory.dtype)
    made[: len(memory)] = memory
    return made
""".splitlines()


def module_text(kernel: Kernel) -> str:
    return Module(kernel, kernel.parameters).text()


class Module:
    def __init__(self, kernel: Kernel, parameters: list[str]) -> None:
        self.kernel = kernel
        captured = [f"captured_{k}" for k in range(len(kernel.captured))]
        self.parameters = [*parameters, *captured]
        leaves = [leaf for p in kernel.params for leaf in flat(p)]
        own = [name for leaf in leaves for name in names_in(leaf)]
        self.names = Names(kernel, own, {kernel.name, *containers(kernel, self.parameters)})
        self.host = HostText(self.names.known)
        known = {name for leaf in leaves for name in known_in(leaf)}
        self.around = Around(self.names, self.host, known, kernel.equal)
        self.tests: list[str] = []
        self.lines: list[str] = []

    def text(self) -> str:
        given = [
            self.parameter(param, name)
            for param, name in zip(self.kernel.params, self.parameters, strict=True)
        ]
        schedule = Schedule(self.kernel, self.around, self.kernel.name)
        schedule.whole()
        result = Results(self, schedule).text(self.kernel.results)
        definitions = [line for one in schedule.definitions for line in [*one, ""]]
        test = " and ".join(self.tests) or "True"
        body = [f"if not ({test}):", f"{INDENT}return NotImplemented", *self.lines]
        lines = [*(INDENT + line for line in body), *schedule.lines, f"{INDENT}return {result}"]
        head = ["import cupy as cp", ""]
        if any("math." in line for line in lines):
            head.insert(0, "import math")
        if any("longer(" in line for line in schedule.lines):
            definitions += [*LONGER, ""]
        return "\n".join(
            [*head, *definitions, "", f"def {self.kernel.name}({', '.join(given)}):", *lines, ""]
        )

    def parameter(self, param: Any, name: str) -> str:
        """Tests and names for a parameter; the name that it has."""
        if isinstance(param, View):
            assert param.buffer is not None
            name = self.names.of(param.buffer)
        elif isinstance(param, Scalar):
            name = self.names.of(variable(param))
        self.taken(param, name)
        return name

    def taken(self, param: Any, text: str) -> None:
        add = self.tests.append
        if isinstance(param, Items):
            keys = list(range(len(param.values))) if param.keys is None else list(param.keys)
            add(f"type({text}) is {param.kind}")
            add(
                f"len({text}) == {len(keys)}" if param.keys is None else f"list({text}) == {keys!r}"
            )
            for key, value in zip(keys, param.values, strict=True):
                self.item(value, f"{text}[{key!r}]")
        elif isinstance(param, Constant):
            if param.value is not None:
                raise Unsupported(f"an argument that is {param.value!r}")
            add(f"{text} is None")
        elif isinstance(param, View):
            self.array(param, text)
        else:
            assert isinstance(param, Scalar)
            if not param.weak:
                raise Unsupported("a number of NumPy's")
            add(f"type({text}) is {PYTHON[param.dtype]}")

    def item(self, value: Any, text: str) -> None:
        """An array or a number in a container, which gets a name."""
        self.taken(value, text)
        if isinstance(value, View):
            assert value.buffer is not None
            self.lines.insert(0, f"{self.names.of(value.buffer)} = {text}")
        elif isinstance(value, Scalar):
            self.lines.insert(0, f"{self.names.of(variable(value))} = {text}")

    def array(self, param: View, text: str) -> None:
        buffer = param.buffer
        assert buffer is not None
        kind, rank = KINDS[buffer.dtype], len(buffer.dims)
        self.tests.append(
            f'isinstance({text}, cp.ndarray) and {text}.dtype == "{kind}" and {text}.ndim == {rank}'
        )
        for k, n in enumerate(buffer.dims):
            size = f"{self.names.of(buffer)}.shape[{k}]"
            found = [v for v in variables(affine(n))]
            if found:
                name = self.names.of(found[0])
                self.lines.append(f"{name} = {size}")
                self.lines += [f"if {name} == 1:", f"{INDENT}return NotImplemented"]
            else:
                self.tests.append(f"{text}.shape[{k}] == {affine(n).const}")


def variable(param: Scalar) -> Var:
    var = param.expr.terms[0][0] if isinstance(param.expr, Affine) else param.expr
    assert isinstance(var, Var)
    return var


def flat(param: Any) -> list[Any]:
    """The arrays and numbers of a parameter."""
    if isinstance(param, Items):
        return [leaf for value in param.values for leaf in flat(value)]
    return [] if isinstance(param, Constant) else [param]


def containers(kernel: Kernel, parameters: list[str]) -> list[str]:
    """The names of parameters that are containers, or nothing."""
    pairs = zip(kernel.params, parameters, strict=True)
    return [name for param, name in pairs if isinstance(param, (Items, Constant))]


def names_in(leaf: Any) -> list[str]:
    if isinstance(leaf, View):
        assert leaf.buffer is not None
        return [leaf.buffer.name, *known_in(leaf)]
    return [variable(leaf).name]


def known_in(leaf: Any) -> list[str]:
    """What the host knows of an argument: sizes, and Python's numbers."""
    if isinstance(leaf, View):
        return [v.name for n in leaf.dims for v in variables(affine(n))]
    return [variable(leaf).name]


class Results:
    """The results as the caller gets them: no array of rank 0 twice."""

    def __init__(self, module: Module, schedule: Schedule) -> None:
        self.module, self.schedule = module, schedule
        self.computed = computed_on_device(module.kernel) | schedule.computed
        self.given: set[str] = set()

    def text(self, value: Any) -> str:
        if isinstance(value, Items):
            inner = [self.text(v) for v in value.values]
            if value.keys is not None:
                pairs = zip(value.keys, inner, strict=True)
                return f"{{{', '.join(f'{key!r}: {text}' for key, text in pairs)}}}"
            left, right = "[]" if value.kind == "list" else "()"
            comma = "," * (value.kind != "list" and len(inner) == 1)
            return f"{left}{', '.join(inner)}{comma}{right}"
        if isinstance(value, View):
            assert value.buffer is not None
            self.schedule.ready(value.buffer)
            return self.module.names.of(value.buffer)
        if isinstance(value, Constant):
            return "None"
        return self.number(value)

    def number(self, value: Scalar) -> str:
        text = self.module.host.expression(value.expr)
        on_device = any(v.name in self.computed for v in variables(value.expr))
        if value.weak is True and not on_device:
            return text
        if value.weak is not False:
            raise Unsupported("a number of Python's that the device computes")
        if not on_device:
            return f'cp.full((), {text}, "{KINDS[value.dtype]}")'
        if text in self.given:
            return f"{text}.copy()"
        self.given.add(text)
        return text
