"""``@differentiate``: the function itself, with its derivatives as methods."""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable, Sequence
from typing import (
    TYPE_CHECKING,
    Any,
    Concatenate,
    Generic,
    ParamSpec,
    TypeVar,
    overload,
)

from retrograd.derivatives import by_value, named_in, sent_by_value, text_of, with_text
from retrograd.runtime.checkpointing.marks import marked
from retrograd.runtime.errors import SignatureMismatch
from retrograd.runtime.objects.own_attributes import own_attribute
from retrograd.runtime.tracebacks import trim

from . import api
from . import hvp as products
from . import linearize as linearized
from .api import Chain, Wrt
from .asked import check_level, check_wait, compiled_by
from .check.policy import UNSAID, asked
from .function_kinds import taken_apart
from .jacobian import jacobian as jacobians
from .public.door import alike, public
from .signatures.found import found_types
from .source_text import SourceText
from .specialise.fallback_policy import UNSAID as UNSAID_FALLBACK
from .specialise.fallback_policy import strictly
from .specialise.kernels import check_backend
from .transformed_function import chain_of
from .wrt import check_places

if TYPE_CHECKING:
    from .explain.explain import Explanation

__all__ = ["Differentiable", "differentiate"]


P = ParamSpec("P")
Q = ParamSpec("Q")
R = TypeVar("R")
Owner = TypeVar("Owner")
Pullback = Callable[[Any], tuple[Any, ...]]


class Differentiable(Generic[P, R]):
    """A function that knows its derivatives; calling it calls the function, unchanged."""

    __name__: str
    __qualname__: str
    __wrapped__: Callable[P, R]

    def __init__(
        self,
        fn: Callable[P, R],
        wrt: Wrt | None = None,
        sig: str | None = None,
        leading: int = 0,
        said: str | None = UNSAID_FALLBACK,
        check: str | None = UNSAID,
        backend: str | None = None,
        optimize: int = 1,
        wait: bool = True,
    ) -> None:
        functools.update_wrapper(self, fn)
        self.fn, self.wrt, self.sig, self.leading = fn, wrt, sig, leading
        self.said = said
        chosen = check_backend(backend)
        level = check_level(optimize)
        plain = taken_apart(fn).fn is fn and own_attribute(fn, "__retrograd__") is None
        start = Chain(fn) if plain else chain_of(fn)
        self.__retrograd__ = start.changed(
            sig=sig,
            said=said,
            check=asked(check),
            backend=chosen,
            optimize=level,
            wait=check_wait(wait, chosen),
        )
        self.asked = leading if wrt is None else wrt
        self.__retrograd__.positions(self.asked)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return self.fn(*args, **kwargs)
        except BaseException as error:
            trim(error)
            raise

    @overload
    def __get__(self, instance: None, owner: type | None = None) -> Differentiable[P, R]: ...

    @overload
    def __get__(
        self: Differentiable[Concatenate[Owner, Q], R], instance: Owner, owner: type | None = None
    ) -> BoundDifferentiable[Q, R]: ...

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self if instance is None else BoundDifferentiable(self, instance)

    if not TYPE_CHECKING:  # who sees that it is missing

        def __getattr__(self, name: str) -> Any:
            known = [n for n in dir(type(self)) if not n.startswith("_")]
            said = "" if name.startswith("_") else alike(name, known)
            raise AttributeError(
                f"a differentiable function has no attribute {name!r}{said and f'; {said}'}",
                name=name,
            )

    def __reduce__(self) -> Any:
        if sent_by_value(self.fn) or (by_value() and named_in(self.fn) is not self):
            return again, (self.fn, self.options(), text_of(self.fn))
        return find, (self.fn.__module__, self.fn.__qualname__)

    def options(self) -> dict[str, Any]:
        """What `Differentiable` was asked to do with the function."""
        chain = self.__retrograd__
        return {
            "wrt": self.wrt, "sig": self.sig, "leading": self.leading, "said": self.said,
            "check": chain.check, "backend": chain.backend, "optimize": chain.optimize,
            "wait": chain.wait,
        }  # fmt: skip

    def __repr__(self) -> str:
        named = own_attribute(self.fn, "__qualname__")
        name = repr(self.fn) if named is None else f"{self.fn.__module__}.{named}"
        return f"<differentiable {name}>"

    @functools.cached_property
    def grad(self) -> Callable[P, Any]:
        """The gradient with respect to the decorator's ``wrt``."""
        f: Callable[P, Any] = self
        return api.grad(f, self.asked)

    @functools.cached_property
    def value_and_grad(self) -> Callable[P, tuple[R, Any]]:
        """``(value, gradient)``."""
        f: Callable[P, Any] = self
        return api.value_and_grad(f, self.asked)

    @public
    def jvp(self, args: Sequence[Any], tangents: Sequence[Any]) -> tuple[R, R]:
        """``(value, tangent)``; None is a zero tangent."""
        return api.jvp(self, args, tangents)

    @public
    def vjp(self, *args: Any, wrt: Wrt | None = None) -> tuple[R, Pullback]:
        """``(value, pullback)``."""
        return api.vjp(self, *args, wrt=wrt)

    @public
    def linearize(self, *args: Any) -> tuple[R, Callable[..., R]]:
        """``(value, tangent_function)``."""
        return linearized.linearize(self, *args)

    @public
    def hvp(self, args: Sequence[Any], v: Any) -> Any:
        """The Hessian times ``v``."""
        return products.hvp(self, args, v, self.asked)

    @functools.cached_property
    def jacobian(self) -> Callable[P, Any]:
        """Output shape + input shape."""
        f: Callable[P, Any] = self
        return jacobians.jacobian(f, self.asked)

    @functools.cached_property
    def hessian(self) -> Callable[P, Any]:
        """Second derivatives of a scalar function."""
        f: Callable[P, Any] = self
        return jacobians.hessian(f, self.asked)

    @property
    def has_grad(self) -> bool:
        """Whether `grad` is by every argument: searches that call ``f(a, b)`` ask before they take it (iminuit)."""
        chain = self.__retrograd__
        places, single = chain.positions(self.asked)
        if single:
            return len(chain.parameters) == 1 and not places[0].keys
        return [(place.at, place.keys) for place in places] == [
            (k, ()) for k in range(len(chain.parameters))
        ]

    has_hessian = has_grad

    @public
    def source(self, kind: str = "grad", *args: Any, sig: str | None = None) -> str:
        """The generated text: for example arguments, for ``sig``, or for any (the generic one)."""
        if args:
            places, single = self.__retrograd__.positions(self.asked)
            chain = self.__retrograd__.then(kind, places, single)
            types = self.__retrograd__.types(self.__retrograd__.bind(args, {}))
            check_places(chain, types)
            return SourceText(chain.text(types))
        return api.source(self, kind, self.asked, sig)

    @public
    def explain(
        self, *args: Any, sig: str | None = None, backend: str | None = None
    ) -> Explanation:
        """Explains what has a derivative, what is kept and why: for example arguments, or for ``sig``.

        With a back end, the gradient is run for the arguments, and a line for each region of its
        text says what is compiled, and what stays NumPy and why.
        """
        from .explain.explain import explain  # few ask for it
        from .explain.native import with_native  # few ask for it

        chain = compiled_by(self.__retrograd__, backend, None)
        wrt, single = chain.positions(self.asked)
        if args:
            full = chain.bind(args, {})
            found = explain(chain, wrt, chain.types(full), single, full)
            if chain.backend == "numpy" or found.refused:
                return found
            explained: Explanation = with_native(found, chain, wrt, single, full)
            return explained
        asked_for = chain.then("grad", wrt, single)
        return explain(chain, wrt, found_types(asked_for, sig).types, single)


WORDS: list[Any] = [
    Differentiable.jvp, Differentiable.vjp, Differentiable.linearize, Differentiable.hvp,
]  # fmt: skip
for _word in WORDS:
    _word.__word__ = _word.__name__  # how the compiler knows it


class BoundDifferentiable(Generic[P, R]):
    """A decorated method of an instance: derivatives take the arguments after ``self``."""

    if TYPE_CHECKING:  # what `__getattr__` finds
        grad: Callable[P, Any]
        value_and_grad: Callable[P, tuple[R, Any]]
        jacobian: Callable[P, Any]
        hessian: Callable[P, Any]
        vjp: Callable[..., tuple[R, Pullback]]
        jvp: Callable[[Sequence[Any], Sequence[Any]], tuple[R, R]]
        linearize: Callable[..., tuple[R, Callable[..., R]]]
        hvp: Callable[[Sequence[Any], Any], Any]
        source: Callable[..., str]
        explain: Callable[..., Explanation]

    def __init__(self, method: Differentiable[Any, R], instance: Any) -> None:
        self.method, self.instance, self.written = method, instance, method
        functools.update_wrapper(self, method.fn)
        if method.wrt is None:
            check = method.__retrograd__.check
            self.method = Differentiable(
                method.fn,
                sig=method.sig,
                leading=1,
                said=method.said,
                check=check,
                backend=method.__retrograd__.backend,
                optimize=method.__retrograd__.optimize,
            )

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return self.method.fn(self.instance, *args, **kwargs)
        except BaseException as error:
            trim(error)
            raise

    def __reduce__(self) -> Any:
        return BoundDifferentiable, (self.written, self.instance)

    @property
    def __retrograd__(self) -> Chain:
        return self.method.__retrograd__.of_object(self.instance)

    if not TYPE_CHECKING:  # who has the list above

        def __getattr__(self, name: str) -> Any:
            found = getattr(self.method, name)
            if name in ("grad", "value_and_grad", "jacobian", "hessian", "vjp"):
                return functools.partial(found, self.instance)
            if name == "linearize":
                return functools.partial(linearized.linearize, self)
            if name in OF_METHODS:
                return functools.partial(OF_METHODS[name], self)
            return found


def jvp_of(bound: Any, args: Sequence[Any], tangents: Sequence[Any]) -> Any:
    return bound.method.jvp((bound.instance, *args), (None, *tangents))


def hvp_of(bound: Any, args: Sequence[Any], v: Any) -> Any:
    return bound.method.hvp((bound.instance, *args), v)


def explain_of(bound: Any, *args: Any, **said: Any) -> Any:
    return bound.method.explain(*with_instance(bound, args), **said)


def source_of(bound: Any, kind: str = "grad", *args: Any, **said: Any) -> Any:
    return bound.method.source(kind, *with_instance(bound, args), **said)


def with_instance(bound: Any, args: tuple[Any, ...]) -> tuple[Any, ...]:
    """The arguments of an example, if there is one."""
    return (bound.instance, *args) if args else ()


OF_METHODS = {"jvp": jvp_of, "hvp": hvp_of, "explain": explain_of, "source": source_of}


def again(fn: Any, options: dict[str, Any], text: Any) -> Differentiable[..., Any]:
    """A decorated function that was pickled by what it is."""
    return Differentiable(with_text(fn, text), **options)


def find(module: str, qualname: str) -> Any:
    """A decorated function by its name: how it is pickled."""
    __import__(module)
    found: Any = sys.modules[module]
    for part in qualname.split("."):
        found = getattr(found, part)
    return found


@overload
def differentiate(fn: Callable[P, R], /) -> Differentiable[P, R]: ...


@overload
def differentiate(
    *,
    wrt: Wrt | None = None,
    sig: str | None = None,
    strict: bool | None = None,
    fallback: str | None = UNSAID_FALLBACK,
    checkpoint: int | str | None = None,
    check: str | None = UNSAID,
    alias: str | None = None,
    backend: str | None = None,
    optimize: int = 1,
    wait: bool = True,
) -> Callable[[Callable[P, R]], Differentiable[P, R]]: ...


@public
def differentiate(
    fn: Any = None,
    /,
    *,
    wrt: Wrt | None = None,
    sig: str | None = None,
    strict: bool | None = None,
    fallback: str | None = UNSAID_FALLBACK,
    checkpoint: int | str | None = None,
    check: str | None = UNSAID,
    alias: str | None = None,
    backend: str | None = None,
    optimize: int = 1,
    wait: bool = True,
) -> Any:
    """Decorate a NumPy function: ``f.grad``, ``f.value_and_grad``, ``f.jvp``, ``f.source`` ...

    What cannot be compiled runs on the eager tape, with one warning that says why; ``strict`` (or
    ``fallback=None``) makes it an error, ``fallback="calls"`` where it is the whole function (see
    `set_fallback`).  ``checkpoint`` saves memory: a number of states that
    each outermost loop may keep, or ``"elementwise"`` to compute elementwise operations again
    rather than keep their results.  ``check`` holds derivatives against the function itself and
    raises `GradientMismatch`: ``"first"``, the default (see `set_check`), when a text first computes,
    once and for all processes; ``"always"`` in every call; None never.  ``alias="check"``: arrays of which it is not known whether they
    share memory are taken for two, a reshaped one for a view, and `MutationError` is raised when
    it is not so and one of them is written to.  ``backend="c"`` compiles the derivatives with the
    system's C compiler, ``"numba"`` with numba, ``"cuda"`` for CuPy's arrays; what they cannot take runs as NumPy;
    ``wait=False``: beside the program, whose calls run the NumPy text until it is done.
    ``optimize=2`` writes a longer text, for large arrays: elementwise arithmetic in blocks that fit
    the cache, sums block by block.

    >>> @differentiate
    ... def area(r):
    ...     return 3.0 * r * r
    >>> area(2.0), area.grad(2.0)
    (12.0, 12.0)
    """
    said = strictly(strict, fallback)
    if fn is None:
        return functools.partial(
            decorated, wrt=wrt, sig=sig, said=said, checkpoint=checkpoint, check=check,
            alias=alias, backend=backend, optimize=optimize, wait=wait,
        )  # fmt: skip
    return decorated(
        fn, wrt=wrt, sig=sig, said=said, checkpoint=checkpoint, check=check, alias=alias,
        backend=backend, optimize=optimize, wait=wait,
    )  # fmt: skip


def decorated(
    fn: Any,
    *,
    wrt: Wrt | None,
    sig: str | None,
    said: str | None,
    checkpoint: int | str | None = None,
    check: str | None = UNSAID,
    alias: str | None = None,
    backend: str | None = None,
    optimize: int = 1,
    wait: bool = True,
) -> Differentiable[..., Any]:
    if alias not in (None, "check"):
        raise SignatureMismatch(f'alias is "check" or None, not {alias!r}')
    if not callable(fn):
        raise SignatureMismatch(f"@differentiate takes a Python function, not {fn!r}")
    if not (checkpoint is None and alias is None) and not inspect.isfunction(fn):
        raise SignatureMismatch(
            f"checkpoint and alias are said of a Python function, not of {fn!r}; decorate the one that it calls"
        )
    kept = fn if checkpoint is None else frugal(fn, checkpoint)
    kept = kept if alias is None else marked(kept, __alias__=alias)
    return Differentiable(
        kept, wrt, sig, said=said, check=check, backend=backend, optimize=optimize, wait=wait
    )


def frugal(fn: Any, checkpoint: int | str) -> Any:
    """The function with what its derivatives may keep written on it."""
    if isinstance(checkpoint, str) and checkpoint == "elementwise":
        return marked(fn, __recompute__=True)
    if isinstance(checkpoint, int) and not isinstance(checkpoint, bool) and checkpoint > 0:
        return marked(fn, __snapshots__=checkpoint)
    raise SignatureMismatch(
        f'checkpoint is a positive number of states or "elementwise", not {checkpoint!r}'
    )
