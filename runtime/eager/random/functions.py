"""Random tensors, random numbers written into tensors, and tensors made like one."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...arrays.transfers import library_of
from ...batching.batched_array import as_array, everywhere, somewhere
from ...device.places import is_far
from ..batches.frames import with_room
from ..functions import creation
from ..functions.creation import finished, numpy_type, shape_given
from ..graph.record_call import in_place
from ..tensor.devices import library_at
from ..tensor.registry import FUNCTIONS, function, method
from ..tensor.tensor import Tensor, wrapped
from . import generator as random

__all__: list[str] = []


FUNCTIONS["Generator"] = random.Generator


def filling(name: str, draw: Any) -> None:
    """``x.name_(...)``: random numbers in place of the entries; no gradient goes through."""

    def fill(self: Tensor, *args: Any, generator: Any = None, **kwargs: Any) -> Tensor:
        def drawn(old: Tensor) -> Tensor:
            shape = old._array.shape
            rng = random.generator(generator, library_of([old._array]))
            found = draw(rng, shape, old._array.dtype, *args, **kwargs)
            return wrapped(as_array(found).astype(old._array.dtype))

        return in_place(self, drawn)

    fill.__name__ = fill.__qualname__ = name
    setattr(Tensor, name, fill)


def uniform(
    rng: Any, shape: Any, kind: Any, from_: float = 0.0, to: float = 1.0, **named: Any
) -> Any:
    low = named.get("from", from_)
    if low > to:
        raise RuntimeError(
            f"uniform_ expects to return a [from, to) range, but found from={low} > to={to}"
        )
    return rng.uniform(low, to, shape)


def normal(rng: Any, shape: Any, kind: Any, mean: float = 0.0, std: float = 1.0) -> Any:
    if std < 0:
        raise RuntimeError(f"normal expects std >= 0.0, but found std {std}")
    return mean + std * rng.standard_normal(shape)


def whole(rng: Any, shape: Any, kind: Any, low: Any = None, high: Any = None) -> Any:
    """From ``low`` to below ``high``; all exact numbers of the type if neither is given."""
    if low is not None and high is None:
        low, high = 0, low
    if low is None:
        top = (
            np.iinfo(kind).max
            if kind.kind in "iu"
            else 1
            if kind.kind == "b"
            else 2 ** (np.finfo(kind).nmant + 1)
        )
        return rng.integers(0, top, shape, endpoint=True)
    return rng.integers(low, high, shape)


def coins(rng: Any, shape: Any, kind: Any, p: Any = 0.5) -> Any:
    chances = p.detach()._array if isinstance(p, Tensor) else as_array(p)
    if not everywhere((chances >= 0) & (chances <= 1)):
        raise RuntimeError(f"bernoulli_ expects p to be in [0, 1], but got p={p}")
    return rng.random(shape) < chances


filling("uniform_", uniform)
filling("normal_", normal)
filling("random_", whole)
filling("bernoulli_", coins)
filling("exponential_", lambda rng, shape, kind, lambd=1.0: rng.exponential(1 / lambd, shape))
filling(
    "cauchy_",
    lambda rng, shape, kind, median=0.0, sigma=1.0: median + sigma * rng.standard_cauchy(shape),
)
filling("log_normal_", lambda rng, shape, kind, mean=1.0, std=2.0: rng.lognormal(mean, std, shape))
filling("geometric_", lambda rng, shape, kind, p: rng.geometric(p, shape))


@method
def bernoulli(self: Tensor, p: Any = None, *, generator: Any = None) -> Tensor:
    """Ones with these probabilities; the gradient is zero."""
    chances = self.detach()._array if p is None else np.broadcast_to(p, self._array.shape)
    if not everywhere((chances >= 0) & (chances <= 1)):
        raise RuntimeError("Expected p_in >= 0 && p_in <= 1 to be true, but got false.")
    rng = random.generator(generator, library_of([chances]))
    drawn = as_array(rng.random(chances.shape) < chances)
    made = wrapped(drawn.astype(self._array.dtype))
    return self * 0 + made if self.requires_grad and p is None else made


@method
def multinomial(
    self: Tensor, num_samples: int, replacement: bool = False, *, generator: Any = None
) -> Tensor:
    """Indices drawn with the weights of each row."""
    weights = self.detach()._array
    if weights.ndim not in (1, 2):
        raise RuntimeError("prob_dist must be 1 or 2 dim")
    if not everywhere(np.isfinite(weights) & (weights >= 0)):
        raise RuntimeError("probability tensor contains either `inf`, `nan` or element < 0")
    if is_far(weights):
        return wrapped(of_weights(weights, num_samples, replacement, generator))
    rng = random.generator(generator)
    rows = np.atleast_2d(weights).astype(np.float64)
    if not replacement and num_samples > rows.shape[-1]:
        raise RuntimeError(
            "cannot sample n_sample > prob_dist.size(-1) samples without replacement"
        )
    if somewhere(rows.sum(-1) <= 0):
        raise RuntimeError("invalid multinomial distribution (sum of probabilities <= 0)")
    drawn = [rng.choice(len(r), num_samples, replacement, r / r.sum()) for r in rows]
    return wrapped(np.asarray(drawn if weights.ndim == 2 else drawn[0], np.int64))


def of_weights(weights: Any, n: int, replacement: bool, generator: Any) -> Any:
    """The same on the device: the places of the largest of weights over exponential numbers, and nothing is waited for."""
    library = library_of([weights])
    rng = random.generator(generator, library)
    if not replacement:
        drawn = weights / rng.standard_exponential(weights.shape)
        return library.argsort(-drawn, axis=-1)[..., :n]
    bounds = library.cumsum(weights, axis=-1)
    at = rng.random((*weights.shape[:-1], n)) * bounds[..., -1:]
    return (at[..., None] >= bounds[..., None, :]).sum(-1)


# -- tensors like one --------------------------------------------------------------------------------


def newly(name: str, make: str) -> None:
    def new(
        self: Tensor,
        *shape: Any,
        size: Any = None,
        dtype: Any = None,
        device: Any = None,
        requires_grad: bool = False,
    ) -> Tensor:
        kind = numpy_type(dtype) or self._array.dtype
        wanted = shape_given(shape if size is None else (size,))
        library = library_at(device, self._array)
        return finished(with_room(getattr(library, make)(wanted, kind)), requires_grad, device)

    new.__name__ = new.__qualname__ = name
    setattr(Tensor, name, new)


newly("new_zeros", "zeros")
newly("new_ones", "ones")
newly("new_empty", "empty")


@method(free=False)
def new_full(
    self: Tensor,
    size: Any,
    fill_value: Any,
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    where = self.device if device is None else device
    return creation.full(
        size, fill_value, dtype=dtype or self.dtype, device=where, requires_grad=requires_grad
    )


@method(free=False)
def new_tensor(
    self: Tensor, data: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False
) -> Tensor:
    where = self.device if device is None else device
    return creation.tensor(
        data, dtype=dtype or self.dtype, device=where, requires_grad=requires_grad
    )


@function
def seed() -> int:
    """A new seed that is not known before."""
    made = int(np.random.SeedSequence().entropy % 2**63)
    random.seed(made)
    return made
