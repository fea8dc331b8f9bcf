"""What must hold of one program: its derivatives against differences, each other, and the function itself."""

from __future__ import annotations

import contextlib
import copy
import importlib.util
import io
import linecache
import re
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple
from unittest import mock

import numpy as np

import retrograd as rg
from retrograd.compiler.passes.loops import cache_blocks
from retrograd.runtime.errors import CompileError, InternalError, TapeError
from retrograd.transforms import api
from retrograd.transforms.specialise.compile import render
from retrograd.transforms.wrt import resolved

from .conditioning import conditioning, without_in_place

__all__ = ["Outcome", "check", "check_function", "loaded"]

LARGEST = 1e4  # a program with larger values says little: differences of them are rough


class Outcome(NamedTuple):
    """``ok``, ``discarded``, ``refused`` or ``failed``, and why."""

    verdict: str
    reason: str = ""
    detail: str = ""


class Failed(Exception):
    """A law that does not hold; ``numbers``: those that should be equal, of a derivative of ``order``."""

    def __init__(
        self, reason: str, detail: str = "", numbers: tuple[float, ...] = (), order: int = 1
    ) -> None:
        super().__init__(reason)
        self.reason, self.detail, self.numbers, self.order = reason, detail, numbers, order


class Discarded(Exception):
    """A program that cannot be judged at its example arguments."""


@cache
def folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="fuzz_")


def loaded(text: str) -> ModuleType:
    """The module of a program, from a real file, so that its source is found."""
    name = f"fuzzed_{sha256(text.encode()).hexdigest()[:12]}"
    path = Path(folder().name) / f"{name}.py"
    path.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def unloaded(module: ModuleType) -> None:
    sys.modules.pop(module.__name__, None)
    path = str(module.__file__)
    linecache.cache.pop(path, None)
    Path(path).unlink(missing_ok=True)


def check(text: str, second: bool = True) -> Outcome:
    """Everything that is asked of one program."""
    try:
        module = loaded(text)
        main, args, wrt = module.main, module.ARGS, module.WRT
    except Exception as error:
        return Outcome("discarded", f"does not load: {type(error).__name__}")
    try:
        return check_function(main, args, wrt, second, text)
    finally:
        unloaded(module)


def check_function(
    main: Any, args: Any, wrt: Any = None, second: bool = True, text: str = ""
) -> Outcome:
    """Everything that is asked of a function at some arguments; ``wrt``: all that are not integers."""
    if wrt is None:
        wrt = tuple(k for k, a in enumerate(args) if not isinstance(a, int))
    try:
        with quiet():
            Case(main, args, wrt, text).run(second)
        return Outcome("ok")
    except Discarded as why:
        return Outcome("discarded", str(why))
    except InternalError as error:
        return Outcome("failed", f"the compiler fails: {shortened(error)}", where(error))
    except CompileError as error:
        return Outcome("refused", without_names(error.reason), str(error))
    except TapeError as error:  # of a call that was not compiled
        return Outcome("refused", without_names(str(error)), str(error))
    except Failed as failure:
        return doubted(text, failure) or Outcome("failed", failure.reason, failure.detail)
    except TimeoutError:
        raise
    except Exception as error:
        return Outcome(
            "failed",
            f"a derivative crashes: {type(error).__name__}: {shortened(error)}",
            where(error),
        )


def doubted(text: str, failure: Failed) -> Outcome | None:
    """A failure of numbers only, in a program that numbers cannot judge."""
    if not (failure.numbers and text):
        return None
    with quiet():
        why = conditioning(text).doubt(failure.numbers, failure.order)
    return Outcome("discarded", why) if why else None


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield


def without_names(reason: str) -> str:
    """A reason without the names and numbers of this program."""
    return re.sub(r"\d+", "#", re.sub(r"`[^`]*`", "`_`", reason))


class Case:
    """One program at its example arguments."""

    def __init__(
        self, main: Callable[..., Any], args: Any, wrt: tuple[int, ...], text: str
    ) -> None:
        self.main, self.args, self.wrt, self.text = main, args, wrt, text
        self.rng = np.random.default_rng(7)
        self.plain, self.printed, self.left = self.value(self.args)

    def value(self, args: Any) -> tuple[Any, str, str]:
        """The plain function, what it prints, and what it leaves in its arguments."""
        out = io.StringIO()
        args = copy.deepcopy(args)
        try:
            with contextlib.redirect_stdout(out):
                value = self.main(*args)
            moderate = np.shape(value) == () and abs(value) <= LARGEST
        except Exception as error:
            raise Discarded(f"does not run: {type(error).__name__}") from error
        if not moderate:
            raise Discarded("not a moderate number")
        return value, out.getvalue(), bits(args)

    def run(self, second: bool) -> None:
        if not self.wrt or not isinstance(self.plain, float):
            raise Discarded("nothing to differentiate")
        v = self.direction()
        gradient = self.gradient()
        along = inner(gradient, v)
        difference = Difference(self.along(v), lambda args: self.value(args)[0])
        difference.hold("gradient", along)
        self.forward(v, along)
        self.generic(gradient)
        self.in_blocks(gradient)
        if second:
            self.deterministic()
            self.second(v)

    # -- arguments ---------------------------------------------------------------------

    def direction(self) -> tuple[Any, ...]:
        return tuple(mapped(self.random, self.args[k]) for k in self.wrt)

    def random(self, leaf: Any) -> Any:
        made = self.rng.normal(size=np.shape(leaf))
        return float(made) if isinstance(leaf, float) else made

    def along(self, v: tuple[Any, ...]) -> Callable[[float], tuple[Any, ...]]:
        """The arguments moved by h v."""

        def moved(h: float) -> tuple[Any, ...]:
            args = list(self.args)
            for k, part in zip(self.wrt, v, strict=True):
                args[k] = mapped(lambda a, b: a + h * b, args[k], part)
            return tuple(args)

        return moved

    def called(self, what: str, call: Callable[..., Any]) -> Any:
        """Run generated code: it prints, and does to its arguments, what the function does."""
        out = io.StringIO()
        args = copy.deepcopy(self.args)
        try:
            with contextlib.redirect_stdout(out):
                result = call(*args)
        except (CompileError, TapeError, TimeoutError):
            raise
        except Exception as error:
            raise Failed(
                f"{what} crashes: {type(error).__name__}: {shortened(error)}", where(error)
            ) from error
        if out.getvalue() != self.printed:
            raise Failed(
                f"{what} prints something else", f"{out.getvalue()!r}, not {self.printed!r}"
            )
        if bits(args) != self.left:
            raise Failed(f"{what} leaves other arguments", f"{bits(args)}, not {self.left}")
        return result

    # -- first order -------------------------------------------------------------------

    def gradient(self) -> tuple[Any, ...]:
        value, gradient = self.called("value_and_grad", rg.value_and_grad(self.main, self.wrt))
        self.same_value("the value", value)
        for k, g in zip(self.wrt, gradient, strict=True):
            if shapes(g) != shapes(self.args[k]):
                raise Failed("a gradient has another structure", f"{g!r} for {self.args[k]!r}")
        return tuple(gradient)

    def forward(self, v: tuple[Any, ...], along: float) -> None:
        tangents: list[Any] = [None] * len(self.args)
        for k, part in zip(self.wrt, v, strict=True):
            tangents[k] = part
        value, dot = self.called("jvp", lambda *args: rg.jvp(self.main, args, tangents))
        self.same_value("the value of jvp", value)
        if not close(dot, along, 1e-9):
            raise Failed(
                "jvp differs from gradient", f"{dot!r}, not {along!r}", (float(dot), along)
            )

    def same_value(self, what: str, value: Any) -> None:
        """That of the function, to the last bit (or to rounding, where only ``+=`` as ``+`` differs, or a derivative in it)."""
        near = not same_bits(value, self.plain) and close(value, self.plain, 1e-12)
        if near and "rg." in self.text:
            return
        if not same_bits(value, without_in_place(self.text) if near and self.text else self.plain):
            raise Failed(f"{what} differs", f"{value!r}, not {self.plain!r}")

    def generic(self, gradient: tuple[Any, ...]) -> None:
        """The text for any arguments computes the same as the one for these."""
        chain = api.chain_of(self.main).then("value_and_grad", self.wrt, False)
        try:
            text = render(self.main, {}, chain.steps, api.unwrap)[0]
        except InternalError:
            raise
        except CompileError:
            return
        except Exception as error:
            raise Failed(
                f"the generic text crashes: {type(error).__name__}: {shortened(error)}",
                where(error),
            ) from error
        namespace = dict(text.captured)
        exec(compile(text.text, "<generic>", "exec"), namespace)
        try:
            _, other = self.called("generic", namespace[text.names[0]])
        except CompileError:  # it is for numbers here, where these arguments are arrays
            return
        numbers = inner(gradient, other), inner(gradient, gradient)
        if not close(*numbers, 1e-9):
            raise Failed("the generic gradient differs", f"{other!r}, not {gradient!r}", numbers)

    def deterministic(self) -> None:
        chain = api.chain_of(self.main).then("value_and_grad", self.wrt, False)
        types = chain.types(self.args)
        first, again = (chain.text(types) for _ in range(2))
        if first != again:
            raise Failed("the text is not deterministic", first)

    def in_blocks(self, gradient: tuple[Any, ...]) -> None:
        """The text for large arrays computes the same, here in blocks of three elements."""
        chain = api.chain_of(self.main).then("value_and_grad", self.wrt, False)
        types = chain.types(self.args)
        with mock.patch.object(cache_blocks, "LENGTH", 3):
            text = render(self.main, types, resolved(chain, types), api.unwrap, optimize=2)[0]
        namespace = dict(text.captured)
        exec(compile(text.text, "<optimize=2>", "exec"), namespace)
        value, other = self.called("optimize=2", namespace[text.names[0]])
        numbers = inner(gradient, other), inner(gradient, gradient)
        if not close(value, self.plain, 1e-12) or not close(*numbers, 1e-9):
            raise Failed("optimize=2 differs", f"{other!r}, not {gradient!r}", numbers)

    # -- second order ------------------------------------------------------------------

    def second(self, v: tuple[Any, ...]) -> None:
        hvp = self.called("hvp", lambda *args: rg.hvp(self.main, args, v, self.wrt))
        grad = rg.grad(self.main, self.wrt)
        u = self.direction()

        def slope(args: Any) -> float:
            with contextlib.redirect_stdout(io.StringIO()):
                return inner(grad(*copy.deepcopy(args)), u)

        Difference(self.along(v), slope, 2).hold("hvp", inner(hvp, u))
        back = self.called("vjp of grad", lambda *args: rg.vjp(grad, *args, wrt=self.wrt)[1](u))
        numbers = inner(back, v), inner(hvp, u)
        if not close(*numbers, 1e-8):
            raise Failed(
                "reverse over reverse differs from hvp",
                "{!r}, not {!r}".format(*numbers),
                numbers,
            )


class Difference:
    """A derivative by differences of several steps, and whether they agree among themselves."""

    def __init__(
        self, moved: Callable[[float], Any], value: Callable[[Any], float], order: int = 1
    ) -> None:
        self.moved, self.value, self.order = moved, value, order
        self.middle = value(moved(0.0))

    def hold(self, what: str, claimed: float) -> None:
        if not np.isfinite(claimed):
            self.judge(what, claimed)
        scale = 1.0 + abs(claimed)
        for h in (1e-5, 1e-4, 1e-6, 1e-3):
            central = (self.at(h) - self.at(-h)) / (2 * h)
            if abs(central - claimed) <= 2e-6 * scale + 1e-11 * abs(self.middle) / h:
                return
        self.judge(what, claimed)

    def at(self, h: float) -> float:
        return float(self.value(self.moved(h)))

    def judge(self, what: str, claimed: float) -> None:
        """Wrong, or rough: at a kink the estimates of the two sides and of two steps differ."""
        estimates = []
        for h in (1e-5, 1e-6):
            up, down = self.at(h), self.at(-h)
            estimates += [(up - down) / (2 * h), (up - self.middle) / h, (self.middle - down) / h]
        spread = max(estimates) - min(estimates)
        error = abs(claimed - estimates[0])
        scale = 1.0 + max(map(abs, estimates))
        # A smooth function's estimates agree; where they do not, they judge nobody.
        if not spread <= 0.02 * scale or error <= 5 * spread + 1e-5 * scale:
            raise Discarded(f"rough ({what})")
        raise Failed(
            f"{what} is wrong", f"{claimed!r}, differences give {estimates}",
            (claimed, *estimates), self.order,
        )  # fmt: skip


# -- trees and numbers ---------------------------------------------------------------------


def mapped(change: Callable[..., Any], *trees: Any) -> Any:
    first = trees[0]
    if isinstance(first, dict):
        return {k: mapped(change, *[t[k] for t in trees]) for k in first}
    if isinstance(first, (tuple, list)):
        return type(first)(mapped(change, *parts) for parts in zip(*trees, strict=True))
    if not isinstance(first, (float, complex, np.ndarray, np.generic)):  # a text, a function
        return first
    return change(*trees)


def inner(a: Any, b: Any) -> float:
    """The sum of products of all numbers of two trees."""
    products: list[float] = []
    mapped(lambda x, y: products.append(float(np.sum(np.multiply(x, y)))), a, b)
    return float(sum(products))


def shapes(tree: Any) -> Any:
    return mapped(np.shape, tree) if not isinstance(tree, tuple) else ("tuple", *map(shapes, tree))


def bits(tree: Any) -> str:
    """All of a tree, exactly."""
    with np.printoptions(floatmode="unique", threshold=10**6):
        return repr(tree)


def same_bits(a: Any, b: Any) -> bool:
    return np.asarray(a, float).tobytes() == np.asarray(b, float).tobytes()


def close(a: float, b: float, tolerance: float) -> bool:
    a, b = float(a), float(b)
    return abs(a - b) <= tolerance * (1.0 + abs(b)) or (np.isnan(a) and np.isnan(b))


def shortened(error: Exception) -> str:
    """The first line of an error, without what is special to one program."""
    lines = str(error).splitlines() or [""]
    return re.sub(r"'[^']*'|0x[0-9a-f]+|\d+", "_", lines[0])[:80]


def where(error: BaseException) -> str:
    """The last lines of a traceback."""
    import traceback

    return "".join(traceback.format_exception(error)[-4:])
