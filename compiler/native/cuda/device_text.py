"""The body of a kernel as CUDA's C++: names of parameters in place of memory, CUDA's functions for ours."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ..c_text.expressions import call_name, literal
from ..c_text.scalar_functions import FLOATS, INTEGERS, defined
from ..c_text.statements import Statements
from ..loop_ir.ir import Alloc, Buffer, Lit, Op, Stmt, Var
from ..loop_ir.operation_traits import scalar_operation
from ..loop_ir.storage import Declare, elements
from ..math.to_cuda import INLINE, cuda_name, definitions
from ..refusal import Unsupported

__all__ = ["TYPES", "DeviceText"]

TYPES = {"f8": "double", "f4": "float", "i8": "long long", "b1": "bool"}
OF_C = {"int64_t": "long long", "int": "bool"}
BUILT_IN = {"absolute": "fabs", "fabs": "fabs", "sqrt": "sqrt", "floor": "floor", "ceil": "ceil", "rint": "rint",
            "trunc": "trunc", "copysign": "copysign"}  # fmt: skip
BOTH_WIDTHS = {"isnan", "isinf", "isfinite", "signbit"}
CONSTANTS = {
    "INFINITY": "#ifndef INFINITY\n#define INFINITY __int_as_float(0x7f800000)\n#endif",
    "NAN": "#ifndef NAN\n#define NAN __int_as_float(0x7fffffff)\n#endif",
}


class DeviceText(Statements):
    """``place(buffer, index)``: the text of an element, or None for memory of the thread's own."""

    types = TYPES

    def __init__(
        self,
        names: dict[str, str],
        place: Callable[[Buffer, tuple[Any, ...]], str | None] = lambda buffer, index: None,
    ) -> None:
        self.names, self.place = names, place
        self.functions: dict[str, str] = {}  # definitions of what CUDA lacks, by name
        self.math: set[str] = set()

    def expression(self, e: Any) -> str:
        if isinstance(e, Lit):
            text = literal(e)
            for name in CONSTANTS:
                if name in text:
                    self.functions[name] = CONSTANTS[name]
            return text
        return super().expression(e)

    def variable(self, e: Var) -> str:
        return self.names.get(e.name, e.name)

    def element(self, buffer: Buffer, index: tuple[Any, ...]) -> str:
        found = self.place(buffer, index)
        if found is not None:
            return found
        return f"{self.names.get(buffer.name, buffer.name)}[{self.offset(buffer, index)}]"

    def integer_product(self, args: list[str]) -> str:
        return f"({args[0]} * {args[1]})"

    def function(self, e: Op) -> str:
        kind = e.args[0].dtype
        if scalar_operation(e.name).inline:
            self.math.add(call_name(e))
            return cuda_name(call_name(e))
        if kind[0] == "f" and e.name in BUILT_IN:
            return BUILT_IN[e.name] + ("f" if kind == "f4" else "")
        if kind[0] == "f" and e.name in BOTH_WIDTHS:
            return e.name
        if kind not in ("f8", "f4", "i8") or e.name not in (FLOATS if kind[0] == "f" else INTEGERS):
            raise Unsupported(f"the operation {e.name} of {kind}")
        name = f"np_{e.name}"
        self.functions[f"{name} {kind}"] = defined(e.name, kind, TYPES, name, INLINE)
        return name

    def preamble(self) -> str:
        """The definitions that what was printed needs."""
        return "\n".join([*self.functions.values(), *definitions(self.math)])

    def statement(self, stmt: Stmt) -> Iterator[str]:
        if isinstance(stmt, Declare):
            name = self.names.get(stmt.var.name, stmt.var.name)
            yield f"{OF_C.get(stmt.var.dtype, stmt.var.dtype)} {name} = 0;"
        else:
            yield from super().statement(stmt)

    def other(self, stmt: Stmt) -> Iterator[str]:
        if not isinstance(stmt, Alloc):
            raise Unsupported(f"a {type(stmt).__name__.lower()} in a kernel for the device")
        count = elements(stmt.buffer)
        if count is None or not 0 < count <= 64:
            raise Unsupported("memory of a thread's own of unknown size")
        start = " = {0}" if stmt.zero else ""
        name = self.names.get(stmt.buffer.name, stmt.buffer.name)
        yield f"{TYPES[stmt.buffer.dtype]} {name}[{count}]{start};"
