"""The function that a chain makes: it compiles itself for what it is called with."""

from __future__ import annotations

import contextlib
import functools
import inspect
from collections.abc import Callable, Sequence
from importlib import import_module
from keyword import iskeyword
from typing import Any

import numpy as np

from retrograd.derivatives import pickled_as
from retrograd.runtime.arrays.libraries import is_dask

from .batches.no_examples import has_none, of_none
from .batches.tensors import are_of_tensors, of_tensors
from .check.nonfinite import watched
from .check.policy import due, each_call, finds_nan
from .device_values import on_device
from .source_text import readable
from .specialise.argument_types import kinds_key
from .specialise.dispatcher import Dispatcher, check_given, is_current, its_own, regiven
from .specialise.eager_fallback import eager, is_taped
from .specialise.kernels import Kernels
from .specialise.memo import Recent
from .specialise.tape_warnings import tell
from .star_arguments import apart, with_all
from .transformed_function import FIELDS, Chain, chain_of

__all__ = ["answers", "chain_value", "of_file", "on_all", "parameters_of", "primal", "transformed"]


def transformed(chain: Chain, doc: str) -> Callable[..., Any]:
    """A function with the chain's arguments that compiles itself for what it is called with."""
    signature = parameters_of(chain)
    inner = inner_of(chain, signature)

    def miss(*args: Any) -> Any:
        args = tuple(map(of_file, args))
        if batched and are_of_tensors(args):
            return of_tensors(chain, args, on_all)
        if any(map(is_dask, args)):
            return blocks().by_blocks(chain, function, args)
        if is_taped(args, chain.fn):
            return eager(chain)(*args)
        return watched(chain, args, answer, called) if finds_nan(chain) else answer(*args)

    def answer(*args: Any) -> Any:
        try:
            return first(*args)
        except Exception as error:
            return failed(error, args)

    def failed(error: Exception, args: Sequence[Any]) -> Any:
        try:
            if batched and has_none(args, error):
                with contextlib.suppress(ValueError):
                    return of_none(chain, args, called)
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
            if not each_call(chain):
                made_dispatcher.still(types, target, made.guards, made.equal)
                if kernels is not None:
                    kernels.still()
            return checked(made, target, args)
        made = chain.load(types)
        check_given(chain, types, made, args)
        target = next(iter(made.functions.values()))
        result = checked(made, target, args)
        tell(made.notices)
        aside = None if kernels is None else kernels.copies(made, args)
        if kernels is not None and aside is None:
            target = kernels.learnt(made, args, target)
        known[kinds_key(types)] = made, target  # which values are known is settled now
        if not each_call(chain):
            made_dispatcher.add(types, target, made.guards, made.equal)
        if kernels is not None and aside is not None:
            kernels.later(aside, functools.partial(learnt, types, made, target))
        return result

    def learnt(types: Any, made: Any, target: Any, args: tuple[Any, ...]) -> None:
        """The kernels of a text that runs already are made, beside the program."""
        if chain.watch.age() != seen[0]:
            return
        better = kernels.learn(made, args, target)  # type: ignore[union-attr]
        if better is not target:
            called(better, args)  # the kernels of its regions are made when they are called for
            known[kinds_key(types)] = made, better
            if not each_call(chain):
                made_dispatcher.replace(types, target, better, made.guards, made.equal)

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

    batched = bool(chain.steps) and chain.steps[-1].kind == "vmap"
    known, seen = Recent(), [chain.age]  # the dispatcher has room for a few kinds
    made_dispatcher = Dispatcher(
        identifier(chain.name),
        signature,
        miss,
        doc,
        dict(zip(chain.full.parameters, chain.bound, strict=False)),
        inner,
        failed,
        public=True,
    )
    function = made_dispatcher.function
    kernels = None
    if chain.backend != "numpy":
        kernels = Kernels(chain, function, signature, doc)
        function = kernels.function
    function.__retrograd__ = chain  # type: ignore[attr-defined]
    function.__module__ = chain.fn.__module__
    made: Callable[..., Any] = pickled_as(function, chain.dotted, transformed_again, chain, doc)
    readable(made, chain)
    return made


def transformed_again(chain: Chain, doc: str) -> Callable[..., Any]:
    """The same in another process, once for each function there and what is asked of it."""
    key = tuple(getattr(chain, name) for name in FIELDS)
    make = functools.partial(transformed, chain, doc)
    made: Callable[..., Any] = chain_of(chain.fn).once(("again", key), make)
    return made


def blocks() -> Any:
    """The module for dask arrays, which stands on this one."""
    return import_module("retrograd.distributed.dask_arrays")


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
