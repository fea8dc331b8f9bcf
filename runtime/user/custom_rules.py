"""The user's own derivatives, as plain Python: what the compiler finds on a function."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, ParamSpec, Protocol, TypeVar, overload

from ..errors import RuleError
from ..helpers.containers import class_on_tape
from ..objects.own_attributes import own_attribute
from ..tracebacks import public
from . import rule_versions

__all__ = ["CustomGradient", "custom_gradient", "custom_of", "finite_differences", "on_gradient"]

Function = Callable[..., Any]
P = ParamSpec("P")
R = TypeVar("R", covariant=True)
F = TypeVar("F", bound=Function)
Same = TypeVar("Same")


@dataclass(eq=False)
class CustomGradient:
    """A custom derivative: ``vjp(c, z, *args)``, ``jvp(z, *args, d<name>...)``, or one of them."""

    fn: Function
    pull: Function | None = None
    push: Function | None = None
    constant: tuple[str, ...] = ()
    step: float | None = None  # of finite differences, if they are asked for; 0.0: chosen
    codes: ClassVar[set[Any]] = set()  # of all such functions: the tape must not miss a call

    @property
    def active(self) -> list[str]:
        """The parameters that have a derivative."""
        return [n for n in inspect.signature(self.fn).parameters if n not in self.constant]

    def vjp(self, pull: Function) -> Function:
        """Register ``pull(c, z, *args)``: the cotangents of the arguments."""
        own = list(inspect.signature(self.fn).parameters)
        check_parameters(pull, self.fn, ["c", "z", *own])
        self.pull = pull
        rule_versions.note()
        return pull

    def jvp(self, push: Function) -> Function:
        """Register ``push(z, *args, d<name>...)``: the tangent of the result."""
        own = list(inspect.signature(self.fn).parameters)
        check_parameters(push, self.fn, ["z", *own, *(f"d{n}" for n in self.active)])
        self.push = push
        rule_versions.note()
        return push


def check_parameters(rule: Function, fn: Function, wanted: list[str]) -> None:
    """A vjp or jvp takes so many parameters; those after `z` have the names of the function's."""
    found = list(inspect.signature(rule).parameters)
    if len(found) != len(wanted) or found[-1:] != wanted[-1:]:
        raise RuleError(
            f"{rule.__name__}: the parameters are ({', '.join(wanted)}) for `{fn.__name__}`, "
            f"not ({', '.join(found)})"
        )


def custom_of(fn: Any) -> CustomGradient | None:
    """The custom derivative of ``fn``, if any."""
    found = own_attribute(fn, "__custom_gradient__")
    return found if isinstance(found, CustomGradient) else None


class Custom(Protocol[P, R]):
    """A function with a derivative of its own: one of the two decorates it."""

    __name__: str

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R: ...

    def vjp(self, pull: F, /) -> F: ...

    def jvp(self, push: F, /) -> F: ...


@overload
def custom_gradient(
    fn: Callable[P, R],
    /,
    *,
    vjp: Function | None = None,
    jvp: Function | None = None,
    constant: Sequence[str] = (),
) -> Custom[P, R]: ...


@overload
def custom_gradient(
    fn: None = None,
    /,
    *,
    vjp: Function | None = None,
    jvp: Function | None = None,
    constant: Sequence[str] = (),
) -> Callable[[Callable[P, R]], Custom[P, R]]: ...


@public
def custom_gradient(
    fn: Function | None = None,
    /,
    *,
    vjp: Function | None = None,
    jvp: Function | None = None,
    constant: Sequence[str] = (),
) -> Any:
    """Decorate a function with its own derivative: it stays the function it is.

    ``vjp(c, z, *args)`` takes the cotangent of the result, the result and the arguments, and returns one
    cotangent for each argument (a tuple, unless there is one only; None where there is none).
    ``jvp(z, *args, d<name>...)`` takes the result, the arguments and a tangent for each, and returns the
    tangent of the result.  One of the two is enough where it is linear, as it should be: the other is its
    transpose.  Arguments named in ``constant`` have no derivative.

    >>> @custom_gradient
    ... def cube(x):
    ...     return x * x * x
    >>> @cube.vjp
    ... def cube_vjp(c, z, x):
    ...     return 3 * x * x * c
    >>> cube(2.0)
    8.0
    """
    if fn is None:
        return lambda found: custom_gradient(found, vjp=vjp, jvp=jvp, constant=constant)
    if not inspect.isfunction(fn):
        raise RuleError(
            f"@custom_gradient takes a Python function, not {fn!r}; for another one, use @rg.rule"
        )
    own = inspect.signature(fn).parameters
    named = [p.name for p in own.values() if p.kind in (p.KEYWORD_ONLY, p.VAR_KEYWORD)]
    if named:
        raise RuleError(
            f"`{fn.__name__}` has a derivative of its own, and takes `{named[0]}` by keyword only: rules are "
            "given all arguments in order; leave the `*` out"
        )
    unknown = set(constant) - set(own)
    if unknown:
        raise RuleError(f"`{fn.__name__}` has no argument `{unknown.pop()}`")
    made = CustomGradient(fn, constant=tuple(constant))
    for register, given in ((made.vjp, vjp), (made.jvp, jvp)):
        if given is not None:
            register(given)
    fn.__custom_gradient__ = made  # type: ignore[attr-defined]
    CustomGradient.codes.add(fn.__code__)
    fn.vjp, fn.jvp = made.vjp, made.jvp  # type: ignore[attr-defined]
    rule_versions.note()
    return fn


@overload
def finite_differences(
    fn: F, /, *, step: float | None = None, constant: Sequence[str] = ()
) -> F: ...


@overload
def finite_differences(
    fn: None = None, /, *, step: float | None = None, constant: Sequence[str] = ()
) -> Callable[[F], F]: ...


@public
def finite_differences(
    fn: Function | None = None, /, *, step: float | None = None, constant: Sequence[str] = ()
) -> Any:
    """Decorate a function that nobody can differentiate: its derivative is measured.

    Central differences, with steps of ``step`` relative to each argument (6e-6 for float64): about ten
    digits where the function is smooth and exact to rounding.  A tangent costs two calls, a gradient
    two for each number in the arguments.  There is no second derivative.  Arguments are numbers and arrays;
    those named in ``constant`` have no derivative.

    >>> @finite_differences
    ... def measured(x):
    ...     return float(str(x)) ** 2
    >>> measured(3.0)
    9.0
    """
    if fn is None:
        return lambda found: finite_differences(found, step=step, constant=constant)
    if step is not None and not 0.0 < step < 1.0:
        raise RuleError(f"the step of finite differences is between 0 and 1, not {step!r}")
    made: Any = custom_gradient(fn, constant=constant)
    made.__custom_gradient__.step = step or 0.0
    return made


def on_gradient(x: Same, hook: Function) -> Same:
    """``x``; in a derivative's backward sweep its cotangent is ``hook(cotangent)``.

    A hook that returns None only looks: it prints, records, asserts.

    >>> on_gradient(3.0, print)
    3.0
    """
    boxes = class_on_tape(x)
    return x if boxes is None else boxes._on_gradient(x, hook)  # type: ignore[no-any-return]


on_gradient.__word__ = "on_gradient"  # type: ignore[attr-defined]  # how the compiler knows it
