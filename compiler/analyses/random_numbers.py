"""Random number generators: NumPy's generators, their methods, and the types of the results."""

from __future__ import annotations

from typing import Any

from retrograd.runtime.objects.own_attributes import home_of, own_attribute

from ..ir.types import Array, Number, Tree, Type

__all__ = [
    "WRITING",
    "generator_class",
    "is_draw",
    "is_generator",
    "is_method_of_generator",
    "of_draw",
]

HOME = "numpy.random"
GENERATORS = ("Generator", "RandomState")
MAKERS = {"default_rng": "Generator", "Generator": "Generator", "RandomState": "RandomState"}
WRITING = frozenset({"shuffle"})  # into the array they are given
# The position of `size` (that of the generator not counted), and what is drawn.
LAST = {
    "normal": 2, "uniform": 2, "laplace": 2, "gumbel": 2, "logistic": 2, "lognormal": 2, "gamma": 2, "beta": 2,
    "f": 2, "vonmises": 2, "wald": 2, "noncentral_chisquare": 2, "triangular": 3, "exponential": 1, "chisquare": 1,
    "rayleigh": 1, "pareto": 1, "power": 1, "weibull": 1, "standard_t": 1, "standard_gamma": 1, "random": 0,
    "standard_normal": 0, "standard_exponential": 0, "standard_cauchy": 0, "random_sample": 0,
}  # fmt: skip
WHOLE = {"integers": 2, "randint": 2, "poisson": 1, "binomial": 2, "geometric": 1}
BY_AXES = ("rand", "randn")


def is_generator(value: Any) -> bool:
    """True if an object is a `Generator` or `RandomState` (NumPy imports their module when it is asked for)."""
    kind = type(value)
    return kind.__name__ in GENERATORS and kind.__module__.startswith(HOME)


def generator_class(kind: Type) -> type | None:
    """The class of the generators of a type, if it is one."""
    if not isinstance(kind, Tree) or kind.container != "object" or kind.cls is None:
        return None
    known = kind.cls.__name__ in GENERATORS and home_of(kind.cls).startswith(HOME)
    return kind.cls if known else None


def is_draw(fn: Any) -> bool:
    """True if it is a method of a generator; ``np.random.normal`` is a bound one."""
    owner, _, name = str(own_attribute(fn, "__qualname__", "")).partition(".")
    if owner not in GENERATORS or not name:
        return False
    home = own_attribute(fn, "__module__") or getattr(
        own_attribute(fn, "__objclass__"), "__module__", ""
    )
    return str(home).startswith(HOME) or is_generator(own_attribute(fn, "__self__"))


def is_method_of_generator(fn: Any) -> bool:
    """True if its first argument is the generator."""
    return is_draw(fn) and not is_generator(own_attribute(fn, "__self__"))


def of_draw(fn: Any, args: list[Any], kwargs: dict[str, Any]) -> Type:
    """The type of a generator, or of what is drawn; None where nothing certain is known."""
    name = own_attribute(fn, "__name__", "")
    if name in MAKERS and home_of(fn).startswith(HOME):
        import numpy as np

        return Tree("object", (), (), getattr(np.random, MAKERS[name]))
    if not is_draw(fn) or "dtype" in kwargs:
        return None
    given = args[1:] if is_method_of_generator(fn) else args
    if name in BY_AXES:
        return of_size(tuple(given), "f", []) if given else Number("f")
    kind = "i" if name in WHOLE else "f"
    position = {**LAST, **WHOLE}.get(name)
    if position is None or len(given) > position + 1:  # what follows the size is a dtype
        return None
    others = [a for k, a in enumerate(given) if k != position]
    others += [a for k, a in kwargs.items() if k != "size"]
    return of_size(
        kwargs.get("size", given[position] if len(given) > position else None), kind, others
    )


def of_size(size: Any, kind: str, others: list[Any]) -> Type:
    """An array of that size; a number where there is none, and all that is given is numbers."""
    if size is None:
        plain = all(isinstance(a, (int, float, Number)) for a in others)
        return Number("f") if plain and kind == "f" else None
    if isinstance(size, Tree) and size.container == "tuple" and kind == "f":
        lengths = [n.size if isinstance(n, Number) else None for n in size.items]
        return Array("float64", tuple(lengths), kind)
    sizes = size if isinstance(size, tuple) else (size,)
    if not all(is_whole(n) for n in sizes):
        return None
    dtype = "float64" if kind == "f" else "int64"
    return Array(dtype, tuple(n if type(n) is int else None for n in sizes), kind)


def is_whole(size: Any) -> bool:
    return type(size) is int or (isinstance(size, Number) and size.kind == "i")
