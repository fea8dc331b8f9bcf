"""Functions that numba kernels call besides the inline math, as Python text for the generated module.

Memory is read by pointers: an index is then neither tested nor taken from the end, and loads stay
vectors.  A pointer does not hold on to its array; ``rg_keep`` does, at the end of the kernel.
"""

from __future__ import annotations

from ..math.to_numba import CODE, HEAD, INLINED, intrinsic

__all__ = ["IMPORTS", "support_text"]

IMPORTS = f"""{HEAD}from numba import types
from numba.core import cgutils
"""

INTRINSICS = {
    "address": '''
@intrinsic
def rg_address(typing, array):
    """Where the elements of an array stand."""
    kind = types.uint8 if array.dtype == types.boolean else array.dtype

    def code(context, builder, signature, arguments):
        place = context.make_array(array)(context, builder, arguments[0]).data
        return builder.bitcast(place, context.get_value_type(signature.return_type))

    return types.CPointer(kind)(array), code
''',
    "stack": '''
@intrinsic(prefer_literal=True)
def rg_stack(typing, count, kind):
    """Room for a few elements that lives as long as the call."""

    def code(context, builder, signature, arguments):
        row = ir.ArrayType(context.get_data_type(kind.instance_type), count.literal_value)
        room = cgutils.alloca_once(builder, row)
        return builder.bitcast(room, context.get_value_type(signature.return_type))

    return types.CPointer(kind.instance_type)(count, kind), code
''',
    "part": '''
@intrinsic
def rg_part(typing, array, start, kind):
    """Where the elements stand that begin at a byte of an array."""

    def code(context, builder, signature, arguments):
        data = context.make_array(array)(context, builder, arguments[0]).data
        place = builder.gep(data, [arguments[1]])
        return builder.bitcast(place, context.get_value_type(signature.return_type))

    return types.CPointer(kind.instance_type)(array, types.int64, kind), code
''',
    "moved": '''
@intrinsic
def rg_moved(typing, old, count, array, start):
    """``count`` elements copied to a byte of an array: where they stand now."""

    def code(context, builder, signature, arguments):
        old, count, room, start = arguments
        data = context.make_array(array)(context, builder, room).data
        new = builder.bitcast(builder.gep(data, [start]), old.type)
        size = context.get_abi_sizeof(old.type.pointee)
        cgutils.raw_memcpy(builder, new, old, count, size)
        return new

    return old(old, types.int64, array, types.int64), code
''',
    "keep": '''
@intrinsic
def rg_keep(typing, array):
    """An array lives until here."""

    def code(context, builder, signature, arguments):
        return context.get_dummy_value()

    return types.none(array), code
''',
    "plus": '''
@intrinsic
def rg_plus(typing, a, b):
    """A sum whose order does not matter."""

    def code(context, builder, signature, arguments):
        return builder.fadd(*arguments, flags=("reassoc", "nsz", "contract"))

    return a(a, a), code
''',
    "times": '''
@intrinsic
def rg_times(typing, a, b):
    """A product whose order does not matter."""

    def code(context, builder, signature, arguments):
        return builder.fmul(*arguments, flags=("reassoc", "nsz", "contract"))

    return a(a, a), code
''',
    "one": '''
@intrinsic
def rg_one(typing, x):
    """One, in the type of ``x``."""

    def code(context, builder, signature, arguments):
        return ir.Constant(arguments[0].type, 1.0)

    return x(x), code
''',
    "imul": '''
@intrinsic
def rg_imul(typing, a, b, overflow):
    """A product of integers; ``overflow`` says that one was too large."""

    def code(context, builder, signature, arguments):
        a, b, seen = arguments
        both = builder.smul_with_overflow(a, b)
        large = builder.zext(builder.extract_value(both, 1), ir.IntType(64))
        builder.store(builder.or_(builder.load(seen), large), seen)
        return builder.extract_value(both, 0)

    return types.int64(types.int64, types.int64, types.CPointer(types.int64)), code
''',
}

# name: parameters, what it is, and the functions above and of the math that it calls
FUNCTIONS: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "square": ("x", "x * x", ()),
    "cube": ("x", "x * x * x", ()),
    "fourth": ("x", "(x * x) * (x * x)", ()),
    "signbit": ("x", "math.copysign(1.0, x) < 0", ()),
    "sign": (
        "x",
        "rg_select(x == 0, rg_fabs(x), rg_copysign(rg_select(x != x, x, rg_one(x)), x))",
        ("select", "fabs", "copysign", "one"),
    ),
    "isnan": ("x", "x != x", ()),
    "isinf": ("x", "rg_fabs(x) == np.inf", ("fabs",)),
    "isfinite": ("x", "x - x == 0", ()),
    "maximum": ("a, b", "rg_select((a >= b) | (a != a), a, b)", ("select",)),
    "minimum": ("a, b", "rg_select((a <= b) | (a != a), a, b)", ("select",)),
    "fmax": ("a, b", "rg_select((a >= b) | (b != b), a, b)", ("select",)),
    "fmin": ("a, b", "rg_select((a <= b) | (b != b), a, b)", ("select",)),
    "sign_i8": ("x", "np.int64(x > 0) - np.int64(x < 0)", ()),
    "isfinite_i8": ("x", "True", ()),
    "maximum_i8": ("a, b", "rg_select(a >= b, a, b)", ("select",)),
    "minimum_i8": ("a, b", "rg_select(a <= b, a, b)", ("select",)),
    "wrap_i8": ("k, n", "rg_select(k < 0, k + n, k)", ("select",)),
}

BODIES = {
    "remainder": '''
{inlined}
def rg_remainder(a, b):
    """``a % b`` with the sign of ``b``."""
    m = np.fmod(a, b)
    if b == 0:
        return m
    if m == 0:
        return rg_copysign(rg_fabs(m), b)
    return m + b if (b < 0) != (m < 0) else m
''',
    "floor_divide": '''
{inlined}
def rg_floor_divide(a, b):
    """``a // b``, rounded once."""
    if b == 0:
        return a / b
    m = np.fmod(a, b)
    d = (a - m) / b
    if m != 0 and (b < 0) != (m < 0):
        d = d - rg_one(d)
    if d == 0:
        return rg_copysign(rg_fabs(d), a / b)
    f = rg_floor(d)
    return f + rg_one(f) if d - f > 0.5 else f
''',
}
USED = {"remainder": ("copysign", "fabs"), "floor_divide": ("one", "copysign", "fabs", "floor")}


def support_text(names: set[str], math_text: str) -> str:
    """The functions ``names`` and what they need, less what ``math_text`` has already."""
    wanted = set(names)
    for name in names:
        wanted |= set(FUNCTIONS[name][2] if name in FUNCTIONS else USED.get(name, ()))
    lines = [
        intrinsic(name)
        for name in CODE
        if name in wanted and f"\ndef rg_{name}(" not in f"\n{math_text}"
    ]
    lines += [f"{text}\n" for name, text in INTRINSICS.items() if name in wanted]
    lines += [
        f"\n{INLINED}\ndef rg_{name}({head}):\n    return {value}\n\n"
        for name, (head, value, _) in FUNCTIONS.items()
        if name in wanted
    ]
    lines += [
        text.format(inlined=INLINED) + "\n" for name, text in BODIES.items() if name in wanted
    ]
    return "".join(lines)
