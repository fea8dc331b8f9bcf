"""Layout of a statement: on one line if it fits, else broken at its outermost brackets and operators.

A statement is a list of parts: plain text, brackets (`Group`), runs of operators (`Chain`) and
long literals (`Text`). Widths are kept with the parts, so that nothing is rendered to be measured.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TypeAlias, TypeGuard

INDENT = 4


@dataclass(slots=True)
class Group:
    """A pair of brackets and its items; `soft` brackets appear only when they are broken."""

    open: str
    close: str
    items: "list[Parts]"
    separator: str = ", "
    soft: bool = False
    always_comma: bool = False
    may_comma: bool = True
    collection: bool = False
    width: int = field(init=False)

    def __post_init__(self) -> None:
        inner = sum(map(width_of, self.items)) + self.always_comma
        inner += len(self.separator) * max(len(self.items) - 1, 0)
        self.width = inner if self.soft else inner + len(self.open) + len(self.close)


@dataclass(slots=True)
class Chain:
    """Operands of one precedence; every operand but the first begins with its operator.

    Where a chain is broken, so are those of its `kind` within it: "logical" of `and` and `or`, "choice".
    """

    items: "list[Parts]"
    kind: str = ""
    width: int = field(init=False)

    def __post_init__(self) -> None:
        self.width = sum(map(width_of, self.items)) + len(self.items) - 1


@dataclass(slots=True)
class Text:
    """A long literal, and the pieces of its body between which it may be cut."""

    prefix: str
    quote: str
    atoms: list[str]
    width: int = field(init=False)

    def __post_init__(self) -> None:
        self.width = len(self.prefix) + 2 * len(self.quote) + sum(map(len, self.atoms))

    def flat(self) -> str:
        return f"{self.prefix}{self.quote}{''.join(self.atoms)}{self.quote}"

    def cut(self, room: int) -> list[str]:
        """Adjacent literals of at most `room` columns where the words allow it."""
        room -= len(self.prefix) + 2 * len(self.quote)
        bodies = [""]
        for atom in self.atoms:
            full = len(bodies[-1]) + len(atom) > room or bodies[-1].endswith("\\n")
            if bodies[-1] and full:
                bodies.append("")
            bodies[-1] += atom
        pairs = zip(self._prefixes(bodies), bodies, strict=True)
        return [p + quoted(b, self.quote) for p, b in pairs]

    def _prefixes(self, bodies: list[str]) -> list[str]:
        if self.prefix == "u":
            return ["u"] + [""] * (len(bodies) - 1)
        if self.prefix != "f":
            return [self.prefix] * len(bodies)
        prefixes = ["f" if "{" in body or "}" in body else "" for body in bodies]
        return prefixes if any(prefixes) else ["f", *prefixes[1:]]


def quoted(body: str, quote: str) -> str:
    """A part of a literal between quotes: double ones, unless it has any of its own."""
    quote = quote if "'" in body or '"' in body else '"'
    return f"{quote}{body}{quote}"


Part: TypeAlias = str | Group | Chain | Text
Parts: TypeAlias = list[Part]


def is_full(part: Part) -> TypeGuard[Group]:
    return isinstance(part, Group) and bool(part.items)


def unchained(parts: Sequence[Part]) -> Parts:
    """The parts with the operands of their chains one after another."""
    out: Parts = []
    for part in parts:
        if isinstance(part, Chain):
            for i, item in enumerate(part.items):
                out += [" ", *unchained(item)] if i else unchained(item)
        else:
            out.append(part)
    return out


def broken(chain: Chain) -> list[Parts]:
    """The operands of a chain, and of those of its kind that end one of them."""
    out: list[Parts] = []
    for item in chain.items:
        inner = item[-1]
        if chain.kind and isinstance(inner, Chain) and inner.kind == chain.kind:
            first, *rest = broken(inner)
            out += [[*item[:-1], *first], *rest]
        else:
            out.append(item)
    return out


def has_soft(parts: Sequence[Part]) -> bool:
    return any(isinstance(part, Group) and part.soft for part in parts)


def may_do_without(content: Parts) -> bool:
    """True if a value needs no brackets of its own where it is broken.

    One operator that binds least, and a bracket at an end of the value: that bracket is broken.
    """
    chains = [part for part in content if isinstance(part, Chain)]
    if not chains:
        return True
    inner = [part for item in chains[-1].items for part in item if isinstance(part, Chain)]
    mixed = any(part.kind == chains[-1].kind for part in inner if part.kind)
    ends = unchained(content)
    return len(chains[-1].items) == 2 and not mixed and (encloses(ends[0]) or encloses(ends[-1]))


def encloses(part: Part) -> bool:
    """True of brackets that enclose values: not of those of a subscript."""
    return is_full(part) and (part.open != "[" or part.collection or not part.may_comma)


def width_of(parts: Sequence[Part]) -> int:
    return sum(len(part) if isinstance(part, str) else part.width for part in parts)


def flat(parts: Sequence[Part]) -> str:
    """The parts on one line."""
    out: list[str] = []
    _flatten(parts, out)
    return "".join(out)


def _flatten(parts: Sequence[Part], out: list[str]) -> None:
    for part in parts:
        if isinstance(part, str):
            out.append(part)
        elif isinstance(part, Group):
            _flatten_group(part, out)
        elif isinstance(part, Chain):
            _flatten_items(part.items, " ", out)
        else:
            out.append(part.flat())


def _flatten_group(group: Group, out: list[str]) -> None:
    if not group.soft:
        out.append(group.open)
    _flatten_items(group.items, group.separator, out)
    if group.always_comma:
        out.append(",")
    if not group.soft:
        out.append(group.close)


def _flatten_items(items: list[Parts], separator: str, out: list[str]) -> None:
    for i, item in enumerate(items):
        if i:
            out.append(separator)
        _flatten(item, out)


def lay_out(parts: Parts, indent: int, width: int) -> str:
    """The lines of a statement at an indent.

    >>> call = Group("(", ")", [["alpha"], ["beta"], ["gamma"]])
    >>> print(lay_out(["f", call], 0, 80))
    f(alpha, beta, gamma)
    >>> print(lay_out(["f", call], 0, 20))
    f(
        alpha,
        beta,
        gamma,
    )
    """
    if indent + width_of(parts) <= width:
        return " " * indent + flat(parts)
    layout = _Layout(width)
    layout.place(parts, indent, inside=False)
    return "\n".join(layout.lines)


class _Layout:
    """Places parts that do not fit on one line."""

    def __init__(self, width: int) -> None:
        self.width = width
        self.lines: list[str] = []

    def fits(self, parts: Sequence[Part], indent: int) -> bool:
        return indent + width_of(parts) <= self.width

    def line(self, parts: Sequence[Part], indent: int) -> None:
        self.lines.append(" " * indent + flat(parts))

    def place(self, parts: Parts, indent: int, inside: bool) -> None:
        """Put `parts` on one line or more; `inside` brackets a line may end anywhere."""
        if self.fits(parts, indent):
            self.line(parts, indent)
            return
        chain = next((i for i, part in enumerate(parts) if isinstance(part, Chain)), None)
        if inside and chain is not None:
            self.place_chain(parts, chain, indent)
            return
        parts, chosen = self.choose(parts, indent)
        if chosen is not None:
            self.break_group(parts, chosen, indent, inside)
        else:
            self.place_text(parts, indent)

    def place_chain(self, parts: Parts, at: int, indent: int) -> None:
        """One operand per line, the operator in front."""
        chain = parts[at]
        assert isinstance(chain, Chain)
        first, *middle = broken(chain)
        last = middle.pop()
        self.place([*parts[:at], *first], indent, inside=True)
        for item in middle:
            self.place(item, indent, inside=True)
        self.place([*last, *parts[at + 1 :]], indent, inside=True)

    def choose(self, parts: Parts, indent: int) -> tuple[Parts, int | None]:
        """The bracket to break, after soft brackets that are not needed are taken away."""
        for at in range(len(parts) - 1, -1, -1):
            part = parts[at]
            if isinstance(part, Group) and part.soft and self.worth_breaking(part):
                if not self.fits(parts[:at], indent + 1):
                    continue
                opened = self.look_through(parts, at, indent)
                if opened is None and may_do_without(part.items[0]) and has_soft(parts[:at]):
                    continue  # the target is broken instead
                return opened if opened is not None else (parts, at)
        return parts, self.first_too_long(parts, indent)

    def worth_breaking(self, group: Group) -> bool:
        return group.width > INDENT

    def first_too_long(self, parts: Parts, indent: int, start: int = 0) -> int | None:
        """The first bracket with which the line is too long up to where it could be broken next."""
        groups = [i for i, part in enumerate(parts) if i >= start and is_full(part)]
        for at, following in pairwise([*groups, len(parts)]):
            opened = following < len(parts)
            if not self.fits(parts[:following], indent + opened):
                return at
        return groups[-1] if groups else None

    def look_through(self, parts: Parts, at: int, indent: int) -> tuple[Parts, int] | None:
        """Break a bracket within a soft one instead, where that reads better."""
        soft = parts[at]
        assert isinstance(soft, Group)
        if len(soft.items) > 1 or not may_do_without(soft.items[0]):
            return None
        opened = [*parts[:at], *unchained(soft.items[0]), *parts[at + 1 :]]
        chosen = self.first_too_long(opened, indent, at)
        if chosen is None or not self.heads_fit(opened, at, indent):
            return None
        return opened, chosen

    def heads_fit(self, parts: Parts, start: int, indent: int) -> bool:
        """True if what stands between brackets fits on a line wherever one of them is broken."""
        column = indent + width_of(parts[:start])
        for part in parts[start:]:
            column += 1 if is_full(part) else width_of([part])
            if column > self.width:
                return False
            column = indent + 1 if is_full(part) else column
        return True

    def break_group(self, parts: Parts, at: int, indent: int, inside: bool) -> None:
        group = parts[at]
        assert isinstance(group, Group)
        self.place([*parts[:at], group.open], indent, inside)
        self.body(group, indent + INDENT)
        self.place([group.close, *parts[at + 1 :]], indent, inside)

    def body(self, group: Group, indent: int) -> None:
        """The items on one line, else one per line; always so in a tuple, a list, a set or a dict."""
        inner = Group("", "", group.items, group.separator, True, group.always_comma)
        if self.fits([inner], indent) and not (group.collection and len(group.items) > 1):
            self.line([inner], indent)
        elif len(group.items) > 1 or group.always_comma:
            comma: Parts = [","] if group.may_comma else []
            for item in group.items:
                self.place([*item, *comma], indent, inside=True)
        elif len(group.items[0]) == 1 and isinstance(text := group.items[0][0], Text):
            self.lines += [" " * indent + piece for piece in text.cut(self.width - indent)]
        else:
            self.place(group.items[0], indent, inside=True)

    def place_text(self, parts: Parts, indent: int) -> None:
        """Cut the longest literal of a line that has no bracket to break."""
        texts = [i for i, part in enumerate(parts) if isinstance(part, Text)]
        at = max(texts, key=lambda i: width_of([parts[i]]), default=None)
        text = None if at is None else parts[at]
        if at is None or not isinstance(text, Text) or len(text.atoms) < 2:
            self.line(parts, indent)
            return
        self.line([*parts[:at], "("], indent)
        deeper = indent + INDENT
        self.lines += [" " * deeper + piece for piece in text.cut(self.width - deeper)]
        self.place([")", *parts[at + 1 :]], indent, inside=True)
