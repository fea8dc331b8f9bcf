"""The C that hands back what a kernel has written to its arguments, and sees before that no two of them are one memory."""

from __future__ import annotations

from collections.abc import Iterator

from ..loop_ir.ir import Buffer, Kernel
from ..loop_ir.values import Items, View
from .printer import STORED, expression

__all__ = ["OVERLAP", "apart", "handed_back"]

OVERLAP = r"""/* True if two stretches of memory have a byte in common. */
static inline int rg_overlap(const void *a, size_t m, const void *b, size_t n)
{
    return m && n && (const char *)a < (const char *)b + n && (const char *)b < (const char *)a + m;
}

"""


def apart(kernel: Kernel) -> Iterator[str]:
    """Leave where an argument that is written to is read-only, or shares memory with another one."""
    every = [b for param in kernel.params for b in buffers(param)]
    done: list[Buffer] = []
    for given, _ in kernel.written:
        yield f"    if (!({given.name}_object->flags & 0x400)) goto bail; /* it is read-only */"
        done.append(given)
        for other in every:
            if other not in done:
                sizes = f"{given.name}, {bytes_of(given)}, {other.name}, {bytes_of(other)}"
                yield f"    if (rg_overlap({sizes})) goto bail;"


def handed_back(kernel: Kernel) -> Iterator[str]:
    """The arguments get what was written: nothing can go wrong any more."""
    for given, own in kernel.written:
        yield f"    if ({bytes_of(given)}) memcpy({given.name}_object->data, {own.name}, {bytes_of(given)});"


def buffers(param: object) -> list[Buffer]:
    if isinstance(param, Items):
        return [b for value in param.values for b in buffers(value)]
    return [param.buffer] if isinstance(param, View) and param.buffer is not None else []


def bytes_of(buffer: Buffer) -> str:
    sizes = [f"(size_t){expression(n)}" for n in buffer.dims]
    return " * ".join([*sizes, f"sizeof({STORED[buffer.dtype]})"])
