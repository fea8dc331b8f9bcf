"""Random programs of the eager API, written while they run: each statement fits the tensors there are."""

from __future__ import annotations

import random
import warnings
from typing import Any

from .accidents import overlaps
from .plain import HOOKS, KINDS, WRITES
from .rich import OVERLAPPING, RICH, WATCHING

__all__ = ["START", "Program", "run_statement"]

SHAPES = ((2, 3), (3,), (2,), (), (3, 2), (1, 3), (2, 1), (3, 3))
# With --rich, now and then.
MODES = (
    "set_grad_enabled(False)", "autograd.set_grad_enabled(True)", "autograd.detect_anomaly(check_nan=False)",
    "autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t)", "autograd.graph.allow_mutation_on_saved_tensors()",
)  # fmt: skip
START = 3  # so many statements make the first tensors


def run_statement(statement: str, names: dict[str, Any]) -> BaseException | None:
    """Run one statement in a namespace; the error it raises."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            exec(statement, names)
        except Exception as error:
            return error
    return None


def is_unrecorded(tensor: Any) -> bool:
    """Whether it is a view made without recording of what requires grad."""
    try:
        return bool(tensor._is_view() and tensor.is_leaf)
    except RuntimeError:
        return True


def nested(numbers: list[float], shape: tuple[int, ...]) -> Any:
    """The numbers in lists of lists."""
    if not shape:
        return numbers[0]
    step = len(numbers) // shape[0]
    return [nested(numbers[k * step : (k + 1) * step], shape[1:]) for k in range(shape[0])]


class Program:
    """A program that grows; it runs in ``names`` while it is written."""

    def __init__(self, seed: int, names: dict[str, Any], rich: bool = False) -> None:
        self.kinds, self.is_rich = (*KINDS, *RICH) if rich else KINDS, rich
        self.random, self.names = random.Random(seed), names
        self.statements: list[str] = []
        self.tensors: list[str] = []

    def written(self, length: int = 14) -> list[str]:
        """The statements."""
        for _ in range(START):
            self.leaf()
        while len(self.statements) < length:
            self.step()
        return self.statements

    def add(self, statement: str) -> bool:
        self.statements.append(statement)
        return run_statement(statement, self.names) is None

    def new(self) -> str:
        return f"x{len(self.statements)}"

    def leaf(self) -> None:
        shape = self.random.choice(SHAPES)
        count = 1
        for n in shape:
            count *= n
        numbers = [round(self.random.uniform(-2, 2), 2) for _ in range(count)]
        requires = ", requires_grad=True" if self.random.random() < 0.75 else ""
        name = self.new()
        self.add(f"{name} = torch.tensor({nested(numbers, shape)}, dtype=torch.float64{requires})")
        self.tensors.append(name)

    def step(self) -> None:
        kinds, weights, valued = zip(*self.kinds, strict=True)
        k = self.random.choices(range(len(kinds)), weights)[0]
        a, b = (self.pick() for _ in range(2))
        if kinds[k] in (HOOKS, WATCHING) and is_unrecorded(self.names[a]):
            return  # PyTorch itself dies of it
        if kinds[k] in (WRITES, *OVERLAPPING) and overlaps(self.names[a], self.names[b]):
            return
        text = self.random.choice(kinds[k]).format(a=a, b=b)
        name = self.new()
        statement = f"{name} = {text}" if valued[k] else text
        mode = self.random.random()
        if mode < 0.06:
            statement = f"with torch.no_grad():\n    {statement}"
        elif mode < 0.08:
            statement = f"with torch.enable_grad():\n    {statement}"
        elif mode < 0.09 and self.is_rich:
            statement = f"with torch.{self.random.choice(MODES)}:\n    {statement}"
        before = len(self.statements)
        if not self.add(statement) and self.random.random() < 0.75:
            del self.statements[before:]  # most of what is refused is left out
        elif valued[k] and hasattr(self.names.get(name), "requires_grad"):
            self.tensors.append(name)

    def pick(self) -> str:
        """A tensor, mostly a recent one."""
        recent = self.tensors[-4:]
        return self.random.choice(recent if self.random.random() < 0.7 else self.tensors)
