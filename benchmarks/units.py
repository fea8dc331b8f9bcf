"""Numbers as tables show them."""

from __future__ import annotations

__all__ = ["in_bytes", "in_units", "in_words"]


def in_units(seconds: float) -> str:
    """
    >>> in_units(3.21e-6), in_units(0.0456), in_units(12.3)
    ('3.21 us', '45.6 ms', '12.3 s')
    """
    for factor, unit in ((1e6, "us"), (1e3, "ms")):
        if seconds * factor < 999.5:
            return f"{seconds * factor:.3g} {unit}"
    return f"{seconds:.3g} s"


def in_bytes(n: float) -> str:
    """
    >>> in_bytes(512), in_bytes(123_456), in_bytes(2_345_678)
    ('512 B', '123 kB', '2.35 MB')
    """
    for unit, size in (("MB", 1e6), ("kB", 1e3)):
        if n >= size:
            return f"{n / size:.3g} {unit}"
    return f"{n:.0f} B"


def in_words(ratio: float) -> str:
    """
    >>> in_words(1.0432), in_words(0.00123), in_words(213.7)
    ('1.04', '0.0012', '214')
    """
    if ratio >= 100:
        return f"{ratio:.0f}"
    return f"{ratio:.2f}" if ratio >= 0.1 else f"{ratio:.2g}"
