"""Derivatives of implicitly defined values: one linear system, in either mode.

For ``F(z, a) = 0`` forward mode solves ``F_z v = -F_a da``, reverse mode ``F_z^T u = c`` and sends
``-F_a^T u``; a fixed point is a zero of ``g(z, a) - z``.  A linear system is differentiated as one again,
so there are rules of two operations only, and every order follows.
"""

from __future__ import annotations

import builtins
import operator
from typing import Any, ClassVar

from retrograd.runtime.helpers import linear
from retrograd.runtime.records import dataclass
from retrograd.runtime.solvers import implicit, refinement

from ..analyses.shapes.infer import type_of
from ..differentiate.forward import Pushed
from ..differentiate.reverse import Reversed
from ..ir.containers import LEAF
from ..ir.operations import Apply, Block, Call, Const, Function, Operand, Value
from ..ir.types import Array, Number, Tree
from ..simplify.builder import Builder
from .custom_derivative import Copy, backwards

__all__ = ["Equation", "Linear", "linear_system", "solver_call"]


def solver_call(
    block: Block, fn: Any, functions: list[Function], first: list[Value], rest: list[Value],
    kinds: list[Any], options: dict[str, Operand], made: bool,
) -> list[Value]:  # fmt: skip
    """``rt.root(f, z0, (a, b))``: a solver of the runtime on functions of the program."""
    b = Builder(block)
    one = len(first) == 1
    start: Operand = first[0] if one else tuple(first)
    refs = [Const(f) for f in functions]
    kwargs = {k: v for k, v in options.items() if not (isinstance(v, Const) and v.value is None)}
    args: tuple[Operand, ...] = (*refs, start, *([tuple(rest)] if rest else []))
    kind = kinds[0] if one else Tree("tuple", tuple(range(len(kinds))), tuple(kinds))
    result = Value(None, kind)
    result.made = made
    block.ops.append(Apply([result], None, fn, args, kwargs))
    if one:
        return [result]
    parts = [b.getitem(result, k) for k in range(len(kinds))]
    for part, known in zip(parts, kinds, strict=True):
        part.type, part.made = known, made  # type: ignore[union-attr]
    return parts  # type: ignore[return-value]


@dataclass(eq=False)
class Pieces:
    """The pullbacks and tangents of a function ``f(z..., a...)``, for both kinds of rule."""

    b: Builder
    derive: Any

    def call(self, function: Function, args: list[Operand], kinds: list[Any]) -> list[Value]:
        results = [Value(None, kind) for kind in kinds]
        for result in results:
            result.made = True
        self.b.append(Call(list(results), None, function, tuple(args)))
        return results

    def saved(self, f: Function, args: list[Operand], active: list[int]) -> tuple[Any, Value]:
        """The backward half of ``f`` with respect to some arguments, and what it needs."""
        on = tuple(k in active for k in range(len(args)))
        pair = self.derive.pair(f, on, (True,) * len(f.body.yields))
        kinds = [type_of(y) for y in f.body.yields]
        *_, saved = self.call(pair.forward, args, [*kinds, pair.saved_type()])
        saved.hint = f"{f.name}_saved"
        return pair, saved

    def pull(
        self, f: Function, args: list[Operand], active: list[int], cs: list[Any]
    ) -> list[Value]:
        """The cotangents of some arguments of ``f``."""
        pair, saved = self.saved(f, args, active)
        return self.call(pair.backward, [saved, *cs], [loose(type_of(args[k])) for k in active])

    def push(
        self, f: Function, args: list[Operand], active: list[int], dots: list[Operand],
        kinds: list[Any],
    ) -> list[Operand]:  # fmt: skip
        """The tangents of the results of ``f``, whose types are ``kinds``."""
        on = tuple(k in active for k in range(len(args)))
        pushed, _ = self.derive.push(f, on)
        results = self.call(pushed, [*args, *dots], [*kinds, *kinds])
        return list(results[len(kinds) :])


def loose(kind: Any) -> Any:
    """An adjoint's type: of the shape of its argument, in the precision of what it was computed from."""
    if isinstance(kind, Array) and kind.dtype != "float64":
        return Array(None, kind.dims, kind.kind)
    return Array(None, (), kind.kind) if isinstance(kind, Number) else kind


def exact(b: Builder, bar: Value, like: Value) -> Value:
    """An adjoint of the type of its argument, which the caller may rely on."""
    if isinstance(like.type, Number) and like.type.kind == "f":
        bar = b.emit(builtins.float, bar)
    elif isinstance(like.type, Array) and like.type.dtype != "float64":
        bar = b.emit(linear.unbroadcast, bar, like)
    bar.bar = like.hint
    return bar


def negated(b: Builder, values: list[Any]) -> list[Operand]:
    return [b.apply(operator.neg, v) for v in values]


def typed_like(values: list[Operand]) -> list[Value]:
    return [Value(v.hint if isinstance(v, Value) else None, type_of(v)) for v in values]


def jacobian_transposed(derive: Any, f: Function, n: int, sign: str) -> tuple[Any, Function]:
    """``u -> f_z^T u`` (``u - f_z^T u`` for a fixed point) as a function of ``u`` and what is saved."""
    on = tuple(k < n for k in range(len(f.body.params)))
    pair = derive.pair(f, on, (True,) * len(f.body.yields))
    us = [Value("u", p.type) for p in f.body.params[:n]]
    saved = Value("saved", pair.saved_type())
    block = Block([*us, saved])
    b = Builder(block)
    found = Pieces(b, derive).call(pair.backward, [saved, *us], [u.type for u in us])
    block.yields = combined(b, us, found, sign)
    return pair, Function(f"{f.name}_adjoint", block, LEAF, f.source)


def jacobian_times(derive: Any, f: Function, n: int, sign: str) -> Function:
    """``v -> f_z v`` (``v - f_z v``) as a function of ``v`` and the arguments of ``f``."""
    vs = [Value("v", p.type) for p in f.body.params[:n]]
    args = [Value(p.hint, p.type) for p in f.body.params]
    block = Block([*vs, *args])
    b = Builder(block, shown=args)
    found = Pieces(b, derive).push(f, list(args), list(range(n)), list(vs), [v.type for v in vs])
    block.yields = combined(b, vs, found, sign)
    return Function(f"{f.name}_tangent", block, LEAF, f.source)


def combined(b: Builder, vs: list[Value], found: list[Any], sign: str) -> list[Operand]:
    if sign == "zero":
        return [b.apply(linear.unbroadcast, f, v) for v, f in zip(vs, found, strict=True)]
    return [b.apply(operator.sub, v, f) for v, f in zip(vs, found, strict=True)]


@dataclass(eq=False)
class Equation:
    """``z`` with ``f(z, a) = 0`` (``sign`` "zero") or ``f(z, a) = z`` ("fixed").

    After ``z`` and ``a`` stand the options that are computed: the solution does not depend on a tolerance.
    """

    f: Function
    n: int  # unknowns
    sign: str
    refine: bool = False  # whether what was found is too rough to be derived at
    derived: ClassVar = True

    @property
    def end(self) -> int:
        return len(self.f.body.params)

    def place(self, b: Builder, copy: Copy) -> list[Operand]:
        """The arguments of ``f`` at the solution."""
        others = copy.function.body.params[self.n : self.end]
        z = refined(b, self.f, copy.results, others) if self.refine else copy.results
        return [*z, *others]

    def reverse(
        self, callee: Function, wrt: list[Value], derive: Any, seeded: list[bool], complex_: bool
    ) -> Reversed:
        positions = [callee.body.params.index(v) for v in wrt]
        copy, b, seeds, cs = backwards(callee, seeded, complex_)
        pieces = Pieces(b, derive)
        active = [k for k in positions if self.n <= k < self.end]
        pairs = list(zip(callee.body.params, copy.function.body.params, strict=True))
        bars: dict[Value, Operand] = {
            v: b.apply(linear.zeros_like, v2) for v, v2 in [*pairs[: self.n], *pairs[self.end :]]
        }
        if active:
            at = self.place(b, copy)
            pair, matrix = jacobian_transposed(derive, self.f, self.n, self.sign)
            kinds = [type_of(y) for y in self.f.body.yields]
            *_, saved = pieces.call(pair.forward, at, [*kinds, pair.saved_type()])
            saved.hint = f"{self.f.name}_saved"
            us: list[Any] = linear_system(b, matrix, cs, [saved], kinds_of(copy.results))
            us = us if self.sign == "fixed" else negated(b, us)
            for k, bar in zip(active, pieces.pull(self.f, at, active, us), strict=True):
                bars[callee.body.params[k]] = exact(b, bar, copy.function.body.params[k])
        return Reversed(copy.function, b.block, seeds, bars)

    def tangents(self, callee: Function, wrt: list[Value], derive: Any, complex_: bool) -> Pushed:
        positions = [callee.body.params.index(v) for v in wrt]
        copy = Copy.of(callee)
        body = copy.function.body
        b = Builder(body, complex_, shown=body.params)
        b.learn(body)
        dots = [Value(f"{v.hint}_dot", v.type) for v in wrt]
        active = [k for k in positions if self.n <= k < self.end]
        if not active:
            return Pushed(copy.function, dots, [None] * self.n)
        own = [dot for k, dot in zip(positions, dots, strict=True) if k in active]
        at = self.place(b, copy)
        kinds = kinds_of(copy.results)
        right = Pieces(b, derive).push(self.f, at, active, list(own), kinds)
        right = right if self.sign == "fixed" else negated(b, right)
        matrix = jacobian_times(derive, self.f, self.n, self.sign)
        return Pushed(copy.function, dots, list(linear_system(b, matrix, right, at, kinds)))


def refined(b: Builder, f: Function, zs: list[Value], rest: list[Value]) -> list[Value]:
    """Emit the zero of ``f`` near ``zs`` to rounding: an equation again."""
    params, others = typed_like(list(zs)), typed_like(list(rest))
    block = Block([*params, *others])
    kinds = kinds_of(zs)
    block.yields = list(
        solver_call(block, refinement.refined, [f], params, others, kinds, {}, True)
    )
    callee = Function("refined", block, LEAF, f.source)
    callee.facts.custom, callee.facts.inline = Equation(f, len(zs), "zero"), True
    results = [Value(v.hint, v.type, b.loc) for v in zs]
    for result in results:
        result.made = True
    b.append(Call(list(results), b.loc, callee, (*zs, *rest)))
    return results


def linear_system(
    b: Builder, matrix: Function, right: list[Any], rest: list[Any], kinds: list[Any],
    tol: Any = None, made: bool = True,
) -> list[Value]:  # fmt: skip
    """Emit the solution ``v`` of ``matrix(v, *rest) = right``: a call that can be differentiated."""
    n = len(right)
    params = [Value("b", kind) for kind in kinds]
    others = typed_like(rest)
    block = Block([*params, *others])
    options = {} if tol is None else {"tol": tol}
    block.yields = list(
        solver_call(block, implicit.linear_solve, [matrix], params, others, kinds, options, made)
    )
    callee = Function("linear_solve", block, LEAF, matrix.source)
    callee.facts.custom, callee.facts.inline = Linear(matrix, n, tol), True
    results = [Value(None, kind, b.loc) for kind in kinds]
    for result in results:
        result.made = made
    b.append(Call(list(results), b.loc, callee, (*right, *rest)))
    return results


@dataclass(eq=False)
class Linear:
    """``v`` with ``matrix(v, q) = b``: linear in ``v``, differentiable in ``b`` and ``q``."""

    matrix: Function
    n: int
    tol: Any = None
    derived: ClassVar = True

    def reverse(
        self, callee: Function, wrt: list[Value], derive: Any, seeded: list[bool], complex_: bool
    ) -> Reversed:
        positions = [callee.body.params.index(v) for v in wrt]
        copy, b, seeds, cs = backwards(callee, seeded, complex_)
        pieces = Pieces(b, derive)
        at: list[Operand] = [*copy.results, *copy.function.body.params[self.n :]]
        pair, transposed = jacobian_transposed(derive, self.matrix, self.n, "zero")
        kinds = [type_of(y) for y in self.matrix.body.yields]
        *_, saved = pieces.call(pair.forward, at, [*kinds, pair.saved_type()])
        saved.hint = f"{self.matrix.name}_saved"
        us = linear_system(b, transposed, cs, [saved], kinds_of(copy.results), self.tol)
        bars: dict[Value, Operand] = dict(zip(callee.body.params, us, strict=False))
        active = [k for k in positions if k >= self.n]
        if active:
            found = pieces.pull(self.matrix, at, active, negated(b, us))
            for k, bar in zip(active, found, strict=True):
                bars[callee.body.params[k]] = exact(b, bar, copy.function.body.params[k])
        for v in wrt:
            bar = bars[v]
            if isinstance(bar, Value) and bar.bar is None:
                bar.bar = v.hint
        return Reversed(copy.function, b.block, seeds, bars)

    def tangents(self, callee: Function, wrt: list[Value], derive: Any, complex_: bool) -> Pushed:
        positions = [callee.body.params.index(v) for v in wrt]
        copy = Copy.of(callee)
        body = copy.function.body
        b = Builder(body, complex_, shown=body.params)
        b.learn(body)
        dots = [Value(f"{v.hint}_dot", v.type) for v in wrt]
        given = dict(zip(positions, dots, strict=True))
        kinds = kinds_of(copy.results)
        right: list[Operand] = [
            given[k] if k in given else b.apply(linear.zeros_like, body.params[k])
            for k in range(self.n)
        ]
        active = [k for k in positions if k >= self.n]
        at: list[Operand] = [*copy.results, *body.params[self.n :]]
        if active:
            moved = Pieces(b, derive).push(
                self.matrix, at, active, [given[k] for k in active], kinds
            )
            right = [b.apply(operator.sub, r, m) for r, m in zip(right, moved, strict=True)]
        rest = list(body.params[self.n :])
        found = linear_system(b, self.matrix, right, rest, kinds, self.tol)
        return Pushed(copy.function, dots, list(found))


def kinds_of(values: list[Value]) -> list[Any]:
    return [v.type for v in values]
