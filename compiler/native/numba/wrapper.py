"""The Python function around a numba kernel: arguments tested and taken apart, results put together."""

from __future__ import annotations

from typing import Any

from ..argument_kinds import WRITES
from ..loop_ir.ir import Affine, Kernel, Var
from ..loop_ir.values import Constant, Items, Scalar, View
from ..refusal import Unsupported
from .partial_sums import THREADS, is_shared

__all__ = ["leaves", "signature_of", "taken_of", "wrapper"]

TYPES = {"f8": "float64", "f4": "float32", "i8": "int64", "b1": "boolean"}
PYTHON = {"f8": "float", "i8": "int", "b1": "bool"}
NUMPY = {"f8": "np.float64", "f4": "np.float32", "i8": "np.int64", "b1": "np.bool_"}


def signature_of(kernel: Kernel) -> list[tuple[str, str]]:
    """The kernel's parameters and their types."""
    threads = [(THREADS, "int64")] if is_shared(kernel) else []
    given = [(name_of(leaf), type_of(leaf)) for param in kernel.params for leaf in flat(param)]
    return threads + given


def flat(param: Any) -> list[Any]:
    """The arrays and numbers of a parameter."""
    if isinstance(param, Items):
        return [leaf for value in param.values for leaf in flat(value)]
    return [] if isinstance(param, Constant) else [param]


def name_of(leaf: Any) -> str:
    if isinstance(leaf, View):
        assert leaf.buffer is not None
        return f"{leaf.buffer.name}_array"
    return variable(leaf).name


def variable(leaf: Scalar) -> Var:
    var = leaf.expr.terms[0][0] if isinstance(leaf.expr, Affine) else leaf.expr
    assert isinstance(var, Var)
    return var


def type_of(leaf: Any) -> str:
    if isinstance(leaf, View):
        assert leaf.buffer is not None
        return f"{TYPES[leaf.buffer.dtype]}[{', '.join([*':' * (len(leaf.dims) - 1), '::1'])}]"
    return TYPES[variable(leaf).dtype]


def taken_of(kernel: Kernel) -> list[str]:
    """The first lines of the kernel: sizes tested and named, addresses taken."""
    lines: list[str] = []
    for leaf in (leaf for param in kernel.params for leaf in flat(param)):
        if not isinstance(leaf, View):
            continue
        assert leaf.buffer is not None
        buffer = leaf.buffer
        for k, n in enumerate(buffer.dims):
            size = f"{buffer.name}_array.shape[{k}]"
            n = n.terms[0][0] if isinstance(n, Affine) and n.terms else n
            if isinstance(n, Var):
                lines.append(f"{n.name} = {size}")
                lines += [f"if {n.name} == 1:", "    return nothing()"]
            else:
                lines += [f"if {size} != {n.const}:", "    return nothing()"]
        lines.append(f"{buffer.name} = rg_address({buffer.name}_array)")
    return lines


# -- results ----------------------------------------------------------------------------


def leaves(kernel: Kernel) -> list[Any]:
    """The results of the kernel: each buffer once, and numbers, and which of them are Python's."""
    found: list[Any] = []

    def walk(value: Any) -> None:
        if isinstance(value, Items):
            for v in value.values:
                walk(v)
        elif isinstance(value, View):
            if value.buffer not in found:
                found.append(value.buffer)
        elif isinstance(value, Scalar):
            found.append(value)
            if value.mixed:
                found.append(Scalar(value.weak))
        elif not (isinstance(value, Constant) and value.value is None):
            raise Unsupported("such a result")

    walk(kernel.results)
    return found + [own for _, own in kernel.written if own not in found]


def names_of(found: list[Any]) -> list[str]:
    """Names for what the kernel gives back; whether ``r1`` is a Python number is ``r1_soft``."""
    names: list[str] = []
    mixed = False
    for leaf in found:
        names.append(f"{names[-1]}_soft" if mixed else f"r{len(names)}")
        mixed = isinstance(leaf, Scalar) and leaf.mixed
    return names


def packed(value: Any, names: dict[int, str]) -> str:
    """A result as the user sees it."""
    if isinstance(value, Items):
        inner = [packed(v, names) for v in value.values]
        if value.keys is not None:
            keys = (key_text(key) for key in value.keys)
            return f"{{{', '.join(f'{k}: {v}' for k, v in zip(keys, inner, strict=True))}}}"
        left, right = "[]" if value.kind == "list" else "()"
        return f"{left}{', '.join(inner)}{',' * (value.kind != 'list' and len(inner) == 1)}{right}"
    if isinstance(value, View):
        return names[id(value.buffer)]
    if isinstance(value, Constant):
        return "None"
    name = names[id(value)]
    if value.mixed:
        return f"({name} if {name}_soft else {NUMPY[value.dtype]}({name}))"
    return name if value.weak else f"{NUMPY[value.dtype]}({name})"


def key_text(key: Any) -> str:
    if not isinstance(key, (str, int)):
        raise Unsupported("a dict whose keys are neither names nor numbers")
    return repr(key)


# -- the function -----------------------------------------------------------------------


def wrapper(kernel: Kernel) -> str:
    """``entry(fallback, captured)``: the function that takes what it can and hands the rest on."""
    names = [f"p{k}" for k in range(len(kernel.params))]
    tests: list[str] = []
    given = ["numba_threads()"] if is_shared(kernel) else []
    for name, param in zip(names, kernel.params, strict=True):
        tested(param, name, tests, given)
    inputs = [leaf for param in kernel.params for leaf in flat(param)]
    arrays = {
        id(leaf.buffer): text
        for leaf, text in zip(inputs, given[-len(inputs) :], strict=True)
        if isinstance(leaf, View)
    }
    tests += apart(kernel, arrays)
    found = leaves(kernel)
    results = {id(leaf): text for leaf, text in zip(found, names_of(found), strict=True)}
    back = [f"{arrays[id(a)]}[...] = {results[id(b)]}" for a, b in kernel.written]
    taken = ", ".join(["taken", *results.values()])
    count = len(names) - len(kernel.captured)
    parameters = ", ".join(names[:count])
    return f"""
def entry(fallback, captured):
    ({"".join(f"{name}, " for name in names[count:])}) = captured
    def {kernel.name}({parameters}):
        if {" and ".join(tests) or "True"}:
            try:
                {taken}, = kernel({", ".join(given)})
            except (TypeError, MemoryError):  # another dtype, rank or layout
                return fallback({parameters})
            except SystemError as error:  # a signal came: numba tells of it in its own way
                raise (error.__cause__ or error) from None
            if taken:{"".join(f"{chr(10)}                {line}" for line in back)}
                return {packed(kernel.results, results)}
        return fallback({parameters})
{f"    {kernel.name}.__doc__ = {WRITES!r}" if back else ""}
    return {kernel.name}
"""


def apart(kernel: Kernel, arrays: dict[int, str]) -> list[str]:
    """Tests that arguments which are written to are not read-only, and share memory with no other one."""
    tests, done = [], set[int]()
    for given, _ in kernel.written:
        own = arrays[id(given)]
        done.add(id(given))
        tests.append(f"{own}.flags.writeable")
        tests += [
            f"not np.may_share_memory({own}, {text})" for k, text in arrays.items() if k not in done
        ]
    return tests


def tested(param: Any, text: str, tests: list[str], given: list[str]) -> None:
    """Tests that an argument is of the kind the kernel is made for; dtypes of arrays it sees itself."""
    if isinstance(param, Items):
        keys = None if param.keys is None else list(map(key_text, param.keys))
        same = f"len({text}) == {len(param.values)}"
        if keys is not None:  # loops go by their order
            same = f"list({text}) == [{', '.join(keys)}]"
        tests += [f"type({text}) is {param.kind}", same]
        for k, value in enumerate(param.values):
            key = repr(k) if keys is None else keys[k]
            tested(value, f"{text}[{key}]", tests, given)
        return
    if isinstance(param, Constant):
        if param.value is not None:
            raise Unsupported(f"an argument that is {param.value!r}")
        tests.append(f"{text} is None")
        return
    given.append(text)
    if isinstance(param, View):
        tests.append(f"type({text}) is np.ndarray and {text}.dtype.isnative")  # numba does not look
    else:
        var = variable(param)
        kind = PYTHON[var.dtype] if param.weak else NUMPY[var.dtype]
        tests.append(f"type({text}) is {kind}")
        if var.dtype == "i8":
            tests.append(f"{-(2**31)} <= {text} < {2**31}")
