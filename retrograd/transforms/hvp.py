"""``hvp``: the Hessian times a vector, forward over reverse; what it needs to know is found once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from retrograd.compiler.ir.argument_path import Place

from .api import Wrt, chain_arguments, pushed, transformed
from .asked import asked_of
from .public.door import public
from .specialise.eager_fallback import is_taped
from .tangents import alike, apart_from
from .transformed_function import Chain
from .wrt import request_key

__all__ = ["hvp"]


@public
def hvp(
    f: Callable[..., Any],
    args: Sequence[Any],
    v: Any,
    wrt: Wrt = 0,
    *,
    backend: str | None = None,
    strict: bool | None = None,
) -> Any:
    """The Hessian of a scalar function times ``v``: forward over reverse; ``backend`` is as in `grad`.

    >>> def cube(x):
    ...     return x * x * x
    >>> hvp(cube, (2.0,), 1.0)
    12.0
    """
    product = product_of(asked_of(f, strict, backend), wrt)
    full = chain_arguments(product.chain, args)
    tangents = [v] if product.single else list(v)
    derived, places = product.derived, product.places
    if is_taped([full, tangents], derived.fn):
        return pushed(derived, full, places, tangents)[1]
    names = product.names
    dots = [alike(n, p.of(full), t) for n, p, t in zip(names, places, tangents, strict=True)]
    return product.run(*full, *apart_from(dots, full))


class Product(NamedTuple):
    """A function prepared for ``hvp``, once."""

    chain: Chain
    derived: Chain
    places: tuple[Place, ...]
    single: bool
    names: tuple[str, ...]
    run: Callable[..., Any]


def product_of(chain: Chain, wrt: Wrt) -> Product:
    made: Product = chain.once(("hvp", request_key(wrt)), lambda: product(chain, wrt))
    return made


def product(chain: Chain, wrt: Wrt) -> Product:
    places, single = chain.positions(wrt)
    derived = chain.then("grad", places, single)
    asked = derived.then("tangent", places)
    doc = f"The Hessian of {chain.name} times a vector."
    run = transformed(asked, doc)
    names = tuple(place.text(chain.parameters) for place in places)
    return Product(chain, derived, tuple(places), single, names, run)


hvp.__word__ = "hvp"  # type: ignore[attr-defined]  # how the compiler knows it
