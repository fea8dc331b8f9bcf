"""Random numbers: the distributions of CuPy, with streams that are not NumPy's."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np

from .. import counters
from ..arrays.array import as_shape, ndarray
from ..arrays.values import cast, checked
from ..arrays.wrapping import fresh, is_host, unwrap
from ..names import load, signature

__all__ = ["CLASSES", "FUNCTIONS"]

SALT = 0x43755079  # so that no stream equals NumPy's for the same seed


class BitGenerator:
    """A source of random bits."""

    def __init__(self, seed: Any = None, *, size: int = -1) -> None:
        self.source = np.random.Philox(
            np.random.SeedSequence(None if seed is None else [SALT, *entropy(seed)])
        )


def entropy(seed: Any) -> list[int]:
    if isinstance(seed, np.random.SeedSequence):
        return [int(one) for one in seed.generate_state(4)]
    return [int(one) for one in np.atleast_1d(np.asarray(seed)).astype(np.uint64)]


class XORWOW(BitGenerator): ...


class MRG32k3a(BitGenerator): ...


class Philox4x3210(BitGenerator): ...


def drawn(source: Any, method: str, parameters: dict[str, Any]) -> Any:
    """What NumPy's distribution of this name draws, in the asked kind of numbers."""
    if any(is_host(one) and np.ndim(one) for name, one in parameters.items() if name not in SIZES):
        raise TypeError("Unsupported type <class 'numpy.ndarray'>")
    kind = parameters.pop("dtype", None)
    if "size" in parameters and parameters["size"] is not None:
        parameters["size"] = as_shape(parameters["size"])
    counters.launch(method)
    found = np.asarray(
        getattr(source, method)(**{name: unwrap(one) for name, one in parameters.items()})
    )
    return fresh(
        found
        if kind is None or not isinstance(kind, (str, type, np.dtype))
        else cast(found, checked(kind))
    )


SIZES = ("size", "dtype")


class Generator:
    """The methods are those of the list; each is NumPy's of the same name."""

    def __init__(self, bit_generator: Any) -> None:
        self.bit_generator = bit_generator
        self._source = np.random.Generator(bit_generator.source)

    def random(self, size: Any = None, dtype: Any = np.float64, out: Any = None) -> Any:
        return self._into(out, drawn(self._source, "random", {"size": size, "dtype": dtype}))

    def standard_normal(self, size: Any = None, dtype: Any = np.float64, out: Any = None) -> Any:
        return self._into(
            out, drawn(self._source, "standard_normal", {"size": size, "dtype": dtype})
        )

    def _into(self, out: Any, values: Any) -> Any:
        if out is None:
            return values
        if not isinstance(out, ndarray):
            raise TypeError("Argument 'out' has incorrect type")
        out[...] = values
        return out


class RandomState:
    """The older interface: methods take ``dtype``."""

    def __init__(self, seed: Any = None, method: Any = None) -> None:
        self.seed(seed)

    def seed(self, seed: Any = None) -> None:
        self._source = np.random.RandomState(
            np.random.PCG64(None if seed is None else [SALT, *entropy(seed)])
        )

    def rand(self, *size: int, dtype: Any = float) -> Any:
        return drawn(self._source, "random_sample", {"size": size or None, "dtype": dtype})

    def randn(self, *size: int, dtype: Any = float) -> Any:
        return drawn(self._source, "standard_normal", {"size": size or None, "dtype": dtype})

    def choice(self, a: Any, size: Any = None, replace: bool = True, p: Any = None) -> Any:
        if isinstance(a, ndarray):
            return a[self.choice(a.shape[0], size, replace, p)]
        return drawn(self._source, "choice", {"a": a, "size": size, "replace": replace, "p": p})

    def shuffle(self, a: Any) -> None:
        on_device(a)
        counters.launch("shuffle")
        self._source.shuffle(a._host)

    def permutation(self, a: Any) -> Any:
        if isinstance(a, (int, np.integer)):
            return drawn(self._source, "permutation", {"x": int(a)})
        on_device(a)
        counters.launch("permutation")
        return fresh(self._source.permutation(a._host))


def on_device(a: Any) -> None:
    if not isinstance(a, ndarray):
        raise TypeError("The array must be cupy.ndarray")


def method(name: str, listed: Any) -> Any:
    """A method with CuPy's signature."""
    shape = signature(listed)
    assert shape is not None

    def called(*args: Any, **kwargs: Any) -> Any:
        try:
            bound = shape.bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(f"{name}() {error}") from None
        bound.apply_defaults()
        given = dict(bound.arguments)
        self = given.pop("self")
        out = given.pop("out", None)
        for extra in ("method", "check_valid", "tol"):
            given.pop(extra, None)
        made = drawn(self._source, name, spelled(self._source, name, given))
        return made if out is None else self._into(out, made)

    called.__name__ = name
    called.__signature__ = shape  # type: ignore[attr-defined]
    return called


def spelled(source: Any, name: str, given: dict[str, Any]) -> dict[str, Any]:
    """In NumPy's own names, which differ in a few places."""
    kind = given.pop("dtype", None)
    made = {key: one for key, one in given.items() if repr(one) != "<default>"}
    try:
        known = list(inspect.signature(getattr(source, name)).parameters)
    except (TypeError, ValueError):
        return made | ({} if repr(kind) == "<default>" else {"dtype": kind})
    made = {
        key if key in known else known[index]: one for index, (key, one) in enumerate(made.items())
    }
    return made | ({} if repr(kind) == "<default>" or kind is None else {"dtype": kind})


def _methods(one: type, path: str) -> None:
    sources = {"Generator": np.random.Generator, "RandomState": np.random.RandomState}
    for name, entry in load()["classes"][path].items():
        known = hasattr(sources[one.__name__], name)
        if entry["kind"] == "method" and name[0] != "_" and name not in vars(one) and known:
            setattr(one, name, method(name, entry["parameters"]))


_methods(Generator, "cupy.random.Generator")
_methods(RandomState, "cupy.random.RandomState")

_state = RandomState()


def get_random_state() -> RandomState:
    return _state


def set_random_state(rs: RandomState) -> None:
    global _state
    if not isinstance(rs, RandomState):
        raise TypeError(f"Random state must be an instance of RandomState. Actual: {type(rs)}")
    _state = rs


def reset_states() -> None:
    set_random_state(RandomState())


def default_rng(seed: Any = None) -> Generator:
    if isinstance(seed, Generator):
        return seed
    return Generator(seed if isinstance(seed, BitGenerator) else XORWOW(seed))


RENAMED = {"random": "random_sample", "ranf": "random_sample", "sample": "random_sample"}


def of_state(name: str) -> Any:
    def called(*args: Any, **kwargs: Any) -> Any:
        return getattr(_state, RENAMED.get(name, name))(*args, **kwargs)

    called.__name__ = name
    return called


CLASSES = {
    one.__name__: one
    for one in (BitGenerator, XORWOW, MRG32k3a, Philox4x3210, Generator, RandomState)
}
FUNCTIONS = {
    one.__name__: one for one in (default_rng, get_random_state, set_random_state, reset_states)
} | {
    name: of_state(name)
    for name, entry in load()["modules"]["cupy.random"].items()
    if entry["kind"] == "function" and hasattr(RandomState, RENAMED.get(name, name))
}
