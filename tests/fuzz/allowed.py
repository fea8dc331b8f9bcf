"""Reasons for which the compiler may refuse a random program; any other refusal is a failure."""

from __future__ import annotations

import re

__all__ = ["is_allowed"]

UNCOMPILED = re.compile(
    r"[\w#]+: it could not be compiled, and could change an array .*? \((.*)\)$"
)

UNTOLD = re.compile(
    r"[\w#]+: it could not be compiled, and could change the list or dict it is given$"
)

ALLOWED = (
    "this may write in place",
    "`_` and `_` may be the same array",
    "`_` may be the array that this writes to in place",
    "cannot tell whether ",
    "`_` is written to, and is not made in this function",
    "`_` may be an array of the module, which is not made in this function",
    "this array may be an array of the module, which is not made in this function",
    "an array that is put into a list in every iteration is written to in this loop",
    "a container that is put into a list in every iteration is written to",
    "`_` may be another function, or iterator, or another kind of thing in each iteration",
    "this may write to the memory of the argument",
    "this may write to `_`, which a container of the arguments holds, or may not",
    "this call writes to an argument that may overlap",
    "another value may be the array that this writes to in place",
    "this in-place operation would cast",
    "`_` is a read-only view",
    "`_` may be unbound here",
    "a name may be unbound here",
    "`_` is bound in a `_` that may have failed",
    "a list that is partly of known length is not supported in a comprehension",
    "unpacking something of unknown length",
    "float(x), or a function of `math`, would cut off the derivative",
    "argument `_` of `_` is written to in place, and the function runs on the tape",
    "writing to an",
    "`_` changes its structure in this loop",
    "a container changes its structure in this loop",
    "this may be one of several containers",
    "the list or dict that is written to may be held by",
    "this container is one of another",
    "`_` holds one container twice before this loop",
    "this container is written to after items",
    "this writes to a container that is not known at compile time",
    "a function writes to a container that it was given together",
    "what this iterates over changes during iteration",
    "this list may change its length during iteration",
    "list: it has no rule",
    "a container is written to that is aliased by another name",
    "a write in a part of an expression",
    "the copies that writing in place needs in `_` have no end",
    "the `_` statements of `_` have different types",
    "`_` is a different kind of thing",
    "the `_` statements of `_` have different types",
)


def is_allowed(reason: str) -> bool:
    """Whether a refusal for this reason (names replaced by ``_``) is expected.

    >>> is_allowed("writing to an array element is not supported yet"), is_allowed("no idea")
    (True, False)
    """
    inner = UNCOMPILED.match(reason)  # for which the reason counts
    return UNTOLD.match(reason) is not None or (inner[1] if inner else reason).startswith(ALLOWED)
