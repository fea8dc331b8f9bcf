"""What an array says of its memory: flags, the pointer, the device; and its flat iterator."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .. import counters
from .registry import function

__all__ = ["Device", "Flags", "MemoryPointer", "flatiter"]


class Flags:
    """Three of NumPy's, which cannot be set."""

    __slots__ = ("c_contiguous", "f_contiguous", "owndata")

    def __init__(self, c_contiguous: bool, f_contiguous: bool, owndata: bool) -> None:
        self.c_contiguous, self.f_contiguous, self.owndata = c_contiguous, f_contiguous, owndata

    fnc = property(lambda self: self.f_contiguous and not self.c_contiguous)
    forc = property(lambda self: self.f_contiguous or self.c_contiguous)

    def __getitem__(self, name: str) -> bool:
        known = {
            "C_CONTIGUOUS": "c_contiguous",
            "F_CONTIGUOUS": "f_contiguous",
            "OWNDATA": "owndata",
        }
        if name not in known:
            raise KeyError(f"{name} is not defined for cupy.ndarray.flags")
        return getattr(self, known[name])

    def __repr__(self) -> str:
        names = (
            ("C_CONTIGUOUS", self.c_contiguous),
            ("F_CONTIGUOUS", self.f_contiguous),
            ("OWNDATA", self.owndata),
        )
        return "\n".join(f"  {name} : {value}" for name, value in names)


class Device:
    """The only one there is."""

    def __init__(self, device: Any = None) -> None:
        number = int(getattr(device, "id", 0 if device is None else device))
        if number != 0:
            raise function("CUDARuntimeError", "cupy.cuda.runtime")(101)
        self.id = number

    compute_capability = "80"
    attributes = property(lambda self: {"MultiProcessorCount": 108, "WarpSize": 32})
    mem_info = property(lambda self: (1 << 34, 1 << 34))
    pci_bus_id = "0000:00:00.0"

    def __int__(self) -> int:
        return self.id

    def __index__(self) -> int:
        return self.id

    def __enter__(self) -> Device:
        return self

    def __exit__(self, *error: object) -> None: ...

    def use(self) -> Device:
        return self

    def synchronize(self) -> None:
        counters.transfer("synchronize")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Device) and other.id == self.id

    def __hash__(self) -> int:
        return hash(("device", self.id))

    def __repr__(self) -> str:
        return f"<CUDA Device {self.id}>"


class MemoryPointer:
    """An address, and the host's array that it stands for."""

    def __init__(self, mem: Any, offset: int) -> None:
        self.mem, self._offset = mem, offset
        self._bytes: np.ndarray | None = getattr(mem, "bytes", None)
        self._ptr = int(getattr(mem, "ptr", 0)) + offset

    @classmethod
    def _of(cls, host: np.ndarray) -> MemoryPointer:
        made = cls.__new__(cls)
        made.mem, made._offset, made._bytes = host, 0, None
        made._ptr = host.__array_interface__["data"][0]
        return made

    ptr = property(lambda self: self._ptr)
    device = property(lambda self: Device(0))
    device_id = property(lambda self: 0)

    def __int__(self) -> int:
        return self._ptr

    def __add__(self, offset: int) -> MemoryPointer:
        made = MemoryPointer.__new__(MemoryPointer)
        made.mem, made._offset, made._bytes, made._ptr = (
            self.mem,
            self._offset + offset,
            self._bytes,
            self._ptr + offset,
        )
        return made

    def _array(
        self, shape: tuple[int, ...], dtype: np.dtype[Any], strides: Any, order: str
    ) -> np.ndarray:
        """The array that lies at this address."""
        source = self.mem if self._bytes is None else self._bytes
        return np.ndarray(
            shape,
            dtype,
            source.data.cast("B") if source.flags.c_contiguous else source,
            self._offset,
            strides,
            order,
        )


class Props(NamedTuple):
    """What a library asks about a device."""

    name: bytes = b"a double of a device"
    major: int = 8
    minor: int = 0
    multiProcessorCount: int = 108
    warpSize: int = 32
    maxThreadsPerBlock: int = 1024
    totalGlobalMem: int = 1 << 34
    sharedMemPerBlock: int = 49152


class flatiter:
    """All elements, one after the other in C order."""

    def __init__(self, array: Any) -> None:
        self.base = array
        self._next = 0

    def __len__(self) -> int:
        return self.base.size

    def __iter__(self) -> flatiter:
        return self

    def __next__(self) -> Any:
        if self._next >= len(self):
            raise StopIteration
        self._next += 1
        return self[self._next - 1]

    def __getitem__(self, key: Any) -> Any:
        if not isinstance(key, (int, np.integer, slice)) and key is not Ellipsis:
            raise IndexError("unsupported iterator index")
        counters.launch("flatiter_getitem")
        found = np.array(self.base._host.flat[key])
        counters.allocation(found.nbytes)
        return type(self.base)._of(found)

    def __setitem__(self, key: Any, value: Any) -> None:
        if not isinstance(key, (int, np.integer, slice)) and key is not Ellipsis:
            raise IndexError("unsupported iterator index")
        if isinstance(value, np.ndarray) and value.ndim:
            raise TypeError("Unsupported type <class 'numpy.ndarray'>")
        counters.launch("flatiter_setitem")
        self.base._host.flat[key] = getattr(value, "_host", value)

    def copy(self) -> Any:
        return self.base.flatten()
