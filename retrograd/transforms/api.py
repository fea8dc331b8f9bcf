"""The transformations as functions: grad, value_and_grad, jvp, vjp.

Each returns a plain function that compiles at its first call for a kind of arguments; applied
to another transformation's result, it differentiates the program behind it, not its text.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from importlib import import_module
from keyword import iskeyword
from typing import Any

import numpy as np

from retrograd.compiler.ir.argument_path import Place
from retrograd.runtime.errors import NotDifferentiable, SignatureMismatch

from .asked import asked_of, check_level, compiled_by
from .check.policy import due, in_force
from .device_values import on_device
from .specialise import gradient_leaves
from .specialise.argument_types import kind_of_argument, kinds_key, parse_signature
from .specialise.dispatcher import ByKind, Dispatcher, check_given, is_current, its_own, regiven
from .specialise.eager_fallback import eager, eager_vjp, is_taped, plain
from .specialise.kernels import Kernels
from .specialise.memo import Recent
from .specialise.tape_warnings import tell
from .star_arguments import apart, with_all
from .tangents import alike, apart_from, cotangent_like, cotangents, directions
from .transformed_function import Chain, chain_of, unwrap
from .wrt import Wrt, place_in, request_key

__all__ = [
    "Chain",
    "Wrt",
    "chain_of",
    "grad",
    "jvp",
    "on_all",
    "primal",
    "pulled",
    "pushed",
    "source",
    "unwrap",
    "value_and_grad",
    "vjp",
]


def transformed(chain: Chain, doc: str) -> Callable[..., Any]:
    """A function with the chain's arguments that compiles itself for what it is called with."""
    signature = parameters_of(chain)
    inner = inner_of(chain, signature)

    def miss(*args: Any) -> Any:
        args = tuple(map(of_file, args))
        if is_taped(args, chain.fn):
            return eager(chain)(*args)
        try:
            return first(*args)
        except Exception as error:
            return failed(error, args)

    def failed(error: Exception, args: Sequence[Any]) -> Any:
        try:
            return answers().answered(chain, args, error, lambda: miss(*args))
        finally:
            changed = chain.watch.age() != seen[0]  # or the next call goes to the tape at once
            if changed or (chain.late is not None and kernels is None):
                known.clear()
                made_dispatcher.forget()
            del error  # this frame is in its traceback

    def first(*args: Any) -> Any:
        if chain.renew() != seen[0]:
            args = renew(args)
        types = chain.types(args)
        key = kinds_key(types)
        made, target = known.get(key, (None, None))
        if is_current(made):
            check_given(chain, types, made, args)
            if in_force(chain.check) != "always":
                made_dispatcher.still(types, target, made.guards, made.equal)
                if kernels is not None:
                    kernels.still()
            return checked(made, target, args)
        made = chain.load(types)
        check_given(chain, types, made, args)
        target = next(iter(made.functions.values()))
        result = checked(made, target, args)
        tell(made.notices)
        if kernels is not None:
            target = answers().learnt(kernels, made, args, target)
        known[kinds_key(types)] = made, target  # which values are known is settled now
        if in_force(chain.check) != "always":
            made_dispatcher.add(types, target, made.guards, made.equal)
        return result

    def checked(made: Any, target: Any, args: Any) -> Any:
        if not due(chain, made):
            return called(target, args)
        from .check.checked_results import first_result  # few calls are checked

        return first_result(chain, made, functools.partial(called, target), args, primal)

    def renew(args: tuple[Any, ...]) -> tuple[Any, ...]:
        """The function was changed: begin anew, with the arguments that were given."""
        nonlocal inner
        before, signature = made_dispatcher.signature, parameters_of(chain)
        seen[0], inner = chain.age, inner_of(chain, signature)
        known.clear()
        made_dispatcher.renew(signature, inner)
        if kernels is not None:
            kernels.renew(signature)
        return regiven(chain.name, args, before, signature)

    def called(target: Any, args: Any) -> Any:
        given, named = apart(inner, args)
        return target(*chain.bound, *given, **named)

    known, seen = Recent(), [chain.age]  # the dispatcher has room for a few kinds
    made_dispatcher = Dispatcher(
        identifier(chain.name),
        signature,
        miss,
        doc,
        dict(zip(chain.full.parameters, chain.bound, strict=False)),
        inner,
        failed,
    )
    function = made_dispatcher.function
    kernels = None
    if chain.backend != "numpy":
        kernels = Kernels(chain, function, signature, doc)
        function = kernels.function
    function.__retrograd__ = chain  # type: ignore[attr-defined]
    function.__module__ = chain.fn.__module__
    function.__qualname__ = chain.name
    return function


def answers() -> Any:
    """The module that answers failed calls, which are few."""
    return import_module("retrograd.transforms.specialise.call_errors")


def identifier(name: str) -> str:
    return name if name.isidentifier() and not iskeyword(name) else "derivative"


def parameters_of(chain: Chain) -> inspect.Signature:
    """How the function that a chain makes is called."""
    own = [
        p.replace(annotation=p.empty, default=its_own(p.default))
        for p in chain.signature.parameters.values()
    ]
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    extra = [inspect.Parameter(n, kind) for n in chain.parameters[len(own) :]]
    return inspect.Signature([*own, *extra])


def inner_of(chain: Chain, signature: inspect.Signature) -> inspect.Signature:
    """The parameters of the generated code, but for the object of a bound method."""
    own = list(chain.inner.parameters.values())[len(chain.bound) :]
    return inspect.Signature([*own, *list(signature.parameters.values())[len(own) :]])


def grad(
    f: Callable[..., Any],
    wrt: Wrt | None = None,
    *,
    backend: str | None = None,
    accuracy: str | None = None,
    optimize: int | None = None,
    strict: bool | None = None,
) -> Callable[..., Any]:
    """The gradient of a scalar function, as a function of the same arguments.

    A scalar is one number, or an array of one element.
    ``backend="c"`` compiles it with the system's C compiler, ``"numba"`` with numba, ``"cuda"`` for CuPy's arrays;
    ``accuracy="libm"`` takes their ``exp`` and its like from the C library instead of inline.
    ``optimize=2`` writes a longer text that is faster on large arrays.  What cannot be compiled runs on
    the eager tape, with a warning; ``strict=True`` makes it an error.

    >>> def area(r):
    ...     return 3.0 * r * r
    >>> grad(area)(2.0)
    12.0
    """
    return derivative(f, "grad", "gradient", wrt, backend, accuracy, optimize, strict)


def value_and_grad(
    f: Callable[..., Any],
    wrt: Wrt | None = None,
    *,
    backend: str | None = None,
    accuracy: str | None = None,
    optimize: int | None = None,
    strict: bool | None = None,
) -> Callable[..., Any]:
    """The value and the gradient of a scalar function: what ``minimize(jac=True)`` wants."""
    words = "value and gradient"
    return derivative(f, "value_and_grad", words, wrt, backend, accuracy, optimize, strict)


def derivative(
    f: Callable[..., Any],
    kind: str,
    words: str,
    wrt: Any,
    backend: Any,
    accuracy: Any,
    optimize: Any,
    strict: bool | None,
) -> Callable[..., Any]:
    """One function for everybody who asks the same of ``f``: asking in a loop is cheap."""
    base = asked_of(f, strict)
    level = None if optimize is None else check_level(optimize)

    def make() -> Callable[..., Any]:
        chain = compiled_by(base, backend, accuracy, level)
        places, single = chain.positions(wrt)
        doc = f"The {words} of {chain.name} with respect to {named(chain, places)}."
        return transformed(chain.then(kind, places, single), doc)

    key = (kind, request_key(wrt), backend, accuracy, level)
    made: Callable[..., Any] = base.once(key, make)
    return made


def named(chain: Chain, places: Sequence[Place]) -> str:
    return ", ".join(f"`{place.text(chain.parameters)}`" for place in places)


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


def jvp(
    f: Callable[..., Any],
    args: Sequence[Any],
    tangents: Sequence[Any],
    *,
    strict: bool | None = None,
) -> tuple[Any, Any]:
    """``(f(*args), J @ tangents)``; None is a zero tangent, of a part of an argument, too.

    >>> def square(x):
    ...     return x * x
    >>> jvp(square, (3.0,), (1.0,))
    (9.0, 6.0)
    """
    if len(args) != len(tangents):
        raise SignatureMismatch(f"{len(args)} arguments, but {len(tangents)} tangents")
    chain = asked_of(f, strict)
    full = chain_arguments(chain, args)
    pairs = [
        pair
        for k, dot in enumerate(tangents)
        for pair in directions(given_at(chain, k), args[k], dot)
    ]
    return pushed(chain, full, [place for place, _ in pairs], [dot for _, dot in pairs])


def pushed(
    chain: Chain, full: list[Any], places: Sequence[Place], tangents: Sequence[Any]
) -> tuple[Any, Any]:
    """Value and tangent of a chain, given one argument for each parameter."""
    if not places:
        from retrograd.runtime.device.runtime_of import runtime_of

        value = chain_value(chain, full)
        return value, runtime_of(value).zeros_like(value)
    if is_taped([full, tangents], chain.fn):
        both: tuple[Any, Any] = eager(chain.then("jvp", places))(*full, *tangents)
        return both
    names = chain.parameters
    dots = [alike(p.text(names), p.of(full), t) for p, t in zip(places, tangents, strict=True)]
    result: tuple[Any, Any] = push(chain, tuple(places))(*full, *apart_from(dots, full))
    return result


def push(chain: Chain, wrt: tuple[Place, ...]) -> Callable[..., Any]:
    doc = f"The tangent of {chain.name}."
    made: Callable[..., Any] = chain.once(
        ("jvp", wrt), lambda: transformed(chain.then("jvp", wrt), doc)
    )
    return made


def is_spread(chain: Chain) -> bool:
    """True if a call gives more or fewer arguments than there are parameters."""
    return chain.starred


def given_at(chain: Chain, k: int) -> Place:
    """Where the argument number ``k`` of a call stands."""
    return place_in(chain, k) if is_spread(chain) else Place(k)


def chain_arguments(chain: Chain, args: Sequence[Any]) -> list[Any]:
    """One argument for each parameter."""
    n, args = chain.arity, list(map(of_file, args))
    if not is_spread(chain) and (len(args) == n or chain.packed):
        return args
    return chain.bind(args if is_spread(chain) else args[:n], {})


def of_file(x: Any) -> Any:
    """An argument; of an array that lies in a file, a plain view of it."""
    return np.asarray(x) if type(x) is np.memmap else x


def chain_value(chain: Chain, full: Sequence[Any]) -> Any:
    return on_all(chain)(*full)


def on_all(chain: Chain) -> Callable[..., Any]:
    """The function that a chain makes, taking one argument for each parameter."""

    def make() -> Callable[..., Any]:
        if chain.steps:
            return transformed(chain.changed(packed=True), "")
        itself = with_all(chain.raw, functools.partial(chain.fn, *chain.bound))
        return lambda *args: (from_text(chain) if on_device(args) else itself)(*args)

    made: Callable[..., Any] = chain.once("on_all", make)
    return made


def from_text(chain: Chain) -> Callable[..., Any]:
    """The function that a chain stands for, as a text for the kinds of arrays that it is given."""
    made: Callable[..., Any] = chain.once(
        "from_text", lambda: transformed(chain.changed(packed=True, check=None), "")
    )
    return made


def primal(base: Chain) -> Callable[[list[Any]], Any]:
    """The function that a chain stands for, given its bound objects and one argument for each parameter."""
    k = len(base.bound)

    def run(full: list[Any]) -> Any:
        own = base.changed(bound=tuple(full[:k])) if k else base
        return on_all(own)(*full[k:])

    return run


def vjp(
    f: Callable[..., Any], *args: Any, wrt: Wrt | None = None, strict: bool | None = None
) -> tuple[Any, Callable[..., Any]]:
    """``(f(*args), pullback)``; ``pullback(cotangent)`` is a tuple of gradients.

    >>> def scale(x, k):
    ...     return k * x
    >>> value, pullback = vjp(scale, 3.0, 2.0)
    >>> value, pullback(1.0)
    (6.0, (2.0, 3.0))
    """
    chain = asked_of(f, strict)
    full = chain_arguments(chain, args)
    if wrt is None:
        given = args if is_spread(chain) else full
        places = tuple(given_at(chain, k) for k, a in enumerate(given) if has_gradient(a))
        if not places:
            raise NotDifferentiable(f"{chain.name}: no argument is a float", fix="pass floats")
    else:
        places, _ = chain.positions(wrt)
    return pulled(chain, full, places, waits=True)


def has_gradient(value: Any) -> bool:
    """True if an argument has a gradient."""
    return gradient_leaves.has_gradient(kind_of_argument(plain(value), "x"))


def pulled(
    chain: Chain, full: list[Any], places: Sequence[Place], waits: bool = False
) -> tuple[Any, Callable[..., Any]]:
    """Value and pullback of a chain, given one argument for each parameter.

    ``waits``: it is the caller's, who may write to the arguments and the value before it is called.
    """
    return halved(chain, tuple(places))(full, waits)


Halved = Callable[[list[Any], bool], tuple[Any, Callable[..., Any]]]
"""Value and pullback of arguments that the caller may write to, or not."""


def halved(chain: Chain, places: tuple[Place, ...]) -> Halved:
    """The two halves of the pullback of a chain as it is now."""
    run: Halved = chain.once(("vjp", places), lambda: split_vjp(chain, places))
    return run


def split_vjp(chain: Chain, positions: tuple[Place, ...]) -> Callable[[list[Any], bool], Any]:
    """The two halves of the pullback of a chain, compiled per kind of arguments."""
    in_order = sorted(positions, key=lambda place: (bool(place.keys), place.at))
    asked = chain.then("vjp", in_order, False)
    order = [in_order.index(k) for k in positions]
    halves = ByKind(asked, asked.load)
    full_places = [p._replace(at=p.at + len(chain.bound)) for p in positions]

    def run(args: list[Any], waits: bool) -> Any:
        from retrograd.runtime.objects.pytree import pack

        if is_taped(args, chain.fn):
            return taped_vjp(chain, positions, args)
        try:
            made = halves.of(args)
            forward, backward = made.functions.values()
            birth = born(asked, made, args)
            *flat, saved = forward(*chain.bound, *args)
        except Exception as error:
            return failed(error, args, waits)
        as_it_is: Any = (pack(made.tree, flat), lambda f: f)
        value, reading = as_it_is
        if waits and made.text:
            from .pullbacks import set_apart  # few pullbacks wait

            saved, reading = set_apart(made, saved, [*chain.bound, *args, *flat])
        usual = reading(backward)

        def pullback(cotangent: Any, instead: Any = None) -> tuple[Any, ...]:
            bars = cotangents(made.tree, cotangent, flat)
            result = (usual if instead is None else reading(instead))(saved, *bars)
            return tuple(result[k] for k in order) if len(positions) > 1 else (result,)

        if birth is not None:
            from .check.checked_results import check_pullback  # few calls are checked

            check_pullback(birth, full_places, value, pullback)
        tell(made.notices)
        return value, answers().pulled_back(chain, pullback, value, made)

    def failed(error: Exception, args: list[Any], waits: bool) -> Any:
        try:
            anew = lambda: halved(chain, positions)(args, waits)  # noqa: E731
            on_tape = lambda: taped_vjp(chain, positions, args)  # noqa: E731
            return answers().answered(asked, args, error, anew, on_tape)
        finally:
            if asked.late is not None:
                halves.forget()
            del error

    return run


def taped_vjp(chain: Chain, places: Sequence[Place], args: Sequence[Any]) -> tuple[Any, Any]:
    value, pull = eager_vjp(chain, places, args)
    return value, lambda c: pull(cotangent_like(value, c))


def born(chain: Chain, made: Any, args: Sequence[Any]) -> Any:
    """The record of the arguments of a pullback that has to be checked."""
    if not due(chain, made):
        return None
    from .check.first_call import Birth  # few calls are checked

    base = chain.changed(steps=chain.steps[:-1])
    return Birth(base, made, args, primal(base))


WORDS: list[Any] = [grad, value_and_grad, jvp, vjp]
for _word in WORDS:
    _word.__word__ = _word.__name__  # how the compiler knows it
