"""`rg.jax`: functions of NumPy arrays inside JAX's programs."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

import retrograd as rg
from retrograd.runtime.errors import CompileError, SignatureMismatch

from .pulled import pulled

__all__ = ["wrap"]


def wrap(
    f: Callable[..., Any], *, result: Any = None, backend: str | None = None
) -> Callable[..., Any]:
    """A function of arrays as one of JAX's: under `jax.jit`, `jax.grad` (of every order) and `jax.vmap`.

    The function runs on the host, and its derivative is the compiled one; without `jax.jit` arrays are shared, not
    copied.  Under `jax.jit` the shapes of its result must be known before it runs: it is called once on ones, unless
    ``result`` says them (a `jax.ShapeDtypeStruct`, a tree of such, or a function of the arguments that returns one).
    JAX differentiates it in reverse mode; ``backend`` is as in `retrograd.grad`.

    >>> def energy(x, k):
    ...     return 0.5 * k * np.sum(x ** 2)
    >>> jax.jit(jax.grad(wrap(energy)))(jnp.array([1.0, 2.0]), 3.0).tolist()
    [3.0, 6.0]
    """
    call = Host(f, result)
    pulling = functools.cache(lambda wrt: pullback(f, wrt, backend))

    @functools.wraps(f)
    @jax.custom_vjp
    def wrapped(*args: Any) -> Any:
        return call(args)

    def forward(*args: Any) -> Any:
        return wrapped(*args), args

    def backward(args: Any, cotangent: Any) -> Any:
        wrt = tuple(i for i, x in enumerate(args) if any(map(has_derivative, jax.tree.leaves(x))))
        found = dict(zip(wrt, pulling(wrt)(conj(cotangent), *args), strict=True))
        return tuple(conj(found[i]) if i in found else None for i in range(len(args)))

    wrapped.defvjp(forward, backward)
    made: Callable[..., Any] = wrapped
    return made


def pullback(f: Callable[..., Any], wrt: tuple[int, ...], backend: str | None) -> Any:
    """The gradients as a function of JAX's, by the arguments ``wrt``: None for what has no derivative."""

    def shapes(cotangent: Any, *args: Any) -> Any:
        return tuple(jax.tree.map(shape_or_none, args[i]) for i in wrt)

    return wrap(pulled(f, wrt, backend), result=shapes, backend=backend)


class Host:
    """A function that runs on the host: at once, or when the program around it does."""

    def __init__(self, f: Callable[..., Any], result: Any) -> None:
        self.f, self.result = f, result
        self.known: dict[Any, Any] = {}

    def __call__(self, args: tuple[Any, ...]) -> Any:
        if not any(isinstance(x, jax.core.Tracer) for x in jax.tree.leaves(args)):
            return jax.tree.map(jnp.asarray, self.run(*args))
        shapes = self.shapes(args)
        ranks = [np.ndim(x) for x in jax.tree.leaves(args)]

        def cast(*args: Any) -> Any:
            axes = max(np.ndim(x) - r for x, r in zip(jax.tree.leaves(args), ranks, strict=True))
            found = self.run(*args) if axes == 0 else self.run_many(axes, args)
            return jax.tree.map(lambda x, s: np.asarray(x, s.dtype), found, shapes)

        return jax.pure_callback(cast, shapes, *args, vmap_method="expand_dims")

    def run(self, *args: Any) -> Any:
        return self.f(*jax.tree.map(to_numpy, args))

    def run_many(self, axes: int, args: tuple[Any, ...]) -> Any:
        """For all examples of a batch, or of batches of batches: their axes come first, of size 1 where all share."""
        sizes = [max(np.shape(x)[k] for x in jax.tree.leaves(args)) for k in range(axes)]
        f: Any = self.f
        for k in reversed(range(axes)):
            f = rg.vmap(f, jax.tree.map(lambda x, k=k: axis_of(x, k, sizes[k]), args))
        try:
            return f(*jax.tree.map(lambda x: to_numpy(without_shared(x, sizes)), args))
        except (CompileError, SignatureMismatch):
            return self.one_by_one(sizes, args)

    def one_by_one(self, sizes: list[int], args: tuple[Any, ...]) -> Any:
        """The same by a loop over the examples."""
        runs = [
            self.run(*jax.tree.map(lambda x, at=at: np.asarray(x)[place(x, at)], args))
            for at in np.ndindex(*sizes)
        ]
        return jax.tree.map(lambda *x: np.stack(x).reshape((*sizes, *np.shape(x[0]))), *runs)

    def shapes(self, args: tuple[Any, ...]) -> Any:
        """Of the result for such arguments."""
        if callable(self.result):
            return self.result(*args)
        if self.result is not None:
            return self.result
        kinds = jax.tree.map(jax.typeof, args)
        key = str(kinds)
        if key not in self.known:
            self.known[key] = jax.tree.map(shape_of, self.tried(args))
        return self.known[key]

    def tried(self, args: tuple[Any, ...]) -> Any:
        ones = jax.tree.map(
            lambda x: np.ones(np.shape(x), x.dtype) if hasattr(x, "dtype") else x, args
        )
        try:
            with np.errstate(all="ignore"):
                return self.f(*ones)
        except Exception as error:
            name = getattr(self.f, "__name__", "the function")
            raise SignatureMismatch(
                f"the shapes of what `{name}` returns must be known before it runs under `jax.jit`, and it cannot be "
                f"called on ones ({type(error).__name__}: {error}); say them: "
                "wrap(f, result=jax.ShapeDtypeStruct(shape, dtype))"
            ) from error


def axis_of(x: Any, k: int, size: int) -> int | None:
    """Whether the examples of a batch have their own of an argument: the axes before are gone by then."""
    return 0 if np.shape(x)[k] == size else None


def without_shared(x: Any, sizes: list[int]) -> Any:
    """Without the axes of batches whose examples share it."""
    shared = tuple(k for k, size in enumerate(sizes) if np.shape(x)[k] != size)
    return np.squeeze(np.asarray(x), shared)


def place(x: Any, at: tuple[int, ...]) -> tuple[int, ...]:
    """Where the example with these numbers is in an argument."""
    return tuple(0 if size == 1 else k for k, size in zip(at, np.shape(x), strict=False))


def to_numpy(x: Any) -> Any:
    """Numbers stay numbers, which widen no array; JAX has classes of its own for them."""
    if isinstance(x, (jax.Array, np.ndarray)):
        return np.asarray(x)
    plain = next((kind for kind in (bool, int, float, complex) if isinstance(x, kind)), None)
    return x if plain is None else plain(x)


def shape_of(x: Any) -> Any:
    kind = jax.dtypes.canonicalize_dtype(np.asarray(x).dtype)
    return jax.ShapeDtypeStruct(np.shape(x), kind)


def shape_or_none(x: Any) -> Any:
    return jax.ShapeDtypeStruct(np.shape(x), jnp.result_type(x)) if has_derivative(x) else None


def has_derivative(x: Any) -> bool:
    return bool(jnp.issubdtype(jnp.result_type(x), jnp.inexact))


def conj(tree: Any) -> Any:
    """JAX's gradient of a complex number is the conjugate of ours."""
    return jax.tree.map(lambda x: jnp.conj(x) if jnp.iscomplexobj(x) else x, tree)
