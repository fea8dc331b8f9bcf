"""``ReductionKernel``: map, reduce, map again, as two loops."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from .. import counters
from ..arrays.array import ndarray
from .elementwise import declared, going_in, named
from .host_compiler import library
from .parameters import Argument, argument, checked_arguments, ctype, decided, parsed, typedefs

__all__ = ["ReductionKernel"]


class ReductionKernel:
    """As CuPy's: ``a`` and ``b`` are the two that are reduced, ``a`` is the result for ``post_map_expr``."""

    def __init__(
        self, in_params: str, out_params: str, map_expr: str, reduce_expr: str, post_map_expr: str, identity: Any,
        name: str = "reduce_kernel", reduce_type: str | None = None, reduce_dims: bool = True, preamble: str = "",
        options: tuple[str, ...] = (),
    ) -> None:  # fmt: skip
        self.in_params, self.out_params = parsed(in_params, True), parsed(out_params, False)
        self.nin, self.nout = len(self.in_params), len(self.out_params)
        self.nargs = self.nin + self.nout
        self.map_expr, self.reduce_expr, self.post_map_expr = map_expr, reduce_expr, post_map_expr
        self.identity = "" if identity is None else str(identity)
        self.name = self.__name__ = named(name)
        self.reduce_type, self.reduce_dims, self.preamble, self.options = (
            reduce_type,
            reduce_dims,
            preamble,
            options,
        )
        self._sources: dict[Any, str] = {}

    @property
    def cached_codes(self) -> dict[Any, str]:
        return dict(self._sources)

    @property
    def cached_code(self) -> str:
        return next(iter(self._sources.values()))

    def __call__(
        self,
        *args: Any,
        out: Any = None,
        axis: Any = None,
        keepdims: bool = False,
        stream: Any = None,
    ) -> Any:
        if len(args) not in (self.nin, self.nargs):
            raise TypeError(
                f"Wrong number of arguments for {self.name!r}. "
                f"It must be either {self.nin} or {self.nargs} (with outputs), but given {len(args)}."
            )
        given = checked_arguments(args)
        ins, outs = given[: self.nin], given[self.nin :]
        if out is not None:
            outs = [*outs, *checked_arguments((out,))]
        shape = np.broadcast_shapes(
            *(
                one.shape
                for part, one in zip(self.in_params, ins, strict=True)
                if isinstance(one, ndarray) and not part.raw
            )
        )
        axes = self._axes(axis, len(shape))
        left = [number for number in range(len(shape)) if number not in axes]
        made = tuple(1 if number in axes else length for number, length in enumerate(shape))
        made = made if keepdims else tuple(shape[number] for number in left)
        in_kinds, out_kinds, letters = decided(self.in_params, self.out_params, ins, outs)
        outs = outs or [ndarray(made, kind) for kind in out_kinds]
        for one in outs:
            if one.shape != made:
                raise ValueError("Out shape is mismatched")
        many = int(np.prod([shape[number] for number in axes])) if axes else 1
        if many == 0 and not self.identity:
            raise ValueError(
                f"zero-size array to reduction operation {self.name} which has no identity"
            )
        self._run(ins, outs, in_kinds, out_kinds, letters, shape, left + list(axes), many)
        return outs[0] if self.nout == 1 else tuple(outs)

    def _axes(self, axis: Any, ndim: int) -> tuple[int, ...]:
        if axis is None:
            return tuple(range(ndim))
        return np.lib.array_utils.normalize_axis_tuple(axis, ndim)

    def _run(
        self,
        ins: Any,
        outs: Any,
        in_kinds: Any,
        out_kinds: Any,
        letters: Any,
        shape: Any,
        order: list[int],
        many: int,
    ) -> None:
        counters.launch(self.name)
        hosts = []
        for parameter, one, kind in zip(self.in_params, ins, in_kinds, strict=True):
            host = going_in(parameter, one, kind, shape)
            looped = isinstance(one, ndarray) and not parameter.raw
            hosts.append(np.ascontiguousarray(host.transpose(order)) if looped else host)
        results = [np.empty(one.shape, one.dtype) for one in outs]
        arrays = (Argument * (len(hosts) + len(outs)))(*(argument(one) for one in hosts + results))
        run = library(self._source(in_kinds + out_kinds, letters, ins))[self.name]
        run(arrays, ctypes.c_longlong(results[0].size), ctypes.c_longlong(many))
        for one, values in zip(outs, results, strict=True):
            one._host[...] = values

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
        whole, mapped, written = [], [], []
        for number, (parameter, kind) in enumerate(
            zip((*self.in_params, *self.out_params), kinds, strict=True)
        ):
            scalar = number < self.nin and not isinstance(ins[number], ndarray)
            outside, inside = declared(parameter, kind, number, scalar)
            whole.append(outside)
            (mapped if number < self.nin else written).append(
                inside.replace("[i]", "[_j]" if number < self.nin else "[_o]")
            )
        reduced = self.reduce_type or ctype(kinds[self.nin])
        first = f"{reduced}({self.identity})" if self.identity else f"{reduced}()"
        return "\n".join((
            typedefs(letters), f"typedef {reduced} _type_reduce;", self.preamble,
            f"static inline _type_reduce _reduce(_type_reduce a, _type_reduce b) {{ return {self.reduce_expr}; }}",
            f'extern "C" void {self.name}(const Argument *_a, long long _outs, long long _many) {{', *filter(None, whole),
            "for (ptrdiff_t _o = 0; _o < _outs; _o++) {", f"_type_reduce _s = {first}; bool _first = {int(not self.identity)};",
            "for (ptrdiff_t _r = 0; _r < _many; _r++) { ptrdiff_t _j = _o * _many + _r;", *filter(None, mapped),
            f"_type_reduce _m = static_cast<_type_reduce>({self.map_expr});",
            "if (_first) { _s = _m; _first = false; } else _s = _reduce(_s, _m); }", *filter(None, written),
            "_type_reduce &a = _s;", f"{self.post_map_expr};", "} }",
        ))  # fmt: skip
