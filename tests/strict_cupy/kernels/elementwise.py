"""``ElementwiseKernel``: its body as a loop over all elements."""

from __future__ import annotations

import ctypes
import re
from typing import Any

import numpy as np

from .. import counters
from ..arrays.array import ndarray
from ..arrays.values import cast
from .host_compiler import library
from .parameters import (
    Argument,
    Parameter,
    argument,
    checked_arguments,
    ctype,
    decided,
    parsed,
    typedefs,
)

__all__ = ["ElementwiseKernel", "declared", "named"]


class ElementwiseKernel:
    """As CuPy's; ``options`` are those of another compiler and are ignored."""

    def __init__(
        self, in_params: str, out_params: str, operation: str, name: str = "kernel", reduce_dims: bool = True,
        preamble: str = "", no_return: bool = False, return_tuple: bool = False, **kwargs: Any,
    ) -> None:  # fmt: skip
        self.in_params, self.out_params = parsed(in_params, True), parsed(out_params, False)
        self.nin, self.nout = len(self.in_params), len(self.out_params)
        self.nargs = self.nin + self.nout
        self.params = self.in_params + self.out_params
        self.operation, self.preamble, self.kwargs = operation, preamble, kwargs
        self.name = self.__name__ = named(name)
        self.reduce_dims, self.no_return, self.return_tuple = reduce_dims, no_return, return_tuple
        self._sources: dict[Any, str] = {}
        if "i" in [one.name for one in self.params]:
            raise ValueError("Can not use 'i' as a parameter name")

    @property
    def cached_codes(self) -> dict[Any, str]:
        return dict(self._sources)

    @property
    def cached_code(self) -> str:
        return next(iter(self._sources.values()))

    def __call__(
        self, *args: Any, size: int = -1, block_size: int = 128, stream: Any = None, **kwargs: Any
    ) -> Any:
        if kwargs:
            raise TypeError(f"Wrong arguments {kwargs}")
        if block_size <= 0:
            raise ValueError("block_size must be greater than zero")
        if len(args) not in (self.nin, self.nargs):
            raise TypeError(
                f"Wrong number of arguments for {self.name!r}. "
                f"It must be either {self.nin} or {self.nargs} (with outputs), but given {len(args)}."
            )
        given = checked_arguments(args)
        ins, outs = given[: self.nin], given[self.nin :]
        shape = self._shape(given, size)
        in_kinds, out_kinds, letters = decided(self.in_params, self.out_params, ins, outs)
        outs = self._outs(outs, out_kinds, shape, size)
        if 0 not in shape:
            self._run(ins, outs, in_kinds, out_kinds, letters, shape)
        if self.no_return:
            return None
        return outs[0] if self.nout == 1 and not self.return_tuple else tuple(outs)

    def _shape(self, given: list[Any], size: int) -> tuple[int, ...]:
        looped = [
            one.shape
            for parameter, one in zip(self.params, given, strict=False)
            if not parameter.raw and isinstance(one, ndarray)
        ]
        if size != -1:
            if looped:
                raise ValueError(
                    "Specified 'size' can be used only if all of the ndarray are 'raw'."
                )
            return (size,)
        if not looped:
            raise ValueError("Loop size is undecided.")
        return np.broadcast_shapes(*looped)

    def _outs(
        self, outs: list[Any], kinds: list[Any], shape: tuple[int, ...], size: int
    ) -> list[Any]:
        if not outs:
            if size == -1 and any(one.raw for one in self.out_params):
                raise ValueError("Output array size is Undecided")
            return [ndarray(shape, kind) for kind in kinds]
        for parameter, one in zip(self.out_params, outs, strict=True):
            if not isinstance(one, ndarray):
                raise TypeError("Output arguments type must be cupy.ndarray")
            if not parameter.raw and one.shape != shape:
                raise ValueError("Out shape is mismatched")
        return outs

    def _run(
        self,
        ins: Any,
        outs: Any,
        in_kinds: Any,
        out_kinds: Any,
        letters: Any,
        shape: tuple[int, ...],
    ) -> None:
        counters.launch(self.name)
        hosts: list[np.ndarray] = []
        for parameter, one, kind in zip(self.in_params, ins, in_kinds, strict=True):
            hosts.append(going_in(parameter, one, kind, shape))
        back = []
        for parameter, one in zip(self.out_params, outs, strict=True):
            straight = parameter.raw or one._host.flags.c_contiguous
            hosts.append(one._host if straight else np.array(one._host, order="C"))
            if not straight:
                back.append((one._host, hosts[-1]))
        arrays = (Argument * len(hosts))(*(argument(one) for one in hosts))
        looped = shape if not self.reduce_dims else (int(np.prod(shape)),)
        lengths = (ctypes.c_longlong * max(1, len(looped)))(*looped)
        run = library(self._source(in_kinds + out_kinds, letters, ins))[self.name]
        run(arrays, ctypes.c_longlong(int(np.prod(shape))), ctypes.c_int(len(looped)), lengths)
        for target, values in back:
            target[...] = values

    def _source(self, kinds: list[Any], letters: dict[str, Any], ins: list[Any]) -> str:
        key = (
            tuple(kinds),
            tuple(sorted(letters.items())),
            tuple(isinstance(one, ndarray) for one in ins),
        )
        if key not in self._sources:
            self._sources[key] = self._text(kinds, letters, ins)
        return self._sources[key]

    def _text(self, kinds: list[Any], letters: dict[str, Any], ins: list[Any]) -> str:
        whole, each = [], []
        for number, (parameter, kind) in enumerate(zip(self.params, kinds, strict=True)):
            scalar = number < self.nin and not isinstance(ins[number], ndarray)
            outside, inside = declared(parameter, kind, number, scalar)
            whole.append(outside)
            each.append(inside)
        return "\n".join((
            typedefs(letters), self.preamble,
            f'extern "C" void {self.name}(const Argument *_a, long long _n, int _ndim, const long long *_shape) {{',
            *filter(None, whole), "CIndexer _ind{_n, _ndim, _shape, {}};", f"{self.kwargs.get('loop_prep', '')};",
            "for (ptrdiff_t i = 0; i < _n; i++) {", "_ind.set(i);", *filter(None, each), f"{self.operation};", "}",
            f"{self.kwargs.get('after_loop', '')};", "}",
        ))  # fmt: skip


def named(name: str) -> str:
    if not re.fullmatch(r"[a-zA-Z_]\w*", name):
        raise ValueError(f'Invalid kernel name: "{name}"')
    return name


def going_in(parameter: Parameter, one: Any, kind: Any, shape: tuple[int, ...]) -> np.ndarray:
    if not isinstance(one, ndarray):
        return np.array(cast(np.asarray(one), kind))
    if parameter.raw:
        return one._host
    return np.ascontiguousarray(np.broadcast_to(one._host, shape))


def declared(parameter: Parameter, kind: Any, number: int, scalar: bool) -> tuple[str, str]:
    """What stands before the loop for a parameter, and what inside."""
    const = "const " if parameter.is_const else ""
    c, name = ctype(kind), parameter.name
    if scalar:
        return f"const {c} {name} = *({c} *)_a[{number}].data;", ""
    if parameter.raw:
        fields = "size ndim shape strides".split()
        inside = ", ".join(f"_a[{number}].{field}" for field in fields)
        return f"const CArray<{const}{c}> {name}{{(char *)_a[{number}].data, {inside}}};", ""
    return (
        f"{const}{c} *_raw_{name} = ({const}{c} *)_a[{number}].data;",
        f"{const}{c} &{name} = _raw_{name}[i];",
    )
