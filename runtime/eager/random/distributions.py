"""Distributions whose samples are differentiable functions of their parameters."""

from __future__ import annotations

import math
from typing import Any

from ...arrays.transfers import array_beside, library_of
from ...batching.batched_array import as_array, everywhere
from ...device.places import is_far
from ..functions.pointwise import where
from ..functions.shaping_composed import broadcast_tensors
from ..functions.special import called
from ..tensor.dtypes import default
from ..tensor.registry import member
from ..tensor.tensor import Tensor, wrapped
from . import generator

__all__: list[str] = []


def parameters(*values: Any) -> Any:
    """Tensors of one shape; numbers take the type of the tensors."""
    arrays = [v._array for v in values if isinstance(v, Tensor)]
    kind = arrays[0].dtype if arrays else default()
    near = next((a for a in arrays if is_far(a)), None)
    return broadcast_tensors(
        *[v if isinstance(v, Tensor) else wrapped(array_beside(near, v, kind)) for v in values]
    )


class Distribution:
    """The base of all: the parameters of one shape, and samples without history."""

    def __init__(self, *values: Any, positive: int = 1) -> None:
        self.values = parameters(*values)
        for v in self.values[positive:]:
            if not everywhere(v._array > 0):
                raise ValueError(
                    f"Expected a parameter of {type(self).__name__} to satisfy the constraint "
                    f"GreaterThan(lower_bound=0.0), but found invalid values:\n{v}"
                )

    @property
    def batch_shape(self) -> Any:
        return self.values[0].shape

    def drawn(self, sample_shape: Any, draw: Any) -> Tensor:
        array = self.values[0]._array
        rng = generator.generator(None, library_of([array]))
        made = draw(rng, (*sample_shape, *array.shape))
        return wrapped(as_array(made).astype(array.dtype))

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        raise NotImplementedError

    def sample(self, sample_shape: Any = ()) -> Tensor:
        return self.rsample(sample_shape).detach()


@member("distributions")
class Normal(Distribution):
    """The normal distribution."""

    def __init__(self, loc: Any, scale: Any, validate_args: Any = None) -> None:
        super().__init__(loc, scale)
        self.loc, self.scale = self.values

    mean = property(lambda self: self.loc)
    stddev = property(lambda self: self.scale)
    variance = property(lambda self: self.scale.square())

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        noise = self.drawn(sample_shape, lambda rng, shape: rng.standard_normal(shape))
        return self.loc + noise * self.scale

    def log_prob(self, value: Tensor) -> Tensor:
        far = (value - self.loc).square() / (2 * self.scale.square())
        return -far - self.scale.log() - math.log(math.sqrt(2 * math.pi))

    def entropy(self) -> Tensor:
        return 0.5 + 0.5 * math.log(2 * math.pi) + self.scale.log()

    def cdf(self, value: Tensor) -> Tensor:
        return 0.5 * (1 + called("erf", (value - self.loc) / (self.scale * math.sqrt(2))))


@member("distributions")
class LogNormal(Normal):
    """Of numbers whose logarithms are normal."""

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        return super().rsample(sample_shape).exp()

    def log_prob(self, value: Tensor) -> Tensor:
        return super().log_prob(value.log()) - value.log()

    mean = property(lambda self: (self.loc + self.scale.square() / 2).exp())

    def entropy(self) -> Tensor:
        return super().entropy() + self.loc


@member("distributions")
class Uniform(Distribution):
    """The uniform distribution between two bounds."""

    def __init__(self, low: Any, high: Any, validate_args: Any = None) -> None:
        super().__init__(low, high, positive=2)
        self.low, self.high = self.values
        if not everywhere(self.low._array < self.high._array):
            raise ValueError("Uniform is not defined when low>= high")

    mean = property(lambda self: (self.low + self.high) / 2)
    variance = property(lambda self: (self.high - self.low).square() / 12)

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        noise = self.drawn(sample_shape, lambda rng, shape: rng.random(shape))
        return self.low + noise * (self.high - self.low)

    def log_prob(self, value: Tensor) -> Tensor:
        inside = (value._array >= self.low._array) & (value._array < self.high._array)
        width = -(self.high - self.low).log()
        return where(wrapped(as_array(inside)), width.expand(inside.shape), -math.inf)

    def entropy(self) -> Tensor:
        return (self.high - self.low).log()


@member("distributions")
class Exponential(Distribution):
    """The exponential distribution."""

    def __init__(self, rate: Any, validate_args: Any = None) -> None:
        super().__init__(rate, positive=0)
        (self.rate,) = self.values

    mean = property(lambda self: self.rate.reciprocal())
    variance = property(lambda self: self.rate.square().reciprocal())

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        noise = self.drawn(sample_shape, lambda rng, shape: rng.standard_exponential(shape))
        return noise / self.rate

    def log_prob(self, value: Tensor) -> Tensor:
        return self.rate.log() - self.rate * value

    def entropy(self) -> Tensor:
        return 1.0 - self.rate.log()


@member("distributions")
class Laplace(Distribution):
    """The Laplace distribution."""

    def __init__(self, loc: Any, scale: Any, validate_args: Any = None) -> None:
        super().__init__(loc, scale)
        self.loc, self.scale = self.values

    mean = property(lambda self: self.loc)
    variance = property(lambda self: 2 * self.scale.square())

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        noise = self.drawn(sample_shape, lambda rng, shape: rng.laplace(size=shape))
        return self.loc + noise * self.scale

    def log_prob(self, value: Tensor) -> Tensor:
        return -(2 * self.scale).log() - (value - self.loc).abs() / self.scale

    def entropy(self) -> Tensor:
        return 1 + (2 * self.scale).log()
