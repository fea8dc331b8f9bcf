"""The check of the arguments, written out: a few lines in a text that stands alone.

>>> lines, modules = guard_lines(["w", "lam"], ["f8[d]", "float"])
>>> print("\\n".join(lines))
if type(w) is not np.ndarray or w.dtype != np.float64 or w.ndim != 1:
    raise TypeError('`w` is not f8[d]')
lam = float(+lam)
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import Any

from retrograd.runtime.user.argument_checks import ANY_ORDER
from retrograd.runtime.user.argument_forms import Form, form_of

__all__ = ["guard_lines", "with_short_guard", "without_guard"]

WIDTH = 80  # of an assignment in a function
KINDS = {"floating": "f", "real": "biuf", "not integers": "biuf"}  # of dtypes
NUMBERS = {"float": "float(+{})", "complex": "complex(+{})", "int": "operator.index({})"}


class TooMuch(Exception):
    """A kind that no short check can tell."""


def with_short_guard(text: str) -> str:
    """The text with the decorator's check in its function; as it is, where that takes more than a few lines."""
    found = guarded_function(text)
    if found is None:
        return text
    node, kinds = found
    spec = node.args
    if spec.vararg or spec.kwarg:
        return text
    names = [a.arg for a in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs)]
    try:
        lines, imports = guard_lines(names, kinds)
    except TooMuch:
        return text
    return with_imports(replaced(text, node, lines), imports)


def without_guard(text: str) -> str:
    """The text without a check of the arguments."""
    found = guarded_function(text)
    return text if found is None else replaced(text, found[0], [])


def guarded_function(text: str) -> tuple[ast.FunctionDef, list[str]] | None:
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef):
            for decorator in node.decorator_list:
                if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "rt.expects":
                    return node, [ast.literal_eval(a) for a in decorator.args]
    return None


def replaced(text: str, node: ast.FunctionDef, guard: list[str]) -> str:
    """The text with these lines at the start of a function, and without its decorator."""
    lines = text.splitlines()
    first, last = node.decorator_list[0].lineno - 1, node.lineno - 1
    end = last
    while not lines[end].endswith(":"):
        end += 1
    made = [*lines[:first], *lines[last : end + 1]]
    made += [f"    {line}" if line else "" for line in formatted(guard)]
    whole = "\n".join([*made, *lines[end + 1 :]]) + "\n"
    return whole if "rt." in ast.unparse(ast.parse(whole)) else without_import(whole)


def formatted(lines: list[str]) -> list[str]:
    """The statements as the printer writes them, four columns narrower."""
    from retrograd.compiler.emit.printer.printer import write

    if not lines:
        return []
    inside = ast.parse("def f():\n" + "\n".join(f"    {line}" for line in lines))
    return [line[4:] for line in write(inside).splitlines()[1:] if line.strip()]


def without_import(text: str) -> str:
    """The text without the import of the runtime, and without the empty lines that it leaves."""
    head, found, rest = text.partition("from retrograd import runtime as rt\n")
    if not found:
        return text
    plain = head.rstrip("\n").rpartition("\n")[2].startswith(("import ", "from "))
    return head + rest if plain else head.rstrip("\n") + "\n\n\n" + rest.lstrip("\n")


def with_imports(text: str, names: set[str]) -> str:
    """The text with the imports that its checks need."""
    tree = ast.parse(text)
    known = {a.asname or a.name for n in tree.body if isinstance(n, ast.Import) for a in n.names}
    lines = {"np": "import numpy as np", "operator": "import operator"}
    missing = [lines[name] for name in sorted(names - known, reverse=True)]
    if not missing:
        return text
    nodes = [n for n in tree.body if isinstance(n, (ast.Import, ast.ImportFrom))]
    rows = text.splitlines()
    at = nodes[0].lineno - 1 if nodes else tree.body[0].end_lineno
    assert at is not None
    if "import operator" in missing:
        missing.remove("import operator")
        missing.insert(0, "import operator")
    made = [*rows[:at], *([] if nodes else [""]), *missing, *rows[at:]]
    return "\n".join(made) + "\n"


# -- the checks -------------------------------------------------------------------------------


@dataclass
class Guard:
    """What is to be checked: arrays with their dtypes and shapes, other conditions, and what is converted."""

    any_order: bool
    taken: list[str]  # the names of the parameters
    arrays: list[tuple[str, Form]] = field(default_factory=list)
    wrong: list[tuple[str, str]] = field(default_factory=list)  # a condition, and what it means
    sizes: dict[str, list[str]] = field(default_factory=dict)
    numbers: list[tuple[str, str]] = field(default_factory=list)
    kinds: list[tuple[str, str]] = field(default_factory=list)  # of what is converted before

    def take(self, path: str, form: Form) -> str:
        """Note what a part has to be; the expression that the text gets for it."""
        if form.device:
            raise TooMuch
        made = TAKES.get(form.sort)
        if made is None:
            raise TooMuch
        text: str = made(self, path, form)
        return text

    def word(self, path: str, form: Form) -> str:
        """Numbers and arrays of any shape, and plain containers of them; whole numbers where floats are asked for."""
        bare, ranks = form.of if form.sort == "ranked" else (form.of, None)
        kinds = repr(KINDS[bare]) + (f", {tuple(sorted(ranks))}" if ranks is not None else "")
        test = f"not rt.is_kind({path}, {kinds})"
        if bare == "not integers":
            test += f" or type({path}) is np.ndarray and {path}.dtype.kind != 'f'"
        self.kinds.append(
            (test, f"`{path}` is not {form.text}, nor lists, tuples and dicts of such")
        )
        return (
            f"float({path}) if type({path}) is int else {path}" if form.of == "floating" else path
        )

    def sequence(self, path: str, form: Form) -> str:
        """A list or a tuple of such, or an array that has one dimension more."""
        if form.of.sort != "ranked" or form.of.of[0] == "not integers":
            raise TooMuch
        bare, ranks = form.of.of
        item = unused("v", self.taken)
        one = f"rt.is_kind({item}, {KINDS[bare]!r}, {tuple(sorted(ranks))})"
        rows = f"rt.is_kind({path}, {KINDS[bare]!r}, {tuple(sorted(r + 1 for r in ranks))})"
        test = f"not (all({one} for {item} in {path}) if type({path}) in (list, tuple) else {rows})"
        self.kinds.append((test, f"`{path}` is no {form.text}"))
        return path

    def array(self, path: str, form: Form) -> str:
        self.arrays.append((path, form))
        dims = form.of[1] if form.sort == "array" else ()
        for k, size in enumerate(dims):
            if size != "_":
                self.sizes.setdefault(size, []).append(f"{path}.shape[{k}]")
        return path

    def python(self, path: str, form: Form) -> str:
        name = form.of.__name__
        if name in NUMBERS:
            return NUMBERS[name].format(path)
        if form.of is bool:
            self.wrong.append((f"type({path}) not in (bool, np.bool_)", f"`{path}` is not bool"))
            return f"bool({path})"
        kind = "None" if form.of is type(None) else name
        test = f"{path} is not None" if kind == "None" else f"type({path}) is not {kind}"
        self.wrong.append((test, f"`{path}` is not {kind}"))
        return path

    def scalar(self, path: str, form: Form) -> str:
        if form.of.name != "float64":
            raise TooMuch
        return f"np.float64(float(+{path}))"

    def text(self, path: str, form: Form) -> str:
        if form.of[0] not in "'\"":
            raise TooMuch
        self.wrong.append((f"{path} != {form.of}", f"`{path}` is not {form.of}"))
        return path

    def value(self, path: str, form: Form) -> str:
        kind, value = form.of
        if kind not in ("int", "bool", "str"):
            raise TooMuch
        self.wrong.append((f"{path} != {value}", f"`{path}` is not {value}"))
        return path

    def container(self, path: str, form: Form) -> str:
        keys = [key for key, _ in form.parts]
        if form.of == "dict":
            same = f"set({path}) != {set_of(keys)}" if self.any_order else f"list({path}) != {keys}"
            self.wrong.append(
                (f"not isinstance({path}, dict) or {same}", f"`{path}` has not the keys {keys}")
            )
        else:
            test = f"type({path}) is not {form.of} or len({path}) != {len(keys)}"
            self.wrong.append((test, f"`{path}` is no {form.of} of {len(keys)}"))
        if number := self.one_number(form):
            item = unused("v", self.taken)
            return around(form.of, f"{NUMBERS[number].format(item)} for {item} in {path}")
        parts = {key: self.take(f"{path}[{key!r}]", part) for key, part in form.parts}
        inside = ", ".join(parts.values()) + ("," if len(parts) == 1 else "")
        as_it_is = all(made == f"{path}[{key!r}]" for key, made in parts.items())
        if form.of == "dict":
            shown = "{" + ", ".join(f"{k!r}: {made}" for k, made in parts.items()) + "}"
            return path if as_it_is and not self.any_order else shown
        return path if as_it_is else f"({inside})" if form.of == "tuple" else f"[{inside}]"

    @staticmethod
    def one_number(form: Form) -> str:
        """The kind of the items of a list or tuple, if they are several numbers of one kind."""
        kinds = {part.of.__name__ if part.sort == "python" else "" for _, part in form.parts}
        same = form.of != "dict" and len(form.parts) > 1 and len(kinds) == 1
        return next(iter(kinds & set(NUMBERS)), "") if same else ""

    def instance(self, path: str, form: Form) -> str:
        self.wrong.append((f"type({path}).__name__ != {form.of!r}", f"`{path}` is no {form.of}"))
        for key, part in form.parts:
            inner = f"{path}.{key}"
            if part.sort == "python" and part.of in (int, float, complex):
                name = part.of.__name__
                self.wrong.append((f"not isinstance({inner}, {name})", f"`{inner}` is no {name}"))
            elif part.sort in ("array", "any rank", "python", "object"):
                self.take(inner, part)
            else:
                raise TooMuch
        return path


def around(container: str, items: str) -> str:
    """A list or tuple made in a loop."""
    return f"[{items}]" if container == "list" else f"tuple({items})"


def set_of(keys: list[Any]) -> str:
    return "{" + ", ".join(map(repr, keys)) + "}" if keys else "set()"


TAKES: dict[str, Any] = {
    "array": Guard.array,
    "any rank": Guard.array,
    "word": Guard.word,
    "ranked": Guard.word,
    "sequence": Guard.sequence,
    "python": Guard.python,
    "scalar": Guard.scalar,
    "spelled": Guard.text,
    "value": Guard.value,
    "container": Guard.container,
    "object": Guard.instance,
}


def guard_lines(names: list[str], kinds: list[str]) -> tuple[list[str], set[str]]:
    """The statements that check and convert the arguments, and the modules that they name."""
    guard = Guard(ANY_ORDER in kinds[len(names) :], names)
    made = {n: guard.take(n, form_of(k, names)) for n, k in zip(names, kinds, strict=False)}
    lines = structure_lines(guard) + array_lines(guard)
    apart = [k for k in kinds[len(names) :] if k != ANY_ORDER]
    lines += size_lines(guard, [w.split()[0] for k in apart for w in k.split(" and ")])
    changed = {n: text for n, text in made.items() if text != n}
    joint = f"{', '.join(changed)} = {', '.join(changed.values())}"
    lines += (
        [joint] if changed and len(joint) <= WIDTH else [f"{n} = {t}" for n, t in changed.items()]
    )
    code = "\n".join(lines)
    for test, said in guard.kinds:
        lines += [f"if {test}:", refusal(said)]
    code += "".join(lines)
    return lines, {m for m in ("np", "operator") if f"{m}." in code}


def refusal(said: str) -> str:
    return f"    raise TypeError({said!r})"


def structure_lines(guard: Guard) -> list[str]:
    return [line for test, said in guard.wrong for line in (f"if {test}:", refusal(said))]


def array_lines(guard: Guard) -> list[str]:
    if not guard.arrays:
        return []
    if len(guard.arrays) == 1:
        path, form = guard.arrays[0]
        dtype, dims = form.of if form.sort == "array" else (form.of, None)
        test = f"type({path}) is not np.ndarray or {path}.dtype != np.{dtype.name}"
        rank = f" or {path}.ndim != {len(dims)}" if dims is not None else ""
        return [f"if {test}{rank}:", refusal(f"`{path}` is not {form.text}")]
    label, a, rank, dtype = (unused(n, guard.taken) for n in ("name", "a", "rank", "dtype"))
    rows = [[repr(p), p, f"np.{dtype_of(f)}", rank_of(p, f)] for p, f in guard.arrays]
    if len({row[2] for row in rows}) > 1:
        listed, names = rows, f"{label}, {a}, {dtype}, {rank}"
        wrong, said = f"({a}.dtype, {a}.ndim) != ({dtype}, {rank})", f"{{{dtype}.__name__}}"
    else:
        listed, names = [[n, p, r] for n, p, _, r in rows], f"{label}, {a}, {rank}"
        wrong = f"{a}.dtype != {rows[0][2]} or {a}.ndim != {rank}"
        said = dtype_of(guard.arrays[0][1])
    return [
        f"for {names} in {', '.join(f'({chr(44).join(row)})' for row in listed)}:",
        f"    if type({a}) is not np.ndarray or {wrong}:",
        f"        raise TypeError(f'`{{{label}}}` is not {said} of rank {{{rank}}}')",
    ]


def unused(name: str, taken: list[str]) -> str:
    while name in taken:
        name += "_"
    return name


def rank_of(path: str, form: Form) -> str:
    return str(len(form.of[1])) if form.sort == "array" else f"np.ndim({path})"


def dtype_of(form: Form) -> str:
    return str((form.of[0] if form.sort == "array" else form.of).name)


def size_lines(guard: Guard, apart: list[str]) -> list[str]:
    """Sizes of one name are equal, others are numbers, and some are not 1."""
    tests = []
    for size, places in guard.sizes.items():
        first = size if size.isdigit() else places[0]
        rest = places if size.isdigit() else places[1:]
        tests += [f"{place} != {first}" for place in rest]
        tests += [f"{places[0]} == 1"] if size in apart else []
    if not tests:
        return []
    named = [f"{path}: {form.text}" for path, form in guard.arrays if form.sort == "array"]
    said = f"the sizes are not {', '.join([*named, *(f'{n} != 1' for n in apart)])}"
    return [f"if {' or '.join(tests)}:", refusal(said)]
