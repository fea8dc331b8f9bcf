"""The transformations as functions: grad, value_and_grad, jvp, vjp.

Each returns a plain function that compiles at its first call for a kind of arguments; applied
to another transformation's result, it differentiates the program behind it, not its text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, ParamSpec, SupportsFloat, TypeVar, overload

from retrograd.compiler.ir.argument_path import Place
from retrograd.runtime.errors import NotDifferentiable, SignatureMismatch

from .asked import asked_of, check_flag, check_level, compiled_by
from .check.policy import UNSAID, asked
from .halves import halved
from .made_functions import chain_value, of_file, on_all, primal, transformed
from .public.door import one_word, public
from .public.posted import posted
from .source_text import SourceText
from .specialise import gradient_leaves
from .specialise.argument_types import kind_of_argument
from .specialise.eager_fallback import eager, is_taped, pair, plain
from .tangents import alike, apart_from, directions
from .transformed_function import Chain, chain_of, unwrap
from .wrt import Wrt, place_in, request_key

__all__ = [
    "Chain",
    "Wrt",
    "chain_of",
    "chain_value",
    "grad",
    "jvp",
    "on_all",
    "primal",
    "pulled",
    "pushed",
    "source",
    "transformed",
    "unwrap",
    "value_and_grad",
    "vjp",
]


P = ParamSpec("P")
R = TypeVar("R")
Aux = TypeVar("Aux")
Number = TypeVar("Number", bound=SupportsFloat)  # also an array of one


@overload
def grad(
    f: Callable[P, SupportsFloat],
    wrt: Wrt | None = None,
    *,
    has_aux: Literal[False] = False,
    backend: str | None = None,
    accuracy: str | None = None,
    optimize: int | None = None,
    strict: bool | None = None,
    check: str | None = UNSAID,
    argnums: Wrt | None = None,
    wait: bool | None = None,
) -> Callable[P, Any]: ...


@overload
def grad(
    f: Callable[P, tuple[SupportsFloat, Aux]],
    wrt: Wrt | None = None,
    *,
    has_aux: Literal[True],
    backend: str | None = None,
    accuracy: str | None = None,
    optimize: int | None = None,
    strict: bool | None = None,
    check: str | None = UNSAID,
    argnums: Wrt | None = None,
    wait: bool | None = None,
) -> Callable[P, tuple[Any, Aux]]: ...


@public
def grad(
    f: Callable[..., Any],
    wrt: Wrt | None = None,
    *,
    has_aux: bool = False,
    backend: str | None = None,
    accuracy: str | None = None,
    optimize: int | None = None,
    strict: bool | None = None,
    check: str | None = UNSAID,
    argnums: Wrt | None = None,
    wait: bool | None = None,
) -> Callable[..., Any]:
    """The gradient of a scalar function, as a function of the same arguments.

    A scalar is one number, or an array of one element.  ``wrt`` says what is differentiated, a position, a
    name, a path (``"p['w']"``) or a tuple of them: by default the first argument.  (``argnums`` is JAX's word
    for it.)  ``has_aux``: the function returns ``(value, aux)``, and the gradient ``(gradient, aux)``, where
    ``aux`` may be anything; it has no derivative.
    ``backend="c"`` compiles it with the system's C compiler, ``"numba"`` with numba, ``"cuda"`` for CuPy's arrays;
    ``wait=False`` compiles beside the program, whose calls run the NumPy text until it is done;
    ``accuracy="libm"`` takes their ``exp`` and its like from the C library instead of inline.
    ``optimize=2`` writes a longer text that is faster on large arrays.  What cannot be compiled runs on
    the eager tape, with a warning; ``strict=True`` makes it an error.  ``check`` is what `set_check` takes:
    with ``"nan"``, a gradient that holds NaN or infinity raises `NonFiniteError`, which names the line.

    >>> def area(r):
    ...     return 3.0 * r * r
    >>> grad(area)(2.0)
    12.0
    """
    wrt = one_word(wrt, argnums)
    return derivative(
        f, "grad", "gradient", wrt, has_aux, backend, accuracy, optimize, strict, check, wait
    )


@overload
def value_and_grad(
    f: Callable[P, Number],
    wrt: Wrt | None = None,
    *,
    has_aux: Literal[False] = False,
    backend: str | None = None,
    accuracy: str | None = None,
    optimize: int | None = None,
    strict: bool | None = None,
    check: str | None = UNSAID,
    argnums: Wrt | None = None,
    wait: bool | None = None,
) -> Callable[P, tuple[Number, Any]]: ...


@overload
def value_and_grad(
    f: Callable[P, tuple[Number, Aux]],
    wrt: Wrt | None = None,
    *,
    has_aux: Literal[True],
    backend: str | None = None,
    accuracy: str | None = None,
    optimize: int | None = None,
    strict: bool | None = None,
    check: str | None = UNSAID,
    argnums: Wrt | None = None,
    wait: bool | None = None,
) -> Callable[P, tuple[tuple[Number, Aux], Any]]: ...


@public
def value_and_grad(
    f: Callable[..., Any],
    wrt: Wrt | None = None,
    *,
    has_aux: bool = False,
    backend: str | None = None,
    accuracy: str | None = None,
    optimize: int | None = None,
    strict: bool | None = None,
    check: str | None = UNSAID,
    argnums: Wrt | None = None,
    wait: bool | None = None,
) -> Callable[..., Any]:
    """The value and the gradient of a scalar function: what ``minimize(jac=True)`` wants.

    ``has_aux``: the function returns ``(value, aux)``, and this ``((value, aux), gradient)``.

    >>> def fit(w):
    ...     residual = w - 1.0
    ...     return residual ** 2, {"residual": residual}
    >>> value_and_grad(fit, has_aux=True)(3.0)
    ((4.0, {'residual': 2.0}), 4.0)
    """
    wrt, words = one_word(wrt, argnums), "value and gradient"
    return derivative(
        f, "value_and_grad", words, wrt, has_aux, backend, accuracy, optimize, strict, check, wait
    )


def derivative(
    f: Callable[..., Any],
    kind: str,
    words: str,
    wrt: Any,
    aux: bool,
    backend: Any,
    accuracy: Any,
    optimize: Any,
    strict: bool | None,
    check: str | None = UNSAID,
    wait: bool | None = None,
) -> Callable[..., Any]:
    """One function for everybody who asks the same of ``f``: asking in a loop is cheap."""
    base = asked_of(f, strict)
    level = None if optimize is None else check_level(optimize)
    wait = None if wait is None else check_flag(wait)
    said = asked(check)

    def make() -> Callable[..., Any]:
        chain = compiled_by(base, backend, accuracy, level, wait)
        chain = chain if said == UNSAID else chain.changed(check=said)
        places, single = chain.positions(wrt)
        doc = f"The {words} of {chain.name} with respect to {named(chain, places)}."
        return transformed(chain.then(kind, places, single, bool(aux)), doc)

    key = (kind, request_key(wrt), bool(aux), backend, accuracy, level, said, wait)
    made: Callable[..., Any] = base.once(key, make)
    return made


def named(chain: Chain, places: Sequence[Place]) -> str:
    return ", ".join(f"`{place.text(chain.parameters)}`" for place in places)


def source(
    f: Callable[..., Any], kind: str = "grad", wrt: Wrt | None = None, sig: str | None = None
) -> str:
    """The generated text of a derivative of ``f``, for the arguments that ``sig`` describes."""
    from .signatures.found import found_types  # of a text that somebody reads

    chain = chain_of(f)
    positions, single = chain.positions(wrt)
    asked = chain.then(kind, positions, single) if kind != "value" else chain
    return SourceText(asked.text(found_types(asked, sig).types))


# -- products with the Jacobian ---------------------------------------------------------


@overload
def jvp(
    f: Callable[..., R],
    args: Sequence[Any],
    tangents: Sequence[Any],
    *,
    has_aux: Literal[False] = False,
    backend: str | None = None,
    strict: bool | None = None,
) -> tuple[R, R]: ...


@overload
def jvp(
    f: Callable[..., tuple[R, Aux]],
    args: Sequence[Any],
    tangents: Sequence[Any],
    *,
    has_aux: Literal[True],
    backend: str | None = None,
    strict: bool | None = None,
) -> tuple[R, R, Aux]: ...


@public
def jvp(
    f: Callable[..., Any],
    args: Sequence[Any],
    tangents: Sequence[Any],
    *,
    has_aux: bool = False,
    backend: str | None = None,
    strict: bool | None = None,
) -> tuple[Any, ...]:
    """``(f(*args), J @ tangents)``; None is a zero tangent, of a part of an argument, too.

    ``has_aux``: the function returns ``(value, aux)``, and this ``(value, tangent, aux)``; ``backend`` is as in `grad`.

    >>> def square(x):
    ...     return x * x
    >>> jvp(square, (3.0,), (1.0,))
    (9.0, 6.0)
    """
    check_tuples(args=args, tangents=tangents)
    if len(args) != len(tangents):
        raise SignatureMismatch(f"{len(args)} arguments, but {len(tangents)} tangents")
    chain = asked_of(f, strict, backend)
    full = chain_arguments(chain, args)
    pairs = [
        pair
        for k, dot in enumerate(tangents)
        for pair in directions(given_at(chain, k), args[k], dot)
    ]
    places, dots = [place for place, _ in pairs], [dot for _, dot in pairs]
    return pushed(chain, full, places, dots, bool(has_aux))


def check_tuples(**given: Any) -> None:
    """Refuse one argument where a sequence of them is meant."""
    for name, value in given.items():
        if not isinstance(value, (tuple, list)):
            raise SignatureMismatch(
                f"{name} is a tuple, one item for each argument: write ({name[:-1]},)"
            )


def pushed(
    chain: Chain,
    full: list[Any],
    places: Sequence[Place],
    tangents: Sequence[Any],
    aux: bool = False,
) -> tuple[Any, ...]:
    """Value and tangent of a chain, given one argument for each parameter; ``aux``: of a pair."""
    if not places:
        from retrograd.runtime.device.runtime_of import runtime_of

        value = chain_value(chain, full)
        if aux:
            value, beside = pair(value)
            return value, runtime_of(value).zeros_like(value), beside
        return value, runtime_of(value).zeros_like(value)
    if is_taped([full, tangents], chain.fn):
        found: tuple[Any, ...] = eager(chain.then("jvp", places, aux=aux))(*full, *tangents)
        return found
    names = chain.parameters
    dots = [alike(p.text(names), p.of(full), t) for p, t in zip(places, tangents, strict=True)]
    result: tuple[Any, ...] = push(chain, tuple(places), aux)(*full, *apart_from(dots, full))
    return result


def push(chain: Chain, wrt: tuple[Place, ...], aux: bool = False) -> Callable[..., Any]:
    doc = f"The tangent of {chain.name}."
    made: Callable[..., Any] = chain.once(
        ("jvp", wrt, aux), lambda: transformed(chain.then("jvp", wrt, aux=aux), doc)
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


@overload
def vjp(
    f: Callable[..., R],
    *args: Any,
    wrt: Wrt | None = None,
    has_aux: Literal[False] = False,
    backend: str | None = None,
    strict: bool | None = None,
) -> tuple[R, Callable[[Any], tuple[Any, ...]]]: ...


@overload
def vjp(
    f: Callable[..., tuple[R, Aux]],
    *args: Any,
    wrt: Wrt | None = None,
    has_aux: Literal[True],
    backend: str | None = None,
    strict: bool | None = None,
) -> tuple[R, Callable[[Any], tuple[Any, ...]], Aux]: ...


@public
def vjp(
    f: Callable[..., Any],
    *args: Any,
    wrt: Wrt | None = None,
    has_aux: bool = False,
    backend: str | None = None,
    strict: bool | None = None,
) -> tuple[Any, ...]:
    """``(f(*args), pullback)``; ``pullback(cotangent)`` is a tuple of gradients.

    ``has_aux``: the function returns ``(value, aux)``, and this ``(value, pullback, aux)``.  ``backend`` is as in
    `grad`: one kernel gives the value, another one runs the function again and the way back.

    >>> def scale(x, k):
    ...     return k * x
    >>> value, pullback = vjp(scale, 3.0, 2.0)
    >>> value, pullback(1.0)
    (6.0, (2.0, 3.0))
    """
    chain = asked_of(f, strict, backend)
    full = chain_arguments(chain, args)
    if wrt is None:
        given = args if is_spread(chain) else full
        places = tuple(given_at(chain, k) for k, a in enumerate(given) if has_gradient(a))
        if not places:
            raise NotDifferentiable(f"{chain.name}: no argument is a float", fix="pass floats")
    else:
        places, _ = chain.positions(wrt)
    if has_aux:
        (value, aux), pullback = halved(chain, places, True)(full, True)
        return value, posted(pullback, chain), aux
    value, pullback = pulled(chain, full, places, waits=True)
    return value, posted(pullback, chain)


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


WORDS: list[Any] = [grad, value_and_grad, jvp, vjp]
for _word in WORDS:
    _word.__word__ = _word.__name__  # how the compiler knows it
