"""Whole Jacobians and Hessians: many columns or rows in one sweep."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any, Literal, NamedTuple, ParamSpec, SupportsFloat, TypeVar, overload

import numpy as np

from retrograd.compiler.ir.argument_path import Place
from retrograd.derivatives import pickled_as
from retrograd.runtime.arrays.transfers import dtype_of
from retrograd.runtime.errors import NotDifferentiable, SignatureMismatch
from retrograd.runtime.objects.pytree import leaves, map_floats, map_leaves

from ..api import Wrt, chain_arguments, chain_of, chain_value, derivative, pulled, pushed
from ..asked import asked_of, compiled_by
from ..check.nonfinite import copies, parts_with
from ..check.policy import finds_nan
from ..made_functions import parameters_of
from ..public.door import one_word, public
from ..specialise.argument_types import kind_of_argument
from ..specialise.eager_fallback import pair
from ..specialise.eager_fallback import plain as plain_value
from ..specialise.gradient_leaves import check_float
from ..stateful_functions import Traces, products_of
from ..wrt import request_key
from .batched_products import FLOAT64, Products, sizes
from .dense_fast_path import Found, PlainJacobian
from .few_directions import FewDirections
from .sparse_recovery import sparse_matrix

__all__ = ["hessian", "jacobian"]

P = ParamSpec("P")
Aux = TypeVar("Aux")


@overload
def jacobian(
    f: Callable[P, Any],
    wrt: Wrt | None = None,
    mode: str | None = None,
    *,
    has_aux: Literal[False] = False,
    sparse: bool = False,
    pattern: Any = None,
    check: bool | None = None,
    backend: str | None = None,
    strict: bool | None = None,
    argnums: Wrt | None = None,
) -> Callable[P, Any]: ...


@overload
def jacobian(
    f: Callable[P, tuple[Any, Aux]],
    wrt: Wrt | None = None,
    mode: str | None = None,
    *,
    has_aux: Literal[True],
    sparse: bool = False,
    pattern: Any = None,
    check: bool | None = None,
    backend: str | None = None,
    strict: bool | None = None,
    argnums: Wrt | None = None,
) -> Callable[P, tuple[Any, Aux]]: ...


@public
def jacobian(
    f: Callable[..., Any],
    wrt: Wrt | None = None,
    mode: str | None = None,
    *,
    has_aux: bool = False,
    sparse: bool = False,
    pattern: Any = None,
    check: bool | None = None,
    backend: str | None = None,
    strict: bool | None = None,
    argnums: Wrt | None = None,
) -> Callable[..., Any]:
    """The derivative of every result by every argument: output shape + input shape.

    ``mode``: forward (directions are columns) or reverse (rows); by default the fewer.

    ``sparse``: a ``scipy.sparse.csr_array`` of flat results by flat arguments, from as few directions
    as a colouring of its pattern needs.  The pattern is found in the program; ``pattern`` gives one
    (a sparse matrix whose entries may be nonzero), or ``"probe"`` looks for nonzero entries at points
    nearby.  ``check`` holds the result against a product with a random vector: by default where the
    pattern was given or probed.  ``backend="c"``, ``"numba"`` or ``"cuda"`` compiles the sweep.

    >>> def powers(x):
    ...     return np.stack([x, x * x])
    >>> jacobian(powers)(3.0)
    array([1., 6.])
    """
    if mode not in (None, "forward", "reverse"):
        raise SignatureMismatch(f"mode is 'forward', 'reverse' or None, not {mode!r}")
    check_options(sparse, pattern, check)
    wrt = one_word(wrt, argnums)
    base = asked_of(f, strict)
    whole = base if backend is None else compiled_by(base, backend, None)
    chain = whole.then("first", ()) if has_aux else whole
    asked = Sparse(pattern, check) if sparse else None
    key = ("jacobian", request_key(wrt), mode, backend, bool(has_aux))

    def make() -> Callable[..., Any]:
        made = of_columns(chain, wrt, mode, asked)
        made = with_aux(made, whole) if has_aux else made
        options = {"mode": mode, "sparse": sparse, "pattern": pattern, "check": check}
        return presented(made, "jacobian", whole, {"wrt": wrt, "has_aux": has_aux, **options})

    return make() if sparse else base.once(key, make)  # type: ignore[no-any-return]


def with_aux(columns: Callable[..., Any], whole: Any) -> Callable[..., Any]:
    """The Jacobian of the first of two results, and the second, which a run of the function's own gives."""
    traces: Traces = whole.once("traces", lambda: Traces(whole))

    def jacobian_at(*args: Any, **kwargs: Any) -> Any:
        full = whole.bind(args, kwargs) if kwargs else chain_arguments(whole, args)
        if traces.left_by(full):
            raise NotDifferentiable(
                f"has_aux=True of {whole.name}, whose runs leave traces (random numbers, writes, output)",
                fix="use rg.vjp(f, x, has_aux=True), which runs it once",
            )
        _, aux = pair(chain_value(whole, full))
        return columns(*args, **kwargs), aux

    jacobian_at.__columns__ = whole, (), "a Jacobian with has_aux"  # type: ignore[attr-defined]
    return jacobian_at


def check_options(sparse: bool, pattern: Any, check: Any) -> None:
    if not sparse and (pattern is not None or check is not None):
        raise SignatureMismatch("pattern and check are for sparse=True")


class Sparse(NamedTuple):
    """The options of a sparse result."""

    pattern: Any
    check: bool | None
    symmetric: bool = False


def of_columns(
    chain: Any, wrt: Wrt | None, mode: str | None, asked: Sparse | None, symmetric: bool = False
) -> Callable[..., Any]:
    positions, single = chain.positions(wrt)
    plain = PlainJacobian(chain, tuple(positions), mode)
    found_patterns = asked is None or (asked.pattern is None and not asked.check)
    few = FewDirections(chain, positions, mode, asked is not None, symmetric)
    traces: Traces = chain.once("traces", lambda: Traces(chain))

    def jacobian_at(*args: Any, **kwargs: Any) -> Any:
        full = chain.bind(args, kwargs) if kwargs else chain_arguments(chain, args)
        if finds_nan(chain):
            return watched_columns(chain, positions, full, lambda: blocks_at(full))
        return blocks_at(full)

    def blocks_at(full: list[Any]) -> Any:
        left = traces.left_by(full)
        if found_patterns and not left and few.known:
            blocks = few.of(full)
            if blocks is not None:
                return blocks[0] if single else tuple(blocks)
        found = plain.of(full) if asked is None and not left else Found()
        if found.blocks is not None:
            if found_patterns:
                few.learn_of(full, found.blocks, found.value)
            return found.blocks[0] if single else tuple(found.blocks)
        check_floats(chain, full, positions)
        check_real(chain, [place.of(full) for place in positions])
        products = (
            products_of(chain, full, positions, left)
            if left
            else Products(chain, full, positions, found.value)
        )
        check_numbers(chain, products.value)
        if asked is not None:
            check_host(products)
            if products.one_run and is_complex(products.value):
                raise products.run_again()
            either = not (is_complex(products.value) or products.one_run)
            mode_here = mode if either else chosen(chain, products, mode)
            symmetric = asked.symmetric and not products.one_run
            matrix = sparse_matrix(products, mode_here, *asked._replace(symmetric=symmetric))
        else:
            matrix = whole(products, chosen(chain, products, mode))
        if found_patterns and not left:
            few.learn(products)
        return assemble(products, matrix, single)

    asked_here = positions[0] if single else tuple(positions)
    unusual = "" if asked is None else "a sparse Jacobian"
    jacobian_at.__columns__ = chain, asked_here, unusual  # type: ignore[attr-defined]
    return jacobian_at


def watched_columns(
    chain: Any, places: Sequence[Place], full: list[Any], answer: Callable[[], Any]
) -> Any:
    """A Jacobian; what is not finite in it is looked for in its product with ones, which has it, too."""
    kept = copies(full)
    result = answer()
    if next(parts_with(result, ("nan", "inf")), None) is None:
        return result
    if chain.steps:  # forward over reverse
        pushed(chain, kept, places, [map_floats(np.ones_like, place.of(kept)) for place in places])
    else:
        value, pull = pulled(chain, kept, places)
        pull(map_floats(np.ones_like, value))
    return result


def chosen(chain: Any, products: Products, mode: str | None) -> str:
    """The mode that was asked for, or the one with fewer directions; of one run there are rows only."""
    if products.one_run:
        return "reverse"
    if is_complex(products.value):
        check_forward(chain, mode)
        return "forward"
    return mode or ("forward" if products.n <= products.m else "reverse")


def whole(products: Products, mode: str) -> Any:
    """All of the Jacobian, as one matrix of flat results by flat arguments."""
    if mode == "forward":
        return products.columns(products.library.eye(products.n))
    units = products.library.eye(products.m)
    rows = products.rows(units)
    if is_complex(products.value):  # of one run: forward mode would need more
        if not all(map(np.iscomplexobj, products.y)):
            raise products.run_again()
        rows = rows + 1j * products.rows(1j * units)
    return rows.T


def is_complex(tree: Any) -> bool:
    return any(np.iscomplexobj(leaf) for leaf in leaves(tree))


def check_floats(chain: Any, full: list[Any], places: Sequence[Place]) -> None:
    """What holds no float has no columns."""
    for place in places:
        kind = kind_of_argument(plain_value(place.of(full)), "x")
        check_float(kind, place.text(chain.parameters), chain.fn.__qualname__)


def check_real(chain: Any, inputs: list[Any]) -> None:
    """A function of a complex number has two derivatives there, and no single matrix holds both."""
    if is_complex(inputs):
        raise NotDifferentiable(
            f"jacobian of {chain.name} with respect to a complex argument",
            fix="make it a function of the real and the imaginary part, or use rg.jvp and rg.vjp",
        )


def check_numbers(chain: Any, value: Any) -> None:
    """A text, or None, has no row in a matrix of derivatives; of functions the compiler says why."""
    for leaf in leaves(value):
        if leaf is None and chain.steps:  # beside what has no gradient
            continue
        if dtype_of(leaf).kind not in "biufc" and not callable(leaf):
            raise NotDifferentiable(
                f"jacobian of {chain.name}: a result is no number: {leaf!r}",
                fix="return numbers and arrays of them",
            )


def check_host(products: Products) -> None:
    """A sparse matrix is one of SciPy's."""
    if products.library is not np:
        raise NotDifferentiable(
            f"a sparse Jacobian of {products.chain.name} at arrays of the device",
            fix="leave `sparse` out, or ask for it at arrays of the host",
        )


def check_forward(chain: Any, mode: str | None) -> None:
    """Rows are real inner products: they would show the real parts of complex results only."""
    if mode == "reverse":
        raise NotDifferentiable(
            f"jacobian of {chain.name} in reverse mode: a result is complex",
            fix="leave mode out, or use mode='forward'",
        )


def assemble(products: Products, matrix: Any, single: bool) -> Any:
    """The matrix in the containers of the result, and inside them those of the arguments."""
    rows = pieces(products.y)

    def for_result(out: Any) -> Any:
        if out is None:
            return None
        row = next(rows)
        columns = pieces(products.x)

        def block(x: Any) -> Any:
            part = matrix[row, next(columns)]
            return shaped(part, out, x)

        parts = [map_floats(block, tree) for tree in products.inputs]
        return parts[0] if single else tuple(parts)

    return map_leaves(for_result, products.value)


def pieces(flat: list[Any]) -> Iterator[slice]:
    """Where each leaf stands in a flat vector."""
    return (slice(start, end) for start, end in pairwise(sizes(flat)))


def shaped(part: Any, out: Any, x: Any) -> Any:
    """A block in the shape of the result and the argument, in the precision of the result."""
    if issparse(part):
        return part
    known = type(out) in (np.ndarray, np.float64) and out.dtype is FLOAT64
    dtype = FLOAT64 if known else np.result_type(dtype_of(out), np.float16)
    return part.astype(dtype, order="C", copy=False).reshape(np.shape(out) + np.shape(x))[()]


def issparse(part: Any) -> bool:
    return hasattr(part, "tocsr")


@overload
def hessian(
    f: Callable[P, SupportsFloat],
    wrt: Wrt | None = None,
    *,
    has_aux: Literal[False] = False,
    sparse: bool = False,
    pattern: Any = None,
    check: bool | None = None,
    backend: str | None = None,
    strict: bool | None = None,
    argnums: Wrt | None = None,
) -> Callable[P, Any]: ...


@overload
def hessian(
    f: Callable[P, tuple[SupportsFloat, Aux]],
    wrt: Wrt | None = None,
    *,
    has_aux: Literal[True],
    sparse: bool = False,
    pattern: Any = None,
    check: bool | None = None,
    backend: str | None = None,
    strict: bool | None = None,
    argnums: Wrt | None = None,
) -> Callable[P, tuple[Any, Aux]]: ...


@public
def hessian(
    f: Callable[..., Any],
    wrt: Wrt | None = None,
    *,
    has_aux: bool = False,
    sparse: bool = False,
    pattern: Any = None,
    check: bool | None = None,
    backend: str | None = None,
    strict: bool | None = None,
    argnums: Wrt | None = None,
) -> Callable[..., Any]:
    """Second derivatives of a scalar function: forward over reverse; for the options see `jacobian`.

    >>> def loss(x):
    ...     return np.sum(x ** 3)
    >>> hessian(loss)(np.array([1.0, 2.0]))
    array([[ 6.,  0.],
           [ 0., 12.]])
    """
    check_options(sparse, pattern, check)
    wrt = one_word(wrt, argnums)
    asked = Sparse(pattern, check, True) if sparse else None
    whole = asked_of(f, strict)
    base: Any = whole.then("first", ()) if has_aux else whole
    slope = derivative(base, "grad", "gradient", wrt, False, backend, None, None, None)
    made = of_columns(chain_of(slope), wrt, "forward", asked, True)
    made = with_aux(made, whole) if has_aux else made
    options = {"sparse": sparse, "pattern": pattern, "check": check, "backend": backend}
    return presented(made, "hessian", whole, {"wrt": wrt, "has_aux": has_aux, **options})


def presented(made: Any, kind: str, chain: Any, options: dict[str, Any]) -> Callable[..., Any]:
    """A Jacobian as a function of the API: with a name, the parameters, and a way into pickles."""
    made = public(made)
    made.__name__, made.__module__ = f"{chain.name}_{kind}", chain.fn.__module__
    made.__signature__ = parameters_of(chain)
    made.__doc__ = f"The {kind[0].upper()}{kind[1:]} of {chain.name}."
    return pickled_as(made, chain.dotted_as(kind), asked_again, kind, chain, options)  # type: ignore[no-any-return]


def asked_again(kind: str, chain: Any, options: dict[str, Any]) -> Callable[..., Any]:
    return (jacobian if kind == "jacobian" else hessian)(chain, **options)


WORDS: list[Any] = [jacobian, hessian]
for _word in WORDS:
    _word.__word__ = _word.__name__  # how the compiler knows it
