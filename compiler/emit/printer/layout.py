"""Layout of a statement: on one line if it fits, else broken at its outermost brackets and operators.

A statement is a list of parts: plain text, brackets (`Group`), runs of operators (`Chain`) and
long literals (`Text`). Widths are kept with the parts, so that nothing is rendered to be measured.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
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
    width: int = field(init=False)

    def __post_init__(self) -> None:
        inner = sum(map(width_of, self.items)) + self.always_comma
        inner += len(self.separator) * max(len(self.items) - 1, 0)
        self.width = inner if self.soft else inner + len(self.open) + len(self.close)


@dataclass(slots=True)
class Chain:
    """Operands of one precedence; every operand but the first begins with its operator."""

    items: "list[Parts]"
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
        return [f"{p}{self.quote}{b}{self.quote}" for p, b in pairs]

    def _prefixes(self, bodies: list[str]) -> list[str]:
        if self.prefix == "u":
            return ["u"] + [""] * (len(bodies) - 1)
        if self.prefix != "f":
            return [self.prefix] * len(bodies)
        prefixes = ["f" if "{" in body or "}" in body else "" for body in bodies]
        return prefixes if any(prefixes) else ["f", *prefixes[1:]]


Part: TypeAlias = str | Group | Chain | Text
Parts: TypeAlias = list[Part]


def is_full(part: Part) -> TypeGuard[Group]:
    return isinstance(part, Group) and bool(part.items)


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
        first, *middle = chain.items
        last = middle.pop()
        self.place([*parts[:at], *first], indent, inside=True)
        rest = indent + INDENT if at else indent
        for item in middle:
            self.place(item, rest, inside=True)
        self.place([*last, *parts[at + 1 :]], rest, inside=True)

    def choose(self, parts: Parts, indent: int) -> tuple[Parts, int | None]:
        """The bracket to break, after soft brackets that are not needed are taken away."""
        for at in range(len(parts) - 1, -1, -1):
            part = parts[at]
            if isinstance(part, Group) and part.soft and self.worth_breaking(part):
                opened = self.look_through(parts, at, indent)
                return opened if opened is not None else (parts, at)
        return parts, self.widest(parts, indent, 0, len(parts))

    def worth_breaking(self, group: Group) -> bool:
        return group.width > INDENT

    def widest(self, parts: Parts, indent: int, start: int, stop: int) -> int | None:
        """The widest bracket whose opening still fits on the line, else the first one."""
        widths = {i: part.width for i, part in enumerate(parts) if is_full(part)}
        groups = [i for i in widths if start <= i < stop]
        good = [i for i in groups if self.fits(parts[:i], indent + 1)]
        if good:
            return max(good, key=lambda i: (widths[i], i))
        return groups[0] if groups and not start else None

    def look_through(self, parts: Parts, at: int, indent: int) -> tuple[Parts, int] | None:
        """Break a bracket within a soft one instead, where that reads better."""
        soft = parts[at]
        assert isinstance(soft, Group)
        if len(soft.items) > 1:
            return None
        content = soft.items[0]
        if any(isinstance(part, Chain) for part in content):
            content = self.last_operand(content, indent)
        opened = [*parts[:at], *content, *parts[at + 1 :]]
        chosen = self.widest(opened, indent, at, at + len(content))
        if chosen is None or width_of(opened[chosen : chosen + 1]) <= 2 + INDENT:
            return None
        return opened, chosen

    def last_operand(self, content: Parts, indent: int) -> Parts:
        """`a == [...]` opened up, when it is too long for a line of its own in parentheses."""
        only = content[0]
        if len(content) > 1 or not isinstance(only, Chain) or len(only.items) > 2:
            return []
        first, last = only.items
        if self.fits(content, indent + INDENT) or not isinstance(last[-1], Group):
            return []
        return [flat(first), " ", *last] if self.fits([*first, *last[:-1]], indent) else []

    def break_group(self, parts: Parts, at: int, indent: int, inside: bool) -> None:
        group = parts[at]
        assert isinstance(group, Group)
        self.place([*parts[:at], group.open], indent, inside)
        self.body(group, indent + INDENT)
        self.place([group.close, *parts[at + 1 :]], indent, inside)

    def body(self, group: Group, indent: int) -> None:
        """The items on one line, else one per line."""
        inner = Group("", "", group.items, group.separator, True, group.always_comma)
        if self.fits([inner], indent):
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
