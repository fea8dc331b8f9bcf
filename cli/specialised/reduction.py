"""A function of the runtime, cut down to what is reached for arguments of which something is known."""

from __future__ import annotations

import ast
import copy
from typing import Any

from .expressions import Expressions, parameters
from .kinds import class_of, either

__all__ = ["Reducer", "assigned"]


class Reducer(Expressions):
    """Statements, too."""

    def block(self, body: list[ast.stmt]) -> tuple[list[ast.stmt], bool]:
        """The statements that are reached; whether what comes after them is not."""
        made: list[ast.stmt] = []
        for statement in body:
            found, ends = getattr(self, f"on_{type(statement).__name__}", self.other)(statement)
            made += found
            if ends:
                return made, True
        return made, False

    def other(self, node: Any) -> tuple[list[ast.stmt], bool]:
        self.general(node)
        self.forget(assigned([node]))
        return [node], isinstance(node, (ast.Raise, ast.Break, ast.Continue))

    def forget(self, names: set[str]) -> None:
        self.env.update(dict.fromkeys(names))

    def on_Return(self, node: ast.Return) -> tuple[list[ast.stmt], bool]:
        if node.value is None:
            self.returns.append([None])
        else:
            node.value, kind = self.expr(node.value)
            self.returns.append(kind)
        return [node], True

    def on_Assign(self, node: ast.Assign) -> tuple[list[ast.stmt], bool]:
        target = node.targets[0]
        if (
            len(node.targets) == 1
            and isinstance(target, ast.Tuple)
            and isinstance(node.value, ast.Tuple)
        ):
            return self.several(node, target, node.value)
        node.value, kind = self.expr(node.value)
        taken_apart = len(node.targets) == 1 and isinstance(target, ast.Tuple)
        if taken_apart and isinstance(node.value, ast.Tuple):
            return self.several(node, target, node.value)
        if len(node.targets) == 1 and isinstance(target, ast.Name):
            self.env[target.id] = kind
            same = isinstance(node.value, ast.Name) and node.value.id == target.id
            return [] if same else [node], False
        node.targets = [self.expr(t)[0] for t in node.targets]
        self.forget(assigned([node]))
        return [node], False

    def several(self, node: ast.Assign, target: Any, value: Any) -> tuple[list[ast.stmt], bool]:
        """``a, b = x, y`` one by one, where no value reads a name that was just assigned."""
        names = [t.id for t in target.elts if isinstance(t, ast.Name)]
        if len(set(names)) == len(target.elts) == len(value.elts):
            read = [{n.id for n in ast.walk(v) if isinstance(n, ast.Name)} for v in value.elts]
            if not any(read[k] & set(names[:k]) for k in range(len(read))):
                pairs = zip(target.elts, value.elts, strict=True)
                return self.block([ast.Assign([t], v) for t, v in pairs])
        node.value = self.expr(value)[0]
        self.forget(assigned([node]))
        return [node], False

    def on_AugAssign(self, node: ast.AugAssign) -> tuple[list[ast.stmt], bool]:
        node.value = self.expr(node.value)[0]
        node.target = self.expr(node.target)[0]
        self.forget(assigned([node]))
        return [node], False

    def on_If(self, node: ast.If) -> tuple[list[ast.stmt], bool]:
        found = self.decided(node.test)
        if found is not None:
            return self.block(node.body if found else node.orelse)
        test = copy.deepcopy(node.test)
        node.test = without_constants(self.expr(node.test)[0])
        before = dict(self.env)
        self.narrow(test, True)
        node.body, ends = self.block(node.body)
        after, self.env = self.env, dict(before)
        self.narrow(test, False)
        node.orelse, other = self.block(node.orelse)
        if ends or other:
            self.env = self.env if ends else after
        else:
            self.env = {n: either(k, after.get(n)) for n, k in self.env.items()}
        if not node.body and not node.orelse:
            return [], False
        if not node.body:
            node.test, node.body, node.orelse = negated(node.test), node.orelse, []
        if ends and node.orelse:  # what follows a return needs no `else`
            rest, node.orelse = node.orelse, []
            return [node, *rest], other
        return [node], ends and other

    def loop(self, node: Any) -> tuple[list[ast.stmt], bool]:
        self.forget(assigned([node]))
        if hasattr(node, "iter"):
            node.iter = self.expr(node.iter)[0]
        else:
            node.test = self.expr(node.test)[0]
        before = dict(self.env)
        node.body, _ = self.block(node.body)
        node.body = node.body or [ast.Pass()]
        self.env = dict(before)
        node.orelse, _ = self.block(node.orelse)
        self.env = before
        return [node], False

    on_For = on_While = loop

    def on_With(self, node: ast.With) -> tuple[list[ast.stmt], bool]:
        for item in node.items:
            item.context_expr = self.expr(item.context_expr)[0]
        self.forget(assigned([node]))
        node.body, _ = self.block(node.body)
        self.forget(assigned([node]))
        return [node], False

    def on_Try(self, node: ast.Try) -> tuple[list[ast.stmt], bool]:
        if self.cannot_raise(node):
            return self.block(node.body)
        self.forget(assigned([node]))
        before = dict(self.env)
        node.body = self.block(node.body)[0] or [ast.Pass()]
        for part in (*node.handlers, None):
            self.env = dict(before)
            if part is not None:
                part.body = self.block(part.body)[0] or [ast.Pass()]
        node.orelse = self.block(node.orelse)[0]
        self.env = dict(before)
        node.finalbody = self.block(node.finalbody)[0]
        self.env = before
        return [node], False

    def cannot_raise(self, node: ast.Try) -> bool:
        """True of ``except AttributeError`` around attributes that are there."""
        caught = [h.type.id for h in node.handlers if isinstance(h.type, ast.Name)]
        if caught != ["AttributeError"] or len(node.handlers) != 1 or node.orelse or node.finalbody:
            return False
        nodes = [n for s in node.body for n in ast.walk(s)]
        if any(isinstance(n, (ast.Call, ast.NamedExpr, ast.Assign)) for n in nodes):
            return False
        return all(self.is_there(n) for n in nodes if isinstance(n, ast.Attribute))

    def is_there(self, node: ast.Attribute) -> bool:
        kind = self.quiet(dict(self.env)).expr(copy.deepcopy(node.value))[1]
        return kind is not None and all(hasattr(class_of(one), node.attr) for one in kind)

    def on_FunctionDef(self, node: ast.FunctionDef) -> tuple[list[ast.stmt], bool]:
        local = self.local | frozenset(parameters(node)) | assigned(node.body)
        inner = Reducer(self.world, {}, local)
        node.body = inner.block(node.body)[0]
        self.forget({node.name})
        return [node], False


def without_constants(test: ast.expr) -> ast.expr:
    """``a`` for ``a and not False``."""
    if not isinstance(test, ast.BoolOp) or not isinstance(test.op, ast.And):
        return test
    kept = [v for v in test.values if ast.unparse(v) not in ("True", "not False")]
    return kept[0] if len(kept) == 1 else ast.BoolOp(test.op, kept) if kept else test


def negated(test: ast.expr) -> ast.expr:
    return (
        test.operand
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)
        else ast.UnaryOp(ast.Not(), test)
    )


def assigned(body: list[Any]) -> set[str]:
    """The names that statements bind."""
    found: set[str] = set()
    for statement in body:
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, (ast.Store, ast.Del)):
                found.add(node.id)
            elif isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.ExceptHandler)):
                found.add(node.name or "")
            elif isinstance(node, ast.alias):
                found.add(node.asname or node.name)
    return found
