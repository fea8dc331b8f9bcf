"""Spelling of literals: numbers that read back exactly, strings in double quotes, docstrings, f-strings."""

import math
import re
import sys
from collections.abc import Iterable, Sequence

QUOTES = ('"', "'", '"""', "'''")
INFINITY = "1e309"
SAME_QUOTES_NEST = sys.version_info >= (3, 12)


class CannotQuoteError(ValueError):
    """No literal without a backslash, or within the quotes left over, has this value."""


def number(value: int | float | complex) -> str:
    """The text of a number.

    >>> number(1e309), number(-0.5), number(2j), number(10)
    ('1e309', '-0.5', '2j', '10')
    """
    if isinstance(value, int):
        return str(value) if value.bit_length() < 10_000 else hex(value)
    if isinstance(value, float):
        return f"({INFINITY} - {INFINITY})" if math.isnan(value) else infinite(repr(value))
    return infinite(exact_complex(value))


def infinite(text: str) -> str:
    return text.replace("inf", INFINITY)


def exact_complex(value: complex) -> str:
    """A sum that runs to `value`, the signs of its zeros included.

    >>> exact_complex(1 - 2j), exact_complex(3j), exact_complex(complex(0, -2))
    ('(1.0 - 2j)', '3j', '(0.0 - 2j)')
    >>> exact_complex(complex(-0.0, 2))
    '(-(0.0 - 2j))'
    >>> exact_complex(complex(0, -0.0)), exact_complex(complex(-0.0, 0))
    ('0j.conjugate()', '(-0j).conjugate()')
    """
    negative = math.copysign(1, value.imag) < 0
    if is_lost(value) and not is_lost(-value):
        return f"(-{exact_complex(-value)})"
    if is_lost(value) and value.imag == 0:
        return f"{exact_complex(value.conjugate())}.conjugate()"
    if is_lost(value) or math.isnan(value.real) or math.isnan(value.imag):
        raise ValueError(f"no literal has the value {value!r}")
    imaginary = repr(complex(0, abs(value.imag)))
    if value.real == 0 and not negative:
        return imaginary
    return f"({value.real!r} {'-' if negative else '+'} {imaginary})"


def is_lost(value: complex) -> bool:
    """True if a sum of a real and an imaginary literal changes the sign of a zero."""
    if math.copysign(1, value.imag) < 0:
        return value.imag == 0
    return value.real == 0 and math.copysign(1, value.real) < 0


def escaped(value: str, quote: str) -> str:
    """The body of a literal between `quote`."""
    if value.isprintable() and "\\" not in value and "'" not in value and '"' not in value:
        return value
    body = repr(value + '"')[1:-2]  # single quotes come escaped, double quotes bare
    if quote[0] == "'":
        return body
    return body.replace("\\'", "'").replace('"', '\\"')


def favourite(value: str) -> str:
    """Double quotes, unless they need more escapes.

    >>> favourite("it's"), favourite('<a href="b">')
    ('"', "'")
    """
    return "'" if value.count('"') > value.count("'") else '"'


def text_literal(value: str) -> str:
    quote = favourite(value)
    return f"{quote}{escaped(value, quote)}{quote}"


def bytes_literal(value: bytes) -> str:
    """
    >>> bytes_literal(b"a'b\\xff")
    'b"a\\'b\\\\xff"'
    """
    body = repr(value + b'"')[2:-2]
    if value.count(b'"') > value.count(b"'"):
        return f"b'{body}'"
    return 'b"' + body.replace("\\'", "'").replace('"', '\\"') + '"'


def bare_literal(value: str | bytes, quotes: Sequence[str]) -> str:
    """A literal without a backslash in one of `quotes`, for the inside of an f-string."""
    text = value if isinstance(value, str) else value.decode("latin-1")
    raw = text if SAME_QUOTES_NEST else text.replace("\n", "").replace("\t", "")
    if raw.isprintable() and "\\" not in text and (isinstance(value, str) or text.isascii()):
        for quote in quotes:
            fits_line = len(quote) == 3 or "\n" not in text
            if fits_line and quote not in text and not text.endswith(quote[0]):
                return f"{'' if isinstance(value, str) else 'b'}{quote}{text}{quote}"
    raise CannotQuoteError("this f-string can only be written for Python 3.12 or later")


def docstring(value: str, raw: bool = True) -> str:
    """A triple-quoted literal with its line breaks, raw where that spares backslashes.

    >>> print(docstring("One line."))
    \"""One line.\"""
    """
    if raw and is_raw(value):
        return f'r"""{value}"""'
    lines = (escaped(line, "'").replace("\\'", "'") for line in value.split("\n"))
    body = "\n".join(lines).replace('"""', '\\"\\"\\"')
    if body.endswith('"'):
        body = body[:-1] + '\\"'
    return f'"""{body}"""'


def is_raw(value: str) -> bool:
    plain = value.replace("\n", "").isprintable() and '"""' not in value
    return plain and "\\" in value and value[-1] not in '\\"'


def words(body: str) -> list[str]:
    """The pieces of a literal's body, cut after spaces and line breaks.

    >>> words(r"one two\\nthree")
    ['one ', 'two\\\\n', 'three']
    """
    return re.findall(r"(?:[^\s\\]|\\(?!n).)*(?:\\n|\s+|$)", body, re.S)[:-1] or [body]


def glued(pieces: Iterable[str]) -> list[str]:
    """Join pieces that no space or line break parts."""
    out: list[str] = []
    for piece in pieces:
        if out and not out[-1].endswith((" ", "\\n")):
            out[-1] += piece
        else:
            out.append(piece)
    return out
