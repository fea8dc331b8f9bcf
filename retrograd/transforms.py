"""The transformations as functions: grad, value_and_grad, jvp, vjp, linearize, jacobian, hessian.

Each returns a plain function that compiles at its first call for a kind of arguments; applied
to another transformation's result, it differentiates the program behind it, not its text.
"""

from __future__ import annotations

import functools
import inspect
import operator
from collections.abc import Callable, Sequence
from typing import Any

from retrograd.compiler.types import Type
from retrograd.runtime.errors import (
    CompileError,
    NotDifferentiable,
    SignatureMismatch,
    UnsupportedSyntax,
)

from .compiled import Loaded, Step, compile_chain, render
from .dispatch import Dispatcher
from .fallback import eager, eager_vjp, is_taped, on_tape, plain, warn_of_calls
from .kinds import check_float, kind_of_argument, leaves, parse_signature

__all__ = [
    "Chain",
    "chain_of",
    "grad",
    "hvp",
    "jvp",
    "linearize",
    "source",
    "value_and_grad",
    "vjp",
]

Wrt = int | str | Sequence[int | str]


class Chain:
    """A Python function and the transformations applied to it so far.

    ``bound`` is the object of a bound method: its class's function gets it as first argument.
    """

    def __init__(
        self,
        fn: Callable[..., Any],
        steps: tuple[Step, ...] = (),
        sig: str | None = None,
        bound: tuple[Any, ...] = (),
        fallback: str = "calls",
        check: str | None = None,
    ) -> None:
        self.fn, self.steps, self.sig, self.bound = fn, steps, sig, bound
        self.fallback, self.check = fallback, check
        self.full = signature_of(fn)
        own = list(self.full.parameters.values())[len(bound) :]
        self.signature = self.full.replace(parameters=own)

    @property
    def parameters(self) -> list[str]:
        """The parameters of the function the chain ends with: tangents and cotangents come last."""
        names = list(self.signature.parameters)
        for step in self.steps:
            if step.kind == "jvp":
                wrt = [k - len(self.bound) for k in step.wrt]
                names += [fresh(f"{names[k]}_dot", names) for k in wrt]
        return names

    def then(self, kind: str, wrt: tuple[int, ...], single: bool = True) -> Chain:
        full = tuple(k + len(self.bound) for k in wrt)
        steps = (*self.steps, Step(kind, full, single))
        return Chain(self.fn, steps, self.sig, self.bound, self.fallback, self.check)

    def positions(self, wrt: Wrt | None) -> tuple[tuple[int, ...], bool]:
        """``wrt`` as positions, and whether one was asked for rather than a tuple."""
        if wrt is None:
            return (0,), True
        single = isinstance(wrt, (int, str)) or hasattr(wrt, "__index__")
        asked = [wrt] if single else list(wrt)  # type: ignore[arg-type]
        found = tuple(self.position(item) for item in asked)
        if not found or len(set(found)) < len(found):
            raise SignatureMismatch(f"wrt names no argument of {self.name}, or one twice: {wrt!r}")
        return found, single

    def position(self, item: Any) -> int:
        names = self.parameters
        if isinstance(item, str):
            if item not in names:
                raise SignatureMismatch(
                    f"{self.name} has no argument `{item}`; it has {', '.join(names)}"
                )
            return names.index(item)
        index = operator.index(item)
        if not -len(names) <= index < len(names):
            raise SignatureMismatch(f"{self.name} has no argument {index}: it has {len(names)}")
        return index % len(names)

    @property
    def name(self) -> str:
        return "_".join([self.fn.__name__.strip("<>"), *(s.kind for s in self.steps)])

    def types(self, args: Sequence[Any]) -> dict[str, Type]:
        """What these arguments are compiled for; a kind asked for a gradient must be a float."""
        kinds = {n: kind_of_argument(a, n) for n, a in zip(self.parameters, args, strict=True)}
        names = list(kinds)
        for k in {k - len(self.bound) for step in self.steps for k in step.wrt}:
            if k < len(names):
                check_float(kinds[names[k]], names[k], self.fn.__qualname__)
        return self.bound_types() | kinds

    def bound_types(self) -> dict[str, Type]:
        """The kind of the object of a bound method."""
        names = list(self.full.parameters)
        return {n: kind_of_argument(a, n) for n, a in zip(names, self.bound, strict=False)}

    def load(self, types: dict[str, Type]) -> Loaded:
        """Loaded code for these arguments; what cannot be compiled runs on the tape, if it may."""
        own = {n: types[n] for n in self.full.parameters if n in types}
        try:
            made = compile_chain(self.fn, own, self.steps, unwrap, self.fallback != "error")
        except NotDifferentiable:
            raise
        except CompileError as error:
            if self.fallback != "tape":
                raise
            return on_tape(self, error)
        if made.taped:
            warn_of_calls(self.fn, made.taped)
        return made

    def text(self, types: dict[str, Type]) -> str:
        tape = self.fallback != "error"
        return str(render(self.fn, types, self.steps, unwrap, tape=tape)[0].text)

    def bind(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
        """The arguments in order, defaults filled in."""
        bound = self.signature.bind(*args, **kwargs)
        bound.apply_defaults()
        return [bound.arguments[n] for n in self.signature.parameters]


def fresh(name: str, taken: list[str]) -> str:
    k, tried = 1, name
    while tried in taken:
        k += 1
        tried = f"{name}_{k}"
    return tried


def signature_of(fn: Any) -> inspect.Signature:
    try:
        found = inspect.signature(fn, follow_wrapped=False)
        check_starred(found)
        return found
    except (ValueError, TypeError):
        raise NotDifferentiable(
            f"{fn!r} has no signature to read", fix="wrap it in a Python function"
        ) from None


def check_starred(signature: inspect.Signature) -> None:
    for p in signature.parameters.values():
        if p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD):
            raise UnsupportedSyntax(
                f"`{p}` is not supported in a differentiated function",
                fix="name the parameters, or pass a list or a dict",
            )


def chain_of(f: Any) -> Chain:
    """The program behind a function: a decorated one, a transformed one, or a plain one."""
    known = getattr(f, "__retrograd__", None)
    if isinstance(known, Chain):
        return known
    if not callable(f):
        raise NotDifferentiable(f"{f!r} is not a function")
    if isinstance(f, functools._lru_cache_wrapper):
        return chain_of(f.__wrapped__)
    if inspect.ismethod(f):
        known = chain_of(f.__func__)
        bound = (f.__self__,)
        return Chain(known.fn, known.steps, known.sig, bound, known.fallback, known.check)
    if not inspect.isroutine(f) or not hasattr(f, "__code__"):
        name = getattr(f, "__name__", repr(f))
        raise NotDifferentiable(
            f"{name} is not a Python function", fix=f"wrap it: `lambda x: {name}(x)`"
        )
    return Chain(f)


def unwrap(fn: Any) -> Any:
    """The plain function behind our decorator, for the compiler."""
    known = getattr(fn, "__retrograd__", None)
    if isinstance(known, Chain) and not known.steps:
        return known.fn
    return fn


def transformed(chain: Chain, doc: str) -> Callable[..., Any]:
    """A function with the chain's arguments that compiles itself for what it is called with."""

    def miss(*args: Any) -> Any:
        if is_taped(args):
            return eager(chain)(*args)
        types = chain.types(args)
        made = chain.load(types)
        target = next(iter(made.functions.values()))
        if chain.check is not None:
            from .first_call import check_first

            check_first(chain, args, target(*chain.bound, *args))
        made_dispatcher.add(types, target, made.guards)
        return target(*chain.bound, *args)

    made_dispatcher = Dispatcher(
        identifier(chain.name),
        parameters_of(chain),
        miss,
        doc,
        dict(zip(chain.full.parameters, chain.bound, strict=False)),
    )
    function = made_dispatcher.function
    function.__retrograd__ = chain  # type: ignore[attr-defined]
    function.__module__ = chain.fn.__module__
    function.__qualname__ = chain.name
    return function


def identifier(name: str) -> str:
    return name if name.isidentifier() else "derivative"


def parameters_of(chain: Chain) -> inspect.Signature:
    own = list(chain.signature.parameters.values())
    extra = chain.parameters[len(own) :]
    plain = [p.replace(annotation=p.empty) for p in own]
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    if extra:
        named = (inspect.Parameter.KEYWORD_ONLY, kind)
        plain = [
            p.replace(default=p.empty, kind=kind if p.kind in named else p.kind) for p in plain
        ]
    return inspect.Signature(plain + [inspect.Parameter(n, kind) for n in extra])


def grad(f: Callable[..., Any], wrt: Wrt | None = None) -> Callable[..., Any]:
    """The gradient of a scalar function, as a function of the same arguments.

    >>> def area(r):
    ...     return 3.0 * r * r
    >>> grad(area)(2.0)
    12.0
    """
    chain = chain_of(f)
    positions, single = chain.positions(wrt)
    doc = f"The gradient of {chain.name} with respect to {named(chain, positions)}."
    return transformed(chain.then("grad", positions, single), doc)


def value_and_grad(f: Callable[..., Any], wrt: Wrt | None = None) -> Callable[..., Any]:
    """The value and the gradient of a scalar function: what ``minimize(jac=True)`` wants."""
    chain = chain_of(f)
    positions, single = chain.positions(wrt)
    doc = f"The value and gradient of {chain.name} with respect to {named(chain, positions)}."
    return transformed(chain.then("value_and_grad", positions, single), doc)


def named(chain: Chain, positions: tuple[int, ...]) -> str:
    return ", ".join(f"`{chain.parameters[k]}`" for k in positions)


def source(
    f: Callable[..., Any], kind: str = "grad", wrt: Wrt | None = None, sig: str | None = None
) -> str:
    """The generated text of a derivative of ``f``, for the arguments that ``sig`` describes."""
    chain = chain_of(f)
    positions, single = chain.positions(wrt)
    asked = chain.then(kind, positions, single) if kind != "value" else chain
    described = sig if sig is not None else chain.sig
    types = parse_signature(described) if described else {}
    return asked.text(types)


# -- products with the Jacobian ---------------------------------------------------------

KEPT = 256  # functions made for one call each (lambdas in a loop) must not pile up


class Recent(dict[Any, Any]):
    """A memory of the last ``KEPT`` entries."""

    def __setitem__(self, key: Any, value: Any) -> None:
        super().__setitem__(key, value)
        while len(self) > KEPT:
            self.pop(next(iter(self)), None)


PUSHES = Recent()


def jvp(f: Callable[..., Any], args: Sequence[Any], tangents: Sequence[Any]) -> tuple[Any, Any]:
    """``(f(*args), J @ tangents)``; None is a zero tangent.

    >>> def square(x):
    ...     return x * x
    >>> jvp(square, (3.0,), (1.0,))
    (9.0, 6.0)
    """
    if len(args) != len(tangents):
        raise SignatureMismatch(f"{len(args)} arguments, but {len(tangents)} tangents")
    chain = chain_of(f)
    full = chain_arguments(chain, args)
    wrt = tuple(k for k, t in enumerate(tangents) if t is not None)
    if not wrt:
        value = chain_value(chain, full)
        return value, zeros(value)
    if is_taped([args, tangents]):
        both: tuple[Any, Any] = eager(chain.then("jvp", wrt))(*full, *[tangents[k] for k in wrt])
        return both
    dots = [alike(chain.parameters[k], args[k], tangents[k]) for k in wrt]
    result: tuple[Any, Any] = push(f, chain, wrt)(*full, *dots)
    return result


def push(f: Any, chain: Chain, wrt: tuple[int, ...]) -> Callable[..., Any]:
    key = (chain.fn, chain.steps, wrt, chain.check, tuple(map(id, chain.bound)))
    try:
        known = PUSHES.get(key)
    except TypeError:  # not hashable
        return transformed(chain.then("jvp", wrt), f"The tangent of {chain.name}.")
    if known is None:
        known = PUSHES[key] = transformed(chain.then("jvp", wrt), f"The tangent of {chain.name}.")
    return known  # type: ignore[no-any-return]


def chain_arguments(chain: Chain, args: Sequence[Any]) -> list[Any]:
    n = len(chain.signature.parameters)
    if len(args) == n or any(step.kind == "jvp" for step in chain.steps):
        return list(args)
    return chain.bind(tuple(args[:n]), {})


def chain_value(chain: Chain, args: Sequence[Any]) -> Any:
    f = transformed(chain, "") if chain.steps else functools.partial(chain.fn, *chain.bound)
    named = [p.name for p in parameters_of(chain).parameters.values() if p.kind is p.KEYWORD_ONLY]
    first = len(args) - len(named)
    return f(*args[:first], **dict(zip(named, args[first:], strict=True)))


def alike(name: str, x: Any, dot: Any) -> Any:
    """A tangent, which must have the structure and shape of its argument, in its precision."""
    import numpy as np

    from retrograd.runtime import linear

    from .trees import flatten, in_order_of

    dot = in_order_of(x, dot)
    flat_x, tree_x = flatten(x)
    flat_dot, tree_dot = flatten(dot)
    if tree_x != tree_dot or any(
        np.shape(a) != np.shape(b) for a, b in zip(flat_x, flat_dot, strict=True)
    ):
        raise SignatureMismatch(
            f"the tangent of `{name}` has another structure or shape than `{name}`"
        )
    same = all(
        type(a) is type(b) and getattr(a, "dtype", None) == getattr(b, "dtype", None)
        for a, b in zip(flat_x, flat_dot, strict=True)
    )
    return dot if same else linear.match(dot, x)


def vjp(
    f: Callable[..., Any], *args: Any, wrt: Wrt | None = None
) -> tuple[Any, Callable[..., Any]]:
    """``(f(*args), pullback)``; ``pullback(cotangent)`` is a tuple of gradients.

    >>> def scale(x, k):
    ...     return k * x
    >>> value, pullback = vjp(scale, 3.0, 2.0)
    >>> value, pullback(1.0)
    (6.0, (2.0, 3.0))
    """
    chain = chain_of(f)
    full = chain_arguments(chain, args)
    if wrt is None:
        positions = tuple(k for k, a in enumerate(full) if is_float(a))
        if not positions:
            raise NotDifferentiable(f"{chain.name}: no argument is a float", fix="pass floats")
    else:
        positions, _ = chain.positions(wrt)
    pair: tuple[Any, Callable[..., Any]] = split_vjp(chain, positions)(full)
    return pair


def is_float(value: Any) -> bool:
    """Whether every number in an argument is a float, so that it has a gradient."""
    kinds = [
        getattr(leaf, "kind", None) for _, leaf in leaves(kind_of_argument(plain(value), "x"), "x")
    ]
    return bool(kinds) and all(k in ("f", "c") for k in kinds)


PULLS = Recent()


def split_vjp(chain: Chain, positions: tuple[int, ...]) -> Callable[[list[Any]], Any]:
    """The two halves of the pullback of a chain, compiled per kind of arguments."""
    asked = chain.then("vjp", tuple(sorted(positions)), False)
    order = [sorted(positions).index(k) for k in positions]

    def run(args: list[Any]) -> Any:
        from .trees import flatten_like, pack

        if is_taped(args):
            value, pull = eager_vjp(chain, positions, args)
            return value, pull
        types = asked.types(args)
        key = (chain.fn, chain.steps, positions, repr(types), chain.check)
        made, first = PULLS.get(key), False
        if made is None or any(g.read() is not g.value for g in made.guards):
            made = asked.load(types)
            first = chain.check is not None
        forward, backward = made.functions.values()
        *flat, saved = forward(*chain.bound, *args)
        value = pack(made.tree, flat)

        def pullback(cotangent: Any) -> tuple[Any, ...]:
            bars = flatten_like(made.tree, cotangent, flat)
            result = backward(saved, *bars)
            return tuple(result[k] for k in order) if len(positions) > 1 else (result,)

        if first:
            from .first_call import check_first_pullback

            check_first_pullback(chain, args, positions, value, pullback)
        PULLS[key] = made
        return value, pullback

    return run


def linearize(f: Callable[..., Any], *args: Any) -> tuple[Any, Callable[..., Any]]:
    """``(f(*args), tangent_function)``: the tangent of ``f`` at these arguments.

    >>> def square(x):
    ...     return x * x
    >>> value, tangent = linearize(square, 3.0)
    >>> value, tangent(2.0)
    (9.0, 12.0)
    """
    value = chain_value(chain_of(f), chain_arguments(chain_of(f), args))
    return value, lambda *tangents: jvp(f, args, tangents)[1]


def hvp(f: Callable[..., Any], args: Sequence[Any], v: Any, wrt: Wrt = 0) -> Any:
    """The Hessian of a scalar function times ``v``: forward over reverse.

    >>> def cube(x):
    ...     return x * x * x
    >>> hvp(cube, (2.0,), 1.0)
    12.0
    """
    positions, single = chain_of(f).positions(wrt)
    tangents: list[Any] = [None] * len(args)
    for k, part in zip(positions, [v] if single else list(v), strict=True):
        tangents[k] = part
    return jvp(grad(f, wrt), args, tangents)[1]


def zeros(value: Any) -> Any:
    from retrograd.runtime import linear

    return linear.zeros_like(value)
