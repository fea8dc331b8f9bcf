"""What we write is laid out as `ruff format` does (and `black`), so that a formatter's run changes nothing."""

from __future__ import annotations

import ast
import random
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from retrograd.compiler.emit.printer.printer import write

from ..golden_case import cases

pytestmark = pytest.mark.skipif(find_spec("ruff") is None, reason="ruff is not installed")
OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.MatMult, ast.Pow)
COMPARISONS = (ast.Lt, ast.GtE, ast.In, ast.Is)
WORDS = (
    "x", "y_bar", "exp_2", "weights", "difference", "product_12", "obs_length", "log_sigma_bar", "rt", "np",
)  # fmt: skip


class Statements:
    """Random statements, of the kinds that a derivative is made of."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)

    def name(self) -> ast.expr:
        return ast.Name(self.rng.choice(WORDS), ast.Load())

    def names(self, least: int, most: int) -> list[ast.expr]:
        return [self.name() for _ in range(self.rng.randint(least, most))]

    def value(self, depth: int) -> ast.expr:
        if depth == 0:
            numbers = (0.5, 2, 1e-3, 100, -1.0)
            chosen = self.rng.choice([self.name, lambda: ast.Constant(self.rng.choice(numbers))])
            return chosen()
        kinds = (
            self.operation, self.operation, self.operation, self.call, self.call, self.subscript,
            self.negated, self.attribute, self.sequence, self.choice, self.test, self.comprehension,
        )  # fmt: skip
        return self.rng.choice(kinds)(depth - 1)

    def operation(self, depth: int) -> ast.expr:
        operator = self.rng.choice(OPERATORS)()
        right = self.value(0 if isinstance(operator, ast.Pow) else self.rng.randint(0, depth))
        return ast.BinOp(self.value(depth), operator, right)

    def call(self, depth: int) -> ast.expr:
        function = ast.Attribute(self.name(), self.rng.choice(WORDS), ast.Load())
        args = [self.value(self.rng.randint(0, depth)) for _ in range(self.rng.randint(1, 3))]
        keywords = [ast.keyword("axis", ast.Constant(0))] * self.rng.randint(0, 1)
        return ast.Call(function, args, keywords)

    def subscript(self, depth: int) -> ast.expr:
        some = (ast.Constant(None), ast.Slice(), ast.Slice(self.name(), self.value(depth)))
        index = [self.rng.choice([*some, self.name()]) for _ in range(self.rng.randint(1, 3))]
        key = index[0] if len(index) == 1 else ast.Tuple(index, ast.Load())
        return ast.Subscript(self.value(min(depth, 1)), key, ast.Load())

    def negated(self, depth: int) -> ast.expr:
        return ast.UnaryOp(ast.USub(), self.value(depth))

    def attribute(self, depth: int) -> ast.expr:
        return ast.Attribute(ast.Name("x", ast.Load()), "T", ast.Load())

    def sequence(self, depth: int) -> ast.expr:
        items = [self.value(min(depth, 1)) for _ in range(self.rng.randint(2, 5))]
        return self.rng.choice([ast.Tuple, ast.List])(items, ast.Load())

    def choice(self, depth: int) -> ast.expr:
        return ast.IfExp(self.test(depth), self.value(depth), self.value(depth))

    def test(self, depth: int) -> ast.expr:
        one = ast.Compare(self.name(), [self.rng.choice(COMPARISONS)()], [self.value(depth)])
        kind = self.rng.choice([ast.And, ast.Or, None])
        return one if kind is None else ast.BoolOp(kind(), [one, self.name()])

    def comprehension(self, depth: int) -> ast.expr:
        clause = ast.comprehension(ast.Name("k", ast.Store()), self.name(), [], 0)
        return ast.ListComp(self.value(depth), [clause])

    def statement(self) -> ast.stmt:
        value = self.value(self.rng.randint(1, 4))
        target = ast.Name("x_bar", ast.Store())
        kinds = (
            lambda: ast.Assign([target], value),
            lambda: ast.AugAssign(target, ast.Add(), value),
            lambda: ast.Return(value),
            lambda: ast.Return(ast.Tuple([value, self.name()], ast.Load())),
            lambda: ast.Assign([ast.Tuple(self.names(2, 9), ast.Store())], value),
            lambda: ast.Assign([self.subscript(0)], value),
            lambda: ast.If(self.test(2), [ast.Pass()], []),
            lambda: ast.For(ast.Tuple(self.names(2, 9), ast.Store()), self.name(), [ast.Pass()], []),
            lambda: ast.Expr(ast.Call(self.attribute(0), [ast.Tuple(self.names(2, 9), ast.Load())], [])),
        )  # fmt: skip
        return self.rng.choice(kinds)()


def reformatted(folder: Path, *options: str) -> str:
    command = [
        sys.executable,
        "-m",
        "ruff",
        "format",
        "--isolated",
        "--diff",
        *options,
        str(folder),
    ]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def test_a_formatter_leaves_golden_texts_alone(tmp_path: Path) -> None:
    for case in cases():
        (tmp_path / f"{case.name}.py").write_text(case.parts[1])
    assert len(list(tmp_path.iterdir())) > 100
    assert not reformatted(tmp_path)


@pytest.mark.parametrize("width", [60, 88])
def test_a_formatter_leaves_random_statements_alone(tmp_path: Path, width: int) -> None:
    for seed in range(400):
        made = Statements(seed).statement()
        function = ast.FunctionDef("f", ast.parse("lambda x, y: 0").body[0].value.args, [made], [])  # type: ignore[attr-defined]
        if "type_params" in ast.FunctionDef._fields:
            function.type_params = []  # type: ignore[attr-defined]
        tree = ast.fix_missing_locations(ast.Module([function], []))
        (tmp_path / f"{seed}.py").write_text(write(tree, width))
    assert not reformatted(tmp_path, "--line-length", str(width))
